"""The files of tests/messy as data frames and arrays: each row has the answer that the command gives it."""

import datetime
import json
import pathlib
import random
import sys

import numpy as np
import pytest

from falsum import Booleanizer, TMClassifier

pd = pytest.importorskip("pandas")
MESSY = pathlib.Path(__file__).resolve().parents[2] / "tests" / "messy"
sys.path.insert(0, str(MESSY))
from dialect import MANIFEST, MARKS, Table, number, path_of  # noqa: E402

MACHINE = ["--clauses", "40", "-T", "15", "-s", "3.9", "--epochs", "20", "--threads", "1"]
NAMED = [e for e in MANIFEST if "schema" in e and e["schema"]["format"] == "csv" and e["schema"].get("header")]
ARRAYS = [e for e in MANIFEST if "schema" in e and e["schema"]["format"] == "npy"]


def each(entries):
    return pytest.mark.parametrize("entry", entries, ids=[entry["file"] for entry in entries])


def marks_of(entry):
    own = [a.partition("=")[2] for a in entry.get("arguments", []) if a.startswith("--missing=")]
    return {*own, ""} if own else MARKS


def column_of(texts, kind, entry):
    """What a careful person makes of a column: numbers, Booleans, text and moments, and nothing where nothing is known."""
    known = [None if text in marks_of(entry) else text for text in texts]
    if kind == "number":
        return [float("nan") if text is None else number(text, entry["schema"]) for text in known]
    if kind == "boolean":
        return pd.array([None if text is None else text.lower() == "true" for text in known], dtype="boolean")
    if kind in ("date", "datetime"):
        return pd.Series([pd.Timestamp(text) if text else pd.NaT for text in known])  # one by one: some with a time, some without
    if kind == "time":
        return [None if text is None else datetime.time.fromisoformat(text) for text in known]
    if kind is None and all(text in ("0", "1") for text in known):
        return [int(text) for text in known]
    return known


def frame_of(entry):
    """The features of a file, in a frame, and its labels."""
    table, columns = Table(entry), entry["schema"]["columns"]
    names, kinds = table.names(), {}
    for c, (_, role, kind, _) in enumerate(columns):
        if role not in ("label", "ignored"):
            kinds[c] = kind
    if len({names[c] for c in kinds}) < len(kinds) or not all(names[c] for c in kinds):
        return None, None  # a frame of such names cannot be put in another order
    if any(kind is None and names[c] in ("id", "garden") for c, kind in kinds.items()):
        kinds = {c: kind or ("number" if table.value(table.rows[0][c]).isdigit() else "category") for c, kind in kinds.items()}
    texts = {c: [table.value(row[c]) for row in table.rows] for c in range(len(columns))}
    frame = pd.DataFrame({names[c]: column_of(texts[c], kind, entry) for c, kind in kinds.items()})
    label = next(c for c, column in enumerate(columns) if column[1] == "label")
    return frame, texts[label]


@pytest.fixture(scope="module")
def trained(command, tmp_path_factory):
    """Model of the command, and its answers to the rows of the file."""
    folder = tmp_path_factory.mktemp("messy")

    def train(entry):
        model = folder / (entry["file"] + ".falsum")
        command("train", path_of(entry), *entry.get("arguments", []), *MACHINE, "-o", model)
        skip = ["--bad-rows", "skip"] if "--bad-rows" in entry.get("arguments", []) else []
        answers = json.loads(command("predict", model, path_of(entry), "--json", *skip))
        return model, [label for label in answers if label is not None]  # None: a row that was left out

    return train


@each(NAMED)
def test_a_frame_has_the_answers_of_its_file(entry, trained):
    """Some rows, in any order, columns in any order: as the command answered for the whole file."""
    frame, _ = frame_of(entry)
    if frame is None:
        pytest.skip("columns without names of their own have their order alone")
    model, whole = trained(entry)
    estimator = TMClassifier.load(model)
    draw = random.Random(entry["file"])
    rows = draw.sample(range(len(frame)), len(frame) // 3)
    for part in (frame, frame.iloc[rows], frame.iloc[rows[:1]]):
        columns = draw.sample(list(part.columns), part.shape[1])
        wanted = [whole[i] for i in part.index]
        if estimator.classes_.dtype.kind == "f":  # 2.000 in the file is 2.0 here
            wanted = [str(float(label)) for label in wanted]
        assert list(map(str, estimator.predict(part[columns]))) == wanted


@each(ARRAYS)
def test_an_array_has_the_answers_of_its_file(entry, trained):
    model, whole = trained(entry)
    values = np.load(path_of(entry))
    X = values["X"] if path_of(entry).suffix == ".npz" else values[:, :-1]
    rows = random.Random(entry["file"]).sample(range(len(X)), 20)
    estimator = TMClassifier.load(model)
    # A whole number has the same text as the float of the same value in the command's answers.
    assert [f"{label:g}" if isinstance(label, float) else str(label) for label in estimator.predict(X[rows])] == [whole[r] for r in rows]


LEARNED = ["pandas_plain.csv", "pandas_empty_cells.csv", "pandas_dates.csv", "pandas_datetimes.csv", "pandas_datetimes_zone.csv",
           "pandas_missing_dates.csv", "pandas_times.csv", "r_logical_missing.csv", "uci_wine_quality.csv"]  # fmt: skip


@each([entry for entry in NAMED if entry["file"] in LEARNED])
def test_the_command_answers_for_a_frame_learned_here(entry, command, tmp_path):
    """fit(frame), save, frame.to_csv: the command reads it by the model's schema."""
    frame, labels = frame_of(entry)
    options = {"clauses": 40, "threshold": 15, "specificity": 3.9, "epochs": 20, "random_state": 1}
    estimator = TMClassifier(booleanizer=Booleanizer(bits=8), **options).fit(frame, labels)  # 90 rows: few for 16 bits
    assert estimator.score(frame, labels) >= entry["accuracy"]
    estimator.save(tmp_path / "model.falsum")
    frame.sample(30, random_state=1).to_csv(tmp_path / "part.csv", index=False)
    expected = estimator.predict(frame.sample(30, random_state=1))
    assert json.loads(command("predict", tmp_path / "model.falsum", tmp_path / "part.csv", "--json")) == list(expected)

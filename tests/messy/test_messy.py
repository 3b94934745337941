"""Files as people have them (manifest.json says which program made each): what must be understood, learned or refused.

The property at the end holds for all of them: what else is in a file never changes the answer for a row.
"""

import csv
import io
import json
import math
import os
import random
import struct
import subprocess

import pytest
from dialect import FOLDER, MANIFEST, SparseRows, Table, arrays_of, npy, npz, number, path_of

COMMAND = os.path.abspath(os.environ.get("FALSUM_COMMAND", FOLDER.parents[1] / "build" / "release" / "falsum"))
MACHINE = ["--clauses", "40", "-T", "15", "-s", "3.9", "--epochs", "40", "--threads", "1"]

GOOD = [entry for entry in MANIFEST if "schema" in entry]
BAD = [entry for entry in MANIFEST if "error" in entry]


def falsum(*arguments, **keywords):
    """Runs the command; what it printed is UTF-8."""
    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, timeout=120, **keywords)


def printed(*arguments, **keywords):
    """What the command prints when it succeeds."""
    result = falsum(*arguments, **keywords)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode()


@pytest.fixture(scope="session")
def model_of(tmp_path_factory):
    folder, models = tmp_path_factory.mktemp("models"), {}

    def train(entry):
        name = entry["file"]
        if name not in models:
            path = folder / (name + ".falsum")
            printed("train", path_of(entry), *entry.get("arguments", []), *MACHINE, "-o", path)
            models[name] = path
        return models[name]

    return train


@pytest.fixture(scope="session")
def answers_of():
    """The labels that a model gives the rows of a file, or of bytes on standard input."""

    def predict(model, data, *arguments):
        piped = isinstance(data, bytes)
        text = printed("predict", model, "-" if piped else data, "--threads", "1", "--json", *arguments, input=data if piped else b"")
        return [answer for answer in json.loads(text) if answer is not None]  # rows that were left out have none

    return predict


def each(entries):
    return pytest.mark.parametrize("entry", entries, ids=[entry["file"] for entry in entries])


def test_the_manifest_names_each_file_once():
    named = sorted(entry["file"] for entry in MANIFEST)
    assert named == sorted(path.name for path in path_of(MANIFEST[0]).parent.iterdir())
    assert len(named) >= 60


def agrees(expected, got):
    """A column of the manifest is name, role, kind and missing cells; null is for what does not matter."""
    got = [got["name"], got["role"], got["kind"], got["missing"]]
    return all(wanted is None or wanted == seen for wanted, seen in zip(expected, got))


@each(GOOD)
def test_it_is_understood(entry):
    schema = json.loads(printed("train", path_of(entry), *entry.get("arguments", []), *MACHINE, "--dry-run", "--json"))["schema"]
    expected = dict(entry["schema"])
    columns = expected.pop("columns", None)
    assert {key: schema.get(key) for key in expected} == expected
    if columns is not None:
        assert len(schema["columns"]) == len(columns)
        assert [(wanted, got) for wanted, got in zip(columns, schema["columns"]) if not agrees(wanted, got)] == []
    if "missing" in entry:
        assert sum(column["missing"] for column in schema["columns"] if column["role"] == "feature") == entry["missing"]
    for words in entry.get("notes", []):
        assert any(words in note for note in [*schema["notes"], schema.get("first_problem", "")]), schema["notes"]


@each(GOOD)
def test_it_is_learned(entry, model_of, answers_of):
    model = model_of(entry)
    report = json.loads(printed("evaluate", model, path_of(entry), "--threads", "1", "--json", *bad_rows(entry)))
    assert report["samples"] == entry["schema"]["rows"]
    assert report["accuracy"] >= entry["accuracy"]
    if "labels" in entry:
        assert set(answers_of(model, path_of(entry), *bad_rows(entry))) <= set(entry["labels"])


@each(BAD)
def test_it_is_refused(entry):
    """One sentence that names the line, or the program that reads such a file; never a model."""
    result = falsum("train", path_of(entry), *entry.get("arguments", []), *MACHINE)
    said = result.stderr.decode()
    assert (result.returncode, len(said.splitlines())) == (2, 1), said
    assert said.startswith("falsum: ") and entry["file"] in said
    sentence = said.replace(str(path_of(entry)), "").replace(entry["file"], "").lower()
    for words in entry["error"]:
        assert any(word.lower() in sentence for word in ([words] if isinstance(words, str) else words)), said


def bad_rows(entry):
    """What a command that reads a damaged file has to be told each time; the rest is in the model."""
    arguments = entry.get("arguments", [])
    return arguments if "--bad-rows" in arguments else []


def some(draw, count):
    """Some of the rows, in any order; half of them at most."""
    return draw.sample(range(count), draw.randrange(2, count // 2))


def shuffled_names(draw, table, columns):
    """The columns that have a name of their own change places; the others stay where they are."""
    names = table.names()
    movable = [c for c in columns if names[c] and names.count(names[c]) == 1 and not (table.indexed and c == 0)]
    there = dict(zip(movable, draw.sample(movable, len(movable))))
    return [there.get(c, c) for c in columns]


def forms_of(entry, draw):
    """Files of some rows of a table: (what was done, rows taken, bytes)."""
    table, columns = Table(entry), entry["schema"]["columns"]
    everything = list(range(len(columns)))
    label = next(c for c in everything if columns[c][1] == "label")
    features = [c for c in everything if c != label]
    count = len(table.rows)

    def taken(rows, blank=False):
        cells = [list(table.rows[r]) for r in rows]
        for row in cells:
            row[label] = "" if blank and table.delimiter != " " else row[label]
        return cells

    def form(what, rows, how, order, **options):
        return what, rows, how(taken(rows, **options), order)

    same, plain = table.written, table.written_plainly
    yield form("some rows", some(draw, count), same, everything)
    yield form("one row", [draw.randrange(count)], same, everything)
    if table.header or not any(column[1] == "ignored" for column in columns):  # else it cannot be told, see below
        yield form("no label column", some(draw, count), same, features)
        yield form("one row without its label", [draw.randrange(count)], same, features)
    yield form("blank labels", some(draw, count), same, everything, blank=True)
    if table.header:
        yield form("columns in another order", some(draw, count), same, shuffled_names(draw, table, everything))
        yield form("no label column, another order", some(draw, count), same, shuffled_names(draw, table, features))
        yield form("plain commas", some(draw, count), plain, shuffled_names(draw, table, everything))
        yield form("plain commas without label", [draw.randrange(count)], plain, shuffled_names(draw, table, features))
    if all(columns[c][2] == "number" or columns[c][1] == "ignored" for c in features):
        rows = some(draw, count)
        used = [c for c in features if columns[c][1] == "feature"]
        values = [[struct.pack("<d", number(table.value(table.rows[r][c]), entry["schema"])) for c in used] for r in rows]
        yield "NPZ", rows, npz({"X": npy(values, "<f8", len(used))})


def array_forms(entry, draw):
    arrays = arrays_of(entry)
    X, y, count = arrays["X"], arrays["y"], entry["schema"]["rows"]
    features = X.width if y else X.width - 1
    for what, rows in (("some rows", some(draw, count)), ("one row", [draw.randrange(count)])):
        taken = [X.rows[r] for r in rows]
        if y is None:
            yield what, rows, X.written(taken, X.width)
            yield what + " without labels", rows, X.written(taken, features)
            continue
        yield what, rows, npz({"X": X.written(taken, features), "y": y.written([y.rows[r] for r in rows])})
        yield what + " without labels", rows, npz({"X": X.written(taken, features)})
    if X.dtype == "<f8":
        rows = some(draw, count)
        values = [[struct.unpack("<d", value)[0] for value in X.rows[r][:features]] for r in rows]
        lines = [",".join("" if math.isnan(v) else repr(v) for v in row) for row in values]
        yield "CSV", rows, ("\n".join(lines) + "\n").encode()


def sparse_forms(entry, draw):
    table = SparseRows(entry)
    for what, rows in (("some rows", some(draw, len(table.rows))), ("one row", [draw.randrange(len(table.rows))])):
        taken = [table.rows[r] for r in rows]
        yield what, rows, table.written(taken)
        yield what + " without their labels", rows, table.unlabelled(taken)


def lines_of(text):
    """Labels as `predict` prints them, one a line; a label of several lines is in quotes, a row left out has none."""
    return [row[0] for row in csv.reader(io.StringIO(text)) if row]


FORMS = {"csv": forms_of, "npy": array_forms, "svmlight": sparse_forms}


@each(GOOD)
def test_each_row_has_its_answer_whatever_else_is_in_the_file(entry, model_of, answers_of, tmp_path):
    """FINDINGS 1.1, 1.4, 1.5, 1.6, 1.7, 1.9 and 5.1: subsets and orders of rows, orders of named columns, with, without
    and with blank labels, in the same dialect, plain commas or NPZ, from a file, a pipe and row by row."""
    draw = random.Random(entry["file"])
    model = model_of(entry)
    whole = answers_of(model, path_of(entry), *bad_rows(entry))
    # A row without any value is none to learn from, but one to predict has its answer.
    assert len(whole) == entry["schema"]["rows"] + entry.get("empty_rows", 0)
    suffix = "".join(path_of(entry).suffixes)
    for what, rows, data in FORMS[entry["schema"]["format"]](entry, draw):
        if draw.random() < 0.5:
            answers, way = answers_of(model, data), "pipe"
        else:
            path = tmp_path / ("part" + (".npz" if what == "NPZ" else ".csv" if what in ("CSV", "plain commas") else suffix))
            path.write_bytes(data)
            answers, way = answers_of(model, path), "file"
        assert answers == [whole[r] for r in rows], f"{what}, from a {way}:\n{data[:300]}"


@each([e for e in GOOD if not e["schema"].get("header", True) and any(c[1] == "ignored" for c in e["schema"]["columns"])])
def test_what_cannot_be_told_is_refused(entry, model_of):
    """Without names, and with one column less than in training: the label is left out, or a column that is ignored."""
    columns = entry["schema"]["columns"]
    table, features = Table(entry), [c for c, column in enumerate(columns) if column[1] != "label"]
    result = falsum("predict", model_of(entry), "-", input=table.written(table.rows, features))
    assert result.returncode == 2
    assert "cannot be told" in result.stderr.decode()


def is_label(answer, text):
    """1, 1.0 and 01 are one label."""
    try:
        return float(answer) == float(text)
    except ValueError:
        return answer == text


@each([entry for entry in GOOD if entry["schema"]["format"] == "csv"])
def test_evaluate_finds_the_labels(entry, model_of, answers_of):
    """FINDINGS 1.6: the model knows its label column, wherever it stands among named columns."""
    draw = random.Random(entry["file"] + " with labels")
    model, table = model_of(entry), Table(entry)
    label = next(c for c, column in enumerate(entry["schema"]["columns"]) if column[1] == "label")
    rows, columns = some(draw, len(table.rows)), list(range(len(entry["schema"]["columns"])))
    if table.header:
        columns = shuffled_names(draw, table, columns)
    data = table.written([table.rows[r] for r in rows], columns)
    whole = answers_of(model, path_of(entry), *bad_rows(entry))
    right = sum(is_label(whole[r], table.value(table.rows[r][label])) for r in rows)
    report = json.loads(printed("evaluate", model, "-", "--threads", "1", "--json", input=data))
    assert (report["samples"], round(report["accuracy"] * len(rows))) == (len(rows), right), data[:300]


@each([entry for entry in GOOD if entry["schema"]["format"] in ("csv", "svmlight")])
def test_a_stream_gives_the_same_answers(entry, model_of):
    """FINDINGS 5.1: row by row from standard input, as one pass over the file gives them."""
    model = model_of(entry)
    whole = lines_of(printed("predict", model, path_of(entry), "--threads", "1", *bad_rows(entry)))
    draw = random.Random(entry["file"] + " as a stream")
    forms = list(FORMS[entry["schema"]["format"]](entry, draw))
    packed = path_of(entry).suffix in (".gz", ".xz")  # a stream is text: such files are unpacked on the way
    what, rows, data = draw.choice([form for form in forms if form[0] != "NPZ" and (not packed or "plain" in form[0])])
    streamed = printed("predict", model, "-", "--stream", "--threads", "1", input=data)
    assert lines_of(streamed) == [whole[r] for r in rows], f"{what}:\n{data[:300]}"

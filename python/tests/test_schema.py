"""What a model knows of the data it was learned from, in Python and on the command line: labels, columns, files."""

import gzip
import json

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small

import falsum
from falsum import load

pandas = pytest.importorskip("pandas")
OPTIONS = ["--clauses", 40, "-T", 10, "-s", 5, "--epochs", 20, "--seed", 1]  # those of small()

LABELS = {
    "integers": np.array([3, -7, 11]),
    "unsigned": np.array([3, 7, 11], dtype=np.uint8),
    "floats": np.array([1.0, 2.0, 3.0]),
    "large floats": np.array([-2.0, 1e6, 1e16]),
    "text": np.array(["no", "yes", "perhaps"]),
    "text of digits": np.array(["0", "1", "9"]),
    "text of floats": np.array(["1.0", "2.0", "0.5"]),
    "text of truths": np.array(["False", "True"]),
    "objects": np.array(["b", "a", "c"], dtype=object),
    "truth values": np.array([False, True]),
}


@pytest.fixture(scope="module")
def bits():
    random = np.random.RandomState(0)
    return random.rand(300, 10) < 0.5


@pytest.mark.parametrize("kind", LABELS)
def test_finding_4_5_labels_come_back_as_what_they_were(bits, kind, tmp_path):
    labels = LABELS[kind]
    y = labels[(bits[:, 0] + bits[:, 1].astype(int)) % len(labels)]
    before = small(epochs=2).fit(bits, y)
    before.save(tmp_path / "m.falsum")
    after = load(tmp_path / "m.falsum")
    assert after.classes_.tolist() == before.classes_.tolist() == sorted(labels.tolist())
    assert [type(label) for label in after.classes_.tolist()] == [type(label) for label in before.classes_.tolist()]
    assert after.predict(bits).tolist() == before.predict(bits).tolist()
    assert after.score(bits, y) == before.score(bits, y)


@pytest.mark.parametrize("kind", [k for k in LABELS if k != "objects"])  # objects are pickled in NPZ files
@pytest.mark.parametrize("numbers", [False, True])
def test_finding_4_5_the_command_line_agrees_on_the_same_arrays(bits, kind, numbers, command, tmp_path):
    labels = LABELS[kind]
    y = labels[(bits[:, 0] + bits[:, 1].astype(int)) % len(labels)]
    X = np.where(bits, 2.5, 0.25) + np.arange(10) if numbers else bits
    machine = small().fit(X, y)
    machine.save(tmp_path / "m.falsum")
    np.savez(tmp_path / "data.npz", X=X, y=y)
    printed = json.loads(command("evaluate", tmp_path / "m.falsum", tmp_path / "data.npz", "--json"))
    assert printed["accuracy"] == pytest.approx(machine.score(X, y), abs=1e-12) and printed["accuracy"] > 0.8
    command("train", tmp_path / "data.npz", *OPTIONS, "-o", tmp_path / "c.falsum")
    theirs = load(tmp_path / "c.falsum")
    assert theirs.classes_.tolist() == machine.classes_.tolist() and theirs.classes_.dtype.kind == machine.classes_.dtype.kind.replace(
        "u", "i"
    )
    assert theirs.predict(X).tolist() == machine.predict(X).tolist()


def test_finding_4_5_labels_of_the_command_line_that_are_decimal_numbers(bits, command, tmp_path):
    y = np.array([0.5, 1.25])[bits[:, 0].astype(int)]  # scikit-learn would not take these for labels
    np.savez(tmp_path / "data.npz", X=bits, y=y)
    command("train", tmp_path / "data.npz", *OPTIONS, "-o", tmp_path / "c.falsum")
    loaded = load(tmp_path / "c.falsum")
    assert loaded.classes_.tolist() == [0.5, 1.25] and np.mean(loaded.predict(bits) == y) > 0.99


def people(rows=120):
    random = np.random.RandomState(5)
    frame = pandas.DataFrame({
        "age": random.randint(18, 80, rows).astype(float),
        "colour": random.choice(["red", "green", "blue"], rows).astype(object),
        "smoker": random.rand(rows) < 0.4,
        "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(random.randint(0, 1500, rows), unit="D"),
        "weight": random.rand(rows).round(3) * 50 + 50,
    })  # fmt: skip
    y = np.where((frame["age"] > 45) & frame["smoker"], "high", "low")
    frame.loc[random.rand(rows) < 0.1, "age"] = np.nan
    frame.loc[random.rand(rows) < 0.1, "colour"] = None
    frame.loc[random.rand(rows) < 0.1, "since"] = pandas.NaT
    return frame, y


def test_the_command_line_predicts_a_file_written_from_the_same_frame(command, tmp_path):
    frame, y = people()
    machine = small().fit(frame, pandas.Series(y, name="risk"))
    machine.save(tmp_path / "m.falsum")
    wanted = machine.predict(frame).tolist()
    frame.to_csv(tmp_path / "plain.csv", index=False)
    frame.assign(risk=y).to_csv(tmp_path / "labelled.csv", index=False)
    frame.assign(risk=y)[["risk", "weight", "since", "age", "smoker", "colour"]].to_csv(tmp_path / "reordered.csv", index=False)
    frame.to_csv(tmp_path / "semicolons.csv", index=False, sep=";")
    for name in ("plain", "labelled", "reordered", "semicolons"):
        assert command("predict", tmp_path / "m.falsum", tmp_path / f"{name}.csv").split("\n")[:-1] == wanted, name
    for name in ("labelled", "reordered"):
        printed = json.loads(command("evaluate", tmp_path / "m.falsum", tmp_path / f"{name}.csv", "--json"))
        assert printed["accuracy"] == pytest.approx(machine.score(frame, y), abs=1e-12)
    for row in (0, 7, 50):  # one row alone gets the same answer
        frame[row : row + 1].to_csv(tmp_path / "one.csv", index=False)
        assert command("predict", tmp_path / "m.falsum", tmp_path / "one.csv").split() == wanted[row : row + 1]


def test_a_frame_and_its_file_are_learned_alike(command, tmp_path):
    frame, y = people()
    frame.assign(risk=y).to_csv(tmp_path / "d.csv", index=False)
    command("train", tmp_path / "d.csv", "--label", "risk", *OPTIONS, "-o", tmp_path / "c.falsum")
    ours, theirs = small().fit(frame, y), load(tmp_path / "c.falsum")
    assert ours.booleanizer_.get_feature_names_out().tolist() == theirs.booleanizer_.get_feature_names_out().tolist()
    assert all(map(np.array_equal, ours.model_.clauses, theirs.model_.clauses))
    assert [r.text for r in ours.rules()] == [r.text for r in theirs.rules()]


def test_a_model_of_the_command_line_finds_its_columns_by_name(command, tmp_path):
    frame, y = people()
    frame.assign(risk=y, note="x").to_csv(tmp_path / "d.csv", index=False)
    command("train", tmp_path / "d.csv", "--label", "risk", "--ignore", "note", *OPTIONS, "-o", tmp_path / "c.falsum")
    loaded = load(tmp_path / "c.falsum")
    wanted = loaded.predict(frame).tolist()
    assert wanted == small().fit(frame, y).predict(frame).tolist()
    for other in (
        frame[frame.columns[::-1]],
        frame.assign(risk=y),
        frame.assign(note="anything", risk=None)[["note", "risk", *frame.columns[::-1]]],
    ):
        assert loaded.predict(other).tolist() == wanted
        polars = pytest.importorskip("polars")
        assert loaded.predict(polars.from_pandas(other)).tolist() == wanted
    with pytest.raises(ValueError, match="no column 'age'"):
        loaded.predict(frame.drop(columns="age"))
    with pytest.raises(ValueError, match="column 'height', which was not there"):
        loaded.predict(frame.assign(height=3))
    # One that was fitted here refuses what scikit-learn refuses.
    with pytest.raises(ValueError, match="feature names should match"):
        small(epochs=1).fit(frame, y).predict(frame[frame.columns[::-1]])


def test_columns_whose_names_are_numbers(command, tmp_path):
    X = np.random.RandomState(0).rand(80, 3)
    frame = pandas.DataFrame(X).assign(label=np.where(X[:, 0] > 0.5, "a", "b"))
    frame.to_csv(tmp_path / "d.csv", index=False)
    command("train", tmp_path / "d.csv", *OPTIONS, "-o", tmp_path / "c.falsum")
    loaded = load(tmp_path / "c.falsum")
    assert (
        loaded.predict(frame[[2, 0, 1]]).tolist() == loaded.predict(frame).tolist() == loaded.predict(frame.drop(columns="label")).tolist()
    )


def test_finding_4_8_an_estimator_of_sparse_rows_takes_dense_ones_after_load_as_before(tmp_path):
    X = sparse.random(100, 9, 0.4, format="csr", random_state=0)
    X.data = np.ceil(X.data * 5)  # counts
    y = np.asarray(X[:, 0].todense()).ravel() > 0
    machine = small(epochs=5).fit(X, y)
    machine.save(tmp_path / "m.falsum")
    loaded = load(tmp_path / "m.falsum")
    for again in (machine, loaded):
        assert again.predict(X.toarray()).tolist() == again.predict(X).tolist() == machine.predict(X).tolist()


def test_finding_4_8_the_command_line_reads_sparse_rows_for_a_model_of_sparse_rows(command, tmp_path):
    from sklearn.datasets import dump_svmlight_file

    X = sparse.random(100, 9, 0.4, format="csr", random_state=0)
    y = (np.asarray(X[:, 0].todense()).ravel() > 0).astype(int)
    machine = small(epochs=5).fit(X, y)
    machine.save(tmp_path / "m.falsum")
    dump_svmlight_file(X, y, str(tmp_path / "d.svm"), zero_based=True)
    printed = json.loads(command("evaluate", tmp_path / "m.falsum", tmp_path / "d.svm", "--first-index", 0, "--json"))
    assert printed["accuracy"] == pytest.approx(machine.score(X, y), abs=1e-12)


# --------------------------------------------------------------------------------------------------- falsum.read


def test_read_understands_a_table_as_the_command_line_does(command, tmp_path):
    text = (
        ";age;width;colour;when;smoker;at\n0;41;2,5;red;2024-02-29;true;13:05\n1;NA;?;;2024-03-01;false;\n2;38;0,25;blue;;true;06:00:30\n"
    )
    for name, content in (("d.csv", text.encode()), ("d.csv.gz", gzip.compress(text.encode())), ("u.csv", text.encode("utf-16"))):
        (tmp_path / name).write_bytes(content)
        frame = falsum.read(tmp_path / name)
        assert list(frame.columns) == ["age", "width", "colour", "when", "smoker", "at"]
        assert frame["age"].isna().tolist() == [False, True, False] and frame["age"][0] == 41
        assert frame["width"][2] == 0.25 and np.isnan(frame["width"][1])
        assert frame["colour"].tolist() == ["red", None, "blue"]
        assert frame["when"][0] == pandas.Timestamp("2024-02-29") and pandas.isna(frame["when"][2])
        assert frame["smoker"].tolist() == [True, False, True] and frame["smoker"].dtype == bool
        assert frame["at"][0].isoformat() == "13:05:00" and frame["at"][1] is None


def test_read_and_fit_learn_what_the_command_line_learns(command, tmp_path):
    frame, y = people()
    frame.assign(risk=y).to_csv(tmp_path / "d.csv", index=False)
    command("train", tmp_path / "d.csv", "--label", "risk", *OPTIONS, "-o", tmp_path / "c.falsum")
    again = falsum.read(tmp_path / "d.csv")
    labels = again.pop("risk")
    ours, theirs = small().fit(again, labels), load(tmp_path / "c.falsum")
    assert all(map(np.array_equal, ours.model_.clauses, theirs.model_.clauses))
    assert ours.predict(again).tolist() == theirs.predict(again).tolist() == theirs.predict(falsum.read(tmp_path / "d.csv")).tolist()


def test_read_takes_what_pandas_reads(tmp_path):
    pytest.importorskip("pyarrow")
    frame, _ = people()
    frame["colour"] = frame["colour"].astype(object)
    frame.to_parquet(tmp_path / "d.parquet")
    frame.to_feather(tmp_path / "d.feather")
    writers = {"parquet", "feather"}
    if hasattr(frame, "to_orc"):
        frame.assign(smoker=frame["smoker"]).to_orc(tmp_path / "d.orc")
        writers.add("orc")
    y = (frame["weight"] > 70).to_numpy()
    wanted = small(epochs=2).fit(frame, y).votes(frame).tolist()
    for kind in sorted(writers):
        read = falsum.read(tmp_path / f"d.{kind}")
        assert list(read.columns) == list(frame.columns) and len(read) == len(frame)
        assert small(epochs=2).fit(read, y).votes(read).tolist() == wanted, kind


def test_read_says_what_is_missing_to_read_a_file(tmp_path, monkeypatch):
    (tmp_path / "d.parquet").write_bytes(b"PAR1" + bytes(20))

    def nothing(path):
        raise ImportError("no engine")

    monkeypatch.setattr(pandas, "read_parquet", nothing)
    with pytest.raises(ImportError, match="d.parquet is a file of Parquet, which takes pyarrow: pip install pyarrow"):
        falsum.read(tmp_path / "d.parquet")


def test_read_refuses_what_is_no_table(tmp_path):
    np.savez(tmp_path / "d.npz", X=np.eye(3, dtype=bool), y=[1, 2, 3])
    with pytest.raises(ValueError, match="numpy.load"):
        falsum.read(tmp_path / "d.npz")
    (tmp_path / "d.svm").write_text("1 0:1 3:2\n0 1:1\n")
    with pytest.raises(ValueError, match="load_svmlight_file"):
        falsum.read(tmp_path / "d.svm")
    with pytest.raises(FileNotFoundError):
        falsum.read(tmp_path / "nothing.csv")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n1,2,3\n")
    with pytest.raises(ValueError, match="line 3"):
        falsum.read(tmp_path / "bad.csv")

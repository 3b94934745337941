"""Packed rows: what is learned from a file is what is learned from the data, byte for byte."""

import pickle

import numpy as np
import pytest

import falsum
from falsum import Booleanizer, TMClassifier, TMRegressor

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
polars = pytest.importorskip("polars")

SMALL = {"clauses": 20, "threshold": 10, "specificity": 3.0, "epochs": 3, "random_state": 5}


def model_bytes(estimator):
    return estimator.model_.to_bytes()


def frame(rows=400):
    draw = np.random.default_rng(3)
    data = pandas.DataFrame(
        {
            "size": draw.normal(size=rows).round(2),
            "count": draw.integers(0, 9, rows),
            "flag": draw.random(rows) < 0.5,
            "colour": draw.choice(["red", "blue", "green"], rows),
            "day": np.datetime64("2024-01-01") + draw.integers(0, 400, rows).astype("timedelta64[D]"),
            "moment": np.datetime64("2024-01-01T00:00:01") + draw.integers(0, 10**7, rows).astype("timedelta64[s]"),
        }
    )
    data.loc[::7, "size"] = np.nan
    data.loc[::11, "colour"] = None
    label = np.where(data["count"] + 5 * data["flag"] > 6, "many", "few")
    return data, pandas.Series(label, name="amount")


def arrays():
    draw = np.random.default_rng(4)
    numbers = draw.normal(size=(300, 5)).round(3)
    yield numbers
    yield numbers.astype(np.float32)
    yield numbers > 0
    yield np.asfortranarray(draw.integers(0, 30, (300, 4)))


@pytest.mark.parametrize("X", list(arrays()), ids=lambda X: f"{X.dtype}")
def test_arrays_are_learned_from_a_file_as_from_memory(X, tmp_path):
    sums = X[:, 0] + X[:, 1].astype(float)
    y = (sums > sums.mean()).astype(int)
    rows = falsum.pack(X, tmp_path / "rows", y)
    assert len(rows) == len(X) and rows.task == "classification" and list(rows.classes) == [0, 1]
    fitted, packed = TMClassifier(**SMALL).fit(X, y), TMClassifier(**SMALL).fit(rows)
    assert model_bytes(packed) == model_bytes(fitted)
    assert (packed.predict(rows) == fitted.predict(X)).all() and (packed.predict(X) == fitted.predict(X)).all()
    assert (packed.predict_proba(rows) == fitted.predict_proba(X)).all()
    assert (rows.labels == y).all()
    assert packed.score(rows, rows.labels) == fitted.score(X, y)


@pytest.mark.parametrize(
    "make",
    [
        lambda data: data,
        polars.from_pandas,
        lambda data: pyarrow.Table.from_pandas(data, preserve_index=False),
        lambda data: pyarrow.RecordBatchReader.from_batches(
            pyarrow.Schema.from_pandas(data, preserve_index=False),
            pyarrow.Table.from_pandas(data, preserve_index=False).to_batches(max_chunksize=37),
        ),
    ],
    ids=["pandas", "polars", "arrow", "arrow in parts"],
)
def test_frames_and_streams_are_learned_as_the_frame(make, tmp_path):
    X, y = frame()
    fitted = TMClassifier(**SMALL).fit(X, y)
    rows = falsum.pack(make(X), tmp_path / "rows", y)
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(fitted)
    rows = falsum.pack(make(X.assign(amount=y)), tmp_path / "rows", label="amount")
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(fitted)
    test = falsum.pack(make(X[:50]), tmp_path / "test", y[:50], booleanizer=fitted.booleanizer_)
    assert (fitted.predict(test) == fitted.predict(X[:50])).all()


def test_a_data_set_of_parquet_files_need_not_be_in_memory(tmp_path):
    import pyarrow.dataset
    import pyarrow.parquet

    X, y = frame()
    table = pyarrow.Table.from_pandas(X.assign(amount=y), preserve_index=False)
    (tmp_path / "parts").mkdir()
    for i in range(4):
        pyarrow.parquet.write_table(table.slice(100 * i, 100), tmp_path / "parts" / f"{i}.parquet")
    rows = falsum.pack(pyarrow.dataset.dataset(tmp_path / "parts"), tmp_path / "rows", label="amount")
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(TMClassifier(**SMALL).fit(X, y))


def test_relations_of_duckdb_are_streams(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    X, y = frame()
    rows = falsum.pack(duckdb.from_df(X.assign(amount=y)), tmp_path / "rows", label="amount")
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(TMClassifier(**SMALL).fit(X, y))


def test_sparse_rows_several_labels_and_numbers(tmp_path):
    from scipy import sparse

    draw = np.random.default_rng(5)
    X = sparse.random(300, 40, 0.1, format="csr", random_state=1)
    y = draw.integers(0, 3, 300)
    rows = falsum.pack(X, tmp_path / "rows", y)
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(TMClassifier(**SMALL).fit(X, y))
    several = draw.random((300, 4)) < 0.4
    rows = falsum.pack(X, tmp_path / "rows", several)
    assert rows.task == "multilabel" and (rows.labels == several).all()
    assert model_bytes(TMClassifier(**SMALL).fit(rows)) == model_bytes(TMClassifier(**SMALL).fit(X, several.astype(int)))
    numbers, dense = draw.normal(size=300), X.toarray() > 0
    rows = falsum.pack(dense, tmp_path / "rows", numbers, task="regression")
    fitted, packed = TMRegressor(**SMALL).fit(dense, numbers), TMRegressor(**SMALL).fit(rows)
    assert model_bytes(packed) == model_bytes(fitted)
    assert (packed.predict(rows) == fitted.predict(dense)).all()


@pytest.mark.parametrize(
    "options",
    [{"early_stopping": True}, {"class_weight": "balanced"}, {"calibration": "temperature"}, {"calibration": None}, {"fuzzy": 8}],
    ids=str,
)
def test_every_way_to_fit_takes_packed_rows(options, tmp_path):
    X, y = frame()
    rows = falsum.pack(X, tmp_path / "rows", y)
    assert model_bytes(TMClassifier(**SMALL, **options).fit(rows)) == model_bytes(TMClassifier(**SMALL, **options).fit(X, y))
    weights = np.linspace(0.5, 2, len(X))
    rows = falsum.pack(X, tmp_path / "rows", y, sample_weight=weights)
    fitted = TMClassifier(**SMALL, **options).fit(X, y, weights)
    assert model_bytes(TMClassifier(**SMALL, **options).fit(rows)) == model_bytes(fitted)


@pytest.mark.parametrize("booleanizer", [Booleanizer("uniform", bits=5), Booleanizer("onehot"), Booleanizer(bits=3)], ids=str)
def test_a_booleanizer_says_how_columns_become_features(booleanizer, tmp_path):
    X, y = frame()
    X = X[["count", "colour"]]
    rows = falsum.pack(X, tmp_path / "rows", y, booleanizer=booleanizer)
    fitted = TMClassifier(**SMALL, booleanizer=booleanizer).fit(X, y)
    assert rows.feature_names == list(fitted.booleanizer_.mapping_.feature_names)
    assert (TMClassifier(**SMALL).fit(rows).votes(rows) == fitted.votes(X)).all()


def test_files_are_packed_as_the_command_packs_them(tmp_path):
    X, y = frame()
    X[["size", "count", "flag", "colour"]].assign(amount=y).to_csv(tmp_path / "data.csv", index=False)
    rows = falsum.pack(tmp_path / "data.csv", tmp_path / "rows")
    packed = TMClassifier(**SMALL).fit(rows)
    packed.save(tmp_path / "model")
    assert falsum.load(tmp_path / "model").model_.provenance["data"] == "data.csv"
    assert set(packed.predict(rows)) <= {"few", "many"}
    again = pickle.loads(pickle.dumps(packed))
    assert (again.predict(pickle.loads(pickle.dumps(rows))) == packed.predict(rows)).all()


def test_what_cannot_be_packed_or_learned_is_said(tmp_path):
    X, y = frame()
    rows = falsum.pack(X, tmp_path / "rows", y)
    for call, words in [
        (lambda: TMClassifier().fit(rows, y), "neither y nor sample_weight"),
        (lambda: TMClassifier(warm_start=True).fit(rows), "warm_start"),
        (lambda: TMRegressor().fit(rows), "packed for classification"),
        (lambda: TMClassifier().fit(falsum.pack(X, tmp_path / "none")), "no labels"),
        (lambda: falsum.pack(X, tmp_path / "other", y[:-1]), "y has 399"),
        (lambda: falsum.pack(X, tmp_path / "other", label="weight"), "no column 'weight'"),
        (lambda: falsum.pack(X, tmp_path / "other", y, task="guess"), "task must be one of"),
        (lambda: falsum.pack(X, tmp_path / "other", y, sample_weight=np.zeros(400)), "weight"),
        (lambda: falsum.pack(X, tmp_path / "other", y, label="size"), "not both"),
        (lambda: TMClassifier(**SMALL).fit(X[["count"]], y).predict(rows), "other features"),
        (lambda: TMClassifier().fit(X, None), "requires y"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(FileNotFoundError):
        falsum.open_rows(tmp_path / "missing")
    (tmp_path / "text").write_text("a,b\n1,2\n")
    with pytest.raises((OSError, ValueError), match="not a file of packed rows"):
        falsum.open_rows(tmp_path / "text")
    assert not (tmp_path / "other").exists()

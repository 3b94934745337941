"""Data as people have them: all of these say the same, so all of these learn the same."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small

from falsum import Booleanizer, _core

BITS = np.random.RandomState(3).rand(120, 70) < 0.4
Y = (BITS[:, 0] & BITS[:, 1] | BITS[:, 2]).astype(int)
REFERENCE = small().fit(BITS, Y)


def same_clauses(one, other):
    """The same machine; only what they were learned from, dense rows or sparse, may differ."""
    return all(map(np.array_equal, one.model_.clauses, other.model_.clauses)) and one.model_.booleanizer == other.model_.booleanizer


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


SAME = {
    "fortran order": np.asfortranarray,
    "read-only": read_only,
    "every second row of another": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every second column of another": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards twice": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "a column slice": lambda X: np.hstack([X, X])[:, : X.shape[1]],
    "a view of bytes that are not 0 or 1": lambda X: (X.astype(np.uint8) * 6).view(bool),
    "csr": sparse.csr_matrix,
    "csr array": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_matrix,
    "csr of counts": lambda X: sparse.csr_matrix(X * 3.0),
    "csr of 64-bit indices": lambda X: _wide(sparse.csr_matrix(X)),
    "csr with explicit zeros": lambda X: _explicit_zeros(X),
}


def _wide(matrix):
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


def _explicit_zeros(X):
    full = sparse.csr_matrix(np.ones(X.shape))
    full.data = X.astype(float).ravel()
    return full


@pytest.mark.parametrize("shape", SAME)
def test_truth_values_in_any_layout(shape):
    same = SAME[shape](BITS)
    assert same_clauses(small().fit(same, Y), REFERENCE)
    assert REFERENCE.predict(same).tolist() == REFERENCE.predict(BITS).tolist()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", ">i4", ">f8", "longdouble"])
def test_zeros_and_ones_of_any_type_predict_alike(dtype):
    assert REFERENCE.votes(BITS.astype(dtype)).tolist() == REFERENCE.votes(BITS).tolist()
    # The features are the same too, by a threshold between 0 and 1.
    assert all(map(np.array_equal, small().fit(BITS.astype(dtype), Y).model_.clauses, REFERENCE.model_.clauses))


def test_lists_are_arrays():
    assert REFERENCE.predict(BITS.tolist()).tolist() == REFERENCE.predict(BITS).tolist()


def test_other_numbers_after_truth_values_are_refused():
    with pytest.raises(ValueError, match="must be 0 or 1"):
        REFERENCE.predict(BITS * 2)


def test_packing_keeps_every_bit_for_every_width():
    for columns in [1, 7, 8, 63, 64, 65, 127, 128, 129, 200]:
        X = np.random.RandomState(columns).rand(5, columns) < 0.5
        assert np.array_equal(_core.pack(X).to_array(), X)


def test_sparse_matrices_that_lie_are_refused():
    start, index, truth = np.array([0, 2]), np.array([0, 1], dtype=np.int32), np.array([True, True])
    assert len(_core.sparse_rows(2, start, index, truth)) == 1
    for bad in [(1, start, index, truth), (2, np.array([0, 3]), index, truth), (2, np.array([2, 0]), index, truth),
                (2, np.array([-1, 1]), index, truth), (2, start, -index, truth), (2, start, index, truth[:1]),
                (2, np.empty(0, dtype=np.int64), index, truth)]:  # fmt: skip
        with pytest.raises(ValueError):
            _core.sparse_rows(*bad)
    descending = _core.sparse_rows(2, start, index[::-1].copy(), truth)
    learned = small().fit(BITS[:, :2], Y)
    for use in (
        lambda: _core.Predictor(learned.model_).predict(descending),
        lambda: learned.machine_.learn_epoch(descending, np.zeros(1, dtype=np.uint32)),
        lambda: _core.clause_outputs(learned.model_, descending),
    ):
        with pytest.raises(ValueError, match="ascend"):
            use()


def _damage(kind, change):
    matrix = getattr(sparse, f"{kind}_matrix")(np.eye(6) + np.eye(6, k=1))
    change(matrix)
    return matrix


DAMAGED = {
    "an index beyond the columns": ("csr", lambda m: m.indices.__setitem__(3, 10**6)),
    "a negative index": ("csr", lambda m: m.indices.__setitem__(3, -5)),
    "row starts that descend": ("csr", lambda m: m.indptr.__setitem__(2, 9)),
    "row starts beyond the entries": ("csr", lambda m: m.indptr.__setitem__(6, 10**6)),
    "row starts that begin late": ("csr", lambda m: m.indptr.__setitem__(0, 1)),
    "too few row starts": ("csr", lambda m: setattr(m, "indptr", m.indptr[:4])),
    "too few values": ("csr", lambda m: setattr(m, "data", m.data[:4])),
    "an index beyond the rows": ("csc", lambda m: m.indices.__setitem__(3, 10**6)),
    "column starts that descend": ("csc", lambda m: m.indptr.__setitem__(2, 9)),
    "a row beyond the rows": ("coo", lambda m: m.row.__setitem__(3, 10**6)),
    "a negative column": ("coo", lambda m: m.col.__setitem__(3, -2)),
    "a block beyond the columns": ("bsr", lambda m: m.indices.__setitem__(0, 10**6)),
}


@pytest.mark.parametrize("what", DAMAGED)
@pytest.mark.parametrize("canonical", [None, False])
def test_finding_4_8_a_damaged_sparse_matrix_is_a_value_error(what, canonical):
    for use in (
        lambda X: small().fit(X, [0, 1] * 3),
        lambda X: Booleanizer().fit(X),
        lambda X: Booleanizer().fit(np.eye(6) > 0).transform(X),
    ):
        damaged = _damage(*DAMAGED[what])
        if canonical is False and hasattr(damaged, "has_canonical_format"):
            damaged.has_canonical_format = False  # then SciPy sorts before anybody looks
        with pytest.raises(ValueError, match="damaged|sparse matrix"):
            use(damaged)


def test_sparse_rows_learn_and_predict_without_becoming_dense(monkeypatch):
    rows = sparse.csr_matrix(BITS)
    wanted, votes, rules = REFERENCE.predict(BITS).tolist(), REFERENCE.votes(BITS).tolist(), REFERENCE.rules(BITS, Y)
    monkeypatch.setattr(_core, "pack", None)  # what makes bits of them
    monkeypatch.setattr(sparse.csr_matrix, "toarray", None)
    learned = small().fit(rows, Y)
    assert same_clauses(learned, REFERENCE)
    for machine in (REFERENCE, learned):
        assert machine.predict(rows).tolist() == wanted and machine.votes(rows).tolist() == votes
        assert machine.votes(rows[3]).tolist() == votes[3:4]
        assert machine.rules(rows, Y) == rules and machine.explain(rows[3]).prediction == wanted[3]


def test_sparse_rows_stay_sparse_when_some_are_kept_aside_or_come_in_batches():
    rows, options = sparse.csr_matrix(BITS), {"early_stopping": True, "epochs": 4}
    assert same_clauses(small(**options).fit(rows, Y), small(**options).fit(BITS, Y))
    batches = [small().partial_fit(X[:60], Y[:60], classes=[0, 1]).partial_fit(X[60:], Y[60:]) for X in (rows, BITS)]
    assert same_clauses(*batches)


WIDE_AND_SPARSE = """
import resource, sys
import numpy as np, scipy.sparse as sparse
from falsum import TMClassifier

def peak():  # MB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)

random = np.random.RandomState(0)
def data(rows, columns):
    indices = random.randint(1, columns, size=(rows, 10))
    y = random.randint(2, size=rows)
    indices[:, 0] = y  # feature 1 says which class it is, when it is there
    indices.sort(axis=1)
    return sparse.csr_matrix((np.ones(rows * 10, dtype=np.int8), indices.ravel(), np.arange(0, rows * 10 + 1, 10)), (rows, columns)), y

def learn(X, y):
    return TMClassifier(clauses=4, threshold=4, specificity=3, epochs=1, n_jobs=1, random_state=0).fit(X, y).score(X, y)

learn(*data(100, 50))
few, y = data(100, 200_000)
learn(few, y)
before = peak()  # a machine of this width, and nearly no rows
learn(*data(10_000, 200_000))
print(peak() - before)
"""


def test_wide_sparse_rows_take_little_memory():
    pytest.importorskip("resource")
    # The address sanitizer keeps what is freed, which is not what is measured here.
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    command = [sys.executable, "-c", WIDE_AND_SPARSE]
    taken = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "ASAN_OPTIONS": options}).stdout
    assert float(taken) < 50  # 10,000 x 200,000 are 250 MB as bits, 2,000 MB as bytes


# ------------------------------------------------------------------------------------------------- data frames


def people(module):
    return module.DataFrame({"age": [20.5, 30.0, 41.0, 42.0, 60.0, 61.0], "children": [0, 1, 2, 3, 2, 0],
                             "smoker": [True, False, True, False, True, False],
                             "colour": ["red", "green", "red", "blue", "red", "green"]})  # fmt: skip


WANTED = np.array([1, 0, 1, 0, 1, 0])


def frames():
    for name in ("pandas", "polars"):
        yield pytest.param(lambda name=name: people(pytest.importorskip(name)), id=name)

    def arrow():
        pytest.importorskip("pyarrow")
        import pyarrow

        return pyarrow.table({c: people(pytest.importorskip("pandas"))[c] for c in ("age", "children", "smoker", "colour")})

    yield pytest.param(arrow, id="pyarrow")

    def categories():
        return people(pytest.importorskip("pandas")).astype({"colour": "category"})

    yield pytest.param(categories, id="pandas categories")
    yield pytest.param(lambda: Exchanged(people(pytest.importorskip("pandas"))), id="any with the interchange protocol")
    yield pytest.param(lambda: Streamed(people(pytest.importorskip("pandas"))), id="any with an Arrow stream")


class Exchanged:
    """A data frame of a library that nobody knows."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, **options):
        return self.frame.__dataframe__(**options)


class Streamed(Exchanged):
    __dataframe__ = None

    def __arrow_c_stream__(self, requested_schema=None):
        return pytest.importorskip("pyarrow").table(self.frame).__arrow_c_stream__(requested_schema)


@pytest.mark.filterwarnings("ignore")  # newer versions of pandas would rather not be asked
@pytest.mark.parametrize("exchange", [Exchanged, Streamed])
def test_any_data_frame_of_numbers(exchange):
    pytest.importorskip("pandas")
    frame = people(pytest.importorskip("pandas"))[["age", "children"]]
    learned = small().fit(exchange(frame), WANTED)
    assert learned.feature_names_in_.tolist() == ["age", "children"]
    assert learned.model_.to_bytes() == small().fit(frame, WANTED).model_.to_bytes()
    assert learned.predict(exchange(frame)).tolist() == learned.predict(frame).tolist()
    assert np.array_equal(Booleanizer().fit(exchange(frame)).transform(exchange(frame)), Booleanizer().fit_transform(frame))


@pytest.mark.filterwarnings("ignore:The Dataframe Interchange")
@pytest.mark.parametrize("make", list(frames()))
def test_data_frames_with_text(make):
    frame = make()
    machine = small().fit(frame, WANTED)
    names = machine.booleanizer_.get_feature_names_out().tolist()
    assert names == small().fit(people(pytest.importorskip("pandas")), WANTED).booleanizer_.get_feature_names_out().tolist()
    assert {"smoker", "colour = red", "age >= 25", "children >= 0.5"} <= set(names)
    assert machine.predict(frame).tolist() == WANTED.tolist()
    assert machine.feature_names_in_.tolist() == ["age", "children", "smoker", "colour"]


def test_an_unseen_category_sets_no_feature_and_a_missing_one_neither():
    pandas = pytest.importorskip("pandas")
    fitted = Booleanizer().fit(people(pandas))
    other = people(pandas)
    other["colour"] = ["pink", None, "red", float("nan"), "blue", ""]
    out = fitted.transform(other)
    at = [n.startswith("colour") for n in fitted.get_feature_names_out()]
    assert out[:, at].sum(axis=1).tolist() == [0, 0, 1, 0, 1, 0]


def test_columns_in_another_order_are_refused_as_scikit_learn_does():
    pandas = pytest.importorskip("pandas")
    fitted = small().fit(people(pandas), WANTED)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(people(pandas)[["colour", "age", "children", "smoker"]])

"""Data as people have them: all of these say the same, so all of these learn the same."""

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small

from falsum import Booleanizer, _core

BITS = np.random.RandomState(3).rand(120, 70) < 0.4
Y = (BITS[:, 0] & BITS[:, 1] | BITS[:, 2]).astype(int)
REFERENCE = small().fit(BITS, Y)


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
    assert small().fit(same, Y).model_.to_bytes() == REFERENCE.model_.to_bytes()
    assert REFERENCE.predict(same).tolist() == REFERENCE.predict(BITS).tolist()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", ">i4", ">f8", "longdouble"])
def test_zeros_and_ones_of_any_type_predict_alike(dtype):
    assert REFERENCE.votes(BITS.astype(dtype)).tolist() == REFERENCE.votes(BITS).tolist()
    # The features are the same too, by a threshold between 0 and 1.
    assert all(map(np.array_equal, small().fit(BITS.astype(dtype), Y).model_.clauses, REFERENCE.model_.clauses))


@pytest.mark.parametrize("dtype", ["datetime64[D]", "timedelta64[s]"])
def test_dates_are_refused_with_advice(dtype):
    X = np.arange(6).reshape(3, 2).astype(dtype)
    for call in (lambda: small().fit(X, [0, 1, 0]), lambda: Booleanizer().fit(X), lambda: REFERENCE.predict(X[:, :1].repeat(BITS.shape[1], 1))):
        with pytest.raises(ValueError, match="turn dates and the like into numbers"):
            call()


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
    assert _core.pack_sparse(2, start, index, truth).to_array().tolist() == [[True, True]]
    for bad in [(1, start, index, truth), (2, np.array([0, 3]), index, truth), (2, np.array([2, 0]), index, truth),
                (2, np.array([-1, 1]), index, truth), (2, start, -index, truth), (2, start, index, truth[:1]),
                (2, np.empty(0, dtype=np.int64), index, truth)]:  # fmt: skip
        for read in (_core.pack_sparse, _core.sparse_rows):
            with pytest.raises(ValueError):
                read(*bad)
    descending = _core.sparse_rows(2, start, index[::-1].copy(), truth)
    with pytest.raises(ValueError, match="ascend"):
        _core.Predictor(small().fit(BITS[:, :2], Y).model_).predict(descending)


def test_sparse_rows_predict_without_becoming_dense(monkeypatch):
    rows = sparse.csr_matrix(BITS)
    wanted, votes = REFERENCE.predict(BITS).tolist(), REFERENCE.votes(BITS).tolist()
    monkeypatch.setattr(_core, "pack_sparse", None)  # what makes bits of them
    monkeypatch.setattr(sparse.csr_matrix, "toarray", None)
    assert REFERENCE.predict(rows).tolist() == wanted and REFERENCE.votes(rows).tolist() == votes
    assert REFERENCE.votes(rows[3]).tolist() == votes[3:4]


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


def test_a_missing_number_is_named():
    pandas = pytest.importorskip("pandas")
    frame = people(pandas)
    frame.loc[3, "age"] = float("nan")
    with pytest.raises(ValueError, match="column age holds nan in row 3"):
        Booleanizer().fit(frame)


def test_columns_in_another_order_are_refused_as_scikit_learn_does():
    pandas = pytest.importorskip("pandas")
    fitted = small().fit(people(pandas), WANTED)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(people(pandas)[["colour", "age", "children", "smoker"]])

"""Whatever is thrown at it: a correct result, or a ValueError or TypeError; never a crash, never another exception.

The examples are the same in every run. FALSUM_FUZZ=2000 tries that many others of each kind.
"""

import datetime
import os
import pathlib
import pickle
import tempfile
import warnings
from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from falsum import Booleanizer, TMClassifier, _core

MORE = int(os.environ.get("FALSUM_FUZZ", 0))
settings.register_profile(
    "fuzz", max_examples=MORE or 150, derandomize=not MORE, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)

DTYPES = st.one_of(
    arrays.boolean_dtypes(),
    arrays.integer_dtypes(),
    arrays.unsigned_integer_dtypes(),
    arrays.floating_dtypes(),
    arrays.complex_number_dtypes(),
    arrays.byte_string_dtypes(max_len=3),
    arrays.unicode_string_dtypes(max_len=3),
    arrays.datetime64_dtypes(),
    st.just(np.dtype([("a", int), ("b", float)])),
)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9)
ANY_ARRAY = arrays.arrays(DTYPES, SHAPES)


@st.composite
def layouts(draw, array):
    """The same array upside down, transposed, strided, read-only, sparse, as lists."""
    array = draw(array)
    for change in draw(st.lists(st.sampled_from(["reverse", "transpose", "stride", "lock", "list", "sparse", "matrix"]), max_size=2)):
        if change == "list":
            return array.tolist()
        if change == "sparse":
            try:
                return draw(st.sampled_from([sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix]))(array)
            except (TypeError, ValueError):
                return array
        if change == "reverse" and array.ndim:
            array = array[::-1]
        elif change == "transpose":
            array = array.T
        elif change == "stride" and array.ndim == 2:
            array = array[:, ::2]
        elif change == "lock" and not isinstance(array, np.matrix):
            array = array.view()
            array.flags.writeable = False
    return array


def small_data():
    X = np.random.RandomState(0).rand(20, 4)
    return X, (X[:, 0] > 0.5).astype(int)


def attempt(call):
    """Runs it; a ValueError or TypeError with a message is an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (ValueError, TypeError) as error:
            assert str(error)
            return None


@settings(settings.get_profile("fuzz"))
@given(layouts(ANY_ARRAY), st.one_of(layouts(ANY_ARRAY), st.none()), st.sampled_from([None, "quantile", "uniform", "onehot", "levels"]))
@example(np.full((4, 2), np.nan), np.array([0, 1, 0, 1]), None)
@example(np.array([[np.inf, 1], [2, 3]]), np.array([0, 1]), "uniform")
@example(np.array([[1e308, -1e308], [-1e308, 1e308]]), np.array([0, 1]), "uniform")
@example(np.array([[5e-324, 0], [0, 5e-324]]), np.array([0, 1]), "uniform")
@example(np.empty((0, 3)), np.empty(0), None)
@example(np.empty((3, 0)), np.array([0, 1, 0]), None)
@example(np.zeros((3, 2)), np.array([0, 1, 0]), None)
@example(np.array([["1970"], ["NaT"]], dtype="datetime64[Y]"), np.array([0, 1]), None)
def test_fit_with_anything(X, y, method):
    machine = small(clauses=4, epochs=1, booleanizer=None if method is None else Booleanizer(method=method))
    fitted = attempt(lambda: machine.fit(X, y))
    if fitted is None:
        return
    predicted = fitted.predict(X)
    assert len(predicted) == fitted.votes(X).shape[0]
    assert set(predicted.tolist()) <= set(fitted.classes_.tolist())


@settings(settings.get_profile("fuzz"))
@given(ANY_ARRAY, st.integers(2, 9))
def test_fit_with_labels_that_fit(X, labels):
    y = np.arange(X.shape[0] if X.ndim else 0) % labels
    machine = attempt(lambda: small(clauses=4, epochs=1).fit(X, y))
    if machine is not None:
        assert np.array_equal(machine.predict(X), machine.classes_[machine.votes(X).argmax(axis=1)])


@settings(settings.get_profile("fuzz"))
@given(layouts(ANY_ARRAY), st.sampled_from(["predict", "votes", "predict_proba", "decision_function", "rules", "explain"]), st.booleans())
def test_use_with_anything(X, call, of_bits):
    train, y = small_data()
    machine = small(clauses=4, epochs=1).fit(train > 0.5 if of_bits else train, y)
    result = attempt(lambda: getattr(machine, call)(X))
    if result is not None and call in ("predict", "votes"):
        assert len(result) == (X.shape[0] if hasattr(X, "shape") else len(X))


@settings(settings.get_profile("fuzz"))
@given(layouts(ANY_ARRAY), layouts(ANY_ARRAY), st.sampled_from([None, [0, 1], [0, 1, 2], ["a", "b"], [1], [], "ab", 7]))
def test_partial_fit_with_anything(X, y, classes):
    machine = small(clauses=4, epochs=1)
    attempt(lambda: machine.partial_fit(X, y, classes=classes))
    attempt(lambda: machine.partial_fit(*small_data(), classes=classes))
    attempt(lambda: machine.partial_fit(X, y))


@settings(settings.get_profile("fuzz"))
@given(
    layouts(ANY_ARRAY),
    layouts(ANY_ARRAY),
    st.sampled_from(["quantile", "uniform", "onehot", "levels"]),
    st.one_of(st.none(), st.integers(-1, 300)),
)
def test_booleanize_anything(X, other, method, bits):
    fitted = attempt(lambda: Booleanizer(method=method, bits=bits).fit(X))
    if fitted is not None:
        assert fitted.transform(X).shape[1] == len(fitted.get_feature_names_out())
        attempt(lambda: fitted.transform(other))


VALUES = {
    "missing": st.sampled_from([None, float("nan"), np.float32("nan"), np.datetime64("NaT"), Decimal("nan"), ""]),
    "numbers": st.one_of(
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.decimals().filter(lambda d: not d.is_snan()),
        st.fractions(),
        st.booleans(),
        st.just(np.int8(3)),
    ),
    "truths": st.booleans(),
    "texts": st.text(max_size=3),
    "dates": st.one_of(st.dates(), st.datetimes(), st.datetimes(timezones=st.just(datetime.timezone.utc))),
    "times": st.times(),
    "spans": st.timedeltas(),
    "others": st.one_of(st.binary(max_size=2), st.complex_numbers(), st.lists(st.integers(), max_size=2), st.just({}), st.builds(object)),
}


@st.composite
def columns(draw, rows):
    """A column of one kind or of several, with values missing or not."""
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=2))
    return draw(st.lists(st.one_of(*(VALUES[kind] for kind in kinds)), min_size=rows, max_size=rows))


@st.composite
def data_frames(draw):
    pandas = pytest.importorskip("pandas")
    rows = draw(st.integers(0, 6))
    frame = pandas.DataFrame(
        {f"c{i}": pandas.Series(draw(columns(rows)), dtype=object) for i in range(draw(st.integers(0, 3)))}, index=range(rows)
    )
    change = draw(st.sampled_from(["none", "infer", "convert", "category", "string", "polars", "arrow"]))
    try:
        if change == "infer":
            return frame.infer_objects()
        if change == "convert":
            return frame.convert_dtypes()
        if change in ("category", "string"):
            return frame.astype(change)
        if change == "polars":
            return pytest.importorskip("polars").from_pandas(frame)
        if change == "arrow":
            return pytest.importorskip("pyarrow").Table.from_pandas(frame)
    except Exception:  # what another library does not take is not the question
        pass
    return frame


def rows_of(frame, row):
    return frame.slice(row, 1) if hasattr(frame, "slice") else frame.iloc[row : row + 1]


@settings(settings.get_profile("fuzz"))
@given(data_frames(), st.sampled_from(["quantile", "uniform", "onehot", "levels"]))
def test_data_frames_of_anything(frame, method):
    fitted = attempt(lambda: Booleanizer(method=method).fit(frame))
    if fitted is None:
        return
    out = fitted.transform(frame)
    assert out.shape == (len(frame), len(fitted.get_feature_names_out()))
    assert pickle.loads(pickle.dumps(fitted)).transform(frame).tolist() == out.tolist()
    for row in range(len(frame)):  # the answer to a row does not depend on the others
        assert fitted.transform(rows_of(frame, row))[0].tolist() == out[row].tolist()
    machine = attempt(lambda: small(clauses=4, epochs=1, booleanizer=Booleanizer(method=method)).fit(frame, np.arange(len(frame)) % 2))
    if machine is not None:
        loaded = TMClassifier.load(save(machine))
        assert loaded.predict(frame).tolist() == machine.predict(frame).tolist()
        assert [rule.text for rule in loaded.rules()] == [rule.text for rule in machine.rules()]


def save(machine):
    path = pathlib.Path(tempfile.gettempdir()) / f"falsum-fuzz-{os.getpid()}"
    machine.save(path)
    return path


@settings(settings.get_profile("fuzz"))
@given(data_frames(), data_frames(), st.sampled_from(["predict", "votes", "rules", "explain"]))
def test_use_with_data_frames_of_anything(train, frame, call):
    machine = attempt(lambda: small(clauses=4, epochs=1).fit(train, np.arange(len(train)) % 2))
    if machine is not None:
        attempt(lambda: getattr(machine, call)(frame))


NUMBERS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just([]), st.just({}))


@settings(settings.get_profile("fuzz"))
@given(st.dictionaries(st.sampled_from(sorted(TMClassifier().get_params(deep=False))), NUMBERS, min_size=1, max_size=3))
def test_options_of_any_kind(options):
    # What is allowed but would take long or much memory is not the question here.
    for name, most in (("epochs", 3), ("clauses", 1000), ("verbose", 0)):
        if isinstance(options.get(name), (int, float)) and options[name] > most:
            options[name] = most
    callbacks = options.pop("callbacks", None)  # None and [] are fine, other values are not callables
    machine = attempt(lambda: small(**{"clauses": 4, "epochs": 1, **options}).fit(*small_data()))
    if machine is not None:
        machine.predict(small_data()[0])
    del callbacks


@settings(settings.get_profile("fuzz"))
@given(st.binary(max_size=300))
def test_a_model_of_random_bytes(content):
    with pytest.raises(OSError):
        _core.Model.from_bytes(content)


@settings(settings.get_profile("fuzz"))
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=4), st.integers(0, 10**6))
def test_a_damaged_model(changes, cut):
    content = bytearray(small(clauses=4, epochs=1).fit(*small_data()).model_.to_bytes())
    for position, value in changes:
        content[position % len(content)] = value
    for damaged in (bytes(content), bytes(content[: cut % len(content)])):
        try:
            _core.Model.from_bytes(damaged)
        except (OSError, ValueError):
            pass


@settings(settings.get_profile("fuzz"))
@given(ANY_ARRAY, ANY_ARRAY, st.integers(-5, 5), st.integers(-5, 5))
def test_the_extension_module_itself(one, two, a, b):
    model = small(clauses=4, epochs=1).fit(small_data()[0] > 0.5, small_data()[1]).model_
    machine = _core.Machine({"clauses": 4}, 4, 2)
    bits = attempt(lambda: _core.pack(one))
    rows = attempt(lambda: _core.sparse_rows(4, one, two, one))
    for call in (
        lambda: _core.pack(one, only_bits=True),
        lambda: _core.sparse_rows(a, one, two, one),
        lambda: _core.Predictor(model).votes(rows, a),
        lambda: rows.take(two),
        lambda: machine.learn_epoch(rows, two),
        lambda: _core.clause_outputs(model, rows),
        lambda: _core.clause_counts(model, rows, two, a),
        lambda: _core.Bits(a, b),
        lambda: bits.take(two),
        lambda: machine.learn_epoch(bits, two),
        lambda: _core.Predictor(model).votes(bits, a),
        lambda: _core.Predictor(model).predict_array(one, a),
        lambda: _core.clause_outputs(model, bits),
        lambda: _core.clause_counts(model, bits, two, a),
        lambda: _core.Booleanizer.bits(a, [], b),
        lambda: _core.Booleanizer.levels(a, b, a),
        lambda: _core.Booleanizer.columns([("", "numeric", two.tolist(), [])]),
        lambda: _core.Booleanizer.columns([("", "numeric", [1.0], [])]).transform(one),
        lambda: _core.Booleanizer.columns([("", "numeric", [1.0], [])]).transform_columns([one], a),
        lambda: _core.quantile_thresholds(one, a),
        lambda: _core.Machine({"clauses": a}, b, a),
    ):
        try:
            call()
        except (ValueError, TypeError, AttributeError):  # AttributeError: one of them is None
            pass

"""Columns as people have them: numbers, truth values, categories, with values missing; the rest says what to do."""

import datetime
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import same_bits, small
from test_dates import DATES

from falsum import Booleanizer, TMClassifier, load

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

NAN = float("nan")
AGES = [20.0, 30.0, 41.0, None, 52.0, 61.0, 33.0, None]
Y = [0, 1, 0, 1, 0, 1, 1, 0]


def names_of(column, **options):
    return Booleanizer(**options).fit(pandas.DataFrame({"c": column})).get_feature_names_out().tolist()


# -------------------------------------------------------------------------------------------------- missing numbers

NUMBERS = pandas.DataFrame({"c": [NAN if v is None else v for v in AGES]})
SAME_NUMBERS = {
    "object with None": lambda: pandas.DataFrame({"c": pandas.Series(AGES, dtype=object)}),
    "object with NA": lambda: pandas.DataFrame({"c": pandas.Series([pandas.NA if v is None else v for v in AGES], dtype=object)}),
    "object with NaT": lambda: pandas.DataFrame({"c": pandas.Series([pandas.NaT if v is None else int(v) for v in AGES], dtype=object)}),
    "Decimal": lambda: pandas.DataFrame({"c": [None if v is None else Decimal(str(v)) for v in AGES]}),
    "Decimal NaN": lambda: pandas.DataFrame({"c": [Decimal("nan") if v is None else Decimal(str(v)) for v in AGES]}),
    "Fraction": lambda: pandas.DataFrame({"c": [None if v is None else Fraction(int(v)) for v in AGES]}),
    "Int64": lambda: pandas.DataFrame({"c": pandas.array([None if v is None else int(v) for v in AGES], dtype="Int64")}),
    "UInt8": lambda: pandas.DataFrame({"c": pandas.array([None if v is None else int(v) for v in AGES], dtype="UInt8")}),
    "Float32": lambda: pandas.DataFrame({"c": pandas.array(AGES, dtype="Float32")}),
    "float32": lambda: NUMBERS.astype("float32"),
    "Sparse": lambda: NUMBERS.astype(pandas.SparseDtype("float64", NAN)),
    "convert_dtypes": lambda: NUMBERS.convert_dtypes(),
    "int64[pyarrow]": lambda: pandas.DataFrame({"c": pandas.Series([None if v is None else int(v) for v in AGES], dtype="int64[pyarrow]")}),
    "double[pyarrow]": lambda: pandas.DataFrame({"c": pandas.Series(AGES, dtype="double[pyarrow]")}),
    "polars": lambda: polars.DataFrame({"c": AGES}),
    "polars NaN": lambda: polars.DataFrame({"c": [NAN if v is None else v for v in AGES]}),
    "polars Int16": lambda: polars.DataFrame({"c": polars.Series([None if v is None else int(v) for v in AGES], dtype=polars.Int16)}),
    "polars Decimal": lambda: polars.DataFrame(
        {"c": polars.Series([None if v is None else Decimal(int(v)) for v in AGES], dtype=polars.Decimal(10, 2))}
    ),
    "arrow": lambda: pyarrow.table({"c": pyarrow.array(AGES)}),
    "arrow decimal": lambda: pyarrow.table(
        {"c": pyarrow.array([None if v is None else Decimal(int(v)) for v in AGES], pyarrow.decimal128(8, 2))}
    ),
    "arrow with an index in its metadata": lambda: pyarrow.Table.from_pandas(NUMBERS.set_index(pandas.Index(list("abcdefgh")))).select(
        ["c"]
    ),
}


@pytest.mark.filterwarnings("ignore:.*is_sparse:DeprecationWarning")
@pytest.mark.parametrize("form", SAME_NUMBERS)
def test_finding_4_2_and_4_3_missing_numbers_of_every_library_are_missing_numbers(form):
    frame = SAME_NUMBERS[form]()
    names = Booleanizer().fit(frame).get_feature_names_out().tolist()
    assert names == ["c >= 25", "c >= 32", "c >= 37", "c >= 46", "c >= 56", "c is missing"]
    same_bits(frame, NUMBERS)
    machine = small().fit(frame, Y)
    assert machine.model_.to_bytes() == small().fit(NUMBERS, Y).model_.to_bytes()
    assert machine.predict(frame).tolist() == machine.predict(NUMBERS).tolist()


def test_finding_4_3_a_missing_number_sets_no_threshold_and_is_missing():
    fitted = Booleanizer().fit(NUMBERS)
    out = fitted.transform(NUMBERS)
    assert out[3].tolist() == [False] * 5 + [True] and not out[~NUMBERS["c"].isna().to_numpy(), -1].any()
    # Where training saw none missing there is no such feature, and a missing value sets none.
    whole = Booleanizer().fit(NUMBERS.dropna())
    assert not any("missing" in name for name in whole.get_feature_names_out())
    assert not whole.transform(NUMBERS)[3].any()


@pytest.mark.parametrize("method", ["quantile", "uniform", "onehot"])
@pytest.mark.parametrize("dtype", ["float64", "float32", ">f8", "longdouble", "float16"])
def test_missing_numbers_in_arrays(method, dtype):
    X = np.array([[1, NAN, 5], [2, 3, 5], [NAN, 4, 5], [7, 8, 5]]).astype(dtype)
    fitted = Booleanizer(method=method).fit(X)
    names, out = fitted.get_feature_names_out().tolist(), fitted.transform(X)
    assert names.count("x0 is missing") == names.count("x1 is missing") == 1 and "x2 is missing" not in names
    assert out[:, names.index("x0 is missing")].tolist() == [False, False, True, False]
    for feature, name in enumerate(names):
        column, sign, number = name.split(" ")
        values = X[:, int(column[1:])]
        truth = np.isnan(values) if number == "missing" else values >= float(number) if sign == ">=" else values == float(number)
        assert out[:, feature].tolist() == truth.tolist(), name
    machine = small(booleanizer=Booleanizer(method=method)).fit(X, [0, 1, 0, 1])
    assert len(machine.predict(np.full((2, 3), NAN))) == 2


def test_missing_values_of_objects_lists_and_masks():
    wanted = Booleanizer().fit_transform(np.array([[1, NAN], [2, 3], [NAN, 4.0]]))
    for X in ([[1, None], [2, 3], [None, 4]], np.array([[1, None], [2, 3], [pandas.NA, 4]], dtype=object),
              np.array([[1, NAN], [2, 3], [pandas.NaT, 4]], dtype=object), np.ma.masked_equal([[1, 0], [2, 3], [0, 4]], 0),
              np.array([[Decimal(1), None], [2, Decimal(3)], [None, 4]], dtype=object)):  # fmt: skip
        assert Booleanizer().fit_transform(X).tolist() == wanted.tolist()


def test_missing_values_after_truth_values_set_no_feature():
    X = np.random.RandomState(0).rand(50, 5) < 0.5
    machine = small(epochs=3).fit(X, X[:, 0])
    some = X.astype(float)
    some[:, 2] = NAN
    without = X.copy()
    without[:, 2] = False
    assert machine.votes(some).tolist() == machine.votes(without).tolist()
    frame = pandas.DataFrame(X, columns=list("abcde"))
    named = small(epochs=3).fit(frame, X[:, 0])
    nullable = frame.astype("boolean")
    nullable["c"] = pandas.array([pandas.NA] * 50, dtype="boolean")
    assert named.votes(nullable).tolist() == machine.votes(without).tolist()


def test_missing_entries_of_sparse_matrices_set_no_feature():
    X = sparse.random(60, 8, 0.4, format="csr", random_state=0)
    y = np.asarray(X[:, 0].todense()).ravel() > 0
    machine = small(epochs=3).fit(X, y)
    holes = X.copy()
    holes.data[::3] = NAN
    zeros = X.copy()
    zeros.data[::3] = 0
    assert machine.votes(holes).tolist() == machine.votes(zeros).tolist()
    assert machine.booleanizer_.transform(holes).toarray().tolist() == machine.booleanizer_.transform(zeros).toarray().tolist()
    holes.data[0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        machine.predict(holes)


def test_infinity_is_refused_and_its_place_named():
    X = np.ones((5, 3))
    X[3, 2] = -np.inf
    with pytest.raises(ValueError, match="holds -inf in row 3, column 2"):
        small().fit(X, [0, 1, 0, 1, 0])
    frame = pandas.DataFrame({"a": list("abcde"), "b": [1, 2, np.inf, 3, NAN]})
    with pytest.raises(ValueError, match="column b holds inf in row 2"):
        small().fit(frame, [0, 1, 0, 1, 0])


def test_a_column_without_any_value():
    frame = pandas.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [NAN] * 4, "c": pandas.Series([None] * 4, dtype=object)})
    fitted = Booleanizer().fit(frame)
    assert [name for name in fitted.get_feature_names_out() if name[0] != "a"] == ["b is missing", "c is missing"]
    later = pandas.DataFrame({"a": [1.0, NAN], "b": [NAN, 5.0], "c": [None, "text"]})
    assert fitted.transform(later)[:, -2:].tolist() == [[True, True], [False, False]]
    with pytest.raises(ValueError, match="one value only"):
        Booleanizer().fit(frame[["b", "c"]])


# --------------------------------------------------------------------------------------- text, categories, truth values

COLOURS = ["red", "green", None, "blue", "red", None, "green", "red"]
TEXT = pandas.DataFrame({"c": pandas.Series(COLOURS, dtype=object)})
SAME_TEXT = {
    "object with NA": lambda: pandas.DataFrame({"c": pandas.Series([pandas.NA if v is None else v for v in COLOURS], dtype=object)}),
    "object with NaN": lambda: pandas.DataFrame({"c": pandas.Series([NAN if v is None else v for v in COLOURS], dtype=object)}),
    "object with empty text": lambda: pandas.DataFrame({"c": pandas.Series([v or "" for v in COLOURS], dtype=object)}),
    "string": lambda: TEXT.astype("string"),
    "string[pyarrow]": lambda: TEXT.astype("string[pyarrow]"),
    "string[python]": lambda: TEXT.astype("string[python]"),
    "convert_dtypes": lambda: TEXT.convert_dtypes(),
    "category": lambda: TEXT.astype("category"),
    "category with others": lambda: TEXT.astype(pandas.CategoricalDtype(["violet", "green", "red", "blue"], ordered=True)),
    "polars": lambda: polars.DataFrame({"c": COLOURS}),
    "polars Categorical": lambda: polars.DataFrame({"c": polars.Series(COLOURS, dtype=polars.Categorical)}),
    "polars Enum": lambda: polars.DataFrame({"c": polars.Series(COLOURS, dtype=polars.Enum(["violet", "red", "blue", "green"]))}),
    "arrow": lambda: pyarrow.table({"c": COLOURS}),
    "arrow dictionary": lambda: pyarrow.table({"c": pyarrow.array(COLOURS).dictionary_encode()}),
    "arrow dtype": lambda: pandas.DataFrame({"c": pandas.Series(COLOURS, dtype=pandas.ArrowDtype(pyarrow.string()))}),
}
if tuple(map(int, pandas.__version__.split(".")[:1])) >= (3,):
    SAME_TEXT["str"] = lambda: TEXT.astype("str")
if tuple(map(int, polars.__version__.split(".")[:2])) < (1, 1):
    del SAME_TEXT["polars Enum"]


@pytest.mark.filterwarnings("ignore:.*Categorical:")
@pytest.mark.parametrize("form", SAME_TEXT)
def test_finding_4_2_missing_text_of_every_library_is_missing(form):
    frame = SAME_TEXT[form]()
    fitted = Booleanizer().fit(frame)
    assert fitted.get_feature_names_out().tolist() == ["c = blue", "c = green", "c = red", "c is missing"]
    same_bits(frame, TEXT)
    machine = small().fit(frame, Y)
    assert machine.predict(frame).tolist() == small().fit(TEXT, Y).predict(TEXT).tolist()
    assert fitted.transform(pandas.DataFrame({"c": ["pink", None]})).tolist() == [[False] * 4, [False] * 3 + [True]]


TRUTHS = [True, False, None, True, True, False, None, False]
SAME_TRUTHS = {
    "object": lambda: pandas.DataFrame({"c": pandas.Series(TRUTHS, dtype=object)}),
    "boolean": lambda: pandas.DataFrame({"c": pandas.array(TRUTHS, dtype="boolean")}),
    "bool[pyarrow]": lambda: pandas.DataFrame({"c": pandas.Series(TRUTHS, dtype="bool[pyarrow]")}),
    "polars": lambda: polars.DataFrame({"c": TRUTHS}),
    "arrow": lambda: pyarrow.table({"c": TRUTHS}),
}


@pytest.mark.parametrize("form", SAME_TRUTHS)
def test_finding_4_2_missing_truth_values_of_every_library_are_missing(form):
    frame = SAME_TRUTHS[form]()
    fitted = Booleanizer().fit(frame)
    assert fitted.get_feature_names_out().tolist() == ["c", "c is missing"]
    assert fitted.transform(frame).tolist() == [[v is True, v is None] for v in TRUTHS]
    assert small().fit(frame, Y).predict(frame).shape == (8,)


def test_finding_4_2_convert_dtypes_changes_nothing():
    frame = pandas.DataFrame({"age": AGES, "colour": COLOURS, "smoker": pandas.Series(TRUTHS, dtype=object), "n": range(8)})
    machine, converted = small().fit(frame, Y), small().fit(frame.convert_dtypes(), Y)
    assert machine.model_.to_bytes() == converted.model_.to_bytes()
    assert machine.predict(frame.convert_dtypes()).tolist() == machine.predict(frame).tolist()


def test_truth_values_beside_numbers_are_truth_values():
    names = Booleanizer().fit(pandas.DataFrame({"age": [1.0, 2.0, 3.0], "smoker": [True, False, True]})).get_feature_names_out()
    assert names.tolist()[-1] == "smoker"


# ------------------------------------------------------------------------------------------------ what is refused

REFUSED = {
    "complex": ([1j, 2.0, 3j], "complex.*real and imaginary"),
    "complex dtype": (np.array([1j, 2]), "complex.*real and imaginary"),
    "lists": ([[1], [2], [3]], "list.*columns of their own"),
    "tuples": ([(1, 2), (3, 4)], "tuple.*columns of their own"),
    "dicts": ([{"a": 1}, {}], "dict.*columns of their own"),
    "sets": ([{1}, {2}], "set.*column of truth values"),
    "bytes": ([b"a", b"b"], "bytes.*decode"),
    "arrays": ([np.zeros(2), np.zeros(2)], "ndarray.*columns of their own"),
    "objects": ([object(), object()], "object.*turn them into"),
    "dates and numbers": ([datetime.date(2024, 1, 1), 3], "mixes dates and numbers"),
    "dates and text": ([datetime.date(2024, 1, 1), "x"], "mixes dates and text"),
    "times and dates": ([datetime.date(2024, 1, 1), datetime.time(3)], "mixes dates and times"),
    "spans and numbers": ([datetime.timedelta(1), 3.0], "mixes numbers and spans of time"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_finding_4_3_what_cannot_be_features_is_a_type_error_that_says_what_to_do(what):
    values, message = REFUSED[what]
    column = pandas.Series(list(values), dtype=None if isinstance(values, np.ndarray) else object)
    with pytest.raises(TypeError, match=f"column strange .*{message}"):
        small().fit(pandas.DataFrame({"good": np.arange(len(values)), "strange": column}), np.arange(len(values)) % 2)


@pytest.mark.parametrize("column", [polars.Series([[1], [2]]), polars.Series([{"a": 1}, {"a": 2}]), polars.Series([b"a", b"b"])], ids=str)
def test_finding_4_3_nested_columns_of_polars_are_refused(column):
    with pytest.raises(TypeError, match="column strange"):
        small().fit(polars.DataFrame({"good": [1, 2], "strange": column}), [0, 1])


def test_finding_4_3_numbers_as_text_are_text_with_a_word():
    numbers = pandas.DataFrame({"c": [str(i) for i in range(30)]})
    with pytest.warns(UserWarning, match="column c is text, but all of its 30 distinct values are numbers"):
        assert Booleanizer().fit(numbers).n_features_out_ == 30
    with pytest.warns(UserWarning, match="column c has 1500 distinct texts"):
        Booleanizer().fit(pandas.DataFrame({"c": [f"id {i}" for i in range(1500)]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = Booleanizer().fit(pandas.DataFrame({"c": ["1", "2", "3"] * 10}))  # few: codes
        fitted.transform(numbers)  # and prediction is not the time


def test_the_kind_of_a_column_is_that_of_training():
    frame = pandas.DataFrame({"c": ["x", True, False, 3, 4.5]}, dtype=object)
    fitted = Booleanizer().fit(frame)
    whole = fitted.transform(frame)
    for row in range(5):  # alone, the column looks like one of truth values or numbers
        assert fitted.transform(frame[row : row + 1])[0].tolist() == whole[row].tolist()
    machine = small().fit(pandas.DataFrame({"c": [1.0, 2.0, 3.0, 4.0]}), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="expected numbers as in training"):
        machine.predict(pandas.DataFrame({"c": ["a", "b"]}))
    with pytest.raises(ValueError, match="held numbers in training and holds dates now"):
        machine.predict(DATES)
    with pytest.raises(ValueError, match="held dates or times in training and holds text"):
        Booleanizer().fit(DATES).transform(pandas.DataFrame({"c": ["2024-02-28"]}))


# ---------------------------------------------------------------------------------------------------- rules, files


def test_a_rule_is_true_of_missing_values_exactly_where_its_text_says():
    random = np.random.RandomState(1)
    frame = pandas.DataFrame({"width": random.rand(200).round(1) * 10, "colour": random.choice(["red", "blue"], 200).astype(object)})
    y = (frame["width"] < 5).to_numpy() & (frame["colour"] == "red").to_numpy()
    frame.loc[random.rand(200) < 0.2, "width"] = NAN
    frame.loc[random.rand(200) < 0.2, "colour"] = None
    machine = small(epochs=10).fit(frame, y)
    told = set()
    for rule in machine.rules(frame, y):
        truth = np.ones(200, dtype=bool)
        for condition in rule.literals:
            told.add(" ".join(condition.split(" ")[-2:]))
            truth &= _true_of(condition, frame)
        assert rule.coverage == pytest.approx(truth.mean()), rule.text
    assert {"or missing", "is missing"} <= told


def _true_of(condition, frame):
    if condition.endswith(" or missing"):
        column = condition.split(" ")[0]
        return _true_of(condition[: -len(" or missing")], frame) | frame[column].isna().to_numpy()
    column, *rest = condition.split(" ")
    if rest == ["is", "missing"]:
        return frame[column].isna().to_numpy()
    if rest == ["is", "not", "missing"]:
        return frame[column].notna().to_numpy()
    if rest[0] in ("=", "!="):
        return ((frame[column] == rest[1]) if rest[0] == "=" else (frame[column] != rest[1]) & frame[column].notna()).to_numpy()
    if len(rest) == 4:
        values = frame[rest[1]]
        return ((values >= float(column)) & (values < float(rest[3]))).to_numpy()
    return ((frame[column] >= float(rest[1])) if rest[0] == ">=" else (frame[column] < float(rest[1]))).to_numpy()


def test_rules_tell_columns_of_the_same_name_apart():
    X = np.random.RandomState(0).rand(100, 2)
    machine = small(epochs=5).fit(X, X[:, 0] > 0.5)
    said = {condition for rule in machine.rules(feature_names=["a", "a"]) for condition in rule.literals}
    assert any("a (column 0)" in c for c in said) and not any("a (column 0)" in c and "a (column 1)" in c for c in said)


def test_missing_values_and_dates_survive_files_and_pickles(tmp_path):
    import pickle

    frame = pandas.DataFrame({"age": AGES, "colour": COLOURS, "when": DATES["c"], "smoker": pandas.array(TRUTHS, dtype="boolean")})
    machine = small().fit(frame, Y)
    machine.save(tmp_path / "m.falsum")
    for again in (load(tmp_path / "m.falsum"), pickle.loads(pickle.dumps(machine))):
        assert again.votes(frame).tolist() == machine.votes(frame).tolist()
        assert [r.text for r in again.rules()] == [r.text for r in machine.rules()]
    for row in range(8):
        why = machine.explain(frame.iloc[row])
        assert list(why.votes.values()) == machine.votes(frame[row : row + 1])[0].tolist()


def test_pipelines_take_missing_values():
    from sklearn.model_selection import cross_val_score
    from sklearn.utils import get_tags

    assert get_tags(TMClassifier()).input_tags.allow_nan and get_tags(Booleanizer()).input_tags.allow_nan
    X = np.random.RandomState(0).rand(120, 4)
    y = X[:, 0] > 0.5
    X[np.random.RandomState(1).rand(120, 4) < 0.1] = NAN
    assert cross_val_score(small(), X, y, cv=3, error_score="raise").mean() > 0.8

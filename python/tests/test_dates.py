"""Dates, times and spans of time in columns and arrays of every library; rules print them as dates."""

import datetime

import numpy as np
import pytest
from conftest import same_bits, small
from hypothesis import given
from hypothesis import strategies as st

from falsum import Booleanizer

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

Y = [0, 1, 0, 1, 0, 1, 1, 0]
DAYS = ["2024-02-27", "2024-02-28", "2024-02-29", None, "2024-03-02", "2024-03-03", "2024-03-04", "2024-03-05"]
DATES = pandas.DataFrame({"c": pandas.to_datetime(pandas.Series(DAYS))})
PY_DATES = [None if d is None else datetime.date.fromisoformat(d) for d in DAYS]
PY_MOMENTS = [None if d is None else datetime.datetime.fromisoformat(d) for d in DAYS]
SAME_DATES = {
    "datetime64": lambda: DATES,
    "date objects": lambda: pandas.DataFrame({"c": pandas.Series(PY_DATES, dtype=object)}),
    "datetime objects": lambda: pandas.DataFrame({"c": pandas.Series(PY_MOMENTS, dtype=object)}),
    "Timestamps": lambda: DATES.astype(object),
    "aware": lambda: pandas.DataFrame({"c": DATES["c"].dt.tz_localize("UTC")}),
    "aware elsewhere": lambda: pandas.DataFrame({"c": DATES["c"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")}),
    "Period": lambda: pandas.DataFrame({"c": DATES["c"].dt.to_period("D")}),
    "Period objects": lambda: pandas.DataFrame({"c": DATES["c"].dt.to_period("D").astype(object)}),
    "polars Date": lambda: polars.DataFrame({"c": PY_DATES}),
    "polars Datetime": lambda: polars.DataFrame({"c": polars.Series(PY_MOMENTS, dtype=polars.Datetime("ms"))}),
    "polars aware": lambda: polars.DataFrame({"c": polars.Series(PY_MOMENTS, dtype=polars.Datetime("us")).dt.replace_time_zone("UTC")}),
    "arrow date32": lambda: pyarrow.table({"c": pyarrow.array(PY_DATES)}),
    "arrow timestamp": lambda: pyarrow.table({"c": pyarrow.array(PY_MOMENTS, pyarrow.timestamp("s"))}),
    "arrow dtype": lambda: pandas.DataFrame({"c": pandas.Series(PY_DATES, dtype=pandas.ArrowDtype(pyarrow.date32()))}),
    "arrow dtype timestamp": lambda: pandas.DataFrame({"c": pandas.Series(PY_MOMENTS, dtype=pandas.ArrowDtype(pyarrow.timestamp("us")))}),
}


@pytest.mark.parametrize("form", SAME_DATES)
def test_finding_4_3_dates_are_dates(form):
    frame = SAME_DATES[form]()
    fitted = Booleanizer().fit(frame)
    names = fitted.get_feature_names_out().tolist()
    assert names == Booleanizer().fit(DATES).get_feature_names_out().tolist()
    assert names[-1] == "c is missing" and all(name.startswith("c >= 2024-0") for name in names[:-1])
    out = fitted.transform(frame)
    for feature, name in enumerate(names[:-1]):
        assert out[:, feature].tolist() == [d is not None and d >= name[5:] for d in DAYS], name
    assert small().fit(frame, Y).predict(frame).shape == (8,)


def test_finding_4_3_rules_print_dates():
    days = pandas.date_range("2023-12-01", periods=60)
    frame = pandas.DataFrame({"when": days, "noise": np.arange(60) % 7})
    machine = small(clauses=20, threshold=5, epochs=30).fit(frame, np.where(days < "2024-01-01", "old", "new"))
    assert machine.score(frame, np.where(days < "2024-01-01", "old", "new")) > 0.9
    conditions = [c for rule in machine.rules() for c in rule.literals if "when" in c]
    assert conditions and all("202" in c for c in conditions)
    for rule in machine.rules(frame):
        truth = np.ones(60, dtype=bool)
        for condition in rule.literals:
            truth &= _holds(condition, frame)
        assert rule.coverage == pytest.approx(truth.mean()), rule.text


def _holds(condition, frame):
    """What a condition such as `2024-01-05 <= when < 2024-02-01` says, worked out by pandas."""
    words = condition.split(" ")
    if len(words) == 5:
        return _holds(f"{words[2]} >= {words[0]}", frame) & _holds(f"{words[2]} < {words[4]}", frame)
    column, sign, value = words
    value = pandas.Timestamp(value) if column == "when" else float(value)
    values = frame[column]
    return {">=": values >= value, "<": values < value}[sign].to_numpy()


def test_dates_with_a_time_are_told_to_the_second():
    moments = pandas.to_datetime(["2024-01-01 00:00:00", "2024-01-01 06:00:00", "2024-01-01 18:30:00", "2024-01-02 00:00:01"])
    fitted = Booleanizer().fit(pandas.DataFrame({"c": moments}))
    names = fitted.get_feature_names_out().tolist()
    assert all(name.startswith("c >= 2024-01-0") for name in names) and any(":" in name for name in names)
    for feature, name in enumerate(names):
        assert fitted.transform(pandas.DataFrame({"c": moments}))[:, feature].tolist() == (moments >= pandas.Timestamp(name[5:])).tolist()


def test_a_date_is_read_as_in_training_whatever_else_is_there():
    # Days in training; then the same day, alone and beside one with a time.
    fitted = Booleanizer().fit(DATES)
    alone = fitted.transform(DATES[1:2])
    beside = fitted.transform(pandas.DataFrame({"c": pandas.to_datetime(["2024-02-28 00:00", "2024-02-28 23:59"])}))
    assert alone.tolist() == beside[:1].tolist() == beside[1:].tolist()
    # Times in training; then days only.
    timed = Booleanizer().fit(pandas.DataFrame({"c": DATES["c"] + pandas.Timedelta(hours=5)}))
    assert timed.transform(DATES)[1].tolist() == timed.transform(DATES[1:2])[0].tolist()


def test_times_of_the_day_and_spans_of_time():
    times = [datetime.time(6), datetime.time(9, 30), datetime.time(12), None, datetime.time(23, 59, 30)]
    fitted = Booleanizer().fit(pandas.DataFrame({"c": pandas.Series(times, dtype=object)}))
    names = fitted.get_feature_names_out().tolist()
    assert all(":" in name for name in names[:-1]) and names[-1] == "c is missing"
    same_bits(pandas.DataFrame({"c": pandas.Series(times, dtype=object)}), polars.DataFrame({"c": times}))
    same_bits(pandas.DataFrame({"c": pandas.Series(times, dtype=object)}), pyarrow.table({"c": pyarrow.array(times)}))
    seconds = pandas.DataFrame({"c": [60.0, 3600.0, float("nan"), 7200.0]})
    spans = pandas.DataFrame({"c": pandas.to_timedelta(seconds["c"], unit="s")})
    same_bits(spans, seconds)
    same_bits(polars.from_pandas(spans), seconds)
    same_bits(spans.astype(object), seconds)
    same_bits(pyarrow.table({"c": pyarrow.array(spans["c"])}), seconds)


def test_arrays_of_dates_and_spans():
    moments = DATES["c"].to_numpy().reshape(-1, 1)
    fitted = Booleanizer().fit(moments)
    assert fitted.get_feature_names_out().tolist() == [n.replace("c ", "x0 ") for n in Booleanizer().fit(DATES).get_feature_names_out()]
    assert fitted.transform(moments).tolist() == Booleanizer().fit_transform(DATES).tolist()
    machine = small().fit(moments, Y)
    assert machine.predict(moments[:3]).shape == (3,)
    with pytest.raises(ValueError, match="fitted on dates"):
        machine.predict([[3.0]])
    with pytest.raises(ValueError, match="held numbers in training and holds dates now"):
        small().fit([[1.0], [2.0]], [0, 1]).predict(moments)
    spans = np.array([[1], [2], [3]], dtype="timedelta64[m]")
    assert Booleanizer().fit(spans).get_feature_names_out().tolist() == ["x0 >= 90", "x0 >= 150"]
    with pytest.raises(ValueError, match="too far away"):
        Booleanizer().fit(np.array([[2**62], [2]], dtype="datetime64[Y]"))


@given(
    st.lists(
        st.one_of(st.none(), st.datetimes(min_value=datetime.datetime(1700, 1, 1), max_value=datetime.datetime(2200, 1, 1))),
        min_size=2,
        max_size=12,
    )
)
def test_every_date_feature_is_true_where_its_name_says(moments):
    frame = pandas.DataFrame({"c": pandas.Series(moments, dtype=object)})
    try:
        fitted = Booleanizer().fit(frame)
    except ValueError as error:
        assert "one value only" in str(error)
        return
    out = fitted.transform(frame)
    for feature, name in enumerate(fitted.get_feature_names_out()):
        if name == "c is missing":
            wanted = [m is None for m in moments]
        else:
            threshold = datetime.datetime.fromisoformat(name[5:].ljust(19 if len(name) < 24 and ":" not in name else 0).strip())
            wanted = [m is not None and m >= threshold for m in moments]
        assert out[:, feature].tolist() == wanted, name

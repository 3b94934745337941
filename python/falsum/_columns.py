"""One column of a data frame -> numbers, truth values, dates, times or categories; or a TypeError that says what to do.

Missing values (None, NaN, NaT, pandas.NA, nulls of Polars and Arrow, empty text) are NaN among numbers and have the code
MISSING among categories. Dates are days since 1970-01-01, dates with a time seconds since then (in UTC where they have a
time zone), times seconds since midnight, spans of time seconds.
"""

from __future__ import annotations

import datetime
import numbers
import warnings
from decimal import Decimal
from typing import Any, NamedTuple, Union

import numpy as np

MISSING = 0xFFFFFFFF  # as in the core
_MANY_TEXTS = 1000  # distinct texts of a column that are worth a word
_MANY_NUMBERS = 20  # distinct numbers, written as text, that are


class Numbers(NamedTuple):
    """A column of numbers. The kind says what they are: number, boolean, date, datetime, time; empty if all are missing."""

    values: np.ndarray
    kind: str = "number"


class Categories(NamedTuple):
    """A column of categories: a code into ``names`` for each row, or MISSING."""

    codes: np.ndarray
    names: list[str]


Column = Union[Numbers, Categories]


def read_column(name: str, column: Any, *, days: bool | None = None) -> Column:
    """A column of pandas, Polars or NumPy.

    ``days``: whether dates are counted in days (or seconds), as in training; None: in days if none of them has a time.
    """
    if type(column).__module__.startswith("polars"):
        read = _of_polars(name, column)
    elif isinstance(column, np.ndarray):
        read = _of_array(name, column)
    else:
        read = _of_pandas(name, column)
    if isinstance(read, Categories):
        return read
    if isinstance(read, np.ndarray):
        return _moments(name, read, days)
    wrong = np.flatnonzero(np.isinf(read.values))
    if len(wrong):
        raise ValueError(f"column {name} holds {read.values[wrong[0]]} in row {wrong[0]}: infinity is neither a number nor a missing value")
    return read


def warn_of_many(name: str, column: Column) -> None:
    """Warns of text that becomes too many features. For ``fit`` only."""
    if not isinstance(column, Categories) or len(column.names) <= _MANY_NUMBERS:
        return
    if all(_is_number(text) for text in column.names):
        warnings.warn(
            f"column {name} is text, but all of its {len(column.names)} distinct values are numbers, and each becomes a feature of its "
            "own: if they are quantities, make them numbers first, as pandas.to_numeric does",
            stacklevel=2,
        )
    elif len(column.names) > _MANY_TEXTS:
        warnings.warn(
            f"column {name} has {len(column.names)} distinct texts, and each becomes a feature of its own: leave it out if all it does is "
            "tell rows apart",
            stacklevel=2,
        )


def is_missing(value: Any) -> bool:
    """None, NaN of any kind, NaT, pandas.NA, and empty text, as an empty cell of a file is missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str):
        return not value
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling one does not want to be compared
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


# ---------------------------------------------------------------------------------------------------- libraries
# Each gives Numbers, Categories, or an array of datetime64, of which it is not yet decided in what they are counted.


def _of_pandas(name: str, column: Any) -> Column | np.ndarray:
    dtype, text = column.dtype, str(column.dtype).lower()
    if text == "category":
        return _categories([None if is_missing(v) else str(v) for v in column.cat.categories], column.cat.codes.to_numpy())
    if text.startswith("sparse"):
        return _of_array(name, np.asarray(column))
    if text.startswith("period"):
        return np.asarray(column.dt.to_timestamp())
    if getattr(dtype, "tz", None) is not None:
        return np.asarray(column.dt.tz_convert("UTC").dt.tz_localize(None))
    if isinstance(dtype, np.dtype):
        return _of_array(name, column.to_numpy())
    if text.startswith(("bool", "int", "uint", "float", "double", "halffloat")) and not text.startswith("interval"):
        try:
            return _numbers(column.to_numpy(dtype=np.float64, na_value=np.nan), "boolean" if text.startswith("bool") else "number")
        except TypeError:  # columns of Arrow in pandas 1
            pass
    return _of_objects(name, column.to_numpy(dtype=object))


def _of_polars(name: str, column: Any) -> Column | np.ndarray:
    import polars

    kind = str(column.dtype).lower().split("(")[0]
    if kind in ("categorical", "enum"):
        column = column.cast(polars.String)
    if kind == "boolean" or kind == "decimal" or kind.startswith(("int", "uint", "float")):
        values = column.cast(polars.Float64).fill_null(float("nan")).to_numpy()
        return _numbers(values, "boolean" if kind == "boolean" else "number")
    if kind == "datetime" and column.dtype.time_zone is not None:
        column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if kind in ("date", "datetime", "duration"):
        return _of_array(name, column.to_numpy())
    if kind in ("binary", "list", "array", "struct"):
        raise _refusal(name, kind)
    return _of_objects(name, _objects(column.to_list()))


def _of_array(name: str, values: np.ndarray) -> Column | np.ndarray:
    kind = values.dtype.kind
    if kind in "biuf":
        return _numbers(values, "boolean" if kind == "b" else "number")
    if kind == "M":
        return values
    if kind == "m":
        return _numbers(np.where(np.isnat(values), np.nan, values / np.timedelta64(1, "s")))
    if kind in "OUT":  # T: NumPy's text of any length
        return _of_objects(name, values.astype(object))
    raise _refusal(name, {"c": "complex", "S": "bytes", "V": "void"}[kind])


# ------------------------------------------------------------------------------------------------------ objects


def _of_objects(name: str, values: np.ndarray) -> Column | np.ndarray:
    """A column of Python objects has the kind that all of its values share."""
    present = np.array([not is_missing(v) for v in values], dtype=bool)
    there = values[present].tolist()
    types = set(map(type, there))
    kinds = {_kind_of(name, kind) for kind in types}
    if not kinds:
        return _numbers(np.full(len(values), np.nan))
    if kinds <= {"truth values", "numbers"}:
        return _numbers(_at(present, [float(v) for v in there]), "boolean" if kinds == {"truth values"} else "number")
    if kinds == {"spans of time"}:
        return _numbers(_at(present, [_seconds(v) for v in there]))
    if kinds == {"times"}:
        return _numbers(_at(present, [v.hour * 3600.0 + v.minute * 60 + v.second + v.microsecond / 1e6 for v in there]), "time")
    if kinds == {"dates"}:
        moments = np.full(len(values), "NaT", dtype="datetime64[us]")
        moments[present] = [_moment(v) for v in there]
        return moments
    if not kinds <= {"text", "truth values", "numbers"}:
        raise TypeError(
            f"column {name} mixes {' and '.join(sorted(kinds))}: make all of its values of one kind first, or leave the column out"
        )
    texts = there if types == {str} else [str(v) for v in there]
    names = sorted(set(texts))
    position = {text: i for i, text in enumerate(names)}
    codes = np.full(len(values), MISSING, dtype=np.uint32)
    codes[present] = [position[text] for text in texts]
    return Categories(codes, names)


def _kind_of(name: str, kind: type) -> str:
    if issubclass(kind, str) or kind.__name__ == "Interval":
        return "text"
    if issubclass(kind, (bool, np.bool_)):
        return "truth values"
    if issubclass(kind, (datetime.timedelta, np.timedelta64)):
        return "spans of time"
    if issubclass(kind, (numbers.Real, Decimal)):
        return "numbers"
    if issubclass(kind, (datetime.date, np.datetime64)) or kind.__name__ == "Period":
        return "dates"
    if issubclass(kind, datetime.time):
        return "times"
    raise _refusal(name, kind.__name__)


_IN_COLUMNS = "give what is in them columns of their own, one value a column"
_ADVICE = {
    "bytes": "decode them first, as in frame[name].str.decode('utf-8')",
    "binary": "decode them first",
    "complex": "give their real and imaginary parts, or size and angle, columns of their own",
    "set": "give every element that may be in them a column of truth values",
    **dict.fromkeys(("list", "tuple", "array", "ndarray", "dict", "struct", "void"), _IN_COLUMNS),
}


def _refusal(name: str, what: str) -> TypeError:
    advice = _ADVICE.get(what, "turn them into numbers, dates, truth values or text first, or leave the column out")
    return TypeError(f"column {name} holds values of type {what}, of which no features can be made: {advice}")


def _objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _at(present: np.ndarray, values: list[float]) -> np.ndarray:
    out = np.full(len(present), np.nan)
    out[present] = values
    return out


def _seconds(value: Any) -> float:
    return float(value / np.timedelta64(1, "s")) if isinstance(value, np.timedelta64) else float(value.total_seconds())


def _moment(value: Any) -> Any:
    if type(value).__name__ == "Period":
        value = value.to_timestamp()
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    # A Timestamp of pandas is more exact than a datetime, of which it is one.
    return value.to_datetime64() if hasattr(value, "to_datetime64") else np.datetime64(value, "us")


# ------------------------------------------------------------------------------------------------------- values


def _numbers(values: np.ndarray, kind: str = "number") -> Numbers:
    with np.errstate(over="ignore"):  # what is too large for 64 bits is infinite, which is refused
        values = values.astype(np.float64)
    return Numbers(values, "empty" if len(values) and np.isnan(values).all() else kind)


def _moments(name: str, values: np.ndarray, days: bool | None) -> Numbers:
    missing = np.isnat(values)
    exact = _exact(name, values, missing)
    whole = exact.astype("datetime64[D]")
    if days is None:
        days = bool((whole.astype(exact.dtype) == exact)[~missing].all())
    if not days:
        whole = exact.astype("datetime64[s]")
    part = (exact - whole.astype(exact.dtype)) / np.timedelta64(1, "D" if days else "s")
    counted = whole.astype(np.int64) + np.where(missing, np.nan, part)
    return Numbers(counted, "empty" if len(values) and missing.all() else "date" if days else "datetime")


def _exact(name: str, values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """The same moments in days, seconds, or microseconds, beyond which a number of seconds has no digits left."""
    unit = np.datetime_data(values.dtype)[0]
    wanted = "D" if unit in ("generic", "Y", "M", "W", "D") else "s" if unit in ("h", "m", "s") else "us"
    try:
        exact = values.astype(f"datetime64[{wanted}]")
        same = exact.astype(values.dtype) == values if wanted != "us" else np.ones(len(values), dtype=bool)
        if not same[~missing].all():
            raise OverflowError
    except OverflowError:
        raise ValueError(f"column {name} holds dates that are too far away to be counted in days or seconds") from None
    return exact


def _categories(texts: list[str | None], codes: np.ndarray) -> Categories:
    """Of codes of which -1 is missing, and texts, which may repeat and of which None and "" are missing too. Categories
    that no row has are none."""
    found = {texts[code] for code in np.unique(codes).tolist() if code >= 0}
    names = sorted(text for text in found if text)
    position = {name: i for i, name in enumerate(names)}
    table = np.array([position.get(text or "", MISSING) for text in texts] + [MISSING], dtype=np.uint32)  # the last: for -1
    return Categories(table[codes.astype(np.int64)], names)


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False

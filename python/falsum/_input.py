"""Data as people have them -> what the core reads.

Arrays go to the core as they are, in any layout; sparse rows go there as rows; a data frame with text or
categories goes column by column. Nothing here makes a dense copy of a sparse matrix.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np
import scipy.sparse as sparse

from falsum import _core


class Numbers(NamedTuple):
    """A column of numbers or, if ``boolean``, of truth values."""

    values: np.ndarray
    boolean: bool = False


class Categories(NamedTuple):
    """A column of categories: a code into ``names`` for each row; the name "" stands for a missing value."""

    codes: np.ndarray
    names: list[str]


Column = Union[Numbers, Categories]


def check_numbers(values: np.ndarray) -> None:
    """scikit-learn lets dates and spans of time through; what is 1970 >= 0.5 supposed to mean?"""
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X must hold truth values or numbers, got {values.dtype}: turn dates and the like into numbers first")


def native(values: np.ndarray) -> np.ndarray:
    """The same numbers in a type that the core knows, without a copy if they are already."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float64)
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def sparse_rows(matrix: Any) -> _core.SparseBits:
    """The rows of a sparse matrix as lists of the features that are true: those whose value is more than 0."""
    return _core.sparse_rows(*_parts(matrix))


def _parts(matrix: Any) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Columns, row starts, ascending indices without repetitions, and which values are more than 0."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    indices = np.ascontiguousarray(rows.indices)
    if indices.dtype not in (np.int32, np.int64):
        indices = indices.astype(np.int64)
    truth = np.ascontiguousarray(rows.data > 0)
    return rows.shape[1], np.ascontiguousarray(rows.indptr, dtype=np.int64), indices, truth


def is_sparse(values: Any) -> bool:
    return bool(sparse.issparse(values))


def frame_columns(frame: Any) -> list[tuple[str, Any]] | None:
    """Names and columns of a data frame (pandas, Polars, Arrow; `known` makes pandas of others); None for other data."""
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):  # pandas and its relatives
        return [(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
    if hasattr(frame, "get_columns") and hasattr(frame, "columns"):  # Polars
        return [(str(column.name), column) for column in frame.get_columns()]
    if hasattr(frame, "column_names") and hasattr(frame, "itercolumns"):  # Arrow
        return [(str(n), c.to_pandas()) for n, c in zip(frame.column_names, frame.itercolumns())]
    return None


def known(values: Any) -> Any:
    """The same data; a data frame of another library, which can be exchanged, as one of pandas."""
    if isinstance(values, (np.ndarray, list, tuple)) or is_sparse(values) or frame_columns(values) is not None:
        return values
    try:
        if hasattr(values, "__arrow_c_stream__"):
            from pyarrow import table

            return table(values).to_pandas()
        if hasattr(values, "__dataframe__"):
            from pandas.api.interchange import from_dataframe

            return from_dataframe(values)
    except ImportError as error:
        raise TypeError(f"{type(values).__name__} takes pandas, and pyarrow if it is exchanged by Arrow: {error}") from error
    return values


def _is_categorical(column: Any) -> bool:
    kind = str(column.dtype).lower()
    return kind.startswith(("category", "categorical", "enum"))


def is_mixed_frame(values: Any) -> bool:
    """True for a data frame in which at least one column is not of numbers."""
    columns = frame_columns(values)
    if columns is None:
        return False
    return any(_is_categorical(c) or np.asarray(c[:0]).dtype.kind not in "biuf" and not _holds_numbers(c) for _, c in columns)


def _holds_numbers(column: Any) -> bool:
    """For columns whose values NumPy sees as objects: numbers with missing ones are numbers still."""
    values = np.asarray(column)
    if values.dtype.kind in "biuf":
        return True
    return values.dtype.kind == "O" and all(isinstance(v, (int, float, np.number, np.bool_)) for v in values)


def read_column(name: str, column: Any) -> Column:
    """One column of a data frame; a missing number is a ValueError, a missing category is no category."""
    values = np.asarray(column)
    if not _is_categorical(column):
        if values.dtype.kind == "b":
            return Numbers(values.astype(np.float64), boolean=True)
        if values.dtype.kind in "iuf" or _holds_numbers(column):
            return Numbers(finite(name, values.astype(np.float64)))
    texts = np.array(["" if _is_missing(v) else str(v) for v in values.tolist()], dtype=object)
    names, codes = np.unique(texts, return_inverse=True) if len(texts) else (texts, np.empty(0))
    return Categories(codes.astype(np.uint32), [str(n) for n in names])


def _is_missing(value: Any) -> bool:
    return value is None or value != value or str(value) == "<NA>"


def finite(name: str, values: np.ndarray) -> np.ndarray:
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"column {name} holds {values[wrong[0]]} in row {wrong[0]}; fill in or drop missing values (NaN) and infinity first"
        )
    return values


def one_row(values: Any) -> Any:
    """A single sample as a matrix or data frame of one row."""
    if is_sparse(values) or frame_columns(values) is not None:
        return values
    if hasattr(values, "to_frame") and hasattr(values, "index"):  # a row of a pandas DataFrame
        return values.to_frame().T.infer_objects()
    array = np.asarray(values)
    return array.reshape(1, -1) if array.ndim == 1 else array

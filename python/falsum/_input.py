"""Data of the user -> input of the core.

Arrays go to the core unchanged, in any layout; sparse rows go there as rows; a data frame of more than plain numbers goes
column by column (_columns.py). Nothing here makes a dense copy of a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import validate_data

from falsum import _core
from falsum._columns import Column, read_column


class Table:
    """Columns that are not all plain numbers: of a data frame, or of an array of dates."""

    def __init__(self, names: list[str], columns: list[Any], rows: int) -> None:
        self.names = names
        self.columns = columns
        self.shape = (rows, len(columns))

    def __len__(self) -> int:
        return self.shape[0]

    def read(self, days: Sequence[bool | None] | None = None) -> list[Column]:
        """Every column as what it is; ``days``: see read_column."""
        counted = days or [None] * len(self.columns)
        return [read_column(name, column, days=d) for name, column, d in zip(self.names, self.columns, counted)]


def take(X: Any, rows: np.ndarray) -> Any:
    """Some rows of what ``check`` gives."""
    if isinstance(X, Table):
        return Table(X.names, [_safe_indexing(column, rows) for column in X.columns], len(rows))
    return X[rows]


def check(estimator: Any, X: Any, *, reset: bool, least: int = 1) -> Any:
    """An array of truth values or numbers, a sparse matrix in rows, or a Table, of what ``X`` may be. Sets what the estimator
    knows of its columns (``reset``), or checks it. NaN is a missing value; infinity is a ValueError that names its place."""
    X = known(_flat(estimator, X, reset))
    if _is_mixed(X):
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        columns = frame_columns(X) or []
        if len(X) < least or not columns:
            raise ValueError(
                f"Found array with {len(X)} sample(s) and {len(columns)} feature(s) (shape=({len(X)}, {len(columns)})) while a minimum of "
                f"{least} sample(s) and 1 feature(s) is required."
            )
        return Table([name for name, _ in columns], [column for _, column in columns], len(X))
    X = validate_data(estimator, X, accept_sparse="csr", ensure_all_finite=False, ensure_min_samples=least, reset=reset)
    if is_sparse(X):
        if X.data.dtype.kind == "f" and np.isinf(X.data).any():
            raise ValueError("X holds infinity among its entries, which is neither a number nor a missing value")
        return X
    if X.dtype.kind in "mM":
        names = getattr(estimator, "feature_names_in_", [f"x{c}" for c in range(X.shape[1])])
        return Table([str(name) for name in names], [X[:, c] for c in range(X.shape[1])], len(X))
    return _finite(X)


def _flat(estimator: Any, X: Any, reset: bool) -> Any:
    """Images as rows, for an estimator with patches: their size is kept, and later images must have it."""
    if getattr(estimator, "patch_shape", None) is None or getattr(X, "ndim", 2) not in (3, 4):
        return X
    size = tuple(int(side) for side in X.shape[1:])
    wanted = estimator.image_shape if reset else estimator._image or estimator.image_shape
    if wanted is not None and (*wanted, 1)[:3] != (*size, 1)[:3]:
        raise ValueError(f"X must hold images of shape {tuple(wanted)}, got {size}")
    if reset:
        estimator._image = size
    return np.asarray(X).reshape(len(X), -1)


def _finite(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X must hold truth values, numbers or dates, got {values.dtype}")
    if values.dtype.kind == "f" and np.isinf(values).any():
        row, column = np.argwhere(np.isinf(values))[0]
        raise ValueError(
            f"X holds {values[row, column]} in row {row}, column {column}: infinity is neither a number nor a missing value (NaN is one)"
        )
    return values


def native(values: np.ndarray) -> np.ndarray:
    """The same numbers in a type that the core knows, without a copy if they are already."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float64)
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def sparse_rows(matrix: Any) -> _core.SparseBits:
    """The rows of a sparse matrix as lists of the features that are true: those whose value is more than 0."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    indices = np.ascontiguousarray(rows.indices)
    if indices.dtype not in (np.int32, np.int64):
        indices = indices.astype(np.int64)
    truth = np.ascontiguousarray(rows.data > 0)
    return _core.sparse_rows(rows.shape[1], np.ascontiguousarray(rows.indptr, dtype=np.int64), indices, truth)


def check_sparse(matrix: Any) -> None:
    """A matrix whose parts do not fit is a ValueError here: SciPy's compiled loops believe them and read elsewhere."""
    kind = matrix.format
    if len(matrix.shape) != 2:
        raise ValueError(f"X must have two dimensions, got a sparse array of {len(matrix.shape)}")
    if kind in ("csr", "csc", "bsr"):
        blocks = matrix.data.shape[1:] if kind == "bsr" else (1, 1)
        major, minor = (length // block for length, block in zip(matrix.shape, blocks))
        if kind == "csc":
            major, minor = minor, major
        starts, indices = np.asarray(matrix.indptr), np.asarray(matrix.indices)
        if starts.dtype.kind not in "iu" or starts.shape != (major + 1,) or starts[0] != 0 or (starts[1:] < starts[:-1]).any():
            raise ValueError(f"X is a damaged {kind} matrix: its indptr must ascend from 0 and have {major + 1} entries")
        if starts[-1] > min(len(indices), len(matrix.data)):
            raise ValueError(f"X is a damaged {kind} matrix: its indptr ends at {starts[-1]}, after its {len(indices)} indices")
        _check_range(kind, "indices", indices[: starts[-1]], minor)
    elif kind == "coo":
        if not len(matrix.row) == len(matrix.col) == len(matrix.data):
            raise ValueError("X is a damaged coo matrix: row, col and data have different lengths")
        _check_range(kind, "row", np.asarray(matrix.row), matrix.shape[0])
        _check_range(kind, "col", np.asarray(matrix.col), matrix.shape[1])


def _check_range(kind: str, name: str, values: np.ndarray, end: int) -> None:
    if values.dtype.kind not in "iu" or (len(values) and (values.min() < 0 or values.max() >= end)):
        raise ValueError(f"X is a damaged {kind} matrix: its {name} must be whole numbers from 0 to {end - 1}")


def is_sparse(values: Any) -> bool:
    return bool(sparse.issparse(values))


# -------------------------------------------------------------------------------------------------- data frames


def frame_columns(frame: Any) -> list[tuple[str, Any]] | None:
    """Names and columns of a data frame of pandas and its relatives, or of Polars (`known` makes one of others)."""
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return [(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
    if hasattr(frame, "get_columns") and hasattr(frame, "columns"):
        return [(str(column.name), column) for column in frame.get_columns()]
    return None


def known(values: Any) -> Any:
    """The same data, of which nothing is believed yet; a data frame of another library as one of pandas."""
    if is_sparse(values):
        check_sparse(values)
        return values
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    if isinstance(values, (list, tuple)):
        try:
            values = np.asarray(values)
        except ValueError:  # rows of different lengths, which scikit-learn has words for
            return values
    if isinstance(values, np.ndarray):
        return _without_na(values) if values.dtype == object else values
    if frame_columns(values) is not None:
        return values
    try:
        if hasattr(values, "column_names") and hasattr(values, "to_pandas"):  # Arrow
            return values.to_pandas(ignore_metadata=True)
        if hasattr(values, "__arrow_c_stream__"):
            from pyarrow import table

            return table(values).to_pandas(ignore_metadata=True)
        if hasattr(values, "__dataframe__"):
            from pandas.api.interchange import from_dataframe

            return from_dataframe(values)
    except ImportError as error:
        raise TypeError(f"{type(values).__name__} takes pandas, and pyarrow if it is exchanged by Arrow: {error}") from error
    return values


def _without_na(values: np.ndarray) -> np.ndarray:
    """NumPy makes NaN of None when it makes numbers of objects, but not of pandas.NA and NaT."""
    missing = [type(v).__name__ in ("NAType", "NaTType") for v in values.ravel()]
    if any(missing):
        values = values.copy()
        values[np.array(missing).reshape(values.shape)] = None
    return values


def _is_mixed(values: Any) -> bool:
    """True for a data frame that is no array of numbers nor one of truth values: some column is something else, or may have
    missing values that NumPy has no word for."""
    if hasattr(values, "iloc") and hasattr(values, "columns"):
        kinds = {str(dtype.kind) if isinstance(dtype, np.dtype) else "O" for dtype in values.dtypes}
    elif hasattr(values, "get_columns"):
        kinds = {_kind_of_polars(column) for column in values.get_columns()}
    else:
        return False
    return bool(kinds) and kinds != {"b"} and not kinds <= set("iuf")


def _kind_of_polars(column: Any) -> str:
    kind = str(column.dtype).lower()
    if column.null_count():
        return "O"
    return kind[0] if kind.startswith(("int", "uint", "float", "boolean")) else "O"


def arrange(values: Any, wanted: Any, others: frozenset[str]) -> Any:
    """A data frame with the wanted columns in their order: found by name, the n-th of a name that repeats for the n-th.
    Columns among the ``others`` are left out; any other one that is not wanted is a ValueError, as one that is not there."""
    values = known(values)
    columns = frame_columns(values)
    if columns is None or wanted is None:
        return values
    names = [name for name, _ in columns]
    left: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        left.setdefault(name, []).append(position)
    places = []
    for name in wanted:
        if not left.get(name):
            raise ValueError(f"X has no column {name!r}, one of the {len(wanted)} that the model was trained on")
        places.append(left[name].pop(0))
    extra = [name for name, positions in left.items() if positions and name not in others]
    if extra:
        raise ValueError(f"X has a column {extra[0]!r}, which was not there in training: leave it out")
    if not hasattr(values, "iloc"):
        return values[:, places]
    values = values if places == list(range(len(names))) else values.iloc[:, places]
    # scikit-learn knows no names but text.
    return values if all(isinstance(name, str) for name in values.columns) else values.set_axis([str(n) for n in wanted], axis=1)


def one_row(values: Any) -> Any:
    """A single sample as a matrix or data frame of one row."""
    if is_sparse(values) or frame_columns(values) is not None:
        return values
    if hasattr(values, "to_frame") and hasattr(values, "index"):  # a row of a pandas DataFrame
        return values.to_frame().T.infer_objects()
    array = np.asarray(values)
    return array.reshape(1, -1) if array.ndim == 1 else array

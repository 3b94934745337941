"""Packed rows: files of rows that are Boolean already, which are mapped instead of read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

from falsum import _core, _files, _input, _labels, _targets
from falsum._booleanizer import Booleanizer, ColumnMapping, _describe, schema_of
from falsum._columns import MISSING, Categories, Column, Numbers, warn_of_many
from falsum._files import Path, path_name

_ROWS = 1 << 16  # of a part that is made of data in memory
_DAY = 86400.0


class PackedRows:
    """Rows of a file that `pack` or ``falsum pack`` wrote. The file is mapped: it may be larger than the memory.

    ``fit`` takes it as ``X``, without ``y``: labels and features are inside. Everything that predicts takes it too, if its
    features are those that the estimator learned. `open_rows` makes one.

    Attributes
    ----------
    path : str
        The file.
    task : str
        What the labels are for: "classification", "multilabel" or "regression".
    n_features : int
        Number of Boolean features.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fsdecode(path)
        with open(os.fspath(path), "rb"):  # a file that is missing, unreadable or a folder raises the OSError of ``open``
            pass
        self._file = _core.PackedRows(path_name(path))
        self._rows = self._file.rows

    def __len__(self) -> int:
        return int(self._rows.rows)

    def __repr__(self) -> str:
        return f"PackedRows({self.path!r}, {len(self)} rows, {self.n_features} features)"

    def __reduce__(self) -> Any:
        return PackedRows, (self.path,)

    @property
    def task(self) -> str:
        return str(self._file.task)

    @property
    def n_features(self) -> int:
        return int(self._rows.columns)

    @property
    def feature_names(self) -> list[str]:
        return list(self._file.booleanizer.feature_names)

    @property
    def classes(self) -> np.ndarray:
        """The classes or labels; none in regression."""
        return _labels.read(self._file.outputs, self._file.schema["label_kind"])

    @property
    def labels(self) -> np.ndarray:
        """The label, the number, or the row of truth values of each row, in memory."""
        targets: Any = self._file.targets
        return self.classes.take(targets) if self.task == "classification" else targets

    def _rows_for(self, mapping: _core.Booleanizer) -> _core.MappedRows:
        if self._file.booleanizer != mapping:
            raise ValueError(
                f"the packed rows of {self.path} have other features than the estimator learned: pack them with its booleanizer_"
            )
        return self._rows

    def _describe(self, draft: Any) -> None:
        """What fitting would have learned about the data."""
        draft.booleanizer_ = _files.booleanizer_of(_Described(self._file))
        draft.n_features_in_ = draft.booleanizer_.n_features_in_
        if hasattr(draft.booleanizer_, "feature_names_in_"):
            draft.feature_names_in_ = draft.booleanizer_.feature_names_in_
        columns = self._file.schema["columns"]
        draft._not_features = frozenset(column["name"] for column in columns if column["role"] != "feature")
        draft._label_name = next((column["name"] for column in columns if column["role"] == "label"), "")
        mapping = draft.booleanizer_.mapping_
        if mapping.image_width:
            draft._image = (mapping.image_pixels // mapping.image_width, mapping.image_width)


class _Described:
    """What ``_files.booleanizer_of`` looks at of a model."""

    def __init__(self, file: _core.PackedRows) -> None:
        self.booleanizer, self.schema = file.booleanizer, file.schema
        self.features = self.booleanizer.features


def open_rows(path: Path) -> PackedRows:
    """The rows of a file that `pack` or ``falsum pack`` wrote. The whole file is read once, to check it."""
    return PackedRows(path)


def pack(
    data: Any,
    path: Path,
    y: Any = None,
    *,
    label: str | None = None,
    task: str | None = None,
    booleanizer: Booleanizer | None = None,
    sample_weight: Any = None,
) -> PackedRows:
    """Writes data as packed rows to ``path``, and opens them. An estimator learns the same model from them as from the data.

    Parameters
    ----------
    data : array, sparse matrix, data frame, Arrow stream, or path
        Arrays, SciPy's matrices and data frames as ``fit`` takes them. Anything with ``__arrow_c_stream__`` or
        ``to_reader`` (tables and data sets of pyarrow, as of many Parquet files; relations of DuckDB) is read part by part with
        pyarrow, and need not fit into memory. A path, or the name of a built-in data set, is packed as the command
        ``falsum pack`` does.
    path : path
        Where to write; an older file of rows is replaced when all is done.
    y : array, optional
        The labels, as for ``fit``.
    label : str, optional
        Instead of ``y`` the column of the data that holds them.
    task : {"classification", "multilabel", "regression"}, optional
        What the labels are for; by default multilabel where ``y`` has columns, else classification.
    booleanizer : Booleanizer, optional
        How columns become features; one that is fitted is used as it is, so that a model can be tested on the rows.
    sample_weight : array, optional
        A weight above 0 for each row.
    """
    place = path_name(path)
    tasks = ("classification", "multilabel", "regression")
    if task is not None and task not in tasks:
        raise ValueError(f"task must be one of {', '.join(tasks)}, got {task!r}")
    if y is not None and label is not None:
        raise ValueError("give y or label, not both")
    if isinstance(data, (str, bytes, os.PathLike)):
        if y is not None or booleanizer is not None or sample_weight is not None:
            raise ValueError("a file is packed with its own labels and features: y, booleanizer and sample_weight are for data of Python")
        _core.pack_file(os.fsdecode(path_name(data)), place, task or "classification", label or "", b"")
        return PackedRows(path)
    packing = _Packing(place, booleanizer)
    labels = []
    for part in _parts(data):
        if label is not None:
            part, values = _split(part, label)
            labels.append(values)
        packing.add(part)
    if label is not None:
        y = np.concatenate(labels) if labels else None
    packing.finish(y, task, label if label is not None else getattr(y, "name", None), sample_weight)
    return PackedRows(path)


def _parts(data: Any) -> Iterator[Any]:
    """The data as arrays, matrices or data frames, some rows at a time."""
    if not hasattr(data, "shape") and hasattr(data, "to_reader"):
        data = data.to_reader()  # a scanner
    elif not hasattr(data, "__arrow_c_stream__") and hasattr(data, "scanner"):
        data = data.scanner().to_reader()  # a data set
    elif not hasattr(data, "__arrow_c_stream__") and hasattr(data, "fetch_arrow_reader"):
        data = data.fetch_arrow_reader(_ROWS)  # an older relation of DuckDB
    if hasattr(data, "__arrow_c_stream__") and _input.frame_columns(data) is None:
        try:
            import pyarrow
        except ImportError as error:
            raise TypeError(f"{type(data).__name__} is exchanged by Arrow, which takes pyarrow: pip install falsum[arrow]") from error
        for batch in pyarrow.RecordBatchReader.from_stream(data):
            for first in range(0, len(batch), _ROWS):
                yield batch.slice(first, _ROWS).to_pandas()
        return
    data = _input.known(data)
    count = data.shape[0] if hasattr(data, "shape") else len(data)
    if _input.is_sparse(data):
        data = data.tocsr()
    for first in range(0, count, _ROWS):
        last = min(first + _ROWS, count)
        yield data.iloc[first:last] if hasattr(data, "iloc") else data[first:last]


def _split(part: Any, label: str) -> tuple[Any, np.ndarray]:
    """The columns besides the label, and the labels."""
    columns = _input.frame_columns(part)
    if columns is None or label not in [name for name, _ in columns]:
        raise ValueError(f"the data have no column {label!r} for the labels")
    values = np.asarray(part[label])
    return part.drop(columns=label) if hasattr(part, "iloc") else part.drop(label), values


class _Packing:
    """Parts become rows as ``fit`` would make them. Columns of numbers wait in a file until the last part is there."""

    def __init__(self, path: bytes, booleanizer: Booleanizer | None) -> None:
        if booleanizer is not None and not isinstance(booleanizer, Booleanizer):
            raise TypeError(f"booleanizer must be a falsum.Booleanizer or None, got {booleanizer!r}")
        self.writer = _core.RowsWriter(path)
        self.rows = 0
        self.fitted = booleanizer is not None and hasattr(booleanizer, "mapping_")
        self.booleanizer: Booleanizer = Booleanizer() if booleanizer is None else booleanizer if self.fitted else clone(booleanizer)
        self.kinds: list[str] | None = None  # of the columns that wait
        self.titles: list[str] = []

    def add(self, part: Any) -> None:
        X = _input.check(self.booleanizer, part, reset=self.rows == 0 and not self.fitted)
        used = self.booleanizer
        if self.rows == 0 and not self.fitted:
            sparse = _input.is_sparse(X)
            if sparse or (isinstance(X, np.ndarray) and X.dtype == bool) or used.method == "levels":
                used._fit_checked(X)
                self.fitted = True
        self.rows += X.shape[0]
        if self.fitted:
            self.writer.add(used._rows(X))
            return
        if isinstance(X, _input.Table):
            # Whether all moments are whole days is known at the end.
            columns: list[Column] = X.read([False] * len(X.names))
            self.titles = X.names
        else:
            columns = [Numbers(_input.native(X[:, c]).astype(np.float64)) for c in range(X.shape[1])]
            names = getattr(used, "feature_names_in_", [f"x{c}" for c in range(X.shape[1])])
            self.titles = [str(name) for name in names]
        kinds = ["category" if isinstance(column, Categories) else column.kind for column in columns]
        self.kinds = kinds if self.kinds is None else [self._common(c, kind) for c, kind in enumerate(kinds)]
        values: list[Any] = []
        for kind, column in zip(self.kinds, columns):
            if isinstance(column, Categories):
                values.append((column.codes, column.names))
            elif kind == "category":  # none of these rows has a value
                values.append((np.full(X.shape[0], MISSING, dtype=np.uint32), []))
            else:
                values.append(np.ascontiguousarray(column.values, dtype=np.float64))
        self.writer.add_columns(self.titles, values, X.shape[0])

    def _common(self, c: int, kind: str) -> str:
        assert self.kinds is not None
        before = self.kinds[c]
        if kind in (before, "empty"):
            return before
        if before == "empty" and kind != "category":
            return kind
        if {before, kind} == {"boolean", "number"}:
            return "number"
        raise TypeError(f"column {self.titles[c]} holds {before} values in the first rows and {kind} values in later ones")

    def finish(self, y: Any, task: str | None, name: Any, sample_weight: Any) -> None:
        if not self.rows:
            raise ValueError("there are no rows to pack")
        if not self.fitted:
            self._fit()
        targets: np.ndarray | None = None
        outputs: list[str] = []
        label_kind = "text"
        if y is not None:
            targets, outputs, label_kind = _encoded(y, task)
            if len(targets) != self.rows:
                raise ValueError(f"there are {self.rows} rows, but y has {len(targets)}")
        weights = None
        if sample_weight is not None:
            weights = np.array(sample_weight, dtype=np.float64)
            _core.check_row_weights(weights, self.rows)
            if not weights.all():
                raise ValueError("sample_weight must be above 0: leave rows of weight 0 out")
        used = self.booleanizer
        names = [str(column) for column in getattr(used, "feature_names_in_", [])]
        schema = schema_of(used, used.n_features_in_, names, name if isinstance(name, str) else "", label_kind)
        self.writer.finish(used.mapping_, targets, outputs, weights, schema, "Python")

    def _fit(self) -> None:
        """As Booleanizer.fit, column by column."""
        used = self.booleanizer
        names = [str(name) for name in getattr(used, "feature_names_in_", [])]
        used._fitted_on_sparse, used._seen = False, []
        mappings: list[ColumnMapping] = []
        assert self.kinds is not None
        for c, kind in enumerate(self.kinds):
            column: Column
            if kind == "category":
                categories, missing = self.writer.categories(c)
                column = Categories(np.full(missing, MISSING, dtype=np.uint32), sorted(categories))
            else:
                values: Any = self.writer.numbers(c)
                if kind == "datetime" and not (values[~np.isnan(values)] % _DAY).any():
                    kind, values = "date", values / _DAY
                    self.writer.divide(c, _DAY)
                column = Numbers(values, kind)
            warn_of_many(self.titles[c], column)
            mappings.append(used._fit_column(names[c] if names else "", self.titles[c], column))
            used._seen.append(_describe(column))
        used.mapping_ = _core.Booleanizer.columns(mappings)
        used._fitted_with = used.get_params()


def _encoded(y: Any, task: str | None) -> tuple[np.ndarray, list[str], str]:
    """Targets, the names of the outputs, and the kind of the labels."""
    if task == "regression":
        numbers = np.ascontiguousarray(y, dtype=np.float64)
        if numbers.ndim != 1 or not np.isfinite(numbers).all():
            raise ValueError("y must be a finite number for each row in regression")
        return numbers, [], "real"
    names = _targets.column_names(y)
    y = _targets.checked(None, y)
    if task is not None and (y.ndim == 2) != (task == "multilabel"):
        raise ValueError(f"task {task!r} does not fit y, which has {y.ndim} dimensions")
    if y.ndim == 2:
        classes = np.arange(y.shape[1]) if names is None else np.asarray(names, dtype=object).astype(str)
        return y, _labels.texts_of(classes), _labels.kind_of(classes)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"the labels have one class only, {classes.tolist()[0]!r}, and learning needs 2")
    return codes.astype(np.uint32), _labels.texts_of(classes), _labels.kind_of(classes)

"""Files -> data frames, read as the command line reads them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from falsum import _core
from falsum._columns import MISSING
from falsum._files import Path, path_name

# How other files begin, what they are called, and what of pandas reads them.
_OTHERS = (
    (b"PAR1", "Parquet", "read_parquet"),
    (b"ARROW1", "Arrow", "read_feather"),
    (b"FEA1", "Feather", "read_feather"),
    (b"ORC", "ORC", "read_orc"),
    (b"\xd0\xcf\x11\xe0", "Excel", "read_excel"),
    (b"PK\x03\x04", "Excel", "read_excel"),
)


def read(path: Path) -> Any:
    """A table as a pandas DataFrame: every format that the command line reads as a table, and some that only Python does.

    CSV and similar tables (any delimiter, decimal commas, UTF-16, gzip, xz) are read as ``falsum train`` reads
    them: names, numbers, truth values, dates, categories, and which cells are missing. A column that only counts the rows is
    left out, as there. Parquet, Feather, Arrow and ORC need pyarrow, Excel needs openpyxl.

    Parameters
    ----------
    path : str, bytes or path-like
        The file.

    Returns
    -------
    DataFrame
        With all columns, including the label: ``y = frame.pop("label")`` removes it.
    """
    name = path_name(path)
    try:
        import pandas
    except ImportError as error:
        raise ImportError("falsum.read makes a pandas DataFrame: pip install pandas") from error
    with open(os.fspath(path), "rb") as file:
        start = file.read(8)
    for begin, called, reader in _OTHERS:
        if start.startswith(begin) and not _is_npz(path, start):
            return _by_pandas(pandas, os.fsdecode(path), called, reader)
    schema, columns, _ = _core.read_table(name)
    if columns is None:
        raise ValueError(f"{os.fsdecode(path)} is no table but {_NO_TABLE.get(schema['format'], 'data of another shape')}")
    features = [column for column in schema["columns"] if column["role"] == "feature"]
    series = [_series(pandas, column["kind"], values) for column, values in zip(features, columns)]
    frame = pandas.concat(series, axis=1) if series else pandas.DataFrame()
    frame.columns = [column["name"] or f"x{c}" for c, column in enumerate(features)]
    return frame


_NO_TABLE = {
    "svmlight": "sparse rows (SVMlight): sklearn.datasets.load_svmlight_file reads them",
    "npy": "an array of NumPy: numpy.load reads it",
    "idx": "images (IDX)",
}


def _is_npz(path: Path, start: bytes) -> bool:
    """A zip that is no workbook."""
    if not start.startswith(b"PK"):
        return False
    import zipfile

    try:
        with zipfile.ZipFile(os.fsdecode(path)) as archive:
            return "[Content_Types].xml" not in archive.namelist()
    except zipfile.BadZipFile:
        return False


def _by_pandas(pandas: Any, path: str, called: str, reader: str) -> Any:
    needed = "openpyxl" if called == "Excel" else "pyarrow"
    try:
        return getattr(pandas, reader)(path)
    except ImportError as error:
        raise ImportError(f"{path} is a file of {called}, which takes {needed}: pip install {needed}") from error


def _series(pandas: Any, kind: str, values: Any) -> Any:
    if kind == "category":
        codes, categories = values
        texts = np.empty(len(codes), dtype=object)
        texts[:] = None
        known = codes != MISSING
        texts[known] = np.array(categories, dtype=object)[codes[known]]
        return pandas.Series(texts, dtype=object)
    missing = np.isnan(values)
    if kind == "boolean":
        truths = pandas.Series(np.where(missing, False, values).astype(bool))
        return truths.astype("boolean").mask(pandas.Series(missing)) if missing.any() else truths
    if kind in ("date", "datetime"):
        scale = 86400e6 if kind == "date" else 1e6
        moments = np.round(np.where(missing, 0, values) * scale).astype(np.int64).astype("datetime64[us]")
        return pandas.Series(np.where(missing, np.datetime64("NaT"), moments))
    if kind == "time":
        import datetime

        start = datetime.datetime(1970, 1, 1)
        times = [None if m else (start + datetime.timedelta(seconds=v)).time() for v, m in zip(values.tolist(), missing.tolist())]
        return pandas.Series(times, dtype=object)
    if not missing.any() and len(values) and (values == np.floor(values)).all() and np.abs(values).max() < 2**53:
        return pandas.Series(values.astype(np.int64))
    return pandas.Series(values)

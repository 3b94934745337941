"""Booleanizer: columns of numbers or categories -> Boolean features that have names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from falsum import _core, _input
from falsum._columns import MISSING, Categories, Column, Numbers, warn_of_many
from falsum._drafts import become, draft_of
from falsum._options import BOOLEANIZE

METHODS = ("quantile", "uniform", "levels", "onehot")
ColumnMapping = tuple[str, str, list[float], list[str], bool]  # name, kind, thresholds, categories, whether values were missing
_DATES = ("date", "datetime", "time")
_FITTED = ("n_features_in_", "feature_names_in_", "mapping_", "_fitted_on_sparse", "_fitted_with", "_seen")


class Booleanizer(TransformerMixin, BaseEstimator):
    """Turns values into Boolean features, each with a name such as ``age >= 41.5``.

    Parameters
    ----------
    method : {"quantile", "uniform", "levels", "onehot"}, default="quantile"
        How a column of numbers becomes features:

        - ``quantile``: thresholds that cut the column into parts of about equal size; a feature is
          ``value >= threshold``.
        - ``uniform``: thresholds at equal distances between the least and the largest value.
        - ``levels``: for grey images with values from 0 to 255: a feature is ``pixel > level``, as the command line
          makes it.
        - ``onehot``: one feature for each distinct value.

        Truth values become features unchanged, and columns of text or categories in a data frame have one
        feature for each category, whatever the method. Sparse matrices are features already: true where the value
        is more than 0.
    bits : int or None, default=None
        Thresholds per column at most (quantile, uniform), or levels (1 to 4). None is the library's default.
        For ``onehot``, the most distinct values that a column of numbers may have; None is any number.
    image_width : int or None, default=None
        Width of the images, if rows are images, so that features are named by row and column and can be drawn.

    Attributes
    ----------
    n_features_in_ : int
        Columns of the data it was fitted on.
    feature_names_in_ : ndarray of str
        Their names, if the data had names.
    n_features_out_ : int
        Number of Boolean features.

    Examples
    --------
    >>> from falsum import Booleanizer
    >>> Booleanizer(bits=2).fit_transform([[20.0], [30.0], [40.0], [50.0]])
    array([[False, False],
           [ True, False],
           [ True,  True],
           [ True,  True]])
    """

    def __init__(self, method: str = "quantile", bits: int | None = None, image_width: int | None = None) -> None:
        self.method = method
        self.bits = bits
        self.image_width = image_width

    # ------------------------------------------------------------------------------------------ scikit-learn

    def fit(self, X: Any, y: Any = None) -> Booleanizer:
        """Chooses thresholds and categories from the data. ``y`` is not used. A call that fails changes nothing."""
        draft = draft_of(self, _FITTED)
        # One row has no thresholds; truth values need none, but a transformer should not depend on that.
        become(self, draft._fit_checked(_input.check(draft, X, reset=True, least=2)))
        return self

    def transform(self, X: Any) -> Any:
        """An array of bool with a column for each feature; a sparse matrix if ``X`` is one."""
        check_is_fitted(self, "mapping_")
        if self.mapping_.kind == "words":
            return self._bits(list(X)).to_array()
        X = _input.check(self, X, reset=False)
        if _input.is_sparse(X):
            self._check_sparse()
            return sparse.csr_matrix(X > 0)
        return self._bits(X).to_array()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the features: ``age >= 41.5``, ``colour = red``, ``pixel 3,4 > 75``."""
        check_is_fitted(self, "mapping_")
        if input_features is None:
            return np.asarray(self.mapping_.feature_names, dtype=object)
        names = [str(name) for name in input_features]
        mine = getattr(self, "feature_names_in_", None)
        if mine is not None and list(mine) != names:
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), got {len(names)}"
            )
        return np.asarray(rename(self.mapping_, names).feature_names, dtype=object)

    @property
    def n_features_out_(self) -> int:
        return int(self.mapping_.features)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    # ------------------------------------------------------------------------- for the classifier: checked data

    def _fit_checked(self, X: Any) -> Booleanizer:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        width = _whole("image_width", self.image_width, least=1) if self.image_width is not None else 0
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        self._fitted_on_sparse = _input.is_sparse(X)
        self._seen: list[dict[str, Any]] = []
        if self._fitted_on_sparse or (isinstance(X, np.ndarray) and X.dtype == bool):
            if width and X.shape[1] % width:
                raise ValueError(f"image_width must divide the {X.shape[1]} columns, got {width}")
            self.mapping_ = _core.Booleanizer.bits(X.shape[1], names, width)
        elif self.method == "levels":
            self.mapping_ = self._fit_levels(X, width)
        else:
            self.mapping_ = self._fit_columns(X, names)
        self._fitted_with = self.get_params()
        return self

    def _check_parameters_are_those_fitted_with(self) -> None:
        for name, was in getattr(self, "_fitted_with", {}).items():
            if getattr(self, name) != was:
                raise ValueError(
                    f"{name} of the booleanizer was {was!r} when it was fitted and is {getattr(self, name)!r} now: fit it again, or "
                    "give one that is not fitted, which every fit of the classifier will fit"
                )

    def _rows(self, X: Any) -> _core.Bits | _core.SparseBits:
        """What learning and prediction read of what ``_input.check`` gives. Sparse rows stay sparse."""
        if _input.is_sparse(X):
            self._check_sparse()
            return _input.sparse_rows(X)
        return self._bits(X)

    def _bits(self, X: Any) -> _core.Bits:
        if self.mapping_.kind == "words":
            return self.mapping_.transform_texts(X)
        if isinstance(X, _input.Table):
            if self.mapping_.kind != "columns":
                return self._bits(_numbers_of(X))
            fitted = self.mapping_.column_mappings
            columns = X.read([kind == "date" if kind in ("date", "datetime") else None for _, kind, *_ in fitted])
            return self.mapping_.transform_columns([_as_in_training(n, f, c) for n, f, c in zip(X.names, fitted, columns)], len(X))
        if self.mapping_.kind == "bits":
            return _core.pack(_input.native(X), only_bits=not self._fitted_on_sparse)
        if self.mapping_.kind == "levels":
            _check_grey(X)
        elif any(kind in _DATES for _, kind, *_ in self.mapping_.column_mappings):
            raise ValueError("it was fitted on dates among others, and an array of numbers has none: use a data frame")
        return self.mapping_.transform(_input.native(X))

    def _check_sparse(self) -> None:
        if self.mapping_.kind != "bits":
            raise ValueError("it was fitted on a dense array and takes no sparse matrix; use X.toarray()")

    # ---------------------------------------------------------------------------------------------- fitting

    def _fit_levels(self, X: Any, width: int) -> _core.Booleanizer:
        if not isinstance(X, np.ndarray):
            raise ValueError("method levels is for grey images: an array of numbers from 0 to 255")
        _check_grey(X)
        return _core.Booleanizer.levels(X.shape[1], width, self._count("levels"))

    def _fit_columns(self, X: Any, names: list[str]) -> _core.Booleanizer:
        columns: Iterable[Column]
        if isinstance(X, _input.Table):
            columns = X.read()
        else:
            columns = (Numbers(_input.native(X[:, c]).astype(np.float64)) for c in range(X.shape[1]))
        mappings: list[ColumnMapping] = []
        differs = False
        for c, column in enumerate(columns):
            title = X.names[c] if isinstance(X, _input.Table) else names[c] if names else f"x{c}"
            warn_of_many(title, column)
            mapping = self._fit_column(names[c] if names else "", title, column)
            mappings.append(mapping)
            self._seen.append(_describe(column))
            differs = differs or bool(mapping[2] or mapping[3]) or mapping[1] == "boolean" or 0 < self._seen[-1]["missing"] < X.shape[0]
        if not differs:
            raise ValueError("X gives no feature: every column has one value only")
        return _core.Booleanizer.columns(mappings)

    def _count(self, option: str) -> int:
        """``bits``, if it sets this option of the core."""
        allowed = BOOLEANIZE[option]
        count = allowed["default"] if self.bits is None else _whole("bits", self.bits, least=allowed["least"])
        if count > allowed["most"]:
            raise ValueError(f"bits must be from {allowed['least']} to {allowed['most']} for method {self.method}, got {count}")
        return int(count)

    def _fit_column(self, name: str, title: str, column: Column) -> ColumnMapping:
        if isinstance(column, Categories):
            return name, "category", [], column.names, bool((column.codes == MISSING).any())
        missing = np.isnan(column.values)
        present = column.values[~missing]
        if column.kind == "boolean":
            return name, "boolean", [], [], bool(missing.any())
        if self.method == "onehot" and column.kind == "number":
            return name, "category", [], self._distinct(title, present), bool(missing.any())
        return name, column.kind, self._thresholds(present, column.kind), [], bool(missing.any())

    def _thresholds(self, values: np.ndarray, kind: str) -> list[float]:
        count = self._count("quantiles")
        if not len(values):
            return []
        if self.method == "uniform":
            return _uniform_thresholds(float(values.min()), float(values.max()), count, whole=kind in _DATES)
        return list(_core.quantile_thresholds(values, count, kind))

    def _distinct(self, name: str, values: np.ndarray) -> list[str]:
        distinct = np.unique(values)
        if self.bits is not None and len(distinct) > _whole("bits", self.bits, least=1):
            raise ValueError(
                f"column {name} has {len(distinct)} distinct values, more than the {self.bits} that bits allows: use "
                "method quantile, or more bits"
            )
        return [plain_number(v) for v in distinct] if len(distinct) > 1 else []

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "mapping_" in state:
            state["mapping_"] = state["mapping_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "rules_" in state:
            raise ValueError("this Booleanizer was pickled by falsum 0.1.0, whose pickles lost some of it: fit it again")
        if "mapping_" in state:
            state["mapping_"] = _core.Booleanizer.from_bytes(state["mapping_"])
        super().__setstate__(state)


def schema_of(used: Booleanizer, features: int, names: list[str], label_name: str, label_kind: str) -> dict[str, Any]:
    """The schema of data of Python, for the command line and for loading the model."""
    kind = used.mapping_.kind
    seen = used._seen or [{"kind": "boolean", "missing": 0, "distinct": 0, "least": 0.0, "most": 1.0}] * features
    columns = []
    if (kind == "columns" or names or (kind == "bits" and not used.mapping_.image_width)) and not used._fitted_on_sparse:
        columns = [{**column, "name": name, "role": "feature"} for name, column in zip(names or [""] * len(seen), seen)]
        if names and label_name and label_name not in names:
            label = {
                "name": label_name,
                "role": "label",
                "kind": "category",
                "missing": 0,
                "distinct": 0,
                "least": 0.0,
                "most": 0.0,
            }
            columns.append(label)
    file_format = "svmlight" if used._fitted_on_sparse else "frame" if names else "npy"
    return {"format": file_format, "first_index": -1, "label_kind": label_kind, "columns": columns}


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value.__index__() < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value.__index__())


def _check_grey(X: np.ndarray) -> None:
    if X.dtype != np.uint8 and X.size and not (X.min() >= 0 and X.max() <= 255 and (X == np.floor(X)).all()):
        raise ValueError("method levels is for grey images: whole numbers from 0 to 255; use quantile or uniform")


def plain_number(value: float) -> str:
    """1 for 1.0, 0.5 for 0.5: as the command line writes numbers."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _describe(column: Column) -> dict[str, Any]:
    """The schema of a column."""
    if isinstance(column, Categories):
        return {
            "kind": "category",
            "missing": int((column.codes == MISSING).sum()),
            "distinct": len(column.names),
            "least": 0.0,
            "most": 0.0,
        }
    missing = int(np.isnan(column.values).sum())
    some = missing < len(column.values)
    least, most = (float(np.nanmin(column.values)), float(np.nanmax(column.values))) if some else (0.0, 0.0)
    return {"kind": column.kind, "missing": missing, "distinct": 0, "least": least, "most": most}


def _as_in_training(name: str, mapping: ColumnMapping, column: Column) -> Any:
    """What the core takes for a column: what training saw of it decides how it is read, not what this batch happens to hold."""
    _, kind, thresholds, *_ = mapping
    if isinstance(column, Categories):
        if kind in ("number", "empty") and not thresholds:  # no value was there in training: all that counts is whether one is
            return np.where(column.codes == MISSING, np.nan, 0.0)
        if kind in _DATES:
            raise ValueError(f"column {name} held dates or times in training and holds text now")
        return column.codes, column.names
    if column.kind != "empty" and (kind in _DATES or column.kind in _DATES) and column.kind != kind:
        said = {"category": "text", "number": "numbers", "boolean": "truth values"}
        raise ValueError(
            f"column {name} held {said.get(kind, kind + 's')} in training and holds {said.get(column.kind, column.kind + 's')} now"
        )
    if kind == "category" and column.kind == "boolean":
        codes = np.where(np.isnan(column.values), MISSING, column.values).astype(np.uint32)
        return codes, ["False", "True"]
    return column.values


def _numbers_of(table: _input.Table) -> np.ndarray:
    """For mappings without columns: an array of the numbers, NaN where they are missing."""
    numbers = []
    for name, column in zip(table.names, table.read()):
        if isinstance(column, Categories) or column.kind in _DATES:
            raise ValueError(f"column {name} held numbers or truth values in training and holds something else now")
        numbers.append(column.values)
    return np.column_stack(numbers)


def _uniform_thresholds(least: float, largest: float, count: int, whole: bool = False) -> list[float]:
    """Equal steps, each rounded to the fewest digits that move it by no more than a tenth of a step; for dates and times
    (``whole``) to a day or a second."""
    step = largest / (count + 1) - least / (count + 1)
    thresholds: list[float] = []
    for i in range(1, count + 1):
        exact = least + i * step
        rounded = float(np.ceil(exact)) if whole else exact
        for digits in range(1, 0 if whole else 17):
            rounded = float(f"{exact:.{digits - 1}e}")
            if abs(rounded - exact) <= step / 10:
                break
        if least < rounded <= largest and (not thresholds or rounded > thresholds[-1]):
            thresholds.append(rounded)
    return thresholds


def rename(mapping: _core.Booleanizer, names: list[str]) -> _core.Booleanizer:
    """The same mapping for columns of these names."""
    if mapping.kind == "columns":
        return _core.Booleanizer.columns([(name, *column[1:]) for name, column in zip(names, mapping.column_mappings)])
    if mapping.kind == "bits":
        return _core.Booleanizer.bits(mapping.features, names, mapping.image_width)
    return mapping

"""Booleanizer: columns of numbers or categories -> Boolean features that have names."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from falsum import _core, _input

METHODS = ("quantile", "uniform", "levels", "onehot")


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

        Truth values are features as they are, and columns of text or categories in a data frame have one
        feature for each category, whatever the method. Sparse matrices are features already: true where the value
        is more than 0.
    bits : int or None, default=None
        Thresholds per column at most (quantile, uniform), or levels (1 to 4). None is the core's default.
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
        Boolean features that come out.

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

    def fit(self, X: Any, y: Any = None) -> "Booleanizer":
        """Chooses thresholds and categories from the data. ``y`` is not used."""
        X = _input.known(X)
        if _input.is_mixed_frame(X):
            validate_data(self, X, skip_check_array=True)
        else:
            # One row has no thresholds; truth values need none, but a transformer should not depend on that.
            X = validate_data(self, X, accept_sparse="csr", ensure_min_samples=2)
        return self._fit_checked(X)

    def transform(self, X: Any) -> Any:
        """An array of bool with a column for each feature; a sparse matrix if ``X`` is one."""
        check_is_fitted(self, "rules_")
        if self.rules_.kind == "words":
            return self._bits(list(X)).to_array()
        X = self._check(X)
        if _input.is_sparse(X):
            self._check_sparse()
            return sparse.csr_matrix(X > 0)
        return self._bits(X).to_array()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the features: ``age >= 41.5``, ``colour = red``, ``pixel 3,4 > 75``."""
        check_is_fitted(self, "rules_")
        if input_features is None:
            return np.asarray(self.rules_.feature_names, dtype=object)
        names = [str(name) for name in input_features]
        mine = getattr(self, "feature_names_in_", None)
        if mine is not None and list(mine) != names:
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), got {len(names)}"
            )
        return np.asarray(_rename(self.rules_, names).feature_names, dtype=object)

    @property
    def n_features_out_(self) -> int:
        return int(self.rules_.features)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    # ------------------------------------------------------------------------- for the classifier: checked data

    def _fit_checked(self, X: Any) -> "Booleanizer":
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        width = _whole("image_width", self.image_width, least=1) if self.image_width is not None else 0
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        self._fitted_on_sparse = _input.is_sparse(X)
        if isinstance(X, np.ndarray):
            _input.check_numbers(X)
        if self._fitted_on_sparse or (isinstance(X, np.ndarray) and X.dtype == bool):
            if width and X.shape[1] % width:
                raise ValueError(f"image_width must divide the {X.shape[1]} columns, got {width}")
            self.rules_ = _core.Booleanizer.bits(X.shape[1], names, width)
        elif self.method == "levels":
            self.rules_ = self._fit_levels(X, width)
        else:
            self.rules_ = self._fit_columns(X, names)
        return self

    def _check(self, X: Any) -> Any:
        """What fit learned about columns and names holds for ``X``; gives what ``_rows`` takes."""
        X = _input.known(X)
        if _input.is_mixed_frame(X):
            validate_data(self, X, skip_check_array=True, reset=False)
            return X
        return validate_data(self, X, accept_sparse="csr", reset=False)

    def _rows(self, X: Any) -> _core.Bits | _core.SparseBits:
        """What learning and prediction read. Sparse rows stay sparse."""
        if _input.is_sparse(X):
            self._check_sparse()
            return _input.sparse_rows(X)
        return self._bits(X)

    def _bits(self, X: Any) -> _core.Bits:
        if self.rules_.kind == "words":
            return self.rules_.transform_texts(X)
        if not isinstance(X, np.ndarray):  # a data frame with text or categories
            columns = [_input.read_column(name, column) for name, column in _input.frame_columns(X) or []]
            arguments = [
                (c.codes, c.names) if isinstance(c, _input.Categories) else c.values for c in columns
            ]
            return self.rules_.transform_columns(arguments, len(X))
        _input.check_numbers(X)
        if self.rules_.kind == "bits":
            return _core.pack(_input.native(X), only_bits=not self._fitted_on_sparse)
        if self.rules_.kind == "levels":
            _check_grey(X)
        return self.rules_.transform(_input.native(X))

    def _check_sparse(self) -> None:
        if self.rules_.kind != "bits":
            raise ValueError("it was fitted on a dense array and takes no sparse matrix; use X.toarray()")

    # ---------------------------------------------------------------------------------------------- fitting

    def _fit_levels(self, X: Any, width: int) -> _core.Booleanizer:
        if not isinstance(X, np.ndarray):
            raise ValueError("method levels is for grey images: an array of numbers from 0 to 255")
        _check_grey(X)
        levels = _core.booleanize_defaults()["levels"] if self.bits is None else _whole("bits", self.bits, least=1)
        if levels > 4:
            raise ValueError(f"bits must be from 1 to 4 for method levels, got {levels}")
        return _core.Booleanizer.levels(X.shape[1], width, levels)

    def _fit_columns(self, X: Any, names: list[str]) -> _core.Booleanizer:
        columns: list[_input.Column]
        if isinstance(X, np.ndarray):
            columns = [_input.Numbers(X[:, c].astype(np.float64)) for c in range(X.shape[1])]
        else:
            columns = [_input.read_column(name, column) for name, column in _input.frame_columns(X) or []]
        rules: list[tuple[str, str, list[float], list[str]]] = []
        for c, column in enumerate(columns):
            name = names[c] if names else ""
            if isinstance(column, _input.Categories):
                rules.append((name, "categorical", [], [n for n in column.names if n]))
            elif column.boolean:
                rules.append((name, "boolean", [], []))
            elif self.method == "onehot":
                rules.append((name, "categorical", [], self._distinct(name or f"x{c}", column.values)))
            else:
                rules.append((name, "numeric", self._thresholds(column.values), []))
        if all(not thresholds and not categories and kind != "boolean" for _, kind, thresholds, categories in rules):
            raise ValueError("X gives no feature: every column has one value only")
        return _core.Booleanizer.columns(rules)

    def _thresholds(self, values: np.ndarray) -> list[float]:
        count = _core.booleanize_defaults()["quantiles"] if self.bits is None else _whole("bits", self.bits, least=1)
        if count > 255:
            raise ValueError(f"bits must be from 1 to 255, got {count}")
        if self.method == "quantile":
            return list(_core.quantile_thresholds(values, count))
        return _uniform_thresholds(float(values.min()), float(values.max()), count)

    def _distinct(self, name: str, values: np.ndarray) -> list[str]:
        distinct = np.unique(values)
        if self.bits is not None and len(distinct) > _whole("bits", self.bits, least=1):
            raise ValueError(
                f"column {name} has {len(distinct)} distinct values, more than the {self.bits} that bits allows: use "
                "method quantile, or more bits"
            )
        return [_plain(v) for v in distinct] if len(distinct) > 1 else []

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "rules_" in state:
            state["rules_"] = _describe(state["rules_"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "rules_" in state:
            state["rules_"] = _rebuild(state["rules_"])
        super().__setstate__(state)


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value.__index__() < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value.__index__())


def _check_grey(X: np.ndarray) -> None:
    if X.dtype != np.uint8 and X.size and not (X.min() >= 0 and X.max() <= 255 and (X == np.floor(X)).all()):
        raise ValueError("method levels is for grey images: whole numbers from 0 to 255; use quantile or uniform")


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _uniform_thresholds(least: float, largest: float, count: int) -> list[float]:
    """Equal steps, each rounded to the fewest digits that move it by no more than a tenth of a step."""
    step = largest / (count + 1) - least / (count + 1)
    thresholds: list[float] = []
    for i in range(1, count + 1):
        exact = least + i * step
        rounded = exact
        for digits in range(1, 17):
            rounded = float(f"{exact:.{digits - 1}e}")
            if abs(rounded - exact) <= step / 10:
                break
        if least < rounded <= largest and (not thresholds or rounded > thresholds[-1]):
            thresholds.append(rounded)
    return thresholds


def _describe(rules: _core.Booleanizer) -> dict[str, Any]:
    """Plain values from which ``_rebuild`` makes the same rules: what is pickled."""
    names = rules.feature_names if rules.kind == "bits" else []
    return {
        "kind": rules.kind,
        "features": rules.features,
        "names": [] if rules.kind == "bits" and _core.Booleanizer.bits(rules.features, [], rules.image_width) == rules else names,
        "image_width": rules.image_width,
        "columns": rules.column_rules,
        "levels": len(rules.level_thresholds),
    }


def _rebuild(plain: dict[str, Any]) -> _core.Booleanizer:
    if plain["kind"] == "columns":
        return _core.Booleanizer.columns(plain["columns"])
    if plain["kind"] == "levels":
        pixels = plain["features"] // plain["levels"]
        return _core.Booleanizer.levels(pixels, plain["image_width"], plain["levels"])
    return _core.Booleanizer.bits(plain["features"], plain["names"], plain["image_width"])


def _rename(rules: _core.Booleanizer, names: list[str]) -> _core.Booleanizer:
    """The same rules for columns of these names."""
    if rules.kind == "columns":
        return _core.Booleanizer.columns([(n, kind, t, c) for n, (_, kind, t, c) in zip(names, rules.column_rules)])
    if rules.kind == "bits":
        return _core.Booleanizer.bits(rules.features, names, rules.image_width)
    return rules

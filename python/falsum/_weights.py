"""Weights of rows: how often each is learned (docs/family.md)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from falsum import _core, _input


class Held(NamedTuple):
    """Some of the rows, such as those kept aside to score what is learned, with their targets and weights."""

    rows: _core.Bits | _core.SparseBits | _core.MappedRows
    targets: np.ndarray
    weights: np.ndarray | None


def learned_rows(X: Any, y: np.ndarray, sample_weight: Any) -> tuple[Any, np.ndarray, np.ndarray | None]:
    """The rows, targets and weights to learn from: rows of weight 0 are left out, as if they had not been given."""
    if sample_weight is None:
        return X, y, None
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"sample_weight must be a number for each of the {len(y)} rows, got {sample_weight!r:.80}") from None
    if weights.ndim == 0:
        weights = np.full(len(y), weights)
    if weights.shape != (len(y),):
        raise ValueError(f"sample_weight must be a number for each of the {len(y)} rows, got an array of shape {weights.shape}")
    _core.check_row_weights(weights, len(y))
    kept = np.flatnonzero(weights)
    return (X, y, weights) if len(kept) == len(y) else (_input.take(X, kept), y[kept], weights[kept])


def times_class_weight(class_weight: Any, classes: np.ndarray, codes: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
    """The weights of rows, multiplied by those of their classes. ``codes``: the class of each row, by number."""
    if class_weight is None:
        return weights
    if isinstance(class_weight, str) and class_weight == "balanced":
        by_class = _core.balanced_class_weights(codes, len(classes), weights)
    elif isinstance(class_weight, dict):
        by_class = np.array([_weight(label, class_weight.get(label, 1)) for label in classes.tolist()])
        known = set(classes.tolist())
        unknown = [label for label in class_weight if label not in known]
        if unknown and not known <= set(class_weight):  # else it names more labels than these rows have
            raise ValueError(f"class_weight names the label {unknown[0]!r}, which is not among the classes: {classes!r}")
    else:
        raise ValueError(f"class_weight must be None, 'balanced' or a dictionary of labels and weights, got {class_weight!r}")
    product: np.ndarray = _core.times_class_weights(codes, by_class, weights)
    return product


def _weight(label: Any, value: Any) -> float:
    if isinstance(value, (int, float, np.number)) and np.isfinite(value) and value >= 0:
        return float(value)
    raise ValueError(f"class_weight must be finite numbers of at least 0, got {value!r} for the label {label!r}")


def mean(values: np.ndarray, weights: np.ndarray | None) -> float:
    """Weighted, where there are weights and not all are 0."""
    return float(np.average(values, weights=weights if weights is not None and weights.any() else None))

"""The targets of a classifier: labels or columns of labels, checked, and labels as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array


def checked(estimator: Any, y: Any) -> np.ndarray:
    """A label for each row, or truth values with a column for each label."""
    if has_columns(y) and type_of_target(y) == "multilabel-indicator":
        y = check_array(y, accept_sparse="csr", dtype=None, input_name="y", estimator=estimator)
        y = y.toarray() if hasattr(y, "toarray") else y
        others = y[(y != 0) & (y != 1)]
        if len(others):  # scikit-learn calls any two numbers an indicator: -1 and 1, 1 and 2
            raise ValueError(f"y must be 0 or 1 for each label where a row has several, got {others.tolist()[0]}")
        return np.ascontiguousarray(y != 0)
    y = column_or_1d(check_array(y, ensure_2d=False, dtype=None, input_name="y", estimator=estimator), warn=True)
    check_classification_targets(y)
    return y


def column_names(y: Any) -> list[Any] | None:
    """The names of the labels, where there are several and they have names."""
    has_names = hasattr(y, "columns") and getattr(y, "ndim", 1) == 2 and y.shape[1] > 1
    return list(y.columns) if has_names else None


def codes(classes: np.ndarray, y: np.ndarray, where: str) -> np.ndarray:
    """The position of each label in ``classes``; ``where`` ends the sentence that refuses an unknown one."""
    order = np.argsort(classes)  # those of a file need not be sorted
    positions = order[np.minimum(np.searchsorted(classes, y, sorter=order), len(order) - 1)]
    known = classes[positions] == y
    if not np.all(known):
        unknown = y[~known].tolist()[0]
        raise ValueError(f"y holds the label {unknown!r}, which is not among the classes known {where}: {classes!r}")
    return positions.astype(np.uint32)


def has_columns(y: Any) -> bool:
    """Whether these can only be several labels for each row."""
    try:
        shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    except ValueError:  # rows of different lengths
        return False
    return len(shape) == 2 and shape[1] > 1

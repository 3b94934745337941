"""Pictures of learned clauses, with matplotlib.

For images: which pixels the clauses of a class want to be on (red) and off (blue).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix

from falsum import _core, _input

if TYPE_CHECKING:
    from falsum._classifier import TMClassifier

__all__ = ["included_literals", "plot_clauses", "plot_explanation"]


def included_literals(estimator: TMClassifier, x: Any = None) -> np.ndarray:
    """For each class and column of the data: votes that want it on, less votes that want it off.

    Counts the clauses that vote for a class. Given one row ``x``, only those that are true of it.

    Returns an array with a row for each class and a column for each column of the data.
    """
    estimator._check_fitted()
    model = estimator.model_
    starts, literals, weight_starts, voters, votes = model.clauses
    counted = votes > 0
    if x is not None:
        counted = counted & _core.clause_outputs(model, estimator._rows(_input.one_row(x)))[0][voters]
    clauses = csr_matrix((np.ones(len(literals)), literals, starts), shape=(len(starts) - 1, 2 * model.features))
    weights = csr_matrix((np.where(counted, votes, 0), voters, weight_starts), shape=(model.classes, len(starts) - 1))
    wanted = (weights @ clauses).toarray()
    picture = np.zeros((estimator.n_features_in_, model.classes))
    np.add.at(picture, _column_of_feature(estimator), (wanted[:, : model.features] - wanted[:, model.features :]).T)
    return picture.T


def _column_of_feature(estimator: TMClassifier) -> np.ndarray:
    mapping = estimator.booleanizer_.mapping_
    if mapping.kind == "columns":
        sizes = [(kind == "boolean") + len(t) + len(c) + missing for _, kind, t, c, missing in mapping.column_mappings]
        return np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(mapping.features) % estimator.n_features_in_


def plot_clauses(
    estimator: TMClassifier, shape: tuple[int, int] | None = None, *, classes: Sequence[Any] | None = None, columns: int = 5
) -> Any:
    """A heat map for each class of the literals that its clauses include.

    ``shape`` is (height, width) of the images; without it the width that the Booleanizer knows, or a square.
    Returns the matplotlib Figure.
    """
    return _draw(estimator, included_literals(estimator), shape, classes, columns)


def plot_explanation(estimator: TMClassifier, x: Any, shape: tuple[int, int] | None = None) -> Any:
    """One row, as an image, beside what the clauses that are true of it want for the predicted class."""
    picture = included_literals(estimator, x)
    row = np.asarray(_input.one_row(x), dtype=float).ravel()
    label = estimator.predict(_input.one_row(x))[0]
    height_width = _shape(estimator, shape)
    figure, axes = _subplots(1, 2)
    axes[0].imshow(row.reshape(height_width), cmap="gray_r")
    axes[0].set_title("input")
    _heat_map(axes[1], picture[list(estimator.classes_).index(label)].reshape(height_width))
    axes[1].set_title(f"why {label}")
    return figure


def _draw(estimator: TMClassifier, pictures: np.ndarray, shape: Any, classes: Any, columns: int) -> Any:
    labels = list(estimator.classes_)
    wanted = labels if classes is None else list(classes)
    for label in wanted:
        if label not in labels:
            raise ValueError(f"there is no class {label!r}; the classes are {estimator.classes_!r}")
    height_width = _shape(estimator, shape)
    columns = min(columns, len(wanted))
    figure, axes = _subplots(-(-len(wanted) // columns), columns)
    for axis, label in zip(axes, wanted):
        _heat_map(axis, pictures[labels.index(label)].reshape(height_width))
        axis.set_title(str(label))
    return figure


def _shape(estimator: TMClassifier, shape: tuple[int, int] | None) -> tuple[int, int]:
    pixels = estimator.n_features_in_
    if shape is None:
        width = estimator.booleanizer_.mapping_.image_width or round(pixels**0.5)
        shape = (pixels // width, width)
    if shape[0] * shape[1] != pixels:
        raise ValueError(f"shape must have {pixels} pixels, as the data have columns; got {shape}")
    return shape


def _subplots(rows: int, columns: int) -> tuple[Any, list[Any]]:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install falsum[plot]") from error
    figure, grid = plt.subplots(rows, columns, squeeze=False, figsize=(2.2 * columns, 2.4 * rows), layout="constrained")
    for axis in grid.ravel():
        axis.axis("off")
    return figure, list(grid.ravel())


def _heat_map(axis: Any, picture: np.ndarray) -> None:
    most = max(np.abs(picture).max(), 1)
    axis.imshow(picture, cmap="RdBu_r", vmin=-most, vmax=most)

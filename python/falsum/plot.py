"""Pictures of learned clauses and of probabilities, with matplotlib.

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

__all__ = ["included_literals", "plot_clauses", "plot_explanation", "plot_patterns", "reliability"]


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
    weights = csr_matrix((np.where(counted, votes, 0), voters, weight_starts), shape=(model.outputs, len(starts) - 1))
    wanted = (weights @ clauses).toarray()
    picture = np.zeros((estimator.n_features_in_, model.outputs))
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


def plot_patterns(estimator: TMClassifier, label: Any, *, count: int = 4, shape: tuple[int, int] | None = None) -> Any:
    """Single clauses that vote for a class, those with the most votes first: pixels that must be on (red) and off (blue).

    Of a machine with patches: on the left what a clause looks for, on the right the image; the rectangle is all that the patch can cover
    where the clause allows it, and positions of its upper left corner are dark. Of a fuzzy machine the title says what a clause
    forgives. Returns the matplotlib Figure.
    """
    estimator._check_fitted()
    labels = list(estimator.classes_)
    if label not in labels:
        raise ValueError(f"there is no class {label!r}; the classes are {estimator.classes_!r}")
    if isinstance(count, bool) or not hasattr(count, "__index__") or not 1 <= count <= 100:
        raise ValueError(f"count must be a whole number from 1 to 100, got {count!r}")
    model = estimator.model_
    starts, literals, weight_starts, voters, votes = model.clauses
    output = labels.index(label)
    mine = slice(weight_starts[output], weight_starts[output + 1])
    ranked = sorted(zip(voters[mine], votes[mine]), key=lambda vote: -vote[1])
    chosen = [(c, w) for c, w in ranked if w > 0 and starts[c + 1] > starts[c]][:count]
    if not chosen:
        raise ValueError(f"no clause votes for {label!r}")
    patch = _patch_sides(model.options)
    figure, axes = _subplots(len(chosen), 2) if patch else _subplots(-(-len(chosen) // 4), min(4, len(chosen)))
    for i, (clause, weight) in enumerate(chosen):
        ids = literals[starts[clause] : starts[clause + 1]]
        if patch:
            _draw_patch(axes[2 * i], axes[2 * i + 1], ids, patch)
            axes[2 * i].set_title(f"{weight} vote{'s' if weight != 1 else ''}")
            axes[2 * i + 1].set_title("where")
            continue
        wanted = np.zeros(2 * model.features)
        wanted[ids] = 1
        picture = np.zeros(estimator.n_features_in_)
        np.add.at(picture, _column_of_feature(estimator), wanted[: model.features] - wanted[model.features :])
        _heat_map(axes[i], picture.reshape(_shape(estimator, shape)))
        axes[i].set_title(_votes_told(model.options, int(weight), len(ids)), fontsize="small")
    return figure


def _votes_told(options: dict[str, Any], weight: int, length: int) -> str:
    most = options["fuzzy"]
    if most == 0:
        return f"{weight} vote{'s' if weight != 1 else ''}, {length} literals"
    if options["clamp"]:
        most = min(most, length)
    return f"{most} votes, one less for each\nof {length} literals that is false"


def _patch_sides(options: dict[str, Any]) -> tuple[list[int], list[int], list[int]] | None:
    """(rows, columns, channels) of the image, (rows, columns) of the patch and of the stride."""
    if not options["patch"]:
        return None
    image = [int(side) for side in options["image"].split("x")]
    patch, stride = ([int(side) for side in options[name].split("x")] for name in ("patch", "stride"))
    return (image + [1])[:3], patch, stride


def _draw_patch(left: Any, right: Any, ids: np.ndarray, sides: tuple[list[int], list[int], list[int]]) -> None:
    (height, width, channels), (rows, columns), (row_stride, column_stride) = sides
    down, across = (height - rows) // row_stride + 1, (width - columns) // column_stride + 1
    places = down - 1 + across - 1
    features = places + rows * columns * channels
    wanted = np.zeros(2 * features)
    wanted[ids] = 1
    content = (wanted[:features] - wanted[features:])[places:].reshape(rows, columns, channels).sum(axis=2)
    _heat_map(left, content)
    on, off = wanted[:features], wanted[features:]

    def limits(first: int, count: int) -> tuple[int, int]:
        """Bit t is on at positions above t: included ones raise the first position, negated ones lower the last."""
        above, below = np.flatnonzero(on[first : first + count]), np.flatnonzero(off[first : first + count])
        return (int(above.max()) + 1 if above.size else 0, int(below.min()) if below.size else count)

    (top, bottom), (first, last) = limits(0, down - 1), limits(down - 1, across - 1)
    image = np.zeros((height, width))
    if top <= bottom and first <= last:
        image[top * row_stride : bottom * row_stride + rows, first * column_stride : last * column_stride + columns] = 0.35
        image[np.ix_(np.arange(top, bottom + 1) * row_stride, np.arange(first, last + 1) * column_stride)] = 0.8
    right.imshow(image, cmap="Greys", vmin=0, vmax=1)
    right.add_patch(_frame(width, height))


def _frame(width: int, height: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((-0.5, -0.5), width, height, fill=False, edgecolor="#888888", linewidth=1)


def reliability(estimator: TMClassifier, X: Any, y: Any, *, bins: int = 15) -> Any:
    """A reliability diagram: are 80 of 100 answers right that are given with a probability of 0.8?

    Rows are put into ``bins`` by their largest probability. Above, the share of right answers in each bin and its mean
    probability, which lie on the diagonal if the probabilities are right; the title has the calibration error, the mean distance.
    The vertical lines are two standard errors: bins with few rows are off the diagonal by chance.
    Below, how many rows each bin has. Takes rows that were not learned from. Returns the matplotlib Figure.
    """
    if isinstance(bins, bool) or not hasattr(bins, "__index__") or not 1 <= bins <= 1000:
        raise ValueError(f"bins must be a whole number from 1 to 1000, got {bins!r}")
    probabilities = estimator.predict_proba(X)
    labels = np.asarray(y)
    if labels.shape != (len(probabilities),):
        raise ValueError(f"X has {len(probabilities)} rows, but y has the shape {labels.shape}")
    right = estimator.classes_[probabilities.argmax(axis=1)] == labels
    return _reliability(probabilities.max(axis=1), right, int(bins))


def _reliability(sure: np.ndarray, right: np.ndarray, bins: int) -> Any:
    places = np.minimum((sure * bins).astype(int), bins - 1)
    counts = np.bincount(places, minlength=bins)
    used = counts > 0
    said = np.bincount(places, sure, bins)[used] / counts[used]
    found = np.bincount(places, right, bins)[used] / counts[used]
    error = float(np.abs(said - found) @ counts[used]) / max(len(sure), 1)
    figure, (above, below) = _subplots(2, 1)
    figure.set_size_inches(4, 4.8)
    above.get_gridspec().set_height_ratios([4, 1])
    for axis in (above, below):
        axis.axis("on")
        axis.set_xlim(0, 1)
    above.plot([0, 1], [0, 1], color="#888888", linewidth=1, linestyle="--")
    # Where few rows are in a bin, what was found may be chance: two standard errors of a share.
    spread = 2 * np.sqrt(np.maximum(said * (1 - said), 1e-9) / counts[used])
    above.errorbar(said, found, yerr=spread, color="#1f77b4", marker="o", markersize=4, linewidth=1.2, elinewidth=0.8)
    above.set(ylim=(0, 1.02), ylabel="share of right answers", title=f"calibration error {100 * error:.2f}%")
    above.grid(alpha=0.3)
    below.bar((np.arange(bins) + 0.5) / bins, counts, width=0.9 / bins, color="#1f77b4")
    below.set(xlabel="largest probability", ylabel="rows")
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

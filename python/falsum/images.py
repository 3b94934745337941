"""Grey and colour values of images as truth values, for machines with patches.

Images are arrays of values from 0 to 255: (images, rows, columns), or (images, rows, columns, channels). The results are arrays of
bool of 4 dimensions, as `TMClassifier` with ``patch_shape`` takes them.

    X = falsum.images.thermometer(photographs, levels=8)
    TMClassifier(patch_shape=(3, 3), weighted=True, threshold=1500, specificity=2.5).fit(X, y)
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

__all__ = ["adaptive_gaussian", "gradient_histogram", "gradient_maps", "load_cifar10", "load_digits", "load_folder", "thermometer"]

_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")


def thermometer(X: Any, levels: int = 8) -> np.ndarray:
    """``levels`` bits for each value: bit z is on where the value is at least (z + 1) * 255 / (levels + 1).

    The bits of the first channel come first. With levels=1 a value is on from the middle of the range.
    """
    values = _values(X)
    if isinstance(levels, bool) or not isinstance(levels, (int, np.integer)) or not 1 <= levels <= 255:
        raise ValueError(f"levels must be a whole number from 1 to 255, got {levels!r}")
    least = (np.arange(levels) + 1) * 255 / (levels + 1)
    bits: np.ndarray = values[..., None] >= least
    return bits.reshape(*values.shape[:3], -1)


def adaptive_gaussian(X: Any, block: int = 11, offset: float = 2) -> np.ndarray:
    """On where a value is more than the mean around it less ``offset``, for each channel by itself.

    The mean is that of ``block`` x ``block`` values with the weights of a Gaussian (of deviation 0.3 * ((block - 1) / 2 - 1) + 0.8),
    rounded to a whole number; values at the border are repeated outside. So it finds edges and ignores brightness; flat areas are on.
    OpenCV's ``adaptiveThreshold`` is the same.
    """
    values = _values(X)
    if isinstance(block, bool) or not isinstance(block, (int, np.integer)) or block < 3 or block % 2 == 0:
        raise ValueError(f"block must be an odd whole number of at least 3, got {block!r}")
    half = block // 2
    weights = np.exp(-0.5 * ((np.arange(block) - half) / (0.3 * (half - 1) + 0.8)) ** 2)
    weights /= weights.sum()
    bits = np.empty(values.shape, dtype=bool)
    for i, image in enumerate(values):  # one at a time: numbers take eight times the memory
        mean = np.pad(image.astype(np.float64), ((half, half), (half, half), (0, 0)), mode="edge")
        mean = sum(w * mean[k : k + image.shape[0]] for k, w in enumerate(weights))
        mean = sum(w * mean[:, k : k + image.shape[1]] for k, w in enumerate(weights))
        bits[i] = image > np.rint(mean) - offset
    return bits


def gradient_histogram(X: Any, cell: int = 4, block: int = 3, bins: int = 18, least: float = 0.1, clip: float = 0.2) -> np.ndarray:
    """Which directions edges have around each place: a histogram of gradients, as bits of flat rows.

    The gradient of the square root of the values (of the channel where it is longest) votes for the two directions of ``bins`` that
    are nearest to its own, with its length, in its cell of ``cell`` x ``cell`` pixels. ``block`` x ``block`` cells are made one vector
    of length 1, no value of which may exceed ``clip`` of it; blocks overlap. A bit is on where a value is at least ``least``.

    Returns (images, bits): 36 blocks of 9 cells of 18 directions, 5,832 bits, for images of 32 x 32. It is not OpenCV's
    ``HOGDescriptor``, which also spreads a vote over neighbouring cells.
    """
    values = _values(X)
    for name, value, lowest in (("cell", cell, 2), ("block", block, 1), ("bins", bins, 2)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < lowest:
            raise ValueError(f"{name} must be a whole number of at least {lowest}, got {value!r}")
    for name, share in (("least", least), ("clip", clip)):
        if not 0 < share <= 1:
            raise ValueError(f"{name} must be above 0 and at most 1, got {share!r}")
    down, across = values.shape[1] // cell, values.shape[2] // cell
    if down < block or across < block:
        raise ValueError(f"X must have at least {block} x {block} cells of {cell} x {cell} pixels, got images of {values.shape[1:3]}")
    blocks = (down - block + 1) * (across - block + 1)
    bits = np.empty((len(values), blocks * block * block * bins), dtype=bool)
    for i, image in enumerate(values):
        cells = _cells(np.sqrt(image.astype(np.float64)), cell, bins)
        windows = np.lib.stride_tricks.sliding_window_view(cells, (block, block), axis=(0, 1))
        vectors = windows.transpose(0, 1, 3, 4, 2).reshape(blocks, -1)
        vectors = _unit(np.minimum(_unit(vectors), clip))
        bits[i] = (vectors >= least).ravel()
    return bits


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths: np.ndarray = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.asarray(vectors / np.maximum(lengths, 1e-9))


def _cells(image: np.ndarray, cell: int, bins: int) -> np.ndarray:
    """For each cell the lengths of its gradients by direction."""
    padded = np.pad(image, ((1, 1), (1, 1), (0, 0)), mode="edge")
    dx, dy = padded[1:-1, 2:] - padded[1:-1, :-2], padded[2:, 1:-1] - padded[:-2, 1:-1]
    longest = (dx**2 + dy**2).argmax(axis=2)[..., None]
    dx, dy = np.take_along_axis(dx, longest, 2)[..., 0], np.take_along_axis(dy, longest, 2)[..., 0]
    length = np.hypot(dx, dy)
    place = np.arctan2(dy, dx) % (2 * np.pi) * bins / (2 * np.pi)
    low = np.floor(place).astype(int)
    share = place - low
    down, across = image.shape[0] // cell, image.shape[1] // cell
    cells = np.zeros((down, across, bins))
    rows, columns = np.indices(length.shape) // cell
    inside = (rows < down) & (columns < across)
    for direction, votes in ((low % bins, length * (1 - share)), ((low + 1) % bins, length * share)):
        np.add.at(cells, (rows[inside], columns[inside], direction[inside]), votes[inside])
    return cells


_LINE_3, _LINE_7 = np.ones((3, 3)), np.ones((7, 7))
_LINE_3[:] = [[-1, 2, -1]] * 3
_LINE_7[:] = [[-2, -2, 1, 6, 1, -2, -2]] * 7
#: an edge, a diagonal edge, a wide and a narrow line; each is also used turned by 90 degrees
_FILTERS = (
    np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=float),
    np.array([[0, 1, 2, 1, 0], [-1, 0, 3, 2, 1], [-2, -3, 0, 3, 2], [-1, -2, -3, 0, 1], [0, -1, -2, -1, 0]], dtype=float),
    _LINE_7,
    _LINE_3,
)


def gradient_maps(X: Any) -> np.ndarray:
    """76 bits for each value: how bright it is, and how it answers to eight filters, by ranks within its image and channel.

    Brightness: more than 0, and more than the 25%, 50% and 75% quantiles of the positive values. Each filter (an edge, a diagonal edge,
    a wide and a narrow line, and each of them turned by 90 degrees): more than 0 and than the 25%, 34%, 50% and 75% quantiles of its
    positive answers, and less than the same quantiles of its negative answers. For fuzzy machines: flat rows are ``bits.reshape(n, -1)``.
    """
    values = _values(X)
    bits = np.empty((*values.shape, 76), dtype=bool)
    for first in range(0, len(values), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        for z in range(values.shape[3]):
            planes = values[some, :, :, z].astype(np.float64)
            maps = _above(planes, (0.25, 0.5, 0.75))
            for filter_ in _FILTERS:
                for turned in (filter_, np.rot90(filter_)):
                    answers = _filtered(planes, turned)
                    maps += _above(answers, (0.25, 0.34, 0.5, 0.75))
                    maps += _above(-answers, (0.25, 0.34, 0.5, 0.75))[1:]
            bits[some, :, :, z] = np.stack(maps, axis=-1)
    return bits.reshape(*values.shape[:3], -1)


_AT_ONCE = 64  # images: their numbers stay in the caches


def _above(planes: np.ndarray, quantiles: tuple[float, ...]) -> list[np.ndarray]:
    """More than 0, and more than the quantiles of the positive values of the image, as np.quantile has them."""
    images, *size = planes.shape
    flat = planes.reshape(images, -1)
    positive = flat > 0
    counts = positive.sum(axis=1)
    ascending = np.sort(np.where(positive, flat, np.inf), axis=1)
    maps = [positive]
    for quantile in quantiles:
        place = quantile * np.maximum(counts - 1, 0)
        low = place.astype(int)
        share = place - low
        below, above = (ascending[np.arange(images), np.minimum(k, np.maximum(counts - 1, 0))] for k in (low, low + 1))
        with np.errstate(invalid="ignore"):  # nothing is positive: infinity less infinity
            step = np.where(counts > 0, above - below, 0)
        limit = np.where(share < 0.5, below + step * share, above - step * (1 - share))
        maps.append(flat > limit[:, None])
    return [plane.reshape(images, *size) for plane in maps]


def _filtered(planes: np.ndarray, filter_: np.ndarray) -> np.ndarray:
    half = len(filter_) // 2
    padded = np.pad(planes, ((0, 0), (half, half), (half, half)))
    _, height, width = planes.shape
    answers = np.zeros(planes.shape)
    for (r, c), weight in np.ndenumerate(filter_):
        if weight:
            answers += weight * padded[:, r : r + height, c : c + width]
    return answers


def load_folder(
    path: str | os.PathLike[str], size: tuple[int, int] | None = None, *, colour: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The pictures in a folder that has a folder for each class, named as it: values (images, rows, columns[, 3]), and their classes.

    PNG, JPEG and what else Pillow reads, in the order of their names; other files are left out. Pictures are scaled to ``size``, (rows,
    columns); without it all must have one size.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise ImportError("pictures need Pillow: pip install falsum[images]") from error
    if size is not None and (len(size) != 2 or not all(isinstance(side, (int, np.integer)) and side > 0 for side in size)):
        raise ValueError(f"size must be (rows, columns), two whole numbers of at least 1, got {size!r}")
    folder = os.fspath(path)
    classes = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    pictures: list[np.ndarray] = []
    labels: list[str] = []
    first = ""
    for label in classes:
        for name in sorted(os.listdir(os.path.join(folder, label))):
            if not name.lower().endswith(_PICTURES):
                continue
            file = os.path.join(folder, label, name)
            try:
                with Image.open(file) as picture:
                    converted = picture.convert("RGB" if colour else "L")
            except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
                raise ValueError(f"{file} is not a picture that can be read: {error}") from error
            if size is not None:
                converted = converted.resize((int(size[1]), int(size[0])), Image.Resampling.BILINEAR)
            values = np.asarray(converted)
            if pictures and values.shape != pictures[0].shape:
                raise ValueError(
                    f"{file} has the size {values.shape[:2]} and {first} {pictures[0].shape[:2]}; size=(rows, columns) scales them"
                )
            first = first or file
            pictures.append(values)
            labels.append(label)
    if not pictures:
        raise ValueError(f"{folder} has no folder with pictures ({', '.join(_PICTURES)}) in it; each class has a folder of its own")
    return np.stack(pictures), np.array(labels)


def load_cifar10(*paths: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """The images (images, 32, 32, 3) and classes of CIFAR-10's binary files, as data_batch_1.bin; the files one after the other."""
    if not paths:
        raise ValueError("load_cifar10 needs the path of at least one file, as data_batch_1.bin")
    images, labels = [], []
    for path in paths:
        content = np.fromfile(os.fspath(path), dtype=np.uint8)
        if content.size == 0 or content.size % 3073 != 0:
            raise ValueError(f"{os.fspath(path)} has {content.size} bytes; a file of CIFAR-10 has 3073 for each image")
        records = content.reshape(-1, 3073)
        if records[:, 0].max() > 9:
            raise ValueError(f"{os.fspath(path)} is no file of CIFAR-10: class {records[:, 0].max()}, expected 0 to 9")
        images.append(records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        labels.append(records[:, 0])
    return np.concatenate(images), np.concatenate(labels).astype(np.int64)


def load_digits() -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's 1,797 digits of 8 x 8 pixels, with values from 0 to 255 as the functions here take them."""
    from sklearn.datasets import load_digits as load

    digits = load()
    return np.rint(digits.images * (255 / 16)).astype(np.uint8), digits.target


def _values(X: Any) -> np.ndarray:
    values = np.asarray(X)
    if values.ndim not in (3, 4) or 0 in values.shape:
        raise ValueError(f"X must be images of 3 or 4 dimensions that are not empty, got an array of shape {values.shape}")
    if values.dtype.kind not in "iuf" or not (values.min() >= 0 and values.max() <= 255):  # also finds NaN
        raise ValueError(f"X must hold values from 0 to 255, got {values.dtype} from {values.min()} to {values.max()}")
    return values if values.ndim == 4 else values[..., None]

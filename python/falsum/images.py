"""Grey and colour values of images as truth values, for machines with patches.

Images are arrays of values from 0 to 255: (images, rows, columns), or (images, rows, columns, channels). The results are arrays of
bool of 4 dimensions, as `TMClassifier` with ``patch_shape`` takes them.

    X = falsum.images.thermometer(photographs, levels=8)
    TMClassifier(patch_shape=(3, 3), weighted=True, threshold=1500, specificity=2.5).fit(X, y)
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["adaptive_gaussian", "thermometer"]


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


def _values(X: Any) -> np.ndarray:
    values = np.asarray(X)
    if values.ndim not in (3, 4) or 0 in values.shape:
        raise ValueError(f"X must be images of 3 or 4 dimensions that are not empty, got an array of shape {values.shape}")
    if values.dtype.kind not in "iuf" or not (values.min() >= 0 and values.max() <= 255):  # also finds NaN
        raise ValueError(f"X must hold values from 0 to 255, got {values.dtype} from {values.min()} to {values.max()}")
    return values if values.ndim == 4 else values[..., None]

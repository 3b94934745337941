"""Images as truth values, against plain loops."""

import math

import numpy as np
import pytest
from conftest import small

from falsum import images


@pytest.fixture(scope="module")
def photographs():
    return np.random.RandomState(4).randint(0, 256, (3, 7, 9, 2)).astype(np.uint8)


def test_a_thermometer_has_a_bit_for_each_level_channel_by_channel(photographs):
    bits = images.thermometer(photographs, levels=3)
    assert bits.shape == (3, 7, 9, 6) and bits.dtype == bool
    for (i, r, c, z), on in np.ndenumerate(bits):
        assert on == (photographs[i, r, c, z // 3] >= (z % 3 + 1) * 255 / 4)
    assert (images.thermometer(photographs[..., 0], levels=1) == (photographs[..., :1] >= 127.5)).all()


def test_the_adaptive_mean_is_that_of_plain_loops(photographs):
    bits = images.adaptive_gaussian(photographs, block=5, offset=3)
    assert bits.shape == photographs.shape
    deviation = 0.3 * ((5 - 1) / 2 - 1) + 0.8
    weight = [math.exp(-((k - 2) ** 2) / (2 * deviation**2)) for k in range(5)]
    for (i, r, c, z), on in np.ndenumerate(bits):
        mean = 0.0
        for dr in range(5):
            for dc in range(5):
                row, column = min(max(r + dr - 2, 0), 6), min(max(c + dc - 2, 0), 8)
                mean += weight[dr] * weight[dc] * photographs[i, row, column, z] / sum(weight) ** 2
        assert on == (photographs[i, r, c, z] > round(mean) - 3)
    assert images.adaptive_gaussian(np.full((1, 4, 4), 9)).all()  # a flat area


def test_a_machine_learns_from_them():
    random = np.random.RandomState(5)
    X = random.randint(0, 100, (200, 5, 6))
    y = random.randint(0, 2, 200)
    for image, label in zip(X, y):  # a bright or a half-bright pixel somewhere
        image[random.randint(0, 5), random.randint(0, 6)] = 250 if label else 160
    bits = images.thermometer(X, levels=3)
    fitted = small(clauses=20, threshold=40, weighted=True, specificity=4.0, epochs=10, patch_shape=(1, 1)).fit(bits, y)
    assert fitted.score(bits, y) > 0.95


@pytest.mark.parametrize(
    "call, sentence",
    [(lambda: images.thermometer(np.zeros((2, 3))), "must be images of 3 or 4 dimensions"),
     (lambda: images.thermometer(np.full((1, 2, 2), 256)), "values from 0 to 255"),
     (lambda: images.thermometer(np.full((1, 2, 2), np.nan)), "values from 0 to 255"),
     (lambda: images.thermometer(np.zeros((1, 2, 2)), levels=0), "levels must be a whole number from 1 to 255, got 0"),
     (lambda: images.adaptive_gaussian(np.zeros((1, 2, 2)), block=4), "block must be an odd whole number of at least 3, got 4")],
)  # fmt: skip
def test_what_is_no_image_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()

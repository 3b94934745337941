"""Tsetlin machines by falsification: fast, exact and readable.

>>> from falsum import TMClassifier
>>> from falsum.datasets import load_mnist
"""

from typing import Union

from falsum import _files, datasets, images, plot
from falsum._booleanizer import Booleanizer
from falsum._classifier import TMClassifier
from falsum._core import version as _version
from falsum._read import read
from falsum._regressor import TMRegressor
from falsum._rules import Explanation, Rule
from falsum._tune import TuneResult, tune

__version__: str = _version()
__all__ = [
    "Booleanizer", "Explanation", "Rule", "TMClassifier", "TMRegressor", "TuneResult", "datasets", "images", "load", "plot", "read", "tune",
]  # fmt: skip


def load(path: _files.Path) -> Union[TMClassifier, TMRegressor]:
    """The estimator of a model file: `TMClassifier`, or `TMRegressor` where it answers numbers."""
    model = _files.load(path)
    estimator: Union[TMClassifier, TMRegressor]
    estimator = _files.estimator_of(TMRegressor if TMRegressor._may_be(model.options["task"]) else TMClassifier, model, path)
    return estimator

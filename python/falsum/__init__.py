"""Tsetlin machines by falsification: fast, exact and readable.

>>> from falsum import TMClassifier
>>> from falsum.datasets import load_mnist
"""

from typing import Union

from falsum import _files, datasets, images, plot
from falsum._booleanizer import Booleanizer
from falsum._classifier import TMClassifier
from falsum._composite import TMComposite
from falsum._core import version as _version
from falsum._import import from_green, from_json, from_pytm, from_tmu
from falsum._incremental import Change, IncrementalPredictor
from falsum._learning import TrainingWarning
from falsum._packed import PackedRows, open_rows, pack
from falsum._read import read
from falsum._regressor import TMRegressor
from falsum._rules import Explanation, Rule
from falsum._tune import TuneResult, tune

__version__: str = _version()
__all__ = [
    "Booleanizer",
    "Change",
    "Explanation",
    "IncrementalPredictor",
    "PackedRows",
    "Rule",
    "TMClassifier",
    "TMComposite",
    "TMRegressor",
    "TrainingWarning",
    "TuneResult",
    "datasets",
    "from_green",
    "from_json",
    "from_pytm",
    "from_tmu",
    "images",
    "load",
    "open_rows",
    "pack",
    "plot",
    "read",
    "tune",
]


def load(path: _files.Path) -> Union[TMClassifier, TMRegressor]:
    """The estimator of a model file: `TMClassifier`, or `TMRegressor` where it answers numbers."""
    model = _files.load(path)
    estimator: Union[TMClassifier, TMRegressor]
    estimator = _files.estimator_of(TMRegressor if TMRegressor._may_be(model.options["task"]) else TMClassifier, model, path)
    return estimator

"""Tsetlin machines by falsification: fast, exact and readable classifiers.

>>> from falsum import TMClassifier
>>> from falsum.datasets import load_mnist
"""

from falsum import datasets, plot
from falsum._booleanizer import Booleanizer
from falsum._classifier import TMClassifier
from falsum._core import version as _version
from falsum._read import read
from falsum._rules import Explanation, Rule

__version__: str = _version()
__all__ = ["Booleanizer", "Explanation", "Rule", "TMClassifier", "datasets", "load", "plot", "read"]

load = TMClassifier.load

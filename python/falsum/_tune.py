"""tune: which clauses, T, s, kind of machine and number of thresholds suit the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from falsum import _core
from falsum._booleanizer import Booleanizer
from falsum._classifier import TMClassifier

_QUANTILES = (16, 5, 40)  # as the command has them; the default first


@dataclass
class TuneResult:
    """What `tune` found. ``trials`` is a list of dictionaries, best first: the parameters that differ, the epochs it reached, its
    accuracy and log loss on rows held out."""

    best_estimator_: TMClassifier
    best_params_: dict[str, Any]
    trials: list[dict[str, Any]]
    both: dict[str, float] | None  #: the scores of the best two as one model, where they can be one
    takes_both: bool  #: whether the estimator's model is that


def tune(X: Any, y: Any, *, budget: float = 60.0, random_state: Any = None, n_jobs: int | None = None, **fixed: Any) -> TuneResult:
    """Finds parameters for these data by successive halving that continues machines, and learns the best from all rows.

    ``budget`` is about the seconds on one core, counted in work, so that the result is the same on every computer and for every
    ``n_jobs``. Other keyword arguments are parameters of `TMClassifier` that stay as they are given.

    >>> from falsum import tune
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> tune(X, y, budget=5, random_state=0).best_estimator_.score(X, y) > 0.9
    True
    """
    if isinstance(budget, bool) or not isinstance(budget, (int, float)) or not 0 < budget <= 1e7:
        raise ValueError(f"budget must be a number of seconds above 0 and up to 1e7, got {budget!r}")
    estimator = TMClassifier(random_state=random_state, n_jobs=n_jobs, **fixed)
    options = estimator._options()
    X, y = estimator._check_training(X, y, reset=True)
    if y.ndim != 1:
        raise ValueError("tune takes one label for each row")
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2 or len(y) < 3 * len(classes):
        raise ValueError(f"tune needs at least 2 classes and 3 rows for each, got {len(classes)} classes and {len(y)} rows")
    estimator.classes_ = classes
    booleanizers = _booleanizers(estimator, X)
    rows = [_core_bits(each, X) for each in booleanizers]
    kind = booleanizers[0].mapping_.kind
    quantiles = [int(each.bits or _QUANTILES[0]) for each in booleanizers] if kind == "columns" else []
    image = bool(booleanizers[0].mapping_.image_width)
    found = _core.tune(rows, quantiles, codes.astype(np.uint32), options, kind, image, len(classes), float(budget))
    best = found["trials"][0]
    estimator.booleanizer_ = booleanizers[best["data"]]
    params = _params(best["options"], quantiles[best["data"]] if quantiles else None)
    estimator.options_ = {name: best["options"][name] for name in (*params, "snapshots") if name in best["options"]}
    estimator.set_params(**{name: value for name, value in params.items() if name != "bits"})
    estimator.n_epochs_ = int(best["options"]["epochs"])
    estimator._take_model(
        found["model"].described(estimator._output_labels(), estimator.booleanizer_.mapping_, estimator._schema(), "Python")
    )
    trials = [
        {**_params(t["options"], quantiles[t["data"]] if quantiles else None), "reached": t["epochs"], **t["rungs"][-1]}
        for t in found["trials"]
    ]
    return TuneResult(estimator, params, trials, found["both"], bool(found["takes_both"]))


def _booleanizers(estimator: TMClassifier, X: Any) -> list[Booleanizer]:
    if estimator.booleanizer is not None:
        estimator._fit_booleanizer(X)
        return [estimator.booleanizer_]
    fitted: list[Booleanizer] = []
    for bits in _QUANTILES:
        estimator.booleanizer = Booleanizer(bits=bits)
        estimator._fit_booleanizer(X)
        if not fitted or (estimator.booleanizer_.mapping_.kind == "columns" and estimator.booleanizer_.mapping_ != fitted[0].mapping_):
            fitted.append(estimator.booleanizer_)
    estimator.booleanizer = None
    return fitted


def _core_bits(booleanizer: Booleanizer, X: Any) -> _core.Bits:
    rows = booleanizer._rows(X)
    if not isinstance(rows, _core.Bits):
        raise TypeError("tune takes dense rows: use X.toarray()")
    return rows


def _params(options: dict[str, Any], bits: int | None) -> dict[str, Any]:
    """What TMClassifier takes for them."""
    s, to = options["specificity"], options["specificity_to"]
    params = {name: options[name] for name in ("clauses", "threshold", "epochs", "snapshots", "weighted", "shared")}
    params["specificity"] = (s, to) if to else s
    if bits is not None:
        params["bits"] = bits
    return params

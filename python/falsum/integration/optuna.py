"""Optuna: trials that look bad are stopped while they learn (docs/python/searches.md)."""

from __future__ import annotations

from typing import Any

import optuna


class Pruning:
    """A callback for ``fit`` that tells an Optuna trial the score after every epoch, and prunes it where Optuna says so.

    Parameters
    ----------
    trial : optuna.trial.Trial
    X, y : data and labels, optional
        What to score after an epoch. None: the rows that ``early_stopping`` keeps aside.

    Examples
    --------
    >>> import optuna
    >>> from falsum import TMClassifier
    >>> from falsum.integration.optuna import Pruning
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> def objective(trial):
    ...     threshold = trial.suggest_int("threshold", 2, 50, log=True)
    ...     machine = TMClassifier(100, threshold, early_stopping=True, epochs=20, random_state=0, callbacks=[Pruning(trial)])
    ...     return machine.fit(X, y).best_score_
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(direction="maximize", pruner=optuna.pruners.HyperbandPruner())
    >>> study.optimize(objective, n_trials=5)
    >>> study.best_value > 0.8
    True
    """

    def __init__(self, trial: optuna.trial.BaseTrial, X: Any = None, y: Any = None) -> None:
        if (X is None) != (y is None):
            raise ValueError("Pruning takes X and y, or neither of them")
        self.trial, self.X, self.y = trial, X, y

    def __call__(self, report: dict[str, Any]) -> None:
        score = report.get("accuracy", report.get("r2")) if self.X is None else report["estimator"].score(self.X, self.y)
        if score is None:
            raise ValueError("Pruning has no rows to score: give it X and y, or the estimator early_stopping=True")
        self.trial.report(float(score), int(report["epoch"]))
        if self.trial.should_prune():
            raise optuna.TrialPruned(f"pruned after epoch {report['epoch']}")

"""falsum without tuning, and tuned, beside other libraries' defaults on ordinary tables: `make tabular`.

    python bench/tabular_report.py [--list report|development] [--folds 3] [--seeds 1] [--tables a,b] [--only law,forest]

Prints accuracy, log loss, calibration error (10 bins), mean rank, wins and losses, and seconds of processor time per fit. Nothing
is chosen by the report list.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import keel
import numpy as np
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from falsum import TMClassifier


def one_hot(model, scaled=False):
    numbers = StandardScaler() if scaled else "passthrough"
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_include="category")),
        (numbers, make_column_selector(dtype_include="number")),
    )
    return make_pipeline(columns, model)


def xgboost(seed):
    from xgboost import XGBClassifier

    return one_hot(XGBClassifier(random_state=seed, n_jobs=1, verbosity=0))


class Tuned:
    """falsum.tune as an estimator."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, X, y):
        from falsum import tune

        self.found = tune(X, y, random_state=self.seed, n_jobs=1)
        self.classes_ = self.found.best_estimator_.classes_
        return self

    def predict_proba(self, X):
        return self.found.best_estimator_.predict_proba(X)


MODELS = {
    "falsum": lambda seed: TMClassifier(random_state=seed, n_jobs=1),
    "falsum, tuned": Tuned,
    "forest": lambda seed: one_hot(RandomForestClassifier(random_state=seed, n_jobs=1)),
    "hist. boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed, categorical_features="from_dtype"),
    "XGBoost": xgboost,
    "logistic": lambda seed: one_hot(LogisticRegression(max_iter=2000, random_state=seed), scaled=True),
}


def scores(p, y):
    """Accuracy, log loss, expected calibration error of ten bins."""
    p = np.clip(p, 1e-15, 1)
    best, sure = p.argmax(axis=1), p.max(axis=1)
    right = best == y
    bins = np.minimum((sure * 10).astype(int), 9)
    gap = sum(abs((right[bins == b]).sum() - sure[bins == b].sum()) for b in range(10))
    return right.mean(), -np.log(p[np.arange(len(y)), y]).mean(), gap / len(y)


def measure(name, make, X, y, folds, seeds):
    rows = []
    for seed in range(seeds):
        for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y):
            start = time.process_time()
            model = make(seed).fit(X.iloc[train], y[train])
            seconds = time.process_time() - start
            p = np.zeros((len(test), int(y.max()) + 1))
            p[:, np.unique(y[train])] = model.predict_proba(X.iloc[test])
            rows.append((*scores(p, y[test]), seconds))
    return np.mean(rows, axis=0)


def ranks(values):
    """1 for the best of a row; equal values share their ranks."""
    rounded = -np.round(values, 6)
    return np.array([[1 + (row < v).sum() + ((row == v).sum() - 1) / 2 for v in row] for row in rounded])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", choices=("report", "development"), default="report")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tables", default="")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    names = [n for n in arguments.tables.split(",") if n] or (keel.REPORT if arguments.list == "report" else keel.DEVELOPMENT)
    models = {n: m for n, m in MODELS.items() if not arguments.only or n in arguments.only.split("+")}
    table = []
    for name in names:
        X, y = keel.load(name)
        results = [measure(n, make, X, y, arguments.folds, arguments.seeds) for n, make in models.items()]
        table.append(results)
        print(f"{name:30}" + "".join(f"{100 * r[0]:9.2f}" for r in results), flush=True)
    report(list(models), names, np.array(table))
    return 0


def report(models, names, table):
    accuracy = table[:, :, 0]
    rank = ranks(accuracy).mean(axis=0)
    print(f"\n{len(names)} tables\n| | accuracy % | rank | log loss | calibration error | seconds a fit | falsum wins-losses-ties |")
    print("|---|---|---|---|---|---|---|")
    for m, name in enumerate(models):
        mean = table[:, m].mean(axis=0)
        difference = np.round(accuracy[:, 0] - accuracy[:, m], 6)
        duel = "" if m == 0 else f"{(difference > 0).sum()}-{(difference < 0).sum()}-{(difference == 0).sum()}"
        print(f"| {name} | {100 * mean[0]:.2f} | {rank[m]:.2f} | {mean[1]:.3f} | {mean[2]:.3f} | {mean[3]:.2f} | {duel} |")
    if "forest" in models:
        behind = accuracy[:, 0] - accuracy[:, models.index("forest")]
        worst = int(behind.argmin())
        print(f"\nlargest loss to the forest: {names[worst]}, {100 * behind[worst]:.2f} points")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Labels and numbers beside scikit-learn: the second table of docs/family.md (make family, in the environment of `make python`).

    bench/beside.py [--seeds 3] [--only diabetes]

Each row is learned with three seeds, which generate the data or split them. The machine and the other method are measured with their
defaults, and with what a grid search over three folds of the training data chooses. With fewer than three
seeds nothing is written.
"""

import argparse
import os
import warnings

from family import BESIDE, PAGE, beside_table, write_page
from provenance import commit
from script import ROOT, chosen, read_results, run, say, write_results
from sklearn.datasets import load_diabetes, make_friedman1, make_multilabel_classification
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, root_mean_squared_error
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from falsum import TMClassifier, TMRegressor

SEEDS = 3


def labels_data(seed):
    return make_multilabel_classification(n_samples=2000, n_features=40, n_classes=10, n_labels=3, random_state=seed)


def diabetes_data(seed):
    return load_diabetes(return_X_y=True)


def friedman_data(seed):
    return make_friedman1(n_samples=2000, noise=1, random_state=seed)


def logistic(seed):
    return OneVsRestClassifier(make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)))


def forest(seed):
    return RandomForestRegressor(random_state=seed, n_jobs=1)


def labels_machine(seed):
    return TMClassifier(random_state=seed, n_jobs=1)


def numbers_machine(seed):
    return TMRegressor(random_state=seed, n_jobs=1)


FOREST = {"max_features": [0.33, 1.0], "min_samples_leaf": [1, 5]}
NUMBERS = {"error": ["squared", "linear"], "specificity": [2.0, 5.0], "epochs": [30]}
# A label that applies is worth more in F1 than one that does not: both methods may weigh it more.
LABELS = {"weighted": [True], "snapshots": [5], "max_literals": [4, 8], "negative_share": [0.7, 1.0]}
LOGISTIC = {
    "estimator__logisticregression__C": [0.01, 0.1, 1, 10],
    "estimator__logisticregression__class_weight": [None, {0: 0.7, 1: 1}, "balanced"],
}
# name -> data, share of it that is tested on, other method, its grid, the machine, its grid
ROWS = {
    "labels": (labels_data, 0.5, logistic, LOGISTIC, labels_machine, LABELS),
    "diabetes": (diabetes_data, 0.25, forest, FOREST, numbers_machine, NUMBERS),
    "friedman1": (friedman_data, 0.5, forest, FOREST, numbers_machine, NUMBERS),
}


def score(y, answers):
    """Of labels F1 of all decisions together, in per cent; of numbers RMSE."""
    if y.ndim == 2:
        return 100 * f1_score(y, answers, average="micro")
    return root_mean_squared_error(y, answers)


def measured(name, seed):
    """By way: the score on the test rows; and what the grid searches chose."""
    make, share, other, other_grid, machine, grid = ROWS[name]
    X, y = make(seed)
    X, X_test, y, y_test = train_test_split(X, y, test_size=share, random_state=seed)
    scoring = "f1_micro" if y.ndim == 2 else "neg_root_mean_squared_error"
    folds = KFold(3, shuffle=True, random_state=seed)
    found, best = {}, {}
    for way, model, searched in (("other", other, other_grid), ("machine", machine, grid)):
        found[way] = score(y_test, model(seed).fit(X, y).predict(X_test))
        search = GridSearchCV(model(seed), searched, cv=folds, scoring=scoring).fit(X, y)
        found[f"{way}_tuned"] = score(y_test, search.predict(X_test))
        best[way] = search.best_params_
    return {"seed": seed, "scores": found, "chosen": best}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="of " + ", ".join(ROWS))
    options = parser.parse_args(arguments)
    warnings.filterwarnings("ignore", module="sklearn")
    results = {}
    for name in chosen(options.only, ROWS):
        runs = []
        for seed in range(options.seeds):
            runs.append(measured(name, seed))
            say(f"{name}, seed {seed}: " + ", ".join(f"{way} {value:.3f}" for way, value in runs[-1]["scores"].items()))
        results[name] = {"source": commit(ROOT), "runs": runs}
    print(beside_table(results))
    if options.seeds >= SEEDS:
        kept = {**read_results(BESIDE), **results}
        write_results(BESIDE, kept)
        write_page()
        say(f"written: {os.path.relpath(PAGE, ROOT)}")
    return 0


if __name__ == "__main__":
    run("beside", main)

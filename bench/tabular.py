"""A new user's task: three data sets of scikit-learn, cross-validated, beside a tuned random forest.

    python bench/tabular.py

Prints accuracy over ten folds: falsum with its defaults, falsum tuned, and a random forest tuned over the same folds.
"""

import sklearn.datasets as datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from falsum import TMClassifier

FOREST = {"n_estimators": [300], "max_features": ["sqrt", 0.5], "min_samples_leaf": [1, 3]}
MACHINE = {"clauses": [400], "threshold": [20], "specificity": [3.0, 5.0], "epochs": [30, 60]}


def best(model, grid, X, y, folds):
    return GridSearchCV(model, grid, cv=folds).fit(X, y).best_score_


def main():
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    print(f"{'data':14} {'defaults':>9} {'tuned':>9} {'random forest, tuned':>22}")
    for name in ("breast_cancer", "digits", "wine"):
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        plain = cross_val_score(TMClassifier(random_state=0), X, y, cv=folds).mean()
        tuned = best(TMClassifier(random_state=0), MACHINE, X, y, folds)
        forest = best(RandomForestClassifier(random_state=0), FOREST, X, y, folds)
        print(f"{name:14} {plain:9.4f} {tuned:9.4f} {forest:22.4f}", flush=True)


if __name__ == "__main__":
    main()

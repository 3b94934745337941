"""The study behind the law of defaults: `make study`.

    python bench/study.py [law|many|tune] [--only T+epochs] [--thirds 1] [--check]

law   one number at a time is moved away from the law of few classes, on the development list (bench/keel.py): docs/figures/choosing.svg
      and a table
many  the law of few classes and that of many, with their probabilities, on tables of more than three classes
tune  falsum.tune on eight tables, beside an exhaustive search of a grid of T and s (scikit-learn's GridSearchCV: every setting learns
      on three folds of the rows that may be learned from), and beside the best of the grid with hindsight

Measures what bench/results/study.json lacks, without probabilities, which change no answer. A measurement tests a third of the rows:
those of one seed are the thirds of one division, and every setting is compared with the law on the same.
"""

from __future__ import annotations

import argparse
import os
import warnings

import script
import tables_page

RESULTS = os.path.join(script.ROOT, "bench", "results", "study.json")
FIGURE = os.path.join(script.ROOT, "docs", "figures", "choosing.svg")

# What is moved: its title, the value of the law, the others, and how the estimator is told.
SWEEPS = {
    "T": ("T, s 1.5 to 5", 40, (10, 20, 80), lambda v: {"threshold": v, "specificity": (1.5, 5)}),
    "T, s 2:20": ("T, s 2 to 20", None, (10, 20), lambda v: {"threshold": v, "specificity": (2, 20)}),
    "s": ("one s, T 40", None, (2, 3, 5, 10), lambda v: {"threshold": 40, "specificity": v}),
    "clauses": ("clauses", 400, (50, 100, 200, 800), lambda v: {"clauses": v}),
    "epochs": ("epochs, the same for any classes", None, (5, 10, 20, 60), lambda v: {"epochs": v}),
    "thresholds": ("thresholds of a column", 16, (4, 8, 32), lambda v: {"bits": v}),
    "averaged": ("epochs averaged", 5, (1, 2, 10), lambda v: {"snapshots": v}),
}
# The law of tables of up to three classes: the study measures it on all tables.
BASE = {"clauses": 400, "snapshots": 5}
MANY = {"law of few classes": BASE, "law": {}}
MANY_TABLES = "vehicle satimage marketing led7digit optdigits texture movement_libras classes-8 classes-11 classes-15 classes-26".split()
# So near the law that one third cannot tell: these are measured with so many.
CLOSE = {"clauses 800": 9}
FOLDS = 3
GRID = {"threshold": (5, 10, 20, 40), "specificity": (1.5, 3, 5, 10, (1.5, 5), (2, 20))}
GRID_TABLES = "iris wine breast-cancer digits vehicle german movement_libras ionosphere".split()


# ------------------------------------------------------------------------------------------------------- measuring


def table_named(name):
    import keel
    import pandas as pd
    from sklearn import datasets

    if name not in ("iris", "wine", "breast-cancer", "digits"):
        return keel.load(name)
    X, y = getattr(datasets, "load_" + name.replace("-", "_"))(return_X_y=True)
    return pd.DataFrame(X), y


def split(X, y, third):
    from sklearn.model_selection import StratifiedKFold

    seed, fold = divmod(third, FOLDS)
    return list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y))[fold]


def accuracy(make, X, y, third):
    learned_from, tested = split(X, y, third)
    answers = make(X.iloc[learned_from], y[learned_from]).predict(X.iloc[tested])
    return round(float((answers == y[tested]).mean()), 5)


def learned(parameters, seed):
    from falsum import Booleanizer, TMClassifier

    parameters = dict(parameters)
    booleanizer = Booleanizer(bits=parameters.pop("bits", None))
    machine = {"random_state": seed, "n_jobs": 1, "calibration": None, "booleanizer": booleanizer, **parameters}
    return lambda X, y: TMClassifier(**machine).fit(X, y)


def tuned(seed):
    from falsum import tune

    return lambda X, y: tune(X, y, random_state=seed, n_jobs=1).best_estimator_


def searched(seed):
    """The best of the grid, by rows held out of those that are learned from, as a user would have to choose it."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold

    from falsum import TMClassifier

    machine = TMClassifier(clauses=400, snapshots=5, random_state=seed, n_jobs=1, calibration=None)
    grid = {name: list(values) for name, values in GRID.items()}
    return lambda X, y: GridSearchCV(machine, grid, cv=StratifiedKFold(FOLDS, shuffle=True, random_state=seed)).fit(X, y)


def fill(results, setting, tables, thirds, make):
    """The accuracies of a setting on tables, a list of thirds each. `make` is told the seed."""
    found = results.setdefault(setting, {})
    for table in tables:
        of_table = found.setdefault(table, [])
        while len(of_table) < thirds:
            of_table.append(accuracy(make(len(of_table) // FOLDS), *table_named(table), len(of_table)))
            script.write_results(RESULTS, ALL)
    script.say(f"{setting:40} {100 * mean_of(found):.2f}")


def measure_law(only, thirds):
    import keel

    of_law = ALL.setdefault("law", {})
    moved = {f"{name} {value}": SWEEPS[name][3](value) for name in only for value in SWEEPS[name][2]}
    most = max([thirds, *(CLOSE.get(setting, 1) for setting in moved)])
    fill(of_law, "base", keel.DEVELOPMENT, most, lambda seed: learned(BASE, seed))
    for setting, told in moved.items():
        fill(of_law, setting, keel.DEVELOPMENT, max(thirds, CLOSE.get(setting, 1)), lambda seed, told=told: learned({**BASE, **told}, seed))


def accuracy_and_log_loss(parameters, X, y, third):
    import numpy as np

    from falsum import TMClassifier

    learned_from, tested = split(X, y, third)
    estimator = TMClassifier(random_state=third // FOLDS, n_jobs=1, **parameters).fit(X.iloc[learned_from], y[learned_from])
    p = np.clip(estimator.predict_proba(X.iloc[tested]), 1e-15, 1)
    y = y[tested]
    return [round(float(value), 5) for value in ((p.argmax(axis=1) == y).mean(), -np.log(p[np.arange(len(y)), y]).mean())]


def measure_many(thirds):
    of_many = ALL.setdefault("many", {})
    for table in MANY_TABLES:
        for name, parameters in MANY.items():
            found = of_many.setdefault(name, {}).setdefault(table, [])
            while len(found) < thirds:
                found.append(accuracy_and_log_loss(parameters, *table_named(table), len(found)))
                script.write_results(RESULTS, ALL)
            script.say(f"{name:20} {table:20} {100 * mean(row[0] for row in found):.2f}")


def measure_tune(thirds):
    of_tune = ALL.setdefault("tune", {})
    fill(of_tune, "tune", GRID_TABLES, thirds, tuned)
    fill(of_tune, "the law", GRID_TABLES, thirds, lambda seed: learned({}, seed))
    fill(of_tune, "grid search", GRID_TABLES, thirds, searched)
    for threshold in GRID["threshold"]:
        for s in GRID["specificity"]:
            told = {"clauses": 400, "threshold": threshold, "specificity": s, "snapshots": 5}
            shown = f"{s[0]}:{s[1]}" if isinstance(s, tuple) else s
            fill(of_tune, f"T {threshold}, s {shown}", GRID_TABLES, thirds, lambda seed, told=told: learned(told, seed))


# -------------------------------------------------------------------------------------------------------- reporting


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def mean_of(found):
    return mean(mean(thirds) for thirds in found.values())


def beside_law(found, law):
    """The mean difference to the law in points on the thirds that both were measured with, and its standard error over the tables."""
    return spread([100 * mean(a - b for a, b in zip(found[table], law[table])) for table in law])


def spread(differences):
    """Their mean and its standard error."""
    middle = mean(differences)
    return middle, (sum((d - middle) ** 2 for d in differences) / (len(differences) - 1) / len(differences)) ** 0.5


def points(of_law, name):
    """(value, difference, standard error) in the order of the values, those of the law among them; none if nothing was measured."""
    _, usual, values, _ = SWEEPS[name]
    law = of_law["base"]
    there = [(v, *beside_law(found, law)) for v in values if (found := of_law.get(f"{name} {v}", {})).keys() >= law.keys()]
    return sorted(there + ([(usual, 0.0, 0.0)] if there and usual is not None else []))


def shown_thirds(found):
    thirds = min(map(len, found.values()))
    return f" ({thirds} thirds)" if thirds > 1 else ""


def shown_point(found, value, difference, error):
    if found is None:
        return f"**{value}**"
    return f"{value}: {difference:+.2f} ± {error:.2f}{shown_thirds(found)}"


def law_table(of_law):
    lines = ["| moved | " + "points more or less than the law, ± one standard error over the tables |", "|---|---|"]
    for name, (title, *_) in SWEEPS.items():
        if not points(of_law, name):
            continue
        shown = [shown_point(of_law.get(f"{name} {v}"), v, d, e) for v, d, e in points(of_law, name)]
        lines.append(f"| {title} | {', '.join(shown)} |")
    law = of_law["base"]
    lines.append(f"| nothing | {100 * mean_of(law):.2f}% right, the mean of {len(law)} tables{shown_thirds(law)} |")
    return lines


def many_table(of_many):
    """Accuracy and log loss of both laws, and the differences with one standard error over the tables."""
    few, many = (of_many[name] for name in MANY)
    thirds = min(len(found) for of_law in (few, many) for found in of_law.values())
    lines = [
        f"| {thirds} thirds of each table | accuracy %, law of few classes | law | log loss, law of few classes | law |",
        "|---|---|---|---|---|",
    ]
    rows = {t: [factor * mean(row[i] for row in of[t]) for i, factor in ((0, 100), (1, 1)) for of in (few, many)] for t in few}
    rows["mean"] = [mean(column) for column in zip(*rows.values())]
    for table, (before, after, loss, loss_after) in rows.items():
        lines.append(f"| {table} | {before:.2f} | {after:.2f} | {loss:.3f} | {loss_after:.3f} |")
    del rows["mean"]
    (points, error), (losses, loss_error) = (spread([row[i + 1] - row[i] for row in rows.values()]) for i in (0, 2))
    lines.append(f"| difference | | {points:+.2f} ± {error:.2f} | | {losses:+.4f} ± {loss_error:.4f} |")
    return lines


def tune_row(title, law, tuned_, most, which, search=None):
    beside = "| | |" if search is None else f"| {search:.2f} | {tuned_ - search:+.2f} |"
    return f"| {title} | {law:.2f} | {tuned_:.2f} {beside} {most:.2f} | {which} |"


def tune_table(of_tune):
    """The grid search is shown where it was measured, its mean only if that is every table."""
    settings = [setting for setting in of_tune if setting not in ("the law", "tune", "grid search")]
    lines = ["| | law | tune | grid search | tune less the search | best with hindsight | which |", "|---|---|---|---|---|---|---|"]
    rows = []
    for table in of_tune["tune"]:
        best = max(settings, key=lambda setting: mean(of_tune[setting][table]))
        shown = ["the law", "tune", best, *(["grid search"] if table in of_tune.get("grid search", {}) else [])]
        rows.append([100 * mean(of_tune[setting][table]) for setting in shown])
        lines.append(tune_row(table, *rows[-1][:3], best, *rows[-1][3:]))
    means = [mean(column) for column in zip(*rows)]
    lines.append(tune_row("mean", *means[:3], "", *means[3:]))
    one = max(settings, key=lambda setting: mean_of(of_tune[setting]))
    lines.append(f"| the same for all | | | | | {100 * mean_of(of_tune[one]):.2f} | {one} |")
    return lines


def draw(of_law):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 4, figsize=(12, 5.4), layout="constrained", sharey=True)
    measured = [(name, *SWEEPS[name][:2]) for name in SWEEPS if points(of_law, name)]
    for axis, (name, title, usual) in zip(axes.flat, measured):
        values, differences, errors = zip(*points(of_law, name))
        axis.axhline(0, color="#888888", linewidth=1, linestyle="--")
        axis.errorbar(values, differences, errors, color="#1f77b4", marker="o", markersize=4, linewidth=1.2, capsize=2)
        if usual is not None:
            axis.plot([usual], [0], color="#d62728", marker="o", markersize=7, linestyle="none")
        axis.set(xscale="log", title=title, xticks=values, xticklabels=[str(v) for v in values])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(measured) :]:
        axis.set_axis_off()
    for row in axes:
        row[0].set_ylabel("points beside the law")
    figure.savefig(FIGURE, metadata={"Date": None})


ALL = {}


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("law", "many", "tune"), nargs="?", default="law")
    parser.add_argument("--only", type=lambda text: script.chosen(text.split("+"), SWEEPS), default=list(SWEEPS))
    parser.add_argument("--thirds", type=int, default=1, help="of the rows that are tested, one after the other; three are one seed")
    parser.add_argument("--check", action="store_true", help="only say whether the tables of docs/choosing.md are those of the results")
    arguments = parser.parse_args(argv)
    ALL.update(script.read_results(RESULTS))
    if not arguments.check:
        warnings.simplefilter("ignore")
        if arguments.part == "law":
            measure_law(arguments.only, arguments.thirds)
            draw(ALL["law"])
        elif arguments.part == "many":
            measure_many(arguments.thirds)
        else:
            measure_tune(arguments.thirds)
    tables = {}
    if "law" in ALL:
        tables["study"] = law_table(ALL["law"])
    if "many" in ALL:
        tables["many"] = many_table(ALL["many"])
    if "tune" in ALL:
        tables["grid"] = tune_table(ALL["tune"])
    if not arguments.check:
        print("\n".join(tables[{"law": "study", "many": "many", "tune": "grid"}[arguments.part]]))
    return tables_page.write(tables, arguments.check)


if __name__ == "__main__":
    script.run("study", main)

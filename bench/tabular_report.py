"""falsum without tuning, and tuned, beside other libraries' defaults on ordinary tables: `make tabular`.

    python bench/tabular_report.py [--list report|larger] [--tables a,b] [--only falsum+forest] [--seeds 3] [--again] [--check]

Measures what bench/results/tabular.json lacks (--again: also what it has), prints accuracy, log loss, calibration error (10 bins),
mean rank, wins and losses and seconds of processor time a fit, and writes the tables of docs/choosing.md. A seed is another division
into folds too, the same for all. falsum and falsum tuned each have a rank among the others. Of `larger` one fold of three is tested.
Nothing is chosen by these lists.
"""

from __future__ import annotations

import argparse
import functools
import os
import time
import warnings

import script
import tables_page

RESULTS = os.path.join(script.ROOT, "bench", "results", "tabular.json")
LISTS = ("report", "larger")
FOLDS = 3


# ---------------------------------------------------------------------------------------------------- the libraries


def one_hot(model, scaled=False):
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_include="category")),
        (StandardScaler() if scaled else "passthrough", make_column_selector(dtype_include="number")),
    )
    return make_pipeline(columns, model)


def falsum(seed):
    from falsum import TMClassifier

    return TMClassifier(random_state=seed, n_jobs=1)


class Tuned:
    """falsum.tune as an estimator."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, X, y):
        from falsum import tune

        self.found = tune(X, y, random_state=self.seed, n_jobs=1)
        return self

    def predict_proba(self, X):
        return self.found.best_estimator_.predict_proba(X)


def forest(seed):
    from sklearn.ensemble import RandomForestClassifier

    return one_hot(RandomForestClassifier(random_state=seed, n_jobs=1))


def boosting(seed):
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=seed, categorical_features="from_dtype")


def xgboost(seed):
    from xgboost import XGBClassifier

    return one_hot(XGBClassifier(random_state=seed, n_jobs=1, verbosity=0))


def logistic(seed):
    from sklearn.linear_model import LogisticRegression

    return one_hot(LogisticRegression(max_iter=2000, random_state=seed), scaled=True)


MODELS = {
    "falsum": falsum,
    "falsum, tuned": Tuned,
    "forest": forest,
    "hist. boosting": boosting,
    "XGBoost": xgboost,
    "logistic": logistic,
}


# ------------------------------------------------------------------------------------------------------- measuring


def scores(p, y):
    """Accuracy, log loss, expected calibration error of ten bins."""
    import numpy as np

    p = np.clip(p, 1e-15, 1)
    best, sure = p.argmax(axis=1), p.max(axis=1)
    right = best == y
    bins = np.minimum((sure * 10).astype(int), 9)
    gap = sum(abs((right[bins == b]).sum() - sure[bins == b].sum()) for b in range(10))
    return right.mean(), -np.log(p[np.arange(len(y)), y]).mean(), gap / len(y)


def measure(make, X, y, seed, folds):
    """The means of the folds: accuracy, log loss, calibration error, seconds of a fit."""
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    rows = []
    for train, test in list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y))[:folds]:
        start = time.process_time()
        model = make(seed).fit(X.iloc[train], y[train])
        seconds = time.process_time() - start
        p = np.zeros((len(test), int(y.max()) + 1))
        p[:, np.unique(y[train])] = model.predict_proba(X.iloc[test])
        rows.append((*scores(p, y[test]), seconds))
    return [round(float(mean), 5) for mean in np.mean(rows, axis=0)]


def measure_missing(arguments):
    """Results are read and written for every figure, so that several of these programs can run beside each other."""
    import keel

    warnings.simplefilter("ignore")
    larger = arguments.list == "larger"
    names = script.chosen(arguments.tables, keel.LARGER if larger else keel.REPORT)
    load = functools.cache(functools.partial(keel.load, most_rows=keel.ALL_ROWS if larger else keel.MOST_ROWS))
    for seed in range(arguments.seeds):
        for model in arguments.only:
            for table in names:
                known = script.read_results(RESULTS).get(arguments.list, {}).get(model, {}).get(table, [])
                if len(known) > seed and not arguments.again:
                    continue
                found = measure(MODELS[model], *load(table), seed, 1 if larger else FOLDS)
                results = script.read_results(RESULTS)
                results.setdefault(arguments.list, {}).setdefault(model, {})[table] = [*known[:seed], found]
                script.write_results(RESULTS, results)
                script.say(f"{model:15} seed {seed} {table:30} {100 * found[0]:.2f}")


# -------------------------------------------------------------------------------------------------------- reporting


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def complete(of_models):
    """The models that all tables were measured with, and their tables."""
    tables = list(of_models["falsum"])
    return [m for m in MODELS if all(of_models.get(m, {}).get(t) for t in tables)], tables


def rank(accuracies, model):
    """1 for the best; equal ones share their ranks."""
    mine = accuracies[model]
    better, equal = (sum(compare(a) for a in accuracies.values()) for compare in (lambda a: a > mine, lambda a: a == mine))
    return 1 + better + (equal - 1) / 2


OURS = ("falsum", "falsum, tuned")


def compared(of_models, models, table):
    """Their accuracies, of the divisions that all of them were measured with."""
    common = min(len(of_models[m][table]) for m in models)
    return {m: round(mean(row[0] for row in of_models[m][table][:common]), 5) for m in models}


def summary(of_models):
    models, tables = complete(of_models)
    lines = [
        "| | seeds | accuracy % (seeds) | rank | log loss | calibration error | seconds a fit | falsum wins-losses-ties |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for m in models:
        seeds = min(len(of_models[m][t]) for t in tables)
        means = [mean(mean(row[i] for row in of_models[m][t]) for t in tables) for i in range(4)]
        by_seed = [100 * mean(of_models[m][t][s][0] for t in tables) for s in range(seeds)]
        spread = f" ({min(by_seed):.2f} to {max(by_seed):.2f})" if seeds > 1 else ""
        duels = [compared(of_models, ("falsum", m), t) for t in tables]
        differences = [round(duel["falsum"] - duel[m], 5) for duel in duels]
        won, lost, equal = sum(d > 0 for d in differences), sum(d < 0 for d in differences), sum(d == 0 for d in differences)
        ranked = [other for other in models if other == m or other not in OURS or (other == "falsum" and m not in OURS)]
        ranks = mean(rank(compared(of_models, ranked, t), m) for t in tables)
        cells = [m, seeds, f"{100 * means[0]:.2f}{spread}", f"{ranks:.2f}", f"{means[1]:.3f}", f"{means[2]:.3f}", f"{means[3]:.2f}"]
        cells.append("" if m == "falsum" else f"{won}-{lost}-{equal}")
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def losses(of_models):
    """Where falsum loses most to the forest."""
    behind = {}
    for table, mine in of_models["falsum"].items():
        pairs = list(zip(mine, of_models["forest"][table]))
        behind[table] = mean(a[0] - b[0] for a, b in pairs)
    worst = sorted(behind, key=behind.get)[:5]
    return "largest losses to the forest: " + ", ".join(f"{t} {100 * behind[t]:.2f}" for t in worst)


def by_table(of_models):
    models, tables = complete(of_models)
    lines = ["| accuracy % | " + " | ".join(models) + " |", "|---" * (len(models) + 1) + "|"]
    for t in tables:
        lines.append(f"| {t} | " + " | ".join(f"{100 * mean(row[0] for row in of_models[m][t]):.2f}" for m in models) + " |")
    for title, i, factor in (("mean", 0, 100), ("mean log loss", 1, 1), ("mean calibration error", 2, 1), ("seconds a fit", 3, 1)):
        cells = [f"{factor * mean(mean(row[i] for row in of_models[m][t]) for t in tables):.{2 if i in (0, 3) else 3}f}" for m in models]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=LISTS, default="report")
    parser.add_argument("--tables", type=lambda text: text.split(","), default=[])
    parser.add_argument("--only", type=lambda text: script.chosen(text.split("+"), MODELS), default=list(MODELS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--check", action="store_true", help="only say whether the tables of docs/choosing.md are those of the results")
    arguments = parser.parse_args(argv)
    if not arguments.check:
        measure_missing(arguments)
    results = script.read_results(RESULTS)
    shown = {"report": ("tabular", summary), "larger": ("larger", by_table)}
    measured = {name: of_models for name, of_models in results.items() if "falsum" in of_models}
    tables = {shown[name][0]: shown[name][1](of_models) for name, of_models in measured.items()}
    if not arguments.check and arguments.list in measured:
        print("\n".join(tables[shown[arguments.list][0]]))
        if "forest" in complete(measured[arguments.list])[0]:
            print("\n" + losses(measured[arguments.list]))
    return tables_page.write(tables, arguments.check)


if __name__ == "__main__":
    script.run("tabular", main)

#!/usr/bin/env python3
"""How many rules carry 90% of the votes, and what pruning leaves, on four data sets: the table of docs/explain.md.

Models are learned from training rows, pruned on the same rows, and tested on others. `make explain-page` runs this;
--rows mnist,imdb limits it. Breast cancer is scikit-learn's copy; the table of people is generated here (no real person).
"""

import argparse
import csv
import json
import pathlib
import random
import resource
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--command", default="build/release/falsum")
parser.add_argument("--rows", default="breast cancer,people,mnist,imdb")
parser.add_argument("--within", default="0.5")
arguments = parser.parse_args()


def falsum(*words):
    return json.loads(subprocess.run([arguments.command, *map(str, words), "--json"], check=True, capture_output=True, text=True).stdout)


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def breast_cancer(folder):
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    rows = [[*values, data.target_names[label]] for values, label in zip(data.data.tolist(), data.target)]
    random.Random(1).shuffle(rows)
    header = [*data.feature_names, "label"]
    write(folder / "train.csv", header, rows[:400])
    write(folder / "test.csv", header, rows[400:])


def people(folder):
    """Like the census table "adult": mixed columns, a quarter of the rows positive, a label that is not certain."""
    draw = random.Random(2)
    rows = []
    for _ in range(12000):
        age, hours, school = draw.randint(17, 80), min(80, max(5, round(draw.gauss(40, 11)))), draw.randint(1, 16)
        married = draw.random() < min(0.75, (age - 15) / 40)
        work = draw.choice(["private", "public", "self-employed", "none"])
        gain = round(draw.expovariate(1 / 9000)) if draw.random() < 0.09 else 0
        score = 0.32 * (school - 9) + 0.045 * (min(age, 55) - 38) + 0.03 * (hours - 40) + 2.0 * married - 2.6
        score += 2.5 * (gain > 6000) - 1.5 * (work == "none")
        rich = draw.random() < 1 / (1 + 2.718281828 ** (-score))
        rows.append([age, work, school, "married" if married else "single", hours, gain, ">50K" if rich else "<=50K"])
    header = ["age", "work", "school years", "marital", "hours", "capital gain", "income"]
    write(folder / "train.csv", header, rows[:8000])
    write(folder / "test.csv", header, rows[8000:])


def mnist_parts(folder, first):
    import numpy

    from falsum import datasets

    data = datasets.load_mnist()
    for name, part in (("learn", slice(first)), ("held", slice(first, None))):
        numpy.savez(folder / f"{name}.npz", X=data.X_train[part], y=data.y_train[part])
    return [folder / "learn.npz"], [folder / "held.npz"]


def imdb_parts(folder, first):
    from falsum import datasets

    data = datasets.load_imdb()
    rows = [f"{label}\t{9 if label else 2}\t{i}\t{text}\n" for i, (text, label) in enumerate(zip(data.X_train, data.y_train))]
    random.Random(3).shuffle(rows)
    (folder / "imdb_train.tsv").write_text("".join(rows[:first]), encoding="utf-8")
    (folder / "imdb_test.tsv").write_text("".join(rows[first:]), encoding="utf-8")
    here = ["--data-directory", folder]
    return ["imdb:train", *here], ["imdb:test", *here]


def table_parts(folder, first):
    header, *rows = (folder / "train.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "learn.csv").write_text(header + "".join(rows[:first]), encoding="utf-8")
    (folder / "held.csv").write_text(header + "".join(rows[first:]), encoding="utf-8")
    return [folder / "learn.csv"], [folder / "held.csv"]


# name -> what makes train.csv and test.csv, what makes two parts of the training rows, rows of the first, options
SETS = {
    "breast cancer": (breast_cancer, table_parts, 333, ["--clauses", 100, "--epochs", 30]),
    "people": (people, table_parts, 6667, ["--clauses", 200, "--epochs", 15]),
    "mnist": (None, mnist_parts, 50000, ["--clauses", 500, "--epochs", 4]),
    "imdb": (None, imdb_parts, 20833, ["--clauses", 500, "--epochs", 2]),
}


def score(model, data):
    return 100 * falsum("evaluate", model, *data)["accuracy"]


def prune(model, data, small, within):
    """Its report, and the seconds of processor time that it took."""
    small.unlink(missing_ok=True)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    pruned = falsum("prune", model, *data, "-o", small, "--within", within)
    return pruned, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin


CARRY = ["data", "T", "s", "clauses", "rules", "carry 90%", "accuracy", "pruned: clauses", "carry 90%", "accuracy", "pruning takes"]
CHOICE = ["data", "pruned on rows", "within", "accuracy there", "after", "test", "after", "change", "clauses left"]


def carry(name, model, small, train, test):
    """Rules before and after pruning on the training rows."""
    made = falsum("inspect", model)
    s = f"{made['specificity']:g}" + (f":{made['specificity_to']:g}" if made["specificity_to"] else "")
    pruned, seconds = prune(model, train, small, arguments.within)
    cells = [name, made["threshold"], s, f"{pruned['before']['clauses']:,}"]
    for which, path in (("before", model), ("after", small)):
        rules = falsum("inspect", path, "--rules", 1, "--data", *test)["on_data"]
        cells += [f"{rules['count']:,}"] if which == "before" else [f"{pruned['after']['clauses']:,}"]
        cells += [f"{rules['carry_90_percent']:,}", f"{score(path, test):.2f}%"]
    return [*cells, f"{seconds:.1f} s"]


def choice(name, which, model, small, rows, test, within):
    """What pruning on these rows costs on the test rows."""
    pruned, _ = prune(model, rows, small, within)
    there = [f"{100 * pruned[f'accuracy_{when}']:.2f}%" for when in ("before", "after")]
    before, after = score(model, test), score(small, test)
    return [name, which, within, *there, f"{before:.2f}%", f"{after:.2f}%", f"{after - before:+.2f}", f"{pruned['after']['clauses']:,}"]


tables = {"carry": [CARRY], "choice": [CHOICE]}


def show(table, cells):
    tables[table].append(cells)
    print(" | ".join(map(str, cells)), flush=True)


for name in arguments.rows.split(","):
    make, make_parts, first, options = SETS[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        train, test = ([folder / "train.csv"], [folder / "test.csv"]) if make else ([name + ":train"], [name + ":test"])
        if make:
            make(folder)
        model, part, small = folder / "model.falsum", folder / "part.falsum", folder / "small.falsum"
        falsum("train", *train, *options, "-o", model)
        show("carry", carry(name, model, small, train, test))
        learn, held = make_parts(folder, first)
        falsum("train", *learn, *options, "-o", part)
        for within in (0.5, 0.25):
            show("choice", choice(name, "training", model, small, train, test, within))
        for within in (0.5, 0.25):
            show("choice", choice(name, "held out", part, small, held, test, within))
for rows in tables.values():
    print()
    for cells in [rows[0], ["---"] * len(rows[0]), *rows[1:]]:
        print("| " + " | ".join(map(str, cells)) + " |")

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


SETS = {
    "breast cancer": (breast_cancer, ["--clauses", 100, "--epochs", 30, "-T", 20, "-s", 5]),
    "people": (people, ["--clauses", 200, "--epochs", 15, "-T", 50, "-s", 5]),
    "mnist": (None, ["--clauses", 500, "--epochs", 4]),
    "imdb": (None, ["--clauses", 1000, "--epochs", 3, "-s", 5, "--select", "chi2"]),
}

print("| data | clauses | rules | carry 90% | accuracy | pruned: clauses | carry 90% | accuracy | pruning takes |")
print("|---|---|---|---|---|---|---|---|---|")
for name in arguments.rows.split(","):
    make, options = SETS[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        train, test = (folder / "train.csv", folder / "test.csv") if make else (name + ":train", name + ":test")
        if make:
            make(folder)
        model, small = folder / "model.falsum", folder / "small.falsum"
        falsum("train", train, *options, "-o", model)
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        pruned = falsum("prune", model, train, "-o", small, "--within", arguments.within)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
        cells = [name, f"{pruned['before']['clauses']:,}"]
        for which, path in (("before", model), ("after", small)):
            rules = falsum("inspect", path, "--rules", 1, "--data", test)["on_data"]
            cells += [f"{rules['count']:,}"] if which == "before" else [f"{pruned['after']['clauses']:,}"]
            cells += [f"{rules['carry_90_percent']:,}", f"{100 * falsum('evaluate', path, test)['accuracy']:.2f}%"]
        print("| " + " | ".join([*cells, f"{seconds:.1f} s"]) + " |", flush=True)

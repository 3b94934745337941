#!/usr/bin/env python3
"""Accuracy of the family of machines beside published figures: the table of docs/family.md.

    make family                                         all rows
    make family BENCH="--rows weighted shared-focused"  some of them; --list prints their names
    make family BENCH="--california FILE"               a CSV file with the number in its last column

Every row is learned with three seeds; the figures are those of the test data after the epochs named. Results go to
bench/results/family.json, seed by seed, and the table of docs/family.md is made of all that are there. With --seeds 1 or 2 the
figures are printed only.
"""

import argparse
import json
import math
import os
import random
import re
import statistics
import tempfile
from dataclasses import dataclass, field

from provenance import commit
from script import ROOT, Refusal, chosen, output_of, read_results, run, say, write_results

RESULTS = os.path.join(ROOT, "bench", "results", "family.json")
BESIDE = os.path.join(ROOT, "bench", "results", "beside.json")  # of bench/beside.py
PAGE = os.path.join(ROOT, "docs", "family.md")
PYTHON = os.path.join(ROOT, ".venv", "bin", "python")
SEEDS = 3
LONG = 20  # epochs from which on a row also has its late and its best epochs

# ---------------------------------------------------------------------------------------------------------------- generated tables


def two_bits(draw):
    """y = 100 (2 x1 + x0), no noise."""
    x1, x0 = draw.getrandbits(1), draw.getrandbits(1)
    return [x1, x0, 100 * (2 * x1 + x0)]


def friedman(draw):
    """Friedman #1 (Friedman 1991, Breiman 1996): 5 of 10 numbers matter; the noise has a deviation of 1."""
    x = [round(draw.random(), 6) for _ in range(10)]
    y = 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4] + draw.gauss(0, 1)
    return [*x, round(y, 6)]


def gates(draw):
    """Which of xor, and, or are true of the first two of 12 bits."""
    x = [draw.getrandbits(1) for _ in range(12)]
    labels = {"xor": x[0] ^ x[1], "and": x[0] & x[1], "or": x[0] | x[1]}
    return [*x, ";".join(name for name, applies in labels.items() if applies)]


def noisy_xor_2d(draw, noise=0.4):
    """4 x 4 random bits (Granmo et al. 2019): the class is 1 if the 2 x 2 block at row 0, column 1 is a diagonal, and 0 if it is one of two
    rows or columns. The classes of training rows are turned with this probability."""
    x = [draw.getrandbits(1) for _ in range(16)]
    y = draw.getrandbits(1)
    block = draw.choice([(0, 1, 1, 0), (1, 0, 0, 1)] if y else [(0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0)])
    for place, bit in zip((1, 2, 5, 6), block):
        x[place] = bit
    return [*x, y ^ (draw.random() < noise)]


LINES = [[(column + k * right, row + k * up) for k in range(4)]
         for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)) for column in range(7) for row in range(6)
         if 0 <= column + 3 * right < 7 and 0 <= row + 3 * up < 6]  # fmt: skip
LINES_OF = {(c, r): [line for line in LINES if (c, r) in line] for c in range(7) for r in range(6)}


def connect4_game(draw):
    """The last board of a game of Connect-4 with random moves, column by column, and who won: stands in for the user's Connect-4."""
    board, heights, player, outcome = {}, [0] * 7, "x", "draw"
    while outcome == "draw" and len(board) < 42:
        column = draw.choice([c for c in range(7) if heights[c] < 6])
        place = column, heights[column]
        board[place] = player
        heights[column] += 1
        if any(all(board.get(cell) == player for cell in line) for line in LINES_OF[place]):
            outcome = player
        player = "o" if player == "x" else "x"
    return [*(board.get((c, r), "b") for c in range(7) for r in range(6)), outcome]


# How rows are made, how many to learn from and to test on; and, if they differ, how test rows are made.
GENERATED = {
    "two-bits": (two_bits, 8000, 2000),
    "friedman": (friedman, 10000, 5000),
    "gates": (gates, 5000, 5000),
    "noisy-xor-2d": (noisy_xor_2d, 2500, 10000, lambda draw: noisy_xor_2d(draw, noise=0)),
    "connect4-games": (connect4_game, 20000, 5000),
}


def write_table(path, row, rows, seed):
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for k in range(rows):
            cells = row(draw)
            if k == 0:
                file.write(",".join([*(f"x{i}" for i in range(len(cells) - 1)), "y"]) + "\n")
            file.write(",".join(map(str, cells)) + "\n")


def split_table(path, folder, seed):
    """Three quarters of the user's table to learn from and one to test on, drawn with the seed."""
    try:
        with open(path, encoding="utf-8") as file:
            first, *rows = file.read().splitlines()
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise Refusal(f"{path} cannot be read: it is empty or not UTF-8") from None
    if len(rows) < 4:
        raise Refusal(f"{path} has fewer than four rows under its names")
    random.Random(seed).shuffle(rows)
    parts = {"train": rows[: len(rows) * 3 // 4], "test": rows[len(rows) * 3 // 4 :]}
    paths = [os.path.join(folder, f"{name}.csv") for name in parts]
    for out, part in zip(paths, parts.values()):
        with open(out, "w", encoding="utf-8") as file:
            file.write("\n".join([first, *part]) + "\n")
    return paths


# ---------------------------------------------------------------------------------------------------------------------------- rows


@dataclass
class Row:
    title: str
    data: str  # a built-in name, one of GENERATED or FASHION, or the option that names the user's file
    settings: str  # options of falsum train
    epochs: list  # those in the table
    published: dict = field(default_factory=dict)  # epoch -> figure, as printed; 0: not of a certain epoch
    measure: str = "test_accuracy"


WEIGHTED = "--clauses 2000 -T 5000 -s 10 --weighted"
SHARED = "--clauses 2000 -T 1000 -s 10 --shared"
IMDB = "--phrases 2 --select chi2 --clauses 10000 -T 8000 -s 5 --weighted"
AUTHORS = {0: "authors' plain code: 94.8 / 95.7 / 96.6"}
GREEN = {1: "95.3", 2: "96.2", 5: "97.0", 20: "97.6"}  # mean of 3 seeds: bench/results/zen5/peers-accuracy.md
ROWS = {
    "xor": Row("plain", "noisy-xor", "--clauses 10 -T 15 -s 3.9 --no-boost", [200], {200: "100"}),
    "two-bits": Row(
        "regression, 3 clauses", "two-bits", "--task regression --clauses 3 -T 3 -s 3 --no-boost", [20], {0: "MAE 0"}, "test_mae"
    ),
    "two-bits-weighted": Row(
        "regression, weights", "two-bits", "--task regression --weighted --clauses 20 -T 30 -s 2", [20], {0: "MAE 0"}, "test_mae"
    ),
    "gates": Row("several labels, shared", "gates", "--task multilabel --shared --clauses 30 -T 30 -s 3", [10], {0: "100"}),
    "gates-banks": Row("several labels, a bank each, weights", "gates", "--task multilabel --weighted --clauses 30 -T 30 -s 3", [10]),
    "friedman": Row(
        "regression, squared error", "friedman",
        "--task regression --weighted --clauses 1000 -T 5000 -s 2.75 --quantiles 25", [1, 10, 30], {}, "test_rmse",
    ),
    "friedman-linear": Row(
        "regression, linear error", "friedman",
        "--task regression --weighted --clauses 1000 -T 5000 -s 2.75 --quantiles 25 --error linear", [1, 10, 30], {}, "test_rmse",
    ),
    "california": Row(
        "regression", "california",
        "--task regression --weighted --clauses 1000 -T 5000 -s 2.75 --quantiles 10", [30], {30: "0.61"}, "test_rmse",
    ),
    "connect4": Row(
        "weights", "connect4", "--weighted --clauses 200 -T 400 -s 27", [1, 2, 30],
        {1: "70.0", 2: "71.5", 0: "e190-200 82.0-82.3 (real weights)"},
    ),
    "connect4-slow": Row(
        "slow weights", "connect4", "--weight-growth 0.0001 --clauses 200 -T 12 -s 27", [1, 2, 190],
        {1: "70.0", 2: "71.5", 0: "e190-200 82.0-82.3"},
    ),
    "connect4-games": Row("weights", "connect4-games", "--weighted --clauses 400 -T 800 -s 10", [1, 2, 30]),
    "plain": Row("plain", "mnist", "--clauses 2000 -T 50 -s 10", [1, 2, 5], AUTHORS),
    "weighted": Row("weights", "mnist", WEIGHTED, [1, 2, 3], {1: "93.65", 2: "95.33", 3: "96.08"}),
    "max-weight": Row(
        "weights up to 16", "mnist", "--clauses 2000 -T 800 -s 10 --max-weight 16", [1, 2, 3], {1: "93.00", 2: "94.48", 3: "95.57"}
    ),
    "slow-weights": Row(
        "slow weights", "mnist", "--clauses 500 -T 20 -s 13.333 --weight-growth 0.002", [1, 2, 8],
        {1: "93.08", 2: "94.56", 0: "best 98.37 (e390)"},
    ),
    "no-weights": Row(
        "plain, as beside slow weights", "mnist", "--clauses 500 -T 20 -s 13.333", [1, 2, 8], {1: "93.02", 2: "94.46", 8: "96.12"}
    ),
    "budget": Row("weights, 32 literals", "mnist", WEIGHTED + " --max-literals 32", [1, 2, 3], {0: "as without a budget"}),
    "patches": Row(
        "patches, weights", "mnist", "--patch 10x10 --clauses 2000 -T 5000 -s 5 --weighted", [1, 2, 3],
        {1: "97.53", 2: "98.07", 3: "98.36"},
    ),
    "patches-long": Row(
        "patches, weights", "mnist", "--patch 10x10 --clauses 2000 -T 5000 -s 5 --weighted", [10, 20, 30], {0: "e28-30 99.14-99.21"}
    ),
    "patches-fashion": Row(
        "patches, weights", "fashion-edges", "--patch 10x10 --clauses 2000 -T 5000 -s 5 --weighted", [1, 2, 3],
        {1: "85.25", 2: "86.60", 3: "87.56"},
    ),
    "patches-fashion-long": Row(
        "patches, weights", "fashion-edges", "--patch 10x10 --clauses 2000 -T 5000 -s 5 --weighted", [10, 20, 30],
        {0: "e28-30 90.1-90.4"},
    ),
    "noisy-xor-2d": Row(
        "patches", "noisy-xor-2d", "--patch 2x2 --image 4x4 --clauses 40 -T 60 -s 3.9 --no-boost", [50, 500], {0: "e5000 99.97"}
    ),
    "shared-focused": Row("shared, focused", "mnist", SHARED + " --negatives focused", [1, 2, 5, 20], GREEN),
    "shared-uniform": Row("shared, uniform", "mnist", SHARED, [1, 2, 5]),
    "s-20": Row("plain, s 20", "mnist", "--clauses 2000 -T 50 -s 20", [1, 2, 5]),
    "s-2": Row("plain, s 2", "mnist", "--clauses 2000 -T 50 -s 2", [1, 2, 5]),
    "s-range": Row("range of s", "mnist", "--clauses 2000 -T 50 -s 2:20", [1, 2, 5]),
    "drop-literals": Row("weights, 1/10 of the literals dropped", "mnist", WEIGHTED + " --drop-literals 0.1", [1, 2, 3]),
    "weighted-long": Row("weights", "mnist", WEIGHTED, [58, 59, 60], {0: "e58-60 98.08-98.19"}),
    "drop-clauses": Row(
        "weights, 3/4 of the clauses dropped", "imdb", IMDB + " --drop-clauses 0.75", [1, 2, 3], {1: "85.42", 2: "86.56", 3: "87.01"}
    ),
    "no-drop": Row("weights, none dropped", "imdb", IMDB, [1, 2, 3]),
    "fuzzy-20": Row("fuzzy", "mnist", "--clauses 20 -T 20 -s 400 --max-literals 150 --fuzzy 75", [1, 5, 20, 100], {0: "98"}),
    "fuzzy-40": Row("fuzzy", "mnist", "--clauses 40 -T 28 -s 400 --max-literals 100 --fuzzy 50", [1, 5, 20, 100]),
    "fuzzy-200": Row("fuzzy", "mnist", "--clauses 200 -T 28 -s 200 --max-literals 16 --fuzzy 8", [1, 5, 20]),
    "fuzzy-levels": Row(
        "fuzzy, 4 levels, clamp", "mnist",
        "--levels 4 --clauses 20 -T 20 -s 200 --max-literals 150 --fuzzy 75 --include-limit 200 --clamp --length literals",
        [1, 5, 20, 100], {0: "98.56"},
    ),
    "fuzzy-fashion": Row(
        "fuzzy", "fashion-gradients", "--clauses 20 -T 100 -s 700 --max-literals 200 --fuzzy 200 --include-limit 230", [1, 10, 100],
        {0: "93.19, best 93.59 (e857)"},
    ),
    "fuzzy-imdb": Row(
        "fuzzy, shared", "imdb",
        "--vocabulary 12800 --phrases 3 --select chi2 --clauses 2 -T 18 -s 1000 --max-literals 64 --fuzzy 64 --include-limit 220 --shared",
        [20, 100, 300, 400], {0: "90.15"},
    ),
}  # fmt: skip
FILES = {"california": "California housing", "connect4": "Connect-4"}
FASHION = ("fashion-edges", "fashion-gradients")  # their bits are made by bench/fashion.py, in the environment of `make python`
NAMES = {
    "noisy-xor": "noisy XOR",
    "noisy-xor-2d": "2D noisy XOR",
    "two-bits": "two bits",
    "friedman": "Friedman #1",
    "gates": "xor, and, or",
    "connect4-games": "Connect-4, random games",
    "mnist": "MNIST",
    "fashion-edges": "Fashion-MNIST, adaptive Gaussian",
    "fashion-gradients": "Fashion-MNIST, gradient maps",
    "imdb": "IMDb",
    **FILES,
}


def learned(command, row, seed, threads, folder, files):
    """The epochs of one training, as the command reports them."""
    fashion = [PYTHON, "-B", os.path.join(ROOT, "bench", "fashion.py")]
    if row.data in FILES:
        training, testing = split_table(files[row.data], folder, seed)
    elif row.data in GENERATED:
        make, train_rows, test_rows, *clean = GENERATED[row.data]
        training, testing = (os.path.join(folder, f"{name}.csv") for name in ("train", "test"))
        write_table(training, make, train_rows, seed)
        write_table(testing, *(clean or [make]), test_rows, 1000 + seed)
    elif row.data == "fashion-edges":
        output_of([*fashion, "edges", folder])
        training, testing = (os.path.join(folder, f"{split}-images-idx3-ubyte") for split in ("train", "t10k"))
    else:
        training, testing = row.data, None
    data = [training, *(["--test", testing] if testing else [])]
    run_options = ["--epochs", str(max(row.epochs)), "--seed", str(seed), "--threads", str(threads)]
    learner = [*fashion, "gradients"] if row.data == "fashion-gradients" else [command, "train", "--json", *data]
    report = json.loads(output_of([*learner, *row.settings.split(), *run_options]))
    kept = ("epoch", "mean_clause_length", "test_accuracy", "test_label_accuracy", "test_f1", "test_rmse", "test_mae", "test_r2")
    return [{key: epoch[key] for key in kept if key in epoch} for epoch in report["epochs"]]


# --------------------------------------------------------------------------------------------------------------------------- table


def figure(row, values):
    """Mean and, in brackets, standard deviation, or how few seeds there are: per cent for accuracy."""
    scale, digits = (100, 2) if row.measure == "test_accuracy" else (1, 3)
    spread = f"{scale * statistics.stdev(values):.{digits}f}" if len(values) > 1 else "one seed"
    few = f", {len(values)} seeds" if 1 < len(values) < SEEDS else ""
    return f"{scale * statistics.mean(values):.{digits}f} ({spread}{few})"


def late_and_best(row, runs):
    """Of each seed the mean of the last tenth of the epochs, at least three, and the best epoch on the test data."""
    last = max(row.epochs)
    if last < LONG:
        return "-", "-"
    late = range(last - max(3, last // 10) + 1, last + 1)
    best = max if row.measure == "test_accuracy" else min
    return (
        figure(row, [statistics.mean(one[k][row.measure] for k in late) for one in runs]),
        figure(row, [best(epoch[row.measure] for epoch in one.values()) for one in runs]),
    )


def line(row, result):
    epochs = [{epoch["epoch"]: epoch for epoch in one["epochs"]} for one in result["runs"]]
    unit = {"test_accuracy": "accuracy %", "test_mae": "MAE", "test_rmse": "RMSE"}[row.measure]
    ours = " / ".join(figure(row, [one[k][row.measure] for one in epochs]) for k in row.epochs)
    length = statistics.mean(one[max(row.epochs)]["mean_clause_length"] for one in epochs)
    late, best = late_and_best(row, epochs)
    published = " / ".join(row.published.get(k, "-") for k in row.epochs) if row.published.keys() - {0} else ""
    published = ", ".join(part for part in (published, row.published.get(0)) if part) or "-"
    after = ", ".join(map(str, row.epochs))
    cells = [NAMES[row.data], row.title, f"`{row.settings}`", after, f"{unit} {ours}", late, best, f"{length:.1f}", published]
    return "| " + " | ".join(cells) + " |"


def table(results):
    lines = [
        "| data | machine | options | after epochs | falsum: mean (deviation) | late epochs | best epoch | clause length | published |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join(lines + [line(row, results[name]) for name, row in ROWS.items() if name in results])


BESIDE_NAMES = {
    "labels": "`make_multilabel_classification`, 10 labels, 40 numbers, 1,000 rows | F1 % | one-vs-rest logistic regression",
    "diabetes": "diabetes, 331 rows | RMSE | random forest",
    "friedman1": "`make_friedman1`, 1,000 rows | RMSE | random forest",
}


def beside_table(results):
    """What bench/beside.py measured: mean and, in brackets, standard deviation of the seeds."""
    header = ["data", "measure", "other", "its defaults", "tuned", "falsum, defaults", "tuned", "tuned options of seed 0"]
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for name, title in BESIDE_NAMES.items():
        runs = results.get(name, {}).get("runs", [])
        if not runs:
            continue
        cells = []
        for way in ("other", "other_tuned", "machine", "machine_tuned"):
            values = [one["scores"][way] for one in runs]
            deviation = f" ({statistics.stdev(values):.2f})" if len(values) > 1 else ""
            cells.append(f"{statistics.mean(values):.2f}{deviation}")
        options = ", ".join(f"{key}={value!r}" for key, value in runs[0]["chosen"]["machine"].items())
        lines.append("| " + " | ".join([title, *cells, f"`{options}`"]) + " |")
    return "\n".join(lines)


def page_with():
    with open(PAGE, encoding="utf-8") as file:
        page = fresh = file.read()
    for name, text in (("family", table(read_results(RESULTS))), ("beside", beside_table(read_results(BESIDE)))):
        pattern = rf"(<!-- table {name} -->\n).*?(<!-- end -->)"
        fresh = re.sub(pattern, lambda m, text=text: m[1] + text + "\n" + m[2], fresh, flags=re.DOTALL)
    return page, fresh


def write_page():
    _, page = page_with()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", default=[], metavar="NAME", help="these rows only")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="trainings of each row")
    parser.add_argument("--threads", type=int, default=0, help="0 for all cores; changes no figure")
    parser.add_argument("--california", metavar="FILE", help="California housing: CSV with names, the price in the last column")
    parser.add_argument("--connect4", metavar="FILE", help="Connect-4: CSV with names, the outcome in the last column")
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "release", "falsum"))
    parser.add_argument("--check", action="store_true", help="only say whether the table of docs/family.md is that of the results")
    options = parser.parse_args(arguments)
    results = read_results(RESULTS)
    if options.list:
        print("\n".join(ROWS))
        return 0
    if options.check:
        page, fresh = page_with()
        stale = [name for name, result in results.items() if name not in ROWS or result["settings"] != ROWS[name].settings]
        if stale:
            raise Refusal(f"bench/results/family.json has {', '.join(stale)} with other settings than bench/family.py")
        if page != fresh:
            raise Refusal("the tables of docs/family.md are not those of bench/results; make family writes them")
        return 0
    if options.seeds < 1:
        raise Refusal("--seeds must be at least 1")
    files = {"california": options.california, "connect4": options.connect4}
    measured = {}
    for name in chosen(options.rows, ROWS):
        row = ROWS[name]
        if row.data in FILES and not files[row.data]:
            say(f"{name} left out: {FILES[row.data]} is not part of falsum (--{row.data} FILE)")
            continue
        found = {"settings": row.settings, "source": commit(ROOT), "runs": []}
        try:
            for seed in range(1, options.seeds + 1):
                with tempfile.TemporaryDirectory() as folder:
                    found["runs"].append({"seed": seed, "epochs": learned(options.command, row, seed, options.threads, folder, files)})
                say(line(row, found))
                if options.seeds >= SEEDS:  # each seed as it is done: some rows take an hour
                    results[name] = found
                    write_results(RESULTS, results)
        except Refusal as refusal:
            if row.data != "imdb" and row.data not in FASHION:
                raise
            say(f"{name} left out: {refusal}")
            continue
        measured[name] = found
    if options.seeds >= SEEDS:
        write_page()
    print(table(measured))
    return 0


if __name__ == "__main__":
    run("family", main, "interrupted; the rows that are done are in bench/results/family.json")

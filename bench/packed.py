#!/usr/bin/env python3
"""Times learning from a mapped file of packed rows against learning from memory, by turns: make bench-packed.

    bench/packed.py FALSUM [--rounds N]

Each round learns MNIST and IMDb from memory and from a file, in turn; what is compared is the time of an epoch (CPU seconds), the
shortest of each run. A ratio above 1 says that the file costs time.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

WORDS = ["--vocabulary", "5000", "--phrases", "1"]
ROWS = [
    ("MNIST, 2,000 clauses", "mnist", ["--clauses", "2000", "-T", "50", "-s", "10", "--epochs", "4"]),
    ("MNIST, by default (fuzzy)", "mnist", ["--epochs", "4"]),
    ("IMDb, 1,000 clauses", "imdb", ["--clauses", "1000", "-T", "100", "-s", "27", "--epochs", "4", *WORDS]),
]


def epoch_seconds(falsum, data, options):
    command = [falsum, "train", data, *options, "--threads", "1", "--calibration", "none", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [epoch["train_cpu_seconds"] for epoch in report["epochs"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("falsum", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", help="of the rows; all without")
    arguments = parser.parse_args()
    print("| data | rows | mapped / memory, an epoch |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for title, data, options in ROWS:
            if arguments.names and data not in arguments.names:
                continue
            packed = pathlib.Path(folder) / "rows"
            making = WORDS if options[-len(WORDS) :] == WORDS else []  # what is decided when the rows are packed
            learning = options[: len(options) - len(making)]
            report = subprocess.run([arguments.falsum, "pack", data, *making, "-o", packed, "--json"], check=True, capture_output=True)
            form = "sparse" if json.loads(report.stdout)["sparse"] else "packed"
            ratios = []
            for _ in range(arguments.rounds):
                memory = epoch_seconds(arguments.falsum, data, options)
                mapped = epoch_seconds(arguments.falsum, packed, learning)
                ratios.append(min(mapped) / min(memory))
            ratios.sort()
            print(f"| {title} | {form} | {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}) |", flush=True)


if __name__ == "__main__":
    main()

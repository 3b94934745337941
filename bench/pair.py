#!/usr/bin/env python3
"""Two builds of the command side by side: bench/pair.py NEW OLD [--rounds N] [--names new old].

  make bench-before REVISION=v0.1   this checkout against another revision: what was fast must stay fast
  make bench-hardening              with and without the hardening flags of release builds (cmake/falsumFlags.cmake)

Each setting is learned from nothing by both commands by turns, on one thread, and its model predicts all of MNIST. Both must learn the
same clauses, or it says so. Prints the median of the ratios of the pairs in processor time, and the range of their middle half.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SETTINGS = {
    "MNIST 100/50/10": ["mnist:test", "--clauses", "100", "-T", "50", "-s", "10", "--epochs", "5"],
    "MNIST 2000/50/10": ["mnist:test", "--clauses", "2000", "-T", "50", "-s", "10", "--epochs", "2"],
    "MNIST 20000/50/10": ["mnist:test", "--clauses", "20000", "-T", "50", "-s", "10", "--epochs", "1"],
    "IMDb 1000/25/27": ["imdb", "--clauses", "1000", "-T", "25", "-s", "27", "--epochs", "1"],
    "IMDb-20k 1000/25/27": ["imdb", "--clauses", "1000", "-T", "25", "-s", "27", "--epochs", "1", "--vocabulary", "20000"],
}


def report(*command):
    result = subprocess.run([*command, "--threads", "1", "--json"], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())
    return json.loads(result.stdout)


def run(falsum, setting, model):
    """Processor time of learning and of prediction, and what was learned."""
    learned = report(falsum, "train", *setting, "-o", model)
    predicted = report(falsum, "evaluate", model, setting[0] if setting[0] != "mnist:test" else "mnist:train")
    epochs = learned["epochs"]
    return {
        "learning": sum(epoch["train_cpu_seconds"] for epoch in epochs),
        "prediction": predicted["cpu_seconds"],
        "same": [(epoch["flips"], epoch["type_1a"], epoch["type_1b"], epoch["type_2"]) for epoch in epochs],
        "accuracy": predicted["accuracy"],
    }


def compare(name, setting, commands, names, rounds):
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.falsum")
        for number in range(rounds):
            order = (0, 1) if number % 2 == 0 else (1, 0)
            times = {k: run(commands[k], setting, model) for k in order}
            pairs.append((times[0], times[1]))
    same = all(new["same"] == old["same"] and new["accuracy"] == old["accuracy"] for new, old in pairs)
    for what in ("learning", "prediction"):
        low, middle, high = statistics.quantiles([new[what] / old[what] for new, old in pairs], n=4)
        least = min(new[what] for new, _ in pairs) / min(old[what] for _, old in pairs)
        print(f"| {name} | {what} | {middle:.3f} ({low:.3f} to {high:.3f}) | {least:.3f} | {100 * pairs[0][0]['accuracy']:.2f}% "
              f"| {'yes' if same else 'NO'} |", flush=True)
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--names", nargs=2, default=["new", "old"])
    parser.add_argument("--setting", action="append", choices=SETTINGS, help="only this one")
    arguments = parser.parse_args()
    print(f"| machine (clauses/T/s) | | {arguments.names[0]} / {arguments.names[1]}, median of {arguments.rounds} pairs (middle half) "
          "| least / least | accuracy | same machine |\n|---|---|---|---|---|---|")
    for name, setting in SETTINGS.items():
        if arguments.setting and name not in arguments.setting:
            continue
        try:
            compare(name, setting, (arguments.new, arguments.old), arguments.names, arguments.rounds)
        except RuntimeError as error:
            print(f"| {name} | not measured: {error} | | | | |")


if __name__ == "__main__":
    sys.exit(main())

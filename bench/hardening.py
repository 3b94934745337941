#!/usr/bin/env python3
"""make bench-hardening: what the hardening flags of release builds cost (cmake/falsumFlags.cmake).

Two commands that differ in FALSUM_HARDENING alone learn two epochs of MNIST's test images and predict all of MNIST, by turns on
one thread. Prints the median of the ratios of the pairs in processor time, hardened to not, and the range of their middle half.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 31
LEARN = ["train", "mnist:test", "--clauses", "1000", "-T", "50", "--epochs", "2", "--threads", "1", "--json"]


def report(*command):
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def seconds(falsum, model):
    learned = sum(epoch["train_cpu_seconds"] for epoch in report(falsum, *LEARN)["epochs"])
    predicted = report(falsum, "evaluate", model, "mnist:train", "--threads", "1", "--json")["cpu_seconds"]
    return {"learning": learned, "prediction": predicted}


def main(hardened, plain):
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "digits.fsm")
        report(hardened, *LEARN, "-o", model)
        for round_number in range(ROUNDS):
            order = (hardened, plain) if round_number % 2 == 0 else (plain, hardened)
            times = {command: seconds(command, model) for command in order}
            pairs.append({what: times[hardened][what] / times[plain][what] for what in times[plain]})
    for what in pairs[0]:
        low, middle, high = statistics.quantiles([pair[what] for pair in pairs], n=4)
        print(f"{what:<12} hardened / not: {middle:.3f} ({low:.3f} to {high:.3f}), {ROUNDS} pairs")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["build/release/falsum", "build/unhardened/falsum"]))

#!/usr/bin/env python3
"""make bench-hardening: what the hardening flags of release builds cost (cmake/falsumFlags.cmake).

Two commands that differ in FALSUM_HARDENING alone learn one epoch of MNIST and test it, by turns on one thread. Prints the
median of the ratios of the pairs, with and without, and the range of their middle half: above 1, hardening costs.
"""

import json
import statistics
import subprocess
import sys

ROUNDS = 15
RUN = ["train", "mnist:test", "--test", "mnist:test", "--clauses", "1000", "-T", "50", "--epochs", "2", "--threads", "1", "--json"]


def seconds(command):
    last = json.loads(subprocess.run([command, *RUN], capture_output=True, text=True, check=True).stdout)["epochs"][-1]
    return {"learning": last["train_seconds"], "prediction": last["test_seconds"]}


def main(hardened, plain):
    pairs = []
    for round_number in range(ROUNDS):
        order = (hardened, plain) if round_number % 2 == 0 else (plain, hardened)
        times = {command: seconds(command) for command in order}
        pairs.append({what: times[hardened][what] / times[plain][what] for what in times[plain]})
    for what in pairs[0]:
        low, middle, high = statistics.quantiles([pair[what] for pair in pairs], n=4)
        print(f"{what:<12} hardened / not: {middle:.3f} ({low:.3f} to {high:.3f}), {ROUNDS} pairs")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["build/release/falsum", "build/unhardened/falsum"]))

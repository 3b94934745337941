#!/usr/bin/env python3
"""make bench-hardening: what the hardening flags of release builds cost (cmake/falsumFlags.cmake).

Two commands that differ in FALSUM_HARDENING alone learn two epochs of MNIST's test images and predict all of MNIST, by turns on
one thread. Prints the median of the ratios of the pairs in processor time, hardened to not, and the range of their middle half.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 11
LEARN = ["train", "mnist:test", "--clauses", "1000", "-T", "50", "--epochs", "2", "--threads", "1", "--json"]


def processor_time(command):
    """Of the command, start and loading included: a small part, and the same for both."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def seconds(falsum, model):
    report = json.loads(subprocess.run([falsum, *LEARN], capture_output=True, text=True, check=True).stdout)
    predict = [falsum, "evaluate", model, "mnist:train", "--engine", "index", "--threads", "1", "--json"]
    return {"learning": sum(epoch["train_cpu_seconds"] for epoch in report["epochs"]), "prediction": processor_time(predict)}


def main(hardened, plain):
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "digits.fsm")
        subprocess.run([hardened, *LEARN, "-o", model], stdout=subprocess.DEVNULL, check=True)
        for round_number in range(ROUNDS):
            order = (hardened, plain) if round_number % 2 == 0 else (plain, hardened)
            times = {command: seconds(command, model) for command in order}
            pairs.append({what: times[hardened][what] / times[plain][what] for what in times[plain]})
    for what in pairs[0]:
        low, middle, high = statistics.quantiles([pair[what] for pair in pairs], n=4)
        print(f"{what:<12} hardened / not: {middle:.3f} ({low:.3f} to {high:.3f}), {ROUNDS} pairs")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["build/release/falsum", "build/unhardened/falsum"]))

#!/usr/bin/env python3
"""How fast a small model predicts MNIST in batches: bench/small.py [--rounds N].

  make bench-small

Trains each machine on one thread, then predicts the 10,000 test images again and again, all machines by turns. The images are packed
bits; the times have transposing them, votes and winners in them. Prints the test accuracy, the literals of all clauses, and predictions
a second and core: the median of the rounds and the best.
"""

import argparse
import os
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.path.insert(0, os.path.join(ROOT, "bench", "peers"))
from client import Client  # noqa: E402
from steps import FOLDER, MNIST, export  # noqa: E402

# clauses a class, T, s, most votes of a clause, epochs
MACHINES = [
    (20, 60, 10, 255, 30),
    (50, 100, 10, 127, 30),
    (100, 150, 10, 63, 30),
    (150, 200, 10, 63, 60),
    (200, 200, 10, 63, 60),
    (300, 150, 6, 15, 30),
    (100, 15, 10, 1, 10),
    (400, 25, 5, 1, 15),
]


def learned(worker, folder, machine):
    clauses, threshold, specificity, most, epochs = machine
    client = Client([worker, "serve"], os.path.join(FOLDER, "log"))
    client.ask("open", data=folder, clauses=clauses, threshold=threshold, specificity=specificity, max_weight=most, seed=1, threads=1)
    for _ in range(epochs):
        length = client.ask("learn", first=0, count=60000)["mean_clause_length"]
    return client, round(10 * clauses * length)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worker", default=os.path.join(ROOT, "build", "release", "falsum_bench_worker"))
    parser.add_argument("--rounds", type=int, default=31)
    arguments = parser.parse_args()
    folder = export(arguments.worker, MNIST)
    systems = [learned(arguments.worker, folder, machine) for machine in MACHINES]
    rates = [[] for _ in MACHINES]
    for _ in range(arguments.rounds):
        for k, (client, _) in enumerate(systems):
            client.ask("predict", count=10000)  # its model and the images come into the caches
            answer = client.ask("predict", count=10000)
            rates[k].append(answer["samples"] / answer["cpu"] / 1e6)
    print("| clauses per class | T | s | most votes of a clause | epochs | accuracy | literals | million a second: median (best) |")
    print("|---|---|---|---|---|---|---|---|")
    for machine, (client, literals), found in zip(MACHINES, systems, rates):
        accuracy = client.ask("predict", count=10000)["accuracy"]
        settings = " | ".join(str(part) for part in machine)
        print(f"| {settings} | {100 * accuracy:.2f}% | {literals:,} | {statistics.median(found):.1f} ({max(found):.1f}) |")
        client.close()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds of the benchmark worker side by side, learning on from one trained state: bench/steps.py FIRST OTHER... [--row M2000].

  make bench-steps REVISIONS="HEAD~1 HEAD"

The first build trains a machine for some epochs and writes a checkpoint (build/steps, kept for the next run). In every round each build
in turn reads it, learns a part of the data to warm up, then the part that is timed, on one thread. Prints for each build the processor
time per sample (least of the rounds) and how many times faster than the first it is: the median of the ratios of the rounds, and their
range.
The row `first` times the first epoch and needs no checkpoint. --predict times prediction by the trained machine instead: 5,000 test images
in batches, and 1,000 one at a time.
"""

import argparse
import os
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench", "peers"))
from client import Client  # noqa: E402

FOLDER = os.path.join(ROOT, "build", "steps")
MNIST, IMDB, IMDB_20K = ("mnist", 0), ("imdb", 5000), ("imdb", 20000)
# name: data, clauses, T, s, epochs before, samples of these epochs, samples timed
ROWS = {
    "M100": (MNIST, 100, 15, 10, 5, 60000, 50000),
    "M2000": (MNIST, 2000, 50, 10, 5, 60000, 40000),
    "M20000": (MNIST, 20000, 100, 10, 3, 20000, 6000),
    "IMDb": (IMDB, 1000, 100, 27, 2, 25000, 6000),
    "IMDb-10000": (IMDB, 10000, 500, 27, 2, 5000, 2000),
    "IMDb-20k": (IMDB_20K, 1000, 100, 27, 2, 25000, 3000),
    "first": (MNIST, 2000, 50, 10, 0, 0, 30000),
    "patches-2": (MNIST, 2000, 5000, 5, 2, 60000, 20000),
    "patches-15": (MNIST, 2000, 5000, 5, 15, 60000, 20000),
}
PATCHES = {"weighted": True, "patch": "10x10", "image": "28x28"}
WARM = 0.15  # share of the timed samples that are learned before


def export(worker, data):
    name, vocabulary = data
    folder = os.path.join(FOLDER, f"{name}-{vocabulary}" if vocabulary else name)
    if not os.path.exists(os.path.join(folder, "shape.json")):
        os.makedirs(FOLDER, exist_ok=True)
        if os.spawnv(os.P_WAIT, worker, [worker, "export", name, str(vocabulary or 5000), folder]) != 0:
            raise SystemExit(f"bench/steps.py: {worker} could not write {folder}")
    return folder


def open_machine(client, folder, row, seed, kernels="auto"):
    _, clauses, threshold, specificity, *_ = ROWS[row]
    more = PATCHES if row.startswith("patches") else {}
    client.ask("open", data=folder, clauses=clauses, threshold=threshold, specificity=specificity, seed=seed, threads=1, kernels=kernels,
               **more)  # fmt: skip


def opened(worker, folder, row):
    client = Client([worker, "serve"], os.path.join(FOLDER, "log"))
    open_machine(client, folder, row, 1)
    return client


def trained(worker, folder, row):
    """The checkpoint that every build goes on from; none for an untrained machine."""
    epochs, samples = ROWS[row][4:6]
    path = os.path.join(FOLDER, f"{row}.checkpoint")
    if epochs and not os.path.exists(path):
        client = opened(worker, folder, row)
        for _ in range(epochs):
            client.ask("learn", first=0, count=samples)
        client.ask("save", path=path)
        client.close()
    return path if epochs else None


def time_once(client, folder, row, path, number):
    timed = ROWS[row][6]
    open_machine(client, folder, row, number + 1)
    warm = int(WARM * timed) if path else 0
    if path:
        client.ask("load", path=path)
        client.ask("learn", first=0, count=warm)
    answer = client.ask("learn", first=warm, count=timed)
    accuracy = client.ask("predict", count=5000)["accuracy"]
    return 1e6 * answer["cpu"] / timed, accuracy, answer["mean_clause_length"]


def in_turn(count, rounds, once):
    """What once(k, number) returns for each build k in each round, which begin with the builds in turn."""
    results = []
    for number in range(rounds):
        order = list(range(count))
        order = order[number % count:] + order[:number % count]
        found = {k: once(k, number) for k in order}
        results.append([found[k] for k in range(count)])
    return results


def compare(results, k):
    """Of numbers by round and build: the least of build k, and the ratios of the first build to it."""
    ratios = sorted(result[0] / result[k] for result in results)
    return f"{min(result[k] for result in results):.2f} | {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"


def measure_prediction(workers, row, rounds, kernels):
    folder = export(workers[0], ROWS[row][0])
    path = trained(workers[0], folder, row)
    clients = [opened(worker, folder, row) for worker in workers]
    for client in clients:
        open_machine(client, folder, row, 1, kernels)
        client.ask("load", path=path)
        client.ask("predict", count=512)  # it compiles the model

    def time_one(client, what, **asked):
        answer = client.ask(what, **asked)
        return 1e6 * answer["cpu"] / answer["samples"]

    ways = {
        "batches": lambda k, _: time_one(clients[k], "predict", count=5000),
        "one at a time": lambda k, _: time_one(clients[k], "single", first=0, count=1000),
    }
    for what, once in ways.items():
        results = in_turn(len(workers), rounds, once)
        for k, worker in enumerate(workers):
            print(f"| {row}, {what} | {os.path.basename(worker)} | {compare(results, k)} |", flush=True)
    for client in clients:
        client.close()


def measure(workers, row, rounds):
    folder = export(workers[0], ROWS[row][0])
    path = trained(workers[0], folder, row)
    clients = [opened(worker, folder, row) for worker in workers]
    results = in_turn(len(workers), rounds, lambda k, number: time_once(clients[k], folder, row, path, number))
    for client in clients:
        client.close()
    for k, worker in enumerate(workers):
        times = compare([[build[0] for build in result] for result in results], k)
        print(f"| {row} | {os.path.basename(worker)} | {times} "
              f"| {100 * results[-1][k][1]:.2f}% | {results[-1][k][2]:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workers", nargs="+")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--row", action="append", choices=ROWS, help="only this one; may be repeated")
    parser.add_argument("--predict", action="store_true", help="time prediction")
    parser.add_argument("--kernels", default="auto", help="of --predict: the set of kernels")
    arguments = parser.parse_args()
    times = f"times faster than the first, median of {arguments.rounds} (range)"
    workers = [os.path.abspath(worker) for worker in arguments.workers]
    if arguments.predict:
        print(f"| row | build | us a sample, least | {times} |\n|---|---|---|---|")
        for row in arguments.row or [name for name in ROWS if name != "first"]:
            measure_prediction(workers, row, arguments.rounds, arguments.kernels)
        return
    print(f"| row | build | us a sample, least | {times} | accuracy | clause length |")
    print("|---|---|---|---|---|---|")
    for row in arguments.row or ROWS:
        measure(workers, row, arguments.rounds)


if __name__ == "__main__":
    sys.exit(main())

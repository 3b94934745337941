#!/usr/bin/env python3
"""How fast fuzzy machines learn and predict MNIST: bench/fuzzy.py [--rounds N] [--seeds N].

  make bench-fuzzy

First table: each machine is learned on one thread, then predicts the 10,000 test images in batches (transposing, votes and winners
included) and one at a time, all machines by turns. Second: how long a machine learns from nothing until 98% of the test images are
right after an epoch. Processor time of one core.
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

# clauses a class, T, s, max_literals, fuzzy, epochs
MACHINES = [(20, 20, 400, 150, 75, 100), (40, 28, 400, 100, 50, 100), (200, 28, 200, 16, 8, 30)]
TO_98, MOST_EPOCHS = MACHINES[1][:5], 100


def opened(worker, folder, machine, seed):
    client = Client([worker, "serve"], os.path.join(FOLDER, "log"))
    names = ("clauses", "threshold", "specificity", "max_literals", "fuzzy")
    client.ask("open", data=folder, seed=seed, threads=1, **dict(zip(names, machine)))
    return client


def learn(client):
    return client.ask("learn", first=0, count=60000)


def predictions(worker, folder, rounds):
    clients, literals, late = [], [], []
    for *machine, epochs in MACHINES:
        client = opened(worker, folder, machine, 1)
        scores = []
        for _ in range(epochs):
            length = learn(client)["mean_clause_length"]
            scores.append(client.ask("predict", count=10000)["accuracy"])
        clients.append(client)
        literals.append(round(10 * machine[0] * length))
        late.append(statistics.mean(scores[-20:]))
    rates = {(k, how): [] for k in range(len(MACHINES)) for how in ("batch", "single")}
    engines = {}
    for _ in range(rounds):
        for k, client in enumerate(clients):
            for how, request in (("batch", ("predict", {"count": 10000})), ("single", ("single", {"first": 0, "count": 10000}))):
                client.ask(request[0], **request[1])  # its model and the images come into the caches
                answer = client.ask(request[0], **request[1])
                rates[k, how].append(answer["samples"] / answer["cpu"] / 1e6)
                engines[how] = answer["engine"]
    print("| clauses | T | s | max_literals | fuzzy | epochs | accuracy, mean of the last 20 epochs | literals "
          f"| batches ({engines['batch']}), million a second: median (best) | one at a time ({engines['single']}) |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|")
    for k, machine in enumerate(MACHINES):
        told = [f"{statistics.median(rates[k, how]):.1f} ({max(rates[k, how]):.1f})" for how in ("batch", "single")]
        print(f"| {' | '.join(map(str, machine))} | {100 * late[k]:.2f}% | {literals[k]:,} | {told[0]} | {told[1]} |")
        clients[k].close()


def learning(worker, folder, seeds):
    print("\n| seed | epochs to 98% | seconds of learning | us a sample: first epoch, last |")
    print("|---|---|---|---|")
    for seed in range(1, seeds + 1):
        client, seconds = opened(worker, folder, TO_98, seed), []
        while len(seconds) < MOST_EPOCHS:
            seconds.append(learn(client)["cpu"])
            if client.ask("predict", count=10000)["accuracy"] >= 0.98:
                break
        each = f"{seconds[0] / 0.06:.2f}, {seconds[-1] / 0.06:.2f}"
        print(f"| {seed} | {len(seconds)} | {sum(seconds):.2f} | {each} |")
        client.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worker", default=os.path.join(ROOT, "build", "release", "falsum_bench_worker"))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    folder = export(arguments.worker, MNIST)
    predictions(arguments.worker, folder, arguments.rounds)
    learning(arguments.worker, folder, arguments.seeds)


if __name__ == "__main__":
    sys.exit(main())

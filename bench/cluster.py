"""Learning MNIST on a Dask cluster with one and with two worker processes, by turns; the same bytes every time; and what the workers
did with the time."""

import argparse
import collections
import statistics
import time

import dask.array as da
from distributed import Client, LocalCluster, get_task_stream, wait

import falsum.dask
from falsum.datasets import load_mnist

STEPS = {
    "seen": "look at partitions", "columns": "thresholds", "rows": "pack", "data": "join the rows", "class": "learn",
    "model": "join the machine",
}  # fmt: skip


def run(workers, X, y, options):
    """Seconds of fit, the bytes, and by step the seconds of all workers: working, and getting data."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    ) as cluster, Client(cluster) as client:
        X, y = client.persist([X, y])
        wait([X, y])
        client.run(lambda: falsum.dask)
        with get_task_stream(client) as stream:
            began = time.perf_counter()
            learner = falsum.dask.TMClassifier(**options).fit(X, y, client=client, epochs_per_task=options["epochs"])
            seconds = time.perf_counter() - began
        spent = collections.Counter()
        for task in stream.data:
            step = next((name for part, name in STEPS.items() if task["key"].startswith(f"falsum-{part}")), "other")
            for part in task["startstops"]:
                spent[step if part["action"] == "compute" else "move data"] += part["stop"] - part["start"]
        spent["wait"] = workers * seconds - sum(spent.values())
        return seconds, learner.to_local().model_.to_bytes(), spent


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--clauses", type=int, default=2000)
    asked.add_argument("--epochs", type=int, default=3)
    asked.add_argument("--rounds", type=int, default=3)
    given = asked.parse_args()
    data = load_mnist()
    X, y = data.X_train, data.y_train
    options = {
        "clauses": given.clauses, "threshold": 50, "specificity": 10.0, "epochs": given.epochs, "random_state": 42, "calibration": None,
    }  # fmt: skip
    X, y = da.from_array(X, chunks=(10000, -1)), da.from_array(y, chunks=10000)
    print(f"MNIST, {given.clauses} clauses a class, T 50, s 10, {given.epochs} epochs; seconds of fit")
    ratios = []
    for number in range(given.rounds):
        (one, first, of_one), (two, second, of_two) = run(1, X, y, options), run(2, X, y, options)
        ratios.append(one / two)
        assert first == second, "the bytes are the same"
        print(f"round {number + 1}: one worker {one:.2f} s, two {two:.2f} s, {ratios[-1]:.2f} times, the same bytes", flush=True)
    print(f"median {statistics.median(ratios):.2f} times")
    print("\nthe last round, seconds of all workers together\n\n| step | one worker | two workers |\n|---|---|---|")
    for step in [*dict.fromkeys(STEPS.values()), "move data", "other", "wait"]:
        print(f"| {step} | {of_one[step]:.2f} | {of_two[step]:.2f} |")


if __name__ == "__main__":
    main()

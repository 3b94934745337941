"""Learning MNIST on a Dask cluster with one and with two worker processes, by turns; the same bytes every time."""

import argparse
import statistics
import time

import dask.array as da
from distributed import Client, LocalCluster, wait

import falsum.dask
from falsum.datasets import load_mnist


def seconds(workers, X, y, options):
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    ) as cluster, Client(cluster) as client:
        X, y = client.persist([X, y])
        wait([X, y])
        client.run(lambda: falsum.dask)
        began = time.perf_counter()
        learner = falsum.dask.TMClassifier(**options).fit(X, y, client=client, epochs_per_task=options["epochs"])
        return time.perf_counter() - began, learner.to_local().model_.to_bytes()


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
        (one, first), (two, second) = seconds(1, X, y, options), seconds(2, X, y, options)
        ratios.append(one / two)
        assert first == second, "the bytes are the same"
        print(f"round {number + 1}: one worker {one:.2f} s, two {two:.2f} s, {ratios[-1]:.2f} times, the same bytes", flush=True)
    print(f"median {statistics.median(ratios):.2f} times")


if __name__ == "__main__":
    main()

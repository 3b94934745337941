"""Learning MNIST on Dask clusters, by turns: one worker process; two of them; and two clusters of one worker each at the same time, which
share nothing: what the cores of this computer give. The same bytes every time. And what the workers did with the time."""

import argparse
import collections
import contextlib
import statistics
import threading
import time
import warnings

import dask.array as da
from distributed import Client, LocalCluster, wait

import falsum.dask
from falsum.datasets import load_mnist

STEPS = {
    "seen": "look at partitions", "columns": "thresholds", "rows": "pack", "data": "join the rows", "class": "learn",
    "model": "join the machine",
}  # fmt: skip


@contextlib.contextmanager
def ready(workers, X, y):
    """A cluster that has the data and has imported falsum."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    ) as cluster, Client(cluster, set_as_default=False) as client:
        data = client.persist([X, y])
        with client.as_current():
            wait(data)
        client.run(lambda: falsum.dask)
        yield client, data


def fit(client, data, options):
    """Seconds of fit, and the bytes."""
    began = time.perf_counter()
    learner = falsum.dask.TMClassifier(**options).fit(*data, client=client)
    seconds = time.perf_counter() - began
    return seconds, learner.to_local().model_.to_bytes()


def run(workers, X, y, options):
    """The same, and by step the seconds of all workers: working, and getting data."""
    with ready(workers, X, y) as (client, data):
        client.get_task_stream(start=0, stop=0)  # it counts from now on
        began = time.time()
        seconds, model = fit(client, data, options)
        spent = collections.Counter()
        for task in client.get_task_stream(start=began):
            step = next((name for part, name in STEPS.items() if task["key"].startswith(f"falsum-{part}")), "other")
            for part in task["startstops"]:
                spent[step if part["action"] == "compute" else "move data"] += part["stop"] - part["start"]
        spent["wait"] = workers * seconds - sum(spent.values())
        return seconds, model, spent


def seconds_apart(X, y, options):
    """Of two fits at the same time, each on a cluster of its own."""
    with ready(1, X, y) as first, ready(1, X, y) as second:
        threads = [threading.Thread(target=fit, args=(*each, options)) for each in (first, second)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--clauses", type=int, default=2000)
    asked.add_argument("--epochs", type=int, default=20)
    asked.add_argument("--rounds", type=int, default=3)
    given = asked.parse_args()
    warnings.filterwarnings("ignore", "Sending large graph")  # the data, before the time begins
    data = load_mnist()
    X, y = data.X_train, data.y_train
    options = {
        "clauses": given.clauses, "threshold": 50, "specificity": 10.0, "epochs": given.epochs, "random_state": 42, "calibration": None,
    }  # fmt: skip
    X, y = da.from_array(X, chunks=(10000, -1)), da.from_array(y, chunks=10000)
    print(f"MNIST, {given.clauses} clauses a class, T 50, s 10, {given.epochs} epochs; seconds of fit\n")
    print("| one worker | two workers | times as fast | two clusters of one worker at once | what the cores give |\n|---|---|---|---|---|")
    ratios, most = [], []
    for _ in range(given.rounds):
        (one, first, of_one), (two, second, of_two) = run(1, X, y, options), run(2, X, y, options)
        apart = seconds_apart(X, y, options)
        ratios.append(one / two)
        most.append(2 * one / apart)
        assert first == second, "the bytes are the same"
        print(f"| {one:.2f} | {two:.2f} | {ratios[-1]:.2f} | {apart:.2f} | {most[-1]:.2f} |", flush=True)
    ratio, limit = statistics.median(ratios), statistics.median(most)
    print(f"\nmedians: {ratio:.2f} times as fast; the cores give {limit:.2f}; the same bytes every time")
    print("\nThe last round, seconds of all workers together\n\n| step | one worker | two workers |\n|---|---|---|")
    for step in [*dict.fromkeys(STEPS.values()), "move data", "wait"]:
        print(f"| {step} | {of_one[step]:.2f} | {of_two[step]:.2f} |")


if __name__ == "__main__":
    main()

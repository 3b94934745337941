"""Clusters of worker processes on this computer. Dask is imported where it is used: Ray and Spark are tested without it."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def client():
    from distributed import Client

    with start(2) as cluster, Client(cluster) as client:
        yield client


def start(workers, **options):
    import dask
    from distributed import LocalCluster

    # Workers are killed on purpose here, more often than the three times after which Dask gives a task up.
    dask.config.set({"distributed.scheduler.allowed-failures": 1000, "distributed.worker.memory.pause": False})
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", **options)


def table(rows=400, classes=3, seed=0):
    """Numbers and labels that the numbers tell, mostly."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(rows, 5)).round(2)
    y = np.argsort(np.argsort(X[:, 0] + 0.5 * X[:, 1])) * classes // rows
    return X, y

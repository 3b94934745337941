"""Clusters of worker processes on this computer."""

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster

# Workers are killed on purpose here, more often than the three times after which Dask gives a task up.
dask.config.set({"distributed.scheduler.allowed-failures": 1000, "distributed.worker.memory.pause": False})


@pytest.fixture(scope="session")
def client():
    with start(2) as cluster, Client(cluster) as client:
        yield client


def start(workers, **options):
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", **options)


def table(rows=400, classes=3, seed=0):
    """Numbers and labels that the numbers tell, mostly."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(rows, 5)).round(2)
    y = np.argsort(np.argsort(X[:, 0] + 0.5 * X[:, 1])) * classes // rows
    return X, y

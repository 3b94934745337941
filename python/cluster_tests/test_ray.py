"""docs/python/ray.md: its programs, and what happens to workers that are killed. Run by `make test-ray`."""

import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("ray")
import ray
from conftest import table
from pages import run_programs_of

from falsum import TMClassifier, parts


@pytest.fixture(autouse=True)
def ray_ends():
    yield
    ray.shutdown()


def test_the_programs_of_the_page(monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    run_programs_of("python/ray.md")


def workers_that_learn():
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (path / "cmdline").read_bytes().startswith(b"ray::learn"):
                yield int(path.name)
        except OSError:  # it ended
            pass


def test_killed_workers_change_nothing():
    X, y = table(rows=3000, classes=6)
    estimator = TMClassifier(clauses=200, threshold=10, specificity=3.0, epochs=60, random_state=1, calibration=None)
    local = estimator.fit(X, y).model_.to_bytes()
    ray.init(num_cpus=2, include_dashboard=False)
    killed, done = [], threading.Event()

    def kill():
        while not done.is_set() and len(killed) < 5:
            time.sleep(0.3)
            for pid in list(workers_that_learn())[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        learn = ray.remote(max_retries=10)(parts.learn)
        task = parts.prepare(estimator, X, y)
        shared, states = ray.put(task), []
        for classes in task.learners:
            state = None
            for after in range(5, task.epochs + 1, 5):
                state = learn.remote(shared, state, classes, after)
            states.append(state)
        learned = parts.finish(task, ray.get(states))
    finally:
        done.set()
        killer.join()
    assert killed, "learning takes long enough to be hit"
    assert learned.model_.to_bytes() == local


def test_early_stopping_is_refused():
    with pytest.raises(ValueError, match="early_stopping must be False for parts.prepare, since no part sees all votes"):
        parts.prepare(TMClassifier(early_stopping=True), np.eye(4), [0, 1, 0, 1])

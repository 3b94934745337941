"""How many threads it takes when nobody says: all cores, but one where others work beside it. FINDINGS 4.9."""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys

import joblib
import numpy as np
import pytest
from conftest import small
from sklearn.model_selection import GridSearchCV

from falsum import _core, _options

ALL = 0  # what the core calls all cores


def asked(n_jobs=None):
    return _options.threads(n_jobs)


def in_turn(_):
    return asked(), asked(3)


def nested(backend):
    return joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(asked)() for _ in range(2))


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


def test_finding_4_9_all_cores_at_a_keyboard():
    assert asked() == ALL and asked(-1) == _core.cpu_cores() and asked(5) == 5
    assert small(epochs=1).fit(np.eye(4), [0, 1, 0, 1]).machine_.threads == _core.cpu_cores()


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_finding_4_9_one_in_a_worker_of_joblib(backend):
    found = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(in_turn)(i) for i in range(4))
    assert found == [(1, 3)] * 4  # what is said is done, also there
    assert asked() == ALL


def test_finding_4_9_one_in_a_worker_within_a_worker():
    for outer in ("loky", "threading"):
        found = joblib.Parallel(n_jobs=2, backend=outer)(joblib.delayed(nested)("threading") for _ in range(2))
        assert found == [[1, 1], [1, 1]]


def test_finding_4_9_a_loop_of_joblib_that_runs_one_after_another_is_no_parallelism():
    assert joblib.Parallel(n_jobs=1)(joblib.delayed(asked)() for _ in range(2)) == [ALL, ALL]


@pytest.mark.parametrize("method", [m for m in ("fork", "spawn", "forkserver") if m in multiprocessing.get_all_start_methods()])
def test_finding_4_9_one_in_a_process_of_multiprocessing(method):
    context = multiprocessing.get_context(method)
    if method == "spawn":
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
            assert list(pool.map(in_turn, range(3))) == [(1, 3)] * 3
    else:
        with context.Pool(1) as pool:  # its workers are daemons
            assert pool.map(in_turn, range(3)) == [(1, 3)] * 3


def test_finding_4_9_what_parallel_config_says_is_done():
    with joblib.parallel_backend("threading", n_jobs=3):
        assert asked() == 3 and asked(2) == 2
    with joblib.parallel_backend("loky", n_jobs=-1):
        assert asked() == _core.cpu_cores()
    if hasattr(joblib, "parallel_config"):
        with joblib.parallel_config(n_jobs=5):
            assert asked() == 5
        with joblib.parallel_config(n_jobs=1):
            assert asked() == 1
        with joblib.parallel_config(backend="threading"):  # says nothing of how many
            assert asked() == ALL
    assert asked() == ALL


@pytest.mark.parametrize("value, wanted", [("1", 1), ("1,4", 1), ("100000", _core.cpu_cores()), ("", ALL), ("many", ALL), ("0", ALL)])
def test_finding_4_9_no_more_than_omp_num_threads(monkeypatch, value, wanted):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert asked() == wanted and asked(3) == 3


SEARCH = """
import json, os, sys
import numpy as np
from sklearn.model_selection import GridSearchCV
from falsum import TMClassifier

class Told(TMClassifier):
    def fit(self, X, y):
        super().fit(X, y)
        self.told_ = (os.getpid(), self.machine_.threads)
        return self

    def score(self, X, y):
        return self.machine_.threads

if __name__ == "__main__":
    X = np.random.RandomState(0).rand(60, 4)
    grid = GridSearchCV(Told(clauses=4, threshold=2, epochs=1), {"specificity": [2.0, 3.0]}, cv=2, n_jobs=int(sys.argv[1]), refit=True)
    grid.fit(X, X[:, 0] > 0.5)
    print(json.dumps([grid.cv_results_["mean_test_score"].tolist(), grid.best_estimator_.told_[1]]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_finding_4_9_a_grid_search_with_workers_learns_with_one_thread_in_each(tmp_path, jobs):
    (tmp_path / "search.py").write_text(SEARCH)
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    result = subprocess.run(
        [sys.executable, tmp_path / "search.py", str(jobs)], capture_output=True, text=True, env=environment, timeout=300
    )
    assert result.returncode == 0, result.stderr
    scores, refitted = eval(result.stdout)
    cores = _core.cpu_cores()
    assert scores == ([1.0, 1.0] if jobs == 2 else [cores, cores])
    assert refitted == cores  # the refit is at the keyboard again


def test_finding_4_9_an_estimator_that_predicted_before_takes_one_thread_in_a_worker(monkeypatch):
    X = np.random.RandomState(0).rand(2000, 12) < 0.5
    machine = small(epochs=1).fit(X, X[:, 0])
    machine.predict(X)
    taken = []
    true_threads = _options.threads

    def listen(n_jobs):
        taken.append(true_threads(n_jobs))
        return taken[-1]

    monkeypatch.setattr("falsum._classifier.threads", listen)
    joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(machine.predict)(X) for _ in range(4))
    assert taken == [1] * 4


def test_grid_search_in_threads_gives_the_same_as_one_after_another():
    X = np.random.RandomState(0).rand(80, 4)
    y = X[:, 0] > 0.5
    scores = []
    for backend in ("threading", "loky"):
        with joblib.parallel_backend(backend, n_jobs=2):
            scores.append(
                GridSearchCV(small(epochs=2), {"specificity": [2.0, 5.0]}, cv=2).fit(X, y).cv_results_["mean_test_score"].tolist()
            )
    assert scores[0] == scores[1]

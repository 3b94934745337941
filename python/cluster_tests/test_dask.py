"""falsum.dask: the bytes of the local fit, on any cluster."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import dask
import dask.array as da
import dask.dataframe as dd
import joblib
import numpy as np
import pandas
import pytest
import scipy.sparse
from conftest import start, table
from distributed import Client
from sklearn.model_selection import GridSearchCV

import falsum
import falsum.dask as cluster

SMALL = {"clauses": 20, "threshold": 10, "specificity": 3.0, "epochs": 6, "random_state": 1}


def same(distributed, local):
    assert distributed.to_local().model_.to_bytes() == local.model_.to_bytes()
    assert distributed.n_epochs_ == local.n_epochs_


@pytest.mark.parametrize("classes", [2, 3, 10, 33])
@pytest.mark.parametrize("form", ["numbers", "truth values", "sparse"])
@pytest.mark.parametrize("sizes", [(400,), (133, 0, 1, 266)], ids=["one partition", "odd and empty partitions"])
def test_learns_the_bytes_of_fit(client, classes, form, sizes):
    X, y = table(classes=classes)
    if form != "numbers":
        X = falsum.Booleanizer().fit_transform(X)
    local_X = scipy.sparse.csr_matrix(X) if form == "sparse" else X
    chunks = (sizes, (X.shape[1],))
    chunked = da.from_array(X, chunks=chunks)
    if form == "sparse":
        chunked = chunked.map_blocks(scipy.sparse.csr_matrix, meta=scipy.sparse.csr_matrix((0, X.shape[1]), dtype=bool))
    distributed = cluster.TMClassifier(**SMALL).fit(chunked, da.from_array(y, chunks=(sizes,)), epochs_per_task=4)
    local = falsum.TMClassifier(**SMALL).fit(local_X, y)
    same(distributed, local)
    assert distributed.history_ == local.history_
    assert distributed.calibration_ == local.calibration_
    assert np.array_equal(distributed.predict(chunked).compute(), local.predict(local_X))
    assert np.array_equal(distributed.votes(chunked).compute(), local.votes(local_X))
    assert np.array_equal(distributed.predict_proba(chunked).compute(), local.predict_proba(local_X))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"weighted": True, "snapshots": 3},
        {"shared": True},
        {"sharded": True},
        {"fuzzy": 8, "max_literals": 8},
        {"class_weight": "balanced", "calibration": None},
        {"clauses": "auto", "threshold": "auto", "specificity": "auto"},
    ],
    ids=str,
)
def test_every_kind_of_machine(client, more):
    X, y = table()
    options = {**SMALL, **more}
    distributed = cluster.TMClassifier(**options).fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100), epochs_per_task=2)
    same(distributed, falsum.TMClassifier(**options).fit(X, y))


def test_numbers_several_labels_and_weights(client):
    X, y = table()
    parts = {"chunks": 100}
    numbers, labels = X[:, 0] * 2 + X[:, 1], X[:, :3] > 0
    weights = 1.0 + (np.arange(400) % 3)
    options = {**SMALL, "clauses": 40, "threshold": 200}
    distributed = cluster.TMRegressor(**options).fit(da.from_array(X, **parts), da.from_array(numbers, **parts))
    local = falsum.TMRegressor(**options).fit(X, numbers)
    same(distributed, local)
    assert np.array_equal(distributed.predict(da.from_array(X, **parts)).compute(), local.predict(X))
    distributed = cluster.TMClassifier(**SMALL).fit(da.from_array(X, **parts), da.from_array(labels, **parts))
    local = falsum.TMClassifier(**SMALL).fit(X, labels)
    same(distributed, local)
    assert np.array_equal(distributed.predict(da.from_array(X, **parts)).compute(), local.predict(X))
    distributed = cluster.TMClassifier(**SMALL).fit(da.from_array(X, **parts), da.from_array(y, **parts), da.from_array(weights, **parts))
    same(distributed, falsum.TMClassifier(**SMALL).fit(X, y, weights))


def test_frames_and_delayed_parts(client):
    X, y = table()
    frame = pandas.DataFrame(X, columns=list("abcde"))
    frame["colour"] = np.where(X[:, 2] > 0, "red", "blue")
    labels = pandas.Series(np.array(["low", "middle", "high"])[y], name="level")
    local = falsum.TMClassifier(**SMALL).fit(frame, labels)
    frames = dd.from_pandas(frame, npartitions=3)
    distributed = cluster.TMClassifier(**SMALL).fit(frames, dd.from_pandas(labels, npartitions=3))
    same(distributed, local)
    answers = distributed.predict(frames)
    assert isinstance(answers, dd.Series) and answers.compute().tolist() == local.predict(frame).tolist()
    assert np.array_equal(distributed.predict_proba(frames).compute().to_numpy(), local.predict_proba(frame))
    parts = [dask.delayed(lambda s: (frame[s], labels[s]))(slice(i, i + 100)) for i in range(0, 400, 100)]
    same(cluster.TMClassifier(**SMALL).fit(parts), local)


def test_a_fitted_booleanizer_reads_partition_by_partition(client):
    X, y = table()
    fitted = falsum.Booleanizer(bits=4).fit(X)
    options = {**SMALL, "booleanizer": fitted}
    distributed = cluster.TMClassifier(**options).fit(da.from_array(X, chunks=(90, 5)), da.from_array(y, chunks=90))
    same(distributed, falsum.TMClassifier(**options).fit(X, y))


@pytest.mark.parametrize("workers", [1, 3, 4])
def test_any_number_of_workers(workers):
    X, y = table(classes=10)
    local = falsum.TMClassifier(**SMALL).fit(X, y)
    with start(workers) as here, Client(here) as client:
        distributed = cluster.TMClassifier(**SMALL).fit(da.from_array(X, chunks=(70, 5)), da.from_array(y, chunks=70), client=client)
    same(distributed, local)


def test_forty_kills_change_nothing():
    X, y = table(rows=3000, classes=6)
    options = {**SMALL, "clauses": 200, "epochs": 120, "calibration": None}
    local = falsum.TMClassifier(**options).fit(X, y)
    killed = []
    with start(2) as here, Client(here) as client:
        done = threading.Event()

        def kill():
            choose = random.Random(7)
            while not done.is_set() and len(killed) < 40:
                time.sleep(choose.uniform(0.05, 0.6))
                # Those at work: a worker that is still starting would not be started again by its nanny, nor one killed twice.
                at_work = [worker for worker in here.workers.values() if worker.worker_address in here.scheduler.workers]
                pids = [worker.pid for worker in at_work if worker.pid and worker.pid not in killed]
                if pids:
                    pid = choose.choice(pids)
                    try:
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
                    except ProcessLookupError:  # it ended before
                        pass

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            while len(killed) < 40:
                before = len(killed)
                distributed = cluster.TMClassifier(**options)
                distributed.fit(da.from_array(X, chunks=(500, 5)), da.from_array(y, chunks=500), client=client, epochs_per_task=5)
                same(distributed, local)
                assert len(killed) > before, "learning takes long enough to be hit"
        finally:
            done.set()
            killer.join()
    assert len(killed) == 40


FIT = """
import sys, warnings
import dask.array as da
from distributed import Client, LocalCluster
sys.path.insert(0, {tests!r})
from conftest import table, start
import falsum.dask
if __name__ == "__main__":
    X, y = table(rows=3000, classes=6)
    with start(2) as here, Client(here) as client:
        learner = falsum.dask.TMClassifier(**{options!r})
        print("begins", flush=True)
        learner.fit(da.from_array(X, chunks=(500, 5)), da.from_array(y, chunks=500), checkpoint_folder={folder!r}, epochs_per_task=5)
        learner.to_local().save({model!r})
"""


def run_to_its_end(script):
    result = subprocess.run([sys.executable, str(script)], timeout=300, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_a_killed_scheduler_and_client_go_on_from_the_folder(tmp_path):
    options = {**SMALL, "clauses": 200, "epochs": 60, "calibration": None}
    folder, model = tmp_path / "states", tmp_path / "model.falsum"
    folder.mkdir()
    text = FIT.format(tests=os.path.dirname(__file__), options=options, folder=str(folder), model=str(model))
    script = tmp_path / "learn.py"
    script.write_text(text)
    first = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while len(list(folder.glob("*epoch-5.*")) + list(folder.glob("*epoch-10.*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        os.killpg(first.pid, signal.SIGKILL)  # client, scheduler and workers, of a session of their own
        first.communicate()
    assert list(folder.glob("*.falsum-state")) and not model.exists()
    run_to_its_end(script)
    X, y = table(rows=3000, classes=6)
    local = falsum.TMClassifier(**options).fit(X, y)
    assert falsum.TMClassifier.load(model).model_.to_bytes() == local.model_.to_bytes()
    kept = list(folder.glob("*.falsum-state"))
    assert len(kept) == 6 and not list(folder.glob(".*"))
    kept[0].write_bytes(kept[0].read_bytes()[:100])  # a damaged state is learned again
    kept[1].unlink()
    model.unlink()
    run_to_its_end(script)
    assert falsum.TMClassifier.load(model).model_.to_bytes() == local.model_.to_bytes()


# ------------------------------------------------------------------------------------------------ what goes wrong


def fit(X, y, **more):
    return cluster.TMClassifier(**SMALL).fit(X, y, **more)


def test_bad_partitions_are_named(client):
    X, y = table()
    dask_X, dask_y = da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100)
    with pytest.raises(ValueError, match="y has 2 partitions and X has 4: repartition them alike"):
        fit(dask_X, da.from_array(y, chunks=200))
    infinite = X.copy()
    infinite[250, 1] = np.inf
    with pytest.raises(ValueError, match="partition 2: .*inf"):
        fit(da.from_array(infinite, chunks=(100, 5)), dask_y)
    fitted = cluster.TMClassifier(**SMALL, booleanizer=falsum.Booleanizer().fit(X))
    with pytest.raises(ValueError, match="partition 2: .*inf"):
        fitted.fit(da.from_array(infinite, chunks=(100, 5)), dask_y)
    pairs = [dask.delayed((X[:50], y[:50])), dask.delayed((X[50:], y[51:]))]
    with pytest.raises(ValueError, match="partition 1 has 350 rows in X and 349 in y"):
        fit(pairs, None)
    with pytest.raises(TypeError, match="partition 0 must be a pair"):
        fit([dask.delayed([1, 2])], None)
    for more in ({}, {"booleanizer": falsum.Booleanizer().fit(X)}):
        with pytest.raises(ValueError, match="partition 1 has 4 columns, and partition 0 has 5"):
            cluster.TMClassifier(**SMALL, **more).fit([dask.delayed((X[:50], y[:50])), dask.delayed((X[50:, :4], y[50:]))])
    with pytest.raises(ValueError, match="one class"):
        fit(dask_X, da.zeros(400, chunks=100, dtype=int))
    with pytest.raises(ValueError, match="all 2 partitions are empty"):
        fit([dask.delayed((X[:0], y[:0]))] * 2, None)
    with pytest.raises(TypeError, match="X must be a Dask array or data frame, got ndarray"):
        fit(X, y)


@pytest.mark.parametrize("where", ["at once", "by partition"])
def test_a_partition_with_labels_that_are_none_is_named(client, where):
    X, y = table()
    more = {"booleanizer": falsum.Booleanizer().fit(X)} if where == "by partition" else {}
    names = np.array(["low", "middle", "high"], dtype=object)[y]
    for label, given, sentence in [
        (np.nan, y.astype(float), "partition 2: .*NaN"),
        (None, names, "partition 2: .*NoneType"),
        (0.5, y.astype(float), "partition 2: .*continuous"),
    ]:
        labels = given.copy()
        labels[250] = label
        with pytest.raises((ValueError, TypeError), match=sentence):
            cluster.TMClassifier(**SMALL, **more).fit(da.from_array(X, chunks=(100, 5)), da.from_array(labels, chunks=100))
    pairs = [dask.delayed((X[:200], y[:200])), dask.delayed((X[200:], y[200:].astype(str)))]
    with pytest.raises((ValueError, TypeError), match="the labels of partition 1 are texts, and those of partition 0 are numbers"):
        cluster.TMClassifier(**SMALL, **more).fit(pairs)


def limit_files(size):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def test_a_full_disk_on_a_worker_is_said_and_learning_goes_on(tmp_path):
    """On a file system of 100 kB where one may be mounted, else with files that cannot grow."""
    X, y = table()
    options = {**SMALL, "clauses": 2000}
    folder = tmp_path / "states"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", folder], capture_output=True).returncode == 0
    try:
        with start(2) as here, Client(here) as client:
            if not mounted:
                client.run(limit_files, 10000)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                learner = cluster.TMClassifier(**options)
                learner.fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100), checkpoint_folder=folder, client=client)
        sentences = [str(warning.message) for warning in said if "without a checkpoint" in str(warning.message)]
        reason = "No space left on device" if mounted else "File too large"
        assert sentences and all("worker tcp://" in sentence and reason in sentence for sentence in sentences)
        assert not list(folder.glob(".*")), "nothing half written stays"
        same(learner, falsum.TMClassifier(**options).fit(X, y))
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)


def test_what_cannot_be_distributed_is_refused(client):
    X, y = table()
    for more in ({"warm_start": True}, {"callbacks": [print]}, {"verbose": 1}):
        with pytest.raises(ValueError, match=f"^{next(iter(more))} must be"):
            cluster.TMClassifier(**{**SMALL, **more}).fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100))
    with pytest.raises(ValueError, match="epochs_per_task must be a whole number of at least 1, got 0"):
        fit(da.from_array(X), da.from_array(y), epochs_per_task=0)


def test_two_versions_in_one_cluster_are_refused(client, monkeypatch):
    X, y = table()
    monkeypatch.setattr(falsum, "__version__", "9.9.9")
    with pytest.raises(RuntimeError, match=r"worker tcp://.* has falsum .*, the client 9.9.9: install the same version on all workers"):
        fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100))


@pytest.mark.parametrize("what", ["lost", "read-only"])
def test_without_a_place_for_checkpoints_learning_goes_on_and_says_so(client, tmp_path, what):
    folder = tmp_path / "there is none"
    if what == "read-only":
        folder = "/sys"  # nothing can be created there, not even by root
    X, y = table()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        learner = fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100), checkpoint_folder=folder)
    assert any("learning went on without a checkpoint: worker tcp://" in str(warning.message) for warning in said)
    same(learner, falsum.TMClassifier(**SMALL).fit(X, y))


def test_a_failed_fit_changes_nothing(client):
    X, y = table()
    learner = fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=100))
    before = learner.to_local().model_.to_bytes()
    with pytest.raises(ValueError, match="partitions"):
        learner.fit(da.from_array(X, chunks=(100, 5)), da.from_array(y, chunks=200))
    assert learner.to_local().model_.to_bytes() == before


# ------------------------------------------------------------------------------------------------ searches


def test_searches_on_the_cluster(client):
    X, y = table(rows=150)
    search = GridSearchCV(falsum.TMClassifier(**SMALL), {"threshold": [5, 10], "specificity": [2.0, 4.0]}, cv=3)
    with joblib.parallel_config("dask"):
        search.fit(X, y)
    alone = GridSearchCV(falsum.TMClassifier(**SMALL), {"threshold": [5, 10], "specificity": [2.0, 4.0]}, cv=3).fit(X, y)
    assert search.cv_results_["mean_test_score"].tolist() == alone.cv_results_["mean_test_score"].tolist()
    assert search.best_estimator_.model_.to_bytes() == alone.best_estimator_.model_.to_bytes()

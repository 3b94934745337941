"""falsum.dask: the bytes of the local fit in every cell of {1 to 4 worker processes} x {exact, sharded} x {2, 3, 10, 33 classes} x
{packed, sparse} x {one, odd and empty partitions}; for packed files, and with early stopping."""

import dask.array as da
import numpy as np
import pytest
import scipy.sparse
from conftest import start, table
from distributed import Client

import falsum
import falsum.dask as cluster

SMALL = {"clauses": 20, "threshold": 10, "specificity": 3.0, "epochs": 3, "random_state": 1, "calibration": None}
PARTITIONS = [(400,), (133, 0, 1, 266)]


def rows_of(classes, form):
    X, y = table(classes=classes)
    X = falsum.Booleanizer().fit_transform(X).astype(bool)
    return (scipy.sparse.csr_matrix(X) if form == "sparse" else X), y


def chunked(X, sizes):
    if not scipy.sparse.issparse(X):
        return da.from_array(X, chunks=(sizes, (X.shape[1],)))
    plain = da.from_array(X.toarray(), chunks=(sizes, (X.shape[1],)))
    return plain.map_blocks(scipy.sparse.csr_matrix, meta=scipy.sparse.csr_matrix((0, X.shape[1]), dtype=bool))


@pytest.fixture(scope="module", params=[1, 2, 3, 4], ids=lambda workers: f"{workers} workers")
def workers(request):
    with start(request.param) as here, Client(here) as client:
        yield client


@pytest.mark.parametrize("classes", [2, 3, 10, 33])
@pytest.mark.parametrize("form", ["packed", "sparse"])
@pytest.mark.parametrize("sharded", [False, True], ids=["exact", "sharded"])
def test_every_cell(workers, classes, form, sharded):
    X, y = rows_of(classes, form)
    local = falsum.TMClassifier(**SMALL, sharded=sharded).fit(X, y).model_.to_bytes()
    for sizes in PARTITIONS:
        learner = cluster.TMClassifier(**SMALL, sharded=sharded)
        learner.fit(chunked(X, sizes), da.from_array(y, chunks=(sizes,)), client=workers, epochs_per_task=2)
        assert learner.to_local().model_.to_bytes() == local, sizes


@pytest.mark.parametrize("form", ["packed", "sparse"])
def test_packed_files(workers, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = rows_of(3, form)
    weights = 1.0 + np.arange(len(y)) % 3
    rows = falsum.pack(X, "rows.falsum-rows", y, sample_weight=weights)  # the workers have another current folder
    for more in ({}, {"early_stopping": True, "epochs": 8, "n_iter_no_change": 2}):
        options = {**SMALL, **more}
        learner = cluster.TMClassifier(**options).fit(rows, client=workers)
        assert learner.to_local().model_.to_bytes() == falsum.TMClassifier(**options).fit(rows).model_.to_bytes()
        assert np.array_equal(learner.predict(rows), learner.to_local().predict(X))
    with pytest.raises(ValueError, match="packed rows have their labels and weights inside"):
        cluster.TMClassifier(**SMALL).fit(rows, y, client=workers)


EARLY = [
    ("TMClassifier", {}),
    ("TMClassifier", {"calibration": "auto", "class_weight": "balanced"}),
    ("TMClassifier", {"calibration": "isotonic", "snapshots": 2}),
    ("TMClassifier", {"shared": True}),
    ("TMClassifier", {"n_iter_no_change": 50}),
    ("TMClassifier", {"early_stopping": False, "calibration": "temperature"}),
    ("TMRegressor", {"threshold": 200, "clauses": 40}),
    ("labels", {"calibration": None}),
]


@pytest.mark.parametrize("kind, more", EARLY, ids=str)
def test_early_stopping_ends_after_the_same_epoch(workers, kind, more, tmp_path):
    X, y = table(classes=3)
    targets = {"TMRegressor": X[:, 0] * 2 + X[:, 1], "labels": X[:, :3] > 0}.get(kind, y)
    options = {**SMALL, "epochs": 25, "early_stopping": True, "n_iter_no_change": 3, **more}
    name = "TMRegressor" if kind == "TMRegressor" else "TMClassifier"
    if name == "TMRegressor":
        options.pop("calibration")
    local = getattr(falsum, name)(**options).fit(X, targets)
    parts = [da.from_array(values, chunks=(100,) + values.shape[1:]) for values in (X, targets)]
    for epochs_per_task, folder in ((4, None), (7, tmp_path), (7, tmp_path)):  # the last finds all states there
        learner = getattr(cluster, name)(**options)
        learner.fit(*parts, client=workers, epochs_per_task=epochs_per_task, checkpoint_folder=folder)
        assert learner.to_local().model_.to_bytes() == local.model_.to_bytes()
        assert learner.n_epochs_ == local.n_epochs_
        assert learner.history_ == local.history_
        if options["early_stopping"]:
            assert (learner.best_score_, learner.best_epoch_) == (local.best_score_, local.best_epoch_)

"""falsum.mpi learns the bytes of the local fit: with any number of processes, also when one of them dies and others go on.

Run by `make test-mpi`, in an environment with falsum, mpi4py and pytest. FALSUM_COMMAND and FALSUM_MPI are the two programs.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from test_mpi import COMMAND, ENVIRONMENT, MACHINE, MPI, mpirun, run, write_rows

import falsum

SMALL = {"clauses": 40, "threshold": 10, "specificity": 4.0, "epochs": 3, "random_state": 7, "n_jobs": 1}

# What every process runs: `learn` and the data are written by the tests below.
SCRIPT = """
import sys
import numpy as np, scipy.sparse
from mpi4py import MPI
import falsum.mpi
sys.path.insert(0, {here!r})
from test_mpi_python import table, keep
rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
place = {place!r}
{body}
"""


def table(classes, form="packed", rows=240):
    """Truth values and labels that they tell, mostly."""
    draw = np.random.RandomState(classes)
    y = np.arange(rows) % classes
    X = draw.uniform(size=(rows, 20)) < np.where((y[:, None] >> (np.arange(20) % 6)) & 1, 0.8, 0.2)
    if form == "sparse":
        import scipy.sparse

        X = scipy.sparse.csr_matrix(X)
    return X, np.array([f"c{label}" for label in y])


def keep(learner, path):
    Path(path).write_bytes(learner.model_.to_bytes())


def python(tmp_path, processes, body):
    script = tmp_path / "learn.py"
    script.write_text(SCRIPT.format(here=str(Path(__file__).parent), place=str(tmp_path), body=body))
    return mpirun(processes, script, program=sys.executable)


CELLS = [(c, form, way) for c in (2, 3, 10, 33) for form in ("packed", "sparse") for way in (False, True)]
LEARN_CELLS = f"""
for classes, form, sharded in {CELLS!r}:
    learner = falsum.mpi.TMClassifier(**{SMALL!r}, calibration=None, sharded=sharded).fit(*table(classes, form))
    keep(learner, f"{{place}}/{{classes}}-{{form}}-{{sharded}}-of-{{size}}-{{rank}}")
"""


@pytest.mark.parametrize("processes", [1, 2, 3, 4, 5])
def test_any_number_of_processes_learns_the_bytes_of_fit(processes, tmp_path):
    run(python(tmp_path, processes, LEARN_CELLS))
    for classes, form, sharded in CELLS:
        local = falsum.TMClassifier(**SMALL, calibration=None, sharded=sharded).fit(*table(classes, form)).model_.to_bytes()
        for rank in range(processes):  # every process has the whole
            path = tmp_path / f"{classes}-{form}-{sharded}-of-{processes}-{rank}"
            assert path.read_bytes() == local, path.name


def test_the_bytes_are_those_of_both_commands(tmp_path):
    rows = tmp_path / "rows.falsum-rows"
    run([COMMAND, "pack", write_rows(tmp_path / "rows.csv", 3, "csv"), "-o", rows])
    options = [rows, *MACHINE, "--epochs", 3]
    run([COMMAND, "train", *options, "-o", tmp_path / "one"])
    run(mpirun(4, "train", *options, "-o", tmp_path / "four"))
    assert MPI and (tmp_path / "four").read_bytes() == (tmp_path / "one").read_bytes()
    body = f"falsum.mpi.TMClassifier(**{SMALL!r}).fit(falsum.open_rows({str(rows)!r})).save(f'{{place}}/{{rank}}.falsum')"
    run(python(tmp_path, 4, body))
    for rank in range(4):
        assert (tmp_path / f"{rank}.falsum").read_bytes() == (tmp_path / "one").read_bytes()


KINDS = [
    ("TMClassifier", {}),
    ("TMClassifier", {"shared": True, "snapshots": 2}),
    ("TMClassifier", {"weighted": True, "class_weight": "balanced"}),
    ("TMClassifier", {"fuzzy": 4, "max_literals": 8}),
    ("TMClassifier", {"calibration": "isotonic"}),
    ("TMRegressor", {"threshold": 200}),
]
LEARN_KINDS = f"""
X, y = table(3)
numbers, labels, weights = X.sum(axis=1).astype(float), X[:, :3], 1.0 + np.arange(240) % 3
for number, (name, more) in enumerate({KINDS!r}):
    learner = getattr(falsum.mpi, name)(**{{**{SMALL!r}, **more}}).fit(X, numbers if name == "TMRegressor" else y, weights)
    keep(learner, f"{{place}}/{{number}}-{{rank}}")
keep(falsum.mpi.TMClassifier(**{SMALL!r}).fit(X, labels), f"{{place}}/labels-{{rank}}")
anyhow = falsum.mpi.TMClassifier(**{{**{SMALL!r}, "random_state": None}}).fit(X, y)
assert anyhow.random_state is None
keep(anyhow, f"{{place}}/anyhow-{{rank}}")
"""


def test_other_machines_and_their_history(tmp_path):
    run(python(tmp_path, 2, LEARN_KINDS))
    X, y = table(3)
    weights = 1.0 + np.arange(240) % 3
    for number, (name, more) in enumerate(KINDS):
        local = getattr(falsum, name)(**{**SMALL, **more}).fit(X, X.sum(axis=1).astype(float) if name == "TMRegressor" else y, weights)
        for rank in (0, 1):
            assert (tmp_path / f"{number}-{rank}").read_bytes() == local.model_.to_bytes(), (name, more)
    labels = falsum.TMClassifier(**SMALL).fit(X, X[:, :3])
    assert (tmp_path / "labels-1").read_bytes() == labels.model_.to_bytes()
    assert (tmp_path / "anyhow-0").read_bytes() == (tmp_path / "anyhow-1").read_bytes()


LONG = {**SMALL, "epochs": 300, "calibration": None, "sharded": True}
LEARN_LONG = f"""
X, y = table(2, rows=3000)
learner = falsum.mpi.TMClassifier(**{LONG!r}).fit(X, y, checkpoint_folder=place + "/states", deadline=DEADLINE)
keep(learner, f"{{place}}/model-{{rank}}")
if rank == 0:
    import json
    open(place + "/history", "w").write(json.dumps(learner.history_))
"""


def begin_long(tmp_path, processes, deadline=60):
    """A job that has kept a state, and has many epochs to go; and its processes."""
    (tmp_path / "states").mkdir()
    command = python(tmp_path, processes, LEARN_LONG.replace("DEADLINE", str(deadline)))
    job = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    end = time.monotonic() + 400
    while not list((tmp_path / "states").glob("*.falsum-state")):
        assert job.poll() is None and time.monotonic() < end, job.stderr.read()
        time.sleep(0.01)
    ranks = [int(pid) for pid in Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
             if b"learn.py" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(ranks) == processes
    return job, ranks


@pytest.mark.parametrize("victim, others", [(0, 2), (2, 5)])
def test_a_killed_process_ends_the_job_and_another_number_of_them_goes_on(victim, others, tmp_path):
    job, ranks = begin_long(tmp_path, 3)
    os.kill(ranks[victim], signal.SIGKILL)
    began = time.monotonic()
    job.communicate(timeout=120)
    assert job.returncode != 0 and time.monotonic() - began < 10
    assert not list(tmp_path.glob("model-*"))
    run(python(tmp_path, others, LEARN_LONG.replace("DEADLINE", "60")))
    local = falsum.TMClassifier(**LONG).fit(*table(2, rows=3000))
    assert (tmp_path / "model-1").read_bytes() == local.model_.to_bytes()
    assert json.loads((tmp_path / "history").read_text()) == local.history_


def test_a_process_that_hangs_ends_the_job_at_the_deadline(tmp_path):
    job, ranks = begin_long(tmp_path, 3, deadline=2)
    os.kill(ranks[1], signal.SIGSTOP)
    began = time.monotonic()
    try:
        errors = job.communicate(timeout=120)[1]
    finally:
        for rank in ranks:
            if Path(f"/proc/{rank}/cmdline").exists() and b"learn.py" in Path(f"/proc/{rank}/cmdline").read_bytes():
                os.kill(rank, signal.SIGKILL)
    assert job.returncode != 0 and 1.5 < time.monotonic() - began < 15
    assert "did not answer within 2 s (deadline)" in errors


MISTAKES = f"""
def sentence(what):
    try:
        what()
    except Exception as error:
        return type(error).__name__ + ": " + str(error)

X, y = table(3)
learner = falsum.mpi.TMClassifier(**{SMALL!r})
said = [
    sentence(lambda: learner.fit(X, y if rank == 0 else y[::-1])),
    sentence(lambda: learner.fit(X, y if rank == 0 else y[:-1])),
    sentence(lambda: falsum.mpi.TMClassifier(**{{**{SMALL!r}, "specificity": 4.0 + rank}}).fit(X, y)),
    sentence(lambda: falsum.mpi.TMRegressor(**{{**{SMALL!r}, "clauses": 8}}).fit(X, X.sum(axis=1))),
    sentence(lambda: falsum.mpi.TMClassifier(early_stopping=True).fit(X, y)),
    sentence(lambda: learner.fit(X, y, deadline=0)),
    sentence(lambda: learner.fit(X, y, checkpoint_every=0)),
    sentence(lambda: setattr(falsum, "__version__", f"9.{{rank}}") or learner.fit(X, y)),
]
assert not hasattr(learner, "model_")
open(f"{{place}}/said-{{rank}}", "w").write("\\n".join(map(str, said)))
"""


def test_mistakes_are_said_by_all_processes_before_they_learn(tmp_path):
    run(python(tmp_path, 2, MISTAKES))
    said = [(tmp_path / f"said-{rank}").read_text().splitlines() for rank in (0, 1)]
    assert said[1][1].startswith("ValueError: Found input variables with inconsistent numbers of samples")
    assert said[0][1] == "RuntimeError: process 1: " + said[1][1].removeprefix("ValueError: ")
    del said[0][1], said[1][1]
    others = "RuntimeError: there are other data, options or versions of falsum in process 0 than in process 1"
    assert said[0] == said[1] == [
        others,
        others,
        "ValueError: this machine can be divided among 1 to 1 processes, got 2",
        "ValueError: early_stopping must be False in an MPI job, since no process sees all votes",
        "ValueError: deadline must be more than 0 seconds, got 0",
        "ValueError: checkpoint_every must be a whole number of at least 1, got 0",
        others,
    ]


def test_a_collective_of_python_sums_what_the_model_of_costs_says(tmp_path):
    """Any object with rank, size and sum: here of one member beside another that says nothing."""
    X, y = table(2)
    options = falsum.TMClassifier(**SMALL)._options()
    rows, classes = falsum.Booleanizer().fit(X)._rows(X), (y == "c1").astype(np.uint32)
    chosen = {**options, "snapshots": 1}
    parts = falsum._core.divided(chosen, 2, 4)
    assert [(part.classes, part.shard, part.shards) for part in parts] == [([0], 0, 2), ([0], 1, 2), ([1], 0, 2), ([1], 1, 2)]
    seen = []

    class Alone:
        rank, size = 0, 2

        def sum(self, numbers):
            assert numbers.dtype == np.int32 and numbers.flags.writeable
            seen.append(len(numbers))
            if len(seen) == 100:
                raise ConnectionError("the other member is gone")

    machine = falsum._core.Machine(chosen, rows.columns, 2, parts[0])
    with pytest.raises(ValueError, match="shard 1 of 2 of class 0 needs a collective"):
        machine.learn_epoch(rows, classes)
    machine.set_collective(Alone())
    with pytest.raises(ConnectionError, match="the other member is gone"):
        machine.learn_epoch(rows, classes)
    assert seen == [1] * 100

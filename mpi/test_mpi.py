"""falsum-mpi learns the bytes that falsum train learns: with any number of processes, also when one of them dies and others go on.

Run by `make test-mpi`. FALSUM_COMMAND and FALSUM_MPI are the two programs.
"""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

COMMAND, MPI = os.environ["FALSUM_COMMAND"], os.environ["FALSUM_MPI"]
# In a container processes may be root, and on a small computer there are more of them than cores.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MACHINE = ["--clauses", "40", "-T", "10", "-s", "4", "--seed", "7", "--threads", "1"]


def mpirun(processes, *arguments, program=MPI):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(processes), program, *map(str, arguments)]


def run(command, code=0):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, env=ENVIRONMENT)
    assert result.returncode == code, (command, result.stdout, result.stderr)
    return result


def write_rows(path, classes, form, rows=240):
    """Rows of 20 features, of which some follow from the class. Every class has rows."""
    draw = random.Random(classes)
    lines = [] if form == "svm" else [",".join(f"f{k}" for k in range(20)) + ",kind"]
    for i in range(rows):
        kind = i % classes if i < classes else draw.randrange(classes)
        bits = [int(draw.random() < (0.8 if (kind >> k % 6) & 1 else 0.2)) for k in range(20)]
        if form == "svm":
            lines.append(f"{kind} " + " ".join(f"{k + 1}:1" for k in range(20) if bits[k]))
        else:
            lines.append(",".join(map(str, bits)) + f",c{kind}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("classes", [2, 3, 10, 33])
@pytest.mark.parametrize("form", ["csv", "svm"])
@pytest.mark.parametrize("way", ["exact", "sharded"])
def test_any_number_of_processes_and_threads_learns_the_same_bytes(classes, form, way, tmp_path):
    data = write_rows(tmp_path / f"rows.{form}", classes, form)
    options = [data, *MACHINE, "--epochs", 2, "--calibration", "none", *(["--sharded"] if way == "sharded" else [])]
    run([COMMAND, "train", *options, "-o", tmp_path / "one", "--checkpoint", tmp_path / "one-state"])
    model, checkpoint = (tmp_path / "one").read_bytes(), (tmp_path / "one-state").read_bytes()
    for threads in ("2", "3", "5"):
        at = options.index("--threads") + 1
        run([COMMAND, "train", *options[:at], threads, *options[at + 1 :], "-o", tmp_path / "threads"])
        assert (tmp_path / "threads").read_bytes() == model, threads
    for processes in range(1, 6):
        place = tmp_path / f"of-{processes}"
        run(mpirun(processes, "train", *options, "-o", place, "--checkpoint", f"{place}-state"))
        assert place.read_bytes() == model, processes
        assert Path(f"{place}-state").read_bytes() == checkpoint, processes


@pytest.mark.parametrize("way", ["exact", "sharded", "shared"])
def test_the_plan_knows_every_message(way, tmp_path):
    """falsum plan counts sums and bytes before; falsum-mpi counts those that it makes."""
    data = write_rows(tmp_path / "rows.csv", 3, "csv")
    options = [data, *MACHINE, *{"exact": [], "sharded": ["--sharded", "--block", "64"], "shared": ["--shared"]}[way]]
    planned = json.loads(run([COMMAND, "plan", *options, "--nodes", 5, "--epoch-seconds", 1, "--json"]).stdout)["nodes"]
    assert [row["nodes"] for row in planned] == [1, 2, 4, 5]
    for row in planned:
        epoch = json.loads(run(mpirun(row["nodes"], "train", *options, "--epochs", 1, "--json")).stdout)["epochs"][0]
        assert (epoch["sums"], epoch["summed_bytes"]) == (row["sums"], row["summed_bytes"])
    assert planned[0]["sums"] == 0 < planned[-1]["sums"]
    assert (planned[1]["sums"] == 0) == (way != "shared")  # two processes have whole classes


KINDS = {
    "averaged, with probabilities": ["--snapshots", "3"],
    "shared": ["--shared", "--calibration", "none"],
    "fuzzy": ["--fuzzy", "4", "--max-literals", "8"],
    "weighted": ["--weighted", "--class-weight", "balanced", "--test", "DATA"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_machines_are_learned_as_well(kind, tmp_path):
    data = write_rows(tmp_path / "rows.csv", 3, "csv")
    options = [data, *MACHINE, "--epochs", 4, *[data if word == "DATA" else word for word in KINDS[kind]]]
    run([COMMAND, "train", *options, "-o", tmp_path / "one"])
    for processes in (2, 3):
        run(mpirun(processes, "train", *options, "-o", tmp_path / "several"))
        assert (tmp_path / "several").read_bytes() == (tmp_path / "one").read_bytes(), processes


def processes_of(job, count):
    """The process ids of the ranks, children of mpirun."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        children = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
        named = [int(pid) for pid in children if Path(f"/proc/{pid}/comm").read_text().strip() == "falsum-mpi"]
        if len(named) == count:
            return named
        time.sleep(0.02)
    raise AssertionError("the processes did not start")


def begin_long(tmp_path, processes, *more):
    """A job that has written its first checkpoint, and has many epochs to go; and its options."""
    data = write_rows(tmp_path / "rows.csv", 2, "csv", rows=3000)
    options = [data, *MACHINE, "--epochs", 300, "--calibration", "none", "--sharded", "--checkpoint", tmp_path / "state"]
    command = mpirun(processes, "train", *options, "-o", tmp_path / "model", *more)
    job = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    ranks = processes_of(job, processes)
    end = time.monotonic() + 240
    while not (tmp_path / "state").exists():
        assert job.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    return job, ranks, options


@pytest.mark.parametrize("victim, others", [(0, 2), (3, 5)])
def test_a_killed_process_ends_the_job_and_another_number_of_them_goes_on(victim, others, tmp_path):
    job, ranks, options = begin_long(tmp_path, 4)
    os.kill(ranks[victim], signal.SIGKILL)
    began = time.monotonic()
    job.communicate(timeout=120)
    assert job.returncode != 0 and time.monotonic() - began < 10
    assert not (tmp_path / "model").exists()
    epoch = json.loads(run(mpirun(1, "train", *options, "--resume", "--epochs", 1, "--json")).stdout)
    assert epoch["epochs"] == []  # nothing to learn: the first epoch is complete
    run(mpirun(others, "train", *options, "--resume", "-o", tmp_path / "model"))
    at = options.index("--checkpoint")
    run([COMMAND, "train", *options[:at], "-o", tmp_path / "one"])
    assert (tmp_path / "model").read_bytes() == (tmp_path / "one").read_bytes()


def test_a_process_that_hangs_ends_the_job_at_the_deadline(tmp_path):
    job, ranks, _ = begin_long(tmp_path, 3, "--deadline", "2")
    os.kill(ranks[1], signal.SIGSTOP)
    began = time.monotonic()
    try:
        errors = job.communicate(timeout=120)[1]
    finally:
        for rank in ranks:
            if Path(f"/proc/{rank}/comm").exists() and Path(f"/proc/{rank}/comm").read_text().strip() == "falsum-mpi":
                os.kill(rank, signal.SIGKILL)
    assert job.returncode != 0 and 1.5 < time.monotonic() - began < 15
    assert "did not answer within 2 s (--deadline)" in errors


def sentences(result):
    return [line for line in result.stderr.splitlines() if line.startswith("falsum: ")]


def test_a_mistake_that_all_make_is_said_once(tmp_path):
    data = write_rows(tmp_path / "rows.csv", 2, "csv")
    result = run(mpirun(3, "train", data, "--clauses", "7"), code=2)
    assert sentences(result) == ["falsum: clauses must be even, since half vote for a class and half against, got 7"]
    result = run(mpirun(5, "train", data, "--clauses", "16", "-T", "5", "-s", "3"), code=2)
    assert sentences(result) == ["falsum: this machine can be divided among 1 to 4 processes, got 5"]
    result = run(mpirun(2, "train", data, "--validation", "0.2"), code=2)
    assert sentences(result) == ["falsum: --validation is for one process, which tests between epochs"]


def test_a_mistake_of_one_process_ends_all(tmp_path):
    write_rows(tmp_path / "rows0.csv", 2, "csv")
    script = f"exec {MPI} train {tmp_path}/rows$OMPI_COMM_WORLD_RANK.csv {' '.join(MACHINE)} --epochs 2"
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", "sh", "-c", script]
    result = run(command, code=2)
    assert len(sentences(result)) == 1 and "rows1.csv" in sentences(result)[0]
    rows = (tmp_path / "rows0.csv").read_text().splitlines()
    (tmp_path / "rows1.csv").write_text("\n".join([rows[0], *rows[:0:-1]]) + "\n")
    result = run(command, code=2)
    assert "there are other data, options, versions of falsum or epochs in process 0 than in process 1" in result.stderr

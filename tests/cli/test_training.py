"""Training through the command: same bytes whatever the engine, kernels and threads; stopping and going on."""

import itertools
import json
import signal
import subprocess
import time

import pytest
from conftest import COMMAND, SMALL, run_falsum


@pytest.fixture(scope="session")
def kernel_sets(falsum):
    return [k["name"] for k in json.loads(falsum("cpu", "--json"))["kernels"] if k["supported"]]


def test_noisy_xor_gives_the_same_bytes_for_every_engine_kernel_set_and_thread_count(falsum, kernel_sets, tmp_path):
    models = {}
    for engine, kernels, threads in itertools.product(["auto", "scan", "index", "lookahead"], kernel_sets, [1, 2, 3]):
        model = tmp_path / "model.fsm"
        falsum("train", "noisy-xor", "--clauses", "40", "-T", "15", "-s", "3.9", "--epochs", "2", "--seed", "7",
               "--engine", engine, "--kernels", kernels, "--threads", threads, "-o", model)
        models[engine, kernels, threads] = model.read_bytes()
    assert len(set(models.values())) == 1, sorted(models)


def test_mnist_gives_the_same_bytes_for_every_engine_kernel_set_and_thread_count(falsum, kernel_sets, tmp_path):
    runs = [("scan", kernels, 1) for kernels in kernel_sets] + [("index", kernels, 2) for kernels in kernel_sets]
    models = set()
    for engine, kernels, threads in runs + [("index", "auto", 3)]:
        model = tmp_path / "model.fsm"
        falsum("train", "mnist", "--clauses", "10", "-T", "5", "-s", "10", "--epochs", "1",
               "--engine", engine, "--kernels", kernels, "--threads", threads, "-o", model)
        models.add(model.read_bytes())
    assert len(models) == 1


def test_another_seed_gives_another_model(falsum, tmp_path):
    models = set()
    for seed in (0, 1, 2):
        falsum("train", "noisy-xor", *SMALL, "--seed", seed, "-o", tmp_path / "model.fsm")
        models.add((tmp_path / "model.fsm").read_bytes())
    assert len(models) == 3


def test_going_on_from_a_checkpoint_gives_the_bytes_of_the_run_that_never_stopped(falsum, tmp_path):
    whole, resumed, checkpoint = (tmp_path / name for name in ("whole.fsm", "resumed.fsm", "state.fsc"))
    machine = ["--clauses", "20", "-T", "10", "-s", "3.9", "--seed", "3", "--no-boost"]
    falsum("train", "noisy-xor", *machine, "--epochs", "4", "-o", whole)
    falsum("train", "noisy-xor", *machine, "--epochs", "2", "--checkpoint", checkpoint)
    report = json.loads(falsum("train", "noisy-xor", "--resume", checkpoint, "--epochs", "4", "--engine", "scan",
                               "-o", resumed, "--checkpoint", checkpoint, "--json"))
    assert [epoch["epoch"] for epoch in report["epochs"]] == [3, 4]
    assert report["boost"] is False and report["seed"] == 3 and report["threshold"] == 10
    assert resumed.read_bytes() == whole.read_bytes()
    # Nothing left to learn: the model can still be had from the checkpoint.
    again = tmp_path / "again.fsm"
    falsum("train", "noisy-xor", "--checkpoint", checkpoint, "--resume", "--epochs", "4", "-o", again)
    assert again.read_bytes() == whole.read_bytes()


def listen_to_ctrl_c():
    """Of a shell's background jobs, such as these tests may be, SIGINT is ignored, and a program leaves that so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_long_training(tmp_path, *arguments):
    """Training that would take hours; returns it once it has learned for a moment."""
    checkpoint = tmp_path / "state.fsc"
    process = subprocess.Popen(
        [COMMAND, "train", "mnist", "--clauses", "10", "-T", "5", "--epochs", "100000", "--seed", "5",
         "--checkpoint", checkpoint, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c,
    )
    deadline = time.monotonic() + 60
    while not checkpoint.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process, checkpoint


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_training_saves_what_was_learned_and_says_so(falsum, tmp_path, number, code):
    model = tmp_path / "model.fsm"
    process, checkpoint = start_long_training(tmp_path, "-o", model, "--json")
    time.sleep(0.1)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code, stderr
    report = json.loads(stdout)
    assert report["interrupted"] is True
    first, last = stderr.splitlines()
    assert first == "falsum: stopping ..."
    assert last.startswith("falsum: interrupted") and "model.fsm" in last and str(checkpoint) in last
    accuracy = json.loads(falsum("evaluate", model, "mnist", "--json"))["accuracy"]
    assert accuracy > 0.3  # ten clauses that learned for a second
    assert not list(tmp_path.glob("*.tmp"))

    # A stop in the middle of an epoch leaves no trace in what is learned in the end.
    finished = json.loads(falsum("inspect", model, "--json"))["provenance"]["epochs"]
    resumed, whole = tmp_path / "resumed.fsm", tmp_path / "whole.fsm"
    falsum("train", "mnist", "--resume", checkpoint, "--epochs", finished + 1, "-o", resumed)
    falsum("train", "mnist", "--clauses", "10", "-T", "5", "--seed", "5", "--epochs", finished + 1, "-o", whole)
    assert resumed.read_bytes() == whole.read_bytes()


def test_an_interrupted_training_without_a_place_to_save_says_that_nothing_was_kept():
    process = subprocess.Popen([COMMAND, "train", "mnist", "--clauses", "10", "--epochs", "100000"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c)
    process.stdout.readline()  # the head line: from here on Ctrl-C is listened to
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nothing was kept" in stderr


def test_without_an_output_it_says_that_the_model_was_not_kept(falsum, tmp_path):
    assert "not kept" in falsum("train", "noisy-xor", *SMALL, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_test_data_it_says_that_there_is_no_accuracy(falsum, flowers):
    printed = falsum("train", flowers, *SMALL)
    assert "no test data" in printed
    heading = next(line for line in printed.splitlines() if line.startswith("epoch"))
    assert heading.split() == ["epoch", "train", "clause", "length", "flips"]
    assert "test accuracy" in falsum("train", flowers, *SMALL, "--test", flowers)
    report = json.loads(falsum("train", flowers, *SMALL, "--json"))
    assert report["epochs"][0]["test_accuracy"] is None


def test_noisy_xor_is_learned(falsum):
    report = json.loads(falsum("train", "noisy-xor", "--clauses", "20", "-T", "15", "-s", "3.9", "--epochs", "30",
                               "--seed", "1", "--json"))
    assert max(epoch["test_accuracy"] for epoch in report["epochs"]) > 0.95


def test_standard_error_stays_empty_when_it_is_no_terminal(tmp_path):
    result = run_falsum("train", "noisy-xor", *SMALL, "-o", tmp_path / "model.fsm")
    assert result.stderr == ""
    assert "\033" not in result.stdout

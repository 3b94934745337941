"""bench/paper: which cells there are, that a run can be stopped and resumed at any time, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "bench" / "paper"
CELL = Path(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum")).parent / "falsum_bench_paper"

sys.path.insert(0, str(PAPER))

import grid  # noqa: E402
import results  # noqa: E402

sys.path.remove(str(PAPER))
MNIST = ["--dataset", "mnist", "--features", "784"]  # five cells


@pytest.fixture
def runner(tmp_path):
    """The driver with a fake measurement; remembers what was measured."""
    command = tmp_path / "cell"
    command.write_text(f"#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name('fake_cell.py')} \"$@\"\n")
    command.chmod(0o755)

    class Runner:
        results = tmp_path / "results" / "full.jsonl"
        log = tmp_path / "log"

        def start(self, *arguments, mood=""):
            self.log.write_text("")
            run = [sys.executable, PAPER / "run.py", "--command", command, "--results", self.results, *arguments]
            environment = {**os.environ, "FAKE_LOG": str(self.log), "FAKE_MOOD": mood, "PYTHONDONTWRITEBYTECODE": "1"}
            return subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def __call__(self, *arguments, mood="", code=0):
            process = self.start(*arguments, mood=mood)
            output, errors = process.communicate(timeout=60)
            assert process.returncode == code, errors
            return output + errors

        def measured(self):
            return [int(line.split()[2]) for line in self.log.read_text().splitlines()]

        def lines(self):
            return [json.loads(line) for line in self.results.read_text().splitlines()]

    return Runner()


def test_the_full_grid_is_the_papers_sixty_cells_and_the_quick_one_its_corners():
    assert len(grid.cells()) == 60 and len({cell.key for cell in grid.cells()}) == 60
    quick = grid.cells(quick=True)
    assert len(quick) == 18
    assert {cell.features for cell in quick} == {784, 3136, 5000, 20000}
    assert {cell.clauses for cell in quick} == {1000, 2000, 5000}


def test_small_cells_come_first_and_the_threshold_grows_with_the_square_root():
    cells = grid.cells(datasets=["mnist"])
    assert cells[0].key == ("mnist", 784, 1000) and cells[-1].key == ("mnist", 3136, 20000)
    assert [cell.threshold for cell in grid.cells(datasets=["mnist"], features=[784])] == [35, 50, 79, 112, 158]


def test_a_run_measures_every_cell_says_how_long_it_takes_and_writes_where_it_was_done(runner):
    said = runner(*MNIST)
    assert runner.measured() == [1000, 2000, 5000, 10000, 20000]
    assert "2 of 5" in said and "left" in said
    first = runner.lines()[0]
    assert first["cell"] == {"dataset": "mnist", "variant": "M1", "features": 784, "clauses": 1000}
    assert first["commit"] and first["date"] and first["wall_seconds"] >= 0


def test_in_the_end_the_papers_ratios_stand_beside_ours(runner):
    said = runner("--dataset", "mnist", "--clauses", "2000", "--clauses", "1000", "--features", "784")
    table = [line.split() for line in said.splitlines() if line.startswith("M1 ")]
    assert table == [
        ["M1", "784", "1,000", "90.00%", "1.78", "2.00", "8.00", "2.75", "10.0", "90.0"],
        ["M1", "784", "2,000", "90.00%", "1.67", "2.00", "8.00", "2.83", "10.0", "90.0"],
    ]


def test_what_is_done_is_not_measured_again_unless_asked_for(runner):
    runner(*MNIST, "--clauses", "2000")
    runner(*MNIST)
    assert runner.measured() == [1000, 5000, 10000, 20000]
    runner(*MNIST, "--clauses", "5000", "--again")
    assert runner.measured() == [5000]
    assert len(results.read(runner.results)[0]) == 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_is_done_and_leaves_nothing_running(runner, number):
    process = runner.start(*MNIST, mood="sleeps:5000")
    deadline = time.monotonic() + 30
    while len(runner.measured()) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == 130 and "goes on from there" in errors
    assert [line["clauses"] for line in runner.lines()] == [1000, 2000]
    child = int(runner.log.read_text().splitlines()[2].split()[0])
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    runner(*MNIST)
    assert runner.measured() == [5000, 10000, 20000]


@pytest.mark.parametrize("kept", [1, 0.5])
def test_a_cut_off_last_line_is_announced_and_only_that_cell_measured_again(runner, kept):
    runner(*MNIST)
    lines = runner.results.read_bytes().split(b"\n")[:-1]
    last = lines.pop()
    runner.results.write_bytes(b"\n".join(lines) + b"\n" + last[: int(kept * len(last))])
    said = runner(*MNIST)
    assert "was cut off" in said
    assert runner.measured() == [20000]
    assert [line["clauses"] for line in runner.lines()] == [1000, 2000, 5000, 10000, 20000]


@pytest.mark.parametrize("damage", ['{"cell": {"dataset": "mnist"}}', "hello", "[]", ""])
def test_a_damaged_line_is_named_and_nothing_is_overwritten(runner, damage):
    runner(*MNIST, "--clauses", "1000")
    text = damage + "\n" + runner.results.read_text()
    runner.results.write_text(text)
    assert "line 1 of" in runner(*MNIST, code=2)
    assert runner.results.read_text() == text and runner.measured() == []


@pytest.mark.parametrize("mood, why", [("dies:2000", "imdb is not there"), ("babbles:2000", "no JSON")])
def test_a_cell_that_fails_is_written_down_and_tried_again_next_time(runner, mood, why):
    said = runner(*MNIST, mood=mood, code=2)
    assert why in said and "1 cells could not be measured" in said
    assert runner.measured() == [1000, 2000, 5000, 10000, 20000]
    assert why in runner.lines()[1]["failed"]
    assert "failed" in runner(*MNIST, "--list")
    runner(*MNIST)
    assert runner.measured() == [2000]
    assert "failed" not in runner(*MNIST, "--list")


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--dataset", "iris"], "--dataset must be one of mnist, fashion, imdb, got iris"),
        (["--clauses", "3000"], "--clauses must be one of 1000, 2000, 5000, 10000, 20000, got 3000"),
        (["--features", "785"], "--features must be one of 784"),
        (["--dataset", "imdb", "--features", "784"], "leave nothing of the grid"),
        (["--rounds", "0"], "--rounds must be at least 1, got 0"),
        (["--command", "/nowhere/cell"], "/nowhere/cell is not there"),
        (["--whole-epochs", "0"], "--whole-epochs must be at least 1, got 0"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(runner, arguments, says):
    said = runner(*arguments, code=2)
    assert says in said and len(said.splitlines()) == 1


def test_with_whole_epochs_a_cell_is_done_only_if_it_was_measured_so(runner):
    runner(*MNIST, "--clauses", "1000")
    said = runner(*MNIST, "--clauses", "1000", "--whole-epochs", "3")
    assert runner.measured() == [1000]
    assert "M1 with 1000 clauses was trained for 1.5 epochs only: 3 would take more than 10 min" in said
    assert "done" in runner(*MNIST, "--clauses", "1000", "--whole-epochs", "3", "--list")
    assert "to do" in runner(*MNIST, "--clauses", "1000", "--whole-epochs", "4", "--list")
    runner(*MNIST, "--clauses", "1000", "--whole-epochs", "3")
    assert runner.measured() == []


def test_whole_epochs_are_all_samples_within_a_time():
    training = grid.cells(datasets=["mnist"], clauses=[20000], features=[784])[0].arguments(3, 600)
    asked = dict(zip(training[::2], training[1::2]))
    assert (asked["--epochs"], asked["--train-samples"], asked["--most-seconds"]) == ("3", "0", "600")


# ------------------------------------------------------------------------------- the measurement itself


def cell(*arguments, folder, data=""):
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "FALSUM_DATA": str(data)}
    small = ["--clauses", "20", "-T", "10", "--epochs", "1", "--budget", "0.001", "--rounds", "2"]
    return subprocess.run(
        [CELL, *arguments, *small], capture_output=True, text=True, cwd=folder, env=environment, timeout=120
    )


def test_training_that_runs_out_of_time_says_how_far_it_came(tmp_path):
    records = [json.loads(cell("--data", "noisy-xor", "--most-seconds", seconds, folder=tmp_path).stdout)
               for seconds in ("1000", "0.000001")]  # fmt: skip
    assert [record["epochs_learned"] for record in records] == [1.0, 0.1]


def test_a_cells_record_says_what_was_done_and_that_results_agree(tmp_path):
    run = cell("--data", "noisy-xor", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    record = json.loads(run.stdout)
    assert len(run.stdout.splitlines()) == 1
    assert record["features"] == 12 and record["clauses"] == 20 and record["training_samples"] == 5000
    assert record["learning"]["equal_machines"] is True
    scan, index = record["prediction"]["scan"], record["prediction"]["index"]
    assert record["prediction"]["equal_votes"] == 2 * scan["samples"] == 2 * index["samples"]
    assert len(index["rounds"]) == 2 and index["entries_visited"] > 0 and scan["words_compared"] > 0
    assert record["mean_list_length"] == pytest.approx(record["mean_clause_length"] * 20 / 24)
    for name in ("cpu", "compiler", "kernels", "accuracy", "automata_bytes", "peak_memory"):
        assert record[name]


def test_a_missing_data_set_is_said_in_a_sentence(tmp_path):
    run = cell("--data", "imdb", folder=tmp_path)
    assert run.returncode == 2 and run.stdout == ""
    assert run.stderr.startswith("falsum_bench_paper: ") and "imdb" in run.stderr and len(run.stderr.splitlines()) == 1


def test_a_wrong_data_set_is_said_in_a_sentence(tmp_path):
    folder = tmp_path / "data" / "imdb"
    folder.mkdir(parents=True)
    for split in ("train", "test"):
        (folder / f"imdb_{split}.tsv").write_text("this is no review\n")
    run = cell("--data", "imdb", folder=tmp_path, data=tmp_path / "data")
    assert run.returncode == 2 and run.stdout == ""
    assert "imdb_train.tsv" in run.stderr and len(run.stderr.splitlines()) == 1

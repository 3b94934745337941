"""Stops of all kinds at random moments, FALSUM_STOPS of them (docs/reliability.md: 200): nothing is lost, no message is not
so, and the end is the bytes of a training that never stopped. Prints how long stops took."""

import os
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import run_falsum
from stopping import SIGNALS, Training

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "model"))
import read_model

STOPS = int(os.environ.get("FALSUM_STOPS", "12"))
RHYTHMS = ["1", "3", "1000", "0.0001min", "0.01min", "0.1min", "100min"]
# Checkpoints of 200 MB; of 50 MB where the stop is one, since it costs three trainings.
LARGE = 20000 if STOPS > 12 else 5000
# Clauses, data, epochs, the share of all stops, and what makes it another machine than the plain one.
MACHINES = [
    (20, "table", 150, 0.2, ""),
    (200, "table", 60, 0.2, ""),
    (2000, "table", 15, 0.15, ""),
    (20000, "table", 4, 0.1, ""),
    (LARGE, "mnist:test", 1, 0.1, ""),
    (100, "table", 60, 0.05, "--weighted"),
    (100, "table", 60, 0.05, "--shared --negatives focused"),
    (100, "table", 60, 0.05, "--patch 1x4 --image 1x60"),
    (100, "table", 60, 0.1, "--fuzzy 8 --max-literals 16"),
]
LATENCIES = {}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """800 rows, 60 columns of 0 and 1, four labels."""
    chance = random.Random(1)
    path = tmp_path_factory.mktemp("table") / "table.csv"
    with open(path, "w") as file:
        file.write(",".join(f"c{k}" for k in range(60)) + ",kind\n")
        for _ in range(800):
            row = [chance.randrange(2) for _ in range(60)]
            file.write(",".join(map(str, row)) + f",k{2 * row[0] + row[7]}\n")
    return path


def check_what_was_said(message, code, number, model, checkpoint, began):
    """Two lines, and both files are of now."""
    assert code == SIGNALS[number], message
    lines = message.splitlines()
    assert len(lines) == 2 and lines[0] == "falsum: stopping ..." and lines[1].startswith("falsum: interrupted after "), message
    assert f"{model} holds what was learned, resume with --resume {checkpoint}" in lines[1]
    assert model.stat().st_mtime >= began and checkpoint.exists()


def check_nothing_is_lost(data, model, checkpoint, folder):
    """The checkpoint holds what the model holds, sample for sample: with nothing left to learn, it gives the same model."""
    epochs = read_model.read_checkpoint(checkpoint.read_bytes(), banks=False)["epoch"]
    if epochs == 0:
        return
    again = folder / "again.fsm"
    result = run_falsum("train", data, "--resume", checkpoint, "--epochs", epochs, "-o", again)
    assert result.returncode == 0, result.stderr
    assert clauses_of(model) == clauses_of(again), "the checkpoint is not where the model is"


def clauses_of(model):
    """Unpacked: at a stop they are packed in a hurry."""
    sections = dict(read_model.read_container(model.read_bytes())[2])
    found = {tag: read_model.unpack(sections[tag]) for tag in ("CLAU", "LITS", "FUZZ", "WGTS") if tag in sections}
    assert found
    return found


@pytest.mark.parametrize("clauses, data, epochs, share, kind", MACHINES)
def test_random_stops_lose_nothing(table, tmp_path, clauses, data, epochs, share, kind):
    chance = random.Random(f"{clauses} {data}{kind}")
    source = table if data == "table" else data
    checkpoint, model, whole = (tmp_path / name for name in ("state", "model.fsm", "whole.fsm"))
    machine = ["--clauses", clauses, "-T", max(10, clauses // 200), "-s", "5", "--seed", "3", *kind.split()]
    began = time.monotonic()
    uninterrupted = Training(source, *machine, "--epochs", epochs, "-o", whole)
    assert uninterrupted.end() == "" and uninterrupted.code == 0
    usual = time.monotonic() - began
    # A checkpoint of 50 MB or 200 MB after every tenth of a second would leave no time to learn.
    rhythms = RHYTHMS if data == "table" else [every for every in RHYTHMS if not every.startswith("0.0")]
    wanted, stops, kills, words, exits = max(1, round(STOPS * share)), 0, 0, [], []
    while True:
        going_on = checkpoint.exists()
        arguments = [source, "--epochs", epochs, "--checkpoint", checkpoint, "--checkpoint-every", chance.choice(rhythms), "-o", model]
        training = Training(*arguments, *(["--resume"] if going_on else machine))
        if stops == wanted:
            assert training.end() == "" and training.code == 0
            break
        number = chance.choice([*SIGNALS, signal.SIGKILL])
        try:  # soon, so that there are several stops on the way to the end
            training.process.wait(timeout=chance.uniform(0, min(usual / 2, 8)))
        except subprocess.TimeoutExpired:
            pass
        now = time.time() - 2  # clocks of file systems are coarse
        message = training.stop(number)
        if training.code == 0 and message == "":  # it was done before: begin again
            assert model.read_bytes() == whole.read_bytes()
            checkpoint.unlink()
            checkpoint.with_name("state.previous").unlink(missing_ok=True)
            continue
        stops += 1
        if number == signal.SIGKILL:
            assert training.code == -signal.SIGKILL and message == ""
            kills += 1
            continue
        check_what_was_said(message, training.code, number, model, checkpoint, now)
        check_nothing_is_lost(source, model, checkpoint, tmp_path)
        words.append(training.word_after)
        exits.append(training.exit_after)
    assert model.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("*.tmp"))
    LATENCIES[clauses, data, kind] = exits
    if exits:
        print(f"\n{clauses} clauses {kind}, {data}: {stops} stops, {kills} of them kills; a word after {statistics.median(words):.3f} s "
              f"(worst {max(words):.3f} s), the end after {statistics.median(exits):.2f} s (worst {max(exits):.2f} s)")


def test_all_stops_together():
    exits = [seconds for of_machine in LATENCIES.values() for seconds in of_machine]
    if not exits:
        pytest.skip("no stop was measured")
    print(f"\nall {len(exits)} stops that could be measured: the end after {statistics.median(exits):.2f} s (worst {max(exits):.2f} s)")
    assert statistics.median(exits) < 5

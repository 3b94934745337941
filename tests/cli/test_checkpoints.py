"""Checkpoints survive whatever happens to the process: killed at any moment, going on ends in the same bytes."""

import json
import os
import random
import subprocess
import time

import pytest
from conftest import COMMAND, SMALL, run_falsum

KILLS = int(os.environ.get("FALSUM_KILLS", "40"))  # docs/reliability.md: more of them
MACHINE = ["--clauses", "60", "-T", "15", "-s", "3.9", "--seed", "9"]


@pytest.mark.parametrize("every", ["1", "3", "0.0001min"])
def test_training_killed_at_random_moments_ends_in_the_bytes_of_one_that_never_stopped(falsum, tmp_path, every):
    """kill -9, dozens of times. The checkpoint is the old or the new one and is read; nothing else is left behind."""
    chance = random.Random(every)
    checkpoint, model, whole = (tmp_path / name for name in ("state.fsc", "model.fsm", "whole.fsm"))
    began = time.monotonic()
    epochs = 40
    falsum("train", "noisy-xor", *MACHINE, "--epochs", epochs, "-o", whole)
    # Long enough that a run meets several checkpoints, whatever this machine is doing besides.
    usual = max(0.05, time.monotonic() - began)
    kills, resumed = 0, 0
    while True:
        arguments = ["train", "noisy-xor", "--epochs", epochs, "--checkpoint", checkpoint, "--checkpoint-every", every, "-o", model]
        if checkpoint.exists():
            arguments += ["--resume", checkpoint]
            resumed += 1
        else:
            arguments += MACHINE
        process = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if kills < (KILLS + 2) // 3:
            try:
                process.wait(timeout=chance.uniform(0, usual))
            except subprocess.TimeoutExpired:
                process.kill()
        _, message = process.communicate(timeout=120)
        assert process.returncode in (0, -9), message
        assert message == ""  # also: never a word of going on from the generation before
        if process.returncode == -9:
            kills += 1
        elif kills < (KILLS + 2) // 3:  # finished before the kill came: begin again, the counting goes on
            assert model.read_bytes() == whole.read_bytes()
            for path in tmp_path.glob("state.fsc*"):
                path.unlink()
        else:
            break
    assert model.read_bytes() == whole.read_bytes()
    assert resumed > 0
    # A kill between naming a complete file and renaming it leaves that name, until the next run.
    assert list(tmp_path.glob("*.tmp")) == []
    print(f"{kills} kills, {resumed} runs went on from a checkpoint")


def test_the_generation_before_is_kept(falsum, tmp_path):
    checkpoint = tmp_path / "state.fsc"
    previous = tmp_path / "state.fsc.previous"
    falsum("train", "noisy-xor", *SMALL, "--checkpoint", checkpoint)
    first = checkpoint.read_bytes()
    assert not previous.exists()
    falsum("train", "noisy-xor", "--resume", checkpoint, "--epochs", "2", "--checkpoint", checkpoint)
    assert previous.read_bytes() == first != checkpoint.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state.fsc", "state.fsc.previous"]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "missing"])
def test_a_damaged_checkpoint_is_gone_on_from_by_the_generation_before(falsum, tmp_path, damage):
    checkpoint, model, whole = (tmp_path / name for name in ("state.fsc", "model.fsm", "whole.fsm"))
    falsum("train", "noisy-xor", *SMALL[:-1], "4", "-o", whole)
    falsum("train", "noisy-xor", *SMALL[:-1], "3", "--checkpoint", checkpoint)
    content = bytearray(checkpoint.read_bytes())
    content[len(content) // 3] ^= 16
    checkpoint.write_bytes({"truncated": content[:-9], "flipped": content, "empty": b""}.get(damage, b""))
    if damage == "missing":
        checkpoint.unlink()
    result = run_falsum("train", "noisy-xor", "--resume", checkpoint, "--epochs", "4", "-o", model)
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 1 and "state.fsc.previous" in result.stderr
    assert "resumed after 2 epochs" in result.stdout
    assert model.read_bytes() == whole.read_bytes()


def written(falsum, tmp_path, every, epochs):
    """How many epochs the checkpoints hold, newest first."""
    checkpoint = tmp_path / "state.fsc"
    falsum("train", "noisy-xor", *SMALL[:-1], epochs, "--checkpoint", checkpoint, "--checkpoint-every", every)
    held = []
    for path in (checkpoint, tmp_path / "state.fsc.previous"):
        if path.exists():
            report = json.loads(falsum("train", "noisy-xor", "--resume", path, "--epochs", "50", "--json"))
            held.append(report["epochs"][0]["epoch"] - 1)
    return held


@pytest.mark.parametrize(
    "every, epochs, held",
    [("1", "5", [5, 4]), ("2", "5", [5, 4]), ("3", "5", [5, 3]), ("9", "5", [5]), ("1000min", "5", [5]), ("90 minutes", "2", [2])],
)
def test_checkpoints_come_as_often_as_asked_and_at_the_end(falsum, tmp_path, every, epochs, held):
    assert written(falsum, tmp_path, every, epochs) == held


@pytest.mark.parametrize("every", ["0", "-1", "five", "1.5", "0min", "3h", "min", "", "1e3", "nan min"])
def test_a_rhythm_that_makes_no_sense_is_refused(refuses, tmp_path, every):
    refuses("train", "noisy-xor", *SMALL, "--checkpoint", tmp_path / "c", "--checkpoint-every", every, says="checkpoint-every")

"""Outputs that cannot be written: refused before learning where that can be known, and never half a file."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from conftest import COMMAND, SMALL, run_falsum


def test_a_missing_folder_is_refused_before_learning(refuses, tmp_path):
    refuses("train", "noisy-xor", *SMALL, "-o", tmp_path / "missing" / "model.fsm", says=["missing", "model.fsm"])


def test_a_folder_is_not_a_place_for_a_model(refuses, tmp_path):
    refuses("train", "noisy-xor", *SMALL, "-o", tmp_path, says=str(tmp_path))


def test_a_checkpoint_is_checked_before_learning_too(refuses, tmp_path):
    refuses("train", "noisy-xor", *SMALL, "--checkpoint", tmp_path / "missing" / "state", says="missing")


def test_predictions_into_a_missing_folder_are_refused(refuses, xor_model, tmp_path):
    refuses("predict", xor_model, "noisy-xor", "-o", tmp_path / "missing" / "labels.txt", says="missing")


@pytest.fixture
def folder_for_others():
    """A folder that other users can enter, and the command in it."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        command = Path(name) / "falsum"
        shutil.copy(COMMAND, command)
        os.chmod(command, 0o755)
        yield Path(name)


def test_a_folder_without_permission_is_refused_before_learning(folder_for_others):
    # Root may write anywhere, so somebody else has to try.
    somebody = {"user": 65534} if os.geteuid() == 0 else {}
    locked = folder_for_others / "locked"
    locked.mkdir(mode=0o555)
    model = locked / "model.fsm"
    result = subprocess.run(
        [folder_for_others / "falsum", "train", "noisy-xor", *SMALL, "-o", model],
        capture_output=True, text=True, cwd=folder_for_others, **somebody,
    )
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert str(model) in result.stderr and "ermission" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert list(locked.iterdir()) == []


def test_a_full_disk_is_said_and_not_hidden(refuses):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    refuses("train", "noisy-xor", *SMALL, "-o", "/dev/full", silent=False, says=["/dev/full", "space"])
    assert not os.path.isfile("/dev/full")  # still the device, not a file that took its name


def test_a_full_disk_below_standard_output_is_said(xor_model):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    for arguments in (["predict", xor_model, "noisy-xor"], ["cpu"], ["inspect", xor_model, "--json"], ["--help"]):
        with open("/dev/full", "w") as full:
            result = subprocess.run([COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 2, (arguments, result.stderr)
        assert len(result.stderr.splitlines()) == 1 and "space" in result.stderr


@pytest.fixture
def small_disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", folder], capture_output=True, text=True)
    if mount.returncode != 0:
        pytest.skip(f"mounting a small disk is not permitted here: {mount.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_leaves_the_older_model_as_it_was(refuses, xor_model, small_disk):
    model = small_disk / "model.fsm"
    shutil.copy(xor_model, model)
    before = model.read_bytes()
    refuses("train", "noisy-xor", "--clauses", "2000", "--epochs", "1", "-o", model, silent=False, says=["model.fsm", "space"])
    assert model.read_bytes() == before
    assert list(small_disk.iterdir()) == [model]


def test_a_checkpoint_on_a_full_disk_does_not_cost_the_model(falsum, small_disk, tmp_path):
    model = tmp_path / "model.fsm"
    checkpoint = small_disk / "state.fsc"
    result = run_falsum("train", "noisy-xor", "--clauses", "2000", "--epochs", "3", "-o", model, "--checkpoint", checkpoint)
    assert result.returncode == 2
    when_it_happened, at_the_end = result.stderr.splitlines()
    for line in (when_it_happened, at_the_end):
        assert "state.fsc" in line and "space" in line
    falsum("inspect", model)
    assert not checkpoint.exists()

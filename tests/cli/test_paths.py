"""No slip of a name destroys a file (FINDINGS, group 3), and what belongs to writing files in ordinary folders."""

import json
import os
import pathlib
import shutil
import time

import pytest
from conftest import FLOWER_HEADER, SMALL, csv_text, flower_rows, run_falsum


@pytest.fixture
def files(falsum, tmp_path):
    """Training and test data, a model, and a checkpoint with the generation before it, of three epochs."""
    for name in ("tr.csv", "te.csv"):
        (tmp_path / name).write_text(csv_text(flower_rows(), FLOWER_HEADER))
    falsum("train", tmp_path / "tr.csv", *SMALL[:-1], "3", "-o", tmp_path / "m.fsm", "--checkpoint", tmp_path / "c")
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


TRAIN = ["train", "tr.csv", "--test", "te.csv", *SMALL]
SLIPS = {
    "a model over the training data": [*TRAIN, "-o", "tr.csv"],
    "a checkpoint over the training data": [*TRAIN, "--checkpoint", "tr.csv"],
    "a model over the test data": [*TRAIN, "-o", "te.csv"],
    "a checkpoint over the test data": [*TRAIN, "--checkpoint", "te.csv"],
    "answers over the model": ["predict", "m.fsm", "te.csv", "-o", "m.fsm"],
    "answers over the data": ["predict", "m.fsm", "te.csv", "-o", "te.csv"],
    "answers over another model": ["predict", "m.fsm", "te.csv", "-o", "other.fsm"],
    "answers over a checkpoint": ["predict", "m.fsm", "te.csv", "-o", "c"],
    "answers over something that is no text": ["predict", "m.fsm", "te.csv", "-o", "picture"],
    "model and checkpoint in one": [*TRAIN, "-o", "new", "--checkpoint", "new"],
    "a model where a checkpoint keeps the one before": [*TRAIN, "-o", "new.previous", "--checkpoint", "new"],
    "a model over a checkpoint": [*TRAIN, "-o", "c"],
    "a model over a checkpoint, with --overwrite": [*TRAIN, "-o", "c", "--checkpoint", "new", "--overwrite"],
    "a model over the generation before": [*TRAIN, "-o", "c.previous"],
    "a model over what is gone on from": ["train", "tr.csv", "--resume", "c", "--epochs", "4", "-o", "c"],
    "a checkpoint over a model": [*TRAIN, "--checkpoint", "m.fsm"],
    "a new training over the checkpoint of another": [*TRAIN, "--checkpoint", "c"],
    "the same where only the one before is left": [*TRAIN, "--checkpoint", "lost"],
    "going on from one checkpoint over another": ["train", "tr.csv", "--resume", "c", "--epochs", "4", "--checkpoint", "d"],
    "going on from the generation before over the newest": [
        *("train", "tr.csv", "--resume", "c.previous", "--epochs", "4", "--checkpoint", "c")
    ],
    "a model over something else": [*TRAIN, "-o", "notes.txt"],
    "a checkpoint over something else": [*TRAIN, "--checkpoint", "notes.txt", "--overwrite"],
    "a generation before over something else": [*TRAIN, "--checkpoint", "plan"],
    "the quickstart's model over something else": ["quickstart", "-o", "notes.txt"],
    "the same file, spelled otherwise": [*TRAIN, "-o", "./sub/../tr.csv"],
    "the same file by a symbolic link": [*TRAIN, "-o", "link.csv"],
    "the same file by a hard link": [*TRAIN, "-o", "hard.csv"],
    "two names of a file that is not there yet": [*TRAIN, "-o", "sub/new", "--checkpoint", "way/new"],
    "a dangling link and where it points": [*TRAIN, "-o", "dangling", "--checkpoint", "sub/target"],
}


@pytest.mark.parametrize("slip", SLIPS)
def test_3_1_a_slip_is_refused_before_anything_is_opened(refuses, files, slip):
    """FINDINGS 3.1: each destroyed an input or a checkpoint, with exit code 0."""
    for copy in ("other.fsm", "picture"):
        shutil.copy(files / "m.fsm", files / copy)
    (files / "picture").write_bytes(b"\x89PNG\0\0\0")
    shutil.copy(files / "c.previous", files / "lost.previous")
    shutil.copy(files / "c", files / "d")
    (files / "notes.txt").write_text("not to be lost\n")
    (files / "plan.previous").write_text("not to be lost either\n")
    (files / "sub").mkdir()
    (files / "way").symlink_to("sub")
    (files / "link.csv").symlink_to("tr.csv")
    os.link(files / "tr.csv", files / "hard.csv")
    (files / "dangling").symlink_to("sub/target")
    before = contents(files)
    named = [SLIPS[slip][SLIPS[slip].index(option) + 1] for option in ("-o", "--checkpoint") if option in SLIPS[slip]]
    sentence = refuses(*SLIPS[slip], cwd=files)
    assert any(os.path.basename(name) in sentence for name in named), sentence
    assert contents(files) == before and not list((files / "sub").iterdir())


def test_3_1_what_is_ordinary_still_works(falsum, files):
    """Models replace models, answers answers, checkpoints go on, mktemp makes empty files, devices take everything."""
    falsum(*TRAIN, "-o", "m.fsm", cwd=files)
    for _ in range(2):
        falsum("predict", "m.fsm", "te.csv", "-o", "answers.txt", cwd=files)
    falsum("train", "tr.csv", "--resume", "c", "--epochs", "4", "--checkpoint", "./c", cwd=files)
    falsum("train", "tr.csv", "--checkpoint", "c", "--resume", "--epochs", "5", cwd=files)
    falsum("train", "tr.csv", "--resume", "c", "--epochs", "5", "--checkpoint", "elsewhere", "-o", "n.fsm", cwd=files)
    for name in ("empty model", "empty checkpoint"):
        (files / name).write_bytes(b"")
    falsum(*TRAIN, "-o", "empty model", "--checkpoint", "empty checkpoint", cwd=files)
    falsum(*TRAIN, "-o", "/dev/null", "--checkpoint", "/dev/null", cwd=files)
    falsum("train", "tr.csv", "--test", "tr.csv", *SMALL, cwd=files)


def test_3_1_overwrite_replaces_a_checkpoint_and_keeps_what_it_was(falsum, refuses, files):
    """FINDINGS 3.1: a new training over the checkpoint of a longer one destroyed both generations."""
    longer = (files / "c").read_bytes()
    falsum("train", "tr.csv", *SMALL[:-1], "5", "--checkpoint", "c", "--overwrite", cwd=files)
    assert (files / "c.replaced").read_bytes() == longer
    assert longer not in [(files / "c").read_bytes(), (files / "c.previous").read_bytes()]
    falsum("train", "tr.csv", "--resume", "c.replaced", "--epochs", "4", cwd=files)
    refuses("train", "tr.csv", *SMALL, "--overwrite", says="--checkpoint", cwd=files)
    refuses("train", "tr.csv", *SMALL, "--checkpoint-every", "3", says="--checkpoint FILE", cwd=files)


def test_3_1_a_kill_that_left_both_generations_one_file_does_not_stop_going_on(falsum, files):
    (files / "c.previous").unlink()
    os.link(files / "c", files / "c.previous")
    falsum("train", "tr.csv", "--checkpoint", "c", "--resume", "--epochs", "4", cwd=files)


def where_we_run():
    """As src/support/file.cpp has it: FNV-1a of the boot and the container."""
    text = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text() + os.readlink("/proc/self/ns/pid")
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return f"{value:08x}"


def a_dead_process():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_2_6_temporary_files_of_dead_processes_are_removed_and_those_of_others_are_not(falsum, files):
    """FINDINGS 2.6: kill -9 leaves *.tmp files that no later run removed."""
    here, dead = where_we_run(), a_dead_process()
    gone = [f"falsum-{here}-{dead}-0.tmp", f"falsum-{here}-{dead}-17.tmp", "falsum-0badcafe-1-0.tmp"]
    stay = [f"falsum-{here}-{os.getpid()}-0.tmp", f"falsum-0badcafe-{dead}-0.tmp", f"falsum-{here}-{dead}-x.tmp",
            f"my-falsum-{here}-{dead}-0.tmp", "falsum.tmp", f"falsum-{here}-{dead}-0.tmp.keep"]
    for name in gone + stay:
        (files / name).write_text("half a file")
    old = time.time() - 25 * 3600
    os.utime(files / gone[2], (old, old))
    falsum(*TRAIN, "-o", "m.fsm", cwd=files)
    left = {path.name for path in files.iterdir()}
    assert not left & set(gone) and left >= set(stay)


def test_2_6_resuming_through_a_symbolic_link_finds_the_generation_before(falsum, files):
    """FINDINGS 2.6: it looked for .previous beside the link."""
    (files / "elsewhere").mkdir()
    (files / "elsewhere" / "link").symlink_to("../c")
    (files / "c").write_bytes(b"damaged")
    result = run_falsum("train", "tr.csv", "--resume", "elsewhere/link", "--epochs", "4", cwd=files)
    assert result.returncode == 0 and "c.previous" in result.stderr
    assert "resumed after 2 epochs" in result.stdout


@pytest.mark.parametrize("length", [240, 241, 246, 247, 255])
def test_2_6_long_names_work_or_are_refused_before_learning(falsum, refuses, files, length):
    """FINDINGS 2.6: -o names of 241 to 255 characters failed only after learning."""
    name = "n" * length
    falsum(*TRAIN, "-o", name, cwd=files)
    assert (files / name).stat().st_size > 0
    checkpoint = "k" * length
    if length <= 246:  # .previous must fit
        falsum("train", "tr.csv", *SMALL[:-1], "2", "--checkpoint", checkpoint, cwd=files)
        assert (files / (checkpoint + ".previous")).exists()
    else:
        refuses(*TRAIN, "--checkpoint", checkpoint, says="too long", cwd=files)
    refuses(*TRAIN, "-o", "n" * 256, says="too long", cwd=files)


@pytest.mark.parametrize("option", ["-o", "--checkpoint"])
def test_2_6_a_dangling_link_is_written_through(falsum, refuses, files, option):
    """FINDINGS 2.6: it was replaced."""
    (files / "disk").mkdir()
    (files / "link").symlink_to("disk/target")
    falsum("train", "tr.csv", *SMALL[:-1], "2", option, "link", cwd=files)
    assert (files / "link").is_symlink() and (files / "disk" / "target").stat().st_size > 0
    if option == "--checkpoint":
        assert (files / "disk" / "target.previous").exists()
    (files / "nowhere").symlink_to("missing/target")
    refuses(*TRAIN, option, "nowhere", says=["nowhere", "No such file"], cwd=files)
    (files / "circle").symlink_to("circle")
    refuses(*TRAIN, option, "circle", says="circle", cwd=files)


def test_the_report_says_what_was_saved(falsum, files):
    report = json.loads(falsum(*TRAIN, "-o", "m.fsm", "--checkpoint", "new", "--json", cwd=files))
    assert report["checkpoint"] == "new" and report["checkpoint_saved"] is True and report["checkpoint_problems"] == []

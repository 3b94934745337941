"""Training that is stopped loses nothing (FINDINGS, group 2): a word at once, everything that was promised is saved, no
message that is not so, and going on ends in the bytes of a training that never stopped."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest
from conftest import COMMAND, FLOWER_HEADER, SMALL, csv_text, flower_rows, run_falsum
from stopping import SIGNALS, Training

LONG = ["noisy-xor", "--clauses", "60", "-T", "15", "-s", "3.9", "--seed", "9", "--epochs", "100000"]


def epochs_in(checkpoint, data="noisy-xor"):
    """Complete epochs that a checkpoint holds."""
    result = run_falsum("train", data, "--resume", checkpoint, "--epochs", "1")
    assert result.returncode == 0, result.stderr
    line = [line for line in result.stdout.splitlines() if line.startswith("resumed after")]
    return int(line[0].split()[2].replace(",", "")) if line else 0


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("every", ["1", "7", "100000", "100min"])
def test_2_1_a_stop_writes_the_checkpoint_whatever_the_rhythm(falsum, tmp_path, number, every):
    """FINDINGS 2.1: stops at an epoch's end took a path that only asked the rhythm, and said that the file was there."""
    checkpoint, model = tmp_path / "state.fsc", tmp_path / "model.fsm"
    training = Training(*LONG, "--checkpoint", checkpoint, "--checkpoint-every", every, "-o", model).epochs(3)
    message = training.stop(number)
    assert training.code == SIGNALS[number], message
    first, last = message.splitlines()
    assert first == "falsum: stopping ..."
    assert last.startswith("falsum: interrupted after ") and f"--resume {checkpoint}" in last and str(model) in last
    complete = int(last.split()[3].replace(",", ""))
    assert complete >= 3 and epochs_in(checkpoint) == complete
    resumed, whole = tmp_path / "resumed.fsm", tmp_path / "whole.fsm"
    falsum("train", "noisy-xor", "--resume", checkpoint, "--epochs", complete + 2, "-o", resumed)
    falsum("train", *LONG[:-1], complete + 2, "-o", whole)
    assert resumed.read_bytes() == whole.read_bytes()


def test_2_1_a_stop_while_testing_saves_too(tmp_path):
    """FINDINGS 2.1: with far more test data than training data, nearly every stop falls into a test."""
    rows = flower_rows(40)
    train, test = tmp_path / "train.csv", tmp_path / "test.csv"
    train.write_text(csv_text(rows, FLOWER_HEADER))
    test.write_text(csv_text(rows * 3000, FLOWER_HEADER))
    for attempt in range(4):
        checkpoint, model = tmp_path / f"{attempt}.fsc", tmp_path / f"{attempt}.fsm"
        training = Training(train, "--test", test, "--clauses", "400", "-T", "15", "--epochs", "100000",
                            "--checkpoint", checkpoint, "--checkpoint-every", "100000", "-o", model).epochs(1)
        message = training.stop(signal.SIGTERM)
        assert training.code == 143 and "resume with --resume" in message
        assert epochs_in(checkpoint, train) == int(message.split("after ")[1].split()[0])
        assert model.exists()


def test_2_2_a_machine_of_20000_clauses_a_class_stops_soon_and_says_so_at_once(falsum, tmp_path):
    """FINDINGS 2.2: it took a minute, without a word. The bounds are wide: tests run beside other things."""
    checkpoint, model = tmp_path / "state.fsc", tmp_path / "model.fsm"
    training = Training("mnist", "--clauses", "20000", "-T", "100", "--epochs", "2", "--checkpoint", checkpoint, "-o", model)
    time.sleep(4)
    message = training.stop(signal.SIGINT)
    assert training.code == 130 and f"--resume {checkpoint}" in message
    print(f"a word after {training.word_after:.2f} s, the end after {training.exit_after:.2f} s")
    assert training.word_after < 2
    assert training.exit_after < 15
    falsum("inspect", model)


@pytest.mark.parametrize("every", ["100000", "0.0001min"])
def test_the_model_does_not_wait_until_the_checkpoint_is_on_the_disk(tmp_path, every):
    """A file system with a journal brings a large checkpoint that is in place to the disk before whatever comes after it, and
    on a slow disk a stop took 21 seconds. So the checkpoint takes its place last, also one that the stop finds half written."""
    checkpoint, model = tmp_path / "state", tmp_path / "model"
    training = Training("mnist:test", "--clauses", "1000", "--epochs", "100000", "--checkpoint", checkpoint,
                        "--checkpoint-every", every, "-o", model)
    time.sleep(2)
    assert "resume with --resume" in training.stop(signal.SIGTERM)
    assert model.stat().st_ctime_ns <= checkpoint.stat().st_ctime_ns


def test_2_2_a_second_ctrl_c_is_answered_and_a_third_ends_at_once(tmp_path):
    """FINDINGS 2.2: the second press threw everything away. Here saving waits for a reader of a pipe that never comes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    training = Training(*LONG, "-o", pipe)
    training.process.send_signal(signal.SIGINT)
    assert training.process.stderr.readline() == "falsum: stopping ...\n"
    time.sleep(0.5)
    training.process.send_signal(signal.SIGINT)
    assert "still saving" in training.process.stderr.readline()
    assert training.process.poll() is None
    training.process.send_signal(signal.SIGINT)
    training.end()
    assert training.code == -signal.SIGINT


def test_2_2_orchestrators_may_repeat_themselves(tmp_path):
    model = tmp_path / "model.fsm"
    training = Training(*LONG, "-o", model)
    training.process.send_signal(signal.SIGTERM)
    message = training.process.stderr.readline()  # signals that wait are delivered by number: the first must have arrived
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTERM):
        training.process.send_signal(number)
    message += training.end()
    assert training.code == 143 and str(model) in message and model.exists()


def test_2_3_a_checkpoint_that_cannot_be_written_is_reported_when_it_happens(tmp_path):
    """FINDINGS 2.3: it was not mentioned until the end, and forgotten when a later one succeeded."""
    folder, moved = tmp_path / "folder", tmp_path / "moved"
    folder.mkdir()
    training = Training(*LONG, "--checkpoint", folder / "state.fsc").epochs(1)
    folder.rename(moved)
    said = training.process.stderr.readline()  # while it learns
    assert said.startswith("falsum: cannot write") and "state.fsc" in said and "learning goes on" in said
    training.epochs(3)
    moved.rename(folder)
    training.epochs(3)
    message = training.stop(signal.SIGTERM)
    assert training.code == 143
    assert "cannot write" not in message and "--resume" in message  # said once, and the last state is saved


def test_2_3_problems_are_listed_in_the_report_and_the_last_one_decides_the_exit_code(tmp_path):
    """FINDINGS 2.3, for programs."""
    folder = tmp_path / "folder"
    folder.mkdir()
    process = subprocess.Popen(
        [COMMAND, "train", *map(str, LONG[:-1]), "300", "--checkpoint", folder / "state.fsc", "--json", "-o", tmp_path / "model.fsm"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (folder / "state.fsc").exists():
        time.sleep(0.01)
    folder.rename(tmp_path / "moved")
    stdout, stderr = process.communicate(timeout=120)
    report = json.loads(stdout)
    assert process.returncode == 2, stderr
    assert report["checkpoint_saved"] is False and len(report["checkpoint_problems"]) == 1
    assert "state.fsc" in report["checkpoint_problems"][0] and report["model"]
    assert len(stderr.splitlines()) == 2 and "in no checkpoint" in stderr.splitlines()[1]


def changed(rows, change):
    return [change(i, list(row)) for i, row in enumerate(rows)]


@pytest.mark.parametrize("what, says", [
    ("labels", "other labels in its rows"),
    ("rows", "84 rows instead of 60"),
    ("names", "other features"),
    ("values", "other values in its rows"),
    ("label names", "other names of labels"),
])
def test_2_4_other_data_are_not_gone_on_with(falsum, refuses, tmp_path, what, says):
    """FINDINGS 2.4: labels inverted, 700 rows for 500, columns renamed: all were accepted."""
    rows = flower_rows(60)
    first, other, checkpoint = tmp_path / "first.csv", tmp_path / "other.csv", tmp_path / "state.fsc"
    first.write_text(csv_text(rows, FLOWER_HEADER))
    falsum("train", first, *SMALL, "--checkpoint", checkpoint)
    header = FLOWER_HEADER
    if what == "labels":
        rows = changed(rows, lambda i, row: row[:3] + ["iris" if row[3] == "rose" else "rose"])
    elif what == "rows":
        rows = rows + rows[:24]
    elif what == "names":
        header = header.replace("width", "breadth")
    elif what == "values":
        rows = changed(rows, lambda i, row: [row[0], row[1], "blue" if i == 7 else row[2], row[3]])
    else:
        rows = changed(rows, lambda i, row: row[:3] + [row[3] + "s"])
    other.write_text(csv_text(rows, header))
    sentence = refuses("train", other, "--resume", checkpoint, "--epochs", "2", says=["state.fsc", "other data"])
    assert says in sentence or (what == "rows" and "instead of" in sentence), sentence
    renamed = tmp_path / "renamed.csv"  # the same data under another name are the same data
    first.rename(renamed)
    falsum("train", renamed, "--resume", checkpoint, "--epochs", "2")


def test_2_4_a_checkpoint_that_does_not_know_its_data_is_gone_on_with_and_that_is_said(tmp_path):
    """Those of 0.1.0: tests/golden."""
    golden = os.path.join(os.path.dirname(__file__), "..", "golden")
    data, checkpoint = os.path.join(golden, "flowers.csv"), os.path.join(golden, "checkpoint_v1.fsc")
    result = run_falsum("train", data, "--quantiles", "8", "--resume", checkpoint, "--epochs", "4")
    assert result.returncode == 0
    drew, data = result.stderr.splitlines()
    assert "drew other random numbers" in drew and "does not say what data" in data


def test_2_5_sharded_is_part_of_the_machine_and_is_shown(falsum, refuses, tmp_path):
    """FINDINGS 2.5: --sharded on an exact checkpoint was ignored, and nothing said that a model is sharded."""
    exact, sharded, model = tmp_path / "exact.fsc", tmp_path / "sharded.fsc", tmp_path / "model.fsm"
    assert "sharded" not in falsum("train", "noisy-xor", *SMALL, "--checkpoint", exact)
    assert ", sharded" in falsum("train", "noisy-xor", *SMALL, "--sharded", "--checkpoint", sharded, "-o", model)
    refuses("train", "noisy-xor", "--resume", exact, "--sharded", says=["sharded", "false", "got true"])
    refuses("train", "noisy-xor", "--resume", sharded, "--no-sharded", says=["sharded", "true", "got false"])
    assert ", sharded" in falsum("train", "noisy-xor", "--resume", sharded, "--epochs", "2")
    assert json.loads(falsum("train", "noisy-xor", *SMALL, "--sharded", "--json"))["sharded"] is True
    assert json.loads(falsum("inspect", model, "--json"))["sharded"] is True
    assert "sharded" in falsum("inspect", model)


@pytest.mark.parametrize("saved", ["both", "nothing"])
def test_2_6_a_reader_that_goes_away_stops_and_saves(falsum, tmp_path, saved):
    """FINDINGS 2.6: train -o m | head -1 ended without saving."""
    checkpoint, model = tmp_path / "state.fsc", tmp_path / "model.fsm"
    places = ["--checkpoint", checkpoint, "--checkpoint-every", "100000", "-o", model] if saved == "both" else []
    training = Training(*LONG, *places)
    training.process.stdout.close()
    message = training.process.stderr.read()
    assert training.process.wait(timeout=60) == 141, message
    assert message.splitlines()[0] == "falsum: stopping ..."
    assert len(message.splitlines()) == 2
    if saved == "both":
        assert f"--resume {checkpoint}" in message
        falsum("inspect", model)
        assert epochs_in(checkpoint) >= 1
    else:
        assert "nothing was kept" in message


def test_2_6_who_was_started_with_nohup_does_not_hear_the_terminal_go(tmp_path):
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    training = Training(*LONG[:-1], "200", "-o", tmp_path / "model.fsm", preexec=ignore).epochs(1)
    training.process.send_signal(signal.SIGHUP)
    assert training.end() == "" and training.code == 0


def test_2_6_a_limit_on_file_sizes_is_a_sentence(refuses, tmp_path):
    """FINDINGS 2.6: ulimit -f ended with SIGXFSZ."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    model = tmp_path / "model.fsm"
    refuses("train", "noisy-xor", "--clauses", "200", "--epochs", "1", "-o", model, preexec_fn=limit, silent=False,
            says=["model.fsm", "too large"])
    assert list(tmp_path.iterdir()) == []


def test_2_6_a_full_standard_output_does_not_cost_the_model(tmp_path, falsum):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    model = tmp_path / "model.fsm"
    with open("/dev/full", "w") as full:
        result = subprocess.run([COMMAND, "train", "noisy-xor", *SMALL, "-o", model], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2 and "standard output" in result.stderr
    falsum("inspect", model)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_after_everything_is_saved_changes_nothing(tmp_path, number):
    """The handlers were gone before the process was, which then died of the signal without a word."""
    for _ in range(20):
        training = Training("noisy-xor", *SMALL, "-o", tmp_path / "model.falsum")
        while not training.process.stdout.readline().startswith("saved"):
            pass
        assert training.stop(number) == ""
        assert training.code == 0

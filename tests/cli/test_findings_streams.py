"""Group 5 of the findings: messages and streams. One test or more for every finding, by its number.

Of every finding some fail with falsum 0.1.0: it hangs, ends by a signal, says what is not so, or writes to the terminal what
a foreign file tells it to. The others stand beside them for what held.
"""

import gzip
import json
import math
import os
import pty
import resource
import select
import subprocess
import threading
import time

import pytest
from conftest import COMMAND, FLOWER_HEADER, ROOT, SMALL, csv_text, flower_rows, run_falsum

ROWS = flower_rows(40)
KINDS = [row[3] for row in ROWS]
SPARSE = "".join(f"{i % 2} {'2:1 ' if i % 2 else '1:1 '}{3 + i % 4}:1\n" for i in range(80))


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A model of a table with a header, and one of SVMlight."""
    folder = tmp_path_factory.mktemp("models")
    (folder / "flowers.csv").write_text(csv_text(flower_rows(), FLOWER_HEADER))
    (folder / "sparse.svm").write_text(SPARSE)
    for data, name in (("flowers.csv", "flowers.falsum"), ("sparse.svm", "sparse.falsum")):
        result = run_falsum("train", folder / data, "--clauses", "20", "-T", "10", "-s", "3.9", "--epochs", "5", "-o", folder / name)
        assert result.returncode == 0, result.stderr
    return folder


# 5.1 Pipes and FIFOs


@pytest.mark.parametrize("labels", [True, False])
def test_finding_5_01_a_fifo_is_read_once(models, tmp_path, labels):
    fifo = tmp_path / "rows.csv"
    os.mkfifo(fifo)
    text = csv_text(ROWS, FLOWER_HEADER) if labels else csv_text([row[:3] for row in ROWS], "width,height,colour")
    writer = threading.Thread(target=lambda: fifo.write_text(text), daemon=True)
    writer.start()
    result = subprocess.run([COMMAND, "predict", models / "flowers.falsum", fifo], capture_output=True, text=True, timeout=20)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == KINDS


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_finding_5_01_a_pipe_is_read_as_a_file_is(models, name):
    for command in ("predict", "evaluate"):
        result = run_falsum(command, models / "flowers.falsum", name, input=csv_text(ROWS, FLOWER_HEADER))
        assert result.returncode == 0, result.stderr
        assert "100.00%" in result.stdout if command == "evaluate" else result.stdout.splitlines() == KINDS


def test_finding_5_01_training_data_may_come_through_a_pipe(tmp_path):
    text = csv_text(flower_rows(), FLOWER_HEADER)
    result = run_falsum("train", "-", *SMALL, "--json", input=text)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["samples"] == 60


def answered_one_by_one(arguments, lines, silent=0):
    """Writes line by line, and no line before the one before it has its answer; the first `silent` lines have none."""
    process = subprocess.Popen([COMMAND, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    answers, pending = [], b""
    try:
        for i, line in enumerate(lines):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            end = time.monotonic() + 20
            while i >= silent and b"\n" not in pending:
                ready, _, _ = select.select([process.stdout], [], [], max(0, end - time.monotonic()))
                more = os.read(process.stdout.fileno(), 4096) if ready else b""
                assert more, f"no answer to {line!r}"
                pending += more
            if i >= silent:
                answer, _, pending = pending.partition(b"\n")
                answers.append(answer.decode())
        process.stdin.close()
        assert process.stdout.read() == b"" and pending == b""
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
    return answers


def test_finding_5_01_a_stream_of_rows_is_answered_row_by_row(models):
    lines = csv_text(ROWS, FLOWER_HEADER).splitlines()
    stream = ["predict", models / "flowers.falsum", "-", "--stream"]
    assert answered_one_by_one(stream, lines, silent=1) == KINDS
    assert answered_one_by_one(stream, lines[1:]) == KINDS  # without the header, in the order of training
    assert [json.loads(answer) for answer in answered_one_by_one([*stream, "--json"], lines, silent=1)] == KINDS


def test_finding_5_01_a_stream_of_svmlight_is_answered_row_by_row(models):
    lines = SPARSE.splitlines()[:20]
    stream = ["predict", models / "sparse.falsum", "-", "--stream"]
    assert answered_one_by_one(stream, lines) == [line[0] for line in lines]
    assert answered_one_by_one(stream, [line[2:] for line in lines]) == [line[0] for line in lines]  # without labels


# 5.2 Messages that are not so


def test_finding_5_02_a_column_is_not_missed_because_it_stands_last(models, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text(csv_text([row[:3] for row in ROWS], "width,height,colour"))
    result = run_falsum("predict", models / "flowers.falsum", new)
    assert (result.returncode, result.stdout.splitlines()) == (0, KINDS), result.stderr


def test_finding_5_02_a_label_that_is_not_there_is_called_the_label(models, refuses, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text(csv_text([row[:3] for row in ROWS], "width,height,colour"))
    refuses("evaluate", models / "flowers.falsum", new, says=["new.csv", '"kind"', "label"])


def test_finding_5_02_too_many_texts_are_blamed_on_their_column(refuses, tmp_path):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    rows = int(1.1 * math.sqrt(8 * memory))  # as many features make more bits than there is memory
    path = tmp_path / "ids.csv"
    with open(path, "w") as file:
        file.write("width,user,kind\n")
        file.writelines(f"{i % 7},u{i},{'ab'[i % 2]}\n" for i in range(rows))
    refuses("train", path, *SMALL, says=["ids.csv", '"user"', "--ignore user"])


def test_finding_5_02_lines_may_end_in_a_carriage_return_alone(falsum, tmp_path):
    path = tmp_path / "mac.csv"
    path.write_bytes(csv_text(flower_rows(), FLOWER_HEADER).replace("\n", "\r").encode())
    assert json.loads(falsum("train", path, *SMALL, "--json"))["samples"] == 60


# 5.3 Standard streams that are closed or full


COMMANDS = ["train", "predict", "evaluate", "stream", "refused"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&-", ">/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
def test_finding_5_03_a_closed_or_full_stream_ends_in_an_exit_code(models, tmp_path, command, streams):
    flowers, model = models / "flowers.csv", models / "flowers.falsum"
    arguments = {
        "train": ["train", flowers, *SMALL, "-o", tmp_path / "new.falsum"],
        "predict": ["predict", model, flowers],
        "evaluate": ["evaluate", model, flowers],
        "stream": ["predict", model, flowers, "--stream"],
        "refused": ["predict", model, tmp_path / "missing.csv"],
    }[command]
    before = model.read_bytes(), flowers.read_bytes()
    line = f"ulimit -c 0; exec {' '.join(map(str, [COMMAND, *arguments]))} {streams}"
    result = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60)
    silent = ">&-" in streams.replace("2>&-", "") or ">/dev/full" in streams.replace("2>/dev/full", "")
    assert result.returncode == (2 if silent or command == "refused" else 0), result
    assert (model.read_bytes(), flowers.read_bytes()) == before  # no message went into a file


# 5.4 Labels with the end of a line in them


def test_finding_5_04_a_label_with_a_line_feed_is_one_answer(tmp_path, falsum):
    rows = [(i % 2, i // 2 % 2, '"two\nlines"' if i % 2 else "one") for i in range(60)]
    path, model = tmp_path / "rows.csv", tmp_path / "model.falsum"
    path.write_text(csv_text(rows, "large,red,kind"))
    falsum("train", path, *SMALL, "--epochs", "10", "-o", model)
    for more in ([], ["--stream"]):
        assert falsum("predict", model, path, *more) == "".join(f"{row[2]}\n" for row in rows)
    assert json.loads(falsum("predict", model, path, "--json")) == [row[2].strip('"') for row in rows]


# 5.5 A small file that is large


@pytest.mark.parametrize("what", ["header", "row", "rows"])
def test_finding_5_05_a_row_of_millions_of_columns_is_refused_before_it_is_stored(models, refuses, tmp_path, what):
    many = "," * 10_000_000 + "\n"
    head = FLOWER_HEADER + "\n"
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress({"header": many, "row": head + many, "rows": head + "1,2,red,rose\n" + many}[what].encode(), 9))
    assert path.stat().st_size < 11_000
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    refuses("predict", models / "flowers.falsum", path, says="columns", memory=300_000_000)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began < 3
    refuses("predict", models / "flowers.falsum", path, "--stream", memory=300_000_000)


# 5.6 What is written to a terminal


def on_a_terminal(*arguments, term="xterm"):
    """What the command writes when standard output and standard error are a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        env={**{key: value for key, value in os.environ.items() if key != "NO_COLOR"}, "TERM": term},
    )  # fmt: skip
    os.close(slave)
    written = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # how the end looks on Linux
            break
        if not more:
            break
        written += more
    os.close(master)
    assert process.wait(30) in (0, 2)
    return written


@pytest.fixture
def hostile_model(tmp_path):
    """Names and labels with escape sequences, in 7 bits and in 8."""
    path, model = tmp_path / "hostile.csv", tmp_path / "hostile.falsum"
    rows = [(f"{i % 2 * 3 + i % 5 * 0.1:.1f}", i % 7, "\x1b]0;title\x07ro" if i % 2 else "\u009b31miris") for i in range(60)]
    path.write_text(csv_text(rows, "width\x1b[31m,height,kind"))
    result = run_falsum("train", path, *SMALL, "--epochs", "5", "-o", model)
    assert result.returncode == 0, result.stderr
    return path, model


@pytest.mark.parametrize("command", ["train", "predict", "stream", "evaluate", "inspect", "rules", "schema", "json", "refused"])
def test_finding_5_06_no_escape_sequence_of_a_file_reaches_the_terminal(hostile_model, tmp_path, command):
    data, model = hostile_model
    missing = tmp_path / "missing\x1b[31m.csv"
    arguments = {
        "train": ["train", data, *SMALL, "--dry-run"],
        "predict": ["predict", model, data],
        "stream": ["predict", model, data, "--stream"],
        "evaluate": ["evaluate", model, data],
        "inspect": ["inspect", model],
        "rules": ["inspect", model, "--rules", "3"],
        "schema": ["inspect", model, "--schema"],
        "json": ["inspect", model, "--json"],
        "refused": ["predict", model, missing],
    }[command]
    written = on_a_terminal(*arguments, term="dumb")
    assert len(written) > 20
    assert b"\x1b" not in written and b"\x07" not in written and b"\xc2\x9b" not in written


def test_finding_5_06_a_dumb_terminal_gets_no_bold(models):
    evaluate = ["evaluate", models / "flowers.falsum", models / "flowers.csv"]
    assert b"\x1b[1m" in on_a_terminal(*evaluate)
    assert b"\x1b" not in on_a_terminal(*evaluate, term="dumb")
    assert b"\x1b" not in on_a_terminal("train", models / "flowers.csv", *SMALL, term="dumb")


@pytest.mark.parametrize("command", ["predict", "inspect"])
def test_finding_5_06_a_file_gets_the_labels_as_they_are(hostile_model, command):
    """What is not a terminal is a program, which wants the label and not a picture of it."""
    data, model = hostile_model
    if command == "predict":
        assert set(run_falsum("predict", model, data).stdout.splitlines()) == {"\x1b]0;title\x07ro", "\u009b31miris"}
    else:
        assert json.loads(run_falsum("inspect", model, "--json").stdout)["labels"] == ["\x1b]0;title\x07ro", "\u009b31miris"]


def test_finding_5_06_exit_code_2_promises_no_more_than_is_so():
    """It said that no file was changed, and a model that was saved before standard output failed was one."""
    text = (ROOT / "docs" / "cli.md").read_text()
    assert "Exit code 0: done. 2:" in text
    assert "no file was changed" not in text

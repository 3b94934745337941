"""What the tests of the command share: running it, and what a refusal has to look like.

The command is FALSUM_COMMAND, or build/release/falsum. Nothing here needs more than pytest.
"""

import os
import resource
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum"))

OLDER_MODEL = (ROOT / "tests" / "golden" / "model_v1.fsm").read_bytes()  # only a model is replaced by a model

SMALL = ["--clauses", "20", "-T", "10", "-s", "3.9", "--epochs", "1"]


def run_falsum(*arguments, memory=None, **keywords):
    """Runs the command. memory: bytes of address space it may have."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        **{"preexec_fn": limit if memory else None, **keywords},
    )


@pytest.fixture(scope="session")
def falsum():
    """Runs the command and expects success; returns what it printed."""
    if not os.access(COMMAND, os.X_OK):
        pytest.fail(f"{COMMAND} is not there: build it, or set FALSUM_COMMAND")

    def run(*arguments, **keywords):
        result = run_falsum(*arguments, **keywords)
        assert result.returncode == 0, result.stderr
        assert result.stderr == ""  # progress belongs to terminals
        return result.stdout

    return run


@pytest.fixture(scope="session")
def refuses():
    """Runs the command and expects exit code 2 and one sentence that holds the given words."""

    def run(*arguments, says=(), silent=True, **keywords):
        result = run_falsum(*arguments, **keywords)
        assert result.returncode == 2, (result.returncode, result.stdout, result.stderr)
        lines = result.stderr.splitlines()
        assert len(lines) == 1, result.stderr
        assert lines[0].startswith("falsum: ")
        assert len(lines[0]) < 800  # a sentence, with room for long paths
        if silent:
            assert result.stdout == ""
        for word in [says] if isinstance(says, str) else says:
            assert str(word) in lines[0], lines[0]
        return lines[0]

    return run


def csv_text(rows, header=None):
    lines = [header] if header else []
    lines += [",".join(map(str, row)) for row in rows]
    return "\n".join(lines) + "\n"


def flower_rows(count=60):
    """Two numbers and a colour that decide between two kinds."""
    rows = []
    for i in range(count):
        big = i % 2
        rows.append([f"{big * 3 + (i % 7) * 0.1:.2f}", f"{(i % 5) * 1.5:.2f}", "red" if big else "blue", "rose" if big else "iris"])
    return rows


FLOWER_HEADER = "width,height,colour,kind"


@pytest.fixture
def flowers(tmp_path):
    path = tmp_path / "flowers.csv"
    path.write_text(csv_text(flower_rows(), FLOWER_HEADER))
    return path


@pytest.fixture
def flower_model(falsum, flowers, tmp_path):
    path = tmp_path / "flowers.fsm"
    falsum("train", flowers, *SMALL, "-o", path)
    return path


@pytest.fixture(scope="session")
def xor_model(falsum, tmp_path_factory):
    path = tmp_path_factory.mktemp("xor") / "xor.fsm"
    falsum("train", "noisy-xor", *SMALL, "-o", path)
    return path

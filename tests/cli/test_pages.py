"""The pages say what the command says (FINDINGS 6.2 and 6.7)."""

import re
import subprocess
import sys

import pytest
from conftest import COMMAND, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS = ["quickstart", "train", "calibrate", "predict", "evaluate", "inspect", "datasets", "cpu", "options"]
TOOL = [sys.executable, "-B", ROOT / "tools" / "refresh_cli_docs.py"]


def old_endings(text):
    """Names of models and checkpoints as 0.1.0 called them; files of the tests keep their names."""
    return [name for name in re.findall(r"[\w./-]*[\w]\.fs[mc]\b", text) if not name.startswith(("tests/hostile/", "tests/golden/"))]


def test_the_outputs_in_the_page_of_the_command_are_what_it_prints():
    check = subprocess.run([*TOOL, "--check", COMMAND], capture_output=True, text=True, timeout=300)
    assert check.returncode == 0, check.stderr


def test_the_check_of_the_page_finds_a_changed_word_and_no_changed_time():
    tool = (ROOT / "tools" / "refresh_cli_docs.py").read_text(encoding="utf-8")
    names = {"__name__": "tool", "__file__": str(TOOL[-1])}
    exec(compile(tool, "refresh_cli_docs.py", "exec"), names)
    block = "```console\n$ falsum evaluate m\naccuracy 93.00% on more.csv\n   67 us, 337 ns a sample; kernels avx512+vaes, 2 threads\n```"
    same = block.replace("   67 us, 337 ns", "1.2 ms, 1 us").replace("avx512+vaes, 2", "scalar, 16")
    assert names["compared"](block) == names["compared"](same)
    assert names["compared"](block) != names["compared"](block.replace("93.00", "94.00"))
    assert names["compared"](block) != names["compared"](block.replace("a sample", "an example"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_have_one_ending_in_the_pages(page):
    assert old_endings(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=" ".join)
def test_files_have_one_ending_in_the_help(falsum, command):
    printed = falsum(*command, "--help")
    assert old_endings(printed) == []
    if not command:
        assert "digits.falsum" in printed


def test_old_endings_are_seen_where_they_are():
    assert old_endings("`falsum train mnist -o digits.fsm` and state.fsc") == ["digits.fsm", "state.fsc"]
    assert old_endings("tests/hostile/model-endless.fsm, .fsm") == []

"""The table of docs/family.md is that of bench/results."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAMILY = [sys.executable, "-B", os.path.join(ROOT, "bench", "family.py")]


def test_the_page_says_what_the_results_say():
    run = subprocess.run([*FAMILY, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_rows_that_are_not_there_and_files_that_are_not_given_are_named():
    run = subprocess.run([*FAMILY, "--rows", "nonsense"], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("family: 'nonsense' is not one of xor, ")
    run = subprocess.run([*FAMILY, "--rows", "california", "--seeds", "1"], capture_output=True, text=True)
    assert run.returncode == 0
    assert "california left out" in run.stderr

"""The tables of docs/performance.md are those of bench/results."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def test_the_page_says_what_the_results_say():
    run = subprocess.run([sys.executable, os.path.join(ROOT, "bench", "performance.py"), "--check"],
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 0, run.stderr

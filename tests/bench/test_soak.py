"""The soak finds memory that is lost."""

import os
import pathlib
import subprocess

import pytest

SOAK = pathlib.Path(os.environ.get("FALSUM_COMMAND", "build/release/falsum")).parent / "falsum_soak"


def test_memory_that_is_lost_with_every_batch_is_found(tmp_path):
    if not SOAK.exists():
        pytest.skip("falsum_soak is not built")
    samples = tmp_path / "samples.csv"
    result = subprocess.run([SOAK, "10", samples, "100000"], capture_output=True, text=True)
    assert result.returncode == 1 and "memory GROWS" in result.stdout and " 0 wrong" in result.stdout, result.stdout
    assert samples.read_text().startswith("seconds,resident,live,held\n0.")

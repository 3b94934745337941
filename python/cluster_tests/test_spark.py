"""docs/python/spark.md: its program. Run by `make test-spark`."""

import sys

import pytest

pytest.importorskip("pyspark")
from pages import run_programs_of


def test_the_program_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    names = run_programs_of("python/spark.md")
    assert len(names["answers"]) == 150

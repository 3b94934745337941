"""The command of a release build is hardened; read off the program itself."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum"))

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf here")


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments, COMMAND], capture_output=True, text=True, check=True).stdout


def test_it_is_position_independent():
    assert re.search(r"Type:\s+DYN \(Position-Independent Executable", readelf("-h"))


def test_tables_of_the_linker_are_read_only():
    assert "GNU_RELRO" in readelf("-l")
    assert re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW", readelf("-d"))


def test_no_memory_is_both_written_and_run():
    segments = re.findall(r"^\s+(\w+)\s+0x.*?\s([R ][W ][E ])\s+0x", readelf("-l"), flags=re.MULTILINE)
    assert any(kind == "GNU_STACK" for kind, _ in segments)
    assert [kind for kind, flags in segments if "W" in flags and "E" in flags] == []


def test_the_stack_is_guarded_and_copies_are_checked():
    symbols = readelf("-s")
    assert "__stack_chk_fail" in symbols
    assert re.search(r"__\w+_chk@", symbols.replace("__stack_chk_fail@", ""))


def test_it_brings_no_network():
    """No name is looked up and no connection made by the command: downloads are Python's (falsum.datasets)."""
    symbols = set(re.findall(r"UND (\w+)@", readelf("-s")))
    assert symbols and not symbols & {"socket", "connect", "getaddrinfo", "gethostbyname", "send", "sendto", "recv"}

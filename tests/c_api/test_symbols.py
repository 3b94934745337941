"""What libfalsum.so shows, read off the file: the functions of the header, each with the release that brought it, and nothing else."""

import re
import shutil
import subprocess

import pytest
from library import HEADER, LIBRARY, ROOT, declarations

MAP = (ROOT / "c_api" / "falsum.map").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(shutil.which("nm") is None or shutil.which("readelf") is None, reason="no binutils here")


def declared():
    return [name for name, _, _ in declarations()]


def test_it_shows_the_functions_of_the_header_and_nothing_else():
    symbols = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    shown = [line.split()[1:] for line in symbols.splitlines()]
    assert sorted(name for kind, name in shown if kind != "A") == sorted(f"{name}@@{node_of(name)}" for name in declared())
    assert sorted(name for kind, name in shown if kind == "A") == sorted(nodes())


def nodes():
    return dict(re.findall(r"^(FALSUM_[0-9.]+) \{(.*?)\}", MAP, re.MULTILINE | re.DOTALL))


def node_of(name):
    return next(node for node, names in nodes().items() if f" {name};" in names)


def test_the_map_has_every_function_once_in_the_order_of_the_header():
    assert re.findall(r"^\s+(falsum_\w+);", MAP, re.MULTILINE) == declared() and len(declared()) > 60


def test_its_name_ends_in_the_version_of_the_interface():
    version = re.search(r"^#define FALSUM_ABI_VERSION (\d+)", HEADER, re.MULTILINE)[1]
    dynamic = subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout
    assert f"soname: [libfalsum.so.{version}]" in dynamic
    assert re.search(r"FLAGS_1.*NODELETE", dynamic)  # helper threads may be at rest in it
    assert "libcli11" not in dynamic and "RPATH" not in dynamic


def test_it_carries_no_images():
    """MNIST is under a licence of its own."""
    assert LIBRARY.stat().st_size < 8_000_000
    symbols = subprocess.run(["nm", LIBRARY], capture_output=True, text=True, check=True).stdout
    assert "falsum_abi_version" in symbols and "falsum_mnist_begin" not in symbols

"""make bench-growth asks the benchmark of kernels for times by name; what it asks for is there."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))

import growth  # noqa: E402


def names_of_the_benchmark():
    """The names in bench/kernels.cpp as patterns: a place that is filled in is one of the file's words, or a number."""
    with open(os.path.join(ROOT, "bench", "kernels.cpp")) as file:
        source = file.read()
    words = "|".join(re.findall(r'Kind\{"(\w+)"', source))
    assert words
    return [name.replace("{}", f"({words}|[0-9]+)") for name in re.findall(r'"(\w+/[^"\s]+)"', source)]


def test_every_kernel_that_is_asked_for_is_timed():
    names = names_of_the_benchmark()
    for wanted in growth.kernels_wanted():
        assert any(re.fullmatch(name, wanted) for name in names), wanted

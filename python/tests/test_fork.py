"""Children by fork: the threads that helped the parent are not there, and must not be waited for."""

import multiprocessing
import sys

import numpy as np
import pytest
from conftest import small

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")


def in_a_child(work):
    """What work() returns in a forked child; fails when it has not ended after a minute."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=lambda: there.send(work()))
    child.start()
    try:
        assert here.poll(60), "the child waits for threads that it does not have"
        return here.recv()
    finally:
        child.kill()
        child.join()


def test_a_child_learns_and_predicts_after_its_parent_did(xor):
    machine = small(n_jobs=4).fit(*xor)
    votes = machine.votes(xor[0])
    assert np.array_equal(in_a_child(lambda: machine.votes(xor[0])), votes)
    assert in_a_child(lambda: small(n_jobs=4).fit(*xor).model_.to_bytes()) == machine.model_.to_bytes()
    assert np.array_equal(machine.votes(xor[0]), votes), "and the parent still does"


def test_a_grandchild_as_well(xor):
    machine = small(n_jobs=4).fit(*xor)
    votes = machine.votes(xor[0])

    def child():
        return np.array_equal(machine.votes(xor[0]), votes) and in_a_child(lambda: machine.votes(xor[0])).tolist()

    assert in_a_child(child) == votes.tolist()

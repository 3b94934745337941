"""What the tests share: small data, and the command that the package brings along."""

import os
import pathlib
import shutil
import subprocess
import sysconfig

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("default", max_examples=60, derandomize=True, database=None, deadline=None)
settings.load_profile("default")


@pytest.fixture(scope="session")
def xor():
    """A small problem that no single literal solves: 12 bits, label x0 xor x1."""
    random = np.random.RandomState(0)
    X = random.rand(600, 12) < 0.5
    return X, (X[:, 0] ^ X[:, 1]).astype(int)


@pytest.fixture(scope="session")
def command():
    """Runs the `falsum` command of this installation; returns what it prints."""
    scripts = pathlib.Path(sysconfig.get_path("scripts")) / "falsum"
    found = os.environ.get("FALSUM_COMMAND") or (str(scripts) if scripts.exists() else shutil.which("falsum"))
    assert found, "the package brings the command falsum"

    def run(*arguments):
        result = subprocess.run([found, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


def small(**changes):
    """Options of a machine that learns the small problems here in a blink."""
    from falsum import TMClassifier

    return TMClassifier(**{"clauses": 40, "threshold": 10, "specificity": 5.0, "epochs": 20, "random_state": 1, **changes})


def same_bits(one, other):
    """Two forms of the same columns give the same features and bits, whichever was there in training."""
    from falsum import Booleanizer

    a, b = Booleanizer().fit(one), Booleanizer().fit(other)
    assert a.get_feature_names_out().tolist() == b.get_feature_names_out().tolist()
    assert a.transform(one).tolist() == b.transform(other).tolist() == a.transform(other).tolist()

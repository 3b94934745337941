"""Exports and imports from Python. Other libraries are compared in `make test-imports`."""

import numpy as np
import pytest

import falsum
from falsum import TMClassifier


@pytest.fixture(scope="module")
def fitted():
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, (300, 8)).astype(np.uint8)
    return TMClassifier(clauses=10, threshold=8, specificity=3.0, epochs=3, random_state=0).fit(x, x[:, 0] ^ x[:, 1]), x


def test_json_gives_the_same_model_back(fitted, tmp_path):
    clf, x = fitted
    assert clf.export(tmp_path / "m.json", "json") == [str(tmp_path / "m.json")]
    again = falsum.from_json((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert again.model_.to_bytes() == clf.model_.to_bytes()
    assert (again.votes(x) == clf.votes(x)).all()


def test_exports_are_written_beside_each_other(fitted, tmp_path):
    clf, _ = fitted
    files = clf.export(tmp_path / "my-model.c", "c")
    assert files[0] == str(tmp_path / "my-model.c") and str(tmp_path / "my_model.h") in files
    with pytest.raises(ValueError, match="to must be one of json, c, onnx"):
        clf.export(tmp_path / "m", "pmml")


def test_a_state_of_green_tsetlin_votes_by_its_tables(tmp_path):
    draw = np.random.default_rng(1)
    states = np.where(draw.random((12, 10)) < 0.2, 5, -5).astype(np.int8)
    states[3] = -1  # an empty clause does not vote
    weights = draw.integers(-9, 10, (12, 3)).astype(np.int16)
    np.savez(tmp_path / "state.npz", c=states, w=weights)
    x = draw.integers(0, 2, (50, 5)).astype(np.uint8)
    literals = np.concatenate([x, 1 - x], axis=1)
    true = np.array([[bool((row[state >= 0] == 1).all()) and (state >= 0).any() for state in states] for row in literals])
    assert (falsum.from_green(tmp_path / "state.npz").votes(x) == true @ weights.astype(np.int64)).all()


def test_what_is_no_machine_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="is not a state of green-tsetlin"):
        falsum.from_green(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="expected a fitted machine"):
        falsum.from_tmu(object())
    with pytest.raises(ValueError, match="expected a fitted machine"):
        falsum.from_pytm(object())
    with pytest.raises(OSError, match="is not JSON"):
        falsum.from_json("{")

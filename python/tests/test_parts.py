"""Parts of a machine: learned apart and joined they are what fit learns, byte for byte."""

import numpy as np
import pytest
from conftest import small

from falsum import Booleanizer, _core


@pytest.fixture(scope="module")
def three_classes(xor):
    X, y = xor
    return X, y + (X[:, 2] & X[:, 3])


def learned(options, rows, targets, part, epochs=20, checkpoint=None):
    """The checkpoint of a part after so many more epochs."""
    outputs = int(targets.max()) + 1
    if checkpoint is None:
        machine = _core.Machine(options, rows.columns, outputs, part)
        machine.set_data(rows, targets)
    else:
        machine = _core.Machine.join([checkpoint], options, part)
    for _ in range(epochs):
        machine.learn_epoch(rows, targets)
    return machine.checkpoint()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("more", [{}, {"snapshots": 4}, {"weighted": True}, {"sharded": True}])
def test_parts_joined_are_the_machine_that_fit_learns(three_classes, sparse, more):
    X, y = three_classes
    whole = small(calibration=None, **more).fit(X, y)
    rows = whole.booleanizer_._rows(X)
    if sparse:
        import scipy.sparse

        rows = Booleanizer().fit(X)._rows(scipy.sparse.csr_matrix(X))
    targets, options = y.astype(np.uint32), whole.machine_.options
    parts = [_core.Part([1]), _core.Part([0, 2])]
    half = [learned(options, rows, targets, part, 9) for part in parts]
    done = [learned(options, rows, targets, part, 11, state) for part, state in zip(parts, half)]
    joined = _core.Machine.join(done, options)
    assert joined.epoch == 20 and joined.part.classes == []
    assert joined.model().to_bytes() == whole.machine_.model().to_bytes()


def test_the_model_of_a_part_has_the_votes_of_its_classes(three_classes):
    X, y = three_classes
    whole = small(calibration=None).fit(X, y)
    rows = whole.booleanizer_._rows(X)
    part = _core.Machine.join([whole.machine_.checkpoint()], whole.machine_.options, _core.Part([0, 2]))
    votes = _core.Predictor(part.model(), "auto", "auto").votes(rows, 1)
    assert np.array_equal(votes, whole.votes(X)[:, [0, 2]])


def test_parts_that_do_not_fit_together_are_refused(three_classes):
    X, y = three_classes
    whole = small(calibration=None, epochs=1).fit(X, y)
    rows, options, targets = whole.booleanizer_._rows(X), whole.machine_.options, y.astype(np.uint32)
    one = learned(options, rows, targets, _core.Part([0, 1]), 1)
    with pytest.raises(OSError, match="no checkpoint has class 2"):
        _core.Machine.join([one], options)
    with pytest.raises(OSError, match="checkpoint 1 and checkpoint 2 both have class 1"):
        _core.Machine.join([one, learned(options, rows, targets, _core.Part([1, 2]), 1)], options)
    other = targets.copy()
    other[5] = (other[5] + 1) % 3
    with pytest.raises(OSError, match="the second learned from other labels in its rows"):
        _core.Machine.join([one, learned(options, rows, other, _core.Part([2]), 1)], options)
    with pytest.raises(ValueError, match="must ascend and be from 0 to 2, got classes 1 and 3"):
        _core.Machine(options, rows.columns, 3, _core.Part([1, 3]))
    assert repr(_core.Part([1, 3])) == "<Part: classes 1 and 3>"

"""Rows that change feature by feature."""

import numpy as np
import pytest

import falsum
from falsum import IncrementalPredictor, TMClassifier


@pytest.fixture(scope="module")
def learned():
    random = np.random.default_rng(3)
    X = random.random((300, 20)) < 0.4
    y = X[:, 0].astype(int) + (X[:, 1] & X[:, 2])
    return TMClassifier(clauses=40, threshold=10, specificity=3.0, epochs=5, random_state=1).fit(X, y), X


def test_votes_after_flips_and_undo_are_those_of_the_estimator(learned):
    clf, X = learned
    position = IncrementalPredictor(clf)
    row = X[0].copy()
    position.set(row)
    mark = position.mark()
    for feature in (3, 7, 0, 3, 19):
        position.flip(feature)
        row[feature] = not row[feature]
        np.testing.assert_array_equal(position.features, row)
        np.testing.assert_array_equal(position.votes, clf.votes(row[None])[0])
    assert position.counters["flips"] >= 5
    position.undo(mark)
    np.testing.assert_array_equal(position.votes, clf.votes(X[:1])[0])


def test_successors_are_the_votes_of_every_neighbour(learned):
    clf, X = learned
    position = IncrementalPredictor(clf)
    position.set(X[1])
    neighbours = X[1] ^ np.eye(20, dtype=bool)
    np.testing.assert_array_equal(position.successors(), clf.votes(neighbours))


def test_true_clauses_sum_to_the_votes(learned):
    clf, X = learned
    position = IncrementalPredictor(clf)
    position.set(X[2])
    for output in range(position.n_outputs):
        clauses, votes = position.true_clauses(output)
        assert len(clauses) == len(votes) and votes.sum() == position.votes[output]


def test_a_change_changes_the_answer(learned):
    clf, X = learned
    position = IncrementalPredictor(clf)
    position.set(X[4])
    change = position.smallest_change()
    assert change.smallest and 1 <= len(change.features) <= 3
    row = X[4].copy()
    row[change.features] ^= True
    assert clf.predict(row[None])[0] != clf.predict(X[4][None])[0]
    np.testing.assert_array_equal(change.votes, clf.votes(row[None])[0])
    np.testing.assert_array_equal(position.features, X[4])


def test_a_file_and_a_copy_give_the_same_votes(learned, tmp_path):
    clf, X = learned
    clf.save(tmp_path / "m.fsm")
    first = IncrementalPredictor(tmp_path / "m.fsm")
    first.set(X[5])
    second = IncrementalPredictor(first)
    second.flip(1)
    np.testing.assert_array_equal(first.votes, clf.votes(X[5:6])[0])
    first.flip(1)
    np.testing.assert_array_equal(first.votes, second.votes)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: p.flip(20), "feature must be from 0 to 19, got 20"),
        (lambda p: p.flip(-1), "feature must be from 0 to 19, got -1"),
        (lambda p: p.set([0, 1]), "one row of 20 features, got 1 of 2"),
        (lambda p: p.undo((0, 5)), "the mark is not on the way"),
        (lambda p: p.true_clauses(9), "output must be from 0 to 2, got 9"),
        (lambda p: p.smallest_change(7), "output must be from 0 to 2, got 7"),
        (lambda p: p.smallest_change(features=[99]), "features must be from 0 to 19, got 99"),
    ],
)
def test_wrong_calls_get_a_sentence(learned, call, message):
    position = falsum.IncrementalPredictor(learned[0])
    with pytest.raises(ValueError, match=message):
        call(position)

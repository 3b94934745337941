"""Smaller models, the smallest change, and the page about a model; `make test-report` opens the page."""

import base64
import json
import re
import zlib

import numpy as np
import pytest
from conftest import small
from sklearn.datasets import load_diabetes, load_iris

from falsum import TMRegressor
from falsum._rules import rules_that_carry


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, small().fit(X, y)


def clauses_of(machine):
    return len(machine.model_.clauses[0]) - 1  # where each begins, and where the last ends


def page_data(path):
    packed = re.search(r'id="data">"([^"]*)"', path.read_text(encoding="utf-8"))[1]
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def test_merging_changes_no_vote(iris):
    X, _, machine = iris
    votes, clauses = machine.votes(X), clauses_of(machine)
    assert machine.prune() is machine
    assert clauses_of(machine) < clauses
    np.testing.assert_array_equal(machine.votes(X), votes)


def test_pruning_keeps_the_score_within_its_bound(iris):
    X, y, machine = iris
    clauses, score = clauses_of(machine), machine.score(X, y)
    machine.prune(X, y, within=1)
    assert clauses_of(machine) < clauses
    assert machine.score(X, y) >= score - 0.01 - 1e-9
    with pytest.raises(ValueError, match="within must be from 0 to 100"):
        machine.prune(X, y, within=101)
    with pytest.raises(ValueError, match="150"):
        machine.prune(X, y[:10])


def test_a_regressor_is_pruned_too():
    X, y = load_diabetes(return_X_y=True)
    machine = TMRegressor(clauses=100, threshold=100, epochs=5, random_state=1).fit(X, y)
    clauses, error = clauses_of(machine), np.mean((machine.predict(X) - y) ** 2) ** 0.5
    machine.prune(X, y, within=2)
    assert clauses_of(machine) < clauses
    assert np.mean((machine.predict(X) - y) ** 2) ** 0.5 <= error * 1.02 + 1e-9


def test_a_change_names_another_answer(iris):
    X, _, machine = iris
    for row in X[::30]:
        why = machine.explain(row)
        assert why.change.prediction != why.prediction and why.change.changes
        assert max(why.change.votes, key=why.change.votes.get) == why.change.prediction
        assert all(was != then for was, then in why.change.changes)


def test_rules_that_carry_the_votes(iris):
    X, y, machine = iris
    rules = machine.rules(X, y)
    cast = sorted((rule.votes_cast for rule in rules), reverse=True)
    few = rules_that_carry(rules)
    assert sum(cast[:few]) >= 0.9 * sum(cast) > sum(cast[: few - 1])


def test_a_report_is_written_and_says_what_the_estimator_says(iris, tmp_path):
    X, y, machine = iris
    machine.report(X, y, tmp_path / "iris.html", name="iris </script>", rows=20)
    data = page_data(tmp_path / "iris.html")
    assert data["model"] == "iris </script>" and len(data["rows"]) == 20
    assert data["scores"]["accuracy"] == pytest.approx(machine.score(X, y))
    votes = machine.votes(X)
    assert all(row["votes"] == votes[row["row"]].tolist() for row in data["rows"])
    with pytest.raises(ValueError, match="150"):
        machine.report(X, y[:10], tmp_path / "no.html")
    with pytest.raises(OSError, match="missing"):
        machine.report(X, y, tmp_path / "missing" / "no.html")
    assert [path.name for path in tmp_path.iterdir()] == ["iris.html"]

"""Rules in the units of the data, and why a row gets its label."""

import numpy as np
import pytest
from conftest import small
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from falsum import Booleanizer, Rule, _core, plot


def holds(rule, row):
    """Works out a rule's text for a row of numbers x0, x1, ...: an oracle that knows nothing of clauses."""
    for literal in rule.literals:
        for c, value in enumerate(row):
            literal = literal.replace(f"x{c}", repr(float(value)))
        if not eval(literal):
            return False
    return True


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, small().fit(X, y)


def test_a_rule_is_true_exactly_where_its_text_says(iris):
    X, y, machine = iris
    rules = machine.rules(X, y)
    assert len(rules) > 10
    for rule in rules:
        true = np.array([holds(rule, row) for row in X])
        assert rule.coverage == pytest.approx(true.mean())
        if true.any():
            right = (y[true] == rule.label) if rule.polarity > 0 else (y[true] != rule.label)
            assert rule.precision == pytest.approx(right.mean())
        else:
            assert rule.precision is None


def test_the_rules_that_are_true_sum_to_the_votes(iris):
    X, _, machine = iris
    rules, votes = machine.rules(), machine.votes(X)
    for row, sums in zip(X[::10], votes[::10]):
        for label in range(3):
            assert sum(r.weight for r in rules if r.label == label and holds(r, row)) == sums[label]


def test_an_explanation_is_the_rules_that_are_true(iris):
    X, _, machine = iris
    for row in X[::17]:
        why = machine.explain(row)
        assert why.prediction == machine.predict([row])[0]
        assert list(why.votes.values()) == machine.votes([row])[0].tolist()
        assert all(holds(rule, row) for rule in why.rules)
        assert {r.text for r in why.rules} == {r.text for r in machine.rules() if holds(r, row)}
        assert str(why).startswith(f"{why.prediction}: ")


def test_names_of_the_data_frame_and_names_that_are_given():
    pandas = pytest.importorskip("pandas")
    iris = load_iris(as_frame=True)
    machine = small().fit(iris.data, iris.target_names[iris.target])
    assert any("petal width (cm)" in rule.text for rule in machine.rules())
    unnamed = small().fit(iris.data.to_numpy(), iris.target)
    assert any("height" in rule.text for rule in unnamed.rules(feature_names=["length", "height", "c", "d"]))
    with pytest.raises(ValueError, match="4 names, got 2"):
        unnamed.rules(feature_names=["a", "b"])
    frame = machine.rules(iris.data, iris.target_names[iris.target], as_frame=True)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["class", "polarity", "weight", "literals", "coverage", "precision", "lift", "votes_cast", "text"]
    row = iris.data.iloc[3]
    assert machine.explain(row).prediction == machine.predict(iris.data.iloc[[3]])[0]


def test_a_rule_made_by_hand_has_a_sentence():
    assert Rule("rose", 1, 3, ("a", "b < 2 or missing"), (0, 4)).text == "+3 IF a AND (b < 2 or missing) THEN rose"
    assert str(Rule(7, -1, -2, ("not a",), (1, 2))) == "-2 IF not a THEN NOT 7"


def test_clauses_that_say_the_same_are_one_rule(iris):
    _, _, machine = iris
    said = [(rule.label, rule.polarity, rule.literals) for rule in machine.rules()]
    assert len(set(said)) == len(said)
    starts, _, weight_starts, voters, votes = machine.model_.clauses
    for rule in machine.rules():
        at = weight_starts[rule.label] + np.array(rule.clauses)
        assert votes[at].sum() == rule.weight and (np.sign(votes[at]) == rule.polarity).all()
        assert (starts[voters[at] + 1] > starts[voters[at]]).all()


@given(st.integers(0, 2**32 - 1), st.integers(1, 150), st.integers(1, 40))
def test_clause_outputs_and_counts_agree_with_a_plain_reading(seed, rows, columns):
    random = np.random.RandomState(seed % 2**32)
    X, y = random.rand(max(rows, 2), columns) < 0.5, np.arange(max(rows, 2)) % 2
    machine = small(epochs=2, clauses=6).fit(X, y)
    starts, included, _, voters, weights = machine.model_.clauses
    assert np.array_equal(voters, np.arange(len(weights)))
    literals = np.hstack([X, ~X])
    plain = np.array([literals[:, included[a:b]].all(axis=1) & (b > a) for a, b in zip(starts, starts[1:])]).T
    packed = _core.pack(X)
    assert np.array_equal(_core.clause_outputs(machine.model_, packed), plain)
    counts = _core.clause_counts(machine.model_, packed, y.astype(np.uint32), 2)
    assert np.array_equal(counts, np.array([plain[y == label].sum(axis=0) for label in (0, 1)]).T)
    assert np.array_equal((plain * weights).reshape(len(X), 2, -1).sum(axis=2), machine.votes(X))


def test_pixels_are_named_by_place_or_as_they_are_called():
    X = np.random.RandomState(0).randint(0, 256, (30, 6)).astype(np.uint8)
    machine = small(booleanizer=Booleanizer(method="levels", bits=2, image_width=3)).fit(X, np.arange(30) % 2)
    assert all("pixel " in condition for rule in machine.rules() for condition in rule.literals)
    named = machine.rules(feature_names=list("abcdef"))
    assert [rule.weight for rule in named] == [rule.weight for rule in machine.rules()]
    assert any(" f" in rule.text for rule in named) and "pixel" not in "".join(rule.text for rule in named)


# ---------------------------------------------------------------------------------------------------- pictures


def test_pictures_count_what_the_clauses_include(xor):
    X, y = xor
    machine = small().fit(X, y)
    picture = plot.included_literals(machine)
    starts, included, _, voters, weights = machine.model_.clauses
    assert np.array_equal(voters, np.arange(len(weights)))
    plain = np.zeros((2, 12))
    for c, (a, b) in enumerate(zip(starts, starts[1:])):
        for literal in included[a:b]:
            plain[c // 40, literal % 12] += (weights[c] > 0) * (1 if literal < 12 else -1)
    assert np.array_equal(picture, plain)
    assert np.abs(plot.included_literals(machine, X[0])).sum() < np.abs(picture).sum()


def test_heat_maps_are_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    machine = small(epochs=1).fit(X[:200], y[:200])
    figure = plot.plot_clauses(machine)
    assert [axis.get_title() for axis in figure.axes] == [str(label) for label in range(10)]
    assert figure.axes[0].images[0].get_array().shape == (8, 8)
    assert len(plot.plot_clauses(machine, (4, 16), classes=[3, 7]).axes) == 2
    assert len(plot.plot_explanation(machine, X[0]).axes) == 2
    with pytest.raises(ValueError, match="64 pixels"):
        plot.plot_clauses(machine, (5, 5))
    with pytest.raises(ValueError, match="no class 12"):
        plot.plot_clauses(machine, classes=[12])
    pyplot.close("all")

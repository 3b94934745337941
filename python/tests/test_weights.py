"""sample_weight and class_weight: rows as rates of use."""

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.class_weight import compute_class_weight

from falsum import TMClassifier, TMRegressor


def regressor(**changes):
    return TMRegressor(clauses=100, threshold=500, epochs=4, random_state=0, **changes)


def model_of(estimator):
    return estimator.model_.to_bytes()


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, np.random.RandomState(1).randint(0, 4, len(y)).astype(float)


@pytest.mark.parametrize("weight", [1, 0.1, 1e300, 7])
def test_weights_that_are_all_the_same_change_nothing(iris, weight):
    X, y, _ = iris
    assert model_of(small().fit(X, y, sample_weight=np.full(len(y), weight))) == model_of(small().fit(X, y))
    assert model_of(small().fit(X, y, sample_weight=weight)) == model_of(small().fit(X, y))
    assert model_of(regressor().fit(X, y, sample_weight=np.full(len(y), weight))) == model_of(regressor().fit(X, y))


@pytest.mark.parametrize("make", [small, lambda: small(early_stopping=True), lambda: small(calibration="temperature"), regressor])
def test_a_row_of_weight_0_is_as_if_it_were_not_there(iris, make):
    X, y, weights = iris
    kept = weights > 0
    expected = model_of(make().fit(X[kept], y[kept], sample_weight=weights[kept]))
    assert model_of(make().fit(X, y, sample_weight=weights)) == expected
    assert model_of(make().fit(X, y, sample_weight=weights.tolist())) == expected
    assert model_of(make().fit(X, y, sample_weight=8 * weights)) == expected, "only ratios matter"
    assert model_of(make().fit(X[kept], y[kept])) != expected


def test_rows_of_weight_0_leave_sparse_rows_and_data_frames_too(iris):
    pandas = pytest.importorskip("pandas")
    X, y, weights = iris
    kept = weights > 0
    bits = sparse.csr_matrix(X > X.mean(axis=0))
    frame = pandas.DataFrame({"width": X[:, 0], "colour": np.where(X[:, 2] > 3, "red", "blue")})
    assert model_of(small().fit(bits, y, sample_weight=weights)) == model_of(small().fit(bits[kept], y[kept], sample_weight=weights[kept]))
    assert model_of(small().fit(frame, y, sample_weight=pandas.Series(weights))) == model_of(
        small().fit(frame[kept], y[kept], sample_weight=weights[kept])
    )


def test_integer_weights_are_repeated_rows_over_the_same_number_of_uses(iris):
    """Learned by heart, both give the same answers to the rows that they saw."""
    X, y, weights = iris
    repeated, labels = X.repeat(weights.astype(int), axis=0), y.repeat(weights.astype(int))
    rounds = 40
    epochs = round(rounds * len(labels) / np.count_nonzero(weights))
    weighted = TMClassifier(200, 20, 8.0, epochs=epochs, random_state=0).fit(X, y, sample_weight=weights)
    by_hand = TMClassifier(200, 20, 8.0, epochs=rounds, random_state=0, booleanizer=weighted.booleanizer_).fit(repeated, labels)
    assert np.mean(weighted.predict(repeated) == by_hand.predict(repeated)) > 0.98


def test_labels_and_partial_fit_have_weights(iris):
    X, y, weights = iris
    several = np.stack([y == 0, y > 0], axis=1)
    kept = weights > 0
    assert model_of(small().fit(X, several, sample_weight=weights)) == model_of(
        small().fit(X[kept], several[kept], sample_weight=weights[kept])
    )
    for make, more in ((lambda: small(calibration=None), {"classes": [0, 1, 2]}), (regressor, {})):
        parts = make().partial_fit(X[kept], y[kept], sample_weight=weights[kept], **more)
        whole = make().set_params(epochs=1).fit(X, y, sample_weight=weights)
        assert model_of(parts) == model_of(whole)


def test_class_weights_multiply_sample_weights(iris):
    X, y, weights = iris
    by_class = {0: 3, 2: 0.5}
    product = weights * np.array([3, 1, 0.5])[y]
    assert model_of(small(class_weight=by_class).fit(X, y, sample_weight=weights)) == model_of(small().fit(X, y, sample_weight=product))
    parts = small(class_weight=by_class).partial_fit(X, y, classes=[0, 1, 2])
    assert model_of(parts) == model_of(small().partial_fit(X, y, classes=[0, 1, 2], sample_weight=np.array([3, 1, 0.5])[y]))


def test_balanced_is_what_scikit_learn_means_by_it(iris):
    X, y, weights = iris
    some = np.flatnonzero((y == 0) | (weights > 0) | (np.arange(len(y)) % 5 == 0))
    X, y = X[some], y[some]
    theirs = compute_class_weight("balanced", classes=np.unique(y), y=y)
    assert model_of(small(class_weight="balanced").fit(X, y)) == model_of(small().fit(X, y, sample_weight=theirs[y]))
    text = np.array(["a", "b", "c"])[y]
    assert model_of(small(class_weight=dict(zip("abc", theirs))).fit(X, text)) == model_of(small(class_weight="balanced").fit(X, text))


def test_a_rare_class_is_found_more_often_with_balanced_weights():
    random = np.random.RandomState(0)
    X = random.rand(3000, 8) < 0.5
    y = (X[:, 0] & X[:, 1] & (random.rand(3000) < 0.25)).astype(int)  # one in sixteen
    found = {}
    for class_weight in (None, "balanced"):
        answers = TMClassifier(100, 20, 3.0, epochs=10, random_state=0, class_weight=class_weight).fit(X, y).predict(X)
        found[class_weight] = np.mean([np.mean(answers[y == label] == label) for label in (0, 1)])
    assert found[None] < 0.6 and found["balanced"] > 0.8


def test_scores_have_weights(iris):
    X, y, weights = iris
    fitted = small(epochs=1).fit(X, y)
    assert fitted.score(X, y, weights) == accuracy_score(y, fitted.predict(X), sample_weight=weights) != fitted.score(X, y)
    number = regressor().fit(X, y)
    assert number.score(X, y, weights) == r2_score(y, number.predict(X), sample_weight=weights)


def test_early_stopping_goes_by_weighted_scores():
    """One class cannot be learned at all; without its weight the data kept aside are all right."""
    X = np.arange(400)[:, None] % 3 == [[0, 1, 2]]
    y = X.argmax(axis=1)
    y[y == 2] = np.arange(np.count_nonzero(y == 2)) % 2
    weights = np.where(X[:, 2], 1e-6, 1.0)
    options = {"early_stopping": True, "validation_fraction": 0.5}
    assert small(**options).fit(X, y).best_score_ < 0.9
    assert small(**options).fit(X, y, sample_weight=weights).best_score_ > 0.999
    assert regressor(**options).fit(X, y, sample_weight=weights).best_score_ > 0.99


def test_scikit_learns_ensembles_give_weights(iris):
    X, y, _ = iris
    assert BaggingClassifier(small(), n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.9
    assert AdaBoostClassifier(small(), n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    "weights, said",
    [
        ([1, -2, 1, 1], "the weight of row 1 must be finite and at least 0, got -2"),
        ([1, 1, np.nan, 1], "the weight of row 2 must be finite and at least 0, got nan"),
        ([1, 1, 1, np.inf], "the weight of row 3 must be finite and at least 0, got inf"),
        ([0, 0, 0, 0], "the weights of all rows, 0 to 3, are zero"),
        ([1, 1, 1], r"a number for each of the 4 rows, got an array of shape \(3,\)"),
        ([], r"a number for each of the 4 rows, got an array of shape \(0,\)"),
        (["a", "b", 1, 1], r"a number for each of the 4 rows, got \['a', 'b', 1, 1\]"),
        ([[1], [1], [1], [1]], r"a number for each of the 4 rows, got an array of shape \(4, 1\)"),
    ],
)
def test_wrong_weights_are_refused_and_change_nothing(weights, said):
    X, y = np.eye(4), [0, 1, 0, 1]
    for estimator, more in ((small(), {"classes": [0, 1]}), (regressor(), {})):
        with pytest.raises(ValueError, match=said):
            estimator.fit(X, y, sample_weight=weights)
        with pytest.raises(ValueError, match=said):
            estimator.partial_fit(X, y, sample_weight=weights, **more)
        assert not hasattr(estimator, "model_")


@pytest.mark.parametrize(
    "class_weight, said",
    [
        ("even", "class_weight must be None, 'balanced' or a dictionary"),
        ([1, 2], "class_weight must be None, 'balanced' or a dictionary"),
        ({0: 1, 5: 2}, "class_weight names the label 5"),
        ({0: -1}, "at least 0, got -1 for the label 0"),
        ({0: np.nan}, "at least 0, got nan for the label 0"),
        ({0: "2"}, "at least 0, got '2' for the label 0"),
        ({0: 0, 1: 0}, "the weights of all rows, 0 to 3, are zero"),
    ],
)
def test_wrong_class_weights_are_refused(class_weight, said):
    with pytest.raises(ValueError, match=said):
        small(class_weight=class_weight).fit(np.eye(4), [0, 1, 0, 1])


def test_class_weights_are_refused_where_they_mean_nothing():
    with pytest.raises(ValueError, match="class_weight must be None where a row has several labels"):
        small(class_weight="balanced").fit(np.eye(4), [[0, 1], [1, 1], [1, 0], [0, 1]])
    with pytest.raises(ValueError, match="None or a dictionary for partial_fit"):
        small(class_weight="balanced").partial_fit(np.eye(4), [0, 1, 0, 1], classes=[0, 1])


def test_the_command_line_learns_the_same(command, iris, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y, weights = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    frame.assign(w=weights, kind=np.array(["x", "y", "z"])[y]).to_csv(tmp_path / "iris.csv", index=False)
    options = ["--clauses", 40, "-T", 10, "-s", 5, "--epochs", 20, "--seed", 1, "--weight-column", "w", "--class-weight", "x=3,z=0.5"]
    command("train", tmp_path / "iris.csv", *options, "-o", tmp_path / "c.falsum")
    ours = small(class_weight={0: 3, 2: 0.5}).fit(frame, y, sample_weight=weights)
    theirs = TMClassifier.load(tmp_path / "c.falsum")
    assert ours.votes(frame).tolist() == theirs.votes(frame).tolist()

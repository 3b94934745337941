"""Variants of the machine: weights, shared clauses, several labels, numbers, a range of s, budgets and drops."""

import pickle

import numpy as np
import pytest
from conftest import small
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multioutput import MultiOutputClassifier

import falsum
from falsum import TMClassifier, TMRegressor

VARIANTS = [
    {"weighted": True, "threshold": 100},
    {"shared": True, "threshold": 40},
    {"shared": True, "threshold": 40, "negatives": "focused"},
    {"specificity": (2.0, 10.0)},
    {"max_literals": 3},
    {"drop_clauses": 0.3, "epochs": 40},
    {"drop_literals": 0.1, "epochs": 40},
    {"fuzzy": 2, "max_literals": 4, "clauses": 20, "threshold": 8, "specificity": 6.0},
    {"fuzzy": 2, "clamp": True, "length": "literals", "include_limit": 200, "max_literals": 4, "specificity": 6.0},
    {"fuzzy": 2, "shared": True, "max_literals": 4, "specificity": 6.0},
]


@pytest.fixture(scope="module")
def labels():
    """Twelve bits and three labels: x0 xor x1, x0 and x1, x0 or x1."""
    random = np.random.RandomState(1)
    X = random.rand(800, 12) < 0.5
    return X, np.stack([X[:, 0] ^ X[:, 1], X[:, 0] & X[:, 1], X[:, 0] | X[:, 1]], axis=1).astype(int)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: ",".join(v))
def test_every_variant_learns_and_survives_files_pickles_and_going_on(xor, tmp_path, variant):
    X, y = xor
    fitted = small(**variant).fit(X, y)
    assert fitted.score(X, y) == 1
    fitted.save(tmp_path / "model.falsum")
    loaded = falsum.load(tmp_path / "model.falsum")
    for other in (loaded, pickle.loads(pickle.dumps(fitted))):
        assert (other.votes(X) == fitted.votes(X)).all()
    assert {name: loaded.get_params()[name] for name in variant if name != "epochs"} == {
        name: value for name, value in variant.items() if name != "epochs"
    }
    epochs = fitted.epochs
    half = small(**{**variant, "epochs": epochs // 2, "warm_start": True}).fit(X, y)
    half = pickle.loads(pickle.dumps(half)).fit(X, y)
    assert half.model_.to_bytes() == small(**{**variant, "warm_start": True}).fit(X, y).model_.to_bytes()


def test_a_share_of_the_labels_that_do_not_apply(labels):
    X, Y = labels
    fitted = small(clauses=60, threshold=15, specificity=3.0, epochs=40, negative_share=0.5).fit(X, Y)
    assert fitted.model_.options["negative_share"] == 0.5 and fitted.score(X, Y) > 0.9
    with pytest.raises(ValueError, match="negative_share must be 1 unless the task is multilabel, got 0.5"):
        small(negative_share=0.5).fit(X, Y[:, 0])


def test_an_estimator_of_labels_can_be_fitted_to_classes(labels):
    X, Y = labels
    machine = small(clauses=60, threshold=15, specificity=3.0, epochs=40).fit(X, Y)
    assert machine.multilabel_ and not machine.fit(X, Y[:, 0]).multilabel_
    assert machine.predict(X).shape == (len(X),) and machine.score(X, Y[:, 0]) == 1


@pytest.mark.parametrize("shared", [False, True])
def test_several_labels_are_learned_from_a_matrix(labels, tmp_path, shared):
    X, Y = labels
    # Three labels share 30 clauses; with clauses of its own each label has 60.
    fitted = small(clauses=30 if shared else 60, threshold=15, specificity=3.0, shared=shared, epochs=40).fit(X[:600], Y[:600])
    assert fitted.multilabel_
    assert fitted.classes_.tolist() == [0, 1, 2]
    assert fitted.score(X[600:], Y[600:]) >= (1 if shared else 0.97)
    assert fitted.score(X[600:], Y[600:]) == np.mean((fitted.predict(X[600:]) == Y[600:]).all(axis=1))
    assert fitted.decision_function(X).shape == fitted.predict_proba(X).shape == Y.shape
    assert ((fitted.predict_proba(X) > 0.5) == fitted.predict(X)).all()
    assert fitted.explain(X[0]).prediction == np.flatnonzero(fitted.predict(X[:1])[0]).tolist()
    fitted.save(tmp_path / "model.falsum")
    for other in (falsum.load(tmp_path / "model.falsum"), pickle.loads(pickle.dumps(fitted))):
        assert other.multilabel_
        assert (other.predict(X) == fitted.predict(X)).all()


def test_names_of_labels_come_from_a_frame(labels):
    pd = pytest.importorskip("pandas")
    X, Y = labels
    fitted = small(clauses=30, threshold=20, specificity=3.0).fit(X, pd.DataFrame(Y, columns=["xor", "and", "or"]))
    assert fitted.classes_.tolist() == ["xor", "and", "or"]
    assert {rule.label for rule in fitted.rules()} == {"xor", "and", "or"}


def test_a_row_without_any_vote_has_no_label():
    """All clauses are silent before anything is learned: no label rather than every label."""
    X, Y = np.eye(6, dtype=bool), np.eye(6, dtype=int)
    fitted = TMClassifier(clauses=2, threshold=1, epochs=1, random_state=0).fit(X, Y)
    votes = fitted.votes(X)
    assert ((votes > 0) == fitted.predict(X)).all()
    assert (fitted.predict(X)[votes == 0] == 0).all()


def test_it_is_as_good_as_logistic_regression_on_several_labels():
    from sklearn.datasets import make_multilabel_classification

    X, Y = make_multilabel_classification(2000, n_features=20, n_classes=5, random_state=0)
    plain = MultiOutputClassifier(LogisticRegression(max_iter=1000)).fit(X[:1400], Y[:1400])
    ours = TMClassifier(clauses=200, threshold=50, specificity=(2, 10), epochs=20, random_state=0).fit(X[:1400], Y[:1400])
    assert ours.score(X[1400:], Y[1400:]) > plain.score(X[1400:], Y[1400:]) - 0.03
    f1 = [f1_score(Y[1400:], model.predict(X[1400:]), average="micro") for model in (plain, ours)]
    assert f1[1] > f1[0] - 0.03


@pytest.mark.parametrize(
    "act, message",
    [(lambda m, X, Y: m.calibrate(X, Y), "one label a row"), (lambda m, X, Y: m.predict(X, reject=0.5), "one label a row"),
     (lambda m, X, Y: m.partial_fit(X, Y, [0, 1, 2]), "one label for each row"), (lambda m, X, Y: m.rules(X, Y), "leave y out")],
)  # fmt: skip
def test_what_several_labels_cannot_do_is_said(labels, act, message):
    X, Y = labels
    fitted = small(clauses=30, threshold=20).fit(X, Y)
    with pytest.raises(ValueError, match=message):
        act(fitted, X, Y)


@pytest.mark.parametrize("numbers", [(-1, 1), (1, 2), (0, 2)])
def test_several_labels_are_zeros_and_ones_and_nothing_else(labels, numbers):
    X, Y = labels
    with pytest.raises(ValueError, match="^y must be 0 or 1 for each label where a row has several, got (-1|2)$"):
        small().fit(X, np.where(Y, numbers[1], numbers[0]))


def test_the_two_bit_toy_is_learned_exactly():
    """FAMILY.md, section 3: y = 100 (2 x1 + x0), no noise."""
    X = np.random.RandomState(0).rand(2000, 2) < 0.5
    y = 100.0 * (2 * X[:, 1] + X[:, 0])
    fitted = TMRegressor(clauses=6, threshold=3, specificity=3.0, weighted=False, epochs=40, random_state=1).fit(X, y)
    assert np.abs(fitted.predict(X) - y).max() == 0


def test_numbers_survive_files_and_pickles_and_stay_in_their_range(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    fitted = TMRegressor(epochs=20, random_state=0).fit(X[:300], y[:300])
    assert fitted.score(X[300:], y[300:]) > 0.3
    assert fitted.y_range_ == (y[:300].min(), y[:300].max())
    answers = fitted.predict(X)
    assert answers.min() >= y[:300].min() and answers.max() <= y[:300].max()
    fitted.save(tmp_path / "model.falsum")
    for other in (falsum.load(tmp_path / "model.falsum"), pickle.loads(pickle.dumps(fitted))):
        assert isinstance(other, TMRegressor)
        assert (other.predict(X) == answers).all()
    assert isinstance(fitted.explain(X[0]).prediction, float)
    assert all(rule.polarity == 1 for rule in fitted.rules())
    with pytest.raises(ValueError, match="a model of regression"):
        TMClassifier.load(tmp_path / "model.falsum")


def test_batches_need_the_range_of_all_numbers():
    X, y = load_diabetes(return_X_y=True)
    model = TMRegressor(y_range=(0, 400), random_state=0)
    for _ in range(20):
        for first in range(0, 442, 100):
            model.partial_fit(X[first : first + 100], y[first : first + 100])
    assert model.y_range_ == (0, 400)
    assert model.score(X, y) > 0.3


def test_early_stopping_and_callbacks_go_by_r2():
    X, y = load_diabetes(return_X_y=True)
    seen = []
    fitted = TMRegressor(early_stopping=True, epochs=30, random_state=0, callbacks=[lambda r: seen.append(r["r2"])]).fit(X, y)
    assert fitted.best_score_ == max(seen)


@pytest.mark.parametrize(
    "changes, message",
    [({"specificity": (2, 3, 4)}, "specificity must be a number or a range"), ({"specificity": (2, 0.5)}, "specificity_to must be"),
     ({"negatives": "focused"}, "negatives must be uniform"), ({"negatives": "some"}, "negatives must be one of uniform, focused"),
     ({"shared": True, "sharded": True}, "sharded must be off"), ({"drop_clauses": 1.0}, "drop_clauses must be from 0 to 0.999"),
     ({"max_literals": -1}, "max_literals must be from 0")],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(xor, changes, message):
    with pytest.raises(ValueError, match=message):
        small(**changes).fit(*xor)


@pytest.mark.parametrize(
    "changes, message",
    [({"y_range": (3, 1)}, "y_range must be two finite numbers that ascend"), ({"y_range": 3}, "y_range must be None or two numbers"),
     ({"error": "cubic"}, "error must be one of squared, linear")],
)  # fmt: skip
def test_a_regressor_refuses_what_it_cannot_use(changes, message):
    with pytest.raises(ValueError, match=message):
        TMRegressor(**changes).fit(np.eye(4), np.arange(4))


def test_fuzzy_clauses_forgive_and_say_so(xor):
    X, y = xor
    fitted = small(fuzzy=2, max_literals=4, clauses=20, threshold=8, specificity=6.0).fit(X, y)
    rules = fitted.rules(X, y)
    assert all(rule.less == len(rule.clauses) and abs(rule.weight) == 2 * rule.less for rule in rules)
    assert any("LESS 1 FOR EACH THAT IS FALSE THEN" in rule.text for rule in rules)
    assert any(0 < rule.coverage < 1 for rule in rules)
    told = fitted.explain(X[0])
    assert list(told.votes.values()) == fitted.votes(X[:1])[0].tolist()
    assert told.prediction == fitted.predict(X[:1])[0]
    assert np.allclose(fitted.predict_proba(X).sum(axis=1), 1)
    assert (fitted.classes_[fitted.predict_proba(X).argmax(axis=1)] == fitted.predict(X)).all()
    for engine in ("scan", "sliced", "tables"):
        assert (fitted.set_params(engine=engine).votes(X) == fitted.set_params(engine="auto").votes(X)).all()


@pytest.mark.parametrize(
    "options, sentence",
    [({"fuzzy": 4, "weighted": True}, "weighted must be false in a fuzzy machine"),
     ({"clamp": True}, "clamp must be false unless clauses are fuzzy"),
     ({"fuzzy": 65536}, "fuzzy must be from 0 to 65535"),
     ({"fuzzy": 4, "length": "words"}, "length must be one of features, literals"),
     ({"fuzzy": 4, "include_limit": 256}, "include_limit must be from 0 to 255")],
)  # fmt: skip
def test_fuzzy_options_that_make_no_sense_are_refused(xor, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        small(**options).fit(*xor)


@pytest.fixture(scope="module")
def diagonals():
    """6 x 7 images with a diagonal of three pixels somewhere, or with the other one."""
    random = np.random.RandomState(3)
    X = random.rand(500, 6, 7) < 0.1
    y = random.randint(0, 2, 500)
    for image, label in zip(X, y):
        row, column = random.randint(0, 4), random.randint(0, 5)
        image[row : row + 3, column : column + 3] = np.eye(3) if label else np.fliplr(np.eye(3))
    return X, y


def patched(**parameters):
    options = {"clauses": 20, "threshold": 40, "specificity": 4.0, "weighted": True, "epochs": 6, "calibration": None}
    return small(**{**options, "patch_shape": (3, 3), **parameters})


def test_patches_of_images_are_learned_and_survive_files_pickles_and_going_on(diagonals, tmp_path):
    X, y = diagonals
    fitted = patched().fit(X, y)
    assert fitted.score(X, y) > 0.9
    assert fitted.model_.options["image"] == "6x7"
    flat = patched(image_shape=(6, 7)).fit(X.reshape(500, -1), y)
    assert flat.model_.to_bytes() == fitted.model_.to_bytes()
    assert (fitted.votes(X.reshape(500, -1)) == fitted.votes(X)).all()
    assert patched().fit(X[..., None], y).votes(X[..., None]).tolist() == fitted.votes(X).tolist()  # one channel
    fitted.save(tmp_path / "model.falsum")
    loaded = falsum.load(tmp_path / "model.falsum")
    assert (loaded.patch_shape, loaded.image_shape, loaded.patch_stride) == ((3, 3), (6, 7), (1, 1))
    for other in (loaded, pickle.loads(pickle.dumps(fitted))):
        assert (other.votes(X) == fitted.votes(X)).all()
    half = patched(epochs=3, warm_start=True).fit(X, y)
    assert pickle.loads(pickle.dumps(half)).fit(X, y).model_.to_bytes() == fitted.model_.to_bytes()
    assert (TMRegressor(clauses=20, patch_shape=(3, 3), epochs=2, random_state=0).fit(X, y).predict(X) <= 1).all()


@pytest.mark.parametrize(
    "parameters, sentence",
    [({"patch_shape": 3}, "patch_shape must be 2 whole numbers above 0, got 3"),
     ({"patch_shape": (3, 8)}, "patch must be at most the image"),
     ({"image_shape": (7, 6)}, r"X must hold images of shape \(7, 6\), got \(6, 7\)"), ({"patch_stride": (0, 1)}, "patch_stride must be 2"),
     ({"sharded": True}, "sharded must be off with patches")],
)  # fmt: skip
def test_patches_that_do_not_fit_are_refused(diagonals, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        patched(**parameters).fit(*diagonals)


def test_images_of_another_size_are_refused(diagonals):
    X, y = diagonals
    with pytest.raises(ValueError, match=r"X must hold images of shape \(6, 7\), got \(7, 6\)"):
        patched().fit(X, y).predict(X.transpose(0, 2, 1))

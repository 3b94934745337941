"""scikit-learn's own checks, all of them, and its tools with our estimators."""

import copy
import pathlib
import pickle
import re

import joblib
import numpy as np
import pytest
from conftest import small
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from falsum import Booleanizer, TMClassifier, TMRegressor

# One check fits the same estimator twice and expects the same predictions: a warm start must know all by then.
LEARNED_BY_HEART = {"clauses": 200, "threshold": 20, "specificity": 8.0, "epochs": 100}


# It shuffles the rows of one of two fits and expects the same numbers, which no estimator that draws by row can give; scikit-learn
# excuses its own. test_weights.py has what holds instead: exactly for weights of 0 and equal ones, in distribution for others
# (tests/learn/row_weights_test.cpp).
BY_CHANCE = dict.fromkeys(
    ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
    "rows are used by draws that depend on their positions",
)
NO_PARTIAL_FIT = dict.fromkeys(
    ("check_fit_score_takes_y", "check_n_features_in_after_fitting", "check_estimators_partial_fit_n_features"),
    "partial_fit refuses balanced weights, as those of scikit-learn do",
)


def excused(estimator):
    if isinstance(estimator, Booleanizer):
        return {}
    return BY_CHANCE | (NO_PARTIAL_FIT if getattr(estimator, "class_weight", None) else {})


@pytest.mark.filterwarnings("ignore")  # what scikit-learn's checks provoke on purpose
@parametrize_with_checks(
    [TMClassifier(), TMRegressor(), Booleanizer(), Booleanizer(method="uniform"), Booleanizer(method="onehot")],
    expected_failed_checks=excused,
)
def test_scikit_learns_check(estimator, check):
    check(estimator)


class TMClassifierOfOneRow(TMClassifier):
    """Takes the bits of a table as images of one row: scikit-learn's checks know no images."""

    def _with_image(self, options):
        return {**options, "image": f"1x{self.booleanizer_.mapping_.features}"}


# Not with the oldest versions (Makefile): what differs there is in the classes, not in their options.
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [TMClassifier(clauses=100, early_stopping=True, n_jobs=2), TMClassifier(**LEARNED_BY_HEART, warm_start=True)]
    + [TMClassifier(clauses=100, calibration="temperature"), TMClassifier(clauses=100, calibration="isotonic")]
    + [TMClassifier(clauses=200, threshold=100, shared=True, negatives="focused")]
    + [TMClassifier(clauses=100, weighted=True, threshold=200, specificity=(2, 10), max_literals=20, drop_clauses=0.1)]
    + [TMRegressor(clauses=500, error="linear", drop_literals=0.05)]
    + [TMClassifier(clauses=100, class_weight="balanced")]
    + [TMClassifier(clauses=20, threshold=8, specificity=6, fuzzy=4, max_literals=8, epochs=20)]
    + [TMClassifierOfOneRow(clauses=40, threshold=15, specificity=4, patch_shape=(1, 1), epochs=20)]
    + [TMClassifier(clauses=100, weighted=True, snapshots=3), TMClassifier(clauses=100, weight_growth=0.01)],
    expected_failed_checks=excused,
)
def test_scikit_learns_check_of_variants(estimator, check):
    if "multilabel_representation_invariance" in str(check) and getattr(estimator, "warm_start", False):
        pytest.skip("it fits one estimator again and again, which a warm start continues")
    check(estimator)


def test_the_oldest_versions_tested_are_those_that_the_package_allows():
    root = pathlib.Path(__file__).parents[2]
    pinned = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (root / "python/tests/oldest.txt").read_text(), flags=re.MULTILINE))
    allowed = dict(re.findall(r'"([\w-]+)>=([\d.]+)"', (root / "pyproject.toml").read_text()))
    for name in ("scikit-learn", "numpy", "scipy", "pandas", "polars", "pyarrow", "matplotlib"):
        assert (pinned[name] + ".").startswith(allowed[name] + ".")


def test_in_a_pipeline_with_a_grid():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(Booleanizer(), small())
    grid = GridSearchCV(pipeline, {"booleanizer__bits": [2, 8], "tmclassifier__specificity": [2.0, 4.0]}, cv=3, n_jobs=2)
    assert grid.fit(X, y).best_score_ > 0.9


def test_parameters_of_the_booleanizer_can_be_searched():
    X, y = load_iris(return_X_y=True)
    grid = GridSearchCV(small(booleanizer=Booleanizer()), {"booleanizer__bits": [1, 6]}, cv=3)
    assert grid.fit(X, y).best_params_ == {"booleanizer__bits": 6}


def test_cross_validation_in_processes_and_threads_gives_the_same_scores():
    X, y = load_iris(return_X_y=True)
    with joblib.parallel_backend("loky", n_jobs=2):
        processes = cross_val_score(small(), X, y, cv=4)
    with joblib.parallel_backend("threading", n_jobs=2):
        threads = cross_val_score(small(), X, y, cv=4)
    assert processes.tolist() == threads.tolist() == cross_val_score(small(), X, y, cv=4).tolist()


def test_words_of_a_count_vectorizer():
    texts = ["good film", "fine film", "good fun", "bad film", "dull plot", "bad acting"] * 20
    y = ["pos", "pos", "pos", "neg", "neg", "neg"] * 20
    pipeline = make_pipeline(CountVectorizer(binary=True), small())
    assert pipeline.fit(texts, y).score(texts, y) == 1.0
    names = pipeline[0].get_feature_names_out()
    assert any("good" in rule.literals for rule in pipeline[-1].rules(feature_names=names))


def test_set_output_makes_a_data_frame_with_readable_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [20.0, 30.0, 41.0, 42.0], "smoker": [True, False, True, True], "colour": list("rgbr")})
    out = Booleanizer(bits=3).set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == ["age >= 25", "age >= 36", "age >= 41.5", "smoker", "colour = b", "colour = g", "colour = r"]
    assert out.dtypes.unique().tolist() == [np.dtype(bool)]
    assert out["age >= 41.5"].tolist() == [False, False, False, True]


def test_clone_has_parameters_and_nothing_learned(xor):
    fitted = small(specificity=4.5).fit(*xor)
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    assert not hasattr(fresh, "model_")


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e)), copy.copy])
def test_copies_predict_the_same(xor, copier):
    X, y = xor
    fitted = small().fit(X, y)
    copied = copier(fitted)
    assert copied.votes(X).tolist() == fitted.votes(X).tolist()
    assert copied.model_.to_bytes() == fitted.model_.to_bytes()


def test_a_pickle_is_small_and_one_that_goes_on_learning_takes_its_automata_along(xor):
    X, y = xor
    fitted = small(clauses=200).fit(X, y)
    assert len(pickle.dumps(fitted)) < len(fitted.model_.to_bytes()) + 3000
    with pytest.raises(ValueError, match="cannot go on learning"):
        pickle.loads(pickle.dumps(fitted)).partial_fit(X, y)
    going_on = small().partial_fit(X, y, classes=[0, 1])
    other = pickle.loads(pickle.dumps(going_on))
    assert other.partial_fit(X, y).model_.to_bytes() == going_on.partial_fit(X, y).model_.to_bytes()

"""predict_proba: the law of learning, calibration, rejection, and the reliability diagram."""

import json
import pickle

import numpy as np
import pytest
from conftest import small
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline

from falsum import Booleanizer, TMClassifier, plot

METHODS = ["temperature", "isotonic"]


@pytest.fixture(scope="module")
def noisy():
    """x0 xor x1, with a third of the labels wrong where x2, so that rows are sure and unsure."""
    random = np.random.RandomState(3)
    X = random.rand(3000, 6) < 0.5
    y = (X[:, 0] ^ X[:, 1]) ^ (X[:, 2] & (random.rand(3000) < 0.35))
    return X[:2000], y[:2000].astype(int), X[2000:], y[2000:].astype(int)


def law(votes, threshold):
    """Where the pushes up and down balance."""
    others = votes.shape[1] - 1
    if others == 1:
        votes = votes - votes.mean(axis=1, keepdims=True)
    votes = np.clip(votes, -threshold, threshold)
    p = (threshold + votes) / ((threshold + votes) + others * (threshold - votes))
    return p / p.sum(axis=1, keepdims=True)


def test_without_calibration_it_is_the_law_of_learning(noisy):
    X, y, test, _ = noisy
    machine = small(threshold=40, calibration=None).fit(X, y)
    assert machine.calibration_ is None
    assert np.allclose(machine.predict_proba(test), law(machine.votes(test).astype(float), 40))


@pytest.mark.parametrize("method", METHODS)
def test_calibration_makes_better_probabilities_and_no_other_labels(noisy, method):
    X, y, test, truth = noisy
    machine = small(calibration=method, validation_fraction=0.3).fit(X, y)
    fitted = machine.calibration_
    assert fitted["method"] == method and fitted["rows"] == 600
    assert ("temperature" in fitted) == (method == "temperature") and ("curves" in fitted) == (method == "isotonic")
    calibrated = machine.predict_proba(test)
    rough = law(machine.votes(test).astype(float), 10)
    assert log_loss(truth, calibrated) < log_loss(truth, np.clip(rough, 1e-15, 1))
    assert np.allclose(calibrated.sum(axis=1), 1)
    assert np.array_equal(calibrated.argmax(axis=1), machine.votes(test).argmax(axis=1))
    assert np.array_equal(machine.classes_[calibrated.argmax(axis=1)], machine.predict(test))


def test_rows_kept_aside_are_not_learned_and_are_those_of_the_command(noisy, tmp_path, command):
    X, y, *_ = noisy
    machine = small(calibration="temperature", validation_fraction=0.25, random_state=9).fit(X, y)
    assert machine.model_.provenance["samples"] == 1500
    np.savez(tmp_path / "d.npz", X=X, y=y)
    options = ["--clauses", 40, "-T", 10, "-s", 5, "--epochs", 20, "--seed", 9]
    report = command("train", tmp_path / "d.npz", *options, "--calibrate", 0.25, "--json", "-o", tmp_path / "m.falsum")
    assert json.loads(report)["calibration"] == machine.calibration_
    loaded = TMClassifier.load(tmp_path / "m.falsum")
    assert np.array_equal(loaded.predict_proba(X), machine.predict_proba(X))


def test_calibration_outlives_files_pickles_and_more_predictions(noisy, tmp_path):
    X, y, test, _ = noisy
    for method in METHODS:
        machine = small(calibration=method).fit(X, y)
        wanted = machine.predict_proba(test)
        machine.save(tmp_path / "m.falsum")
        for again in (TMClassifier.load(tmp_path / "m.falsum"), pickle.loads(pickle.dumps(machine))):
            assert again.calibration_ == machine.calibration_
            assert np.array_equal(again.predict_proba(test), wanted)
    assert clone(machine).calibration == "isotonic"


def test_fresh_data_calibrate_an_estimator_from_a_file(noisy, tmp_path):
    X, y, test, truth = noisy
    small().fit(X, y).save(tmp_path / "m.falsum")
    machine = TMClassifier.load(tmp_path / "m.falsum")
    before = machine.predict_proba(test)
    assert machine.calibrate(test[:500], truth[:500]) is machine
    assert machine.calibration_["rows"] == 500
    assert log_loss(truth[500:], machine.predict_proba(test[500:])) < log_loss(truth[500:], np.clip(before[500:], 1e-15, 1))
    machine.calibrate(test[:500], truth[:500], "isotonic")
    assert machine.calibration_["method"] == "isotonic"
    with pytest.raises(ValueError, match="method must be 'temperature' or 'isotonic', got 'platt'"):
        machine.calibrate(test, truth, "platt")
    with pytest.raises(ValueError, match="label 7"):
        machine.calibrate(test, np.full(len(test), 7))
    with pytest.raises(ValueError, match="inconsistent"):
        machine.calibrate(test, truth[:5])
    with pytest.raises(NotFittedError):
        small().calibrate(test, truth)
    with pytest.raises(NotFittedError):
        _ = small().calibration_


def test_going_on_learning_fits_anew_or_forgets(noisy):
    X, y, *_ = noisy
    machine = small(calibration="temperature", warm_start=True, epochs=2).fit(X, y)
    first = machine.calibration_
    assert machine.fit(X, y).calibration_ != first
    assert machine.partial_fit(X, y).calibration_ is None


def test_calibration_and_early_stopping_share_the_rows_kept_aside(noisy):
    X, y, *_ = noisy
    machine = small(calibration="isotonic", early_stopping=True, validation_fraction=0.2, n_iter_no_change=2).fit(X, y)
    assert machine.calibration_["rows"] == 400 and machine.best_score_ > 0.6


@pytest.mark.parametrize("value", ["platt", "", True, 1, ["temperature"]])
def test_other_values_of_calibration_are_refused(noisy, value):
    X, y, *_ = noisy
    with pytest.raises(ValueError, match="calibration must be None, 'auto', 'temperature' or 'isotonic', got"):
        small(calibration=value).fit(X, y)


@pytest.mark.parametrize("labels", [np.array(["no", "yes"]), np.array([3, 5]), np.array([1.0, 2.0]), np.array([False, True])])
def test_rejected_rows_have_no_label(noisy, labels):
    X, y, test, truth = noisy
    machine = small(calibration="temperature").fit(X, labels[y])
    answers = machine.predict(test, reject=0.8)
    sure = machine.predict_proba(test).max(axis=1) >= 0.8
    assert answers.dtype == object
    assert [answer is None for answer in answers] == (~sure).tolist()
    assert answers[sure].tolist() == machine.predict(test)[sure].tolist()
    assert 0 < sure.sum() < len(test)
    right = machine.predict(test) == labels[truth]
    assert right[sure].mean() > right.mean()
    assert None not in machine.predict(test, reject=0).tolist()
    assert machine.predict(test, reject=None).dtype == labels.dtype


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, "0.9", True])
def test_other_values_of_reject_are_refused(noisy, value):
    X, y, *_ = noisy
    machine = small(epochs=1).fit(X, y)
    with pytest.raises(ValueError, match="reject must be None or a number from 0 to 1, got"):
        machine.predict(X, reject=value)


def test_a_pipeline_passes_reject_on(noisy):
    X, y, test, _ = noisy
    pipeline = make_pipeline(Booleanizer(), small(calibration="temperature")).fit(X, y)
    assert None in pipeline.predict(test, reject=0.9).tolist()


def test_the_reliability_diagram_says_how_far_off_the_probabilities_are(noisy):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    X, y, test, truth = noisy
    machine = small(calibration="temperature", validation_fraction=0.3).fit(X, y)
    figure = plot.reliability(machine, test, truth, bins=10)
    p = machine.predict_proba(test)
    sure, right = p.max(axis=1), p.argmax(axis=1) == truth
    places = np.minimum((sure * 10).astype(int), 9)
    error = sum(abs((right[places == b] - sure[places == b]).sum()) for b in range(10)) / len(truth)
    assert figure.axes[0].get_title() == f"calibration error {100 * error:.2f}%"
    assert sum(bar.get_height() for bar in figure.axes[1].patches) == len(truth)
    pyplot.close(figure)
    with pytest.raises(ValueError, match="bins must be a whole number from 1 to 1000, got 0"):
        plot.reliability(machine, test, truth, bins=0)
    with pytest.raises(ValueError, match="X has 1000 rows, but y has the shape"):
        plot.reliability(machine, test, truth[:7])

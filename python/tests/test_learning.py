"""fit, partial_fit, warm starts, early stopping, callbacks, progress, and stopping in the middle."""

import signal
import threading
import time

import numpy as np
import pytest
from conftest import small
from sklearn.exceptions import NotFittedError

from falsum import Booleanizer, TMClassifier, _core


def test_it_learns_what_no_single_literal_can(xor):
    assert small().fit(*xor).score(*xor) > 0.99


def test_the_same_seed_gives_the_same_model_and_another_seed_another(xor):
    one, same, other = (small(random_state=s).fit(*xor).model_.clauses for s in (5, 5, 6))
    assert all(map(np.array_equal, one, same))
    assert not all(map(np.array_equal, one, other))


def test_every_engine_and_kernel_set_gives_the_same_model(xor):
    wanted = small().fit(*xor).model_.to_bytes()
    for engine in ("scan", "index", "lookahead", "bitmap", "sliced"):
        machine = small(engine=engine).fit(*xor)
        assert machine.model_.to_bytes() == wanted
        assert machine.votes(xor[0]).tolist() == small().fit(*xor).votes(xor[0]).tolist()
        assert engine == "lookahead" or machine.explain_engine()[0] == engine
    for kernels in _core.kernel_sets():
        assert small(kernels=kernels).fit(*xor).model_.to_bytes() == wanted


def test_sharded_learning_is_another_machine_that_is_the_same_for_any_number_of_threads(xor):
    sharded = small(sharded=True, n_jobs=1).fit(*xor)
    assert sharded.score(*xor) > 0.95
    assert sharded.model_.to_bytes() == small(sharded=True, n_jobs=2).fit(*xor).model_.to_bytes()
    assert not all(map(np.array_equal, sharded.model_.clauses, small().fit(*xor).model_.clauses))
    with pytest.raises(ValueError, match="when sharded"):
        small(sharded=True, engine="scan").fit(*xor)


@pytest.mark.parametrize("labels", [["no", "yes"], [True, False], [-1, 1], [3.0, 4.0], np.array(["a", "b"], dtype=object)])
def test_labels_of_any_kind_come_back(xor, labels):
    X, y = xor
    wanted = np.array(labels)[y]
    predicted = small().fit(X, wanted).predict(X)
    assert predicted.dtype == wanted.dtype and np.mean(predicted == wanted) > 0.99


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_many_labels():
    X = np.eye(300, dtype=bool)
    machine = TMClassifier(clauses=2, threshold=1, specificity=2, epochs=1, random_state=0).fit(X, np.arange(300))
    assert machine.votes(X).shape == (300, 300)


def test_decisions_votes_and_probabilities_agree(xor):
    X, y = xor
    two = small(epochs=1).fit(X, y)
    assert np.array_equal(two.decision_function(X), two.votes(X)[:, 1] - two.votes(X)[:, 0])
    three = small(epochs=1).fit(X, y + (X[:, 2] & (y == 1)))
    for machine in (two, three):
        probability = machine.predict_proba(X)
        assert np.allclose(probability.sum(axis=1), 1)
        assert machine.classes_[probability.argmax(axis=1)].tolist() == machine.predict(X).tolist()
    assert three.decision_function(X).shape == (600, 3)


def test_prediction_before_fit_is_refused(xor):
    for call in ("predict", "votes", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(small(), call)(xor[0])
    for call in (lambda: small().rules(), lambda: small().explain(xor[0][0]), lambda: small().save("x")):
        with pytest.raises(NotFittedError):
            call()


def test_partial_fit_of_all_rows_is_fit(xor):
    X, y = xor
    parts = small()
    for _ in range(20):
        parts.partial_fit(X, y, classes=[0, 1])
    assert parts.model_.to_bytes() == small(calibration=None).fit(X, y).model_.to_bytes()


def test_partial_fit_learns_from_batches_of_any_size(xor):
    X, y = xor
    machine = small()
    for epoch in range(20):
        for first in range(0, 600, 130):
            machine.partial_fit(X[first : first + 130], y[first : first + 130], classes=[0, 1] if epoch == first == 0 else None)
    assert machine.score(X, y) > 0.95


def test_partial_fit_needs_the_classes_and_knows_no_others(xor):
    X, y = xor
    with pytest.raises(ValueError, match="classes must be passed"):
        small().partial_fit(X, y)
    machine = small().partial_fit(X, y, classes=[0, 1, 2])
    assert machine.classes_.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="label 7, which is not among the classes"):
        machine.partial_fit(X, np.where(y == 1, 7, y))
    with pytest.raises(ValueError, match="not the same as on last call"):
        machine.partial_fit(X, y, classes=[0, 1])


def test_a_warm_start_goes_on(xor):
    X, y = xor
    machine = small(epochs=5, warm_start=True)
    for _ in range(4):
        machine.fit(X, y)
    assert machine.n_epochs_ == 20
    assert machine.model_.to_bytes() == small(calibration=None).fit(X, y).model_.to_bytes()
    with pytest.raises(ValueError, match="not among the classes"):
        machine.fit(X, y + 1)


def test_early_stopping_keeps_the_best_epoch(xor):
    X, y = xor
    machine = small(epochs=200, early_stopping=True, n_iter_no_change=3).fit(X, y)
    accuracies = [entry["accuracy"] for entry in machine.history_]
    assert machine.n_epochs_ == len(accuracies) < 200
    assert machine.best_score_ == max(accuracies)
    assert accuracies.index(max(accuracies)) == len(accuracies) - 1 - 3


def test_callbacks_hear_of_every_epoch_and_can_stop(xor):
    heard = []
    machine = small(callbacks=[lambda report: heard.append(report["epoch"]), lambda report: report["epoch"] == 4]).fit(*xor)
    assert heard == [1, 2, 3, 4] and machine.n_epochs_ == 4
    assert machine.history_[0].keys() == {"epoch", "mean_clause_length", "flips"}


def test_an_exception_in_a_callback_leaves_a_usable_estimator(xor):
    def fail(report):
        if report["epoch"] == 3:
            raise RuntimeError("enough")

    machine = small(callbacks=[fail])
    with pytest.raises(RuntimeError, match="enough"):
        machine.fit(*xor)
    assert machine.n_epochs_ == 3
    assert machine.model_.to_bytes() == small(epochs=3, calibration=None).fit(*xor).model_.to_bytes()


@pytest.fixture
def ctrl_c():
    """Presses Ctrl-C when called; a process in the background ignores it otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.get_ident()
    yield lambda: signal.pthread_kill(main, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_leaves_a_usable_estimator_that_can_go_on(ctrl_c):
    random = np.random.RandomState(0)
    X, y = random.rand(40000, 200) < 0.5, random.randint(0, 2, 40000)
    machine = TMClassifier(clauses=200, threshold=20, epochs=200, random_state=0, warm_start=True)

    # In the middle of the second epoch, as far as that can be told from outside.
    def press_soon(report):
        if report["epoch"] == 1:
            threading.Timer(0.02, ctrl_c).start()

    machine.callbacks = [press_soon]
    with pytest.raises(KeyboardInterrupt):
        machine.fit(X, y)
    assert 1 <= machine.n_epochs_ < 200
    assert machine.predict(X[:5]).shape == (5,)
    machine.set_params(epochs=1, callbacks=None)
    done = machine.n_epochs_
    assert machine.fit(X[:100], y[:100]).n_epochs_ == done + 1


def test_other_threads_run_while_it_learns():
    random = np.random.RandomState(0)
    X, y = random.rand(20000, 300) < 0.5, random.randint(0, 2, 20000)
    turns, learning = 0, True

    def count():
        nonlocal turns
        while learning:
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    TMClassifier(clauses=200, threshold=20, epochs=2, random_state=0, n_jobs=1).fit(X, y)
    learning = False
    thread.join()
    assert turns > 10


def test_one_machine_in_many_threads_is_safe(xor):
    X, y = xor
    machine = small().fit(X, y)
    wanted, problems = machine.votes(X).tolist(), []

    def use():
        try:
            for _ in range(20):
                assert machine.votes(X).tolist() == wanted
                machine.machine_.model()
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_verbose_shows_a_bar_with_the_accuracy(xor, capsys):
    small(verbose=1).fit(*xor)
    shown = capsys.readouterr().err
    assert "20.0/20 epochs" in shown and "accuracy=100.00%" in shown


def test_a_fitted_booleanizer_is_used_as_it_is(xor):
    X, y = np.random.RandomState(0).rand(100, 3), np.arange(100) % 2
    given = Booleanizer(bits=2).fit(X * 10)
    assert small(booleanizer=given).fit(X, y).booleanizer_ is given
    unfitted = Booleanizer(bits=2)
    machine = small(booleanizer=unfitted).fit(X, y)
    assert not hasattr(unfitted, "mapping_") and machine.booleanizer_.n_features_out_ == 6
    with pytest.raises(ValueError, match="fitted on 3"):
        small(booleanizer=given).fit(X[:, :2], y)


def test_one_class_is_not_enough(xor):
    with pytest.raises(ValueError, match="one class"):
        small().fit(xor[0], np.zeros(600))

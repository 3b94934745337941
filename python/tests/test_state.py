"""What an estimator is after a call that failed, that was stopped, or that goes on: FINDINGS group 4."""

import pathlib
import pickle
import signal
import threading

import numpy as np
import pytest
import scipy.sparse as sparse
from conftest import small

from falsum import Booleanizer, TMClassifier, _core

LABELS = np.array(["no", "yes"])


def everything(estimator):
    """All attributes, in a form that can be compared."""
    state = {name: value for name, value in vars(estimator).items() if name not in ("_compiled", "machine_")}
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            state[name] = (value.dtype, value.tolist())
        elif isinstance(value, (_core.Model, Booleanizer)):
            state[name] = pickle.dumps(value) if isinstance(value, Booleanizer) else value.to_bytes()
    if hasattr(estimator, "machine_"):
        state["machine_"] = (id(estimator.machine_), estimator.machine_.checkpoint())
    return state


def not_reached(report):
    raise AssertionError("it learned")


def damaged():
    matrix = sparse.csr_matrix(np.eye(12))
    matrix.indices[3] = 1000
    return matrix


# What is wrong with a refit: parameters, data, labels.
FAILURES = {
    "X with infinity": ({}, lambda X: np.where(X, np.inf, 0.0), None),
    "X of three dimensions": ({}, lambda X: np.zeros((600, 2, 2)), None),
    "X of text": ({}, lambda X: np.full((600, 3), "a"), None),
    "X without features": ({}, lambda X: np.zeros((600, 5)), None),
    "X with other columns, fewer rows": ({}, lambda X: X[:100, :3], None),
    "a damaged sparse matrix": ({}, lambda X: damaged(), lambda y: y[:12]),
    "one class": ({}, None, lambda y: np.zeros(600)),
    "y of numbers that are no labels": ({}, None, lambda y: y + 0.123 * np.arange(600)),
    "y with NaN": ({}, None, lambda y: np.where(y == 1, np.nan, 0.0)),
    "clauses": ({"clauses": 7}, None, None),
    "a parameter of a wrong type": ({"threshold": "many"}, None, None),
    "an unknown engine": ({"engine": "warp"}, None, None),
    "n_jobs": ({"n_jobs": 0}, None, None),
    "a callback that is none": ({"callbacks": [3]}, None, None),
    "validation_fraction": ({"validation_fraction": 2}, None, None),
    "too little memory": ({"clauses": 100_000, "max_memory": 1}, lambda X: np.hstack([X] * 50), None),
    "a booleanizer that fails": ({"booleanizer": lambda: Booleanizer(bits=1000)}, lambda X: X * 1.5, None),
    "a booleanizer of other columns": ({"booleanizer": lambda: Booleanizer().fit(np.eye(3))}, None, None),
    "something that is no booleanizer": ({"booleanizer": "quantile"}, None, None),
    "no class to hold out": ({"early_stopping": True}, lambda X: X[:2], lambda y: np.array(["a", "b"])),
}


@pytest.mark.filterwarnings("ignore:The number of unique classes")
@pytest.mark.parametrize("going_on", [False, True])
@pytest.mark.parametrize("failure", FAILURES)
def test_finding_4_1_a_refit_that_fails_changes_nothing(xor, failure, going_on):
    X, y = xor
    machine = small(warm_start=going_on, epochs=3).fit(X, LABELS[y])
    votes, predictions = machine.votes(X).tolist(), machine.predict(X).tolist()
    parameters, change_X, change_y = FAILURES[failure]
    parameters = {name: value() if callable(value) else value for name, value in parameters.items()}
    machine.set_params(callbacks=[not_reached]).set_params(**parameters)
    before = everything(machine)
    with pytest.raises((ValueError, TypeError)):
        machine.fit(change_X(X) if change_X else X, change_y(y) if change_y else y)
    after = everything(machine)
    assert after.keys() == before.keys()
    for name, value in after.items():
        assert value == before[name], name
    machine.set_params(**small(warm_start=going_on, epochs=3).get_params(deep=False))
    assert machine.votes(X).tolist() == votes and machine.predict(X).tolist() == predictions
    if going_on:
        machine.fit(X, LABELS[y])
        assert machine.model_.to_bytes() == small(epochs=6, calibration=None).fit(X, LABELS[y]).model_.to_bytes()


@pytest.mark.parametrize("failure", FAILURES)
def test_finding_4_1_a_first_fit_that_fails_leaves_an_estimator_that_is_not_fitted(xor, failure):
    X, y = xor
    parameters, change_X, change_y = FAILURES[failure]
    parameters = {name: value() if callable(value) else value for name, value in parameters.items()}
    if "fewer rows" in failure:
        change_y = lambda y: y  # noqa: E731 (here it is the rows that fail)
    machine = small(**{"callbacks": [not_reached], **parameters})
    before = dict(vars(machine))
    with pytest.raises((ValueError, TypeError)), np.errstate(all="ignore"):
        machine.fit(change_X(X) if change_X else X, change_y(y) if change_y else y)
    assert vars(machine) == before


def test_finding_4_1_a_partial_fit_that_fails_changes_nothing(xor):
    X, y = xor
    machine = small()
    for wrong in ([(X[:, :0], y), (X, y + 5), (X, y[:-1])]):
        with pytest.raises(ValueError):
            machine.partial_fit(*wrong, classes=[0, 1])
        assert vars(machine) == vars(small())
    machine.partial_fit(X, y, classes=[0, 1])
    before = everything(machine)
    for wrong in ([(X[:, :3], y), (X, y + 5), (X, y[:-1]), (X * 7, y)]):
        with pytest.raises(ValueError):
            machine.partial_fit(*wrong)
        assert everything(machine) == before


def test_finding_4_1_a_booleanizer_that_fails_changes_nothing():
    X = np.arange(20.0).reshape(10, 2)
    fitted = Booleanizer(bits=3).fit(X)
    before, names = pickle.dumps(fitted), fitted.get_feature_names_out().tolist()
    for wrong in (np.zeros((10, 3)), np.full((4, 4), np.inf), np.full((4, 4), "a"), damaged()[:0]):
        with pytest.raises(ValueError):
            fitted.fit(wrong)
        assert pickle.dumps(fitted) == before and fitted.get_feature_names_out().tolist() == names
    fitted.bits = 1000
    with pytest.raises(ValueError):
        fitted.fit(X)
    assert fitted.get_feature_names_out().tolist() == names


def test_finding_4_1_a_refit_forgets_what_the_last_one_knew(xor):
    pandas = pytest.importorskip("pandas")
    X, y = xor
    machine = small(early_stopping=True, epochs=2).fit(pandas.DataFrame(X, columns=list("abcdefghijkl")), y)
    assert hasattr(machine, "feature_names_in_") and hasattr(machine, "best_score_")
    machine.set_params(early_stopping=False).fit(X, y)
    assert not hasattr(machine, "feature_names_in_") and not hasattr(machine, "best_score_")


# ------------------------------------------------------------------------------------------------- stopped


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_finding_4_1_what_stops_the_first_epoch_leaves_what_was_learned_of_it():
    random = np.random.RandomState(0)
    X, y = random.rand(20000, 200) < 0.5, random.randint(0, 2, 20000)
    old = TMClassifier(clauses=400, threshold=20, epochs=1, random_state=0, n_jobs=1).fit(X[:50], LABELS[y[:50]])
    before = old.votes(X[:50]).tolist()

    def stop(*_):
        raise TimeoutError("enough")

    handler = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            old.set_params(epochs=1000).fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert old.classes_.tolist() == [0, 1] and set(old.predict(X[:50]).tolist()) <= {0, 1}
    assert old.votes(X[:50]).tolist() != before
    assert old.model_.provenance["samples"] == 20000


def test_finding_4_6_a_callback_can_ask_the_estimator_it_is_told_about(xor):
    X, y = xor
    asked = []

    def ask(report):
        estimator = report["estimator"]
        asked.append(
            (
                estimator,
                estimator.n_epochs_,
                estimator.model_.provenance["epochs"],
                estimator.votes(X).tolist(),
                estimator.classes_.tolist(),
            )
        )

    machine = small(epochs=3, callbacks=[ask])
    machine.fit(X, y)
    machine.set_params(random_state=7).fit(X, LABELS[y])
    for i, (estimator, epochs, provenance, votes, classes) in enumerate(asked):
        assert estimator is machine and epochs == provenance == i % 3 + 1
        seed, labels = ((1, [0, 1]), (7, ["no", "yes"]))[i // 3]
        assert classes == labels
        assert votes == small(epochs=epochs, random_state=seed).fit(X, y).votes(X).tolist()
    # Also while early stopping keeps the best epoch, the one that is asked is the latest.
    asked.clear()
    stopping = small(epochs=30, early_stopping=True, n_iter_no_change=2, callbacks=[ask]).fit(X, y)
    assert [entry[1] for entry in asked] == list(range(1, len(asked) + 1)) and stopping.n_epochs_ == len(asked)
    assert stopping.votes(X).tolist() == asked[stopping.best_epoch_ - 1][3]


@pytest.mark.parametrize(
    "answer, stops",
    [
        (True, True),
        (np.True_, True),
        (np.float64(2) > 1, True),
        (False, False),
        (np.False_, False),
        (None, False),
        (1, False),
        ("yes", False),
    ],
)
def test_finding_4_6_a_true_of_numpy_stops_too(xor, answer, stops):
    assert small(epochs=3, callbacks=[lambda report: answer]).fit(*xor).n_epochs_ == (1 if stops else 3)


# -------------------------------------------------------------------------------------------------- going on


@pytest.mark.parametrize(
    "name, value",
    [("clauses", 60), ("threshold", 11), ("specificity", 6.0), ("states", 128), ("boost", False), ("sharded", True), ("random_state", 2),
     ("booleanizer", lambda: Booleanizer(bits=3)), ("booleanizer", lambda: Booleanizer().fit(np.eye(12)))],
)  # fmt: skip
@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_finding_4_4_going_on_with_another_machine_is_refused(xor, name, value, call):
    machine = small(warm_start=True, epochs=1).fit(*xor)
    before = machine.model_.to_bytes()
    machine.set_params(**{name: value() if callable(value) else value})
    with pytest.raises(ValueError, match=f"{name} (was|is another).* when learning began"):
        getattr(machine, call)(*xor)
    assert machine.model_.to_bytes() == before
    machine.set_params(warm_start=False)
    machine.fit(*xor)  # anew is another matter


@pytest.mark.parametrize(
    "changes",
    [{"n_jobs": 1, "engine": "index"}, {"engine": "scan", "n_jobs": 2}, {"kernels": "scalar"}, {"max_memory": 4000}, {"engine": "bitmap"}],
    ids=str,
)
def test_finding_4_4_how_the_machine_runs_may_change(xor, changes):
    X, y = xor
    machine = small(warm_start=True, epochs=2).fit(X, y).set_params(**changes, epochs=5).fit(X, y)
    for name, value in changes.items():
        if value != "bitmap":
            assert machine.machine_.options["threads" if name == "n_jobs" else name] == value
    machine.set_params(n_jobs=None).partial_fit(X, y)
    assert machine.n_epochs_ == 8 and [entry["epoch"] for entry in machine.history_] == list(range(1, 9))
    assert machine.model_.to_bytes() == small(epochs=8, calibration=None).fit(X, y).model_.to_bytes()


def test_finding_4_4_a_memory_limit_that_the_machine_exceeds_is_refused_and_changes_nothing(xor):
    machine = small(clauses=20000, warm_start=True, epochs=1).fit(*xor)
    before = everything(machine)
    with pytest.raises(ValueError, match="memory"):
        machine.set_params(max_memory=1).fit(*xor)
    assert everything(machine) == {**before, "max_memory": 1}


def test_finding_4_4_any_seed_goes_on_when_none_was_said(xor):
    machine = small(random_state=None, warm_start=True, epochs=1).fit(*xor)
    assert machine.fit(*xor).n_epochs_ == 2
    machine = small(random_state=np.random.RandomState(3), warm_start=True, epochs=1).fit(*xor)
    assert machine.fit(*xor).n_epochs_ == 2


# --------------------------------------------------------------------------------------------- early stopping


def test_finding_4_7_early_stopping_keeps_the_clauses_of_the_best_epoch_and_says_so():
    random = np.random.RandomState(3)
    X = random.rand(500, 12) < 0.5
    y = (X[:, 0] ^ X[:, 1] ^ (random.rand(500) < 0.3)).astype(int)
    options = {"early_stopping": True, "n_iter_no_change": 4}
    machine = small(epochs=200, **options).fit(X, y)
    accuracies = [entry["accuracy"] for entry in machine.history_]
    best = accuracies.index(max(accuracies)) + 1
    assert best < machine.n_epochs_ == len(accuracies) == best + 4
    assert (machine.best_epoch_, machine.best_score_) == (best, max(accuracies))
    # The model is that of the best epoch: what learning with that many epochs ends with, and no other.
    stopped_there, went_on = small(epochs=best, **options).fit(X, y), small(epochs=best + 4, callbacks=[lambda report: None], **options)
    assert machine.model_.to_bytes() == stopped_there.model_.to_bytes()
    last = []
    went_on.set_params(callbacks=[lambda report: last.append(report["estimator"].model_.clauses)]).fit(X, y)
    assert not all(map(np.array_equal, last[-1], machine.model_.clauses))
    assert machine.model_.provenance["epochs"] == best
    # A tenth of each class is kept aside and not learned from.
    assert machine.model_.provenance["samples"] == 500 - sum(round(0.1 * n) for n in np.bincount(y))
    assert small(epochs=1).fit(X, y).model_.provenance["samples"] == 500


def test_finding_4_7_going_on_after_early_stopping_counts_all_epochs(xor):
    machine = small(epochs=3, early_stopping=True, n_iter_no_change=1, warm_start=True).fit(*xor)
    first = machine.n_epochs_
    machine.fit(*xor)
    assert machine.n_epochs_ == len(machine.history_) > first and machine.best_epoch_ > first
    assert machine.model_.provenance["epochs"] == machine.best_epoch_
    assert machine.history_[machine.best_epoch_ - 1]["accuracy"] == machine.best_score_


def test_finding_4_1_an_estimator_can_be_asked_in_other_threads_while_it_is_fitted_anew(xor):
    X, y = xor
    machine = small().fit(X, LABELS[y])
    problems, learning = [], True

    def ask():
        while learning:
            labels = set(machine.predict(X).tolist())
            if not labels <= {"no", "yes"} and not labels <= {0, 1}:
                problems.append(labels)

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(10):
        machine.fit(X, y)
        machine.fit(X, LABELS[y])
    learning = False
    thread.join()
    assert not problems


def test_an_estimator_of_an_older_falsum_goes_on_with_new_draws_and_says_so():
    """Its machine has drawn other random numbers: tests/golden has a checkpoint of 0.1."""
    golden = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "checkpoint_v1.fsc"
    if not golden.exists():
        pytest.skip("the golden files are in the repository, not in the package")
    estimator = small(warm_start=True).fit(np.eye(4, dtype=bool).repeat(5, axis=0), [0, 0, 1, 1] * 5)
    old = {**estimator.__getstate__(), "machine_": golden.read_bytes()}
    with pytest.warns(UserWarning, match="drew other random numbers"):
        TMClassifier().__setstate__(old)
    pickle.loads(pickle.dumps(estimator))  # no warning, or it would fail here

"""tune, and the searches of other libraries (docs/python/searches.md runs them as well)."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import RandomizedSearchCV

import falsum
from falsum import TMClassifier, TrainingWarning

X, Y = load_wine(return_X_y=True)
QUICK = {"budget": 0.5, "clauses": 40, "epochs": 8, "random_state": 0}


def test_tune_finds_the_same_with_any_number_of_threads():
    one, two = (falsum.tune(X, Y, **QUICK, n_jobs=jobs) for jobs in (1, 2))
    assert one.trials == two.trials and one.both == two.both
    assert one.best_estimator_.model_.to_bytes() == two.best_estimator_.model_.to_bytes()
    assert one.best_estimator_.score(X, Y) > 0.95
    reached = [trial["reached"] for trial in one.trials]
    assert reached == sorted(reached, reverse=True) and len(set(reached)) == 3
    assert one.best_params_ == {name: one.trials[0][name] for name in one.best_params_}


def test_tune_keeps_what_is_given_and_the_estimator_can_be_fitted_again():
    found = falsum.tune(X, Y, **QUICK, threshold=7, weighted=True)
    assert {(trial["threshold"], trial["weighted"], trial["clauses"]) for trial in found.trials} == {(7, True, 40)}
    again = found.best_estimator_
    assert again.get_params()["threshold"] == 7
    again.fit(X, Y)


@pytest.mark.parametrize("budget", [0, -1, 1e8, True, "1min"])
def test_tune_names_a_budget_that_cannot_be(budget):
    with pytest.raises(ValueError, match="budget must be a number of seconds above 0"):
        falsum.tune(X, Y, budget=budget)


def test_tune_refuses_what_it_cannot_hold_out():
    with pytest.raises(ValueError, match="at least 2 classes and 3 rows for each, got 2 classes and 4 rows"):
        falsum.tune(X[:4], [0, 1, 0, 1])
    with pytest.raises(ValueError, match="one label for each row"):
        falsum.tune(X, np.eye(3, dtype=int)[Y])


@pytest.mark.filterwarnings("default::falsum.TrainingWarning")
def test_fit_warns_of_what_keeps_a_machine_from_learning():
    with pytest.warns(TrainingWarning, match="T 1000 may be out of reach of the votes.*T 20 is usual for 100 clauses"):
        TMClassifier(100, 1000, epochs=20, random_state=0).fit(X, Y)
    with pytest.warns(TrainingWarning, match="learned for only 2 epochs of 178 rows"):
        TMClassifier(20, epochs=2, random_state=0).fit(X, Y)
    starved = np.where(np.arange(len(Y)) < 4, "rare", "common")
    with pytest.warns(TrainingWarning, match='class "rare" has 4 of 178 rows'):
        TMClassifier(20, random_state=0).fit(X, starved)


@pytest.mark.filterwarnings("error::falsum.TrainingWarning")
def test_fit_has_nothing_to_say_about_the_defaults():
    TMClassifier(random_state=0).fit(X, Y)
    TMClassifier(20, random_state=0, class_weight="balanced").fit(X, np.arange(len(Y)) < 4)


class TestOptuna:
    optuna = pytest.importorskip("optuna")

    @pytest.fixture(autouse=True)
    def quiet(self):
        self.optuna.logging.set_verbosity(self.optuna.logging.WARNING)

    def test_a_trial_hears_the_score_of_every_epoch(self):
        from falsum.integration.optuna import Pruning

        def objective(trial):
            machine = TMClassifier(20, epochs=6, random_state=0, early_stopping=True, callbacks=[Pruning(trial)]).fit(X, Y)
            self.scores = [entry["accuracy"] for entry in machine.history_]
            return machine.best_score_

        study = self.optuna.create_study(direction="maximize")
        study.optimize(objective, n_trials=1)
        assert list(study.trials[0].intermediate_values.items()) == list(enumerate(self.scores, start=1))

    def test_a_bad_trial_is_pruned_and_the_estimator_keeps_what_it_learned(self):
        from falsum.integration.optuna import Pruning

        machines = []

        def objective(trial):
            labels = Y if trial.number < 2 else np.random.default_rng(0).permutation(Y)
            machines.append(TMClassifier(20, epochs=9, calibration=None, random_state=0, callbacks=[Pruning(trial, X, Y)]))
            return machines[-1].fit(X, labels).score(X, Y)

        study = self.optuna.create_study(direction="maximize", pruner=self.optuna.pruners.MedianPruner(1, 2))
        study.optimize(objective, n_trials=3)
        assert [trial.state.name for trial in study.trials] == ["COMPLETE", "COMPLETE", "PRUNED"]
        assert machines[2].n_epochs_ < 9 and len(machines[2].predict(X)) == len(X)

    def test_rows_to_score_are_needed(self):
        from falsum.integration.optuna import Pruning

        with pytest.raises(ValueError, match="X and y, or neither"):
            Pruning(None, X)
        with pytest.raises(ValueError, match="no rows to score"):
            TMClassifier(20, epochs=2, callbacks=[Pruning(None)]).fit(X, Y)


def test_a_search_on_dask_finds_what_one_process_finds():
    distributed = pytest.importorskip("distributed")
    from joblib import parallel_config

    def search():
        machine = TMClassifier(20, epochs=5, calibration=None, random_state=0)
        return RandomizedSearchCV(machine, {"threshold": [2, 5, 10, 20]}, n_iter=3, cv=2, random_state=0).fit(X, Y)

    alone = search()
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None), parallel_config("dask"):
        spread = search()
    assert np.array_equal(alone.cv_results_["mean_test_score"], spread.cv_results_["mean_test_score"])

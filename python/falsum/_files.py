"""Estimators to and from model files and pickles."""

from __future__ import annotations

from typing import Any

import numpy as np

from falsum import _core
from falsum._booleanizer import Booleanizer
from falsum._options import threads


def estimator_of(kind: Any, model: _core.Model) -> Any:
    """An estimator of this class that predicts with the model."""
    options = model.options
    estimator = kind(
        **{n: options[n] for n in ("clauses", "threshold", "specificity", "boost", "states", "sharded")},
        random_state=options["seed"],
        epochs=max(1, model.provenance["epochs"]),
    )
    labels = model.labels or [str(i) for i in range(model.classes)]
    estimator.classes_ = read_labels(labels)
    estimator.booleanizer_ = booleanizer_of(model)
    estimator.n_features_in_ = estimator.booleanizer_.n_features_in_
    if hasattr(estimator.booleanizer_, "feature_names_in_"):
        estimator.feature_names_in_ = estimator.booleanizer_.feature_names_in_
    estimator.n_epochs_ = int(model.provenance["epochs"])
    estimator.history_ = []
    estimator._take_model(model)
    return estimator


def to_pickle(state: Any) -> dict[str, Any]:
    """What of an estimator is pickled: the model as the bytes of its file."""
    state = dict(state)
    state.pop("_compiled", None)
    machine = state.pop("machine_", None)
    if state.get("model_") is not None:
        state["model_"] = state["model_"].to_bytes()
        # An estimator that is meant to go on learning takes its automata along; others stay small.
        if machine is not None and state.get("_goes_on"):
            state["machine_"] = machine.checkpoint()
        state["booleanizer_"] = _without_rules(state["booleanizer_"])
    return state


def from_pickle(state: dict[str, Any]) -> dict[str, Any]:
    state = dict(state)
    if state.get("model_") is not None:
        state["_compiled"] = {}
        model = state["model_"] = _core.Model.from_bytes(state["model_"])
        state["booleanizer_"].rules_ = model.booleanizer
        if "machine_" in state:
            run = {n: state[n] for n in ("engine", "kernels", "max_memory")}
            state["machine_"] = _core.Machine.from_checkpoint(state["machine_"], {**run, "threads": threads(state["n_jobs"])})
    return state


def _without_rules(booleanizer: Booleanizer) -> Booleanizer:
    bare = Booleanizer.__new__(Booleanizer)
    bare.__dict__.update({k: v for k, v in booleanizer.__dict__.items() if k != "rules_"})
    return bare


def booleanizer_of(model: _core.Model) -> Booleanizer:
    rules = model.booleanizer if model.booleanizer.features else _core.Booleanizer.bits(model.features)
    booleanizer = Booleanizer(method="levels" if rules.kind == "levels" else "quantile")
    booleanizer.rules_ = rules
    booleanizer._fitted_on_sparse = False
    names: list[str] = []
    if rules.kind == "columns":
        names = [name for name, *_ in rules.column_rules]
        booleanizer.n_features_in_ = len(names)
    elif rules.kind == "levels":
        booleanizer.n_features_in_ = rules.features // len(rules.level_thresholds)
    else:
        booleanizer.n_features_in_ = model.features if rules.kind == "bits" else 1
        if rules.kind == "bits" and rules != _core.Booleanizer.bits(rules.features, [], rules.image_width):
            names = rules.feature_names
    if names and all(names):
        booleanizer.feature_names_in_ = np.asarray(names, dtype=object)
    return booleanizer


def read_labels(labels: list[str]) -> np.ndarray:
    """The labels as they were: numbers if all of them are written as such and ascend, else text."""
    if labels == ["False", "True"]:
        return np.array([False, True])
    for kind in (int, float):
        try:
            values = [kind(label) for label in labels]
        except ValueError:
            continue
        if values == sorted(values) and all(str(value) == label for value, label in zip(values, labels)):
            return np.array(values)
    return np.array(labels)

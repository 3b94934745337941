"""Machines of other libraries as falsum's estimators: their clauses and weights, so their class sums, on falsum's engines.

Included literals are read from the automata; nothing of the other library is imported, run or kept.
"""

from __future__ import annotations

import json
import os
from typing import Any, Union

import numpy as np

from falsum import _core, _files
from falsum._classifier import TMClassifier
from falsum._regressor import TMRegressor

Estimator = Union[TMClassifier, TMRegressor]


def from_json(text: str | bytes) -> Estimator:
    """The estimator of a model as JSON, as ``falsum export --to json`` and ``export(path, "json")`` write it."""
    return _estimator(text if isinstance(text, bytes) else text.encode(), "the JSON document")


def from_pytm(machine: Any) -> Estimator:
    """From pyTsetlinMachine, fitted: MultiClassTsetlinMachine, MultiClassConvolutionalTsetlinMachine2D or RegressionTsetlinMachine.

    Their class sums are limited to -T .. T, falsum's votes are not; limited likewise they are the same.
    """
    if hasattr(machine, "rtm"):
        weights, automata = machine.get_state()[:2] if isinstance(machine.get_state(), tuple) else machine.get_state()[0]
        clauses = _included(automata, machine.number_of_clauses, machine.number_of_ta_chunks, machine.number_of_features)
        given = [int(w) for w in weights]
        return _regressor(machine, clauses, given, machine.number_of_features // 2, "pyTsetlinMachine")
    if not getattr(machine, "append_negated", True):
        raise ValueError("a machine without negated literals (append_negated=False) cannot be imported: falsum's clauses have both")
    states = _require(machine, "get_state")()
    clauses, weights = [], []
    for class_weights, automata in states:
        first = len(clauses)
        clauses += _included(automata, machine.number_of_clauses, machine.number_of_ta_chunks, machine.number_of_features)
        # Even clauses vote for the class, odd ones against it.
        weights.append([(first + j, int(w) * (1 if j % 2 == 0 else -1)) for j, w in enumerate(class_weights)])
    image = None
    features = machine.number_of_features // 2
    if hasattr(machine, "patch_dim"):
        image = (machine.dim_y, machine.dim_x, machine.dim_z, machine.patch_dim[1], machine.patch_dim[0])
        features = machine.dim_x * machine.dim_y * machine.dim_z
    return _classifier(machine, clauses, weights, features, image, False, "pyTsetlinMachine")


def from_tmu(machine: Any) -> Estimator:
    """From tmu, fitted: TMClassifier, TMCoalescedClassifier (shared clauses) or TMRegressor, with patches or without."""
    if hasattr(machine, "clause_banks"):
        banks = [machine.clause_banks[i] for i in range(machine.number_of_classes)]
    else:
        banks = [_require(machine, "clause_bank")]
    clauses: list[list[int]] = []
    starts = []
    for bank in banks:
        starts.append(len(clauses))
        automata = np.asarray(bank.clause_bank)
        clauses += _included(automata, bank.number_of_clauses, bank.number_of_ta_chunks, bank.number_of_literals)
    bank = banks[0]
    columns, rows, channels = bank.dim
    width, height = bank.patch_dim
    image = (rows, columns, channels, height, width) if bank.number_of_patches > 1 else None
    if hasattr(machine, "weight_bank") and not hasattr(machine, "weight_banks"):
        if image is not None:
            raise ValueError("a regressor with patches cannot be imported")
        given = [int(w) for w in machine.weight_bank.get_weights()]
        return _regressor(machine, clauses, given, columns * rows * channels, "tmu")
    shared = len(banks) == 1
    weights = []
    for i in range(machine.number_of_classes):
        first = 0 if shared else starts[i]
        weights.append([(first + j, int(w)) for j, w in enumerate(machine.weight_banks[i].get_weights())])
    return _classifier(machine, clauses, weights, columns * rows * channels, image, shared, "tmu")


def from_green(machine: Any, *, threshold: int | None = None, specificity: float | None = None) -> Estimator:
    """From green-tsetlin: a trained TsetlinMachine, or the path of the .npz file that its save_state wrote.

    threshold and specificity: what a file does not say; no vote depends on them.
    """
    if isinstance(machine, (str, os.PathLike)):
        with np.load(machine) as arrays:
            missing = {"c", "w"} - set(arrays.files)
            if missing:
                raise ValueError(f"{os.fspath(machine)} is not a state of green-tsetlin: it has no array {sorted(missing)[0]!r}")
            states, weights_of = arrays["c"], arrays["w"]
    else:
        state = getattr(machine, "_state", None)
        if state is None:
            raise ValueError("the machine of green-tsetlin has no state: train it first, or give the path of a saved state")
        states, weights_of = state.c, state.w
        threshold = threshold or int(machine.threshold)
        specificity = specificity or float(np.min(machine.s))
    if states.ndim != 2 or weights_of.ndim != 2 or len(states) != len(weights_of) or states.shape[1] % 2:
        raise ValueError(f"a state of green-tsetlin has two tables with a row for each clause, got {states.shape} and {weights_of.shape}")
    clauses = [np.flatnonzero(row >= 0).tolist() for row in states]
    weights = [[(j, int(w)) for j, w in enumerate(column)] for column in weights_of.T]
    options = {"shared": True, "threshold": max(1, threshold or 1), "specificity": max(1.0, specificity or 1.0)}
    return _build(clauses, weights, states.shape[1] // 2, {"clauses": len(clauses), **options}, "green-tsetlin")


def _require(machine: Any, name: str) -> Any:
    if not hasattr(machine, name):
        raise ValueError(f"expected a fitted machine with `{name}`, got {type(machine).__name__}")
    return getattr(machine, name)


def _included(automata: Any, clauses: int, chunks: int, literals: int) -> list[list[int]]:
    """The literals of each clause. An automaton's highest bit says whether it includes: 32 of them are in one number, and what
    the last number has beyond the literals means nothing."""
    highest = np.asarray(automata, np.uint32).reshape(clauses, chunks, -1)[:, :, -1]
    on = np.unpackbits(np.ascontiguousarray(highest).astype("<u4").view(np.uint8), axis=1, bitorder="little")
    return [np.flatnonzero(row[:literals]).tolist() for row in on]


def _usual(machine: Any) -> dict[str, Any]:
    return {"threshold": max(1, int(machine.T)), "specificity": max(1.0, float(np.min(machine.s)))}


def _classifier(machine: Any, clauses: Any, weights: Any, features: int, image: Any, shared: bool, origin: str) -> Estimator:
    options = {"clauses": len(clauses) if shared else len(clauses) // len(weights), "shared": shared, **_usual(machine)}
    if image is not None:
        rows, columns, channels, height, width = image
        options["image"] = f"{rows}x{columns}" + (f"x{channels}" if channels > 1 else "")
        options["patch"] = f"{height}x{width}"
    return _build(clauses, weights, features, options, origin)


def _regressor(machine: Any, clauses: Any, weights: list[int], features: int, origin: str) -> Estimator:
    options = {"task": "regression", "clauses": len(clauses), **_usual(machine)}
    given = [(j, abs(w)) for j, w in enumerate(weights)]
    return _build(clauses, [given], features, options, origin, [float(machine.min_y), float(machine.max_y)])


def _build(clauses: Any, weights: Any, features: int, options: dict[str, Any], origin: str, span: Any = None) -> Estimator:
    heavy = any(abs(votes) != 1 for output in weights for _, votes in output)
    document = {
        "format": "falsum-model",
        "version": 1,
        "features": features,
        "outputs": len(weights),
        "options": {**options, **({"weighted": True} if heavy and not options.get("shared") else {})},
        "booleanizer": {"kind": "bits", "features": features},
        "clauses": clauses,
        "weights": [[[clause, votes] for clause, votes in output if votes] for output in weights],
        "provenance": {"data": origin},
        **({"range": span} if span else {}),
    }
    return _estimator(json.dumps(document).encode(), f"the machine of {origin}")


def _estimator(text: bytes, what: str) -> Estimator:
    model = _core.Model.from_json(text, what)
    kind: Any = TMRegressor if TMRegressor._may_be(model.options["task"]) else TMClassifier
    estimator: Estimator = _files.estimator_of(kind, model, what)
    return estimator

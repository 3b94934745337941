"""What ``fit`` does once data and options are checked."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from falsum import _core
from falsum._drafts import become
from falsum._options import RUN
from falsum._progress import Progress
from falsum._weights import Held


class TrainingWarning(UserWarning):
    """What probably kept a classifier from learning well, and what to do about it: `fit` warns at its end."""


_SHOWN_ROWS = 2000  # of the training data, for the accuracy beside the progress bar


def learn(
    estimator: Any,
    draft: Any,
    rows: _core.Bits | _core.SparseBits | _core.MappedRows,
    targets: np.ndarray,
    weights: np.ndarray | None,
    options: dict[str, Any],
) -> None:
    """All epochs of ``fit``: with data kept aside, a progress bar, callbacks. ``weights``: of the rows.

    The estimator becomes the draft when something is learned: after an epoch, so that callbacks can use it, or when
    the first epoch is stopped.
    """
    machine, epochs = draft.machine_, int(options["epochs"])
    draft.history_ = list(getattr(draft, "history_", []))
    name = draft._score_name
    (rows, targets, weights), held = set_aside(draft, rows, targets, weights, options["seed"])
    if held is None and draft.verbose:
        held = _some(rows, targets, weights, np.arange(len(targets)) < _SHOWN_ROWS)
    best: dict[str, Any] = {name: -np.inf}
    best_model = None
    done = 0
    try:
        with Progress(epochs, bool(draft.verbose)) as progress:
            for epoch in range(epochs):
                report = machine.learn_epoch(
                    rows, targets, (lambda share, epoch=epoch: progress.move_to(epoch + share)) if progress.wanted else None, weights
                )
                done = epoch + 1
                entry = {k: report[k] for k in ("epoch", "mean_clause_length", "flips")}
                model = machine.model() if held is not None or draft.callbacks else None
                if held is not None:
                    score = entry[name] = draft._score_of(draft._compile(model), held, options["threads"])
                    progress.tell(**{name: f"{100 * score:.2f}%" if name == "accuracy" else f"{score:.4f}"})
                draft.history_.append(entry)
                if draft.early_stopping and entry[name] > best[name]:
                    best, best_model, best_after = entry, model, epoch
                if draft.callbacks:
                    draft._keep(model)
                    become(estimator, draft)
                    if _told_to_stop(draft.callbacks, {**entry, "epochs": epochs, "estimator": estimator}):
                        break
                if draft.early_stopping and epoch - best_after >= draft.n_iter_no_change:
                    break
    finally:
        if done or machine.stopped:
            machine.abandon_epoch()
            if best_model is not None:
                draft.best_score_, draft.best_epoch_ = best[name], best["epoch"]
            model = machine.model() if best_model is None else best_model
            if held is not None:
                model = calibrated_on_held(draft, model, held, options["threads"])
            draft._keep(model)
            become(estimator, draft)
    calibrate_on_folds(draft, rows, targets, weights, options)
    if draft._task == "classification":
        mapping = draft.booleanizer_.mapping_
        labels = draft._output_labels()
        for sentence in machine.advice(mapping.kind, bool(mapping.image_width), targets, labels, weights is not None):
            warnings.warn(sentence, TrainingWarning, stacklevel=3)


def _held_calibration(draft: Any) -> str | None:
    """What is fitted to the rows kept aside. "auto" takes them if there are any; else see calibrate_on_folds."""
    method = getattr(draft, "calibration", None)
    if method == "auto":
        method = "temperature" if draft.early_stopping and draft._task == "classification" else None
    return method


def set_aside(
    draft: Any,
    rows: _core.Bits | _core.SparseBits | _core.MappedRows,
    targets: np.ndarray,
    weights: np.ndarray | None,
    seed: int,
) -> tuple[Held, Held | None]:
    """The rows to learn, and those kept aside to score or calibrate what is learned: the same share of every class; labels and
    numbers have no classes."""
    if not draft.early_stopping and _held_calibration(draft) is None:
        return Held(rows, targets, weights), None
    classes = targets if targets.dtype == np.uint32 else np.zeros(len(targets), dtype=np.uint32)
    aside = _core.hold_out(classes, float(draft.validation_fraction), seed)
    return _some(rows, targets, weights, ~aside), _some(rows, targets, weights, aside)


def calibrated_on_held(draft: Any, model: _core.Model, held: Held, jobs: int) -> _core.Model:
    """The model with what is fitted to the rows kept aside, if anything is."""
    method = _held_calibration(draft)
    if method is None:
        return model
    fitted: _core.Model = model.calibrated(method, draft._compile(model).votes(held.rows, jobs), held.targets)
    return fitted


def calibrate_on_folds(
    draft: Any,
    rows: _core.Bits | _core.SparseBits | _core.MappedRows,
    targets: np.ndarray,
    weights: np.ndarray | None,
    options: dict[str, Any],
) -> None:
    """The calibration "auto" where no rows were kept aside: other machines learn without some of the rows."""
    wanted = getattr(draft, "calibration", None) == "auto" and draft._task == "classification"
    if wanted and not draft.early_stopping and not draft.warm_start and _has_folds(targets):
        machine = draft.machine_
        told = {**options, "epochs": int(machine.epoch)}
        draft._keep(_core.calibrated_on_folds(draft.model_, rows, targets, {**machine.options, **_run(told)}, weights))


def _run(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in RUN}


def _has_folds(targets: np.ndarray) -> bool:
    """Whether there are enough rows that some can be left out: three for each class in the mean, and two of one class."""
    counts = np.bincount(targets)
    return len(targets) >= 3 * len(counts) and int(counts.max()) > 1


def _some(
    rows: _core.Bits | _core.SparseBits | _core.MappedRows, targets: np.ndarray, weights: np.ndarray | None, which: np.ndarray
) -> Held:
    return Held(rows.take(np.flatnonzero(which)), targets[which], None if weights is None else weights[which])


def learn_batch(
    estimator: Any, draft: Any, rows: _core.Bits | _core.SparseBits, targets: np.ndarray, weights: np.ndarray | None
) -> None:
    """The epoch of ``partial_fit``."""
    machine = draft.machine_
    draft.history_ = list(getattr(draft, "history_", []))
    done = False
    try:
        report = machine.learn_epoch(rows, targets, weights=weights)
        done = True
        draft.history_.append({k: report[k] for k in ("epoch", "mean_clause_length", "flips")})
    finally:
        if done or machine.stopped:
            machine.abandon_epoch()
            draft._keep(machine.model())
            become(estimator, draft)


def _told_to_stop(callbacks: Any, report: dict[str, Any]) -> bool:
    # Every callback hears of every epoch, also if an earlier one wants to stop. NumPy's comparisons give a True of their own.
    answers = [callback(report) for callback in callbacks]
    return any(isinstance(answer, (bool, np.bool_)) and bool(answer) for answer in answers)

"""What ``fit`` does once data and options are checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from falsum import _core
from falsum._drafts import become
from falsum._progress import Progress

_SHOWN_ROWS = 2000  # of the training data, for the accuracy beside the progress bar


def learn(estimator: Any, draft: Any, rows: _core.Bits | _core.SparseBits, codes: np.ndarray, options: dict[str, Any]) -> None:
    """All epochs of ``fit``: with data kept aside, a progress bar, callbacks.

    The estimator becomes the draft when something is learned: after an epoch, so that callbacks can use it, or when
    the first epoch is stopped.
    """
    machine, epochs = draft.machine_, int(draft.epochs)
    draft.history_ = list(getattr(draft, "history_", []))
    held_rows, held_codes = None, codes[:0]
    if draft.early_stopping or draft.calibration is not None:
        held = _core.hold_out(codes, float(draft.validation_fraction), options["seed"])
        held_rows, held_codes = rows.take(np.flatnonzero(held)), codes[held]
        rows, codes = rows.take(np.flatnonzero(~held)), codes[~held]
    elif draft.verbose:
        shown = np.arange(min(len(codes), _SHOWN_ROWS))
        held_rows, held_codes = rows.take(shown), codes[: len(shown)]
    best: dict[str, Any] = {"accuracy": -1.0}
    best_model = None
    done = 0
    try:
        with Progress(epochs, bool(draft.verbose)) as progress:
            for epoch in range(epochs):
                report = machine.learn_epoch(
                    rows, codes, (lambda share, epoch=epoch: progress.move_to(epoch + share)) if progress.wanted else None
                )
                done = epoch + 1
                entry = {k: report[k] for k in ("epoch", "mean_clause_length", "flips")}
                model = machine.model() if held_rows is not None or draft.callbacks else None
                if held_rows is not None:
                    predicted = draft._compile(model).predict(held_rows, options["threads"])
                    entry["accuracy"] = float(np.mean(predicted == held_codes))
                    progress.tell(accuracy=f"{100 * entry['accuracy']:.2f}%")
                draft.history_.append(entry)
                if draft.early_stopping and entry["accuracy"] > best["accuracy"]:
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
                draft.best_score_, draft.best_epoch_ = best["accuracy"], best["epoch"]
            model = machine.model() if best_model is None else best_model
            if draft.calibration is not None:
                votes = draft._compile(model).votes(held_rows, options["threads"])
                model = model.calibrated(draft.calibration, votes, held_codes)
            draft._keep(model)
            become(estimator, draft)


def learn_batch(estimator: Any, draft: Any, rows: _core.Bits | _core.SparseBits, codes: np.ndarray) -> None:
    """The epoch of ``partial_fit``."""
    machine = draft.machine_
    draft.history_ = list(getattr(draft, "history_", []))
    done = False
    try:
        report = machine.learn_epoch(rows, codes)
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

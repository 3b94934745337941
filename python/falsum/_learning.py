"""What ``fit`` does once data and options are checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from falsum import _core
from falsum._progress import Progress

_SHOWN_ROWS = 2000  # of the training data, for the accuracy beside the progress bar


def learn(estimator: Any, rows: _core.Bits | _core.SparseBits, codes: np.ndarray, options: dict[str, Any]) -> None:
    """All epochs of ``fit``: with data kept aside, a progress bar, callbacks. Keeps the model, however it ends."""
    machine, epochs = estimator.machine_, int(estimator.epochs)
    held_rows, held_codes = None, codes[:0]
    best: tuple[float, int, _core.Model | None] = (-1.0, 0, None)
    all_rows = rows.rows
    if estimator.early_stopping:
        learned, held = hold_out(codes, estimator.validation_fraction, options["seed"])
        held_rows, held_codes = rows.take(held), codes[held]
        rows, codes = rows.take(learned), np.ascontiguousarray(codes[learned])
    elif estimator.verbose:
        shown = np.arange(min(len(codes), _SHOWN_ROWS))
        held_rows, held_codes = rows.take(shown), codes[: len(shown)]
    model = None
    try:
        with Progress(epochs, bool(estimator.verbose)) as progress:
            for epoch in range(epochs):
                report = machine.learn_epoch(
                    rows, codes, (lambda done: progress.move_to(epoch + done)) if progress.wanted else None
                )
                entry = {k: report[k] for k in ("epoch", "mean_clause_length", "flips")}
                if held_rows is not None:
                    model = machine.model()
                    predicted = estimator._compile(model).predict(held_rows, options["threads"])
                    entry["accuracy"] = float(np.mean(predicted == held_codes))
                    progress.tell(accuracy=f"{100 * entry['accuracy']:.2f}%")
                estimator.history_.append(entry)
                if estimator.early_stopping and entry["accuracy"] > best[0]:
                    best = (entry["accuracy"], epoch, model)
                if _told_to_stop(estimator, {**entry, "epochs": epochs, "estimator": estimator}):
                    break
                if estimator.early_stopping and epoch - best[1] >= estimator.n_iter_no_change:
                    break
    finally:
        machine.abandon_epoch()
        if best[2] is not None:
            estimator.best_score_ = best[0]
        estimator._keep(best[2] or machine.model(), all_rows)


def _told_to_stop(estimator: Any, report: dict[str, Any]) -> bool:
    # Every callback hears of every epoch, also if an earlier one wants to stop.
    return any([callback(report) is True for callback in estimator.callbacks or ()])


def hold_out(codes: np.ndarray, fraction: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions to learn from and positions kept aside, in the same share of every class; each class keeps one to learn."""
    random = np.random.RandomState(seed % 2**32)
    held = np.zeros(len(codes), dtype=bool)
    classes, counts = np.unique(codes, return_counts=True)
    for class_id, count in zip(classes, counts):
        share = min(round(fraction * count), count - 1)
        held[random.permutation(np.flatnonzero(codes == class_id))[:share]] = True
    if not held.any():
        if counts.max() < 2:
            raise ValueError("early stopping needs a class with at least 2 samples, to keep one aside")
        held[random.choice(np.flatnonzero(codes == classes[counts.argmax()]))] = True
    return np.flatnonzero(~held), np.flatnonzero(held)

"""Learning one machine in several places: what `falsum.dask` and `falsum.mpi` are made of, for other engines.

    task = parts.prepare(TMClassifier(epochs=60, random_state=1), X, y)        # everything that learning reads
    states = [parts.learn(task, None, classes, 60) for classes in task.learners]    # anywhere, in any order, or again
    clf = parts.finish(task, states)                                           # what fit gives, byte for byte

``learn`` is a pure function: the state of some classes after so many epochs, from the task and a state before. Tasks and states
can be pickled. docs/python/ray.md has an example.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import tempfile
import zipfile
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from falsum import _core, _learning, _weights
from falsum._drafts import draft_of
from falsum._options import RUN
from falsum._packed import PackedRows


class Task:
    """All that learning reads. Pickled, it has all rows, or the path of packed ones."""

    def __init__(
        self,
        draft: Any,
        data: _core.Bits | _core.SparseBits | PackedRows,
        targets: np.ndarray,
        weights: np.ndarray | None,
        options: dict[str, Any],
        name: str | None = None,
    ) -> None:
        self.draft = draft  #: the estimator, with booleanizer and classes
        self.options = options
        self._data = data
        self._all = targets, weights
        rows = data._rows if isinstance(data, PackedRows) else data
        (self.rows, self.targets, self.weights), self.held = _learning.set_aside(draft, rows, targets, weights, options["seed"])
        #: A digest of all that decides what is learned.
        self.name: str = name or self._digest(rows)

    def __reduce__(self) -> Any:
        return Task, (self.draft, self._data, *self._all, self.options, self.name)

    def _digest(self, rows: Any) -> str:
        made_by = {name: value for name, value in self.options.items() if name not in RUN or name == "epochs"}
        aside = None if self.held is None else self.draft.validation_fraction
        text = f"{sorted(made_by.items())} {aside} {getattr(self.draft, 'y_range', None)} {_core.data_digest(rows, *self._all)}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def outputs(self) -> int:
        return 1 if self.draft._task == "regression" else len(self.draft.classes_)

    @property
    def epochs(self) -> int:
        return int(self.options["epochs"])

    @property
    def learners(self) -> list[list[int]]:
        """The classes of each part that can be learned apart. None are all of them: outputs that share clauses, and numbers."""
        one = self.options["shared"] or self.draft._task == "regression"
        return [[]] if one else [[c] for c in range(self.outputs)]

    def machine(self, part: _core.Part, before: bytes | None, threads: int) -> _core.Machine:
        """That part of the machine: at the beginning, or from a checkpoint."""
        options = {**self.options, "threads": threads}
        if before is not None:
            return _core.Machine.join([before], options, part)
        machine: _core.Machine = self.draft._new_machine(options, self.rows.columns, self._all[0], part)
        return machine

    def literals(self, report: dict[str, Any], part: _core.Part) -> int:
        """How many there are in the clauses of a part, from its report."""
        clauses = int(self.options["clauses"])
        of_a_bank = clauses * (part.shard + 1) // part.shards - clauses * part.shard // part.shards
        return round(report["mean_clause_length"] * (len(part.classes) or len(self.learners)) * of_a_bank)

    def entry(self, epoch: int, flips: int, literals: int) -> dict[str, Any]:
        """What `history_` has of an epoch of all parts."""
        clauses = len(self.learners) * int(self.options["clauses"])
        return {"epoch": epoch, "mean_clause_length": literals / clauses, "flips": flips}

    def answers(self, model: _core.Model, jobs: int) -> np.ndarray:
        """To the rows kept aside: votes, or numbers."""
        assert self.held is not None
        predictor = self.draft._compile(model)
        answers: np.ndarray = (predictor.numbers if self.draft._task == "regression" else predictor.votes)(self.held.rows, jobs)
        return answers

    def score(self, answers: np.ndarray) -> float:
        """How good the answers to the rows kept aside are."""
        return float(self.draft._score_of(_Answered(answers), self.held, 1))

    def finished(self, machine: _core.Machine, history: list[dict[str, Any]], best: Best | None = None) -> Any:
        """The estimator that has learned: as `fit` ends."""
        draft = draft_of(self.draft)
        draft.machine_ = machine
        draft.history_ = history
        draft._goes_on = False
        model = machine.model()
        if best is not None:
            draft.best_score_, draft.best_epoch_, model = best
        if self.held is not None:
            model = _learning.calibrated_on_held(draft, model, self.held, 1)
        draft._keep(model)
        _learning.calibrate_on_folds(draft, self.rows, self.targets, self.weights, self.options)
        draft.__dict__.pop("_packed", None)
        return draft


class State(NamedTuple):
    """A part of a machine after some epochs."""

    checkpoint: bytes
    reports: tuple[dict[str, Any], ...]
    problems: tuple[str, ...] = ()  #: of writing checkpoints
    answers: tuple[np.ndarray, ...] = ()  #: to the rows kept aside, after each epoch since the state before


class Best(NamedTuple):
    """What early stopping kept."""

    score: float
    epoch: int
    model: _core.Model


class _Answered:
    """Stands for a predictor that has answered."""

    def __init__(self, answers: np.ndarray) -> None:
        self._answers = answers

    def votes(self, rows: Any, jobs: int) -> np.ndarray:
        return self._answers

    numbers = votes

    def predict(self, rows: Any, jobs: int) -> np.ndarray:
        best: np.ndarray = self._answers.argmax(axis=1)
        return best


_WHY = {
    "early_stopping": "for parts.prepare, since no part sees all votes",
    "warm_start": "for parts.prepare, which begins anew",
    "callbacks": "for parts.prepare, since parts are at different epochs",
    "verbose": "for parts.prepare, which shows nothing",
}


def prepare(estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Task:
    """Everything that learning reads, of a `TMClassifier` or `TMRegressor` and data as for its ``fit``."""
    local = type(estimator)(**estimator.get_params(deep=False))
    options = checked_options(local, _WHY)
    local.random_state = options["seed"]
    return prepared(local, X, y, sample_weight, options)


def learn(task: Task, before: State | None, classes: list[int], after: int, n_jobs: int = 1) -> State:
    """The state of some classes after so many epochs: from the state before, or from the beginning."""
    machine = task.machine(_core.Part(classes), None if before is None else before.checkpoint, n_jobs)
    reports = list(before.reports) if before is not None else []
    answers = []
    while machine.epoch < after:
        reports.append(reported(machine.learn_epoch(task.rows, task.targets, weights=task.weights)))
        if task.held is not None:
            answers.append(task.answers(machine.model(), n_jobs))
    return State(machine.checkpoint(), tuple(reports), before.problems if before is not None else (), tuple(answers))


def scores(task: Task, states: list[State]) -> list[float]:
    """On the rows kept aside, of the epochs since the states before."""
    by_epoch = zip(*(state.answers for state in states))
    return [task.score(np.hstack(answers) if len(answers) > 1 else answers[0]) for answers in by_epoch]


def finish(task: Task, states: list[State], of_best: list[State] | None = None, scores: Sequence[float] = ()) -> Any:
    """The estimator with the machine of all parts: as `fit` ends. ``of_best``: states of the epoch whose clauses are kept."""
    machine = _core.Machine.join([state.checkpoint for state in states], task.options)
    best = None
    if of_best is not None:
        model = _core.Machine.join([state.checkpoint for state in of_best], task.options).model()
        best = Best(scores[len(of_best[0].reports) - 1], len(of_best[0].reports), model)
    of_parts = [_core.Part(classes) for classes in task.learners]
    history = []
    for epoch, reports in enumerate(zip(*(state.reports for state in states)), start=1):
        literals = sum(task.literals(report, part) for report, part in zip(reports, of_parts))
        history.append(task.entry(epoch, sum(report["flips"] for report in reports), literals))
    for entry, score in zip(history, scores):
        entry[task.draft._score_name] = score
    return task.finished(machine, history, best)


# ------------------------------------------------------------------------------------- what falsum.dask and falsum.mpi take


def checked_options(local: Any, why: dict[str, str]) -> dict[str, Any]:
    """The options of an estimator. Refuses parameters that need one process which sees everything; ``why``, by name."""
    for name, reason in why.items():
        if getattr(local, name):
            raise ValueError(f"{name} must be {None if name == 'callbacks' else False} {reason}")
    options: dict[str, Any] = local._options()
    return options


def prepared(local: Any, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]) -> Task:
    """The data as `fit` prepares them."""
    if isinstance(X, PackedRows):
        draft, targets, weights, options = local._prepare_packed(X, y, sample_weight, ())
        return Task(draft, X, targets, weights, options)
    draft = draft_of(local)
    X, y = draft._check_training(X, y, reset=True)
    X, y, weights = _weights.learned_rows(X, y, sample_weight)
    draft._fit_booleanizer(X)
    return task_of(draft, draft.booleanizer_._rows(X), y, weights, options)


def task_of(draft: Any, rows: Any, y: np.ndarray, weights: np.ndarray | None, options: dict[str, Any]) -> Task:
    """The task of rows that are features already."""
    draft, options = draft_of(draft), dict(options)
    targets, weights = draft._as_targets(y, weights, options, False)
    outputs = 1 if draft._task == "regression" else len(draft.classes_)
    return Task(draft, rows, targets, weights, draft._choose(draft._with_image(options), rows.rows, outputs))


_REPORTED = ("epoch", "mean_clause_length", "flips")


def reported(report: dict[str, Any]) -> dict[str, Any]:
    """What `history_` has of an epoch."""
    return {name: report[name] for name in _REPORTED}


class Kept:
    """The states of a part in a folder: the last one, or ``all`` of them."""

    def __init__(self, folder: str, name: str, all: bool = False) -> None:
        self._folder = pathlib.Path(folder)
        self._name = name
        self._all = all

    def _path(self, epoch: int) -> pathlib.Path:
        return self._folder / f"{self._name}-epoch-{epoch}.falsum-state"

    def epochs(self) -> list[int]:
        """Those of the states that are there, the last one first."""
        start, end = f"{self._name}-epoch-", ".falsum-state"
        names = [path.name[len(start) : -len(end)] for path in self._folder.glob(f"{start}*{end}")]
        return sorted((int(name) for name in names if name.isdecimal()), reverse=True)

    def has_later(self, epoch: int) -> bool:
        return not self._all and any(there > epoch and self.read(there) is not None for there in self.epochs())

    def read(self, epoch: int) -> State | None:
        """The state, if it is there and whole."""
        try:
            with np.load(self._path(epoch), allow_pickle=False) as file:
                reports = tuple(dict(zip(_REPORTED, report)) for report in zip(*(file[name].tolist() for name in _REPORTED)))
                state = State(file["checkpoint"].tobytes(), reports, (), tuple(file["answers"]))
            _core.facts_of_checkpoint(state.checkpoint)
            return state
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def write(self, epoch: int, state: State) -> str | None:
        """Under another name first; the states before it go. What went wrong, if something did."""
        temporary = None
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=f".{self._name}-", delete=False) as file:
                temporary = file.name
                arrays: dict[str, Any] = {name: np.array([report[name] for report in state.reports]) for name in _REPORTED}
                np.savez(file, checkpoint=np.frombuffer(state.checkpoint, dtype=np.uint8), answers=np.array(state.answers), **arrays)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._path(epoch))
            for there in [] if self._all else self.epochs():
                if there < epoch:
                    self._path(there).unlink(missing_ok=True)
            return None
        except OSError as error:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            return str(error)

"""The tasks of `falsum.dask`: pure functions, which any worker may run, and again.

The partitions become rows of features, the rows a `Task`, from which each learner goes on state by state.
"""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse
from distributed import get_worker

import falsum
from falsum import _core, _input, _weights, parts
from falsum._drafts import draft_of
from falsum.parts import Kept, State, Task


def _check_version(version: str) -> None:
    if falsum.__version__ != version:
        where = _where()
        raise RuntimeError(f"{where} has falsum {falsum.__version__}, the client {version}: install the same version on all workers")


def _where() -> str:
    with contextlib.suppress(ValueError):
        return f"worker {get_worker().address}"
    return "this process"


class Seen(NamedTuple):
    """What a partition looks like."""

    number: int
    rows: int
    columns: int | None
    labels: str


def seen(part: Any, number: int, version: str) -> Seen:
    _check_version(version)
    X, y, _ = _checked_part(part, number)
    shape: tuple[int, ...] = getattr(X, "shape", ())
    kind = np.asarray(y).dtype.kind
    labels = "numbers" if kind in "biuf" else "dates" if kind in "mM" else "texts"
    return Seen(number, _rows_of(X), shape[1] if len(shape) > 1 else None, labels)


def check_alike(all_seen: list[Seen]) -> list[Seen]:
    """The partitions that are not empty."""
    full = [one for one in all_seen if one.rows]
    if not full:
        raise ValueError(f"all {len(all_seen)} partitions are empty")
    first = full[0]
    for one in full:
        if one.columns != first.columns:
            raise ValueError(f"partition {one.number} has {one.columns} columns, and partition {first.number} has {first.columns}")
        if one.labels != first.labels:
            raise ValueError(
                f"the labels of partition {one.number} are {one.labels}, and those of partition {first.number} are {first.labels}"
            )
    return full


def with_columns(local: Any, parts: dict[int, tuple[Any, ...]], version: str) -> Any:
    """The estimator as `fit` prepares it: its columns, and how values become features. By all partitions with rows; where the
    first one says everything (truth values, a fitted booleanizer) by that one."""
    _check_version(version)
    draft = draft_of(local)
    used = {number: (*part, None)[:3] for number, part in parts.items()}
    X, y, weights = (_concatenated([part[i] for part in used.values()]) for i in range(3))
    try:
        X, y = draft._check_training(X, y, reset=True)
    except (ValueError, TypeError) as error:
        raise _of_partition(local, used, error) from error
    X, _, _ = _weights.learned_rows(X, y, weights)
    draft._fit_booleanizer(X)
    return draft


def _of_partition(local: Any, used: dict[int, tuple[Any, ...]], error: Exception) -> Exception:
    """The error that the first bad partition alone gives, with its number."""
    for number, (X, y, _) in used.items():
        try:
            draft_of(local)._check_training(X, y, reset=True)
        except (ValueError, TypeError) as of_one:
            return type(of_one)(f"partition {number}: {of_one}")
    return error


def _checked_part(part: Any, number: int) -> tuple[Any, Any, Any]:
    if not isinstance(part, tuple) or len(part) not in (2, 3):
        raise TypeError(f"partition {number} must be a pair (X, y) or a triple (X, y, weights), got {type(part).__name__}")
    X, y, weights = (*part, None)[:3]
    for name, values in (("y", y), ("sample_weight", weights)):
        if values is not None and _rows_of(values) != _rows_of(X):
            raise ValueError(f"partition {number} has {_rows_of(X)} rows in X and {_rows_of(values)} in {name}")
    return X, y, weights


def _rows_of(values: Any) -> int:
    return int(values.shape[0] if hasattr(values, "shape") else len(values))


def _concatenated(parts: list[Any]) -> Any:
    first = parts[0]
    if len(parts) == 1 or first is None:
        return first
    if sparse.issparse(first):
        return sparse.vstack(parts, format="csr")
    if hasattr(first, "iloc"):
        import pandas

        return pandas.concat(parts)
    return np.concatenate(parts)


class _Rows(NamedTuple):
    rows: _core.Bits | _core.SparseBits
    y: np.ndarray
    weights: np.ndarray | None


def partition(draft: Any, part: Any, number: int, version: str) -> _Rows:
    """A partition as rows of features."""
    _check_version(version)
    X, y, weights = (*part, None)[:3]
    try:
        X = _input.check(draft, X, reset=False)
        X, y, weights = _weights.learned_rows(X, draft._checked_targets(y), weights)
        return _Rows(draft.booleanizer_._rows(X), y, weights)
    except (ValueError, TypeError) as error:
        raise type(error)(f"partition {number}: {error}") from error


def task_of_partitions(draft: Any, packed: list[_Rows], options: dict[str, Any], version: str) -> Task:
    """The rows of all partitions, in their order."""
    _check_version(version)
    packed_rows: list[Any] = [part.rows for part in packed]
    y = np.concatenate([part.y for part in packed])
    weights = None if packed[0].weights is None else np.concatenate([part.weights for part in packed if part.weights is not None])
    return parts.task_of(draft, _core.stacked(packed_rows), y, weights, options)


def task_of_packed(local: Any, path: str, version: str) -> Task:
    _check_version(version)
    return parts.prepared(local, falsum.open_rows(path), None, None, {})


class Facts(NamedTuple):
    """What the client has to know of a task."""

    name: str
    learners: list[list[int]]  #: the classes of each; none: all in one
    epochs: int
    is_scored: bool  #: after every epoch, on the rows kept aside
    patience: int | None  #: epochs without a better score before learning stops


def facts_of(task: Task, version: str) -> Facts:
    _check_version(version)
    patience = int(task.draft.n_iter_no_change) if task.draft.early_stopping else None
    return Facts(task.name, task.learners, task.epochs, task.held is not None, patience)


def text_of(classes: list[int]) -> str:
    return "class-" + "-".join(map(str, classes)) if classes else "all"


def learned(task: Task, before: State | None, classes: list[int], after: int, folder: str | None, version: str) -> State | None:
    """The state of some classes after so many epochs. With a folder, what is there is not learned again: None where a later
    state is there."""
    _check_version(version)
    kept = None if folder is None else Kept(folder, f"{task.name}-{text_of(classes)}", all=task.held is not None)
    if kept is not None:
        if kept.has_later(after):
            return None
        found = kept.read(after)
        if found is not None:
            return found
    state = parts.learn(task, before, classes, after, _threads(classes))
    problem = None if kept is None else kept.write(after, state)
    return state if problem is None else state._replace(problems=(*state.problems, f"{_where()}: {problem}"))


def _threads(classes: list[int]) -> int:
    """A class is learned by one thread; a learner of all classes by those of its worker."""
    with contextlib.suppress(ValueError):
        return 1 if classes else get_worker().state.nthreads
    return 1


def scores_of(task: Task, states: list[State], version: str) -> list[float]:
    """Of the epochs since the states before."""
    _check_version(version)
    return parts.scores(task, states)


def finished(
    task: Task, states: list[State], of_best: list[State] | None, scores: list[float], version: str
) -> tuple[Any, tuple[str, ...]]:
    """The estimator with the machine of all parts; and what went wrong on the way."""
    _check_version(version)
    problems = dict.fromkeys(problem for state in states for problem in state.problems)
    return parts.finish(task, states, of_best, scores), tuple(problems)

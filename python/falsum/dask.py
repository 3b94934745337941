"""falsum on a Dask cluster: estimators that learn, on any number of workers, what `fit` learns on one computer, byte for byte.

The update of a class reads that class alone, so a task is a pure function: the state of a class after some epochs, from the
rows and its state before. Dask may run it on any worker, and again where a worker dies; nothing that a worker does changes what is
learned. The rows are packed bits, once in the memory of every worker process that learns (docs/dask.md).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import tempfile
import uuid
import warnings
import zipfile
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sparse
from dask.delayed import Delayed
from distributed import Client, get_client, get_worker

import falsum
from falsum import _core, _input, _learning, _weights
from falsum._drafts import become, draft_of
from falsum._options import RUN

Self = TypeVar("Self", bound="_OnCluster")


class _OnCluster:
    """What both estimators do on a cluster."""

    _local_class: Any  #: the estimator that it becomes

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        client: Client | None = None,
        checkpoint_folder: str | os.PathLike[str] | None = None,
        epochs_per_task: int = 10,
    ) -> Self:
        """Learns from a Dask array or data frame ``X`` and one of targets ``y`` with the same partitions. Or ``X`` is a list of
        delayed pairs (X, y), or triples with weights.

        client: the cluster; the current one unless given. checkpoint_folder: a folder that all workers see; states of classes are kept
        there, so that the same ``fit`` goes on after the scheduler or this process was stopped. epochs_per_task: how much is learned
        again when a worker dies; it does not change what is learned.
        """
        if isinstance(epochs_per_task, bool) or not hasattr(epochs_per_task, "__index__") or epochs_per_task < 1:
            raise ValueError(f"epochs_per_task must be a whole number of at least 1, got {epochs_per_task!r}")
        local = self.to_local(fitted=False)
        options = local._options()
        _check_can_be_distributed(local)
        local.random_state = options["seed"]  # drawn once, whatever is computed again
        folder = None if checkpoint_folder is None else str(pathlib.Path(checkpoint_folder).absolute())
        partitions = _partitions(local, X, y, sample_weight)
        by_partition = local.booleanizer is not None and hasattr(local.booleanizer, "mapping_")
        by_partition = by_partition or getattr(X, "dtype", None) == np.dtype(bool) or sparse.issparse(getattr(X, "_meta", None))
        client = client or get_client()
        token = uuid.uuid4().hex
        version = falsum.__version__

        parts = client.compute(partitions)
        draft = client.submit(_draft, local, parts, by_partition, version, key=f"falsum-columns-{token}")
        packed = [
            client.submit(_packed, draft, part, number, version, key=f"falsum-rows-{number}-{token}") for number, part in enumerate(parts)
        ]
        task = client.submit(_task, draft, packed, options, version, key=f"falsum-data-{token}")
        del parts, packed, draft
        name, learners, epochs = client.submit(_facts, task, key=f"falsum-facts-{token}").result()
        states = []
        for classes in learners:
            state = None
            for after in [*range(epochs_per_task, epochs, epochs_per_task), epochs]:
                state = client.submit(
                    _learned, task, state, classes, int(after), folder, version, key=f"falsum-{_text_of(classes)}-epoch-{after}-{name}"
                )
            states.append(state)
        finished, problems = client.submit(_finished, task, states, version, key=f"falsum-model-{name}").result()
        for problem in problems:
            warnings.warn(f"learning went on without a checkpoint: {problem}", UserWarning, stacklevel=2)
        finished.random_state = self.random_state  # type: ignore[attr-defined]
        become(self, finished)
        return self

    def to_local(self, *, fitted: bool = True) -> Any:
        """The estimator of this process alone: of the same parameters, and with what was learned if ``fitted``."""
        local = self._local_class(**self.get_params(deep=False))  # type: ignore[attr-defined]
        if fitted:
            self._check_fitted()  # type: ignore[attr-defined]
            become(local, self)
        return local

    def votes(self, X: Any) -> Any:
        """As the local estimator; lazily for Dask arrays and frames, which give a column for each output."""
        return self._lazily("votes", X)

    def _lazily(self, method: str, X: Any, **more: Any) -> Any:
        local = self.to_local()
        if not dask.is_dask_collection(X):
            return getattr(local, method)(X, **more)
        none = _no_answers(local, method, **more)
        estimator = dask.delayed(local)
        if isinstance(X, da.Array):
            shape = {"drop_axis": 1} if none.ndim == 1 else {"chunks": (X.chunks[0], none.shape[1:])}
            whole_rows = X.rechunk({1: -1})
            return da.map_blocks(_answers, whole_rows, estimator, method, none, more, dtype=none.dtype, meta=none, **shape)
        import pandas

        index = X._meta.index
        meta = pandas.Series(none, index=index) if none.ndim == 1 else pandas.DataFrame(none, index=index, columns=local._output_labels())
        return X.map_partitions(_frame_of_answers, estimator, method, meta, more, meta=meta)


class TMClassifier(_OnCluster, falsum.TMClassifier):
    """`falsum.TMClassifier` on a Dask cluster: the same parameters, and the same model, byte for byte.

    Classes are learned apart, so as many workers can help as there are classes; machines of shared clauses have one learner.
    """

    _local_class = falsum.TMClassifier

    def predict(self, X: Any, reject: float | None = None) -> Any:
        """As the local estimator; for Dask arrays and frames lazily: nothing is computed before it is asked for."""
        return self._lazily("predict", X, **({} if reject is None else {"reject": reject}))

    def predict_proba(self, X: Any) -> Any:
        """As the local estimator; lazily for Dask arrays and frames, which give a column for each class."""
        return self._lazily("predict_proba", X)


class TMRegressor(_OnCluster, falsum.TMRegressor):
    """`falsum.TMRegressor` on a Dask cluster. It has one learner, so one worker learns; the data may lie on all, and predicting is
    divided among all."""

    _local_class = falsum.TMRegressor

    def predict(self, X: Any) -> Any:
        """As the local estimator; lazily for Dask arrays and frames."""
        return self._lazily("predict", X)


# ------------------------------------------------------------------------------------------------- the client's side


def _check_can_be_distributed(local: Any) -> None:
    """What the tasks of classes, which know nothing of each other, cannot do."""
    calibration = getattr(local, "calibration", None)
    refused = {
        "early_stopping": (local.early_stopping, False, "no task sees all classes"),
        "warm_start": (local.warm_start, False, "every fit begins anew, or goes on from checkpoint_folder"),
        "callbacks": (bool(local.callbacks), False, "epochs of classes end at different times"),
        "verbose": (bool(local.verbose), False, "Dask's dashboard shows the progress"),
    }
    for name, (value, wanted, why) in refused.items():
        if value != wanted:
            raise ValueError(f"{name} must be {wanted if name != 'callbacks' else None} on a cluster, since {why}")
    if calibration not in (None, "auto"):
        raise ValueError(f"calibration must be 'auto' or None on a cluster, got {calibration!r}: call calibrate with other rows")


def _partitions(local: Any, X: Any, y: Any, weights: Any) -> list[Delayed]:
    """A delayed (X, y, weights) for every partition."""
    if y is None:
        if not isinstance(X, Sequence) or not X or not all(isinstance(part, Delayed) for part in X):
            raise TypeError(f"X must be a list of delayed pairs (X, y) where y is None, got {type(X).__name__}")
        return list(X)
    columns = {"X": X, "y": y, **({} if weights is None else {"sample_weight": weights})}
    parts: dict[str, list[Delayed]] = {}
    for name, values in columns.items():
        if not dask.is_dask_collection(values) or not hasattr(values, "to_delayed"):
            raise TypeError(
                f"{name} must be a Dask array or data frame, got {type(values).__name__}: {type(local).__name__} of falsum itself learns it"
            )
        if isinstance(values, da.Array):
            values = values.rechunk(dict.fromkeys(range(1, values.ndim), -1))
            parts[name] = list(values.to_delayed().ravel())
        else:
            parts[name] = list(values.to_delayed())
        if len(parts[name]) != len(parts["X"]):
            raise ValueError(f"{name} has {len(parts[name])} partitions and X has {len(parts['X'])}: repartition them alike")
    if "sample_weight" not in parts:
        return [dask.delayed(_pair)(*pair) for pair in zip(parts["X"], parts["y"])]
    return [dask.delayed(_pair)(*triple) for triple in zip(parts["X"], parts["y"], parts["sample_weight"])]


def _pair(*values: Any) -> tuple[Any, ...]:
    return values


# ------------------------------------------------------------------------------------------------ the workers' side


class _Task(NamedTuple):
    """All that learning reads."""

    draft: Any  #: the estimator, with booleanizer and classes
    rows: _core.Bits | _core.SparseBits
    targets: np.ndarray
    weights: np.ndarray | None
    options: dict[str, Any]
    name: str  #: a digest of the others


class _State(NamedTuple):
    """A part of a machine after some epochs."""

    checkpoint: bytes
    reports: tuple[dict[str, Any], ...]
    problems: tuple[str, ...]  #: of writing checkpoints


def _check_version(version: str) -> None:
    if falsum.__version__ != version:
        where = _where()
        raise RuntimeError(f"{where} has falsum {falsum.__version__}, the client {version}: install the same version on all workers")


def _where() -> str:
    with contextlib.suppress(ValueError):
        return f"worker {get_worker().address}"
    return "this process"


def _draft(local: Any, parts: list[tuple[Any, ...]], by_partition: bool, version: str) -> Any:
    """The estimator as `fit` prepares it: its columns, and how values become features. By all rows; where the first partition
    says everything (truth values, a fitted booleanizer) by that one."""
    _check_version(version)
    draft = draft_of(local)
    full = [part for part in (_checked_part(part, number) for number, part in enumerate(parts)) if _rows_of(part[0])]
    if not full:
        raise ValueError(f"all {len(parts)} partitions are empty")
    if by_partition:
        full = full[:1]
    X, y, weights = (_concatenated([part[i] for part in full]) for i in range(3))
    X, y = draft._check_training(X, y, reset=True)
    X, _, _ = _weights.learned_rows(X, y, weights)
    draft._fit_booleanizer(X)
    return draft


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


def _packed(draft: Any, part: Any, number: int, version: str) -> _Rows | None:
    """A partition as rows of features; None if it is empty."""
    _check_version(version)
    X, y, weights = _checked_part(part, number)
    if not _rows_of(X):
        return None
    try:
        X = _input.check(draft, X, reset=False)
        X, y, weights = _weights.learned_rows(X, draft._checked_targets(y), weights)
        return _Rows(draft.booleanizer_._rows(X), y, weights)
    except (ValueError, TypeError) as error:
        raise type(error)(f"partition {number}: {error}") from error


def _task(draft: Any, packed: list[_Rows | None], options: dict[str, Any], version: str) -> _Task:
    """The rows of all partitions, in their order."""
    _check_version(version)
    full = [part for part in packed if part is not None]
    draft, options = draft_of(draft), dict(options)
    packed_rows: list[Any] = [part.rows for part in full]
    rows = _core.stacked(packed_rows)
    y = np.concatenate([part.y for part in full])
    weights = None if full[0].weights is None else np.concatenate([part.weights for part in full if part.weights is not None])
    targets, weights = draft._as_targets(y, weights, options, False)
    outputs = 1 if draft._task == "regression" else len(draft.classes_)
    options = draft._choose(draft._with_image(options), rows.rows, outputs)
    digest = hashlib.blake2b(digest_size=16)
    machine_options = {name: value for name, value in options.items() if name not in RUN or name == "epochs"}
    digest.update(repr(sorted(machine_options.items())).encode())
    for data in (*_bytes_of(rows), targets, *(() if weights is None else (weights,))):
        digest.update(data)
    return _Task(draft, rows, targets, weights, options, digest.hexdigest())


def _bytes_of(rows: Any) -> list[Any]:
    return [str(part).encode() if isinstance(part, int) else part for part in rows.__getstate__()]


def _facts(task: _Task) -> tuple[str, list[list[int]], int]:
    """The name of the task, the classes of each learner (none: all in one), the epochs."""
    one_learner = task.options["shared"] or task.draft._task == "regression"
    learners = [[]] if one_learner else [[c] for c in range(len(task.draft.classes_))]
    return task.name, learners, int(task.options["epochs"])


def _text_of(classes: list[int]) -> str:
    return "class-" + "-".join(map(str, classes)) if classes else "all"


def _learned(task: _Task, before: _State | None, classes: list[int], after: int, folder: str | None, version: str) -> _State | None:
    """The state of some classes after so many epochs. With a folder, what is there is not learned again: None where a later
    state is there."""
    _check_version(version)
    kept = None if folder is None else _Kept(pathlib.Path(folder), f"{task.name}-{_text_of(classes)}")
    options = {**task.options, "threads": _threads(classes)}
    if kept is not None:
        if kept.has_later(after):
            return None
        found = kept.read(after)
        if found is not None:
            with contextlib.suppress(OSError):  # a damaged file: it is learned again
                _core.Machine.join([found.checkpoint], options, _core.Part(classes))
                return found
    machine = _machine_of(task, before, classes, options)
    reports = list(before.reports) if before is not None else []
    while machine.epoch < after:
        report = machine.learn_epoch(task.rows, task.targets, weights=task.weights)
        reports.append({name: report[name] for name in ("epoch", "mean_clause_length", "flips")})
    state = _State(machine.checkpoint(), tuple(reports), before.problems if before is not None else ())
    if kept is None:
        return state
    problem = kept.write(after, state)
    return state if problem is None else state._replace(problems=(*state.problems, problem))


def _threads(classes: list[int]) -> int:
    """A class is learned by one thread; a learner of all classes by those of its worker."""
    with contextlib.suppress(ValueError):
        return 1 if classes else get_worker().state.nthreads
    return 1


def _machine_of(task: _Task, before: _State | None, classes: list[int], options: dict[str, Any]) -> _core.Machine:
    part = _core.Part(classes)
    if before is not None:
        return _core.Machine.join([before.checkpoint], options, part)
    if task.draft._task == "regression":
        return task.draft._new_machine(options, task.rows.columns, task.targets)
    machine = _core.Machine(options, task.rows.columns, len(task.draft.classes_), part)
    if task.targets.ndim == 1:
        machine.set_data(task.rows, task.targets)
    return machine


class _Kept:
    """The states of some classes in the folder: the last one of them."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def _path(self, epoch: int) -> pathlib.Path:
        return self._folder / f"{self._name}-epoch-{epoch}.falsum-state"

    def _epochs(self) -> list[int]:
        start, end = f"{self._name}-epoch-", ".falsum-state"
        names = [path.name[len(start) : -len(end)] for path in self._folder.glob(f"{start}*{end}")]
        return [int(name) for name in names if name.isdecimal()]

    def has_later(self, epoch: int) -> bool:
        return any(there > epoch and self.read(there) is not None for there in self._epochs())

    def read(self, epoch: int) -> _State | None:
        """The state, if it is there and whole."""
        try:
            with np.load(self._path(epoch), allow_pickle=False) as file:
                reports = zip(file["epochs"].tolist(), file["lengths"].tolist(), file["flips"].tolist())
                named = tuple({"epoch": e, "mean_clause_length": m, "flips": f} for e, m, f in reports)
                return _State(file["checkpoint"].tobytes(), named, ())
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def write(self, epoch: int, state: _State) -> str | None:
        """Under another name first; the states before it go. What went wrong, if something did."""
        temporary = None
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=f".{self._name}-", delete=False) as file:
                temporary = file.name
                np.savez(
                    file,
                    checkpoint=np.frombuffer(state.checkpoint, dtype=np.uint8),
                    epochs=np.array([report["epoch"] for report in state.reports]),
                    lengths=np.array([report["mean_clause_length"] for report in state.reports]),
                    flips=np.array([report["flips"] for report in state.reports]),
                )
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._path(epoch))
            for there in self._epochs():
                if there < epoch:
                    self._path(there).unlink(missing_ok=True)
            return None
        except OSError as error:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            return f"{_where()}: {error}"


def _finished(task: _Task, states: list[_State], version: str) -> tuple[Any, tuple[str, ...]]:
    """The estimator with the machine of all parts; and what went wrong on the way."""
    _check_version(version)
    draft = draft_of(task.draft)
    machine = draft.machine_ = _core.Machine.join([state.checkpoint for state in states], task.options)
    draft.history_ = [
        {
            "epoch": epochs[0]["epoch"],
            "mean_clause_length": float(np.mean([report["mean_clause_length"] for report in epochs])),
            "flips": sum(report["flips"] for report in epochs),
        }
        for epochs in zip(*(state.reports for state in states))
    ]
    draft._goes_on = False
    draft._keep(machine.model())
    _learning.calibrate_on_folds(draft, task.rows, task.targets, task.weights, task.options)
    return draft, tuple(dict.fromkeys(problem for state in states for problem in state.problems))


def _no_answers(local: Any, method: str, reject: float | None = None) -> np.ndarray:
    """What the method answers to no rows."""
    if reject is not None:
        return np.empty(0, dtype=object)
    if method == "votes":
        return np.empty((0, local.model_.outputs), dtype=np.int32)
    if method == "predict_proba":
        return np.empty((0, local.model_.outputs))
    if local._task == "multilabel":
        return np.empty((0, local.model_.outputs), dtype=np.int64)
    none: np.ndarray = local.classes_[:0] if local._task == "classification" else np.empty(0)
    return none


def _answers(X: Any, estimator: Any, method: str, none: np.ndarray, more: dict[str, Any]) -> np.ndarray:
    answers: np.ndarray = getattr(estimator, method)(X, **more) if X.shape[0] else none
    return answers


def _frame_of_answers(X: Any, estimator: Any, method: str, none: Any, more: dict[str, Any]) -> Any:
    if not len(X):
        return none
    import pandas

    answers = getattr(estimator, method)(X, **more)
    return pandas.Series(answers, index=X.index) if answers.ndim == 1 else pandas.DataFrame(answers, index=X.index, columns=none.columns)

"""falsum on a Dask cluster: estimators that learn, on any number of workers, what `fit` learns on one computer, byte for byte.

The update of a class reads that class alone, so a task is a pure function: the state of a class after some epochs, from the
rows and its state before. Dask may run it on any worker, and again where a worker dies; nothing that a worker does changes what is
learned. The rows are packed bits, once in the memory of every worker process that learns (docs/dask.md).
"""

from __future__ import annotations

import os
import pathlib
import uuid
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sparse
from dask.delayed import Delayed
from distributed import Client, get_client

import falsum
from falsum import _cluster, parts
from falsum._drafts import become
from falsum._packed import PackedRows

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
        delayed pairs (X, y), or triples with weights; or `falsum.PackedRows`, whose file all workers see.

        client: the cluster; the current one unless given. checkpoint_folder: a folder that all workers see; states of classes are kept
        there, so that the same ``fit`` goes on after the scheduler or this process was stopped. epochs_per_task: how much is learned
        again when a worker dies; it does not change what is learned.
        """
        if isinstance(epochs_per_task, bool) or not hasattr(epochs_per_task, "__index__") or epochs_per_task < 1:
            raise ValueError(f"epochs_per_task must be a whole number of at least 1, got {epochs_per_task!r}")
        local = self.to_local(fitted=False)
        options = parts.checked_options(local, _WHY)
        local.random_state = options["seed"]  # drawn once, whatever is computed again
        folder = None if checkpoint_folder is None else str(pathlib.Path(checkpoint_folder).absolute())
        version = falsum.__version__
        if isinstance(X, PackedRows):
            local._prepare_packed(X, y, sample_weight, ())  # refuses what it cannot learn
            client = client or get_client()
            task = client.submit(_cluster.task_of_packed, local, os.path.abspath(X.path), version, key=f"falsum-data-{uuid.uuid4().hex}")
        else:
            partitions = _partitions(local, X, y, sample_weight)
            client = client or get_client()
            task = _submit_partitions(client, local, X, partitions, options, version)
        facts = client.submit(_cluster.facts_of, task, version, key=f"falsum-facts-{uuid.uuid4().hex}").result()
        steps = [*range(epochs_per_task, facts.epochs, int(epochs_per_task)), facts.epochs]
        finished, problems = _Learning(client, task, facts, steps, folder, version, _places(client)).finished()
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


_WHY = {
    "warm_start": "on a cluster, since every fit begins anew, or goes on from checkpoint_folder",
    "callbacks": "on a cluster, since epochs of classes end at different times",
    "verbose": "on a cluster, since Dask's dashboard shows the progress",
}


class _Learning(NamedTuple):
    """The tasks of all learners, by names: a state is computed once, whoever asks for it."""

    client: Client
    task: Any
    facts: _cluster.Facts
    steps: list[int]  #: numbers of epochs after which there is a state
    folder: str | None
    version: str
    places: list[str]  #: a worker for each of its threads

    def finished(self) -> tuple[Any, tuple[str, ...]]:
        """The estimator that has learned, and what went wrong with checkpoints."""
        last, best = self.steps[-1], None
        scores: list[float] = []
        chains: list[list[Any]] = []
        if self.facts.is_scored:
            chains = [self._chain(classes, self.steps) for classes in self.facts.learners]
            scores, best = self._scores(chains)
            last = len(scores)
        states = [self._state(classes, last) for classes in self.facts.learners]
        of_best = None if best is None else [self._state(classes, best) for classes in self.facts.learners]
        key = f"falsum-model-{self.facts.name}"
        answer = self.client.submit(_cluster.finished, self.task, states, of_best, scores, self.version, key=key).result()
        del chains
        finished: tuple[Any, tuple[str, ...]] = answer
        return finished

    def _chain(self, classes: list[int], epochs: Sequence[int]) -> list[Any]:
        """The states of a learner after so many epochs, each learned from the one before."""
        # A class of every worker's own from the beginning: Dask alone would give all to the one that has the rows, until others
        # steal them. It may still move them: where a worker dies, comes or is slower.
        place = {"workers": self.places[classes[0] % len(self.places)], "allow_other_workers": True} if classes and self.places else {}
        states: list[Any] = []
        for after in epochs:
            key = f"falsum-{_cluster.text_of(classes)}-epoch-{after}-{self.facts.name}"
            arguments = (self.task, states[-1] if states else None, classes, after, self.folder, self.version)
            states.append(self.client.submit(_cluster.learned, *arguments, key=key, **place))
        return states

    def _state(self, classes: list[int], epoch: int) -> Any:
        return self._chain(classes, [*(step for step in self.steps if step < epoch), epoch])[-1]

    def _scores(self, chains: list[list[Any]]) -> tuple[list[float], int | None]:
        """The score after each epoch, to the last one if learning stops early; then also which epoch is the best."""
        scores: list[float] = []
        best: int | None = None
        for number, step in enumerate(self.steps):
            key = f"falsum-scores-{step}-{self.facts.name}"
            more = self.client.submit(_cluster.scores_of, self.task, [chain[number] for chain in chains], self.version, key=key).result()
            for score in more:
                scores.append(score)
                if self.facts.patience is None:
                    continue
                if best is None or score > scores[best - 1]:
                    best = len(scores)
                if len(scores) - best >= self.facts.patience:
                    for chain in chains:  # what has begun beyond is given up
                        del chain[number + 1 :]
                    return scores, best
        return scores, best


def _places(client: Client) -> list[str]:
    """The workers, by turns, each as often as it has threads."""
    threads: dict[str, int] = client.nthreads()
    turns = range(max(threads.values(), default=0))
    return [worker for turn in turns for worker, count in threads.items() if turn < count]


def _submit_partitions(client: Client, local: Any, X: Any, partitions: list[Delayed], options: dict[str, Any], version: str) -> Any:
    """The task from partitions, each of which becomes features where it is if that can be."""
    by_partition = local.booleanizer is not None and hasattr(local.booleanizer, "mapping_")
    by_partition = by_partition or getattr(X, "dtype", None) == np.dtype(bool) or sparse.issparse(getattr(X, "_meta", None))
    token = uuid.uuid4().hex
    computed = client.compute(partitions)
    look = [client.submit(_cluster.seen, part, i, version, key=f"falsum-seen-{i}-{token}") for i, part in enumerate(computed)]
    full = {one.number: computed[one.number] for one in _cluster.check_alike(client.gather(look))}
    used = dict(list(full.items())[:1]) if by_partition else full
    draft = client.submit(_cluster.with_columns, local, used, version, key=f"falsum-columns-{token}")
    packed = [client.submit(_cluster.partition, draft, part, i, version, key=f"falsum-rows-{i}-{token}") for i, part in full.items()]
    return client.submit(_cluster.task_of_partitions, draft, packed, options, version, key=f"falsum-data-{token}")


def _partitions(local: Any, X: Any, y: Any, weights: Any) -> list[Delayed]:
    """A delayed (X, y, weights) for every partition."""
    if y is None:
        if not isinstance(X, Sequence) or not X or not all(isinstance(part, Delayed) for part in X):
            raise TypeError(f"X must be a list of delayed pairs (X, y) where y is None, got {type(X).__name__}")
        return list(X)
    columns = {"X": X, "y": y, **({} if weights is None else {"sample_weight": weights})}
    lists: dict[str, list[Delayed]] = {}
    for name, values in columns.items():
        if not dask.is_dask_collection(values) or not hasattr(values, "to_delayed"):
            raise TypeError(
                f"{name} must be a Dask array or data frame, got {type(values).__name__}: {type(local).__name__} of falsum itself learns it"
            )
        if isinstance(values, da.Array):
            values = values.rechunk(dict.fromkeys(range(1, values.ndim), -1))
            lists[name] = list(values.to_delayed().ravel())
        else:
            lists[name] = list(values.to_delayed())
        if len(lists[name]) != len(lists["X"]):
            raise ValueError(f"{name} has {len(lists[name])} partitions and X has {len(lists['X'])}: repartition them alike")
    if "sample_weight" not in lists:
        return [dask.delayed(_pair)(*pair) for pair in zip(lists["X"], lists["y"])]
    return [dask.delayed(_pair)(*triple) for triple in zip(lists["X"], lists["y"], lists["sample_weight"])]


def _pair(*values: Any) -> tuple[Any, ...]:
    return values


# ------------------------------------------------------------------------------------------------ answers, lazily


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

"""falsum by the processes of an MPI job: estimators that learn, in any number of them, what `fit` learns in one, byte for byte.

    mpirun -n 4 python learn.py

Every process calls ``fit`` with the same data and parameters, learns its part of the machine, and has all of it at the end. It
takes mpi4py (``pip install falsum[mpi]``). What parts are, and what can go wrong: docs/distributed.md.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
import zlib
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np
from mpi4py import MPI

import falsum
from falsum import _core, parts
from falsum._drafts import become
from falsum.parts import Kept, State, Task

Self = TypeVar("Self", bound="_InJob")
Result = TypeVar("Result")

_MOST_BYTES = 1 << 30  # of a message
_MISTAKE = 2  # exit code of a job that ends
_WHY = {
    "early_stopping": "in an MPI job, since no process sees all votes",
    "warm_start": "in an MPI job, since every fit begins anew, or goes on from checkpoint_folder",
    "callbacks": "in an MPI job, since no process has the whole machine while it learns",
    "verbose": "in an MPI job, since every process would draw",
}


class _InJob:
    """What both estimators do in an MPI job."""

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        comm: Any = None,
        deadline: float = 600.0,
        checkpoint_folder: str | os.PathLike[str] | None = None,
        checkpoint_every: int = 1,
    ) -> Self:
        """Learns as the local ``fit``, which all processes call with the same data. n_jobs: threads of each process.

        comm: the processes; MPI.COMM_WORLD unless given. deadline: seconds after which a process that others wait for counts as lost,
        and the job ends instead of hanging; more than the slowest epoch takes. checkpoint_folder: where the first process keeps the
        machine after every ``checkpoint_every`` epochs; the same ``fit`` goes on from there, with any number of processes.
        """
        if not isinstance(deadline, (int, float)) or not deadline > 0:
            raise ValueError(f"deadline must be more than 0 seconds, got {deadline!r}")
        if isinstance(checkpoint_every, bool) or not isinstance(checkpoint_every, int) or checkpoint_every < 1:
            raise ValueError(f"checkpoint_every must be a whole number of at least 1, got {checkpoint_every!r}")
        local = self._local_class(**self.get_params(deep=False))  # type: ignore[attr-defined]
        world = _Members(MPI.COMM_WORLD if comm is None else comm, float(deadline))
        options = world.together(lambda: parts.checked_options(local, _WHY))
        local.random_state = options["seed"] = world.of_first(options["seed"])
        task = world.together(lambda: parts.prepared(local, X, y, sample_weight, options))
        world.agree(f"{task.name} {falsum.__version__}", "there are other data, options or versions of falsum")
        part = _core.divided(task.options, task.outputs, world.size)[world.rank]
        kept = Kept(os.fspath(checkpoint_folder), task.name) if checkpoint_folder is not None else None
        try:
            finished = _learned(world, task, part, kept, checkpoint_every)
        except BaseException as error:  # the others would wait for this process
            world.end(f"process {world.rank}: {error or type(error).__name__}")
        finished.random_state = self.random_state  # type: ignore[attr-defined]
        become(self, finished)
        return self


class TMClassifier(_InJob, falsum.TMClassifier):
    """`falsum.TMClassifier` by all processes of an MPI job: the same parameters, and the same model, byte for byte.

    Processes get classes as long as there are classes; beyond that, the clauses of each class are divided among several.
    """

    _local_class = falsum.TMClassifier


class TMRegressor(_InJob, falsum.TMRegressor):
    """`falsum.TMRegressor` by all processes of an MPI job, among which its clauses are divided."""

    _local_class = falsum.TMRegressor


def _learned(world: _Members, task: Task, part: _core.Part, kept: Kept | None, every: int) -> Any:
    """The estimator, after all epochs. The first process reads and writes the folder."""
    group = world.with_same(part.classes[0] if part.classes else 0)
    found = None
    if kept is not None and world.rank == 0:
        found = next((state for state in map(kept.read, kept.epochs()) if state is not None), None)
    before = world.broadcast(b"" if found is None else found.checkpoint)
    reports = list(json.loads(world.broadcast(json.dumps([] if found is None else found.reports).encode())))
    machine = task.machine(part, before or None, task.options["threads"])
    machine.set_collective(group)
    saved, whole = machine.epoch, before
    while machine.epoch < task.epochs:
        report = machine.learn_epoch(task.rows, task.targets, weights=task.weights)
        reports.append(task.entry(report["epoch"], *world.sums([report["flips"], task.literals(report, part)])))
        world.agree(str(machine.epoch), "there is another epoch")
        group.agree(f"{group.digest:x}", f"other votes were seen in epoch {machine.epoch}")
        if machine.epoch == task.epochs or (kept is not None and machine.epoch - saved >= every):
            checkpoints = world.gather(machine.checkpoint())
            if world.rank == 0:
                whole = _core.Machine.join(checkpoints, task.options).checkpoint()
                problem = None if kept is None else kept.write(machine.epoch, State(whole, tuple(reports)))
                if problem is not None:
                    warnings.warn(f"learning went on without a checkpoint: {problem}", UserWarning, stacklevel=3)
            saved = machine.epoch
    joined = _core.Machine.join([world.broadcast(whole)], task.options)
    return task.finished(joined, reports)


class _Members:
    """The processes of a communicator. No message is waited for longer than the deadline: MPI itself has no such limit, so every
    message is one that does not block, and is asked for. It is the collective of the parts of a machine, too."""

    def __init__(self, comm: Any, deadline: float) -> None:
        self._comm, self._deadline = comm, deadline
        self.rank, self.size = int(comm.Get_rank()), int(comm.Get_size())
        self.digest = 0  #: of all votes that were added up: the same in all members

    def sum(self, numbers: np.ndarray) -> None:
        """Of a machine that learns: the votes of all, in place."""
        self._wait(self._comm.Iallreduce(MPI.IN_PLACE, numbers), "a process with the same classes")
        self.digest = zlib.crc32(numbers, self.digest)  # type: ignore[arg-type]

    def sums(self, numbers: list[int]) -> list[int]:
        """The sum over all of each number."""
        added = np.array(numbers, dtype=np.int64)
        self._wait(self._comm.Iallreduce(MPI.IN_PLACE, added), "another process")
        return [int(number) for number in added]

    def of_first(self, number: int) -> int:
        """The number of the first process."""
        return self.sums([number if self.rank == 0 else 0])[0]

    def with_same(self, colour: int) -> _Members:
        """Those with the same number."""
        return _Members(self._comm.Split(colour, self.rank), self._deadline)

    def together(self, do: Callable[[], Result]) -> Result:
        """What all do before they learn. If it fails somewhere, it fails everywhere."""
        result, error = None, None
        try:
            result = do()
        except Exception as raised:
            error = raised
        failed = self.sums([int(error is not None and r == self.rank) for r in range(self.size)])
        if not any(failed):
            return result  # type: ignore[return-value]
        text = self.broadcast(str(error).encode(), failed.index(1)).decode()
        raise error if error is not None else RuntimeError(f"process {failed.index(1)}: {text}")

    def agree(self, text: str, otherwise: str) -> None:
        """Raises in all processes unless all have the same text."""
        number = zlib.crc32(text.encode())
        numbers = self.sums([number if r == self.rank else 0 for r in range(self.size)])
        others = [str(r) for r in range(self.size) if numbers[r] != numbers[0]]
        if others:
            raise RuntimeError(f"{otherwise} in process 0 than in process{'es' if len(others) > 1 else ''} {', '.join(others)}")

    def broadcast(self, data: bytes, root: int = 0) -> bytes:
        """The bytes of one process in all."""
        buffer = bytearray(data) if self.rank == root else bytearray(0)
        size = self.sums([len(buffer)])[0]
        buffer = buffer or bytearray(size)
        for at in range(0, size, _MOST_BYTES):
            message = memoryview(buffer)[at : at + _MOST_BYTES]
            self._wait(self._comm.Ibcast([message, MPI.BYTE], root), f"process {root}")
        return bytes(buffer)

    def gather(self, data: bytes) -> list[bytes]:
        """The bytes of all in the first process; nothing in the others."""
        sizes = self.sums([len(data) if r == self.rank else 0 for r in range(self.size)])
        gathered = [data] if self.rank == 0 else []
        for source in range(1, self.size):
            if self.rank not in (0, source):
                continue
            buffer = bytearray(sizes[source]) if self.rank == 0 else bytearray(data)
            for at in range(0, sizes[source], _MOST_BYTES):
                message = [memoryview(buffer)[at : at + _MOST_BYTES], MPI.BYTE]
                request = self._comm.Irecv(message, source) if self.rank == 0 else self._comm.Isend(message, 0)
                self._wait(request, f"process {source if self.rank == 0 else 0}")
            if self.rank == 0:
                gathered.append(bytes(buffer))
        return gathered

    def _wait(self, request: Any, whom: str) -> None:
        began = time.monotonic()
        while not request.Test():
            waited = time.monotonic() - began
            if waited > self._deadline:
                self.end(f"{whom} did not answer within {self._deadline:g} s (deadline)")
            # Sums while learning take microseconds; who waits longer waits for a slower process, and leaves it the core.
            time.sleep(0 if waited < 0.001 else 0.0001)

    def end(self, sentence: str) -> NoReturn:
        """Ends all processes."""
        print(f"falsum.mpi: {sentence}", file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(_MISTAKE)
        os._exit(_MISTAKE)  # not reached

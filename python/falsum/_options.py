"""The core's table of options: the only place where a default or a range is written down."""

from __future__ import annotations

import multiprocessing
import os
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from falsum import _core

OPTIONS: dict[str, dict[str, Any]] = {option["name"]: option for option in _core.option_table()}

# Options that make a machine, and options of a run. A machine that continues to learn keeps the former.
MACHINE: tuple[str, ...] = tuple(name for name, option in OPTIONS.items() if option["scope"] == "machine")
RUN: tuple[str, ...] = tuple(name for name, option in OPTIONS.items() if option["scope"] == "run")

BOOLEANIZE: dict[str, dict[str, Any]] = {option["name"]: option for option in _core.booleanize_option_table()}

PREDICT_ONLY: tuple[str, ...] = tuple(e["name"] for e in _core.engine_table() if not e["learns"])
LEARN_ONLY: tuple[str, ...] = tuple(e["name"] for e in _core.engine_table() if not e["predicts"])


def default(name: str) -> Any:
    """The default of an option, as the core has it."""
    return OPTIONS[name]["default"]


def threads(n_jobs: int | None) -> int:
    """``n_jobs`` as the core counts: -1 is all cores, -2 all but one.

    None is all cores in interactive use, and fewer where other workers share the computer: one where others work
    beside it (in a worker of joblib, process or thread, and in any process that multiprocessing started), what
    ``joblib.parallel_config`` says where that is in force, and at most OMP_NUM_THREADS, by which clusters, Dask, Ray
    and the like tell their workers how much is theirs.
    """
    if n_jobs is None:
        return _threads_unasked()
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__"):
        raise TypeError(f"n_jobs must be a whole number or None, got {n_jobs!r}")
    n_jobs = n_jobs.__index__()
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: use None or -1 for all cores")
    most = int(OPTIONS["threads"]["most"])
    return min(n_jobs, most) if n_jobs > 0 else max(1, _core.cpu_cores() + 1 + n_jobs)


def _threads_unasked() -> int:
    if multiprocessing.parent_process() is not None:
        return 1
    backend, configured = get_active_backend()
    if (getattr(backend, "nesting_level", 0) or 0) > 0:
        return 1
    if configured is not None and (configured != 1 or hasattr(joblib, "parallel_config")):  # before joblib 1.3, 1 is unsaid
        return threads(configured)
    told = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if told.isdecimal() and int(told) > 0:
        return min(int(told), _core.cpu_cores())
    return int(default("threads"))

"""The core's table of options: the only place where a default or a range is written down."""

from __future__ import annotations

from typing import Any

from falsum import _core

OPTIONS: dict[str, dict[str, Any]] = {option["name"]: option for option in _core.option_table()}


def default(name: str) -> Any:
    """The default of an option, as the core has it."""
    return OPTIONS[name]["default"]


def threads(n_jobs: int | None) -> int:
    """``n_jobs`` as the core counts: None and -1 are all cores, -2 all but one.

    In a worker process of joblib or multiprocessing None is one core, since the others have workers of their own.
    """
    import multiprocessing

    if n_jobs is None:
        return 1 if multiprocessing.parent_process() is not None else int(default("threads"))
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__"):
        raise TypeError(f"n_jobs must be a whole number or None, got {n_jobs!r}")
    n_jobs = n_jobs.__index__()
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: use None or -1 for all cores")
    most = int(OPTIONS["threads"]["most"])
    return min(n_jobs, most) if n_jobs > 0 else max(1, _core.cpu_cores() + 1 + n_jobs)

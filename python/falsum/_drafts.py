"""``fit`` changes nothing until it has succeeded: it works on a draft, which the estimator becomes at the end."""

from __future__ import annotations

from typing import Any


def draft_of(estimator: Any, without: tuple[str, ...] = ()) -> Any:
    """An estimator of the same class with the same attributes, except those."""
    draft = object.__new__(type(estimator))
    draft.__dict__ = {name: value for name, value in vars(estimator).items() if name not in without}
    return draft


def become(estimator: Any, draft: Any) -> None:
    """The estimator takes over the state of the draft, and shares it from now on. One assignment, which Ctrl-C cannot interrupt."""
    estimator.__dict__ = draft.__dict__

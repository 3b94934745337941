"""``fit`` changes nothing until it has succeeded: it works on a draft, which the estimator becomes at the end."""

from __future__ import annotations

from typing import Any


def draft_of(estimator: Any, without: tuple[str, ...] = ()) -> Any:
    """An estimator of the same class with the same attributes, except those."""
    draft = object.__new__(type(estimator))
    draft.__dict__ = {name: value for name, value in vars(estimator).items() if name not in without}
    return draft


def become(estimator: Any, draft: Any) -> None:
    """The estimator is from now on what the draft is, and what it will be. One assignment, which Ctrl-C cannot cut in two."""
    estimator.__dict__ = draft.__dict__

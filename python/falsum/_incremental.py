"""A row that changes feature by feature, and its votes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from falsum import _core, _files
from falsum._base import TMBase

Mark = tuple[int, int]


class Change(NamedTuple):
    """Features to flip together; none if no change was found."""

    features: npt.NDArray[np.uint32]
    votes: npt.NDArray[np.int32]
    smallest: bool
    """Whether nothing smaller would do; else without any one of the features the answer stays."""
    passes: int


class IncrementalPredictor:
    """The votes of a row that changes feature by feature, as in a game or a search.

    ``source`` is a fitted estimator, a model file, or another `IncrementalPredictor`, whose compiled model is shared. At first all features
    are false. A flip costs a fraction of a prediction, and `successors` gives the votes after every single flip at once. Votes are those
    of ``votes()`` of the estimator, bit for bit. Features are Boolean: those that the estimator makes of its input.

    >>> position = IncrementalPredictor(clf)
    >>> position.set(X[0] > 0)
    >>> position.flip(7)
    >>> position.votes
    """

    _position: _core.IncrementalPredictor

    def __init__(self, source: TMBase | _files.Path | IncrementalPredictor) -> None:
        if isinstance(source, IncrementalPredictor):
            self._position = source._position.copy()
            return
        if isinstance(source, TMBase):
            source._check_fitted()
            self._position = _core.IncrementalPredictor(source.model_)
        else:
            self._position = _core.IncrementalPredictor(_files.load(source))

    @property
    def n_features(self) -> int:
        return self._position.features

    @property
    def n_outputs(self) -> int:
        return self._position.outputs

    @property
    def features(self) -> npt.NDArray[np.bool_]:
        """The row now."""
        return self._position.row().view(np.bool_)

    def set(self, features: npt.ArrayLike) -> None:
        """Another row: a Boolean for each feature. Marks made before can no longer be returned to."""
        row = np.atleast_2d(np.asarray(features))
        if row.ndim != 2:
            raise ValueError(f"features must have one dimension, got {row.ndim}")
        self._position.set(_core.pack(row, only_bits=True))

    def flip(self, feature: int) -> None:
        """Changes one feature; the same call again changes it back."""
        index = int(feature)
        if index < 0:
            raise ValueError(f"feature must be from 0 to {self.n_features - 1}, got {index}")
        self._position.flip(index)

    def mark(self) -> Mark:
        """A place to return to. From the first mark on flips are noted, four bytes each."""
        return self._position.mark()

    def undo(self, mark: Mark) -> None:
        """Back to the row of the mark, which stays valid."""
        self._position.undo(mark)

    @property
    def votes(self) -> npt.NDArray[np.int32]:
        """One for each output."""
        return self._position.votes()

    def successors(self) -> npt.NDArray[np.int32]:
        """The votes after each single flip: a row for each feature, a column for each output."""
        return self._position.successors()

    def true_clauses(self, output: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
        """The clauses that vote on an output here, and the votes of each."""
        return self._position.true_clauses(int(output))

    def smallest_change(
        self,
        output: int | None = None,
        *,
        features: Iterable[int] = (),
        most_features: int = 3,
        most_passes: int = 20_000,
    ) -> Change:
        """The smallest set of features whose flip gives another answer, or class ``output``.

        ``features`` are those that may change, by default all."""
        may_change = sorted(int(k) for k in features)
        return Change(*self._position.smallest_change(output, may_change, most_features, most_passes))

    @property
    def counters(self) -> dict[str, int]:
        """Flips, list entries visited and the like: the same on every computer."""
        counts: dict[str, Any] = self._position.counters()
        return counts

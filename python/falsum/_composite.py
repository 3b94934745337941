"""Teams of machines that were learned independently, each from its own bits of the same rows."""

from __future__ import annotations

import io
import json
import math
import os
import tempfile
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from falsum import _core, _files
from falsum._classifier import TMClassifier

__all__ = ["TMComposite"]

_MOST_MEMBERS = 1000


class TMComposite:
    """Several fitted classifiers that vote together: specialists, as one of edges and one of colours.

    Each member has its own bits of the rows and its own parameters, and is learned by itself. The votes of member m are divided by
    ``alphas_[m]``: the range of all its votes on data that you give once. A sure member then counts more in a row than one that is not,
    which is what makes a team better than its members. An alpha of 0 leaves the member out.

    The score of a class is the sum over the members of weight * votes / alpha; the largest wins, the first of equal ones. (Composites of
    Granmo et al., 2023.)

    Parameters
    ----------
    members : sequence of fitted TMClassifier
        All with the same classes.
    weights : sequence of float or None, default=None
        One for each member, at least 0; None: 1 for each.
    """

    def __init__(self, members: Sequence[TMClassifier], weights: Sequence[float] | None = None) -> None:
        self.members = list(members)
        if not 1 <= len(self.members) <= _MOST_MEMBERS:
            raise ValueError(f"members must be 1 to {_MOST_MEMBERS} classifiers, got {len(self.members)}")
        for number, member in enumerate(self.members):
            member._check_fitted()
            if member.multilabel_:
                raise ValueError(f"member {number} has several labels; a composite is for one class a row")
            if not np.array_equal(member.classes_, self.members[0].classes_):
                raise ValueError(f"member {number} has the classes {member.classes_!r}, and member 0 has {self.members[0].classes_!r}")
        self.weights = [1.0] * len(self.members) if weights is None else [float(weight) for weight in weights]
        if len(self.weights) != len(self.members) or not all(math.isfinite(w) and w >= 0 for w in self.weights):
            raise ValueError(f"weights must be {len(self.members)} numbers of at least 0, got {self.weights!r}")
        self.classes_ = self.members[0].classes_
        self.alphas_: list[int] | None = None

    def fit_alphas(self, X: Any) -> TMComposite:
        """Takes the range of each member's votes from rows: training rows, or others. They need no classes.

        ``X`` is one array for all members, or a list with the rows as each member takes them.
        """
        votes = self._votes(X)
        if len(votes[0]) == 0:
            raise ValueError("X must have at least one row")
        self.alphas_ = [int(v.max()) - int(v.min()) for v in votes]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each class for each row. Never depends on the other rows."""
        if self.alphas_ is None:
            raise ValueError("the alphas are not known yet; call fit_alphas with rows first")
        votes = self._votes(X)
        scores = np.zeros(votes[0].shape)
        for member, alpha, weight in zip(votes, self.alphas_, self.weights):
            if alpha > 0:
                scores += weight * member / alpha
        return scores

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest score of each row."""
        return np.asarray(self.classes_[self.decision_function(X).argmax(axis=1)])

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose class is predicted."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def _votes(self, X: Any) -> list[np.ndarray]:
        inputs = X if isinstance(X, (list, tuple)) else [X] * len(self.members)
        if len(inputs) != len(self.members):
            raise ValueError(f"X must be one array or a list of {len(self.members)}, one for each member; got a list of {len(inputs)}")
        votes = [np.asarray(member.votes(rows)) for member, rows in zip(self.members, inputs)]
        for number, some in enumerate(votes):
            if len(some) != len(votes[0]):
                raise ValueError(f"member {number} was given {len(some)} rows and member 0 {len(votes[0])}")
        return votes

    def save(self, path: str | os.PathLike[str]) -> None:
        """A zip file of the members' models and of composite.json, which has weights and alphas."""
        if self.alphas_ is None:
            raise ValueError("the alphas are not known yet; call fit_alphas with rows first")
        folder = os.path.dirname(os.path.abspath(os.fspath(path)))
        handle, name = tempfile.mkstemp(dir=folder, prefix=".composite-")
        try:
            with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w") as archive:
                about = {"format": "falsum composite", "version": 1, "alphas": self.alphas_, "weights": self.weights}
                archive.writestr("composite.json", json.dumps(about))
                for number, member in enumerate(self.members):
                    archive.writestr(f"{number}.falsum", member.model_.to_bytes())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TMComposite:
        """The composite that `save` wrote. ValueError for any other file."""
        with open(path, "rb") as file:
            content = file.read()
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                    raise ValueError("its parts are compressed")  # a small file could become gigabytes
                about = json.loads(archive.read("composite.json"))
                alphas, weights = about["alphas"], about["weights"]
                if about["format"] != "falsum composite" or about["version"] != 1:
                    raise ValueError("its version is another")
                if not isinstance(alphas, list) or not all(type(a) is int and 0 <= a < 1 << 53 for a in alphas):
                    raise ValueError("an alpha is not a whole number of at least 0")
                if not 1 <= len(alphas) <= _MOST_MEMBERS:
                    raise ValueError(f"it has {len(alphas)} alphas")
                models = [archive.read(f"{number}.falsum") for number in range(len(alphas))]
            members = []
            for number, model in enumerate(models):
                name = f"{os.fspath(path)}, member {number}"
                members.append(_files.estimator_of(TMClassifier, _core.Model.from_bytes(model, os.fsencode(name)), name))
            composite = cls(members, weights)
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError, NotImplementedError, EOFError, RecursionError, OverflowError) as error:
            raise ValueError(f"{os.fspath(path)} is not a composite that falsum wrote: {error}") from error
        composite.alphas_ = alphas
        return composite

"""Clauses for people: rules in the units of the data, and why a row got its label.

What clauses say, and in which words, is the library's (falsum/rules.h), so that the command says the same. Here they become
Python's classes, with the labels as Python has them, and are counted on data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from falsum import _core

if TYPE_CHECKING:
    from falsum._base import TMBase


@dataclass(frozen=True)
class Rule:
    """Clauses of one class and polarity that say the same."""

    label: Any  #: the class it votes about
    polarity: int  #: +1 votes for the class, -1 against it
    weight: int  #: its votes, all equal clauses together; negative if against
    literals: tuple[str, ...]  #: conditions that must all hold, in the units of the data
    clauses: tuple[int, ...] = field(repr=False)  #: positions of the clauses within the class
    coverage: float | None = None  #: share of the given rows it is true of (of a fuzzy rule: it has votes)
    precision: float | None = None  #: share of those rows it is right about
    spelling: str = field(default="", repr=False, compare=False)  #: the label as the model file spells it
    less: int = 0  #: of a fuzzy rule: the votes that it loses for each literal that is false; 0: all must hold
    lift: float | None = None  #: precision, divided by that of a rule that is true of every row
    votes_cast: int | None = None  #: on all given rows together, for or against
    share: float | None = None  #: of the votes that all rules cast there

    @property
    def text(self) -> str:
        """The rule as a sentence, word for word as the command prints it."""
        return _core.rule_text(self.weight, self.literals, self.spelling or str(self.label), self.less)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Change:
    """The smallest change of a row that was found to give another answer."""

    prediction: Any  #: the label, or the list of labels, after the change
    changes: list[tuple[str, str]]  #: for each column that changes, what held of it and what holds then
    votes: dict[Any, int]  #: after the change
    proven: bool  #: no change of fewer columns gives another answer

    def __str__(self) -> str:
        return "\n".join([f"{self.prediction} if:"] + [f"  {was}  ->  {then}" for was, then in self.changes])


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its label."""

    prediction: Any  #: the label; a list of labels; or a number
    votes: dict[Any, int]  #: the sums of votes, by class or label
    rules: list[Rule]  #: the clauses that are true of the row (fuzzy: that have votes), of all classes, most votes first

    change: Change | None = None  #: the smallest change that gives another answer; None for numbers, or if none was found

    def of_class(self, label: Any) -> list[Rule]:
        """The true rules about one class."""
        return [rule for rule in self.rules if rule.label == label]

    def __str__(self) -> str:
        lines = [f"{self.prediction}: " + ", ".join(f"{v:+d} for {label}" for label, v in self.votes.items())]
        told = self.prediction if isinstance(self.prediction, list) else [self.prediction]
        mine = [rule for rule in self.rules if rule.label in told or len(self.votes) == 1]
        lines += ["  " + rule.text for rule in mine[:10]]
        if len(mine) > 10:
            lines.append(f"  and {len(mine) - 10} more rules about {self.prediction}")
        if self.change is not None:
            lines.append(str(self.change))
        return "\n".join(lines)


def all_rules(estimator: TMBase, feature_names: Sequence[str] | None, only: np.ndarray | None = None) -> list[Rule]:
    """The rules of every class; of the clauses in the mask ``only``, if it is given."""
    labels, spellings = estimator._rule_labels(), _core.output_labels(estimator.model_)
    return [
        Rule(labels[output], 1 if votes > 0 else -1, votes, conditions, clauses, spelling=spellings[output], less=less)
        for output, votes, clauses, conditions, less in _core.rules(estimator.model_, _column_names(estimator, feature_names), only)
    ]


def recorded_rules(
    estimator: TMBase, feature_names: Sequence[str] | None, rows: Any, classes: np.ndarray | None, numbers: np.ndarray | None = None
) -> list[Rule]:
    """The rules of every class with what they did on rows: for each class those that cast most votes there first."""
    labels, spellings = estimator._rule_labels(), _core.output_labels(estimator.model_)
    found = _core.record_rules(estimator.model_, rows, classes, numbers, _column_names(estimator, feature_names))
    return [
        Rule(labels[o], 1 if votes > 0 else -1, votes, told, clauses, coverage, precision, spellings[o], less, lift, cast, share)
        for o, votes, clauses, told, less, cast, share, coverage, precision, lift, _ in sorted(found, key=lambda rule: rule[0])
    ]


def rules_that_carry(rules: Sequence[Rule], share: float = 0.9) -> int:
    """How many of these rules, those that cast most votes first, cast this share of their votes."""
    cast = np.sort([rule.votes_cast or 0 for rule in rules])[::-1]
    if not 0 <= share <= 1:
        raise ValueError(f"share must be from 0 to 1, got {share!r}")
    return int(np.searchsorted(np.cumsum(cast), share * cast.sum())) + 1 if len(cast) and share > 0 else 0


def smallest_change(estimator: TMBase, feature_names: Sequence[str] | None, rows: Any, several: bool) -> Change | None:
    found: Any = _core.smallest_change(estimator.model_, rows, None, _column_names(estimator, feature_names))
    if found is None:
        return None
    changes, votes, proven = found
    labels = estimator._rule_labels()
    prediction = [label for label, sum_ in zip(labels, votes) if sum_ > 0] if several else labels[int(np.argmax(votes))]
    return Change(prediction, [(was, then) for _, was, then in changes], dict(zip(labels, votes)), proven)


def _column_names(estimator: TMBase, feature_names: Sequence[str] | None) -> list[str]:
    """The given names as the library takes them: none for the model's own, which are those of texts in any case."""
    if feature_names is None:
        return []
    names = [str(name) for name in feature_names]
    if len(names) != estimator.n_features_in_:
        raise ValueError(f"feature_names must have {estimator.n_features_in_} names, got {len(names)}")
    return [] if estimator.booleanizer_.mapping_.kind == "words" else names


def explain(
    estimator: TMBase, feature_names: Sequence[str] | None, rows: Any, prediction: Any = None, change: bool = False
) -> Explanation:
    """`rows` has one row. `prediction`: None for the class with most votes. `change`: look for the smallest."""
    other = smallest_change(estimator, feature_names, rows, isinstance(prediction, list)) if change else None
    votes = estimator._predictor().votes(rows)[0]
    rules = all_rules(estimator, feature_names, only=_core.clause_outputs(estimator.model_, rows)[0])
    rules.sort(key=lambda rule: (-abs(rule.weight), len(rule.literals)))
    labels = estimator._rule_labels()
    if prediction is None:
        prediction = labels[int(np.argmax(votes))]
    return Explanation(prediction, dict(zip(labels, votes.tolist())), rules, other)


def to_frame(rules: list[Rule]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("as_frame needs pandas: pip install pandas") from error
    columns = ("label", "polarity", "weight", "literals", "coverage", "precision", "lift", "votes_cast", "text")
    return pd.DataFrame([{c: getattr(rule, c) for c in columns} for rule in rules], columns=list(columns)).rename(
        columns={"label": "class"}
    )

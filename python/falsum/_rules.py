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

    @property
    def text(self) -> str:
        """The rule as a sentence, word for word as the command prints it."""
        return _core.rule_text(self.weight, self.literals, self.spelling or str(self.label), self.less)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its label."""

    prediction: Any  #: the label; a list of labels; or a number
    votes: dict[Any, int]  #: the sums of votes, by class or label
    rules: list[Rule]  #: the clauses that are true of the row (fuzzy: that have votes), of all classes, most votes first

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
        return "\n".join(lines)


def all_rules(
    estimator: TMBase,
    feature_names: Sequence[str] | None,
    counts: np.ndarray | None = None,
    rows: int = 0,
    labelled: bool = False,
    only: np.ndarray | None = None,
) -> list[Rule]:
    """The rules of every class; of the clauses in the mask ``only``, if it is given."""
    model = estimator.model_
    labels, spellings = estimator._rule_labels(), _core.output_labels(model)
    _, _, weight_starts, voters, _ = model.clauses
    rules: list[Rule] = []
    for output, votes, clauses, conditions, less in _core.rules(model, _column_names(estimator, feature_names), only):
        coverage = precision = None
        if counts is not None:
            true_of, right = _true_and_right(counts[voters[weight_starts[output] + clauses[0]]], output, votes)
            coverage = true_of / rows if rows else 0.0
            precision = right / true_of if labelled and true_of else None
        polarity = 1 if votes > 0 else -1
        rules.append(Rule(labels[output], polarity, votes, conditions, clauses, coverage, precision, spellings[output], less))
    return rules


def _true_and_right(counts: np.ndarray, output: int, votes: int) -> tuple[int, int]:
    """Of how many rows a clause is true, and about how many of these it is right."""
    true_of, of_class = int(counts.sum()), int(counts[output])
    return true_of, of_class if votes > 0 else true_of - of_class


def _column_names(estimator: TMBase, feature_names: Sequence[str] | None) -> list[str]:
    """The given names as the library takes them: none for the model's own, which are those of texts in any case."""
    if feature_names is None:
        return []
    names = [str(name) for name in feature_names]
    if len(names) != estimator.n_features_in_:
        raise ValueError(f"feature_names must have {estimator.n_features_in_} names, got {len(names)}")
    return [] if estimator.booleanizer_.mapping_.kind == "words" else names


def explain(estimator: TMBase, feature_names: Sequence[str] | None, rows: Any, prediction: Any = None) -> Explanation:
    """`rows` has one row. `prediction`: None for the class with most votes."""
    votes = estimator._predictor().votes(rows)[0]
    rules = all_rules(estimator, feature_names, only=_core.clause_outputs(estimator.model_, rows)[0])
    rules.sort(key=lambda rule: (-abs(rule.weight), len(rule.literals)))
    labels = estimator._rule_labels()
    if prediction is None:
        prediction = labels[int(np.argmax(votes))]
    return Explanation(prediction, dict(zip(labels, votes.tolist())), rules)


def to_frame(rules: list[Rule]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("as_frame needs pandas: pip install pandas") from error
    columns = ("label", "polarity", "weight", "literals", "coverage", "precision", "text")
    return pd.DataFrame([{c: getattr(rule, c) for c in columns} for rule in rules], columns=list(columns)).rename(
        columns={"label": "class"}
    )

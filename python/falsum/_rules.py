"""Clauses for people: rules in the units of the data, and why a row got its label.

A clause over thermometer features says one thing several times: ``age >= 30`` and ``age >= 41.5`` and not ``age >= 60``
is ``41.5 <= age < 60``. Literals are put together by column, so that every column is told once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from falsum._booleanizer import _rename

if TYPE_CHECKING:
    from falsum._classifier import TMClassifier


@dataclass(frozen=True)
class Rule:
    """Equal clauses of one class and polarity."""

    label: Any  #: the class it votes about
    polarity: int  #: +1 votes for the class, -1 against it
    weight: int  #: its votes, all equal clauses together; negative if against
    literals: tuple[str, ...]  #: conditions that must all hold, in the units of the data
    clauses: tuple[int, ...] = field(repr=False)  #: positions of the clauses within the class
    coverage: float | None = None  #: share of the given rows it is true of
    precision: float | None = None  #: share of those rows it is right about

    @property
    def text(self) -> str:
        """The rule as a sentence."""
        end = f"THEN {self.label}" if self.polarity > 0 else f"THEN NOT {self.label}"
        return f"{self.weight:+d} IF {' AND '.join(self.literals)} {end}"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its label."""

    prediction: Any  #: the label
    votes: dict[Any, int]  #: the class sums
    rules: list[Rule]  #: the clauses that are true of the row, of all classes, most votes first

    def of_class(self, label: Any) -> list[Rule]:
        """The true rules about one class."""
        return [rule for rule in self.rules if rule.label == label]

    def __str__(self) -> str:
        lines = [f"{self.prediction}: " + ", ".join(f"{v:+d} for {label}" for label, v in self.votes.items())]
        mine = self.of_class(self.prediction)
        lines += ["  " + rule.text for rule in mine[:10]]
        if len(mine) > 10:
            lines.append(f"  and {len(mine) - 10} more rules about {self.prediction}")
        return "\n".join(lines)


class Literals:
    """What the literals of a model say: for each feature its column, the comparison and the value."""

    def __init__(self, parts: list[tuple[str, str, Any]]) -> None:
        self._parts = parts
        self._features = len(parts)

    def conditions(self, clause: np.ndarray) -> tuple[str, ...] | None:
        """The conditions of a clause, one or two for each column; None if they contradict each other."""
        above: dict[str, Any] = {}
        below: dict[str, Any] = {}
        is_equal: dict[str, set[Any]] = defaultdict(set)
        not_equal: dict[str, list[Any]] = defaultdict(list)
        truth: dict[str, bool] = {}
        signs: dict[str, str] = {}
        order: dict[str, None] = {}
        for literal in clause.tolist():
            negated = literal >= self._features
            column, comparison, value = self._parts[literal - self._features if negated else literal]
            order[column] = None
            if comparison == "is":
                if truth.setdefault(column, not negated) is negated:
                    return None
            elif comparison == "=":
                not_equal[column].append(value) if negated else is_equal[column].add(value)
            else:
                signs[column] = comparison
                if negated:
                    below[column] = min(below.get(column, value), value)
                else:
                    above[column] = max(above.get(column, value), value)
        said: list[str] = []
        for column in order:
            if column in truth:
                said.append(column if truth[column] else f"not {column}")
            if column in is_equal:
                if len(is_equal[column]) > 1 or is_equal[column] & set(not_equal[column]):
                    return None
                said.append(f"{column} = {next(iter(is_equal[column]))}")
            else:
                said += [f"{column} != {value}" for value in not_equal[column]]
            if column in signs:
                interval = _interval(column, signs[column], above.get(column), below.get(column))
                if interval is None:
                    return None
                said.append(interval)
        return tuple(said)


def _interval(column: str, sign: str, above: Any, below: Any) -> str | None:
    lower, upper = ("<=", "<") if sign == ">=" else ("<", "<=")
    if above is not None and below is not None:
        return f"{_number(above)} {lower} {column} {upper} {_number(below)}" if above < below else None
    return f"{column} {sign} {_number(above)}" if above is not None else f"{column} {upper} {_number(below)}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def literals_of(estimator: TMClassifier, feature_names: Sequence[str] | None) -> Literals:
    """What the estimator's literals say, with its own names or the given ones of its columns."""
    rules = estimator.booleanizer_.rules_
    if feature_names is not None:
        names = [str(name) for name in feature_names]
        if len(names) != estimator.n_features_in_:
            raise ValueError(f"feature_names must have {estimator.n_features_in_} names, got {len(names)}")
        rules = _rename(rules, names)
    parts: list[tuple[str, str, Any]] = []
    if rules.kind == "columns":
        for c, (name, kind, thresholds, categories) in enumerate(rules.column_rules):
            name = name or f"x{c}"
            if kind == "boolean":
                parts.append((name, "is", True))
            parts += [(name, ">=", threshold) for threshold in thresholds]
            parts += [(name, "=", category) for category in categories]
    elif rules.kind == "levels":
        width = rules.image_width
        pixels = rules.features // len(rules.level_thresholds)
        for level in rules.level_thresholds:
            parts += [(f"pixel {i // width},{i % width}" if width else f"pixel {i}", ">", level) for i in range(pixels)]
    else:
        parts = [(name, "is", True) for name in rules.feature_names]
    return Literals(parts)


def all_rules(
    estimator: TMClassifier, literals: Literals, counts: np.ndarray | None, rows: int, labelled: bool, only: np.ndarray | None = None
) -> list[Rule]:
    """The rules of every class; of the clauses in the mask ``only``, if it is given."""
    starts, included, weights = estimator.model_.clauses
    per_class = estimator.model_.clauses_per_class
    rules: list[Rule] = []
    for class_id, label in enumerate(estimator.classes_.tolist()):
        same: dict[tuple[int, bytes], list[int]] = {}
        for clause in range(per_class):
            c = class_id * per_class + clause
            if starts[c] == starts[c + 1] or (only is not None and not only[c]):
                continue
            polarity = 1 if weights[c] > 0 else -1
            same.setdefault((polarity, included[starts[c] : starts[c + 1]].tobytes()), []).append(clause)
        found: list[Rule] = []
        for (polarity, _), clauses in same.items():
            first = class_id * per_class + clauses[0]
            conditions = literals.conditions(included[starts[first] : starts[first + 1]])
            if conditions is None:
                continue
            weight = int(sum(int(weights[class_id * per_class + clause]) for clause in clauses))
            coverage = precision = None
            if counts is not None:
                true_of = int(counts[first].sum())
                coverage = true_of / rows if rows else 0.0
                if labelled and true_of:
                    right = int(counts[first][class_id])
                    precision = (right if polarity > 0 else true_of - right) / true_of
            found.append(Rule(label, polarity, weight, conditions, tuple(clauses), coverage, precision))
        found.sort(key=lambda rule: (-abs(rule.weight), len(rule.literals), rule.polarity < 0, rule.clauses))
        rules += found
    return rules


def explain(estimator: TMClassifier, literals: Literals, outputs: np.ndarray) -> Explanation:
    weights = estimator.model_.clauses[2]
    votes = (outputs * weights).reshape(len(estimator.classes_), -1).sum(axis=1)
    rules = all_rules(estimator, literals, None, 0, False, only=outputs)
    rules.sort(key=lambda rule: (-abs(rule.weight), len(rule.literals)))
    labels = estimator.classes_.tolist()
    return Explanation(labels[int(np.argmax(votes))], dict(zip(labels, votes.tolist())), rules)


def to_frame(rules: list[Rule]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("as_frame needs pandas: pip install pandas") from error
    columns = ("label", "polarity", "weight", "literals", "coverage", "precision", "text")
    return pd.DataFrame([{c: getattr(rule, c) for c in columns} for rule in rules], columns=list(columns)).rename(columns={"label": "class"})

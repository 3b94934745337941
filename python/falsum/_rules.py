"""Clauses for people: rules in the units of the data, and why a row got its label.

A clause over thermometer features says one thing several times: ``age >= 30`` and ``age >= 41.5`` and not ``age >= 60``
is ``41.5 <= age < 60``. Literals are put together by column, so that every column is told once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from falsum import _core
from falsum._booleanizer import plain_number, rename

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
    """What the literals of a model say: for each feature its column, the comparison and the value. Comparisons are ``is``
    (a truth value), ``=``, ``>=`` or ``>`` and ``missing``; ``kinds`` says which columns hold dates or times."""

    def __init__(self, parts: list[tuple[str, str, Any]], kinds: dict[str, str] | None = None) -> None:
        self._parts = parts
        self._features = len(parts)
        self._kinds = kinds or {}
        self._may_miss = {column for column, comparison, _ in parts if comparison == "missing"}

    def conditions(self, clause: np.ndarray) -> tuple[str, ...] | None:
        """The conditions of a clause, one or two for each column; None if they contradict each other."""
        columns: dict[str, _Said] = {}
        for literal in clause.tolist():
            negated = literal >= self._features
            column, comparison, value = self._parts[literal - self._features if negated else literal]
            columns.setdefault(column, _Said()).add(comparison, value, negated)
        conditions: list[str] = []
        for column, said in columns.items():
            told = said.tell(column, column in self._may_miss, self._kinds.get(column, "number"))
            if told is None:
                return None
            conditions += told
        return tuple(conditions)


class _Said:
    """What a clause says about one column."""

    def __init__(self) -> None:
        self.truth: set[bool] = set()
        self.missing: set[bool] = set()
        self.equal: set[Any] = set()
        self.not_equal: list[Any] = []
        self.sign = ""
        self.above: Any = None
        self.below: Any = None

    def add(self, comparison: str, value: Any, negated: bool) -> None:
        if comparison == "is":
            self.truth.add(not negated)
        elif comparison == "missing":
            self.missing.add(not negated)
        elif comparison == "=":
            self.not_equal.append(value) if negated else self.equal.add(value)
        else:
            self.sign = comparison
            if negated:
                self.below = value if self.below is None else min(self.below, value)
            else:
                self.above = value if self.above is None else max(self.above, value)

    def tell(self, column: str, may_miss: bool, kind: str) -> list[str] | None:
        """None if it contradicts itself. A missing value is not true, no category and not above anything, so all that is
        negated holds for it."""
        has_value = True in self.truth or bool(self.equal) or self.above is not None
        if len(self.truth) > 1 or len(self.missing) > 1 or len(self.equal) > 1 or self.equal & set(self.not_equal):
            return None
        if self.above is not None and self.below is not None and self.above >= self.below:
            return None
        if True in self.missing:
            return None if has_value else [f"{column} is missing"]
        unless = " or missing" if may_miss and not has_value and False not in self.missing else ""
        told = []
        if self.truth:
            told.append(column if True in self.truth else f"not {column}{unless}")
        if self.equal:
            told.append(f"{column} = {next(iter(self.equal))}")
        else:
            told += [f"{column} != {value}{unless}" for value in self.not_equal]
        if self.sign:
            told.append(_interval(column, self.sign, self.above, self.below, kind) + unless)
        return told or [f"{column} is not missing"]


def _interval(column: str, sign: str, above: Any, below: Any, kind: str) -> str:
    lower, upper = ("<=", "<") if sign == ">=" else ("<", "<=")
    if above is not None and below is not None:
        return f"{_value(kind, above)} {lower} {column} {upper} {_value(kind, below)}"
    return f"{column} {sign} {_value(kind, above)}" if above is not None else f"{column} {upper} {_value(kind, below)}"


def _value(kind: str, value: float) -> str:
    return plain_number(value) if kind == "number" else _core.value_text(kind, value)


def literals_of(estimator: TMClassifier, feature_names: Sequence[str] | None) -> Literals:
    """What the estimator's literals say, with its own names or the given ones of its columns."""
    rules = estimator.booleanizer_.rules_
    if feature_names is not None:
        names = [str(name) for name in feature_names]
        if len(names) != estimator.n_features_in_:
            raise ValueError(f"feature_names must have {estimator.n_features_in_} names, got {len(names)}")
        rules = rename(rules, names)
    parts: list[tuple[str, str, Any]] = []
    kinds: dict[str, str] = {}
    if rules.kind == "columns":
        names = [name or f"x{c}" for c, (name, *_) in enumerate(rules.column_rules)]
        for c, (_, kind, thresholds, categories, missing) in enumerate(rules.column_rules):
            name = names[c] if names.count(names[c]) == 1 else f"{names[c]} (column {c})"  # what is said of one is not said of the other
            if kind == "boolean":
                parts.append((name, "is", True))
            elif kind != "category":
                kinds[name] = kind
            parts += [(name, ">=", threshold) for threshold in thresholds]
            parts += [(name, "=", category) for category in categories]
            if missing:
                parts.append((name, "missing", True))
    elif rules.kind == "levels":
        width = rules.image_width
        pixels = rules.features // len(rules.level_thresholds)
        for level in rules.level_thresholds:
            parts += [(f"pixel {i // width},{i % width}" if width else f"pixel {i}", ">", level) for i in range(pixels)]
    else:
        parts = [(name, "is", True) for name in rules.feature_names]
    return Literals(parts, kinds)


def all_rules(
    estimator: TMClassifier, literals: Literals, counts: np.ndarray | None, rows: int, labelled: bool, only: np.ndarray | None = None
) -> list[Rule]:
    """The rules of every class; of the clauses in the mask ``only``, if it is given."""
    starts, included, weight_starts, voters, votes = estimator.model_.clauses
    rules: list[Rule] = []
    for class_id, label in enumerate(estimator.classes_.tolist()):
        same: dict[tuple[int, bytes], list[int]] = {}
        first_of_class = int(weight_starts[class_id])
        for at in range(first_of_class, int(weight_starts[class_id + 1])):
            c = voters[at]
            if starts[c] == starts[c + 1] or (only is not None and not only[c]):
                continue
            polarity = 1 if votes[at] > 0 else -1
            same.setdefault((polarity, included[starts[c] : starts[c + 1]].tobytes()), []).append(at - first_of_class)
        found: list[Rule] = []
        for (polarity, _), clauses in same.items():
            first = voters[first_of_class + clauses[0]]
            conditions = literals.conditions(included[starts[first] : starts[first + 1]])
            if conditions is None:
                continue
            weight = sum(int(votes[first_of_class + clause]) for clause in clauses)
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
    _, _, weight_starts, voters, weights = estimator.model_.clauses
    cast = np.concatenate([[0], np.cumsum(outputs[voters] * weights)])
    votes = cast[weight_starts[1:]] - cast[weight_starts[:-1]]
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
    return pd.DataFrame([{c: getattr(rule, c) for c in columns} for rule in rules], columns=list(columns)).rename(
        columns={"label": "class"}
    )

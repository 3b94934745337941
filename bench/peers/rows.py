"""What is measured: the rows of the table.

Numbers of clauses are per class or label; where classes share them, and in regression, in all. The kind of a row says what
machine it is: plain, weighted, shared (all classes vote with the same clauses, each with weights of its own), regression or
multilabel (shared clauses for all labels), patches (of 10x10 pixels, with weights), fuzzy; regression and multilabel have weights.
Systems say which kinds they have.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Row:
    name: str
    data: str
    clauses: int
    threshold: int
    specificity: float
    vocabulary: int = 5000  # imdb
    samples: int = 0  # learned in an epoch; 0: all. Peers that take an hour for an epoch are why
    epochs: int = 5  # to the trained state
    piece: int = 0  # an epoch is learned in calls of so many samples; 0: in one
    kind: str = "plain"
    max_literals: int = 0  # these two: fuzzy
    fuzzy: int = 0

    @property
    def data_name(self):
        return f"{self.data}-{self.vocabulary}" if self.data == "imdb" else self.data

    @property
    def title(self):
        words = {"mnist": "MNIST", "fashion-mnist": "Fashion-MNIST", "imdb": f"IMDb {self.vocabulary:,} words",
                 "friedman": "Friedman #1", "rules": "labels by rules"}  # fmt: skip
        which = {"plain": "clauses per class", "weighted": "weighted clauses per class", "shared": "shared clauses in all",
                 "regression": "weighted clauses", "multilabel": "shared clauses in all",
                 "patches": "weighted clauses of 10x10 patches per class", "fuzzy": "fuzzy clauses per class"}[self.kind]  # fmt: skip
        return f"{words[self.data]}, {self.clauses:,} {which}, T {self.threshold}, s {self.specificity:g}"


ROWS = [
    Row("mnist-100", "mnist", 100, 15, 10),
    Row("mnist-2000", "mnist", 2000, 50, 10),
    Row("mnist-20000", "mnist", 20000, 100, 10, samples=20000, epochs=3),
    Row("fashion-mnist-2000", "fashion-mnist", 2000, 50, 10),
    Row("imdb-5k-1000", "imdb", 1000, 100, 27, epochs=2),
    Row("imdb-5k-10000", "imdb", 10000, 500, 27, samples=5000, epochs=2, piece=2500),
    Row("imdb-20k-1000", "imdb", 1000, 100, 27, vocabulary=20000, samples=5000, epochs=2),
    Row("mnist-500-shared", "mnist", 500, 250, 10, kind="shared"),
    Row("mnist-2000-shared", "mnist", 2000, 1000, 10, kind="shared"),
    Row("mnist-2000-shared-e20", "mnist", 2000, 1000, 10, epochs=20, kind="shared"),
    Row("mnist-500-weighted", "mnist", 500, 1250, 10, samples=10000, epochs=2, kind="weighted"),
    Row("friedman-regression", "friedman", 1000, 5000, 2.75, epochs=5, kind="regression"),
    Row("mnist-500-patches", "mnist", 500, 1250, 5, epochs=2, kind="patches"),
    Row("mnist-2000-patches", "mnist", 2000, 5000, 5, epochs=2, kind="patches"),
    Row("mnist-2000-patches-e15", "mnist", 2000, 5000, 5, epochs=15, kind="patches"),
    Row("mnist-20-fuzzy", "mnist", 20, 20, 400, epochs=20, kind="fuzzy", max_literals=150, fuzzy=75),
    Row("mnist-40-fuzzy", "mnist", 40, 28, 400, epochs=20, kind="fuzzy", max_literals=100, fuzzy=50),
    Row("rules-multilabel", "rules", 200, 200, 5, samples=3000, kind="multilabel"),
]

QUICK_ROWS = [
    replace(ROWS[0], epochs=2),
    replace(ROWS[1], epochs=1, samples=20000),
    replace(ROWS[4], epochs=1, samples=5000),
]


def rows_named(names, quick):
    """The rows of these names, all if there are none; ValueError names one that is not there."""
    rows = {row.name: row for row in (QUICK_ROWS if quick else ROWS)}
    for name in names:
        if name not in rows:
            raise ValueError(f"there is no row {name}; there are {', '.join(rows)}")
    return [rows[name] for name in names] if names else list(rows.values())

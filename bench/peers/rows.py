"""What is measured: the rows of the table. Numbers of clauses are per class; where classes share them, in all."""

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
    shared: bool = False  # all classes vote with the same clauses, each with weights of its own

    @property
    def data_name(self):
        return f"{self.data}-{self.vocabulary}" if self.data == "imdb" else self.data

    @property
    def title(self):
        words = {"mnist": "MNIST", "fashion-mnist": "Fashion-MNIST", "imdb": f"IMDb {self.vocabulary:,} words"}
        which = "shared clauses in all" if self.shared else "clauses per class"
        return f"{words[self.data]}, {self.clauses:,} {which}, T {self.threshold}, s {self.specificity:g}"


ROWS = [
    Row("mnist-100", "mnist", 100, 15, 10),
    Row("mnist-2000", "mnist", 2000, 50, 10),
    Row("mnist-20000", "mnist", 20000, 100, 10, samples=20000, epochs=3),
    Row("fashion-mnist-2000", "fashion-mnist", 2000, 50, 10),
    Row("imdb-5k-1000", "imdb", 1000, 100, 27, epochs=2),
    Row("imdb-5k-10000", "imdb", 10000, 500, 27, samples=5000, epochs=2, piece=2500),
    Row("imdb-20k-1000", "imdb", 1000, 100, 27, vocabulary=20000, samples=5000, epochs=2),
    Row("mnist-500-shared", "mnist", 500, 250, 10, shared=True),
    Row("mnist-2000-shared", "mnist", 2000, 1000, 10, shared=True),
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

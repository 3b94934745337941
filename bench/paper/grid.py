"""The cells of the paper's three tables, and what falsum trains in each."""

import dataclasses
import math

CLAUSES = (1000, 2000, 5000, 10000, 20000)
QUICK_CLAUSES = (1000, 2000, 5000)


@dataclasses.dataclass(frozen=True)
class Data:
    name: str  # as the tables and files call it
    builtin: str  # falsum's name for it
    letter: str  # M1 .. M4
    sizes: tuple  # numbers of features
    specificity: float
    threshold: float  # at this many clauses; grows with their square root
    threshold_clauses: int
    training: dict  # by clauses, or features and clauses: epochs before anything is timed, and samples of each

    def variant(self, features):
        return f"{self.letter}{self.sizes.index(features) + 1}"


# The large cells are trained for less than the small ones, so that the whole grid takes an hour or two.
IMAGE_TRAINING = {1000: (5, 60000), 2000: (5, 60000), 5000: (2, 60000), 10000: (1, 20000), 20000: (1, 6000)}
IMDB_TRAINING = {1000: (5, 25000), 2000: (3, 25000), 5000: (1, 12500), 10000: (1, 5000), 20000: (1, 2500)}
IMDB_TRAINING[5000, 10000] = (10, 25000)  # the cell whose accuracy is known from the authors' demo
PIXELS = 28 * 28
IMAGE_SIZES = tuple(PIXELS * levels for levels in (1, 2, 3, 4))
DATA = (
    Data("mnist", "mnist", "M", IMAGE_SIZES, 10, 50, 2000, IMAGE_TRAINING),
    Data("fashion", "fashion-mnist", "F", IMAGE_SIZES, 10, 50, 2000, IMAGE_TRAINING),
    Data("imdb", "imdb", "I", (5000, 10000, 15000, 20000), 27, 80, 10000, IMDB_TRAINING),
)


@dataclasses.dataclass(frozen=True)
class Cell:
    data: Data
    features: int
    clauses: int

    @property
    def key(self):
        return self.data.name, self.features, self.clauses

    @property
    def name(self):
        return f"{self.data.variant(self.features)} with {self.clauses} clauses"

    @property
    def work(self):
        """How long it takes, in units of nothing: for the order of the cells and the time left."""
        classes = 2 if self.data.letter == "I" else 10
        return 2e8 + classes * self.features * self.clauses

    @property
    def threshold(self):
        return round(self.data.threshold * math.sqrt(self.clauses / self.data.threshold_clauses))

    def arguments(self, whole_epochs=None, most_seconds=0):
        """For falsum_bench_paper: trained as far as `training` says, or for whole epochs within so many seconds."""
        if self.data.letter == "I":  # as in the authors' demo: words and pairs of words, chosen by chi squared
            size = ["--vocabulary", self.features, "--phrases", 2, "--select", "chi2"]
        else:
            size = ["--levels", self.features // PIXELS]
        run = ["--data", self.data.builtin, *size, "--clauses", self.clauses, "-T", self.threshold]
        epochs, samples = self.data.training.get((self.features, self.clauses)) or self.data.training[self.clauses]
        limit = []
        if whole_epochs:
            epochs, samples, limit = whole_epochs, 0, ["--most-seconds", most_seconds]
        run += ["-s", self.data.specificity, "--epochs", epochs, "--train-samples", samples, *limit]
        run += ["--rounds", 5 if self.clauses <= 2000 else 3]
        return [str(argument) for argument in run]


def cells(quick=False, datasets=(), clauses=(), features=()):
    """Those asked for, the small ones first. ValueError for a limit that no cell meets."""
    everything = [Cell(data, size, n) for data in DATA for size in data.sizes for n in CLAUSES]
    for what, asked, there in (
        ("dataset", datasets, [data.name for data in DATA]),
        ("clauses", clauses, list(CLAUSES)),
        ("features", features, sorted({size for data in DATA for size in data.sizes})),
    ):
        for value in asked:
            if value not in there:
                raise ValueError(f"--{what} must be one of {', '.join(map(str, there))}, got {value}")
    chosen = [
        cell
        for cell in everything
        if (not datasets or cell.data.name in datasets)
        and (not clauses or cell.clauses in clauses)
        and (not features or cell.features in features)
        and (not quick or (cell.clauses in QUICK_CLAUSES and cell.features in (cell.data.sizes[0], cell.data.sizes[-1])))
    ]
    if not chosen:
        raise ValueError("there is no such cell: these limits leave nothing of the grid")
    return sorted(chosen, key=lambda cell: cell.work)

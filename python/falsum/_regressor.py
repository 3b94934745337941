"""TMRegressor: a Tsetlin machine that answers with a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_array, check_consistent_length

from falsum import _core, _input, _rules, _weights
from falsum._base import TMBase
from falsum._booleanizer import Booleanizer
from falsum._drafts import draft_of
from falsum._learning import learn, learn_batch
from falsum._options import default, threads
from falsum._packed import PackedRows

_FITTED = (
    "n_features_in_", "feature_names_in_", "booleanizer_", "machine_", "model_", "n_epochs_", "history_", "best_score_",
    "best_epoch_", "options_", "_compiled", "_goes_on", "_image", "_label_name", "_not_features",
)  # fmt: skip


class TMRegressor(RegressorMixin, TMBase):
    """Tsetlin machine for numbers: all clauses vote for more, and the votes, from 0 to T, are the answer.

    No votes stand for the least number of the training data, T votes for the largest; between them the answer has T steps.
    Same seed, same machine: for every engine, kernel set and number of threads, and for the command line too.

    Parameters
    ----------
    clauses : int
        Clauses in all.
    threshold : int
        T: the votes that stand for the largest number. Answers have T steps, so T should be in the thousands; clauses with
        weights reach it.
    specificity : float or (float, float)
        Specificity s: larger means longer, more specific clauses. 2 to 10 is usual; a range gives clauses different values.
    epochs : int
        Passes over the training data.
    boost : bool
        Always strengthen true literals of a true clause.
    states : int
        States of an automaton; even.
    weighted : bool, default=True
        Clauses have integer weights. Without, T cannot be larger than the number of clauses.
    max_weight : int
        Largest weight of a clause; 1 means no such limit.
    weight_growth : float
        Slow real weights instead of integers: a clause that is right has its weight multiplied by 1 + this, one that is wrong
        divided. 0.0001 to 0.01 is usual. Votes then count 256 for a weight of 1; ``threshold`` is that of a machine without
        weights. 0 for integer weights.
    error : {"squared", "linear"}
        A clause takes part in learning with probability (error / T) squared, or error / T: the latter converges faster and is noisier.
    y_range : (float, float) or None, default=None
        The least and the largest number that it can answer. None takes those of the first training data.
    max_literals : int
        Literal budget: a clause with more literals forgets where it would learn more. 0 for no budget.
    drop_clauses : float
        Share of the clauses that rest during an epoch.
    drop_literals : float
        Share of the literals that no clause sees during an epoch.
    patch_shape : (int, int) or None, default=None
        Rows and columns of a patch: clauses look at patches of an image, and are true where one of them is. ``X`` is then an array
        of truth values (or zeros and ones) of 3 dimensions (images, rows, columns) or 4 (and channels), or has 2 and ``image_shape``.
    image_shape : (int, int), (int, int, int) or None, default=None
        Rows, columns and channels of an image. None is what ``X`` says.
    patch_stride : (int, int), default=(1, 1)
        How far a patch moves, in rows and columns.
    engine : {"auto", "scan", "index", "lookahead", "bitmap", "sliced"}
        How clauses are evaluated; never changes the result.
    kernels : str
        Kernel set, "auto" for the fastest; never changes the result.
    max_memory : int
        Memory that learning may take, in MB; 0 for all of the computer's.
    n_jobs : int or None, default=None
        Threads, as for `TMClassifier`; never changes the result.
    random_state : int, RandomState instance or None, default=None
        Seed of every random draw.
    verbose : int, default=0
        1 shows a progress bar with R2.
    early_stopping : bool, default=False
        Keep ``validation_fraction`` of the data aside, stop when R2 on it has not risen for ``n_iter_no_change`` epochs, and take
        the best epoch's clauses.
    validation_fraction : float, default=0.1
        Share of the training data that is kept aside for early stopping.
    n_iter_no_change : int, default=5
        Epochs without a better R2 before learning stops.
    warm_start : bool, default=False
        ``fit`` continues from the current clauses instead of starting again.
    booleanizer : Booleanizer or None, default=None
        Turns values into Boolean features. None is ``Booleanizer()``, fitted in ``fit``.
    callbacks : sequence of callables or None, default=None
        Each is called after every epoch with a dictionary: epoch, epochs, mean_clause_length, flips, r2 (on the data kept aside, if
        there are any), estimator. If one returns True, learning stops.

    Attributes
    ----------
    n_features_in_ : int
        Columns of the data.
    feature_names_in_ : ndarray of str
        Their names, if the data had names.
    y_range_ : (float, float)
        The numbers that it can answer.
    booleanizer_ : Booleanizer
        Turns values into features.
    n_epochs_ : int
        Epochs learned.
    history_ : list of dict
        The dictionaries given to the callbacks.
    best_score_ : float
        Best R2 on the data kept aside, with early stopping.
    best_epoch_ : int
        The epoch of the best R2, whose clauses are kept, with early stopping.

    Examples
    --------
    >>> from falsum import TMRegressor
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> TMRegressor(random_state=0).fit(X, y).score(X, y) > 0.4
    True
    """

    _task = "regression"
    _score_name = "r2"

    def __init__(
        self,
        clauses: int = 1000,
        threshold: int = 5000,
        specificity: float | tuple[float, float] = 3.0,
        epochs: int = 60,
        boost: bool = default("boost"),
        states: int = default("states"),
        *,
        weighted: bool = True,
        max_weight: int = default("max_weight"),
        weight_growth: float = default("weight_growth"),
        error: str = default("error"),
        y_range: tuple[float, float] | None = None,
        max_literals: int = default("max_literals"),
        drop_clauses: float = default("drop_clauses"),
        drop_literals: float = default("drop_literals"),
        patch_shape: tuple[int, int] | None = None,
        image_shape: tuple[int, ...] | None = None,
        patch_stride: tuple[int, int] = (1, 1),
        engine: str = default("engine"),
        kernels: str = default("kernels"),
        max_memory: int = default("max_memory"),
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        booleanizer: Booleanizer | None = None,
        callbacks: Sequence[Callable[[dict[str, Any]], Any]] | None = None,
    ) -> None:
        self.clauses = clauses
        self.threshold = threshold
        self.specificity = specificity
        self.epochs = epochs
        self.boost = boost
        self.states = states
        self.weighted = weighted
        self.max_weight = max_weight
        self.weight_growth = weight_growth
        self.error = error
        self.y_range = y_range
        self.max_literals = max_literals
        self.drop_clauses = drop_clauses
        self.drop_literals = drop_literals
        self.patch_shape = patch_shape
        self.image_shape = image_shape
        self.patch_stride = patch_stride
        self.engine = engine
        self.kernels = kernels
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.booleanizer = booleanizer
        self.callbacks = callbacks

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> TMRegressor:
        """Learns from rows ``X`` and numbers ``y``, or from `PackedRows` alone. A call that fails changes nothing.

        ``sample_weight`` has a number for each row: how often it is learned, compared with the others. See `TMClassifier.fit`.
        """
        if isinstance(X, PackedRows):
            return self._fit_packed(X, y, sample_weight, _FITTED)
        going_on = self.warm_start and getattr(self, "machine_", None) is not None
        draft, rows, numbers, weights, options = self._prepared(X, y, sample_weight, going_on)
        draft._goes_on = bool(self.warm_start)
        learn(self, draft, rows, numbers, weights, options)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> TMRegressor:
        """One epoch over new data. The first batch fits the booleanizer and, without ``y_range``, the range of answers.
        Weights are compared within a batch."""
        if getattr(self, "model_", None) is not None and getattr(self, "machine_", None) is None:
            raise ValueError("this estimator was loaded and holds clauses only: it predicts but cannot go on learning")
        draft, rows, numbers, weights, _ = self._prepared(X, y, sample_weight, getattr(self, "machine_", None) is not None)
        draft._goes_on = True
        learn_batch(self, draft, rows, numbers, weights)
        return self

    def _prepared(
        self, X: Any, y: Any, sample_weight: Any, going_on: bool
    ) -> tuple[Any, Any, np.ndarray, np.ndarray | None, dict[str, Any]]:
        options = self._options()
        draft = draft_of(self, () if going_on else _FITTED)
        if going_on:
            draft._go_on(options)
        X, numbers = draft._check_training(X, y, reset=not going_on)
        X, numbers, weights = _weights.learned_rows(X, numbers, sample_weight)
        numbers, weights = draft._as_targets(numbers, weights, options, going_on)
        if not going_on:
            draft._fit_booleanizer(X)
        rows = draft.booleanizer_._rows(X)
        if not going_on:
            options = draft._choose(draft._with_image(options), rows.rows, 1)
            draft.machine_ = draft._new_machine(options, rows.columns, numbers)
        return draft, rows, numbers, weights, options

    def _check_training(self, X: Any, y: Any, reset: bool) -> tuple[Any, np.ndarray]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        name = getattr(y, "name", None)
        self._label_name = name if isinstance(name, str) else ""
        X = _input.check(self, X, reset=reset)
        numbers = self._checked_targets(y)
        check_consistent_length(X, numbers)
        return X, numbers

    def _checked_targets(self, y: Any) -> np.ndarray:
        y = check_array(y, ensure_2d=False, dtype="numeric", input_name="y", estimator=self)
        return np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)

    def _as_targets(
        self, y: np.ndarray, weights: np.ndarray | None, options: dict[str, Any], going_on: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        if not going_on and len(y) < 2:
            raise ValueError(f"{type(self).__name__} needs at least 2 samples, got 1 sample")
        return y, weights

    def _new_machine(
        self, options: dict[str, Any], columns: int, targets: np.ndarray, part: _core.Part | None = None
    ) -> _core.Machine:
        machine = _core.Machine(options, columns, 1, part or _core.Part())
        machine.set_range(*(self._checked_range() or (float(targets.min()), float(targets.max()))))
        return machine

    def _checked_range(self) -> tuple[float, float] | None:
        if self.y_range is None:
            return None
        try:
            least, most = (float(end) for end in self.y_range)
        except (TypeError, ValueError):
            raise ValueError(f"y_range must be None or two numbers, got {self.y_range!r}") from None
        if not (np.isfinite(most - least) and least < most):
            raise ValueError(f"y_range must be two finite numbers that ascend, got {self.y_range!r}")
        return least, most

    @property
    def y_range_(self) -> tuple[float, float]:
        self._check_fitted()
        least, most = self.model_.range
        return least, most

    def predict(self, X: Any) -> np.ndarray:
        """The number of each row, within ``y_range_``."""
        rows = self._rows(X)
        return self._predictor().numbers(rows, threads(self.n_jobs))

    def rules(self, *, feature_names: Sequence[str] | None = None, as_frame: bool = False) -> Any:
        """The learned clauses as rules: each adds its votes to the answer where it is true."""
        self._check_fitted()
        rules = _rules.all_rules(self, feature_names)
        return _rules.to_frame(rules) if as_frame else rules

    def explain(self, x: Any, *, feature_names: Sequence[str] | None = None) -> _rules.Explanation:
        """Why one row gets its number: the clauses that are true of it, and their conditions."""
        self._check_fitted()
        rows = self._one_row(x)
        number = float(self._predictor().numbers(rows)[0])
        return _rules.explain(self, feature_names, rows, number)

    def _answers(self, rows: Any, y: Any, what: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        numbers = np.ascontiguousarray(column_or_1d(y), dtype=np.float64)
        if len(numbers) != rows.rows:
            raise ValueError(f"X has {rows.rows} rows, but y has {len(numbers)}")
        return None, numbers

    @classmethod
    def _may_be(cls, task: str) -> bool:
        return task == "regression"

    def _output_labels(self) -> list[str]:
        return []

    def _label_kind(self) -> str:
        return "real"

    def _rule_labels(self) -> list[Any]:
        return ["number"]

    def _score_of(self, predictor: _core.Predictor, held: _weights.Held, jobs: int) -> float:
        error = _weights.mean((predictor.numbers(held.rows, jobs) - held.targets) ** 2, held.weights)
        variance = _weights.mean((held.targets - _weights.mean(held.targets, held.weights)) ** 2, held.weights)
        return float(1 - error / variance) if variance > 0 else float(error == 0)

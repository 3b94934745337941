"""TMClassifier: a Tsetlin machine that scikit-learn knows how to use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_consistent_length

from falsum import _core, _input, _labels, _rules, _targets, _weights
from falsum._base import TMBase
from falsum._booleanizer import Booleanizer
from falsum._drafts import draft_of
from falsum._learning import learn, learn_batch
from falsum._options import default, threads
from falsum._packed import PackedRows

_BOOL = np.dtype(bool)
_METHODS = ("temperature", "isotonic")
_NOTHING: dict[str, Any] = {}
_ONE_BLOCK = 512  # rows that the core predicts on one thread in any case
_FITTED = (
    "classes_", "n_features_in_", "feature_names_in_", "booleanizer_", "machine_", "model_", "n_epochs_", "history_", "best_score_",
    "best_epoch_", "options_", "_compiled", "_goes_on", "_image", "_label_name", "_not_features", "_task",
)  # fmt: skip


class TMClassifier(ClassifierMixin, TMBase):
    """Tsetlin machine: a classifier of rules that vote.

    Every class has clauses, each an AND of features and negated features; half of them vote for the class and half
    against. The class with most votes wins. Same seed, same machine: for every engine, kernel set and number of
    threads, and for the command line too.

    Parameters
    ----------
    clauses : int or "auto"
        Clauses per class, half of them for it and half against; even. More clauses learn finer distinctions. "auto" chooses it by
        the data, as it does the next three and ``snapshots``: see ``options_`` for the numbers, docs/choosing.md for the law.
    threshold : int or "auto"
        Vote target T: learning slows down as the votes come near it. A good first value is the square root of the clauses.
    specificity : float, (float, float) or "auto"
        Specificity s: larger means longer, more specific clauses. 2 to 30 is usual. A range such as (2, 10) gives the first
        clauses of each polarity the first value and the others more and more of the second.
    epochs : int or "auto"
        Passes over the training data.
    boost : bool
        Always strengthen true literals of a true clause.
    states : int
        States of an automaton; even.
    sharded : bool
        Take the votes of a block of uses of a class at once, so that more threads than classes can learn. The learned
        machine differs from the exact one, but is the same for every number of threads.
    block : int
        With ``sharded``: uses of a class in a block, from 64 to 4096. Fewer are closer to the exact machine.
    weighted : bool
        Clauses have integer weights: a clause that is right gains votes, so that fewer clauses are needed. Wants a larger
        ``threshold``.
    max_weight : int
        Largest weight of a clause; more than 1 implies weights. 1 with ``weighted`` or ``shared`` means no such limit.
    weight_growth : float
        Slow real weights instead of integers: a clause that is right has its weight multiplied by 1 + this, one that is wrong
        divided. 0.0001 to 0.01 is usual. Votes then count 256 for a weight of 1; ``threshold`` is that of a machine without
        weights. 0 for integer weights.
    shared : bool
        All classes vote with the same clauses, each with weights of its own; ``clauses`` then counts all of them. Fewer clauses
        give the same accuracy.
    negatives : {"uniform", "focused"}
        The other class that a row is learned against: any, or rather those that have many votes. "focused" needs ``shared``.
    negative_share : float
        With several labels: share of the labels that do not apply that a row is learned against. Less than 1 is faster with many
        labels, and answers more labels.
    max_literals : int
        Literal budget: a clause with more literals forgets where it would learn more, a fuzzy clause stops learning more. 0 for
        no budget.
    fuzzy : int
        Fuzzy clauses: a clause has this many votes, less one for each of its literals that is false, so that few clauses do the
        work of many. 0 for clauses that are true or false. With ``shared`` and two classes, both vote with the same clauses.
    clamp : bool
        Fuzzy: a clause with fewer literals than ``fuzzy`` has only as many votes as literals.
    length : {"features", "literals"}
        Fuzzy: what ``max_literals`` counts: features, fewer than it, or literals, at most as many.
    include_limit : int
        Fuzzy: the state from which on an automaton includes its literal. 0 for half of the states.
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
    snapshots : int or "auto"
        Averaging: votes are the sum of those after each of the last so many epochs. Equal clauses become one with a weight. 1 for
        the last epoch alone. "auto" is 5 or 10, and 1 where clauses, threshold and specificity are all given.
    engine : {"auto", "scan", "index", "lookahead", "bitmap", "sliced", "tables"}
        How clauses are evaluated; never changes the result. ``lookahead`` only learns, ``bitmap``, ``sliced`` and ``tables``
        only predict; auto does the task that an engine cannot do. Fuzzy clauses have scan, lookahead, sliced and tables.
    kernels : str
        Kernel set, "auto" for the fastest; never changes the result.
    max_memory : int
        Memory that learning may take, in MB; 0 for all of the computer's. More is refused before anything is allocated.
    n_jobs : int or None, default=None
        Threads; -1 is all cores, -2 all but one. None is all cores too, except where others work beside it: one in a
        worker of joblib (such as those of ``GridSearchCV(n_jobs=2)``, processes or threads) and in any process that
        multiprocessing started; what ``joblib.parallel_config`` says where that is in force; at most OMP_NUM_THREADS.
        Never changes the result.
    random_state : int, RandomState instance or None, default=None
        Seed of every random draw. A whole number is what the command line calls ``--seed``. None draws one from NumPy.
    verbose : int, default=0
        1 shows a progress bar with accuracy.
    early_stopping : bool, default=False
        Keep ``validation_fraction`` of the data aside, stop when its accuracy has not risen for ``n_iter_no_change``
        epochs, and take the best epoch's clauses.
    validation_fraction : float, default=0.1
        Share of the training data, the same of every class, that is kept aside for early stopping and calibration.
    n_iter_no_change : int, default=5
        Epochs without a better validation accuracy before learning stops.
    calibration : {"auto", None, "temperature", "isotonic"}, default="auto"
        How ``predict_proba`` is fitted; labels do not change. "auto": by one number, a temperature, found on rows held out of
        learning: those of ``early_stopping``, else by other machines with the same parameters that learn without a part of the
        rows (three thirds below 1,000 rows, a fifth above); the clauses are those without calibration. Not with ``warm_start``.
        "temperature" and "isotonic" keep ``validation_fraction`` of the data aside and fit to it one number for all classes, or a
        curve for each class, which wants a thousand rows. None fits nothing.
    warm_start : bool, default=False
        ``fit`` continues from the current clauses instead of starting again; classes, columns and the parameters that make
        the machine (clauses, threshold, specificity, weights, drops and so on, a random_state that is a number, booleanizer)
        must be the same.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, with which those of their rows are multiplied; a label that the dictionary leaves out has 1.
        "balanced" gives all classes the same total. See ``fit``. For one label a row.
    booleanizer : Booleanizer or None, default=None
        Turns values into Boolean features. None is ``Booleanizer()``, fitted in ``fit``. One that is fitted already is
        used unchanged, also by a ``clone`` of this estimator, so in every fold of a cross-validation.
    callbacks : sequence of callables or None, default=None
        Each is called after every epoch with a dictionary: epoch, epochs, mean_clause_length, flips, accuracy (on the
        data kept aside, if there are any), estimator, which predicts with what it has learned so far. If one returns True,
        learning stops.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    n_features_in_ : int
        Columns of the data.
    feature_names_in_ : ndarray of str
        Their names, if the data had names.
    booleanizer_ : Booleanizer
        Turns values into features.
    n_epochs_ : int
        Epochs learned.
    options_ : dict
        The options of the machine and the epochs, with the numbers that "auto" chose.
    history_ : list of dict
        The dictionaries given to the callbacks.
    best_score_ : float
        Best accuracy on the data kept aside, with early stopping.
    best_epoch_ : int
        The epoch of the best accuracy, whose clauses are kept, with early stopping.
    calibration_ : dict or None
        What was fitted for ``predict_proba``: method, rows, and temperature or curves. None if nothing was.

    Notes
    -----
    ``predict_proba`` without calibration is what the votes at which learning comes to rest say about a class. It ranks well, but
    is often not sure enough, or too sure. ``calibration`` and ``calibrate`` fit it to data.

    Examples
    --------
    >>> from falsum import TMClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> TMClassifier(clauses=100, threshold=10, specificity=3, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        clauses: int | str = default("clauses"),
        threshold: int | str = default("threshold"),
        specificity: float | tuple[float, float] | str = default("specificity"),
        epochs: int | str = default("epochs"),
        boost: bool = default("boost"),
        states: int = default("states"),
        *,
        sharded: bool = default("sharded"),
        block: int = default("block"),
        weighted: bool = default("weighted"),
        max_weight: int = default("max_weight"),
        weight_growth: float = default("weight_growth"),
        shared: bool = default("shared"),
        negatives: str = default("negatives"),
        negative_share: float = default("negative_share"),
        max_literals: int = default("max_literals"),
        fuzzy: int = default("fuzzy"),
        clamp: bool = default("clamp"),
        length: str = default("length"),
        include_limit: int = default("include_limit"),
        drop_clauses: float = default("drop_clauses"),
        drop_literals: float = default("drop_literals"),
        patch_shape: tuple[int, int] | None = None,
        image_shape: tuple[int, ...] | None = None,
        patch_stride: tuple[int, int] = (1, 1),
        snapshots: int | str = default("snapshots"),
        engine: str = default("engine"),
        kernels: str = default("kernels"),
        max_memory: int = default("max_memory"),
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        calibration: str | None = "auto",
        warm_start: bool = False,
        class_weight: Any = None,
        booleanizer: Booleanizer | None = None,
        callbacks: Sequence[Callable[[dict[str, Any]], Any]] | None = None,
    ) -> None:
        self.clauses = clauses
        self.threshold = threshold
        self.specificity = specificity
        self.epochs = epochs
        self.boost = boost
        self.states = states
        self.sharded = sharded
        self.block = block
        self.weighted = weighted
        self.max_weight = max_weight
        self.weight_growth = weight_growth
        self.shared = shared
        self.negatives = negatives
        self.negative_share = negative_share
        self.max_literals = max_literals
        self.fuzzy = fuzzy
        self.clamp = clamp
        self.length = length
        self.include_limit = include_limit
        self.drop_clauses = drop_clauses
        self.drop_literals = drop_literals
        self.patch_shape = patch_shape
        self.image_shape = image_shape
        self.patch_stride = patch_stride
        self.snapshots = snapshots
        self.engine = engine
        self.kernels = kernels
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.calibration = calibration
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.booleanizer = booleanizer
        self.callbacks = callbacks

    # ------------------------------------------------------------------------------------------- learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> TMClassifier:
        """Learns from rows ``X`` and labels ``y``: a label for each row, or a row of zeros and ones with a column for each label;
        or from `PackedRows` alone, whose labels are inside.

        ``sample_weight`` has a number for each row: how often it is learned, compared with the others. A row is used as often
        per epoch as its weight divided by the mean of all weights above 0, so that only their ratios matter and an epoch takes
        its usual time. A row of weight 0 is as if it were not there. Data kept aside are scored by their weights too; a
        calibration counts each of their rows once.

        A call that fails changes nothing: the estimator predicts as before, or is not fitted, as before. Once learning
        has begun, Ctrl-C and an exception in a callback leave an estimator with what it has learned until then.
        """
        if isinstance(X, PackedRows):
            return self._fit_packed(X, y, sample_weight, _FITTED)
        options = self._options("multilabel" if _targets.has_columns(y) else "classification")
        going_on = self.warm_start and getattr(self, "machine_", None) is not None
        draft = draft_of(self, () if going_on else _FITTED)
        if going_on:
            options["task"] = self._task
            draft._go_on(options)
        X, y = draft._check_training(X, y, reset=not going_on)
        X, y, weights = _weights.learned_rows(X, y, sample_weight)
        targets, weights = draft._as_targets(y, weights, options, going_on)
        if not going_on:
            draft._fit_booleanizer(X)
        rows = draft.booleanizer_._rows(X)
        if not going_on:
            options = draft._choose(draft._with_image(options), rows.rows, len(draft.classes_))
            draft.machine_ = _core.Machine(options, rows.columns, len(draft.classes_))
        elif options["epochs"] == "auto":
            options = draft._choose(options, rows.rows, len(draft.classes_))
        draft._goes_on = bool(self.warm_start)
        learn(self, draft, rows, targets, weights, options)
        return self

    def _as_targets(
        self, y: np.ndarray, weights: np.ndarray | None, options: dict[str, Any], going_on: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The targets of rows, and their weights times those of their classes. Sets the classes, and ``options["task"]``."""
        if y.ndim == 2:
            options["task"] = self._check_labels(y, going_on)
            return y, weights
        classes, targets = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of at least 2 classes, but the data contain one class: {classes.tolist()[0]!r}"
            )
        if going_on:
            targets = self._known_codes(y, "to this warm start")
        else:
            self.classes_ = classes
        targets = targets.astype(np.uint32)
        return targets, _weights.times_class_weight(self.class_weight, self.classes_, targets, weights)

    def _begin_packed(self, X: PackedRows, targets: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        self.classes_ = X.classes
        if X.task == "multilabel":
            self._check_several()
            return weights
        return _weights.times_class_weight(self.class_weight, self.classes_, targets, weights)

    def _check_several(self) -> None:
        """Of several labels for a row."""
        if self.calibration not in (None, "auto"):
            raise ValueError(f"calibration must be None or 'auto' where a row has several labels, got {self.calibration!r}")
        if self.class_weight is not None:
            raise ValueError(f"class_weight must be None where a row has several labels, got {self.class_weight!r}")

    def _check_labels(self, y: np.ndarray, going_on: bool) -> str:
        """Several labels for a row: the task, once everything about it is checked."""
        self._check_several()
        if not going_on:
            names = self._column_names
            self.classes_ = np.arange(y.shape[1]) if names is None else np.asarray(names, dtype=object).astype(str)
        elif self._task != "multilabel" or y.shape[1] != len(self.classes_):
            raise ValueError(f"y has {y.shape[1]} labels, but this estimator began with {len(self.classes_)} {self._task} outputs")
        self._task = "multilabel"
        return self._task

    def _options(self, task: str | None = None) -> dict[str, Any]:
        if self.calibration not in (None, "auto", *_METHODS):
            raise ValueError(f"calibration must be None, 'auto', 'temperature' or 'isotonic', got {self.calibration!r}")
        return super()._options(task)

    def calibrate(self, X: Any, y: Any, method: str = "temperature") -> TMClassifier:
        """Fits ``predict_proba`` to rows ``X`` and labels ``y`` that were not learned from.

        ``method`` is "temperature" or "isotonic", as for ``calibration``. Also for an estimator from a file. Labels do not change.
        """
        self._check_fitted()
        if self._task == "multilabel":
            raise ValueError("calibration is for one label a row, and this estimator answers several")
        if method not in _METHODS:
            raise ValueError(f"method must be 'temperature' or 'isotonic', got {method!r}")
        votes = self.votes(X)
        y = column_or_1d(y)
        check_consistent_length(votes, y)
        self._take_model(self.model_.calibrated(method, votes, self._known_codes(y, "to this estimator")))
        return self

    @property
    def calibration_(self) -> dict[str, Any] | None:
        self._check_fitted()
        fitted: Any = self.model_.calibration
        return fitted

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> TMClassifier:
        """One epoch over new data.

        ``classes`` lists all labels of all batches; it is needed in the first call. A Booleanizer is fitted on
        the first batch; give a fitted one as ``booleanizer`` if the first batch is not typical. A call that fails changes
        nothing. Nothing is kept aside, and a calibration is lost, since the clauses change: ``calibrate`` fits another.
        Weights are compared within a batch, so that ``class_weight`` cannot be "balanced".
        """
        options = self._options()
        if isinstance(self.class_weight, str):
            raise ValueError(
                f"class_weight must be None or a dictionary for partial_fit, which sees one batch at a time, got {self.class_weight!r}"
            )
        first = getattr(self, "model_", None) is None
        if not first and getattr(self, "machine_", None) is None:
            raise ValueError("this estimator was loaded and holds clauses only: it predicts but cannot go on learning")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if classes is not None:
            listed = np.unique(column_or_1d(classes))
            if not first and not np.array_equal(listed, self.classes_):
                raise ValueError(f"classes={classes!r} is not the same as on last call to partial_fit, was: {self.classes_!r}")
        draft = draft_of(self, _FITTED if first else ())
        if not first:
            options["task"] = self._task
            draft._go_on(options)
        X, y = draft._check_training(X, y, reset=first)
        if y.ndim == 2:
            raise ValueError("partial_fit takes one label for each row; use fit with warm_start for several")
        X, y, weights = _weights.learned_rows(X, y, sample_weight)
        if first:
            if len(listed) < 2:
                raise ValueError("classes must list at least 2 classes, got one class only")
            draft.classes_ = listed
        codes = draft._known_codes(y, "to partial_fit")
        weights = _weights.times_class_weight(self.class_weight, draft.classes_, codes, weights)
        if first:
            draft._fit_booleanizer(X)
        rows = draft.booleanizer_._rows(X)
        if first:
            if options["snapshots"] == "auto":
                options["snapshots"] = 1  # a batch is not an epoch
            options = draft._choose(draft._with_image(options), rows.rows, len(draft.classes_))
            draft.machine_ = _core.Machine(options, rows.columns, len(draft.classes_))
        draft._goes_on = True
        learn_batch(self, draft, rows, codes, weights)
        return self

    def _check_training(self, X: Any, y: Any, reset: bool) -> tuple[Any, np.ndarray]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        name = getattr(y, "name", None)
        self._label_name = name if isinstance(name, str) else ""
        self._column_names = _targets.column_names(y)
        X = _input.check(self, X, reset=reset)
        y = self._checked_targets(y)
        check_consistent_length(X, y)
        return X, y

    def _checked_targets(self, y: Any) -> np.ndarray:
        return _targets.checked(self, y)

    _column_names: list[Any] | None = None

    @classmethod
    def _may_be(cls, task: str) -> bool:
        return task in ("classification", "multilabel")

    def _rule_labels(self) -> list[Any]:
        labels: list[Any] = self.classes_.tolist()
        return labels

    def _score_of(self, predictor: _core.Predictor, held: _weights.Held, jobs: int) -> float:
        if held.targets.ndim == 2:
            return _weights.mean(np.all((predictor.votes(held.rows, jobs) > 0) == held.targets, axis=1), held.weights)
        return _weights.mean(predictor.predict(held.rows, jobs) == held.targets, held.weights)

    @property
    def multilabel_(self) -> bool:
        """Whether a row may have several labels: ``y`` had a column for each."""
        self._check_fitted()
        return self._task == "multilabel"

    def _output_labels(self) -> list[str]:
        return _labels.texts_of(self.classes_)

    def _label_kind(self) -> str:
        return _labels.kind_of(self.classes_)

    def _known_codes(self, y: np.ndarray, where: str) -> np.ndarray:
        return _targets.codes(self.classes_, y, where)

    # ------------------------------------------------------------------------------------------ prediction

    def predict(self, X: Any, reject: float | None = None) -> np.ndarray:
        """The label of each row; with several labels a column of zeros and ones for each: 1 where it has more votes for than against.

        With ``reject``, rows whose largest probability (``predict_proba``) is below it have None instead of a label; the array is
        then of type object.
        """
        if reject is not None:
            return self._predict_if_sure(X, reject)
        # Most of a call for one row would be scikit-learn's checks; an array of bool with the right number of columns
        # needs none of them.
        ready = self.__dict__.get("_compiled", _NOTHING).get("ready")
        if ready is not None and type(X) is np.ndarray and X.dtype is _BOOL and X.ndim == 2 and X.shape[1] == ready[1] and len(X):
            return self.classes_.take(ready[0].predict_array(X, 1 if len(X) <= _ONE_BLOCK else threads(self.n_jobs)))
        rows = self._rows(X)
        if self._task == "multilabel":
            return (self._predictor().votes(rows, threads(self.n_jobs)) > 0).astype(np.int64)
        return self.classes_.take(self._predictor().predict(rows, threads(self.n_jobs)))

    def decision_function(self, X: Any) -> np.ndarray:
        """The votes for each class or label; with two classes, those for the second less those for the first."""
        votes = self.votes(X).astype(np.float64)
        if self._task == "multilabel":
            return votes
        return votes[:, 1] - votes[:, 0] if len(self.classes_) == 2 else votes

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class: calibrated if the estimator is, else what learning gives for nothing.

        Sums to one in each row; the largest is that of the label that ``predict`` gives. With several labels, the probability of
        each label by the law of learning (docs/probabilities.md), which is not calibrated.
        """
        rows = self._rows(X)
        if self._task == "multilabel":
            learned = self.model_.options
            most = learned["threshold"] * learned["snapshots"] * (256 if learned["weight_growth"] > 0 else 1)
            against = max(learned["negative_share"], 1e-9)
            votes = self._predictor().votes(rows, threads(self.n_jobs)).astype(np.float64)
            votes = np.clip(votes, 0.5 - most, most - 0.5)  # T votes may stand for more: nothing is certain
            up = against * (most + votes)  # where pushes up and down are in balance
            return up / (up + (most - votes))
        return self._predictor().probabilities(rows, threads(self.n_jobs))

    def _predict_if_sure(self, X: Any, reject: float) -> np.ndarray:
        if isinstance(reject, (bool, np.bool_)) or not isinstance(reject, (int, float, np.number)) or not 0 <= reject <= 1:
            raise ValueError(f"reject must be None or a number from 0 to 1, got {reject!r}")
        if getattr(self, "_task", "") == "multilabel":
            raise ValueError("reject is for one label a row, and this estimator answers several")
        probabilities = self.predict_proba(X)
        labels = np.empty(len(probabilities), dtype=object)
        labels[:] = self.classes_.take(probabilities.argmax(axis=1)).tolist()
        labels[probabilities.max(axis=1) < reject] = None
        return labels

    # ---------------------------------------------------------------------------------------------- rules

    def rules(
        self, X: Any = None, y: Any = None, *, feature_names: Sequence[str] | None = None, as_frame: bool = False
    ) -> Any:
        """The learned clauses as rules. Equal clauses are one rule; clauses that can never be true are left out.

        Parameters
        ----------
        X, y : data and labels, optional
            Adds to every rule its coverage (share of the rows it is true of), its precision (share of those that it is
            right about), its lift and the votes that it cast. A special case of another rule that is true of the same of
            these rows joins it.
        feature_names : sequence of str, optional
            Names of the columns, if the data had none.
        as_frame : bool, default=False
            A pandas DataFrame instead of a list of `Rule`.

        Returns
        -------
        list of Rule or DataFrame
            For each class those with most votes first; with X, those that cast most votes there.
        """
        self._check_fitted()
        if X is None:
            rules = _rules.all_rules(self, feature_names)
        else:
            if y is not None and self._task == "multilabel":
                raise ValueError("rules counts precision for one label a row: leave y out")
            rows = self._rows(X)
            rules = _rules.recorded_rules(self, feature_names, rows, None if y is None else self._codes_of_rows(rows, y))
        return _rules.to_frame(rules) if as_frame else rules

    def _codes_of_rows(self, rows: Any, y: Any) -> np.ndarray:
        y = column_or_1d(y)
        if len(y) != rows.rows:
            raise ValueError(f"X has {rows.rows} rows, but y has {len(y)}")
        return self._known_codes(y, "to this estimator")

    def _answers(self, rows: Any, y: Any, what: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        if self._task == "multilabel":
            raise ValueError(f"{what} is for one label a row, and this estimator answers several")
        return self._codes_of_rows(rows, y), None

    def explain(self, x: Any, *, feature_names: Sequence[str] | None = None) -> _rules.Explanation:
        """Why one row gets its label, or its list of labels: the clauses that are true of it, and their conditions; and the
        smallest change that would give another."""
        self._check_fitted()
        rows = self._one_row(x)
        several = None
        if self._task == "multilabel":
            several = self.classes_[self._predictor().votes(rows)[0] > 0].tolist()
        return _rules.explain(self, feature_names, rows, several, change=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.calibration in (None, "auto") and self.class_weight is None and self.negatives == "uniform"
        return tags

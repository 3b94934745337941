"""TMBase: what every estimator over a Tsetlin machine shares: options, booleanizer, model, predictor, files.

A subclass says what is learned: it stores the parameters, checks ``y`` and turns votes into answers. It names the outputs of the
machine (``_output_labels``) and says what kind of labels they are (``_label_kind``).
"""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state

from falsum import _core, _files, _input, _weights
from falsum._booleanizer import Booleanizer, schema_of
from falsum._drafts import draft_of
from falsum._files import Path
from falsum._learning import learn
from falsum._options import LEARN_ONLY, MACHINE, OPTIONS, PREDICT_ONLY, RUN, default, threads
from falsum._packed import PackedRows

Self = TypeVar("Self", bound="TMBase")


class TMBase(BaseEstimator):
    # Parameters that a subclass stores, besides those of the machine (falsum._options).
    specificity: Any
    engine: str
    kernels: str
    n_jobs: int | None
    patch_shape: tuple[int, int] | None
    image_shape: tuple[int, ...] | None
    patch_stride: tuple[int, int]
    random_state: Any
    validation_fraction: float
    n_iter_no_change: int
    warm_start: bool
    booleanizer: Booleanizer | None
    callbacks: Any

    # What fitting sets.
    machine_: _core.Machine
    model_: _core.Model
    booleanizer_: Booleanizer
    n_features_in_: int
    n_epochs_: int
    options_: dict[str, Any]
    _label_name: str
    _not_features: frozenset[str]

    _task = "classification"  #: what the core calls it
    _score_name = "accuracy"  #: what early stopping and callbacks go by; more is better

    def _output_labels(self) -> list[str]:
        """A text for each output of the machine."""
        raise NotImplementedError

    def _rule_labels(self) -> list[Any]:
        """What rules call each output."""
        raise NotImplementedError

    @classmethod
    def _may_be(cls, task: str) -> bool:
        """Whether this estimator does that task."""
        raise NotImplementedError

    def _score_of(self, predictor: _core.Predictor, held: _weights.Held, jobs: int) -> float:
        """How well a predictor answers the rows kept aside."""
        raise NotImplementedError

    def _label_kind(self) -> str:
        """What labels were before they became text: as in falsum._labels."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------- learning

    def _options(self, task: str | None = None) -> dict[str, Any]:
        """All options of the core: the parameters that have an option's name, others at their defaults. ``task``: if not that of before."""
        options = {name: getattr(self, name, default(name)) for name in OPTIONS if name not in ("seed", "threads")}
        options["task"] = task or self._task
        if isinstance(self.specificity, (tuple, list)):
            if len(self.specificity) != 2:
                raise ValueError(f"specificity must be a number or a range (from, to), got {self.specificity!r}")
            options["specificity"], options["specificity_to"] = self.specificity
        options["patch"] = _sides("patch_shape", self.patch_shape, (2,))
        options["image"] = _sides("image_shape", self.image_shape, (2, 3))
        options["stride"] = _sides("patch_stride", self.patch_stride, (2,)) or default("stride")
        options["threads"] = threads(self.n_jobs)
        options["seed"] = self._seed()
        _core.validate_options(options)
        if options["engine"] in PREDICT_ONLY:
            options["engine"] = "auto"
        if not isinstance(self.validation_fraction, (float, int, np.floating)) or not 0 < self.validation_fraction < 1:
            raise ValueError(f"validation_fraction must be more than 0 and less than 1, got {self.validation_fraction!r}")
        for callback in self.callbacks or ():
            if not callable(callback):
                raise TypeError(f"callbacks must be a sequence of callables or None, got {self.callbacks!r}")
        if isinstance(self.n_iter_no_change, bool) or not hasattr(self.n_iter_no_change, "__index__") or self.n_iter_no_change < 1:
            raise ValueError(f"n_iter_no_change must be a whole number of at least 1, got {self.n_iter_no_change!r}")
        return options

    def _with_image(self, options: dict[str, Any]) -> dict[str, Any]:
        """The size of the images, where it is not given, is that of the data."""
        if options["patch"] and not options["image"] and self._image is not None:
            options["image"] = _sides("image_shape", self._image, (2, 3))
        return options

    _image: tuple[int, ...] | None = None  #: rows, columns and channels of X, if it had them

    def _seed(self) -> Any:
        if _is_whole(self.random_state):
            return self.random_state
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _choose(self, options: dict[str, Any], rows: int, outputs: int) -> dict[str, Any]:
        """A number for each option that is "auto", by the core's law of defaults; kept as ``options_``."""
        mapping = self.booleanizer_.mapping_
        chosen: dict[str, Any] = _core.chosen_options(options, mapping.kind, bool(mapping.image_width), rows, outputs)
        self.options_ = {name: chosen[name] for name in (*MACHINE, "epochs")}
        return chosen

    def _go_on(self, options: dict[str, Any]) -> None:
        """Continues with the current machine: options that make the machine must be unchanged, options of a run may differ."""
        machine: _core.Machine = self.machine_
        was = machine.options
        if options["patch"] and not options["image"]:
            options["image"] = was["image"]
        for name in MACHINE:
            if options[name] == "auto" and OPTIONS[name]["default"] == "auto":
                options[name] = was[name]
                if name == "specificity":
                    options["specificity_to"] = was["specificity_to"]
        for name in MACHINE:
            if options[name] == was[name] or (name == "seed" and not _is_whole(self.random_state)):
                continue
            raise ValueError(
                f"{'random_state' if name == 'seed' else name} was {was[name]} when learning began and is {options[name]} now, "
                "but going on keeps the machine there is: set it back, or fit without warm_start to learn another one"
            )
        self._check_same_booleanizer()
        if any(options[name] != was[name] for name in RUN if name != "epochs"):
            self.machine_ = _core.Machine.from_checkpoint(machine.checkpoint(), {name: options[name] for name in RUN})

    def _fit_booleanizer(self, X: Any) -> None:
        given = self.booleanizer
        if given is not None and not isinstance(given, Booleanizer):
            raise TypeError(f"booleanizer must be a falsum.Booleanizer or None, got {given!r}")
        if given is not None and hasattr(given, "mapping_"):
            if given.n_features_in_ != self.n_features_in_:
                raise ValueError(f"X has {self.n_features_in_} columns, but the booleanizer was fitted on {given.n_features_in_}")
            given._check_parameters_are_those_fitted_with()
            self.booleanizer_ = given
            return
        fitted = Booleanizer() if given is None else clone(given)
        fitted.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            fitted.feature_names_in_ = self.feature_names_in_
        self.booleanizer_ = fitted._fit_checked(X)

    def _check_same_booleanizer(self) -> None:
        given, used = self.booleanizer, self.booleanizer_
        if given is not None and not isinstance(given, Booleanizer):
            raise TypeError(f"booleanizer must be a falsum.Booleanizer or None, got {given!r}")
        if given is not None and hasattr(given, "mapping_"):
            same = given is used or given.mapping_ == used.mapping_
        else:
            same = (Booleanizer() if given is None else given).get_params() == used.get_params()
        if not same:
            raise ValueError(
                "booleanizer is another one than when learning began, but going on keeps the features there are: set it back, "
                "or fit without warm_start to learn another machine"
            )

    def _keep(self, model: _core.Model) -> None:
        """Makes the model with everything that prediction and a file need, including the origin of the data."""
        self.n_epochs_ = int(self.machine_.epoch)
        if self._packed is not None:
            self._take_model(self._packed._file.describe(model))
            return
        self._take_model(model.described(self._output_labels(), self.booleanizer_.mapping_, self._schema(), "Python"))

    _packed: PackedRows | None = None  #: the rows that are being learned, if they are packed: they describe themselves

    def _fit_packed(self: Self, X: PackedRows, y: Any, sample_weight: Any, without: tuple[str, ...]) -> Self:
        """``fit`` of packed rows."""
        draft, targets, weights, options = self._prepare_packed(X, y, sample_weight, without)
        draft.machine_ = draft._new_machine(options, X.n_features, targets)
        draft._goes_on = False
        try:
            learn(self, draft, X._rows, targets, weights, options)
        finally:
            self.__dict__.pop("_packed", None)
        return self

    def _prepare_packed(
        self, X: PackedRows, y: Any, sample_weight: Any, without: tuple[str, ...]
    ) -> tuple[Any, np.ndarray, np.ndarray | None, dict[str, Any]]:
        """A draft, targets, weights and options for packed rows: labels, weights and features are inside."""
        if y is not None or sample_weight is not None:
            raise ValueError("packed rows have their labels and weights inside: give neither y nor sample_weight")
        if self.booleanizer is not None or self.warm_start:
            raise ValueError("packed rows are booleanized already and learned from the start: give neither booleanizer nor warm_start")
        if not X._file.labelled:
            raise ValueError(f"{X.path} has no labels to learn")
        if not self._may_be(X.task):
            raise ValueError(f"{X.path} was packed for {X.task}, which {type(self).__name__} does not do")
        options = self._options(X.task)
        draft = draft_of(self, without)
        X._describe(draft)
        draft._task = X.task
        targets: Any = X._file.targets
        weights: Any = X._file.weights
        outputs = max(1, len(X._file.outputs))
        weights = draft._begin_packed(X, targets, weights)
        options = draft._choose(draft._with_image(options), len(X), outputs)
        draft._packed = X
        return draft, targets, weights, options

    def _begin_packed(self, X: PackedRows, targets: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        """Learns what the outputs are; returns the weights of the rows."""
        return weights

    def _new_machine(
        self, options: dict[str, Any], columns: int, targets: np.ndarray, part: _core.Part | None = None
    ) -> _core.Machine:
        return _core.Machine(options, columns, len(self._output_labels()), part or _core.Part())

    def _schema(self) -> dict[str, Any]:
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        return schema_of(self.booleanizer_, self.n_features_in_, names, self._label_name, self._label_kind())

    def _take_model(self, model: _core.Model) -> None:
        self.model_ = model
        self._compiled: dict[str, Any] = {}  # what is compiled from the model, at the first prediction

    # ------------------------------------------------------------------------------------------ prediction

    def votes(self, X: Any) -> np.ndarray:
        """The sums of votes: for each row and output (class, label or number), the votes for it less those against it."""
        rows = self._rows(X)
        return self._predictor().votes(rows, threads(self.n_jobs))

    def _check_fitted(self) -> None:
        if getattr(self, "model_", None) is None:
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "model_", None) is not None

    def _checked(self, X: Any) -> Any:
        self._check_fitted()
        if self.booleanizer_.mapping_.kind == "words":
            if isinstance(X, str):
                raise ValueError("expected a list of texts, got one text")
            return [str(text) for text in X]
        if "_not_features" in self.__dict__:
            X = _input.arrange(X, getattr(self, "feature_names_in_", None), self._not_features)
        return _input.check(self, X, reset=False)

    def _rows(self, X: Any) -> _core.Bits | _core.SparseBits | _core.MappedRows:
        if isinstance(X, PackedRows):
            self._check_fitted()
            return X._rows_for(self.booleanizer_.mapping_)
        X = self._checked(X)
        return self.booleanizer_._rows(X)

    def _compile(self, model: _core.Model) -> _core.Predictor:
        engine = "auto" if self.engine in LEARN_ONLY else self.engine
        return _core.Predictor(model, engine, self.kernels)

    def _predictor(self) -> _core.Predictor:
        """Compiled at the first prediction and kept."""
        compiled = self._compiled.get("predictor")
        if compiled is None:
            compiled = self._compiled["predictor"] = self._compile(self.model_)
            plain = self._task == "classification" and self.booleanizer_.mapping_.kind == "bits"
            if plain and not hasattr(self, "feature_names_in_"):
                self._compiled["ready"] = (compiled, self.n_features_in_)
        return compiled

    def explain_engine(self, rows: int = 1, *, sparse: bool = False) -> tuple[str, str]:
        """The engine that predicts this many rows at once, and a sentence that gives the reason; ``sparse`` for sparse rows."""
        self._check_fitted()
        return self._predictor().choice(rows, sparse)

    def _one_row(self, x: Any) -> _core.Bits | _core.SparseBits | _core.MappedRows:
        if self.booleanizer_.mapping_.kind == "words":
            rows = self._rows([x] if isinstance(x, str) else x)
        else:
            rows = self._rows(_input.one_row(x))
        if rows.rows != 1:
            raise ValueError(f"explain takes one row, got {rows.rows}")
        return rows

    def set_params(self: Self, **params: Any) -> Self:
        if "_compiled" in self.__dict__:
            self._compiled = {}
        return super().set_params(**params)

    # ------------------------------------------------------------------------------------ smaller, and shown

    def _answers(self, rows: Any, y: Any, what: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The right answers of rows: classes or numbers."""
        raise NotImplementedError

    def prune(self: Self, X: Any = None, y: Any = None, *, within: float = 0.5) -> Self:
        """Makes the model smaller. Clauses that say the same become one, which changes no vote; this is all without ``X``.

        With rows ``X`` and answers ``y`` clauses that matter least there are left out, as long as the score on these rows gets
        worse by at most ``within``: percentage points of accuracy, or percent of the RMSE. Test the result on other rows. A
        calibration is lost, and the estimator cannot go on learning.
        """
        self._check_fitted()
        if X is None:
            small = _core.merge_clauses(self.model_)
        else:
            rows = self._rows(X)
            classes, numbers = self._answers(rows, y, "prune")
            small, _, _ = _core.prune(self.model_, rows, classes, numbers, within, "the rows given")
        self._take_model(small)
        self.__dict__.pop("machine_", None)  # its automata are of another model
        return self

    def report(self, X: Any, y: Any, path: Path, *, name: str = "model", rows: int = 400) -> None:
        """Writes a page about the model to ``path``, as ``falsum report`` does: how good it is on ``X`` and ``y``, its rules, and
        rows that a reader can change. ``rows`` is how many of them at most, wrong answers first."""
        self._check_fitted()
        bits = self._rows(X)
        classes, numbers = self._answers(bits, y, "report")
        texts = [str(text) for text in X] if self.booleanizer_.mapping_.kind == "words" else []
        page = _core.report_html(self.model_, bits, classes, numbers, name, f"{bits.rows} rows", rows, texts)
        _files.write(path, page)

    # ----------------------------------------------------------------------------------------------- files

    def save(self, path: Path) -> None:
        """Writes the model file that the command line reads and writes."""
        self._check_fitted()
        _files.save(self.model_, path)

    def export(self, path: Path, to: str, *, form: str = "auto", name: str | None = None) -> list[str]:
        """Writes the model in another format: "json", "c", "onnx", "verilog", "sql" or "js" (docs/export.md).

        form: of "verilog" "parallel" or "serial", of "sql" "inline" or "relational". name: of functions, modules and tables; the name
        of the file unless given. Returns the paths of all files written: "c" and "verilog" write some beside `path`.
        """
        self._check_fitted()
        return _files.export(self.model_, path, to, form, name)

    @classmethod
    def load(cls: type[Self], path: Path) -> Self:
        """An estimator that predicts, from a model file.

        Labels keep their type: text, whole or decimal numbers, truth values. (Models of falsum 0.1 do not store it;
        their labels become numbers if all are written as numbers.) Columns of a data frame are found by their names, in any order, and
        the label column of the training file, or one that was ignored, may be there or not. The automata are not in the
        file, so a loaded estimator cannot continue to learn.
        """
        return _files.estimator_of(cls, _files.load(path), path)

    def __sklearn_clone__(self: Self) -> Self:
        """As ``clone`` of any estimator, except that a booleanizer that was given fitted stays so: that it is fitted is what
        its giver wanted of it."""
        parameters = {name: clone(value, safe=False) for name, value in self.get_params(deep=False).items()}
        if hasattr(self.booleanizer, "mapping_"):
            parameters["booleanizer"] = copy.copy(self.booleanizer)
        fresh = type(self)(**parameters)
        if hasattr(self, "_metadata_request"):
            fresh._metadata_request = copy.deepcopy(self._metadata_request)
        return fresh

    def __getstate__(self) -> dict[str, Any]:
        return _files.to_pickle(super().__getstate__())

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(_files.from_pickle(state))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _sides(name: str, shape: Any, lengths: tuple[int, ...]) -> str:
    """(28, 28) as the core writes it: "28x28"."""
    if shape is None:
        return ""
    sides = list(shape) if isinstance(shape, (tuple, list)) else []
    if len(sides) not in lengths or not all(_is_whole(side) and side > 0 for side in sides):
        raise ValueError(f"{name} must be {' or '.join(str(n) for n in lengths)} whole numbers above 0, got {shape!r}")
    return "x".join(str(int(side)) for side in sides)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)

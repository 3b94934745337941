"""Estimators to and from model files and pickles."""

from __future__ import annotations

import errno
import os
import re
import warnings
from collections.abc import Callable
from typing import Any, Union

import numpy as np

from falsum import _core, _labels
from falsum._booleanizer import Booleanizer
from falsum._options import MACHINE, RUN, threads

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def load(path: Path) -> _core.Model:
    """The model in a file. A file that is missing, unreadable or a folder raises the OSError of ``open``."""
    name = path_name(path)
    with open(os.fspath(path), "rb") as file:
        content = file.read()
    return _core.Model.from_bytes(content, name)


def save(model: _core.Model, path: Path) -> None:
    _written(path, model.save)


def write(path: Path, text: str) -> None:
    """A file that is complete or unchanged."""
    _written(path, lambda name: _core.write_file(name, text))


def _written(path: Path, write_to: Callable[[bytes], None]) -> None:
    try:
        write_to(path_name(path))
    except OSError as error:
        reason = _reason(os.fsdecode(path))
        if reason is None:
            raise
        raise OSError(reason, f"{os.strerror(reason)} ({error})", os.fspath(path)) from None  # FileNotFoundError and so on


def export(model: _core.Model, path: Path, to: str, form: str, name: str | None) -> list[str]:
    place = path_name(path)
    if name is None:
        stem = os.path.splitext(os.path.basename(os.fsdecode(path)))[0]
        name = re.sub(r"[^A-Za-z0-9]", "_", stem)[:64]
        name = name if name[:1].isalpha() else f"m{name}"[:64]
    return [os.fsdecode(file) for file in model.export_files(place, to, form, name)]


def path_name(path: Path) -> bytes:
    """The path as the system expects it. A NUL would end the path, and another file would be written."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"a path cannot hold a NUL character, got {path!r}")
    return name


def _reason(path: str) -> int | None:
    """The likely reason why a file could not be written there."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        return errno.EISDIR
    if not os.path.exists(folder):
        return errno.ENOENT
    if not os.path.isdir(folder):
        return errno.ENOTDIR
    return None if os.access(folder, os.W_OK | os.X_OK) else errno.EACCES


def estimator_of(kind: Any, model: _core.Model, path: Path) -> Any:
    """An estimator of this class that predicts with the model."""
    options = model.options
    if not kind._may_be(options["task"]):
        raise ValueError(f"{os.fsdecode(path)} is a model of {options['task']}, which {kind.__name__} does not do: use falsum.load")
    parameters = kind._get_param_names()
    if options["specificity_to"]:
        options["specificity"] = (options["specificity"], options["specificity_to"])
    sizes = {"patch_shape": options["patch"], "image_shape": options["image"], "patch_stride": options["stride"]}
    estimator = kind(
        **{n: options[n] for n in MACHINE if n in parameters},
        **{n: tuple(int(side) for side in size.split("x")) for n, size in sizes.items() if size},
        random_state=options["seed"],
        epochs=max(1, model.provenance["epochs"]),
    )
    schema = model.schema
    if options["task"] != "regression":
        texts = model.labels or [str(i) for i in range(model.outputs)]
        estimator.classes_ = _labels.guess(texts) if schema["format"] == "none" else _labels.read(texts, schema["label_kind"])
        estimator._task = options["task"]
    estimator.booleanizer_ = booleanizer_of(model)
    # Columns of a data frame go by name, in any order, and those of the file that were no features may be there too.
    estimator._not_features = frozenset(c["name"] for c in schema["columns"] if c["role"] != "feature")
    estimator.n_features_in_ = estimator.booleanizer_.n_features_in_
    if hasattr(estimator.booleanizer_, "feature_names_in_"):
        estimator.feature_names_in_ = estimator.booleanizer_.feature_names_in_
    estimator.n_epochs_ = int(model.provenance["epochs"])
    estimator.history_ = []
    estimator._take_model(model)
    return estimator


def to_pickle(state: Any) -> dict[str, Any]:
    """The pickled state of an estimator: the model as the bytes of its file."""
    state = dict(state)
    state.pop("_compiled", None)
    machine = state.pop("machine_", None)
    if state.get("model_") is not None:
        state["model_"] = state["model_"].to_bytes()
        # An estimator that may continue to learn keeps its automata; others stay small.
        if machine is not None and state.get("_goes_on"):
            state["machine_"] = machine.checkpoint()
        state["booleanizer_"] = _without_mapping(state["booleanizer_"])
    return state


def from_pickle(state: dict[str, Any]) -> dict[str, Any]:
    state = dict(state)
    if state.get("model_") is not None:
        state["_compiled"] = {}
        model = state["model_"] = _core.Model.from_bytes(state["model_"])
        state["booleanizer_"].mapping_ = model.booleanizer
        if "machine_" in state:
            run = {n: state[n] for n in RUN if n != "threads"}
            machine = state["machine_"] = _core.Machine.from_checkpoint(state["machine_"], {**run, "threads": threads(state["n_jobs"])})
            if machine.draws_changed:
                warnings.warn(
                    "this estimator was pickled by an older falsum, which drew other random numbers; learning goes on with those of "
                    "this version",
                    UserWarning,
                    stacklevel=3,
                )
    return state


def _without_mapping(booleanizer: Booleanizer) -> Booleanizer:
    bare = Booleanizer.__new__(Booleanizer)
    bare.__dict__.update({k: v for k, v in booleanizer.__dict__.items() if k != "mapping_"})
    return bare


def booleanizer_of(model: Any) -> Booleanizer:
    """Of a model, or of packed rows, which have the same description of their data."""
    mapping = model.booleanizer if model.booleanizer.features else _core.Booleanizer.bits(model.features)
    booleanizer = Booleanizer(method="levels" if mapping.kind == "levels" else "quantile")
    booleanizer.mapping_ = mapping
    booleanizer._fitted_on_sparse = model.schema["format"] == "svmlight"
    booleanizer._seen = [column for column in model.schema["columns"] if column["role"] == "feature"]
    names: list[str] = []
    if mapping.kind == "columns":
        names = [name for name, *_ in mapping.column_mappings]
        booleanizer.n_features_in_ = len(names)
    elif mapping.kind == "levels":
        booleanizer.n_features_in_ = mapping.features // len(mapping.level_thresholds)
    else:
        booleanizer.n_features_in_ = model.features if mapping.kind == "bits" else 1
        if mapping.kind == "bits" and mapping != _core.Booleanizer.bits(mapping.features, [], mapping.image_width):
            names = mapping.feature_names
    if names and all(names):
        booleanizer.feature_names_in_ = np.asarray(names, dtype=object)
    return booleanizer

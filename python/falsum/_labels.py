"""Labels as a model file has them: text, and their original type."""

from __future__ import annotations

from typing import Any

import numpy as np

from falsum._booleanizer import plain_number


def kind_of(classes: np.ndarray) -> str:
    """What a schema calls labels of this kind."""
    return {"b": "boolean", "i": "integer", "u": "integer", "f": "real"}.get(classes.dtype.kind, "text")


def texts_of(classes: np.ndarray) -> list[str]:
    """As the command line writes them: 3, 0.5 and 1 (not 1.0), True, text as it is."""
    return [plain_number(label) if isinstance(label, float) else str(label) for label in classes.tolist()]


def read(texts: list[str], kind: str) -> np.ndarray:
    """The labels as they were before they became text."""
    values: list[Any]
    if kind == "boolean":
        values = [text.strip().lower() == "true" for text in texts]
    elif kind == "integer":
        values = [int(text) for text in texts]
    elif kind == "real":
        values = [float(text) for text in texts]
    else:
        values = texts
    return np.array(values)


def guess(texts: list[str]) -> np.ndarray:
    """For models of falsum 0.1, which do not store the type: numbers if all labels are written as numbers and ascend, else text."""
    if texts == ["False", "True"]:
        return np.array([False, True])
    for kind in (int, float):
        try:
            values = [kind(text) for text in texts]
        except ValueError:
            continue
        if values == sorted(values) and all(str(value) == text for value, text in zip(values, texts)):
            return np.array(values)
    return np.array(texts)

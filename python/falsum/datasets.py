"""The data sets that the command line knows by name, as arrays.

Every loader returns ``X_train, y_train, X_test, y_test``. MNIST is inside the package. The files of the others are searched for in
``data_home``, in the folder that the environment variable ``FALSUM_DATA`` names, in the cache folder
(``$XDG_CACHE_HOME/falsum`` or ``~/.cache/falsum``) and where Debian puts them; if they are not found they are
downloaded into the cache folder and their SHA-256 is compared.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from falsum import _core, _download
from falsum._booleanizer import Booleanizer

__all__ = ["Dataset", "load_fashion_mnist", "load_imdb", "load_mnist", "load_noisy_xor"]


class Dataset(NamedTuple):
    """Training and test data."""

    X_train: Any
    y_train: np.ndarray
    X_test: Any
    y_test: np.ndarray


def load_mnist(*, levels: int = 1, grey: bool = False, data_home: str | os.PathLike[str] | None = None) -> Dataset:
    """Handwritten digits: 60,000 + 10,000 images of 28 x 28 pixels, 10 classes.

    With one level, features are ``pixel > 75`` and come from inside the package. More levels and ``grey=True`` (values
    from 0 to 255) need the four original IDX files in a folder ``mnist``.
    """
    if levels == 1 and not grey:
        parts = [_core.load_dataset(f"mnist:{split}", _folder(data_home)) for split in ("train", "test")]
        return _dataset([(bits.to_array(), labels) for bits, labels in parts])
    return _images("mnist", levels, grey, _folder(data_home))


def load_fashion_mnist(
    *, levels: int = 1, grey: bool = False, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> Dataset:
    """Pictures of clothes: 60,000 + 10,000 images of 28 x 28 pixels, 10 classes.

    Features are ``pixel > level``, one of each pixel and level; ``grey=True`` gives the values from 0 to 255.
    """
    _make_available("fashion-mnist", _folder(data_home), download, _download.fetch_fashion_mnist)
    return _images("fashion-mnist", levels, grey, _folder(data_home))


def load_imdb(*, data_home: str | os.PathLike[str] | None = None, download: bool = True) -> Dataset:
    """Film reviews: 25,000 + 25,000 texts, labelled 1 if positive and 0 if negative.

    ``X`` are lists of texts; ``CountVectorizer(binary=True, max_features=5000)`` makes features of them.
    """
    _make_available("imdb", _folder(data_home), download, _download.fetch_imdb)
    parts = [_core.load_dataset(f"imdb:{split}", _folder(data_home)) for split in ("train", "test")]
    return _dataset([(texts, [int(label in ("pos", "1")) for label in labels]) for texts, labels in parts])


def load_noisy_xor(*, seed: int = 42) -> Dataset:
    """``x0 xor x1`` of 12 bits: 5,000 + 5,000 rows; 40% of the training labels are inverted, no test label is."""
    parts = [_core.load_dataset(f"noisy-xor:{split}", seed=seed) for split in ("train", "test")]
    return _dataset([(bits.to_array(), labels) for bits, labels in parts])


def _folder(data_home: str | os.PathLike[str] | None) -> str:
    return "" if data_home is None else os.fspath(data_home)


def _dataset(parts: list[tuple[Any, Any]]) -> Dataset:
    (X_train, y_train), (X_test, y_test) = parts
    return Dataset(X_train, np.asarray(y_train, dtype=np.int64), X_test, np.asarray(y_test, dtype=np.int64))


def _images(name: str, levels: int, grey: bool, folder: str) -> Dataset:
    # More than one level is how the core is asked for grey values.
    parts = [_core.load_dataset(f"{name}:{split}", folder, levels=2) for split in ("train", "test")]
    if not grey:
        booleanizer = Booleanizer(method="levels", bits=levels, image_width=28).fit(parts[0][0])
        parts = [(booleanizer.transform(values), labels) for values, labels in parts]
    return _dataset(parts)


def _make_available(name: str, folder: str, download: bool, fetch: Any) -> None:
    info = next(entry for entry in _core.list_datasets(folder) if entry["name"] == name)
    if info["available"]:
        return
    if not download:
        raise OSError(f"{name} is not on this machine. {info['how_to_get']}")
    try:
        fetch()
    except OSError as error:
        raise OSError(f"{name} is not on this machine and could not be downloaded ({error}). {info['how_to_get']}") from error

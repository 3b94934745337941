"""Fetches data sets into the cache folder. The SHA-256 of a download is checked before the file gets its name."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import io
import os
import tarfile
import tempfile
import urllib.error
import urllib.request
import zlib
from pathlib import Path

FASHION_MNIST_URL = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"
#: Of the files without their gzip wrapping: that differs from mirror to mirror.
FASHION_MNIST_FILES = {
    "train-images-idx3-ubyte": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
    "train-labels-idx1-ubyte": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
    "t10k-images-idx3-ubyte": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
    "t10k-labels-idx1-ubyte": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
}
IMDB_URL = "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
IMDB_SHA256 = "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"
_TIMEOUT = 30  # seconds without a byte
_MOST_BYTES = 200 << 20


def cache_folder() -> Path:
    """Where the core looks as well."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "falsum"


def fetch_fashion_mnist() -> None:
    folder = cache_folder() / "fashion-mnist"
    for name, sha256 in FASHION_MNIST_FILES.items():
        if not (folder / name).exists():
            content = _gunzip(_get(FASHION_MNIST_URL + name + ".gz"), name)
            _compare(name, content, sha256)
            _write(folder / name, content)


def fetch_imdb() -> None:
    content = _get(IMDB_URL)
    _compare("aclImdb_v1.tar.gz", content, IMDB_SHA256)
    parent = cache_folder()
    parent.mkdir(parents=True, exist_ok=True)
    # Unpacked beside its place and renamed when complete: a half of the reviews must never look like all of them.
    with tempfile.TemporaryDirectory(dir=parent) as unpacking:
        archive = Path(unpacking) / "aclImdb_v1.tar.gz"
        archive.write_bytes(content)
        _unpack_reviews(archive, Path(unpacking))
        os.rename(Path(unpacking) / "aclImdb", parent / "aclImdb")


def _unpack_reviews(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = Path(member.name).parts
            # Only plain files at the places that reviews have; everything else in the archive is left there.
            if not member.isfile() or len(parts) != 4 or parts[0] != "aclImdb" or parts[1] not in ("train", "test"):
                continue
            if parts[2] not in ("pos", "neg") or ".." in parts:
                continue
            source = tar.extractfile(member)
            if source is not None:
                target = folder.joinpath(*parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read())


def _get(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
            content: bytes = answer.read(_MOST_BYTES + 1)
    except urllib.error.URLError as error:
        raise OSError(f"{url}: {error.reason}") from error
    except http.client.HTTPException as error:
        raise OSError(f"{url}: the answer is not HTTP ({error!r})") from error
    if len(content) > _MOST_BYTES:
        raise OSError(f"{url}: more than {_MOST_BYTES} bytes")
    return content


def _gunzip(content: bytes, name: str) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as file:
            plain = file.read(_MOST_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
        raise OSError(f"{name}: {error}") from error
    if len(plain) > _MOST_BYTES:
        raise OSError(f"{name}: decompresses to more than {_MOST_BYTES} bytes")
    return plain


def _compare(name: str, content: bytes, sha256: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise OSError(f"{name}: SHA-256 is {found}, expected {sha256}")


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise

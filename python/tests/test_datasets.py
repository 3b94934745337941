"""Data sets: from inside the package, from local folders, and over a network that is this machine's own."""

import gzip
import hashlib
import http.server
import io
import tarfile
import threading

import numpy as np
import pytest

from falsum import _core, _download, datasets


@pytest.fixture
def nothing_here(tmp_path, monkeypatch):
    """A machine without data: an empty cache, and nothing beside it. Returns the cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("FALSUM_DATA", raising=False)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    for entry in _core.list_datasets():
        if entry["name"] == "fashion-mnist" and entry["available"]:
            real = _core.list_datasets
            monkeypatch.setattr(_core, "list_datasets", lambda folder="", real=real: [_hide_debian(e) for e in real(folder)])
    return tmp_path / "cache" / "falsum"


def _hide_debian(entry):
    return {**entry, "available": False} if entry["location"].startswith("/usr/share") else entry


@pytest.fixture
def server():
    """An HTTP server on the loopback; `server.files` maps paths to contents."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            content = files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_):
            pass

    files = {}
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    running.files = files
    running.url = f"http://127.0.0.1:{running.server_port}/"
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def idx_files():
    random = np.random.RandomState(0)
    for split, rows in (("train", 30), ("t10k", 20)):
        head = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in (rows, 28, 28))
        yield f"{split}-images-idx3-ubyte", head + random.randint(0, 256, rows * 784).astype("u1").tobytes()
        yield f"{split}-labels-idx1-ubyte", bytes([0, 0, 8, 1]) + rows.to_bytes(4, "big") + bytes(r % 10 for r in range(rows))


def reviews_archive(extra=()):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        names = [f"aclImdb/{s}/{p}/{i}_7.txt" for s in ("train", "test") for p in ("pos", "neg") for i in range(3)]
        for name in [*names, "aclImdb/train/unsup/0_0.txt", "aclImdb/README", *extra]:
            info = tarfile.TarInfo(name)
            content = f"text of {name}".encode()
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def test_mnist_is_inside():
    data = datasets.load_mnist()
    assert data.X_train.shape == (60000, 784) and data.X_train.dtype == bool
    assert data.X_test.shape == (10000, 784) and data.y_test[:5].tolist() == [7, 2, 1, 0, 4]
    assert np.bincount(data.y_train).min() > 5000


def test_noisy_xor_is_made():
    data = datasets.load_noisy_xor(seed=3)
    assert ((data.X_test[:, 0] ^ data.X_test[:, 1]) == data.y_test).all()
    assert 0.55 < ((data.X_train[:, 0] ^ data.X_train[:, 1]) == data.y_train).mean() < 0.65


def test_fashion_mnist_comes_over_the_network_once(nothing_here, server, monkeypatch):
    for name, content in idx_files():
        server.files["/" + name + ".gz"] = gzip.compress(content)
    monkeypatch.setattr(_download, "FASHION_MNIST_URL", server.url)
    monkeypatch.setattr(_download, "FASHION_MNIST_FILES", {n: hashlib.sha256(c).hexdigest() for n, c in idx_files()})
    data = datasets.load_fashion_mnist(grey=True)
    assert data.X_train.shape == (30, 784) and data.X_train.dtype == np.uint8 and data.y_train.tolist()[:3] == [0, 1, 2]
    server.files.clear()
    again = datasets.load_fashion_mnist(levels=2)
    assert again.X_train.shape == (30, 1568)
    assert np.array_equal(again.X_train[:, :784], data.X_train > 85)


def test_a_download_that_is_not_what_it_should_be_leaves_nothing_behind(nothing_here, server, monkeypatch):
    for name, content in idx_files():
        server.files["/" + name + ".gz"] = gzip.compress(content)
    monkeypatch.setattr(_download, "FASHION_MNIST_URL", server.url)
    with pytest.raises(OSError, match="SHA-256 is .* expected c59f468a.*Debian package"):
        datasets.load_fashion_mnist()
    server.files = {}
    assert not list(nothing_here.glob("**/*ubyte*"))


@pytest.mark.parametrize("content", [b"", b"not gzip", gzip.compress(b"x", mtime=0)[:-5]], ids=["empty", "not gzip", "cut short"])
def test_damaged_downloads_are_os_errors(nothing_here, server, monkeypatch, content):
    server.files["/train-images-idx3-ubyte.gz"] = content
    monkeypatch.setattr(_download, "FASHION_MNIST_URL", server.url)
    with pytest.raises(OSError, match="could not be downloaded"):
        datasets.load_fashion_mnist()


def test_without_a_network_the_error_says_what_to_do(nothing_here, server, monkeypatch):
    monkeypatch.setattr(_download, "IMDB_URL", server.url + "aclImdb_v1.tar.gz")
    with pytest.raises(OSError, match="imdb is not on this machine and could not be downloaded .*Not Found.*aclImdb"):
        datasets.load_imdb()
    with pytest.raises(OSError, match="imdb is not on this machine. Unpack"):
        datasets.load_imdb(download=False)


def test_imdb_comes_over_the_network_and_only_reviews_are_unpacked(nothing_here, server, monkeypatch):
    archive = reviews_archive(extra=["aclImdb/train/pos/../../../../escaped.txt", "/tmp/absolute.txt"])
    server.files["/aclImdb_v1.tar.gz"] = archive
    monkeypatch.setattr(_download, "IMDB_URL", server.url + "aclImdb_v1.tar.gz")
    monkeypatch.setattr(_download, "IMDB_SHA256", hashlib.sha256(archive).hexdigest())
    data = datasets.load_imdb()
    assert sorted(data.y_train.tolist()) == [0, 0, 0, 1, 1, 1] and len(data.X_test) == 6
    assert all(f"/{'pos' if y else 'neg'}/" in text for text, y in zip(data.X_train, data.y_train))
    found = sorted(str(path.relative_to(nothing_here)) for path in nothing_here.glob("**/*.txt"))
    assert len(found) == 12 and not (nothing_here.parent / "escaped.txt").exists()
    assert datasets.load_imdb(download=False).X_train == data.X_train


def test_local_folders_come_first(nothing_here, tmp_path):
    folder = tmp_path / "mine" / "fashion-mnist"
    folder.mkdir(parents=True)
    for name, content in idx_files():
        (folder / name).write_bytes(content)
    assert datasets.load_fashion_mnist(data_home=tmp_path / "mine", download=False).X_train.shape == (30, 784)

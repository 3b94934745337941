"""A server on the loopback that lies, stalls, cuts short, floods and disappears: a clear error, and nothing but good files."""

import contextlib
import gzip
import hashlib
import socket
import threading
import time

import pytest

from falsum import _download

GOOD = b"\0\0\x08\x01\0\0\0\x03\x01\x02\x03"
NAME = "train-labels-idx1-ubyte"


@contextlib.contextmanager
def serving(monkeypatch, tmp_path, answer):
    """A server that calls answer(connection) for every request, and a cache that is empty."""
    listener = socket.create_server(("127.0.0.1", 0))
    open_connections = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                open_connections.append(connection)
                connection.recv(65536)
                with contextlib.suppress(OSError):
                    answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(_download, "FASHION_MNIST_URL", f"http://127.0.0.1:{listener.getsockname()[1]}/")
    monkeypatch.setattr(_download, "FASHION_MNIST_FILES", {NAME: hashlib.sha256(GOOD).hexdigest()})
    monkeypatch.setattr(_download, "_TIMEOUT", 0.5)
    yield tmp_path / "falsum" / "fashion-mnist" / NAME
    listener.close()
    for connection in open_connections:
        connection.close()


def respond(connection, body, length=None, status="200 OK"):
    length = len(body) if length is None else length
    connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n".encode() + body)
    connection.shutdown(socket.SHUT_WR)


def flood(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(bytes(1 << 20))


def stall_in_the_middle(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + gzip.compress(GOOD)[:10])


ANSWERS = {
    "lies": lambda c: respond(c, gzip.compress(GOOD + b"!")),
    "another file": lambda c: respond(c, gzip.compress(b"")),
    "cuts short": lambda c: respond(c, gzip.compress(GOOD)[:-9]),
    "promises more": lambda c: respond(c, gzip.compress(GOOD)[:-9], length=5000),
    "damages": lambda c: respond(c, gzip.compress(GOOD)[:12] + b"\xff\xff\xff\xff" + gzip.compress(GOOD)[16:]),
    "sends a bomb": lambda c: respond(c, gzip.compress(bytes(50 << 20))),
    "no gzip": lambda c: respond(c, GOOD),
    "stalls at once": lambda c: None,
    "stalls in the middle": stall_in_the_middle,
    "hangs up": lambda c: c.close(),
    "no HTTP": lambda c: c.sendall(b"SSH-2.0-OpenSSH\r\n\r\n") or c.close(),
    "not found": lambda c: respond(c, b"gone", status="404 Not Found"),
    "broken": lambda c: respond(c, b"", status="500 Internal Server Error"),
    "floods": flood,
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_bad_server_is_an_os_error_and_leaves_nothing(monkeypatch, tmp_path, answer):
    monkeypatch.setattr(_download, "_MOST_BYTES", 4 << 20)
    with serving(monkeypatch, tmp_path, answer):
        began = time.monotonic()
        with pytest.raises(OSError):
            _download.fetch_fashion_mnist()
        assert time.monotonic() - began < 60  # it ends: no stall is waited for for ever
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_good_file_is_never_overwritten_by_a_bad_one(monkeypatch, tmp_path, answer):
    with serving(monkeypatch, tmp_path, lambda c: respond(c, gzip.compress(GOOD))) as file:
        _download.fetch_fashion_mnist()
        assert file.read_bytes() == GOOD
    with serving(monkeypatch, tmp_path, answer) as file:
        _download.fetch_fashion_mnist()  # it is here already: the server is not asked
        assert file.read_bytes() == GOOD
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [NAME]

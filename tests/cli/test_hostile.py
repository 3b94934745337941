"""Files that mean harm (tests/hostile) end in exit code 2 and one sentence, whatever they are given as."""

import gzip
import lzma
import struct
import zlib
from pathlib import Path

import pytest
from conftest import SMALL, run_falsum

HOSTILE = sorted(path for path in (Path(__file__).parents[1] / "hostile").iterdir() if path.suffix != ".md")
GIGABYTE = 1 << 30


@pytest.fixture(scope="module")
def memory():
    """Address space that is plenty for every good file of this size; none of a limit where a sanitizer needs more."""
    return GIGABYTE if run_falsum("cpu", memory=GIGABYTE).returncode == 0 else None


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_a_hostile_file_is_refused(refuses, xor_model, tmp_path, memory, path):
    refuses("inspect", path, memory=memory)
    refuses("predict", path, "noisy-xor", memory=memory)
    refuses("train", "noisy-xor", "--resume", path, memory=memory)
    refuses("train", path, *SMALL, memory=memory)
    refuses("evaluate", xor_model, path, memory=memory)
    refuses("predict", xor_model, path, memory=memory)
    refuses("predict", xor_model, path, "--no-label", memory=memory)


def zeros_gzip(size):
    """A gzip stream of `size` zeros, made in no memory."""
    packer, parts, block = zlib.compressobj(6, zlib.DEFLATED, 31), [], bytes(1 << 20)
    for _ in range(size >> 20):
        parts.append(packer.compress(block))
    return b"".join(parts) + packer.flush()


def test_a_bomb_does_not_go_off(refuses, tmp_path, memory):
    """1.2 gigabytes of zeros in about one megabyte, where one gigabyte is allowed."""
    if memory is None:
        pytest.skip("this build does not run in 1 GB of address space (a sanitizer?)")
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(zeros_gzip(1200 << 20))
    refuses("train", bomb, *SMALL, memory=memory)
    inner = lzma.compress(bytes(8 << 20))
    nested = tmp_path / "nested.csv.xz"
    nested.write_bytes(gzip.compress(inner * 240))  # gzip of xz of zeros
    refuses("train", nested, *SMALL, memory=memory)


def test_a_sparse_row_that_names_the_last_of_millions_of_features_is_refused(refuses, tmp_path, memory):
    rows = tmp_path / "wide.svm"
    rows.write_text("".join(f"{i % 2} 67108864:1\n" for i in range(20000)))  # 168 GB as bits
    refuses("train", rows, *SMALL, memory=memory, says=["wide.svm"])


def test_memory_that_runs_out_while_learning_is_an_error(refuses, tmp_path):
    """The estimate is told that there is plenty; the system says no."""
    megabytes = 300 << 20
    if run_falsum("cpu", memory=megabytes).returncode != 0:
        pytest.skip("this build does not run in 300 MB of address space (a sanitizer?)")
    model = tmp_path / "model.fsm"
    refuses("train", "mnist", "--clauses", "40000", "--threads", "2", "--max-memory", "1000000", "-o", model, memory=megabytes,
            says="memory", silent=False)
    assert not model.exists()
    pixels = struct.pack(">IIII", 0x803, 200000, 28, 28) + bytes(200000 * 784)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(pixels)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 200000) + bytes(i % 2 for i in range(200000)))
    refuses("train", tmp_path / "train-images-idx3-ubyte", *SMALL, memory=megabytes, says="memory")

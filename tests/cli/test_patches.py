"""Convolutional machines from the command line."""

import json
import random
import struct

import pytest
from conftest import run_falsum

SMALL = ("--clauses", "20", "-T", "40", "-s", "4", "--weighted", "--epochs", "6", "--threads", "1")


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    """6 x 7 images with a diagonal of three pixels somewhere, or with another one."""
    choose, pixels, labels = random.Random(3), bytearray(), bytearray()
    for _ in range(600):
        image, label = [255 * (choose.random() < 0.1) for _ in range(42)], choose.randrange(2)
        row, column = choose.randrange(4), choose.randrange(5)
        for i in range(9):
            image[(row + i // 3) * 7 + column + i % 3] = 255 * (i // 3 == (i % 3 if label else 2 - i % 3))
        pixels += bytes(image)
        labels.append(label)
    folder = tmp_path_factory.mktemp("images")
    (folder / "some-images-idx3-ubyte").write_bytes(struct.pack(">4I", 0x803, 600, 6, 7) + pixels)
    (folder / "some-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 0x801, 600) + labels)
    return folder / "some-images-idx3-ubyte"


def trained(images, tmp_path, *more):
    model = tmp_path / "model.falsum"
    run = run_falsum("train", images, *SMALL, "--patch", "3x3", "-o", model, "--json", *more)
    assert run.returncode == 0, run.stderr
    return model, json.loads(run.stdout)


def test_a_pattern_that_moves_is_learned_and_the_size_of_images_is_known(images, tmp_path):
    model, report = trained(images, tmp_path)
    assert (report["patch"], report["image"], report["stride"]) == ("3x3", "6x7", "1x1")
    evaluated = json.loads(run_falsum("evaluate", model, images, "--json").stdout)
    assert evaluated["accuracy"] > 0.9
    for engine in ("scan", "index", "bitmap", "sliced"):
        again = json.loads(run_falsum("evaluate", model, images, "--json", "--engine", engine).stdout)
        assert again["accuracy"] == evaluated["accuracy"], engine


def test_engines_learn_the_same_model_and_resuming_changes_nothing(images, tmp_path):
    model, _ = trained(images, tmp_path)
    expected = model.read_bytes()
    for engine in ("scan", "index"):
        assert trained(images, tmp_path, "--engine", engine)[0].read_bytes() == expected
    checkpoint = tmp_path / "half.fsc"
    assert run_falsum("train", images, *SMALL, "--patch", "3x3", "--epochs", "3", "--checkpoint", checkpoint).returncode == 0
    resumed = tmp_path / "resumed.falsum"
    run = run_falsum("train", images, "--resume", checkpoint, "--epochs", "6", "--threads", "1", "-o", resumed)
    assert run.returncode == 0, run.stderr
    assert resumed.read_bytes() == expected


@pytest.mark.parametrize(
    "options, sentence",
    [(("--patch", "7x3"), "patch must be at most the image"), (("--patch", "3"), "patch must be rows x columns"),
     (("--image", "6x7"), "image needs a patch"), (("--patch", "3x3", "--image", "6x6"), "as many bits as the data have features"),
     (("--patch", "3x3", "--sharded"), "sharded must be off with patches"), (("--stride", "2x2"), "without a patch"),
     (("--patch", "3x3", "--stride", "0x1"), "stride must be rows x columns")],
)  # fmt: skip
def test_sizes_that_do_not_fit_are_refused_in_one_sentence(images, options, sentence):
    run = run_falsum("train", images, *SMALL, *options)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_table_has_no_patches():
    run = run_falsum("train", "noisy-xor", *SMALL, "--patch", "3x3")
    assert run.returncode == 2
    assert "the data are not images" in run.stderr


def test_a_model_without_its_patches_is_damaged(images, tmp_path):
    """The section says what literals mean, so it must be there and agree with the options."""
    model, _ = trained(images, tmp_path)
    content = model.read_bytes()
    assert content.count(b"PTCH") == 1
    (tmp_path / "other.falsum").write_bytes(content.replace(b"PTCH", b"PTCX"))
    run = run_falsum("inspect", tmp_path / "other.falsum")
    assert run.returncode == 2

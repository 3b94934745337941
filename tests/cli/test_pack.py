"""Packed rows in place of the data: the same model, the same answers, and one sentence for whatever cannot be."""

import json
import os
import subprocess
import sys

import pytest
from conftest import COMMAND, FLOWER_HEADER, ROOT, SMALL, csv_text, flower_rows, run_falsum


@pytest.fixture
def packed(falsum, flowers, tmp_path):
    path = tmp_path / "flowers.falsum-rows"
    falsum("pack", flowers, "-o", path)
    return path


def model_of(falsum, folder, data, *options):
    falsum("train", data, *SMALL, *options, "-o", folder / "model")
    return (folder / "model").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--calibrate", "0.3"],
        ["--epochs", "6", "--validation", "0.3", "--patience", "2"],
        ["--class-weight", "balanced"],
        ["--fuzzy", "8", "--clauses", "10"],
        ["--sharded", "--threads", "2"],
        ["--engine", "index"],
        ["--engine", "scan"],
    ],
    ids=" ".join,
)
def test_the_model_is_that_of_the_data(falsum, flowers, packed, tmp_path, options):
    assert model_of(falsum, tmp_path, packed, *options) == model_of(falsum, tmp_path, flowers, *options)


def test_images_with_patches_and_sparse_rows_give_the_same_models_too(falsum, tmp_path):
    rows = tmp_path / "rows"
    falsum("pack", "mnist:test", "-o", rows)
    patches = ["--patch", "8x8", "--stride", "4x4"]
    assert model_of(falsum, tmp_path, rows, *patches) == model_of(falsum, tmp_path, "mnist:test", *patches)
    sparse = tmp_path / "sparse.svm"
    sparse.write_text("".join(f"{i % 3} {1 + i % 5}:1 {7 + i % 11}:2 {20 + i % 2}:0\n" for i in range(200)))
    report = json.loads(falsum("pack", sparse, "-o", rows, "--json"))
    assert report["sparse"] and report["samples"] == 200 and report["bytes"] == rows.stat().st_size
    assert model_of(falsum, tmp_path, rows) == model_of(falsum, tmp_path, sparse)


def test_a_checkpoint_of_the_data_goes_on_with_its_packed_rows(falsum, flowers, packed, tmp_path):
    whole = model_of(falsum, tmp_path, flowers, "--epochs", "4")
    falsum("train", flowers, *SMALL, "--epochs", "2", "--checkpoint", tmp_path / "c")
    falsum("train", packed, "--epochs", "4", "--resume", tmp_path / "c", "-o", tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == whole


def test_a_model_is_tested_on_rows_like_those_it_learned(falsum, flowers, packed, flower_model, tmp_path):
    test, rows = tmp_path / "test.csv", tmp_path / "test-rows"
    test.write_text(csv_text(flower_rows(31), FLOWER_HEADER))
    for like in (flower_model, packed):
        falsum("pack", test, "--like", like, "-o", rows)
        assert falsum("predict", flower_model, rows) == falsum("predict", flower_model, test)
        reports = [json.loads(falsum("evaluate", flower_model, data, "--json")) for data in (rows, test)]
        assert reports[0]["accuracy"] == reports[1]["accuracy"]
        assert model_of(falsum, tmp_path, packed, "--test", rows) == model_of(falsum, tmp_path, flowers, "--test", test)
    falsum("pack", test, "--like", packed, "--no-labels", "-o", rows)
    assert falsum("predict", flower_model, rows) == falsum("predict", flower_model, test)


def test_tuning_takes_packed_rows(falsum, packed, tmp_path):
    falsum("tune", packed, "--budget", "1s", "--clauses", "10", "-o", tmp_path / "model")
    assert "rose" in falsum("predict", tmp_path / "model", packed)


def test_what_cannot_be_packed_or_learned_is_said(refuses, falsum, flowers, packed, flower_model, tmp_path):
    refuses("train", packed, *SMALL, "--quantiles", "3", says=["--quantiles is for tables", "packed rows"])
    refuses("train", packed, *SMALL, "--label", "width", says=["--label", "a file of packed rows"])
    refuses("train", packed, *SMALL, "--task", "regression", says=["packed with --task classification", "regression"])
    refuses("pack", packed, "-o", tmp_path / "again", says="packed already")
    refuses("pack", flowers, "-o", flowers, says="same file")
    refuses("pack", flowers, "-o", flower_model, says="is not a falsum file of rows")
    refuses("pack", flowers, "--like", flower_model, "--quantiles", "2", "-o", tmp_path / "again", says="--quantiles")
    refuses("pack", flowers, "--like", flowers, "-o", tmp_path / "again", says="not a falsum model")
    refuses("train", flowers, *SMALL, "-o", packed, says="is not a falsum model")
    refuses("predict", flower_model, flowers, "-o", packed, says="a falsum file of rows")
    refuses("inspect", packed, says="is a falsum file of rows, not a model")
    refuses("train", packed, *SMALL, "--resume", packed, says="file of rows")
    wide = tmp_path / "wide.csv"
    wide.write_text(csv_text([[i, i % 3, "a" if i % 2 else "b"] for i in range(40)], "x,y,kind"))
    falsum("pack", wide, "-o", tmp_path / "wide")
    refuses("predict", flower_model, tmp_path / "wide", says=["other features", "--like"])
    packed.write_bytes(packed.read_bytes()[:-1])
    refuses("train", packed, *SMALL, says="is damaged")


def test_rows_are_replaced_by_rows_and_by_nothing_half_written(falsum, flowers, packed, tmp_path):
    before = packed.read_bytes()
    flowers.write_text(flowers.read_text() + "1,2,3\n")
    assert run_falsum("pack", flowers, "-o", packed).returncode == 2
    assert packed.read_bytes() == before
    falsum("pack", flowers, "--bad-rows", "skip", "-o", packed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flowers.csv", "flowers.falsum-rows"]


def test_data_four_times_the_memory_allowed_are_packed_and_learned(tmp_path):
    """The small version of `make test-out-of-core`."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, ROOT / "tests" / "out_of_core" / "run.py", COMMAND, "--limit", "6", "--rlimit"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("the same model") == 2

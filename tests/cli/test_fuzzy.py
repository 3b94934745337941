"""--fuzzy: from data to answers, files and words."""

import json
import os

import pytest
from conftest import run_falsum

FUZZY = ("--fuzzy", 2, "--max-literals", 4, "--clauses", 100, "-T", 50, "-s", 6)


@pytest.fixture(scope="module")
def model(falsum, tmp_path_factory):
    path = tmp_path_factory.mktemp("fuzzy") / "xor.falsum"
    report = json.loads(falsum("train", "noisy-xor", *FUZZY, "--epochs", 10, "-o", path, "--json"))
    assert report["fuzzy"] == 2
    assert report["epochs"][-1]["test_accuracy"] > 0.85
    return path


def test_every_engine_evaluates_it_alike(falsum, model):
    reports = [json.loads(falsum("evaluate", model, "noisy-xor", "--json", "--engine", e)) for e in ("scan", "sliced", "tables", "auto")]
    assert len({json.dumps([r["accuracy"], r["confusion"]]) for r in reports}) == 1
    assert "tables" in falsum("evaluate", model, "noisy-xor", "--explain-engine")


def test_inspect_says_what_is_forgiven(falsum, model):
    text = falsum("inspect", model, "--rules", 2)
    assert "fuzzy 2" in text
    assert "FOR EACH THAT IS FALSE THEN" in " ".join(text.split())


def test_inspect_draws_clauses_of_images(falsum, tmp_path):
    model = tmp_path / "digits.falsum"
    machine = ("--fuzzy", 8, "--max-literals", 16, "--clauses", 20, "-T", 20, "-s", 200)
    falsum("train", "mnist:test", *machine, "--epochs", 1, "--calibration", "none", "-o", model)
    lines = falsum("inspect", model, "--rules", 2, env={**os.environ, "COLUMNS": "100"}).splitlines()
    assert "# should be on   . should be off   (space) does not matter" in lines
    first = lines.index("class 7")
    assert lines[first + 1].count("votes,") == 2 and lines[first + 2].count("less 1 for each of ") == 2
    drawn = lines[first + 3 : lines.index("class 8") - 1]
    assert 10 < len(drawn) <= 28
    literals = sum(int(word) for word in lines[first + 2].split() if word.isdigit() and word != "1")
    marks = sum(line.count("#") + line.count(".") for line in drawn)
    assert literals / 2 < marks <= literals  # a pixel that should be both is one mark


def test_learning_is_stopped_and_resumed(falsum, tmp_path):
    whole, part, checkpoint = (tmp_path / name for name in ("whole.falsum", "part.falsum", "part.checkpoint"))
    falsum("train", "noisy-xor", *FUZZY, "--epochs", 4, "-o", whole)
    falsum("train", "noisy-xor", *FUZZY, "--epochs", 2, "-o", part, "--checkpoint", checkpoint)
    falsum("train", "noisy-xor", "--epochs", 4, "-o", part, "--resume", checkpoint, "--engine", "scan")
    assert part.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "arguments, sentence",
    [((*FUZZY, "--weighted"), "weighted must be false in a fuzzy machine"),
     (("--include-limit", 200), "include_limit must be 0 unless clauses are fuzzy"),
     ((*FUZZY, "--engine", "index"), "engine must be auto, scan or lookahead for a fuzzy machine, got index"),
     ((*FUZZY, "--shared", "--task", "multilabel"), "only two classes can share fuzzy clauses")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_sentence(arguments, sentence):
    result = run_falsum("train", "noisy-xor", *arguments)
    assert result.returncode == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1

"""Models and checkpoints of every kind of machine: the smallest good ones are read, and what is spoiled in them is refused in
one sentence that says what is wrong."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import kinds
import read_model

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum"))
ROWS = "x0,x1,x2,y\n1,0,0,3\n0,1,0,7\n0,1,1,3\n1,1,1,7\n"


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def refusal(*arguments):
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, ""), result
    assert result.stderr.startswith("falsum: ") and result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.parametrize("kind", kinds.MODELS)
def test_the_smallest_model_of_a_kind_is_read_and_predicts(kind, tmp_path):
    path, rows = tmp_path / "model.falsum", tmp_path / "rows.csv"
    path.write_bytes(kinds.file_of("model", kinds.MODELS[kind]))
    rows.write_text("1,0,0\n0,1,0\n0,1,1\n1,1,1\n")
    expected = read_model.read_model(path.read_bytes())
    report = run("inspect", path, "--json")
    assert report.returncode == 0, report.stderr
    assert json.loads(report.stdout)["task"] == expected["machine"].get("task", "classification")
    answers = run("predict", path, rows, "--no-label", "--json")
    assert answers.returncode == 0, answers.stderr
    assert len(json.loads(answers.stdout)) == 4


@pytest.mark.parametrize("kind", kinds.CHECKPOINTS)
def test_the_smallest_checkpoint_of_a_kind_is_resumed(kind, tmp_path):
    path, rows, again = tmp_path / "c.falsum-checkpoint", tmp_path / "rows.csv", tmp_path / "again.falsum-checkpoint"
    path.write_bytes(kinds.file_of("checkpoint", kinds.CHECKPOINTS[kind]))
    checkpoint = read_model.read_checkpoint(path.read_bytes())
    task = checkpoint["machine"].get("task", "classification")
    rows.write_text(ROWS if kind != "one label" else ROWS.replace("7", "3"))
    result = run("train", rows, "--task", task, "--resume", path, "--epochs", 2, "--checkpoint", again)
    assert result.returncode == 0, result.stderr
    resumed = read_model.read_checkpoint(again.read_bytes())
    assert (checkpoint["epoch"], resumed["epoch"]) == (1, 2)
    assert resumed["machine"].items() >= checkpoint["machine"].items()


@pytest.mark.parametrize(
    "part",
    [kinds.part(1, 3), kinds.part(2), kinds.part(shard=1, shards=3, clauses=26), kinds.part(2, shard=2, shards=3, clauses=26)],
)
def test_a_part_of_a_machine_is_read_and_the_command_asks_for_the_others(part, tmp_path):
    path, rows = tmp_path / "part.falsum-checkpoint", tmp_path / "rows.csv"
    path.write_bytes(kinds.file_of("checkpoint", part))
    checkpoint = read_model.read_checkpoint(path.read_bytes())
    assert len(checkpoint["classes"]) == len(checkpoint["banks"]) == len(checkpoint["uses"])
    assert {len(bank) for bank in checkpoint["banks"]} <= {2, 9}  # of 26 clauses, thirds of 8, 9 and 9
    rows.write_text(ROWS)
    assert "it must be joined with the other parts of the machine" in refusal("train", rows, "--resume", path)


def spoiled(form, kind, tag, payload, says):
    return pytest.param(form, kind, tag, payload, says, id=f"{form} of {kind}: {tag}, {says}")


F64 = struct.Struct("<2d").pack
SHAPE = struct.Struct("<3Q").pack
NAMED = kinds.named
PART = kinds.text(b"0.2.0")
SPOILED = [
    spoiled("model", "weighted", "OPTS", NAMED(clauses=2, max_weight=0), "max_weight must be from 1"),
    spoiled("model", "weighted", "OPTS", NAMED(clauses=2, max_weight=2**40), "max_weight must be"),
    spoiled("model", "weighted", "WGTS", bytes([2, 0, 0, 1, 3, 1, 1, 16]), "weight is impossible"),  # a weight of 0
    spoiled("model", "weighted", "WGTS", bytes([1, 3, 6, 0]), "belongs to no clause"),
    spoiled("model", "weighted", "WGTS", bytes([1, 0, *[255] * 4, 127, 0]), "weight is impossible"),
    spoiled("model", "weighted", "WGTS", bytes([2, 0, 6, 1, 3]), "ends"),  # one output too few
    spoiled("model", "weighted", "WGTS", None, "WGTS"),
    spoiled("model", "shared", "SHAP", SHAPE(3, 10**6, 3), "fewer outputs than it says"),
    spoiled("model", "shared", "SHAP", SHAPE(3, 2, 2**31), "fewer clauses than it says"),
    spoiled("model", "shared", "SHAP", SHAPE(3, 2, 2**40), "from 1 to 4294967295 clauses"),
    spoiled("model", "shared", "LITS", bytes([1, 0, 2, 1, 4, 0]), "a literal that does not exist"),
    spoiled("model", "focused", "OPTS", NAMED(clauses=2, shared=True, negatives="nearest"), "negatives must be"),
    spoiled("model", "focused", "OPTS", NAMED(clauses=2, negatives="focused"), "negatives must be uniform"),
    spoiled("model", "focused", "OPTS", NAMED(clauses=2, drop_clauses=float("nan")), "drop_clauses must be"),
    spoiled("model", "focused", "OPTS", NAMED(clauses=2, specificity_to=-1.0), "specificity_to must be"),
    spoiled("model", "labels", "OPTS", NAMED(clauses=2, task="shapes"), "task must be one of"),
    spoiled("model", "labels", "OPTS", NAMED(clauses=2, task="multilabel", negative_share=2.0), "negative_share must be"),
    spoiled("model", "labels", "LABL", bytes([3]) + 3 * kinds.text(b"a"), "another number of labels"),
    spoiled("model", "numbers", "RANG", F64(9, -1), "not finite or does not ascend"),
    spoiled("model", "numbers", "RANG", F64(float("nan"), 9), "not finite or does not ascend"),
    spoiled("model", "numbers", "RANG", F64(-1e308, 1e308), "not finite or does not ascend"),
    spoiled("model", "numbers", "RANG", F64(-1, 9)[:15], "ends"),
    spoiled("model", "numbers", "RANG", F64(-1, 9) + b"\0", "bytes after its end"),
    spoiled("model", "numbers", "RANG", None, "RANG"),
    spoiled("model", "numbers", "OPTS", NAMED(clauses=2, task="regression", shared=True), "shared must be off"),
    spoiled("model", "weighted", "OPTS", NAMED(clauses=2, task="regression"), "a regression machine has one output"),
    spoiled("model", "temperature", "prob", NAMED(temperature=0.0), "temperature of its calibration is impossible"),
    spoiled("model", "temperature", "prob", NAMED(temperature=float("nan")), "temperature of its calibration is impossible"),
    spoiled("model", "isotonic", "prob", NAMED(isotonic=kinds.curve((0, 0.5))), "ends"),
    spoiled("model", "isotonic", "prob", NAMED(isotonic=2 * kinds.curve((0, 1.5))), "probability of its calibration is impossible"),
    spoiled("model", "isotonic", "prob", NAMED(isotonic=2 * kinds.curve((3, 0.5), (2, 0.6))), "does not rise"),
    spoiled("model", "isotonic", "prob", NAMED(isotonic=b"\0\0"), "has no points"),
    spoiled("model", "patches", "PTCH", struct.pack("<Q", 4), "another number of features than it says"),
    spoiled("model", "patches", "PTCH", struct.pack("<Q", 3)[:7], "ends"),
    spoiled("model", "patches", "PTCH", None, "another number of features"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2), "another number of features than it says"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="1x2", image="1x4"), "which is 3, got 1x4 with 4"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="0x2", image="1x3"), "patch must be rows x columns"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="1x99999999999999999999", image="1x3"), "patch must be rows x columns"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="1x2", image="4294967296x4294967296x3"), "each from 1 to 1048576"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="1x2", image="1x3", stride="0x1"), "stride must be rows x columns"),
    spoiled("model", "patches", "OPTS", NAMED(clauses=2, patch="1x2", image="1x3", fuzzy=2), "patch must be empty in a fuzzy machine"),
    spoiled("model", "patches", "LITS", bytes([1, 0, 2, 1, 4, 0]), "a literal that does not exist"),
    spoiled("model", "fuzzy", "OPTS", NAMED(clauses=2), "no section LITS"),
    spoiled("model", "fuzzy", "OPTS", NAMED(clauses=2, fuzzy=65536), "fuzzy must be from 0 to 65535"),
    spoiled("model", "fuzzy", "OPTS", NAMED(clauses=2, fuzzy=2, include_limit=300), "include_limit must be from 0 to 255"),
    spoiled("model", "fuzzy", "WGTS", bytes([2, 0, 6, 1, 1, 1, 2, 2]), "a fuzzy clause has a weight"),
    spoiled("model", "fuzzy", "FUZZ", None, "FUZZ"),
    spoiled("model", "fuzzy", "FUZZ", bytes([1, 0, 2, 1, 4, 0]), "a literal that does not exist"),
    spoiled("checkpoint", "part", "PART", PART + bytes([1, 0, 0]), "it is a part, but has all classes"),
    spoiled("checkpoint", "part", "PART", PART + bytes([1, 0, 2, 0, 3]), "must ascend and be from 0 to 3, got classes 0 and 4"),
    spoiled("checkpoint", "part", "PART", PART + bytes([1, 0, 1, 0]), "another number of banks"),
    spoiled("checkpoint", "part", "PART", PART + bytes([1, 0, 2, 0, 0, 0]), "bytes after its end"),
    spoiled("checkpoint", "part", "PART", PART + bytes([0, 0, 2, 0, 0]), "a shard that there is not"),
    spoiled("checkpoint", "part", "PART", PART + bytes([2, 0, 2, 0, 0]), "2 clauses can be divided into 1 to 1 shards"),
    spoiled("checkpoint", "part", "PART", None, "another number of banks"),
    spoiled("checkpoint", "patches", "OPTS", NAMED(clauses=2, patch="1x2", image="1x2"), "which is 3, got 1x2 with 2"),
    spoiled("checkpoint", "patches", "OPTS", NAMED(clauses=2, patch="1x4", image="1x3"), "patch must be at most the image"),
    spoiled("checkpoint", "patches", "BANK", kinds.CLAUSE, "smaller than its clauses"),
    spoiled("checkpoint", "fuzzy", "OPTS", NAMED(clauses=2), "smaller than its clauses"),
    spoiled("checkpoint", "fuzzy", "OPTS", NAMED(clauses=2, fuzzy=2, states=100), "a state that does not exist"),
    spoiled("checkpoint", "fuzzy", "BANK", bytes(7), "smaller than its clauses"),
    spoiled("checkpoint", "fuzzy", "BANK", bytes(13), "claims 13 bytes where at most 12"),
    spoiled("checkpoint", "weighted", "WGTS", bytes([1, 10, 3, 1]), "weight is impossible"),
    spoiled("checkpoint", "weighted", "WGTS", bytes([1, 0, 3, 1]), "weight is impossible"),
    spoiled("checkpoint", "weighted", "WGTS", bytes([1, 9, 3]), "ends"),
    spoiled("checkpoint", "weighted", "WGTS", None, "WGTS"),
    spoiled("checkpoint", "shared", "WGTS", bytes([1, 6, 0, 5, 0]), "bytes after its end"),
    spoiled("checkpoint", "shared", "SHAP", SHAPE(3, 2, 4), "another number of banks"),
    spoiled("checkpoint", "shared", "SHAP", SHAPE(3, 10**6, 2), "ends"),
    spoiled("checkpoint", "shared", "SHAP", SHAPE(3, 10**7, 2), "classes must be from 1"),
    spoiled("checkpoint", "shared", "OPTS", NAMED(clauses=2), "another number of banks"),
    spoiled("checkpoint", "labels", "SHAP", SHAPE(3, 1, 2), "another number of banks"),
    spoiled("checkpoint", "labels", "BANK", kinds.CLAUSE, "smaller than its clauses"),
    spoiled("checkpoint", "labels", "OPTS", NAMED(clauses=2, task="multilabel", hours=7), "it needs a later version"),
    spoiled("checkpoint", "numbers", "RANG", F64(9, -1), "must be finite and ascend"),
    spoiled("checkpoint", "numbers", "RANG", F64(-1, float("inf")), "must be finite and ascend"),
    spoiled("checkpoint", "numbers", "OPTS", NAMED(clauses=2, task="multilabel"), "only a regression machine has a range"),
    spoiled("checkpoint", "numbers", "SHAP", SHAPE(3, 2, 2), "a regression machine has one output"),
]


@pytest.mark.parametrize("form, kind, tag, payload, says", SPOILED)
def test_what_is_spoiled_is_refused(form, kind, tag, payload, says, tmp_path):
    good = kinds.part(1, 3) if kind == "part" else (kinds.MODELS if form == "model" else kinds.CHECKPOINTS)[kind]
    path, rows = tmp_path / "spoiled.falsum", tmp_path / "rows.csv"
    path.write_bytes(kinds.file_of(form, kinds.with_section(good, tag, payload)))
    rows.write_text(ROWS)
    sentence = refusal("inspect", path) if form == "model" else refusal("train", rows, "--resume", path)
    assert "spoiled.falsum" in sentence and says in sentence, sentence

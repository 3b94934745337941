"""docs/model_format.md is enough to read a model: an independent reader agrees with the command, on golden files of every
format version and on fresh ones. The golden files stay as they are for ever: every later falsum reads them."""

import csv
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import read_model as independent

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
COMMAND = os.path.abspath(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum"))


def falsum(*arguments, code=0):
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert result.returncode == code, result.stderr
    return result.stdout if code == 0 else result.stderr


def rows_of(path):
    with open(path, newline="") as file:
        return [row[:-1] for row in csv.reader(file)][1:]


MODELS = ["model_v1.fsm", "model_v1_temperature.falsum", "model_v1_isotonic.falsum", "model_v2_weighted.falsum", "model_v2_shared.falsum"]


@pytest.mark.parametrize("name", MODELS)
def test_the_golden_model_is_read_by_the_command_and_by_an_independent_reader_alike(name):
    path = GOLDEN / name
    model = independent.read_model(path.read_bytes())
    report = json.loads(falsum("inspect", path, "--json"))
    for option in ("features", "classes", "clauses", "threshold", "specificity", "states", "boost", "seed"):
        assert model["machine"][option] == report[option], option
    assert model["machine"].get("max_weight", 1) == report["max_weight"]
    assert model["labels"] == report["labels"] == ["iris", "rose", "tulip"]
    assert model["booleanizer"]["kind"] == report["booleanizer"] == "columns"
    assert [column["kind"] for column in model["booleanizer"]["columns"]] == ["numeric", "numeric", "categorical", "boolean"]
    accuracy = model["provenance"]["test_accuracy"]
    assert {**model["provenance"], "test_accuracy": None if accuracy < 0 else accuracy} == report["provenance"]
    assert sum(map(len, model["clauses"])) == report["included_literals"] > 0
    assert len(model["truth_shares"]) == report["features"]


def test_the_golden_model_of_numbers_is_read_by_an_independent_reader():
    """It was learned from flowers.csv with --task regression --label height."""
    path = GOLDEN / "model_v2_numbers.falsum"
    model = independent.read_model(path.read_bytes())
    report = json.loads(falsum("inspect", path, "--json"))
    assert model["machine"]["task"] == report["task"] == "regression"
    assert model["range"] == (report["range"]["least"], report["range"]["most"])
    with open(GOLDEN / "flowers.csv", newline="") as file:
        rows = [[row[0], row[2], row[3], row[4]] for row in csv.reader(file)][1:]
    printed = falsum("predict", path, GOLDEN / "flowers.csv").splitlines()
    least, most = model["range"]
    T = model["machine"]["threshold"]
    for row, line in zip(rows, printed):
        (votes,) = independent.votes(independent.features_of(row, model["booleanizer"]), model)
        assert abs(float(line) - (least + (most - least) * min(max(votes, 0), T) / T)) < 1e-6


@pytest.mark.parametrize("name", MODELS)
def test_the_golden_model_votes_as_the_document_says(name):
    model = independent.read_model((GOLDEN / name).read_bytes())
    printed = falsum("predict", GOLDEN / name, GOLDEN / "flowers.csv", "--votes").splitlines()
    rows = rows_of(GOLDEN / "flowers.csv")
    assert len(printed) == len(rows) + 1
    for row, line in zip(rows, printed[1:]):
        expected = independent.votes(independent.features_of(row, model["booleanizer"]), model)
        assert [int(cell) for cell in line.split(",")[1:]] == expected


@pytest.mark.parametrize("name", MODELS)
def test_the_golden_model_has_the_probabilities_that_the_document_says(name):
    model = independent.read_model((GOLDEN / name).read_bytes())
    assert ("calibration" in model) == ("temperature" in name or "isotonic" in name)
    printed = json.loads(falsum("predict", GOLDEN / name, GOLDEN / "flowers.csv", "--votes", "--probabilities", "--json"))
    for answer in printed:
        assert answer["probabilities"] == pytest.approx(independent.probabilities(answer["votes"], model), abs=1e-12)


def test_curves_that_disagree_with_the_votes_are_pooled_as_the_document_says(tmp_path):
    """The winner's curve is low: it shares with the classes above it."""
    version, kind, sections = independent.read_container((GOLDEN / "model_v1.fsm").read_bytes())
    curve = [struct.pack("<d", p) for p in (0.1, 0.9, 0.3)]
    value = b"".join(b"\x01\x00" + p for p in curve)  # one point each, at a lead of 0
    payload = b"\x08isotonic" + bytes([len(value)]) + value
    path = tmp_path / "model.falsum"
    path.write_bytes(independent.write_container(version, kind, [*sections, ("prob", independent.pack(payload))]))
    model = independent.read_model(path.read_bytes())
    printed = json.loads(falsum("predict", path, GOLDEN / "flowers.csv", "--votes", "--probabilities", "--json"))
    assert len({answer["label"] for answer in printed}) == 3
    for answer in printed:
        assert answer["probabilities"] == pytest.approx(independent.probabilities(answer["votes"], model), abs=1e-12)
        best = answer["probabilities"].index(max(answer["probabilities"]))
        assert best == answer["votes"].index(max(answer["votes"]))


# How they were learned from noisy-xor, whose rows the command makes: 12 bits.
KINDS = {
    "patches": "--patch 1x4 --image 2x6 --stride 1x2 --clauses 10 -T 15 -s 3 --weighted --seed 7",
    "fuzzy": "--fuzzy 3 --max-literals 4 --clauses 10 -T 9 -s 6 --seed 7",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_golden_model_of_patches_or_fuzzy_clauses_votes_as_the_document_says(kind, tmp_path):
    path, rows = GOLDEN / f"model_v2_{kind}.falsum", tmp_path / "rows.csv"
    model = independent.read_model(path.read_bytes())
    every = [[bool(k >> bit & 1) for bit in range(12)] for k in range(0, 4096, 13)]
    rows.write_text("".join(",".join(str(int(bit)) for bit in row) + "\n" for row in every))
    answers = json.loads(falsum("predict", path, rows, "--no-label", "--no-header", "--votes", "--json"))
    assert len(answers) == len(every)
    for row, answer in zip(every, answers):
        assert answer["votes"] == independent.votes(row, model)
    assert len({tuple(answer["votes"]) for answer in answers}) > 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_golden_checkpoint_of_patches_or_fuzzy_clauses_is_gone_on_from(kind, tmp_path):
    """Learned for one epoch; after two it is the machine that was never stopped."""
    path = GOLDEN / f"checkpoint_v2_{kind}.falsum-checkpoint"
    checkpoint = independent.read_checkpoint(path.read_bytes())
    assert checkpoint["epoch"] == 1 and len(checkpoint["banks"]) == 2
    assert {len(clause["states"]) for bank in checkpoint["banks"] for clause in bank} == {12 if kind == "patches" else 24}
    falsum("train", "noisy-xor", "--resume", path, "--epochs", "2", "-o", tmp_path / "resumed")
    falsum("train", "noisy-xor", *KINDS[kind].split(), "--epochs", "2", "-o", tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


EIGHT = ["--quantiles", "8"]  # as the golden checkpoints of flowers.csv were learned


@pytest.mark.parametrize("name", ["checkpoint_v1", "checkpoint_v1_ordered"])  # before and since hot literals are in order
def test_the_golden_checkpoint_is_read_and_gone_on_from(name, tmp_path):
    path = GOLDEN / f"{name}.fsc"
    checkpoint = independent.read_checkpoint(path.read_bytes())
    assert checkpoint["epoch"] == 3 and checkpoint["position"] == 0
    resume = ["train", GOLDEN / "flowers.csv", *EIGHT, "--resume", path]
    falsum(*resume, "--epochs", "3", "-o", tmp_path / "model.fsm")
    model = independent.read_model((tmp_path / "model.fsm").read_bytes())
    included = [
        [literal for literal, state in enumerate(clause["states"]) if state >= 128] for bank in checkpoint["banks"] for clause in bank
    ]
    assert included == model["clauses"]
    listed = [
        sorted(literal for literal in clause["hot"] if clause["states"][literal] >= 128) for bank in checkpoint["banks"] for clause in bank
    ]
    assert listed == (included if name.endswith("ordered") else [[]] * len(included))
    falsum(*resume, "--epochs", "5")


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("draws", [1, 2])
def test_the_golden_checkpoint_of_a_stop_in_an_epoch_is_read_and_gone_on_from(draws, sharded, tmp_path):
    """Version 2: classes stand at different samples."""
    path = GOLDEN / f"checkpoint_v2{'_draws_2' if draws == 2 else ''}{'_sharded' if sharded else ''}.fsc"
    checkpoint = independent.read_checkpoint(path.read_bytes())
    assert checkpoint["epoch"] == 1 and checkpoint["position"] == 0 and checkpoint["machine"]["sharded"] is sharded
    assert all(0 < ahead < uses for ahead, uses in zip(checkpoint["ahead"], checkpoint["uses"]))
    assert any(checkpoint["votes_left"]) is sharded
    assert checkpoint["data"]["rows"] == checkpoint["rows"] == len(rows_of(GOLDEN / "flowers.csv"))
    assert checkpoint["draws"] == draws
    falsum("train", GOLDEN / "flowers.csv", *EIGHT, "--resume", path, "--epochs", "3", "-o", tmp_path / "resumed.fsm")
    machine = [*EIGHT, "--clauses", "10", "-T", "5", "-s", "3", "--seed", "7", *(["--sharded"] if sharded else [])]
    falsum("train", GOLDEN / "flowers.csv", *machine, "--epochs", "3", "-o", tmp_path / "whole.fsm")
    # Those that drew other random numbers go on as well, to another machine.
    assert ((tmp_path / "resumed.fsm").read_bytes() == (tmp_path / "whole.fsm").read_bytes()) is (draws == 2)


def test_the_golden_checkpoint_of_a_stop_with_row_weights_is_read_and_gone_on_from(tmp_path):
    path, weights = GOLDEN / "checkpoint_v2_rates.falsum-checkpoint", ["--class-weight", "iris=3", *EIGHT]
    checkpoint = independent.read_checkpoint(path.read_bytes())
    assert checkpoint["epoch"] == 1 and checkpoint["row_weights"] == checkpoint["data"]["weights"] != 0
    assert checkpoint["samples_of_epoch"] == 60 and any(checkpoint["ahead"])
    falsum("train", GOLDEN / "flowers.csv", *weights, "--resume", path, "--epochs", "3", "-o", tmp_path / "resumed")
    machine = ["--clauses", "10", "-T", "5", "-s", "3", "--seed", "7", *weights]
    falsum("train", GOLDEN / "flowers.csv", *machine, "--epochs", "3", "-o", tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def model_bytes(tmp_path, *arguments):
    falsum("train", *arguments, "--clauses", "10", "-T", "5", "-s", "3", "--epochs", "1", "-o", tmp_path / "model.fsm")
    return (tmp_path / "model.fsm").read_bytes()


def model_of(tmp_path, *arguments):
    return independent.read_model(model_bytes(tmp_path, *arguments))


def test_fresh_models_of_bits_and_levels_are_read(tmp_path):
    assert model_of(tmp_path, "noisy-xor")["booleanizer"]["features"] == 12
    assert model_of(tmp_path, "mnist", "--test", "mnist:test")["booleanizer"]["width"] == 28
    pixels = b"".join(bytes([(i * 37 + k * 11) % 256 for k in range(16)]) for i in range(20))
    (tmp_path / "train-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, 20, 4, 4) + pixels)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 20) + bytes(i % 2 for i in range(20)))
    mapping = model_of(tmp_path, tmp_path / "train-images-idx3-ubyte", "--levels", "2")["booleanizer"]
    assert mapping["kind"] == "levels" and mapping["pixels"] == 16 and mapping["width"] == 4 and len(mapping["thresholds"]) == 2


@pytest.mark.parametrize("made", ["golden", "now"])
def test_a_model_with_missing_values_and_dates_is_of_version_2_and_votes_as_the_document_says(made, tmp_path):
    """FINDINGS 1.3"""
    path = GOLDEN / "model_v2.falsum" if made == "golden" else tmp_path / "model.fsm"
    model = independent.read_model(path.read_bytes()) if made == "golden" else model_of(tmp_path, GOLDEN / "animals.csv")
    assert model["booleanizer"]["version"] == 2
    assert [column["unit"] for column in model["booleanizer"]["columns"]] == ["date", "time", "datetime", "number", "number", "number"]
    assert all(column["missing"] for column in model["booleanizer"]["columns"])
    printed = falsum("predict", path, GOLDEN / "animals.csv", "--votes").splitlines()[1:]
    with open(GOLDEN / "animals.csv", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))[1:]
    assert len(printed) == len(rows) == 8
    differing = set()
    for row, line in zip(rows, printed):
        features = independent.features_of(row[1:-1], model["booleanizer"], ",", ["", *model["schema"]["missing"]])
        assert [int(cell) for cell in line.split(",")[1:]] == independent.votes(features, model)
        differing.add(tuple(features))
    assert len(differing) == 8


def test_the_schema_in_a_model_is_what_the_command_prints(tmp_path):
    """FINDINGS 1.6: the label column is in the file, and the kind of labels."""
    schema = model_of(tmp_path, GOLDEN / "animals.csv")["schema"]
    printed = json.loads(falsum("inspect", tmp_path / "model.fsm", "--schema", "--json"))["schema"]
    for name in ("format", "delimiter", "quote", "backslash", "header", "decimal", "thousands"):
        assert schema[name] == printed[name], name
    assert schema["missing"] == printed["missing_marks"] and schema["labels"] == printed["label_kind"] == "text"
    for name in ("name", "role", "kind", "missing"):
        assert [column[name] for column in schema["columns"]] == [column[name] for column in printed["columns"]], name
    assert [(column["name"], column["role"], column["kind"]) for column in schema["columns"]] == [
        ("", "ignored", "number"),
        ("born", "feature", "date"),
        ("fed", "feature", "time"),
        ("weighed", "feature", "datetime"),
        ("weight", "feature", "number"),
        ("coat", "feature", "category"),
        ("wild", "feature", "boolean"),
        ("kind", "label", "category"),
    ]
    weight, coat = schema["columns"][4:6]
    assert (weight["least"], weight["most"], weight["missing"]) == (3.75, 40.125, 2)
    assert (coat["distinct"], coat["missing"]) == (2, 1)


def test_schemas_of_other_formats_are_read(tmp_path):
    (tmp_path / "rows.svm").write_text("1 0:1 2:1\n0 1:1\n1 0:1\n0 1:1 2:1\n")
    assert model_of(tmp_path, tmp_path / "rows.svm")["schema"] == {"format": "svmlight", "labels": "integer", "first_index": 0}
    assert model_of(tmp_path, "noisy-xor")["schema"] == {"format": "builtin", "labels": "integer"}


def test_a_plain_table_is_still_written_in_version_1(tmp_path):
    version, _, sections = independent.read_container(model_bytes(tmp_path, GOLDEN / "flowers.csv"))
    assert version == 1
    assert [tag for tag, _ in sections] == ["MACH", "CLAU", "LABL", "BOOL", "PROV", "schm", "true", "prob"]
    version, _, sections = independent.read_container(model_bytes(tmp_path, GOLDEN / "flowers.csv", "--calibration", "none"))
    assert version == 1
    assert [tag for tag, _ in sections] == ["MACH", "CLAU", "LABL", "BOOL", "PROV", "schm", "true"]


def test_what_a_later_schema_says_is_skipped(tmp_path):
    """A named value that is unknown, and more bytes in one that is known."""
    content = model_bytes(tmp_path, GOLDEN / "flowers.csv")
    version, kind, sections = independent.read_container(content)
    plain = independent.unpack(dict(sections)["schm"])
    longer = bytes([5]) + b"later" + bytes([3]) + b"abc" + bytes([6]) + b"format" + bytes([2, 1, 77]) + plain
    changed = [(tag, independent.pack(longer) if tag == "schm" else payload) for tag, payload in sections]
    (tmp_path / "later.falsum").write_bytes(independent.write_container(version, kind, changed))
    before = json.loads(falsum("inspect", tmp_path / "model.fsm", "--schema", "--json"))["schema"]
    assert json.loads(falsum("inspect", tmp_path / "later.falsum", "--schema", "--json"))["schema"] == before


def altered(tmp_path, change):
    version, kind, sections = independent.read_container((GOLDEN / "model_v1.fsm").read_bytes())
    path = tmp_path / "altered.fsm"
    path.write_bytes(independent.write_container(*change(version, kind, sections)))
    return path


def test_a_container_written_by_the_independent_writer_is_the_same_bytes(tmp_path):
    path = altered(tmp_path, lambda version, kind, sections: (version, kind, sections))
    assert path.read_bytes() == (GOLDEN / "model_v1.fsm").read_bytes()


@pytest.mark.parametrize("tag", ["note", "xTRA", "z   "])
def test_an_unknown_optional_section_is_skipped(tmp_path, tag):
    for place in (0, 3, 6):
        path = altered(tmp_path, lambda v, k, s, place=place: (v, k, s[:place] + [(tag, b"later")] + s[place:]))
        assert json.loads(falsum("inspect", path, "--json"))["classes"] == 3


@pytest.mark.parametrize("tag", ["NOTE", "XTRA", "1234", "BANK"])
def test_an_unknown_required_section_is_named_with_the_version(tmp_path, tag):
    message = falsum("inspect", altered(tmp_path, lambda v, k, s: (v, k, s + [(tag, b"later")])), code=2)
    assert f'required section "{tag}"' in message and "format version 2" in message and "later version" in message


@pytest.mark.parametrize("version", [3, 7, 2**32 - 1])
def test_a_later_format_version_is_named(tmp_path, version):
    message = falsum("inspect", altered(tmp_path, lambda v, k, s: (version, k, s)), code=2)
    assert f"format version {version}" in message and "up to version 2" in message


def test_a_weighted_checkpoint_holds_the_weights_of_the_model(tmp_path):
    arguments = ["--clauses", "10", "-T", "30", "-s", "3", "--epochs", "2", "--max-weight", "50"]
    falsum("train", GOLDEN / "flowers.csv", *arguments, "-o", tmp_path / "m.falsum", "--checkpoint", tmp_path / "c")
    model = independent.read_model((tmp_path / "m.falsum").read_bytes())
    checkpoint = independent.read_checkpoint((tmp_path / "c").read_bytes())
    sizes = [[abs(votes) for votes in of_class.values()] for of_class in model["weights"]]
    assert checkpoint["weights"] == sizes
    assert max(map(max, sizes)) > 1
    assert checkpoint["machine"]["max_weight"] == model["machine"]["max_weight"] == 50


def test_a_model_of_snapshots_is_the_sum_of_those_in_the_checkpoint_and_of_its_banks(tmp_path):
    machine = ["--clauses", "10", "-T", "5", "-s", "3", "--snapshots", "3"]
    falsum("train", GOLDEN / "flowers.csv", *machine, "--epochs", "4", "-o", tmp_path / "m", "--checkpoint", tmp_path / "c")
    model = independent.read_model((tmp_path / "m").read_bytes())
    checkpoint = independent.read_checkpoint((tmp_path / "c").read_bytes())
    assert model["machine"]["snapshots"] == checkpoint["machine"]["snapshots"] == 3
    assert [snapshot["provenance"]["epochs"] for snapshot in checkpoint["snapshots"]] == [2, 3]
    for c, bank in enumerate(checkpoint["banks"]):
        expected, clauses = {}, []
        for snapshot in checkpoint["snapshots"]:
            clauses += [(snapshot["clauses"][clause], votes) for clause, votes in snapshot["weights"][c].items()]
        for i, clause in enumerate(bank):
            included = [literal for literal, state in enumerate(clause["states"]) if state >= 128]
            clauses.append((included, 1 if i < 5 else -1))
        for literals, votes in clauses:
            expected[tuple(literals)] = expected.get(tuple(literals), 0) + votes
        found = {tuple(model["clauses"][clause]): votes for clause, votes in model["weights"][c].items()}
        assert found == {literals: votes for literals, votes in expected.items() if votes != 0 and literals}
    printed = json.loads(falsum("predict", tmp_path / "m", GOLDEN / "flowers.csv", "--votes", "--probabilities", "--json"))
    for answer in printed:
        assert answer["probabilities"] == pytest.approx(independent.probabilities(answer["votes"], model), abs=1e-12)
    assert "calibration" in model and len({tuple(answer["votes"]) for answer in printed}) > 3


def test_a_missing_section_is_named(tmp_path):
    for tag in ("MACH", "CLAU", "LABL", "BOOL", "PROV"):
        message = falsum("inspect", altered(tmp_path, lambda v, k, s, tag=tag: (v, k, [x for x in s if x[0] != tag])), code=2)
        assert f"no section {tag}" in message
    weighted = independent.read_container((GOLDEN / "model_v2_weighted.falsum").read_bytes())
    for tag in ("OPTS", "LITS", "WGTS", "LABL", "BOOL"):
        cut = tmp_path / "cut.falsum"
        cut.write_bytes(independent.write_container(*weighted[:2], [x for x in weighted[2] if x[0] != tag]))
        assert f"no section {tag}" in falsum("inspect", cut, code=2)


def test_a_claim_beyond_what_the_bytes_can_hold_is_refused_before_memory_is_asked_for(tmp_path):
    lie = bytes([0xFF, 0xFF, 0xFF, 0x7F]) + b"\x28\xb5\x2f\xfd"  # 256 MB in 4 bytes
    for tag in ("CLAU", "BOOL"):
        lying = altered(tmp_path, lambda v, k, s, tag=tag: (v, k, [(t, lie if t == tag else p) for t, p in s]))
        assert "cannot hold" in falsum("inspect", lying, code=2)


def test_mnist_with_2000_clauses_a_class_takes_less_than_a_megabyte(tmp_path):
    falsum("train", "mnist", "--clauses", "2000", "-T", "50", "-s", "10", "--epochs", "1", "-o", tmp_path / "model.fsm")
    assert (tmp_path / "model.fsm").stat().st_size <= 1_000_000

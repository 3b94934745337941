"""falsum export and import: what is cheap to run everywhere. `make test-exports` runs the rest."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from conftest import COMMAND, ROOT, run_falsum

sys.path.insert(0, str(ROOT / "tests" / "export"))
import golden
import targets

NAMES = [name for name in golden.MODELS if name != "mnist_20"]


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    return golden.train(tmp_path_factory.mktemp("golden"), NAMES)


def data_of(name, models):
    """The command's options for its own rows."""
    data, folder = golden.MODELS[name][0], next(iter(models.values())).parent
    if data == "imdb":
        return ["--vectors", "imdb:test", "--data-directory", folder / "texts"]
    return ["--vectors", data.format(golden=ROOT / "tests" / "golden", folder=folder)]


@pytest.mark.parametrize("name", NAMES)
def test_json_gives_the_same_bytes_back(falsum, models, tmp_path, name):
    falsum("export", models[name], "--to", "json", "-o", tmp_path / "m.json", *data_of(name, models))
    falsum("import", tmp_path / "m.json", "-o", tmp_path / "again.falsum")
    assert (tmp_path / "again.falsum").read_bytes() == models[name].read_bytes()


def check(target, models, tmp_path, refused):
    """Every model gives falsum's votes, or is among those that the format refuses."""
    for name, model in models.items():
        folder = tmp_path / name
        folder.mkdir()
        files = targets.exported(target, COMMAND, model, folder, *data_of(name, models))
        assert (files is None) == (name in refused), name
        if files:
            votes, differ = targets.TARGETS[target][1](files, folder)
            assert votes > 0 and differ == 0, (name, votes, differ)


def test_javascript_gives_the_same_votes(models, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    check("JavaScript, node", models, tmp_path, [])


def test_numbers_of_a_model_of_several_epochs_are_the_command_s(falsum, models, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    data, model = models["number"].parent / "steps.csv", tmp_path / "m.falsum"
    falsum("train", data, "--task", "regression", "--clauses", 40, "-T", 40, "-s", 3, "--epochs", 4, "--snapshots", 3, "-o", model)
    falsum("export", model, "--to", "js", "-o", tmp_path / "m.mjs")
    rows = [line.split(",") for line in data.read_text().splitlines()[1:41]]
    given = json.dumps([{"u": float(u), "v": float(v), "w": w} for u, v, w, _ in rows])
    script = f"import {{ predict }} from '{tmp_path}/m.mjs'; console.log(JSON.stringify({given}.map((row) => predict(row).answer)));"
    found = json.loads(targets.run(["node", "--input-type=module", "-e", script]))
    falsum("predict", model, data, "-o", tmp_path / "answers.txt")
    assert found == pytest.approx([float(line) for line in (tmp_path / "answers.txt").read_text().splitlines()[:40]], rel=1e-6)


def test_c_gives_the_same_votes_and_needs_nothing(models, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    names = ("xor", "shared", "fuzzy", "table_missing_dates", "names_to_escape", "patches_strided", "number", "words")
    check("C, gcc", {name: models[name] for name in names}, tmp_path, [])


def test_sql_gives_the_same_votes(models, tmp_path):
    (tmp_path / "inline").mkdir()
    (tmp_path / "relational").mkdir()
    check("SQL inline, SQLite", models, tmp_path / "inline", ["many_classes", "words", "patches", "patches_strided"])
    check("SQL relational, SQLite", models, tmp_path / "relational", ["patches", "patches_strided"])


def test_a_changed_vote_is_found(models, tmp_path):
    """The tests above can fail."""
    files = targets.export(COMMAND, models["xor"], "sql", tmp_path / "m.sql", "--name", "model")
    text = files[0].read_text()
    (tmp_path / "m.sql").write_text(text.replace("THEN 1 ELSE 0 END\n", "THEN 2 ELSE 0 END\n"))
    import sqlite3

    database = sqlite3.connect(":memory:")
    database.executescript((tmp_path / "m.sql").read_text())
    assert database.execute("SELECT differ FROM model_check").fetchone()[0] > 0


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda d: d.update(format="other"), 'format must be "falsum-model"'),
        (lambda d: d.update(version=2), "version must be a whole number from 1 to 1, got 2"),
        (lambda d: d.pop("clauses"), "clauses is missing"),
        (lambda d: d.update(calibraton=d.pop("calibration")), '"calibraton" is not a member of a model'),
        (lambda d: d.update(clauses=7), "clauses must be an array, got 7"),
        (lambda d: d["clauses"][0].append(24), "must be a whole number from 0 to 23, got 24"),
        (lambda d: d["clauses"][0].insert(0, 23), "above the literal before it"),
        (lambda d: d["weights"].pop(), "an array for each of the 2 outputs, got 1"),
        (lambda d: d["weights"][0].append([0, 0]), "is not a model"),
        (lambda d: d["weights"][0].append([99, 1]), "weights[0][20][0] must be a whole number from 0 to 39, got 99"),
        (lambda d: d.update(features=0), "features must be a whole number from 1 to"),
        (lambda d: d.update(features=1e9), "features must be a whole number"),
        (lambda d: d["options"].update(threshold=0), "threshold must be from 1"),
        (lambda d: d["options"].update(colour="red"), "options.colour is not an option of a machine"),
        (lambda d: d["options"].update(task="dance"), "task must be one of"),
        (lambda d: d.update(labels=["a"]), "another number of labels"),
        (lambda d: d["test_vectors"]["votes"][0].__setitem__(0, 12345), "the document was changed"),
        (lambda d: d.update(booleanizer={"kind": "levels", "pixels": 5, "image_width": 3, "thresholds": [9, 8]}), "is damaged"),
    ],
)
def test_json_that_is_no_model_is_refused(refuses, falsum, models, tmp_path, change, says):
    falsum("export", models["xor"], "--to", "json", "-o", tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    change(document)
    (tmp_path / "m.json").write_text(json.dumps(document))
    refuses("import", tmp_path / "m.json", "-o", tmp_path / "again.falsum", says=[says])
    assert not (tmp_path / "again.falsum").exists()


def test_rubbish_is_refused(refuses, tmp_path):
    for text in ("", "{", "[]", "null", "[" * 200000, '{"format": 1e999}', '"\\ud800"', "\x00\x01", '{"format": "falsum-model"}'):
        (tmp_path / "m.json").write_text(text)
        refuses("import", tmp_path / "m.json", "-o", tmp_path / "m.falsum", says=["m.json"])


def test_a_json_document_cut_anywhere_is_refused(models, falsum, tmp_path):
    falsum("export", models["one_feature"], "--to", "json", "-o", tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text()
    for end in range(0, len(text.rstrip()) - 1, 97):
        (tmp_path / "cut.json").write_text(text[:end])
        assert run_falsum("import", tmp_path / "cut.json", "-o", tmp_path / "cut.falsum").returncode == 2


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--to", "cobol"], "to must be one of json, c, onnx, verilog, sql, js"),
        (["--to", "c", "--form", "serial"], "form must be auto for c, got serial"),
        (["--to", "sql", "--form", "parallel"], "form must be auto, inline or relational for sql, got parallel"),
        (["--to", "js", "--name", "no-name"], "name must be letters, digits and _"),
    ],
)
def test_wrong_calls_are_refused(refuses, models, tmp_path, arguments, says):
    refuses("export", models["xor"], *arguments, "-o", tmp_path / "out", says=[says])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stem", ["class", "predict", "default"])
def test_a_module_may_be_called_after_a_word_of_its_language(models, falsum, tmp_path, stem):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    falsum("export", models["xor"], "--to", "js", "-o", tmp_path / f"{stem}.mjs")
    script = f"import {{ check }} from '{tmp_path}/{stem}.mjs'; console.log(check().differ);"
    assert targets.run(["node", "--input-type=module", "-e", script]) == "0\n"


def test_a_circuit_is_not_called_after_a_keyword(refuses, models, tmp_path):
    refuses("export", models["xor"], "--to", "verilog", "-o", tmp_path / "table.v", says=["name", "keyword of Verilog", "table"])
    refuses("export", models["xor"], "--to", "verilog", "--name", "xor", "-o", tmp_path / "m.v", says=["keyword of Verilog", "xor"])
    assert list(tmp_path.iterdir()) == []


def test_formats_refuse_what_they_cannot_say(refuses, models, tmp_path):
    refuses("export", models["patches"], "--to", "sql", "-o", tmp_path / "m.sql", says=["a model of patches cannot become sql"])
    refuses("export", models["patches"], "--to", "verilog", "-o", tmp_path / "m.v", says=["a model of patches cannot become verilog"])
    refuses("export", models["many_classes"], "--to", "sql", "--form", "inline", "-o", tmp_path / "m.sql", says=["use --form relational"])


def test_an_export_does_not_replace_a_model(refuses, models, tmp_path):
    copy = tmp_path / "m.falsum"
    copy.write_bytes(models["xor"].read_bytes())
    for to in ("json", "onnx"):
        refuses("export", copy, "--to", to, "-o", copy, says=["same file"])
        refuses("export", models["xor"], "--to", to, "-o", copy, says=["is a falsum model"])
    assert copy.read_bytes() == models["xor"].read_bytes()


def test_onnx_and_verilog_are_written(falsum, models, tmp_path):
    report = json.loads(falsum("export", models["table"], "--to", "verilog", "-o", tmp_path / "m.v", "--json"))
    assert [Path(file["file"]).name for file in report["files"]] == ["m.v", "m_bench.v", "m_rows.hex", "m_votes.hex"]
    falsum("export", models["table"], "--to", "onnx", "-o", tmp_path / "m.onnx")
    assert b"MatMulInteger" in (tmp_path / "m.onnx").read_bytes()

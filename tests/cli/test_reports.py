"""What the commands report: JSON that parses and holds what was promised, and text that people can read."""

import csv
import json
import re
import subprocess

import pytest
from conftest import COMMAND, FLOWER_HEADER, ROOT, SMALL, csv_text, flower_rows, run_falsum


def test_train_reports_everything_promised(falsum, tmp_path):
    model = tmp_path / "model.fsm"
    report = json.loads(falsum("train", "noisy-xor", *SMALL, "--epochs", "2", "-o", model, "--json"))
    assert report["features"] == 12 and report["classes"] == 2
    assert (report["clauses"], report["threshold"], report["specificity"]) == (20, 10, 3.9)
    for key in ("samples", "states", "boost", "seed", "threads", "engine", "kernels", "automata_bytes", "engine_bytes",
                "load_seconds", "load_cpu_seconds", "peak_rss_bytes"):
        assert key in report
    assert report["automata_bytes"] >= 2 * 20 * 24
    assert report["model"] == str(model) and report["model_bytes"] == model.stat().st_size
    assert report["interrupted"] is False
    assert [epoch["epoch"] for epoch in report["epochs"]] == [1, 2]
    for epoch in report["epochs"]:
        for key in ("train_seconds", "train_cpu_seconds", "test_seconds", "test_accuracy", "mean_clause_length", "flips",
                    "type_1a", "type_1b", "type_2", "evaluations", "words_compared", "entries_visited"):
            assert isinstance(epoch[key], (int, float)), key


def test_evaluate_reports_everything_promised(falsum, xor_model):
    votes = {}
    for engine in ("scan", "index", "bitmap", "sliced"):
        report = json.loads(falsum("evaluate", xor_model, "noisy-xor", "--engine", engine, "--json"))
        assert report["engine"] == engine and report["engine_reason"] == "it was asked for"
        assert report["labels"] == ["0", "1"]
        confusion = report["confusion"]
        assert sum(map(sum, confusion)) == report["samples"]
        right = sum(confusion[i][i] for i in range(2))
        assert report["accuracy"] == pytest.approx(right / report["samples"])
        work = report["work"]
        assert work["full_work_per_sample"] == 2 * 20 * 24
        assert 0 < work["share"] <= 1
        assert work["share"] == work["list_entries_per_sample"] / work["full_work_per_sample"]
        assert (work["words_compared_per_sample"] > 0) == (engine == "scan")
        assert (work["bitmaps_joined_per_sample"] > 0) == (engine == "bitmap")
        assert (work["columns_joined_per_sample"] > 0) == (engine == "sliced")
        if engine == "index":
            assert work["entries_visited_per_sample"] == pytest.approx(work["list_entries_per_sample"])
        votes[engine] = falsum("predict", xor_model, "noisy-xor", "--engine", engine, "--votes")
    assert votes["scan"] == votes["index"] == votes["bitmap"] == votes["sliced"]


def test_evaluate_agrees_with_the_last_epoch_of_training(falsum, tmp_path):
    model = tmp_path / "model.fsm"
    trained = json.loads(falsum("train", "noisy-xor", *SMALL, "-o", model, "--json"))
    evaluated = json.loads(falsum("evaluate", model, "noisy-xor", "--json"))
    inspected = json.loads(falsum("inspect", model, "--json"))
    assert evaluated["accuracy"] == trained["epochs"][-1]["test_accuracy"]
    assert inspected["provenance"]["test_accuracy"] == evaluated["accuracy"]
    assert inspected["provenance"]["samples"] == trained["samples"]


def test_predict_gives_one_label_a_line(falsum, flower_model, flowers, tmp_path):
    lines = falsum("predict", flower_model, flowers).splitlines()
    assert len(lines) == 60 and set(lines) <= {"rose", "iris"}
    answers = tmp_path / "answers.txt"
    falsum("predict", flower_model, flowers, "-o", answers)
    assert answers.read_text().splitlines() == lines
    assert json.loads(falsum("predict", flower_model, flowers, "--json")) == lines


def test_predict_reads_files_with_and_without_labels(falsum, flower_model, flowers, tmp_path):
    bare = tmp_path / "bare.csv"
    bare.write_text(csv_text([row[:3] for row in flower_rows()], FLOWER_HEADER.rsplit(",", 1)[0]))
    expected = falsum("predict", flower_model, flowers)
    assert falsum("predict", flower_model, bare) == expected
    assert falsum("predict", flower_model, bare, "--no-label") == expected


def test_votes_are_a_table_whose_largest_sum_is_the_label(falsum, flower_model, flowers):
    table = list(csv.reader(falsum("predict", flower_model, flowers, "--votes").splitlines()))
    assert table[0] == ["label", "votes:iris", "votes:rose"]
    for label, *sums in table[1:]:
        sums = list(map(int, sums))
        assert label == ["iris", "rose"][sums.index(max(sums))]
    document = json.loads(falsum("predict", flower_model, flowers, "--votes", "--json"))
    assert [[d["label"], *map(str, d["votes"])] for d in document] == table[1:]


def test_labels_with_commas_and_quotes_survive(falsum, tmp_path):
    data = tmp_path / "odd.csv"
    with data.open("w", newline="") as file:
        csv.writer(file).writerows([["x", "kind"]] + [[i % 2, ['a "b", c', "plain"][i % 2]] for i in range(40)])
    model = tmp_path / "odd.fsm"
    falsum("train", data, *SMALL, "-o", model)
    table = list(csv.reader(falsum("predict", model, data, "--votes").splitlines()))
    assert set(table[0][1:]) == {'votes:a "b", c', "votes:plain"}
    assert {row[0] for row in table[1:]} <= {'a "b", c', "plain"}


def test_the_label_column_can_be_named_or_counted(falsum, tmp_path):
    data = tmp_path / "first.csv"
    data.write_text(csv_text([row[::-1] for row in flower_rows()], "kind,colour,height,width"))
    models = []
    for label in ("kind", "0", "-4"):
        model = tmp_path / "model.fsm"
        falsum("train", data, "--label", label, *SMALL, "-o", model)
        models.append(model.read_bytes())
        report = json.loads(falsum("evaluate", model, data, "--label", label, "--json"))
        assert report["labels"] == ["iris", "rose"]
    assert len(set(models)) == 1


def test_inspect_reports_everything_promised(falsum, xor_model):
    report = json.loads(falsum("inspect", xor_model, "--rules", "3", "--json"))
    assert (report["features"], report["literals"], report["classes"], report["clauses"]) == (12, 24, 2, 20)
    assert report["file_bytes"] == xor_model.stat().st_size
    assert report["booleanizer"] == "bits"
    length = report["clause_length"]
    assert length["mean"] * 40 == pytest.approx(report["included_literals"])
    assert length["median"] <= length["max"]
    assert report["mean_inclusion_list_length"] == pytest.approx(report["included_literals"] / 48)
    assert 0 <= report["empty_clauses"] <= 40
    assert len(report["rules"]) <= 6
    for rule in report["rules"]:
        assert rule["text"].startswith(f"{rule['votes']:+} IF {rule['conditions'][0]} ")
        assert rule["text"].endswith(f" THEN {'NOT ' if rule['votes'] < 0 else ''}{rule['class']}")
        assert abs(rule["votes"]) == rule["copies"]


def test_rules_are_sentences(falsum, flower_model):
    text = falsum("inspect", flower_model, "--rules", "4")
    rules = [line for line in text.splitlines() if re.match(r"[+-]\d+ IF ", line)]
    assert rules
    assert any(name in text for name in ("colour = red", "width >=", "height >="))
    joined = " ".join(text.split())
    assert "THEN rose" in joined or "THEN NOT rose" in joined


def test_rules_are_as_many_for_a_class_as_against_it(falsum, flower_model):
    every = json.loads(falsum("inspect", flower_model, "--rules", "1000", "--json"))["rules"]
    for count in (1, 2, 5, 1000):
        some = json.loads(falsum("inspect", flower_model, "--rules", str(count), "--json"))["rules"]
        for label in ("iris", "rose"):
            wanted = {sign: [r for r in every if r["class"] == label and (r["votes"] > 0) == sign] for sign in (True, False)}
            found = {sign: [r for r in some if r["class"] == label and (r["votes"] > 0) == sign] for sign in (True, False)}
            assert len(found[True]) + len(found[False]) == min(count, len(wanted[True]) + len(wanted[False]))
            for sign in (True, False):
                assert found[sign] == wanted[sign][: len(found[sign])]
                assert len(found[sign]) >= min(count // 2, len(wanted[sign]))


def test_quickstart_shows_the_whole_idea(falsum):
    text = falsum("quickstart", "--clauses", "20", "-T", "10", "--epochs", "1")
    for words in ("test accuracy", "scan", "index", "votes agree", "votes for", "fuzzy clauses", "What to try next"):
        assert words in text
    assert sum("#" in line for line in text.splitlines()) > 3


def test_quickstart_reports_json(falsum, tmp_path):
    model = tmp_path / "digits.fsm"
    report = json.loads(falsum("quickstart", "--clauses", "20", "-T", "10", "--epochs", "1", "--json", "-o", model))
    assert report["comparison"]["votes_agree"] is True
    assert [e["engine"] for e in report["comparison"]["engines"]] == ["scan", "index", "sliced"]
    assert all(e["scan_to_this"] > 0 for e in report["comparison"]["engines"])
    assert report["epochs"][0]["test_accuracy"] > 0.5
    assert report["fuzzy"]["test_accuracy"] >= 0.98
    falsum("inspect", model)


def test_datasets_lists_what_is_built_in(falsum):
    sets = {d["name"]: d for d in json.loads(falsum("datasets", "--json"))["datasets"]}
    assert {"mnist", "fashion-mnist", "imdb", "noisy-xor"} <= set(sets)
    assert sets["mnist"]["available"] and sets["noisy-xor"]["available"]
    assert all(d["available"] or d["how_to_get"] for d in sets.values())
    text = falsum("datasets")
    assert all(name in text for name in sets)


def test_cpu_lists_the_kernel_sets(falsum):
    report = json.loads(falsum("cpu", "--json"))
    assert sum(k["chosen"] for k in report["kernels"]) == 1
    assert all(k["supported"] for k in report["kernels"] if k["chosen"])
    assert "scalar" in falsum("cpu")
    assert report["cores"] >= 1 and report["version"]


def test_options_come_from_one_table(falsum):
    options = {o["name"]: o for o in json.loads(falsum("options", "--json"))["options"]}
    help_text = falsum("train", "--help")
    for name, option in options.items():
        name = name.replace("_", "-")
        assert (f"--no-{name}" if option["default"] is True else f"--{name}") in help_text
    assert falsum("options", "--markdown").startswith("|")
    assert all("--" + name.replace("_", "-") in falsum("options") for name in options)


def test_alone_it_explains_itself(falsum):
    text = falsum()
    assert "falsum quickstart" in text and "Examples" in text
    assert falsum("--help") == text


@pytest.mark.parametrize("verb", ["quickstart", "train", "predict", "evaluate", "inspect", "datasets", "cpu", "options"])
def test_every_command_has_help_that_fits_a_terminal(falsum, verb):
    text = falsum(verb, "--help")
    assert text.strip()
    assert max(map(len, text.splitlines())) <= 100


def test_version(falsum):
    assert falsum("--version").startswith("falsum ")


def test_a_reader_that_leaves_early_is_no_disaster(xor_model):
    result = subprocess.run(["bash", "-c", f"'{COMMAND}' predict '{xor_model}' noisy-xor | head -1"],
                            capture_output=True, text=True)
    assert result.stdout.strip() in ("0", "1")
    assert result.stderr == ""


def test_a_strange_file_name_still_makes_one_line():
    result = run_falsum("inspect", "no\nsuch\tfile")
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1


def test_the_page_of_options_is_the_table_in_the_library(falsum):
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert page.endswith(falsum("options", "--markdown"))

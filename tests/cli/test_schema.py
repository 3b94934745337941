"""What a table was understood to mean, and what happens where a file and its model disagree."""

import json

import pytest
from conftest import FLOWER_HEADER, SMALL, csv_text, flower_rows, run_falsum


def schema_of(falsum, path, *arguments):
    return json.loads(falsum("train", path, *SMALL, "--dry-run", "--json", *arguments))["schema"]


def test_what_is_printed_in_training_is_kept_in_the_model(falsum, flowers, flower_model):
    printed = falsum("train", flowers, *SMALL, "--dry-run").split("\n\n")[0]
    assert "width   number" in printed and "kind    label (text)" in printed
    assert printed in falsum("inspect", flower_model, "--schema")


def test_a_model_says_the_same_as_its_training_in_json(falsum, flowers, flower_model):
    stored = json.loads(falsum("inspect", flower_model, "--schema", "--json"))["schema"]
    trained = schema_of(falsum, flowers)
    assert stored == {key: trained[key] for key in stored}


def test_more_marks_for_missing_values_are_added_or_stand_alone(falsum, tmp_path):
    rows = flower_rows()
    rows[3][0], rows[5][0] = "NA", "unknown"
    path = tmp_path / "marks.csv"
    path.write_text(csv_text(rows, FLOWER_HEADER))
    kinds = {marks: schema_of(falsum, path, *marks)["columns"][0] for marks in [(), ("--missing", "+unknown"), ("--missing", "unknown")]}
    assert [(c["kind"], c["missing"]) for c in kinds.values()] == [("category", 1), ("number", 2), ("category", 1)]


def test_a_forced_column_of_numbers_does_not_change_how_numbers_are_written(falsum, tmp_path):
    rows = [[cell.replace(".", ",") for cell in row] for row in flower_rows()]
    rows[7][0] = "tall"
    path = tmp_path / "forced.csv"
    path.write_text("\n".join(";".join(row) for row in [FLOWER_HEADER.split(","), *rows]) + "\n")
    schema = schema_of(falsum, path, "--number", "width", "--bad-rows", "skip")
    assert (schema["decimal"], schema["rows"], schema["skipped_rows"]) == (",", len(rows) - 1, 1)
    assert "line 9" in schema["first_problem"] and "tall" in schema["first_problem"]


@pytest.mark.parametrize("ignored", ["note", "4", "-1"])
def test_a_column_that_training_did_not_know_can_be_left_out(falsum, refuses, flower_model, tmp_path, ignored):
    path = tmp_path / "more.csv"
    path.write_text(csv_text([[*row, "hello"] for row in flower_rows(6)], FLOWER_HEADER + ",note"))
    refuses("predict", flower_model, path, says=["note", "--ignore"])
    assert len(falsum("predict", flower_model, path, "--ignore", ignored).splitlines()) == 6
    refuses("predict", flower_model, path, "--ignore", "remark", says="remark")


def test_rows_in_another_delimiter_without_names_are_refused(refuses, falsum, tmp_path):
    path, other = tmp_path / "bare.csv", tmp_path / "other.csv"
    path.write_text(csv_text(flower_rows()))
    model = tmp_path / "bare.falsum"
    falsum("train", path, *SMALL, "-o", model)
    other.write_text("\n".join(";".join(row) for row in flower_rows(6)) + "\n")
    refuses("predict", model, other, says="--delimiter")
    refuses("predict", model, other, "--stream", says="--delimiter")
    assert len(falsum("predict", model, other, "--delimiter", "semicolon").splitlines()) == 6


def test_features_alone_are_enough_where_training_left_a_column_out(falsum, tmp_path):
    rows = flower_rows()
    path, bare = tmp_path / "index.csv", tmp_path / "bare.csv"
    path.write_text(csv_text([[i, *row] for i, row in enumerate(rows)], "," + FLOWER_HEADER))
    model = tmp_path / "index.falsum"
    falsum("train", path, *SMALL, "-o", model)
    bare.write_text(csv_text([row[:3] for row in rows]))
    assert falsum("predict", model, bare) == falsum("predict", model, path)


def test_a_row_that_cannot_be_read_has_an_empty_answer(falsum, flower_model, tmp_path):
    rows = flower_rows(6)
    rows[2][0] = "wide"
    path = tmp_path / "bad.csv"
    path.write_text(csv_text(rows, FLOWER_HEADER))
    result = run_falsum("predict", flower_model, path, "--bad-rows", "skip")
    assert result.returncode == 0
    assert [bool(line) for line in result.stdout.split("\n")[:6]] == [True, True, False, True, True, True]
    assert "1 row" in result.stderr and "line 4" in result.stderr and "wide" in result.stderr
    answers = json.loads(run_falsum("predict", flower_model, path, "--bad-rows", "skip", "--json").stdout)
    assert [a is None for a in answers] == [False, False, True, False, False, False]


def test_bad_rows_of_sparse_files_are_left_out_as_well(falsum, refuses, tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{i % 2} {1 + i % 2}:1 3:1\n" for i in range(40)) + "1 2:1 1:1\n")
    refuses("train", path, *SMALL, says="line 41")
    report = json.loads(falsum("train", path, *SMALL, "--bad-rows", "skip", "--json"))
    assert report["samples"] == 40 and report["schema"]["skipped_rows"] == 1


@pytest.mark.parametrize(
    "option", [["--bad-rows", "skip"], ["--label", "0"], ["--header"], ["--missing", "x"], ["--decimal", ","], ["--first-index", "1"]]
)
def test_an_option_of_tables_is_refused_for_other_data(refuses, option):
    refuses("train", "noisy-xor", *SMALL, *option, says=[option[0], "noisy-xor"])

"""train says what probably kept the machine from learning well, after learning, on standard output."""

import json

from conftest import FLOWER_HEADER, csv_text, flower_rows


def advice(falsum, *arguments):
    return json.loads(falsum("train", *arguments, "--json"))["advice"]


def test_the_defaults_get_no_advice(falsum, flowers):
    assert advice(falsum, flowers) == []
    assert "advice" not in falsum("train", flowers)


def test_few_epochs_and_a_far_threshold_are_named(falsum, flowers):
    assert advice(falsum, flowers, "--epochs", 1) == ["learned for only 1 epoch of 60 rows: 60 epochs are usual"]
    (sentence,) = advice(falsum, flowers, "--clauses", 100, "-T", 1000)
    assert sentence.startswith("T 1000 may be out of reach of the votes") and sentence.endswith("T 20 is usual for 100 clauses")
    assert f"\nadvice: {sentence}\n" in falsum("train", flowers, "--clauses", 100, "-T", 1000)


def test_a_starved_class_is_named_unless_classes_have_weights(falsum, tmp_path):
    rows = [row for row in flower_rows(200) if row[-1] == "iris"] + [["9", "9", "red", "rose"]] * 2
    path = tmp_path / "rare.csv"
    path.write_text(csv_text(rows, FLOWER_HEADER))
    (sentence,) = advice(falsum, path)
    assert sentence.startswith('class "rose" has 2 of 102 rows')
    assert advice(falsum, path, "--class-weight", "balanced") == []

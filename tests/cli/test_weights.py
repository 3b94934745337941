"""Weights of rows and classes: --weight-column and --class-weight."""

import json
import random

import pytest

SMALL = ("--clauses", 20, "-T", 10, "-s", 3, "--label", "kind")


def write(path, rows=400, weight=lambda row: 1, kind=lambda x, y, row: "rare" if x > 0.85 else "often"):
    draw = random.Random(4)
    with open(path, "w") as file:
        print("x,y,kind,w", file=file)
        for row in range(rows):
            x, y = draw.random(), draw.random()
            print(f"{x:.3f},{y:.3f},{kind(x, y, row)},{weight(row)}", file=file)
    return path


@pytest.fixture(scope="module")
def flowers(tmp_path_factory):
    return write(tmp_path_factory.mktemp("weights") / "flowers.csv", weight=lambda row: row % 3 + 0.5)


def rules(falsum, model):
    return json.loads(falsum("inspect", model, "--rules", "1000", "--json"))["rules"]


def test_weights_that_are_all_the_same_learn_what_no_weights_do(falsum, tmp_path):
    data, learned = write(tmp_path / "same.csv", weight=lambda row: 0.1), []
    for name, options in {"none": ("--ignore", "w"), "same": ("--weight-column", "w"), "by position": ("--weight-column", -1)}.items():
        falsum("train", data, *SMALL, *options, "--epochs", 3, "-o", tmp_path / name)
        learned.append(rules(falsum, tmp_path / name))
    assert learned[0] == learned[1] == learned[2] != []


def test_a_row_of_weight_0_is_as_if_it_were_not_there(falsum, tmp_path):
    whole, part = write(tmp_path / "whole.csv", weight=lambda row: row % 3), tmp_path / "part.csv"
    part.write_text("".join(line for line in whole.read_text().splitlines(True) if not line.endswith(",0\n")))
    options = (*SMALL, "--weight-column", "w", "--epochs", 3)
    printed = falsum("train", whole, *options, "-o", tmp_path / "whole")
    assert "134 rows are left out: their weight is 0" in printed and 'column "w" has the weights of the rows' in printed
    assert "266 samples, " in printed and " with weights" in printed
    falsum("train", part, *options, "-o", tmp_path / "part")
    assert rules(falsum, tmp_path / "whole") == rules(falsum, tmp_path / "part")


def test_a_model_does_not_want_the_weights_again(falsum, flowers, tmp_path):
    model, bare = tmp_path / "model", tmp_path / "bare.csv"
    bare.write_text("".join(line.rsplit(",", 1)[0] + "\n" for line in flowers.read_text().splitlines()))
    falsum("train", flowers, *SMALL, "--weight-column", "w", "--test", bare, "--epochs", 3, "-o", model)
    assert falsum("predict", model, bare) == falsum("predict", model, flowers)


def test_balanced_is_the_weights_that_give_all_classes_the_same_total(falsum, tmp_path):
    data = write(tmp_path / "data.csv", kind=lambda x, y, row: "rare" if row % 8 == 0 else "often")
    options, ignore = (*SMALL, "--epochs", 3), ("--ignore", "w")
    report = json.loads(falsum("train", data, *options, *ignore, "--class-weight", "balanced", "--json", "-o", tmp_path / "balanced"))
    assert report["class_weights"] == pytest.approx([4 / 7, 4]) and report["row_weights"] is True
    falsum("train", data, *options, *ignore, "--class-weight", "rare=7", "-o", tmp_path / "by hand")
    falsum("train", data, *options, *ignore, "-o", tmp_path / "plain")
    assert rules(falsum, tmp_path / "balanced") == rules(falsum, tmp_path / "by hand") != rules(falsum, tmp_path / "plain")
    report = json.loads(falsum("train", data, *options, *ignore, "--json"))
    assert report["class_weights"] is None and report["row_weights"] is False


def test_balanced_classes_find_a_rare_one_more_often(falsum, tmp_path):
    """One row in ten is rare, and among the rows that look like it most are not."""
    draw = random.Random(2)
    noisy = write(tmp_path / "noisy.csv", 2000, kind=lambda x, y, row: "rare" if x > 0.75 and draw.random() < 0.4 else "often")
    found = {}
    for name, options in {"plain": (), "balanced": ("--class-weight", "balanced")}.items():
        falsum("train", noisy, *SMALL, "--ignore", "w", "--epochs", 20, *options, "-o", tmp_path / name)
        (often, missed), (false, rare) = json.loads(falsum("evaluate", tmp_path / name, noisy, "--json"))["confusion"]
        found[name] = often / (often + missed) / 2 + rare / (false + rare) / 2
    assert found["balanced"] > found["plain"] + 0.1


def test_a_training_resumes_with_the_same_weights_only(falsum, refuses, flowers, tmp_path):
    checkpoint, weighted = tmp_path / "c", ("--weight-column", "w", "--class-weight", "rare=3")
    falsum("train", flowers, *SMALL, *weighted, "--epochs", 6, "-o", tmp_path / "whole")
    falsum("train", flowers, *SMALL, *weighted, "--epochs", 2, "--checkpoint", checkpoint)
    falsum("train", flowers, *SMALL, *weighted, "--epochs", 6, "--resume", checkpoint, "-o", tmp_path / "resumed")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()
    start, resume = f"checkpoint {checkpoint} was learned from other data: flowers.csv has ", ("--resume", checkpoint)
    refuses("train", flowers, *SMALL, "--weight-column", "w", *resume, says=[start + "other row weights"])
    refuses("train", flowers, *SMALL, "--ignore", "w", *resume, says=[start + "no row weights"])
    falsum("train", flowers, *SMALL, "--ignore", "w", "--epochs", 1, "--checkpoint", checkpoint, "--overwrite")
    balanced = ("--ignore", "w", "--class-weight", "balanced")
    refuses("train", flowers, *SMALL, *balanced, *resume, says=[start + "row weights, which it had not"])


def test_calibration_holds_rows_out_with_their_weights(falsum, flowers, tmp_path):
    options = (*SMALL, "--weight-column", "w", "--class-weight", "balanced", "--calibrate", 0.25, "--epochs", 2, "--json")
    report = json.loads(falsum("train", flowers, *options))
    assert report["samples"] + report["held_out_samples"] == 400 and report["row_weights"] is True


@pytest.mark.parametrize("weight, said", [("-1", '"-1"'), ("nan", '"nan"'), ("", '""'), ("1e999", '"1e999"'), ("much", '"much"')])
def test_a_wrong_weight_is_refused_naming_its_line(refuses, tmp_path, weight, said):
    data = write(tmp_path / "wrong.csv", weight=lambda row: weight if row == 5 else 1.5)
    expected = f'line 7, column "w": the weight of a row must be finite and at least 0, got {said}'
    refuses("train", data, *SMALL, "--weight-column", "w", says=[expected])


def test_weights_of_0_alone_are_refused(refuses, tmp_path):
    data = write(tmp_path / "zeros.csv", weight=lambda row: 0)
    refuses("train", data, *SMALL, "--weight-column", "w", says=['has weights of 0 in all 400 rows of column "w"'])
    weights = ("--ignore", "w", "--class-weight", "rare=0,often=0")
    refuses("train", data, *SMALL, *weights, says=["the weights of all rows, 0 to 399, are zero"])


@pytest.mark.parametrize(
    "options, said",
    [
        (("--weight-column", "mass"), 'no column "mass"'),
        (("--weight-column", "kind"), 'column "kind" for its labels, which cannot hold weights too'),
        (("--class-weight", "rare=3,seldom=2"), 'class-weight names the label "seldom", which flowers.csv does not have'),
        (("--class-weight", "rare=-3"), "class-weight must be finite and at least 0, got rare=-3"),
        (("--class-weight", "rare=inf"), "class-weight must be a number (finite and at least 0), got inf"),
        (("--class-weight", "even"), 'class-weight must be balanced or LABEL=WEIGHT,..., got "even"'),
        (("--class-weight", "balanced", "--task", "multilabel"), "--class-weight is for classes, and the task is multilabel"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(refuses, flowers, options, said):
    refuses("train", flowers, *SMALL, *options, says=[said])


def test_only_tables_have_a_column_of_weights(refuses):
    refuses("train", "noisy-xor", "--weight-column", "w", says=["--weight-column is for tables of text such as CSV"])


@pytest.mark.parametrize("task", [("--task", "regression", "--weighted", "--label", "y"), ("--task", "multilabel", "--label", "kind")])
def test_rows_have_weights_in_every_task(falsum, flowers, tmp_path, task):
    options = ("--clauses", 20, "-T", 50, "-s", 3, "--epochs", 2, *task)
    for name, weights in {"with": ("--weight-column", "w"), "without": ("--ignore", "w")}.items():
        falsum("train", flowers, *options, *weights, "-o", tmp_path / name)
    assert rules(falsum, tmp_path / "with") != rules(falsum, tmp_path / "without")

"""--task: several labels and numbers, from a table to answers and back."""

import json
import random

import pytest
from conftest import run_falsum


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """gates.csv: the labels xor, and, or of two bits; steps.csv: a number from three columns."""
    folder, draw = tmp_path_factory.mktemp("tasks"), random.Random(1)
    for name, rows in (("gates", 1500), ("more-gates", 300)):
        with open(folder / f"{name}.csv", "w") as file:
            print("a,b,c,d,e,labels", file=file)
            for _ in range(rows):
                a, b, *others = (draw.getrandbits(1) for _ in range(5))
                labels = {"xor": a ^ b, "and": a & b, "or": a | b}
                print(a, b, *others, ";".join(label for label in labels if labels[label]), sep=",", file=file)
    for name, rows in (("steps", 2000), ("more-steps", 400)):
        with open(folder / f"{name}.csv", "w") as file:
            print("x,y,colour,target", file=file)
            for _ in range(rows):
                x, y, colour = draw.random(), draw.random(), draw.choice(["red", "blue"])
                print(f"{x:.4f},{y:.4f},{colour},{10 * x - 4 * y + (5 if colour == 'red' else 0):.4f}", file=file)
    return folder



def refused(*arguments):
    result = run_falsum(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    return result.stderr


NUMBERS = ("--task", "regression", "--weighted", "--clauses", 300, "-T", 2000, "-s", 3)
LABELS = ("--task", "multilabel", "--shared", "--clauses", 30, "-T", 30, "-s", 3)


def test_numbers_are_learned_evaluated_and_predicted(falsum, tables, tmp_path):
    model = tmp_path / "steps.falsum"
    test = ("--test", tables / "more-steps.csv", "--epochs", 20)
    report = json.loads(falsum("train", tables / "steps.csv", *test, *NUMBERS, "-o", model, "--json"))
    assert report["task"] == "regression"
    scores = json.loads(falsum("evaluate", model, tables / "more-steps.csv", "--json"))
    assert scores["r2"] > 0.9
    assert scores["rmse"] == report["epochs"][-1]["test_rmse"]
    assert json.loads(falsum("inspect", model, "--json"))["provenance"]["test_rmse"] == scores["rmse"]
    answers = [float(line) for line in falsum("predict", model, tables / "more-steps.csv").splitlines()]
    assert answers == pytest.approx(json.loads(falsum("predict", model, tables / "more-steps.csv", "--json")), rel=1e-6)
    truth = [float(line.rsplit(",", 1)[1]) for line in (tables / "more-steps.csv").read_text().splitlines()[1:]]
    error = (sum((a - t) ** 2 for a, t in zip(answers, truth)) / len(truth)) ** 0.5
    assert error == pytest.approx(scores["rmse"], rel=1e-4)


def test_labels_are_learned_evaluated_and_predicted(falsum, tables, tmp_path):
    model = tmp_path / "gates.falsum"
    falsum("train", tables / "gates.csv", *LABELS, "--epochs", 6, "-o", model)
    scores = json.loads(falsum("evaluate", model, tables / "more-gates.csv", "--json"))
    assert (scores["accuracy"], scores["label_accuracy"], scores["f1"]) == (1, 1, 1)
    rows = [line.rsplit(",", 1)[1] for line in (tables / "more-gates.csv").read_text().splitlines()[1:]]
    assert "" in rows
    printed = falsum("predict", model, tables / "more-gates.csv").split("\n")[:-1]
    assert [sorted(filter(None, line.split(";"))) for line in printed] == [sorted(filter(None, row.split(";"))) for row in rows]
    assert [sorted(labels) for labels in json.loads(falsum("predict", model, tables / "more-gates.csv", "--json"))] == [
        sorted(filter(None, row.split(";"))) for row in rows
    ]


@pytest.mark.parametrize("data, options", [("steps", NUMBERS), ("gates", LABELS), ("gates", (*LABELS, "--drop-literals", 0.2))])
def test_a_training_is_resumed_to_the_same_bytes(falsum, tables, tmp_path, data, options):
    whole, resumed, checkpoint = tmp_path / "whole.falsum", tmp_path / "resumed.falsum", tmp_path / "c.falsum-checkpoint"
    falsum("train", tables / f"{data}.csv", *options, "--epochs", 6, "-o", whole)
    falsum("train", tables / f"{data}.csv", *options, "--epochs", 2, "--checkpoint", checkpoint)
    falsum("train", tables / f"{data}.csv", *options, "--epochs", 6, "--resume", checkpoint, "-o", resumed)
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "arguments, message",
    [(("steps", "--task", "regression", "--label", "colour"), "is not a number, and regression learns numbers"),
     (("steps", "--task", "shapes"), "task must be one of classification, multilabel"),
     (("steps", "--task", "regression", "--shared"), "shared must be off in regression"),
     (("steps", "--task", "regression", "--sharded"), "sharded must be off in regression"),
     (("steps", "--task", "regression", "--calibrate", "0.1"), "--calibrate is for classes"),
     (("gates", "--negatives", "focused"), "negatives must be uniform"), (("gates", "-s", "2:x"), "specificity_to"),
     (("gates", "-s", "2:0.5"), "specificity_to must be from 1")],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_sentence(tables, arguments, message):
    name, *options = arguments
    error = refused("train", tables / f"{name}.csv", *options)
    assert message in error
    assert error.count("\n") == 1


def test_a_checkpoint_of_another_task_is_not_resumed(falsum, tables, tmp_path):
    checkpoint = tmp_path / "c.falsum-checkpoint"
    falsum("train", tables / "steps.csv", *NUMBERS, "--epochs", 1, "--checkpoint", checkpoint)
    before = checkpoint.read_bytes()
    error = refused("train", tables / "steps.csv", "--label", "colour", "--resume", checkpoint)
    assert f"the task of checkpoint {checkpoint} is regression: --task regression must be given to resume it" in error
    assert error.count("\n") == 1
    assert checkpoint.read_bytes() == before


def test_probabilities_of_other_tasks_are_refused(falsum, tables, tmp_path):
    model = tmp_path / "steps.falsum"
    falsum("train", tables / "steps.csv", *NUMBERS, "--epochs", 2, "-o", model)
    for command, option in (("predict", ["--probabilities"]), ("evaluate", ["--reject", 0.9])):
        assert "probabilities are for classes" in refused(command, model, tables / "steps.csv", *option)
    assert "calibration is for classes" in refused("calibrate", model, tables / "steps.csv", "-o", tmp_path / "other.falsum")

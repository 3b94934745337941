"""calibrate, train --calibrate, predict --probabilities and --reject, evaluate with probabilities."""

import csv
import io
import json
import math
import random

import pytest
from conftest import SMALL, csv_text, run_falsum

HEADER = "width,height,kind"


def noisy_rows(count, seed):
    """Two kinds that overlap: some rows are sure and some are not."""
    chance = random.Random(seed)
    rows = []
    for _ in range(count):
        kind = chance.choice(["iris", "rose"])
        rows.append([f"{chance.gauss(3 if kind == 'iris' else 4.5, 1):.2f}", f"{chance.gauss(2, 1):.2f}", kind])
    return rows


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name, count, seed in (("train", 800, 1), ("fresh", 600, 2), ("test", 600, 3)):
        (folder / f"{name}.csv").write_text(csv_text(noisy_rows(count, seed), HEADER))
    return folder


@pytest.fixture(scope="module")
def plain(falsum, data):
    falsum("train", data / "train.csv", *SMALL, "--epochs", 5, "--quantiles", 8, "--calibration", "none", "-o", data / "plain.falsum")
    return data / "plain.falsum"


@pytest.fixture(scope="module")
def calibrated(falsum, data, plain):
    falsum("calibrate", plain, data / "fresh.csv", "-o", data / "calibrated.falsum")
    return data / "calibrated.falsum"


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_calibrate_makes_better_probabilities_and_no_other_labels(falsum, data, plain, tmp_path, method):
    model = tmp_path / "model.falsum"
    report = json.loads(falsum("calibrate", plain, data / "fresh.csv", "--calibration", method, "-o", model, "--json"))
    assert report["calibration"]["method"] == method and report["calibration"]["rows"] == report["samples"] == 600
    assert report["after"]["log_loss"] < report["before"]["log_loss"]
    assert report["model_bytes"] == model.stat().st_size
    before = json.loads(falsum("evaluate", plain, data / "test.csv", "--probabilities", "--json"))
    after = json.loads(falsum("evaluate", model, data / "test.csv", "--json"))
    assert before["calibration"] is None and after["calibration"] == report["calibration"]
    assert after["probabilities"]["log_loss"] < before["probabilities"]["log_loss"]
    assert after["confusion"] == before["confusion"]
    assert falsum("predict", model, data / "test.csv", "--votes") == falsum("predict", plain, data / "test.csv", "--votes")
    assert json.loads(falsum("inspect", model, "--json"))["calibration"] == report["calibration"]
    assert f"calibrated  by {method}" in falsum("inspect", model)


def test_calibrate_may_replace_its_model_and_nothing_else(falsum, refuses, data, plain, tmp_path):
    model = tmp_path / "model.falsum"
    model.write_bytes(plain.read_bytes())
    printed = falsum("calibrate", model, data / "fresh.csv", "-o", model)
    assert f"saved {model}" in printed and "before" in printed
    assert json.loads(falsum("inspect", model, "--json"))["calibration"]["rows"] == 600
    refuses("calibrate", model, data / "fresh.csv", "-o", data / "fresh.csv", says="are the same file")
    refuses("calibrate", model, data / "fresh.csv", says="--output is required")
    refuses("calibrate", model, data / "fresh.csv", "-o", model, "--calibration", "platt", says="temperature or isotonic, got platt")
    (tmp_path / "empty.csv").write_text(HEADER + "\n")
    refuses("calibrate", model, tmp_path / "empty.csv", "-o", model)


def test_calibrating_on_the_training_data_is_warned_of(data, plain, tmp_path):
    result = run_falsum("calibrate", plain, data / "train.csv", "-o", tmp_path / "model.falsum")
    assert result.returncode == 0 and "is what the model was learned from" in result.stderr


def test_evaluate_says_how_good_the_probabilities_are(falsum, data, plain, calibrated):
    assert "probabilities" not in falsum("evaluate", plain, data / "test.csv")
    printed = falsum("evaluate", calibrated, data / "test.csv", "--reject", 0.8)
    assert "probabilities: log loss " in printed and "with --reject 0.8: " in printed
    answers = json.loads(falsum("predict", calibrated, data / "test.csv", "--probabilities", "--json"))
    truth = [row[-1] for row in noisy_rows(600, 3)]
    losses, bins = [], {}
    for answer, label in zip(answers, truth):
        iris, rose = answer["probabilities"]
        losses.append(-math.log(iris if label == "iris" else rose))
        sure = max(iris, rose)
        bins.setdefault(min(int(15 * sure), 14), []).append((answer["label"] == label) - sure)
    found = json.loads(falsum("evaluate", calibrated, data / "test.csv", "--reject", 0.8, "--json"))["probabilities"]
    assert found["log_loss"] == pytest.approx(sum(losses) / 600)
    assert found["calibration_error"] == pytest.approx(sum(abs(sum(gaps)) for gaps in bins.values()) / 600)
    sure = [answer["label"] == label for answer, label in zip(answers, truth) if max(answer["probabilities"]) >= 0.8]
    assert found["answered"] == len(sure) and found["coverage"] == pytest.approx(len(sure) / 600)
    assert found["answered_accuracy"] == pytest.approx(sum(sure) / len(sure))
    nothing = json.loads(falsum("evaluate", calibrated, data / "test.csv", "--reject", 1, "--json"))["probabilities"]
    assert nothing["answered"] == 0 and nothing["answered_accuracy"] is None


def test_predict_prints_probabilities_and_leaves_rejected_answers_empty(falsum, data, calibrated):
    table = list(csv.DictReader(io.StringIO(falsum("predict", calibrated, data / "test.csv", "--probabilities", "--votes"))))
    assert list(table[0]) == ["label", "votes:iris", "votes:rose", "probability:iris", "probability:rose"]
    for row in table:
        p = {kind: float(row[f"probability:{kind}"]) for kind in ("iris", "rose")}
        assert sum(p.values()) == pytest.approx(1, abs=1e-5) and row["label"] == max(p, key=p.get)
    result = run_falsum("predict", calibrated, data / "test.csv", "--reject", 0.8)
    lines = result.stdout.split("\n")[:-1]
    wanted = [row["label"] if max(float(row["probability:iris"]), float(row["probability:rose"])) >= 0.8 else "" for row in table]
    assert result.returncode == 0 and lines == wanted and 0 < wanted.count("") < 600
    assert result.stderr == (
        f"falsum: rejected {wanted.count('')} of 600 rows, whose largest probability is below 0.8; their answers are empty\n"
    )
    entries = json.loads(run_falsum("predict", calibrated, data / "test.csv", "--reject", 0.8, "--json").stdout)
    assert [entry or "" for entry in entries] == wanted
    entries = json.loads(run_falsum("predict", calibrated, data / "test.csv", "--reject", 0.8, "--probabilities", "--json").stdout)
    assert [entry["label"] or "" for entry in entries] == wanted and all(len(entry["probabilities"]) == 2 for entry in entries)


def test_a_stream_has_the_same_answers(data, calibrated):
    for options in (["--reject", "0.8"], ["--probabilities", "--reject", "0.8"]):
        with open(data / "test.csv") as file:
            stream = run_falsum("predict", calibrated, "-", "--stream", *options, stdin=file)
        whole = run_falsum("predict", calibrated, data / "test.csv", *options)
        assert stream.returncode == 0 and stream.stdout == whole.stdout and stream.stderr == whole.stderr


def test_the_summary_of_a_file_counts_the_rejected(data, calibrated, tmp_path):
    result = run_falsum("predict", calibrated, data / "test.csv", "--reject", 0.8, "--json", "-o", tmp_path / "answers.json")
    assert json.loads(result.stdout)["rejected"] == json.loads((tmp_path / "answers.json").read_text()).count(None)


def test_rejecting_by_a_model_that_is_not_calibrated_is_warned_of(data, plain):
    for command in ("predict", "evaluate"):
        result = run_falsum(command, plain, data / "test.csv", "--reject", 0)
        assert result.returncode == 0
        assert "the model is not calibrated" in result.stderr


@pytest.mark.parametrize("value", ["-0.1", "1.5", "nan", "half"])
def test_reject_is_a_probability(refuses, data, calibrated, value):
    refuses("predict", calibrated, data / "test.csv", f"--reject={value}", says="reject must be")


@pytest.mark.parametrize("value", ["0", "1", "-0.5", "nan", "x"])
def test_the_share_held_out_is_a_share(refuses, data, value):
    refuses("train", data / "train.csv", f"--calibrate={value}", says=["calibrate must be", "more than 0 and less than 1"])


def test_a_method_without_rows_is_refused(refuses, data):
    refuses("train", data / "train.csv", "--calibration", "isotonic", says="needs --calibrate SHARE")


def test_train_holds_out_the_same_share_of_every_class(falsum, data, tmp_path):
    arguments = ["train", data / "train.csv", *SMALL, "--calibrate", 0.25]
    report = json.loads(falsum(*arguments, "--json", "-o", tmp_path / "one.falsum"))
    kinds = [row[-1] for row in noisy_rows(800, 1)]
    assert report["held_out_samples"] == round(0.25 * kinds.count("iris")) + round(0.25 * kinds.count("rose"))
    assert report["samples"] + report["held_out_samples"] == 800
    assert report["calibration"]["rows"] == report["held_out_samples"]
    assert "held out for calibration" in falsum(*arguments, "--threads", 1, "-o", tmp_path / "two.falsum")
    assert (tmp_path / "one.falsum").read_bytes() == (tmp_path / "two.falsum").read_bytes()
    assert "calibrated by isotonic" in falsum(*arguments, "--calibration", "isotonic")


def test_resuming_ends_in_the_bytes_of_a_training_that_never_stopped(falsum, refuses, data, tmp_path):
    whole, parts, state = tmp_path / "whole.falsum", tmp_path / "parts.falsum", tmp_path / "state.falsum-checkpoint"
    machine = ["--clauses", 20, "-T", 10, "-s", 3.9, "--seed", 77]
    train, held = ["train", data / "train.csv"], ["--calibrate", 0.2]
    falsum(*train, *machine, *held, "--epochs", 4, "-o", whole)
    falsum(*train, *machine, *held, "--epochs", 2, "--checkpoint", state)
    # The seed is that of the checkpoint, and so are the rows held out.
    falsum(*train, *held, "--epochs", 4, "--resume", state, "-o", parts)
    assert parts.read_bytes() == whole.read_bytes()
    refuses(*train, "--epochs", 4, "--resume", state, says=["other data", "give --calibrate as in the first run"])
    refuses(*train, "--calibrate", 0.3, "--epochs", 4, "--resume", state, says=["other data", "whose share must be that of the first run"])

"""falsum tune: the same table on any number of threads, and after a stop; what it refuses. And early stopping of train."""

import json
import random
import subprocess
import time

import pytest
from conftest import COMMAND, csv_text


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Three numbers of which two decide, but for a tenth of the rows."""
    draw = random.Random(3)
    rows = []
    for _ in range(240):
        a, b, c = (round(draw.gauss(0, 1), 3) for _ in range(3))
        rows.append([a, b, c, "yes" if (a + b > 0) != (draw.random() < 0.1) else "no"])
    path = tmp_path_factory.mktemp("tune") / "table.csv"
    path.write_text(csv_text(rows, "a,b,c,kind"))
    return path


def without_seconds(report):
    return {name: value for name, value in report.items() if not name.endswith("seconds")}


QUICK = ["--clauses", "40", "--epochs", "8"]


@pytest.fixture(scope="module")
def whole(falsum, table):
    return without_seconds(json.loads(falsum("tune", table, *QUICK, "--threads", 1, "--json")))


def test_the_table_is_the_same_on_one_and_two_threads(falsum, table, whole):
    assert len(whole["trials"]) > 8 and len(whole["rungs"]) == 3
    assert [len(trial["rungs"]) for trial in whole["trials"][:5]] == [3, 3, 2, 2, 1]
    assert without_seconds(json.loads(falsum("tune", table, *QUICK, "--threads", 2, "--json"))) == whole


def test_killed_and_resumed_the_table_is_the_same(falsum, table, whole, tmp_path):
    state = tmp_path / "scores"
    arguments = ["tune", table, *QUICK, "--threads", 1, "--json", "--state", state]
    process = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL)
    while process.poll() is None and (not state.exists() or state.read_text().count("\n") < 4):
        time.sleep(0.002)
    process.kill()
    process.wait()
    found = state.read_text().splitlines()
    assert 4 <= len(found) < 1 + len(whole["trials"]) + 4 + 2, "it was to be killed on the way"
    assert without_seconds(json.loads(falsum(*arguments))) == whole
    assert set(found) <= set(state.read_text().splitlines())


def test_the_model_is_learned_from_all_rows_and_the_table_says_how(falsum, table, tmp_path):
    model = tmp_path / "best.fsm"
    text = falsum("tune", table, *QUICK, "--test", table, "-o", model)
    assert "accuracy at the first rung, by T and s" in text and "█" in text
    assert f"to repeat the best: falsum train {table} --clauses 40 -T " in text
    assert json.loads(falsum("evaluate", model, table, "--json"))["accuracy"] > 0.85
    repeat = next(line for line in text.splitlines() if line.startswith("to repeat")).split(": falsum ", 1)[1]
    falsum(*repeat.split(), "-o", model)


def test_what_is_given_is_not_varied(falsum, table):
    report = json.loads(falsum("tune", table, *QUICK, "-T", 9, "--quantiles", 8, "--json"))
    assert {(t["threshold"], t["clauses"], t["quantiles"]) for t in report["trials"]} == {(9, 40, 8)}


def test_a_state_of_other_data_or_a_damaged_one_is_refused(falsum, refuses, table, tmp_path):
    state = tmp_path / "scores"
    falsum("tune", table, *QUICK, "--state", state, "--json")
    refuses("tune", table, "--clauses", 30, "--epochs", 8, "--state", state, silent=False, says="other data, settings or budget")
    state.write_text(state.read_text() + "1 nonsense\n")
    refuses("tune", table, *QUICK, "--state", state, silent=False, says="damaged")
    other = tmp_path / "notes.txt"
    other.write_text("mine\n")
    refuses("tune", table, *QUICK, "--state", other, silent=False, says="is not what falsum tune wrote")
    assert other.read_text() == "mine\n"
    refuses("tune", table, *QUICK, "--state", table, says="--state")


@pytest.mark.parametrize("budget", ["0s", "-1min", "soon", "1e9h", "nan"])
def test_a_budget_is_a_time(refuses, table, budget):
    refuses("tune", table, f"--budget={budget}", says=["budget must be a", "such as 30s, 1min or 2h"])


def test_training_stops_early_and_keeps_the_best_epoch(falsum, table, tmp_path):
    model = tmp_path / "early.fsm"
    stopping = ["--validation", "0.25", "--patience", "5", "--keep", "best"]
    report = json.loads(falsum("train", table, "--clauses", 20, *stopping, "-o", model, "--json"))
    scores = [epoch["validation_accuracy"] for epoch in report["epochs"]]
    kept = report["early_stopping"]
    assert kept["stopped"] and kept["kept"] == "best" and len(scores) < 60
    assert scores[kept["best_epoch"] - 1] == max(scores) == kept["best_score"]
    assert len(scores) == kept["best_epoch"] + 5 and max(scores[kept["best_epoch"] :]) <= max(scores)
    assert report["held_out_samples"] == 60 and report["samples"] == 180
    told = json.loads(falsum("inspect", model, "--json"))
    assert told["provenance"]["epochs"] == kept["best_epoch"], told["provenance"]


def test_early_stopping_is_refused_where_it_cannot_be(refuses, table, tmp_path):
    refuses("train", table, "--patience", 3, says="--patience needs --validation")
    refuses("train", table, "--keep", "best", says="--keep needs --validation")
    refuses("train", table, "--validation", 1, says="validation must be more than 0 and less than 1")
    refuses("train", table, "--validation", 0.1, "--checkpoint", tmp_path / "c", says="a checkpoint has no best epoch")

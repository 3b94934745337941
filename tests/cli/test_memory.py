"""What learning will take is known before it is asked for."""

import json

import pytest
from conftest import SMALL, run_falsum


@pytest.mark.parametrize("machine", [["--clauses", "1000"], ["--clauses", "200", "-T", "500"], ["--clauses", "200", "--engine", "index", "-T", "200"]])
def test_the_estimate_is_above_the_peak_and_not_far(falsum, machine):
    run = ["train", "mnist:test", "--test", "mnist:test", *machine, "--threads", "2", "--json"]
    estimate = json.loads(falsum(*run, "--dry-run"))
    report = json.loads(falsum(*run, "--epochs", "1"))
    print(machine, estimate["needed_bytes"] / report["peak_rss_bytes"])
    assert report["peak_rss_bytes"] <= estimate["needed_bytes"] <= 2.5 * report["peak_rss_bytes"]


def test_a_dry_run_says_what_is_needed_and_leaves_nothing(falsum, tmp_path):
    text = falsum("train", "mnist", "--dry-run", "-o", tmp_path / "model.fsm", "--checkpoint", tmp_path / "state.fsc")
    assert "automata" in text and "allowed" in text and "784 features" in text
    assert list(tmp_path.iterdir()) == []


def test_more_than_allowed_is_refused_with_the_clauses_that_fit(falsum, refuses):
    line = refuses("train", "mnist", "--clauses", "20000", "--max-memory", "100", says=["20000 clauses", "max_memory allows 0.1 GB", "clauses fit"])
    fits = line.split("up to ")[1].split()[0]
    estimate = json.loads(falsum("train", "mnist", "--clauses", fits, "--max-memory", "110", "--dry-run", "--json"))
    assert estimate["fits"] and estimate["needed_bytes"] > 80e6


def test_data_that_take_more_than_is_allowed_are_named(refuses):
    refuses("train", "mnist", *SMALL, "--max-memory", "1", says=["data alone"])


def test_a_dry_run_of_what_does_not_fit_fails(tmp_path):
    result = run_falsum("train", "noisy-xor", "--clauses", "1000000", "--max-memory", "20", "--dry-run", "--json")
    assert result.returncode == 2 and not json.loads(result.stdout)["fits"] and "clauses fit" in result.stderr

"""The tables of docs/choosing.md are those of bench/results, and what the scripts refuse."""

import os
import subprocess
import sys

import pytest

BENCH = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "bench")


def script(name, *arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(BENCH, name), *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("name", ["tabular_report.py", "study.py"])
def test_the_page_says_what_the_results_say(name):
    run = script(name, "--check")
    assert run.returncode == 0, run.stderr


def test_names_that_are_not_there_are_named():
    run = script("tabular_report.py", "--only", "forest+oracle")
    assert run.returncode == 2 and "'oracle' is not one of falsum, falsum, tuned, forest" in run.stderr
    run = script("study.py", "--only", "tea")
    assert run.returncode == 2 and run.stderr == "study: 'tea' is not one of T, T, s 2:20, s, clauses, epochs, thresholds, averaged\n"


def test_equal_accuracies_share_their_rank_and_ties_are_counted(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import tabular_report

    rows = {"falsum": (0.9, 0.8), "forest": (0.9, 0.7), "logistic": (0.5, 0.9)}
    lines = tabular_report.summary({m: {"a": [[x, 0.1, 0.02, 1.0]], "b": [[y, 0.3, 0.04, 3.0]]} for m, (x, y) in rows.items()})
    assert lines[2:] == [
        "| falsum | 1 | 85.00 | 1.75 | 0.200 | 0.030 | 2.00 |  |",
        "| forest | 1 | 80.00 | 2.25 | 0.200 | 0.030 | 2.00 | 1-0-1 |",
        "| logistic | 1 | 70.00 | 2.00 | 0.200 | 0.030 | 2.00 | 1-1-0 |",
    ]


def test_a_study_is_told_by_its_differences_to_the_law(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import study

    law = {"a": [0.8], "b": [0.9]}
    assert study.beside_law({"a": [0.81], "b": [0.93]}, law) == pytest.approx((2.0, 1.0))
    assert study.beside_law({"a": [0.81], "b": [0.93]}, {"a": [0.8, 0.1], "b": [0.9, 0.1]}) == pytest.approx((2.0, 1.0))
    table = study.law_table({"base": {"a": [0.8, 0.7], "b": [0.9, 0.8]}, "clauses 800": {"a": [0.81, 0.72], "b": [0.9, 0.81]}})
    assert table[2:] == [
        "| clauses | **400**, 800: +1.00 ± 0.50 (2 thirds) |",
        "| nothing | 80.00% right, the mean of 2 tables (2 thirds) |",
    ]
    found = study.points({"base": law, "T 10": {"a": [0.7], "b": [0.9]}}, "T")
    assert [value for value, *_ in found] == [10, 40] and found[0][1] == pytest.approx(-5.0)


def test_three_thirds_are_one_seed_and_none_is_measured_twice(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import study

    monkeypatch.setattr(study, "table_named", lambda name: (name, None))
    monkeypatch.setattr(study, "accuracy", lambda seed, X, y, third: (X, seed, third))
    monkeypatch.setattr(study.script, "write_results", lambda *_: None)
    monkeypatch.setattr(study, "mean_of", lambda found: 0)
    results = {"law": {"a": ["known"]}}
    study.fill(results, "law", ["a", "b"], 4, lambda seed: seed)
    assert results["law"]["a"] == ["known", ("a", 0, 1), ("a", 0, 2), ("a", 1, 3)]
    assert results["law"]["b"] == [("b", 0, 0), ("b", 0, 1), ("b", 0, 2), ("b", 1, 3)]


def test_tune_is_compared_with_a_search_that_does_not_see_the_rows_of_the_test(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import study

    figures = {"tune": (0.9, 0.8), "the law": (0.8, 0.8), "grid search": (0.85, 0.81), "T 5, s 3": (0.9, 0.7), "T 9, s 3": (0.8, 0.82)}
    results = {setting: {"a": [x], "b": [y]} for setting, (x, y) in figures.items()}
    assert study.tune_table(results)[2:] == [
        "| a | 80.00 | 90.00 | 85.00 | +5.00 | 90.00 | T 5, s 3 |",
        "| b | 80.00 | 80.00 | 81.00 | -1.00 | 82.00 | T 9, s 3 |",
        "| mean | 80.00 | 85.00 | 83.00 | +2.00 | 86.00 |  |",
        "| the same for all | | | | | 81.00 | T 9, s 3 |",
    ]
    del results["grid search"]["b"]
    assert study.tune_table(results)[3:5] == ["| b | 80.00 | 80.00 | | | 82.00 | T 9, s 3 |", "| mean | 80.00 | 85.00 | | | 86.00 |  |"]

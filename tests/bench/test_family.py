"""The table of docs/family.md is that of bench/results."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAMILY = [sys.executable, "-B", os.path.join(ROOT, "bench", "family.py")]


def test_the_page_says_what_the_results_say():
    run = subprocess.run([*FAMILY, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_rows_that_are_not_there_and_files_that_are_not_given_are_named():
    run = subprocess.run([*FAMILY, "--rows", "nonsense"], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("family: 'nonsense' is not one of xor, ")
    run = subprocess.run([*FAMILY, "--rows", "california", "--seeds", "1"], capture_output=True, text=True)
    assert run.returncode == 0
    assert "california left out" in run.stderr


def test_a_table_of_the_users_is_split_learned_and_tested(tmp_path):
    table = tmp_path / "houses.csv"
    table.write_text("rooms,age,price\n" + "".join(f"{k % 9},{k % 7},{k % 9 / 2}\n" for k in range(80)))
    files = ["--rows", "california", "--california", str(table), "--seeds", "1"]
    run = subprocess.run([*FAMILY, *files], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "| California housing | regression |" in run.stdout and "| RMSE 0." in run.stdout
    table.write_text("rooms,age,price\n1,2,3\n")
    run = subprocess.run([*FAMILY, *files], capture_output=True, text=True)
    assert run.returncode == 2 and run.stderr.endswith("has fewer than four rows under its names\n")


def test_generated_boards_of_connect_four_obey_the_rules():
    sys.path.insert(0, os.path.join(ROOT, "bench"))
    import random

    import family

    assert len(family.LINES) == 69
    outcomes = set()
    for seed in range(40):
        *cells, outcome = family.connect4_game(random.Random(seed))
        outcomes.add(outcome)
        board = {(c, r): cells[6 * c + r] for c in range(7) for r in range(6)}
        assert cells.count("x") - cells.count("o") in (0, 1)
        assert not any(board[c, r] == "b" != board[c, r + 1] for c in range(7) for r in range(5))  # nothing floats
        winners = {board[line[0]] for line in family.LINES if len({board[cell] for cell in line}) == 1} - {"b"}
        assert winners == ({outcome} if outcome != "draw" else set())
    assert {"x", "o"} <= outcomes

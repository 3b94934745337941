"""Models of falsum 0.1.0 still load and predict as they did, with a word where that is unsafe (FINDINGS, group 1)."""

from conftest import ROOT, run_falsum

GOLDEN = ROOT / "tests" / "golden"
TABLE = GOLDEN / "model_v1.fsm"  # of flowers.csv
SPARSE = GOLDEN / "model_v1_svmlight.fsm"  # counted from 0: the label is whether index 3 is there

ROWS = "0:1 3:1 4:1 5:1|0:1 1:1 3:1 5:1 6:1|2:1 3:1 7:1|2:1|0:1 1:1 5:1 6:1 7:1|3:1 7:1|0:1 1:1 2:1|0:1 2:1 6:1".split("|")
ANSWERS = list("11100100")  # of falsum 0.1.0


def flowers():
    header, *rows = (GOLDEN / "flowers.csv").read_text().splitlines()
    return header.split(","), [row.split(",") for row in rows]


def test_a_table_model_of_version_0_1_answers_as_it_did_and_says_what_it_does_not_know():
    result = run_falsum("predict", TABLE, GOLDEN / "flowers.csv")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [row[-1] for row in flowers()[1]]  # what 0.1.0 answered
    assert len(result.stderr.splitlines()) == 1
    assert "does not say how its data were read" in result.stderr and "falsum 0.1" in result.stderr


def test_a_table_model_of_version_0_1_finds_columns_by_name_and_takes_rows_as_a_stream():
    header, rows = flowers()
    order = [3, 0, 2, 1]
    text = "\n".join([",".join(header[c] for c in order), *(",".join(row[c] for c in order) for row in rows)]) + "\n"
    for more in ([], ["--stream"]):
        result = run_falsum("predict", TABLE, "-", *more, input=text)
        assert result.returncode == 0, result.stderr
        assert result.stdout.splitlines() == [row[-1] for row in rows]
        assert "does not say how its data were read" in result.stderr


def test_a_table_model_of_version_0_1_evaluates():
    result = run_falsum("evaluate", TABLE, GOLDEN / "flowers.csv")
    assert result.returncode == 0, result.stderr
    assert "accuracy 100.00%" in result.stdout
    assert "does not say how its data were read" in result.stderr


def test_an_svmlight_model_of_version_0_1_warns_of_the_first_index(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"0 {row}\n" for row in ROWS))
    result = run_falsum("predict", SPARSE, path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ANSWERS
    assert len(result.stderr.splitlines()) == 1
    assert "count from 0 or 1" in result.stderr and "--first-index" in result.stderr


def test_an_svmlight_model_of_version_0_1_can_be_told_the_first_index(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"0 {row}\n" for row in ROWS if not row.startswith("0:")))
    result = run_falsum("predict", SPARSE, path, "--first-index", "0")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [answer for row, answer in zip(ROWS, ANSWERS) if not row.startswith("0:")]
    assert result.stderr == ""  # what was said need not be doubted

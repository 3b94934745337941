"""docs/paper.md and its figures are what bench/paper/results say."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "bench" / "paper"
sys.path.insert(0, str(PAPER))

import figures  # noqa: E402
import grid  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402

sys.path.remove(str(PAPER))


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(PAPER / "results", tmp_path / "results")
    shutil.copy(ROOT / "docs" / "paper.md", tmp_path / "paper.md")
    return tmp_path


def check(folder):
    return report.main(["--check", "--results", str(folder / "results"), "--page", str(folder / "paper.md")])


def test_the_page_is_what_the_results_say():
    assert report.main(["--check"]) == 0


def test_a_changed_result_is_noticed(copy):
    path = copy / "results" / "full.jsonl"
    first, *others = path.read_text().splitlines()
    record = json.loads(first)
    record["learning"]["index"]["rounds"] = [2 * t for t in record["learning"]["index"]["rounds"]]
    path.write_text("\n".join([json.dumps(record), *others]) + "\n")
    with pytest.raises(results.Broken, match="not what the results say"):
        check(copy)


def test_a_changed_page_is_noticed_and_mended(copy):
    page = copy / "paper.md"
    text = page.read_text()
    page.write_text(re.sub(r"(<!-- begin table-imdb -->\n)", r"\1something else\n", text))
    with pytest.raises(results.Broken, match="not what the results say"):
        check(copy)
    report.main(["--no-figures", "--results", str(copy / "results"), "--page", str(page)])
    assert page.read_text() == text


def test_a_lost_mark_is_noticed(copy):
    page = copy / "paper.md"
    page.write_text(page.read_text().replace("<!-- end memory -->", ""))
    with pytest.raises(results.Broken, match="memory"):
        check(copy)


def test_a_result_file_that_was_cut_off_is_not_reported(copy):
    path = copy / "results" / "full.jsonl"
    path.write_text(path.read_text()[:-100])
    with pytest.raises(results.Broken, match="cut off"):
        check(copy)


def test_the_committed_results_are_the_whole_grid():
    records, _ = results.read(PAPER / "results" / "full.jsonl")
    assert set(records) == {cell.key for cell in grid.cells()}


@pytest.mark.parametrize("part", figures.PHASES)
@pytest.mark.parametrize("data", grid.DATA, ids=lambda data: data.name)
def test_a_figure_shows_the_results(data, part):
    page = report.page_of(str(PAPER / "results"))
    mark = f"results {figures.digest(figures.curves(page, data, part))}".encode()
    path = ROOT / "docs" / "figures" / f"{figures.file_name(data, part)}.svg"
    assert mark in path.read_bytes(), f"run make paper-report: {path.name} shows other results"


def test_figures_are_one_kind_of_file():
    """Pictures of a page in a browser are the exception: pixels."""
    pages = {"hex.png", "report_rows.png", "report_summary.png"}
    assert {path.suffix for path in (ROOT / "docs" / "figures").iterdir() if path.name not in pages} == {".svg"}


def test_numbers_are_short_and_ratios_are_taken_round_by_round():
    assert [report.number(n) for n in (0.789, 24.31, 314.4, 36912.0)] == ["0.79", "24.3", "314", "36,912"]
    record = {"learning": {"scan": {"rounds": [10, 40, 90]}, "index": {"rounds": [1, 2, 3]}}}
    assert report.speedup(record, "learning", "index") == 20

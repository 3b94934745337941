"""What tools/findings.py makes of tests, and that docs/reliability.md has what it prints."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import findings  # noqa: E402

CPP = """// About it all. NOTED 1.8.
#include <x>

TEST(First, OfAll) {  // NOTED 2.1
}

// Why. NOTED 3.1
// and 6.2: what was.
TEST(Second, Test) {
  // NOTED 6.3, 6.4.
}
""".replace("NOTED", "FINDINGS")
PYTHON = '''"""Of the whole file (NOTED 4.1 and 4.2)."""
import x

def test_noted_4_01_by_name():
    pass

@pytest.mark.parametrize("a", [1])
def test_b(a):
    """NOTED 5.1, 5.2
    and 5.3: what was."""
'''.replace("NOTED", "FINDINGS").replace("noted", "finding")
NAMED = "test_noted_4_01_by_name".replace("noted", "finding")  # this file covers none itself


def test_a_finding_belongs_to_the_test_that_names_it():
    assert findings.covered_by(CPP, python=False) == {
        "1.8": {"First.OfAll", "Second.Test"},
        "2.1": {"First.OfAll"},
        **{number: {"Second.Test"} for number in ("3.1", "6.2", "6.3", "6.4")},
    }
    named = {number: {"test_b"} for number in ("5.1", "5.2", "5.3")}
    assert findings.covered_by(PYTHON, python=True) == {
        "4.1": {NAMED}, "4.2": {NAMED, "test_b"}, **named}  # fmt: skip


def test_every_finding_that_a_test_names_is_one():
    assert findings.collect().keys() <= findings.TITLES.keys()


def test_the_page_has_the_table():
    printed = subprocess.run([sys.executable, "-B", ROOT / "tools" / "findings.py"], capture_output=True, text=True, check=True).stdout
    page = findings.PAGE.read_text(encoding="utf-8")
    assert findings.BEGIN + printed + findings.END in page, "docs/reliability.md is stale: run make reliability-page"

"""Every example in the documents runs and prints what the document says. One that loads a data set is skipped where that is
not to be had without a network: in the folder FALSUM_DATA.

FALSUM_REFRESH_DOCS=1 writes what they print into the documents instead.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

from falsum import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs" / "python").glob("*.md")), ROOT / "docs" / "probabilities.md", ROOT / "docs" / "family.md"]
DATA = os.path.abspath(os.environ["FALSUM_DATA"]) if os.environ.get("FALSUM_DATA") else ""  # the examples run elsewhere
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", flags=re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", [p for p in PAGES if "```python" in p.read_text(encoding="utf-8")], ids=lambda p: p.stem)
def test_the_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FALSUM_DATA", str(DATA))
    elsewhere = {entry["name"] for entry in _core.list_datasets() if not entry["available"]}
    missing = set()
    names = {}

    def run(match):
        needed = {name for name in elsewhere if "load_" + name.replace("-", "_") + "(" in match[1]}
        missing.update(needed)
        if needed:
            return match[0]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match[1], page.name, "exec"), names)
        if os.environ.get("FALSUM_REFRESH_DOCS"):
            return f"```python\n{match[1]}```\n" + (f"```text\n{printed.getvalue()}```\n" if match[2] is not None else "")
        assert printed.getvalue() == (match[2] or "")
        return match[0]

    text = page.read_text(encoding="utf-8")
    changed = EXAMPLE.sub(run, text)
    if changed != text:
        page.write_text(changed, encoding="utf-8")
    if missing:
        pytest.skip(f"everything but the example with {', '.join(sorted(missing))}, which is not on this machine")


def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocstrings")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert "TMClassifier" in (tmp_path / "python" / "reference.html").read_text(encoding="utf-8")
    assert "load_source()" in (tmp_path / "cpp.html").read_text(encoding="utf-8")
    assert "The two commands" in (tmp_path / "index.html").read_text(encoding="utf-8")

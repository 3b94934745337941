"""The programs of a page, and what they print."""

import contextlib
import io
import pathlib
import re

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
EXAMPLE = re.compile(r"^```py\n(.*?)^```\n```text\n(.*?)^```\n", flags=re.MULTILINE | re.DOTALL)


def run_programs_of(page):
    """Runs them one after the other; they print what the page says. Returns their names."""
    examples = EXAMPLE.findall((DOCS / page).read_text(encoding="utf-8"))
    assert examples
    names = {"__name__": "__page__"}
    for program, said in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, page, "exec"), names)
        assert printed.getvalue() == said
    return names

"""The tables of docs/choosing.md, each between `<!-- table NAME -->` and `<!-- end -->`, from bench/results."""

import os
import re

from script import ROOT, say

PAGE = os.path.join(ROOT, "docs", "choosing.md")


def filled(page, tables):
    for name, lines in tables.items():
        place = re.search(rf"<!-- table {name} -->\n(.*?)<!-- end -->", page, flags=re.DOTALL)
        if place is None:
            continue  # measured, but not on the page
        page = page[: place.start(1)] + "\n".join([*lines, ""]) + page[place.end(1) :]
    return page


def write(tables, check):
    """Writes them; with `check` only says whether they are there: the exit code."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    new = filled(page, tables)
    if check:
        if new != page:
            say("docs/choosing.md is not as bench/results say")
        return int(new != page)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(new)
    return 0

#!/usr/bin/env python3
"""What went wrong when falsum 0.1.0 was used as people use software, and the tests that keep it right.

    tools/findings.py            the table by group, as docs/reliability.md has it
    tools/findings.py --list     every finding with its tests
    tools/findings.py --write    puts the table into docs/reliability.md (make reliability-page)

A test covers a finding when it says so: "FINDINGS 2.1" (also "FINDINGS 2.1, 2.3 and 5.1") in its docstring, in a comment at
it or above it; or finding_2_1 in its name. At the head of a file it means all tests of the file, unless some of them
say it themselves. In tests/messy/manifest.json every file has the number of its finding.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- table findings -->\n", "<!-- end -->"

# A finding is group.position, positions from 1.
GROUPS = [
    ("set-up on a fresh machine", [
        "make test needs a package that is only recommended",
        "make quickstart compiles for 98 of its 113 seconds",
    ]),
    ("a model forgets how its data were read", [
        "SVMlight from 0: one column off without feature 0",
        "decimal commas become categories",
        "one missing value makes a column of numbers categories",
        "headers with numbers are learned; tables of text lose a row",
        "an empty or repeated name switches name matching off",
        "the label column is forgotten",
        "the answer to a row depends on the other rows",
        "options that cannot act are ignored",
        "a blank label column is refused by predict",
        "UTF-16 and Latin-1 are learned as bytes",
        "ids become features; spellings of a label become classes",
    ]),
    ("training that is stopped loses work", [
        "the checkpoint of a stop is not written, and said to be",
        "a stop takes a minute, and a second one loses all",
        "a checkpoint that cannot be written is not mentioned",
        "a checkpoint goes on with other data",
        "sharded is ignored when resuming, and not shown",
        "SIGPIPE, SIGHUP, SIGXFSZ, left-over files, links, long names",
    ]),
    ("files are overwritten by a slip", [
        "outputs that are inputs, and checkpoints of longer runs",
    ]),
    ("Python: state, types, columns", [
        "a failed refit leaves old clauses under new labels",
        "pd.NA and nullable types are TypeErrors",
        "columns become a feature for each distinct value",
        "warm_start and partial_fit ignore changed parameters",
        "save and load change the type of labels",
        "callbacks see the previous fit, or cannot stop",
        "early stopping writes a false provenance",
        "paths, errors without errno, corrupt CSR, pickles, clones",
        "all cores inside other people's parallelism",
    ]),
    ("messages and streams", [
        "FIFOs hang, pipes fail, - is not understood",
        "messages that are not so",
        "closed or full standard error aborts",
        "a label with a line feed breaks one label a line",
        "kilobytes of gzip take a gigabyte",
        "escape sequences are printed raw; dumb terminals get bold",
    ]),
    ("facts that stand in several places", [
        "lists of options and engines, ranges, limits",
        "--max_memory in falsum options; names of files",
        "the capital of the optional section; blocks of the sharded oracle",
        "data looked for beside the current directory",
        "MNIST's licence inside an MIT library",
        "falsum.h lacks a header; stale comments",
        "pages that no command writes or no test runs",
        "what no golden and no unit test reaches",
    ]),
    ("the law of learning", [
        "clause selection has heavy tails",
        "the peers' generator is never seeded",
    ]),
]  # fmt: skip
TITLES = {f"{group}.{place}": title for group, (_, titles) in enumerate(GROUPS) for place, title in enumerate(titles, 1)}
NO_FAULT = {"0.2"}  # a time that was found good

PYTHON_TEST = re.compile(r"\s*(?:async )?def (test_\w+)")
CPP_TEST = re.compile(r"(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)")
# Numbers may go on in the next line of a comment.
MENTION = re.compile(r"FINDINGS?\s+(\d\.\d+(?:(?:,|\s|/|and\b)+\d\.\d+)*)|finding_(\d)_0?(\d+)", re.IGNORECASE)


def mentions(text):
    """(line from 0, number) of every finding that the text names."""
    for found in MENTION.finditer(text):
        line = text.count("\n", 0, found.start())
        if found[2]:
            yield line, f"{found[2]}.{found[3]}"
        else:
            yield from ((line, number) for number in re.findall(r"\d\.\d+", found[1]))


def covered_by(text, python):
    """{number: {test}} of one file."""
    lines = text.splitlines()
    tests = {}  # line -> name
    for i, line in enumerate(lines):
        if found := (PYTHON_TEST if python else CPP_TEST).match(line):
            tests[i] = found[1] if python else f"{found[1]}.{found[2]}"
    first = next((i for i, line in enumerate(lines) if re.match(r"#include|import |from ", line)), min(tests, default=0))
    covered, of_all = {}, set()
    for line, number in mentions(text):
        before = [i for i in tests if i <= line]
        inside = line in tests or lines[line].startswith((" ", "\t"))  # anything else stands above what it is about
        if line < first:
            of_all.add(number)
        elif inside and before:
            covered.setdefault(number, set()).add(tests[before[-1]])
        elif after := [i for i in tests if i > line]:
            covered.setdefault(number, set()).add(tests[after[0]])
    for number in of_all - covered.keys():
        covered[number] = set(tests.values())
    return covered


def collect():
    """{number: {file: {test}}} of all tests of the repository."""
    tests = {}
    for folder in (ROOT / "tests", ROOT / "python" / "tests"):
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.cpp")]):
            if path.name.startswith(("test_", "conftest")) or path.name.endswith("_test.cpp"):
                for number, names in covered_by(path.read_text(encoding="utf-8"), path.suffix == ".py").items():
                    tests.setdefault(number, {})[str(path.relative_to(ROOT))] = names
    for entry in json.loads((ROOT / "tests" / "messy" / "manifest.json").read_text(encoding="utf-8")):
        for number in re.findall(r"\d\.\d+", str(entry.get("finding", ""))):
            tests.setdefault(number, {}).setdefault("tests/messy/manifest.json", set()).add(entry["file"])
    return tests


def table(tests):
    text = "| group | what | findings | with a test | tests | where |\n|---|---|---|---|---|---|\n"
    totals, all_tests = [0, 0], set()
    for group, (what, _) in enumerate(GROUPS):
        numbers = [number for number in TITLES if number.startswith(f"{group}.") and number not in NO_FAULT]
        found = {(file, name) for number in numbers for file, names in tests.get(number, {}).items() for name in names}
        counts = [len(numbers), sum(number in tests for number in numbers)]
        where = ", ".join(f"`{file}`" for file in sorted({file for file, _ in found}))
        text += f"| {group} | {what} | {counts[0]} | {counts[1]} | {len(found)} | {where} |\n"
        totals = [a + b for a, b in zip(totals, counts)]
        all_tests |= found  # some are in several groups
    text += f"| all | | {totals[0]} | {totals[1]} | {len(all_tests)} | |\n"
    if untested := TITLES.keys() - tests.keys() - NO_FAULT:
        text += f"\nWithout a test: {'; '.join(f'{number} ({title})' for number, title in TITLES.items() if number in untested)}.\n"
    return text


def listing(tests):
    lines = []
    for number, title in TITLES.items():
        lines.append(f"{number} {title}{' (no fault)' if number in NO_FAULT else ''}")
        lines += [f"    {file}: {', '.join(sorted(names))}" for file, names in sorted(tests.get(number, {}).items())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    tests = collect()
    if unknown := sorted(tests.keys() - TITLES.keys()):
        sys.exit(f"tests name findings that there are not: {', '.join(unknown)}")
    if not arguments.write:
        print(listing(tests) if arguments.list else table(tests), end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    start = page.index(BEGIN) + len(BEGIN)
    PAGE.write_text(page[:start] + table(tests) + page[page.index(END, start) :], encoding="utf-8")


if __name__ == "__main__":
    main()

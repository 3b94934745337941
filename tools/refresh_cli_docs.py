#!/usr/bin/env python3
"""Runs every command in the console blocks of docs/cli.md, docs/data.md and docs/probabilities.md again and pastes what it prints
(make cli-page).
Blocks in which nothing but times and the like would change are left as they are.

    tools/refresh_cli_docs.py [--check] [COMMAND]        COMMAND: build/release/falsum unless given

--check changes nothing; exit code 1 and the difference if a page is not what the commands print now. Left out of the
comparison is what differs between two runs or machines: times, sizes in memory and on disk, processors, threads, and the
whole output of the commands in OF_THIS_MACHINE.

The flowers are made up here: three kinds that differ in two lengths and a colour, with some overlap. So is the garden, a table
as a spreadsheet of a country with decimal commas exports it: dates, missing heights, and a column that only counts the rows.
"""

import argparse
import datetime
import difflib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = [ROOT / "docs" / name for name in ("cli.md", "data.md", "probabilities.md")]
KINDS = {"iris": (2.0, 6.0, ["blue", "white"]), "rose": (4.0, 5.0, ["red", "white"]), "tulip": (4.5, 3.5, ["red", "yellow"])}
OF_THIS_MACHINE = {"falsum cpu", "falsum datasets"}
NOT_COMPARED = [
    r"(?<=[ \n(])[\d.,]+ (ns|us|ms|s|min|cycles|threads?|kB|MB|GB)\b",
    r"[\d.]+(?= times as fast)",
    r"(?<=pays from )\d+",
    r"(?<=up to )\d+(?= clauses fit)",
    r"(?<=kernels )[\w+]+",
    r'(?<="kernels": ")[\w+]+',
    r'(?<="threads": )\d+',
    r'(?<=seconds": )[\d.e-]+',
    r'(?<=_bytes": )\d+',
]


def flowers(count, seed, labelled=True):
    chance = random.Random(seed)
    lines = ["width,height,colour" + (",kind" if labelled else "")]
    for _ in range(count):
        kind = chance.choice(list(KINDS))
        width, height, colours = KINDS[kind]
        cells = [f"{chance.gauss(width, 0.6):.1f}", f"{chance.gauss(height, 0.6):.1f}", chance.choice(colours)]
        lines.append(",".join(cells + ([kind] if labelled else [])))
    return "\n".join(lines) + "\n"


def garden(count, seed):
    chance = random.Random(seed)
    plants = {"fern": (20, 30, ["peat", "clay"], 0.9), "iris": (45, 62, ["loam", "sand"], 0.3), "rose": (70, 80, ["loam", "clay"], 0.2)}
    lines = [";planted;height;soil;shade;kind"]
    for row in range(count):
        kind = chance.choice(list(plants))
        day, height, soils, shade = plants[kind]
        date = datetime.date(2024, 3, 1) + datetime.timedelta(days=int(chance.gauss(day, 12)))
        measured = chance.random() > (0.4 if kind == "fern" else 0.05)
        tall = f"{chance.gauss(height, 9):.1f}".replace(".", ",") if measured else "NA"
        lines.append(f"{row};{date};{tall};{chance.choice(soils)};{chance.random() < shade};{kind}")
    return "\n".join(lines) + "\n"


def commands_of(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def refreshed(page, command):
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / "falsum").symlink_to(command)
        (home / "flowers.csv").write_text(flowers(600, 1))
        (home / "more.csv").write_text(flowers(200, 2))
        (home / "fresh.csv").write_text(flowers(400, 4))
        (home / "new.csv").write_text(flowers(3, 3, labelled=False))
        (home / "garden.csv").write_text(garden(500, 1))
        (home / "later.csv").write_text("soil,shade,height,planted\nloam,false,81.5,2024-05-20\npeat,true,,2024-03-12\n")
        (home / "hasty.csv").write_text("planted;height;soil;shade\n2024-05-20;81,5;loam;no idea\n2024-03-12;;peat;True\n")
        environment = {name: value for name, value in os.environ.items() if name not in ("FALSUM_DATA", "XDG_CACHE_HOME", "COLUMNS")}
        environment |= {"HOME": folder, "PATH": f"{home}:{os.environ['PATH']}"}

        def run(line):
            done = subprocess.run(["bash", "-c", line], cwd=home, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
            return f"$ {line}\n{done.stdout}"

        def again(block):
            now = "```console\n" + "".join(map(run, commands_of(block[1]))) + "```"
            return block[0] if compared(now) == compared(block[0]) else now

        return re.sub(r"```console\n(.*?)```", again, page, flags=re.DOTALL)


def compared(page):
    """The lines of the page as they are compared: without what may differ, and without the spaces that align it."""

    def without_output(block):
        commands = commands_of(block[1])
        return "\n".join(commands) if set(commands) & OF_THIS_MACHINE else block[0]

    page = re.sub(r"```console\n(.*?)```", without_output, page, flags=re.DOTALL)
    for pattern in NOT_COMPARED:
        page = re.sub(pattern, "#", page)
    return [" ".join(line.split()) for line in page.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("command", nargs="?", default=ROOT / "build" / "release" / "falsum")
    arguments = parser.parse_args()
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        now = refreshed(page, pathlib.Path(arguments.command).resolve())
        if not arguments.check:
            path.write_text(now, encoding="utf-8")
            continue
        name = str(path.relative_to(ROOT))
        difference = list(difflib.unified_diff(compared(page), compared(now), name, "what the commands print", lineterm="", n=1))
        if difference:
            sys.exit("\n".join([*difference, f"{name} is stale: run make cli-page"]))


if __name__ == "__main__":
    main()

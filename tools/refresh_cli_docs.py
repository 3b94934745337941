#!/usr/bin/env python3
"""Runs every command in the console blocks of docs/cli.md again and pastes what it prints.

    tools/refresh_cli_docs.py [COMMAND]        COMMAND: build/release/falsum unless given

The flowers are made up here: three kinds that differ in two lengths and a colour, with some overlap.
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
KINDS = {"iris": (2.0, 6.0, ["blue", "white"]), "rose": (4.0, 5.0, ["red", "white"]), "tulip": (4.5, 3.5, ["red", "yellow"])}


def flowers(count, seed, labelled=True):
    chance = random.Random(seed)
    lines = ["width,height,colour" + (",kind" if labelled else "")]
    for _ in range(count):
        kind = chance.choice(list(KINDS))
        width, height, colours = KINDS[kind]
        cells = [f"{chance.gauss(width, 0.6):.1f}", f"{chance.gauss(height, 0.6):.1f}", chance.choice(colours)]
        lines.append(",".join(cells + ([kind] if labelled else [])))
    return "\n".join(lines) + "\n"


def main():
    command = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release" / "falsum").resolve()
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / "falsum").symlink_to(command)
        (home / "flowers.csv").write_text(flowers(600, 1))
        (home / "more.csv").write_text(flowers(200, 2))
        (home / "new.csv").write_text(flowers(3, 3, labelled=False))

        def run(line):
            print(line)
            shell = ["bash", "-c", f'PATH="{home}:$PATH"; {line}']
            done = subprocess.run(shell, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return f"$ {line}\n{done.stdout}"

        def again(block):
            return "```console\n" + "".join(run(line[2:]) for line in block[1].splitlines() if line.startswith("$ ")) + "```"

        PAGE.write_text(re.sub(r"```console\n(.*?)```", again, PAGE.read_text(), flags=re.DOTALL))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Packs and learns data that take four times the memory allowed, and compares the models with those learned in memory.

    tests/out_of_core/run.py FALSUM [--limit MEGABYTES] [--rlimit]

Two data sets, a table of numbers (packed rows) and sparse rows, are generated, packed and learned, each by a process that may
hold so many megabytes; the files of packed rows are four times as long. Then the same is learned from the data without a limit:
the models must be the same, byte for byte. Training from the data within the limit must fail, so that the limit is one.

How memory is limited: by a control group of this test's own, where this user may make one. It counts everything, also pages of
mapped files, which the system must then give back again and again. Otherwise, or with --rlimit, by RLIMIT_DATA, which counts all
memory that a process can write to and not mapped files: what the system cannot take back. (RLIMIT_AS would count addresses, also
of files that are only mapped.)
"""

import argparse
import contextlib
import filecmp
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

RATIO = 4  # bytes of the packed rows, by those of the limit
MACHINE = ["--clauses", "20", "-T", "10", "-s", "5", "--epochs", "2", "--threads", "1", "--calibration", "none"]


class Group:
    """A control group with a limit, of version 2 or 1; empty `path` where none can be made."""

    def __init__(self, limit):
        self.path = None
        for root, name, peak in (
            ("/sys/fs/cgroup", "memory.max", "memory.peak"),
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"),
        ):
            path = pathlib.Path(root) / f"falsum-out-of-core-{os.getpid()}"
            try:
                path.mkdir()
            except OSError:
                continue
            if not (path / name).exists():
                path.rmdir()
                continue
            (path / name).write_text(str(limit))
            with contextlib.suppress(OSError):  # swap would be memory too
                (path / "memory.swap.max").write_text("0")
            self.path, self.peak_file = path, path / peak
            return

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def peak(self):
        with contextlib.suppress(OSError):
            return int(self.peak_file.read_text())
        return None

    def remove(self):
        self.path.rmdir()


class Limited:
    def __init__(self, limit, by_rlimit):
        self.limit, self.by_rlimit = limit, by_rlimit
        if not by_rlimit:
            group = Group(limit)
            self.by_rlimit = group.path is None
            if group.path is not None:
                group.remove()

    @property
    def means(self):
        return "RLIMIT_DATA" if self.by_rlimit else "a control group"

    def run(self, command):
        """(exit code, its output, the peak in bytes or None)"""
        if self.by_rlimit:
            enter = lambda: resource.setrlimit(resource.RLIMIT_DATA, (self.limit, self.limit))  # noqa: E731
            result = subprocess.run(command, capture_output=True, text=True, preexec_fn=enter)
            return result, None
        group = Group(self.limit)
        try:
            result = subprocess.run(command, capture_output=True, text=True, preexec_fn=group.enter)
            return result, group.peak()
        finally:
            group.remove()


def write_table(path, rows):
    """256 columns of whole numbers, which get 16 thresholds each: 512 bytes a packed row, and twice as many as text."""
    draw = random.Random(1)
    pieces = [",".join(str(draw.randrange(100)) for _ in range(32)) for _ in range(499)]
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{c}" for c in range(256)) + ",label\n")
        for _ in range(rows):
            chosen = draw.choices(range(len(pieces)), k=8)
            file.write(",".join(pieces[piece] for piece in chosen) + (",a\n" if (chosen[0] + chosen[1]) % 2 else ",b\n"))


def write_sparse(path, rows):
    """A hundred features a row out of 4,000: 408 bytes a sparse row."""
    draw = random.Random(2)
    pieces = [
        [" ".join(f"{k}:1" for k in sorted(draw.sample(range(400 * part + 1, 400 * part + 401), 10))) for _ in range(97)]
        for part in range(10)
    ]
    with open(path, "w", encoding="ascii") as file:
        for _ in range(rows):
            chosen = draw.choices(range(97), k=10)
            label = "1 " if (chosen[0] + chosen[1]) % 2 else "-1 "
            file.write(label + " ".join(part[piece] for part, piece in zip(pieces, chosen)) + "\n")


def check(result, what):
    if result.returncode != 0:
        sys.exit(f"{what} ended with exit code {result.returncode}: {result.stderr}")


def megabytes(count):
    return f"{count / 1e6:.0f} MB"


def learn(falsum, folder, name, write, row_bytes, limited):
    data, packed = folder / name, folder / f"{name}.falsum-rows"
    rows = RATIO * limited.limit // row_bytes + 1000
    write(data, rows)
    result, packing = limited.run([falsum, "pack", data, "-o", packed, "--json"])
    check(result, f"packing {name}")
    if packed.stat().st_size < RATIO * limited.limit:
        sys.exit(f"{packed} is only {packed.stat().st_size} bytes long")
    models = folder / "mapped.falsum", folder / "memory.falsum"
    result, learning = limited.run([falsum, "train", packed, *MACHINE, "-o", models[0], "--json"])
    check(result, f"learning {name} from packed rows")
    seconds = [sum(epoch["train_seconds"] for epoch in json.loads(result.stdout)["epochs"])]
    result, _ = limited.run([falsum, "train", data, *MACHINE])
    if result.returncode == 0:
        sys.exit(f"learning {name} in memory was possible within {megabytes(limited.limit)}: the limit is none")
    result = subprocess.run([falsum, "train", data, *MACHINE, "-o", models[1], "--json"], capture_output=True, text=True)
    check(result, f"learning {name} in memory")
    seconds.append(sum(epoch["train_seconds"] for epoch in json.loads(result.stdout)["epochs"]))
    if not filecmp.cmp(*models, shallow=False):
        sys.exit(f"the model of {name} learned from packed rows is another than that learned in memory")
    peaks = "".join(f"; peak {megabytes(peak)} while {what}" for peak, what in ((packing, "packing"), (learning, "learning")) if peak)
    print(
        f"{name}: {rows:,} rows, {megabytes(packed.stat().st_size)} packed, {limited.means} of {megabytes(limited.limit)}{peaks}; "
        f"two epochs take {seconds[0]:.1f} s mapped and {seconds[1]:.1f} s in memory; the same model",
        flush=True,
    )
    data.unlink()
    packed.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("falsum", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=64, metavar="MEGABYTES")
    parser.add_argument("--rlimit", action="store_true", help="use RLIMIT_DATA even where control groups can be made")
    arguments = parser.parse_args()
    limited = Limited(arguments.limit << 20, arguments.rlimit)
    falsum = arguments.falsum.resolve()
    with tempfile.TemporaryDirectory() as folder:
        learn(falsum, pathlib.Path(folder), "table.csv", write_table, 512, limited)
        learn(falsum, pathlib.Path(folder), "sparse.svm", write_sparse, 408, limited)


if __name__ == "__main__":
    main()

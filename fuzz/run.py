#!/usr/bin/env python3
"""Runs the fuzz targets of build/fuzz and prints what came of it: executions, coverage, crashes.

    fuzz/run.py [--build build/asan] [--seconds N] [--runs N] [--seed N] [--jobs N] [TARGET...]

Stops a target at whichever of --seconds and --runs comes first, and prints its line then. Inputs that reach something new
are kept in build/fuzz/corpus/TARGET and begin the next run; what crashes is in build/fuzz/crashes, and belongs into
tests/hostile once it is mended. build/asan has the same targets without counters of lines (`make test-fuzz`).
Exit code 1 when something crashed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import seeds

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Where the code behind a target is: what its coverage is a share of.
CODE = {
    "csv": ["src/data/csv.cpp", "src/data/dialect.cpp", "src/data/infer.cpp", "src/data/records.cpp", "src/data/values.cpp"],
    "stream": ["src/data/row_stream.cpp", "src/data/table.cpp", "src/data/encoding.cpp", "src/data/records.cpp"],
    "svmlight": ["src/data/svmlight.cpp"],
    "idx": ["src/data/idx.cpp"],
    "npy": ["src/data/npy.cpp", "src/data/npy_source.cpp"],
    "npz": ["src/data/npz.cpp"],
    "inflate": ["src/support/inflate.cpp"],
    "model": [
        "src/model/container.cpp",
        "src/model/sections.cpp",
        "src/model/model.cpp",
        "src/model/model_file.cpp",
        "src/booleanize/serialize.cpp",
        "src/data/schema.cpp",
    ],
    "checkpoint": ["src/model/container.cpp", "src/model/sections.cpp", "src/learn/checkpoint.cpp"],
    "json": ["src/export/json_model.cpp", "src/export/json_parts.cpp"],
    "rows": ["src/data/packed_rows.cpp"],
}
# Bytes of an input at most: what the format needs to show everything it has, since time goes with length.
LENGTH = {
    "csv": 128, "stream": 128, "svmlight": 128, "idx": 128, "npy": 192, "npz": 512, "inflate": 256,
    "model": 512, "checkpoint": 384, "json": 1024, "rows": 512,
}  # fmt: skip
# A small quarantine and no stack for every allocation: nothing is found less, and most executions are a few allocations.
SANITIZER = "quarantine_size_mb=1:malloc_context_size=1"


def fuzz(target, arguments):
    build = arguments.build.resolve()
    corpus, crashes = build / "corpus" / target, build / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    command = [
        build / f"fuzz_{target}", corpus, build / "seeds" / target, f"-artifact_prefix={crashes}/{target}-",
        f"-max_len={LENGTH[target]}", "-timeout=300", "-rss_limit_mb=2048", "-print_final_stats=1", "-print_funcs=0",
        f"-max_total_time={arguments.seconds}", f"-runs={arguments.runs}", f"-seed={arguments.seed}",
    ]  # fmt: skip
    environment = {**os.environ, "LLVM_PROFILE_FILE": os.devnull, "ASAN_OPTIONS": SANITIZER}
    began = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, errors="replace")
    (build / f"{target}.log").write_text(result.stderr)
    executed = re.search(r"stat::number_of_executed_units: *(\d+)", result.stderr)
    return {
        "target": target,
        "seconds": time.monotonic() - began,
        "executions": int(executed[1]) if executed else 0,
        "edges": max(map(int, re.findall(r"cov: (\d+)", result.stderr)), default=0),
        "crashed": result.returncode != 0,
        "report": result.stderr[-3000:],
    }


def covered(target, build):
    """Lines reached by the corpus, of the code behind the target; None without llvm-cov or counters of lines."""
    if build.name != "fuzz":
        return None
    profile = build / f"{target}.profraw"
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profile)}
    program = build / f"fuzz_{target}"
    subprocess.run(
        [program, "-runs=0", f"-artifact_prefix={build}/", build / "corpus" / target, build / "seeds" / target],
        capture_output=True,
        env=environment,
    )
    try:
        merged = profile.with_suffix(".profdata")
        subprocess.run(["llvm-profdata-14", "merge", "-sparse", profile, "-o", merged], check=True, capture_output=True)
        command = ["llvm-cov-14", "export", "-summary-only", program, f"-instr-profile={merged}"]
        report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    except (OSError, subprocess.CalledProcessError):
        return None
    behind = [file["summary"]["lines"] for file in report["data"][0]["files"] if file["filename"].endswith(tuple(CODE[target]))]
    return sum(lines["covered"] for lines in behind), sum(lines["count"] for lines in behind)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "fuzz", help="folder of the targets")
    parser.add_argument("--seconds", type=int, default=0, help="0: no limit")
    parser.add_argument("--runs", type=int, default=-1, help="-1: no limit")
    parser.add_argument("--seed", type=int, default=0, help="0: another one every time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("targets", nargs="*", metavar="TARGET", default=[])
    arguments = parser.parse_args()
    targets = arguments.targets or sorted(seeds.SEEDS)
    seeds.write(arguments.build / "seeds")
    crashed = []
    print(f"{'target':<12}{'executions':>14}{'seconds':>9}{'edges':>8}{'lines reached':>20}  crashes", flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(lambda target: fuzz(target, arguments), targets):
            lines = covered(result["target"], arguments.build)
            share = f"{lines[0]} of {lines[1]} ({100 * lines[0] / lines[1]:.0f}%)" if lines else "-"
            print(
                f"{result['target']:<12}{result['executions']:>14,}{result['seconds']:>9.0f}{result['edges']:>8}{share:>20}"
                f"  {'YES' if result['crashed'] else 'none'}",
                flush=True,
            )
            crashed += [result] if result["crashed"] else []
    for result in crashed:
        print(f"\n{result['target']}: {result['report']}")
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""make bench-peers: falsum beside other Tsetlin machine libraries, on the same bits. See bench/README.md."""

import argparse
import dataclasses
import datetime
import json
import os
import platform
import subprocess
import sys
import time

import generated
import rows
import summary
import systems
from measure import SEED, Turn, accuracy_row, measure_row, prepare_row

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import script
from provenance import commit
from script import ROOT, Refusal


@dataclasses.dataclass(frozen=True)
class Setting:
    """How long things may take. Seconds are of one system in one round, processor time."""

    rounds: int = 7
    learn_seconds: float = 2
    warm_seconds: float = 0.2
    batch_seconds: float = 2
    single_seconds: float = 1
    accuracy_seconds: float = 20
    least_seconds: float = 0.2


QUICK = Setting(rounds=3, learn_seconds=1, warm_seconds=0.05, batch_seconds=1, single_seconds=0.5, accuracy_seconds=8,
                least_seconds=0.1)  # fmt: skip


def say(text):
    script.say(f"bench-peers: {text}")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench-peers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a first look in under ten minutes")
    parser.add_argument("--row", action="append", default=[], help="only this row; can be given again")
    parser.add_argument("--peer", action="append", default=[], help="only this peer beside falsum; can be given again")
    parser.add_argument("--rounds", type=int, help="interleaved rounds")
    parser.add_argument("--prepare", action="store_true", help="only train the peers and keep their states")
    parser.add_argument("--accuracy", type=int, metavar="EPOCHS", help="only train so long, testing after every epoch")
    parser.add_argument("--seed", type=int, default=SEED, help="of --accuracy: the first (%(default)s)")
    parser.add_argument("--seeds", type=int, default=1, help="of --accuracy: how many, one after the other (%(default)s)")
    parser.add_argument("--list", action="store_true", help="list rows and peers")
    parser.add_argument("--lock", default="", help="hold this file's lock while timing: benchmarks that take turns")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="where peers, data and states are kept")
    parser.add_argument("--worker", help="falsum_bench_worker (build/release/falsum_bench_worker)")
    parser.add_argument("--results", default=os.path.join(ROOT, "bench", "results"), help="where results are written")
    return parser.parse_args(arguments)


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def cpu_name():
    """As the processor calls itself; a virtual one often leaves out its model, so its family and model number come too."""
    with open("/proc/cpuinfo") as file:
        said = dict(map(str.strip, line.split(":", 1)) for line in file.read().split("\n\n")[0].splitlines() if ":" in line)
    name = said.get("model name", platform.processor())
    return f"{name} (family {said['cpu family']}, model {said['model']})" if "cpu family" in said else name


def export_data(worker, row, directory):
    """The bits of the row's data set, written once. Returns their shape; Refusal if the data are not available."""
    folder = os.path.join(directory, "data", row.data_name)
    path = os.path.join(folder, "shape.json")
    if not os.path.exists(path):
        say(f"writing the bits of {row.data_name}")
        if row.data in generated.DATA:
            generated.write(row.data, folder)
        else:
            script.output_of([worker, "export", row.data, str(row.vocabulary), folder])
    with open(path) as file:
        return folder, json.load(file)


def install(peers):
    """Those that could be installed, and (name, reason) of the others."""
    installed, missing = [], []
    for peer in peers:
        try:
            started = time.monotonic()
            peer.install()
            if time.monotonic() - started > 1:
                say(f"installed {peer.label} in {time.monotonic() - started:.0f} s")
            installed.append(peer)
        except systems.NotInstallable as reason:
            say(f"{peer.label} cannot be installed: {reason}")
            missing.append((peer.label, str(reason)))
    return installed, missing


def write_results(folder, results, missing, name):
    script.write_results(os.path.join(folder, name + ".json"), {"rows": results, "not_measured": missing})
    with open(os.path.join(folder, name + ".md"), "w") as file:
        file.write(summary.document(results, missing))


def earlier_results(folder, name):
    try:
        with open(os.path.join(folder, name + ".json")) as file:
            return json.load(file)["rows"]
    except (OSError, ValueError, KeyError):
        return []


def merged(earlier, result):
    """The new row in place of the old one, in the order of the table."""
    by_name = {r["row"]["name"]: r for r in [*earlier, result]}
    order = [row.name for row in rows.ROWS]
    return sorted(by_name.values(), key=lambda r: order.index(r["row"]["name"]))


def accuracy_of_seeds(row, contestants, shape, options, directory, data):
    """Every system from nothing with every seed: its scores on the test data after each epoch."""
    runs = []
    for seed in range(options.seed, options.seed + options.seeds):
        for key, scores, seconds in accuracy_row(row, contestants, shape, options.accuracy, directory, data, seed, say):
            runs.append({"system": key, "seed": seed, "scores": scores, "seconds": seconds})
    return {"row": dataclasses.asdict(row), "title": row.title, "epochs": options.accuracy, "runs": runs,
            "commit": commit(ROOT), "date": datetime.date.today().isoformat()}  # fmt: skip


def write_accuracies(folder, accuracies):
    script.write_results(os.path.join(folder, "peers-accuracy.json"), {"rows": accuracies})
    with open(os.path.join(folder, "peers-accuracy.md"), "w") as file:
        file.write("\n".join(summary.accuracy_markdown(found) for found in accuracies))


def main(arguments):
    options = parse(arguments)
    directory = os.path.join(options.build, "peers")
    worker = options.worker or os.path.join(options.build, "release", "falsum_bench_worker")
    everybody = [kind(directory) for kind in systems.PEERS]
    if options.list:
        print("rows: " + ", ".join(row.name for row in rows.ROWS))
        print("peers: " + ", ".join(peer.key for peer in everybody))
        return 0
    try:
        chosen = rows.rows_named(options.row, options.quick)
        peers = systems.peers_named(everybody, options.peer, options.quick)
    except ValueError as error:
        raise Refusal(str(error)) from None
    if not os.access(worker, os.X_OK):
        raise Refusal(f"{worker} is not there: run `make bench-peers`, which builds it")
    setting = QUICK if options.quick else Setting()
    if options.rounds is not None:
        if options.rounds < 1:
            raise Refusal(f"--rounds must be at least 1, got {options.rounds}")
        setting = dataclasses.replace(setting, rounds=options.rounds)
    if options.accuracy is not None and options.accuracy < 1:
        raise Refusal(f"--accuracy must be at least 1, got {options.accuracy}")
    if options.seeds < 1:
        raise Refusal(f"--seeds must be at least 1, got {options.seeds}")
    if options.seeds > 1 and not options.accuracy:
        raise Refusal("--seeds goes with --accuracy EPOCHS: timed rounds have one seed")
    os.makedirs(directory, exist_ok=True)

    say(f"rows {', '.join(row.name for row in chosen)}; peers {', '.join(peer.key for peer in peers)}")
    how_long = "under ten minutes" if options.quick else "hours for all rows, later about five minutes for each"
    say(f"the first time peers are installed and trained: {how_long}")
    peers, missing = install(peers)
    name = "peers-quick" if options.quick else "peers"
    results = [] if options.quick else earlier_results(options.results, name)
    accuracies = earlier_results(options.results, "peers-accuracy")
    measured = 0
    for row in chosen:
        try:
            data, shape = export_data(worker, row, directory)
        except Refusal as refusal:
            say(f"row {row.name} left out: {refusal}")
            missing.append((row.name, str(refusal)))
            continue
        say(f"row {row.name}: {row.title}")
        started, load = time.monotonic(), os.getloadavg()[0]
        if options.prepare:
            prepare_row(row, [peer for peer in peers if peer.can(row)], shape, directory, data, say)
            continue
        contestants = [systems.Falsum(worker), *(peer for peer in peers if peer.can(row))]
        if options.accuracy:
            found = accuracy_of_seeds(row, contestants, shape, options, directory, data)
            accuracies = merged(accuracies, found)
            write_accuracies(options.results, accuracies)
            print(summary.accuracy_markdown(found), flush=True)
            continue
        result = measure_row(row, contestants, shape, setting, directory, data, Turn(options.lock), say)
        result = {
            "row": dataclasses.asdict(row),
            "title": row.title,
            "cpu": cpu_name(),
            "compiler": first_line("c++", "--version"),
            "commit": commit(ROOT),
            "date": datetime.date.today().isoformat(),
            "load": max(load, os.getloadavg()[0]),  # 1 and a little is this benchmark alone
            **result,
        }
        results = merged(results, result)
        write_results(options.results, results, missing, name)
        print(summary.row_markdown(result), flush=True)
        say(f"row {row.name} took {time.monotonic() - started:.0f} s")
        measured += 1
    if options.prepare or options.accuracy:
        return 0
    if not measured:
        raise Refusal("no row could be measured")
    say(f"results are in {os.path.join(options.results, name)}.md and .json")
    return 0


if __name__ == "__main__":
    script.run("bench-peers", main, "interrupted; rows that were done are written")

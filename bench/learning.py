#!/usr/bin/env python3
"""Learning with the `falsum` command: how soon MNIST is learned, what threads bring, what sharding costs.

    make bench-learning                         all three
    make bench-learning BENCH="threads"         one of: accuracy threads sharded

Prints Markdown and writes the figures to bench/results/learning.json. Times are wall clock seconds of the learning
alone, as the command reports them; nothing else should run meanwhile.
"""
import argparse
import filecmp
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "bench", "results", "learning.json")
MNIST = ["mnist", "--clauses", "2000", "-T", "50", "-s", "10"]


class Failed(Exception):
    pass


def train(command, arguments, model):
    """Runs falsum train; its report as a dictionary."""
    run = subprocess.run([command, "train", *arguments, "--json", "-o", model], capture_output=True, text=True)
    if run.returncode != 0:
        raise Failed(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "falsum train failed")
    return json.loads(run.stdout)


def accuracy(command, folder):
    """From nothing on one thread: when the test accuracy first reaches each mark."""
    report = train(command, [*MNIST, "--epochs", "60", "--seed", "1", "--threads", "1"], os.path.join(folder, "a.fsm"))
    seconds, marks, rows = 0.0, [0.96, 0.97, 0.975, 0.978, 0.98, 0.981], []
    best = 0.0
    for epoch in report["epochs"]:
        seconds += epoch["train_seconds"]
        best = max(best, epoch["test_accuracy"])
        while marks and epoch["test_accuracy"] >= marks[0]:
            rows.append({"accuracy": marks.pop(0), "epoch": epoch["epoch"], "seconds": seconds})
    print("\n### From nothing, MNIST 2000 clauses per class, T 50, s 10, seed 1, one thread\n")
    print("| test accuracy | first in epoch | seconds of learning |\n|---|---|---|")
    for row in rows:
        print(f"| {100 * row['accuracy']:.1f}% | {row['epoch']} | {row['seconds']:.1f} |")
    last = report["epochs"][-1]
    print(f"\nBest of 60 epochs {100 * best:.2f}%, last {100 * last['test_accuracy']:.2f}%, {seconds:.1f} s in all; "
          f"peak memory {report['peak_rss_bytes'] / 1e6:.0f} MB.")
    return {"rows": rows, "best": best, "seconds": seconds, "peak_rss_bytes": report["peak_rss_bytes"],
            "epochs": [{"seconds": e["train_seconds"], "accuracy": e["test_accuracy"]} for e in report["epochs"]]}


def threads(command, folder, rounds=5):
    """One thread against two, in turn; the learned files must be equal byte for byte."""
    ratios, equal, seconds = [], True, {"1": [], "2": []}
    for _ in range(rounds):
        for n in ("1", "2"):
            report = train(command, [*MNIST, "--epochs", "5", "--seed", "1", "--threads", n],
                           os.path.join(folder, n + ".fsm"))
            seconds[n].append(sum(e["train_seconds"] for e in report["epochs"]))
        ratios.append(seconds["1"][-1] / seconds["2"][-1])
        equal = equal and filecmp.cmp(os.path.join(folder, "1.fsm"), os.path.join(folder, "2.fsm"), shallow=False)
    print("\n### Two threads, MNIST 2000 clauses per class, T 50, s 10, five epochs\n")
    print(f"one thread {statistics.median(seconds['1']):.2f} s, two {statistics.median(seconds['2']):.2f} s, "
          f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}, {rounds} rounds); "
          f"models {'equal byte for byte' if equal else 'DIFFER'}.")
    if not equal:
        raise Failed("one and two threads learned different models")
    return {"seconds": seconds, "ratios": ratios, "equal": equal}


def sharded(command, folder, seeds=3):
    """The exact machine and the one with stale votes, on the three data sets."""
    cells = [("mnist", [*MNIST, "--epochs", "5"]),
             ("fashion-mnist", ["fashion-mnist", *MNIST[1:], "--epochs", "5"]),
             ("imdb", ["imdb", "--vocabulary", "5000", "--clauses", "1000", "-T", "100", "-s", "27", "--epochs", "3"])]
    print("\n### Sharded learning (votes taken once for 256 uses) beside the exact machine\n")
    print("| data | options | exact: test accuracy | sharded: test accuracy |\n|---|---|---|---|")
    results = []
    for name, arguments in cells:
        found = {"exact": [], "sharded": []}
        try:
            for seed in range(1, seeds + 1):
                for kind, flag in (("exact", []), ("sharded", ["--sharded"])):
                    report = train(command, [*arguments, *flag, "--seed", str(seed)], os.path.join(folder, "s.fsm"))
                    found[kind].append(report["epochs"][-1]["test_accuracy"])
        except Failed as error:
            print(f"| {name} | skipped: {error} | | |")
            continue
        text = {kind: f"{100 * statistics.mean(a):.2f}% ({', '.join(f'{100 * x:.2f}' for x in a)})"
                for kind, a in found.items()}
        print(f"| {name} | {' '.join(arguments[1:])} | {text['exact']} | {text['sharded']} |")
        results.append({"data": name, "arguments": arguments, **found})
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    studies = {"accuracy": accuracy, "threads": threads, "sharded": sharded}
    parser.add_argument("study", nargs="*", metavar="|".join(studies), help="all of them when none is named")
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "release", "falsum"))
    arguments = parser.parse_args()
    for name in arguments.study:
        if name not in studies:
            print(f"bench/learning.py: study must be one of {', '.join(studies)}, got {name}", file=sys.stderr)
            return 2
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as file:
            results = json.load(file)
    try:
        cpu = json.loads(subprocess.run([arguments.command, "cpu", "--json"], capture_output=True, text=True).stdout)
        print(f"{cpu['cpu']}, {cpu['cores']} cores")
        with tempfile.TemporaryDirectory() as folder:
            for name in arguments.study or studies:
                results[name] = {"cpu": cpu["cpu"], "figures": studies[name](arguments.command, folder)}
    except (Failed, OSError, ValueError, KeyError) as error:
        print(f"bench/learning.py: {error}", file=sys.stderr)
        return 2
    os.makedirs(os.path.dirname(RESULTS), exist_ok=True)
    with open(RESULTS + ".part", "w") as file:
        json.dump(results, file, indent=1)
    os.replace(RESULTS + ".part", RESULTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())

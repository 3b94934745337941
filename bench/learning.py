#!/usr/bin/env python3
"""Learning with the `falsum` command: how soon MNIST is learned, what threads bring, what sharding costs.

    make bench-learning                         all of them
    make bench-learning BENCH="threads"         one of: accuracy threads crews sharded

Writes bench/results/learning.json and prints the tables of docs/performance.md. Times are wall clock seconds of the
learning alone, as the command reports them; nothing else should run meanwhile.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import tempfile

import performance
from script import ROOT, Refusal, chosen, output_of, read_results, run, say, write_results

RESULTS = os.path.join(ROOT, "bench", "results", "learning.json")
MNIST = ["mnist", "--clauses", "2000", "-T", "50", "-s", "10"]
MARKS = (0.96, 0.97, 0.975, 0.978, 0.98, 0.981)


def train(command, arguments, model):
    """Runs falsum train; its report as a dictionary."""
    return json.loads(output_of([command, "train", *arguments, "--calibration", "none", "--json", "-o", model]))


def learning_seconds(report):
    return sum(epoch["train_seconds"] for epoch in report["epochs"])


def accuracy(command, folder, seeds=3):
    """From nothing on one thread, exact and sharded: accuracy and seconds of every epoch."""
    runs = []
    for seed in range(1, seeds + 1):
        for kind, flag in (("exact", []), ("sharded", ["--sharded"])):
            report = train(command, [*MNIST, *flag, "--epochs", "100", "--seed", str(seed), "--threads", "1"],
                           os.path.join(folder, "a.falsum"))  # fmt: skip
            runs.append({"kind": kind, "seed": seed, "peak_rss_bytes": report["peak_rss_bytes"],
                         "epochs": [{"seconds": e["train_seconds"], "accuracy": e["test_accuracy"]}
                                    for e in report["epochs"]]})  # fmt: skip
            say(f"{kind}, seed {seed}: {learning_seconds(report):.1f} s")
    return {"marks": MARKS, "runs": runs}


def threads(command, folder, rounds=9):
    """One thread, two, and two runs of one thread side by side, in turn; one and two must learn the same bytes."""
    seconds = {"1": [], "2": [], "side by side": []}

    def learn(n, name):
        return train(command, [*MNIST, "--epochs", "5", "--seed", "1", "--threads", n], os.path.join(folder, name))

    for _ in range(rounds):
        for n in ("1", "2"):
            seconds[n].append(learning_seconds(learn(n, n + ".falsum")))
        if not filecmp.cmp(os.path.join(folder, "1.falsum"), os.path.join(folder, "2.falsum"), shallow=False):
            raise Refusal("one and two threads learned different models")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            both = list(pool.map(lambda name: learning_seconds(learn("1", name)), ("a.falsum", "b.falsum")))
        seconds["side by side"].append(max(both))
        say(", ".join(f"{name} {taken[-1]:.2f} s" for name, taken in seconds.items()))
    return {"seconds": seconds}


CREWS = {
    "MNIST, 2000 shared clauses, T 1000, s 10": ["mnist", "--shared", "--clauses", "2000", "-T", "1000", "-s", "10"],
    "MNIST, 512 shared clauses, T 500, s 10": ["mnist", "--shared", "--clauses", "512", "-T", "500", "-s", "10"],
    "MNIST, 8000 shared clauses, T 2000, s 10": ["mnist", "--shared", "--clauses", "8000", "-T", "2000", "-s", "10"],
}


def crews(command, folder, rounds=5):
    """One bank on one thread and on two, in turn; they must learn the same bytes."""
    results = []
    for title, arguments in CREWS.items():
        seconds = {"1": [], "2": []}
        for _ in range(rounds):
            for n in seconds:
                report = train(command, [*arguments, "--epochs", "5", "--threads", n], os.path.join(folder, n + ".falsum"))
                seconds[n].append([epoch["train_seconds"] for epoch in report["epochs"]])
            if not filecmp.cmp(os.path.join(folder, "1.falsum"), os.path.join(folder, "2.falsum"), shallow=False):
                raise Refusal("one and two threads learned different models")
        accuracy = report["epochs"][-1]["test_accuracy"]
        results.append({"title": title, "arguments": arguments, "seconds": seconds, "accuracy": accuracy})
        say(title + ": " + ", ".join(f"{n} {sum(taken[-1]):.2f} s" for n, taken in seconds.items()))
    return results


def sharded(command, folder, seeds=3):
    """The exact machine and the one with stale votes, on the three data sets."""
    cells = [("mnist", [*MNIST, "--epochs", "5"]),
             ("fashion-mnist", ["fashion-mnist", *MNIST[1:], "--epochs", "5"]),
             ("imdb", ["imdb", "--vocabulary", "5000", "--clauses", "1000", "-T", "100", "-s", "27", "--epochs", "3"])]
    results = []
    for name, arguments in cells:
        found = {"exact": [], "sharded": []}
        try:
            for seed in range(1, seeds + 1):
                for kind, flag in (("exact", []), ("sharded", ["--sharded"])):
                    report = train(command, [*arguments, *flag, "--seed", str(seed)], os.path.join(folder, "s.falsum"))
                    found[kind].append(report["epochs"][-1]["test_accuracy"])
        except Refusal as refusal:
            say(f"{name} left out: {refusal}")
            continue
        results.append({"data": name, "arguments": arguments, **found})
    return results


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    studies = {"accuracy": accuracy, "threads": threads, "crews": crews, "sharded": sharded}
    parser.add_argument("study", nargs="*", metavar="|".join(studies), help="all of them when none is named")
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "release", "falsum"))
    options = parser.parse_args(arguments)
    names = chosen(options.study, studies)
    results = read_results(RESULTS)
    cpu = json.loads(output_of([options.command, "cpu", "--json"]))["cpu"]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            results[name] = {"cpu": cpu, "figures": studies[name](options.command, folder)}
            write_results(RESULTS, results)
    performance.show(names)


if __name__ == "__main__":
    run("bench-learning", main)

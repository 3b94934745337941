#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from the files in bench/results.

    make performance-page        rewrites the page
    bench/performance.py --check tells whether it is as the results say

A table stands between `<!-- table NAME -->` and `<!-- end -->`; what is around them is written by people.
"""
import argparse
import json
import os
import re
import statistics
import sys

from script import ROOT

sys.path.insert(1, os.path.join(ROOT, "bench", "peers"))
from summary import MEASURES, epoch_of, interval, markdown_table, mean_text, number, ratio_text, ratios

PAGE = os.path.join(ROOT, "docs", "performance.md")
RESULTS = os.path.join(ROOT, "bench", "results")

# What the project set out for, against the authors' indexed code: learning, batch, one at a time.
ASKED = {"mnist-100": (22, 160, 26), "mnist-2000": (26, 300, 10), "mnist-20000": (16, 230, 11),
         "fashion-mnist-2000": (26, 400, 9), "imdb-5k-1000": (40, 80, 18), "imdb-5k-10000": (40, 90, 14),
         "imdb-20k-1000": (50, 145, 30)}  # fmt: skip

# What it set out for since 0.1, and for patches.
ASKED_NOW = {"mnist-100": (40, 400, 60), "mnist-2000": (50, 800, 45), "mnist-20000": (35, 500, 20),
             "fashion-mnist-2000": (50, 1500, 25), "imdb-5k-1000": (70, 150, 80), "imdb-5k-10000": (65, 220, 55),
             "imdb-20k-1000": (100, 300, 254), "mnist-2000-patches": (300, 1800, 240),
             "mnist-2000-patches-e15": (450, 1800, 240)}  # fmt: skip

# And for machines of the family: the first epoch, the fifth, and batches, as for learning from nothing.
ASKED_FAMILY = {"mnist-2000-shared": {"epoch 1": 7, "epoch 5": 12, "batch": 30}}


def read(name):
    with open(os.path.join(RESULTS, name)) as file:
        return json.load(file)


def rounds_of(result, system, part):
    there = result["systems"].get(system, {})
    ours = result["systems"]["falsum"][part]["microseconds"]
    return ratios(there[part]["microseconds"], ours) if there.get(part) else []


def plain_rows():
    """The rows that the authors' indexed code has."""
    return [result for result in read("peers.json")["rows"] if result["row"]["name"] in ASKED]


def score(system):
    return f"RMSE {system['rmse']:.3f}" if "rmse" in system else f"{100 * system['accuracy']:.1f}%"


def table_authors():
    rows = []
    for result in plain_rows():
        name = result["row"]["name"]
        cells = [f"{ratio_text(rounds_of(result, 'authors-indexed', part))} [{asked}]"
                 for (part, _), asked in zip(MEASURES, ASKED[name])]  # fmt: skip
        systems = result["systems"]
        accuracies = " / ".join(score(systems[s]) for s in ("authors-indexed", "falsum"))
        rows.append([result["title"], *cells, accuracies])
    header = ["", *(title for _, title in MEASURES), "accuracy, theirs / ours"]
    return markdown_table(header, rows)


def table_peers():
    """The other systems: how many times falsum's time they take, median."""
    rows = []
    for result in read("peers.json")["rows"]:
        for name, system in result["systems"].items():
            if name in ("falsum", "authors-indexed") or "failed" in system:
                continue
            cells = [ratio_text(rounds_of(result, name, part)) for part, _ in MEASURES]
            rows.append([result["title"], system["label"], *cells, score(system), score(result["systems"]["falsum"])])
    header = ["", "system", *(title for _, title in MEASURES), "its accuracy", "ours"]
    return markdown_table(header, rows) if rows else "No other system has been measured."


def processor(result):
    """Zen 4 and Zen 5 both call themselves AMD EPYC here. Results of the Zen 4, the last on 2026-11-18, do not name the family."""
    return "Zen 5" if "family 26" in result["cpu"] or result["date"] > "2026-11-18" else "Zen 4"


def table_now():
    """The newest version beside the system that each row is about, on other computers than the other tables."""
    rows = []
    for result in read("epyc/peers.json")["rows"]:
        (name,) = set(result["systems"]) - {"falsum"}
        system = result["systems"][name]
        asked = ASKED_NOW.get(result["row"]["name"], ("",) * len(MEASURES))
        cells = [ratio_text(rounds_of(result, name, part)) + (f" [{goal}]" if goal else "")
                 for (part, _), goal in zip(MEASURES, asked)]  # fmt: skip
        scores = f"{score(system)} / {score(result['systems']['falsum'])}"
        title = f"{result['title']}, after {result['row']['epochs']} epochs"
        rows.append([title, system["label"], processor(result), result["rounds"], *cells, scores])
    header = ["", "system", "on", "rounds", *(title for _, title in MEASURES), "accuracy, theirs / ours"]
    return markdown_table(header, rows)


def table_family():
    """Machines of the family beside other libraries, epochs from an untrained machine too."""
    rows = []
    for result in read("zen5/peers.json")["rows"]:
        asked = ASKED_FAMILY.get(result["row"]["name"], {})
        ours = result["systems"]["falsum"]
        last = result["row"]["epochs"]
        for name, system in result["systems"].items():
            if name == "falsum" or "failed" in system:
                continue
            cells = {f"epoch {e}": number(epoch_of(system, e)["cpu"] / epoch_of(ours, e)["cpu"]) + "x" for e in (1, last)}
            cells.update({part: ratio_text(rounds_of(result, name, part)) for part, _ in MEASURES})
            texts = [text + (f" [{asked[part]}]" if part in asked else "") for part, text in cells.items()]
            texts[1] += f" (epoch {last})"
            rows.append([result["title"], system["label"], *texts, f"{score(system)} / {score(ours)}"])
    header = ["", "system", "first epoch", "last epoch", *(title for _, title in MEASURES), "accuracy, theirs / ours"]
    return markdown_table(header, rows)


def table_seeds():
    """Accuracy of several seeds a side, after some epochs from nothing: mean and standard deviation."""
    rows = []
    for found in read("peers-accuracy.json")["rows"]:
        for name in dict.fromkeys(run["system"] for run in found["runs"]):
            runs = [run["scores"] for run in found["runs"] if run["system"] == name]
            after = [mean_text([scores[epoch] for scores in runs]) for epoch in (0, -1)]
            rows.append([found["title"], name, len(runs), after[0], f"{after[1]} after {found['epochs']}"])
    return markdown_table(["", "system", "seeds", "after an epoch", "at the end"], rows)


def table_missed():
    """Where the median is below what was asked for."""
    lines = []
    for result in plain_rows():
        for (part, title), asked in zip(MEASURES, ASKED[result["row"]["name"]]):
            values = rounds_of(result, "authors-indexed", part)
            if values and interval(values)["median"] < asked:
                lines.append(f"- {result['title']}: {title} {number(interval(values)['median'])}x, asked for were {asked}x.")
    return "\n".join(lines) or "- Of what was asked for in the first table, nothing: every median there reaches it."


def table_accuracy():
    """When each mark is first reached, and the best epoch of every run."""
    accuracy = read("learning.json")["accuracy"]["figures"]
    runs = accuracy["runs"]

    def reached(run, mark):
        seconds = 0.0
        for count, epoch in enumerate(run["epochs"], 1):
            seconds += epoch["seconds"]
            if epoch["accuracy"] >= mark:
                return f"{count} ({seconds:.1f} s)"
        return "-"

    def best(run, epochs):
        return f"{100 * max(epoch['accuracy'] for epoch in run['epochs'][:epochs]):.2f}%"

    rows = [[f"{100 * mark:.1f}%", *(reached(run, mark) for run in runs)] for mark in accuracy["marks"]]
    for epochs in (60, len(runs[0]["epochs"])):
        rows.append([f"best of {epochs}", *(best(run, epochs) for run in runs)])
    return markdown_table(["test accuracy", *(f"{run['kind']}, seed {run['seed']}" for run in runs)], rows)


def table_threads():
    """What two threads bring, and what two separate runs say is there to be had."""
    seconds = read("learning.json")["threads"]["figures"]["seconds"]
    one, two, both = (statistics.median(seconds[n]) for n in ("1", "2", "side by side"))
    most = [2 * a / b for a, b in zip(seconds["1"], seconds["side by side"])]
    return (f"Five epochs take {one:.2f} s on one thread and {two:.2f} s on two: "
            f"{ratio_text(ratios(seconds['1'], seconds['2']))}, {len(most)} rounds. The models are equal byte for byte. Two separate "
            f"one-thread runs at the same time, which share nothing, take {both:.2f} s: {ratio_text(most)} is what the two "
            "cores of this machine give.")  # fmt: skip


def table_crews():
    """What two threads bring to one bank, in the first epoch and in the fifth."""
    rows = []
    for figures in read("learning.json")["crews"]["figures"]:
        one, two = figures["seconds"]["1"], figures["seconds"]["2"]
        cells = [ratio_text(ratios([epochs[k] for epochs in one], [epochs[k] for epochs in two])) for k in (0, 4)]
        rows.append([figures["title"], *cells, f"{100 * figures['accuracy']:.2f}%"])
    return markdown_table(["one bank", "first epoch", "fifth epoch", "accuracy after it"], rows)


def table_sharded():
    rows = []
    for cell in read("learning.json")["sharded"]["figures"]:
        both = [f"{100 * statistics.mean(cell[k]):.2f}% ({', '.join(f'{100 * a:.2f}' for a in cell[k])})"
                for k in ("exact", "sharded")]  # fmt: skip
        rows.append(["`" + " ".join(cell["arguments"]) + "`", *both])
    return markdown_table(["falsum train", "exact", "sharded"], rows)


def table_growth():
    rows = []
    for what, points in read("growth.json")["growth"].items():
        for p in points:
            rows.append([what, f"{p['value']:,}", p["threshold"], p["specificity"], *(number(p[k]) for k, _ in MEASURES),
                         f"{p['length']:.1f}", f"{100 * p['accuracy']:.1f}%"])  # fmt: skip
    return markdown_table(["what grows", "", "T", "s", *(t + ", us" for _, t in MEASURES), "clause length", "accuracy"], rows)


def table_floors():
    rows = [[f["name"], f"{f['type_1a']:.1f}, {f['type_2']:.1f}, {f['type_1b']:.0f}", f"{f['floor']:.1f}",
             f"{f['took']:.1f}", f"{f['took'] / f['floor']:.1f}"] for f in read("growth.json")["floors"]]  # fmt: skip
    return markdown_table(["", "events a sample: Ia, II, Ib", "floor, us", "falsum, us", "times the floor"], rows)


def show(names):
    """Prints tables of the page: what a benchmark has just measured."""
    for name in names:
        print(f"\n{globals()['table_' + name]()}", flush=True)


def filled(page):
    def fill(match):
        table = globals().get("table_" + match[1])
        if not table:
            sys.exit(f"performance.py: there is no table {match[1]!r}")
        return f"<!-- table {match[1]} -->\n{table()}\n<!-- end -->"

    return re.sub(r"<!-- table (\w+) -->\n.*?<!-- end -->", fill, page, flags=re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description="Writes the tables of docs/performance.md from bench/results.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when the page is not up to date")
    check = parser.parse_args().check
    with open(PAGE) as file:
        page = file.read()
    new = filled(page)
    if check:
        sys.exit(0 if new == page else "docs/performance.md is not what bench/results say: make performance-page")
    with open(PAGE + ".new", "w") as file:
        file.write(new)
    os.replace(PAGE + ".new", PAGE)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How the cost of a sample grows with clauses, literals and samples, and how far learning is from its floor.

    make bench-growth                        both
    make bench-growth BENCH=growth           the plots alone; or: floors

Writes bench/results/growth.json, draws docs/figures/growth.svg, and prints the tables of docs/performance.md.
One thread, processor time; nothing else should run meanwhile.

The floor of learning: every event of an epoch at the time its kernel takes by itself with all it touches in the first
cache, as `make bench-kernels` times it, and nothing else. What lies above it is memory, flips, and keeping the
look-ahead true.
"""
import argparse
import json
import os

import performance
from client import Client, WorkerFailed  # of bench/peers, which performance has put on the path
from script import ROOT, Refusal, chosen, output_of, read_results, run, say, write_results

RESULTS = os.path.join(ROOT, "bench", "results", "growth.json")
FIGURE = os.path.join(ROOT, "docs", "figures", "growth")
RELEASE = os.path.join(ROOT, "build", "release")
FOLDER = os.path.join(ROOT, "build", "growth")
EPOCHS = 3  # the last one is timed

# (what grows, data, vocabulary, [(value on the axis, clauses, threshold, specificity, samples or 0 for all)])
MNIST_CLAUSES = [(100, 15), (200, 20), (500, 25), (1000, 35), (2000, 50), (5000, 79), (10000, 112), (20000, 158)]
SERIES = [
    ("clauses", "mnist", 5000, [(c, c, t, 10, 20000) for c, t in MNIST_CLAUSES]),
    ("samples", "mnist", 5000, [(n, 2000, 50, 10, n) for n in (2500, 5000, 10000, 20000, 40000, 60000)]),
    *(("literals", "imdb", words, [(2 * words, 1000, 100, 27, 5000)]) for words in (2500, 5000, 10000, 20000)),
]


def exported(data, vocabulary):
    folder = os.path.join(FOLDER, f"{data}-{vocabulary}" if data == "imdb" else data)
    if not os.path.exists(os.path.join(folder, "shape.json")):
        output_of([os.path.join(RELEASE, "falsum_bench_worker"), "export", data, str(vocabulary), folder])
    return folder


def point(folder, value, clauses, threshold, specificity, samples):
    """Microseconds a sample of learning, of the whole test set at once and one by one."""
    with open(os.path.join(folder, "shape.json")) as file:
        shape = json.load(file)
    worker = Client([os.path.join(RELEASE, "falsum_bench_worker"), "serve"], os.path.join(FOLDER, "log"))
    try:
        worker.ask("open", data=folder, clauses=clauses, threshold=threshold, specificity=specificity, seed=1)
        for _ in range(EPOCHS):
            learned = worker.ask("learn", first=0, count=samples)
        worker.ask("predict", count=1000)  # compiles the model
        batch = worker.ask("predict", count=shape["test"])
        single = worker.ask("single", first=0, count=500)
    finally:
        worker.close()
    return {"value": value, "clauses": clauses, "threshold": threshold, "specificity": specificity, "samples": samples,
            "accuracy": batch["accuracy"], "length": learned["mean_clause_length"],
            **{what: 1e6 * took["cpu"] / took["samples"]
               for what, took in (("learning", learned), ("batch", batch), ("single", single))}}


def growth():
    grown = {}
    for what, data, vocabulary, settings in SERIES:
        for setting in settings:
            p = point(exported(data, vocabulary), *setting)
            grown.setdefault(what, []).append(p)
            say(f"{p['value']:,} {what}: learning {p['learning']:.1f} us a sample")
    draw(grown)
    return grown


def draw(grown):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10})
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter, NullFormatter

    titles = {"clauses": "MNIST", "literals": "IMDb, 1,000 clauses per class", "samples": "MNIST, 2,000 clauses per class"}
    labels = {"clauses": "clauses per class", "literals": "literals", "samples": "samples in an epoch"}
    looks = {"learning": ("#D55E00", "s", "learning"), "single": ("#0072B2", "o", "one at a time"),
             "batch": ("#009E73", "^", "in batches")}  # Okabe and Ito: to be told apart by everyone
    fig, axes = pyplot.subplots(1, 3, figsize=(12, 4.2))
    for axis, what in zip(axes, titles):
        for part, (colour, marker, label) in looks.items():
            axis.plot([p["value"] for p in grown[what]], [p[part] for p in grown[what]], color=colour, marker=marker,
                      label=label)
        axis.set(xscale="log", yscale="log", title=titles[what], xlabel=labels[what])
        axis.set_xticks([p["value"] for p in grown[what]][:: 1 if len(grown[what]) < 7 else 2])
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.tick_params(axis="x", labelrotation=30)
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        axis.grid(True, color="#cccccc", linewidth=0.6)
    axes[0].set_ylabel("microseconds a sample")
    axes[0].legend(frameon=False)
    fig.tight_layout()
    os.makedirs(os.path.dirname(FIGURE), exist_ok=True)
    fig.savefig(FIGURE + ".svg", metadata={"Date": None})


def kernel_times(wanted):
    """Least nanoseconds of processor time of each benchmark, with the kernels that falsum would choose here."""
    output = os.path.join(FOLDER, "kernels.json")
    command = [os.path.join(RELEASE, "falsum_bench_kernels"), "--benchmark_out_format=json", "--benchmark_out=" + output,
               "--benchmark_repetitions=5", "--benchmark_min_time=0.02",
               "--benchmark_filter=^(" + "|".join(wanted) + ")"]
    output_of(command)
    times = {}
    with open(output) as file:
        measured = json.load(file)["benchmarks"]
    for one in measured:
        if one["run_type"] == "iteration":
            name, _, kernels = one["run_name"].rpartition("/")
            times.setdefault(name, {}).setdefault(kernels, []).append(one["cpu_time"])
    return {name: min(min(t) for kernels, t in sets.items())
            for name, sets in times.items()}


# falsum train's options, and the kernels that stand for an event of Type Ia, Type II and Ib (ns for `hot` automata)
FLOORS = [
    ("MNIST 2000/50/10", ["mnist", "--clauses", "2000", "-T", "50", "-s", "10", "--epochs", "5"],
     "dense_pass/type_1a_boosted/literals:1568/s:10/events:4", "dense_pass/type_2/literals:1568/s:10/events:4",
     "forget/hot:58/s:10", 58),
    ("IMDb 5,000 words 1000/100/27",
     ["imdb", "--vocabulary", "5000", "--clauses", "1000", "-T", "100", "-s", "27", "--epochs", "2"],
     "dense_pass/type_1a_boosted/literals:10000/s:27/events:11", "dense_pass/type_2/literals:10000/s:27/events:11",
     "forget/hot:116/s:27", 116),
]  # fmt: skip


# What every use takes besides: the clauses that get feedback are selected, and their outputs gathered.
SELECT, GATHER = "select/slots:1024", "gather_bits/slots:1024"


def kernels_wanted():
    return [name for floor in FLOORS for name in floor[2:5]] + [SELECT, GATHER]


def floors():
    rows = []
    times = kernel_times(kernels_wanted())
    for name, arguments, reward, include, forget, hot in FLOORS:
        report = json.loads(output_of([os.path.join(RELEASE, "falsum"), "train", *arguments, "--seed", "1", "--threads", "1",
                                       "--json", "-o", os.path.join(FOLDER, "floor.falsum")]))  # fmt: skip
        epoch, samples = report["epochs"][-1], report["samples"]
        a, two, b = (epoch[what] / samples for what in ("type_1a", "type_2", "type_1b"))
        uses = epoch["evaluations"] / samples
        per_use = (times[SELECT] + times[GATHER]) * report["clauses"] / 1024
        floor = (a * times[reward] + two * times[include] + b * times[forget] * epoch["mean_clause_length"] / hot
                 + uses * per_use) / 1000  # fmt: skip
        took = 1e6 * epoch["train_seconds"] / samples
        rows.append({"name": name, "type_1a": a, "type_2": two, "type_1b": b, "floor": floor, "took": took})
        say(f"{name}: {took:.1f} us a sample")
    return rows


def main(arguments):
    parts = {"growth": growth, "floors": floors}
    parser = argparse.ArgumentParser(description="How falsum's costs grow, and how far they are from their floor.")
    parser.add_argument("part", nargs="*", metavar="|".join(parts), help="both when none is named")
    names = chosen(parser.parse_args(arguments).part, parts)
    os.makedirs(FOLDER, exist_ok=True)
    results = read_results(RESULTS)
    for name in names:
        try:
            results[name] = parts[name]()
        except WorkerFailed as error:
            raise Refusal(str(error)) from None
        write_results(RESULTS, results)
    performance.show(names)


if __name__ == "__main__":
    run("bench-growth", main)

#!/usr/bin/env python3
"""Draws the memory of a soak, as falsum_soak wrote it: bench/soak_plot.py SAMPLES.csv FIGURE (without .svg)."""

import csv
import sys


def main(samples, figure):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10})
    from matplotlib import pyplot

    with open(samples, newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    seconds = [row["seconds"] for row in rows]
    curves = {
        "resident: with what the allocator keeps": [row["resident"] / 1e6 for row in rows],
        "live: allocated and not freed": [row["live"] / 1e6 for row in rows],
        "live, without machine and model": [(row["live"] - row["held"]) / 1e6 for row in rows],
    }
    fig, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    for (name, values), colour in zip(curves.items(), ("#888888", "#1f77b4", "#d62728")):
        axes.plot(seconds, values, label=name, color=colour, linewidth=1.2)
    axes.set(xlabel="seconds", ylabel="MB", xlim=(0, seconds[-1]), title="Memory while learning, predicting, swapping and resuming")
    axes.grid(alpha=0.3)
    axes.set_ylim(0, 1.45 * axes.get_ylim()[1])  # room for the legend
    axes.legend(loc="upper left", frameon=False)
    fig.savefig(figure + ".svg", metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])

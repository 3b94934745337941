#!/usr/bin/env python3
"""Elo of the machines of each round against rollouts: learning_curve.py falsum-hex FOLDER FIGURE (without .svg) [arguments of
`falsum-hex match`]. Prints a line for each round and draws them."""

import json
import pathlib
import subprocess
import sys


def main(program, folder, figure, *arguments):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10})
    from matplotlib import pyplot

    rounds = len(list(pathlib.Path(folder).glob("round-*.policy.falsum")))
    results = []
    for number in range(rounds):
        player = f"incremental:{folder}/round-{number}"
        command = [program, "match", player, "rollout", "--json", *arguments]
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        results.append(result)
        print(
            f"| {number} | {100 * result['share']:.1f}% | {result['elo']:+.0f} ({result['low']:+.0f} to {result['high']:+.0f}) "
            f"| {result['simulations'][0]:.0f} and {result['simulations'][1]:.0f} |",
            flush=True,
        )
    fig, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    elo = [result["elo"] for result in results]
    below = [result["elo"] - result["low"] for result in results]
    above = [result["high"] - result["elo"] for result in results]
    axes.errorbar(range(rounds), elo, yerr=[below, above], color="#1f77b4", marker="o", capsize=4)
    axes.axhline(0, color="#888888", linewidth=1)
    axes.axhline(150, color="#888888", linewidth=1, linestyle="--")
    axes.text(0, 158, "aim: +150", color="#555555")
    axes.set(
        xlabel="rounds of self-play before the machines", ylabel="Elo against rollouts", xticks=range(rounds),
        title=f"Hex {results[0]['size']}x{results[0]['size']}, equal time, {results[0]['games']} games each, 95% intervals",
    )
    axes.grid(alpha=0.3)
    fig.savefig(figure + ".svg", metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])

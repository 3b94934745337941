"""The paper's six figures, redrawn: seconds of a pass over all samples against clauses, both axes logarithmic."""

import csv
import hashlib
import json
import os

import grid

HERE = os.path.dirname(os.path.abspath(__file__))
# Okabe and Ito's colours, which colour-blind people can tell apart; markers and dashes say the same once more.
LOOKS = {
    "scan": ("#D55E00", "s", "unindexed (scan)"),
    "index": ("#0072B2", "o", "indexed"),
    "best": ("#009E73", "^", "falsum's best engine"),
}
PHASES = {"learning": ("train", "Learning"), "prediction": ("test", "Prediction")}
TITLES = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "imdb": "IMDb"}


def published_seconds():
    """{(dataset, variant, phase, "scan" or "index"): [(clauses, seconds)]} of the paper's plots."""
    points = {}
    with open(os.path.join(HERE, "published", "epoch_seconds.csv"), newline="") as file:
        for row in csv.DictReader(file):
            engine = {"unindexed": "scan", "indexed": "index"}[row["engine"]]
            key = row["dataset"], row["variant"], row["phase"], engine
            points.setdefault(key, []).append((int(row["clauses"]), float(row["seconds_per_epoch"])))
    return {key: sorted(values) for key, values in points.items()}


def curves(page, data, part):
    """[(variant, engine, whose, points)] of one figure."""
    paper = published_seconds()
    phase = PHASES[part][0]
    drawn = []
    for features in data.sizes:
        variant = data.variant(features)
        for engine in LOOKS:
            theirs = paper.get((data.name, variant, phase, engine))
            if theirs:
                drawn.append((variant, engine, "paper", theirs))
            name = "lookahead" if (engine, part) == ("best", "learning") else engine
            ours = [
                (clauses, page.records[data.name, features, clauses][part][name]["seconds_per_pass"])
                for clauses in grid.CLAUSES
                if (data.name, features, clauses) in page.records
            ]
            drawn.append((variant, engine, "here", ours))
    return drawn


def digest(drawn):
    """Written into the figure, so that a test can tell whether it shows the results."""
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def file_name(data, part):
    return f"paper-{data.name}-{part}"


def figure(data, part, drawn):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "falsum", "font.size": 10, "svg.fonttype": "path"})
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter, NullFormatter

    fig, axes = pyplot.subplots(1, 4, figsize=(13, 4.4), sharey=True)
    for axis, features in zip(axes, data.sizes):
        for variant, engine, whose, points in drawn:
            if variant != data.variant(features) or not points:
                continue
            colour, marker, label = LOOKS[engine]
            dashed = whose == "paper"
            axis.plot(*zip(*points), color=colour, marker=marker, linestyle="--" if dashed else "-",
                      markerfacecolor="white" if dashed else colour, linewidth=1.6, markersize=5,
                      label=f"{label}, {whose}")  # fmt: skip
        axis.set(xscale="log", yscale="log", title=f"{data.variant(features)}: {features:,} features",
                 xlabel="clauses per class")  # fmt: skip
        axis.set_xticks(grid.CLAUSES)
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x / 1000:g}k"))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        axis.grid(True, which="major", color="#cccccc", linewidth=0.6)
    what = "training samples" if part == "learning" else "test samples"
    axes[0].set_ylabel(f"seconds for all {what}")
    handles, labels = axes[0].get_legend_handles_labels()
    fig.suptitle(f"{PHASES[part][1]}, {TITLES[data.name]}: the paper (dashed) and falsum (solid)")
    fig.legend(handles, labels, loc="lower center", ncol=5, frameon=False)
    fig.tight_layout(rect=(0, 0.08, 1, 1))
    return fig


def draw(page, folder):
    from matplotlib import pyplot

    os.makedirs(folder, exist_ok=True)
    for data in grid.DATA:
        for part in PHASES:
            drawn = curves(page, data, part)
            fig = figure(data, part, drawn)
            path = os.path.join(folder, file_name(data, part))
            mark = f"results {digest(drawn)}"
            fig.savefig(path + ".svg", metadata={"Date": None, "Description": mark})
            pyplot.close(fig)

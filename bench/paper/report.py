#!/usr/bin/env python3
"""make paper-report: writes what bench/paper/results say into docs/paper.md, and draws the figures.

The text of the page is written by hand and holds no figure that was measured. Those stand between two marks,

    <!-- begin NAME -->  ...  <!-- end NAME -->

and are written here; a test fails when they are not what the results say. --check only compares.
"""

import argparse
import csv
import json
import os
import re
import statistics
import sys

import grid
import results

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "bench", "paper")
PAGE = os.path.join(ROOT, "docs", "paper.md")
TITLES = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "imdb": "IMDb"}
PARTS = {"learning": "lookahead", "prediction": "best"}  # and falsum's best engine for it
COLUMNS = {"learning": "train_speedup", "prediction": "test_speedup"}  # in the paper's tables


def published():
    """The paper's tables: {(dataset, features, clauses): {"learning": ratio, "prediction": ratio}}."""
    tables = {}
    for data in grid.DATA:
        with open(os.path.join(HERE, "published", f"speedup_{data.name}.csv"), newline="") as file:
            for row in csv.DictReader(file):
                key = data.name, int(row["features"]), int(row["clauses"])
                tables[key] = {part: float(row[column]) for part, column in COLUMNS.items()}
    return tables


def number(value):
    """Three digits, and commas: 0.79, 24.3, 314, 36,912."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def size(count):
    return f"{number(count / 1e6)} MB" if count < 1e9 else f"{number(count / 1e9)} GB"


def speedup(record, part, engine):
    """Scan over the engine: the median of the ratios of the rounds."""
    scan, other = (record[part][name]["rounds"] for name in ("scan", engine))
    return statistics.median(a / b for a, b in zip(scan, other))


def epochs_learned(record):
    """As text: a fraction where the training of the cell ran out of time."""
    return f"{round(record.get('epochs_learned', record['epochs']), 1):g}"


def entries_share(record):
    """List entries visited in prediction, of all that there is: every literal of every clause."""
    index = record["prediction"]["index"]
    whole = 2 * record["features"] * record["clauses"] * record["classes"]
    return index["entries_visited"] / index["samples"] / whole


def words_each(record):
    """64-literal words that the scan looks at before it leaves a clause, and how many a clause has."""
    scan = record["prediction"]["scan"]
    words = (2 * record["features"] + 63) // 64
    return scan["words_compared"] / scan["samples"] / (record["clauses"] * record["classes"]), words


def automata(record):
    return 2 * record["features"] * record["clauses"] * record["classes"]


class Page:
    def __init__(self, records, paper, profile, ablation):
        self.records = {key: r for key, r in records.items() if "failed" not in r}
        self.failed = {key: r for key, r in records.items() if "failed" in r}
        self.paper, self.profile, self.ablation = paper, profile, ablation

    def of(self, dataset):
        return [self.records[key] for key in sorted(self.records) if key[0] == dataset]

    # -------------------------------------------------------------------------------- the tables

    def cell(self, key, part):
        paper = f"{self.paper[key][part]:.2f}"
        if key in self.failed:
            return f"{paper} / failed"
        if key not in self.records:
            return f"{paper} / not measured"
        record = self.records[key]
        ours = [speedup(record, part, engine) for engine in ("index", PARTS[part])]
        return f"{paper} / {number(ours[0])} / **{number(ours[1])}**"

    def table(self, data, part):
        names = [f"{data.variant(size)}: {size:,} features" for size in data.sizes]
        lines = [f"| {part}, clauses per class | " + " | ".join(names) + " |", "|---" * 5 + "|"]
        for clauses in grid.CLAUSES:
            row = [self.cell((data.name, features, clauses), part) for features in data.sizes]
            lines.append(f"| {clauses:,} | " + " | ".join(row) + " |")
        return "\n".join(lines)

    def tables(self, dataset):
        data = next(d for d in grid.DATA if d.name == dataset)
        return "\n\n".join(self.table(data, part) for part in PARTS)

    # -------------------------------------------------------------------------------- what was run

    def setting(self):
        def values(read):
            return ", ".join(sorted({str(read(r)) for r in self.records.values()}))

        compared = sum(r["prediction"]["equal_votes"] for r in self.records.values())
        machines = sum(bool(r["learning"]["equal_machines"]) for r in self.records.values())
        hours = sum(r["wall_seconds"] for r in [*self.records.values(), *self.failed.values()]) / 3600
        peak = max((r["peak_memory"] for r in self.records.values()), default=0)
        lines = [
            f"- {len(self.records)} of {len(self.paper)} cells, {number(hours)} hours of measuring, at most {size(peak)} of memory.",
            f"- {values(lambda r: r['cpu'])}; kernels {values(lambda r: r['kernels'])}; compiled with "
            f"{values(lambda r: r['compiler'])}; commits {values(lambda r: r['commit'])}; {values(lambda r: r['date'])}.",
            f"- {values(lambda r: r['rounds'])} interleaved rounds a cell. {compared:,} votes of scan and index were compared "
            f"in the run and all agree; in {machines} cells the machines that went on learning with scan, index and "
            "lookahead were equal byte for byte.",
        ]
        for key, record in sorted(self.failed.items()):
            lines.append(f"- Not measured: {record['cell']['variant']} with {key[2]:,} clauses: {record['failed']}")
        return "\n".join(lines)

    # -------------------------------------------------------------------------------- agreement

    def compared(self, part, dataset=None):
        """(record, paper's ratio, ours) of every measured cell."""
        return [
            (r, self.paper[key][part], speedup(r, part, "index"))
            for key, r in sorted(self.records.items())
            if dataset in (None, key[0])
        ]

    @staticmethod
    def span(values):
        return f"{number(min(values))} to {number(max(values))}"

    def agreement(self):
        lines = []
        asked = [c for c in self.compared("prediction") if c[1] >= 2]
        below = [c for c in asked if c[2] < 1]
        lines.append(
            f"- Prediction: of the {len(asked)} cells where the paper's index is at least twice as fast, ours is faster "
            f"than our scan in {len(asked) - len(below)}."
        )
        for record, paper, ours in below:
            index, scan = record["prediction"]["index"], record["prediction"]["scan"]
            lines.append(
                f"  - {record['cell']['variant']} with {record['clauses']:,} clauses: {number(ours)} where the paper has "
                f"{number(paper)}. A sample walks {number(index['entries_visited'] / index['samples'])} list entries; the "
                f"scan leaves after {number(scan['words_compared'] / scan['samples'])} words."
            )
        for part in PARTS:
            for data in grid.DATA:
                cells = self.compared(part, data.name)
                if not cells:
                    continue
                higher = sum(ours > paper for _, paper, ours in cells)
                best = [speedup(r, part, PARTS[part]) for r, _, _ in cells]
                alone = [speedup(r, part, "single") for r, _, _ in cells] if part == "prediction" else []
                lines.append(
                    f"- {part.capitalize()}, {TITLES[data.name]}: scan→index {self.span([c[2] for c in cells])} (paper "
                    f"{self.span([c[1] for c in cells])}), higher than the paper's in {higher} of {len(cells)} cells; "
                    f"scan→best {self.span(best)}" + (f", one sample at a time {self.span(alone)}." if alone else ".")
                )
        return "\n".join(lines)

    def work(self):
        lines = [
            "| 20,000 clauses per class | mean clause length | entries in a list | work of the index / full work | "
            "scan leaves a clause after |",
            "|---|---|---|---|---|",
            "| MNIST, paper | 58 | 740 | 0.02 | not said |",
            "| IMDb, paper | 116 | 232 | 0.006 | not said |",
        ]
        for record in self.records.values():
            data = next(d for d in grid.DATA if d.name == record["cell"]["dataset"])
            if record["clauses"] != 20000 or record["features"] not in (data.sizes[0], data.sizes[-1]):
                continue
            looked, words = words_each(record)
            lines.append(
                f"| {record['cell']['variant']}, here | {record['mean_clause_length']:.1f} | "
                f"{record['mean_list_length']:.0f} | {entries_share(record):.2g} | {looked:.1f} of {words} words |"
            )
        return "\n".join(lines)

    def memory(self):
        lines = [
            "| 20,000 clauses per class | automata, a byte each | falsum's automata | falsum's index | falsum in all | "
            "the paper's two tables, an entry a literal and clause |",
            "|---|---|---|---|---|---|",
        ]
        for record in self.records.values():
            data = next(d for d in grid.DATA if d.name == record["cell"]["dataset"])
            if record["clauses"] != 20000 or record["features"] not in (data.sizes[0], data.sizes[-1]):
                continue
            plain, index = automata(record), record["learning"]["index"]["engine_bytes"]
            ours = (record["automata_bytes"] + index) / plain
            lines.append(
                f"| {record['cell']['variant']} | {size(plain)} | {size(record['automata_bytes'])} | {size(index)} | "
                f"×{ours:.2f} | {size(4 * plain)}: ×5 |"
            )
        return "\n".join(lines)

    def accuracy(self):
        lines = []
        for dataset, features, clauses, asked in (("mnist", 784, 2000, 96.2), ("imdb", 5000, 10000, 88.5)):
            record = self.records.get((dataset, features, clauses))
            if not record:
                continue
            reached = 100 * record["accuracy"]
            lines.append(
                f"- {record['cell']['variant']} with {clauses:,} clauses, T {record['threshold']}, s "
                f"{record['specificity']:g}: {reached:.2f}% after {epochs_learned(record)} epoch{'s' * (epochs_learned(record) != '1')} of "
                f"{record['training_samples']:,} samples; {asked}% was expected"
                + ("." if reached >= asked else " of a machine trained to its end.")
            )
        return "\n".join(lines)

    def cells(self):
        lines = [
            "| cell | clauses | T | s | epochs × samples | accuracy | clause length | list length | entries / full work | "
            "scan, words a clause | timed: learning, prediction |",
            "|---" * 11 + "|",
        ]
        for key in sorted(self.records, key=lambda k: ([d.name for d in grid.DATA].index(k[0]), *k[1:])):
            r = self.records[key]
            looked, words = words_each(r)
            lines.append(
                f"| {r['cell']['variant']} | {r['clauses']:,} | {r['threshold']} | {r['specificity']:g} | {epochs_learned(r)} × "
                f"{r['training_samples']:,} | {100 * r['accuracy']:.2f}% | {r['mean_clause_length']:.1f} | "
                f"{r['mean_list_length']:.1f} | {entries_share(r):.2g} | {looked:.1f} of {words} | "
                f"{r['learning']['scan']['samples']:,}, {r['prediction']['scan']['samples']:,} |"
            )
        return "\n".join(lines)

    # -------------------------------------------------------------------------------- the two studies

    PIECES = ("evaluation", "upkeep", "choosing", "forgetting", "dense", "rest", "total")

    @staticmethod
    def machine(study):
        return (
            f"{study['data']}, {study['features']:,} features, {study['clauses']:,} clauses per class, T "
            f"{study['threshold']}, s {study['specificity']:g}, after epoch {study['epochs']} (accuracy "
            f"{100 * study['accuracy']:.2f}%, mean clause length {study['mean_clause_length']:.1f})"
        )

    def profiles(self):
        parts = []
        for study in self.profile:
            lines = [
                f"{self.machine(study)}; microseconds a sample, {study['samples']:,} samples, medians of {study['rounds']} rounds:",
                "",
            ]
            lines.append("| way | evaluation | upkeep | choosing | forgetting | dense passes | rest | total | random numbers | flips |")
            lines.append("|---" * 10 + "|")
            for way in study["ways"]:
                pieces = " | ".join(number(way[piece]) for piece in self.PIECES)
                lines.append(f"| {way['name']} | {pieces} | {way['draws']:,.0f} | {number(way['flips'])} |")
            ways = {(way["engine"], way["deferred"]): way for way in study["ways"]}

            def both(engine, deferred, ways=ways):
                return number(ways[engine, deferred]["evaluation"] + ways[engine, deferred]["upkeep"])

            share = {d: ways["scan", d]["evaluation"] / ways["scan", d]["total"] for d in (False, True)}
            lines += ["", (
                f"Of a sample's learning by scan, evaluation is {100 * share[False]:.1f}% when forgetting happens at once and "
                f"{100 * share[True]:.1f}% when it is deferred: that is all an index can save. Evaluation and upkeep "
                f"together take {both('scan', False)} µs with the scan and {both('index', False)} with the index at once, "
                f"{both('scan', True)} and {both('index', True)} deferred. In totals of this noisy run scan→index is "
                f"{number(ways['scan', False]['total'] / ways['index', False]['total'])} and "
                f"{number(ways['scan', True]['total'] / ways['index', True]['total'])}; scan at once→lookahead deferred is "
                f"{number(ways['scan', False]['total'] / ways['lookahead', True]['total'])}."
            )]  # fmt: skip
            parts.append("\n".join(lines))
        return "\n\n".join(parts)

    def ablations(self):
        parts = []
        for study in self.ablation:
            lines = [f"{self.machine(study)}; {study['rounds']} rounds:", ""]
            for part, unit, what in (
                ("walking", "µs a sample", f"walking the lists, {study['samples']:,} test samples"),
                ("keeping", "ns a flip", f"keeping them, {study['flips']:,} flips of {study['samples']:,} samples"),
            ):
                lines += [f"| {what} | {unit} | against the first | bytes |", "|---|---|---|---|"]
                for way in study[part]:
                    lines.append(
                        f"| {way['name']} | {number(way['time'])} | {way['against_first']:.2f} ({way['least']:.2f} to "
                        f"{way['most']:.2f}) | {size(way['bytes'])} |"
                    )
                lines.append("")
            parts.append("\n".join(lines).rstrip())
        return "\n\n".join(parts)

    def blocks(self):
        blocks = {f"table-{data.name}": self.tables(data.name) for data in grid.DATA}
        for name in ("setting", "agreement", "work", "memory", "accuracy", "cells", "profiles", "ablations"):
            blocks[name] = getattr(self, name)()
        return blocks


def read_studies(folder, prefix):
    studies = []
    for name in sorted(os.listdir(folder)):
        if name.startswith(prefix) and name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                studies.append(json.load(file))
    return studies


def page_of(folder):
    records, rest = results.read(os.path.join(folder, "full.jsonl"))
    if rest:
        raise results.Broken("the last line of full.jsonl is cut off: `make paper-full` measures that cell again")
    return Page(records, published(), read_studies(folder, "profile"), read_studies(folder, "index"))


def filled(text, blocks):
    """The page with every block written anew. Broken if a mark is missing or unknown."""
    seen = []

    def write(match):
        name = match[1]
        if name not in blocks:
            raise results.Broken(f'docs/paper.md has a block "{name}" that nobody writes')
        seen.append(name)
        return f"<!-- begin {name} -->\n{blocks[name]}\n<!-- end {name} -->"

    text = re.sub(r"<!-- begin ([a-z-]+) -->\n.*?<!-- end \1 -->", write, text, flags=re.DOTALL)
    for name in blocks:
        if name not in seen:
            raise results.Broken(f'docs/paper.md has no block "{name}"')
    return text


def main(arguments):
    parser = argparse.ArgumentParser(prog="paper-report", description=__doc__)
    parser.add_argument("--results", default=os.path.join(HERE, "results"), help="folder of the results")
    parser.add_argument("--page", default=PAGE)
    parser.add_argument("--check", action="store_true", help="only say whether the page is what the results say")
    parser.add_argument("--no-figures", action="store_true")
    options = parser.parse_args(arguments)
    page = page_of(options.results)
    with open(options.page, encoding="utf-8") as file:
        before = file.read()
    after = filled(before, page.blocks())
    if options.check:
        if before != after:
            raise results.Broken(f"{options.page} is not what the results say: run make paper-report")
        return 0
    if not options.no_figures:
        import figures  # needs matplotlib

        figures.draw(page, os.path.join(os.path.dirname(options.page), "figures"))
    with open(options.page + ".part", "w", encoding="utf-8") as file:
        file.write(after)
    os.replace(options.page + ".part", options.page)
    print(f"paper-report: {len(page.records)} cells in {options.page}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (results.Broken, OSError, KeyError) as error:
        print(f"paper-report: {error}", file=sys.stderr)
        sys.exit(2)

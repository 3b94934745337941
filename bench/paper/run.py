#!/usr/bin/env python3
"""make paper, make paper-full: the cells of the paper's tables, measured one after the other.

    make paper                                   a quick grid: smallest and largest data, 1000 to 5000 clauses
    make paper-full                              all 60 cells
    make paper-full PAPER="--dataset imdb --clauses 1000 --clauses 2000"   some of them
    make paper-full PAPER="--whole-epochs 3"     every cell trained for three whole epochs before it is timed
    make paper-report                            docs/paper.md and the figures from the results of the full grid

A cell that is done is a line in bench/paper/results/<grid>.jsonl. Stop it whenever you like: what is done stays done,
and the next run goes on from there. --again measures cells anew. With --whole-epochs, a cell is done only if it was
measured so; training that takes longer than --most-seconds ends there, and the run and the page say so.
"""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import time

import grid
import report
import results

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import script
from provenance import commit
from script import ROOT, Refusal


def say(text):
    script.say(f"paper: {text}")


def duration(seconds):
    minutes = round(seconds / 60)
    return f"{round(seconds)} s" if seconds < 100 else f"{minutes // 60} h {minutes % 60:02} min" if minutes > 99 else f"{minutes} min"


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="paper", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="the quick grid")
    parser.add_argument("--dataset", action="append", default=[], help="mnist, fashion or imdb; can be given again")
    parser.add_argument("--clauses", action="append", type=int, default=[], help="per class; can be given again")
    parser.add_argument("--features", action="append", type=int, default=[], help="can be given again")
    parser.add_argument("--again", action="store_true", help="also the cells that are done")
    parser.add_argument("--list", action="store_true", help="list the cells and whether they are done")
    parser.add_argument("--whole-epochs", type=int, metavar="N", help="train every cell for so many whole epochs first")
    parser.add_argument("--most-seconds", type=float, default=600, help="of such training (%(default)g)")
    parser.add_argument("--rounds", type=int, help="interleaved rounds of a cell")
    parser.add_argument("--budget", type=float, help="seconds of the slowest engine in a round")
    parser.add_argument("--threads", type=int, default=0, help="of training; 0: all cores")
    parser.add_argument("--lock", default="", help="hold this file's lock while timing: benchmarks that take turns")
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "release", "falsum_bench_paper"))
    parser.add_argument("--results", help="the result file")
    return parser.parse_args(arguments)


def measure(command, cell, options):
    """The cell's record, or its refusal as {"failed": sentence}."""
    run = [command, *cell.arguments(options.whole_epochs, options.most_seconds), "--threads", str(options.threads)]
    for name in ("rounds", "budget", "lock"):
        if getattr(options, name):  # of two rounds the last counts
            run += [f"--{name}", str(getattr(options, name))]
    started = time.monotonic()
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.kill()
            process.wait()
            raise
    if process.returncode == 0:
        try:
            record = json.loads(output)
        except ValueError:
            record = {"failed": "the measurement printed no JSON"}
    elif process.returncode < 0:
        record = {"failed": f"the measurement was ended by signal {-process.returncode}"}
    else:
        record = {"failed": (errors.strip() or f"the measurement ended with code {process.returncode}").splitlines()[-1]}
    dataset, features, clauses = cell.key
    return {
        "cell": {"dataset": dataset, "variant": cell.data.variant(features), "features": features, "clauses": clauses},
        **record,
        **({"whole_epochs": options.whole_epochs} if options.whole_epochs else {}),
        "commit": commit(ROOT),
        "date": datetime.date.today().isoformat(),
        "wall_seconds": round(time.monotonic() - started, 1),
    }


def speedups(record):
    """(learning or prediction, scan over index, scan over the best engine), as text."""
    for part, best in report.PARTS.items():
        yield part, *(report.number(report.speedup(record, part, engine)) for engine in ("index", best))


def summary(record):
    ratios = [f"{part} scan/index {index} scan/best {best}" for part, index, best in speedups(record)]
    return ", ".join([f"accuracy {100 * record['accuracy']:.2f}%", *ratios])


def was_asked(record, options):
    """Whether the cell was measured as it is asked for now."""
    return "failed" not in record and options.whole_epochs in (None, record.get("whole_epochs"))


def say_shortened(cell, record, options):
    learned = record.get("epochs_learned")
    if options.whole_epochs and learned is not None and learned < options.whole_epochs:
        say(f"{cell.name} was trained for {learned:.1f} epochs only: {options.whole_epochs} would take more than "
            f"{duration(options.most_seconds)}")  # fmt: skip


def side_by_side(chosen, measured):
    """The paper's speed-up, ours, and what lies beyond: a line for every cell that was measured."""
    paper = report.published()
    heads = "".join(f"  {part + ': paper':>17} {'scan/index':>10} {'scan/best':>9}" for part in report.PARTS)
    lines = [f"{'data':<4} {'features':>8} {'clauses':>7} {'accuracy':>8}{heads}"]
    for cell in sorted(chosen, key=lambda cell: (grid.DATA.index(cell.data), cell.features, cell.clauses)):
        if cell.key not in measured:
            continue
        accuracy = f"{100 * measured[cell.key]['accuracy']:.2f}%"
        line = f"{cell.data.variant(cell.features):<4} {cell.features:>8,} {cell.clauses:>7,} {accuracy:>8}"
        for part, index, best in speedups(measured[cell.key]):
            line += f"  {paper[cell.key][part]:>17.2f} {index:>10} {best:>9}"
        lines.append(line)
    return "\n".join(lines)


def main(arguments):
    options = parse(arguments)
    limits = (("rounds", 1), ("budget", 0.001), ("threads", 0), ("whole_epochs", 1), ("most_seconds", 0.001))
    for name, least in limits:
        value = getattr(options, name)
        if value is not None and value < least:
            raise Refusal(f"--{name.replace('_', '-')} must be at least {least}, got {value}")
    try:
        chosen = grid.cells(options.quick, options.dataset, options.clauses, options.features)
    except ValueError as error:
        raise Refusal(str(error)) from None
    name = "quick.jsonl" if options.quick else "full.jsonl"
    path = options.results or os.path.join(ROOT, "bench", "paper", "results", name)
    try:
        done, rest = results.read(path)
    except results.Broken as broken:
        raise Refusal(str(broken)) from None
    if rest and not options.list:
        results.mend(path, rest)
        say(f"the last line of {path} was cut off: that cell is measured again")
    measured = {cell: record for cell, record in done.items() if was_asked(record, options)}
    if options.list:
        for cell in chosen:
            state = "done" if cell.key in measured else "failed" if "failed" in done.get(cell.key, {}) else "to do"
            print(f"{cell.data.variant(cell.features)} {cell.features:>6} features {cell.clauses:>6} clauses  {state}")
        return 0
    todo = [cell for cell in chosen if options.again or cell.key not in measured]
    if not os.access(options.command, os.X_OK):
        raise Refusal(f"{options.command} is not there: run `make paper`, which builds it")
    say(f"{len(todo)} cells to measure, {len(chosen) - len(todo)} are done; results go to {path}")
    failures = 0
    spent = work = 0.0
    for number, cell in enumerate(todo, 1):
        left = sum(other.work for other in todo[number - 1 :])
        eta = f", about {duration(left * spent / work)} left" if work else ""
        say(f"{number} of {len(todo)}: {cell.name}{eta}")
        record = measure(options.command, cell, options)
        results.append(path, record)
        spent, work = spent + record["wall_seconds"], work + cell.work
        if "failed" in record:
            failures += 1
            say(f"{cell.name} failed: {record['failed']}")
        else:
            measured[cell.key] = record
            say_shortened(cell, record, options)
            say(f"{cell.name}: {summary(record)} ({record['wall_seconds']:.0f} s)")
    if measured:
        print(side_by_side(chosen, measured))
    hint = "" if options.quick else "; `make paper-report` makes the page"
    say(f"{len(todo) - failures} cells measured in {duration(spent)}{hint}")
    if failures:
        raise Refusal(f"{failures} cells could not be measured: the reasons are above; run again to try them again")
    return 0


def interrupt(number, frame):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)  # a terminated run leaves no measurement behind either
    signal.signal(signal.SIGINT, interrupt)  # also in the background, where shells switch it off
    script.run("paper", main, "interrupted; cells that were done are written, and the next run goes on from there")

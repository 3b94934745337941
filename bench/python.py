"""Times `import falsum` against the command line on MNIST, the same data in the same order, one thread.

    python bench/python.py [--clauses N] [--rows N] [--epochs N] [--rounds N] [--json]

The command reads the same array of bool from a .npy file and tells what it takes, without starting a process, loading
a model and compiling it. Python has the array already.

fit      TMClassifier.fit(X, y) from an array of bool, all of it
  whole     over the command's reading, packing and learning (load + train)
  learning  over the command's learning alone: packing, checks and the making of the machine are extra in Python
predict  TMClassifier.predict(X) of 10,000 rows
  whole     over the command's reading, packing and predicting (load + predict)
  packed    over the command's predicting of rows that it packed before
  reading   the same plus packing alone, over the same: what `packed` cannot go below, since the bytes must be read
one row  TMClassifier.predict(X[i:i+1]) with a model that has nothing to evaluate: what a call costs beside the engine

Times are processor time, which other programs disturb less than wall time; `wall` is beside it. Rounds alternate, and a
prediction's time is the least of a round. `least` is the least of Python over the least of the command; the middle one
and the range are of the ratios of each round. Both must have learned the same clauses.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sysconfig
import tempfile
import time

import numpy as np

from falsum import TMClassifier, _core
from falsum.datasets import load_mnist

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / "falsum"
PREDICTIONS = 15  # in each round


def run_command(*arguments):
    return json.loads(subprocess.run([COMMAND, *map(str, arguments), "--json"], capture_output=True, check=True).stdout)


def seconds(call):
    """Processor time and wall time."""
    start, cpu_start = time.perf_counter(), time.process_time()
    call()
    return np.array([time.process_time() - cpu_start, time.perf_counter() - start])


def reported(report, name):
    return np.array([report[f"{name}cpu_seconds"], report[f"{name}seconds"]])


class Ratio:
    """Times of Python and of the command, round by round."""

    def __init__(self):
        self.ours, self.theirs = [], []

    def add(self, ours, theirs):
        self.ours.append(ours)
        self.theirs.append(theirs)

    def summary(self):
        ours, theirs = np.array(self.ours), np.array(self.theirs)
        ratios, (least, wall) = np.sort(ours[:, 0] / theirs[:, 0]), ours.min(axis=0) / theirs.min(axis=0)
        return {
            "least": least,
            "middle": statistics.median(ratios),
            "from": ratios[0],
            "to": ratios[-1],
            "wall": wall,
            "python_ms": 1e3 * ours[:, 0].min(),
            "command_ms": 1e3 * theirs[:, 0].min(),
        }


def save(folder, name, X, y):
    np.save(f"{folder}/{name}.npy", X)
    np.save(f"{folder}/{name}_labels.npy", y)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clauses", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=60000)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    data = load_mnist()
    X, y = data.X_train[: arguments.rows], data.y_train[: arguments.rows]
    options = {"clauses": arguments.clauses, "threshold": 50, "specificity": 10.0, "epochs": arguments.epochs}
    flags = [f"--{name}={value}" for name, value in options.items()]

    ratios = {name: Ratio() for name in ("fit whole", "fit learning", "predict whole", "predict packed", "predict reading")}
    with tempfile.TemporaryDirectory() as folder:
        save(folder, "train", X, y)
        save(folder, "test", data.X_test, data.y_test)
        for _ in range(arguments.rounds):
            report = run_command("train", f"{folder}/train.npy", *flags, "--threads=1", "-o", f"{folder}/c.falsum")
            learning = sum(reported(epoch, "train_") for epoch in report["epochs"])
            machine = TMClassifier(**options, n_jobs=1, random_state=42)
            ours = seconds(lambda machine=machine: machine.fit(X, y))
            ratios["fit whole"].add(ours, reported(report, "load_") + learning)
            ratios["fit learning"].add(ours, learning)
            same = zip(machine.model_.clauses, _core.Model.load(f"{folder}/c.falsum").clauses)
            assert all(np.array_equal(ours, theirs) for ours, theirs in same), "Python and the command learned differently"

            machine.predict(data.X_test)  # compiles
            times = []
            for _ in range(PREDICTIONS):
                report = run_command("evaluate", f"{folder}/c.falsum", f"{folder}/test.npy", "--threads=1")
                ours = np.min([seconds(lambda machine=machine: machine.predict(data.X_test)) for _ in range(3)], axis=0)
                packing = np.min([seconds(lambda: _core.pack(data.X_test)) for _ in range(3)], axis=0)
                times.append((ours, reported(report, "load_") + reported(report, ""), reported(report, ""), packing))
            ours, whole, packed, packing = np.min(times, axis=0)
            ratios["predict whole"].add(ours, whole)
            ratios["predict packed"].add(ours, packed)
            ratios["predict reading"].add(packed + packing, packed)

    nothing = TMClassifier(clauses=2, threshold=1, epochs=1, states=2, random_state=0, n_jobs=1).fit(X[:2] & False, [0, 1])
    row, calls = X[:1], 20000
    nothing.predict(row)
    one_row = min(seconds(lambda: [nothing.predict(row) for _ in range(calls)])[0] for _ in range(5)) / calls
    machine.predict(row)
    full_row = min(seconds(lambda: [machine.predict(row) for _ in range(2000)])[0] for _ in range(5)) / 2000

    result = {name: ratio.summary() for name, ratio in ratios.items()}
    result |= {"one_row_overhead_us": 1e6 * one_row, "one_row_us": 1e6 * full_row}
    if arguments.json:
        print(json.dumps(result))
        return
    machine = f"{arguments.clauses} clauses per class, T 50, s 10"
    print(f"MNIST, {len(X)} rows, {machine}, {arguments.epochs} epochs, {arguments.rounds} rounds, 1 thread")
    print("Python over command  least  middle (of each round)   wall       Python      command")
    for name in ratios:
        r = result[name]
        print(
            f"{name:19} {r['least']:6.3f}  {r['middle']:.3f} ({r['from']:.3f} to {r['to']:.3f})  {r['wall']:.3f} "
            f"{r['python_ms']:9.2f} ms {r['command_ms']:9.2f} ms"
        )
    print(f"one row: {result['one_row_overhead_us']:.1f} us beside the engine ({result['one_row_us']:.1f} us with it)")


if __name__ == "__main__":
    main()

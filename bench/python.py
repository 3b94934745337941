"""Times `import falsum` against the command line on MNIST: what Python costs, as ratios from interleaved rounds.

    python bench/python.py [--clauses N] [--rows N] [--epochs N] [--rounds N] [--json]

fit       TMClassifier.fit(X, y) from a NumPy array of bool, all of it, over the command's learning alone (train_seconds)
predict   TMClassifier.predict(X) of 10,000 rows, over what the command takes for the same data: reading the file, packing
          it (load_seconds) and predicting (seconds); without starting a process, loading the model and compiling it
engine    the same over the command's prediction of rows that it packed before: what packing in Python adds to it
packing   the share of packing in predict
one row   TMClassifier.predict(X[i:i+1]) with a model that has nothing to evaluate: what a call costs beside the engine

Results are compared first: both must have learned the same clauses. One thread, so that a busy machine disturbs less.
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


def run_command(*arguments):
    return json.loads(subprocess.run([COMMAND, *map(str, arguments), "--json"], capture_output=True, check=True).stdout)


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def summary(ratios):
    ratios = sorted(ratios)
    return {"median": statistics.median(ratios), "least": ratios[0], "most": ratios[-1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clauses", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=60000)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    data = load_mnist()
    X, y = data.X_train[: arguments.rows], data.y_train[: arguments.rows]
    options = {"clauses": arguments.clauses, "threshold": 50, "specificity": 10.0, "epochs": arguments.epochs}
    flags = [f"--{name}={value}" for name, value in options.items()]

    fits, predictions, engines = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/train.npz", X=X.astype(np.uint8), y=y)
        np.savez(f"{folder}/test.npz", X=data.X_test.astype(np.uint8), y=data.y_test)
        for _ in range(arguments.rounds):
            report = run_command("train", f"{folder}/train.npz", *flags, "--threads=1", "-o", f"{folder}/c.falsum")
            command_fit = sum(epoch["train_seconds"] for epoch in report["epochs"])
            machine = TMClassifier(**options, n_jobs=1, random_state=42)
            fits.append(seconds(lambda: machine.fit(X, y)) / command_fit)
            same = zip(machine.model_.clauses, _core.Model.load(f"{folder}/c.falsum").clauses)
            assert all(np.array_equal(ours, theirs) for ours, theirs in same), "Python and the command learned differently"

            machine.predict(data.X_test)  # compiles
            times = []
            for _ in range(7):
                report = run_command("evaluate", f"{folder}/c.falsum", f"{folder}/test.npz", "--threads=1")
                times.append((seconds(lambda: machine.predict(data.X_test)), report["load_seconds"] + report["seconds"], report["seconds"]))
            ours, whole, engine = (min(t[i] for t in times) for i in range(3))
            predictions.append(ours / whole)
            engines.append(ours / engine)

    packing = min(seconds(lambda: _core.pack(data.X_test)) for _ in range(20)) / min(seconds(lambda: machine.predict(data.X_test)) for _ in range(20))
    nothing = TMClassifier(clauses=2, threshold=1, epochs=1, states=2, random_state=0, n_jobs=1).fit(X[:2] & False, [0, 1])
    row, calls = X[:1], 20000
    nothing.predict(row)
    one_row = min(seconds(lambda: [nothing.predict(row) for _ in range(calls)]) for _ in range(5)) / calls
    machine.predict(row)
    full_row = min(seconds(lambda: [machine.predict(row) for _ in range(2000)]) for _ in range(5)) / 2000

    result = {"fit": summary(fits), "predict": summary(predictions), "engine": summary(engines), "packing_share": packing, "one_row_overhead_us": 1e6 * one_row, "one_row_us": 1e6 * full_row}
    if arguments.json:
        print(json.dumps(result))
        return
    print(f"MNIST, {len(X)} rows, {arguments.clauses} clauses per class, T 50, s 10, {arguments.epochs} epochs, {arguments.rounds} rounds")
    for name in ("fit", "predict", "engine"):
        print(f"{name:8} Python over command: {result[name]['median']:.3f} ({result[name]['least']:.3f} to {result[name]['most']:.3f})")
    print(f"packing  {100 * packing:.0f}% of predict")
    print(f"one row  {result['one_row_overhead_us']:.1f} us beside the engine ({result['one_row_us']:.1f} us with it)")


if __name__ == "__main__":
    main()

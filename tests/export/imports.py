"""Machines of pyTsetlinMachine, tmu and green-tsetlin, imported: class sums of 1,000 rows beside falsum's votes.

Prints the table of docs/export.md; exit code 1 if a sum differs. A library that is not installed is named and left out.
"""

import sys
import tempfile
from importlib import metadata

import numpy as np

import falsum

ROWS = 1000


def data(shape, seed=7):
    """Bits with a noisy rule of three features, or images with a line across or down."""
    draw = np.random.default_rng(seed)
    if len(shape) == 1:
        x = draw.integers(0, 2, (ROWS, *shape)).astype(np.uint32)
        y = (x[:, 0] ^ x[:, 1]) + (x[:, 2] & (1 - x[:, 0]))
        return x, np.where(draw.random(ROWS) < 0.1, draw.integers(0, 3, ROWS), y).astype(np.uint32)
    x = (draw.random((ROWS, *shape)) < 0.15).astype(np.uint32)
    y = draw.integers(0, 2, ROWS).astype(np.uint32)
    for image, down in zip(x, y):
        r, c = draw.integers(0, shape[0] - 3), draw.integers(0, shape[1] - 3)
        if down:
            image[r : r + 3, c] = 1
        else:
            image[r, c : c + 3] = 1
    return x, y


def votes(estimator, x):
    rows = np.ascontiguousarray(x.reshape(len(x), -1).astype(np.uint8))
    return np.asarray(estimator.votes(rows))


def pytm():
    from pyTsetlinMachine.tm import MultiClassConvolutionalTsetlinMachine2D, MultiClassTsetlinMachine, RegressionTsetlinMachine

    def sums(machine, x):
        outputs = machine.transform(x, inverted=False).reshape(len(x), machine.number_of_classes, -1).astype(np.int64)
        signs = np.where(np.arange(machine.number_of_clauses) % 2 == 0, 1, -1)
        weights = np.array([state[0] for state in machine.get_state()], np.int64) * signs
        return (outputs * weights).sum(axis=2)

    x, y = data((24,))
    for weighted in (False, True):
        machine = MultiClassTsetlinMachine(20, 15, 3.0, weighted_clauses=weighted, indexed=False)
        machine.fit(x, y, epochs=5)
        yield "weighted" if weighted else "plain", votes(falsum.from_pytm(machine), x), sums(machine, x)
    images, kinds = data((8, 8))
    for weighted in (False, True):
        machine = MultiClassConvolutionalTsetlinMachine2D(20, 15, 3.0, (3, 3), weighted_clauses=weighted)
        machine.fit(images, kinds, epochs=3)
        yield f"convolutional{', weighted' if weighted else ''}", votes(falsum.from_pytm(machine), images), sums(machine, images)
    machine = RegressionTsetlinMachine(40, 40, 3.0, weighted_clauses=True)
    machine.fit(x, (x[:, 0] * 3 + x[:, 1] * 2).astype(float), epochs=5)
    yield "regression, answers", falsum.from_pytm(machine).predict(x.astype(np.uint8)), machine.predict(x)


def tmu():
    from tmu.models.classification.coalesced_classifier import TMCoalescedClassifier
    from tmu.models.classification.vanilla_classifier import TMClassifier

    x, y = data((24,))
    images, kinds = data((8, 8))
    for name, kind, rows, labels, more in (
        ("plain", TMClassifier, x, y, {"weighted_clauses": False}),
        ("weighted", TMClassifier, x, y, {"weighted_clauses": True}),
        ("shared", TMCoalescedClassifier, x, y, {"weighted_clauses": True}),
        ("convolutional", TMClassifier, images, kinds, {"weighted_clauses": False, "patch_dim": (3, 3)}),
        ("convolutional, shared", TMCoalescedClassifier, images, kinds, {"weighted_clauses": True, "patch_dim": (3, 3)}),
    ):
        machine = kind(20, 15, 3.0, platform="CPU", seed=1, **more)
        for _ in range(3):
            machine.fit(rows, labels)
        yield name, votes(falsum.from_tmu(machine), rows), machine.predict(rows, return_class_sums=True)[1]


def green():
    import green_tsetlin as gt

    x, y = data((24,))
    x8 = x.astype(np.uint8)
    machine = gt.TsetlinMachine(n_literals=24, n_clauses=40, n_classes=3, s=3.0, threshold=30)
    trainer = gt.Trainer(machine, seed=1, n_jobs=1, n_epochs=5, progress_bar=False)
    trainer.set_train_data(x8, y)
    trainer.set_eval_data(x8, y)
    trainer.train()
    predictor = machine.get_predictor()
    theirs = []
    for row in x8:
        predictor.predict(row)
        theirs.append(np.array(predictor._inf.get_votes()))
    yield "shared", votes(falsum.from_green(machine), x), np.array(theirs)
    with tempfile.TemporaryDirectory() as folder:
        machine.save_state(f"{folder}/state.npz")
        yield "shared, from a file", votes(falsum.from_green(f"{folder}/state.npz"), x), np.array(theirs)


LIBRARIES = {"pyTsetlinMachine": pytm, "tmu": tmu, "green-tsetlin": green}


def main():
    failed = False
    print("| library | machine | class sums that differ | different sums |\n|---|---|---|---|")
    for library, machines in LIBRARIES.items():
        try:
            for name, ours, theirs in machines():
                differ = int((np.asarray(ours) != np.asarray(theirs)).sum())
                spread, count = len(np.unique(np.asarray(theirs))), np.asarray(theirs).size
                print(f"| {library} {metadata.version(library)} | {name} | {differ} of {count:,} | {spread} |", flush=True)
                failed |= differ > 0 or spread < 3
        except ImportError as error:
            print(f"| {library} | not compared: {error.name} is not installed | | |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

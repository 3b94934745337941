#!/usr/bin/env python3
"""Fashion-MNIST for the rows of bench/family.py, whose bits are made by falsum.images (in the environment of `make python`).

    bench/fashion.py edges FOLDER                           adaptive Gaussian threshold, as IDX files for falsum train
    bench/fashion.py gradients --epochs 100 --seed 1 ...    learns from gradient maps, which would be a file of 4 GB; the epochs as JSON
"""

import argparse
import json
import os
import struct

import numpy as np
from script import Refusal, run

from falsum import TMClassifier, datasets, images

SPLITS = ("train", "t10k")


def pictures():
    try:
        data = datasets.load_fashion_mnist(grey=True)
    except (OSError, ValueError) as error:
        raise Refusal(f"Fashion-MNIST is not here: {str(error).splitlines()[0]}") from None
    return [(X.reshape(-1, 28, 28), y) for X, y in ((data.X_train, data.y_train), (data.X_test, data.y_test))]


def write_edges(folder):
    for split, (X, y) in zip(SPLITS, pictures()):
        bits = np.uint8(255) * images.adaptive_gaussian(X)[..., 0]
        for kind, header, values in (
            ("images-idx3", struct.pack(">4I", 0x803, *bits.shape), bits),
            ("labels-idx1", struct.pack(">2I", 0x801, len(y)), np.asarray(y, dtype=np.uint8)),
        ):
            with open(os.path.join(folder, f"{split}-{kind}-ubyte"), "wb") as file:
                file.write(header + values.tobytes())


def learn_gradients(options):
    (X, y), (X_test, y_test) = [(images.gradient_maps(X).reshape(len(X), -1), y) for X, y in pictures()]
    epochs = []

    def note(report):
        epochs.append(
            {
                "epoch": report["epoch"],
                "mean_clause_length": report["mean_clause_length"],
                "test_accuracy": report["estimator"].score(X_test, y_test),
            }
        )

    TMClassifier(
        clauses=options.clauses, threshold=options.threshold, specificity=options.specificity, max_literals=options.max_literals,
        fuzzy=options.fuzzy, include_limit=options.include_limit, epochs=options.epochs, random_state=options.seed,
        n_jobs=options.threads or -1, calibration=None, callbacks=[note],
    ).fit(X, y)  # fmt: skip
    print(json.dumps({"epochs": epochs}))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="bits", required=True)
    commands.add_parser("edges").add_argument("folder")
    gradients = commands.add_parser("gradients")
    for option in ("clauses", "max-literals", "fuzzy", "include-limit", "epochs", "seed", "threads"):
        gradients.add_argument("--" + option, type=int, default=0)
    gradients.add_argument("-T", dest="threshold", type=int)
    gradients.add_argument("-s", dest="specificity", type=float)
    options = parser.parse_args(arguments)
    if options.bits == "edges":
        write_edges(options.folder)
    else:
        learn_gradients(options)
    return 0


if __name__ == "__main__":
    run("fashion", main)

#!/usr/bin/env python3
"""A team of four specialists on CIFAR-10, as Granmo et al. (2023) published it, with falsum.TMComposite (docs/family.md, Teams).

    make python && .venv/bin/python bench/team.py FOLDER [--epochs 10] [--seed 1]

FOLDER holds CIFAR-10's binary files: data_batch_1.bin to data_batch_5.bin and test_batch.bin. Prints the accuracy of each member alone
and of teams on the test images; published after 100 epochs, in this order: 57.0, 62.1, 62.7 and 63.5% alone, 75.1% together. Not for a
first look: a member takes minutes for an epoch.
"""

import argparse
import glob
import os

from script import Refusal, run, say

from falsum import TMClassifier, TMComposite, images

SHARED = {"clauses": 2000, "max_literals": 32, "calibration": None}
# name: the bits of its images, its patches and what else the machine is
MEMBERS = {
    "adaptive Gaussian, 10x10": (images.adaptive_gaussian, (10, 10), {"threshold": 500, "specificity": 10, "weighted": True}),
    "thermometer, 3x3": (images.thermometer, (3, 3), {"threshold": 1500, "specificity": 2.5, "weighted": True}),
    "thermometer, 4x4": (images.thermometer, (4, 4), {"threshold": 1500, "specificity": 2.5, "weighted": True}),
    "histogram of gradients": (images.gradient_histogram, None, {"threshold": 50, "specificity": 10}),
}


def team(X, y, X_test, y_test, epochs, seed, tell, **changes):
    """The accuracy on the test images of each member alone, and of all together."""
    members, scores, bits_of = [], {}, ([], [])
    for name, (bits, patch, options) in MEMBERS.items():
        rows, tests = bits(X), bits(X_test)
        member = TMClassifier(**{**SHARED, **options, **changes}, patch_shape=patch, epochs=epochs, random_state=seed).fit(rows, y)
        scores[name] = member.score(tests, y_test)
        tell(f"{name}: {100 * scores[name]:.1f}%")
        members.append(member)
        bits_of[0].append(rows)
        bits_of[1].append(tests)
    scores["all four"] = TMComposite(members).fit_alphas(bits_of[0]).score(bits_of[1], y_test)
    tell(f"all four: {100 * scores['all four']:.1f}%")
    return scores


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    training = sorted(glob.glob(os.path.join(glob.escape(options.folder), "data_batch_*.bin")))
    if not training:
        raise Refusal(f"{options.folder} has no file data_batch_1.bin")
    try:
        parts = [images.load_cifar10(*training), images.load_cifar10(os.path.join(options.folder, "test_batch.bin"))]
    except (OSError, ValueError) as error:
        raise Refusal(str(error)) from None
    team(*parts[0], *parts[1], options.epochs, options.seed, say)
    return 0


if __name__ == "__main__":
    run("team", main)

"""Data that are generated: numbers and several labels, which no built-in data set has. Their files are those of the others
(bench/README.md, "What is measured"), with labels of a byte each, or numbers of 8 bytes."""

import array
import json
import os
import random
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from family import friedman

ROWS = {"train": 10000, "test": 5000}
LEVELS = 25  # bits of a number


def friedman_bits(draw):
    """Friedman #1: a bit for each number and threshold."""
    *numbers, target = friedman(draw)
    return [x >= level / (LEVELS + 1) for x in numbers for level in range(1, LEVELS + 1)], target


def rules():
    """For each of 10 labels three pairs of the 40 bits and their values: a label applies where one of its pairs is as it says."""
    draw = random.Random(1)
    return [[[(k, draw.random() < 0.5) for k in draw.sample(range(40), 2)] for _ in range(3)] for _ in range(10)]


RULES = rules()


def labelled_bits(draw):
    """40 random bits and the labels of the rules, each wrong with probability 1/20."""
    bits = [draw.random() < 0.3 for _ in range(40)]
    labels = [any(all(bits[k] == on for k, on in pair) for pair in pairs) for pairs in RULES]
    return bits, [int(label != (draw.random() < 0.05)) for label in labels]


DATA = {"friedman": (friedman_bits, "regression", "d", 1), "rules": (labelled_bits, "multilabel", "B", len(RULES))}


def packed(bits):
    """64-bit words, bit k % 64 of word k / 64."""
    number = sum(1 << k for k, on in enumerate(bits) if on)
    return number.to_bytes((len(bits) + 63) // 64 * 8, "little")


def write(name, folder):
    make, task, code, outputs = DATA[name]
    os.makedirs(folder, exist_ok=True)
    for seed, (split, rows) in enumerate(ROWS.items()):
        draw = random.Random(seed)
        examples = [make(draw) for _ in range(rows)]
        with open(os.path.join(folder, split + ".bits"), "wb") as file:
            file.write(b"".join(packed(bits) for bits, _ in examples))
        targets = array.array(code, [value for _, target in examples for value in (target if outputs > 1 else [target])])
        with open(os.path.join(folder, split + ".labels"), "wb") as file:
            targets.tofile(file)
    shape = {"data": name, "features": len(examples[0][0]), "classes": outputs, "task": task, **ROWS}
    with open(os.path.join(folder, "shape.json"), "w") as file:  # the last: its presence says that all is there
        json.dump(shape, file)

"""Small models of every kind that falsum has, for the tests of exports: name -> how to train it.

    python3 tests/export/golden.py FOLDER    trains all of them into FOLDER, with the command FALSUM_COMMAND
"""

import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum"))

XOR = ["noisy-xor", "--epochs", "5", "-s", "3.9"]
MNIST = ["mnist", "--epochs", "1"]
TWENTY = ["--clauses", "20", "-T", "10", "-s", "3"]
# `large` models take a minute to train; the others seconds.
MODELS = {
    "xor": [*XOR, "--clauses", "20", "-T", "15"],
    "weighted": [*XOR, "--clauses", "20", "-T", "60", "--weighted"],
    "slow_weights": [*XOR, "--clauses", "20", "-T", "15", "--weight-growth", "0.01"],
    "shared": [*XOR, "--clauses", "20", "-T", "30", "--shared"],
    "fuzzy": [*XOR, "--clauses", "10", "-T", "10", "--fuzzy", "5", "--max-literals", "6"],
    "fuzzy_clamp": [*XOR, "--clauses", "10", "-T", "10", "--fuzzy", "8", "--max-literals", "6", "--clamp", "--length", "literals"],
    "untrained_like": ["noisy-xor", "--epochs", "1", "--clauses", "2", "-T", "1", "-s", "1"],
    "table": ["{golden}/flowers.csv", "--label", "kind", "--clauses", "20", "-T", "10", "-s", "3", "--epochs", "20"],
    "table_missing_dates": ["{golden}/animals.csv", "--label", "kind", "--clauses", "20", "-T", "10", "-s", "3", "--epochs", "20"],
    "names_to_escape": ["{folder}/escape.csv", "--clauses", "20", "-T", "10", "-s", "3", "--epochs", "10"],
    "one_feature": ["{folder}/one.csv", "--clauses", "4", "-T", "4", "-s", "2", "--epochs", "5"],
    "many_classes": ["{folder}/classes.csv", "--clauses", "4", "-T", "4", "-s", "3", "--epochs", "1"],
    "labels": ["{folder}/gates.csv", "--task", "multilabel", "--shared", "--clauses", "30", "-T", "30", "-s", "3", "--epochs", "10"],
    "number": ["{folder}/steps.csv", "--task", "regression", "--clauses", "40", "-T", "40", "-s", "3", "--epochs", "5"],
    "words": ["imdb", "--data-directory", "{folder}/texts", "--vocabulary", "40", "--phrases", "2", *TWENTY, "--epochs", "5"],
    "patches": ["{folder}/lines.csv", "--image", "6x6", "--patch", "3x3", "--clauses", "10", "-T", "10", "-s", "3", "--epochs", "5"],
    "patches_strided": ["{folder}/lines.csv", "--image", "3x6x2", "--patch", "2x3", "--stride", "1x2", *TWENTY, "--epochs", "5", "--weighted"],
    "mnist_20": [*MNIST, "--clauses", "20", "-T", "15", "-s", "10"],
}
LARGE = {
    "mnist_fuzzy": [*MNIST, "--clauses", "20", "-T", "20", "-s", "400", "--max-literals", "150", "--fuzzy", "75"],
    "mnist_patches": [*MNIST, "--clauses", "40", "-T", "200", "-s", "5", "--weighted", "--patch", "10x10"],
    "mnist_200": [*MNIST, "--clauses", "200", "-T", "25", "-s", "10"],
    "mnist_2000": ["mnist", "--epochs", "2", "--clauses", "2000", "-T", "50", "-s", "10"],
}  # fmt: skip


def write_tables(folder):
    draw = random.Random(23)
    with open(folder / "escape.csv", "w", encoding="utf-8") as file:
        print("\"say \"\"hi\"\"\",it's,</script>,a*/b,ünï,kind", file=file)
        for _ in range(200):
            word = draw.choice(["it's", "</script>", "a\\b", "*/", "größe"])
            x, y = draw.random(), draw.randrange(2)
            kind = "'; DROP TABLE x;--" if x > 0.5 and y else "<b>\\no</b>"
            print(f"{x:.3f},{word},{y},{draw.choice(['p?', 'q'])},{draw.randrange(5)},{kind}", file=file)
    with open(folder / "one.csv", "w") as file:
        print("x,y", file=file)
        for i in range(40):
            print(f"{i % 2},{'yes' if i % 2 else 'no'}", file=file)
    with open(folder / "classes.csv", "w") as file:
        print(",".join([*(f"b{k}" for k in range(10)), "c"]), file=file)
        for i in range(1000):
            print(",".join([*(str(i >> k & 1) for k in range(10)), f"c{i}"]), file=file)
    with open(folder / "gates.csv", "w") as file:
        print("a,b,c,labels", file=file)
        for _ in range(300):
            a, b = draw.randrange(2), draw.randrange(2)
            on = {"xor": a ^ b, "and": a & b, "or": a | b}
            print(a, b, draw.randrange(2), ";".join(name for name in on if on[name]), sep=",", file=file)
    with open(folder / "steps.csv", "w") as file:
        print("u,v,w,y", file=file)
        for _ in range(300):
            u, v, w = draw.random(), draw.random(), draw.choice("pq")
            print(f"{u:.4f},{v:.4f},{w},{10 * (u > 0.5) + 3 * (v > 0.3) + (w == 'p')}", file=file)
    with open(folder / "lines.csv", "w") as file:
        print(",".join([*(f"x{k}" for k in range(36)), "y"]), file=file)
        for _ in range(400):
            image = [[int(draw.random() < 0.1) for _ in range(6)] for _ in range(6)]
            down, r, c = draw.randrange(2), draw.randrange(4), draw.randrange(4)
            for i in range(3):
                image[r + i if down else r][c if down else c + i] = 1
            print(",".join([*(str(bit) for row in image for bit in row), "down" if down else "across"]), file=file)
    (folder / "texts").mkdir(exist_ok=True)
    for split in ("train", "test"):
        with open(folder / "texts" / f"imdb_{split}.tsv", "w", encoding="utf-8") as file:
            for i in range(200):
                good = i % 2
                words = [draw.choice(["film", "plot", "it's", "café", "the", "a", "boring" if not good else "lovely"]) for _ in range(12)]
                print(good, 9 if good else 2, i, " ".join(words) + (", not good" if not good else "! very good"), sep="\t", file=file)


def train(folder, names=None, large=False):
    """Trains what is not there yet; returns name -> path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_tables(folder)
    paths = {}
    for name, arguments in {**MODELS, **(LARGE if large else {})}.items():
        if names is not None and name not in names:
            continue
        paths[name] = folder / f"{name}.falsum"
        if paths[name].exists():
            continue
        filled = [a.format(golden=ROOT / "tests" / "golden", folder=folder) for a in arguments]
        done = subprocess.run([COMMAND, "train", *filled, "-o", str(paths[name])], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.strip()}")
    return paths


if __name__ == "__main__":
    for path in train(sys.argv[1], large="--large" in sys.argv).values():
        print(path)

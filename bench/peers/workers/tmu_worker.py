"""tmu, its vanilla classifier on the CPU; its regressor; for several labels its multi-task classifier, whose clauses are
shared by all outputs and which gets the same rows for each of them.

Its fit and predict encode the rows in every call: that is part of its times. Its automata are the same bits as those of
the authors' pyTsetlinMachine, in another order of clauses, so it can go on with a machine that was trained there.
"""

import numpy as np
from protocol import Timer, Worker, serve  # before the system: it takes stdout for itself

from tmu.models.classification.multitask_classifier import TMMultiTaskClassifier
from tmu.models.classification.vanilla_classifier import TMClassifier
from tmu.models.regression.vanilla_regressor import TMRegressor


class Tmu(Worker):
    def create(self, request):
        machines = {"classification": TMClassifier, "regression": TMRegressor, "multilabel": TMMultiTaskClassifier}
        self.machine = machines[self.task](
            number_of_clauses=request["clauses"],
            T=request["threshold"],
            s=float(request["specificity"]),
            platform="CPU",
            weighted_clauses=request.get("kind", "plain") != "plain",
            seed=request["seed"],
        )
        return {"total_clauses": request["clauses"] * (self.classes if self.task == "classification" else 1)}

    def given(self, rows):
        """For several labels: the same rows for each."""
        return [rows] * self.classes if self.task == "multilabel" else rows

    def answers(self, rows):
        predicted = self.machine.predict(self.given(rows))
        return np.stack([predicted[i] for i in range(self.classes)], axis=1) if self.task == "multilabel" else predicted

    def learn(self, first, count):
        rows, labels = self.train.bits(first, count, np.uint32), self.train.labels[first : first + count]
        if self.task == "multilabel":
            labels = [np.ascontiguousarray(column) for column in labels.T]
        given = self.given(rows)
        with Timer() as timer:
            self.machine.fit(given, labels)
        return timer, {}

    def predict(self, count):
        rows = self.test.bits(0, count, np.uint32)
        with Timer() as timer:
            predicted = self.answers(rows)
        return timer, predicted, {}

    def single(self, first, count):
        rows = self.test.bits(first, count, np.uint32)
        with Timer() as timer:
            predicted = [self.answers(rows[r : r + 1])[0] for r in range(count)]
        return timer, predicted, {}

    def load(self, path):
        rows = self.train.bits(0, 1000, np.uint32)  # enough to have all classes
        self.machine.init(rows, self.train.labels[:1000])
        states = np.fromfile(path, dtype=np.uint32).reshape(self.classes, self.machine.number_of_clauses, -1)
        for c in range(self.classes):
            bank = self.machine.clause_banks[c]
            positive, negative = states[c][0::2], states[c][1::2]  # they alternate there, here they are two halves
            bank.clause_bank[:] = np.concatenate((positive, negative)).ravel()
            bank.incremental_clause_evaluation_initialized = False


if __name__ == "__main__":
    serve(Tmu())

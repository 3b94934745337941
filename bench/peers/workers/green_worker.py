"""green-tsetlin: one bank of weighted clauses for all classes, so it gets as many clauses as the others have in all.

Its blocks are made once and kept, as its Trainer makes them for every call. Prediction: its evaluation of a whole set
for batches or its Predictor, whichever is faster here; its Predictor for one row at a time.
"""

import numpy as np
from protocol import Timer, Worker, serve  # before the system: it takes stdout for itself

import green_tsetlin as gt
from green_tsetlin.backend import impl


class Green(Worker):
    def create(self, request):
        total = request.get("total_clauses") or request["clauses"] * self.classes
        self.machine = gt.TsetlinMachine(
            n_literals=self.features,
            n_clauses=total,
            n_classes=self.classes,
            s=float(request["specificity"]),
            threshold=request["threshold"],
            boost_true_positives=True,
        )
        self.machine.set_num_clause_blocks(1)
        seed = request["seed"]
        self.input = impl["dense_input"](self.features)
        feedback = impl["feedback"](self.classes, request["threshold"], seed)
        self.blocks = self.machine.construct_clause_blocks()
        self.keep_alive = feedback
        for block in self.blocks:
            block.set_feedback(feedback)
            block.set_input_block(self.input)
            block.initialize(seed=seed)
        self.x_train = self.train.bits(0, len(self.train.labels), np.uint8)
        self.x_test = self.test.bits(0, len(self.test.labels), np.uint8)
        self.input.set_data(self.x_train, self.train.labels)
        self.executor = impl["single_executor"](self.input, self.blocks, feedback, 1, seed)
        self.predictor = self.batch_by_predictor = None
        return {"total_clauses": total}

    def learn(self, first, count):
        rows, labels = self.x_train[first : first + count], self.train.labels[first : first + count]
        self.input.set_data(rows, labels)
        with Timer() as timer:
            self.executor.train_epoch()
        self.predictor = None
        return timer, {}

    def by_predictor(self, rows):
        predict = self.predictor.predict
        with Timer() as timer:
            predicted = [predict(row) for row in rows]
        return timer, predicted

    def by_evaluation(self, rows, first):
        labels = self.test.labels[first : first + len(rows)]
        self.input.set_data(rows, labels)
        predicted = np.empty_like(labels)
        with Timer() as timer:
            self.executor.eval_predict(predicted)
        return timer, predicted

    def prepare(self):
        if self.predictor:
            return 0.0
        with Timer() as timer:
            self.machine._state = self.machine._load_state_from_backend(only_return_copy=True)
            self.predictor = self.machine.get_predictor()
        trial = self.x_test[:50]
        self.by_evaluation(trial, 0), self.by_predictor(trial)
        self.batch_by_predictor = self.by_predictor(trial)[0].cpu < self.by_evaluation(trial, 0)[0].cpu
        return timer.cpu

    def predict(self, count):
        prepare, rows = self.prepare(), self.x_test[:count]
        timer, predicted = self.by_predictor(rows) if self.batch_by_predictor else self.by_evaluation(rows, 0)
        engine = "Predictor" if self.batch_by_predictor else "eval_predict"
        return timer, predicted, {"prepare": prepare, "engine": engine}

    def single(self, first, count):
        prepare = self.prepare()
        timer, predicted = self.by_predictor(self.x_test[first : first + count])
        return timer, predicted, {"prepare": prepare, "engine": "Predictor"}

    def save(self, path):
        state = self.machine._load_state_from_backend(only_return_copy=True)
        with open(path, "wb") as file:
            np.savez(file, w=state.w, c=state.c)

    def load(self, path):
        with np.load(path) as arrays:
            self.machine._state = gt.DenseState()
            self.machine._state.w, self.machine._state.c = arrays["w"], arrays["c"]
        self.machine._save_state_in_backend()
        self.predictor = None


if __name__ == "__main__":
    serve(Green())

"""The paper authors' pyTsetlinMachine and pyTsetlinMachineParallel: their C code, called directly.

Their Python classes encode the rows and rebuild the index in every call. Here rows are encoded once, by their
tm_encode, and the index is rebuilt outside the times, by their itm_fit and itm_predict with nothing to do; what the
rebuilding takes is reported beside. Learning and prediction are their functions (see authors_loops.c). The machines
without an index are their mc_tm_fit and mc_tm_predict as they are, with weights or without; regression is their
tm_fit_regression and tm_predict_regression, with targets and answers converted as their Python class does. Patches take
a thousand times the memory of their rows, so those of an image are encoded when it is learned or predicted.

argv: the library built from their sources with authors_seed.c, for pyTsetlinMachine with authors_loops.c too.
"""

import ctypes
import sys

import numpy as np
from protocol import Timer, Worker, serve

STATE_BITS = 8
ENCODED_AT_ONCE = 1000  # rows: their encoder wants 32 bits for every bit
IMAGE, PATCH = 28, 10  # pixels across and down, of rows with patches


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class Authors(Worker):
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.CreateMultiClassTsetlinMachine.restype = ctypes.c_void_p
        self.library.CreateTsetlinMachine.restype = ctypes.c_void_p

    def create(self, request):
        self.indexed = request["mode"] == "indexed"
        self.parallel = request["mode"] == "parallel"  # the same functions with fewer parameters
        self.patches = request["mode"] == "patches"
        self.clauses = request["clauses"]
        positions = IMAGE - PATCH + 1
        literals = 2 * (PATCH**2 + 2 * (positions - 1) if self.patches else self.features)
        self.words, self.patches_a_row = (literals - 1) // 32 + 1, positions**2 if self.patches else 1
        specificity = ctypes.c_double(request["specificity"])
        drop_nothing = (ctypes.c_float(0), ctypes.c_float(0), literals)
        size = (self.clauses, literals, self.patches_a_row, self.words, STATE_BITS)
        shape = (*size, request["threshold"], specificity, specificity, 1)
        if self.task == "regression":
            self.machine = ctypes.c_void_p(self.library.CreateTsetlinMachine(*shape, 1, literals))
            self.threshold, self.least, self.most = request["threshold"], self.train.labels.min(), self.train.labels.max()
        else:
            self.machine = ctypes.c_void_p(
                self.library.CreateMultiClassTsetlinMachine(
                    self.classes, *shape, request["mode"] in ("weighted", "patches"), *(() if self.parallel else drop_nothing)
                )
            )
        if self.indexed:
            self.library.CreateIndexedTsetlinMachine.restype = ctypes.c_void_p
            self.index = ctypes.c_void_p(self.library.CreateIndexedTsetlinMachine(self.machine))
        if not self.patches:
            self.rows, self.test_rows = self.encode(self.train), self.encode(self.test)
        self.random = np.random.default_rng(request["seed"])
        self.up_to_date = {"learn": False, "predict": False}
        ctypes.CDLL(None).srand(request["seed"])  # the other class of an example
        self.library.seed_feedback(ctypes.c_ulonglong(request["seed"]))  # everything else
        return {"total_clauses": self.clauses * (1 if self.task == "regression" else self.classes)}

    def encode(self, split, start=0, count=None):
        end = len(split.labels) if count is None else start + count
        encoded = np.zeros((end - start, self.patches_a_row * self.words), dtype=np.uint32)
        whole = (self.features, 1, 1, self.features, 1)
        shape = ((IMAGE, IMAGE, 1, PATCH, PATCH) if self.patches else whole) + (1,) + (() if self.parallel else (0,))
        for first in range(start, end, ENCODED_AT_ONCE):
            bits = split.bits(first, min(ENCODED_AT_ONCE, end - first), np.uint32)
            self.library.tm_encode(pointer(bits), pointer(encoded[first - start :]), len(bits), *shape)
        return encoded

    def test_part(self, first, count):
        return self.encode(self.test, first, count) if self.patches else self.test_rows[first : first + count]

    def learn(self, first, count):
        order = (first + self.random.permutation(count)).astype(np.int32)
        prepare = 0.0
        if self.indexed:
            if not self.up_to_date["learn"]:
                with Timer() as timer:
                    self.library.itm_fit(self.index, pointer(self.rows), pointer(self.train.labels), count, 0)
                prepare = timer.cpu
            with Timer() as timer:
                self.library.loop_learn(
                    self.index, pointer(self.rows), pointer(self.train.labels), pointer(order), count
                )
        elif self.task == "regression":
            share = (self.train.labels[order] - self.least) / (self.most - self.least)
            rows, targets = self.rows[order], (share * self.threshold).astype(np.int32)
            with Timer() as timer:
                self.library.tm_fit_regression(self.machine, pointer(rows), pointer(targets), count, 1)
        else:
            rows = self.encode(self.train, first, count)[order - first] if self.patches else self.rows[order]
            labels = self.train.labels[order]
            with Timer() as timer:
                self.library.mc_tm_fit(self.machine, pointer(rows), pointer(labels), count, 1)
        self.up_to_date = {"learn": True, "predict": False}
        return timer, {"prepare": prepare}

    def predict_rows(self, rows):
        count, prepare = len(rows), 0.0
        predicted = np.zeros(count, dtype=np.uint32)
        if self.indexed:
            if not self.up_to_date["predict"]:
                with Timer() as timer:
                    self.library.itm_predict(self.index, pointer(rows), pointer(predicted), 0)
                prepare = timer.cpu
                self.up_to_date["predict"] = True
            with Timer() as timer:
                self.library.loop_predict(self.index, pointer(rows), pointer(predicted), count)
        elif self.task == "regression":
            with Timer() as timer:
                self.library.tm_predict_regression(self.machine, pointer(rows), pointer(predicted), count)
            predicted = predicted * (self.most - self.least) / self.threshold + self.least
        else:
            with Timer() as timer:
                self.library.mc_tm_predict(self.machine, pointer(rows), pointer(predicted), count)
        return timer, predicted, {"prepare": prepare}

    def predict(self, count):
        return self.predict_rows(self.test_part(0, count))

    def single(self, first, count):
        """Their code has no batches: a row costs the same, alone or among others, once the index is there."""
        return self.predict_rows(self.test_part(first, count))

    def states(self):
        weights = np.ones(self.clauses, dtype=np.uint32)
        return weights, np.empty((self.classes, self.clauses * self.words * STATE_BITS), dtype=np.uint32)

    def save(self, path):
        weights, states = self.states()
        for c in range(self.classes):
            self.library.mc_tm_get_state(self.machine, c, pointer(weights), pointer(states[c]))
        states.tofile(path)

    def load(self, path):
        """The machine that their indexed code trained; of patches falsum's, with its weights."""
        weights, states = self.states()
        found = np.fromfile(path, dtype=np.uint32).reshape(self.classes, -1)
        states[:] = found[:, -states.shape[1] :]
        for c in range(self.classes):
            if self.patches:
                weights[:] = found[c, : self.clauses]
            self.library.mc_tm_set_state(self.machine, c, pointer(weights), pointer(states[c]))
        self.up_to_date = {"learn": False, "predict": False}


if __name__ == "__main__":
    serve(Authors(sys.argv[1]))

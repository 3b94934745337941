"""Fuzzy clauses as public code has them, in C (fuzzy_public.c): there is no package of them for C or Python.

argv: the library built from fuzzy_public.c.
"""

import ctypes
import sys

import numpy as np
from protocol import Timer, Worker, serve


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class FuzzyPublic(Worker):
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.fuzzy_create.restype = ctypes.c_void_p

    def create(self, request):
        forgets = round(self.features / request["specificity"])
        size = (self.classes, request["clauses"], self.features, request["threshold"], forgets)
        most = (request["max_literals"], request["fuzzy"])
        self.machine = ctypes.c_void_p(self.library.fuzzy_create(*size, *most, ctypes.c_uint64(request["seed"])))
        self.random = np.random.default_rng(request["seed"])
        return {"total_clauses": request["clauses"] * self.classes}

    def learn(self, first, count):
        order = (first + self.random.permutation(count)).astype(np.int32)
        with Timer() as timer:
            self.library.fuzzy_learn(self.machine, pointer(self.train.packed), pointer(self.train.labels), pointer(order), count)
        return timer, {}

    def predict(self, count):
        return self.single(0, count)

    def single(self, first, count):
        """It has no batches: a row costs the same, alone or among others."""
        predicted = np.zeros(count, dtype=np.uint32)
        with Timer() as timer:
            self.library.fuzzy_predict(self.machine, pointer(self.test.packed[first:]), pointer(predicted), count)
        return timer, predicted, {}


if __name__ == "__main__":
    serve(FuzzyPublic(sys.argv[1]))

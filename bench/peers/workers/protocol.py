"""What the workers of all Python systems share: the request loop, the data, the clocks.

A worker is a process that answers a JSON request a line; bench/README.md has the requests. A system derives from
Worker and fills in open, learn, predict, single, save and load. Times are taken here in the worker, around the
system's own call alone.
"""

import json
import os
import sys
import time
import traceback

import numpy as np

# Systems print at will, some when they are imported: import this module before them. Their output goes to stderr, the
# protocol keeps stdout for itself.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def read_shape(directory):
    with open(os.path.join(directory, "shape.json")) as file:
        return json.load(file)


class Split:
    """The rows of one split, still packed: 64-bit words, feature k is bit k % 64 of word k / 64.

    The labels are class ids; of several labels a byte for each, row by row; in regression numbers.
    """

    TYPES = {"classification": np.uint32, "multilabel": np.uint8, "regression": np.float64}

    def __init__(self, directory, split, rows, features, task):
        words = (features + 63) // 64
        self.features = features
        self.packed = np.fromfile(os.path.join(directory, split + ".bits"), dtype=np.uint8).reshape(rows, 8 * words)
        self.labels = np.fromfile(os.path.join(directory, split + ".labels"), dtype=self.TYPES[task])
        if task == "multilabel":
            self.labels = self.labels.reshape(rows, -1)

    def bits(self, first, count, dtype):
        rows = self.packed[first : first + count]
        return np.unpackbits(rows, axis=1, bitorder="little", count=self.features).astype(dtype)


class Timer:
    """with timer: ... ; then timer.cpu and timer.wall in seconds."""

    def __enter__(self):
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *error):
        self.cpu = time.process_time() - self._cpu
        self.wall = time.perf_counter() - self._wall

    def report(self, samples, **more):
        return {"samples": samples, "cpu": self.cpu, "wall": self.wall, **more}


def peak_memory():
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


def score(task, predicted, labels):
    """Accuracy: the share of right classes, or of right decisions about a label. Of numbers the root of the mean squared error."""
    if task == "regression":
        return {"rmse": float(np.sqrt(np.mean((np.asarray(predicted) - labels) ** 2)))}
    return {"accuracy": float((np.asarray(predicted) == labels).mean())}


class Worker:
    def open(self, request):
        shape = read_shape(request["data"])
        self.features, self.classes = shape["features"], shape["classes"]
        self.task = shape.get("task", "classification")
        self.train = Split(request["data"], "train", shape["train"], self.features, self.task)
        self.test = Split(request["data"], "test", shape["test"], self.features, self.task)
        return self.create(request)

    def answer(self, request):
        what = request["do"]
        if what == "open":
            return self.open(request)
        if what in ("save", "load"):
            getattr(self, what)(request["path"])
            return {}
        if what == "predict":
            timer, predicted, more = self.predict(request["count"])
            labels = self.test.labels[: request["count"]]
        elif what == "single":
            timer, predicted, more = self.single(request["first"], request["count"])
            labels = self.test.labels[request["first"] : request["first"] + request["count"]]
        elif what == "learn":
            timer, more = self.learn(request["first"], request["count"])
            return timer.report(request["count"], peak_memory=peak_memory(), **more)
        else:
            raise ValueError(f'there is no request "{what}"')
        return timer.report(
            request["count"], **score(self.task, predicted, labels), peak_memory=peak_memory(), **more
        )


def serve(worker):
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        ANSWERS.write(json.dumps(answer) + "\n")
        ANSWERS.flush()

"""One worker process and the requests to it."""

import json
import os
import subprocess

# One thread each, whatever a system would take by itself.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class WorkerFailed(Exception):
    """The system could not do what it was asked; the text says why."""


class Client:
    def __init__(self, command, log):
        self.name = os.path.basename(command[0])
        self._log = open(log, "a")  # noqa: SIM115 (closed with the worker)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, **ONE_THREAD},
        )

    def ask(self, what, **request):
        try:
            self._process.stdin.write(json.dumps({"do": what, **request}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self._process.wait()
            raise WorkerFailed(f"its process ended with code {code} while asked to {what} (log: {self._log.name})")
        try:
            answer = json.loads(line)
        except ValueError:
            raise WorkerFailed(f"{what}: it answered {line[:60].strip()!r}, which is no JSON") from None
        if "error" in answer:
            raise WorkerFailed(f"{what}: {answer['error']}")
        return answer

    def close(self):
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.wait()
        self._process.stdout.close()
        self._log.close()

"""What the tests of stopping share: a training that runs, and one word with it."""

import signal
import subprocess
import threading
import time

from conftest import COMMAND

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


def defaults():
    """Of a shell's background jobs, such as these tests may be, some signals are ignored, and a program leaves that so."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


class Training:
    """A training that is under way: from its head line on, signals are listened to."""

    def __init__(self, *arguments, preexec=defaults):
        self.process = subprocess.Popen([COMMAND, "train", *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, preexec_fn=preexec)
        self.head = self.process.stdout.readline()
        self.word_after = self.exit_after = None

    def epochs(self, count):
        """Waits until so many epochs are complete."""
        while count > 0:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            count -= line.startswith("  ") and line.split()[0].isdigit()  # a line of the table
        return self

    def stop(self, number):
        """Sends a signal; what was said, once the process has ended."""
        began = time.monotonic()
        self.process.send_signal(number)
        first = self.process.stderr.readline()
        self.word_after = time.monotonic() - began
        return first + self.end(began)

    def end(self, began=None):
        # Not communicate(): it does not know what the streams have read ahead.
        table = threading.Thread(target=self.process.stdout.read)
        table.start()
        rest = self.process.stderr.read()
        self.process.wait(timeout=300)
        table.join()
        if began is not None:
            self.exit_after = time.monotonic() - began
        return rest

    @property
    def code(self):
        return self.process.returncode

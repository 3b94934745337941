"""Runs a program of this machine, or of the Debian in MESSY_ROOT, over one scratch folder that both see."""

import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = os.environ.get("MESSY_ROOT")


def run(command, text=None):
    prefix = ["chroot", ROOT] if ROOT else []
    return subprocess.run([*prefix, *map(str, command)], input=text, stdout=subprocess.PIPE, check=True,
                          encoding=None if text is None else "utf-8").stdout


class Scratch:
    """A folder for both sides: `outside` for Python here, `inside` for the programs."""

    def __enter__(self):
        self.outside = pathlib.Path(tempfile.mkdtemp(dir=pathlib.Path(ROOT or "/") / "tmp"))
        self.outside.chmod(0o777)
        self.inside = pathlib.Path("/tmp") / self.outside.name
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.outside)

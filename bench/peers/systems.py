"""The systems: how each is installed, started, and told what machine to make.

Every peer lives in build/peers/<key>: a virtual environment of its own, since they install libraries of the same
name. Versions are pinned here.
"""

import os
import shutil
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
NUMPY = "numpy==1.26.4"


class NotInstallable(Exception):
    """A peer that cannot be had here; the text says why."""


def run(command, log, **keywords):
    with open(log, "a") as file:
        code = subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, **keywords).returncode
    if code:
        raise NotInstallable(f"{os.path.basename(command[0])} failed with code {code} (log: {log})")


class System:
    """A way to run a library; two systems can share an installation."""

    key = label = note = version = ""
    keeps_state = False  # its trained state can be kept in a file, to be taken up by a later run
    trains = True  # False: takes up the kept state of another system
    kinds = ("plain",)  # of rows (rows.py)

    def __init__(self, directory):
        self.directory = directory

    @property
    def state_key(self):
        return self.key  # whose kept state it takes up

    def machine(self, row):
        return {"clauses": row.clauses, "threshold": row.threshold, "specificity": row.specificity}

    def epochs(self, row):
        """To the trained state."""
        return row.epochs

    def hands_over(self, row):
        """Whether others take up its trained state."""
        return False

    def can(self, row):
        """Whether it has such machines."""
        return row.kind in self.kinds

    def install(self):
        """Raises NotInstallable."""


def fuzzy_machine(row):
    return {"max_literals": row.max_literals, "fuzzy": row.fuzzy}


class Falsum(System):
    key, label = "falsum", "falsum"
    kinds = ("plain", "weighted", "shared", "regression", "multilabel", "patches", "fuzzy")

    def hands_over(self, row):
        return row.kind == "patches"

    def machine(self, row):
        more = {"plain": {}, "weighted": {"weighted": True}, "shared": {"shared": True, "negatives": "focused"},
                "regression": {"weighted": True}, "multilabel": {"shared": True},
                "patches": {"weighted": True, "patch": "10x10", "image": "28x28"},
                "fuzzy": fuzzy_machine(row)}  # fmt: skip
        return {**super().machine(row), **more[row.kind]}

    @property
    def command(self):
        return [self.directory, "serve"]


class Peer(System):
    """Installed with pip into an environment of its own."""

    package = version = worker = ""
    requirements = [NUMPY]
    ours = []  # C files of ours that are built with theirs

    @property
    def home(self):
        return os.path.join(self.directory, f"{self.package}-{self.version}")

    @property
    def python(self):
        return os.path.join(self.home, "venv", "bin", "python")

    @property
    def command(self):
        return [self.python, os.path.join(HERE, "workers", self.worker)]

    def install(self):
        done = os.path.join(self.home, "-".join(["installed", *self.ours]))
        if os.path.exists(done):
            return
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.home)
        log = os.path.join(self.home, "install.log")
        run([sys.executable, "-m", "venv", os.path.join(self.home, "venv")], log)
        self.build(log)
        open(done, "w").close()

    def pip(self, log, *arguments):
        run([self.python, "-m", "pip", "--disable-pip-version-check", *arguments], log)

    def build(self, log):
        self.pip(log, "install", f"{self.package}=={self.version}", *self.requirements)


class Sources(Peer):
    """Built from the C files of a source package, since its own setup leaves optimisation out."""

    files = []
    flags = []

    @property
    def library(self):
        return os.path.join(self.home, "library.so")

    @property
    def command(self):
        return super().command + [self.library]

    def build(self, log):
        self.pip(log, "install", *self.requirements)
        source = ["--no-deps", "--no-binary", ":all:", "-d", self.home, f"{self.package}=={self.version}"]
        self.pip(log, "download", *source)
        name = f"{self.package}-{self.version}"
        with tarfile.open(os.path.join(self.home, name + ".tar.gz")) as archive:
            archive.extractall(self.home)
        self.compile(log, os.path.join(self.home, name, self.package))

    def compile(self, log, folder=HERE):
        sources = [os.path.join(folder, file + ".c") for file in self.files]
        sources += [os.path.join(HERE, "workers", file) for file in self.ours]
        flags = ["-O3", "-march=native", "-std=gnu11", "-w", "-shared", "-fPIC", "-I", folder, *self.flags]
        run(["gcc", *flags, *sources, "-lm", "-o", self.library], log)


class Authors(Sources):
    package, version, worker = "pyTsetlinMachine", "0.6.6", "authors_worker.py"
    files = ["EmbeddingTsetlinMachine", "MultiClassConvolutionalTsetlinMachine", "Tools", "IndexedTsetlinMachine"]
    ours = ["authors_seed.c", "authors_loops.c"]  # the first takes in their ConvolutionalTsetlinMachine.c
    keeps_state = True
    key, mode = "authors-indexed", "indexed"
    label = "authors, indexed"
    note = "encoding and rebuilding of the index left out"
    state_key = "authors"  # one machine, whichever of their codes goes on with it

    def machine(self, row):
        return {**super().machine(row), "mode": self.mode}


class AuthorsPlain(Authors):
    key, mode, trains = "authors-plain", "plain", False
    label = "authors, plain"
    note = "encoding left out; goes on with the machine that the indexed code trained"


class AuthorsWeighted(Authors):
    key, mode, kinds, keeps_state = "authors-weighted", "weighted", ("weighted",), False
    label = "authors, plain, weights"
    note = "their indexed code does not learn weights; encoding left out"


class AuthorsRegression(Authors):
    key, mode, kinds, keeps_state = "authors-regression", "regression", ("regression",), False
    label = "authors, regression"
    note = "encoding left out; squared error, as they have it"


class AuthorsPatches(Authors):
    """An epoch of its own would take minutes, so it goes on with falsum's machine."""

    key, mode, kinds = "authors-patches", "patches", ("patches",)
    keeps_state, trains, state_key = True, False, "falsum"
    label = "authors, convolution"
    note = "encoding left out; goes on with the machine that falsum trained"


class Parallel(Sources):
    package, version, worker = "pyTsetlinMachineParallel", "0.2.1", "authors_worker.py"
    files = ["MultiClassConvolutionalTsetlinMachine", "Tools"]
    ours = ["authors_seed.c"]
    flags = ["-fopenmp"]
    key, state_key, keeps_state, trains = "parallel", "authors", True, False
    label = "pyTsetlinMachineParallel"
    note = "one thread; encoding left out; goes on with the machine that the authors' indexed code trained"

    def machine(self, row):
        return {**super().machine(row), "mode": "parallel"}


class FuzzyPublic(Sources):
    """A file of ours, compiled like the others."""

    package, version, worker = "fuzzy-public", "1", "fuzzy_worker.py"
    ours = ["fuzzy_public.c"]
    key, label, kinds = "fuzzy-public", "the public method, in C", ("fuzzy",)
    note = "our C of what the public Julia code does: bits and popcount, loops of bytes"

    def machine(self, row):
        return {**super().machine(row), **fuzzy_machine(row)}

    def build(self, log):
        self.pip(log, "install", *self.requirements)
        self.compile(log)


class Green(Peer):
    package, version, worker = "green-tsetlin", "1.1.0", "green_worker.py"
    key, label = "green-tsetlin", "green-tsetlin, coalesced"
    note = "coalesced and weighted: as many clauses in all, T that of all classes; compiling its rules left out"
    keeps_state = True
    kinds = ("plain", "shared")

    def machine(self, row):
        """The clauses of all classes vote for every class, so the threshold is that of all classes together."""
        if row.kind == "shared":
            return {**super().machine(row), "total_clauses": row.clauses}
        classes = 2 if row.data == "imdb" else 10
        return {**super().machine(row), "threshold": row.threshold * classes}

    def epochs(self, row):
        """An epoch of its largest machine takes half an hour."""
        return 1 if row.clauses >= 20000 else row.epochs


class Tmu(Peer):
    package, version, worker = "tmu", "0.8.3", "tmu_worker.py"
    key, label = "tmu", "tmu"
    state_key, keeps_state, trains = "authors", True, False
    note = "encoding is part of its times; goes on with the machine that the authors' indexed code trained"


class TmuFamily(Tmu):
    """Its other machines. They learn from nothing: its states have no form that others share."""

    key, label, kinds = "tmu-family", "tmu", ("weighted", "regression", "multilabel")
    keeps_state, trains = False, True
    note = "encoding is part of its times; several labels: its multi-task classifier"

    def machine(self, row):
        return {**super().machine(row), "kind": row.kind}


PEERS = [Authors, AuthorsPlain, AuthorsWeighted, AuthorsRegression, AuthorsPatches, Parallel, FuzzyPublic, Green, Tmu,
         TmuFamily]  # fmt: skip
QUICK_PEERS = ["authors-indexed", "green-tsetlin"]


def peers_named(everybody, names, quick):
    """The peers of these names, all (or the quick ones) if there are none; ValueError names one that is not there."""
    known = {peer.key: peer for peer in everybody}
    for name in names:
        if name not in known:
            raise ValueError(f"there is no peer {name}; there are {', '.join(known)}")
    return [peer for peer in everybody if peer.key in (names or (QUICK_PEERS if quick else known))]

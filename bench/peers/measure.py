"""Measures one row: every system to its trained state, then interleaved rounds. One process works at a time."""

import contextlib
import fcntl
import json
import os
import time

from client import Client, WorkerFailed
from summary import microseconds, score_text, shown_epochs

SEED = 42


class Turn:
    """Holds a lock file while something is timed, so that several benchmarks on a machine take turns."""

    def __init__(self, path):
        self._path = path

    @contextlib.contextmanager
    def __call__(self):
        if not self._path:
            yield
            return
        with open(self._path, "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Contestant:
    """A system on one row: its worker, what is known about it so far."""

    def __init__(self, system, row, directory, data, say, seed=SEED):
        self.system, self.row, self.say = system, row, say
        trained = system.epochs(row)
        self.state_path = os.path.join(directory, f"{row.name}-{row.samples}x{trained}-{system.state_key}.state")
        self.result = {"label": system.label, "version": system.version, "note": system.note, "epochs": [],
                       "trained_epochs": trained}  # fmt: skip
        self.client = None
        self.client = Client(system.command, os.path.join(directory, f"{system.key}.log"))
        opened = self.ask("open", data=data, seed=seed, **system.machine(row))
        self.result.update(opened, threshold=system.machine(row)["threshold"])

    def ask(self, what, **request):
        answer = self.client.ask(what, **request)
        if "peak_memory" in answer:
            self.result["peak_memory"] = answer["peak_memory"]
        return answer

    def restore(self):
        """Takes the trained state of an earlier run, if there is one."""
        there = os.path.exists(self.state_path) and os.path.exists(self.state_path + ".json")
        if not (self.system.keeps_state and there):
            return False
        with open(self.state_path + ".json") as file:
            epochs = json.load(file)
        self.ask("load", path=self.state_path)
        if self.system.trains:
            self.result["epochs"] = [{**e, "cached": True} for e in epochs]
        return True

    def keep(self):
        hands_over = self.system.hands_over(self.row)
        if self.system.keeps_state or hands_over:
            self.ask("hand_over" if hands_over else "save", path=self.state_path)
            with open(self.state_path + ".json", "w") as file:
                json.dump(self.result["epochs"], file)

    def learn_epoch(self, samples, turn):
        piece, times = self.row.piece or samples, {"cpu": 0.0, "wall": 0.0}
        for first in range(0, samples, piece):
            with turn():
                answer = self.ask("learn", first=first, count=min(piece, samples - first))
            for clock in times:
                times[clock] += answer[clock]
        return times

    def repeat(self, what, least_seconds, **request):
        """One round of a measure: the request again and again until it took long enough to be measured."""
        answers, seconds = [], 0.0
        while seconds < least_seconds:
            answers.append(self.ask(what, **request))
            seconds += answers[-1]["cpu"]
        return answers


def affordable(answer, seconds, least, most):
    """How many samples take about so many seconds, by a trial's answer."""
    each = max(answer["cpu"] / answer["samples"], 1e-9)
    return int(min(most, max(least, seconds / each)))


def score(c, setting, shape):
    """Its answer for the test set, or for as much of it as a slow system can afford."""
    prepared = c.ask("predict", count=20).get("prepare", 0)
    c.result["prepare_seconds"] = prepared or c.result.get("prepare_seconds", 0)
    trial = c.ask("predict", count=20)
    return c.ask("predict", count=affordable(trial, setting.accuracy_seconds, 100, shape["test"]))


def kept_score(answer):
    return {key: answer[key] for key in ("accuracy", "rmse") if key in answer}


def train(contestants, row, samples, shape, setting, turn, lose):
    """Epoch by epoch, all systems in turn. Systems with a kept state have been through it already."""
    learners = [c for c in contestants if c.system.trains and not c.restore()]
    for epoch in range(1, row.epochs + 1):
        for c in [c for c in learners if epoch <= c.system.epochs(row)]:
            try:
                times = c.learn_epoch(samples, turn)
                if epoch in shown_epochs(row.epochs):
                    times.update(kept_score(score(c, setting, shape)))
                c.result["epochs"].append({"epoch": epoch, **times})
                c.say(f"{c.system.key}: epoch {epoch}, {times['cpu']:.2f} s")
                if epoch == c.system.epochs(row):
                    c.keep()
            except WorkerFailed as failure:
                learners.remove(c)
                lose(c, failure)
    for c in list(contestants):
        if not c.system.trains and not c.restore():
            lose(c, WorkerFailed("there is no trained state to continue from"))


def run_rounds(contestants, name, rounds, turn, lose, one_round):
    """The interleaved part: in every round each system does its share of the measure, one after the other."""
    for r in range(rounds):
        with turn():
            for c in list(contestants):
                try:
                    answers = one_round(c, r)
                except WorkerFailed as failure:
                    lose(c, failure)
                    continue
                measure = c.result.setdefault(name, {"samples": [], "microseconds": [], "wall_microseconds": []})
                total = sum(a["samples"] for a in answers)
                measure["samples"].append(total)
                measure["microseconds"].append(microseconds(answers))
                measure["wall_microseconds"].append(1e6 * sum(a["wall"] for a in answers) / total)
                if "engine" in answers[-1]:
                    measure["engine"] = answers[-1]["engine"]


def prepare_row(row, systems, shape, directory, data, say):
    """Trains what has no kept state yet and keeps it. Nobody waits for a turn, so the times are marked."""
    samples = row.samples or shape["train"]
    for system in systems:
        if not (system.keeps_state and system.trains):
            continue
        try:
            c = Contestant(system, row, directory, data, say)
            if not c.restore():
                for epoch in range(1, system.epochs(row) + 1):
                    times = c.learn_epoch(samples, Turn(""))
                    c.result["epochs"].append({"epoch": epoch, **times, "prepared": True})
                    say(f"{system.key}: epoch {epoch}, {times['cpu']:.2f} s")
                c.keep()
            c.client.close()
        except WorkerFailed as failure:
            say(f"{system.key} failed: {failure}")


def accuracy_row(row, systems, shape, epochs, directory, data, seed, say):
    """From nothing, one system after the other: (key, its score on the test data after each epoch, seconds of learning)."""
    for system in systems:
        try:
            c = Contestant(system, row, directory, data, say, seed)
            scores, seconds = [], 0.0
            for epoch in range(1, epochs + 1):
                seconds += c.learn_epoch(row.samples or shape["train"], Turn(""))["cpu"]
                scores.append(kept_score(c.ask("predict", count=shape["test"])))
                say(f"{system.key}: epoch {epoch}, {score_text(scores[-1])}, {seconds:.1f} s of learning")
            c.client.close()
            yield system.key, scores, seconds
        except WorkerFailed as failure:
            say(f"{system.key} failed: {failure}")


def measure_row(row, systems, shape, setting, directory, data, turn, say):
    """The result of one row: a dictionary for the JSON file and summary.row_markdown."""
    samples = row.samples or shape["train"]
    contestants, results = [], {}

    def lose(contestant, failure):
        say(f"{contestant.system.key} failed: {failure}")
        results[contestant.system.key] = {"label": contestant.system.label, "failed": str(failure)}
        contestants.remove(contestant)

    for system in systems:
        try:
            contestants.append(Contestant(system, row, directory, data, say))
            results[system.key] = contestants[-1].result
        except WorkerFailed as failure:
            say(f"{system.key} failed: {failure}")
            results[system.key] = {"label": system.label, "failed": str(failure)}
    try:
        train(contestants, row, samples, shape, setting, turn, lose)
        measure_trained(contestants, samples, shape, setting, turn, lose, say)
    finally:
        for c in contestants:
            c.client.close()
    return {"samples": samples, "test": shape["test"], "rounds": setting.rounds, "systems": results}


def measure_trained(contestants, samples, shape, setting, turn, lose, say):
    # The test set once, for the accuracy after training; the trial says how much of it a slow system can afford.
    share = {}
    for c in list(contestants):
        try:
            with turn():
                answer = score(c, setting, shape)
            c.result.update(kept_score(answer), accuracy_on=answer["samples"])
            share[c] = {"batch": affordable(answer, setting.batch_seconds, 100, shape["test"])}
            single = c.ask("single", first=0, count=20)
            share[c]["single"] = affordable(single, setting.single_seconds, 20, shape["test"] // setting.rounds)
        except WorkerFailed as failure:
            lose(c, failure)

    # Learning goes on through the training data, a part of it in each round; slow systems learn the first of the part.
    # Where even the slowest can afford more than the part, all learn as much as that, so that they stay in step.
    part = samples // setting.rounds
    trials = {}
    for c in list(contestants):
        trial = c.ask("learn", first=samples - part, count=min(part, 50))
        if trial["cpu"] < 0.1 * setting.learn_seconds:  # too short to judge by
            trial = c.ask("learn", first=samples - part, count=min(part, 1000))
        trials[c] = trial
        share[c]["warm"] = affordable(trial, setting.warm_seconds, 1, part)
    slowest = min((affordable(trial, setting.learn_seconds, 50, samples) for trial in trials.values()), default=part)
    for c, trial in trials.items():
        share[c]["learn"] = affordable(trial, setting.learn_seconds, 50, max(part, slowest))
    started = time.monotonic()

    def learn(c, r):
        # Another system had the caches: not timed, it learns some samples of another part first.
        c.ask("learn", first=(r + setting.rounds // 2) % setting.rounds * part, count=share[c]["warm"])
        return [c.ask("learn", first=min(r * part, samples - share[c]["learn"]), count=share[c]["learn"])]

    def predict(c, r):
        return c.repeat("predict", setting.least_seconds, count=share[c]["batch"])

    def single(c, r):
        count = share[c]["single"]
        return c.repeat("single", setting.least_seconds, first=r * count, count=count)

    run_rounds(contestants, "learning", setting.rounds, turn, lose, learn)
    # A first prediction after learning prepares, untimed; that need not be in anybody's turn.
    for c in list(contestants):
        c.ask("predict", count=20)
    run_rounds(contestants, "batch", setting.rounds, turn, lose, predict)
    run_rounds(contestants, "single", setting.rounds, turn, lose, single)
    say(f"rounds took {time.monotonic() - started:.0f} s")

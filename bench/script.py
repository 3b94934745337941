"""What the benchmark scripts share: a refusal in one sentence, results that are never half written, the way out."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Refusal(Exception):
    """One sentence for the user; exit code 2."""


def say(text):
    """Progress and complaints; the results go to stdout."""
    print(text, file=sys.stderr, flush=True)


def output_of(command):
    """What the command prints; Refusal with its last words when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except OSError as error:
        raise Refusal(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise Refusal((done.stderr.strip() or f"{os.path.basename(command[0])} failed").splitlines()[-1])
    return done.stdout


def chosen(names, known):
    """The parts that the user named, or all of them."""
    for name in names:
        if name not in known:
            raise Refusal(f"{name!r} is not one of {', '.join(known)}")
    return names or list(known)


def read_results(path):
    try:
        with open(path) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def write_results(path, results):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


def run(name, main, interrupted="interrupted"):
    """Ends the program with main's exit code; `interrupted` is what is said when the user stops it."""
    try:
        sys.exit(main(sys.argv[1:]))
    except Refusal as refusal:
        say(f"{name}: {refusal}")
        sys.exit(2)
    except KeyboardInterrupt:
        say(f"{name}: {interrupted}")
        sys.exit(130)

"""The result files: a line of JSON for every cell. A line is there as a whole or not at all."""

import json
import os


class Broken(Exception):
    """One sentence: a result file that cannot be read."""


def read_lines(path):
    """(records, the text of a last line that was cut off). Broken if any other line is no record."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        return [], ""
    *whole, rest = text.split("\n")
    records = []
    for number, line in enumerate(whole, 1):
        try:
            record = json.loads(line)
            record["cell"]["dataset"], record["cell"]["features"], record["cell"]["clauses"]
        except (ValueError, KeyError, TypeError):
            raise Broken(f"line {number} of {path} is no result: remove it and run again") from None
        records.append(record)
    return records, rest


def key(record):
    cell = record["cell"]
    return cell["dataset"], cell["features"], cell["clauses"]


def read(path):
    """The last record of every cell, by (dataset, features, clauses), and the cut-off rest."""
    records, rest = read_lines(path)
    return {key(record): record for record in records}, rest


def mend(path, rest):
    """Takes a cut-off last line away; the whole ones stay."""
    with open(path, "rb+") as file:
        size = file.seek(0, os.SEEK_END)
        file.truncate(size - len(rest.encode("utf-8")))


def append(path, record):
    """One write of a whole line, on disk before it returns."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    line = (json.dumps(record) + "\n").encode("utf-8")
    with open(path, "ab", buffering=0) as file:
        file.write(line)
        os.fsync(file.fileno())

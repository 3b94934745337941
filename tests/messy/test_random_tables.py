"""Tables drawn at random, in a random dialect: what was drawn is what is understood (FINDINGS 1.2, 1.3, 1.4, 1.5, 1.10)."""

import datetime
import json
import random

import pytest
from test_messy import MACHINE, printed

KINDS = {"real": "number", "whole": "number", "word": "category", "truth": "boolean", "day": "date", "moment": "datetime"}
WORDS = [["red", "blue", "green"], ["a", "b"], ["New York", "Paris, FR", "Rome"], ["x-ray", "y/z", "12 o'clock"]]
TRUTHS = [["TRUE", "FALSE"], ["True", "False"], ["true", "false"]]
LABELS = {"text": ["yes", "no", "may be"], "integer": ["0", "1", "2"], "boolean": ["True", "False"]}


def cells(draw, kind, count, decimal):
    begin = datetime.datetime(2020, 1, 1)
    choice, shape = draw.choice(TRUTHS if kind == "truth" else WORDS), draw.choice(["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"])
    one = {
        "real": lambda: f"{draw.uniform(-50, 50):.2f}".replace(".", decimal),
        "whole": lambda: str(draw.randrange(-20, 300)),
        "word": lambda: draw.choice(choice),
        "truth": lambda: draw.choice(choice),
        "day": lambda: str((begin + datetime.timedelta(days=draw.randrange(1500))).date()),
        "moment": lambda: (begin + datetime.timedelta(seconds=draw.randrange(10**8))).strftime(shape),
    }[kind]
    return [one() for _ in range(count)]


def written(draw, records, delimiter):
    """Quotes around all cells, all text, or where they must be."""
    style = draw.choice(["all", "text", "needed"])

    def cell(text):
        is_text = any(c.isalpha() for c in text)
        if style == "all" or (style == "text" and is_text) or delimiter in text:
            return f'"{text}"'
        return text

    end = draw.choice(["\n", "\r\n", "\r"])
    return end.join(delimiter.join(map(cell, record)) for record in records) + end


@pytest.mark.parametrize("seed", range(60))
def test_a_random_table_is_understood(seed, tmp_path):
    draw = random.Random(seed)
    count, delimiter = draw.randrange(30, 80), draw.choice(",;\t|")
    decimal = "," if delimiter in ";\t" and draw.random() < 0.5 else "."
    kinds = [draw.choice(list(KINDS)) for _ in range(draw.randrange(1, 6))]
    columns = [cells(draw, kind, count, decimal) for kind in kinds]
    mark, missing = draw.choice(["", "NA", "?", "nan", "NULL"]), []
    for column in columns:
        holes = draw.sample(range(count), draw.choice([0, 0, 1, count // 8]))
        for row in holes:
            column[row] = mark
        missing.append(len(holes))
    label_kind = draw.choice(list(LABELS))
    columns.append([draw.choice(LABELS[label_kind]) for _ in range(count)])
    records = [list(record) for record in zip(*columns)]
    header, names = draw.random() < 0.6, [draw.choice("c2") + f"0{c}" for c in range(len(kinds))] + ["outcome"]
    indexed = header and draw.random() < 0.3
    if header:
        records.insert(0, names)
    if indexed:
        records = [["" if r == 0 and header else str(r - 1), *record] for r, record in enumerate(records)]
    path = tmp_path / "table.csv"
    path.write_bytes(written(draw, records, delimiter).encode(draw.choice(["utf-8", "utf-8-sig", "utf-16"])))

    schema = json.loads(printed("train", path, *MACHINE, "--dry-run", "--json"))["schema"]
    assert (schema["delimiter"], schema["header"], schema["rows"]) == (delimiter, header, count)
    assert (schema["label_kind"], schema["classes"]) == (label_kind, len(set(columns[-1])))
    if "real" in kinds:
        assert schema["decimal"] == decimal
    index = [("ignored", "number", 0)] if indexed else []
    features = [("feature", KINDS[kind], holes) for kind, holes in zip(kinds, missing)]
    assert [(c["role"], c["kind"], c["missing"]) for c in schema["columns"][:-1]] == index + features
    if header:
        assert [c["name"] for c in schema["columns"][len(index) :]] == names

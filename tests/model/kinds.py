"""The smallest good model and checkpoint of every kind of machine, as sections in plain: [(tag, payload), ...].

Fuzzing begins with them (fuzz/seeds.py), and what is spoiled in them must be refused (tests/model/test_kinds.py).
"""

import struct

import read_model

PACKED = {
    "model": ("CLAU", "LITS", "FUZZ", "WGTS", "BOOL", "TRUE", "true", "schm", "prob"),
    "checkpoint": ("BANK", "WGTS"),
}
BITS = bytes([0, 3, 0, 0])  # the booleanizer of three bits
INFO = b"\6epochs\x08" + struct.pack("<Q", 3)
CLAUSE = bytes([127, 128, 0, 255, 127, 127]) + bytes([3, 1, 2])  # of a bank: states of six automata, pending events, hot literals


def text(value):
    return bytes([len(value)]) + value


def named(**values):
    """Values by name, as options, calibrations and provenance are stored."""

    def stored(value):
        if isinstance(value, bool):
            return bytes([value])
        if isinstance(value, str):
            return text(value.encode())
        if isinstance(value, bytes):
            return value
        return struct.pack("<d" if isinstance(value, float) else "<Q", value)

    return b"".join(text(name.encode()) + text(stored(value)) for name, value in values.items())


def model(outputs=2, labels=(), calibration=None, more=(), weights=bytes([2, 0, 6, 1, 3, 1, 1, 16]), **options):
    return [
        ("SHAP", struct.pack("<3Q", 3, outputs, 3)),
        ("OPTS", named(clauses=2, **options)),
        ("LITS", bytes([1, 0, 2, 1, 3, 0])),  # x0; x1 and not x2; nothing
        ("WGTS", weights),
        *more,
        ("LABL", bytes([len(labels)]) + b"".join(map(text, labels))),
        ("BOOL", BITS),
        ("info", INFO),
        *([("prob", named(**calibration))] if calibration else []),
    ]


def curve(*points):
    return bytes([len(points)]) + b"".join(bytes([2 * lead]) + struct.pack("<d", p) for lead, p in points)


def numbers(least, most):
    return [("RANG", struct.pack("<2d", least, most))]


MODELS = {
    "weighted": model(max_weight=9),
    "shared": model(shared=True),
    "focused": model(shared=True, negatives="focused", specificity_to=9.0, max_literals=2, drop_clauses=0.25),
    "labels": model(labels=(b"a", b"b"), task="multilabel", negative_share=0.5),
    "shared labels": model(labels=(b"a", b"b"), task="multilabel", shared=True),
    "numbers": model(1, more=numbers(-1, 9), weights=bytes([2, 0, 6, 1, 3]), task="regression", threshold=20),
    "weighted numbers": model(1, more=numbers(2, 2), weights=bytes([1, 1, 16]), task="regression", weighted=True, error="linear"),
    "temperature": model(max_weight=9, calibration={"rows": 5, "temperature": 0.25}),
    "patches": model(more=[("PTCH", struct.pack("<Q", 3))], patch="1x2", image="1x3"),  # a position bit, two pixels
    "fuzzy": [
        ("FUZZ" if tag == "LITS" else tag, payload)
        for tag, payload in model(weights=bytes([2, 0, 2, 1, 1, 1, 2, 2]), fuzzy=2, max_literals=2)
    ],
    "isotonic": model(max_weight=9, calibration={"rows": 5, "isotonic": curve((0, 0.25)) + curve((0, 0.0), (3, 1.0))}),
}


def checkpoint(outputs=2, banks=2, weights=b"", more=(), bank=2 * CLAUSE, **options):
    return [
        ("SHAP", struct.pack("<3Q", 3, outputs, 2 * banks)),
        ("OPTS", named(clauses=2, **options)),
        ("PROG", struct.pack(f"<{3 + banks}Q", 1, 0, 0, *[9] * banks)),
        ("DRAW", b"\2"),
        *more,
        *([("WGTS", weights)] if weights else []),
        *[("BANK", bank)] * banks,
    ]


CHECKPOINTS = {
    "weighted": checkpoint(weights=bytes([1, 9, 3, 1]), max_weight=9),
    "shared": checkpoint(banks=1, weights=bytes([1, 6, 0, 5]), shared=True),  # zigzag: -1, 3, 0, -3
    "focused": checkpoint(banks=1, weights=bytes(4), shared=True, negatives="focused", drop_literals=0.25),
    "labels": checkpoint(task="multilabel", negative_share=0.5),
    "one label": checkpoint(1, 1, task="multilabel"),
    "shared labels": checkpoint(banks=1, weights=bytes([1, 6, 0, 5]), task="multilabel", shared=True),
    "numbers": checkpoint(1, 1, more=numbers(-1, 9), task="regression", threshold=20),
    "patches": checkpoint(patch="1x2", image="1x3"),
    "fuzzy": checkpoint(bank=bytes([127, 128, 0, 255, 127, 127] * 2), fuzzy=2, max_literals=2),
    "weighted numbers": checkpoint(1, 1, bytes([1, 9]), numbers(2, 2), task="regression", weighted=True, max_weight=9),
}


def part(*classes, shard=0, shards=1, clauses=2):
    """A checkpoint of some of four classes, each of `clauses` clauses of which it has those of a shard."""
    gaps = [c - before - 1 for c, before in zip(classes, (-1, *classes))]
    own = (shard + 1) * clauses // shards - shard * clauses // shards
    return [
        ("SHAP", struct.pack("<3Q", 3, 4, 4 * clauses)),
        ("OPTS", named(clauses=clauses)),
        ("PART", text(b"0.2.0") + bytes([shards, shard, len(classes), *gaps])),
        *[(tag, payload) for tag, payload in checkpoint(4, len(classes) or 4, bank=own * CLAUSE) if tag not in ("SHAP", "OPTS")],
    ]


def with_section(sections, tag, payload):
    """The sections with another payload for the tag; None: without it."""
    assert any(name == tag for name, _ in sections)
    return [(name, payload if name == tag else old) for name, old in sections if name != tag or payload is not None]


def file_of(form, sections):
    """The bytes of a file. form: "model" or "checkpoint"."""
    packed = [(tag, read_model.pack(payload) if tag in PACKED[form] else payload) for tag, payload in sections]
    return read_model.write_container(2, 1 if form == "model" else 2, packed)

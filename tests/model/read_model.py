"""A reader of falsum's files written from docs/model_format.md alone: no falsum code, only zstd and xxHash.

It exists so that the document is tested: a byte that the document does not explain is a byte that this cannot read.
"""

import ctypes
import datetime
import math
import struct

MAGIC = b"FALSUM\x1a\n"
END = b"END "
COLUMN_KINDS = ("number", "boolean", "category", "date", "datetime", "time", "empty")
ROLES = ("feature", "label", "ignored")
FORMATS = ("none", "csv", "svmlight", "npy", "idx", "builtin", "frame")
LABEL_KINDS = ("text", "integer", "real", "boolean")

_zstd = ctypes.CDLL("libzstd.so.1")
_zstd.ZSTD_decompress.restype = ctypes.c_size_t
_zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
_xxhash = ctypes.CDLL("libxxhash.so.0")
_xxhash.XXH64.restype = ctypes.c_uint64
_xxhash.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]


def checksum(content):
    return _xxhash.XXH64(content, len(content), 0)


class Reader:
    def __init__(self, content):
        self.content, self.at = content, 0

    def raw(self, size):
        assert self.at + size <= len(self.content), "ends too early"
        self.at += size
        return self.content[self.at - size : self.at]

    def value(self, form):
        return struct.unpack("<" + form, self.raw(struct.calcsize("<" + form)))[0]

    def u8(self):
        return self.value("B")

    def u32(self):
        return self.value("I")

    def u64(self):
        return self.value("Q")

    def f64(self):
        return self.value("d")

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return -(value + 1) // 2 if value % 2 else value // 2

    def text(self):
        return self.raw(self.varint()).decode("utf-8")

    def texts(self):
        return [self.text() for _ in range(self.varint())]

    def done(self):
        assert self.at == len(self.content), "bytes after the end"


def unpack(payload):
    reader = Reader(payload)
    size = reader.varint()
    frame = reader.raw(len(payload) - reader.at)
    plain = ctypes.create_string_buffer(max(size, 1))
    assert _zstd.ZSTD_decompress(plain, size, frame, len(frame)) == size
    return plain.raw[:size]


def pack(plain):
    """One zstd frame with a block of the bytes as they are: what RFC 8878 calls a raw block."""
    assert 0 < len(plain) < 2**16
    size, content = len(plain), b""
    while size >= 0x80:
        content += bytes([size & 0x7F | 0x80])
        size >>= 7
    content += bytes([size])
    frame = struct.pack("<IB", 0xFD2FB528, 0xA0) + struct.pack("<I", len(plain))  # one segment, its size in four bytes
    return content + frame + struct.pack("<I", len(plain) << 3 | 1)[:3] + plain


def pack_section(tag, payload):
    body = tag + struct.pack("<Q", len(payload)) + payload
    return body + struct.pack("<Q", checksum(body))


def read_container(content):
    """(version, kind, [(tag, payload), ...])"""
    reader = Reader(content)
    assert reader.raw(8) == MAGIC
    version, kind = reader.u32(), reader.u32()
    sections = []
    while True:
        start = reader.at
        tag, length = reader.raw(4), reader.u64()
        payload = reader.raw(length)
        assert checksum(content[start : reader.at]) == reader.u64(), tag
        if tag == END:
            assert length == 0
            break
        sections.append((tag.decode("ascii"), payload))
    reader.done()
    return version, kind, sections


def write_container(version, kind, sections):
    content = MAGIC + struct.pack("<II", version, kind)
    for tag, payload in sections:
        content += pack_section(tag.encode("ascii"), payload)
    return content + pack_section(END, b"")


def read_machine(payload):
    reader = Reader(payload)
    machine = {name: reader.u64() for name in ("features", "classes", "clauses", "threshold")}
    machine["specificity"] = reader.f64()
    machine["states"] = reader.u32()
    switches = reader.u8()
    machine["boost"], machine["sharded"] = bool(switches & 1), bool(switches & 2)
    machine["seed"] = reader.u64()
    reader.done()
    return machine


INTEGER_OPTIONS = ("clauses", "threshold", "states", "block", "max_weight", "max_literals", "fuzzy", "include_limit", "snapshots", "seed")
REAL_OPTIONS = ("specificity", "specificity_to", "weight_growth", "negative_share", "drop_clauses", "drop_literals")


def read_named_machine(section):
    """The machine of a file that has no MACH: its shape, and options by name."""
    shape, machine = Reader(section["SHAP"]), {}
    machine.update(features=shape.u64(), classes=shape.u64(), all_clauses=shape.u64())
    shape.done()
    reader = Reader(section["OPTS"])
    while reader.at < len(reader.content):
        name, value = reader.text(), Reader(reader.raw(reader.varint()))
        if name in INTEGER_OPTIONS:
            machine[name] = value.u64()
        elif name in REAL_OPTIONS:
            machine[name] = value.f64()
        elif name in ("boost", "sharded", "weighted", "shared", "clamp"):
            machine[name] = bool(value.u8())
        elif name in ("task", "negatives", "error", "length", "patch", "image", "stride"):
            machine[name] = value.text()
        else:
            machine[name] = value.raw(len(value.content))
        value.done()
    return machine


def read_any_machine(section):
    return read_machine(section["MACH"]) if "MACH" in section else read_named_machine(section)


def read_literals(reader):
    literals, following = [], 0
    for _ in range(reader.varint()):
        literals.append(following + reader.varint())
        following = literals[-1] + 1
    return literals


def read_clauses(section, machine):
    """([literal, ...] for every clause, {clause: votes} for every class)."""
    clauses, weights = [], [{} for _ in range(machine["classes"])]
    if "CLAU" in section:
        reader = Reader(unpack(section["CLAU"]))
        for c in range(machine["classes"] * machine["clauses"]):
            weight = reader.varint()
            against = c % machine["clauses"] >= machine["clauses"] // 2
            weights[c // machine["clauses"]][c] = -weight if against else weight
            clauses.append(read_literals(reader))
        reader.done()
        return clauses, weights
    reader = Reader(unpack(section["FUZZ" if "FUZZ" in section else "LITS"]))
    clauses = [read_literals(reader) for _ in range(machine["all_clauses"])]
    reader.done()
    reader = Reader(unpack(section["WGTS"]))
    for of_class in weights:
        following = 0
        for _ in range(reader.varint()):
            clause = following + reader.varint()
            of_class[clause] = reader.zigzag()
            following = clause + 1
    reader.done()
    return clauses, weights


def read_info(payload):
    reader, provenance = Reader(payload), {"test_accuracy": -1.0}
    while reader.at < len(reader.content):
        name, value = reader.text(), Reader(reader.raw(reader.varint()))
        if name in ("falsum_version", "data"):
            provenance[name] = value.text()
        elif name in ("samples", "epochs"):
            provenance[name] = value.u64()
        elif name in ("test_accuracy", "test_rmse"):
            provenance[name] = value.f64()
    return provenance


def read_provenance(payload):
    reader = Reader(payload)
    provenance = {
        "falsum_version": reader.text(),
        "data": reader.text(),
        "samples": reader.u64(),
        "epochs": reader.u64(),
        "test_accuracy": reader.f64(),
    }
    reader.done()
    return provenance


def read_column(reader, version):
    column = {"name": reader.text(), "missing": False, "unit": "number"}
    if version == 2:
        column["missing"] = bool(reader.u8())
        column["unit"] = COLUMN_KINDS[reader.u8()]
    column["kind"] = ("numeric", "categorical", "boolean")[reader.u8()]
    if column["kind"] == "numeric":
        column["thresholds"] = [reader.f64() for _ in range(reader.varint())]
    elif column["kind"] == "categorical":
        column["categories"] = reader.texts()
    return column


def read_booleanizer(payload):
    reader = Reader(unpack(payload))
    number = reader.u8()
    kind = ("bits", "levels", "columns", "words", "phrases", "columns")[number]
    mapping = {"kind": kind, "version": 2 if number == 5 else 1}
    if kind == "bits":
        mapping.update(features=reader.varint(), width=reader.varint(), names=reader.texts())
    elif kind == "levels":
        mapping.update(pixels=reader.varint(), width=reader.varint())
        mapping["thresholds"] = [reader.u8() for _ in range(reader.varint())]
    elif kind == "columns":
        mapping["columns"] = [read_column(reader, mapping["version"]) for _ in range(reader.varint())]
    else:
        if kind == "phrases":
            mapping["words"] = reader.varint()
        mapping["vocabulary"] = reader.texts()
    reader.done()
    return mapping


def read_schema(payload):
    """Named values; those with names that this does not know are left as bytes."""
    reader, schema = Reader(unpack(payload)), {}
    while reader.at < len(reader.content):
        name, value = reader.text(), Reader(reader.raw(reader.varint()))
        if name == "format":
            schema[name] = FORMATS[value.u8()]
        elif name == "labels":
            schema[name] = LABEL_KINDS[value.u8()]
        elif name == "dialect":
            marks = [chr(value.u8()) for _ in range(6)]
            schema["delimiter"], schema["quote"] = marks[:2]
            schema["backslash"], schema["header"] = (bool(ord(mark)) for mark in marks[2:4])
            schema["decimal"], schema["thousands"] = marks[4], marks[5].strip("\0")
        elif name == "missing":
            schema[name] = value.texts()
        elif name == "first_index":
            schema[name] = value.u8()
        elif name == "columns":
            schema[name] = [read_column_schema(value) for _ in range(value.varint())]
        else:
            schema[name] = value.raw(len(value.content))
        value.done()
    return schema


def read_column_schema(reader):
    column = {"name": reader.text(), "role": ROLES[reader.u8()], "kind": COLUMN_KINDS[reader.u8()]}
    column.update(missing=reader.varint(), distinct=reader.varint(), least=reader.f64(), most=reader.f64())
    return column


def read_calibration(payload, classes):
    reader, calibration = Reader(unpack(payload)), {}
    while reader.at < len(reader.content):
        name, value = reader.text(), Reader(reader.raw(reader.varint()))
        if name == "rows":
            calibration[name] = value.u64()
        elif name == "temperature":
            calibration[name] = value.f64()
        elif name == "isotonic":
            calibration[name] = [[(value.zigzag(), value.f64()) for _ in range(value.varint())] for _ in range(classes)]
        else:
            continue
        value.done()
    return calibration


def read_model(content):
    version, kind, sections = read_container(content)
    assert version in (1, 2) and kind == 1
    section = {"true" if tag == "TRUE" else tag: payload for tag, payload in sections}
    model = {"machine": read_any_machine(section)}
    model["clauses"], model["weights"] = read_clauses(section, model["machine"])
    assert ("PTCH" in section) == ("patch" in model["machine"])
    if "PTCH" in section:  # literals below this are features of a patch, the others their negations
        size = Reader(section["PTCH"])
        model["patch_features"] = size.u64()
        size.done()
    if "RANG" in section:
        ends = Reader(section["RANG"])
        model["range"] = (ends.f64(), ends.f64())
        ends.done()
    labels = Reader(section["LABL"])
    model["labels"] = labels.texts()
    labels.done()
    model["booleanizer"] = read_booleanizer(section["BOOL"])
    assert version == max(model["booleanizer"]["version"], 1 if "MACH" in section else 2)
    if "schm" in section:
        model["schema"] = read_schema(section["schm"])
    if "prob" in section:
        model["calibration"] = read_calibration(section["prob"], model["machine"]["classes"])
    model["provenance"] = read_provenance(section["PROV"]) if "PROV" in section else read_info(section["info"])
    if "true" in section:
        shares = unpack(section["true"])
        model["truth_shares"] = list(struct.unpack(f"<{model['machine']['features']}H", shares))
    return model


def read_checkpoint(content, banks=True):
    """banks: also what all automata hold, which takes long for a large machine."""
    version, kind, sections = read_container(content)
    assert version in (1, 2) and kind == 2
    section = {"true" if tag == "TRUE" else tag: payload for tag, payload in sections}
    machine = read_any_machine(section)
    checkpoint = {"machine": machine}
    reader = Reader(section["PROG"])
    checkpoint.update(epoch=reader.u64(), position=reader.u64(), rows=reader.u64())
    learners = 1 if machine.get("shared") or machine.get("task") == "regression" else machine["classes"]
    clauses = machine["clauses"]  # of a bank
    if "PART" in section:  # the banks of some classes, or a range of their clauses
        part = Reader(section["PART"])
        checkpoint["falsum_version"], shards, shard = part.text(), part.varint(), part.varint()
        checkpoint["classes"] = read_literals(part) or list(range(learners))
        part.done()
        checkpoint["first_clause"], last = shard * clauses // shards, (shard + 1) * clauses // shards
        learners, clauses = len(checkpoint["classes"]), last - checkpoint["first_clause"]
    checkpoint["uses"] = [reader.u64() for _ in range(learners)]
    reader.done()
    checkpoint["draws"] = Reader(section["DRAW"]).varint() if "DRAW" in section else 1
    checkpoint["ahead"], checkpoint["votes_left"] = [0] * learners, [[]] * learners
    assert version == (2 if {"AHED", "SHAP", "RATE", "PART"} & set(section) else 1)
    if "RATE" in section:
        reader = Reader(section["RATE"])
        checkpoint.update(samples_of_epoch=reader.u64(), row_weights=reader.u64())
        reader.done()
    if "WGTS" in section:
        reader = Reader(unpack(section["WGTS"]))
        if machine.get("shared"):  # of every clause the weights for all classes, with signs
            checkpoint["weights"] = [[[reader.zigzag() for _ in range(machine["classes"])] for _ in range(clauses)]]
        else:
            checkpoint["weights"] = [[reader.varint() for _ in range(clauses)] for _ in range(learners)]
        reader.done()
    checkpoint["snapshots"] = [read_model(payload) for tag, payload in sections if tag == "SNAP"]
    assert not checkpoint["snapshots"] or len(checkpoint["snapshots"]) < machine["snapshots"]
    if "AHED" in section:
        reader = Reader(section["AHED"])
        for c in range(learners):
            checkpoint["ahead"][c] = reader.varint()
            if machine["sharded"]:
                checkpoint["votes_left"][c] = [reader.value("q") for _ in range(reader.varint())]
        reader.done()
    if "data" in section:
        reader = Reader(section["data"])
        checkpoint["data"] = {name: reader.u64() for name in ("rows", "features", "values", "labels", "label_names", "feature_names")}
        if len(section["data"]) > 48:
            checkpoint["data"]["weights"] = reader.u64()
        reader.done()
    if "true" in section:
        reader = Reader(section["true"])
        checkpoint["samples"] = reader.varint()
        checkpoint["true"] = [reader.varint() for _ in range(machine["features"])]
        reader.done()
    checkpoint["banks"] = []
    for tag, payload in sections:
        if tag != "BANK" or not banks:
            continue
        reader, bank = Reader(unpack(payload)), []
        for _ in range(clauses):
            if machine.get("fuzzy", 0) > 0:  # nothing waits, and there are no hot literals
                bank.append({"states": list(reader.raw(2 * machine["features"]))})
                continue
            literals = 2 * (len(patches_of([False] * machine["features"], machine)[0]) if "patch" in machine else machine["features"])
            clause = {"states": list(reader.raw(literals)), "pending": reader.u8()}
            clause["hot"] = [reader.varint() for _ in range(reader.varint())]
            bank.append(clause)
        reader.done()
        checkpoint["banks"].append(bank)
    return checkpoint


def value_of(cell, unit, decimal="."):
    """A cell as the number that thresholds are compared with."""
    if unit == "date":
        return (datetime.date.fromisoformat(cell) - datetime.date(1970, 1, 1)).days
    if unit == "datetime":
        return (datetime.datetime.fromisoformat(cell) - datetime.datetime(1970, 1, 1)).total_seconds()
    if unit == "time":
        return sum(int(part) * scale for part, scale in zip(cell.split(":"), (3600, 60, 1)))
    if cell.lower() in ("true", "false"):
        return float(cell.lower() == "true")
    return float(cell.replace(decimal, "."))


def features_of(cells, booleanizer, decimal=".", missing=("",)):
    """The cells of the features of a row as Boolean features, for the kind `columns`."""
    features = []
    for cell, column in zip(cells, booleanizer["columns"], strict=True):
        known = cell not in missing
        value = value_of(cell, column["unit"], decimal) if known and column["kind"] != "categorical" else None
        if column["kind"] == "numeric":
            features += [known and value >= threshold for threshold in column["thresholds"]]
        elif column["kind"] == "categorical":
            features += [known and cell == category for category in column["categories"]]
        else:
            features.append(known and value == 1)
        if column["missing"]:
            features.append(not known)
    return features


def patches_of(features, machine):
    """The features of every patch of a row: positions above it, positions left of it, then its bits."""
    height, width, channels = ([int(side) for side in machine["image"].split("x")] + [1])[:3]
    rows, columns = (int(side) for side in machine["patch"].split("x"))
    row_stride, column_stride = (int(side) for side in machine.get("stride", "1x1").split("x"))
    down, across = (height - rows) // row_stride + 1, (width - columns) // column_stride + 1
    patches = []
    for y in range(down):
        for x in range(across):
            patch = [y > t for t in range(down - 1)] + [x > t for t in range(across - 1)]
            for r in range(y * row_stride, y * row_stride + rows):
                first = (r * width + x * column_stride) * channels
                patch += features[first : first + columns * channels]
            patches.append(patch)
    return patches


def votes(features, model):
    """The votes of every class: an empty clause is silent, unless it is fuzzy."""
    if "patch" in model["machine"]:
        patches = patches_of(features, model["machine"])
        assert all(len(patch) == model["patch_features"] for patch in patches)
        rows = [patch + [not feature for feature in patch] for patch in patches]
        true = [bool(literals) and any(all(row[literal] for literal in literals) for row in rows) for literals in model["clauses"]]
        return [sum(votes for clause, votes in of_class.items() if true[clause]) for of_class in model["weights"]]
    truths = features + [not feature for feature in features]
    values = []
    for literals in model["clauses"]:
        most = model["machine"].get("fuzzy", 0)
        misses = sum(not truths[literal] for literal in literals)
        if most == 0:
            values.append(1 if literals and misses == 0 else 0)
        elif model["machine"].get("clamp") and 0 < len(literals) < most:
            values.append(max(0, len(literals) - misses))
        else:
            values.append(max(0, most - misses))
    return [sum(votes * values[clause] for clause, votes in of_class.items()) for of_class in model["weights"]]


def height(curve, lead):
    """A straight line between two points of a curve, level outside of them."""
    if lead <= curve[0][0]:
        return curve[0][1]
    for (low, p), (high, q) in zip(curve, curve[1:]):
        if lead <= high:
            return p + (q - p) * (lead - low) / (high - low)
    return curve[-1][1]


def probabilities(votes, model):
    """The probability of every class, from its votes."""
    machine, calibration = model["machine"], model.get("calibration", {})
    threshold = machine["threshold"] * machine.get("snapshots", 1) * (256 if machine.get("weight_growth", 0) > 0 else 1)
    others = len(votes) - 1
    if "temperature" in calibration:
        p = [math.exp((v - max(votes)) / (threshold * calibration["temperature"])) for v in votes]
    elif "isotonic" in calibration:
        leads = [v - max(votes[:c] + votes[c + 1 :]) for c, v in enumerate(votes)]
        p = [height(curve, lead) for curve, lead in zip(calibration["isotonic"], leads)]
    else:
        middle = sum(votes) / 2 if others == 1 else 0
        clipped = [min(max(v - middle, -threshold), threshold) for v in votes]
        p = [(threshold + v) / ((threshold + v) + others * (threshold - v)) for v in clipped]
    p = [each / sum(p) for each in p] if sum(p) > 0 else [1 / len(p)] * len(p)
    winner = votes.index(max(votes))
    pooled = [winner]
    for c in sorted(range(len(p)), key=lambda c: -p[c]):  # the winner and those above it get their mean
        if p[c] > sum(p[i] for i in pooled) / len(pooled):
            pooled.append(c)
    mean = sum(p[i] for i in pooled) / len(pooled)
    return [mean if c in pooled else each for c, each in enumerate(p)]

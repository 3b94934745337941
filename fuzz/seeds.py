"""What fuzzing begins with: small good inputs of every kind, for each target. write(folder) makes <folder>/<target>/*."""

import gzip
import io
import lzma
import pathlib
import struct
import sys
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "model"))
import kinds  # noqa: E402
import read_model  # noqa: E402
from kinds import text  # noqa: E402


def npy(descr, shape, values, version=1, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + values


def arrays():
    yield npy("<f8", "(3, 2)", struct.pack("<6d", 0.5, 1, 2, 0, 4, 1))
    yield npy("<f4", "(4, 2)", struct.pack("<8f", 0.5, 1, 2, 0, 4, 1, 7, 0), version=2)
    yield npy("|u1", "(2, 2, 3)", bytes(range(12)))
    yield npy("|b1", "(4, 3)", bytes([0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1]), fortran=True)
    yield npy("<i8", "(2, 3)", struct.pack("<6q", 1, -2, 3, 4, 5, 6))
    yield npy("<U3", "(3,)", "abcdefghi".encode("utf-32-le"))
    yield npy("|S2", "(3, 1)", b"aabbcc")


def zips():
    features, labels = npy("<f8", "(3, 2)", struct.pack("<6d", 0.5, 1, 2, 0, 4, 1)), npy("<i8", "(3,)", struct.pack("<3q", 0, 1, 0))
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for names in (("X.npy", "y.npy"), ("x_train.npy", "y_train.npy")):
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w", method) as archive:
                archive.writestr(names[0], features)
                archive.writestr(names[1], labels)
            yield buffer.getvalue()


def compressed():
    text = b"a,b,class\n1,2,x\n3,4,y\n" * 5
    yield b"\0" + gzip.compress(text)
    yield b"\0" + gzip.compress(text) + gzip.compress(b"") + b"\0\0"
    small = [{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]  # a usual dictionary is 8 MB for every execution
    yield b"\1" + lzma.compress(text, filters=small)
    yield b"\1" + lzma.compress(text, check=lzma.CHECK_SHA256, filters=small)
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    yield b"\2" + raw.compress(bytes(128)) + raw.flush()


def images():
    for shape in ([3, 2, 2], [3, 4], [12], [1, 1, 1]):
        count = 1
        for extent in shape:
            count *= extent
        for values in (bytes(i * 21 % 256 for i in range(count)), bytes(i % 2 for i in range(count))):
            yield b"\0\0\x08" + bytes([len(shape)]) + b"".join(struct.pack(">I", extent) for extent in shape) + values


TABLES = [
    b"a,b,class\n1,2,x\n3,4,y\n",
    b"\xef\xbb\xbfa;b;c\r\n1.5;red;yes\r\n-2e3;blue;no\r\n",
    b'"a ""quoted"" name"\tb\n1\tx\n2\ty\n0\tx\n',
    b"0,1,0\n1,1,1\n\n0,0,0\n",
    b'a,b\n"line\nbreak",1\n,2\n',
]
STREAMED = [
    b"a,b,c,y\n1,red,2024-02-29,x\n2.5,blue,2023-01-01,y\n,?,NA,\n",
    b"1,red,2024-02-29,x\n3,blue,2023-01-01\n",
    b"y,c,b,a\r\nx,2024-02-29,red,1\r\nx,no,red,2\r\n",
    b'b;a;c\r"line\rbreak";1;2020-01-01\r"x;";2;2020-01-02\r',
    b'a,b,c\n1,"open,2020-01-01\n2,x,2020-01-02\n3,"y" z,2020-01-03\n',
    b"# a title\na\tb\tc\n1\tx\t2020-01-01\n(1 row)\n",
    b"\xff\xfe" + "a,b,c\n1,x,2020-01-01\n".encode("utf-16-le"),
    b"\xff\xfe" + "\ufeffa,b,c\n1,x,2020-01-01\n".encode("utf-16-le"),  # the second mark is text
]
SPARSE = [
    b"1 1:0.5 3:1\n-1 2:1 # comment\n",
    b"0 qid:3 0:1 7:2\n1 1:1e-3\n",
    b"+1\n-1 5:1\n",
    b"a 1:1 1000:2\nb 2:1\n",
]


def plain(sections):
    return b"\1" + b"".join(tag.encode() + struct.pack("<H", len(payload)) + payload for tag, payload in sections)


def machine(features, classes, clauses):
    return struct.pack("<QQQQdIBQ", features, classes, clauses, 5, 3.9, 256, 1, 7)


def models():
    golden = (ROOT / "tests" / "golden" / "model_v1.fsm").read_bytes()
    yield b"\0" + golden
    sections = read_model.read_container(golden)[2]
    packed = kinds.PACKED["model"]
    yield plain([(tag, read_model.unpack(payload) if tag in packed else payload) for tag, payload in sections])
    for name in ("temperature", "isotonic"):
        sections = read_model.read_container((ROOT / "tests" / "golden" / f"model_v1_{name}.falsum").read_bytes())[2]
        yield plain([(tag, read_model.unpack(payload) if tag in packed else payload) for tag, payload in sections])
    clauses = b"".join(bytes([1, len(literals), *literals]) for literals in ([0], [1, 2], [], [5]))
    mappings = [
        bytes([0, 3, 0, 0]),  # bits
        bytes([0, 3, 3, 3]) + text(b"a") + text(b"b") + text(b"c"),
        bytes([1, 3, 3, 1, 75]),  # levels
        bytes([2, 2]) + text(b"x") + bytes([0, 2]) + struct.pack("<2d", 1, 2) + text(b"y") + bytes([2]),
        bytes([2, 1]) + text(b"") + bytes([1, 3]) + text(b"red") + text(b"blue") + text(b""),
        bytes([3, 3]) + text(b"good") + text(b"bad") + text(b"ugly"),
        bytes([5, 2]) + text(b"x") + bytes([1, 3, 0, 1]) + struct.pack("<d", 9) + text(b"y") + bytes([0, 0, 2]),  # missing, dates
    ]
    for mapping in mappings:
        yield plain([
            ("MACH", machine(3, 2, 2)), ("CLAU", clauses), ("LABL", bytes([2]) + text(b"no") + text(b"yes")), ("BOOL", mapping),
            ("PROV", text(b"0.1.0") + text(b"data") + struct.pack("<QQd", 9, 1, 0.5)), ("true", struct.pack("<3H", 1, 2, 65535)),
            *([("schm", schema(mapping[1]))] if mapping[0] in (0, 2, 5) else []),
        ])  # fmt: skip
    for sections in kinds.MODELS.values():
        yield plain(sections)


def schema(features):
    columns = [text(b"c%d" % k) + bytes([0, k % 7, 3, 2]) + struct.pack("<2d", 0, 9) for k in range(features)]
    columns.append(text(b"kind") + bytes([1, 2, 0, 2]) + struct.pack("<2d", 0, 0))
    parts = {
        b"format": b"\1", b"labels": b"\0", b"dialect": b",\"\0\1.\0", b"missing": bytes([2]) + text(b"NA") + text(b"?"),
        b"first_index": b"\1", b"bits": b"", b"columns": bytes([len(columns)]) + b"".join(columns),
    }  # fmt: skip
    return b"".join(text(name) + text(value) for name, value in parts.items())


def checkpoints():
    golden = (ROOT / "tests" / "golden" / "checkpoint_v1.fsc").read_bytes()
    yield b"\0" + golden
    sections = read_model.read_container(golden)[2]
    yield plain([(tag, read_model.unpack(payload) if tag == "BANK" else payload) for tag, payload in sections])
    for position, rows in ((0, 0), (2, 6)):
        yield plain([
            ("MACH", machine(3, 2, 2)), ("PROG", struct.pack("<QQQQQ", 1, position, rows, 9, 9)),
            ("true", bytes([9, 3, 4, 5])), ("BANK", 2 * kinds.CLAUSE), ("BANK", 2 * kinds.CLAUSE),
        ])  # fmt: skip
    for sections in (*kinds.CHECKPOINTS.values(), kinds.part(0), kinds.part(0, 2), kinds.part(0, shard=1, shards=2, clauses=16)):
        yield plain(sections)


def documents():
    """Models as `falsum export --to json` writes them, each with one thing of its own."""
    start = '{"format":"falsum-model","version":1,"features":2,"outputs":2,'
    end = '"clauses":[[0,3],[1,2],[2],[0,1]],"weights":[[[0,1],[1,-1]],[[2,1],[3,-1]]]'
    options = '"options":{"clauses":2,"threshold":2,"specificity":3.0'
    vectors = '"test_vectors":{"rows":[[],[0,1]],"votes":[[0,1],[0,-1]],"raw_votes":[],"raw":[]}'
    yield f'{start}{options}}},"labels":["x","z"],{end}}}'.encode()
    columns = '[{"name":"a","kind":"boolean"},{"name":"b","kind":"boolean"}]'
    yield f'{start}{options}}},"booleanizer":{{"kind":"columns","columns":{columns}}},{end},{vectors}}}'.encode()
    provenance = '{"falsum_version":"0.2.0","data":"t.csv","samples":4,"epochs":2}'
    yield f'{start}{options},"max_weight":9}},"provenance":{provenance},{end}}}'.encode()
    yield f'{start}{options},"shared":true,"weighted":true,"max_weight":9}},{end}}}'.encode()
    yield f'{start}{options},"fuzzy":1,"max_literals":4}},"truth_shares":[1,65535],{end}}}'.encode()


def rows_files():
    """Behind the head, without the checksums (fuzz_rows.cpp): rows, targets, notes, and the foot as its first 56 bytes."""
    notes = {"origin": text(b"data"), "schema": schema(1), "booleanizer": bytes([0, 3, 0, 0])}
    packed, lists, starts = struct.pack("<2Q", 5, 2), struct.pack("<3I4x", 0, 2, 1), struct.pack("<3Q", 0, 2, 3)
    two = bytes([2]) + text(b"no") + text(b"yes")
    for form, rows, entries in ((0, packed, 0), (1, lists + starts, 3)):
        for kind, targets, outputs in ((0, b"", 0), (1, struct.pack("<2I", 0, 1), 2), (2, struct.pack("<2Q", 3, 1), 2),
                                       (3, struct.pack("<2d", 0.5, 7), 0)):  # fmt: skip
            for weights in (b"", struct.pack("<2d", 1, 2)):
                told = {**notes, "outputs": two if outputs else b"\0"}
                told = b"".join(text(name.encode()) + text(value) for name, value in told.items())
                padded = told + bytes(-len(told) % 8)
                foot = struct.pack("<8Q", 2, 3, form, kind, entries, outputs, bool(weights), len(told))
                yield rows + targets + weights + padded + foot + bytes(24)


SEEDS = {
    "rows": rows_files,
    "csv": lambda: TABLES + STREAMED,
    "stream": lambda: [bytes([choice]) + table for choice in range(8) for table in STREAMED + TABLES],
    "svmlight": lambda: SPARSE,
    "idx": images,
    "npy": arrays,
    "npz": zips,
    "inflate": compressed,
    "model": models,
    "checkpoint": checkpoints,
    "json": documents,
}


def write(folder):
    for target, make in SEEDS.items():
        where = pathlib.Path(folder) / target
        where.mkdir(parents=True, exist_ok=True)
        for i, content in enumerate(make()):
            (where / f"seed-{i}").write_bytes(content)

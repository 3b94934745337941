"""Reads and writes the files of this folder as manifest.json describes them; knows nothing of what falsum reads.

Cells stay as they stand in the file, quotes and all, so that rows and columns can be taken out, put in another order and
written again in the same dialect; `value` says what a cell means.
"""

import ast
import csv
import gzip
import io
import json
import lzma
import pathlib
import re
import struct
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
CODECS = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
MARKS = {"", "NA", "N/A", "?", "null", "NULL", "None", "nan", "NaN", "-", "#N/A", "\\N", "<NA>"}


def path_of(entry):
    return FOLDER / "files" / entry["file"]


def unpacked(path):
    data = path.read_bytes()
    return {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)(data)


class Table:
    """The rows of a CSV file in the dialect that the manifest states."""

    def __init__(self, entry):
        schema = entry["schema"]
        self.width = len(schema["columns"])
        self.packing = path_of(entry).suffix
        self.codec = CODECS[schema["encoding"]]
        self.delimiter, self.quote, self.backslash = schema["delimiter"], schema.get("quote", '"'), schema.get("backslash", False)
        text = unpacked(path_of(entry)).decode(self.codec)
        self.mark = "\ufeff" if text.startswith("\ufeff") else ""
        text = text[len(self.mark):]
        self.end = re.search("\r\n|\n|\r", text).group()
        lines = self.records(text)
        self.preamble = [raw for raw, _ in lines[: schema.get("preamble_lines", 0)]]
        lines = [(raw, cells) for raw, cells in lines[len(self.preamble):] if not self.is_empty(raw, cells)]
        self.header = lines.pop(0)[1] if schema.get("header") else None
        self.rule = lines.pop(0)[0] if lines and re.fullmatch("[-+ ]+", lines[0][0]) else None
        if re.fullmatch(r"\(\d+ rows\)", lines[-1][0]):
            lines.pop()  # psql counts below the table
        self.rows = [cells for _, cells in lines if len(cells) == self.width]  # others are what --bad-rows skips
        self.indexed = self.header is not None and len(self.header) == self.width - 1  # R: row names have no name
        if self.indexed:
            self.header = ['""', *self.header]

    def is_empty(self, raw, cells):
        comment = raw.startswith("#") and len(cells) != self.width  # a first cell can be #N/A, a first name # a
        return comment or not any(self.value(cell) for cell in cells)

    def records(self, text):
        """Pairs of a record's text and its cells; line ends within quotes, or behind a backslash, end no record."""
        found, cells, start, cell, at, quoted = [], [], 0, 0, 0, False
        while at < len(text):
            c = text[at]
            if self.backslash and c == "\\":
                at += 2
            elif quoted:
                quoted = c != self.quote
                at += 1
            elif c == self.quote and not text[cell:at].strip(" "):
                quoted = True
                at += 1
            elif c in "\r\n":
                found.append((text[start:at], [*cells, text[cell:at]]))
                at += 2 if text.startswith("\r\n", at) else 1
                cells, start, cell = [], at, at
            elif c == self.delimiter:
                cells.append(text[cell:at])
                at += 1
                cell = at
            else:
                # A quote that closes and opens again is a doubled one: the cell goes on.
                quoted = c == self.quote and text[at - 1] == self.quote
                at += 1
        if start < len(text):
            found.append((text[start:], [*cells, text[cell:]]))
        if self.delimiter == " ":
            found = [(raw, self.joined(cells)) for raw, cells in found]
        return found

    @staticmethod
    def joined(cells):
        """Any number of spaces separates: what was cut at each of them has empty cells that are none."""
        return [cell for cell in cells if cell != ""]

    def value(self, cell):
        cell = cell.strip(" ")
        if len(cell) > 1 and cell[0] == self.quote == cell[-1]:
            cell = cell[1:-1].replace(self.quote * 2, self.quote)
        if self.backslash and cell != "\\N":
            cell = re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n"}.get(m.group(1), m.group(1)), cell, flags=re.DOTALL)
        return cell

    def names(self):
        return [self.value(cell) for cell in self.header] if self.header else None

    def written(self, rows, columns):
        """The bytes of a file of these rows and columns, in the dialect of this one."""
        indexed = self.indexed and 0 in columns
        lines = list(self.preamble)
        join = (self.delimiter if self.delimiter != " " else "   ").join
        if self.header:
            lines.append(join([self.header[c] for c in columns if not (indexed and c == 0)]))
        if self.rule:
            lines.append(self.rule)
        lines += [join([row[c] for c in columns]) for row in rows]
        data = (self.mark + self.end.join(lines) + self.end).encode(self.codec)
        return {".gz": gzip.compress, ".xz": lzma.compress}.get(self.packing, bytes)(data)

    def written_plainly(self, rows, columns):
        """The same with commas, double quotes where needed, line feeds and UTF-8."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if self.header:
            writer.writerow([self.value(self.header[c]) for c in columns])
        writer.writerows([self.value(row[c]) for c in columns] for row in rows)
        return text.getvalue().encode()


class SparseRows:
    """The rows of an SVMlight file."""

    def __init__(self, entry):
        lines = path_of(entry).read_text().splitlines()
        self.rows = [line for line in lines if not line.startswith("#")]

    @staticmethod
    def written(rows):
        return ("\n".join(rows) + "\n").encode()

    @staticmethod
    def unlabelled(rows):
        return ("\n".join("0" + row[row.index(" "):] if " " in row else "0" for row in rows) + "\n").encode()


class Array:
    """A one- or two-dimensional NPY array: rows of items that stay bytes."""

    def __init__(self, data):
        length = struct.unpack_from("<H", data, 8)[0]
        about = ast.literal_eval(data[10 : 10 + length].decode("latin-1"))
        self.dtype, shape = about["descr"], about["shape"]
        size = int(self.dtype[2:]) * (4 if self.dtype[1] == "U" else 1)
        values = [data[at : at + size] for at in range(10 + length, len(data), size)]
        count, self.width = shape[0], shape[1] if len(shape) == 2 else None
        steps = range(self.width or 1)
        across = [k * count for k in steps] if about["fortran_order"] else list(steps)
        down = 1 if about["fortran_order"] else len(steps)
        self.rows = [[values[r * down + a] for a in across] for r in range(count)]

    def written(self, rows, columns=None):
        return npy(rows, self.dtype, columns if self.width else None)


def npy(rows, dtype, columns):
    """columns: how many, or None for one dimension."""
    shape = (len(rows),) if columns is None else (len(rows), columns)
    about = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    about += b" " * (-(len(about) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(about)) + about + b"".join(b"".join(row[: columns or 1]) for row in rows)


def npz(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, member in members.items():
            archive.writestr(name + ".npy", member)
    return data.getvalue()


def arrays_of(entry):
    """{"X": Array, "y": Array or None} of an NPZ or NPY file."""
    path = path_of(entry)
    if path.suffix == ".npy":
        return {"X": Array(path.read_bytes()), "y": None}
    with zipfile.ZipFile(path) as archive:
        return {name: Array(archive.read(name + ".npy")) for name in "Xy"}


def number(text, schema):
    """The number that a cell means; NaN where it is missing."""
    if text in MARKS:
        return float("nan")
    text = re.sub("[\u00a0\u202f' ]", "", text).replace(schema.get("thousands") or "\0", "")
    return float(text.replace(schema.get("decimal", "."), "."))

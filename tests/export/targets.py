"""Ways to run an export, each by its own test.

A target is a format, options of the export, and a function of the exported files and their folder that returns
(votes, differ), or None where the model is too large. It raises Unavailable where a tool is missing.
"""

import json
import pathlib
import re
import resource
import shutil
import sqlite3
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-O2"]
STRICT = [*C_FLAGS, "-Wconversion", "-Werror"]


class Unavailable(Exception):
    """A tool is not installed."""


def run(command, **keywords):
    if shutil.which(str(command[0])) is None:
        raise Unavailable(command[0])
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900, **keywords)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def export(falsum, model, to, output, *more):
    """The files written, or None if the format refuses the model."""
    done = subprocess.run([falsum, "export", str(model), "--to", to, "-o", str(output), "--json", *map(str, more)],
                          capture_output=True, text=True, timeout=900)  # fmt: skip
    if done.returncode == 2 and "cannot become" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return [pathlib.Path(file["file"]) for file in json.loads(done.stdout)["files"]]


def differ_in(text):
    """From "0 of 64 votes differ"."""
    found = re.search(r"(\d+) of (\d+) votes differ", text)
    assert found, text[-2000:]
    return int(found[2]), int(found[1])


def javascript(files, folder):
    script = f"import {{ check }} from '{files[0]}'; const c = check(); console.log(`${{c.differ}} of ${{c.votes}} votes differ`);"
    return differ_in(run(["node", "--input-type=module", "-e", script]))


def chromium(files, folder):
    """As a module inside a page: its text must not end the script either."""
    script = files[0].read_text(encoding="utf-8")
    script += "\nconst c = check(); document.body.textContent = `${c.differ} of ${c.votes} votes differ`;"
    page = folder / "page.html"
    page.write_text(f'<!doctype html><meta charset="utf-8"><body><script type="module">{script}</script>', encoding="utf-8")
    return differ_in(run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]))


def sources(files, suffix=".c"):
    return [file for file in files if file.suffix == suffix]


def undefined(tool, folder, compiler, *flags):
    """Symbols that the file with the votes needs from elsewhere."""
    run([compiler, *flags, "-c", folder / "model.c", "-o", folder / "model.o"], cwd=folder)
    return [line.split()[-1] for line in run([tool, "-u", folder / "model.o"]).splitlines()]


def c_with(compiler, flags=STRICT, nm="nm", runner=(), extra=()):
    def check(files, folder):
        run([compiler, *flags, *extra, *sources(files), "-o", folder / "program"], cwd=folder)
        missing = undefined(nm, folder, compiler, *flags)
        assert not missing, missing
        return differ_in(run([*runner, folder / "program"]))

    return check


def cortex(machine, cpu):
    """Bare metal with newlib's semihosting, in qemu-system-arm; `votes` itself needs nothing of it."""
    flags = [*STRICT, f"-mcpu={cpu}", "-mthumb"]

    def check(files, folder):
        missing = undefined("arm-none-eabi-nm", folder, "arm-none-eabi-gcc", *flags)
        assert not missing, missing
        run(["arm-none-eabi-gcc", *flags, "--specs=rdimon.specs", "-T", HERE / "cortex.ld", HERE / "cortex.c", "-nostartfiles",
             *sources(files), "-o", folder / "cortex.elf"], cwd=folder)  # fmt: skip
        return differ_in(run(["qemu-system-arm", "-M", machine, "-nographic", "-semihosting", "-kernel", folder / "cortex.elf"]))

    return check


AVR = "atmega1284p"
AVR_SECONDS = 120  # of processor time


def avr(files, folder):
    """In simavr, tables in flash; bits in, since double has 32 bits there."""
    bits_only = [source for source in sources(files) if not source.name.endswith("_row.c")]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Os", f"-mmcu={AVR}", "-DFALSUM_NO_MAIN", "-DFALSUM_NO_ROW"]
    try:
        run(["avr-gcc", *flags, HERE / "avr.c", *bits_only, "-I", folder, "-o", folder / "avr.elf"], cwd=folder)
    except AssertionError as error:
        if "will not fit" in str(error) or "overflow" in str(error) or "too large" in str(error):
            return None  # a chip of 128 kB
        raise
    program = int(run(["avr-size", folder / "avr.elf"]).splitlines()[1].split()[0])
    if program > 60000:  # tables are read by addresses of 16 bits
        return None
    command = ["simavr", "-m", AVR, "-f", "16000000", str(folder / "avr.elf")]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (AVR_SECONDS, AVR_SECONDS + 1))  # noqa: E731
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    if done.returncode < 0:
        return None  # patches of large images: minutes of simulation for a row
    return differ_in(done.stdout + done.stderr)


def sqlite(files, folder):
    database = sqlite3.connect(":memory:")
    database.executescript(files[0].read_text(encoding="utf-8"))
    return database.execute("SELECT votes, differ FROM model_check").fetchone()


def duckdb(files, folder):
    try:
        import duckdb as engine
    except ImportError:
        raise Unavailable("duckdb") from None
    database = engine.connect()
    database.execute(files[0].read_text(encoding="utf-8"))
    votes, differ = database.execute("SELECT votes, differ FROM model_check").fetchone()
    return int(votes), int(differ)


def postgres(files, folder):
    """In the database that PGHOST, PGPORT and PGDATABASE name; a schema of its own, which is dropped."""
    text = "DROP SCHEMA IF EXISTS falsum_check CASCADE; CREATE SCHEMA falsum_check; SET search_path = falsum_check;\n"
    text += files[0].read_text(encoding="utf-8")
    text += "\nSELECT differ || ' of ' || votes || ' votes differ' FROM model_check;\nDROP SCHEMA falsum_check CASCADE;\n"
    (folder / "postgres.sql").write_text(text, encoding="utf-8")
    return differ_in(run(["psql", "-q", "-t", "-v", "ON_ERROR_STOP=1", "-f", folder / "postgres.sql"]))


def vectors_of(model):
    """Test vectors inside an ONNX file: inputs by name, and votes, twice: bits and raw values."""
    import numpy as np

    notes = {note.key: note.value for note in model.metadata_props}
    test, how = json.loads(notes["test_vectors"]), json.loads(notes["booleanizer"])
    if how is None or how["kind"] in ("bits", "words"):
        features = model.graph.input[0].type.tensor_type.shape.dim[1].dim_value
        bits = np.zeros((len(test["rows"]), features), np.uint8)
        for row, true in zip(bits, test["rows"]):
            row[true] = 1
        return {"bits": bits}, np.array(test["votes"])
    if how["kind"] == "levels":
        return {"pixels": np.array(test["raw"], np.uint8)}, np.array(test["raw_votes"])
    texts = [column["kind"] == "category" for column in how["columns"]]
    given = {}

    def part(is_text, missing, kind):
        rows = [[missing if v is None else v for v, text in zip(row, texts) if text == is_text] for row in test["raw"]]
        return np.array(rows, kind)

    if not all(texts):
        given["numbers"] = part(False, np.nan, np.float64)
    if any(texts):
        given["categories"] = part(True, "", object)
    return given, np.array(test["raw_votes"])


def onnx(runner):
    def check(files, folder):
        try:
            import onnx as package
            import onnx.reference
            import onnxruntime
        except ImportError as error:
            raise Unavailable(error.name) from None
        loaded = package.load(files[0])
        package.checker.check_model(loaded, full_check=True)
        given, wanted = vectors_of(loaded)
        if runner == "onnxruntime":
            found = onnxruntime.InferenceSession(str(files[0])).run(["votes"], given)[0]
        else:
            found = onnx.reference.ReferenceEvaluator(loaded).run(["votes"], given)[0]
        return int(wanted.size), int((found != wanted).sum())

    return check


def iverilog(files, folder):
    run(["iverilog", "-g2001", "-Wall", "-o", "bench.vvp", *sources(files, ".v")], cwd=folder)
    return differ_in(run(["vvp", "bench.vvp"], cwd=folder))


def verilator(files, folder):
    quiet = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-O0"]
    run(["verilator", "--binary", *quiet, "--top-module", "model_bench", "--Mdir", "obj", *sources(files, ".v")], cwd=folder)
    return differ_in(run([folder / "obj" / "Vmodel_bench"], cwd=folder))


def cells(falsum, model, folder, form):
    """Look-up tables and flip-flops that yosys makes of it for Xilinx's 7 series, or None."""
    files = export(falsum, model, "verilog", folder / "model.v", "--form", form)
    if files is None:
        return None
    text = run(["yosys", "-p", "read_verilog model.v; synth_xilinx -top model -noiopad; stat"], cwd=folder)
    stat = text[text.rindex("Number of cells"):]
    count = {name: int(n) for name, n in re.findall(r"^\s+(\S+)\s+(\d+)$", stat, re.MULTILINE)}
    return sum(n for name, n in count.items() if name.startswith("LUT")), sum(n for name, n in count.items() if name.startswith("FD"))


PARALLEL, SERIAL = ("verilog", "--form", "parallel"), ("verilog", "--form", "serial")
INLINE, RELATIONAL = ("sql", "--form", "inline"), ("sql", "--form", "relational")
# name -> format and options of the export, what runs it
TARGETS = {
    "C, gcc": (("c",), c_with("gcc")),
    "C, clang": (("c",), c_with("clang-14")),
    "C, tcc": (("c",), c_with("tcc", flags=["-std=c99"])),
    "C, AArch64": (
        ("c",),
        c_with("aarch64-linux-gnu-gcc", nm="aarch64-linux-gnu-nm", extra=["-static"], runner=["qemu-aarch64"]),
    ),
    "C, Cortex-M3": (("c",), cortex("mps2-an385", "cortex-m3")),
    "C, Cortex-M4": (("c",), cortex("mps2-an386", "cortex-m4")),
    "C, AVR": (("c",), avr),
    "JavaScript, node": (("js",), javascript),
    "JavaScript, Chromium": (("js",), chromium),
    "ONNX, onnxruntime": (("onnx",), onnx("onnxruntime")),
    "ONNX, reference": (("onnx",), onnx("reference")),
    "Verilog parallel, iverilog": (PARALLEL, iverilog),
    "Verilog parallel, verilator": (PARALLEL, verilator),
    "Verilog serial, iverilog": (SERIAL, iverilog),
    "Verilog serial, verilator": (SERIAL, verilator),
    "SQL inline, SQLite": (INLINE, sqlite),
    "SQL inline, DuckDB": (INLINE, duckdb),
    "SQL inline, PostgreSQL": (INLINE, postgres),
    "SQL relational, SQLite": (RELATIONAL, sqlite),
    "SQL relational, DuckDB": (RELATIONAL, duckdb),
    "SQL relational, PostgreSQL": (RELATIONAL, postgres),
}


def exported(target, falsum, model, folder, *more):
    """What a target runs: the files of the export in a folder, or None if the format refuses the model."""
    to, *options = TARGETS[target][0]
    main = folder / ("model." + {"js": "mjs", "verilog": "v"}.get(to, to))
    return export(falsum, model, to, main, *options, *more)

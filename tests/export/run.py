"""Runs every export of every golden model where it is meant to run, and prints the tables of docs/export.md.

    python3 tests/export/run.py [--small] [--page docs/export.md] [--only "C, gcc"]

Exit code 1 if a vote differs. Targets whose tools are missing are named and left out.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import pwd
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import golden
import targets

HERE = pathlib.Path(__file__).resolve().parent
ROOT = golden.ROOT
BUILD = ROOT / "build" / "exports"
DATA = {"mnist": "mnist:test", "noisy-xor": "noisy-xor:test"}
FORMATS = {"json": [], "js": [], "c": [], "onnx": [], "verilog": ["--form", "serial"], "sql": ["--form", "relational"]}


@contextlib.contextmanager
def postgres_server():
    """A server of its own in a folder of its own, without the network. Root runs it as the user postgres."""
    tools = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    if not tools:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="falsum-pg-") as folder:
        wrap = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            wrap = ["runuser", "-u", "postgres", "--"]
        run = lambda *command: subprocess.run([*wrap, *map(str, command)], check=True, capture_output=True, cwd="/")  # noqa: E731
        run(tools[-1] / "initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "falsum", "-E", "UTF8", "--no-sync")
        run(tools[-1] / "pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log", "-o", f"-k {folder} -h '' -c fsync=off", "start")
        os.environ.update(PGHOST=folder, PGUSER="falsum", PGDATABASE="postgres")
        try:
            yield
        finally:
            run(tools[-1] / "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")


def rows_for(name):
    """Test rows for a model, besides the random ones: what it was trained on, or the test split of built-in data."""
    data = {**golden.MODELS, **golden.LARGE}[name][0]
    if data == "imdb":
        return ["--vectors", "imdb:test", "--data-directory", BUILD / "models" / "texts"]
    return ["--vectors", DATA.get(data, data).format(golden=ROOT / "tests" / "golden", folder=BUILD / "models")]


def kept_path(target):
    return BUILD / "results" / (re.sub(r"\W+", "_", target) + ".json")


def kept_results(target):
    """name -> {"digest": of the exported files, "found": [votes, differ] or null}"""
    return json.loads(kept_path(target).read_text()) if kept_path(target).exists() else {}


def digest_of(files, runner):
    """Of the files of an export, and of what runs them."""
    digest = hashlib.sha256(runner.encode())
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def check_all(models, names):
    """Results are kept in build/exports/results as long as the exports are the same, so that a run that was stopped goes on."""
    results, missing = {}, {}
    runner = "".join((HERE / name).read_text() for name in ("targets.py", "avr.c", "cortex.c", "cortex.ld"))
    for target in names:
        known = kept_results(target)
        for name, model in models.items():
            folder = BUILD / re.sub(r"\W+", "_", target) / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            files = targets.exported(target, golden.COMMAND, model, folder, *rows_for(name))
            if files is None:  # the format refuses the model
                results[target, name] = None
                continue
            digest = digest_of(files, runner)
            if known.get(name, {}).get("digest") != digest:
                begin = time.time()
                try:
                    found = targets.TARGETS[target][1](files, folder)
                except targets.Unavailable as error:
                    missing[target] = f"{error} is not installed"
                    break
                known[name] = {"digest": digest, "found": found}
                kept_path(target).parent.mkdir(parents=True, exist_ok=True)
                kept_path(target).write_text(json.dumps(known))
                print(f"{target}: {name}: {found} ({time.time() - begin:.1f} s)", file=sys.stderr, flush=True)
            results[target, name] = known[name]["found"]
    return results, missing


def votes_table(models, names, results, missing):
    lines = ["| runs in | models | votes that differ | refused or too large |", "|---|---|---|---|"]
    for target in names:
        if target in missing:
            lines.append(f"| {target} | - | not run: {missing[target]} | |")
            continue
        done = {name: results[target, name] for name in models if (target, name) in results}
        ran = [found for found in done.values() if found]
        votes, differ = sum(found[0] for found in ran), sum(found[1] for found in ran)
        lines.append(f"| {target} | {len(ran)} | {differ} of {votes:,} | {', '.join(n for n, found in done.items() if not found)} |")
    return lines


def bytes_text(count):
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB" if count >= 1e4 else f"{count / 1e3:.1f} kB"


def sizes_table(models):
    lines = [f"| model | falsum | {' | '.join(FORMATS)} | C table, AVR or Cortex-M flash |", "|---" * (len(FORMATS) + 3) + "|"]
    folder = BUILD / "sizes"
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in models.items():
        cells = []
        for to, more in FORMATS.items():
            files = targets.export(golden.COMMAND, model, to, folder / f"model.{to}", "--name", "model", *more)
            cells.append("-" if files is None else bytes_text(sum(file.stat().st_size for file in files)))
        targets.export(golden.COMMAND, model, "c", folder / "model.c", "--name", "model")
        flash = "-"
        if shutil.which("arm-none-eabi-gcc"):
            flags = ["-std=c99", "-Os", "-mcpu=cortex-m3", "-mthumb", "-c"]
            targets.run(["arm-none-eabi-gcc", *flags, folder / "model.c", "-o", folder / "model.o"])
            flash = bytes_text(int(targets.run(["arm-none-eabi-size", folder / "model.o"]).splitlines()[1].split()[0]))
        lines.append(f"| {name} | {bytes_text(model.stat().st_size)} | {' | '.join(cells)} | {flash} |")
    return lines


def cells_table(models):
    lines = ["| model | parallel: LUT, flip-flops | serial: LUT, flip-flops |", "|---|---|---|"]
    for name in ("xor", "weighted", "fuzzy", "table"):
        if name not in models:
            continue
        cells = []
        for form in ("parallel", "serial"):
            folder = BUILD / "cells" / form / name
            folder.mkdir(parents=True, exist_ok=True)
            found = targets.cells(golden.COMMAND, models[name], folder, form)
            cells.append("-" if found is None else f"{found[0]:,}, {found[1]:,}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def speed(model, folder, outputs):
    """Seconds a row of C, JavaScript and onnxruntime, each measured once."""
    import numpy as np
    import onnx
    import onnxruntime

    if not (folder / "speed").exists():
        targets.export(golden.COMMAND, model, "c", folder / "model.c")
        targets.run(["gcc", "-O2", "-DFALSUM_NO_MAIN", "-DFALSUM_NO_ROW", f"-DOUTPUTS={outputs}u", golden.ROOT / "tests/export/speed.c",
                     folder / "model.c", folder / "model_test.c", "-o", folder / "speed"])  # fmt: skip
        targets.export(golden.COMMAND, model, "js", folder / "model.mjs", "--name", "model")
        targets.export(golden.COMMAND, model, "onnx", folder / "model.onnx")
    c = float(targets.run([folder / "speed"]))
    script = f"""import {{ MODEL, votes }} from '{folder}/model.mjs';
      const bits = (list) => {{ const x = new Uint8Array(MODEL.features); for (const k of list) x[k] = 1; return x; }};
      const rows = MODEL.test_vectors.rows.map(bits);
      let n = 0; const begin = process.cpuUsage().user;
      while (process.cpuUsage().user - begin < 400000) {{ for (const x of rows) votes(x); n += rows.length; }}
      console.log((process.cpuUsage().user - begin) / 1e6 / n);"""
    js = float(targets.run(["node", "--input-type=module", "-e", script]))
    given, _ = targets.vectors_of(onnx.load(folder / "model.onnx"))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)
    batch = {name: np.concatenate([value] * 8) for name, value in given.items()}
    count, begin = 0, time.process_time()
    while time.process_time() - begin < 0.3:
        session.run(["votes"], batch)
        count += len(next(iter(batch.values())))
    return c, js, (time.process_time() - begin) / count


def speed_table(models, rounds=5):
    lines = ["| model | C, us a row | JavaScript / C | onnxruntime, batch / C |", "|---|---|---|---|"]
    wanted = [name for name in ("mnist_20", "mnist_200", "mnist_2000", "mnist_fuzzy") if name in models]
    taken = {name: [] for name in wanted}
    for _ in range(rounds):  # by turns
        for name in wanted:
            folder = BUILD / "speed" / name
            folder.mkdir(parents=True, exist_ok=True)
            taken[name].append(speed(models[name], folder, 10))
    for name in wanted:
        c = statistics.median(found[0] for found in taken[name]) * 1e6
        ratios = [statistics.median(found[i] / found[0] for found in taken[name]) for i in (1, 2)]
        lines.append(f"| {name} | {c:.1f} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    return lines


def into_page(page, name, lines):
    text = page.read_text(encoding="utf-8")
    begin, end = f"<!-- table {name} -->", "<!-- end -->"
    at = text.index(begin) + len(begin)
    page.write_text(text[:at] + "\n" + "\n".join(lines) + "\n" + text[text.index(end, at):], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="without the models that take a minute to train")
    parser.add_argument("--page", type=pathlib.Path, help="a page whose tables are replaced")
    parser.add_argument("--only", help="targets whose name holds this")
    parser.add_argument("--tables", default="votes,sizes,cells,speed", help="which tables (default: all)")
    arguments = parser.parse_args()
    models = golden.train(BUILD / "models", large=not arguments.small)
    names = [name for name in targets.TARGETS if not arguments.only or arguments.only in name]
    wanted = ["votes"] if arguments.only else arguments.tables.split(",")
    results, missing, tables = {}, {}, {}
    if "votes" in wanted:
        with postgres_server():
            results, missing = check_all(models, names)
        tables["votes"] = votes_table(models, names, results, missing)
    if "sizes" in wanted:
        tables["sizes"] = sizes_table(models)
    if "cells" in wanted and shutil.which("yosys"):
        tables["cells"] = cells_table(models)
    if "speed" in wanted and not {"C, gcc", "JavaScript, node", "ONNX, onnxruntime"} & set(missing):
        tables["speed"] = speed_table(models)
    for name, lines in tables.items():
        print("\n".join(lines) + "\n")
        if arguments.page:
            into_page(arguments.page, name, lines)
    differ = sum(found[1] for found in results.values() if found)
    votes = sum(found[0] for found in results.values() if found)
    print(json.dumps({"models": len(models), "targets": len(names) - len(missing), "votes": votes, "differ": differ}))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())

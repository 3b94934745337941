"""What Weka's CSVSaver writes: WEKA_JAR=weka.jar (Debian's package weka), with any Java."""

import os
import pathlib
import subprocess
import tempfile

import tables


def arff(rows):
    names = {"blue": "'sky, blue'", "red": "\"sailor's red\"", "white": "white", None: "?"}
    lines = ["@relation flowers", "@attribute width numeric", "@attribute height numeric",
             "@attribute colour {'sky, blue',\"sailor's red\",white}", "@attribute kind {iris,rose,tulip}", "@data"]
    lines += [",".join(["?" if v is None else str(v) for v in (r["width"], r["height"])] + [names[r["colour"]], r["kind"]]) for r in rows]
    return "\n".join(lines) + "\n"


def make(folder):
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "flowers.arff"
        path.write_text(arff(tables.flowers_with_holes()))
        subprocess.run(
            ["java", "-cp", os.environ["WEKA_JAR"], "weka.core.converters.CSVSaver", "-i", path, "-o", folder / "weka_csv_saver.csv"],
            check=True,
        )

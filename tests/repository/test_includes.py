"""Folders follow the data: each includes only itself and those before it in the table of src/README.md. Public headers
count too, by the folder that implements them: that is where a cycle would hide."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

# What public headers stand for. Plain types, which every folder may know, are not in the list.
IMPLEMENTED_IN = {
    "booleanizer.h": "booleanize",
    "clause_outputs.h": "predict",
    "export.h": "export",
    "explanation.h": "explain",
    "machine.h": "learn",
    "memory.h": "learn",
    "model.h": "model",
    "pack.h": "pipeline",
    "pipeline.h": "pipeline",
    "predictor.h": "predict",
    "prune.h": "explain",
    "report.h": "report",
    "rule_records.h": "explain",
    "rules.h": "explain",
}


def folders():
    """The order, from the table."""
    table = (SOURCE / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)


def files():
    return [file for file in sorted(SOURCE.rglob("*")) if file.suffix in (".h", ".cpp")]


def upward(folder, text, order):
    """The includes of a file of `folder` that stand after it."""
    found = []
    for where, name in re.findall(r'^#include "([a-z_]+)/([a-z_0-9]+\.h)"', text, re.MULTILINE):
        target = IMPLEMENTED_IN.get(name) if where == "falsum" else where
        if target is None:
            continue
        if target not in order or order.index(target) > order.index(folder):
            found.append(f"{where}/{name}")
    return found


def test_the_table_lists_every_folder():
    assert sorted(folders()) == sorted(path.name for path in SOURCE.iterdir() if path.is_dir())


def test_no_file_includes_upward():
    order = folders()
    bad = {str(file.relative_to(ROOT)): found for file in files()
           if (found := upward(file.relative_to(SOURCE).parts[0], file.read_text(encoding="utf-8"), order))}
    assert bad == {}


def test_an_upward_include_is_found():
    order = folders()
    assert upward("bank", '#include "learn/trainer.h"\n#include "support/bits.h"\n', order) == ["learn/trainer.h"]
    assert upward("model", '#include "falsum/machine.h"\n', order) == ["falsum/machine.h"]
    assert upward("bank", '#include "nowhere/at_all.h"\n', order) == ["nowhere/at_all.h"]


def test_files_compiled_for_a_newer_cpu_include_no_standard_containers():
    """kernels.h and what it includes, as far as it is ours."""
    seen, left = set(), sorted((SOURCE / "kernels").glob("avx*.cpp"))
    assert len(left) == 5
    while left:
        file = left.pop()
        if file in seen:
            continue
        seen.add(file)
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^#include <(string|vector|map|functional|algorithm|memory)>", text, re.MULTILINE), file
        for name in re.findall(r'^#include "(.*)"', text, re.MULTILINE):
            left.append(ROOT / "include" / name if name.startswith("falsum/") else SOURCE / name)
    assert len(seen) > 5

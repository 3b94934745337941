#!/usr/bin/env python3
"""The software bill of materials, as CycloneDX JSON on standard output (make sbom).

    tools/sbom.py

What falsum is made of stands in one place, the first table of docs/dependencies.md; a test keeps that equal to what
tools/setup installs. Versions are those of the packages installed here, where dpkg knows them.
"""

import json
import pathlib
import re
import subprocess
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Tools that build and run the build; what is linked or compiled in is the rest.
TOOLS = {"g++", "cmake", "ninja-build"}


def version():
    return re.search(r"project\(falsum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def table():
    """(package, licence, version it is tested with, purpose) of every row of the first table."""
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    first = page.split("\n\n| ")[1]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in first.splitlines()[2:] if line.startswith("|")]
    return [(name, licence, tested, purpose) for name, tested, licence, purpose in rows]


def installed(package):
    result = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else None


def component(package, licence, tested, purpose):
    found = installed(package) or tested
    return {
        "type": "application" if package in TOOLS else "library",
        "bom-ref": f"deb:{package}",
        "name": package,
        "version": found,
        "description": purpose.replace("`", ""),
        "scope": "excluded" if package in TOOLS else "required",
        "licenses": [{"expression": licence}],
        "purl": f"pkg:deb/debian/{package.replace('+', '%2B')}@{found.replace('+', '%2B').replace(':', '%3A')}?distro=debian-12",
    }


def bill():
    components = [component(*row) for row in table()]
    falsum = f"pkg:generic/falsum@{version()}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same bill has the same number: builds can be compared.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version(), components]))}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": falsum, "name": "falsum", "version": version(), "purl": falsum,
                                   "licenses": [{"expression": "MIT AND CC-BY-SA-3.0"}]}},
        "components": components,
        "dependencies": [{"ref": falsum, "dependsOn": [c["bom-ref"] for c in components if c["scope"] == "required"]}],
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(bill(), indent=2))

"""What the documents say is what the repository holds."""

import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def code_blocks(document, language):
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_the_example_in_the_readme_is_the_one_that_is_compiled_and_run():
    assert (ROOT / "examples" / "readme.cpp").read_text(encoding="utf-8") in code_blocks("README.md", "cpp")


def test_every_package_that_setup_installs_is_explained():
    installed = subprocess.run([ROOT / "tools" / "setup", "packages"], capture_output=True, text=True, check=True)
    document = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| ([a-z0-9+-]+) \|", document, flags=re.MULTILINE)
    assert sorted(explained) == sorted(installed.stdout.split())


def test_every_make_target_in_the_documents_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    for document in ["README.md", "CONTRIBUTING.md", "docs/dependencies.md"]:
        mentioned = set(re.findall(r"`make ([a-z-]+)`", (ROOT / document).read_text(encoding="utf-8")))
        assert mentioned <= targets, f"{document} mentions a target that does not exist"


def test_the_citation_the_changelog_and_the_build_agree_on_the_version():
    build = re.search(r"project\(falsum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    citation = re.search(r"^version: ([0-9.]+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert build and citation and citation[1] == build[1]
    assert f"## [{build[1]}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def kernel_objects():
    build = pathlib.Path(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum")).parent
    return sorted((build / "CMakeFiles" / "falsum.dir" / "src" / "kernels").glob("avx*.o"))


@pytest.mark.parametrize("kernel", kernel_objects(), ids=lambda path: path.name)
def test_no_kernel_object_can_replace_baseline_code(kernel):
    """A weak symbol (an inline function, a template) compiled with -mavx2 may be the copy that the linker keeps,
    and then the program stops on a CPU without AVX2."""
    symbols = subprocess.run(["nm", "-C", "--defined-only", kernel], capture_output=True, text=True, check=True)
    weak = [line for line in symbols.stdout.splitlines() if re.match(r"^[0-9a-f]* *[WVu] ", line)]
    assert weak == []


def test_the_bill_of_materials_has_every_package_of_the_build_with_version_licence_and_purpose():
    printed = subprocess.run([ROOT / "tools" / "sbom.py"], capture_output=True, text=True, check=True).stdout
    bill = json.loads(printed)
    assert bill["bomFormat"] == "CycloneDX"
    setup = (ROOT / "tools" / "setup").read_text(encoding="utf-8")
    packages = re.search(r"^quickstart_packages=\(([^)]*)\)", setup, re.MULTILINE)[1].split()
    assert sorted(component["name"] for component in bill["components"]) == sorted(packages)
    for component in bill["components"]:
        assert component["version"] and component["licenses"][0]["expression"] and component["description"]
        assert component["purl"].startswith("pkg:deb/debian/")
    again = subprocess.run([ROOT / "tools" / "sbom.py"], capture_output=True, text=True, check=True).stdout
    assert again == printed

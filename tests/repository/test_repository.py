"""What the documents say is what the repository holds."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def code_blocks(document, language):
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_the_example_in_the_readme_is_the_one_that_is_compiled_and_run():
    assert (ROOT / "examples" / "readme.cpp").read_text(encoding="utf-8") in code_blocks("README.md", "cpp")


def test_the_header_of_everything_has_every_header():
    """FINDINGS 6.6. Not datasets.h and c_api.h, which belong to other targets."""
    headers = {header.name for header in (ROOT / "include" / "falsum").glob("*.h")} - {"falsum.h", "datasets.h", "c_api.h"}
    included = re.findall(r'^#include "falsum/(.*?)"', (ROOT / "include" / "falsum" / "falsum.h").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(included) == sorted(headers)


def test_every_package_that_setup_installs_is_explained():
    installed = subprocess.run([ROOT / "tools" / "setup", "packages"], capture_output=True, text=True, check=True)
    document = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| ([a-z0-9+-]+) \|", document, flags=re.MULTILINE)
    assert sorted(explained) == sorted(installed.stdout.split())


def test_what_clang_links_with_its_sanitizers_is_installed():
    """FINDINGS 0.1: clang-14 only recommends it, and packages are installed without what they recommend."""
    setup = (ROOT / "tools" / "setup").read_text(encoding="utf-8")
    packages = re.search(r'^test="([^"]*)"', setup, re.MULTILINE)[1].split()
    assert "--no-install-recommends" in setup and {"clang-14", "libclang-rt-14-dev"} <= set(packages)


def test_the_readme_has_the_two_commands_that_make_fresh_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## The two commands\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)[1]
    commands = [
        line.partition("#")[0].strip() for line in re.search(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[1].splitlines()
    ]
    assert commands == ["make quickstart", "make test"]
    refused = subprocess.run([ROOT / "tools" / "fresh", "everything"], capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stderr == "falsum: FRESH must be quickstart, test or empty (both), got everything\n"


def test_every_make_target_in_the_documents_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    for document in ["README.md", "CONTRIBUTING.md", "docs/dependencies.md", "docs/release.md"]:
        mentioned = set(re.findall(r"`make ([a-z-]+)`", (ROOT / document).read_text(encoding="utf-8")))
        assert mentioned <= targets, f"{document} mentions a target that does not exist"


def test_the_hosted_ci_uses_what_there_is():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]}
    matrix = re.search(r"preset: \[(.*?)\]", workflow)[1].split(", ")
    assert {*re.findall(r"--preset ([a-z]\S*)", workflow), *matrix} <= presets
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"run: make (.*)", workflow)) == {"test", "lint", "test-windows"} <= set(targets)
    assert "[tool.cibuildwheel]" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_citation_the_changelog_and_the_build_agree_on_the_version():
    build = re.search(r"project\(falsum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    citation = re.search(r"^version: ([0-9.]+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert build and citation and citation[1] == build[1]
    assert f"## [{build[1]}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["performance", "kernels", "reliability"])
def test_every_table_of_figures_says_how_it_came_there(page):
    """FINDINGS 6.7: written by a command (between `<!-- table NAME -->` and `<!-- end -->`, which `make performance-page` fills),
    pasted by hand from what a command printed (`<!-- pasted from: COMMAND -->`) or no output (`<!-- written by hand -->`)."""
    lines = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").splitlines()
    tables = [i for i, line in enumerate(lines) if line.startswith("|") and not lines[i - 1].startswith("|")]
    assert tables
    unmarked = [lines[i] for i in tables if not re.fullmatch(r"<!-- (table \w+|pasted from: .+|written by hand) -->", lines[i - 1])]
    assert unmarked == [], "put a comment of one of these kinds on the line above the table"
    if page == "performance":
        assert "pasted by hand" in "".join(lines)


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


def test_the_library_carries_no_data_set_and_the_licence_of_those_elsewhere_is_said():
    """FINDINGS 6.5: MNIST (CC BY-SA 3.0) is in falsum::datasets, not in the MIT library."""
    build = pathlib.Path(os.environ.get("FALSUM_COMMAND", ROOT / "build" / "release" / "falsum")).parent
    for library, has in [("libfalsum.a", False), ("libfalsum_datasets.a", True)]:
        symbols = subprocess.run(["nm", "--defined-only", build / library], capture_output=True, text=True, check=True).stdout
        assert ("falsum_mnist_begin" in symbols) == has, library
    for place in ["LICENSE-MNIST", "include/falsum/datasets.h", "docs/data.md", "README.md"]:
        assert "CC BY-SA 3.0" in (ROOT / place).read_text(encoding="utf-8") or "CC-BY-SA-3.0" in (ROOT / place).read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "MIT AND CC-BY-SA-3.0" in project and '"LICENSE-MNIST"' in project


def test_what_is_shipped_knows_nothing_of_the_machine_it_was_made_on():
    """FINDINGS 6.4: data are looked for where the user says, never beside the current directory."""
    shipped = [file for folder in ("src", "c_api", "cli", "include", "python/falsum", "python/src", "datasets")
               for file in (ROOT / folder).rglob("*") if file.suffix in (".h", ".cpp", ".py", ".S")]
    assert len(shipped) > 100
    assert [str(file.relative_to(ROOT)) for file in shipped if "../shared" in file.read_text(encoding="utf-8")] == []


def test_the_bill_of_materials_has_every_package_of_the_build_with_version_licence_and_purpose():
    printed = subprocess.run([ROOT / "tools" / "sbom.py"], capture_output=True, text=True, check=True).stdout
    bill = json.loads(printed)
    assert bill["bomFormat"] == "CycloneDX"
    setup = (ROOT / "tools" / "setup").read_text(encoding="utf-8")
    packages = re.search(r'^build="([^"]*)"', setup, re.MULTILINE)[1].split()
    assert sorted(component["name"] for component in bill["components"]) == sorted(packages)
    for component in bill["components"]:
        assert component["version"] and component["licenses"][0]["expression"] and component["description"]
        assert component["purl"].startswith("pkg:deb/debian/")
    again = subprocess.run([ROOT / "tools" / "sbom.py"], capture_output=True, text=True, check=True).stdout
    assert again == printed


def test_the_source_package_of_python_configures_without_what_it_leaves_out(tmp_path):
    """bench/ was named in CMakeLists.txt and not in the package, so that nobody could install from it."""
    left_out = re.search(r"^sdist\.exclude = \[(.*)\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    left_out = [ROOT / name for name in re.findall(r'"(.*?)"', left_out)]
    assert ROOT / "bench" in left_out
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=lambda folder, names: [
        name for name in names if pathlib.Path(folder, name) in [*left_out, ROOT / "build", ROOT / ".git", ROOT / ".venv"]])
    command = ["cmake", "-S", source, "-B", tmp_path / "build", "-G", "Ninja", "-DFALSUM_BUILD_TESTS=OFF", "-DFALSUM_BUILD_EXAMPLES=OFF"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr

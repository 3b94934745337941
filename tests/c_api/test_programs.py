"""Programs in C and Rust against libfalsum.so, the example of docs/c_api.md among them."""

import os
import re
import shutil
import subprocess

import pytest
from library import LIBRARY, ROOT

HERE = ROOT / "tests" / "c_api"


def run(source, *arguments, **environment):
    command = [HERE / "run", LIBRARY.parent, source, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("compiler", ["cc", "clang-14"])
@pytest.mark.parametrize("program", ["use", "tasks", "rubbish"])
def test_a_c99_program_compiles_without_a_warning_and_runs(program, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    assert run(HERE / f"{program}.c", CC=compiler) in ("the C interface holds\n", "labels and numbers hold\n", "rubbish is refused\n")


def test_the_header_is_c_plus_plus_too(tmp_path):
    source = tmp_path / "program.cpp"
    source.write_text("#include <falsum/c_api.h>\nint main() { return falsum_abi_version() == FALSUM_ABI_VERSION ? 0 : 1; }\n")
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = ["c++", "-std=c++11", *warnings, f"-I{ROOT / 'include'}", source, "-o", tmp_path / "program",
               f"-L{LIBRARY.parent}", "-lfalsum", f"-Wl,-rpath,{LIBRARY.parent}"]
    subprocess.run(command, check=True, timeout=120)
    subprocess.run([tmp_path / "program"], check=True, timeout=60)


def test_the_example_of_the_page_runs(tmp_path):
    page = (ROOT / "docs" / "c_api.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```c\n(#include.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 1
    (tmp_path / "example.c").write_text(examples[0])
    rows = [f"{size},{colour},{'rose' if size > 5 else 'iris'}" for size in range(10) for colour in ("red", "blue")]
    (tmp_path / "flowers.csv").write_text("\n".join(["size,colour,kind", *rows]) + "\n")
    (tmp_path / "new.csv").write_text("size,colour\n1,red\n9,blue\n")
    printed = run(tmp_path / "example.c", tmp_path / "flowers.csv", tmp_path / "new.csv", tmp_path / "flowers.falsum")
    assert printed.splitlines()[:2] == ["iris", "rose"] and "IF " in printed
    assert (tmp_path / "flowers.falsum").exists()


def test_a_program_in_rust(tmp_path):
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("rustc is not installed")
    program = tmp_path / "program"
    command = [rustc, "--edition", "2021", "-D", "warnings", "-L", LIBRARY.parent, "-C", f"link-arg=-Wl,-rpath,{LIBRARY.parent}",
               HERE / "rust" / "main.rs", "-o", program]
    compiled = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert compiled.returncode == 0, compiled.stderr
    result = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout) == (0, "learned and predicted from Rust\n"), result.stderr

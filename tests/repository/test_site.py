"""The site has every page of docs/ and every public header; links of the repository become links of the site. That it builds
without warnings is tested where mkdocs is (python/tests/test_docs.py)."""

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import site_pages  # noqa: E402


def listed():
    """The pages that mkdocs.yml lists."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("\nplugins:")[0]
    return re.findall(r": ([\w/-]+\.md)$", nav, re.MULTILINE)


def test_every_page_is_in_the_list_once():
    there = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    taken = [page for page in site_pages.TAKEN if page.endswith(".md")]
    assert sorted(listed()) == sorted([*there, *taken, site_pages.HEADERS])


@pytest.mark.parametrize("page", listed())
def test_every_link_of_a_page_leads_somewhere(page):
    if page == site_pages.HEADERS:
        text = site_pages.headers_page()
    else:
        path = ROOT / site_pages.TAKEN.get(page, f"docs/{page}")
        text = path.read_text(encoding="utf-8")
        for target, _ in site_pages.LINK.findall(text):
            assert (path.parent / target).exists(), f"{page} links to {target}"
    shown = {*listed(), *site_pages.TAKEN}
    for target, _ in site_pages.LINK.findall(site_pages.with_links_of_the_site(text, page)):
        place = (pathlib.PurePosixPath(page).parent / target).as_posix()
        resolved = (ROOT / "docs" / place).resolve().relative_to(ROOT / "docs").as_posix()
        assert resolved in shown or (ROOT / "docs" / resolved).is_file(), f"{page} links to {target}"


def test_links_of_the_repository_become_links_of_the_site():
    links = site_pages.with_links_of_the_site
    assert links("[a](docs/cli.md#train) [b](src/README.md) [c](LICENSE-MNIST)", "index.md") == (
        "[a](cli.md#train) [b](source.md) [c](LICENSE-MNIST.txt)"
    )
    assert links("[a](../README.md) [b](figures/soak.svg) [c](https://x.org/a.md) [d](#here)", "data.md") == (
        "[a](index.md) [b](figures/soak.svg) [c](https://x.org/a.md) [d](#here)"
    )
    assert links("[a](../data.md) [b](../../CONTRIBUTING.md)", "python/index.md") == "[a](../data.md) [b](../contributing.md)"
    assert links("[a](Makefile)", "index.md") == "[a](Makefile)"  # mkdocs refuses it


def test_the_page_of_the_headers_has_what_each_says_of_itself():
    page = site_pages.headers_page()
    headers = sorted((ROOT / "include" / "falsum").glob("*.h"))
    assert re.findall(r"^## falsum/(.*)$", page, re.MULTILINE) == [header.name for header in headers]
    for header in headers:
        text = header.read_text(encoding="utf-8")
        assert text.startswith("// "), f"{header.name} does not say what it is for"
        assert text.splitlines()[0][3:] in page
        assert header.name == "falsum.h" or site_pages.declared(text), header.name


def test_drawings_in_a_comment_are_code_and_declarations_are_found():
    header = """// Thing: a thing.
//
//   Thing thing;
//
//   use(thing);
// And more.
#pragma once
namespace falsum {
class Later;
enum class Kind { kOne };
/// A comment.
class Thing : public Other {
 public:
  int member() const;
};
[[nodiscard]] std::vector<int> use(const Thing& thing);
}  // namespace falsum
"""
    assert site_pages.opening_comment(header) == "Thing: a thing.\n\n```text\n  Thing thing;\n\n  use(thing);\n```\n\nAnd more."
    assert site_pages.declared(header) == ["Kind", "Thing", "use()"]

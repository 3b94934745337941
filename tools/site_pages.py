"""What mkdocs.yml calls while it builds the site: pages that are not in docs/ come to it from where they are, and one about the
headers is made of their opening comments. Nothing is written into docs/, so nothing there can be stale.

Links in the pages are those of the repository, as everybody who reads it elsewhere needs them; here they become links of the site.
"""

import pathlib
import posixpath
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Page of the site -> file of the repository. Everything else on the site is in docs/.
TAKEN = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "security.md": "SECURITY.md",
    "source.md": "src/README.md",
    "LICENSE-MNIST.txt": "LICENSE-MNIST",
    "CITATION.cff": "CITATION.cff",
}
HEADERS = "cpp.md"
LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]+)(#[^)\s]*)?\)")


def page_of(path):
    """The page of the site that shows a file of the repository; None if there is none."""
    for page, file in TAKEN.items():
        if file == path:
            return page
    return path[len("docs/") :] if path.startswith("docs/") else None


def with_links_of_the_site(markdown, page):
    """The text of a page, whose links are those of the file that it was taken from."""
    folder = posixpath.dirname(TAKEN.get(page, "docs/" + page))

    def link(match):
        target = page_of(posixpath.normpath(posixpath.join(folder, match[1])))
        if target is None:
            return match[0]  # mkdocs says that it leads nowhere
        return f"]({posixpath.relpath(target, posixpath.dirname(page) or '.')}{match[2] or ''})"

    return LINK.sub(link, markdown)


def opening_comment(header):
    """What a header says of itself; drawings and code, which are set in by three columns, as a block of code."""
    lines = []
    for line in header.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[3:])
    text, code = [], []
    for line in [*lines, "end"]:
        if line.startswith("  ") or (code and not line):
            code.append(line)
            continue
        if code:
            text += ["```text", *"\n".join(code).rstrip().splitlines(), "```", ""]
            code = []
        text.append(line)
    return "\n".join(text[:-1]).strip()


def declared(header):
    """The classes and functions of a header, in its order."""
    kinds = r"(?:class|struct|enum class) (\w+)\b[^;]*?\{"
    functions = r"(?!using|namespace|template|#|/)[\w\[][\w:<>*&, \[\]]* [*&]?(\w+)\("
    found = re.findall(f"^(?:{kinds}|{functions})", header, re.MULTILINE)
    return list(dict.fromkeys(name or f"{function}()" for name, function in found))


def headers_page():
    text = ["# The C++ library", ""]
    text += ["What each header of `include/falsum` is for, in its own words; every declaration has a comment there."]
    text += ["`#include <falsum/falsum.h>` has all of them but `datasets.h` and `c_api.h`, which are targets of their own.", ""]
    for path in sorted((ROOT / "include" / "falsum").glob("*.h")):
        header = path.read_text(encoding="utf-8")
        text += [f"## falsum/{path.name}", "", opening_comment(header), ""]
        if names := declared(header):
            text += ["Declares " + ", ".join(f"`{name}`" for name in names) + ".", ""]
    return "\n".join(text)


def on_files(files, config):
    from mkdocs.structure.files import File

    for page, path in TAKEN.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    files.append(File.generated(config, HEADERS, content=headers_page()))
    return files


def on_page_markdown(markdown, page, config, files):
    return with_links_of_the_site(markdown, page.file.src_uri)

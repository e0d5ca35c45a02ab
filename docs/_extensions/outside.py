"""Pages that are kept elsewhere in the repository: links to their files lead to the pages that show them.

`architecture.md`, `changelog.md`, `examples.md` and the pages in `benchmarks/` include files from outside
this folder. A tutorial links to such a file where it is, so that the link is right in the repository; on the
site it leads to the page.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent
LINK = re.compile(r"(\]\()([^()\s:#]+)((?:#[\w-]+)?\))")
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "examples": "examples.md",
    "examples/README.md": "examples.md",
    "benchmarks/README.md": "benchmarks/index.md",
}


def page_of(file: Path) -> str | None:
    """The page, below docs/, that shows a file of the repository, if there is one."""
    if not file.is_relative_to(ROOT) or file.is_relative_to(DOCS):
        return None
    name = file.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    if file.match("benchmarks/*/README.md"):
        return f"benchmarks/{file.parent.name}.md"
    if file.match("examples/*.py"):
        return f"examples.md#{anchor(file)}"
    return None


def anchor(script: Path) -> str:
    """What headings of such a name are called in links."""
    return script.name.replace(".", "")


def redirect(text: str, where: Path, page: Path) -> str:
    """The text, which stands in the folder `where`, with its links as they must be on a page."""

    def changed(link: re.Match[str]) -> str:
        file = Path(os.path.normpath(where / link[2]))
        target = page_of(file)
        if not file.exists() or (target is None and where == page.parent):
            return link[0]
        return link[1] + os.path.relpath(DOCS / target if target else file, page.parent) + link[3]

    return LINK.sub(changed, text)


def scripts() -> str:
    """The examples, each under a heading."""
    files = sorted((ROOT / "examples").glob("*.py"))
    return "\n".join(
        f"## {file.name}\n\n:::{{literalinclude}} ../examples/{file.name}\n:::\n" for file in files
    )


def of_page(app: Sphinx, name: str, source: list[str]) -> None:
    """A page's own links, and the scripts on the page of examples."""
    page = DOCS / f"{name}.md"
    source[0] = redirect(source[0], page.parent, page)
    if name == "examples":
        source[0] += "\n" + scripts()


def of_included(app: Sphinx, file: Path, name: str, source: list[str]) -> None:
    """Links of a file that a page includes."""
    place = (DOCS / file).resolve()
    page = page_of(place)
    if page is not None:
        source[0] = redirect(source[0], place.parent, DOCS / page)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both."""
    app.connect("source-read", of_page)
    app.connect("include-read", of_included)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Citations as the sources write them, [Key]_ in docstrings and [Key] in pages, lead to the references."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as UnsortedStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx

KEY = r"\[([A-Za-z]+[12]\d{3})\]"
IN_DOCSTRING = re.compile(KEY + "_")
IN_PAGE = re.compile(KEY + r"(?![(:_\w])")
FENCE = re.compile(r"(^(`{3,}|~{3,}).*?^\2[ \t]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


class KeyLabels(BaseLabelStyle):
    """A reference is called what the sources call it."""

    def format_labels(self, sorted_entries: list[Any]) -> list[str]:
        """The keys, in the order of the entries."""
        return [entry.key for entry in sorted_entries]


class KeyedStyle(UnsortedStyle):
    """Plain entries, sorted by author and year, under their keys."""

    default_label_style = KeyLabels
    default_sorting_style = "author_year_title"


def cite_in_docstring(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """[Key]_ is a citation."""
    lines[:] = [IN_DOCSTRING.sub(r":cite:p:`\1`", line) for line in lines]


def cite_in_page(app: Sphinx, name: str, source: list[str]) -> None:
    """[Key] is a citation, but not in code, and not where it is the text of a link."""
    pieces = FENCE.split(source[0])
    # `split` yields plain text, then for each piece of code the code and its fence.
    pieces[::3] = [IN_PAGE.sub(r"{cite:p}`\1`", text) for text in pieces[::3]]
    source[0] = "".join(piece for number, piece in enumerate(pieces) if number % 3 != 2)


def cite_in_included(app: Sphinx, file: Path, name: str, source: list[str]) -> None:
    """The same in a file that a page includes."""
    cite_in_page(app, name, source)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the style, and the ways to cite."""
    register_plugin("pybtex.style.labels", "keys", KeyLabels)
    register_plugin("pybtex.style.formatting", "keyed", KeyedStyle)
    app.connect("autodoc-process-docstring", cite_in_docstring)
    app.connect("source-read", cite_in_page)
    app.connect("include-read", cite_in_included)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

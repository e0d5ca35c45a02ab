"""Docstrings and signatures as one reads them: public names for what lives in the core, plain types."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import elbowroom

NUMPY, TYPING = r"(?:numpy\.)?", r"(?:typing\.)?"
#: How types are told, and how one would write them.
PLAIN = (
    (re.compile(r"(?:elbowroom\.)?_core(?:\._\w+)?\."), ""),
    (re.compile(r"TypeAliasForwardRef\('(\w+)'\)"), r"\1"),
    (
        re.compile(rf"~?{NUMPY}ndarray\[tuple\[~?{TYPING}Any, \.\.\.\], ~?{NUMPY}dtype\[~?{NUMPY}(\w+)\]\]"),
        r"NDArray[\1]",
    ),
)
#: Types of the core that nobody constructs by hand show no parameters.
MADE_BY_QUERIES = re.compile(r"\(\*args.*\)\Z")
NORM = re.compile(r"\|[^|\s][^|]*\|")
ATTRIBUTES = ("attribute", "property", "data")
HYPHENS, DASH = " -- ", " \u2013 "
STAND_IN = "\ue000"  # a character that no docstring has
PROMPTS = (">>>", "...")


def shorten(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """The names of the core without where in the core they are, and no parameters where there are none."""
    if what == "class" and signature and MADE_BY_QUERIES.match(signature):
        signature = None
    return plain(signature), plain(returned)


def plain(text: str | None) -> str | None:
    """Types as one would write them."""
    for pattern, instead in PLAIN if text else ():
        text = pattern.sub(instead, text or "")
    return text


def hide_colon(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Before napoleon, which takes what stands before the first colon of a property for its type."""
    if what in ATTRIBUTES and lines:
        lines[0] = lines[0].replace(":", STAND_IN)


def shorten_properties(app: Sphinx, document: nodes.document) -> None:
    """The types of properties, which come by another way than signatures."""
    for told in list(document.findall(addnodes.desc_annotation)):
        text = told.astext()
        if plain(text) != text:
            told.children = [nodes.Text(plain(text) or "")]


def dash_after_names(app: Sphinx, document: nodes.document) -> None:
    """Between a parameter and what it means, where Sphinx writes -- for a dash."""
    for text in list(document.findall(nodes.Text)):
        if text.startswith(HYPHENS):
            text.parent.replace(text, nodes.Text(DASH + text[len(HYPHENS) :]))


def show_colon(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """After napoleon."""
    lines[:] = [line.replace(STAND_IN, ":") for line in lines]


def keep_bars(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """|x| is the length of x, not a substitution of reStructuredText."""
    lines[:] = [line if line.lstrip().startswith(PROMPTS) else with_bars(line) for line in lines]


def with_bars(line: str) -> str:
    """The line with |x| escaped, but not in code."""
    pieces = line.split("`")
    pieces[::2] = [NORM.sub(lambda norm: norm[0].replace("|", "\\|"), piece) for piece in pieces[::2]]
    return "`".join(pieces)


def call_volumes_by_their_public_names() -> None:
    """`volumes.Sphere` is the core's SphereVolume, which Sphinx would otherwise call an alias of it."""
    for name in elbowroom.volumes.__all__:
        kind = getattr(elbowroom.volumes, name)
        if isinstance(kind, type):
            kind.__name__ = kind.__qualname__ = name


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the changes."""
    call_volumes_by_their_public_names()
    app.connect("autodoc-process-signature", shorten)
    app.connect("doctree-read", shorten_properties)
    app.connect("doctree-read", dash_after_names)
    app.connect("autodoc-process-docstring", keep_bars)
    app.connect("autodoc-process-docstring", hide_colon, priority=400)
    app.connect("autodoc-process-docstring", show_colon, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

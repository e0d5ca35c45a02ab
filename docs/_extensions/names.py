"""Names of the library in running text, such as `er.check`, lead to where they are explained."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

NAME = re.compile(r"(?:er\.|elbowroom\.)?[A-Za-z_][\w.]*(?:\(.*\))?\Z", re.DOTALL)
LETTERS_AT_LEAST = 4  # shorter words, and plain ones, mostly mean something else
PACKAGES = ("elbowroom", "elbowroom.planning", "elbowroom.sampling")


def full_name(env: BuildEnvironment, text: str) -> str | None:
    """The documented name that a text means: `er.X`, `elbowroom.X`, and `X.y` where X is a public class."""
    if not NAME.match(text):
        return None
    name = text.split("(", 1)[0]
    known = env.domains.python_domain.objects
    if name.startswith("er."):
        name = "elbowroom." + name[len("er.") :]
    if name.startswith("elbowroom."):
        return name if name in known else None
    if (name[0].islower() and "." not in name) or len(name) < LETTERS_AT_LEAST:
        return None
    candidates = (f"{package}.{name}" for package in PACKAGES)
    return next((candidate for candidate in candidates if candidate in known), None)


def link(env: BuildEnvironment, builder: Any, page: str, name: str, content: nodes.Node) -> nodes.reference:
    """A reference from a page to the place where a documented name is explained."""
    place = env.domains.python_domain.objects[name]
    return make_refnode(builder, page, place.docname, place.node_id, content, name)


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.reference | None:
    """References that Sphinx cannot resolve, because they are written as in a program: `er.check`."""
    name = full_name(env, node["reftarget"]) if node.get("refdomain") == "py" else None
    return link(env, app.builder, node["refdoc"], name, content) if name else None


def be_exact(app: Sphinx, document: nodes.document) -> None:
    """Names of attributes mean those of the class they stand in, not any attribute of that name anywhere."""
    for node in document.findall(pending_xref):
        if node.get("refdomain") == "py":
            node.attributes.pop("refspecific", None)


class LinkLiterals(SphinxPostTransform):
    """Inline code that names something of the library becomes a link; on its own page it is left alone."""

    default_priority = 400

    def run(self, **kwargs: Any) -> None:
        """Replace what can be resolved."""
        for literal in list(self.document.findall(nodes.literal)):
            if isinstance(literal.parent, nodes.reference) or in_heading(literal):
                continue
            name = full_name(self.env, literal.astext())
            if name:
                literal.replace_self(
                    link(self.env, self.app.builder, self.env.docname, name, literal.deepcopy())
                )


def in_heading(node: nodes.Node) -> bool:
    """Titles are shown in tables of contents too, where a link would be inside a link."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.title):
            return True
    return False


def setup(app: Sphinx) -> dict[str, Any]:
    """Register them."""
    app.connect("doctree-read", be_exact)
    app.connect("missing-reference", resolve)
    app.add_post_transform(LinkLiterals)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

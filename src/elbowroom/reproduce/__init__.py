"""The papers behind the library, measured again: their tables and figures with ours beside them.

`PAPERS` lists them. A new paper is a module with a `PAPER`, and a line in `_MODULES`; the command line,
`elbowroom reproduce`, needs no change for it.
"""

from __future__ import annotations

from importlib import import_module

from elbowroom.view.exhibits import Picture, Table

from .findings import Chapter, Comparison, Findings, Paper, Settings

# Modules are imported when their paper is asked for: they bring matplotlib with them.
_MODULES = {"chaintree": "chaintree", "cab": "cab", "necklaces": "necklaces", "motion": "motion"}
PAPERS: tuple[str, ...] = tuple(_MODULES)


def paper(name: str) -> Paper:
    """The paper of that name; a ValueError lists the known ones."""
    if name not in _MODULES:
        raise ValueError(f"no paper '{name}'; known: {', '.join(PAPERS)}")
    found: Paper = import_module(f"elbowroom.reproduce.{_MODULES[name]}").PAPER
    return found


__all__ = ["PAPERS", "Chapter", "Comparison", "Findings", "Paper", "Picture", "Settings", "Table", "paper"]

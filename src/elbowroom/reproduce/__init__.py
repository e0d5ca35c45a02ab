"""The papers behind the library, measured again: their tables and figures with ours beside them.

`PAPERS` lists them. A new paper is a module with a `PAPER`, and a name in `PAPERS`; the command line,
`elbowroom reproduce`, needs no change for it.
"""

from __future__ import annotations

from importlib import import_module

from elbowroom.pictures.exhibits import Picture, Table

from .findings import Chapter, Comparison, Findings, Paper, Settings

# Modules are imported when their paper is asked for: they bring matplotlib with them.
PAPERS: tuple[str, ...] = ("chaintree", "cab", "necklaces", "motion", "budget")


def paper(name: str) -> Paper:
    """The paper of that name; a ValueError lists the known ones."""
    if name not in PAPERS:
        raise ValueError(f"no paper '{name}'; known: {', '.join(PAPERS)}")
    found: Paper = import_module(f"elbowroom.reproduce.{name}").PAPER
    return found


__all__ = ["PAPERS", "Chapter", "Comparison", "Findings", "Paper", "Picture", "Settings", "Table", "paper"]

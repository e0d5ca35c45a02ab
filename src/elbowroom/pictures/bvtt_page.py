"""The page of a traversal tree: one HTML file to zoom into the tree, which needs nothing but itself."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.bvtt import BVTT, HIT, OPEN, STATES

from .bvtt_marks import COLOURS, CUT, DANGER, DRAWN

#: The arrays that the page has of the nodes, as little-endian numbers of these kinds.
KINDS = {"depth": "<u2", "state": "<u1", "a": "<i4", "b": "<i4", "part": "<i4", "gap": "<f8", "pairs": "<f8"}


def page(bvtt: BVTT, *, group: int = 8, threshold: float = 1.0, title: str | None = None) -> str:
    """The whole page. Group and threshold can be changed on it."""
    held: dict[str, Any] = {name: _packed(getattr(bvtt, name), kind) for name, kind in KINDS.items()}
    held |= {"states": STATES, "colours": COLOURS, "drawn": DRAWN, "danger": DANGER, "cut": CUT}
    held["group"] = _arrays.count(group, "group", 1)
    held["threshold"] = _arrays.length(threshold, "threshold")
    data = json.dumps(held, separators=(",", ":"))
    return _page(title or "Bounding volume traversal tree", _facts(bvtt), data)


def _facts(bvtt: BVTT) -> list[tuple[str, str]]:
    facts = [
        ("nodes", f"{len(bvtt):,}"),
        ("cut list", f"{len(bvtt.cut):,}"),
        ("deepest", f"{bvtt.deepest:,}"),
        ("mean depth", f"{bvtt.mean_depth:.1f}"),
        ("covered", f"{100 * bvtt.covered:.4g} %" if bvtt.covered < 1 else "all"),
        ("hits", f"{bvtt.count(HIT):,}"),
        ("left open", f"{bvtt.count(OPEN):,}"),
    ]
    return [fact for fact in facts if fact[1] != "0"]


def _packed(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def _page(title: str, facts: Sequence[tuple[str, str]], data: str) -> str:
    known = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    style, script = _files("player.css", "bvtt.css"), _files("bvtt.js", "bvtt_controls.js")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><dl>{known}</dl></header>\n{STAGE}"
        f'<script type="application/json" id="tree">{data}</script>\n<script>\n{script}</script>\n'
        "</body>\n</html>\n"
    )


def _files(*names: str) -> str:
    here = Path(__file__).parent
    return "".join((here / name).read_text(encoding="utf-8") for name in names)


STAGE = """<canvas id="profile" aria-label="The whole profile cut: drag to choose what is shown"></canvas>
<canvas id="stage" tabindex="0" aria-label="The tree: drag to move, wheel to zoom, double click for a node">
</canvas>
<p id="told" role="status"></p>
<footer>
<button id="whole" type="button">Whole tree</button>
<button id="trough" type="button">Next trough</button>
<button id="hit" type="button">Next hit</button>
<button id="open" type="button">Next left open</button>
<label>group <input id="group" type="number" min="1" step="1"></label>
<label>threshold <input id="threshold" type="number" min="0" step="0.1"></label>
<span id="legend"></span>
</footer>
"""

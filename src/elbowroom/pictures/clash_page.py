"""The page of clashes: one HTML file with a table, and a view that goes to each clash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.clashes import KINDS, Clash, Clashes

from .exhibits import Scene
from .intersections import curves
from .moving import Standing
from .moving_balls import Lines
from .player import HERE, SCENE_SCRIPTS, player_script, player_style, stage
from .player_data import recorded

Array = NDArray[np.float64]
Facts = Sequence[tuple[str, str]]
Part = tuple[str, er.Body, er.Pose]

#: Triangles that the page holds, those of parts that clash first; what is beyond is drawn as boxes.
MOST_TRIANGLES = 250_000
#: Pairs of triangles of which the intersections are drawn: of one clash, and of all.
MOST_CUTS, ALL_CUTS = 1_500, 120_000
RED = "#e0245e"


def clash_page(title: str, found: Clashes, *, unit: str | None = None, facts: Facts = ()) -> str:
    """The whole page: all parts, and their clashes."""
    parts, clashes = found.bodies, found.clashes
    number = {name: k for k, (name, _, _) in enumerate(parts)}
    clashing = dict.fromkeys(number[name] for clash in clashes for name in (clash.a, clash.b))
    shown, boxed = _shown(parts, list(clashing))
    held = recorded(standing=shown, lines=[Lines(_segments(parts, number, clashes), RED, 0.0)])
    held["frames"] = 1
    table = {
        "unit": unit or "",
        "kinds": list(KINDS),
        "parts": [name for name, _, _ in parts],
        "rows": [_row(clash, found.place(clash), number) for clash in clashes],
    }
    if boxed:
        facts = [*facts, ("drawn as boxes", f"{boxed:,} parts")]
    scene = Scene(held, "The assembly; the table below has all clashes.", "", {})
    return _page(title, facts, scene, table)


def _shown(parts: Sequence[Part], clashing: list[int]) -> tuple[list[Standing], int]:
    """All parts; those beyond the limit as boxes, and how many these are."""
    order = [*clashing, *(k for k in range(len(parts)) if k not in set(clashing))]
    left, kept = MOST_TRIANGLES, dict[int, bool]()
    out: list[Standing] = [Standing(er.Sphere(1))] * len(parts)
    boxed = 0
    for k in order:
        _, body, pose = parts[k]
        if id(body) not in kept:
            kept[id(body)] = len(body) <= left
            left -= len(body) if kept[id(body)] else 0
        if not kept[id(body)]:
            body, pose = _box(body, pose)
            boxed += 1
        out[k] = Standing(body, pose.matrix, layer=str(k))
    return out, boxed


def _box(body: er.Body, pose: er.Pose) -> tuple[er.Body, er.Pose]:
    low, high = body.bounds
    least = 1e-6 * max(float((high - low).max()), 1e-9)
    return er.Box(np.maximum(high - low, least)), pose @ er.Pose(translation=(low + high) / 2)


def _segments(parts: Sequence[Part], number: dict[str, int], clashes: Sequence[Clash]) -> list[Array]:
    """What is drawn in red of every clash: where surfaces cut, or the line between the nearest points."""
    left, out = ALL_CUTS, []
    for clash in clashes:
        segments = np.empty((0, 2, 3)) if clash.points is None else clash.points[None]
        (_, a, pose_a), (_, b, pose_b) = parts[number[clash.a]], parts[number[clash.b]]
        if clash.points is None and left > 0 and isinstance(a, er.Mesh) and isinstance(b, er.Mesh):
            segments = curves(a, b, pose_a, pose_b, MOST_CUTS)
            left -= len(segments)
        out.append(segments)
    return out or [np.empty((0, 2, 3))]


def _row(clash: Clash, point: list[float], number: dict[str, int]) -> list[Any]:
    """Kind, two parts, gap, depth, place, size, and whether one part is there twice."""
    size = float(np.linalg.norm(np.ptp(clash.box, axis=0)))
    place = [float(f"{x:.7g}") for x in point]
    measures = [float(f"{clash.gap:.6g}"), float(f"{clash.depth:.6g}")]
    parts = [number[clash.a], number[clash.b]]
    return [KINDS.index(clash.kind), *parts, *measures, place, size, int(clash.duplicate)]


def _page(title: str, facts: Facts, scene: Scene, table: dict[str, Any]) -> str:
    known = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    style = player_style() + "".join(
        (HERE / name).read_text(encoding="utf-8") for name in ("animation.css", "clash.css")
    )
    data = json.dumps(table, separators=(",", ":")).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><dl>{known}</dl></header>\n"
        f"<main>{stage(scene, fill=True)}{TABLE}</main>\n"
        f'<script type="application/json" id="clashes">{data}</script>\n'
        f"{player_script((*SCENE_SCRIPTS, 'clash'))}</body>\n</html>\n"
    )


TABLE = """<section id="list">
<div id="tools"><input id="search" type="search" placeholder="Part" aria-label="Part">
<span id="kinds"></span>
<label><input id="alone" type="checkbox"> hide other parts</label>
<button id="whole" type="button">Whole assembly</button></div>
<div id="scroll"><table><thead><tr>
<th data-key="kind">Kind</th><th data-key="a">Part</th><th data-key="b">with</th>
<th data-key="gap" class="number">Gap</th><th data-key="depth" class="number">Depth</th><th>Place</th>
</tr></thead><tbody id="rows"></tbody></table>
<button id="more" type="button" hidden>Show more</button></div>
<details id="counts"><summary>Clashes by part</summary><table><tbody></tbody></table></details>
<p id="told" role="status"></p>
</section>
"""

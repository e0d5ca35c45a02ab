"""Animations: one HTML page that plays a motion and needs nothing but itself."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import elbowroom as er

from .moving import Moving, Standing
from .surfaces import creases, placed, surface

Array = NDArray[np.float64]
Facts = Sequence[tuple[str, str]]

#: Longest time that a motion plays, and the time for each of its segments, in seconds.
LONGEST, SEGMENT = 16.0, 2.5


def animation(
    title: str,
    moving: Sequence[Moving],
    standing: Sequence[Standing] = (),
    *,
    trail: ArrayLike | None = None,
    marks: Sequence[int] | None = None,
    facts: Facts = (),
    through: bool = False,
) -> str:
    """The page: `moving` bodies all have as many frames.

    `trail` (n, 3) is a line to draw, a point for each frame; `marks` are the frames of the states of a path,
    by default the first and the last; `facts` are names and values below the title. With `through` what
    stands about can be seen through from the beginning.
    """
    if not moving:
        raise ValueError("moving is empty: at least one body must move")
    frames = len(moving[0].poses)
    if any(each.poses.shape != (frames, 4, 4) for each in moving) or frames < 2:
        raise ValueError("moving must have poses of shape (n, 4, 4), n at least 2 and the same for all")
    held = scene(moving, standing, np.zeros((0, 3)) if trail is None else np.asarray(trail, float))
    ends = [0, frames - 1] if marks is None else [int(mark) for mark in marks]
    held |= {"marks": ends, "seconds": min(LONGEST, SEGMENT * max(len(ends) - 1, 1) + 1.5)}
    held["through"] = through
    return _page(title, facts, json.dumps(held, separators=(",", ":")))


def scene(moving: Sequence[Moving], standing: Sequence[Standing], trail: Array) -> dict[str, Any]:
    """What is shown, for the player: each shape once, where it is used, and the poses of all frames."""
    shapes: list[dict[str, str]] = []
    known: dict[Any, int] = {}
    bodies, spans = [], [trail] if len(trail) else []
    for mover, each in enumerate(moving):
        for part, pose in _flat(er.Group(each.parts), None):
            bodies.append(_used(part, pose, each.colour, mover, shapes, known))
            spans += [placed(_box(part, pose), at) for at in each.poses[:: max(1, len(each.poses) // 24)]]
            spans.append(placed(_box(part, pose), each.poses[-1]))
    for still in standing:
        for part, pose in _flat(still.body, still.pose):
            bodies.append(_used(part, pose, still.colour, -1, shapes, known))
            spans.append(_box(part, pose))
    everything = np.concatenate(spans)
    low, high = everything.min(axis=0), everything.max(axis=0)
    centre, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-9)
    middle = np.mean([each.poses[:, :3, 3].mean(axis=0) for each in moving], axis=0)
    return {
        "shapes": shapes,
        "bodies": bodies,
        "frames": len(moving[0].poses),
        "movers": len(moving),
        "poses": _packed(np.stack([each.poses[:, :3] for each in moving], axis=1)),
        "trail": _packed(trail),
        "centre": centre.tolist(),
        "reach": reach,
        "corners": _outermost(everything).ravel().tolist(),
        "azimuth": _azimuth(middle - centre, reach),
    }


def _outermost(points: Array) -> Array:
    """The points that are farthest out in many directions: what must be in view for all to be."""
    directions = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 3), axis=-1).reshape(-1, 3)
    return np.asarray(points[np.unique((points @ directions.T).argmax(axis=0))])


def _azimuth(aside: Array, reach: float) -> float:
    """From where to look: from the side of what moves, but past it, so that it does not hide the rest."""
    if np.hypot(aside[0], aside[1]) < 0.1 * reach:
        return -1.05
    return float(np.arctan2(aside[1], aside[0]) + 0.7)


def _flat(body: er.Body, pose: Any) -> list[tuple[er.Body, Array]]:
    """The shapes and meshes of a body, groups taken apart, with their poses (4, 4)."""
    matrix = _matrix(pose)
    if not isinstance(body, er.Group):
        return [(body, matrix)]
    return [(part, matrix @ within) for member, own in body.members for part, within in _flat(member, own)]


def _matrix(pose: Any) -> Array:
    corners = placed(np.vstack([np.zeros(3), np.eye(3)]), pose)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = (corners[1:] - corners[0]).T, corners[0]
    return matrix


def _used(
    body: er.Body, pose: Array, colour: str, mover: int, shapes: list[dict[str, str]], known: dict[Any, int]
) -> dict[str, Any]:
    """A body in its place. All spheres are one shape in different sizes, and so are all boxes."""
    key: Any = body
    size = np.ones(3)
    if isinstance(body, er.Sphere):
        key, size = "sphere", np.full(3, body.radius)
    elif isinstance(body, er.Box):
        key, size = "box", np.asarray(body.extents)
    if key not in known:
        known[key] = len(shapes)
        shapes.append(_shape({"sphere": er.Sphere(1), "box": er.Box(1)}.get(key, body)))
    least = 1e-9 * max(float(size.max()), 1e-9)  # what is flat has a normal all the same
    return {
        "shape": known[key],
        "size": np.maximum(size, least).tolist(),
        "matrix": np.round(pose[:3], 9).ravel().tolist(),
        "colour": colour,
        "mover": mover,
    }


def _shape(body: er.Body) -> dict[str, str]:
    """Corners, faces as indices into them, and the creases of boxes and hulls."""
    triangles = surface(body)
    points, corners = np.unique(triangles.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    sharp = creases(triangles)[0] if isinstance(body, er.Box | er.Convex) else np.zeros((0, 2, 3))
    faces = corners.reshape(-1).astype("<u4")
    return {"points": _packed(points), "faces": _text(faces.tobytes()), "edges": _packed(sharp)}


def _box(body: er.Body, pose: Array) -> Array:
    """Corners of the box about a body, in the world or in the frame that it moves with."""
    low, high = body.bounds
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return placed(low + corners * (high - low), pose)


def _packed(values: Array) -> str:
    return _text(np.ascontiguousarray(values, dtype="<f4").tobytes())


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _page(title: str, facts: Facts, data: str) -> str:
    known = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    here = Path(__file__).parent
    style = (here / "player.css").read_text(encoding="utf-8")
    script = "".join(
        (here / name).read_text(encoding="utf-8") for name in ("player.js", "player_controls.js")
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><dl>{known}</dl></header>\n{STAGE}"
        f'<script type="application/json" id="motion">{data}</script>\n<script>\n{script}</script>\n'
        "</body>\n</html>\n"
    )


STAGE = """<canvas aria-label="The motion: drag to turn it, with shift to move it; wheel to come nearer">
</canvas>
<p id="fault" hidden>This browser shows no WebGL 2, which the animation needs.</p>
<footer>
<button id="play" type="button">Play</button>
<input id="slider" type="range" min="0" max="1" step="any" value="0" aria-label="Time">
<output id="where"></output>
<label>speed <select id="speed"><option value="0.25">¼</option><option value="0.5">½</option>
<option value="1" selected>1</option><option value="2">2</option><option value="4">4</option></select></label>
<label><input id="again" type="checkbox" checked> loop</label>
<label><input id="ends" type="checkbox" checked> start and goal</label>
<label><input id="trail" type="checkbox" checked> trail</label>
<label><input id="through" type="checkbox"> see through</label>
</footer>
"""

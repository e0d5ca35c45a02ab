"""Bodies as the player takes them: each shape once, where it is used, and numbers as text."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .moving import Moving, Standing
from .surfaces import creases, placed, surface

Array = NDArray[np.float64]
Shapes = list[dict[str, str]]
Used = tuple[dict[str, Any], Array]  # a body, and the corners of the box about it where it moves


def used_bodies(moving: Sequence[Moving], standing: Sequence[Standing]) -> tuple[list[Used], Shapes]:
    """Every body in its place, and the shapes that they have."""
    shapes: Shapes = []
    known: dict[Any, int] = {}
    found = []
    for mover, each in enumerate(moving):
        looks = _looks(each) | {"mover": mover}
        for part, pose in _flat(er.Group(each.parts), None):
            found.append((_used(part, pose, shapes, known) | looks, _box(part, pose)))
    for still in standing:
        looks = _looks(still) | {"mover": -1}
        for part, pose in _flat(still.body, still.pose):
            found.append((_used(part, pose, shapes, known) | looks, _box(part, pose)))
    return found, shapes


def _looks(thing: Moving | Standing) -> dict[str, Any]:
    red = "".join("01"[bool(now)] for now in thing.red)  # a letter for each frame
    return {"colour": thing.colour, "alpha": thing.alpha, "layer": thing.layer, "red": red}


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


def _used(body: er.Body, pose: Array, shapes: Shapes, known: dict[Any, int]) -> dict[str, Any]:
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
    }


def _shape(body: er.Body) -> dict[str, str]:
    """Corners, faces as indices into them, and the creases of boxes and hulls."""
    triangles = surface(body)
    points, corners = np.unique(triangles.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    sharp = creases(triangles)[0] if isinstance(body, er.Box | er.Convex) else np.zeros((0, 2, 3))
    faces = corners.reshape(-1).astype("<u4")
    return {"points": packed(points), "faces": text(faces.tobytes()), "edges": packed(sharp)}


def _box(body: er.Body, pose: Array) -> Array:
    """Corners of the box about a body, in the world or in the frame that it moves with."""
    low, high = body.bounds
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return placed(low + corners * (high - low), pose)


def whole_numbers(places: Array) -> dict[str, Any]:
    """Places as 16-bit numbers between two corners: half of the text, and finer than can be seen."""
    low = places.min(axis=0)
    step = np.maximum(places.max(axis=0) - low, 1e-9) / 65_535
    whole = np.round((places - low) / step).astype("<u2")
    return {"low": low.tolist(), "step": step.tolist(), "data": text(whole.tobytes())}


def packed(values: Array) -> str:
    """Numbers of 32 bits as text."""
    return text(np.ascontiguousarray(values, dtype="<f4").tobytes())


def text(content: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(content).decode("ascii")

"""The picture of `elbowroom check --plot` of meshes: the worst pair, with where its surfaces cut."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import _writing
from elbowroom.clashes import Clash, Clashes
from elbowroom.pictures import PALETTE, Look, draw_on, png
from elbowroom.pictures.intersections import curves

THIN = Look("#b9bec4", 0.15)
MOST = 2_000  # pairs of triangles whose intersections are drawn


def write_meshes(file: Path, found: Clashes, worst: Clash | None) -> None:
    """All meshes; of the worst pair each in a colour, and in red where they cut or are nearest."""
    pair = () if worst is None else (worst.a, worst.b)
    looks = {name: Look(PALETTE[k], 0.55) for k, name in enumerate(pair)}
    items = [
        (body, pose, looks.get(name, THIN if pair else Look(PALETTE[0], 0.8)))
        for name, body, pose in found.bodies
    ]
    figure = Figure(figsize=(7.2, 5.4), layout="constrained")
    draw_on(figure.add_subplot(), items, points=_points(found, worst), title=_title(worst))
    _writing.write_bytes(file, png(figure, dpi=110, background="white"))


def _points(found: Clashes, worst: Clash | None) -> np.ndarray | None:
    """Pairs of points to join."""
    if worst is None:
        return None
    if worst.points is not None:
        return np.asarray(worst.points)[None]
    held = {name: (body, pose) for name, body, pose in found.bodies}
    (a, pose_a), (b, pose_b) = held[worst.a], held[worst.b]
    assert isinstance(a, er.Mesh) and isinstance(b, er.Mesh)
    cut = curves(a, b, pose_a, pose_b, MOST)
    return cut if len(cut) else np.asarray(worst.point)[None]


def _title(worst: Clash | None) -> str:
    if worst is None:
        return "no collision"
    joined = {"overlap": "overlaps", "touch": "touches", "inside": "lies inside"}
    return f"{worst.a} {joined.get(worst.kind, 'is near')} {worst.b}"

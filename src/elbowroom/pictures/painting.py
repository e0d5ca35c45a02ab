"""Painting of bodies as shaded triangles in perspective, from far to near, on ordinary matplotlib axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

import elbowroom as er

from .surfaces import creases, divided, is_solid, parts, unit_normals

Array = NDArray[np.float64]

PALETTE = ("#4f8fd0", "#f0973a", "#4fae86", "#a87fd1", "#c9b458", "#d9727f")
REMOVE = 5.0  # distance of the viewer, in radii of the scene
KEY_LIGHT = np.array([-0.448, 0.647, 0.617])  # from above left, before the viewer
HIGHLIGHT = np.array([-0.249, 0.360, 0.899])  # half way between that and the viewer


@dataclass(frozen=True)
class Look:
    """How a body is painted. `edges` None: creases are drawn on boxes and hulls only.

    Examples
    --------
    >>> from elbowroom.pictures import Look, PALETTE
    >>> glass = Look(PALETTE[1], alpha=0.3)
    >>> glass.edges is None
    True
    """

    colour: str = PALETTE[0]
    alpha: float = 1.0
    edges: bool | None = None


@dataclass(frozen=True)
class Camera:
    """Looks at `centre` from a direction given in degrees; near things are a little larger."""

    azimuth: float
    elevation: float
    centre: Array
    reach: float

    def see(self, points: Array) -> Array:
        """Points as (right, up, towards the viewer), the first two in perspective."""
        seen = (points - self.centre) @ self._axes().T
        seen[..., :2] /= 1.0 - seen[..., 2:] / (REMOVE * self.reach)
        return seen

    def faces(self, points: Array, normals: Array) -> NDArray[np.bool_]:
        """Which of the normals at these points are turned to the viewer."""
        position = self.centre + REMOVE * self.reach * self._axes()[2]
        return np.asarray(((position - points) * normals).sum(axis=1) > 0)

    def turned(self, directions: Array) -> Array:
        """Directions in the same frame."""
        return directions @ self._axes().T

    def _axes(self) -> Array:
        a, e = np.radians([self.azimuth, self.elevation])
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(towards, right), towards])


@dataclass(frozen=True)
class Skin:
    """Triangles of a part of a body in the world, and whether they enclose it."""

    triangles: Array
    look: Look
    solid: bool


@dataclass(frozen=True)
class Paint:
    """Polygons of one size with what painting them needs, in camera coordinates."""

    corners: Array
    faces: Array
    edges: Array
    widths: Array


def skins(item: Sequence[Any], k: int) -> list[Skin]:
    """The parts of item number k, (body, pose) or (body, pose, Look)."""
    body, pose = item[0], item[1]
    look = item[2] if len(item) > 2 else Look(PALETTE[k % len(PALETTE)])
    return [
        Skin(triangles, _decided(look, part), is_solid(part, triangles))
        for part, triangles in parts(body, pose)
    ]


def _decided(look: Look, body: er.Body) -> Look:
    return look if look.edges is not None else replace(look, edges=isinstance(body, er.Box | er.Convex))


def _painted(skin: Skin, eye: Camera) -> list[Paint]:
    triangles, look = skin.triangles, skin.look
    opaque = look.alpha >= 1.0
    if opaque and skin.solid:
        triangles = triangles[eye.faces(triangles.mean(axis=1), unit_normals(triangles))]
    # The seams between parts of a triangle would show in a translucent one, so that one stays whole.
    pieces, origin = divided(triangles, eye.reach / 9 if opaque else np.inf)
    colours = _shaded(eye.turned(unit_normals(triangles)), look)[origin]
    # Painting the rim of an opaque triangle in its own colour hides the seam to its neighbour.
    rims = colours if opaque else np.zeros_like(colours)
    width = 0.0 if not opaque else 0.8 if skin.solid else 0.35
    paints = [Paint(eye.see(pieces), colours, rims, np.full(len(pieces), width))]
    if look.edges:
        paints.append(_outlined(skin, eye))
    return paints


def _outlined(skin: Skin, eye: Camera) -> Paint:
    """Creases as polygons of two corners, cut short and lifted so that the faces beside them lie below.

    Opaque bodies show only those at a face turned to the viewer, which for a convex body is what one sees.
    """
    look = skin.look
    edges, sides = creases(skin.triangles)
    if look.alpha >= 1.0:
        middles = edges.mean(axis=1)
        edges = edges[eye.faces(middles, sides[:, 0]) | eye.faces(middles, sides[:, 1])]
    longest = float(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).max(initial=0.0))
    steps = np.linspace(0, 1, 2 + int(9 * longest / eye.reach))[:, None]
    dots = edges[:, None, 0] * (1 - steps) + edges[:, None, 1] * steps
    seen = eye.see(np.stack([dots[:, :-1], dots[:, 1:]], axis=2).reshape(-1, 2, 3))
    seen[..., 2] += 0.04 * eye.reach
    colour = np.append(0.5 * np.array(to_rgb(look.colour)), min(1.0, look.alpha + 0.35))
    colours = np.tile(colour, (len(seen), 1))
    return Paint(seen, np.zeros_like(colours), colours, np.full(len(seen), 0.8))


def _shaded(normals: Array, look: Look) -> Array:
    """Colours (n, 4): diffuse light from above left, a weak fill from the viewer, a soft highlight."""
    facing = normals * np.where(normals[:, 2:] < 0, -1.0, 1.0)
    key = np.clip(facing @ KEY_LIGHT, 0, 1)
    shine = 0.35 * np.clip(facing @ HIGHLIGHT, 0, 1) ** 24
    strength = 0.38 + 0.52 * key + 0.18 * facing[:, 2]
    colours = np.clip(strength[:, None] * np.array(to_rgb(look.colour)) + shine[:, None], 0, 1)
    return np.column_stack([colours, np.full(len(colours), look.alpha)])


def paint(axes: Axes, shown: list[Skin], eye: Camera) -> None:
    """Put the bodies on the axes."""
    paints = [paint for skin in shown for paint in _painted(skin, eye)]
    depth = np.concatenate([part.corners[..., 2].mean(axis=1) for part in paints])
    order = np.argsort(depth, kind="stable")
    polygons = [corners for part in paints for corners in part.corners[..., :2]]
    faces = np.concatenate([part.faces for part in paints])[order]
    edges = np.concatenate([part.edges for part in paints])[order]
    widths = np.concatenate([part.widths for part in paints])[order]
    axes.add_collection(
        PolyCollection(
            [polygons[k] for k in order],
            facecolors=faces,
            edgecolors=edges,
            linewidths=widths,
            closed=False,
            capstyle="round",
        )
    )

"""What is on the screen, as arrays: balls, meshes, segments and boxes, each layer under a name.

Names are paths: "body/...", "hierarchy/3", "collisions/...", "closest/...", "within", "cut/...". An exhibit
gives the same arrays again, the very same objects, for what did not change, so that a server can tell quickly
what it has to send.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Triangles = NDArray[np.int32]
Bytes = NDArray[np.uint8]
#: Red, green and blue, 0 to 255 each.
Paint = tuple[int, int, int]
#: One for the whole layer, or an array (n, 3) with one for each item.
Colour = Paint | Bytes
Kind = Literal["balls", "mesh", "segments", "boxes"]

BLUE, ORANGE, GREEN, PURPLE = (79, 143, 208), (240, 151, 58), (79, 174, 134), (168, 127, 209)
GREY, RED, GOLD, INK = (170, 178, 189), (224, 36, 94), (226, 174, 36), (38, 50, 66)


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer; its class, or `kind`, says which arrays it has. What hides all behind it has opacity 1.

    `colour` is one for all, three numbers from 0 to 255, or an array (n, 3) with one for each item.

    Examples
    --------
    >>> import numpy as np
    >>> from elbowroom.viewer import Balls
    >>> one = Balls("body/ball", np.zeros((1, 3)), np.ones(1), colour=(224, 36, 94))
    >>> moved = Balls("body/ball", np.ones((1, 3)), one.radii, colour=(224, 36, 94))
    >>> moved.same(one), moved.same(one, "radii", "colour")
    (False, True)
    """

    name: str
    colour: Colour = field(default=BLUE, kw_only=True)
    opacity: float = field(default=1.0, kw_only=True)

    kind: ClassVar[Kind]

    def same(self, other: Layer | None, *names: str) -> bool:
        """Do these fields, or all, hold the same values in another layer? The same objects cost nothing."""
        if type(other) is not type(self):
            return False
        asked = names or tuple(each.name for each in fields(self))
        return all(_equal(getattr(self, name), getattr(other, name)) for name in asked)


@dataclass(frozen=True, eq=False)
class Balls(Layer):
    """Solid balls: centres (n, 3), radii (n,).

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> balls, *_ = open_exhibit("chain").layers(Show())
    >>> balls.kind, balls.centres.shape, balls.radii.shape
    ('balls', (10000, 3), (10000,))
    """

    centres: Array
    radii: Array

    kind = "balls"


@dataclass(frozen=True, eq=False)
class Triangulated(Layer):
    """A mesh: vertices (n, 3) and triangles (m, 3) in its own frame, and its pose (4, 4). One colour.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> spring, *_ = open_exhibit("springs").layers(Show())
    >>> spring.kind, spring.triangles.shape, spring.pose.shape
    ('mesh', (1800, 3), (4, 4))
    """

    vertices: Array
    triangles: Triangles
    pose: Array
    smooth: bool = False

    kind = "mesh"


@dataclass(frozen=True, eq=False)
class Segments(Layer):
    """Lines: points (n, 2, 3), `width` in pixels.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> layers = {layer.name: layer for layer in open_exhibit("springs").layers(Show(closest=True))}
    >>> layers["closest/line"].points.shape
    (1, 2, 3)
    """

    points: Array
    width: float = 2.0

    kind = "segments"


@dataclass(frozen=True, eq=False)
class Boxes(Layer):
    """Boxes: centres (n, 3), half sides (n, 3), rotations (n, 3, 3), each right-handed, box to world.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> *_, boxes = open_exhibit("chain").layers(Show(level=3))
    >>> boxes.name, boxes.kind, boxes.halves.shape
    ('hierarchy/3/chain', 'boxes', (79, 3))
    """

    centres: Array
    halves: Array
    rotations: Array

    kind = "boxes"


def extent(layers: Iterator[Layer] | list[Layer]) -> Array:
    """The box [[low], [high]] about all of them, for the first look; about the origin if there is nothing."""
    spans = [span for layer in layers for span in _spans(layer)]
    if not spans:
        return np.array([[-1.0] * 3, [1.0] * 3])
    low, high = np.min([low for low, _ in spans], axis=0), np.max([high for _, high in spans], axis=0)
    return np.stack([low, high])


def in_space(points: Array) -> Array:
    """Points of the plane get a third coordinate."""
    if points.shape[1] == 3:
        return points
    return np.column_stack([points, np.zeros(len(points))])


def _spans(layer: Layer) -> list[tuple[Array, Array]]:
    """The least and the greatest coordinates of a layer, or nothing if it is empty."""
    if isinstance(layer, Balls):
        grown = layer.radii[:, None]
        points = np.concatenate([layer.centres - grown, layer.centres + grown])
    elif isinstance(layer, Triangulated):
        points = layer.vertices @ layer.pose[:3, :3].T + layer.pose[:3, 3]
    elif isinstance(layer, Segments):
        points = layer.points.reshape(-1, 3)
    else:
        return []  # boxes lie about what is shown anyway
    return [(points.min(axis=0), points.max(axis=0))] if len(points) else []


def _equal(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    return bool(a == b)

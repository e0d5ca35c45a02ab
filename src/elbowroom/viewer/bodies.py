"""Bodies as they are shown: each kind knows its layers, its hierarchy, and where its parts are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .layers import BLUE, RED, Array, Colour, Layer, Triangulated
from .layers_surfaces import body_surface, is_round, marked_surface, middles
from .layers_volumes import box_columns, count_levels, placed_boxes

Numbers = NDArray[np.int64]
NOTHING: Numbers = np.empty(0, np.int64)


class Actor(ABC):
    """A body on show, under a name of its own.

    Attributes
    ----------
    body, pose
        What questions are asked of, and the pose (4, 4) by which it stands in the world.
    parts
        What the numbers in an answer count: "triangles", "balls", "links", ...
    levels
        How many levels of its hierarchy can be shown.
    alone
        Can it be asked about itself?
    reach
        A distance at which a few of its parts have others, or None if the size of the scene is to tell.
    """

    parts: str = "parts"
    levels: int = 0
    alone: bool = True
    reach: float | None = None

    def __init__(self, name: str, body: Any, pose: Array | None = None) -> None:
        self.name, self.body = name, body
        self.pose: Array = np.eye(4) if pose is None else np.array(pose, dtype=float)

    @abstractmethod
    def layers(self, marked: Numbers) -> list[Layer]:
        """The body itself, and in red the parts with these numbers."""

    @abstractmethod
    def hierarchy(self, level: int) -> list[Layer]:
        """The volumes at a level; below the lowest that there is, the lowest."""

    @abstractmethod
    def middles(self, numbers: Numbers) -> Array:
        """(k, 3): about where these parts are in the world."""

    def placed(self, points: Array) -> Array:
        """Points of the body's frame in the world."""
        return points @ self.pose[:3, :3].T + self.pose[:3, 3]

    def _named(self, what: str) -> str:
        return f"{what}/{self.name}"


class RigidActor(Actor):
    """A mesh, a shape or a group."""

    alone = False

    def __init__(
        self,
        name: str,
        body: er.Body,
        pose: Array | None = None,
        *,
        colour: Colour = BLUE,
        opacity: float = 1.0,
    ) -> None:
        super().__init__(name, body, pose)
        self.parts = "triangles" if isinstance(body, er.Mesh) else "primitives"
        self.levels = count_levels(body.boxes)
        self._colour, self._opacity = colour, opacity
        self._surface, self._smooth = body_surface(body), is_round(body)
        self._middles = middles(body)
        self._boxes: dict[int, tuple[Array, Array, Array]] = {}

    def layers(self, marked: Numbers) -> list[Layer]:
        """A body of one primitive is red as a whole."""
        whole = len(self.body) == 1 and len(marked) > 0
        out: list[Layer] = [
            Triangulated(
                self._named("body"),
                *self._surface,
                self.pose,
                self._smooth,
                colour=RED if whole else self._colour,
                opacity=self._opacity,
            )
        ]
        if len(marked) and not whole:
            surface = marked_surface(self.body, marked)
            out.append(Triangulated(self._named("collisions"), *surface, self.pose, colour=RED))
        return out

    def hierarchy(self, level: int) -> list[Layer]:
        """Oriented boxes, which go with the body."""
        level = min(level, self.levels - 1)
        if level not in self._boxes:
            self._boxes[level] = box_columns(self.body.boxes(level))
        return [placed_boxes(f"hierarchy/{level}/{self.name}", self._boxes[level], self.pose)]

    def middles(self, numbers: Numbers) -> Array:
        """Of triangles and other primitives."""
        return self.placed(self._middles[numbers])

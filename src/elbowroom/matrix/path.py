"""The joints between two links of a robot, and the box of their values."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core
from elbowroom.links import VALUES
from elbowroom.matrix.solids import Hull

if TYPE_CHECKING:
    from elbowroom.articulated import Articulated

Floats = NDArray[np.float64]


class Balls(Protocol):
    """Their common hull holds a link."""

    @property
    def centres(self) -> Floats: ...
    @property
    def radii(self) -> Floats: ...


class Path:
    """From one link to another through the links that they hang on: the only joints that move them apart.

    Attributes
    ----------
    where
        Which numbers of a configuration the values are.
    low, high
        Their limits. Joints that turn all the way round have one turn.
    covered
        False if a ball joint or a free joint is among the joints, whose values have no box.
    """

    def __init__(self, body: Articulated, a: int, b: int) -> None:
        numbers, origins, reals = body._skeleton.arrays()
        kinds = list(VALUES)
        above_a, above_b = _up(numbers, a), _up(numbers, b)
        down = [link for link in reversed(above_b) if link not in above_a]
        between, steps = [np.eye(4)], []
        for link in above_a:
            if link in above_b:
                continue
            steps.append((link, -1.0))
            between.append(np.linalg.inv(origins[link]))
        for link in down:
            between[-1] = between[-1] @ origins[link]
            steps.append((link, 1.0))
            between.append(np.eye(4))
        self.covered = True
        places, turns, joints = [], [], []
        frames = [between[0]]
        for (link, sign), frame in zip(steps, between[1:], strict=True):
            kind = kinds[numbers[link, 1]]
            if kind == "fixed":
                frames[-1] = frames[-1] @ frame
                continue
            self.covered = self.covered and kind in ("revolute", "prismatic")
            places.append(int(numbers[link, 2]))
            turns.append(kind == "revolute")
            axis = reals[link, :3] / np.linalg.norm(reals[link, :3])
            joints.append((*axis, sign * reals[link, 3], sign * reals[link, 4]))
            frames.append(frame)
        self.where = np.unique(np.array(places, np.int64))
        self.frames = np.array(frames)
        self.turns = np.array(turns, np.int32)
        self.values = np.searchsorted(self.where, places).astype(np.int32)
        self.joints = np.array(joints, np.float64).reshape(-1, 5)
        self.low, self.high = self._limits(body)

    def __len__(self) -> int:
        return len(self.joints)

    def _limits(self, body: Articulated) -> tuple[Floats, Floats]:
        low, high = body.limits[self.where].T.copy()
        for value in range(len(self.where) if self.covered else 0):
            moved = self.values == value
            turns = bool((self.turns[moved] == 1).all() and (np.abs(self.joints[moved, 3]) == 1).all())
            if turns and high[value] - low[value] >= 2 * np.pi:
                ends = np.isfinite(low[value]), np.isfinite(high[value])
                start = low[value] if ends[0] else high[value] - 2 * np.pi if ends[1] else -np.pi
                low[value], high[value] = start, start + 2 * np.pi
            if not np.isfinite(high[value] - low[value]):
                name = next(j for j in body.joint_names if body.index(j).start == self.where[value])
                raise ValueError(f"joint '{name}' has no limits, so that its values cannot be covered")
        return low, high

    def boxes(self, a: Balls, b: Balls) -> _core.JointBoxes:
        """The bounds over boxes of values, for two links, each in its frame."""
        return _core.JointBoxes(
            self.frames,
            self.turns,
            self.values,
            self.joints,
            len(self.where),
            a.centres,
            a.radii,
            b.centres,
            b.radii,
        )

    def up_to(self, joint: int) -> Path:
        """To the frame of a joint, before its motion; of the same values."""
        left = copy.copy(self)
        left.frames, left.turns = self.frames[: joint + 1], self.turns[:joint]
        left.joints, left.values = self.joints[:joint], self.values[:joint]
        return left

    def without(self, joint: int) -> Path:
        """The same without its first joint (0) or its last (-1), whose motion is left to a link."""
        left = copy.copy(self)
        keep = slice(1, None) if joint == 0 else slice(None, -1)
        left.frames, left.turns, left.joints = self.frames[keep], self.turns[keep], self.joints[keep]
        used, values = np.unique(self.values[keep], return_inverse=True)
        left.values = values.astype(np.int32)
        left.where, left.low, left.high = self.where[used], self.low[used], self.high[used]
        return left

    def swept(self, hull: Hull, joint: int) -> Hull:
        """What holds the link beyond the first joint (0) or the last (-1) wherever that joint takes it."""
        frame = self.frames[joint] if joint == -1 else np.linalg.inv(self.frames[0])
        *axis, multiplier, offset = self.joints[joint].tolist()
        value = self.values[joint]
        low, high = sorted(multiplier * x + offset for x in (self.low[value], self.high[value]))
        if joint == 0:
            low, high = -high, -low
        points = hull.centres @ frame[:3, :3].T + frame[:3, 3]
        if self.turns[joint]:
            points = _turned(points, np.array(axis), low, high)
        else:
            points = np.concatenate([points + by * np.array(axis) for by in (low, high)])
        return Hull(points, np.tile(hull.radii, len(points) // len(hull.radii)))

    def can_sweep(self, joint: int) -> bool:
        """Does no other joint follow the same value?"""
        return len(self) > 1 and int((self.values == self.values[joint]).sum()) == 1


def _turned(points: Floats, axis: Floats, low: float, high: float) -> Floats:
    """Corners of polygons about the arcs of points that turn about an axis through the origin."""
    pieces = max(1, int(np.ceil((high - low) / (np.pi / 10))))
    half = 0.5 * (high - low) / pieces
    along = np.outer(points @ axis, axis)
    across = points - along
    aside = np.cross(axis, across)
    angles = [(low + (2 * k + 1) * half, 1 / np.cos(half)) for k in range(pieces)]
    if high - low < 2 * np.pi - 1e-9:
        angles += [(low, 1.0), (high, 1.0)]
    return np.concatenate([along + by * (np.cos(t) * across + np.sin(t) * aside) for t, by in angles])


def _up(numbers: NDArray[np.int32], link: int) -> list[int]:
    """A link and all that it hangs on."""
    found = []
    while link >= 0:
        found.append(link)
        link = int(numbers[link, 0])
    return found

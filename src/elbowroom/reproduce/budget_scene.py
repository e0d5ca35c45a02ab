"""The scene of Lin and Li: two springs of 1800 triangles, one screwed into the other.

The paper shows its springs in a picture alone. Side by side two springs are told apart by a few tests; to
need the hundreds that the paper speaks of they must be deep in each other. Here the turns of one lie between
those of the other, and it may shift and tilt a little.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.planning import RigidSpace
from elbowroom.planning.rotations import matrices

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LENGTH = 100  # configurations of a path
FIRST, LAST = 13, 83  # the paper's: free before the 14th, colliding to the 83rd, free from there on
HALF_RISE = 0.6  # of one turn: a spring shifted by it lies between the turns of the other
NEAR = ((0.8, 0.8, 0.4), 0.2)  # how far it may shift along x, y and z, and tilt: for paths
WIDE = ((2.0, 2.0, 0.4), 0.25)  # the same for roadmaps
LEVER = 3.0  # the length by which a turn is compared with a shift: half that of a spring
DRAWN, TIMES = 20_000, 33
#: Where the path of Figures 4 and 5 begins and ends: positions, and turns as axis times angle.
ENDS = (
    ((-1.4449, 0.6314, 0.6996), (0.1516, 0.0308, -0.0022)),
    ((-1.4433, 0.1658, 0.6620), (0.1281, 0.0137, 0.0254)),
)


@cache
def spring() -> er.Mesh:
    """The spring, under a tree with two children a node, as in the paper."""
    return er.Mesh(*scenes.spring(), children=2)


class Screwed(RigidSpace):
    """Poses of a spring near to where its turns lie between those of another: small shifts, small tilts."""

    def __init__(self, shift: tuple[float, float, float], tilt: float) -> None:
        middle, reach = np.array([0.0, 0.0, HALF_RISE]), np.array(shift)
        super().__init__(middle - reach, middle + reach, metric="weighted", weight=LEVER)
        self.tilt = tilt

    def drawn(self, uniform: Array) -> tuple[Array, Array]:
        """Poses (n, 4, 4): positions uniform in the box, and axis times angle uniform in a ball."""
        poses = np.tile(np.eye(4), (len(uniform), 1, 1))
        poses[:, :3, 3] = self.low + (self.high - self.low) * uniform[:, :3]
        poses[:, :3, :3] = matrices(_small_turns(uniform[:, 3:], self.tilt))
        return poses, self.keys(poses)


def _small_turns(uniform: Array, most: float) -> Array:
    """Quaternions (n, 4) from uniform numbers (n, 3)."""
    height, around = 1.0 - 2.0 * uniform[:, 0], 2.0 * np.pi * uniform[:, 1]
    across = np.sqrt(1.0 - height**2)
    half = 0.5 * most * np.cbrt(uniform[:, 2])
    axes = np.stack([across * np.cos(around), across * np.sin(around), height], axis=1)
    return np.column_stack([np.cos(half), np.sin(half)[:, None] * axes])


def pose(position: tuple[float, float, float], turn: tuple[float, float, float]) -> er.Pose:
    """A pose from a position and a turn, given as axis times angle."""
    vector = np.array(turn)
    angle = float(np.linalg.norm(vector))
    return er.Pose([np.cos(angle / 2), *(np.sin(angle / 2) / angle * vector)], position)


def figure_path(count: int = LENGTH) -> Array:
    """The path of Figures 4 and 5 in so many configurations (n, 4, 4)."""
    motion = er.Motion(*(pose(*end) for end in ENDS))
    path: Array = motion.at(np.linspace(0, 1, count))
    return path


def colliding(poses: Array) -> Flags:
    """Which of the poses of the second spring collide."""
    found = er.collide(spring(), spring(), pose_b=poses)
    assert isinstance(found, er.Collisions)
    return found.hits


def expected() -> Flags:
    """Which configurations of a path collide."""
    numbers = np.arange(LENGTH)
    return (numbers >= FIRST) & (numbers < LAST)


def paths(count: int, seed: int) -> list[Array]:
    """So many paths (100, 4, 4), each colliding from the 14th to the 83rd configuration.

    Between two random free poses a stretch is looked for in which the springs collide; the path goes through
    it, and begins and ends as far from it as the paper's.
    """
    found: list[Array] = []
    for motion in _motions(seed):
        found += _through(motion)
        if len(found) >= count:
            break
    return found[:count]


def _motions(seed: int) -> Iterator[er.Motion]:
    space, rng = Screwed(*NEAR), np.random.default_rng(seed)
    while True:
        poses, _ = space.drawn(rng.random((DRAWN, space.numbers)))
        free = poses[~colliding(poses)]
        for first, second in zip(free[0::2], free[1::2], strict=False):
            yield er.Motion(first, second)


def _through(motion: er.Motion) -> list[Array]:
    """The paths along a motion that go through one of its colliding stretches."""
    times = np.linspace(0, 1, TIMES)
    borders = np.flatnonzero(np.diff(np.concatenate([[False], colliding(motion.at(times)), [False]])))
    found = []
    for first, end in borders.reshape(-1, 2):
        if first == 0 or end == TIMES:  # a short look at so many times may have missed that the ends are free
            continue
        start, stop = (_border(motion, times[k - 1], times[k]) for k in (first, end))
        step = (stop - start) / (LAST - FIRST)
        chosen = start + step * (np.arange(LENGTH) - FIRST + 0.5)
        if chosen[0] >= 0 and chosen[-1] <= 1:
            path = motion.at(chosen)
            if np.array_equal(colliding(path), expected()):
                found.append(path)
    return found


def _border(motion: er.Motion, low: float, high: float) -> float:
    """When the springs begin or cease to collide, between two times of which one is free and one is not."""
    times = np.linspace(low, high, 33)
    hits = colliding(motion.at(times))
    change = int(np.argmax(hits != hits[0]))
    return float(times[change - 1] + times[change]) / 2

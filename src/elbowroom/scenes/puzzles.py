"""Generated puzzles for planners of rigid bodies: interlocked tubes, a twisted bar, furnished rooms.

They are of the kinds that are known as the alpha puzzle, the flange and the piano mover's problem, with
shapes of our own. Everything is a plain array; the same arguments give the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rigid import Surface, _cap_faces, _rings, _tube_faces

Array = NDArray[np.float64]

#: A pose in which each tube goes through the loop of the other.
LINKED_AXIS, LINKED_ANGLE, LINKED_AT = [-0.089, -0.788, 0.609], 1.493, [-0.73, 0.16, 0.9]


class Puzzle(NamedTuple):
    """A body that is to be moved from one pose to another past a world that stands still.

    Examples
    --------
    >>> import elbowroom as er
    >>> puzzle = er.scenes.twisted_bar()
    >>> checker = er.MotionChecker(er.Mesh(*puzzle.body), er.Mesh(*puzzle.world))
    >>> checker.valid(puzzle.start), checker.valid(puzzle.goal), checker.free(puzzle.start, puzzle.goal)
    (True, True, False)
    """

    body: Surface
    world: Surface
    start: Array
    goal: Array
    low: Array
    high: Array


def interlocked_tubes(gap: float = 1.5, segments: int = 83, sides: int = 12) -> Puzzle:
    """Two bent tubes, each a loop with two legs, that hold each other by their loops.

    `gap` is the distance between the legs where they cross, in diameters of the tube: the larger, the easier.

    Examples
    --------
    >>> import elbowroom as er
    >>> puzzle = er.scenes.interlocked_tubes()
    >>> len(er.Mesh(*puzzle.body)), len(er.Mesh(*puzzle.world))
    (2016, 2016)
    """
    along = np.linspace(-1.75, 1.75, segments + 1)
    radius = 0.16
    rise = (1 + gap) * radius * np.sin(0.5 * np.pi * along)
    curve = np.stack([1.3 * (along**2 - 1), along * (along**2 - 1), rise], axis=1)
    tube = swept_tube(curve, radius, sides)
    start = _pose(LINKED_AXIS, LINKED_ANGLE, LINKED_AT)
    goal = _pose([0, 0, 1], 0.0, [0, 0, 4.0])
    return Puzzle(tube, tube, start, goal, np.full(3, -5.0), np.full(3, 5.0))


def twisted_bar(hole: float = 1.5) -> Puzzle:
    """A bar with three bends and a wall with a hole, through which it fits only by turning on the way.

    `hole` is the side of the hole, the bar is 0.5 thick.

    Examples
    --------
    >>> import elbowroom as er
    >>> puzzle = er.scenes.twisted_bar()
    >>> len(er.Mesh(*puzzle.body)), len(er.Mesh(*puzzle.world))
    (56, 176)
    """
    corners = [
        [-3, 0, 0],
        [-1.5, 0, 0],
        [-0.6, 0.9, 0],
        [0.6, 0.9, 0],
        [0.6, 0.9, 1.2],
        [1.5, 0, 1.2],
        [3, 0, 1.2],
    ]
    bar = swept_tube(np.array(corners, float), 0.25 * np.sqrt(2), 4)
    wall = _wall(hole, 14.0, 0.4, 22)  # wider than the space and the bar together: no way around it
    start, goal = _pose([0, 0, 1], 0.0, [-5, 0, 0]), _pose([0, 0, 1], 0.0, [5, 0, 0])
    return Puzzle(bar, wall, start, goal, np.array([-6.0, -3, -3]), np.array([6.0, 3, 3]))


def furnished_rooms(detail: int = 20, seed: int = 4) -> Puzzle:
    """A long body on legs, and an apartment of four rooms with doors and furniture.

    `detail` is the number of segments of round furniture; 20 gives about 30,000 triangles in all.

    Examples
    --------
    >>> import elbowroom as er
    >>> puzzle = er.scenes.furnished_rooms()
    >>> 25_000 < len(er.Mesh(*puzzle.world)) < 40_000
    True
    """
    rng = np.random.default_rng(seed)
    walls: list[tuple[list[float], list[float]]] = [
        ([-8, -8, 0], [8, -7.8, 3]),
        ([-8, 7.8, 0], [8, 8, 3]),
        ([-8, -8, 0], [-7.8, 8, 3]),
        ([7.8, -8, 0], [8, 8, 3]),
        ([-0.1, -8, 0], [0.1, -4.425, 3]),
        ([-0.1, -2.975, 0], [0.1, 3.575, 3]),
        ([-0.1, 5.025, 0], [0.1, 8, 3]),
        ([-8, -0.1, 0], [-5.025, 0.1, 3]),
        ([-3.575, -0.1, 0], [3.575, 0.1, 3]),
        ([5.025, -0.1, 0], [8, 0.1, 3]),
        ([-8, -8, -0.2], [8, 8, 0]),
        ([-8, -8, 3], [8, 8, 3.2]),
    ]
    parts = [_box(low, high, 8) for low, high in walls]
    for x, y in (
        [-6.6, -6.6],
        [6.6, -6.6],
        [-6.6, 6.6],
        [6.6, 6.6],
        [-6.8, -2.2],
        [2, -6.9],
        [1.6, 2.2],
        [-2, 6.8],
    ):
        parts += _table([x, y], 0.6 + 0.3 * rng.random(), 0.75, detail)
    parts += [_ball([x, y, 2.6], 0.25, detail) for x in (-4.0, 4.0) for y in (-4.0, 4.0)]
    start, goal = _pose([0, 0, 1], 0.0, [-4, -4, 0.1]), _pose([0, 0, 1], 0.5 * np.pi, [4, 4, 0.1])
    return Puzzle(_piano(), _joined(parts), start, goal, np.array([-8.0, -8, 0]), np.array([8.0, 8, 1.8]))


def swept_tube(curve: Array, radius: float, sides: int) -> Surface:
    """A closed tube along a curve: vertices and faces.

    Examples
    --------
    >>> import elbowroom as er, numpy as np
    >>> vertices, faces = er.scenes.swept_tube(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]]), 0.1, 6)
    >>> faces.shape
    (36, 3)
    """
    steps = np.diff(curve, axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    tangents = np.concatenate([steps[:1], steps[1:] + steps[:-1], steps[-1:]])
    cosines = np.linalg.norm(tangents, axis=1)
    cosines[1:-1] /= 2
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    across = np.empty_like(tangents)
    across[0] = np.cross(tangents[0], [0.31, 0.17, 0.93])
    for k in range(1, len(across)):  # carried along, with as little twist as can be
        across[k] = across[k - 1] - tangents[k] * (across[k - 1] @ tangents[k])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    rings = _rings(curve, across, np.cross(tangents, across), radius, sides)
    vertices = np.concatenate([rings.reshape(-1, 3), curve[:1], curve[-1:]])
    faces = np.concatenate([_tube_faces(len(curve) - 1, sides), _cap_faces(len(curve) - 1, sides)])
    return vertices, faces


def _pose(axis: Sequence[float], angle: float, at: Sequence[float]) -> Array:
    x, y, z = np.asarray(axis, float) / np.linalg.norm(np.asarray(axis, float))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = np.eye(4)
    out[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    out[:3, 3] = np.asarray(at, float)
    return out


def _joined(parts: list[Surface]) -> Surface:
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    faces = [faces + first for (_, faces), first in zip(parts, firsts, strict=True)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


def _wall(hole: float, side: float, thick: float, count: int) -> Surface:
    """A square plate across x with a square hole: four rings of `count` points, and what is between them."""
    angle = 2 * np.pi * (np.arange(count) + 0.5) / count
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    square = around / np.abs(around).max(axis=1, keepdims=True)
    rings = [(0.5 * hole, -1), (0.5 * hole, 1), (0.5 * side, 1), (0.5 * side, -1)]
    points = [np.column_stack([np.full(count, 0.5 * thick * x), half * square]) for half, x in rings]
    faces = _tube_faces(4, count) % (4 * count)
    return np.concatenate(points), faces


def _box(low: Sequence[float], high: Sequence[float], cuts: int) -> Surface:
    """A box of 12 cuts^2 triangles."""
    ticks = np.linspace(0, 1, cuts + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(ticks, ticks, indexing="ij"))
    corner = (np.arange(cuts)[:, None] * (cuts + 1) + np.arange(cuts)).ravel()
    quads = np.stack([corner, corner + cuts + 1, corner + cuts + 2, corner + 1], axis=1)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    parts = []
    for axis in range(3):
        for end in (0.0, 1.0):
            points = np.insert(np.stack([u, v], axis=1), axis, end, axis=1)
            parts.append((np.asarray(low) + points * (np.asarray(high) - np.asarray(low)), triangles))
    return _joined(parts)


def _ball(centre: Sequence[float], radius: float, detail: int) -> Surface:
    """A ball of rings from pole to pole."""
    polar = np.linspace(0.02, np.pi - 0.02, detail + 1)
    curve = np.stack([0 * polar, 0 * polar, -np.cos(polar)], axis=1)
    across = np.tile([1.0, 0, 0], (len(polar), 1))
    rings = _rings(0 * curve, across, np.tile([0.0, 1, 0], (len(polar), 1)), 1.0, detail)
    rings = radius * (rings * np.sin(polar)[:, None, None] + curve[:, None])
    vertices = np.concatenate([rings.reshape(-1, 3), radius * curve[:1], radius * curve[-1:]])
    return vertices + np.asarray(centre), np.concatenate(
        [_tube_faces(detail, detail), _cap_faces(detail, detail)]
    )


def _table(at: list[float], radius: float, height: float, detail: int) -> list[Surface]:
    """A round table with a rim, a foot and a vase on it."""
    x, y = at
    rim = 2 * np.pi * np.arange(detail + 1) / detail
    ring = np.stack([x + radius * np.cos(rim), y + radius * np.sin(rim), np.full(detail + 1, height)], axis=1)
    disc = np.array([[x, y, height - 0.03], [x, y, height + 0.03]])
    foot = np.array([[x, y, 0.0], [x, y, height]])
    return [
        swept_tube(ring, 0.05, detail),
        swept_tube(disc, radius, detail),
        swept_tube(foot, 0.08, detail),
        _ball([x, y, height + 0.25], 0.2, detail),
        _ball([x, y, 0.1], 0.3, detail),
    ]


def _piano() -> Surface:
    """A long box with a keyboard in front and three legs."""
    parts = [_box([-1.5, -0.5, 0.55], [1.5, 0.5, 0.95], 12), _box([-1.5, 0.5, 0.55], [-0.5, 0.8, 0.7], 6)]
    for x, y in ([-1.3, -0.35], [-1.3, 0.6], [1.3, 0.0]):
        parts.append(swept_tube(np.linspace([x, y, 0.02], [x, y, 0.58], 13), 0.07, 16))
    return _joined(parts)

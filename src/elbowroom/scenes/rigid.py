"""Rigid scenes: two springs that pass through each other, a hook among tetrahedra, tori.

The springs are after Lin and Li, "A Time-Budgeted Collision Detection Method": a robot and an obstacle of
1800 polygons each, the robot going from free space through the obstacle to free space again. The paper
gives neither the shape of the spring nor the path, so both are chosen here.

The tetrahedra and the hook are after He and van den Berg, "Efficient Exact Collision-Checking of 3-D Rigid
Body Motions using Linear Transformations and Distance Computations in Workspace" (ICRA 2014), section IV:
1330 tetrahedra of four random points each, on spheres of radius 5 about the points of a grid of spacing 10
in a world of side 100, and a hook with two legs of length 5. The width of the legs is chosen here.

Everything is a plain array; the same arguments give the same numbers on every machine up to rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Surface = tuple[Array, Indices]

WORLD_SIDE = 100.0
GRID_SPACING = 10.0
TETRAHEDRON_RADIUS = 5.0
LEG_LENGTH = 5.0
LEG_WIDTH = 0.5

SPRING_AXIS = (1.0, 2.0, 0.5)


def spring(
    turns: float = 5.0,
    radius: float = 2.0,
    wire: float = 0.25,
    rise: float = 1.2,
    segments: int = 149,
    sides: int = 6,
) -> Surface:
    """A closed coil about the z axis: vertices (n, 3) and faces (2 sides (segments + 1), 3).

    `radius` is that of the coil, `wire` that of the polygon swept along it, `rise` the climb of one turn.
    The defaults give the 1800 triangles of Lin and Li: 149 segments of six quadrilaterals and two caps.

    Examples
    --------
    >>> import elbowroom as er
    >>> spring = er.Mesh(*er.scenes.spring())
    >>> len(spring)
    1800
    """
    along = np.linspace(0, 1, segments + 1)
    angle = 2 * np.pi * turns * along
    zero = np.zeros_like(angle)
    outward = np.stack([np.cos(angle), np.sin(angle), zero], axis=1)
    centre = radius * outward
    centre[:, 2] = rise * turns * (along - 0.5)
    tangent = np.stack([-radius * np.sin(angle), radius * np.cos(angle), zero + rise / (2 * np.pi)], axis=1)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    rings = _rings(centre, outward, np.cross(tangent, outward), wire, sides)
    vertices = np.concatenate([rings.reshape(-1, 3), centre[:1], centre[-1:]])
    faces = np.concatenate([_tube_faces(segments, sides), _cap_faces(segments, sides)])
    return vertices, faces


def spring_path(n: int) -> Array:
    """Poses (n, 4, 4) of the second spring: sideways through the first, turning slowly on the way.

    Examples
    --------
    >>> import elbowroom as er
    >>> spring = er.Mesh(*er.scenes.spring())
    >>> er.collide(spring, spring, pose_b=er.scenes.spring_path(100)).hits.sum().item()
    74
    """
    along = np.linspace(-1, 1, n)
    axis = np.array(SPRING_AXIS) / np.linalg.norm(SPRING_AXIS)
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = _turns(axis, 1.1 + 0.8 * along)
    poses[:, 0, 3] = 7.0 * along
    poses[:, 1, 3] = 0.6 + 0.3 * along
    poses[:, 2, 3] = 0.4 * np.sin(3 * along)
    return poses


def tetrahedra(seed: int = 7) -> Array:
    """Corners (1330, 4, 3) of the obstacles: every point of an 11 x 11 x 11 grid has one, but the middle.

    Examples
    --------
    >>> import elbowroom as er
    >>> world = er.Group([er.Convex(corners) for corners in er.scenes.tetrahedra()])
    >>> len(world)
    1330
    """
    steps = np.arange(11.0)
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = np.delete(grid, len(grid) // 2, axis=0)
    directions = np.random.default_rng(seed).normal(size=(len(grid), 4, 3))
    lengths = np.linalg.norm(directions, axis=2, keepdims=True)
    corners: Array = GRID_SPACING * grid[:, None] + TETRAHEDRON_RADIUS * directions / lengths
    return corners


def hook() -> list[tuple[Array, Array]]:
    """The two legs as boxes (extents, centre), at a right angle; the body's origin is their corner.

    Examples
    --------
    >>> import elbowroom as er
    >>> hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in er.scenes.hook()])
    >>> hook.bounds.round(6).tolist()
    [[-0.25, -0.25, -0.25], [5.0, 5.0, 0.25]]
    """
    along_x = np.array([LEG_LENGTH, LEG_WIDTH, LEG_WIDTH])
    along_y = np.array([LEG_WIDTH, LEG_LENGTH, LEG_WIDTH])
    half = LEG_LENGTH / 2
    return [(along_x, np.array([half, 0.0, 0.0])), (along_y, np.array([0.0, half, 0.0]))]


def hook_poses(n: int, seed: int = 11) -> Array:
    """Random poses (n, 4, 4): positions uniform in the world, rotations uniform over all rotations.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.hook_poses(1000).shape
    (1000, 4, 4)
    """
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, 3] = rng.uniform(0, WORLD_SIDE, (n, 3))
    quaternions = rng.normal(size=(n, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    poses[:, :3, :3] = _matrices(quaternions)
    return poses


def torus(radius: float = 2.0, tube: float = 0.5, segments: int = 37, sides: int = 18) -> Surface:
    """A closed torus about the z axis: vertices (segments sides, 3) and faces (2 segments sides, 3).

    The defaults give 1332 triangles; segments=45, sides=36 gives 3240.

    Examples
    --------
    >>> import elbowroom as er
    >>> ring = er.Mesh(*er.scenes.torus())
    >>> len(ring), bool(er.collide(ring, er.Capsule(1.4, 10.0)))
    (1332, False)
    """
    angle = 2 * np.pi * np.arange(segments) / segments
    outward = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    up = np.tile([0.0, 0.0, 1.0], (segments, 1))
    rings = _rings(radius * outward, outward, up, tube, sides)
    faces = _tube_faces(segments, sides) % (segments * sides)
    return rings.reshape(-1, 3), np.ascontiguousarray(faces[:, ::-1])


def _rings(centre: Array, first: Array, second: Array, radius: float, sides: int) -> Array:
    """Regular polygons (n, sides, 3) about the centres, in the planes of the two directions."""
    angle = 2 * np.pi * np.arange(sides) / sides
    cosine, sine = np.cos(angle)[None, :, None], np.sin(angle)[None, :, None]
    return centre[:, None] + radius * (cosine * first[:, None] + sine * second[:, None])


def _tube_faces(segments: int, sides: int) -> Indices:
    """Two triangles for each side of each segment between consecutive rings."""
    ring, side = np.divmod(np.arange(segments * sides), sides)
    here = ring * sides + side
    beside = ring * sides + (side + 1) % sides
    lower = np.stack([here, beside, beside + sides], axis=1)
    upper = np.stack([here, beside + sides, here + sides], axis=1)
    return np.stack([lower, upper], axis=1).reshape(-1, 3).astype(np.int64)


def _cap_faces(segments: int, sides: int) -> Indices:
    """Fans that close the two ends of an open tube; the two centres are its last vertices."""
    side = np.arange(sides)
    beside = (side + 1) % sides
    last_ring = segments * sides
    first_centre = (segments + 1) * sides
    start = np.stack([np.full(sides, first_centre), beside, side], axis=1)
    end = np.stack([np.full(sides, first_centre + 1), last_ring + side, last_ring + beside], axis=1)
    return np.stack([start, end], axis=1).reshape(-1, 3).astype(np.int64)


def _turns(axis: Array, angles: Array) -> Array:
    """Rotation matrices (n, 3, 3) about one unit axis, by Rodrigues' formula."""
    x, y, z = axis
    cosine, sine = np.cos(angles), np.sin(angles)
    rest = 1.0 - cosine
    rows = [
        [rest * x * x + cosine, rest * x * y - sine * z, rest * x * z + sine * y],
        [rest * x * y + sine * z, rest * y * y + cosine, rest * y * z - sine * x],
        [rest * x * z - sine * y, rest * y * z + sine * x, rest * z * z + cosine],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def _matrices(quaternions: Array) -> Array:
    """Rotation matrices (n, 3, 3) of unit quaternions (w, x, y, z)."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)

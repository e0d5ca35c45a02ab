"""Triangles that show a body: every kind of rigid body as an array (n, 3, 3) in its own frame."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

import elbowroom as er

Array = NDArray[np.float64]

MERIDIANS = 36
PARALLELS = 18


@singledispatch
def surface(body: object) -> Array:
    """Triangles (n, 3, 3) of the body's surface; round bodies are cut into facets.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom import pictures
    >>> pictures.surface(er.Box(2)).shape
    (12, 3, 3)
    """
    raise TypeError(f"no picture for a {type(body).__name__}: give a shape, a Mesh or a Group")


@surface.register
def _(body: er.Sphere) -> Array:
    return _revolved(body.radius, 0.0)


@surface.register
def _(body: er.Capsule) -> Array:
    return _revolved(body.radius, body.length)


@surface.register
def _(body: er.Box) -> Array:
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return hull(signs * np.asarray(body.extents) / 2)


@surface.register
def _(body: er.Convex) -> Array:
    return hull(np.asarray(body.points))


@surface.register
def _(body: er.HalfSpace) -> Array:
    raise TypeError("a HalfSpace is unbounded and has no picture: draw a Box in its place")


@surface.register
def _(body: er.Mesh) -> Array:
    return np.asarray(body.vertices)[np.asarray(body.faces)]


@surface.register
def _(body: er.Group) -> Array:
    return np.concatenate([placed(surface(member), pose) for member, pose in body.members])


def parts(body: er.Body, pose: Any) -> Iterator[tuple[er.Body, Array]]:
    """The shapes and meshes of a body, groups taken apart, each with its triangles in the world."""
    if isinstance(body, er.Group):
        for member, within in body.members:
            for part, triangles in parts(member, within):
                yield part, placed(triangles, pose)
    else:
        yield body, placed(surface(body), pose)


def is_solid(body: er.Body, triangles: Array) -> bool:
    """Do the triangles enclose the body, normals outward? A mesh may be open, and a hull may be flat."""
    if isinstance(body, er.Mesh):
        return False
    corners = triangles - triangles.mean(axis=(0, 1))
    volume = np.linalg.det(corners).sum() / 6
    return bool(volume > 1e-9 * np.abs(corners).max() ** 3)


def placed(points: Array, pose: Any) -> Array:
    """Points (..., 3) in the world, by a pose of any kind that the library takes."""
    if pose is None:
        return points
    if isinstance(pose, tuple):
        pose = er.Pose(*pose)
    matrix = pose.matrix if isinstance(pose, er.Pose) else np.asarray(pose, dtype=float)
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])


def hull(points: Array) -> Array:
    """Triangles of the convex hull, which may be flat, a segment or a single point."""
    centre = points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(points - centre, full_matrices=False)
    rank = int((sizes > 1e-9 * max(sizes[0], 1e-300)).sum())
    if rank == 3:
        return _outward(points[ConvexHull(points).simplices], centre)
    if rank == 2:
        return _fan(points[ConvexHull((points - centre) @ axes[:2].T).vertices])
    along = (points - centre) @ axes[0]
    first, last = points[along.argmin()], points[along.argmax()]
    return np.array([[first, last, last]])


def creases(triangles: Array, angle: float = 0.3) -> tuple[Array, Array]:
    """Edges (n, 2, 3) where two triangles meet at more than `angle`, and those triangles' normals (n, 2, 3).

    An edge of a single triangle, or of more than two, counts as sharp and visible from either side.
    """
    normals = unit_normals(triangles)
    edges, sides = [], []
    for owners in _shared_edges(triangles).values():
        (face, k), other = owners[0], normals[owners[1][0]] if len(owners) == 2 else -normals[owners[0][0]]
        if normals[face] @ other < np.cos(angle):
            edges.append([triangles[face, k], triangles[face, (k + 1) % 3]])
            sides.append([normals[face], other])
    return np.array(edges).reshape(-1, 2, 3), np.array(sides).reshape(-1, 2, 3)


def unit_normals(triangles: Array) -> Array:
    """Unit normals (n, 3); zero for triangles without area."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return normals / np.where(lengths > 0, lengths, 1.0)


def divided(triangles: Array, longest: float) -> tuple[Array, NDArray[np.int64]]:
    """The triangles cut at their edges' middles until none is longer than `longest`, and whence each came.

    Pictures paint triangles from far to near, which goes wrong where large ones lie beside small ones.
    """
    origin = np.arange(len(triangles))
    for _ in range(8):
        sides = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
        large = sides.max(axis=1) > longest
        if not large.any():
            break
        triangles = np.concatenate([triangles[~large], _quartered(triangles[large])])
        origin = np.concatenate([origin[~large], np.repeat(origin[large], 4)])
    return triangles, origin


def _shared_edges(triangles: Array) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """For every edge, the triangles that have it and which of their edges it is; equal corners are one."""
    _, corner = np.unique(triangles.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    owners: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for face, corners in enumerate(corner.reshape(-1, 3).tolist()):
        for k in range(3):
            low, high = sorted((corners[k], corners[(k + 1) % 3]))
            owners.setdefault((low, high), []).append((face, k))
    return owners


def _quartered(triangles: Array) -> Array:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    parts = [np.stack(corners, axis=1) for corners in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return np.stack(parts, axis=1).reshape(-1, 3, 3)


def _outward(triangles: Array, centre: Array) -> Array:
    """The triangles of a convex body in the order that makes their normals point away from its centre."""
    inward = ((triangles.mean(axis=1) - centre) * unit_normals(triangles)).sum(axis=1) < 0
    triangles[inward] = triangles[inward, ::-1]
    return triangles


def _fan(ring: Array) -> Array:
    return np.array([[ring[0], ring[i], ring[i + 1]] for i in range(1, len(ring) - 1)])


def _revolved(radius: float, length: float) -> Array:
    """A capsule about z (a sphere when its length is 0), from the half circle that outlines it."""
    polar = np.linspace(0, np.pi, PARALLELS + 1)
    shift = np.where(polar <= np.pi / 2, length / 2, -length / 2)
    middle = PARALLELS // 2 + 1
    polar, shift = np.insert(polar, middle, np.pi / 2), np.insert(shift, middle, -length / 2)
    angle = 2 * np.pi * np.arange(MERIDIANS + 1) / MERIDIANS
    grid = np.stack(
        np.broadcast_arrays(
            radius * np.sin(polar)[:, None] * np.cos(angle),
            radius * np.sin(polar)[:, None] * np.sin(angle),
            (radius * np.cos(polar) + shift)[:, None],
        ),
        axis=-1,
    )
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    # At the poles one of the two triangles of a facet has no area.
    lower, upper = np.stack([a, b, c], axis=2)[:-1], np.stack([a, c, d], axis=2)[1:]
    return np.concatenate([lower.reshape(-1, 3, 3), upper.reshape(-1, 3, 3)])

"""Surfaces of rigid bodies as vertices and triangles, primitive by primitive, coarse enough for a browser."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.body import UNBOUNDED

from .layers import Array, Triangles

Surface = tuple[Array, Triangles]

#: Corners about the axis of a round primitive, and from pole to pole.
MERIDIANS, PARALLELS = 20, 10
#: How far what is marked stands out of what it marks, as a part of its size.
PROUD = 0.015


def body_surface(body: er.Body) -> Surface:
    """The whole surface in the body's frame; of a mesh the arrays that it was made from."""
    if isinstance(body, er.Mesh):
        return body.vertices, body.faces
    return joined([primitive_surface(body, number) for number in range(len(body))])


def is_round(body: er.Body) -> bool:
    """Are all its primitives rounded, so that it looks better smooth?"""
    return bool((np.asarray(body._radius) > 0).all())


def primitive_surface(body: er.Body, number: int) -> Surface:
    """One primitive of a body: the hull of its points, rounded by its radius."""
    begin, end = int(body._first[number]), int(body._first[number + 1])
    points, radius = np.asarray(body._points[begin:end]), float(body._radius[number])
    if radius == UNBOUNDED:
        raise TypeError("a HalfSpace is unbounded and cannot be shown: show a Box in its place")
    if len(points) == 3 and radius == 0:
        return points, np.array([[0, 1, 2]], np.int32)
    if len(points) <= 2 and radius > 0:
        return _capsule(points[0], points[-1], radius)
    return _hull((points[:, None] + radius * _directions()).reshape(-1, 3) if radius > 0 else points)


def marked_surface(body: er.Body, numbers: NDArray[np.integer]) -> Surface:
    """Some primitives, a little larger than they are, so that they hide what they mark."""
    if isinstance(body, er.Mesh):
        return _shell(body.vertices[body.faces[numbers]], PROUD * _side(body))
    return joined([_grown(primitive_surface(body, int(number)), PROUD * _side(body)) for number in numbers])


def middles(body: er.Body) -> Array:
    """(n, 3): the mean of each primitive's points, in the body's frame."""
    first = np.asarray(body._first)
    sums = np.add.reduceat(np.asarray(body._points), first[:-1], axis=0)
    return np.asarray(sums / np.diff(first)[:, None])


def joined(parts: list[Surface]) -> Surface:
    """Several surfaces as one."""
    if not parts:
        return np.empty((0, 3)), np.empty((0, 3), np.int32)
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts[:-1]])
    triangles = [corners + start for (_, corners), start in zip(parts, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(triangles).astype(np.int32)


def moved(surface: Surface, pose: Array) -> Surface:
    """The surface in another frame."""
    vertices, triangles = surface
    return vertices @ pose[:3, :3].T + pose[:3, 3], triangles


def _side(body: er.Body) -> float:
    """A length by which to make things stand out: of a mesh that of a triangle, else of the whole body."""
    if isinstance(body, er.Mesh):
        corners = body.vertices[body.faces[:10_000]]
        return float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    return float(np.linalg.norm(np.ptp(body.bounds, axis=0)) / np.cbrt(len(body)))


def _shell(corners: Array, proud: float) -> Surface:
    """Triangles (n, 3, 3) moved to both sides, for a mesh is seen from both."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    aside = (proud * across / np.where(lengths > 0, lengths, 1.0))[:, None]
    vertices = np.concatenate([corners + aside, corners - aside]).reshape(-1, 3)
    triangles = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    triangles[len(corners) :] = triangles[len(corners) :, ::-1]
    return vertices, triangles


def _grown(surface: Surface, proud: float) -> Surface:
    """A convex surface, each corner farther from the middle by so much."""
    vertices, triangles = surface
    outward = vertices - vertices.mean(axis=0)
    lengths = np.linalg.norm(outward, axis=1, keepdims=True)
    return vertices + proud * outward / np.where(lengths > 0, lengths, 1.0), triangles


def _hull(points: Array) -> Surface:
    """The convex hull, which may be flat; every triangle has corners of its own, so that edges look sharp."""
    from elbowroom.pictures.surfaces import hull

    vertices = hull(points).reshape(-1, 3)
    return vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)


def _capsule(start: Array, end: Array, radius: float) -> Surface:
    """A capsule, or a ball if both ends are the same."""
    directions, triangles = _ball()
    axis, length = end - start, float(np.linalg.norm(end - start))
    turned = directions @ _frame(axis / length).T if length > 0 else directions
    ends = np.where(directions[:, 2:] > 1e-9, end, start)
    return ends + radius * turned, triangles


def _frame(axis: Array) -> Array:
    """A rotation that takes z to the axis."""
    aside = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    aside /= np.linalg.norm(aside)
    return np.column_stack([aside, np.cross(axis, aside), axis])


@lru_cache(maxsize=1)
def _ball() -> Surface:
    """A unit ball about z; its equator is there twice, so that it can be pulled out to a capsule."""
    half = np.linspace(0, np.pi / 2, PARALLELS // 2 + 1)
    polar = np.concatenate([half - 1e-6 * (half == half[-1]), np.pi - half[::-1] + 0.0])
    around = 2 * np.pi * np.arange(MERIDIANS) / MERIDIANS
    ring = np.stack([np.cos(around), np.sin(around), np.zeros(MERIDIANS)], axis=1)
    directions = np.sin(polar)[:, None, None] * ring + np.cos(polar)[:, None, None] * np.array(
        [0.0, 0.0, 1.0]
    )
    number = np.arange(len(polar) * MERIDIANS).reshape(len(polar), MERIDIANS)
    a, b = number[:-1], number[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    return directions.reshape(-1, 3), triangles.astype(np.int32)


@lru_cache(maxsize=1)
def _directions() -> Array:
    """Directions by which a hull is rounded; the farthest of them miss the true surface by a tenth."""
    grid = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3), axis=-1).reshape(-1, 3)
    grid = grid[np.abs(grid).sum(axis=1) > 0]
    return np.asarray(grid / np.linalg.norm(grid, axis=1, keepdims=True))

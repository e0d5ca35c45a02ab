"""Which triangles of a mesh with integer vertices overlap: exactly, and pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

Point = tuple[Any, Any, Any]


def _sub(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def on_segment(x: Point, p: Point, q: Point) -> bool:
    """Also of a segment that is a point."""
    d, e = _sub(q, p), _sub(x, p)
    return bool(_cross(d, e) == (0, 0, 0) and 0 <= _dot(d, e) <= _dot(d, d) and (any(d) or not any(e)))


def in_triangle(x: Point, t: tuple[Point, ...]) -> bool:
    normal = _cross(_sub(t[1], t[0]), _sub(t[2], t[0]))
    if not any(normal):
        return any(on_segment(x, *side) for side in combinations(t, 2))
    if _dot(normal, _sub(x, t[0])):
        return False
    sides = [_dot(normal, _cross(_sub(t[i - 2], t[i]), _sub(x, t[i]))) for i in range(3)]
    return bool(min(sides) >= 0)


def _crossings(p: Point, q: Point, t: tuple[Point, ...]) -> Iterator[Point]:
    """Where a segment goes through the plane of a triangle, and through its sides if it lies in the plane."""
    normal = _cross(_sub(t[1], t[0]), _sub(t[2], t[0]))
    planes = [normal] if any(normal) else []
    for i in range(3):  # planes that hold a side: enough of them that one cuts the segment if the side does
        side = _sub(t[i - 2], t[i])
        planes += [_cross(side, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        planes += [_cross(side, normal)]
        for plane in planes:
            h, k = _dot(plane, _sub(p, t[i])), _dot(plane, _sub(q, t[i]))
            if h != k and (h <= 0 <= k or k <= 0 <= h):
                s = Fraction(h) / Fraction(h - k)
                yield p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2])
        planes = []


def overlap(a: tuple[Point, ...], b: tuple[Point, ...]) -> bool:
    """Have they a point in common that is not on the corner or the edge that they share?"""
    shared = sorted(set(a) & set(b))
    if len(shared) == 3:
        return True
    common = [x for x in a if in_triangle(x, b)] + [x for x in b if in_triangle(x, a)]
    for one, other in ((a, b), (b, a)):
        for p, q in combinations(one, 2):
            common += [x for x in _crossings(p, q, other) if in_triangle(x, other)]
    if len(shared) == 2:
        return any(not on_segment(x, *shared) for x in common)
    return any([x] != [tuple(s) for s in shared] for x in common)


def overlapping_pairs(vertices: Any, faces: Any) -> list[list[int]]:
    corners: Any = [tuple(tuple(int(x) for x in vertices[i]) for i in face) for face in faces]
    return [[i, j] for i, j in combinations(range(len(corners)), 2) if overlap(corners[i], corners[j])]

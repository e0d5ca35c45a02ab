"""Slow and obvious proximity of rigid bodies: what every fast answer is judged by.

A primitive is the convex hull of a few vertices (its core), swept by a radius. Nothing here is clever:

- the distance of two cores is the smallest over all vertex-face and edge-edge pairs, always between two
  points that really lie in the cores, so it is never too small;
- the gap of two cores along a direction is the space between their shadows on it, so it is never too large.
  The direction between the closest points gives a gap equal to the distance whenever the cores are apart:
  every positive answer carries its own proof, and `slack` is what that proof leaves open;
- cores that no direction parts overlap, and the smallest overlap of the shadows over all face normals and
  all cross products of edges is the penetration depth. Further directions can only be harmless.

`signed` is the distance where two primitives are apart and minus the depth where they are not.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

Vec = tuple[float, float, float]
AXES = np.eye(3)


class Primitive(NamedTuple):
    """A core and its radius. Faces and edges may list more than the true ones, never fewer."""

    vertices: np.ndarray  # (k, 3)
    faces: np.ndarray  # (m, 3), empty for a point or a segment
    edges: np.ndarray  # (e, 2), empty for a point
    radius: float


class Solid(NamedTuple):
    """Primitives one after another; row i of `starts` opens the vertices, faces and edges of primitive i."""

    vertices: np.ndarray
    faces: np.ndarray
    edges: np.ndarray
    starts: np.ndarray
    radii: np.ndarray


class Nearest(NamedTuple):
    """The nearest or deepest primitive pair for each of n poses; the normal points from a to b."""

    signed: np.ndarray  # (n,)
    slack: np.ndarray  # (n,)
    pairs: np.ndarray  # (n, 2)
    normals: np.ndarray  # (n, 3)


def hull(points: np.ndarray, radius: float = 0.0) -> Primitive:
    """Every triple with all points on one side is a face; triples too thin to tell are kept as well."""
    points = np.asarray(points, dtype=float).reshape(-1, 3)
    size = float(np.ptp(points, axis=0).max())
    triples = np.array(list(itertools.combinations(range(len(points)), 3)), dtype=np.int64).reshape(-1, 3)
    corner = points[triples[:, 0]]
    normal = np.cross(points[triples[:, 1]] - corner, points[triples[:, 2]] - corner)
    height = np.einsum("tj,tkj->tk", normal, points[None] - corner[:, None])
    area = np.linalg.norm(normal, axis=1)
    slop = 1e-9 * size * area[:, None]
    one_sided = (height <= slop).all(axis=1) | (height >= -slop).all(axis=1)
    faces = triples[(area > 0.0) & (one_sided | (area < 1e-6 * size * size))]
    pairs = np.array(list(itertools.combinations(range(len(points)), 2)), dtype=np.int64).reshape(-1, 2)
    if len(faces):
        sides = np.concatenate([faces[:, [0, 1]], faces[:, [0, 2]], faces[:, [1, 2]]])
        pairs = np.unique(sides, axis=0)
    return Primitive(points, faces, pairs, radius)


def box(extents: np.ndarray) -> Primitive:
    """Corner number 4 x + 2 y + z; two triangles for each side."""
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * np.asarray(extents, dtype=float)
    sides = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    faces = [t for (p, q, r, s) in sides for t in ((p, q, r), (p, r, s))]
    edges = [(i, i | bit) for bit in (1, 2, 4) for i in range(8) if not i & bit]
    return Primitive(corners, np.array(faces), np.array(edges), 0.0)


def triangles(vertices: np.ndarray, faces: np.ndarray) -> list[Primitive]:
    """One primitive for each triangle of a mesh: its surface only."""
    one_face, three_edges = np.array([[0, 1, 2]]), np.array([[0, 1], [1, 2], [0, 2]])
    return [Primitive(np.asarray(vertices, dtype=float)[list(f)], one_face, three_edges, 0.0) for f in faces]


def placed(primitives: Sequence[Primitive], rotation: np.ndarray, translation: np.ndarray) -> list[Primitive]:
    return [p._replace(vertices=p.vertices @ np.asarray(rotation).T + translation) for p in primitives]


def pack(primitives: Sequence[Primitive]) -> Solid:
    """One set of arrays for the compiled loops."""
    starts = np.zeros((len(primitives) + 1, 3), dtype=np.int64)
    starts[1:] = np.cumsum([[len(p.vertices), len(p.faces), len(p.edges)] for p in primitives], axis=0)
    return Solid(
        np.concatenate([p.vertices for p in primitives]).astype(float),
        np.concatenate([p.faces.reshape(-1, 3) for p in primitives]).astype(np.int64),
        np.concatenate([p.edges.reshape(-1, 2) for p in primitives]).astype(np.int64),
        starts,
        np.array([p.radius for p in primitives], dtype=float),
    )


@njit(cache=True)
def row(array: np.ndarray, i: int) -> Vec:
    return array[i, 0], array[i, 1], array[i, 2]


@njit(cache=True)
def sub(a: Vec, b: Vec) -> Vec:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(cache=True)
def ahead(a: Vec, t: float, d: Vec) -> Vec:
    return a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]


@njit(cache=True)
def dot(a: Vec, b: Vec) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def cross(a: Vec, b: Vec) -> Vec:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def unit(a: Vec) -> Vec:
    length = np.sqrt(dot(a, a))
    if length == 0.0:
        return 0.0, 0.0, 0.0
    return a[0] / length, a[1] / length, a[2] / length


@njit(cache=True)
def normal_to(d: Vec, e: Vec) -> Vec:
    """Unit vector normal to both; made normal to d once more, which nearly parallel vectors need."""
    d = unit(d)
    n = unit(cross(d, unit(e)))
    return unit(ahead(n, -dot(n, d), d))


@njit(cache=True)
def nearer(p: Vec, q: Vec, r: Vec) -> Vec:
    return q if dot(sub(p, q), sub(p, q)) <= dot(sub(p, r), sub(p, r)) else r


@njit(cache=True)
def on_segment(p: Vec, a: Vec, b: Vec) -> Vec:
    """The point of the segment nearest to p."""
    d = sub(b, a)
    length = dot(d, d)
    t = 0.0 if length == 0.0 else min(max(dot(sub(p, a), d) / length, 0.0), 1.0)
    return nearer(p, ahead(a, t, d), b) if t == 1.0 else ahead(a, t, d)


@njit(cache=True)
def on_triangle(p: Vec, a: Vec, b: Vec, c: Vec) -> Vec:
    """The point of the triangle nearest to p: on a side, or its foot on the plane if that lies inside."""
    best = nearer(p, on_segment(p, a, b), nearer(p, on_segment(p, b, c), on_segment(p, c, a)))
    d, e = sub(b, a), sub(c, a)
    n = cross(d, e)
    square = dot(n, n)
    if square == 0.0:
        return best
    u, v, foot = 0.0, 0.0, a
    for _ in range(2):  # the second round takes out what the first one lost on a needle
        r = sub(p, foot)
        u += dot(cross(r, e), n) / square
        v += dot(cross(d, r), n) / square
        foot = ahead(ahead(a, u, d), v, e)
    return nearer(p, foot, best) if u >= 0.0 and v >= 0.0 and u + v <= 1.0 else best


@njit(cache=True)
def crossing(a: Vec, b: Vec, c: Vec, d: Vec) -> tuple[Vec, Vec]:
    """Closest points of the lines ab and cd where both lie within the segments, else a and c."""
    u, v, r = sub(b, a), sub(d, c), sub(c, a)
    n = cross(u, v)
    square = dot(n, n)
    if square == 0.0:
        return a, c
    s, t = dot(cross(r, v), n) / square, dot(cross(r, u), n) / square
    inside = 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0
    return (ahead(a, s, u), ahead(c, t, v)) if inside else (a, c)


@njit(cache=True)
def on_core(p: Vec, vertices: np.ndarray, faces: np.ndarray, edges: np.ndarray) -> Vec:
    """The nearest point of the faces, of the edges where there is no face, of the vertex where no edge."""
    best = row(vertices, 0)
    for f in range(len(faces)):
        a, b, c = row(vertices, faces[f, 0]), row(vertices, faces[f, 1]), row(vertices, faces[f, 2])
        best = nearer(p, on_triangle(p, a, b, c), best)
    for e in range(len(edges) if len(faces) == 0 else 0):
        best = nearer(p, on_segment(p, row(vertices, edges[e, 0]), row(vertices, edges[e, 1])), best)
    return best


@njit(cache=True)
def closest(va, fa, ea, vb, fb, eb):  # type: ignore[no-untyped-def]
    """Closest points of the two surfaces: vertices against faces both ways, then edges against edges."""
    p, q = row(va, 0), row(vb, 0)
    best = dot(sub(p, q), sub(p, q))
    for i in range(len(va)):
        x, y = row(va, i), on_core(row(va, i), vb, fb, eb)
        if dot(sub(x, y), sub(x, y)) < best:
            p, q, best = x, y, dot(sub(x, y), sub(x, y))
    for j in range(len(vb)):
        x, y = on_core(row(vb, j), va, fa, ea), row(vb, j)
        if dot(sub(x, y), sub(x, y)) < best:
            p, q, best = x, y, dot(sub(x, y), sub(x, y))
    for i in range(len(ea)):
        a, b = row(va, ea[i, 0]), row(va, ea[i, 1])
        for j in range(len(eb)):
            x, y = crossing(a, b, row(vb, eb[j, 0]), row(vb, eb[j, 1]))
            if dot(sub(x, y), sub(x, y)) < best:
                p, q, best = x, y, dot(sub(x, y), sub(x, y))
    return p, q


@njit(cache=True)
def shadow(n: Vec, vertices: np.ndarray) -> tuple[float, float]:
    """The interval that the core covers along n."""
    low, high = np.inf, -np.inf
    for i in range(len(vertices)):
        at = dot(n, row(vertices, i))
        low, high = min(low, at), max(high, at)
    return low, high


@njit(cache=True)
def wider(best, n, va, vb):  # type: ignore[no-untyped-def]
    """The better of `best` and the gaps along n and -n; a zero vector is no direction."""
    if dot(n, n) < 0.5:
        return best
    (low_a, high_a), (low_b, high_b) = shadow(n, va), shadow(n, vb)
    if low_b - high_a > best[0]:
        best = (low_b - high_a, n)
    if low_a - high_b > best[0]:
        best = (low_a - high_b, (-n[0], -n[1], -n[2]))
    return best


@njit(cache=True)
def span(vertices: np.ndarray, edges: np.ndarray, i: int) -> Vec:
    """Direction of edge i; the axes follow the edges, so that flat cores find a normal too."""
    if i < len(edges):
        return sub(row(vertices, edges[i, 1]), row(vertices, edges[i, 0]))
    return row(AXES, i - len(edges))


@njit(cache=True)
def widest(best, va, fa, ea, vb, fb, eb):  # type: ignore[no-untyped-def]
    """The largest gap over all directions that can bound two cores, if larger than `best`."""
    toward = best[1]
    for v, faces in ((va, fa), (vb, fb)):
        for f in range(len(faces)):
            a, b, c = row(v, faces[f, 0]), row(v, faces[f, 1]), row(v, faces[f, 2])
            best = wider(best, normal_to(sub(b, a), sub(c, a)), va, vb)
    for v, edges in ((va, ea), (vb, eb)):
        for i in range(len(edges)):  # rounding tilts `toward` along the edge that it should be normal to
            e = unit(span(v, edges, i))
            best = wider(best, unit(ahead(toward, -dot(toward, e), e)), va, vb)
    for i in range(len(ea) + 3):
        for j in range(len(eb) + 3):
            best = wider(best, normal_to(span(va, ea, i), span(vb, eb, j)), va, vb)
    return best


@njit(cache=True)
def core_pair(va, fa, ea, vb, fb, eb):  # type: ignore[no-untyped-def]
    """Signed distance of two cores, its slack, and the direction from a to b."""
    p, q = closest(va, fa, ea, vb, fb, eb)
    apart = np.sqrt(dot(sub(q, p), sub(q, p)))
    gap, n = wider((-np.inf, (0.0, 0.0, 0.0)), unit(sub(q, p)), va, vb)
    if gap <= (1.0 - 1e-13) * apart:
        gap, n = widest((gap, n), va, fa, ea, vb, fb, eb)
    return (apart, apart - gap, n) if gap > 0.0 else (gap, 0.0, n)


@njit(cache=True)
def primitive_pair(a, va, i, b, vb, j):  # type: ignore[no-untyped-def]
    """Signed distance of primitive i of a and j of b, whose vertices stand at va and vb."""
    s, e, u, w = a.starts[i], a.starts[i + 1], b.starts[j], b.starts[j + 1]
    signed, slack, n = core_pair(
        va[s[0] : e[0]], a.faces[s[1] : e[1]], a.edges[s[2] : e[2]],
        vb[u[0] : w[0]], b.faces[u[1] : w[1]], b.edges[u[2] : w[2]],
    )  # fmt: skip
    return signed - (a.radii[i] + b.radii[j]), slack, n


@njit(cache=True)
def ball(solid, vertices, i):  # type: ignore[no-untyped-def]
    """A ball about the first vertex of primitive i that holds all of it."""
    first, reach = solid.starts[i, 0], 0.0
    for k in range(first, solid.starts[i + 1, 0]):
        d = sub(row(vertices, k), row(vertices, first))
        reach = max(reach, np.sqrt(dot(d, d)))
    return row(vertices, first), reach + solid.radii[i]


@njit(cache=True)
def nearest_in(a, va, b, vb):  # type: ignore[no-untyped-def]
    """The smallest signed distance over all primitive pairs; only pairs plainly farther are skipped."""
    best = (np.inf, 0.0, (0.0, 0.0, 0.0), 0, 0)
    for i in range(len(a.radii)):
        for j in range(len(b.radii)):
            (p, r), (q, s) = ball(a, va, i), ball(b, vb, j)
            if 0.999 * np.sqrt(dot(sub(p, q), sub(p, q))) - 1.001 * (r + s) < best[0]:
                signed, slack, n = primitive_pair(a, va, i, b, vb, j)
                if signed < best[0]:
                    best = (signed, slack, n, i, j)
    return best


@njit(cache=True)
def nearest_loop(a, b, ra, ta, rb, tb, signed, slack, pairs, normals):  # type: ignore[no-untyped-def]
    for k in range(len(signed)):
        va, vb = a.vertices @ ra[k].T + ta[k], b.vertices @ rb[k].T + tb[k]
        signed[k], slack[k], n, pairs[k, 0], pairs[k, 1] = nearest_in(a, va, b, vb)
        normals[k, 0], normals[k, 1], normals[k, 2] = n


@njit(cache=True)
def signed_matrix(a: Solid, b: Solid) -> np.ndarray:
    """Signed distances of all primitive pairs of two solids that stand in the world."""
    signed = np.empty((len(a.radii), len(b.radii)))
    for i in range(len(a.radii)):
        for j in range(len(b.radii)):
            signed[i, j] = primitive_pair(a, a.vertices, i, b, b.vertices, j)[0]
    return signed


@njit(cache=True)
def points_to_primitives(points, solid, r, t, which):  # type: ignore[no-untyped-def]
    """Distance of point k to primitive which[k] of the solid in pose k, 0 inside it."""
    result, no_faces, no_edges = np.empty(len(points)), solid.faces[:0], solid.edges[:0]
    for k in range(len(points)):
        s, e = solid.starts[which[k]], solid.starts[which[k] + 1]
        v = solid.vertices[s[0] : e[0]] @ r[k].T + t[k]
        f, g = solid.faces[s[1] : e[1]], solid.edges[s[2] : e[2]]
        signed = core_pair(points[k : k + 1], no_faces, no_edges, v, f, g)[0]
        result[k] = max(signed - solid.radii[which[k]], 0.0)
    return result


def moved(solid: Solid, matrix: np.ndarray, translation: np.ndarray) -> Solid:
    """The solid in the world; any invertible matrix will do for primitives without radius."""
    return solid._replace(vertices=np.ascontiguousarray(solid.vertices @ matrix.T + translation))


def nearest(a: Solid, b: Solid, pose_a: np.ndarray, pose_b: np.ndarray) -> Nearest:
    """Judge n poses (n, 4, 4) of each body."""
    n = len(pose_a)
    out = Nearest(np.empty(n), np.empty(n), np.empty((n, 2), dtype=np.int64), np.empty((n, 3)))
    parts = [np.ascontiguousarray(x) for m in (pose_a, pose_b) for x in (m[:, :3, :3], m[:, :3, 3])]
    arguments: tuple[np.ndarray, ...] = (*parts, *out)
    nearest_loop(a, b, *arguments)
    return out


def reach_of(solid: Solid) -> float:
    """How far the solid extends from its own origin."""
    radii = np.repeat(solid.radii, np.diff(solid.starts[:, 0]))
    return float((np.linalg.norm(solid.vertices, axis=1) + radii).max())

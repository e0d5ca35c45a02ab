"""What a closed mesh encloses: points inside it, and how deep two meshes are in each other."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from elbowroom._core import Distances
from elbowroom.casting import cast
from elbowroom.mesh import Mesh
from elbowroom.questions import distance
from elbowroom.shapes import Convex

Floats = NDArray[np.float64]

#: Directions of rays that decide whether a point is inside; no edge of a usual part is along them.
DIRECTIONS = np.array([[0.5773, 0.6113, 0.5412], [-0.8017, 0.3529, 0.4825], [0.2672, -0.8431, 0.4666]])
#: Points by which a mesh is sampled, on its surface, and as many halfway through it.
SAMPLES = 48
POINT = Convex([[0.0, 0.0, 0.0]])


class Enclosure:
    """What is known of one mesh, each fact when it is first needed."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh

    @cached_property
    def _welded(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Triangles over vertices that differ in place, and the first vertex at each place.

        Files repeat vertices where normals or colours differ.
        """
        _, first, same = np.unique(self.mesh.vertices, axis=0, return_index=True, return_inverse=True)
        faces = same.ravel()[self.mesh.faces].astype(np.int64)
        a, b, c = faces.T
        return faces[(a != b) & (b != c) & (c != a)], first

    @cached_property
    def closed(self) -> bool:
        """Does every edge have as many triangles on one side as on the other?"""
        faces, first = self._welded
        if not len(faces):
            return False
        starts, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
        low, high = np.minimum(starts, ends), np.maximum(starts, ends)
        _, edge = np.unique(low * len(first) + high, return_inverse=True)
        return not np.bincount(edge.ravel(), weights=np.where(starts < ends, 1.0, -1.0)).any()

    @cached_property
    def representatives(self) -> Floats:
        """One vertex of each connected part."""
        faces, first = self._welded
        if not len(faces):
            return np.asarray(self.mesh.vertices[self.mesh.faces[:1, 0]])
        pairs = np.concatenate([faces[:, :2], faces[:, 1:]])
        graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(first),) * 2)
        _, label = connected_components(graph, directed=False)
        used = np.unique(faces)
        _, chosen = np.unique(label[used], return_index=True)
        return np.asarray(self.mesh.vertices[first[used[chosen]]])

    def inside(self, points: Floats) -> NDArray[np.bool_]:
        """Which points the mesh winds around, for closed meshes: what most of three rays say."""
        votes = np.zeros(len(points), np.int64)
        low, high = self.mesh.bounds
        near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
        for direction in DIRECTIONS if len(near) else ():
            hits = cast(self.mesh, points[near], direction, every=True, threads=1)
            leaving = np.sign(hits.normals @ direction)
            votes[near] += np.bincount(hits.rays, weights=leaving, minlength=len(near)).round() != 0
        return votes >= 2

    def holds(self, points: Floats) -> bool:
        """Is the mesh closed, and any of the points inside it?"""
        low, high = self.mesh.bounds
        near = ((points >= low) & (points <= high)).all(axis=1).any()
        return bool(near) and self.closed and bool(self.inside(points).any())

    def depths(self, points: Floats) -> Floats:
        """How far points are from the surface."""
        poses = np.tile(np.eye(4), (len(points), 1, 1))
        poses[:, :3, 3] = points
        found = distance(self.mesh, POINT, pose_b=poses, threads=1)
        assert isinstance(found, Distances)
        return np.asarray(found.values)

    @cached_property
    def samples(self) -> tuple[Floats, Floats]:
        """Points on and in the mesh, and how deep each lies within it: 0 if it is open."""
        corners = self.mesh.vertices[self.mesh.faces]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = np.linalg.norm(across, axis=1)
        if not areas.any():
            return self.representatives, np.zeros(len(self.representatives))
        places = np.searchsorted(np.cumsum(areas), (np.arange(SAMPLES) + 0.5) / SAMPLES * areas.sum())
        chosen = np.minimum(places, len(areas) - 1)
        shares = _shares(SAMPLES)
        surface = np.einsum("nk,nkd->nd", shares, corners[chosen])
        if not self.closed:
            return surface, np.zeros(len(surface))
        middles = self._middles(surface, across[chosen] / areas[chosen, None])
        middles = middles[self.inside(middles)]
        if not len(middles):
            return surface, np.zeros(len(surface))
        return np.concatenate([surface, middles]), np.concatenate(
            [np.zeros(len(surface)), self.depths(middles)]
        )

    def _middles(self, surface: Floats, normals: Floats) -> Floats:
        """Halfway from each point through the mesh, both ways: only one is through its inside."""
        size = float(np.linalg.norm(np.ptp(self.mesh.bounds, axis=0)))
        found = []
        for towards in (-normals, normals):
            hits = cast(self.mesh, surface, towards, every=True, threads=1)
            beyond = hits.distances > 1e-9 * size
            nearest = np.full(len(surface), np.inf)
            np.minimum.at(nearest, hits.rays[beyond], hits.distances[beyond])
            met = np.isfinite(nearest)
            found.append(surface[met] + 0.5 * nearest[met, None] * towards[met])
        return np.concatenate(found)


def _shares(count: int) -> Floats:
    """Barycentric coordinates of points that are spread over a triangle."""
    u, v = ((np.arange(count) * step) % 1.0 for step in (0.7548776662466927, 0.5698402909980532))
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    return np.column_stack([1 - u - v, u, v])


def deepest(a: Enclosure, b: Enclosure, a_to_b: Floats, hints: Floats) -> tuple[float, Floats | None]:
    """A translation that separates the two is at least this long, and a point in both, in b's frame.

    A point inside both, p deep in one and q deep in the other, is in both until they have moved by p + q. The
    points that are tried are samples of either, and `hints` (n, 3) in b's frame.
    """
    if not (a.closed or b.closed):
        return 0.0, None
    b_to_a = np.asarray(np.linalg.inv(a_to_b))
    points = np.concatenate([_moved(a.samples[0], a_to_b), b.samples[0], hints])
    sums = np.zeros(len(points))
    for one, seen, own, first in (
        (a, _moved(points, b_to_a), a.samples[1], 0),
        (b, points, b.samples[1], len(a.samples[0])),
    ):
        sampled = slice(first, first + len(own))
        left = np.isfinite(sums)
        left[sampled] = False  # its own points are in it or on it, and how deep is known
        sums[sampled] += own
        asked = np.flatnonzero(left)
        within = np.zeros(len(asked), bool)
        if one.closed:
            within = one.inside(seen[asked])
        sums[asked[~within]] = -np.inf
        if within.any():
            sums[asked[within]] += one.depths(seen[asked[within]])
    best = int(sums.argmax())
    return (float(sums[best]), points[best]) if sums[best] > 0 else (0.0, None)


def _moved(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])

"""Links that overlap in every configuration: balls inside of them always do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom.body import Body
from elbowroom.matrix.pair import PairSearch
from elbowroom.matrix.solids import LinkSolid
from elbowroom.mesh import Mesh
from elbowroom.questions import distance
from elbowroom.shapes import Convex, Sphere

Floats = NDArray[np.float64]

#: Points on the axis of each joint at which balls are tried.
TRIES = 33
#: Boxes of joint values that are looked at.
MOST_BOXES = 512


class _Point(NamedTuple):
    centres: Floats
    radii: Floats


def overlap_always(pair: PairSearch, is_late: Callable[[], bool]) -> bool:
    """Is it proved? Meshes that are closed count as solids."""
    path = pair.path
    if not path.covered or not len(path):
        return False
    left = [(0.5 * (path.low + path.high), 0.5 * (path.high - path.low))]
    for _ in range(MOST_BOXES):
        if not left:
            return True
        if is_late():
            return False
        centre, half = left.pop()
        ball = _common_ball(pair, centre)
        if ball is None:
            return False
        points, radius = ball
        boxes = path.boxes(*(_Point(point[None], np.zeros(1)) for point in points))
        if float(boxes.displacements(centre[None], half[None])[0]) < 2 * radius:
            continue
        alone = np.asarray(boxes.displacements(np.tile(centre, (len(half), 1)), np.diag(half)))
        value = int(alone.argmax())
        step = np.zeros_like(half)
        step[value] = 0.5 * half[value]
        left += [(centre - step, half - step), (centre + step, half - step)]
    return False


def is_enclosed(pair: PairSearch) -> bool:
    """Of links whose surfaces never meet: is a shape of one inside a shape of the other, and so remains?"""
    if pair.solid_a.is_convex and pair.solid_b.is_convex:
        return False
    middle = 0.5 * (pair.path.low + pair.path.high)
    pose = pair.path.boxes(pair.solid_a, pair.solid_b).poses(middle[None])[0]
    in_b = np.array([body._points[0] @ at.rotation.T + at.translation for body, at in pair.solid_b.shapes])
    in_a = np.array([body._points[0] @ at.rotation.T + at.translation for body, at in pair.solid_a.shapes])
    b_in_a = _depth(pair.solid_a, in_b @ pose[:3, :3].T + pose[:3, 3])
    a_in_b = _depth(pair.solid_b, (in_a - pose[:3, 3]) @ pose[:3, :3])
    return bool((b_in_a > 0).any() or (a_in_b > 0).any())


def _common_ball(pair: PairSearch, values: Floats) -> tuple[tuple[Floats, Floats], float] | None:
    """The centre of a ball inside both links, as each of them has it, and the radius."""
    pose = pair.path.boxes(pair.solid_a, pair.solid_b).poses(values[None])[0]
    size = min(pair.solid_a.size, pair.solid_b.size)
    for places in (_on_axes, _within):
        in_a = places(pair, values, size)
        depth = _depth(pair.solid_a, in_a)
        in_a, depth = in_a[depth > 0], depth[depth > 0]
        if not len(in_a):
            continue
        in_b = (in_a - pose[:3, 3]) @ pose[:3, :3]
        depth = np.minimum(depth, _depth(pair.solid_b, in_b)) - 1e-9 * size
        best = int(depth.argmax())
        if depth[best] > 0:
            return (in_a[best], in_b[best]), float(depth[best])
    return None


def _within(pair: PairSearch, values: Floats, size: float) -> Floats:
    """Points between those of the first link."""
    rng, centres = np.random.default_rng(0), pair.solid_a.centres
    some = centres[rng.integers(0, len(centres), (16 * TRIES, 4))]
    return np.asarray(np.einsum("ij,ijk->ik", rng.dirichlet(np.ones(4), 16 * TRIES), some))


def _on_axes(pair: PairSearch, values: Floats, size: float) -> Floats:
    """Points on the axes of the joints, seen from the first link."""
    path = pair.path
    along, found = np.linspace(-size, size, TRIES)[:, None], []
    nothing = _Point(np.zeros((1, 3)), np.zeros(1))
    for joint in range(len(path)):
        pose = path.up_to(joint).boxes(nothing, nothing).poses(values[None])[0]
        found.append(pose[:3, 3] + along * (pose[:3, :3] @ path.joints[joint, :3]))
    return np.concatenate(found)


def _depth(link: LinkSolid, points: Floats) -> Floats:
    """The radii of the balls about points that lie inside a shape of a link; negative where there is none."""
    out = np.full(len(points), -np.inf)
    for body, pose in link.shapes:
        local = (points - pose.translation) @ pose.matrix[:3, :3]
        out = np.maximum(
            out, _depth_in_mesh(body, local) if isinstance(body, Mesh) else _depth_in_hulls(body, local)
        )
    return out


def _depth_in_hulls(body: Body, points: Floats) -> Floats:
    from scipy.spatial import ConvexHull, QhullError

    out = np.full(len(points), -np.inf)
    for k, radius in enumerate(body._radius.tolist()):
        corners = body._points[body._first[k] : body._first[k + 1]]
        try:
            planes = ConvexHull(corners).equations
            inside = -(points @ planes[:, :3].T + planes[:, 3]).max(axis=1)
        except (QhullError, ValueError):  # a point, a segment, or flat
            inside = np.full(len(points), -np.inf)
        if radius > 0:
            inside = np.maximum(inside, -_distances(Convex(corners), points))
        out = np.maximum(out, inside + radius)
    return out


def _depth_in_mesh(mesh: Mesh, points: Floats) -> Floats:
    """By winding numbers, which are whole for closed meshes; nothing is inside of one that is not closed."""
    _, number = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    low, high = edges.min(axis=1), edges.max(axis=1)
    _, which = np.unique(np.stack([low, high]), axis=1, return_inverse=True)
    net = np.bincount(which.reshape(-1), weights=np.sign(edges[:, 1] - edges[:, 0]))
    if net.any():
        return np.full(len(points), -np.inf)
    winding = np.array([_winding(mesh.vertices[mesh.faces] - point) for point in points])
    return np.where(np.abs(winding) > 0.5, _distances(mesh, points), -np.inf)


def _winding(corners: Floats) -> float:
    """How often triangles (n, 3, 3) go round the origin, after Van Oosterom and Strackee (1983)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    x, y, z = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    dot_ab, dot_bc, dot_ca = (np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a)))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    angles = np.arctan2(volume, x * y * z + dot_ab * z + dot_bc * x + dot_ca * y)
    return float(angles.sum() / (2 * np.pi))


def _distances(body: Body, points: Floats) -> Floats:
    """From a body, at most by rounding too small."""
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :3, 3] = points
    tiny = 1e-12 * float(np.ptp(points, axis=0).max())
    return np.asarray(distance(body, Sphere(max(tiny, 1e-30)), None, poses, threads=1).lower)

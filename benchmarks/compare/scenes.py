"""Small scenes of which the truth is known: by brute force in NumPy, or because they were made so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from elbowroom import scenes
from elbowroom.doctor import brute
from elbowroom.doctor.checks import arm_clashes

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """A box, or a convex hull, or a mesh; boxes have their corners too."""

    kind: str
    vertices: Array
    faces: Indices
    extents: Array | None = None

    @property
    def triangles(self) -> Array:
        return self.vertices[self.faces]


def box(*extents: float) -> Shape:
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * extents
    return Shape("box", corners, _outward(corners), np.array(extents, dtype=float))


def hull(points: Array) -> Shape:
    used = points[ConvexHull(points).vertices]
    return Shape("hull", used, _outward(used))


def mesh(vertices: Array, faces: Indices) -> Shape:
    return Shape("mesh", np.ascontiguousarray(vertices), faces.astype(np.int64))


def _outward(points: Array) -> Indices:
    """Faces of the hull, turned so that all have the inside behind them."""
    faces = ConvexHull(points).simplices.astype(np.int64)
    a, b, c = (points[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - points.mean(axis=0)) < 0
    faces[inward] = faces[inward][:, ::-1]
    return faces


def placed(translation: Array | list[float], turn: Rotation | None = None) -> Array:
    pose = np.eye(4)
    pose[:3, 3] = translation
    if turn is not None:
        pose[:3, :3] = turn.as_matrix()
    return pose


def rings() -> tuple[Shape, Array]:
    """A ring, and the pose of a second one that is linked with it and does not touch it."""
    return mesh(*scenes.torus(segments=16, sides=8)), placed(
        [2.0, 0, 0], Rotation.from_euler("x", 90, degrees=True)
    )


def distance(a: Shape, b: Shape, pose: Array) -> float:
    """Of the surfaces, by brute force."""
    return brute.triangle_distance(a.triangles, brute.moved(b.vertices, pose)[b.faces])


@cache
def hulls(count: int = 60) -> tuple[tuple[Shape, Shape, Array, float], ...]:
    """Two hulls that are apart, their pose, and their distance."""
    rng, found = np.random.default_rng(1), []
    while len(found) < count:
        a, b = hull(rng.normal(size=(12, 3))), hull(rng.normal(size=(12, 3)))
        pose = placed(rng.normal(size=3) * 4, Rotation.random(random_state=rng))
        true = distance(a, b, pose)
        if true > 0.01 and not _inside(a, b, pose):
            found.append((a, b, pose, true))
    return tuple(found)


def _inside(a: Shape, b: Shape, pose: Array) -> bool:
    """Whether the middle of either is in the other, which surfaces do not tell."""
    both = ((a, brute.moved(b.vertices, pose)), (b, brute.moved(a.vertices, np.linalg.inv(pose))))
    return any(len(ConvexHull(np.vstack([one.vertices, [other.mean(axis=0)]])).vertices) == len(one.vertices)
               for one, other in both)  # fmt: skip


def deep_boxes(count: int = 60) -> Iterator[tuple[Shape, Shape, Array, float]]:
    """Two boxes that overlap, and by how much they would have to be moved apart."""
    rng = np.random.default_rng(2)
    while count:
        a, b = box(*rng.uniform(0.5, 2, 3)), box(*rng.uniform(0.5, 2, 3))
        pose = placed(rng.normal(size=3) * 0.5, Rotation.random(random_state=rng))
        depth = _overlap(a, b, pose)
        if depth > 0.01:
            count -= 1
            yield a, b, pose, depth


def _overlap(a: Shape, b: Shape, pose: Array) -> float:
    """Least overlap over the fifteen axes that can separate boxes; below 0 if they are apart."""
    first, second = np.eye(3), pose[:3, :3].T
    crossed = [np.cross(u, v) for u in first for v in second]
    axes = np.array([*first, *second, *(axis / np.linalg.norm(axis) for axis in crossed)])
    ours, theirs = a.vertices @ axes.T, brute.moved(b.vertices, pose) @ axes.T
    return float(np.min(np.minimum(ours.max(0) - theirs.min(0), theirs.max(0) - ours.min(0))))


def touching_boxes() -> Iterator[tuple[Shape, Shape, Array]]:
    """Boxes that touch with a face, an edge or a corner, up to a rounding error."""
    shape = box(1.0, 2.0, 3.0)
    for turn, offset in product(Rotation.create_group("O"), ((1, 0, 0), (1, 1, 0), (1, 1, 1))):
        halves = np.array([0.5, 1.0, 1.5]) + np.abs(turn.as_matrix()) @ [0.5, 1.0, 1.5]
        for nudge in (0.0, 1e-16, -1e-16, -1e-13):
            yield shape, shape, placed(halves * offset * (1.0 + nudge), turn)


def plate_and_wall() -> tuple[Shape, Shape]:
    """Both thin."""
    return box(1.0, 1.0, 0.002), box(4.0, 4.0, 0.002)


def motions(through: bool, turning: bool, count: int = 100) -> Iterator[tuple[Array, Array]]:
    """Poses of the plate: from one side of the wall to the other, or not quite to it."""
    rng = np.random.default_rng(4)
    for _ in range(count):
        turn, more = (Rotation.from_euler("z", rng.uniform(-60, 60), degrees=True) for _ in range(2))
        more = more if turning else Rotation.identity()
        end = rng.uniform(0.8, 1.2) if through else -0.01
        start = placed([*rng.uniform(-0.5, 0.5, 2), -rng.uniform(0.8, 1.2)], turn)
        yield start, placed([*rng.uniform(-0.5, 0.5, 2), end], turn * more)


REACH, SIDE = 0.55, 4.0


def cloud(count: int = 400, grid: float = 0.25) -> Array:
    """Different points of a grid in a box; no two are just as far apart as REACH."""
    points = np.random.default_rng(3).integers(0, int(SIDE / grid), (2 * count, 3)) * grid
    return np.unique(points, axis=0)[:count]


def near_pairs(points: Array, side: float | None = None) -> set[tuple[int, int]]:
    """Those within reach, by brute force; `side`: of a periodic box."""
    between = points[:, None] - points[None]
    if side is not None:
        between = between - side * np.round(between / side)
    near = np.triu(np.linalg.norm(between, axis=2) <= REACH, 1)
    return {(int(i), int(j)) for i, j in np.argwhere(near)}


BALLS, LINKS = np.array([[0.25, 0, 0], [0.5, 0, 0], [0.75, 0, 0]]), 8


def arm(file: Path) -> tuple[Array, list[set[tuple[str, str]]]]:
    """Writes an arm as URDF, three balls a link; configurations, and the links that collide in each."""
    ball = '<collision><origin xyz="{} {} {}"/><geometry><sphere radius="0.2"/></geometry></collision>'
    balls = "".join(ball.format(*centre) for centre in BALLS)
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = [f'<link name="link{k}">{mass}{balls}</link>' for k in range(LINKS)]
    file.write_text("<robot name='arm'>" + "".join(links + [_joint(k) for k in range(1, LINKS)]) + "</robot>")
    rows = np.random.default_rng(5).uniform(-2.5, 2.5, (200, LINKS - 1))
    clashes = [arm_clashes(row, BALLS, 1.0) for row in rows]
    return rows, [{(f"link{i}", f"link{j}") for i, j in pairs} for pairs in clashes]


def _joint(number: int) -> str:
    """At the far end of the link before it, about z and y in turn."""
    axis = "0 0 1" if number % 2 else "0 1 0"
    return (
        f'<joint name="joint{number}" type="revolute"><parent link="link{number - 1}"/>'
        f'<child link="link{number}"/><origin xyz="1 0 0"/><axis xyz="{axis}"/>'
        '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>'
    )

"""The hook among tetrahedra, short motions of it, and poses in the form in which peers interpolate them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks.common import Array
from benchmarks.convex.run import Scene
from elbowroom import scenes

FARTHEST, WIDEST = 8.0, 1.0  # of a short motion: along each axis, and in radians

Placed = tuple[Array, Array]  # position (3,) and unit quaternion (w, x, y, z)


@dataclass(frozen=True)
class Motions:
    """Poses (n, 4, 4) from which and to which the hook goes; linear in position, about a fixed axis."""

    starts: Array
    goals: Array

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def placed(self) -> list[tuple[Placed, Placed]]:
        """As positions and quaternions, which peers interpolate."""
        return list(zip(placed(self.starts), placed(self.goals), strict=True))

    def first(self, count: int) -> Motions:
        return Motions(self.starts[:count], self.goals[:count])


def placed(poses: Array) -> list[Placed]:
    """Positions and quaternions of poses (n, 4, 4)."""
    turns = Rotation.from_matrix(poses[:, :3, :3]).as_quat()[:, [3, 0, 1, 2]]
    return list(zip(poses[:, :3, 3].copy(), turns, strict=True))


def scene() -> Scene:
    """The hook and the tetrahedra; poses are given elsewhere."""
    return Scene(scenes.hook(), scenes.tetrahedra(), np.empty((0, 4, 4)))


def bodies(scene: Scene) -> tuple[er.Group, er.Group]:
    """The hook and its obstacles as bodies of ours."""
    hook = er.Group([(er.Box(extents), (np.eye(3), centre)) for extents, centre in scene.legs])
    return hook, er.Group([(er.Convex(corners), None) for corners in scene.obstacles])


def short_motions(scene: Scene, count: int, seed: int = 13) -> Motions:
    """From poses in which the hook is free, by up to 8 along each axis, turning by up to 1 radian."""
    hook, obstacles = bodies(scene)
    poses = scenes.hook_poses(3 * count + 20, seed)
    starts = poses[~er.collide(hook, obstacles, poses).hits][:count]
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(count, 3))
    axes *= rng.uniform(0, WIDEST, (count, 1)) / np.linalg.norm(axes, axis=1, keepdims=True)
    goals = starts.copy()
    goals[:, :3, :3] = Rotation.from_rotvec(axes).as_matrix() @ starts[:, :3, :3]
    goals[:, :3, 3] += rng.uniform(-FARTHEST, FARTHEST, (count, 3))
    return Motions(starts, goals)


def reach(scene: Scene) -> float:
    """The farthest point of the hook from the origin of its frame."""
    corners, _ = scene.hook_surface
    return float(np.linalg.norm(corners, axis=1).max())

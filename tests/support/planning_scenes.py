"""Scenes to plan in: a rod in a maze of walls, a planar arm among discs, boxes that cannot be left."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

ROD = er.Box([3.0, 0.4, 0.4])
LEFT, RIGHT = er.Pose(translation=[-7, 0, 0]), er.Pose(translation=[7, 0, 0])
LOW, HIGH = [-8.0, -4.0, -4.0], [8.0, 4.0, 4.0]


def wall(x: float, gap: tuple[float, float]) -> list[tuple[er.Box, er.Pose]]:
    """Four boxes in the plane at x that leave a square hole of side 3 about (y, z)."""
    y, z = gap
    parts = [
        ([1, 20, 10], [x, 0, z + 6.5]),
        ([1, 20, 10], [x, 0, z - 6.5]),
        ([1, 10, 3], [x, y + 6.5, z]),
        ([1, 10, 3], [x, y - 6.5, z]),
    ]
    return [(er.Box(extents), er.Pose(translation=centre)) for extents, centre in parts]


def maze() -> er.Group:
    """Three walls with holes that are not in a line."""
    return er.Group([*wall(-4, (2, 2)), *wall(0, (-2, 1)), *wall(4, (1, -2))])


def rod_in_maze(**settings: Any) -> tuple[er.planning.RigidSpace, er.MotionChecker]:
    return er.planning.RigidSpace(LOW, HIGH, **settings), er.MotionChecker(ROD, maze())


def planar_arm(links: int = 3) -> er.Articulated:
    """Bones of length 1 in the plane, one after the other, each turning about z at its beginning."""
    bone = [(er.Capsule(0.1, 0.8), er.Pose([0.5**0.5, 0, 0.5**0.5, 0], [0.5, 0, 0]))]
    names = ["base", *(f"bone {i}" for i in range(links))]
    joints = [
        er.Joint(f"joint {i}", "revolute", names[i], names[i + 1],
                 er.Pose(translation=[1.0 if i else 0.0, 0, 0]), (0, 0, 1), (-2.8, 2.8))
        for i in range(links)
    ]  # fmt: skip
    return er.Articulated([er.Link("base"), *(er.Link(name, bone) for name in names[1:])], joints)


def discs() -> er.Group:
    """Round posts that the arm must reach around."""
    places = [[1.6, 1.0], [1.6, -1.2], [-0.4, 1.7], [2.6, 0.5], [0.6, -1.9]]
    return er.Group([(er.Capsule(0.3, 1.0), er.Pose(translation=[x, y, 0])) for x, y in places])


def arm_among_discs() -> tuple[er.planning.JointSpace, er.MotionChecker]:
    arm = planar_arm()
    return er.planning.JointSpace.of(arm), er.MotionChecker(arm, discs())


ARM_START, ARM_GOAL = np.array([0.0, 0.0, 0.0]), np.array([1.15, -0.3, 0.9])


def locked_in() -> er.MotionChecker:
    """A ball in a closed box."""
    sides = [([6, 6, 1], 2), ([6, 1, 6], 1), ([1, 6, 6], 0)]
    parts = []
    for extents, axis in sides:
        for side in (-2.5, 2.5):
            shift = np.zeros(3)
            shift[axis] = side
            parts.append((er.Box(extents), er.Pose(translation=shift)))
    return er.MotionChecker(er.Sphere(0.3), er.Group(parts))

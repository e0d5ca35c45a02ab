"""How frames move: rigid motions, joints on a path of configurations, and torsions of a chain.

Part of the independent check of motion certificates: forward kinematics once more, in plain arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from elbowroom._proof.frames import Floats, Frames, Integers, Moves, still, turns_about
from elbowroom.articulated import Articulated
from elbowroom.chain import Chain
from elbowroom.links import VALUES

#: A stated turn may differ from what it is to be by so much.
ROUNDED = 1e-9


def rigid_moves(motion: Any) -> Moves:
    """Of an er.Motion, which states its axis and angle: refused unless they lead from start to goal."""
    start, goal = motion.start.matrix, motion.goal.matrix
    axis, angle = np.asarray(motion.axis, np.float64), float(motion.angle)
    ends = turns_about(axis[None], np.array([angle]))[0] @ start[:3, :3]
    if abs(np.linalg.norm(axis) - 1) > ROUNDED or np.abs(ends - goal[:3, :3]).max() > ROUNDED:
        raise ValueError(f"motion: a turn by {angle:.9g} about {axis.tolist()} does not lead to its goal")
    shift = goal[:3, 3] - start[:3, 3]
    return Moves(start[None, :3, 3], shift[None], start[None, :3, :3], axis[None], np.array([angle]))


def add_links(frames: Frames, body: Articulated, path: Floats) -> list[int]:
    """A frame for each link of a body on a path (k, dof), straight between its configurations."""
    numbers, origins, reals = body._skeleton.arrays()
    kinds, made = list(VALUES), list[int]()
    for (parent, kind, first), origin, (x, y, z, multiplier, offset) in zip(
        numbers.tolist(), origins, reals.tolist(), strict=True
    ):
        values = path[:, first : first + VALUES[kinds[kind]]]
        if VALUES[kinds[kind]] == 1:
            values = multiplier * values + offset
        moves = _joint_moves(kinds[kind], origin, np.array([x, y, z]), values)
        made.append(frames.add(made[parent] if parent >= 0 else 0, moves))
    return made


def _joint_moves(kind: str, origin: Floats, axis: Floats, values: Floats) -> Moves:
    """Of a joint whose values (k, n) go from each to the next in equal shares of the time."""
    if kind == "fixed":
        return still(origin)
    if kind == "revolute":
        return _revolute(origin, axis, values[:, 0])
    poses = np.tile(np.eye(4), (len(values), 1, 1))
    if kind == "prismatic":
        poses[:, :3, 3] = values * axis
    else:
        poses[:, :3, :3] = _matrices(values[:, -4:])
        poses[:, :3, 3] = values[:, :3] if kind == "free" else 0.0
    return _between(origin @ poses)


def _revolute(origin: Floats, axis: Floats, angles: Floats) -> Moves:
    """Any angle, also beyond half a turn."""
    k = len(angles) - 1
    turned = origin[:3, :3] @ turns_about(np.tile(axis, (k, 1)), angles[:-1])
    place = np.tile(origin[:3, 3], (k, 1))
    axes = np.tile(origin[:3, :3] @ axis, (k, 1))
    return Moves(place, np.zeros((k, 3)), turned, axes, k * np.diff(angles))


def _between(poses: Floats) -> Moves:
    """From each pose to the next: the position linear, the turn at a constant rate the shorter way round."""
    k = len(poses) - 1
    before, after = poses[:-1], poses[1:]
    axis, angle = _axes_and_angles(after[:, :3, :3] @ before[:, :3, :3].transpose(0, 2, 1))
    velocity = k * (after[:, :3, 3] - before[:, :3, 3])
    return Moves(before[:, :3, 3], velocity, before[:, :3, :3], axis, k * angle)


def _matrices(quaternions: Floats) -> Floats:
    """(k, 3, 3) from (w, x, y, z): a turn by 2 acos w about (x, y, z)."""
    q = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    axis = np.where(sine[:, None] > 0, q[:, 1:] / np.where(sine > 0, sine, 1.0)[:, None], (0.0, 0.0, 1.0))
    return turns_about(axis, 2 * np.arctan2(sine, q[:, 0]))


def _axes_and_angles(turns: Floats) -> tuple[Floats, Floats]:
    """Unit axes (k, 3) and angles from 0 to pi.

    For the quaternion (w, v) of a turn R, 4 (w, v) (w, v)^T is a matrix made of entries of R. Its row with
    the largest diagonal gives the quaternion up to length and sign, with all digits also at half a turn.
    """
    square = np.empty((len(turns), 4, 4))
    square[:, 0, 0] = 1 + np.trace(turns, axis1=1, axis2=2)
    skew = turns.transpose(0, 2, 1) - turns
    square[:, 0, 1:] = square[:, 1:, 0] = np.stack([skew[:, 1, 2], skew[:, 2, 0], skew[:, 0, 1]], axis=1)
    level = 1 - np.trace(turns, axis1=1, axis2=2)
    square[:, 1:, 1:] = turns + turns.transpose(0, 2, 1) + level[:, None, None] * np.eye(3)
    best = np.diagonal(square, axis1=1, axis2=2).argmax(axis=1)
    q = square[np.arange(len(turns)), best]
    q = q * np.where(q[:, :1] < 0, -1.0, 1.0) / np.linalg.norm(q, axis=1, keepdims=True)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    axis = np.where(sine[:, None] > 0, q[:, 1:] / np.where(sine > 0, sine, 1.0)[:, None], (0.0, 0.0, 1.0))
    return axis, 2 * np.arctan2(sine, q[:, 0])


def torsions_of(motion: Any) -> tuple[Integers, Floats]:
    """Joints in order, each once, and the angles that they turn by."""
    given = (list(motion), list(motion.values())) if isinstance(motion, Mapping) else motion
    joints, place = np.unique(np.asarray(given[0], np.int64), return_inverse=True)
    angles = np.zeros(len(joints))
    np.add.at(angles, place, np.asarray(given[1], np.float64))
    return joints, angles


def add_torsions(frames: Frames, chain: Chain, joints: Integers, angles: Floats) -> tuple[list[int], Floats]:
    """A frame for each part of a chain between the joints that turn, and where its origin is at the time 0.

    The first part stays in the world. The others have their origins at the link before their joint, and axes
    along the world at the time 0, so that the next joint's axis is fixed in them.
    """
    places = chain.positions()
    made, origin = [0], np.zeros((len(joints) + 1, 3))
    origin[1:] = places[joints]
    for part, (joint, angle) in enumerate(zip(joints.tolist(), angles.tolist(), strict=True), 1):
        bond = places[joint + 1] - places[joint]
        if not bond.any():
            raise ValueError(f"motion: joint {joint} has no axis, for its two links have one centre")
        shift = (origin[part] - origin[part - 1])[None]
        axis = (bond / np.linalg.norm(bond))[None]
        moves = Moves(shift, np.zeros((1, 3)), np.eye(3)[None], axis, np.array([angle]))
        made.append(frames.add(made[-1], moves))
    return made, origin

"""Second stop: a hook among 1330 tetrahedra."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.view import Look, draw, png

from .measure import measure, measure_each
from .stop import Picture, Progress, Section, Stop

Array = NDArray[np.float64]

POSES = 2_000
SEED = 11
REACH = 4.0
CODE = """obstacles = er.Group([(er.Convex(corners), None) for corners in scenes.tetrahedra()])
hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.hook()])
pose = scenes.hook_poses(1)[0]
nearest = er.distance(hook, obstacles, pose_a=pose)
near = er.within(hook, obstacles, 4.0, pose_a=pose)"""


def run(progress: Progress) -> Section:
    """Distances at random poses, pairs within reach, and a picture of one of the poses."""
    progress.step("1330 tetrahedra: building the tree")
    corners = scenes.tetrahedra()
    obstacles, built = measure(
        "build, 1330 hulls", lambda: er.Group([(er.Convex(four), None) for four in corners]), repeats=1)
    hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.hook()])
    poses = scenes.hook_poses(progress.size(POSES), SEED)
    progress.step(f"{len(poses):,} poses of the hook: distance, pairs within reach")
    distances, far = measure_each(
        "distance, a call each", lambda pose: er.distance(hook, obstacles, pose_a=pose), poses)
    near, close = measure_each(
        f"pairs within {REACH:g}, a call each", lambda pose: er.within(hook, obstacles, REACH, pose_a=pose), poses)
    values = np.array([answer.value for answer in distances])
    pairs = sum(len(answer.indices) for answer in near) / len(near)
    chosen = _roomy(values, poses)
    progress.step("painting the hook among its neighbours")
    return Section(
        [replace(far, answer=f"{int((values == 0).sum()):,} of {len(values):,} collide"),
         replace(close, answer=f"{pairs:.1f} pairs on average"), built],
        [_picture(hook, corners, poses[chosen], distances[chosen], near[chosen], progress.dpi)],
        figures={"poses": len(poses), "colliding": int((values == 0).sum()), "pairs_within_reach": pairs},
    )


def _roomy(values: Array, poses: Array) -> int:
    """The most central of the poses with some clearance, for the picture."""
    offset = np.linalg.norm(poses[:, :3, 3] - scenes.rigid.WORLD_SIDE / 2, axis=1)
    return int(np.argmin(np.where((values > 0.5) & (values < 2.0), offset, np.inf)))


def _picture(
    hook: er.Group, corners: Array, pose: Array, nearest: er.Distance, near: er.Pairs, dpi: int
) -> Picture:
    reached = np.unique(near.indices[:, 1])
    away = np.linalg.norm(corners.mean(axis=1) - pose[:3, 3], axis=1)
    faint = np.setdiff1d(np.flatnonzero(away < 13.0), reached)
    bodies = [(er.Convex(corners[k]), None, Look("#8a949e", 0.18)) for k in faint]
    bodies += [(er.Convex(corners[k]), None, Look("#4f8fd0")) for k in reached]
    figure = draw([*bodies, (hook, pose, Look("#f0973a"))], points=nearest.points[None],
                  title=f"Nearest tetrahedron: {nearest.value:.3f} away")
    alt = (f"An L-shaped hook among tetrahedra. {len(reached)} of them, within {REACH:g} of the hook, are blue, the "
           "rest are faint; a line joins the nearest points of the hook and a tetrahedron.")
    return Picture(png(figure, dpi=dpi), alt,
                   f"Blue: the {len(reached)} tetrahedra within {REACH:g} of the hook. Red: the nearest points.")


STOP = Stop(
    "A hook among 1330 tetrahedra",
    "A group makes one body of many shapes, with one tree over them all. One call finds the nearest of 1330 hulls, "
    "another all pairs of shapes within reach.",
    CODE,
    run,
)

"""Second stop: a hook among 1330 tetrahedra."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import Look, draw, png, trace
from elbowroom.pictures.exhibits import Picture

from . import scene_rigid
from .measure import measure, measure_each
from .stop import Progress, Section, Stop

Array = NDArray[np.float64]

POSES = 2_000
SEED = 11
REACH = 4.0
CODE = """obstacles = er.Group([(er.Convex(corners), None) for corners in scenes.tetrahedra()])
hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.hook()])
nearest = er.distance(hook, obstacles, pose_a=scenes.hook_poses(1)[0])
near = er.within(hook, obstacles, 4.0, pose_a=scenes.hook_poses(1)[0])"""


def run(progress: Progress) -> Section:
    """Distances at random poses, pairs within reach, and a picture of one of the poses."""
    progress.step("1330 tetrahedra: building the tree")
    corners = scenes.tetrahedra()
    obstacles, built = measure(
        "build, 1330 hulls", lambda: er.Group([(er.Convex(four), None) for four in corners]), repeats=1
    )
    hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.hook()])
    poses = scenes.hook_poses(progress.size(POSES), SEED)
    progress.step(f"{len(poses):,} poses of the hook: distance, pairs within reach")
    distances, far = measure_each(
        "distance, a call each", lambda pose: er.distance(hook, obstacles, pose_a=pose), poses
    )
    near, close = measure_each(
        f"pairs within {REACH:g}, a call each",
        lambda pose: er.within(hook, obstacles, REACH, pose_a=pose),
        poses,
    )
    values = np.array([answer.value for answer in distances])
    pairs = sum(len(answer.indices) for answer in near) / len(near)
    chosen = _lively(values, [len(answer.indices) for answer in near])
    progress.step("recording the hook among its neighbours")
    return Section(
        [
            replace(far, answer=f"{(values == 0).mean():.0%} collide"),
            replace(close, answer=f"{pairs:.1f} pairs each"),
            built,
        ],
        [_world(hook, corners, poses[chosen], progress.dpi), _sorted_picture(values, progress.dpi)],
        scenes=[scene_rigid.hook(hook, obstacles, corners, poses[chosen])],
        figures={"poses": len(poses), "colliding": int((values == 0).sum()), "pairs_within_reach": pairs},
    )


def _lively(values: Array, pairs: list[int]) -> int:
    """Of the poses with some clearance the one with most pairs within reach, for the picture."""
    return int(np.argmax(np.where(values > 0.8, pairs, -1)))


def _sorted_picture(values: Array, dpi: int) -> Picture:
    figure = trace(np.sort(values), labels=("poses, from the nearest", "distance"), size=(6.0, 5.6))
    alt = "A curve of distances in order: zero for poses that collide, then rising."
    return Picture(png(figure, dpi=dpi), alt, "How far the hook is from the nearest tetrahedron, all poses.")


def _world(hook: er.Group, corners: Array, pose: Array, dpi: int) -> Picture:
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    all_faces = (faces + 4 * np.arange(len(corners))[:, None, None]).reshape(-1, 3)
    world = er.Mesh(corners.reshape(-1, 3), all_faces)
    figure = draw(
        [(world, None, Look("#4f8fd0", 0.3)), (hook, pose, Look("#f0973a"))],
        points=pose[None, :3, 3],
        title="The whole world",
        size=(6.0, 5.6),
    )
    alt = "A cube filled with 1330 translucent tetrahedra; a dot in the middle marks the hook."
    return Picture(png(figure, dpi=dpi), alt, "1330 tetrahedra in a cube of side 100; the dot is the hook.")


STOP = Stop(
    "A hook among 1330 tetrahedra",
    "A group makes one body of many shapes, with one tree over them all. One call finds the nearest of 1330 "
    "hulls, another all pairs of shapes within reach.",
    CODE,
    run,
)

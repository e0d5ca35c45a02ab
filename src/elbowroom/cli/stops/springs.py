"""First stop: two springs pass through each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import png, trace
from elbowroom.pictures.exhibits import Picture

from . import scene_rigid
from .measure import measure, measure_each
from .stop import Progress, Row, Section, Stop

POSES = 10_000
CODE = """spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(10_000)
hits = er.collide(spring, spring, pose_b=poses).hits
distances = er.distance(spring, spring, pose_b=poses)"""


def run(progress: Progress) -> Section:
    """Collide and measure along the path, then look at the last free pose and at the middle."""
    spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(progress.size(POSES))
    progress.step(f"{len(poses):,} poses of two springs: collide, distance")
    hits, distances, rows = _ask(spring, poses)
    last = last_free(hits.hits)
    progress.step("recording the springs")
    return Section(
        rows,
        [_trace(distances.values, hits.hits, last, progress.dpi)],
        scenes=[scene_rigid.springs(spring)],
        figures={
            "poses": len(poses),
            "colliding": int(hits.hits.sum()),
            "last_free_pose": last,
            "last_free_distance": float(distances.values[last]),
        },
    )


def last_free(hits: NDArray[np.bool_]) -> int:
    """Index of the last free pose before the first colliding one: the closest approach on the way in."""
    return max(int(np.argmax(hits)) - 1, 0)


def _ask(spring: er.Mesh, poses: NDArray[np.float64]) -> tuple[er.Collisions, er.Distances, list[Row]]:
    n, some = len(poses), poses[::5]
    hits, first = measure(
        "collide, one call, all cores", lambda: er.collide(spring, spring, pose_b=poses), queries=n
    )
    distances, second = measure(
        "distance, one call, all cores", lambda: er.distance(spring, spring, pose_b=poses), queries=n
    )
    _, third = measure_each(
        "collide, a call each", lambda pose: er.collide(spring, spring, pose_b=pose), some
    )
    memory = er.Memory()
    _, fourth = measure_each(
        "distance, a call each, memory",
        lambda pose: er.distance(spring, spring, pose_b=pose, memory=memory),
        some,
    )
    found = f"{hits.hits.mean():.0%} collide"
    span = f"0 to {distances.values.max():.3f}"
    return hits, distances, [replace(first, answer=found), replace(second, answer=span), third, fourth]


def _trace(values: NDArray[np.float64], hits: NDArray[np.bool_], mark: int, dpi: int) -> Picture:
    figure = trace(values, hits, mark=mark, size=(9.6, 2.8))
    alt = (
        f"Line plot of distance against pose: it falls to 0 at pose {mark + 1:,}, stays there while the "
        "springs collide, a shaded interval, and rises again."
    )
    caption = "Distance of the springs along the path. Shaded: colliding. Dot: the last pose before contact."
    return Picture(png(figure, dpi=dpi), alt, caption, wide=True)


STOP = Stop(
    "Two springs pass through each other",
    "Two coils of 1800 triangles each; one goes sideways through the other. A call with an array of poses "
    "answers for all of them. Free is a proof, and every distance comes with the two closest points.",
    CODE,
    run,
)

"""A whole body in motion: refit and self-test of every frame, by each way of refitting."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.common import Array, Run
from elbowroom.articulated import Refit

REFITS: tuple[Refit, ...] = ("auto", "cab", "cab-sum", "obb", "aabb", "aabb-all", "none")
SEED = 5

#: Bones of the generated figure: what they hang on, where (in the frame of that), which way they go, radius.
#: Metres; y is up, z is to the front. Names that begin with "l" get a mirror image that begins with "r".
BONES: dict[str, tuple[str | None, tuple[float, ...], tuple[float, ...], float]] = {
    "pelvis": (None, (0, 0, 0), (0, 0.12, 0), 0.11),
    "belly": ("pelvis", (0, 0.12, 0), (0, 0.14, 0), 0.11),
    "chest": ("belly", (0, 0.14, 0), (0, 0.24, 0), 0.13),
    "neck": ("chest", (0, 0.3, 0), (0, 0.1, 0), 0.05),
    "head": ("neck", (0, 0.1, 0), (0, 0.14, 0.02), 0.09),
    "l collar": ("chest", (0.04, 0.24, 0), (0.13, 0, 0), 0.05),
    "l arm": ("l collar", (0.16, 0, 0), (0.26, 0, 0), 0.045),
    "l forearm": ("l arm", (0.28, 0, 0), (0.24, 0, 0), 0.035),
    "l hand": ("l forearm", (0.26, 0, 0), (0.08, 0, 0), 0.03),
    "l thumb": ("l hand", (0.02, -0.01, 0.03), (0.05, 0, 0.04), 0.012),
    "l index": ("l hand", (0.1, 0, 0.025), (0.07, 0, 0), 0.011),
    "l middle": ("l hand", (0.1, 0, 0), (0.08, 0, 0), 0.011),
    "l little": ("l hand", (0.1, 0, -0.025), (0.06, 0, 0), 0.011),
    "l thigh": ("pelvis", (0.09, -0.02, 0), (0, -0.4, 0), 0.07),
    "l shin": ("l thigh", (0, -0.42, 0), (0, -0.38, 0), 0.05),
    "l foot": ("l shin", (0, -0.4, 0), (0, -0.04, 0.14), 0.04),
    "l toes": ("l foot", (0, -0.05, 0.15), (0, 0, 0.06), 0.025),
}


@dataclass(frozen=True)
class Figure:
    """How to make the body for a way of refitting, and its motion (frames, dof)."""

    title: str
    make: Callable[[Refit], er.Articulated]
    motion: Array


def recorded(path: Path) -> Figure:
    body = er.Articulated.from_bvh(path)
    return Figure(path.name, lambda refit: er.Articulated.from_bvh(path, refit=refit), np.array(body.motion))


def generated(frames: int) -> Figure:
    """Capsules on ball joints, each of which swings in a rhythm of its own."""
    bones = _both_sides()
    links = [er.Link(name, [_capsule(way, radius)]) for name, (_, _, way, radius) in bones.items()]
    joints = [
        er.Joint(name, "spherical", parent, name, origin=er.Pose(translation=where))
        if parent
        else er.Joint(name, "free", None, name)
        for name, (parent, where, _, _) in bones.items()
    ]

    def make(refit: Refit) -> er.Articulated:
        """Bones that overlap at rest do so by their radii alone, and are left out as joined ones are."""
        body = er.Articulated(links, joints, refit=refit)
        body.move(body.zero())
        body.exclude(er.self_collide(body, every=True).pairs)
        return body

    return Figure("generated", make, _swinging(len(bones), frames))


def _both_sides() -> dict[str, tuple[str | None, tuple[float, ...], tuple[float, ...], float]]:
    every = dict(BONES)
    for name, (parent, where, way, radius) in BONES.items():
        if name.startswith("l "):
            above = f"r{parent[1:]}" if parent and parent.startswith("l ") else parent
            every[f"r{name[1:]}"] = (above, (-where[0], *where[1:]), (-way[0], *way[1:]), radius)
    return every


def _capsule(way: tuple[float, ...], radius: float) -> tuple[er.Body, er.Pose]:
    """From the joint along `way`: a capsule lies along z about its middle."""
    turn, _ = Rotation.align_vectors([way], [[0, 0, 1]])
    middle = 0.5 * np.array(way)
    return er.Capsule(radius, math.dist(way, (0, 0, 0))), er.Pose(turn.as_matrix(), middle)


def _swinging(bones: int, frames: int) -> Array:
    """The first bone goes in a circle; angles of all are sums of two waves, at most 1.2."""
    rng = np.random.default_rng(SEED)
    time = np.linspace(0.0, 2.0 * math.pi, frames)
    waves = rng.uniform(3, 20, (2, bones, 3)), rng.uniform(0, 2 * math.pi, (2, bones, 3))
    angles = 0.35 * sum(
        np.sin(time[:, None, None] * pace + phase) for pace, phase in zip(*waves, strict=True)
    )
    turns = Rotation.from_rotvec(angles.reshape(-1, 3)).as_quat()[:, [3, 0, 1, 2]].reshape(frames, -1)
    place = np.stack([np.cos(time), np.ones(frames), np.sin(time)], axis=1)
    return np.concatenate([place, turns], axis=1)


def contestants(figure: Figure, refit: Refit) -> dict[str, Run]:
    """All frames in one call and one call a frame; the answers are the numbers of pairs of each frame."""
    body, frames = figure.make(refit), list(figure.motion)

    def array() -> Any:
        body.move(figure.motion)
        answer = er.self_collide(body, every=True, threads=1)
        return np.bincount(answer.frames, minlength=len(frames))

    def calls() -> list[int]:
        found = []
        for frame in frames:
            body.move(frame)
            found.append(len(er.self_collide(body, every=True)))
        return found

    return {f"{refit}, array": array, f"{refit}, calls": calls}


def run(settings: argparse.Namespace) -> dict[str, Any]:
    """One table a figure: microseconds a frame, and whether all refits find as many pairs as brute force."""
    figures = [recorded(path) for path in settings.bvh] or [generated(settings.frames)]
    return {"tables": [ask(figure, settings) for figure in figures]}


def ask(figure: Figure, settings: argparse.Namespace) -> dict[str, Any]:
    runs: dict[str, Run] = {}
    for refit in REFITS:
        runs |= contestants(figure, refit)
    timings = common.measure(runs, settings.repetitions)
    count, truth = len(figure.motion), timings["none, array"].answers
    rows = []
    for refit in REFITS:
        times = {key: timings[f"{refit}, {key}"] for key in ("array", "calls")}
        shown = {f"{key}, us": 1e6 * timing.seconds / count for key, timing in times.items()}
        unlike = sum(int(np.sum(timing.answers != truth)) for timing in times.values())
        rows.append({"contestant": refit, **shown, "frames unlike brute force": unlike})
    body = figure.make("auto")
    left = f"{len(body.excluded)} pairs of {len(body)} links left out"
    title = f"{figure.title}: {left}; {count} frames, {truth.mean():.2f} hits a frame"
    common.show(tabulate(title, rows))
    return {"figure": figure.title, "frames": count, "pairs": float(truth.mean()), "rows": rows}

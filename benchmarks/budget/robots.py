"""A robot of more than 34 joints, and a smooth motion of all of them at once."""

from __future__ import annotations

import numpy as np

import elbowroom as er
from benchmarks.articulated.files import Robot, find
from benchmarks.common import Array

#: URDF and SRDF below the folder of robots; the humanoid, with two hands of three fingers, has no SRDF.
FILES: dict[str, tuple[str, str | None]] = {
    "g1": ("g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", None),
    "centauro": ("centauro_description/urdf/centauro.urdf", "centauro_description/srdf/centauro.srdf"),
}
SLOWEST, FASTEST = 0.1, 0.5  # hertz
WAVES = 3  # sines that make up the motion of a joint
CANDIDATES, NEAR = 300, 0.4  # postures to choose from, and how far from zero they go
TICK = 1e-3  # seconds


def locate(name: str) -> Robot:
    """The files of a robot; an ImportError if the package of robots is missing."""
    known = find("panda")
    folder = known.urdf.parents[2]
    urdf, srdf = FILES[name]
    return Robot(name, folder / urdf, None if srdf is None else folder / srdf, known.packages)


def make(name: str) -> er.Articulated:
    """The robot as its files say; links that overlapped in every sample are not compared."""
    robot = locate(name)
    body = er.Articulated.from_urdf(robot.urdf, srdf=robot.srdf, packages=robot.packages)
    body.exclude(body.sample_pairs(1000).always.tolist())
    return body


def triangles(body: er.Articulated) -> int:
    return sum(len(shape.faces) for _, shape, _ in body.shapes if isinstance(shape, er.Mesh))


def posture(body: er.Articulated) -> Array:
    """Of some configurations near zero the one in which the links keep the greatest distance."""
    zero = body.zero()
    candidates = zero + NEAR * (body.random(CANDIDATES, seed=0) - zero)
    body.move(candidates)
    chosen: Array = candidates[np.argmax(er.self_distance(body).values)]
    body.move(chosen)
    return chosen


def motion(body: er.Articulated, ticks: int, share: float, seed: int) -> Array:
    """(ticks, dof): every joint swings about the posture, by `share` of the way to its limits."""
    rng, middle = np.random.default_rng(seed), posture(body)
    low, high = np.clip(body.limits, -np.pi, np.pi).T
    time = TICK * np.arange(ticks)[:, None, None]
    rate, phase = rng.uniform(SLOWEST, FASTEST, (WAVES, body.dof)), rng.uniform(0, 1, (WAVES, body.dof))
    wave = np.sin(2 * np.pi * (rate * time + phase)).mean(axis=1)
    configurations: Array = middle + share * np.where(wave > 0, wave * (high - middle), wave * (middle - low))
    return configurations

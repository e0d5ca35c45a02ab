"""Half-spaces, alone and in groups, against every kind of body."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .ask_between import arrays, others, questions
from .reading import Notes
from .robots import REFITS, robot
from .scenarios import Round, scenario
from .things import Rng, body, poses


def walls(rng: Rng, size: float, count: int) -> list[Any]:
    """Half-spaces that leave some room about the origin, along an axis now and then."""
    normals = rng.normal(size=(count, 3))
    normals[::3] = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
    return [er.HalfSpace(normal, -0.3 * size * rng.random()) for normal in normals]


@scenario("half-spaces", 20)
def obstacles(rng: Rng, note: Notes) -> Round:
    """A half-space, or a room of several with a body in it, and any other body."""
    other, size = others(rng, note, binary=False)
    some = walls(rng, size, int(rng.integers(1, 6)))
    one = some[0] if len(some) == 1 else er.Group([*some, body(rng, "convex")])
    placed = poses(rng, 32, 0.2 * size)
    yield from questions(one, other, placed[:2], size, rng, note)
    yield from arrays(one, other, placed, size, rng, note)
    for matrix in placed[:3]:
        yield note("within points", er.within(other, one, 0.1 * size, pose_b=matrix, points=True), size)
    rays = size * rng.normal(size=(2, 20, 3))
    yield note("cast", er.cast(one, *rays, placed[0], every=True, threads=1), size)


@scenario("half-spaces", 10)
def configurations(rng: Rng, note: Notes) -> Round:
    """Many configurations of an articulated body, which stays as it is."""
    one, (space,) = robot(rng, note.pick(REFITS)), walls(rng, 10.0, 1)
    many = {"configurations": one.random(20, seed=int(rng.integers(1 << 30))), "threads": 1}
    yield note("collide configurations", er.collide(one, space, **many), 10.0)
    yield note("collide configurations every", er.collide(space, one, every=True, **many), 10.0)
    yield note("distance configurations", er.distance(one, space, **many), 10.0)
    yield note("within configurations", er.within(one, space, 1.0, points=True, **many), 10.0)
    yield note("self_within configurations", er.self_within(one, 0.5, points=True, **many), 10.0)


@scenario("half-spaces", 5)
def motions(rng: Rng, note: Notes) -> Round:
    """A body among half-spaces, and a half-space that moves."""
    one, (space,) = body(rng, "mesh"), walls(rng, 4.0, 1)
    for _ in range(4):
        start, goal = (er.Pose.from_matrix(pose) for pose in poses(rng, 2, 1.0))
        for moved, obstacle in ((one, space), (space, one)):
            yield note("check", er.check(moved, er.Motion(start, goal), obstacle), 4.0)

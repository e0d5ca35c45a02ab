"""What scenes of motions are made of: bodies, the ways they go, and what stands or moves beside them.

A `Scene` is one body on several linear motions and its obstacles, written down so that both the library and
the slow judgement can read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import nasty
import numpy as np
from motion_oracle import Course, rigid_course, together
from motion_paths import Paths, still
from nasty import Thing

import elbowroom as er

ANGLES = (0.0, 1e-12, 1e-9, 1e-4, np.pi / 2.0, np.pi - 1e-9, np.pi)


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A thing that stands at, or moves along, path k while the body makes motion k."""

    thing: Thing
    paths: Paths
    moving: bool = False

    def given(self, k: int) -> tuple[Any, Any]:
        """As er.check takes it."""
        start = self.paths.starts[k]
        return self.thing.body, er.Motion(start, self.paths.goals[k]) if self.moving else start

    def code(self, k: int) -> str:
        start, goal = self.paths.starts[k].tolist(), self.paths.goals[k].tolist()
        where = f"er.Motion(np.array({start}), np.array({goal}))" if self.moving else f"np.array({start})"
        return f"({self.thing.code()}, {where})"


@dataclass(frozen=True, eq=False)
class Scene:
    body: Thing
    paths: Paths
    obstacles: tuple[Obstacle, ...]

    def __len__(self) -> int:
        return len(self.paths.angles)

    @property
    def moving(self) -> bool:
        return any(obstacle.moving for obstacle in self.obstacles)

    def motion(self, k: int) -> er.Motion:
        return er.Motion(self.paths.starts[k], self.paths.goals[k])

    def given(self, k: int) -> list[Any]:
        return [obstacle.given(k) for obstacle in self.obstacles]

    @cached_property
    def course(self) -> Course:
        """Pair o * len(self) + k: the body on motion k against obstacle o."""
        ways = [(o.thing.solid, o.paths) for o in self.obstacles]
        return together([rigid_course(self.body.solid, self.paths, solid, way) for solid, way in ways])

    @cached_property
    def sizes(self) -> np.ndarray:
        """(n,): sizes and distances from the origin, which rounding is relative to."""
        reach = self.body.reach + max(o.thing.reach for o in self.obstacles)
        return np.asarray(
            reach + self.paths.sizes() + np.max([o.paths.sizes() for o in self.obstacles], axis=0)
        )

    def code(self, k: int) -> str:
        """Python that sets up motion k."""
        poses = (f"np.array({p[k].tolist()})" for p in (self.paths.starts, self.paths.goals))
        obstacles = ", ".join(o.code(k) for o in self.obstacles)
        return (
            f"body = {self.body.code()}\nmotion = er.Motion({', '.join(poses)})\nobstacles = [{obstacles}]\n"
        )


# Paths.


def agreed(paths: Paths) -> Paths:
    """Half a turn goes either way round: the way that the library takes."""
    axes, angles = paths.axes.copy(), paths.angles.copy()
    for k in np.flatnonzero(np.abs(angles - np.pi) < 1e-7):
        if np.dot(er.Motion(paths.starts[k], paths.goals[k]).axis, axes[k]) < 0.0:
            axes[k], angles[k] = -axes[k], 2.0 * np.pi - angles[k]
    return paths._replace(axes=axes, angles=angles)


def some_angles(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.6, rng.uniform(0.0, np.pi, n), rng.choice(ANGLES, n))


def some_axes(rng: np.random.Generator, n: int) -> np.ndarray:
    """Any axis, or one of the frame's, to the last bit or nearly."""
    along = np.eye(3)[rng.integers(0, 3, n)] * rng.choice([-1.0, 1.0], (n, 1))
    nearly = along + rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-12.0, -6.0, (n, 1))
    nearly /= np.linalg.norm(nearly, axis=1)[:, None]
    kind = rng.choice(3, n, p=[0.6, 0.25, 0.15])[:, None]
    return np.where(kind == 0, nasty.directions(rng, n), np.where(kind == 1, along, nearly))


def some_shifts(rng: np.random.Generator, axes: np.ndarray, length: float) -> np.ndarray:
    """Any, none, along the axis, across it, or across it but for a hair."""
    n = len(axes)
    shift = nasty.directions(rng, n) * length * rng.uniform(0.1, 2.0, (n, 1))
    along = axes * (axes * shift).sum(axis=1)[:, None]
    hair = 10.0 ** rng.uniform(-15.0, -6.0, (n, 1))
    kinds = [shift, 0.0 * shift, along, shift - along, shift - along + hair * along]
    which = rng.choice(5, n, p=[0.5, 0.1, 0.1, 0.2, 0.1])[:, None]
    return np.asarray(np.select([which == k for k in range(5)], kinds))


def some_starts(rng: np.random.Generator, n: int, length: float) -> np.ndarray:
    turn = np.where(rng.random((n, 1, 1)) < 0.7, nasty.rotations(rng, n), rng.choice(nasty.QUARTER_TURNS, n))
    return nasty.matrices(turn, nasty.directions(rng, n) * length * rng.random((n, 1)))


def some_paths(rng: np.random.Generator, n: int, length: float) -> Paths:
    axes = some_axes(rng, n)
    shifts = some_shifts(rng, axes, length)
    return agreed(Paths(some_starts(rng, n, length), axes, some_angles(rng, n), shifts))


# Things.


def lever(rng: np.random.Generator, thing: Thing) -> Thing:
    """The same, away from its origin: it swings."""
    shift = nasty.directions(rng, 1)[0] * thing.reach * 10.0 ** rng.uniform(-0.5, 1.0)
    return Thing("group", ((thing, nasty.rotations(rng, 1)[0], shift),))


def some_thing(rng: np.random.Generator, size: float = 1.0, style: str | None = None) -> Thing:
    style = style or str(rng.choice(nasty.STYLES, p=[0.7, 0.15, 0.15]))
    made = nasty.thing(rng, str(rng.choice(nasty.KINDS)), style, size)
    return lever(rng, made) if rng.random() < 0.25 else made


def plate(rng: np.random.Generator, size: float) -> Thing:
    """A wall without thickness or with next to none, across z."""
    if rng.random() < 0.5:
        corners = size * np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 4.0, 0.0]])
        return Thing("mesh", (corners, np.array([[0, 1, 2]])))
    thick = float(rng.choice([0.0, 1e-12, 1e-6, 1e-3]))
    return Thing("box", (size * np.array([4.0, 4.0, thick]),))


def post(rng: np.random.Generator, size: float) -> Thing:
    """A long thin thing along z."""
    width = size * float(10.0 ** rng.uniform(-6.0, -1.0))
    if rng.random() < 0.5:
        return Thing("capsule", (width, 6.0 * size))
    return Thing("box", (np.array([width, width, 6.0 * size]),))


def at_times(scene_body: Thing, paths: Paths, times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n, 3): a point of the body in every motion, where it is at that time."""
    n, core = len(times), scene_body.solid.vertices
    picked = core[rng.integers(0, len(core), n)]
    poses = paths.at(np.arange(n), times)
    return np.asarray(np.einsum("nij,nj->ni", poses[:, :3, :3], picked) + poses[:, :3, 3])


def in_the_way(rng: np.random.Generator, body: Thing, paths: Paths, thing: Thing) -> Paths:
    """Poses about places where the body comes by: some deep in its way, some beside it."""
    n = len(paths.angles)
    point = at_times(body, paths, rng.random(n), rng)
    away = nasty.directions(rng, n) * rng.uniform(0.0, 1.5, (n, 1)) * (thing.reach + 0.3 * body.reach)
    return still(nasty.matrices(nasty.rotations(rng, n), point + away))

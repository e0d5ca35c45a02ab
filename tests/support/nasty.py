"""Nasty inputs, all in one place: bodies of every kind and poses that are hard to get right.

A `Thing` is the recipe of a body: it builds the library's body, the oracle's solid and the code that
reproduces it. A `Case` is two things with many poses, drawn from one of the `FAMILIES`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import oracle

import elbowroom as er

KINDS = ("sphere", "capsule", "box", "convex", "mesh", "group")
KIND_PAIRS = tuple(itertools.combinations_with_replacement(KINDS, 2))
FAMILIES = ("general", "near", "touching", "nested", "parallel", "coincident", "thin", "tiny", "far")
STYLES = ("plain", "thin", "dyadic")


def _quarter_turns() -> np.ndarray:
    """The 24 rotations that map the axes to axes, exact in floating point."""
    signed = [np.diag(s) @ np.eye(3)[list(p)] for p in itertools.permutations(range(3)) for s in SIGNS]
    return np.array([m for m in signed if np.linalg.det(m) > 0.0])


SIGNS = tuple(itertools.product((-1.0, 1.0), repeat=3))
QUARTER_TURNS = _quarter_turns()


@dataclass(frozen=True, eq=False)
class Thing:
    """The recipe of a body: constructor arguments, or for a group its (thing, rotation, translation)."""

    kind: str
    args: tuple[Any, ...]

    @cached_property
    def body(self) -> Any:
        if self.kind == "group":
            return er.Group([(member.body, (r, t)) for member, r, t in self.args])
        return getattr(er, self.kind.capitalize())(*self.args)

    @cached_property
    def primitives(self) -> list[oracle.Primitive]:
        if self.kind == "group":
            return [p for member, r, t in self.args for p in oracle.placed(member.primitives, r, t)]
        if self.kind == "mesh":
            return oracle.triangles(*self.args)
        if self.kind == "box":
            return [oracle.box(self.args[0])]
        if self.kind == "convex":
            return [oracle.hull(self.args[0])]
        half = self.args[1] / 2 if self.kind == "capsule" else 0.0
        ends = [[0.0, 0.0, -half], [0.0, 0.0, half]] if self.kind == "capsule" else [[0.0, 0.0, 0.0]]
        return [oracle.hull(np.array(ends), self.args[0])]

    @cached_property
    def solid(self) -> oracle.Solid:
        return oracle.pack(self.primitives)

    @cached_property
    def reach(self) -> float:
        return oracle.reach_of(self.solid)

    def code(self) -> str:
        """Python that builds this body."""
        if self.kind == "group":
            members = (f"({m.code()}, ({r.tolist()}, {t.tolist()}))" for m, r, t in self.args)
            return f"er.Group([{', '.join(members)}])"
        args = (repr(x.tolist() if isinstance(x, np.ndarray) else x) for x in self.args)
        return f"er.{self.kind.capitalize()}({', '.join(args)})"


@dataclass(frozen=True, eq=False)
class Case:
    """Two things and n poses of each; `touching` says that every pose touches or overlaps beyond doubt."""

    family: str
    a: Thing
    b: Thing
    pose_a: np.ndarray
    pose_b: np.ndarray
    touching: bool

    @cached_property
    def scale(self) -> np.ndarray:
        """Sizes plus translations, for each pose: what all tolerances are relative to."""
        offsets = sum(np.linalg.norm(pose[:, :3, 3], axis=1) for pose in (self.pose_a, self.pose_b))
        return np.asarray(self.a.reach + self.b.reach + offsets)

    def code(self, k: int) -> str:
        """Python that sets up pose k."""
        poses = f"pose_a = np.array({self.pose_a[k].tolist()})\npose_b = np.array({self.pose_b[k].tolist()})"
        return f"a = {self.a.code()}\nb = {'a' if self.a is self.b else self.b.code()}\n{poses}"


def lengths(rng: np.random.Generator, style: str, count: int) -> np.ndarray:
    """Lengths about 1; thin ones are mostly tiny or zero, dyadic ones multiples of an eighth."""
    if style == "dyadic":
        return rng.integers(0, 9, count) / 8.0
    plain = rng.uniform(0.2, 1.0, count)
    if style == "plain":
        return plain
    tiny = 10.0 ** rng.uniform(-16.0, -3.0, count)
    return np.choose(rng.integers(0, 3, count), [plain, tiny, np.zeros(count)])


def cloud(rng: np.random.Generator, style: str, count: int) -> np.ndarray:
    """Points about the origin; thin clouds are nearly flat or straight, in any plane, with twins."""
    if style == "dyadic":
        return rng.integers(-8, 9, (count, 3)) / 8.0
    points = rng.normal(size=(count, 3))
    if style == "thin":
        points = points * lengths(rng, style, 3) @ rotations(rng, 1)[0].T
        points[rng.integers(0, count, 1)] = points[0]
    return points


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Uniform random rotations (count, 3, 3) from unit quaternions."""
    w, x, y, z = (q := rng.normal(size=(4, count))) / np.linalg.norm(q, axis=0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def directions(rng: np.random.Generator, count: int) -> np.ndarray:
    d = rng.normal(size=(count, 3))
    return np.asarray(d / np.linalg.norm(d, axis=1)[:, None])


def thing(rng: np.random.Generator, kind: str, style: str, factor: float = 1.0) -> Thing:
    """A random body of that kind and style, `factor` times the usual size."""
    if kind == "group":
        return group(rng, style, factor)
    if kind in ("sphere", "capsule"):
        return Thing(kind, tuple(float(x) * factor for x in lengths(rng, style, KINDS.index(kind) + 1)))
    if kind == "box":
        return Thing(kind, (2.0 * lengths(rng, style, 3) * factor,))
    if kind == "convex":
        return Thing(kind, (cloud(rng, style, int(rng.integers(4, 9))) * factor,))
    vertices = cloud(rng, style, int(rng.integers(3, 9)))
    faces = [rng.choice(len(vertices), 3, replace=style == "thin") for _ in range(rng.integers(1, 7))]
    return Thing(kind, (vertices * factor, np.array(faces)))


def group(rng: np.random.Generator, style: str, factor: float) -> Thing:
    """One to three members of any kind; a member that is a group has no group within it."""
    members = []
    for _ in range(rng.integers(1, 4)):
        kind = str(rng.choice(KINDS[:5]))
        member = thing(rng, kind, style, factor)
        if rng.random() < 0.1:
            member = Thing("group", ((member, np.eye(3), np.array([0.0, 0.0, factor])),))
        turn = rng.choice(QUARTER_TURNS) if style == "dyadic" else rotations(rng, 1)[0]
        members.append((member, turn, cloud(rng, "dyadic" if style == "dyadic" else "plain", 1)[0] * factor))
    return Thing("group", tuple(members))


def matrices(rotation: np.ndarray, translation: np.ndarray) -> np.ndarray:
    poses = np.tile(np.eye(4), (len(rotation), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = rotation, translation
    return poses


def nearly_parallel(rng: np.random.Generator, count: int) -> np.ndarray:
    """Quarter turns, half of them exact, half followed by a turn of 0.1 down to 1e-16."""
    angle = np.where(rng.random(count) < 0.5, 0.0, 10.0 ** rng.uniform(-16.0, -1.0, count))
    x, y, z = (directions(rng, count) * angle[:, None]).T
    skew = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]).transpose(2, 0, 1)
    half = np.linalg.inv(np.eye(3) - skew / 2) @ (np.eye(3) + skew / 2)
    return np.asarray(half @ QUARTER_TURNS[rng.integers(0, 24, count)])


def relative(rng: np.random.Generator, family: str, count: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Rotations and translations of b in the frame of a, where `size` is the reach of both together."""
    if family == "coincident":
        return np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    far = {"nested": rng.uniform(0.0, 0.1, count), "far": 10.0 ** rng.uniform(1.0, 6.0, count)}
    length = far.get(family, rng.uniform(0.0, 1.0, count)) * size
    where = directions(rng, count)
    if family == "parallel":
        where = np.where(rng.random((count, 1)) < 0.5, where, np.eye(3)[rng.integers(0, 3, count)])
    turn = nearly_parallel(rng, count) if family == "parallel" else rotations(rng, count)
    return turn, where * length[:, None]


def pushed(rng: np.random.Generator, case: Case, size: float) -> Case:
    """Move b along the normal until the gap is 1e-2 down to 1e-15 of the size, positive or negative."""
    now = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)
    gap = size * 10.0 ** rng.uniform(-15.0, -2.0, len(now.signed)) * rng.choice([-1.0, 1.0], len(now.signed))
    pose_b = case.pose_b.copy()
    pose_b[:, :3, 3] += (gap - now.signed)[:, None] * now.normals
    return Case(case.family, case.a, case.b, case.pose_a, pose_b, False)


def touch_point(rng: np.random.Generator, solid: oracle.Solid, axis: np.ndarray) -> np.ndarray:
    """A point of the solid, exact if dyadic: half of the time one of those farthest along the axis."""
    counts = np.diff(solid.starts[:, 0])
    owner = np.repeat(np.arange(len(counts)), counts)
    points = solid.vertices + solid.radii[owner, None] * axis
    height = points @ axis
    pool = np.flatnonzero(height == height.max()) if rng.random() < 0.5 else np.arange(len(points))
    first = pool[rng.integers(len(pool))]
    mates = pool[owner[pool] == owner[first]]
    second = mates[rng.integers(len(mates))]
    return np.asarray((points[first] + points[second]) / 2.0)


def touching(rng: np.random.Generator, a: Thing, b: Thing, count: int, unit: float) -> Case:
    """Axis-aligned poses on the dyadic grid in which a point of a and a point of b coincide."""
    turn_a, turn_b = QUARTER_TURNS[rng.integers(0, 24, (2, count))]
    at_a, at_b = rng.integers(-16, 17, (count, 3)) / 8.0 * unit, np.empty((count, 3))
    for k in range(count):
        axis = oracle.AXES[rng.integers(3)] * (2.0 * rng.integers(2) - 1.0)
        target = touch_point(rng, oracle.moved(a.solid, turn_a[k], at_a[k]), axis)
        at_b[k] = target - touch_point(rng, oracle.moved(b.solid, turn_b[k], np.zeros(3)), -axis)
    return Case("touching", a, b, matrices(turn_a, at_a), matrices(turn_b, at_b), True)


def case(rng: np.random.Generator, kinds: tuple[str, str], count: int, family: str | None = None) -> Case:
    """Two random things of these kinds in `count` poses of one family, at a scale of 1e-6 to 1e6."""
    family = family or str(rng.choice(FAMILIES))
    style = {"touching": "dyadic", "thin": "thin"}.get(family) or str(rng.choice(STYLES, p=[0.6, 0.2, 0.2]))
    unit = float(2.0 ** rng.integers(-20, 21)) if style == "dyadic" else float(10.0 ** rng.uniform(-6.0, 6.0))
    ratio = {"tiny": 10.0 ** rng.uniform(-9.0, -2.0), "nested": rng.uniform(0.1, 1.0)}.get(family, 1.0)
    sizes = rng.permutation([unit, unit * ratio])
    a, b = thing(rng, kinds[0], style, float(sizes[0])), thing(rng, kinds[1], style, float(sizes[1]))
    if family == "touching":
        return touching(rng, a, b, count, unit)
    twins = family == "coincident" and kinds[0] == kinds[1]
    b = a if twins else b
    pose_a = matrices(rotations(rng, count), rng.normal(size=(count, 3)) * unit)
    pose_b = pose_a @ matrices(*relative(rng, family, count, a.reach + b.reach))
    made = Case(family, a, b, pose_a, pose_b, twins)
    return pushed(rng, made, min(a.reach, b.reach)) if family in ("near", "tiny") else made

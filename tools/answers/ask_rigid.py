"""Questions of two rigid bodies, with all options."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .reading import Notes
from .scenarios import Round, scenario
from .things import (
    KINDS,
    STYLES,
    Array,
    Rng,
    as_given,
    body,
    budget,
    hook,
    options,
    path,
    poses,
    quarter_turns,
    reach,
    rotations,
    small_turns,
    spring,
    tetrahedra,
    torus,
)


def batches(a: Any, b: Any, placed: Array, scale: float, rng: Rng, note: Notes) -> Round:
    """Arrays of poses, of the second body, of the first and of both."""
    other, gap = poses(rng, len(placed), 0.1 * scale), 0.1 * scale * rng.random()
    one = {"threads": 1}
    yield note("collide poses", er.collide(a, b, None, placed, **one), scale)
    yield note("distance poses", er.distance(a, b, None, placed, **one), scale)
    yield note("collide poses of a", er.collide(a, b, placed, as_given(rng, other[0]), **one), scale)
    yield note("distance poses of both", er.distance(a, b, other, placed, threads=2), scale)
    yield note("distance poses enough", er.distance(a, b, pose_b=placed, enough=gap, **one), scale)
    yield note("distance poses b a", er.distance(b, a, placed, **one), scale)
    few = budget(rng)
    yield note("collide poses budget", er.collide(a, b, pose_b=placed, budget=few, **one), scale)
    yield note("distance poses budget", er.distance(a, b, pose_b=placed, budget=few, **one), scale)


def heavy_batches(a: Any, b: Any, placed: Array, scale: float, rng: Rng, note: Notes) -> Round:
    """All pairs, their depths, and distances under a linear map."""
    one, linear = {"threads": 1}, rng.normal(size=(3, 3)) + 2 * np.eye(3)
    few = budget(rng)
    yield note("collide poses every", er.collide(a, b, None, placed, every=True, **one), scale)
    yield note("collide poses depth", er.collide(a, b, None, placed, depth=True, **one), scale)
    yield note("collide poses every depth", er.collide(a, b, placed, every=True, depth=True, **one), scale)
    yield note("distance poses linear", er.distance(a, b, None, placed, linear=linear, **one), 4 * scale)
    few_placed = placed[: len(placed) // 4 + 1]
    yield note(
        "collide poses every budget",
        er.collide(a, b, pose_b=few_placed, every=True, budget=few, **one),
        scale,
    )


def singles(a: Any, b: Any, placed: Array, scale: float, rng: Rng, note: Notes) -> Round:
    """One pose at a time, as a pose may be given."""
    for matrix in placed:
        pose, few = as_given(rng, matrix), budget(rng)
        near = float(scale * 10.0 ** rng.uniform(-3, -0.5))
        linear = rng.normal(size=(3, 3))
        yield note("collide", er.collide(a, b, None, pose), scale)
        yield note("distance", er.distance(a, b, pose), scale)
        yield note("within", er.within(a, b, near, None, pose), scale)
        yield note("collide every depth", er.collide(b, a, pose, every=True, depth=True), scale)
        yield note("distance linear", er.distance(a, b, None, pose, linear=linear), 4 * scale)
        yield note("distance enough", er.distance(a, b, None, pose, enough=near), scale)
        yield note("collide budget", er.collide(a, b, None, pose, budget=few), scale)
        yield note("collide every budget", er.collide(a, b, None, pose, every=True, budget=few), scale)
        yield note("distance budget", er.distance(a, b, None, pose, budget=few), scale)
        yield note("distance linear budget", er.distance(a, b, pose, linear=linear, budget=few), 4 * scale)
        yield note("within budget", er.within(a, b, near, None, pose, budget=few), scale)
        some = options(rng, every=True, depth=True)
        yield note(f"collide {' '.join(some)}", er.collide(a, b, None, pose, **some), scale)
        some = options(rng, enough=near, linear=linear)
        yield note(f"distance {' '.join(some)}", er.distance(a, b, None, pose, **some), 4 * scale)


def two_bodies(rng: Rng, note: Notes, style: str) -> tuple[Any, Any, float]:
    """Two random bodies, now and then the same one twice or with binary trees, and their size."""
    kinds, width = (note.pick(KINDS), note.pick(KINDS)), 8
    if rng.random() < 0.2:
        kinds, width = (note.pick(("mesh", "group")), note.pick(("mesh", "group"))), 2
    a = body(rng, kinds[0], style, width)
    b = a if rng.random() < 0.1 else body(rng, kinds[1], style, width)
    return a, b, reach(a) + reach(b) + 1e-3


@scenario("rigid", 300)
def shapes(rng: Rng, note: Notes) -> Round:
    """Two random bodies of any kinds in arrays of poses."""
    a, b, size = two_bodies(rng, note, "plain")
    placed = poses(rng, 48, 0.7 * size)
    yield from batches(a, b, placed, 2 * size, rng, note)
    yield from heavy_batches(a, b, placed[:16], 2 * size, rng, note)


@scenario("rigid", 25)
def single_calls(rng: Rng, note: Notes) -> Round:
    """Two random bodies, one pose at a time, with all options."""
    a, b, size = two_bodies(rng, note, str(rng.choice(STYLES)))
    yield from singles(a, b, poses(rng, 8, 0.7 * size), 2 * size, rng, note)


def hard_poses(rng: Rng, a: Any, b: Any, size: float) -> Array:
    """Parallel, on a lattice, coincident, far away, or pushed until the bodies nearly touch."""
    out, family = poses(rng, 24, 0.7 * size), int(rng.integers(5))
    if family == 0:
        out[:, :3, :3] = quarter_turns()
        out[::2, :3, :3] = small_turns(rng, 12, 10.0 ** -rng.integers(1, 16)) @ out[::2, :3, :3]
        out[:, :3, 3] = rng.integers(-8, 9, (24, 3)) / 8.0
    elif family == 1:
        out[:, :3, 3] = 0
        out[::2] = np.eye(4)
    elif family == 2:
        out[:, :3, 3] *= 10.0 ** rng.uniform(1, 6, (24, 1))
    else:
        measured = er.distance(a, b, pose_b=out, threads=1)
        across = measured.points[:, 0] - measured.points[:, 1]
        out[:, :3, 3] += across * (1 + rng.choice([-1, 1], (24, 1)) * 10.0 ** rng.uniform(-15, -2, (24, 1)))
    return out


@scenario("rigid", 120)
def hard_shapes(rng: Rng, note: Notes) -> Round:
    """Thin, degenerate and lattice bodies, touching, parallel, coincident and far apart."""
    a, b, size = two_bodies(rng, note, str(rng.choice(STYLES)))
    placed = hard_poses(rng, a, b, size)
    scale = size + float(np.abs(placed[:, :3, 3]).max())
    yield from batches(a, b, placed, scale, rng, note)
    yield from heavy_batches(a, b, placed[:8], scale, rng, note)
    yield from singles(a, b, placed[:1], scale, rng, note)


@scenario("rigid", 90)
def springs(rng: Rng, note: Notes) -> Round:
    """Springs of 1,800 triangles on their way through each other, with trees of either width."""
    children = 8 if rng.random() < 0.8 else 2
    placed = er.scenes.spring_path(64)
    placed[:, :3, 3] += rng.normal(size=3)
    placed[:, :3, :3] = placed[:, :3, :3] @ rotations(rng, 1)[0]
    a = spring(children)
    yield from batches(a, a, placed, 10.0, rng, note)
    yield from heavy_batches(a, a, placed[::16], 10.0, rng, note)
    yield from singles(a, a, placed[::32], 10.0, rng, note)


@scenario("rigid", 60)
def tori(rng: Rng, note: Notes) -> Round:
    """A torus against a spring, a smaller torus, and convex shapes."""
    b = (spring(), torus(12, 8), body(rng, "convex"), body(rng, "group"))[int(rng.integers(4))]
    placed = path(rng, 96, poses(rng, 1, 2.0)[0], 0.05, 0.05)
    yield from batches(torus(), b, placed, 8.0, rng, note)
    yield from heavy_batches(torus(), b, placed[::24], 8.0, rng, note)
    yield from singles(torus(), b, placed[:1], 8.0, rng, note)


@scenario("rigid", 150)
def hooks(rng: Rng, note: Notes) -> Round:
    """A hook anywhere among 1,330 tetrahedra."""
    placed = poses(rng, 256, 50.0)
    placed[:, :3, 3] += 50.0
    yield from batches(tetrahedra(), hook(), placed, 200.0, rng, note)
    yield from heavy_batches(tetrahedra(), hook(), placed[:16], 200.0, rng, note)
    yield from singles(hook(), tetrahedra(), placed[:2], 200.0, rng, note)


@scenario("rigid", 4)
def copies(rng: Rng, note: Notes) -> Round:
    """Primitives that lie in the same place many times, and slivers."""
    member = body(rng, str(rng.choice(KINDS[:5])), "dyadic")
    pile = er.Group([member] * int(rng.integers(2, 80)))
    points = rng.normal(size=(60, 3)) * [1, 1e-3, 1e-7]
    slivers = er.Mesh(points, rng.integers(0, 60, (200, 3)))
    for a, b in ((pile, pile), (pile, slivers), (slivers, slivers)):
        yield from batches(a, b, poses(rng, 6, 1.0), 4.0, rng, note)
        yield from singles(a, b, poses(rng, 1, 1.0), 4.0, rng, note)


@scenario("rigid", 2)
def trees(rng: Rng, note: Notes) -> Round:
    """The boxes of trees, bounds, and members of groups."""
    a, b, size = two_bodies(rng, note, str(rng.choice(STYLES)))
    for each in (a, b, spring(), spring(2), tetrahedra()):
        each.validate()
        for level in range(5):
            boxes = each.boxes(level)
            found = [[*box.centre, *box.half, *np.ravel(box.axes)] for box in boxes]
            yield note.numbers("boxes", found, each.bounds, scale=10 * size, whole=[len(found)])
    if isinstance(b, er.Group):
        where = [b.locate(i) for i in range(len(b))]
        yield note.numbers("locate", whole=where)

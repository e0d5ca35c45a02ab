"""Questions across kinds of bodies: chains, necklaces, articulated and rigid bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .chains import FAST, TREES, chain, change
from .reading import Notes
from .robots import REFITS, robot
from .scenarios import Round, scenario
from .things import KINDS, Array, Rng, as_given, body, budget, options, poses, spring, tetrahedra


def questions(a: Any, b: Any, placed: Array, size: float, rng: Rng, note: Notes) -> Round:
    """All questions with all options, of single poses."""
    for matrix in placed:
        pose, few = as_given(rng, matrix), budget(rng)
        near = float(rng.uniform(0.02, 0.5))
        yield note("collide", er.collide(a, b, None, pose), size)
        yield note("collide every depth", er.collide(a, b, None, pose, every=True, depth=True), size)
        yield note("collide b a depth", er.collide(b, a, pose, depth=True), size)
        yield note("distance", er.distance(a, b, None, pose), size)
        yield note("distance b a enough", er.distance(b, a, pose, enough=near), size)
        yield note("within", er.within(a, b, near, None, pose), size)
        yield note("collide budget", er.collide(a, b, None, pose, budget=few), size)
        yield note("collide every budget", er.collide(b, a, pose, every=True, budget=few), size)
        yield note("distance budget", er.distance(a, b, None, pose, budget=few), size)
        yield note("within budget", er.within(b, a, near, pose, budget=few), size)
        some = options(rng, every=True, depth=True)
        yield note(f"collide {' '.join(some)}", er.collide(a, b, None, pose, **some), size)
        some = options(rng, enough=near)
        yield note(f"distance {' '.join(some)}", er.distance(a, b, None, pose, **some), size)


def arrays(
    a: Any, b: Any, placed: Array, size: float, rng: Rng, note: Notes, *, few_pairs: bool = True
) -> Round:
    """Arrays of poses; all pairs of a few of them alone, where their number is free."""
    one, few = {"threads": 1}, budget(rng)
    some = placed[: len(placed) // 8 + 1] if few_pairs else placed
    yield note("collide poses", er.collide(a, b, None, placed, **one), size)
    yield note("distance poses", er.distance(a, b, None, placed, **one), size)
    yield note("collide poses every depth", er.collide(b, a, some, every=True, depth=True, threads=2), size)
    yield note("collide poses budget", er.collide(a, b, None, placed, budget=few, **one), size)
    yield note("distance poses budget", er.distance(b, a, placed, budget=few, **one), size)


def others(rng: Rng, note: Notes, *, binary: bool = True) -> tuple[Any, float]:
    """A body of any kind, with a binary tree if that is allowed, and its size."""
    kinds = ("rigid", "chain", "robot", "spring", "necklace", "tetrahedra", *(["binary"] * binary))
    kind = note.pick(kinds)
    if kind == "rigid":
        return body(rng, str(rng.choice(KINDS))), 4.0
    if kind == "binary":
        return (spring(2) if rng.random() < 0.3 else body(rng, str(rng.choice(KINDS[4:])), children=2)), 6.0
    if kind == "spring":
        return spring(), 6.0
    if kind == "tetrahedra":
        return tetrahedra(), 200.0
    if kind == "robot":
        return robot(rng, "auto"), 10.0
    if kind == "necklace":
        return er.Necklace(
            np.cumsum(0.5 * rng.normal(size=(int(rng.integers(2, 200)), 3)), axis=0), 0.3
        ), 20.0
    return chain(rng, note.pick(list(TREES)), 200)


@scenario("between", 80)
def chains(rng: Rng, note: Notes) -> Round:
    """A chain and any other body; the chain bends meanwhile."""
    other, more = others(rng, note)
    one, size = chain(rng, note.pick(list(TREES)), 300)
    for _ in range(2):
        low, high = one.positions().min(axis=0), one.positions().max(axis=0)
        placed = poses(rng, 64, 1.0)
        placed[:, :3, 3] = rng.uniform(low - 1, high + 1, (64, 3))
        yield from questions(one, other, placed[:2], size + more, rng, note)
        yield from arrays(one, other, placed, size + more, rng, note)
        change(rng, one, "rotate")


@scenario("between", 20)
def side_chains(rng: Rng, note: Notes) -> Round:
    """A chain with side balls, which answers name after the links, and any other body."""
    other, more = others(rng, note)
    one, size = chain(rng, note.pick(FAST), 200, side=True)
    placed = poses(rng, 64, 0.1 * size)
    yield from questions(one, other, placed[:4], size + more, rng, note)
    yield from arrays(one, other, placed, size + more, rng, note)


@scenario("between", 40)
def robots(rng: Rng, note: Notes) -> Round:
    """An articulated body of any refit and any other body, in arrays of poses and of configurations."""
    refit, (other, more) = note.pick(REFITS), others(rng, note, binary=False)
    one = robot(rng, refit)
    one.move(one.random(seed=int(rng.integers(1 << 30))))
    size, placed = 10.0 + more, poses(rng, 40, 3.0)
    yield from questions(one, other, placed[:2], size, rng, note)
    yield from arrays(one, other, placed, size, rng, note)
    if isinstance(other, (er.Body, er.Articulated)):
        yield note.numbers("candidates", whole=sorted(map(tuple, one.candidates(other).tolist())))
    one.move(one.random(40, seed=int(rng.integers(1 << 30))))
    yield from arrays(one, other, placed, size, rng, note, few_pairs=False)
    yield from arrays(one, other, placed[0], size, rng, note, few_pairs=False)


@scenario("between", 30)
def two_robots(rng: Rng, note: Notes) -> Round:
    """Two articulated bodies with many configurations each, which are asked eight at a time, or one."""
    one, two = robot(rng, "auto"), robot(rng, "auto" if rng.random() < 0.7 else "cab")
    for n in (50, 1):
        one.move(one.random(n, seed=int(rng.integers(1 << 30))))
        two.move(two.random(n, seed=int(rng.integers(1 << 30))))
        for few in (None, budget(rng)):
            given = {"budget": few, "threads": 1}
            yield note("collide configurations", er.collide(one, two, **given), 20.0)
            yield note("collide configurations every", er.collide(two, one, every=True, **given), 20.0)
            yield note("collide configurations depth", er.collide(one, two, depth=True, **given), 20.0)
            yield note("distance configurations", er.distance(one, two, **given), 20.0)


@scenario("between", 30)
def necklaces(rng: Rng, note: Notes) -> Round:
    """A necklace, which is a chain here, and any other body, before and after a move."""
    n = int(rng.integers(1, 400))
    at = np.cumsum(0.5 * rng.normal(size=(n, 3)), axis=0)
    one, (other, more) = er.Necklace(at, rng.uniform(0.1, 0.4, n)), others(rng, note)
    for _ in range(2):
        placed = poses(rng, 32, 5.0)
        yield from questions(one, other, placed[:2], n + more, rng, note)
        yield from arrays(one, other, placed, n + more, rng, note)
        one.move(at + 0.1 * rng.normal(size=at.shape))

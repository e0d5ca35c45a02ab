"""Necklaces: self-collisions by every kind of cages, separating families, power diagrams."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .reading import Notes, counts_of
from .scenarios import Round, scenario
from .things import Array, Rng, budget, options

#: Kinds of cages and ways to verify them; the last three choose by time, so that their work is not promised.
KINDS = (("boxes", "auto"), ("wrapped", "naive"), ("wrapped", "cascade"), ("layered", "auto"))
BY_TIME = (("wrapped", "auto"), ("power", "auto"), ("hybrid", "auto"))


def beads(rng: Rng, note: Notes, most: int) -> tuple[Array, Any]:
    """Places and radii: coils, grids, helices, random walks, lattices and very few."""
    n, kind = int(rng.integers(4, most)), note.pick(range(8))
    if kind == 0:
        return er.scenes.long_coil(n, seed=int(rng.integers(3))), 0.49
    if kind == 1:
        return er.scenes.grid_necklace(n, 2 if rng.random() < 0.5 else 3), 0.4
    if kind == 2:
        return er.scenes.helix(max(n, 30)), 0.3
    if kind == 3:
        return rng.integers(0, 6, (n, 3)) / 2.0, 0.2
    if kind == 4:
        return np.cumsum(rng.normal(size=(n, 2)), axis=0), rng.uniform(0.05, 0.4, n)
    if kind == 5:
        flat = np.cumsum(rng.normal(size=(n, 3)), axis=0)
        flat[:, int(rng.integers(1, 3)) :] = 0  # in a plane, or on a line
        return flat, 0.2
    if kind == 6:
        n = int(rng.integers(1, 6))
    return np.cumsum(0.7 * rng.normal(size=(n, 3)), axis=0), rng.uniform(0.05, 0.5, n)


def rule(rng: Rng, note: Notes, n: int) -> dict[str, Any]:
    """Which beads may touch."""
    kind = note.pick(range(5))
    if kind == 0:
        return {"exclude": int(rng.integers(0, 4))}
    if kind == 1:
        pairs = rng.integers(0, n, (2 * n, 2))
        return {"exclude": pairs[pairs[:, 0] != pairs[:, 1]]}
    return {"closed": bool(kind == 2)}


def jitter(rng: Rng, at: Array, step: float) -> Array:
    """All beads a little aside, together and each by itself."""
    return at + step * rng.normal(size=at.shape[1]) + step * rng.normal(size=at.shape)


def questions(body: Any, rng: Rng, note: Notes, counted: bool) -> Round:
    """All questions with all options; of a hybrid only what does not depend on the clock."""
    size = float(np.abs(body.positions()).max()) + 1.0
    near, few = float(rng.uniform(0.1, 1.0)), budget(rng)
    asked = {"scale": size, "counted": counted}
    yield note("self_collide every", er.self_collide(body, every=True), **asked)
    yield note("self_within", er.self_within(body, near), **asked)
    if body.cages == "hybrid":  # whose two ways name other pairs and prove other bounds
        yield note.verdicts("self_collide hybrid", bool(er.self_collide(body)))
        yield note.numbers("self_distance hybrid", er.self_distance(body).value, scale=size)
        return
    yield note("self_distance", er.self_distance(body), **asked)
    yield note("self_collide", er.self_collide(body), **asked)
    yield note("self_collide every depth", er.self_collide(body, every=True, depth=True), **asked)
    yield note("self_distance enough", er.self_distance(body, enough=near), **asked)
    if body.cages in ("boxes", "layered", "wrapped"):
        yield note("self_collide budget", er.self_collide(body, budget=few), **asked)
        yield note("self_distance budget", er.self_distance(body, budget=few), **asked)
        yield note("self_within budget", er.self_within(body, near, budget=few), **asked)
        some = options(rng, every=True, depth=True)
        yield note(f"self_collide {' '.join(some)}", er.self_collide(body, **some), **asked)
        some = options(rng, enough=near)
        yield note(f"self_distance {' '.join(some)}", er.self_distance(body, **some), **asked)


def frames(rng: Rng, note: Notes, kind: tuple[str, str], most: int, count: int) -> Round:
    """A necklace that moves, slowly or fast."""
    at, radii = beads(rng, note, most)
    body = er.Necklace(at, radii, cages=kind[0], verify=kind[1], **rule(rng, note, len(at)))
    counted, step = kind in KINDS, float(10.0 ** rng.uniform(-4, 0))
    for _ in range(count):
        yield from questions(body, rng, note, counted)
        if counted:
            yield note.totals("counters", counts_of(body.counters))
        at = jitter(rng, at, step)
        body.move(at)
    body.validate()


@scenario("necklace", 110)
def moves(rng: Rng, note: Notes) -> Round:
    """Boxes and cages whose work is the same in every run."""
    yield from frames(rng, note, note.pick(KINDS), 300, 8)


@scenario("necklace", 50)
def moves_by_time(rng: Rng, note: Notes) -> Round:
    """Cages that choose by time what to do: verdicts, distances and pairs, not the work."""
    yield from frames(rng, note, note.pick(BY_TIME), 120, 6)


@scenario("necklace", 40)
def slow(rng: Rng, note: Notes) -> Round:
    """Boxes in slow motion, which keep a list of near pairs for many frames."""
    n = int(rng.choice([100, 1000, 4000]))
    at, step = er.scenes.long_coil(n, seed=1), float(10.0 ** rng.uniform(-6, -2))
    body = er.Necklace(at, 0.49 if rng.random() < 0.5 else rng.uniform(0.2, 0.49, n))
    for k in range(60):
        at = jitter(rng, at, step)
        body.move(at)
        yield note("self_distance slow", er.self_distance(body), float(n))
        if k % 5 == 0:
            yield note("self_collide slow", er.self_collide(body), float(n))
    yield note.totals("counters", counts_of(body.counters))


@scenario("necklace", 12)
def families(rng: Rng, note: Notes) -> Round:
    """Separating families, from scratch and from an earlier one, and the cages they are made of."""
    at, radii = beads(rng, note, 200)
    cages, verify = note.pick(("wrapped", "layered", "boxes")), note.pick(("naive", "cascade"))
    body = er.Necklace(at, radii, cages=cages, verify=verify, **rule(rng, note, len(at)))
    family, size = None, float(np.abs(at).max()) + 1.0
    for _ in range(4):
        family = body.separating_pairs(start=family)
        whole = [*family.pairs.ravel(), *family.colliding.ravel(), family.tests]
        yield note.numbers("separating_pairs", family.cages, scale=size, whole=whole)
        yield note.numbers("cage_balls", body.cage_balls(2), scale=size, whole=body.cage_ranges().ravel())
        if cages != "layered":
            yield note.numbers(
                "cage_bases", whole=np.concatenate([sorted(each) for each in body.cage_bases()])
            )
        body.move(jitter(rng, body.positions(), 0.01))


def told(note: Notes, diagram: er.PowerDiagram, size: float) -> None:
    """What a diagram says; the order of its simplices depends on how it was made."""
    simplices = np.sort(diagram.simplices, axis=1)
    simplices = simplices[np.lexsort(simplices.T[::-1])] if simplices.size else simplices
    gap, pair = diagram.closest()
    whole = [
        *simplices.ravel(),
        *diagram.edges.ravel(),
        *diagram.hidden,
        *diagram.candidates().ravel(),
        *pair,
    ]
    note.numbers("power diagram", gap, scale=size, whole=whole)
    note.verdicts("power diagram collides", diagram.collides())


@scenario("necklace", 14)
def diagrams(rng: Rng, note: Notes) -> Round:
    """Power diagrams by either way, and repaired from frame to frame."""
    at, radii = beads(rng, note, 120)
    radii = radii if rng.random() < 0.5 else rng.uniform(0.05, 2.0, len(at))  # of which some are hidden
    size = float(np.abs(at).max()) + 3.0
    for build in ("qhull", "insertion"):
        told(note, er.PowerDiagram.of(at, radii, build=build), size)
        yield
    body, step = er.Necklace(at, radii, cages="power"), float(10.0 ** rng.uniform(-4, -1))
    for _ in range(8):
        told(note, body.power_diagram(), size)
        yield
        body.move(at := jitter(rng, at, step))


@scenario("necklace", 1)
def large(rng: Rng, note: Notes) -> Round:
    """Ten thousand beads, by boxes and cages."""
    at = er.scenes.long_coil(10_000, seed=2)
    kind = note.pick(KINDS)
    body = er.Necklace(at, 0.49, cages=kind[0], verify=kind[1])
    for _ in range(4):
        body.move(jitter(rng, at, 0.001))
        yield note("self_distance large", er.self_distance(body), 1e4)
        yield note("self_collide large", er.self_collide(body), 1e4)
        yield note("self_within large", er.self_within(body, 0.01), 1e4)

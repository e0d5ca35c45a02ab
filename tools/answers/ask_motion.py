"""Whole motions: rigid bodies, articulated bodies by their joints, torsions of chains, by every method."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import elbowroom as er

from .chains import FAST, chain
from .reading import Notes, counts_of
from .robots import robot
from .scenarios import Round, scenario
from .things import KINDS, Array, Rng, as_given, body, budget, hook, path, poses, reach, tetrahedra

METHODS = ("auto", "isotropic", "isotropic-axis", "hourglass", "hourglass-axis", "swept")
OF_JOINTS = ("auto", "isotropic", "isotropic-axis", "swept")


def options(rng: Rng) -> dict[str, Any]:
    """A budget now and then, and not always the first contact."""
    few = budget(rng) if rng.random() < 0.3 else None
    return {"budget": few, "first": bool(rng.random() < 0.6)}


def settings(rng: Rng, note: Notes, methods: tuple[str, ...]) -> dict[str, Any]:
    """A method, a tolerance and a clearance."""
    method = note.pick(methods)
    near = 0.0 if method.startswith("hourglass") or rng.random() < 0.6 else float(rng.uniform(0.0, 0.3))
    tolerance = float(rng.choice([1e-6, 1e-6, 1e-3, 1e-1]))
    return {"method": method, "clearance": near, "tolerance": tolerance}


def asked(checker: Any, starts: Array, goals: Array, size: float, rng: Rng, note: Notes) -> Round:
    """free, valid, free_many and check, one motion and many."""
    for start, goal in zip(starts[:4], goals[:4], strict=True):
        yield note.verdicts("free", checker.free(as_given(rng, start), goal))
        yield note.verdicts("valid", checker.valid(as_given(rng, goal)))
        yield note("check", checker.check(er.Motion(start, goal), **options(rng)), size)
    yield note.verdicts("free_many", checker.free_many(starts, goals, threads=1))
    yield note("check many", checker.check(er.Motion(starts, goals), threads=1, **options(rng)), size)
    yield note.totals("counters", counts_of(checker.counters))


@scenario("motion", 60)
def hooks(rng: Rng, note: Notes) -> Round:
    """A hook among 1,330 tetrahedra, by every method, near and far."""
    given = settings(rng, note, METHODS)
    checker = er.MotionChecker(hook(), tetrahedra(), **given)
    starts = poses(rng, 12, 50.0)
    starts[:, :3, 3] += 50.0
    far = float(rng.choice([0.3, 3.0, 30.0])) * (0.2 if given["method"] in METHODS[1:5] else 1.0)
    goals = np.array([path(rng, 2, start, far, 1.0)[1] for start in starts])
    yield from asked(checker, starts, goals, 200.0, rng, note)


def obstacles(rng: Rng, moving: bool) -> Any:
    """One body or several, some with a pose, some with a motion."""
    made: list[Any] = []
    for _ in range(int(rng.integers(1, 5))):
        thing, kind = (
            body(rng, str(rng.choice(KINDS))),
            int(rng.integers(3 if moving else 2)),
        )
        ends = poses(rng, 2, 3.0)
        made.append((thing, (thing, ends[0]), (thing, er.Motion(*ends)))[kind])
    return made[0] if len(made) == 1 else made


@scenario("motion", 90)
def shapes(rng: Rng, note: Notes) -> Round:
    """Random bodies past random obstacles, which stand or move."""
    given = settings(rng, note, METHODS)
    thing = body(rng, str(rng.choice(KINDS)), children=int(rng.choice([2, 8])))
    around = obstacles(rng, not given["method"].startswith("hourglass"))
    checker = er.MotionChecker(thing, around, **given)
    starts, goals = poses(rng, 12, 4.0), poses(rng, 12, 4.0)
    yield from asked(checker, starts, goals, 20.0, rng, note)


@scenario("motion", 25)
def meshes(rng: Rng, note: Notes) -> Round:
    """Thousands of triangles: tubes that interlock, and a bar in a hole."""
    thing, world, start, low, high = puzzle(note.pick((0, 1)))
    checker = er.MotionChecker(thing, world, **settings(rng, note, ("auto", "auto", "swept", "isotropic")))
    starts = np.repeat(start[None], 4, axis=0)
    starts[1:, :3, 3] = rng.uniform(low, high, (3, 3))
    goals = np.array([path(rng, 2, each, 0.2, 0.3)[1] for each in starts])
    yield from asked(checker, starts, goals, 20.0, rng, note)


@cache
def puzzle(kind: int) -> tuple[Any, ...]:
    """A mesh, the mesh it moves in, where it is, and the corners of where it may be."""
    made = er.scenes.interlocked_tubes(segments=40, sides=8) if kind else er.scenes.twisted_bar()
    return er.Mesh(*made[0]), er.Mesh(*made[1]), np.asarray(made[2]), made[4], made[5]


@scenario("motion", 40)
def joints(rng: Rng, note: Notes) -> Round:
    """Paths of articulated bodies, among obstacles and by themselves."""
    arm, n = robot(rng, "auto", 12), 5
    around: Any = None
    if rng.random() < 0.6:
        around = obstacles(rng, True)
    elif rng.random() < 0.5:
        other = robot(rng, "auto", 6)
        around = (other, other.random(2, seed=int(rng.integers(1 << 30))))
    checker = er.MotionChecker(
        arm, around, self_too=bool(rng.random() < 0.7) or around is None, **settings(rng, note, OF_JOINTS)
    )
    ways = arm.random(3 * n, seed=int(rng.integers(1 << 30))).reshape(n, 3, -1)
    ways[:, 1:] = ways[:, :1] + 0.1 * (ways[:, 1:] - ways[:, :1])
    ways = straight(arm, ways)
    for way in ways[:2]:
        yield note.verdicts("free joints", checker.free(way[0], way[1]))
        yield note.verdicts("valid joints", checker.valid(way[2]))
        yield note("check joints", checker.check(way, **options(rng)), 20.0)
    yield note.verdicts("free_many joints", checker.free_many(ways[:, 0], ways[:, 1], threads=1))
    yield note("check many joints", checker.check(ways, threads=1, **options(rng)), 20.0)
    yield note.totals("counters", counts_of(checker.counters))


def straight(arm: Any, ways: Array) -> Array:
    """Quaternions of length one."""
    for name in arm.joint_names:
        where = arm.index(name)
        if where.stop - where.start >= 4:
            turn = ways[..., where.stop - 4 : where.stop]
            turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    return ways


@scenario("motion", 20)
def torsions(rng: Rng, note: Notes) -> Round:
    """Torsions of chains, alone and among obstacles."""
    one, size = chain(rng, note.pick(FAST), 60, side=bool(rng.integers(2)))
    for _ in range(3):
        turned = {int(joint): float(rng.normal()) for joint in rng.integers(0, len(one) - 1, 3)}
        around = obstacles(rng, True) if rng.random() < 0.5 else None
        how = {"clearance": float(rng.choice([0.0, 0.1])), "tolerance": float(rng.choice([1e-6, 1e-2]))}
        yield note("check torsions", er.check(one, turned, around, **how, **options(rng)), size)


@scenario("motion", 20)
def any_body(rng: Rng, note: Notes) -> Round:
    """Chains, necklaces and articulated bodies that are moved as they are, and as obstacles."""
    beads = np.cumsum(rng.normal(size=(20, 3)), axis=0)
    things = (chain(rng, "auto", 40)[0], er.Necklace(beads, 0.3), robot(rng, "auto", 8), body(rng, "group"))
    thing, other = (things[int(k)] for k in rng.integers(0, 4, 2))
    for start, goal in zip(poses(rng, 3, 12.0), poses(rng, 3, 12.0), strict=True):
        how = settings(rng, note, OF_JOINTS)
        yield note(
            "check any", er.check(thing, er.Motion(start, goal), (other, poses(rng, 1, 2.0)[0]), **how), 40.0
        )


@scenario("motion", 30)
def beads_on_their_own(rng: Rng, note: Notes) -> Round:
    """Necklaces whose beads move each on their own, with bonds or without, in a box or among obstacles."""
    n, boxed = int(rng.integers(3, 60)), bool(rng.random() < 0.3)
    first = np.cumsum(rng.normal(size=(n, 3)), axis=0)
    shake = float(rng.choice([0.01, 0.1, 0.5]))
    frames = first + shake * rng.normal(size=(int(rng.integers(2, 4)), n, 3))
    edges = np.full(3, 40.0) if boxed else None
    rope = er.Necklace(frames[0], float(rng.choice([0.0, 0.02, 0.1])), box=edges)
    bonds = note.pick((None, "chain"))
    how: dict[str, Any] = {"bonds": bonds, **options(rng)}
    how["bond_radius"] = float(rng.choice([0.0, 0.05])) if bonds else 0.0
    wall = None if boxed or rng.random() < 0.5 else (body(rng, "group"), poses(rng, 1, 4.0)[0])
    yield note("check beads", er.check(rope, frames, wall, **how), 20.0)


@scenario("motion", 8)
def maps(rng: Rng, note: Notes) -> Round:
    """Motions themselves: poses on the way, radii, bounds, maps, parts; and a thin hook by every method."""
    start, goal = poses(rng, 2, 4.0)
    motion, thing = er.Motion(start, goal), body(rng, str(rng.choice(KINDS)))
    times, r, tau = rng.random(5), reach(thing), float(rng.random())
    yield note.numbers("at", motion.at(times), motion.axis, motion.angle, scale=10.0)
    yield note.numbers("radius", motion.radius(thing), motion.radius(thing, "axis"), scale=10.0)
    for chord in (False, True):
        yield note.numbers("bound", motion.standard_bound(r, tau, chord=chord), scale=10.0)
        yield note.numbers("hourglass", motion.hourglass(r, tau=tau, chord=chord))
    yield note.numbers("volume", motion.hourglass_volume(r), scale=1000.0)
    part = motion.part(*sorted(times[:2]))
    yield note.numbers("part", part.at(times), part.reversed().at(times), scale=10.0)
    thin = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in er.scenes.thin_hook()])
    for method in METHODS:
        yield note("check thin", er.check(thin, motion, (thing, er.Pose()), method=method), 20.0)

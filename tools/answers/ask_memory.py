"""Memories of every method, on a budget and without, along paths; and the traversal trees that they keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import elbowroom as er

from .chains import FAST, chain, change
from .reading import Notes
from .robots import limbs, robot
from .scenarios import Round, scenario
from .things import KINDS, Rng, as_given, body, budget, hook, path, poses, spring, tetrahedra, torus

Ask = Callable[..., Any]


def memory(rng: Rng, method: str) -> Any:
    """A memory of any group and threshold; one in five with a table of any weights."""
    group = int(rng.choice([2, 8, 8]))
    threshold, knots = float(rng.choice([0.5, 1.0])), np.sort(rng.normal(size=5))
    table = er.Calibration(rng.normal(size=9), knots, np.linspace(0.1, 0.9, 5), method, group, threshold)
    learned = table if rng.random() < 0.2 else None
    return er.Memory(method, group=group, threshold=threshold, calibration=learned)


def remembered(note: Notes, kept: Any) -> None:
    """What a memory keeps: its age and its tree."""
    age, tree = -1 if kept.age is None else kept.age, kept.bvtt
    if tree is None:
        return note.numbers("memory", whole=[kept.calls, age])
    columns = (tree.parent, tree.depth, tree.a, tree.b, tree.part, tree.state, tree.lowest)
    whole = [kept.calls, age, *np.concatenate(columns)]
    return note.numbers("bvtt", [tree.covered], tree.pairs, tree.gap, scale=100.0, whole=whole)


def along(asks: dict[str, Ask], size: float, rng: Rng, note: Notes, count: int, go_on: Ask) -> Round:
    """One question again and again while the bodies move; each budget stays for the whole path."""
    label, method, limited = (
        note.pick(list(asks)),
        note.pick(er.Memory.METHODS),
        note.pick((True, False, True)),
    )
    kept, few = memory(rng, method), budget(rng)
    given = {"budget": few if limited else None, "memory": kept}
    for k in range(count):
        go_on(k)
        yield note(f"{label} memory", asks[label](**given), size)
        if k % 5 == 4:
            remembered(note, kept)
            yield
        if rng.random() < 0.02:
            kept.forget()


def both(
    a: Any, b: Any, rng: Rng, size: float, count: int, note: Notes, bend: Callable[[], None] = lambda: None
) -> Round:
    """Two bodies, the second of which moves by poses, and the first bends now and then."""
    step = float(10.0 ** rng.uniform(-3, 0))
    way, at, near = path(rng, count, poses(rng, 1, 0.3 * size)[0], 0.05 * size * step, step), [0], 0.05 * size
    linear = rng.normal(size=(3, 3)) + 2 * np.eye(3)
    asks: dict[str, Ask] = {
        "collide": lambda **m: er.collide(a, b, None, as_given(rng, way[at[0]]), **m),
        "collide every depth": lambda **m: er.collide(a, b, None, way[at[0]], every=True, depth=True, **m),
        "distance": lambda **m: er.distance(a, b, way[at[0]], **m),
        "distance enough": lambda **m: er.distance(a, b, way[at[0]], enough=near, **m),
        "within": lambda **m: er.within(b, a, near, way[at[0]], **m),
    }
    if isinstance(a, er.Body) and isinstance(b, er.Body):
        asks["distance linear"] = lambda **m: er.distance(a, b, way[at[0]], linear=linear, **m)

    def go_on(k: int) -> None:
        at[0] = k
        if k % 3 == 2:
            bend()

    yield from along(asks, 4 * size, rng, note, count, go_on)


def itself(thing: Any, rng: Rng, size: float, count: int, note: Notes, go_on: Ask) -> Round:
    """A body and itself."""
    near = float(rng.uniform(0.05, 1.0))
    asks: dict[str, Ask] = {
        "self_collide": lambda **m: er.self_collide(thing, **m),
        "self_collide every": lambda **m: er.self_collide(thing, every=True, **m),
        "self_collide depth": lambda **m: er.self_collide(thing, depth=True, **m),
        "self_distance": lambda **m: er.self_distance(thing, **m),
        "self_distance enough": lambda **m: er.self_distance(thing, enough=near, **m),
        "self_within": lambda **m: er.self_within(thing, near, **m),
    }
    yield from along(asks, size, rng, note, count, go_on)


@scenario("memory", 60)
def springs(rng: Rng, note: Notes) -> Round:
    """Springs, tori and tetrahedra."""
    pairs = (
        *((spring(width), spring(width), 6.0) for width in (2, 8)),
        (torus(), spring(), 5.0),
        (tetrahedra(), hook(), 60.0),
    )
    a, b, size = note.pick(pairs)
    yield from both(a, b, rng, size, 20, note)


@scenario("memory", 40)
def shapes(rng: Rng, note: Notes) -> Round:
    """Random rigid bodies."""
    a, b = (body(rng, str(kind)) for kind in rng.choice(KINDS, 2))
    yield from both(a, b, rng, 3.0, 20, note)


@scenario("memory", 60)
def chains(rng: Rng, note: Notes) -> Round:
    """Chains that bend, by themselves."""
    tree = note.pick((*FAST, "binary obb"))
    one, size = chain(rng, tree, 200)

    def go_on(k: int) -> None:
        change(rng, one, "rotate" if k % 2 else "undo")

    yield from itself(one, rng, size, 20, note, go_on)


@scenario("memory", 60)
def chains_and_others(rng: Rng, note: Notes) -> Round:
    """A chain that bends and another body that moves."""
    kind = note.pick(("group", "chain", "binary", "spring", "side"))
    one, size = chain(rng, str(rng.choice(FAST)), 200, side=kind == "side")
    made = {
        "group": lambda: body(rng, "group"),
        "chain": lambda: chain(rng, "auto", 100)[0],
        "binary": lambda: body(rng, "group", children=2),
        "spring": spring,
        "side": lambda: body(rng, "mesh"),
    }
    yield from both(one, made[kind](), rng, size, 15, note, lambda: change(rng, one, "rotate"))


@scenario("memory", 50)
def robots(rng: Rng, note: Notes) -> Round:
    """Articulated bodies along paths, by themselves and with others."""
    if rng.random() < 0.5:
        made, motion = limbs(rng, 2000)
        one = er.Articulated(*made)
        begin = int(rng.integers(1900))
        motion = motion[begin:]
    else:
        one = robot(rng, str(rng.choice(["auto", "cab", "none"])), 16)
        ends = one.random(2, seed=int(rng.integers(1 << 30)))
        motion = ends[0] + np.linspace(0, 0.2, 40)[:, None] * (ends[1] - ends[0])
    others = (spring(), robot(rng, "auto", 8), chain(rng, "auto", 100)[0])
    if note.pick((True, False)):
        yield from itself(one, rng, 60.0, 20, note, lambda k: one.move(unit(one, motion[k])))
    else:
        yield from both(one, note.pick(others), rng, 20.0, 15, note)


def unit(one: Any, values: np.ndarray) -> np.ndarray:
    """A configuration whose quaternions have length one."""
    values = values.copy()
    for name in one.joint_names:
        where = one.index(name)
        if where.stop - where.start >= 4:
            turn = values[where.stop - 4 : where.stop]
            turn /= np.linalg.norm(turn)
    return values


@scenario("memory", 40)
def necklaces(rng: Rng, note: Notes) -> Round:
    """Necklaces of all cages that move slowly; memories know their boxes."""
    n, cages = int(rng.integers(4, 400)), str(rng.choice(["boxes", "boxes", "wrapped", "power"]))
    at, step = np.cumsum(0.8 * rng.normal(size=(n, 3)), axis=0), float(10.0 ** rng.uniform(-4, -1))
    one = er.Necklace(at, 0.3, cages=cages)

    def go_on(k: int) -> None:
        one.move(at + k * step * rng.normal(size=at.shape))

    if note.pick((True, True, False)):
        yield from itself(one, rng, float(n), 15, note, go_on)
    else:
        yield from both(one, body(rng, "group"), rng, float(n), 10, note)

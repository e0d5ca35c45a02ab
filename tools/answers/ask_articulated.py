"""Articulated bodies and themselves, by every refit, one configuration and many."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .reading import Notes
from .robots import REFITS, limbs, robot
from .scenarios import Round, scenario
from .things import Rng, budget, options, poses

SIZE = 60.0


def questions(body: Any, rng: Rng, note: Notes) -> Round:
    """All questions with all options, of the configuration that is held."""
    near, few = float(rng.uniform(0.05, 1.0)), budget(rng)
    yield note("self_collide", er.self_collide(body), SIZE)
    yield note("self_collide every", er.self_collide(body, every=True), SIZE)
    yield note("self_collide every depth", er.self_collide(body, every=True, depth=True), SIZE)
    yield note("self_collide depth", er.self_collide(body, depth=True), SIZE)
    yield note("self_distance", er.self_distance(body), SIZE)
    yield note("self_distance enough", er.self_distance(body, enough=near), SIZE)
    yield note("self_within", er.self_within(body, near), SIZE)
    yield note("self_collide budget", er.self_collide(body, budget=few), SIZE)
    yield note("self_collide every budget", er.self_collide(body, every=True, budget=few), SIZE)
    yield note("self_distance budget", er.self_distance(body, budget=few), SIZE)
    yield note("self_within budget", er.self_within(body, near, budget=few), SIZE)
    some = options(rng, every=True, depth=True)
    yield note(f"self_collide {' '.join(some)}", er.self_collide(body, **some), SIZE)
    some = options(rng, enough=near)
    yield note(f"self_distance {' '.join(some)}", er.self_distance(body, **some), SIZE)


def many(body: Any, rng: Rng, note: Notes) -> Round:
    """The questions that take many configurations."""
    one, few = {"threads": 1}, budget(rng)
    near = float(rng.uniform(0.05, 1.0))
    yield note("self_collide many", er.self_collide(body, **one), SIZE)
    yield note("self_collide many every", er.self_collide(body, every=True, threads=2), SIZE)
    yield note("self_collide many depth", er.self_collide(body, depth=True, **one), SIZE)
    yield note("self_collide many every depth", er.self_collide(body, every=True, depth=True, **one), SIZE)
    yield note("self_distance many", er.self_distance(body, **one), SIZE)
    yield note("self_distance many enough", er.self_distance(body, enough=near, **one), SIZE)
    yield note("self_collide many budget", er.self_collide(body, budget=few, **one), SIZE)
    yield note("self_distance many budget", er.self_distance(body, budget=few, **one), SIZE)
    some = options(rng, every=True, depth=True)
    yield note(f"self_collide many {' '.join(some)}", er.self_collide(body, **some, **one), SIZE)


def hierarchy(body: Any, rng: Rng, note: Notes) -> Round:
    """Where the links are, the boxes about them, and what they leave to exact queries."""
    body.validate()
    yield note.numbers("link_poses", body.link_poses(), scale=SIZE)
    for level in range(3):
        boxes = body.boxes(level)
        yield note.numbers("boxes", [box.cost for box in boxes], scale=SIZE**2, whole=[len(boxes)])
    yield note.numbers("candidates", whole=sorted(map(tuple, body.candidates().tolist())))


@scenario("articulated", 30)
def moves(rng: Rng, note: Notes) -> Round:
    """Two chains of eight links that swing or are braided, frame by frame, with each refit."""
    made, motion = limbs(rng, 400)
    body = er.Articulated(*made, refit=note.pick(REFITS))
    begin = int(rng.integers(390))
    for frame in motion[begin : begin + 6]:
        body.move(frame)
        yield from questions(body, rng, note)
        yield from hierarchy(body, rng, note)


@scenario("articulated", 200)
def frames(rng: Rng, note: Notes) -> Round:
    """Two chains of eight links that swing or are braided, many configurations at once."""
    made, motion = limbs(rng, 96)
    body = er.Articulated(*made, refit=note.pick(REFITS))
    body.move(motion)
    yield from many(body, rng, note)
    yield note.numbers("candidates many", whole=sorted(map(tuple, body.candidates().tolist())))


@scenario("articulated", 30)
def trees(rng: Rng, note: Notes) -> Round:
    """Trees of random links with joints of all kinds, joints that follow others, and pairs left out later."""
    body = robot(rng, note.pick(REFITS))
    for k in range(4):
        body.move(body.random(seed=int(rng.integers(1 << 30))))
        yield from questions(body, rng, note)
        yield from hierarchy(body, rng, note)
        if k == 1:
            pairs = rng.integers(0, len(body), (len(body), 2))
            body.exclude(pairs[pairs[:, 0] != pairs[:, 1]])
        elif k == 2 and len(body.excluded):
            body.include(body.excluded[::2])
    moving = [name for name in body.joint_names if body.index(name).stop - body.index(name).start == 1]
    for name in moving[:4]:  # all but one link and what hangs on it stay
        body.move({name: float(rng.uniform(-1.5, 1.5))})
        yield note("self_collide one joint", er.self_collide(body, every=True), SIZE)
        yield note("self_distance one joint", er.self_distance(body), SIZE)


@scenario("articulated", 120)
def many_trees(rng: Rng, note: Notes) -> Round:
    """Trees of random links with joints of all kinds, many configurations at once."""
    body = robot(rng, note.pick(REFITS), 24)
    body.move(body.random(int(rng.choice([1, 7, 48])), seed=int(rng.integers(1 << 30))))
    yield from many(body, rng, note)


@scenario("articulated", 20)
def placed(rng: Rng, note: Notes) -> Round:
    """Links that are placed by poses, one state or many, also by rotations that are not quite."""
    body = robot(rng, note.pick(REFITS), 24)
    where = poses(rng, 16 * len(body), 2.0).reshape(16, len(body), 4, 4)
    where[::3, :, :3, :3] += 1e-5 * rng.normal(size=where[::3, :, :3, :3].shape)
    body.place(where[0])
    yield from questions(body, rng, note)
    yield from hierarchy(body, rng, note)
    body.place(where)
    yield from many(body, rng, note)


@scenario("articulated", 10)
def hands(rng: Rng, note: Notes) -> Round:
    """A hand that flicks a ball on a table."""
    scene = er.scenes.hand_and_ball(60, seed=int(rng.integers(1 << 20)))
    hand, table = (er.Articulated(*each[:2]) for each in scene[:2])
    hand.move(scene[0].motion)
    table.move(scene[1].motion)
    yield note("collide frames", er.collide(hand, table, threads=1), 100.0)
    yield note("collide frames every", er.collide(hand, table, every=True, threads=1), 100.0)
    yield note("distance frames", er.distance(hand, table, threads=1), 100.0)
    yield from many(hand, rng, note)


@scenario("articulated", 4)
def crowds(rng: Rng, note: Notes) -> Round:
    """Hundreds of links, in several blocks."""
    n = int(rng.integers(60, 300))
    links = [er.Link(f"link {k}", er.Box(rng.uniform(0.2, 1.0, 3))) for k in range(n)]
    joints = [er.Joint(f"joint {k}", "free", None, f"link {k}") for k in range(n)]
    body = er.Articulated(links, joints, refit=note.pick(REFITS))
    values = body.random(8, seed=int(rng.integers(1 << 30)))
    values.reshape(8, n, 7)[:, :, :3] = rng.uniform(0, n ** (1 / 3), (8, n, 3)) * 2
    body.move(values[0])
    yield from questions(body, rng, note)
    yield from hierarchy(body, rng, note)
    body.move(values)
    yield from many(body, rng, note)


@scenario("articulated", 1)
def sampled_pairs(rng: Rng, note: Notes) -> Round:
    """Which links collided in random configurations."""
    body = robot(rng, "auto", 16)
    found = body.sample_pairs(100, seed=int(rng.integers(1 << 30)))
    yield note.numbers("sample_pairs", whole=np.asarray(found.counts))
    work = body.measure()
    yield note.numbers("measure", whole=[int(work["exact"]), int(work["hits"])])

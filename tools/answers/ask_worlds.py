"""Worlds: bodies that come, go and move, alone, with one of them, another body, or another world."""

from __future__ import annotations

import elbowroom as er

from .reading import Notes
from .robots import robot
from .scenarios import Round, scenario
from .things import KINDS, Rng, body, budget, poses

SIZE = 20.0


def questions(world: er.World, rng: Rng, note: Notes) -> Round:
    """All questions about a world, and the bodies that the answers name."""
    near, few = float(rng.uniform(0.05, 1.0)), budget(rng)
    name = world.names[int(rng.integers(len(world)))]
    yield note("self_collide", er.self_collide(world, threads=1), SIZE)
    yield note("self_collide every", er.self_collide(world, every=True, threads=1), SIZE)
    yield note("self_collide every depth", er.self_collide(world, every=True, depth=True, threads=1), SIZE)
    yield note("self_distance", er.self_distance(world), SIZE)
    yield note("self_distance enough", er.self_distance(world, enough=near), SIZE)
    yield note("self_within points", er.self_within(world, near, points=True, threads=1), SIZE)
    yield note("self_collide budget", er.self_collide(world, every=True, budget=few), SIZE)
    yield note("self_distance budget", er.self_distance(world, budget=few), SIZE)
    yield note("collide member", er.collide(world[name], world, every=True, threads=1), SIZE)
    yield note("distance member", er.distance(world, world[name]), SIZE)
    other, pose = body(rng, KINDS[int(rng.integers(len(KINDS)))]), poses(rng, 1, 4.0)[0]
    yield note("within body", er.within(world, other, near, None, pose, threads=1), SIZE)
    yield note("distance body", er.distance(other, world, pose), SIZE)
    found = er.self_within(world, near, threads=1)
    order = {each: i for i, each in enumerate(world.names)}
    yield note.numbers("names", found.distances, scale=SIZE, whole=[order[a] for a, _ in found.names])


@scenario("worlds", 40)
def cells(rng: Rng, note: Notes) -> Round:
    """Bodies of all kinds, changed a few at a time, among them a robot that carries one of them."""
    count = int(rng.choice([5, 20, 60]))
    places = poses(rng, count, 4.0)
    world = er.World(
        {f"body {i}": (body(rng, KINDS[i % len(KINDS)]), place) for i, place in enumerate(places)}
    )
    arm = robot(rng, "auto", 12)
    world.add("arm", arm)
    for k in range(6):
        yield from questions(world, rng, note)
        some = [f"body {i}" for i in rng.choice(count, 3, replace=False)]
        world.move(dict(zip(some, poses(rng, 3, 4.0), strict=True)))
        arm.move(arm.random(seed=int(rng.integers(1 << 30))))
        if k == 1:
            world.attach("body 0", "arm", len(arm) - 1)
            world.exclude("arm", "body 1")
        elif k == 3:
            world.remove("body 2")
            world.add("body 2", body(rng, "mesh"), poses(rng, 1, 4.0)[0])
            yield note("two worlds", er.distance(world, world.copy()), SIZE)

"""Calls of the core that can take long, on bodies of a size at which every one of their loops is entered."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from thread_subjects import arm

import elbowroom as er
from elbowroom import _core, energies


@dataclass(frozen=True)
class LongCall:
    """A call on a body that `make` gives; `answer` is what must not depend on an interruption before it."""

    name: str
    make: Callable[[], Any]
    call: Callable[[Any], Any]
    answer: Callable[[Any], Any] = field(default=lambda body: None)

    def __str__(self) -> str:
        return self.name


def _plain(value: Any) -> Any:
    """Answers as something that can be compared."""
    if isinstance(value, (er.Collision, er.Collisions)):
        hits = bool(value) if isinstance(value, er.Collision) else value.hits.tolist()
        return hits, None if value.pairs is None else np.asarray(value.pairs).tolist()
    if isinstance(value, er.Distance):
        return value.value
    if isinstance(value, er.Distances):
        return value.values.tolist()
    if isinstance(value, er.Pairs):
        return value.indices.tolist()
    return value


@cache
def _spring(children: int = 8) -> er.Mesh:
    return er.Mesh(*er.scenes.spring(), children=children)


@cache
def _scattered(children: int = 8, count: int = 900) -> er.Mesh:
    """Long triangles in all directions, so that many overlap."""
    rng = np.random.default_rng(0)
    return er.Mesh(rng.normal(size=(count, 3)), np.arange(count).reshape(-1, 3), children=children)


def _moved_mesh(mesh: er.Mesh) -> None:
    """Interrupted, it stays as it was: only the building of a tree can be."""
    mesh.move(np.random.default_rng(1).normal(size=mesh.vertices.shape), rebuild=True)


def _chain(n: int = 4000, **options: Any) -> er.Chain:
    return er.Chain(er.scenes.serpentine(n), 1.0, **options)


def _charged() -> er.Chain:
    chain = _chain(8000)
    chain.set_energy(energies.LennardJones(epsilon=1.0, sigma=1.0, cutoff=9.0))
    return chain


def _necklace(cages: str) -> er.Necklace:
    return er.Necklace(er.scenes.spiral(12_000, frames=2)[0], 0.3, cages=cages)


def _moved(rope: er.Necklace) -> None:
    rope.move(rope.positions() * 1.001)


@cache
def _crowd() -> er.Articulated:
    """Free boxes that overlap each other."""
    rng = np.random.default_rng(0)
    links = [er.Link(f"box {k}", er.Box([1.0, 1.0, 1.0])) for k in range(400)]
    body = er.Articulated(links, exclude=None)
    poses = np.tile(np.eye(4), (400, 1, 1))
    poses[:, :3, 3] = rng.uniform(0, 3, (400, 3))
    body.place(poses)
    return body


def _checker() -> er.MotionChecker:
    return er.MotionChecker(_spring(), _spring())


MOTION = er.Motion(er.Pose(translation=[9, 0, 0.5]), er.Pose([0, 0.0, 1, 0], [4.75, 0.0, 0.5]))
POSES = er.scenes.spring_path(400)
RAYS = np.random.default_rng(2).normal(size=(20_000, 3)) * 5
BOXES = [(er.Box(1), er.Pose(translation=[k, 0, 0])) for k in range(300)]
ANGLES = np.random.default_rng(3).normal(size=(2000, 29)) * 0.3
AROUND = er.Pose(translation=[200.0, 0.0, 0.0])


def long_calls() -> Iterator[LongCall]:
    """One for every loop that asks whether to go on."""
    yield LongCall("mesh", lambda: er.scenes.spring(), lambda mesh: er.Mesh(*mesh))
    yield LongCall("chain", lambda: None, lambda _: _chain(20_000))
    for children in (8, 2):
        make = lambda children=children: _scattered(children)  # noqa: E731
        yield LongCall(f"collide every, {children}", make, lambda m: er.collide(m, m, every=True))
        yield LongCall(f"within, {children}", make, lambda m: er.within(m, m, 0.2))
        many = lambda children=children: _scattered(children, 6000)  # noqa: E731
        yield LongCall(f"distance, {children}", many, lambda m: er.distance(m, m, pose_b=AROUND))
        yield LongCall(f"mesh self_collide, {children}", make, lambda m: er.self_collide(m, every=True))
        yield LongCall(f"mesh self_within, {children}", make, lambda m: er.self_within(m, 0.1))
        yield LongCall(f"mesh move, {children}", make, _moved_mesh, lambda m: er.collide(m, m).pairs.tolist())
    for name, ask in (("collide", er.collide), ("distance", er.distance)):
        yield LongCall(f"{name} many", _spring, lambda m, ask=ask: ask(m, m, pose_b=POSES, threads=1))
    yield LongCall("mesh self_distance", _spring, er.self_distance)
    yield LongCall("cast", _spring, lambda m: er.cast(m, RAYS, [1.0, 0.0, 0.0], threads=1).distances.tolist())
    yield LongCall("group", lambda: BOXES, lambda boxes: len(er.Group(boxes)))
    for volume in ("auto", "obb"):
        make = lambda volume=volume: _chain(40_000, volume=volume)  # noqa: E731
        yield LongCall(f"self_collide, {volume}", make, lambda c: er.self_collide(c, every=True))
        yield LongCall(f"self_distance, {volume}", make, er.self_distance)
        yield LongCall(f"self_within, {volume}", make, lambda c: er.self_within(c, 2.5))
        yield LongCall(f"collides, {volume}", make, lambda c: c.collides())
        yield LongCall(f"try_torsions, {volume}", make, _tried, lambda c: c.collides())
    yield LongCall("energy", _charged, lambda c: c.energy())
    yield LongCall("energy after", _charged, _turned)
    yield LongCall("validate chain", _chain, lambda c: c.validate())
    yield LongCall("sampler", _chain, _sampled, lambda c: c.collides())
    for cages in ("boxes", "wrapped", "layered", "power"):
        make = lambda cages=cages: _necklace(cages)  # noqa: E731
        yield LongCall(f"necklace self_distance, {cages}", make, er.self_distance)
        yield LongCall(f"necklace self_collide, {cages}", make, lambda r: er.self_collide(r, every=True))
        yield LongCall(f"necklace self_within, {cages}", make, lambda r: er.self_within(r, 3.0))
    for cages in ("wrapped", "layered"):
        make = lambda cages=cages: _necklace(cages)  # noqa: E731
        yield LongCall(f"necklace, {cages}", lambda: None, lambda _, make=make: make())
        yield LongCall(f"necklace move, {cages}", make, _moved, lambda r: er.self_distance(r).value)
    yield LongCall("separating pairs", lambda: _necklace("wrapped"), lambda r: r.separating_pairs().free)
    yield LongCall("links collide", _crowd, lambda b: er.self_collide(b, every=True))
    yield LongCall("links distance", _crowd, lambda b: er.self_distance(b, enough=0.0))
    yield LongCall("links within", _crowd, lambda b: er.self_within(b, 0.2))
    yield LongCall("links within, points", _crowd, lambda b: er.self_within(b, 0.2, points=True))
    yield LongCall("configurations", arm, lambda b: er.self_distance(b, configurations=ANGLES, threads=1))
    yield LongCall("motion", _checker, lambda c: c.check(MOTION).free)
    yield LongCall(
        "motion, isotropic",
        lambda: er.MotionChecker(_spring(), _spring(), method="isotropic"),
        lambda c: c.check(MOTION).free,
    )


def _tried(chain: er.Chain) -> None:
    rng = np.random.default_rng(1)
    chain.try_torsions(rng.integers(0, len(chain) - 1, 400), rng.normal(size=400) * 0.01)


def _turned(chain: er.Chain) -> float:
    chain.rotate(len(chain) // 2, 0.001)
    return chain.energy()


def _sampled(chain: er.Chain) -> None:
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))
    sampler.observe(["hydrodynamic_radius"], 0.0, np.empty(0, np.int64))
    sampler.run(300, 100)


def answered(call: LongCall, body: Any) -> Any:
    """What the call gives, and how the body is left."""
    given = _plain(call.call(body))
    return given if not isinstance(given, (er.Mesh, er.Chain, er.Necklace, type(None))) else call.answer(body)


def fresh(call: LongCall) -> Any:
    """The body before the call; those that change are made each time."""
    return call.make()


def copied(body: Any) -> Any:
    """A body like another."""
    return copy.copy(body)

"""Do all methods agree on long and short motions of large bodies, and do samples?

Motions of the scenes of the grid, the bars, the puzzles and a mobile manipulator, at random, with and without
a clearance. Each is checked by every method; a verdict of "free" is held against the distance at even times,
refined about the smallest, and brackets of the first contact against each other.

    python -m benchmarks.motion.agree --seconds 600 --seed 0
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks.common import Array
from benchmarks.motion import bars
from benchmarks.motion.grid import Scene, rigid_scenes, robot_scenes
from benchmarks.motion.puzzles import PUZZLES

METHODS = ("auto", "swept", "isotropic", "isotropic-axis", "hourglass", "hourglass-axis")
RIGID, CLEARING = 6, 4  # the first so many are for rigid bodies among standing obstacles, and for the rest
EVEN, DEEPEST, STEPS = 65, 3, 25  # samples, minima that are refined, and thirds taken about each
ROUNDED = 1e-9  # of the size: a contact may be off by so much
SECONDS = 0.5  # for one check: bounds on speeds take long to decide what slides past something

Gap = Callable[[Array], Array]


def scenes(quick: bool) -> Iterator[Scene]:
    yield from rigid_scenes(quick)
    yield bars.scene(1)
    for name, puzzle in PUZZLES.items():
        made = puzzle()
        body = er.Mesh(*made.body)
        size = 0.5 * float(np.linalg.norm(np.ptp(body.vertices, axis=0)))
        yield Scene(name, body, er.Mesh(*made.world), size, float(np.abs(made.high).max()))
    yield from robot_scenes()


def rigid_motion(scene: Scene, rng: np.random.Generator) -> er.Motion:
    """Anywhere; the way and the turn of any order of magnitude."""
    q, axis, direction = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
    start = er.Pose(q / np.linalg.norm(q), rng.uniform(-scene.spread, scene.spread, 3))
    half = 0.5 * float(rng.choice([0.0, 0.1, 1.0, 3.0])) * rng.uniform(0.1, 1.0)
    turn = er.Pose(np.array([np.cos(half), *(np.sin(half) * axis / np.linalg.norm(axis))]))
    way = scene.size * 10.0 ** rng.uniform(-2.0, 1.0) * direction / np.linalg.norm(direction)
    return er.Motion(start, er.Pose(turn.rotation @ start.rotation, start.translation + way))


def joint_motion(scene: Scene, rng: np.random.Generator) -> Array:
    start = scene.body.random(seed=int(rng.integers(2**31)))
    return np.stack([start, start + 10.0 ** rng.uniform(-2.0, 0.3) * rng.uniform(-1, 1, len(start))])


def gap_of(scene: Scene, motion: Any) -> Gap:
    """How far everything is apart at some times."""
    if isinstance(motion, er.Motion):
        return lambda times: er.distance(scene.body, scene.world, motion.at(times)).values

    def gap(times: Array) -> Array:
        states = motion[0] + times[:, None] * (motion[1] - motion[0])
        others = er.distance(scene.body, scene.world, configurations=states).values
        return np.minimum(others, er.self_distance(scene.body, configurations=states).values)

    return gap


def least(gap: Gap) -> tuple[float, float]:
    """The smallest gap that is found, and when."""
    times = np.linspace(0, 1, EVEN)
    gaps = gap(times)
    best = min(zip(gaps.tolist(), times.tolist(), strict=True))
    inner = np.flatnonzero((gaps[1:-1] <= gaps[:-2]) & (gaps[1:-1] <= gaps[2:])) + 1
    for k in inner[np.argsort(gaps[inner])][:DEEPEST]:
        low, high = times[k - 1], times[k + 1]
        for _ in range(STEPS):
            between = low + (high - low) * np.array([1, 2]) / 3
            here = gap(between)
            best = min([best, *zip(here.tolist(), between.tolist(), strict=True)])
            low, high = (low, between[1]) if here[0] <= here[1] else (between[0], high)
    return best


def complaints(scene: Scene, motion: Any, clearance: float, first: bool) -> tuple[dict[str, Any], list[str]]:
    """What each method says, and what of that cannot be."""
    rigid = isinstance(motion, er.Motion)
    methods = METHODS[: RIGID if rigid and not clearance else CLEARING]
    found, budget = {}, er.Budget(seconds=SECONDS)
    for method in methods:
        found[method] = er.check(
            scene.body, motion, scene.world, method=method, clearance=clearance, first=first, budget=budget
        )
    said, gap = [], gap_of(scene, motion)
    free = [method for method, certificate in found.items() if certificate.free]
    if free:
        value, time = least(gap)
        if value <= clearance:
            said.append(f"free by {free}, but the gap is {value:.6g} at {time!r}")
    if len({c.free for c in found.values()} - {None}) == 2:
        said.append(f"verdicts { ({m: c.free for m, c in found.items()}) }")
    touching = {m: c for m, c in found.items() if c.free is False}
    for method, certificate in touching.items():
        value = float(gap(np.array([certificate.contact_time]))[0])
        if value > clearance + ROUNDED * scene.size:
            said.append(f"{method}: contact at {certificate.contact_time!r}, where the gap is {value:.6g}")
    if first and len(touching) > 1:
        before, at = zip(*(c.first_contact for c in touching.values()), strict=True)
        if max(before) > min(at) + 1e-12:
            said.append(f"first contacts { ({m: c.first_contact for m, c in touching.items()}) }")
    return found, said


def main() -> int:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--seconds", type=float, default=600.0)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--quick", action="store_true", help="leave out meshes of 40,000 triangles")
    settings = made.parse_args()
    held, end = list(scenes(settings.quick)), perf_counter() + settings.seconds
    counts = {scene.name: {"motions": 0, "free": 0, "contact": 0, "undecided": 0} for scene in held}
    wrong = number = 0
    while perf_counter() < end:
        scene, rng = held[number % len(held)], np.random.default_rng((settings.seed, number))
        motion = (joint_motion if isinstance(scene.body, er.Articulated) else rigid_motion)(scene, rng)
        clearance = 0.01 * scene.size if rng.random() < 0.25 else 0.0
        found, said = complaints(scene, motion, clearance, bool(rng.random() < 0.7))
        tally, verdict = counts[scene.name], found["auto"].free
        tally["motions"] += 1
        tally["free" if verdict else "contact" if verdict is False else "undecided"] += 1
        for text in said:
            print(f"{scene.name}, motion {number} of seed {settings.seed}: {text}", flush=True)
        wrong, number = wrong + len(said), number + 1
    for name, tally in counts.items():
        print(f"{name:24}", *(f"{count} {what:10}" for what, count in tally.items()))
    print(f"{number} motions by every method, {wrong} complaints")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Long motions of a long body: an L of two bars among balls and a thin wall, by every method.

python -m benchmarks.motion.bars
"""

from __future__ import annotations

import argparse

import numpy as np

import elbowroom as er
from benchmarks.common import Array
from benchmarks.motion.grid import Scene, ball, measure

LENGTH, THICK = 5.0, 0.3
SPREAD = 10.0
METHODS = ("auto", "swept", "isotropic", "hourglass")


def cuboid(low: Array, high: Array) -> tuple[Array, Array]:
    """A box of 12 triangles."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    return low + corners * (high - low), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def joined(parts: list[tuple[Array, Array]]) -> er.Mesh:
    first = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + k for (_, faces), k in zip(parts, first[:-1], strict=True)]
    return er.Mesh(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces))


def scene(seed: int) -> Scene:
    """40 balls of about 80 triangles, and a wall in the middle."""
    rng = np.random.default_rng(seed)
    along = np.array([LENGTH, THICK, THICK]), np.array([THICK, LENGTH, THICK])
    body = joined([cuboid(np.zeros(3), along[0]), cuboid(np.zeros(3), along[1])])
    vertices, faces = ball(6)
    balls = [(rng.uniform(0.4, 1.2) * vertices + rng.uniform(-SPREAD, SPREAD, 3), faces) for _ in range(40)]
    wall = cuboid(np.array([-0.02, -SPREAD, -SPREAD]), np.array([0.02, 0.0, SPREAD]))
    return Scene("an L of two bars", body, joined([*balls, wall]), LENGTH, SPREAD)


def motions(scene: Scene, count: int, seed: int) -> list[er.Motion]:
    """From a pose without contact, 8 to 16 units along a line, turned by up to 3 radians."""
    rng, judge = np.random.default_rng(seed), er.MotionChecker(scene.body, scene.world, method="isotropic")
    out: list[er.Motion] = []
    while len(out) < count:
        q, direction, axis = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
        start = er.Pose(q / np.linalg.norm(q), rng.uniform(-SPREAD, SPREAD, 3))
        if not judge.valid(start):
            continue
        half = 0.5 * rng.uniform(0, 3)
        turn = er.Pose(np.array([np.cos(half), *(np.sin(half) * axis / np.linalg.norm(axis))]))
        way = rng.uniform(8, 16) * direction / np.linalg.norm(direction)
        out.append(er.Motion(start, er.Pose(turn.rotation @ start.rotation, start.translation + way)))
    return out


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--motions", type=int, default=300)
    made.add_argument(
        "--passes", type=int, default=12, help="interleaved; the minima of each motion are kept"
    )
    settings = made.parse_args()
    bars = scene(1)
    asked = motions(bars, settings.motions, 2)
    free = [er.check(bars.body, motion, bars.world).free for motion in asked]
    print(f"{len(asked)} motions, {sum(f is True for f in free)} free")
    print("us a motion (tests a motion):", *METHODS)
    for question in ("check", "free"):
        place = (12.0, 3.0, "mixed")
        cells = [measure(bars, question, place, [motion], settings.passes) for motion in asked]
        means = {m: 1e6 * np.mean([cell.seconds[m] for cell in cells]) for m in METHODS}
        tests = {m: np.mean([cell.tests[m] for cell in cells]) for m in METHODS}
        print(f"{question:6}", *(f"{means[m]:.1f} ({tests[m]:.0f})" for m in METHODS))


if __name__ == "__main__":
    main()

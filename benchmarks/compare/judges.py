"""The judges: each puts a question to a library, and compares the answer with the truth of its scene."""

from __future__ import annotations

import pickle
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import trimesh

from benchmarks.compare import scenes
from benchmarks.compare.scenes import Array
from benchmarks.compare.seen import NO, PARTLY, YES, Library, Pair, Seen

CLOSE = 1e-6


def rings(library: Library) -> Seen:
    ring, pose = scenes.rings()
    pair, true = library.pair(ring, ring), scenes.distance(ring, ring, pose)
    hit, found = pair.hit(pose), pair.distance(pose)
    what = f"{'collision' if hit else 'free'}, {found:.6g} apart; in truth free, {true:.6g} apart"
    right = abs(found - true) <= CLOSE
    return Seen(YES if right and not hit else PARTLY if not hit else NO, what)


def hulls(library: Library) -> Seen:
    errors = [library.pair(a, b).distance(pose) - true for a, b, pose, true in scenes.hulls()]
    worst = float(np.abs(errors).max())
    return Seen(YES if worst <= CLOSE else PARTLY, f"60 distances, the worst off by {worst:.1g}")


def touching(library: Library) -> Seen:
    hits = [library.pair(a, b).hit(pose) for a, b, pose in scenes.touching_boxes()]
    what = f"of {len(hits)} boxes that touch, {sum(hits)} collide and {len(hits) - sum(hits)} are free"
    return Seen(YES if sum(hits) in (0, len(hits)) else PARTLY, what)


def depth(library: Library) -> Seen:
    errors = [library.pair(a, b).depth(pose) - true for a, b, pose, true in scenes.deep_boxes()]
    worst = float(np.abs(errors).max())
    return Seen(YES if worst <= CLOSE else PARTLY, f"60 pairs of boxes, the worst depth off by {worst:.1g}")


def symmetric(library: Library) -> Seen:
    cases = scenes.hulls()
    there = np.array([library.pair(a, b).distance(pose) for a, b, pose, _ in cases])
    back = np.array([library.pair(b, a).distance(np.linalg.inv(pose)) for a, b, pose, _ in cases])
    worst = float(np.abs(there - back).max())
    return Seen(YES if worst <= 1e-9 else PARTLY, f"60 distances asked both ways differ by up to {worst:.1g}")


def again(library: Library) -> Seen:
    """Distances of hulls, and what is told of two boxes in contact."""
    a, b, _, _ = scenes.hulls()[0]
    apart = reordered(library.pair(a, b).distance, [pose for _, _, pose, _ in scenes.hulls()])
    boxes: Any = library.pair(scenes.box(1, 1, 1), scenes.box(1, 1, 1))
    told = getattr(boxes, "contacts", boxes.depth)
    meeting = reordered(told, [pose for _, _, pose, _ in scenes.deep_boxes()])
    what = f"asked again in another order, {apart} of 60 distances and {meeting} of 60 contacts differ"
    return Seen(YES if apart == meeting == 0 else PARTLY, what)


def reordered(ask: Callable[[Array], Any], poses: list[Array]) -> int:
    """Of how many poses the answer is another when they come in the other order."""
    first = [ask(pose) for pose in poses]
    second = [ask(pose) for pose in reversed(poses)][::-1]
    return sum(one != other for one, other in zip(first, second, strict=True))


def nan(library: Library) -> Seen:
    pose = np.eye(4)
    pose[0, 3] = np.nan
    pair = library.pair(scenes.box(1, 1, 1), scenes.box(1, 1, 1))
    try:
        hit = pair.hit(pose)
    except Exception as error:
        return Seen(YES, f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return Seen(NO, f"a box at NaN is said {'to collide' if hit else 'to be free'}")


def solid(library: Library) -> Seen:
    cube = scenes.box(2, 2, 2)
    pair = library.pair(scenes.mesh(cube.vertices, cube.faces), scenes.box(0.2, 0.2, 0.2))
    hit = pair.hit(scenes.placed([0.3, 0.2, 0.1]))
    return Seen(
        YES if hit else NO, f"a box inside a closed mesh is said {'to collide' if hit else 'to be free'}"
    )


def near(library: Library) -> Seen:
    points = scenes.cloud()
    return _pairs(library.near(points, scenes.REACH), scenes.near_pairs(points))


def periodic(library: Library) -> Seen:
    points = scenes.cloud()
    return _pairs(library.near(points, scenes.REACH, scenes.SIDE), scenes.near_pairs(points, scenes.SIDE))


def _pairs(found: set[tuple[int, int]], true: set[tuple[int, int]]) -> Seen:
    what = f"{len(found)} pairs of 400 points, {len(true - found)} missing and {len(found - true)} too many"
    return Seen(YES if found == true else PARTLY, what)


def motion(library: Library) -> Seen:
    return _motions(library.pair(*scenes.plate_and_wall()))


def motion_of_meshes(library: Library) -> Seen:
    plate, wall = (scenes.mesh(each.vertices, each.faces) for each in scenes.plate_and_wall())
    return _motions(library.pair(plate, wall))


def _motions(pair: Pair) -> Seen:
    """Wrong answers about a hundred motions of each kind: straight and turning, through the wall and not."""
    wrong, told = 0, []
    for kind, turning in (("straight", False), ("turning", True)):
        missed = sum(pair.free(*each) for each in scenes.motions(True, turning))
        extra = sum(not pair.free(*each) for each in scenes.motions(False, turning))
        told.append(
            f"{kind}: {missed} of 100 through the wall are said to be free, {extra} of 100 others to hit"
        )
        wrong += missed + extra
    return Seen(YES if not wrong else PARTLY, "; ".join(told))


def robot(library: Any) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        rows, true = scenes.arm(file)
        told = library.robot(file, rows)
    next_to = {(f"link{k}", f"link{k + 1}") for k in range(scenes.LINKS - 1)}
    found = [pairs - next_to for pairs in told]
    missing = sum(len(t - f) for t, f in zip(true, found, strict=True))
    extra = sum(len(f - t) for t, f in zip(true, found, strict=True))
    total = sum(map(len, true))
    what = f"200 configurations of 8 links: of {total} pairs that collide {missing} missed, {extra} too many"
    return Seen(YES if missing == extra == 0 else PARTLY, what)


def pickled(library: Library) -> Seen:
    ring, pose = scenes.rings()
    pair: Any = library.pair(ring, ring)
    before = pair.distance(pose)
    pair.bodies = tuple(pickle.loads(pickle.dumps(body)) for body in pair.bodies)
    return Seen(YES if pair.distance(pose) == before else NO, "a mesh pickles, and answers the same")


def threads(library: Library) -> Seen:
    """The longest time for which another thread could not go on, while one question was asked."""
    pair = _slow(library)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(perf_counter())

    other = threading.Thread(target=tick)
    other.start()
    start = perf_counter()
    pair.distance(np.eye(4))
    end = perf_counter()
    done.set()
    other.join()
    inside = [start, *(t for t in ticks if start < t < end), end]
    share = float(np.diff(inside).max() / (end - start))
    return Seen(
        YES if share < 0.5 else NO, f"during a call, another thread stands still for {share:.0%} of it"
    )


def _slow(library: Library) -> Pair:
    """Spheres about each other, finer until a distance takes a tenth of a second."""
    for finer in range(3, 8):
        ball = trimesh.creation.icosphere(subdivisions=finer)
        pair = library.pair(
            scenes.mesh(ball.vertices, ball.faces), scenes.mesh(1.02 * ball.vertices, ball.faces)
        )
        start = perf_counter()
        pair.distance(np.eye(4))
        if perf_counter() - start > 0.1:
            break
    return pair


def falls(library: Any) -> Seen:
    height = library.falls()
    return Seen(YES if 4.0 < height < 5.0 else NO, f"a ball falls {height:.2f} in a second")

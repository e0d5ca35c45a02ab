"""W6: worlds: an assembly that moves, boxes of which some move, a cell that is changed one by one.

    python -m benchmarks.world.run --json world.json
    python -m benchmarks.world.run --quick
    python -m benchmarks.world.run --parts cell --only elbowroom,coal

The pairs that overlap are compared, pair by pair, with those that elbowroom finds for every two bodies alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.table import Table

import elbowroom as er
from benchmarks import common
from benchmarks.common import Array
from benchmarks.world import shapes
from benchmarks.world.peers import Coal, Elbowroom, Fcl, Pairs, Trimesh

CONTESTANTS: dict[str, Callable[..., Any]] = {
    "elbowroom": Elbowroom,
    "coal": Coal,
    "fcl": Fcl,
    "trimesh": Trimesh,
}


def brute(bodies: list[er.Mesh], poses: Array, reach: float) -> Pairs:
    """All pairs within reach, two bodies at a time; spheres about them leave out most."""
    centres = np.array([body.bounds.mean(axis=0) for body in bodies])
    middles = np.einsum("nij,nj->ni", poses[:, :3, :3], centres) + poses[:, :3, 3]
    sizes = np.array([np.linalg.norm(np.ptp(body.bounds, axis=0)) / 2 for body in bodies])
    out = set()
    for i in range(len(bodies)):
        apart = np.linalg.norm(middles[i + 1 :] - middles[i], axis=1) - sizes[i + 1 :] - sizes[i]
        for j in i + 1 + np.flatnonzero(apart <= reach):
            if er.distance(bodies[i], bodies[j], poses[i], poses[j]).value <= reach:
                out.add((i, int(j)))
    return out


def fastest(run: Callable[[], Any], repetitions: int) -> float:
    """The least seconds of processor time: other programs do not count."""
    best = np.inf
    for _ in range(repetitions):
        start = process_time()
        run()
        best = min(best, process_time() - start)
    return float(best)


def assembly(settings: argparse.Namespace) -> dict[str, Any]:
    """Every part moves in every frame; all pairs that overlap, and all within 1 mm."""
    rng = np.random.default_rng(0)
    kinds = np.arange(settings.bodies) % 3
    surfaces = [shapes.screw(), shapes.bracket(), shapes.pipe()]
    side = 45 * settings.bodies ** (1 / 3)
    frames = [shapes.poses(settings.bodies, side, rng) for _ in range(settings.frames)]
    rows: list[list[Any]] = []
    wanted: list[Pairs] = []
    for name in common.chosen(CONTESTANTS, settings.only):
        start = process_time()
        one = CONTESTANTS[name](surfaces, kinds, frames[0])
        made = process_time() - start
        if name == "elbowroom":
            wanted = [brute(one.bodies, poses, 0.0) for poses in frames[: settings.judged]]
            near = [brute(one.bodies, poses, 1.0) for poses in frames[: settings.judged]]
            for poses, pairs, within in zip(frames, wanted, near, strict=False):
                one.place(poses)
                assert one.pairs() == pairs and one.near(1.0) == within, "wrong pairs"

        asked: dict[str, tuple[Callable[[], int], list[Pairs]]] = {"overlap": (one.count, wanted)}
        if hasattr(one, "count_near"):
            asked["within 1 mm"] = (lambda one=one: one.count_near(1.0), near)
        if hasattr(one, "count_boxes"):
            asked["overlap of boxes alone"] = (one.count_boxes, [])
        for what, (question, truth) in asked.items():
            counts: list[int] = []

            def run(one: Any = one, question: Any = question, counts: list[int] = counts) -> None:
                counts.clear()
                for poses in frames:
                    one.place(poses)
                    counts.append(question())

            seconds = fastest(run, settings.repetitions) / len(frames)
            wrong = sum(count not in (len(pairs), -1) for count, pairs in zip(counts, truth, strict=False))
            rows.append([f"{name}: {what}", made, seconds, float(np.mean(counts)), wrong])
    title = f"{settings.bodies} screws, brackets and pipes, all of which move; one thread"
    table = Table(title=title, title_justify="left")
    base = next(row[2] for row in rows if "within" in row[0])
    for heading in ("contestant", "made, ms", "a frame, ms", "times ours, 1 mm", "pairs", "wrong frames"):
        table.add_column(heading, justify="left" if heading == "contestant" else "right")
    for name, made, seconds, pairs, wrong in rows:
        numbers = f"{1e3 * made:.1f}", f"{1e3 * seconds:.3f}", f"{seconds / base:.1f}", f"{pairs:.0f}"
        table.add_row(name, *numbers, str(wrong))
    common.show(table)
    return {"rows": rows}


def frame(world: er.World, poses: Array, moving: Any, rng: np.random.Generator) -> int:
    """Moves some, by number: as {name: pose} without the dictionary; and counts the pairs that overlap."""
    poses[moving, :3, 3] += rng.normal(size=(len(moving), 3)) * 0.05
    world._move_all(moving, np.ascontiguousarray(poses[moving]))
    return len(er.self_collide(world, every=True))


def boxes(settings: argparse.Namespace) -> dict[str, Any]:
    """Cubes of which 1% or all move in a frame, and the pairs that overlap."""
    rows = []
    for count in (int(n) for n in settings.boxes.split(",")):
        rng = np.random.default_rng(1)
        poses = shapes.poses(count, count ** (1 / 3), rng)
        names, world = [str(i) for i in range(count)], er.World()
        wall, start = perf_counter(), process_time()
        world.add(names, er.Box(0.4), poses)
        made, made_wall = process_time() - start, perf_counter() - wall
        er.self_collide(world, every=True)
        some = np.sort(rng.choice(count, count // 100, replace=False)).astype(np.int32)

        few = fastest(lambda w=world, p=poses, s=some: frame(w, p, s, rng), settings.repetitions)  # noqa: B023
        every = np.arange(count, dtype=np.int32)
        all_of_them = fastest(lambda w=world, p=poses, e=every: frame(w, p, e, rng), 3)  # noqa: B023
        rows.append([count, made, made_wall, few, all_of_them, world.nbytes / count])
    table = Table(title="cubes in motion; processor time of all threads", title_justify="left")
    for heading in ("cubes", "added, ms", "(wall)", "1% move, ms", "all move, ms", "ratio", "bytes each"):
        table.add_column(heading, justify="right")
    for count, made, wall, few, many, size in rows:
        numbers = (f"{1e3 * x:.1f}" for x in (made, wall, few, many))
        table.add_row(f"{count:,}", *numbers, f"{few / many:.3f}", f"{size:.0f}")
    common.show(table)
    return {"rows": rows}


def cell(settings: argparse.Namespace) -> dict[str, Any]:
    """500 parts: one is moved and asked about, or removed and added again."""
    rng = np.random.default_rng(2)
    kinds = np.arange(500) % 3
    surfaces = [shapes.screw(), shapes.bracket(), shapes.pipe()]
    start, moves = shapes.poses(500, 600, rng), shapes.poses(settings.moves, 600, rng)
    rows: list[list[Any]] = []
    verdicts: dict[str, list[bool]] = {}
    for name in common.chosen(CONTESTANTS, settings.only):
        one = CONTESTANTS[name](surfaces, kinds, start)
        asked = None
        if hasattr(one, "move_and_ask"):

            def ask(one: Any = one) -> list[bool]:
                return [one.move_and_ask(i % 500, pose) for i, pose in enumerate(moves)]

            one.place(start)
            verdicts[name] = ask()
            asked = fastest(ask, settings.repetitions) / len(moves)

        def swap(one: Any = one) -> None:
            for i, pose in enumerate(moves):
                one.swap(i % 500, pose)

        swapped = fastest(swap, settings.repetitions) / len(moves)
        differ = sum(a != b for a, b in zip(verdicts.get(name, []), verdicts["elbowroom"], strict=False))
        rows.append([name, asked, swapped, differ])
    table = Table(title="a cell of 500 parts, one changed at a time", title_justify="left")
    for heading in ("contestant", "move and ask, us", "remove and add, us", "verdicts that differ"):
        table.add_column(heading, justify="left" if heading == "contestant" else "right")
    for name, asked, swapped, differ in rows:
        told = "-" if asked is None else f"{1e6 * asked:.2f}"
        table.add_row(name, told, f"{1e6 * swapped:.2f}", str(differ))
    common.show(table)
    return {"rows": rows}


PARTS = {"assembly": assembly, "boxes": boxes, "cell": cell}


def main() -> None:
    """Runs the parts that were asked for."""
    made = common.parser(__doc__, 5)
    made.add_argument("--parts", default=",".join(PARTS))
    made.add_argument("--bodies", type=int, default=1000)
    made.add_argument("--frames", type=int, default=10)
    made.add_argument("--judged", type=int, default=3, help="frames that are asked pair by pair, too")
    made.add_argument("--boxes", default="100000,1000000")
    made.add_argument("--moves", type=int, default=1000)
    quick = {"bodies": 150, "frames": 3, "boxes": "10000", "moves": 100, "repetitions": 2}
    settings = common.parsed(made, quick)
    common.run_parts("world", PARTS, settings, lambda title, lines: Table(title=title))


if __name__ == "__main__":
    main()

"""W2: how many pairs of boxes of two chains overlap, in every frame of a motion."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.articulated.frames import CASES, EXTENTS, LENGTH, Motion, make_motion
from benchmarks.articulated.peers import HALF, REACH
from benchmarks.chain.run import Target, tabulate
from elbowroom.articulated import Refit

Counts = NDArray[np.int64]
CALLS, ARRAY = "elbowroom, calls", "elbowroom, array"
NUMBA, EARLY, COAL = "numba, all axes", "numba, early exit", "coal"
PAPERS: tuple[Refit, ...] = ("cab", "cab-sum", "obb", "aabb", "aabb-all", "none")
TOUCHING = 1e-6  # frames in which a pair is so near to touching are not compared
ALWAYS = 16  # links of the chains that everybody is asked about


class Elbowroom:
    """place, place, collide: one call a frame."""

    def __init__(self, motion: Motion, refit: Refit = "auto") -> None:
        self.a, self.b = (chain_of_boxes(motion.links, refit) for _ in range(2))
        self.poses = motion.poses
        self.frames = list(zip(*self.poses, strict=True))

    def run(self) -> Any:
        a, b, collide, found = self.a, self.b, er.collide, []
        for first, second in self.frames:
            a.place(first)
            b.place(second)
            found.append(len(collide(a, b, every=True)))
        return found


class ElbowroomArray(Elbowroom):
    """All frames in one call; the pairs come as one list, with the frame that each belongs to."""

    threads = 1

    def run(self) -> Any:
        self.a.place(self.poses[0])
        self.b.place(self.poses[1])
        answer = er.collide(self.a, self.b, every=True, threads=self.threads)
        return np.bincount(answer.frames, minlength=len(self.frames))


class ElbowroomThreads(ElbowroomArray):
    threads = common.cores()


def chain_of_boxes(links: int, refit: Refit) -> er.Articulated:
    """Boxes along x, each hanging by its end on the end of the one before."""
    end = er.Pose(translation=[LENGTH, 0, 0])
    made = [er.Link(f"link {k}", er.Box(EXTENTS)) for k in range(links)]
    joints = [
        er.Joint(f"joint {k}", "spherical", f"link {k - 1}", f"link {k}", origin=end) for k in range(1, links)
    ]
    return er.Articulated(made, joints, refit=refit)


def _papers(refit: Refit) -> Callable[[Motion], Any]:
    return lambda motion: ElbowroomArray(motion, refit)


def _peer(name: str) -> Callable[[Motion], Any]:
    """Its packages are imported when the peer is made: they may be absent."""
    return lambda motion: getattr(import_module("benchmarks.articulated.peers"), name)(motion)


CONTESTANTS: dict[str, Callable[[Motion], Any]] = {
    CALLS: Elbowroom,
    ARRAY: ElbowroomArray,
    f"elbowroom, {common.cores()} threads": ElbowroomThreads,
    **{f"elbowroom {refit}, array": _papers(refit) for refit in PAPERS},
    NUMBA: _peer("NumbaAllAxes"),
    EARLY: _peer("Numba"),
    f"{EARLY}, array": _peer("NumbaFrames"),
    COAL: _peer("Coal"),
    "fcl": _peer("Fcl"),
    "mujoco": _peer("Mujoco"),
    "pybullet": _peer("PyBullet"),
}
SMALL_ONLY = (NUMBA, f"{EARLY}, array", "fcl", "mujoco", "pybullet", "elbowroom none, array")


def present(names: Sequence[str]) -> list[str]:
    """Try everybody on two frames, which also compiles; who lacks a package is named and left out."""
    motion, able = make_motion("wave", 2, 2), []
    for name in names:
        try:
            CONTESTANTS[name](motion).run()
            able.append(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return able


def frames_of(links: int, settings: argparse.Namespace) -> int:
    """As many boxes in all at every size, and at least so many frames that the motion is seen."""
    count: int = settings.frames * ALWAYS // links
    return max(count, int(settings.fewest))


def oracle(motion: Motion) -> tuple[Counts, NDArray[np.bool_]]:
    """Overlapping pairs in each frame by all axes, and whether no pair is near to touching."""
    judge = import_module("benchmarks.articulated.boxes").judge
    wide = REACH + 2.0 * TOUCHING
    told = [judge(r, c, HALF, wide) for r, c in zip(motion.rotations, motion.centres, strict=True)]
    counts, near = zip(*told, strict=True)
    return np.array(counts), np.array(near) > TOUCHING


def ask(case: str, links: int, names: Sequence[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One motion: everybody in turn, then who counted otherwise than the oracle."""
    motion = make_motion(case, links, frames_of(links, settings))
    able = [name for name in names if links <= ALWAYS or name not in SMALL_ONLY]
    runs = {name: CONTESTANTS[name](motion).run for name in able}
    timings = common.measure(runs, settings.repetitions)
    counts, clear = oracle(motion)
    times = {name: 1e6 * timing.seconds / len(motion) for name, timing in timings.items()}
    rows = [{**ratios(name, times), **wrong(timings[name].answers, counts, clear)} for name in timings]
    left = f"; {np.sum(~clear)} frames not compared" if not clear.all() else ""
    title = f"{case}: two chains of {links}, {len(motion)} frames, {counts.mean():.1f} pairs a frame{left}"
    common.show(tabulate(title, rows))
    return {"case": case, "links": links, "frames": len(motion), "pairs": float(counts.mean()), "rows": rows}


def ratios(name: str, times: Mapping[str, float]) -> dict[str, Any]:
    """Microseconds a frame, and how many times as long as ours."""
    own, calls, array = times[name], times.get(CALLS, math.nan), times.get(ARRAY, math.nan)
    return {"contestant": name, "us": own, "over calls": own / calls, "over array": own / array}


def wrong(answers: common.Array, counts: Counts, clear: NDArray[np.bool_]) -> dict[str, int]:
    """Frames with another number of pairs, and the pairs too few and too many in them."""
    off = (answers.astype(np.int64) - counts)[clear]
    return {
        "wrong": int(np.sum(off != 0)),
        "missed": int(-off[off < 0].sum()),
        "extra": int(off[off > 0].sum()),
    }


def run(settings: argparse.Namespace) -> dict[str, Any]:
    names = present(common.chosen(CONTESTANTS, settings.only))
    sizes = [int(word) for word in settings.links.split(",")]
    cases = [case for case in CASES if case in settings.cases.split(",")]
    tables = [ask(case, links, names, settings) for links in sizes for case in cases]
    return {"tables": tables, "targets": targets(tables)}


def targets(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was predicted of sixteen boxes, calls against calls, beside what is seen now."""
    lines = []
    for table in tables:
        seen = {row["contestant"]: row["over calls"] for row in table["rows"]}
        for rival, least in ((NUMBA, 8.0), (COAL, 100.0)) if table["links"] == ALWAYS else ():
            name = f"{table['case']}: {rival} over our calls"
            lines.append(Target(name, seen.get(rival, math.nan), at_least=least).shown())
    return lines

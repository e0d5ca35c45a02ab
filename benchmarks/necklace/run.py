"""Necklaces: every bead moves in every frame. Does the necklace touch itself, and which beads are closest?

Real motion (adenylate kinase), a line that rolls up into a spiral, random coils and a compact cube in
Brownian motion. A frame is `move` and one question. Peers start anew each frame or keep a list with slack.

    python -m benchmarks.necklace.run --json necklace.json
    python -m benchmarks.necklace.run --quick
    python -m benchmarks.necklace.run --sets coil,cube --only "elbowroom boxes,Verlet" --questions distance
    python -m benchmarks.necklace.run --sets adk --trajectory frames.npz
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.necklace import builds, contest, data, trajectories
from benchmarks.necklace.contest import GRID, KDTREE, OURS, SORTED, VERLET, VESIN, Trace
from benchmarks.necklace.data import SPEEDS, Motion
from benchmarks.necklace.seekers import Question

OVER_TREE, OVER_LIST = 40.0, 3.0  # targets: cKDTree, and the better of the grid and the Verlet list
RIVALS = (KDTREE, VESIN, GRID, VERLET, SORTED)
SPIRALS, COILS = (500, 5_000, 50_000, 500_000), (8_000, 65_000, 100_000)
QUICK = {"sets": "spiral-500,coil-8000,cube", "frames": 10, "repetitions": 1, "seconds": 0.2, "builds": False}

Make = Callable[[argparse.Namespace], Motion]


def frames(beads: int, settings: argparse.Namespace) -> int:
    """Fewer of large necklaces."""
    return int(np.clip(settings.points // beads, contest.FEWEST + 1, settings.frames))


def _spiral(beads: int, tight: bool, settings: argparse.Namespace) -> Motion:
    return data.spiral(beads, frames(beads, settings), tight=tight)


def _coil(beads: int, speed: str, settings: argparse.Namespace) -> Motion:
    return data.coil(beads, frames(beads, settings), speed)


SETS: dict[str, Make] = {
    "adk-heavy": lambda settings: trajectories.heavy_atoms(trajectories.load(settings.trajectory)),
    "adk-backbone": lambda settings: trajectories.backbone(trajectories.load(settings.trajectory)),
    **{f"spiral-{beads}": partial(_spiral, beads, False) for beads in SPIRALS},
    **{f"tight-{beads}": partial(_spiral, beads, True) for beads in SPIRALS[1:]},
    **{f"coil-{beads}-{speed}": partial(_coil, beads, speed) for beads in COILS for speed in SPEEDS},
    "cube-10000": lambda settings: data.cube(10_000, frames(10_000, settings)),
}


def motions(names: Sequence[str], settings: argparse.Namespace) -> Iterator[tuple[str, Motion]]:
    """One at a time: some are large. What cannot be had is named and left out."""
    for name in names:
        try:
            made = SETS[name](settings)
        except ImportError as missing:
            print(f"{name} is left out: {missing}; --trajectory FILE reads the frames from a file")
            continue
        yield name, made


def ask(name: str, motion: Motion, question: Question, settings: argparse.Namespace) -> dict[str, Any]:
    """One motion and question: everybody in turn, then who answered otherwise."""
    names = [one for one in settings.able if contest.takes_part(one, motion, settings.diagrams)]
    clock, count = contest.CLOCKS[settings.clock], settings.repetitions
    traces = contest.rounds(names, motion, question, settings.seconds, count, clock)
    found = contest.compare(traces, motion, question, settings.judge)
    rows = [row(one, traces, motion) | contest.wrong(found[one]) for one in names]
    checked = check(next(iter(traces.values())), motion, question, settings.oracle)
    title = f"{name}, {question}: {motion.beads} beads, {len(motion)} frames; microseconds a frame"
    title += f"; {checked['unlike oracle']} of {checked['asked']} unlike oracle"
    common.show(tabulate(title, rows), [one for some in found.values() for one in some])
    return {"set": name, "question": question, "beads": motion.beads, "rows": rows, **checked, **kept(traces)}


def kept(traces: Mapping[str, Trace]) -> dict[str, Any]:
    """What our necklaces counted: how many frames went by the tree and by the list, and so on."""
    return {"counters": {name: trace.counters for name, trace in traces.items() if trace.counters}}


def row(name: str, traces: Mapping[str, Trace], motion: Motion) -> dict[str, Any]:
    """One contestant, and ours: over the same first frames where these are unlike the others, else over all.

    Our list lives for many frames, and few frames might not show what it costs to make one.
    """
    trace, ours = traces[name], traces.get(OURS, Trace())
    own = trace.microseconds(trace.frames)
    same = ours.microseconds(ours.frames if motion.steady else trace.frames)
    return {
        "contestant": name,
        "frames": trace.frames,
        "us": own,
        "ours, us": same,
        "over ours": own / same,
        "wrong pairs": contest.wrong_pairs(trace, motion),
    }


def check(trace: Trace, motion: Motion, question: Question, count: int) -> dict[str, int]:
    """The base against the oracle at some frames, those where nobody differed among them."""
    given = contest.values(trace.longest)
    asked = np.unique(np.linspace(0, len(given) - 1, count).astype(int))
    truths = np.array([contest.oracle(motion, question, int(k)) for k in asked])
    unlike = np.abs(np.maximum(given[asked], 0.0) - truths) > contest.EXACT
    return {"asked": len(asked), "unlike oracle": int(np.sum(unlike))}


def summary(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One line a motion and question: ours in microseconds, and how many times as long the others take."""
    lines = []
    for table in tables:
        rows = {one["contestant"]: one for one in table["rows"]}
        over = {one: rows.get(one, {}).get("over ours", math.nan) for one in RIVALS}
        better = min((over[one] for one in (GRID, VERLET) if not math.isnan(over[one])), default=math.nan)
        name, ours = f"{table['set']}, {table['question']}", rows.get(OURS, {}).get("us", math.nan)
        reached = {
            f"{OVER_TREE:g} x cKDTree": Target(name, over[KDTREE], at_least=OVER_TREE).shown()["reached"],
            f"{OVER_LIST:g} x grid, Verlet": Target(name, better, at_least=OVER_LIST).shown()["reached"],
        }
        lines.append({"name": name, "ours, us": ours, **over, **reached})
    return lines


def options() -> argparse.Namespace:
    made = common.parser(__doc__, repetitions=3)
    made.add_argument("--rounds", type=int, dest="repetitions", default=argparse.SUPPRESS, help="the same")
    made.add_argument("--sets", default="", help=f"beginnings of names, of: {', '.join(SETS)}")
    made.add_argument("--questions", default=",".join(contest.QUESTIONS))
    made.add_argument("--trajectory", type=Path, metavar="FILE", help=".npz: xyz, name, resid of heavy atoms")
    made.add_argument("--frames", type=int, default=100, help="of all but large necklaces")
    made.add_argument("--points", type=int, default=5_000_000, help="beads times frames, at most about")
    made.add_argument("--seconds", type=float, default=0.25, help="about the longest turn of a contestant")
    made.add_argument("--clock", choices=list(contest.CLOCKS), default="wall", help="processor if it is busy")
    made.add_argument("--diagrams", type=int, default=10_000, help="beads of power diagrams, at most")
    made.add_argument("--oracle", type=int, default=2, help="frames at which the oracle is asked")
    made.add_argument("--builds", action=argparse.BooleanOptionalAction, default=True, help="making them")
    return common.parsed(made, QUICK)


def named(words: str) -> list[str]:
    """The motions with these names or, before a dash, these beginnings of names; all where none is given."""
    wanted = [word.strip() for word in words.split(",") if word.strip()]
    found = [name for name in SETS if not wanted or any(f"{name}-".startswith(f"{word}-") for word in wanted)]
    if not found:
        raise SystemExit(f"no set is called {words!r}; there are: {', '.join(SETS)}")
    return found


def main() -> None:
    settings = options()
    wanted = named(settings.sets)
    settings.able = contest.present(common.chosen(contest.CONTESTANTS, settings.only))
    questions = [one for one in contest.QUESTIONS if one in settings.questions.split(",")]
    made = builds.run(settings.repetitions) if settings.builds and OURS in settings.able else []
    tables = [
        ask(name, motion, question, settings)
        for name, motion in motions(wanted, settings)
        for question in questions
    ]
    lines = summary(tables)
    if lines:
        common.show(tabulate("all motions: how many times as long as ours, and the targets", lines))
    whole = {"tables": tables, "summary": lines, "builds": made}
    common.save(settings.json, "necklace", vars(settings), whole)


if __name__ == "__main__":
    main()

"""RRT-Connect on three generated puzzles: every motion proved, beside OMPL with Coal at sampled states.

python -m benchmarks.motion.puzzles --seconds 20 --seeds 3 --json puzzles.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks.mesh.run import coal_mesh
from elbowroom.scenes import Puzzle

PUZZLES = {
    "interlocked tubes": er.scenes.interlocked_tubes,
    "twisted bar": er.scenes.twisted_bar,
    "furnished rooms": er.scenes.furnished_rooms,
}
STRETCH = 1000  # attempts between two looks at the clock
Row = dict[str, Any]


def proved(method: str) -> Callable[[Puzzle, int, float], Row]:
    """`er.planning.RRTConnect` with every motion proved by a method."""

    def plan(puzzle: Puzzle, seed: int, seconds: float) -> Row:
        checker = checker_of(puzzle, method)
        space = er.planning.RigidSpace(puzzle.low, puzzle.high)
        planner = er.planning.RRTConnect(space, checker, start=puzzle.start, goal=puzzle.goal, seed=seed)
        begin = process_time()
        path = planner.solve(attempts=STRETCH, progress=False)
        while not path.found and process_time() - begin < seconds:
            path = planner.solve(attempts=STRETCH, progress=False)
        return judged(puzzle, path.states, path.found, process_time() - begin, path.attempts)

    return plan


def checker_of(puzzle: Puzzle, method: str = "auto") -> er.MotionChecker:
    return er.MotionChecker(er.Mesh(*puzzle.body), er.Mesh(*puzzle.world), method=method)


def judged(puzzle: Puzzle, states: Any, found: bool, seconds: float, attempts: int, **more: float) -> Row:
    """How many motions of a path collide, by an exact check of each; `attempts` are motions tried."""
    checker = checker_of(puzzle)
    wrong = sum(checker.free(a, b) is not True for a, b in pairwise(states)) if found else 0
    motions = max(len(states) - 1, 0) if found else 0
    row = {"found": found, "seconds": seconds, "attempts": attempts, "motions": motions, "collide": wrong}
    return {**row, **more}


def sampled(puzzle: Puzzle, seed: int, seconds: float) -> Row:
    """OMPL's RRT-Connect with its default spacing of states (1% of the extent), each checked by Coal."""
    base, geometric, coal = (import_module(name) for name in ("ompl.base", "ompl.geometric", "coal"))
    exact: Any = import_module("elbowroom.planning.ompl")
    body, world = coal_mesh(*puzzle.body), coal_mesh(*puzzle.world)
    made = geometric.SimpleSetup(exact.setup(checker_of(puzzle), puzzle.low, puzzle.high).getStateSpace())
    space, fixed = made.getStateSpace(), coal.Transform3s()

    class Validity(base.StateValidityChecker):  # type: ignore[misc, name-defined]
        asked = 0
        spent = 0.0

        def isValid(self, state: Any) -> bool:
            self.asked += 1
            pose = exact.from_ompl(space, state)
            placed, result = coal.Transform3s(pose[:3, :3], pose[:3, 3]), coal.CollisionResult()
            if not space.satisfiesBounds(state):
                return False
            begin = process_time()
            hit = coal.collide(body, placed, world, fixed, coal.CollisionRequest(), result)
            self.spent += process_time() - begin
            return not hit

    validity = Validity(made.getSpaceInformation())
    made.setStateValidityChecker(validity)
    made.setPlanner(geometric.RRTConnect(made.getSpaceInformation()))
    made.setStartAndGoalStates(*(exact.to_ompl(space, end) for end in (puzzle.start, puzzle.goal)))
    begin = process_time()
    late = base.PlannerTerminationCondition(lambda: process_time() - begin > seconds)
    status = made.solve(late).getStatus()
    spent = process_time() - begin
    found = status == base.PlannerStatus.EXACT_SOLUTION
    states = [exact.from_ompl(space, s) for s in made.getSolutionPath().getStates()] if found else []
    tried = made.getSpaceInformation().getMotionValidator().getCheckedMotionCount()
    return judged(puzzle, states, found, spent, tried, looks=validity.asked, in_coal=validity.spent)


PLANNERS = {
    "elbowroom, auto": proved("auto"),
    "elbowroom, isotropic": proved("isotropic"),
    "elbowroom, swept": proved("swept"),
    "OMPL, states by Coal": sampled,
}


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--seconds", type=float, default=20.0, help="of the processor, for a run")
    made.add_argument("--seeds", type=int, default=3)
    made.add_argument("--only", default="", help="planners whose name contains this")
    made.add_argument("--json", type=Path)
    settings = made.parse_args()
    rows = []
    print(
        f"{'puzzle':18} {'planner':22} {'solved':>6} {'median s':>8} {'attempts':>9} {'motions':>8}  collide"
    )
    for name, puzzle in PUZZLES.items():
        for planner, plan in PLANNERS.items():
            if settings.only not in planner:
                continue
            runs = [plan(puzzle(), seed, settings.seconds) for seed in range(settings.seeds)]
            rows += [{"puzzle": name, "planner": planner, "seed": k, **run} for k, run in enumerate(runs)]
            seconds, attempts = (np.median([run[key] for run in runs]) for key in ("seconds", "attempts"))
            solved, motions, wrong = (
                sum(run[key] for run in runs) for key in ("found", "motions", "collide")
            )
            print(
                f"{name:18} {planner:22} {solved:6} {seconds:8.2f} {attempts:9.0f} {motions:8} {wrong:7}",
                flush=True,
            )
    if settings.json:
        settings.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

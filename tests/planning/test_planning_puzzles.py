"""The generated puzzles are solved by the default method, and samples of the paths are apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes
from elbowroom.planning import RigidSpace, RRTConnect

#: A puzzle, smaller than its default where that takes long, and a seed that solves it after few attempts.
PUZZLES: dict[str, tuple[Callable[[], scenes.Puzzle], int]] = {
    "interlocked tubes": (lambda: scenes.interlocked_tubes(gap=2.0, segments=24, sides=6), 0),
    "twisted bar": (scenes.twisted_bar, 3),
    "furnished rooms": (lambda: scenes.furnished_rooms(detail=6), 3),
}
SAMPLES = 60  # of each motion of a path


@pytest.mark.parametrize("name", PUZZLES)
def test_a_puzzle_is_solved_and_samples_of_its_path_are_apart(name: str) -> None:
    make, seed = PUZZLES[name]
    puzzle = make()
    body, world = er.Mesh(*puzzle.body), er.Mesh(*puzzle.world)
    checker = er.MotionChecker(body, world)
    assert checker.method == "auto"
    assert checker.free(puzzle.start, puzzle.goal) is False  # there is something to solve

    space = RigidSpace(puzzle.low, puzzle.high)
    planner = RRTConnect(space, checker, start=puzzle.start, goal=puzzle.goal, seed=seed)
    path = planner.solve(attempts=20_000)

    assert path.found
    np.testing.assert_array_equal(path.states[[0, -1]], [puzzle.start, puzzle.goal])
    for start, goal in pairwise(path.states):
        poses = er.Motion(start, goal).at(np.linspace(0, 1, SAMPLES))
        assert er.distance(body, world, poses).values.min() > 0

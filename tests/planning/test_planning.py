"""Planners: every motion of a tree is proved anew, and paths lead from start to goal, if there are any."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from planning_scenes import (
    ARM_GOAL,
    ARM_START,
    LEFT,
    RIGHT,
    ROD,
    arm_among_discs,
    discs,
    locked_in,
    maze,
    planar_arm,
    rod_in_maze,
)

import elbowroom as er
from elbowroom.planning import RRT, Path, RigidSpace, RRTConnect, Tree

METRICS: dict[str, dict[str, Any]] = {
    "position": {},
    "weighted": {"metric": "weighted", "weight": 1.0},
    "hourglass": {"metric": "hourglass", "radius": 1.6},
    "hourglass and area": {"metric": "hourglass", "radius": 1.6, "weight": 4.0},
}


def hook_scene(metric: str = "position") -> tuple[RigidSpace, er.MotionChecker]:
    """The paper's tetrahedra, a box of the world about them, and the hook."""
    legs = [(er.Box(extents), er.Pose(translation=centre)) for extents, centre in er.scenes.hook()]
    obstacles = er.Group([er.Convex(corners) for corners in er.scenes.tetrahedra()])
    space = RigidSpace([30] * 3, [70] * 3, **METRICS[metric])
    return space, er.MotionChecker(er.Group(legs), obstacles)


ROOT = er.Pose(translation=[50, 50, 50])


def free_root(space: RigidSpace, checker: er.MotionChecker) -> np.ndarray:
    states = space.sample(np.random.default_rng(99), 200)
    return np.array(next(state for state in states if checker.valid(state)))


def leads(path: Path, start: Any, goal: Any) -> bool:
    first, last = (np.asarray(getattr(end, "matrix", end)) for end in (start, goal))
    return np.array_equal(path.states[0], first) and np.array_equal(path.states[-1], last)


# Trees.


@pytest.mark.parametrize("metric", METRICS)
def test_every_motion_of_a_tree_is_free_and_begins_at_the_nearest_node(metric: str) -> None:
    space, checker = hook_scene(metric)
    tree = RRT(space, checker, start=free_root(space, checker), seed=2).grow(nodes=300)
    assert len(tree) == 300 and tree.parents[0] == -1 and (tree.parents[1:] < np.arange(1, 300)).all()
    for i in range(1, 300):
        distances = space.distances(np.repeat(tree.states[i][None], i, axis=0), tree.states[:i])
        assert distances[tree.parents[i]] == pytest.approx(distances.min(), rel=1e-9, abs=1e-9)
    body, obstacles = checker.body, checker.obstacles
    motions = er.Motion(tree.states[tree.parents[1:]], tree.states[1:])
    assert er.check(body, motions, obstacles).free.all()
    assert tree.certificates(checker).free.all()


def test_the_tree_is_that_of_a_plain_loop() -> None:
    """The paper's algorithm, written down as it is stated there."""
    space, checker = hook_scene()
    start = free_root(space, checker)
    rng, nodes, parents, attempts = np.random.default_rng(5), [start], [-1], 0
    while len(nodes) < 150:
        sample = space.sample(rng)
        near = int(np.argmin([np.linalg.norm(node[:3, 3] - sample[:3, 3]) for node in nodes]))
        attempts += 1
        if er.check(checker.body, er.Motion(nodes[near], sample), checker.obstacles).free:
            nodes.append(sample)
            parents.append(near)
    tree = RRT(space, checker, start=start, seed=5).grow(nodes=150)
    assert np.array_equal(tree.states, nodes) and tree.parents.tolist() == parents
    assert tree.attempts == attempts


def same(a: Tree, b: Tree) -> bool:
    return (
        np.array_equal(a.states, b.states)
        and np.array_equal(a.parents, b.parents)
        and a.attempts == b.attempts
    )


@pytest.mark.parametrize("step", [None, 3.0])
def test_the_same_seed_gives_the_same_tree_however_it_is_grown(step: float | None) -> None:
    space, checker = hook_scene()
    start = free_root(space, checker)

    def rrt(seed: int) -> RRT:
        return RRT(space, checker, start=start, seed=seed, step=step)

    once, in_parts = rrt(1).grow(nodes=200), rrt(1)
    in_parts.grow(nodes=50)
    in_parts.grow(attempts=7)
    assert same(once, in_parts.grow(nodes=200))
    assert same(once, rrt(1).grow(nodes=200, record=True))
    assert not same(once, rrt(2).grow(nodes=200))


def test_steps_are_as_long_as_allowed() -> None:
    space, checker = hook_scene("weighted")
    tree = RRT(space, checker, start=free_root(space, checker), step=2.5).grow(nodes=200)
    assert tree.lengths.max() == pytest.approx(2.5, rel=1e-9)
    assert np.median(tree.lengths) == pytest.approx(2.5, rel=1e-9)  # most samples are farther away
    assert tree.certificates(checker).free.all()


def test_a_record_tells_what_was_tried() -> None:
    space, checker = hook_scene()
    checker.free(ROOT, ROOT)  # what was counted before does not matter
    tree = RRT(space, checker, start=free_root(space, checker)).grow(nodes=100, record=True)
    tried = tree.tried
    assert tried is not None and len(tried) == tree.attempts and tried.connected.sum() == 99
    assert np.array_equal(tried.goals[tried.connected], tree.states[1:])
    assert np.array_equal(tried.nearest[tried.connected], tree.parents[1:])
    fresh = er.MotionChecker(checker.body, checker.obstacles)
    for i in range(0, len(tried), 9):
        before = fresh.counters.distance_calls
        assert fresh.free(tree.states[tried.nearest[i]], tried.goals[i]) == tried.connected[i]
        assert fresh.counters.distance_calls - before == tree.distance_calls[i]
    assert tried.lengths[tried.connected] == pytest.approx(tree.lengths[1:])
    plain = RRT(space, checker, start=free_root(space, checker)).grow(nodes=10)
    with pytest.raises(ValueError, match="record=True"):
        _ = plain.distance_calls


def test_limits_end_the_growth() -> None:
    space, checker = hook_scene()
    rrt = RRT(space, checker, start=free_root(space, checker))
    assert rrt.grow(attempts=0).attempts == 0
    assert rrt.grow(attempts=33).attempts == 33
    assert rrt.grow(nodes=1).attempts == 33  # there are as many already
    assert rrt.grow(seconds=0).attempts == 33
    tree = rrt.grow(seconds=0.05)
    assert tree.attempts > 33 and 0.05 <= tree.seconds < 1.0
    assert len(rrt.grow(nodes=len(tree) + 5, attempts=100_000)) == len(tree) + 5


def test_a_tree_without_room_is_given_up() -> None:
    checker = locked_in()
    rrt = RRT(RigidSpace([-0.1, 0, 0], [9e9, 0, 0]), checker, start=er.Pose())
    tree = rrt.grow(nodes=2)
    assert len(tree) == 1 and tree.attempts == 2000
    with pytest.raises(ValueError, match="one state, and no motion"):
        tree.certificates(checker)
    assert tree.lengths.tolist() == [0.0] and tree.depths.tolist() == [0] and tree.plot()


def test_a_tree_of_configurations() -> None:
    space, checker = arm_among_discs()
    tree = RRT(space, checker, start=ARM_START, seed=1).grow(nodes=300)
    assert tree.states.shape == (300, 3)
    assert tree.certificates(checker).free.all()
    paths = np.stack([tree.states[tree.parents[1:]], tree.states[1:]], axis=1)
    assert er.check(planar_arm(), paths, discs()).free.all()
    depths = tree.depths
    assert depths[0] == 0 and (depths[1:] == depths[tree.parents[1:]] + 1).all()
    deepest = int(np.argmax(depths))
    assert len(tree.way(deepest)) == depths[deepest] + 1
    assert np.array_equal(tree.way(deepest)[[0, -1]], tree.states[[0, deepest]])


# Paths.


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("metric", ["position", "weighted"])
@pytest.mark.parametrize("planner", [RRT, RRTConnect])
def test_a_rod_finds_its_way_through_a_maze(planner: Any, metric: str, seed: int) -> None:
    space, checker = rod_in_maze(**METRICS[metric])
    assert not checker.free(LEFT, RIGHT)
    path = planner(space, checker, start=LEFT, goal=RIGHT, seed=seed, step=2.0).solve(attempts=20_000)
    assert path.found and path and leads(path, LEFT, RIGHT)
    assert path.certificate.free is True
    for a, b in zip(path.states[:-1], path.states[1:], strict=True):
        certificate = er.check(ROD, er.Motion(a, b), maze())
        assert certificate.free is True
        certificate.verify()
    again = planner(space, checker, start=LEFT, goal=RIGHT, seed=seed, step=2.0).solve(attempts=20_000)
    assert np.array_equal(path.states, again.states)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("planner", "step"), [(RRT, None), (RRT, 0.5), (RRTConnect, None), (RRTConnect, math.inf)]
)
def test_an_arm_reaches_around_discs(planner: Any, step: float | None, seed: int) -> None:
    space, checker = arm_among_discs()
    assert not checker.free(ARM_START, ARM_GOAL)
    path = planner(space, checker, start=ARM_START, goal=ARM_GOAL, seed=seed, step=step).solve(
        attempts=20_000
    )
    assert path.found and leads(path, ARM_START, ARM_GOAL)
    certificate = er.check(planar_arm(), path.states, discs())
    assert certificate.free is True and path.certificate.free is True
    certificate.verify()


def test_the_trees_of_a_path_hold_it() -> None:
    space, checker = arm_among_discs()
    path = RRTConnect(space, checker, start=ARM_START, goal=ARM_GOAL).solve()
    one, other = path.trees
    held = np.concatenate([one.states, other.states])
    assert all((np.abs(held - state).max(axis=1) == 0).any() for state in path.states)
    assert np.array_equal(one.states[0], ARM_START) and np.array_equal(other.states[0], ARM_GOAL)
    assert one.certificates(checker).free.all() and other.certificates(checker).free.all()


def test_nothing_is_found_where_there_is_no_way() -> None:
    checker, space = locked_in(), RigidSpace([-6] * 3, [6] * 3)
    for planner in (RRT, RRTConnect):
        search = planner(space, checker, start=er.Pose(), goal=er.Pose(translation=[5, 0, 0]))
        path = search.solve(attempts=500)
        assert not path.found and not path and len(path) == 0 and path.attempts == 500
        assert "none found in 500 attempts" in repr(path)
        for ask in (lambda path=path: path.certificate, lambda path=path: path.at(0.5), path.shortened,
                    lambda path=path: path.to_csv("nowhere.csv"), path.plot):  # fmt: skip
            with pytest.raises(ValueError, match="none was found"):
                ask()
        for tree in path.trees:
            assert tree.certificates(checker).free.all()


def test_a_search_goes_on_where_it_was_left() -> None:
    space, checker = rod_in_maze()
    for planner in (RRT, RRTConnect):
        options: dict[str, Any] = {"start": LEFT, "goal": RIGHT, "seed": 1, "step": 2.0}
        at_once, in_parts = (planner(space, checker, **options) for _ in range(2))
        assert not in_parts.solve(attempts=20).found
        found, later = at_once.solve(), in_parts.solve()
        assert found.found and later.found
        if planner is RRTConnect:
            assert np.array_equal(found.states, later.states) and later.attempts == found.attempts


def test_what_is_in_sight_is_reached_at_once() -> None:
    space, checker = rod_in_maze()
    near = er.Pose(translation=[-7, 1, 1])
    path = RRTConnect(space, checker, start=LEFT, goal=near).solve()
    assert len(path) == 2 and path.attempts == 0 and path.certificate.free is True
    there = RRT(space, checker, start=LEFT, goal=LEFT).solve()
    assert there.found and len(there) == 1 and there.length == 0 and there.certificate.free is True
    assert len(RRTConnect(space, checker, start=LEFT, goal=LEFT).solve()) == 2


def test_near_the_goal_is_enough_if_that_was_said() -> None:
    space, checker = arm_among_discs()
    exact = RRT(space, checker, start=ARM_START, goal=ARM_GOAL, goal_bias=0.0, seed=1)
    assert not exact.solve(attempts=300).found  # nothing drawn at random is the goal itself
    near = RRT(space, checker, start=ARM_START, goal=ARM_GOAL, goal_bias=0.0, goal_tolerance=0.4, seed=1)
    path = near.solve(attempts=20_000)
    assert path.found and 0 < space.distance(path.states[-1], ARM_GOAL) <= 0.4


def test_nodes_limit_a_search() -> None:
    space, checker = rod_in_maze()
    path = RRT(space, checker, start=LEFT, goal=RIGHT, seed=1).solve(nodes=30)
    assert not path.found and len(path.trees[0]) >= 30 and path.trees[0].attempts < 2000

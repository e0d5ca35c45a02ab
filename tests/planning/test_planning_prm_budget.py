"""Roadmaps on a budget for true: two springs, as in the experiment of [Lin2006], and an arm among discs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from planning_scenes import ARM_GOAL, ARM_START, arm_among_discs, discs, planar_arm

import elbowroom as er
from elbowroom.planning import PRM, Budgeted, Discrete, RigidSpace, RoadmapPath


def springs(budget: int, seed: int = 0, *, nodes: int = 12, **more: Any) -> tuple[Budgeted, PRM]:
    """Two springs, as many tests for each configuration as were said."""
    coil = er.Mesh(*er.scenes.spring())

    def ask(pose: Any, **how: Any) -> er.Collision:
        return er.collide(coil, coil, pose_b=pose, **how)

    space = RigidSpace([-7, -7, -7], [7, 7, 7], metric="weighted", weight=2.0)
    checks = Budgeted(
        ask, 0.25, er.Budget(tests=budget), memory=er.Memory(more.pop("method", "auto")), **more
    )
    prm = PRM(space, checks, exact=er.MotionChecker(coil, coil), neighbours=5, seed=seed)
    prm.grow(nodes=nodes)
    return checks, prm


def spring_path(prm: PRM) -> RoadmapPath:
    start, goal = er.scenes.spring_path(100)[[0, -1]]
    return prm.solve(start, goal, attempts=60)


@pytest.mark.parametrize("method", ["auto", "best-first", "depth-first"])
def test_springs_on_a_budget(method: str) -> None:
    checks, prm = springs(60, method=method, record_truth=True)
    path = spring_path(prm)
    assert path.found and path.proved and path.certificate.free is True
    assert path.work.unfinished == checks.unfinished == len(checks.truths) > 0
    assert ((checks.confidences >= 0) & (checks.confidences <= 1)).all()
    assert checks.accepted == (checks.confidences >= 0.9).sum()
    assert f"{checks.unfinished:,} unfinished" in repr(path)


def test_what_a_small_budget_let_pass_is_repaired() -> None:
    checks, prm = springs(20, accept=0.0, first_in_full=False, record_truth=True)
    path = spring_path(prm)
    assert checks.truths.any() and checks.accepted == checks.unfinished
    assert path.work.repaired > 0 and path.found and path.certificate.free is True


def test_springs_on_a_budget_that_is_enough_are_springs_asked_in_full() -> None:
    coil = er.Mesh(*er.scenes.spring())
    checks, prm = springs(10**6)
    plain = PRM(prm.space, Discrete(lambda pose: er.collide(coil, coil, pose_b=pose), 0.25), exact=False,
                neighbours=5)  # fmt: skip
    assert checks.unfinished == 0 and np.array_equal(plain.grow(nodes=12).edges, prm.roadmap.edges)


def test_springs_on_a_budget_are_the_same_every_time() -> None:
    (one, first), (two, second) = (springs(60, accept=0.5) for _ in range(2))
    assert np.array_equal(spring_path(first).states, spring_path(second).states)
    assert np.array_equal(one.confidences, two.confidences) and one.checks == two.checks


def arm_question() -> Any:
    """The arm among discs and with itself, as one question about a configuration."""
    arm, posts = planar_arm(), discs()

    def ask(q: Any, **how: Any) -> Any:
        arm.move(q)
        return er.collide(arm, posts, **how)

    return ask


def test_an_arm_by_samples_and_exactly() -> None:
    space, checker = arm_among_discs()
    path = PRM(space, Discrete(arm_question(), 0.3), exact=checker, seed=1).solve(ARM_START, ARM_GOAL)
    assert path.found and er.check(planar_arm(), path.states, discs()).free is True


def test_an_arm_on_a_budget_of_next_to_nothing() -> None:
    """What ran out passes, and the exact checker sorts it out."""
    space, checker = arm_among_discs()
    checks = Budgeted(arm_question(), 0.3, er.Budget(tests=1), accept=0.0, record_truth=True)
    path = PRM(space, checks, exact=checker, seed=1).solve(ARM_START, ARM_GOAL)
    assert path.found and path.proved and er.check(planar_arm(), path.states, discs()).free is True
    assert path.work.unfinished == checks.unfinished == checks.accepted == len(checks.truths) > 0
    assert checks.truths.any() and path.work.repaired > 0


def test_an_arm_on_a_budget_that_is_enough() -> None:
    space, checker = arm_among_discs()
    plain, ample = Discrete(arm_question(), 0.3), Budgeted(arm_question(), 0.3, er.Budget(tests=10**6))
    one, other = (PRM(space, kind, exact=checker, seed=1).grow(nodes=60) for kind in (plain, ample))
    assert np.array_equal(one.edges, other.edges) and ample.unfinished == 0

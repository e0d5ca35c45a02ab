"""Motions of roadmaps looked at in configurations, in full or on a budget; paths repaired by exact checks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from planning_scenes import locked_in

import elbowroom as er
from elbowroom.planning import PRM, Budgeted, Discrete, JointSpace, RigidSpace
from elbowroom.planning.prm_checks import IN_FULL, coarse_to_fine

LINE = JointSpace([0, 0], [10, 10])
ZERO, TEN = np.array([0.0, 0.0]), np.array([10.0, 0.0])
LEFT, RIGHT = er.Pose(translation=[-2.5, 0, 0]), er.Pose(translation=[2.5, 0, 0])
BALL = er.Sphere(0.1)


def fence(window: float) -> er.Group:
    """So thin that most samples miss it, with a square window in a corner."""
    side = 6.0 - window
    parts = [([0.02, 6.2, side], [0, 0, -window / 2]), ([0.02, side, 6.2], [0, -window / 2, 0])]
    return er.Group([(er.Box(extents), er.Pose(translation=at)) for extents, at in parts])


def by_the_fence(window: float = 1.5, **more: Any) -> PRM:
    """A ball in a room that the fence divides, looked at once in a unit of length."""
    fenced = fence(window)
    samples = Discrete(lambda pose: er.collide(BALL, fenced, pose), 1.0)
    return PRM(
        RigidSpace([-3] * 3, [3] * 3),
        samples,
        exact=more.pop("exact", er.MotionChecker(BALL, fenced)),
        **more,
    )


# Configurations along a motion.


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 8, 13, 64, 100, 1000])
def test_coarse_to_fine_is_all_numbers_and_spreads_them(parts: int) -> None:
    order = coarse_to_fine(parts).tolist()
    assert sorted(order) == list(range(1, parts))
    for k in (2, 4, 8):  # about as well as so few can
        if len(order) > 4 * k:
            gaps = np.diff(sorted([0, *order[: 2 * k - 1], parts]))
            assert gaps.max() <= 2 * parts / k


@pytest.mark.parametrize("resolution", [0.3, 1.0, 2.5, 9.99, 10.0, 30.0])
def test_samples_are_as_dense_as_was_said(resolution: float) -> None:
    asked: list[float] = []
    checks = Discrete(lambda q: bool(asked.append(q[0])), resolution)
    assert checks.free_between(LINE, ZERO, TEN)
    places = np.array([0.0, *sorted(asked), 10.0])
    assert np.diff(places).max() <= resolution + 1e-12
    assert len(asked) == checks.checks == math.ceil(10 / resolution) - 1


def test_a_collision_ends_the_questions() -> None:
    checks = Discrete(lambda q: 4.4 < q[0] < 5.6, 0.01)
    assert not checks.free_between(LINE, ZERO, TEN) and checks.checks <= 2 and checks.hits == 1
    assert checks.free_between(LINE, ZERO, ZERO) and checks.valid(ZERO) and not checks.valid(TEN / 2)
    checks.reset_counters()
    assert repr(checks) == "<Discrete: resolution 0.01, 0 checks, 0 collisions>"


def test_poses_and_collisions_are_taken() -> None:
    post = er.Mesh(*er.scenes.torus())
    space = RigidSpace([-9] * 3, [9] * 3, metric="weighted", weight=1.0)
    checks = Discrete(lambda pose: er.collide(BALL, post, pose), 0.05)
    start, turned = er.Pose(translation=[-5, 0, 0]).matrix, er.Pose([0, 0, 1, 0], [5, 0, 0]).matrix
    assert not checks.free_between(space, start, turned)
    assert checks.free_between(space, start, er.Pose([0, 0, 1, 0], [-5, 0, 0]).matrix)
    assert checks.hits == 1 and checks.checks > math.pi / 0.05 - 2  # a turn has a length by this metric


@dataclass
class Answer:
    """What a budgeted question says, made up."""

    hit: bool = False
    status: str = "exhausted"
    confidence: float = 1.0

    def __bool__(self) -> bool:
        return self.hit


def test_an_answer_that_ran_out_proves_nothing_to_samples() -> None:
    checks = Discrete(lambda q: Answer(status="out of budget"), 1.0)
    assert not checks.valid(ZERO) and (checks.unfinished, checks.hits) == (1, 0)


# On a budget.


@dataclass
class Oracle:
    """Answers by the first value of a configuration, and remembers who asked."""

    unsure: tuple[float, float] = (3.0, 6.0)
    blocked: tuple[float, float] = (5.5, 5.8)
    confidence: float = 0.96
    asked: list[tuple[float, Any, Any]] = field(default_factory=list)

    def __call__(self, q: Any, budget: Any = None, memory: Any = None) -> Answer:
        self.asked.append((float(q[0]), budget, memory))
        limited = budget is not None and budget is not IN_FULL
        if limited and self.unsure[0] < q[0] < self.unsure[1]:
            return Answer(status="out of budget", confidence=self.confidence - 0.01 * q[0])
        return Answer(hit=bool(self.blocked[0] < q[0] < self.blocked[1]))


def test_unfinished_answers_count_as_free_if_they_are_sure_enough() -> None:
    oracle, budget, memory = Oracle(), er.Budget(tests=5), er.Memory()
    checks = Budgeted(oracle, 1.0, budget, memory=memory, record_truth=True)
    assert checks.free_between(LINE, ZERO, TEN)  # although 5.5 to 5.8 is blocked: no sample is there
    asked = [entry for entry in oracle.asked if entry[1] is not None]
    assert [x for x, _, _ in asked] == pytest.approx(range(11))  # in order, with both ends
    assert [b for _, b, _ in asked] == [IN_FULL] + [budget] * 10 and all(m is memory for _, _, m in asked)
    assert (checks.checks, checks.hits, checks.unfinished, checks.accepted) == (11, 0, 2, 2)
    assert checks.confidences.tolist() == pytest.approx([0.92, 0.91]) and not checks.truths.any()
    assert repr(checks) == (
        "<Budgeted: resolution 1, 11 checks, 0 collisions, 2 unfinished, 2 of them accepted>"
    )


def test_truths_are_recorded_and_change_nothing() -> None:
    for record in (True, False):
        checks = Budgeted(Oracle(), 0.1, er.Budget(tests=5), accept=0.0, record_truth=record)
        assert checks.free_between(LINE, ZERO, TEN) and checks.unfinished == checks.accepted == 29
        if record:
            truths = checks.truths
            assert len(truths) == 29 and np.flatnonzero(truths).tolist() == [25, 26]  # 5.6 and 5.7
        else:
            with pytest.raises(ValueError, match="record_truth=True"):
                _ = checks.truths


def test_what_is_not_sure_enough_is_not_free() -> None:
    checks = Budgeted(Oracle(confidence=0.5), 1.0, er.Budget(tests=5))
    assert not checks.free_between(LINE, ZERO, TEN)
    assert (checks.checks, checks.unfinished, checks.accepted) == (5, 1, 0)
    assert checks.valid(TEN / 2)  # single states are asked about in full
    checks.reset_counters()
    assert (checks.checks, checks.unfinished, checks.confidences.size) == (0, 0, 0)


def test_all_may_be_asked_on_the_budget() -> None:
    oracle, budget = Oracle(confidence=0.5), er.Budget(tests=5)
    checks = Budgeted(oracle, 1.0, budget, first_in_full=False)
    assert checks.valid(ZERO) and not checks.valid(TEN / 2) and not checks.free_between(LINE, ZERO, TEN)
    assert all(asked is budget for _, asked, _ in oracle.asked)


# Roadmaps by samples, and repairs.


@pytest.mark.parametrize("lazy", [False, True])
def test_a_path_by_samples_is_repaired(lazy: bool) -> None:
    prm = by_the_fence(lazy=lazy, seed=1)
    path = prm.solve(LEFT, RIGHT)
    assert path.found and path.proved and path.certificate.free is True
    assert path.work.repaired > 0 and path.work.proofs > path.work.repaired
    assert path.work.checks == prm.checker.checks > 0 == path.work.unfinished
    for words in (f"{path.work.repaired} edges repaired", f"{path.work.checks:,} checks, 0 unfinished"):
        assert words in repr(path)
    assert path.roadmap.proved.sum() < len(path.roadmap.edges)
    proved = path.roadmap.certificates(prm.exact).free
    assert proved[path.roadmap.proved].all() and not proved.all()
    again = prm.query(LEFT, RIGHT)
    assert again.length <= path.length * (1 + 1e-12) and again.certificate.free is True


def test_without_an_exact_checker_a_path_is_not_proved() -> None:
    prm = by_the_fence(exact=False, seed=1)
    path = prm.solve(LEFT, RIGHT)
    assert path.found and not path.proved and path.work.proofs == 0 and "not proved; " in repr(path)
    with pytest.raises(ValueError, match="checker must be given"):
        _ = path.certificate
    truth = [
        er.check(BALL, er.Motion(a, b), fence(1.5)).free
        for a, b in zip(path.states, path.states[1:], strict=False)
    ]
    assert not all(truth)


def test_no_path_is_left_where_samples_saw_one() -> None:
    prm = by_the_fence(window=0.0, neighbours=4, seed=2)
    path = prm.solve(LEFT, RIGHT, attempts=60)
    assert not path.found and path.work.repaired > 0 and path.attempts == 60
    assert "different components" in path.reason or "cannot be connected" in path.reason
    sides = path.roadmap.states[path.roadmap.edges][..., 0, 3] > 0
    crossing = path.roadmap.edges[sides[:, 0] != sides[:, 1]]
    assert len(crossing) == 0 and by_the_fence(window=0.0, exact=False).solve(LEFT, RIGHT, attempts=60).found


def test_samples_may_come_from_the_exact_checker() -> None:
    checker = locked_in()
    prm = PRM(RigidSpace([-6] * 3, [6] * 3), Discrete(lambda p: not checker.valid(p), 0.5), exact=checker)
    assert not prm.solve(er.Pose(), er.Pose(translation=[5, 0, 0]), attempts=100).found


# What is refused by name.


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Discrete(None, 1.0), "ask must be callable with a state, got NoneType"),
        (lambda: Discrete(bool, 0.0), "resolution must be larger than 0"),
        (lambda: Discrete(bool, math.inf), "resolution must be finite"),
        (lambda: Budgeted(bool, 1.0, 500), "budget must be an er.Budget, got int"),
        (lambda: Budgeted(bool, 1.0, er.Budget(tests=5), memory=1), "memory must be an er.Memory, got int"),
        (lambda: Budgeted(bool, 1.0, er.Budget(tests=5), accept=90), "accept must be from 0 to 1, got 90"),
        (lambda: Discrete(lambda q: None, 1.0).valid(ZERO), "ask must answer with an er.Collision or a bool"),
        (
            lambda: Budgeted(lambda q, **how: False, 1.0, er.Budget(tests=5)).valid(ZERO),
            "ask must answer with an er.Collision: a bool has no confidence",
        ),
    ],
)
def test_bad_arguments_are_refused_by_name(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()

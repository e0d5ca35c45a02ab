"""Budgets and memories: what is stated stays true when work is cut short, or when it is remembered."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest

import elbowroom as er

SPRING = er.Mesh(*er.scenes.spring())
TORUS = er.Mesh(*er.scenes.torus(segments=24, sides=12))
WALL = er.Group([(er.Box(0.9), er.Pose(translation=[0, i, j])) for i in range(20) for j in range(20)])
CLOUD = er.Group(
    [(er.Sphere(0.2), er.Pose(translation=p)) for p in np.random.default_rng(0).normal(size=(300, 3)) * 2]
)
SCENES = [(SPRING, TORUS), (WALL, CLOUD), (WALL, SPRING), (CLOUD, CLOUD)]
TESTS = [0, 1, 2, 9, 10, 33, 100, 333, 1000, 10_000, 10**9]


def poses_about(seed: int, count: int, reach: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return nasty.matrices(nasty.rotations(rng, count), rng.uniform(-reach, reach, (count, 3)))


def work(answer: Any) -> tuple[int, int, int]:
    return answer.counters.volume_tests, answer.counters.leaf_tests, answer.counters.pairs_visited


def spent(answer: Any) -> int:
    return int(answer.counters.volume_tests + answer.counters.leaf_tests)


def worth(answer: Any) -> tuple[Any, ...]:
    """What is found; of several pairs at that distance another may be named."""
    return answer.value, answer.lower, answer.upper, answer.status


def told(answer: Any) -> tuple[Any, ...]:
    return (
        answer.value,
        answer.lower,
        answer.upper,
        answer.pair.tolist(),
        answer.points.tolist(),
        answer.status,
        work(answer),
    )


# Budgets.


@pytest.mark.parametrize("scene", range(len(SCENES)))
def test_bounds_stay_true_under_any_budget(scene: int) -> None:
    a, b = SCENES[scene]
    cut = 0
    for pose in poses_about(scene, 12, 8.0):
        full = er.distance(a, b, None, pose)
        for tests in TESTS:
            answer = er.distance(a, b, None, pose, budget=er.Budget(tests=tests))
            assert answer.lower <= full.value and full.lower <= answer.upper and answer.value == answer.upper
            assert np.linalg.norm(answer.points[1] - answer.points[0]) == pytest.approx(
                answer.upper, abs=1e-12
            )
            if answer.status == "out of budget":
                assert spent(answer) >= tests
                cut += 1
            else:
                assert worth(answer) == worth(full)
        assert worth(answer) == worth(full), "the last budget is more than enough"
    assert cut > 12


@pytest.mark.parametrize("scene", range(len(SCENES)))
def test_a_hit_on_a_budget_is_a_hit_and_free_is_a_proof(scene: int) -> None:
    a, b = SCENES[scene]
    for pose in poses_about(100 + scene, 12, 5.0):
        full = er.collide(a, b, None, pose, every=True)
        everyone = {tuple(pair) for pair in full.pairs.tolist()}
        for tests in TESTS:
            answer = er.collide(a, b, None, pose, budget=er.Budget(tests=tests))
            some = er.collide(a, b, None, pose, every=True, depth=True, budget=er.Budget(tests=tests))
            assert answer.status == "out of budget" or bool(answer) == bool(full)
            assert some.status == "out of budget" or some.pairs.tolist() == full.pairs.tolist()
            for found in (answer, some):
                assert {tuple(pair) for pair in found.pairs.tolist()} <= everyone
            assert len(some.contacts) == len(some.pairs)


def test_pairs_within_reach_on_a_budget_are_some_of_them() -> None:
    pose, statuses = er.Pose(translation=[1.0, 10.0, 10.0]), set()
    full = er.within(WALL, CLOUD, 1.0, None, pose)
    reference = dict(zip(map(tuple, full.indices.tolist()), full.distances, strict=True))
    for tests in TESTS:
        answer = er.within(WALL, CLOUD, 1.0, None, pose, budget=er.Budget(tests=tests))
        found = dict(zip(map(tuple, answer.indices.tolist()), answer.distances, strict=True))
        assert found.items() <= reference.items() and list(found) == sorted(found)
        assert answer.status == "out of budget" or found == reference
        statuses.add(answer.status)
    assert statuses == {"out of budget", "exhausted"}


def test_an_empty_budget_says_so_and_still_bounds_the_distance() -> None:
    pose = er.Pose(translation=[40.0, 0.0, 0.0])
    answer = er.distance(SPRING, TORUS, None, pose, budget=er.Budget(tests=0))
    assert answer.status == "out of budget" and "out of budget" in repr(answer)
    assert 0.0 <= answer.lower <= er.distance(SPRING, TORUS, None, pose).value <= answer.upper < 100.0
    assert answer.lower > 0.0, "the two boxes at the root were compared: they are far apart"
    near = er.collide(SPRING, SPRING, None, None, budget=er.Budget(tests=0))
    assert not near and near.status == "out of budget" and "free" not in repr(near)


@pytest.mark.parametrize("tests", [3, 50, 700])
def test_a_budget_is_kept_to_within_one_node(tests: int) -> None:
    for pose in poses_about(7, 10, 4.0):
        budget = er.Budget(tests=tests)
        assert spent(er.distance(SPRING, TORUS, None, pose, budget=budget)) <= tests + 9
        assert spent(er.collide(SPRING, TORUS, None, pose, every=True, budget=budget)) <= tests + 9


def test_time_is_a_budget_too() -> None:
    reach, hurry = 100.0, er.Budget(seconds=1e-3)
    assert er.within(SPRING, SPRING, reach, budget=hurry).status == "out of budget"
    assert er.within(SPRING, SPRING, reach, budget=er.Budget(seconds=0)).status == "out of budget"
    patient = er.distance(SPRING, TORUS, None, er.Pose(translation=[9, 0, 0]), budget=er.Budget(seconds=60))
    assert patient.value == er.distance(SPRING, TORUS, None, er.Pose(translation=[9, 0, 0])).value
    both = er.within(SPRING, SPRING, reach, budget=er.Budget(tests=10, seconds=60))
    assert both.status == "out of budget" and spent(both) <= 19


def test_counters_on_a_budget_are_the_same_every_time() -> None:
    for tests in TESTS:
        for pose in poses_about(8, 5, 5.0):
            runs = [er.distance(SPRING, TORUS, None, pose, budget=er.Budget(tests=tests)) for _ in range(3)]
            assert told(runs[0]) == told(runs[1]) == told(runs[2])


def test_many_poses_on_a_budget_have_it_each() -> None:
    poses = poses_about(9, 40, 6.0)
    for tests in (5, 200):
        many = er.distance(SPRING, TORUS, None, poses, budget=er.Budget(tests=tests))
        single = [er.distance(SPRING, TORUS, None, pose, budget=er.Budget(tests=tests)) for pose in poses]
        assert many.lower.tolist() == [s.lower for s in single] and many.upper.tolist() == [
            s.upper for s in single
        ]
        assert many.status == "out of budget"


# Memories.


def path_of(scene: int, steps: int) -> np.ndarray:
    """A slow motion through the other body and out again."""
    poses = np.tile(np.eye(4), (steps, 1, 1))
    poses[:, :3, :3] = nasty.rotations(np.random.default_rng(scene), 1)[0]
    poses[:, 0, 3] = np.linspace(-12.0, 12.0, steps)
    return poses


@pytest.mark.parametrize("scene", range(len(SCENES)))
def test_a_memory_changes_no_verdict_and_no_distance(scene: int) -> None:
    (a, b), memory, other = SCENES[scene], er.Memory(), er.Memory()
    assert memory.empty
    for pose in path_of(scene, 150):
        plain, verdict = er.distance(a, b, None, pose), bool(er.collide(a, b, None, pose))
        recalled = er.distance(a, b, None, pose, memory=memory)
        assert recalled.value == pytest.approx(plain.value, rel=1e-12, abs=1e-14)
        assert (recalled.value == 0.0) == (plain.value == 0.0)
        assert bool(er.collide(a, b, None, pose, memory=memory)) == verdict
        assert bool(er.collide(b, a, pose, None, memory=other)) == verdict
    assert not memory.empty


def test_a_memory_saves_work_along_a_path() -> None:
    memory, poses = er.Memory(), path_of(0, 300)
    cold = sum(spent(er.distance(SPRING, TORUS, None, pose)) for pose in poses)
    warm = sum(spent(er.distance(SPRING, TORUS, None, pose, memory=memory)) for pose in poses)
    assert warm < cold


def test_a_memory_of_other_bodies_is_passed_over() -> None:
    """The pair it holds would be out of range, or another one, in these bodies."""
    memory = er.Memory()
    er.distance(SPRING, WALL, None, er.Pose(translation=[3.0, 0.0, 0.0]), memory=memory)
    for a, b in [(er.Sphere(1), er.Box(1)), (CLOUD, TORUS), (TORUS, CLOUD), (SPRING, TORUS), (WALL, WALL)]:
        pose = er.Pose(translation=[11.0, 2.0, 1.0])
        fresh, used = er.distance(a, b, None, pose), er.distance(a, b, None, pose, memory=memory)
        assert told(used) == told(fresh)
        er.distance(SPRING, WALL, None, er.Pose(translation=[3.0, 0.0, 0.0]), memory=memory)
        assert bool(er.collide(a, b, memory=memory)) == bool(er.collide(a, b))
        er.distance(SPRING, WALL, None, er.Pose(translation=[3.0, 0.0, 0.0]), memory=memory)


def test_a_memory_can_forget() -> None:
    memory = er.Memory()
    assert "empty" in repr(memory)
    er.distance(SPRING, TORUS, memory=memory)
    assert not memory.empty and "empty" not in repr(memory)
    memory.forget()
    assert memory.empty
    first, again = er.distance(SPRING, TORUS, memory=memory), er.distance(SPRING, TORUS)
    assert told(first) == told(again)


def test_a_memory_with_a_budget_and_enough() -> None:
    memory = er.Memory()
    for pose in path_of(1, 60):
        plain = er.distance(SPRING, TORUS, None, pose)
        for options in ({"budget": er.Budget(tests=20)}, {"enough": 1.0}, {"enough": 0.0}):
            answer = er.distance(SPRING, TORUS, None, pose, memory=memory, **options)
            assert answer.lower <= plain.value + 1e-12 and plain.value <= answer.upper + 1e-12

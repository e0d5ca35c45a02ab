"""Many motions in one call, and er.MotionChecker: the same answers as one by one, on any number of cores."""

from __future__ import annotations

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import articulated_makers
import numpy as np
import pytest
from articulated_oracle import SlowBody
from chain_makers import rng_of
from motion_makers import MAKERS, METHODS
from motion_paths import still
from motion_scenes import Scene
from test_check import certificates
from test_check_answers import told

import elbowroom as er


def one_place(scene: Scene) -> Scene:
    """All motions among the obstacles of the first."""
    n = len(scene)
    fixed = [still(np.tile(o.paths.starts[0], (n, 1, 1))) for o in scene.obstacles]
    moved = [dataclasses.replace(o, paths=p) for o, p in zip(scene.obstacles, fixed, strict=True)]
    return dataclasses.replace(scene, obstacles=tuple(moved))


def crowd(seed: int, n: int = 40) -> Scene:
    return one_place(MAKERS["plain"](rng_of("crowd", seed), n))


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_is_the_same_as_one_by_one(method: str) -> None:
    for seed in range(3):
        scene = crowd(seed)
        many = er.Motion(scene.paths.starts, scene.paths.goals)
        batch = er.check(scene.body.body, many, scene.given(0), method=method)
        singles = certificates(scene, method=method)
        assert len(batch) == len(scene)
        assert [told(batch[k]) for k in range(len(scene))] == [told(single) for single in singles]
        check_arrays(batch, singles)


def check_arrays(batch: Any, singles: list[Any]) -> None:
    verdicts = [single.free for single in singles]
    assert batch.free.dtype == batch.colliding.dtype == batch.undecided.dtype == np.bool_
    assert batch.free.tolist() == [verdict is True for verdict in verdicts]
    assert batch.colliding.tolist() == [verdict is False for verdict in verdicts]
    assert batch.undecided.tolist() == [verdict is None for verdict in verdicts]
    contacts = [single.first_contact or (np.nan, np.nan) for single in singles]
    assert np.array_equal(batch.first_contact, np.array(contacts), equal_nan=True)
    assert batch.distance_calls.tolist() == [single.distance_calls for single in singles]
    work = batch.counters
    assert work.leaf_tests == sum(single.counters.leaf_tests for single in singles)
    assert work.volume_tests == sum(single.counters.volume_tests for single in singles)
    assert work.distance_calls == batch.distance_calls.sum() and work.motions == len(singles)
    assert batch.status == ("within tolerance" if None in verdicts else "settled")
    assert str(len(singles)) in repr(batch)


@pytest.mark.parametrize("method", METHODS)
def test_threads_do_not_matter(method: str) -> None:
    scene = crowd(7, 60)
    many = er.Motion(scene.paths.starts, scene.paths.goals)
    answers = [
        er.check(scene.body.body, many, scene.given(0), method=method, threads=n) for n in (1, 2, 5, None)
    ]
    first = [told(certificate) for certificate in answers[0]]
    for other in answers[1:]:
        assert [told(certificate) for certificate in other] == first


def test_a_certificate_of_a_batch_is_counted_from_either_end() -> None:
    scene = crowd(1, 5)
    batch = er.check(scene.body.body, er.Motion(scene.paths.starts, scene.paths.goals), scene.given(0))
    assert told(batch[-1]) == told(batch[4])
    with pytest.raises(IndexError):
        batch[5]
    for certificate in batch:
        certificate.verify()


def test_a_batch_of_one() -> None:
    scene = crowd(2, 1)
    batch = er.check(scene.body.body, er.Motion(scene.paths.starts, scene.paths.goals), scene.given(0))
    assert len(batch) == 1 and told(batch[0]) == told(certificates(scene)[0])


# Paths of articulated bodies.


def paths_of(recipe: articulated_makers.Recipe, n: int, knots: int, share: float = 0.4) -> np.ndarray:
    slow, rng = SlowBody(recipe), rng_of("paths", n, knots)
    return np.array([[slow.random(rng, share) for _ in range(knots)] for _ in range(n)])


@pytest.mark.parametrize("knots", [2, 4])
def test_many_paths_are_the_same_as_one_by_one(knots: int) -> None:
    recipe = articulated_makers.arm(rng_of("arm"), 5)
    body, paths = recipe.body(), paths_of(recipe, 25, knots, 1.0)
    pole = (er.Capsule(0.05, 3.0), er.Pose(translation=[0.9, 0.0, 2.0]))
    singles = [er.check(body, path, pole) for path in paths]
    for threads in (1, 2, None):
        batch = er.check(body, paths, pole, threads=threads)
        assert [told(certificate) for certificate in batch] == [told(single) for single in singles]
        check_arrays(batch, singles)
    assert batch.free.any() and batch.colliding.any()


# Checkers.


@pytest.mark.parametrize("method", METHODS)
def test_a_checker_says_what_check_says(method: str) -> None:
    scene = crowd(3)
    checker = er.MotionChecker(scene.body.body, scene.given(0), method=method)
    singles = certificates(scene, method=method)
    starts, goals = scene.paths.starts, scene.paths.goals
    assert [told(checker.check(scene.motion(k))) for k in range(len(scene))] == [told(c) for c in singles]
    verdicts = [checker.free(starts[k], goals[k]) for k in range(len(scene))]
    assert all(isinstance(verdict, bool) for verdict in verdicts)
    assert verdicts == [c.free is True for c in singles]
    for threads in (1, 2, None):
        assert checker.free_many(starts, goals, threads=threads).tolist() == verdicts
    assert checker.free(er.Pose.from_matrix(starts[0]), er.Pose.from_matrix(goals[0])) == verdicts[0]
    assert checker.body is scene.body.body._as_it_is()
    assert checker.method == method and checker.clearance == 0.0


def test_valid_is_a_look_at_one_pose() -> None:
    scene = crowd(4)
    checker = er.MotionChecker(scene.body.body, scene.given(0), clearance=0.01)
    for pose in scene.paths.goals:
        near = min(er.distance(scene.body.body, b, pose, p).value for b, p in scene.given(0))
        if abs(near - 0.01) > 1e-9:
            assert checker.valid(pose) == (near > 0.01)


def test_a_checker_of_joints() -> None:
    recipe = articulated_makers.arm(rng_of("arm"), 5)
    body, paths = recipe.body(), paths_of(recipe, 30, 2, 1.0)
    pole = (er.Capsule(0.05, 3.0), er.Pose(translation=[0.9, 0.0, 2.0]))
    checker = er.MotionChecker(body, pole)
    expected = [er.check(body, path, pole).free is True for path in paths]
    assert [checker.free(path[0], path[1]) for path in paths] == expected
    assert checker.free_many(paths[:, 0], paths[:, 1], threads=2).tolist() == expected
    assert any(expected) and not all(expected)
    for q in paths[:, 0]:
        body.move(q)
        assert checker.valid(q) == (
            not er.self_collide(body) and not er.collide(body, *pole[:1], None, pole[1])
        )


def test_a_checker_of_joints_without_itself() -> None:
    recipe = articulated_makers.arm(rng_of("arm"), 12)
    paths = paths_of(recipe, 30, 2, 1.0)
    checkers = [er.MotionChecker(recipe.body(), self_too=flag) for flag in (True, False)]
    verdicts = [checker.free_many(paths[:, 0], paths[:, 1]) for checker in checkers]
    assert not verdicts[0].all() and verdicts[1].all()


def test_running_totals() -> None:
    scene = crowd(5, 10)
    checker = er.MotionChecker(scene.body.body, scene.given(0))
    assert (checker.counters.motions, checker.counters.distance_calls) == (0, 0)
    calls = sum(checker.check(scene.motion(k)).distance_calls for k in range(10))
    assert (checker.counters.motions, checker.counters.distance_calls) == (10, calls)
    checker.free_many(scene.paths.starts, scene.paths.goals)
    assert checker.counters.motions == 20 and checker.counters.distance_calls > calls
    assert checker.counters.volume_tests > 0
    checker.reset_counters()
    assert (checker.counters.motions, checker.counters.leaf_tests) == (0, 0)


def test_a_checker_forgets_what_it_was_asked_before() -> None:
    """In any order, after a budget that ran out, after a batch: the same answers at the same cost."""
    scene = crowd(6, 20)
    checker = er.MotionChecker(scene.body.body, scene.given(0))
    first = [told(checker.check(scene.motion(k))) for k in range(20)]
    checker.check(scene.motion(3), budget=er.Budget(tests=1))
    checker.free_many(scene.paths.starts, scene.paths.goals)
    assert [told(checker.check(scene.motion(k))) for k in reversed(range(20))] == first[::-1]


def test_two_threads_ask_one_checker() -> None:
    scene, gate = crowd(8, 30), threading.Barrier(2)
    checker = er.MotionChecker(scene.body.body, scene.given(0))
    alone = [told(checker.check(scene.motion(k))) for k in range(30)]

    def ask() -> list[Any]:
        gate.wait()
        return [told(checker.check(scene.motion(k))) for k in range(30)]

    with ThreadPoolExecutor(2) as pool:
        assert [f.result() for f in [pool.submit(ask) for _ in range(2)]] == [alone, alone]


def test_later_changes_of_a_body_are_not_seen() -> None:
    """A checker keeps the body as it was."""
    chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]], 0.1)
    across = er.Motion(er.Pose(translation=[0, 0, -5]), er.Pose(translation=[0, 0, 5]))
    ball = (er.Sphere(0.3), er.Pose(translation=[-1.2, 1.0, 0.0]))
    checker = er.MotionChecker(chain, ball)
    before = told(checker.check(across))
    chain.rotate(1, np.pi / 2.0)
    assert told(checker.check(across)) == before

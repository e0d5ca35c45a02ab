"""What er.check says of rigid bodies: certificates, their proofs, budgets, names of what touches, pickles."""

from __future__ import annotations

import pickle
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from chain_makers import rng_of
from motion_judge import Asked
from motion_makers import MAKERS, METHODS
from motion_paths import Paths, still
from motion_scenes import Obstacle, Scene
from nasty import Thing
from test_check import BALL, CUBE, certificates, check_scene, made

import elbowroom as er


def test_a_free_motion() -> None:
    motion, beside = er.Motion(er.Pose(), er.Pose(translation=[0, 5, 0])), er.Pose(translation=[2, 2, 0])
    found = er.check(CUBE.body, motion, (BALL.body, beside))
    assert found.free is True and bool(found) is True and found.status == "settled"
    assert found.first_contact is None and found.contact_time is None and found.pair is None
    assert found.closest is None and found.obstacle is None
    assert found.covered == 1.0 and found.intervals[0, 0] == 0.0 and found.intervals[-1, 1] == 1.0
    assert found.distance_calls >= 1 and len(found.times) >= 1
    assert found.method == "auto" and found.tolerance == 1e-6
    assert found.counters.leaf_tests >= 0 and "free" in repr(found)
    found.verify()


def test_a_collision() -> None:
    motion = er.Motion(er.Pose(), er.Pose(translation=[4, 0, 0]))
    obstacles = [(BALL.body, er.Pose(translation=[0, 9, 0])), (BALL.body, er.Pose(translation=[3, 0, 0]))]
    found = er.check(CUBE.body, motion, obstacles)
    before, at = found.first_contact
    assert found.free is False and not found and found.status == "settled"
    assert before <= 0.5 <= at + 1e-12 and at - before <= 1e-6 and found.contact_time == at
    assert tuple(found.pair) == (0, 0) and found.obstacle == 1
    assert np.abs(found.points - [[2.5, 0, 0], [2.5, 0, 0]])[:, 0].max() < 1e-5
    assert "0.5" in repr(found) or "0.49" in repr(found)


@pytest.mark.parametrize("method", METHODS)
def test_a_body_in_collision_from_the_start(method: str) -> None:
    motion = er.Motion(er.Pose(), er.Pose(translation=[4, 0, 0]))
    for first in (True, False):
        found = er.check(CUBE.body, motion, BALL.body, method=method, first=first)
        assert found.free is False
        if first:
            assert tuple(found.first_contact) == (0.0, 0.0) and found.contact_time == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_in_collision_at_the_goal_alone(method: str) -> None:
    motion = er.Motion(er.Pose(translation=[-4, 0, 0]), er.Pose(translation=[-0.9, 0, 0]))
    found = er.check(CUBE.body, motion, BALL.body, method=method)
    assert found.free is False and found.contact_time == pytest.approx(3.0 / 3.1, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_no_motion_is_one_look(method: str) -> None:
    pose = er.Pose([0.6, 0.8, 0, 0], [3, 0, 0])
    free, hit = (er.check(CUBE.body, er.Motion(p, p), BALL.body, method=method) for p in (pose, er.Pose()))
    assert free.free is True and free.distance_calls <= 3 and free.intervals.tolist() == [[0.0, 1.0]]
    assert hit.free is False and tuple(hit.first_contact) == (0.0, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_every_proof_verifies(method: str) -> None:
    for seed, maker in enumerate(("plain", "thin", "walls", "shell", "still")):
        for found in certificates(MAKERS[maker](rng_of("verify", seed), 3), method=method):
            found.verify()


@pytest.mark.parametrize("method", METHODS)
def test_the_same_question_costs_the_same(method: str) -> None:
    scene = MAKERS["plain"](rng_of("counters"), 6)
    for a, b in zip(certificates(scene, method=method), certificates(scene, method=method), strict=True):
        assert told(a) == told(b)


def told(found: Any) -> Any:
    """Everything that a certificate says."""
    work = found.counters.volume_tests, found.counters.leaf_tests, found.distance_calls
    arrays = [
        None if x is None else np.asarray(x).tolist() for x in (found.intervals, found.times, found.points)
    ]
    return found.free, found.first_contact, found.status, found.obstacle, work, arrays, repr(found)


# Budgets.


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tests", [0, 1, 5, 20, 80, 10**6])
def test_what_is_told_on_a_budget_is_true(method: str, tests: int) -> None:
    for maker in ("plain", "walls", "grazing"):
        scene = made(maker, 5)
        for found in check_scene(scene, Asked(), method=method, budget=er.Budget(tests=tests)):
            assert (found.status == "out of budget") <= (found.free is not True)


def test_a_budget_that_is_spent_says_so() -> None:
    ring = er.Mesh(*er.scenes.torus())
    through = er.Motion(er.Pose(translation=[0, 0, -3]), er.Pose([0.6, 0.8, 0, 0], [0.1, 0, 3]))
    body = er.Group([(er.Sphere(0.1), er.Pose(translation=[x, 0, 0])) for x in np.linspace(-0.5, 0.5, 11)])
    whole, part = (er.check(body, through, ring, budget=b) for b in (None, er.Budget(tests=1)))
    assert whole.status == "settled" and whole.counters.volume_tests > 3
    assert part.free is None and part.status == "out of budget" and 0.0 <= part.covered < 1.0
    assert er.check(body, through, ring, budget=er.Budget(seconds=60.0)).free == whole.free


# Names of what touches.


@pytest.mark.parametrize("method", METHODS)
def test_pairs_are_named_as_collide_names_them(method: str) -> None:
    """Bodies of many primitives, of which either has more."""
    rng = rng_of("names")
    many = Thing("mesh", er.scenes.torus(radius=1.0, tube=0.3, segments=8, sides=5))
    few = nasty.thing(rng, "group", "plain", 0.4)
    for body, other in ((many, few), (few, many)):
        n = 3
        starts = nasty.matrices(nasty.rotations(rng, n), nasty.directions(rng, n) * 3.0)
        paths = Paths(starts, nasty.directions(rng, n), rng.uniform(0.0, 3.0, n), -1.7 * starts[:, :3, 3])
        scene = Scene(body, paths, (Obstacle(other, still(np.tile(np.eye(4), (n, 1, 1)))),))
        found = check_scene(scene, Asked(), method=method)
        hits = [k for k in range(n) if found[k].free is False]
        assert hits
        for k in hits:
            pose = scene.motion(k).at(found[k].contact_time)
            pairs = er.collide(body.body, other.body, pose, every=True).pairs.tolist()
            assert list(found[k].pair) in pairs


def test_a_number_in_a_list_tells_the_obstacle() -> None:
    """Nothing, one, many: the number is the place in the list as it was given."""
    motion = er.Motion(er.Pose(), er.Pose(translation=[10, 0, 0]))
    far, near = (BALL.body, er.Pose(translation=[0, 50, 0])), (BALL.body, er.Pose(translation=[5, 0, 0]))
    for place in range(4):
        given = [far] * place + [near] + [far] * (3 - place)
        assert er.check(CUBE.body, motion, given).obstacle == place
    assert er.check(CUBE.body, motion, near).obstacle == 0


# Results as things.


def test_certificates_pickle() -> None:
    scene = MAKERS["plain"](rng_of("pickle"), 6)
    for found in certificates(scene):
        twin = pickle.loads(pickle.dumps(found))
        assert told(twin) == told(found)


def test_the_gap_that_is_left_open_is_told() -> None:
    """Undecided: how near they come, when, and between which points."""
    scene = MAKERS["sliding"](rng_of("open"), 30)
    for k, found in enumerate(certificates(scene, tolerance=1e-3, method="isotropic")):
        if found.free is None:
            at, here = np.array([found.closest_time]), np.array([k])
            poses = scene.paths.at(here, at), scene.obstacles[0].paths.at(here, at)
            gap = oracle.nearest(scene.body.solid, scene.obstacles[0].thing.solid, *poses).signed[0]
            assert found.closest == pytest.approx(max(gap, 0.0), abs=1e-9)


def test_a_contact_names_links_and_atoms() -> None:
    links = [er.Link("base"), er.Link("finger", [(er.Sphere(0.2), er.Pose(translation=[1, 0, 0]))])]
    arm = er.Articulated(links, [er.Joint("turn", "revolute", "base", "finger")])
    post = (er.Sphere(0.2), er.Pose(translation=[0, 1, 0]))
    found = er.check(arm, [[0.0], [3.0]], post)
    assert (
        found.pair == (1, 0) and "in contact with obstacle 0" in repr(found) and "(finger, 0)" in repr(found)
    )
    other = er.check(er.Sphere(0.1), er.Motion(er.Pose(), er.Pose(translation=[3, 0, 0])), [post, arm])
    assert other.obstacle == 1 and "pair (0, finger)" in repr(other)
    chain = er.Chain([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.2)
    chain.labels = ["A/GLY 1/CA", "A/GLY 2/CA", "A/GLY 3/CA"]
    hit = er.check(
        chain,
        er.Motion(er.Pose(), er.Pose(translation=[9, 0, 0])),
        (er.Sphere(1), er.Pose(translation=[6, 0, 0])),
    )
    assert "pair (A/GLY 3/CA, 0)" in repr(hit)


# A place that cannot be decided does not hide a contact elsewhere.

SHEET = er.Box([4, 4, 0])  # a rod without width is in it for a single point of time


def rod_on_a_slide() -> er.Articulated:
    lift = er.Joint("lift", "prismatic", None, "rod", axis=[0, 0, 1], limits=(-9, 9))
    return er.Articulated([er.Link("rod", er.Box([0.5, 0, 0]))], [lift])


@pytest.mark.parametrize("first", [True, False])
def test_a_contact_on_a_later_segment(first: bool) -> None:
    above = (er.Box([1, 1, 0.5]), er.Pose(translation=[0, 0, 4]))
    path = np.array([[-1.0], [2.0], [5.0]])
    assert er.check(rod_on_a_slide(), path[:2], SHEET, first=first).free is None
    found = er.check(rod_on_a_slide(), path, [SHEET, above], first=first)
    assert found.free is False and found.obstacle == 1 and found.contact_time > 0.75
    assert found.first_contact[0] < 1 / 6 and found.proved is not first
    found.verify()


def test_a_contact_in_another_part_of_a_motion() -> None:
    """The last of sixteen parts is shorter than the tolerance, and looked at first."""

    def on_the_arc(angle: float) -> er.Pose:
        turn = [np.cos(0.5 * angle), 0, 0, np.sin(0.5 * angle)]
        return er.Pose(turn, [10 * np.cos(angle), 10 * np.sin(angle), 0])

    lever = er.Group([(er.Box([0.5, 0, 0.5]), on_the_arc(0))])
    turning = er.Motion(er.Pose(), er.Pose(on_the_arc(3.0).rotation))
    sheet, cube = (er.Box([0.5, 0, 0.5]), on_the_arc(2.943)), (er.Box([0.5, 0.5, 0.5]), on_the_arc(0.3))
    assert er.check(lever, turning, sheet, tolerance=0.1, first=False).free is None
    found = er.check(lever, turning, [sheet, cube], tolerance=0.1, first=False)
    assert found.free is False and found.obstacle == 1
    found.verify()


@pytest.mark.parametrize("first", [True, False])
def test_a_contact_beside_what_touches_at_all_times(first: bool) -> None:
    """Of two links, far from the origin, one stands beside an obstacle and the other is moved into one."""
    away = er.Pose(translation=[1e5, 0, 0])
    links = [er.Link("base", er.Box([1, 1, 0])), er.Link("rod", er.Box([0.1, 0.1, 0.1]))]
    lift = er.Joint("lift", "prismatic", "base", "rod", axis=[0, 0, 1], limits=(-9, 9))
    arm = er.Articulated(links, [er.Joint("anchor", "fixed", None, "base", away), lift])
    below = er.Box([1, 1, 0.5]), er.Pose(translation=[1e5, 0, -0.25 - 1e-10])
    above = er.Box([1, 1, 0.5]), er.Motion(*(er.Pose(translation=[1e5, 0, z]) for z in (4, 3)))
    path = np.array([[1.0], [5.0]])
    alone = er.check(arm, path, below, first=first)
    assert alone.free is None and not len(alone.intervals)
    found = er.check(arm, path, [below, above], first=first)
    assert found.free is False and found.obstacle == 1 and tuple(found.pair) == (1, 0)
    assert found.first_contact[0] == 0.0 and not len(found.intervals) and found.proved is not first
    found.verify()

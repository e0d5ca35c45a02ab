"""Certificate.verify: right certificates hold, wrong ones are refused with the interval and the pair."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from motion_bending_makers import BODIES, TWISTED, arm_scene, gate, torsion_scene
from motion_claims import at, claim, claimed_free, is_refused
from motion_makers import CLEARING, MAKERS, METHODS, MOVING

import elbowroom as er
from elbowroom._proof import verify


def ways() -> tuple[Any, Any]:
    """A bar that swings past a ball, and one that swings into it."""
    bar, turned = er.Box([4, 0.2, 0.2]), er.Pose([np.cos(0.6), 0, 0, np.sin(0.6)])
    ball = (er.Sphere(0.3), at(0.5, 1.8, 0))
    past = er.check(bar, er.Motion(er.Pose(), turned), (er.Sphere(0.3), at(-0.5, 2.0, 0)))
    into = er.check(bar, er.Motion(er.Pose(), turned), ball)
    assert past.free and into.free is False and 0 < into.first_contact[0] < into.first_contact[1]
    return past, into


# Right certificates.


@pytest.mark.parametrize("maker", MAKERS)
def test_certificates_of_rigid_motions_hold(maker: str) -> None:
    seen = set()
    for seed in range(3):
        scene = MAKERS[maker](rng_of("proof", maker, seed), 4)
        for k, method in enumerate(CLEARING if maker in MOVING else METHODS[:3]):
            certificate = er.check(scene.body.body, scene.motion(k), scene.given(k), method=method)
            certificate.verify()
            seen.add(certificate.free)
    assert seen & {True, False}


@pytest.mark.parametrize("maker", BODIES)
def test_certificates_of_paths_hold(maker: str) -> None:
    for seed in range(4):
        scene = arm_scene(rng_of("proof", maker, seed), maker, 5)
        if scene.path.shape[1]:
            er.check(scene.recipe.body(), scene.path, scene.given()).verify()


@pytest.mark.parametrize("maker", TWISTED)
def test_certificates_of_torsions_hold(maker: str) -> None:
    for seed in range(4):
        scene = torsion_scene(rng_of("proof", maker, seed), maker, 20)
        er.check(scene.recipe.chain(), scene.torsions).verify()


def test_a_hook_among_tetrahedra_is_verified_in_well_under_a_second() -> None:
    hook = er.Group([(er.Box(extents), at(*centre)) for extents, centre in er.scenes.thin_hook()])
    world = er.Group([er.Convex(corners) for corners in er.scenes.tetrahedra()])
    poses, free = er.scenes.hook_poses(60), 0
    for start, goal in zip(poses[::2], poses[1::2], strict=True):
        near = goal.copy()
        near[:3, 3] = 0.9 * start[:3, 3] + 0.1 * goal[:3, 3]
        certificate = er.check(hook, er.Motion(start, near), world)
        begin = time.process_time()
        certificate.verify()
        assert time.process_time() - begin < 1.0
        free += bool(certificate)
    assert free > 0


def test_moving_obstacles_and_any_body_on_a_motion() -> None:
    along = er.Motion(er.Pose(), er.Pose([0, 0, 0, 1], [9, 0, 0]))
    across = er.Motion(at(4, -6, 0), er.Pose([0, 1, 0, 0], [4, 6, 0.5]))
    arm = er.Articulated([er.Link("a", er.Box(1)), er.Link("b", er.Capsule(0.2, 1))],
                         [er.Joint("j", "revolute", "a", "b", at(1, 0, 0), axis=(0, 1, 0))])  # fmt: skip
    chain = er.Chain(er.scenes.serpentine(40) * 0.1, 0.05)
    rope = er.Necklace(np.stack([np.arange(6.0), np.zeros(6)], axis=1) * 0.2, 0.1)
    for body in (arm, chain, rope, er.Box(0.5)):
        others = [(er.Box(0.3), across), (chain, at(0, 0, 9)), (rope, at(0, 4, 0))]
        certificate = er.check(body, along, others)
        certificate.verify()
        assert is_refused(claim(certificate, obstacles=[(er.Sphere(30), across)]))
    er.check(arm, [[0.0], [2.0], [-1.0]], [(arm, np.array([[0.0], [3.0]])), (er.Box(1), across)]).verify()


# What is covered.


def test_a_gap_in_the_cover_is_refused() -> None:
    past, into = ways()
    for intervals in (
        [],
        [[0.0, 0.5]],
        [[0.1, 1.0]],
        [[0.0, 0.5], [np.nextafter(0.5, 1), 1.0]],
        [[0.0, 0.999999]],
    ):
        with pytest.raises(ValueError, match="nothing is said of the times from"):
            verify(claim(past, intervals=np.array(intervals).reshape(-1, 2)))
    verify(claim(past, intervals=np.array([[0.5, 1.0], [0.0, 0.6], [0.2, 0.3]])))
    with pytest.raises(ValueError, match="nothing is said of the times from 0 to"):
        verify(claim(into, intervals=into.intervals[into.intervals[:, 0] > 0]))


@pytest.mark.parametrize("interval", [[-0.1, 1.0], [0.0, 1.1], [0.6, 0.4], [np.nan, 1.0], [0.0, np.inf]])
def test_intervals_that_are_none_are_refused(interval: list[float]) -> None:
    past, _ = ways()
    with pytest.raises(ValueError, match="is no part of"):
        verify(claim(past, intervals=np.vstack([past.intervals, interval])))


def test_verdict_and_contact_must_agree() -> None:
    past, into = ways()
    before, touch = into.first_contact
    wrong = [{"free": True}, {"free": None}, {"first_contact": None}, {"first_contact": (touch, before)},
             {"first_contact": (0.0, 1.5)}]  # fmt: skip
    for said in [claim(past, free=False), *(claim(into, **changed) for changed in wrong)]:
        with pytest.raises(ValueError, match="first_contact"):
            verify(said)
    verify(claim(past, free=None, intervals=past.intervals[:0]))


# Intervals that do not hold.


def test_an_interval_with_a_collision_is_refused_by_name() -> None:
    past, into = ways()
    with pytest.raises(
        ValueError, match=r"interval \[0, 1\] does not hold: primitive 0 of the body and primitive 0"
    ):
        verify(claim(into, free=True, first_contact=None, intervals=np.array([[0.0, 1.0]])))
    beyond = np.array([[0.0, 0.25], [0.25, into.first_contact[1]]])
    with pytest.raises(ValueError, match=r"interval \[0\.25, "):
        verify(claim(into, intervals=beyond))
    with pytest.raises(ValueError, match="obstacle 1"):
        verify(claim(past, obstacles=[past.obstacles, into.obstacles]))


def test_intervals_of_another_motion_body_or_clearance_are_refused() -> None:
    past, _ = ways()
    gap = min(er.distance(past.body, past.obstacles[0], past.motion.at(t), past.obstacles[1]).value
              for t in np.linspace(0, 1, 50))  # fmt: skip
    verify(claim(past, clearance_asked=0.9 * gap))
    for changed in ({"clearance_asked": 1.1 * gap}, {"body": er.Box([4, 2.5, 0.2])},
                    {"motion": er.Motion(er.Pose(), er.Pose([0, 0, 0, 1]))}):  # fmt: skip
        with pytest.raises(ValueError, match="does not hold"):
            verify(claim(past, **changed))


def test_bonds_that_pass_through_each_other_are_named() -> None:
    scene = gate()
    with pytest.raises(ValueError, match="bond 0 of the body and bond 3 of the body"):
        verify(claimed_free(scene.recipe.chain(), scene.torsions, None))
    verify(claimed_free(scene.recipe.chain(), {2: -1.0}, None))


def test_links_that_are_excluded_may_touch() -> None:
    links = [er.Link("a", er.Box(1)), er.Link("b", er.Box(1)), er.Link("c", er.Box(0.2))]
    joints = [
        er.Joint("ab", "revolute", "a", "b", at(0.5, 0, 0)),
        er.Joint("bc", "prismatic", "b", "c", axis=(1, 0, 0)),
    ]
    arm, path = er.Articulated(links, joints), np.array([[0.0, 3.0], [1.0, 2.0]])
    verify(claimed_free(arm, path, None))
    arm.include([("a", "b")])
    with pytest.raises(ValueError, match="link 0 of the body and link 1 of the body"):
        verify(claimed_free(arm, path, None))
    verify(claimed_free(arm, path, None, self_too=False))


# Contacts.


def test_a_contact_that_is_none_is_refused() -> None:
    _, into = ways()
    verify(claim(into))
    before, _ = into.first_contact
    group = [(er.Sphere(0.1), at(0, 0, 9)), into.obstacles]
    verify(claim(into, obstacles=group, obstacle=1))
    smaller = (er.Sphere(0.3 - 1e-6), into.obstacles[1])
    wrong = [{"obstacles": group, "obstacle": 0}, {"pair": (0, 1)}, {"pair": (3, 0)}, {"obstacle": 5},
             {"obstacle": None}, {"first_contact": (0.0, before - 1e-3)}, {"obstacles": smaller}]  # fmt: skip
    for changed in wrong:
        with pytest.raises(ValueError, match="first_contact"):
            verify(claim(into, **changed))
    with pytest.raises(ValueError, match="nothing that could touch"):
        verify(claim(into, obstacles=None))


def test_contacts_of_links_and_balls_are_looked_at() -> None:
    seen = 0
    for seed in range(12):
        scene = arm_scene(rng_of("contact", seed), "hand", 5)
        found = er.check(scene.recipe.body(), scene.path, scene.given())
        if found.free is False:
            seen += 1
            wrong = (found.pair[0], found.pair[1] + 50)
            assert is_refused(claim(found, pair=wrong))
    crossing = er.check(gate().recipe.chain(), gate().torsions)
    crossing.verify()
    assert tuple(crossing.pair) == (0, 3) and is_refused(claim(crossing, pair=(1, 3)))
    assert seen > 2


def test_where_nothing_can_touch_all_is_free() -> None:
    bare = er.Articulated([er.Link("a"), er.Link("b")], [er.Joint("j", "revolute", "a", "b")])
    verify(claimed_free(bare, np.array([[0.0], [1.0]]), er.Box(1)))
    verify(claimed_free(er.Box(1), er.Motion(er.Pose(), at(1, 0, 0)), None))
    with pytest.raises(ValueError, match="motion"):
        verify(claimed_free(er.Box(1), np.zeros((2, 3)), None))

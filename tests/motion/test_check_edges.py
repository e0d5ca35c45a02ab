"""Motions at the edges: far from the origin, nested, next to nothing, and doubts before a contact."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes


def at(x: float, y: float = 0.0, z: float = 0.0) -> er.Pose:
    return er.Pose(translation=[x, y, z])


def distant_arm(offset: float, *, turns: bool) -> er.Articulated:
    """Two balls that overlap by a quarter of what rounding leaves there, one of them on a joint or not."""
    ulp = float(np.spacing(offset))
    radius = (0.5 - 0.2 * ulp) / 2
    links = [
        er.Link("root"),
        er.Link("base", er.Sphere(radius)),
        er.Link("ball", er.Sphere(radius)),
        er.Link("tip"),
    ]
    axis = (1.0, 0.0, 0.0)  # through both centres: the ball stays where it is
    kind = "revolute" if turns else "fixed"
    joints = [
        er.Joint("place", "fixed", "root", "base", at(offset)),
        er.Joint("ball", kind, "base", "ball", at(0.5 - 0.45 * ulp), axis=axis if turns else (0, 0, 1)),
        er.Joint("tip", "revolute", "ball", "tip"),
    ]
    return er.Articulated(links, joints, exclude=None)


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("method", ["auto", "isotropic"])
@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
def test_what_rounding_hides_far_from_the_origin_is_not_free(offset: float, method: str, turns: bool) -> None:
    arm = distant_arm(offset, turns=turns)
    found = er.check(arm, np.stack([np.zeros(arm.dof), np.ones(arm.dof)]), method=method)
    assert found.free is not True
    if not turns:  # they never move against each other, so nothing is proved at any time
        assert len(found.intervals) == 0


@pytest.mark.parametrize("scale", [1e-18, 1e-20, 1e-21, 1e-22, 1e-30])
@pytest.mark.parametrize("method", ["hourglass", "hourglass-axis", "isotropic", "auto"])
def test_small_scenes_are_as_large_ones(scale: float, method: str) -> None:
    rng = np.random.default_rng(5)
    wall = er.Group([(er.Box(scale), at(2 * scale, k * 1.3 * scale, 0)) for k in range(4)])
    body = er.Box([scale, 0.5 * scale, 0.3 * scale])
    for _ in range(40):
        q = rng.normal(size=(2, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        p = rng.uniform(-1, 5, (2, 3)) * scale
        motion = er.Motion((q[0], p[0]), (q[1], p[1]))
        hit = any(er.collide(body, wall, pose) for pose in motion.at(np.linspace(0, 1, 101)))
        assert not (hit and er.check(body, motion, wall, method=method, first=False).free)


def test_a_contact_behind_a_doubt_is_still_the_first_that_is_told() -> None:
    points = [(er.Sphere(0), at(0.1234567)), (er.Sphere(0.001), at(0.3003)), (er.Sphere(0.05), at(1.0))]
    found = er.check(er.Sphere(0), er.Motion(at(0), at(1)), points)
    assert found.free is False
    assert found.obstacle in (0, 1)
    assert found.contact_time < 0.3
    if found.obstacle == 1:
        assert found.first_contact[0] <= 0.1234567
        assert found.status == "within tolerance"


def test_nested_meshes_do_not_take_for_ever() -> None:
    vertices, faces = scenes.torus(radius=2.0, tube=0.5, segments=48, sides=24)
    inner, outer = er.Mesh(vertices, faces), er.Mesh(scenes.torus(2.0, 0.52, 48, 24)[0], faces)
    turn = er.Pose([np.cos(0.01), 0, 0, np.sin(0.01)])
    found = er.check(inner, er.Motion(er.Pose(), turn), outer)
    assert found.free
    assert found.counters.leaf_tests + found.counters.volume_tests < 3_000_000


def test_bodies_that_are_swept_past_many_parts_are_looked_at_in_halves() -> None:
    vertices, faces = scenes.torus(radius=2.0, tube=0.5, segments=96, sides=48)
    ring = er.Mesh(vertices, faces)
    ball = er.Mesh(0.3 * vertices, faces)
    found = er.check(ball, er.Motion(at(0, 0, -8), at(0.1, 0, 8)), ring)
    assert found.free
    assert found.counters.leaf_tests + found.counters.volume_tests < 5_000_000


ZIGZAG = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0], [2, 2, 0]], float)


def test_bonds_have_no_width_to_keep_clear_of() -> None:
    chain = er.Chain(ZIGZAG, 0.01, exclude=4)
    assert er.check(chain, {1: 0.1}, clearance=1.1).free


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e10, 1e13])
def test_a_chain_far_away_is_not_in_contact(offset: float) -> None:
    chain = er.Chain(ZIGZAG + offset, 0.1)
    assert er.check(chain, {1: 0.3}).free is not False


def test_a_joint_may_turn_many_times() -> None:
    arm = er.Articulated(
        [er.Link("base"), er.Link("arm", [(er.Sphere(0.1), at(1))])],
        [er.Joint("j", "revolute", "base", "arm")],
    )
    post = (er.Sphere(0.05), at(0, 1))
    assert er.check(arm, [[0.0], [1.0]], post).free
    found = er.check(arm, [[0.0], [20.0]], post)
    assert found.free is False
    expected = (np.pi / 2 - 2 * np.arcsin(0.15 / 2)) / 20
    assert found.contact_time == pytest.approx(expected, abs=2e-6)
    missed = er.check(arm, [[0.0], [20.0]], (er.Sphere(0.05), at(0, 1, 0.2)))
    assert missed.free
    missed.verify()


def test_what_was_never_made_cannot_be_asked() -> None:
    for kind in (er.MotionChecker, er.Chain, er.Articulated, er.Necklace):
        empty = kind.__new__(kind)
        name = {"MotionChecker": "valid", "Chain": "collides", "Articulated": "move", "Necklace": "move"}
        ask = getattr(empty, name[kind.__name__])
        with pytest.raises(TypeError):
            ask(*() if kind is er.Chain else (np.zeros(3),))


def test_a_checker_that_is_made_twice_stays_what_it_was() -> None:
    checker = er.MotionChecker(er.Sphere(1), (er.Box(1), at(5)))
    with pytest.raises((RuntimeError, TypeError)):
        checker.__init__(er.Sphere(2), er.Box(2))  # type: ignore[misc]
    assert repr(checker.body) == repr(er.Sphere(1))

"""Half-spaces along motions, as obstacles and moving: contact times in closed form, and proofs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes

FLOOR = er.HalfSpace([0, 0, 1], 0.0)
METHODS = ["auto", "swept", "isotropic", "hourglass"]


def straight(start: Any, goal: Any) -> er.Motion:
    return er.Motion(er.Pose(translation=start), er.Pose(translation=goal))


def lowest(body: er.Body, motion: er.Motion, space: er.HalfSpace, times: np.ndarray) -> np.ndarray:
    """The height of the lowest point above the plane at some times."""
    out = []
    for time in times:
        matrix = motion.at(float(time)).matrix
        points = body._points @ matrix[:3, :3].T + matrix[:3, 3]
        low = np.minimum.reduceat(points @ space.normal, body._first[:-1]) - body._radius
        out.append(low.min() - space.offset)
    return np.array(out)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_a_fall_onto_the_floor(method: Any, scale: float) -> None:
    fall = straight([7 * scale, 0, 4 * scale], [9 * scale, 0, 0])
    certificate = er.check(er.Sphere(scale), fall, FLOOR, method=method)
    assert certificate.free is False
    assert certificate.contact_time == pytest.approx(0.75, abs=2e-6)
    assert certificate.verify()
    above = straight([7 * scale, 0, 4 * scale], [1e3 * scale, 0, 1.001 * scale])
    certificate = er.check(er.Sphere(scale), above, FLOOR, method=method)
    assert certificate.free is True and certificate.verify()


@pytest.mark.parametrize("method", METHODS)
def test_random_motions_agree_with_samples(method: Any) -> None:
    rng = np.random.default_rng(1)
    spring = er.Mesh(*scenes.spring(segments=6))
    size, times, verdicts = float(np.ptp(spring.bounds, axis=0).max()), np.linspace(0, 1, 200), []
    for _ in range(12):
        start, goal = (er.Pose(_turn(rng), size * rng.normal(size=3)) for _ in range(2))
        space = er.HalfSpace(rng.normal(size=3), -size * rng.uniform(0.5, 3))
        certificate = er.check(spring, motion := er.Motion(start, goal), space, method=method)
        low = lowest(spring, motion, space, times)
        verdicts.append(certificate.free)
        if certificate.free:
            assert low.min() > 0
        else:
            assert certificate.free is False
            at = lowest(spring, motion, space, np.array([certificate.contact_time]))
            assert at[0] == pytest.approx(0, abs=1e-4 * size) or certificate.contact_time == 0
        assert certificate.verify()
        assert bool(er.MotionChecker(spring, space).free(start, goal)) == certificate.free
    assert set(verdicts) == {True, False}


def _turn(rng: np.random.Generator) -> np.ndarray:
    quaternion = rng.normal(size=4)
    return np.asarray(quaternion / np.linalg.norm(quaternion))


@pytest.mark.parametrize("method", ["auto", "swept", "isotropic"])
def test_a_half_space_that_moves(method: Any) -> None:
    """A wall that comes near, and a wall that turns about an axis in its plane."""
    ball = (er.Sphere(0.5), er.Pose(translation=[3, 0, 0]))
    wall = er.HalfSpace([1, 0, 0], 0.0)
    comes = er.check(wall, straight([0, 0, 0], [5, 0, 0]), ball, method=method)
    assert comes.contact_time == pytest.approx(0.5, abs=2e-6) and comes.verify()
    stops = er.check(wall, straight([0, 0, 0], [2.4, 0, 0]), ball, method=method)
    assert stops.free is True and stops.verify()
    quarter = er.Motion(er.Pose(), er.Pose([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)]))
    turns = er.check(wall, quarter, ball, method=method)  # 3 cos(angle) = 0.5
    assert turns.contact_time == pytest.approx(np.arccos(1 / 6) / (np.pi / 2), abs=2e-6) and turns.verify()
    obstacle = er.check(ball[0], straight([3, 0, 0], [3, 0, 0]), (wall, quarter), method=method)
    assert obstacle.contact_time == pytest.approx(turns.contact_time, abs=4e-6) and obstacle.verify()


def test_groups_arms_and_chains_among_half_spaces() -> None:
    walls = [er.HalfSpace(s * axis, -2.0) for axis in np.eye(3) for s in (-1, 1)]
    room = er.Group([*walls, (er.Sphere(0.2), er.Pose(translation=[0, 0, -1.5]))])
    quarter = er.Motion(
        er.Pose(translation=[0, 0, 0.8]), er.Pose(_turn(np.random.default_rng(2)), [0.5, 0, 0.8])
    )
    certificate = er.check(er.Box(1), quarter, [room, (er.Box(0.1), er.Pose(translation=[-1, -1, -1]))])
    assert certificate.free is True and certificate.verify()
    out = er.check(er.Box(1), straight([0, 0, 0], [3, 0, 0]), room)
    assert out.contact_time == pytest.approx(0.5, abs=2e-6) and out.verify() and out.pair == (0, 0)
    links = [
        er.Link(f"bone {i}", [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]) for i in range(3)
    ]
    turn = ([1, 0, 0, 0], [0, 0, 1])
    joints = [er.Joint(f"joint {i}", "revolute", f"bone {i}", f"bone {i + 1}", turn, axis=(0, 1, 0))
              for i in range(2)]  # fmt: skip
    arm = er.Articulated(links, joints)
    bends = er.check(arm, [[0, 0], [2.0, 0]], er.HalfSpace([0, 0, 1], 0.0))
    assert bends.free is False and bends.verify()
    stays = er.check(arm, [[0, 0], [1.0, -1.0]], er.HalfSpace([0, 0, 1], -0.2))
    assert stays.free is True and stays.verify()
    chain = er.Chain(scenes.serpentine(30), 0.3)
    low = float(chain.positions()[:, 2].min())
    far = er.check(chain, {10: 0.4}, er.HalfSpace([0, 0, 1], low - 100))
    assert far.free == er.check(chain, {10: 0.4}).free and far.verify()


def test_two_half_spaces_are_refused() -> None:
    with pytest.raises(ValueError, match="another half-space"):
        er.check(FLOOR, straight([0, 0, 0], [1, 0, 0]), er.HalfSpace([0, 0, -1], -2))

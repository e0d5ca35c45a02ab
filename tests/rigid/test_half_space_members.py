"""Random groups with half-spaces, asked as a whole and member by member.

Scales from 1e-5 to 1e5, far apart and near, groups of groups, trees of their own and trees over trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import group, scenes

Rng = np.random.Generator
Parts = list[tuple[er.Body, np.ndarray]]


def matrix(rng: Rng, spread: float) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3] = Rotation.random(random_state=rng).as_matrix()
    out[:3, 3] = rng.normal(size=3) * spread
    return out


def simple(rng: Rng, scale: float) -> er.Body:
    vertices, faces = scenes.spring(segments=6)
    makers = [
        lambda: er.Sphere(scale * rng.uniform(0.1, 1)),
        lambda: er.Capsule(scale * rng.uniform(0, 1), scale * rng.uniform(0.1, 2)),
        lambda: er.Box(scale * rng.uniform(0.1, 2, 3)),
        lambda: er.Convex(scale * rng.normal(size=(rng.integers(1, 20), 3))),
        lambda: er.Mesh(scale * rng.normal(size=(10, 3)), rng.integers(0, 10, (12, 3))),
        lambda: er.Mesh(0.3 * scale * vertices, faces),
    ]
    return makers[rng.integers(len(makers))]()


def half_space(rng: Rng, scale: float) -> er.HalfSpace:
    normal = rng.normal(size=3) if rng.random() < 0.7 else np.eye(3)[rng.integers(3)]
    return er.HalfSpace(normal, np.linalg.norm(normal) * scale * (2 * rng.normal() - 3))


def random_group(rng: Rng, scale: float, far: float) -> er.Group:
    members = [(simple(rng, scale), matrix(rng, far)) for _ in range(rng.integers(1, 7))]
    members += [(half_space(rng, scale), matrix(rng, far)) for _ in range(rng.integers(1, 3))]
    out = er.Group([members[i] for i in rng.permutation(len(members))])
    if rng.random() < 0.3:
        out = er.Group([(out, matrix(rng, far)), (simple(rng, scale), matrix(rng, scale))])
    out.validate()
    return out


def parts_of(body: er.Body, pose: np.ndarray) -> Iterator[tuple[er.Body, np.ndarray]]:
    if isinstance(body, er.Group):
        for member, within in body.members:
            yield from parts_of(member, pose @ within)
    else:
        yield body, pose


def slack_of(parts: Parts, poses: list[np.ndarray], scale: float) -> float:
    places = [pose for _, pose in parts] + poses
    offsets = sum(abs(body.offset) for body, _ in parts if isinstance(body, er.HalfSpace))
    return 3e-13 * float(sum(np.linalg.norm(p[:3, 3]) for p in places) + offsets + 20 * scale)


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(s, marks=pytest.mark.fuzz) for s in range(8, 300))]
)
def test_a_group_is_its_members(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-5, 5)
    far = scale * 10.0 ** rng.uniform(-1, 3)
    for name in ("SMALL", "SMALL_OF_SINGLES"):
        monkeypatch.setattr(group, name, int(rng.choice([1, 5000])))
    whole, other, memory = random_group(rng, scale, far), simple(rng, scale), er.Memory()
    parts = list(parts_of(whole, np.eye(4)))
    start, step = matrix(rng, far), 0.3 * scale * rng.normal(size=3)
    for k in range(3):
        pose = start.copy()
        pose[:3, 3] += k * step
        check_questions(whole, other, pose, parts, rng, slack_of(parts, [pose], scale), scale, memory)
    check_beads(whole, parts, rng, scale)
    motion = er.Motion(er.Pose.from_matrix(start), er.Pose.from_matrix(matrix(rng, far)))
    slack = 100 * slack_of(parts, [start, motion.at(1.0).matrix], scale)
    check_motion(
        er.check(other, motion, whole), lambda poses: er.distance(other, whole, poses), motion, slack
    )
    check_motion(
        er.check(whole, motion, other), lambda poses: er.distance(whole, other, poses), motion, slack
    )


def check_questions(
    whole: er.Body,
    other: er.Body,
    pose: Any,
    parts: Parts,
    rng: Rng,
    slack: float,
    scale: float,
    memory: er.Memory,
) -> None:
    low = min(er.distance(body, other, at, pose).value for body, at in parts)
    found = [er.distance(whole, other, pose_b=pose), er.distance(whole, other, pose_b=pose, memory=memory)]
    assert [each.value for each in found] == pytest.approx([low, low], abs=slack)
    hit = any(bool(er.collide(body, other, at, pose)) for body, at in parts)
    assert bool(er.collide(whole, other, pose_b=pose)) == hit or low <= slack
    assert bool(er.collide(whole, other, pose_b=pose, memory=memory)) == hit or low <= slack
    for tests in (1, 7, 50):
        some = er.distance(whole, other, pose_b=pose, budget=er.Budget(tests=tests))
        assert some.lower <= low + slack and some.upper >= low - slack
    reach = scale * rng.uniform(0, 3)
    count = len(er.within(whole, other, reach, pose_b=pose))
    counts = [
        sum(len(er.within(b, other, r, at, pose)) for b, at in parts) for r in (reach - slack, reach + slack)
    ]
    assert counts[0] <= count <= counts[1]
    linear = rng.normal(size=(3, 3))
    mapped = min(er.distance(body, other, at, pose, linear=linear).value for body, at in parts)
    assert er.distance(whole, other, pose_b=pose, linear=linear).value == pytest.approx(
        mapped, abs=20 * slack
    )
    rays = rng.normal(size=(2, 5, 3)) * [[[3 * scale]], [[1.0]]]
    nearest = np.min([er.cast(body, *rays, at).distances for body, at in parts], axis=0)
    np.testing.assert_allclose(er.cast(whole, *rays).distances, nearest, rtol=1e-9, atol=slack)


def check_beads(whole: er.Body, parts: Parts, rng: Rng, scale: float) -> None:
    places = scale * np.cumsum(rng.normal(size=(60, 3)), axis=0)
    slack = slack_of(parts, [], 100 * scale)
    for beads in (er.Chain(places, 0.2 * scale), er.Necklace(places, 0.2 * scale)):
        low = min(er.distance(beads, body, None, at).value for body, at in parts)
        assert er.distance(beads, whole).value == pytest.approx(low, abs=slack)
        assert bool(er.collide(beads, whole)) == (low == 0)
        near = sum(len(er.within(beads, body, scale, None, at)) for body, at in parts)
        assert len(er.within(beads, whole, scale)) == near


def check_motion(certificate: er.Certificate, measured: Any, motion: er.Motion, slack: float) -> None:
    times = np.linspace(0, 1, 100)
    gaps = measured(np.stack([motion.at(float(time)).matrix for time in times])).values
    if certificate.free is None:  # it only just touches, or does not
        assert certificate.closest is not None and certificate.closest <= 1e-4 * (1 + gaps.max())
    elif certificate.free:
        assert gaps.min() > 0
    else:
        assert certificate.contact_time is not None
        assert measured(motion.at(certificate.contact_time).matrix).value <= slack
        assert certificate.contact_time <= (times[gaps == 0].min() if (gaps == 0).any() else 1) + 2e-6
    assert certificate.verify()


def test_parallel_half_spaces_are_no_copies() -> None:
    """Their boxes are the same to the last bit."""
    steps = [er.HalfSpace([0, 0, 1], -float(k)) for k in range(100)]
    balls = [(er.Sphere(0.1), er.Pose(translation=[0, 0, -50.0 - k])) for k in range(100)]
    for members in (steps, [*steps, *balls]):
        made = er.Group(members)
        made.validate()
        hit = er.collide(er.Sphere(0.25), made, er.Pose(translation=[1e3, 0, -40.0]), every=True)
        assert hit.pairs[:, 1].tolist() == list(range(41))
        assert er.distance(er.Sphere(0.25), made, er.Pose(translation=[1e3, 0, 3.0])).value == 2.75

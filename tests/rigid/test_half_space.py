"""Half-spaces: only the heights of points above the plane count, which is all that the oracle computes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes

Long = np.longdouble
SCALES = [1e-6, 1e-3, 1.0, 1e3, 1e6]
#: What a height may be off by, relative to all lengths that enter.
ROUNDED = 2e-14


def matrices(rng: np.random.Generator, count: int, spread: float) -> np.ndarray:
    """Poses (n, 4, 4)."""
    out = np.tile(np.eye(4), (count, 1, 1))
    out[:, :3, :3] = Rotation.random(count, random_state=rng).as_matrix()
    out[:, :3, 3] = rng.normal(size=(count, 3)) * spread
    return out


def heights(body: er.Body, pose: np.ndarray, space: er.HalfSpace, space_pose: np.ndarray) -> np.ndarray:
    """How high each primitive lies above the plane, in long double."""
    rotation, shift = pose[:3, :3].astype(Long), pose[:3, 3].astype(Long)
    points = body._points.astype(Long) @ rotation.T + shift
    normal = space_pose[:3, :3].astype(Long) @ space.normal.astype(Long)
    above = (points - space_pose[:3, 3].astype(Long)) @ normal - Long(space.offset)
    return np.asarray(np.minimum.reduceat(above, body._first[:-1]) - body._radius.astype(Long), float)


def size_of(body: er.Body, pose: np.ndarray, space: er.HalfSpace, space_pose: np.ndarray) -> float:
    reach = np.linalg.norm(body._points, axis=1).max() + body._radius.max()
    away = np.linalg.norm(pose[:3, 3]) + np.linalg.norm(space_pose[:3, 3])
    return float(reach + away + abs(space.offset))


def bodies(rng: np.random.Generator, scale: float) -> list[er.Body]:
    vertices, faces = scenes.spring(segments=8)
    spring = er.Mesh(scale * vertices, faces)
    cloud = er.Convex(scale * rng.normal(size=(20, 3)))
    return [
        er.Sphere(scale),
        er.Capsule(0.3 * scale, 2 * scale),
        er.Box(scale * rng.uniform(0.1, 3, 3)),
        cloud,
        spring,
        er.Mesh(scale * vertices, faces, children=2),
        er.Group([(spring, er.Pose(translation=scale * rng.normal(size=3))), cloud, er.Sphere(scale)]),
    ]


def half_space(rng: np.random.Generator, scale: float) -> er.HalfSpace:
    axes = [*np.eye(3), *-np.eye(3)]
    normal = axes[rng.integers(6)] if rng.random() < 0.3 else rng.normal(size=3)
    return er.HalfSpace(normal, scale * rng.normal() * np.linalg.norm(normal))


@pytest.mark.parametrize("scale", SCALES)
def test_all_questions_about_rigid_bodies(scale: float) -> None:
    rng = np.random.default_rng(round(1e7 * scale) % 2**31)
    met = 0
    for body in bodies(rng, scale):
        space = half_space(rng, scale)
        poses, place = matrices(rng, 12, 2 * scale), matrices(rng, 1, scale)[0]
        collisions = er.collide(body, space, poses, place)
        distances = er.distance(space, body, place, poses)
        for i, pose in enumerate(poses):
            high = heights(body, pose, space, place)
            slack = ROUNDED * size_of(body, pose, space, place)
            low = float(high.min())
            met += low <= 0
            assert bool(collisions[i]) == bool(er.collide(space, body, place, pose)) == (low <= 0)
            assert distances.values[i] == pytest.approx(max(0.0, low), abs=slack)
            check_distance(er.distance(body, space, pose, place), low, space, place, slack)
            check_contacts(body, pose, space, place, high, slack)
            reach = float(np.median(high)) if np.median(high) > 0 else 0.0
            pairs = er.within(body, space, reach + slack, pose, place, points=True)
            assert set(pairs.indices[:, 0]) >= set(np.flatnonzero(high <= reach))
            np.testing.assert_allclose(pairs.distances, np.maximum(high[pairs.indices[:, 0]], 0), atol=slack)
            assert pairs.distances.max(initial=0) <= reach + 2 * slack
    assert met > 10


def check_distance(found: Any, low: float, space: er.HalfSpace, place: np.ndarray, slack: float) -> None:
    assert found.lower <= max(low, 0.0) + slack and found.upper >= low - slack
    assert found.upper - found.lower <= slack
    normal = place[:3, :3] @ space.normal
    assert found.points[0] == pytest.approx(found.points[1] + found.value * normal, abs=2 * slack)
    if low > slack:
        assert (found.points[1] - place[:3, 3]) @ normal == pytest.approx(space.offset, abs=2 * slack)


def check_contacts(
    body: er.Body, pose: np.ndarray, space: er.HalfSpace, place: np.ndarray, high: np.ndarray, slack: float
) -> None:
    normal = place[:3, :3] @ space.normal
    every = er.collide(body, space, pose, place, every=True, depth=True)
    hit = every.pairs[:, 0]
    assert set(hit) >= set(np.flatnonzero(high <= 0)) and set(hit) <= set(np.flatnonzero(high <= slack))
    np.testing.assert_allclose(every.contacts.depths, np.maximum(-high[hit], 0), atol=slack)
    if not len(hit):
        return
    np.testing.assert_allclose(every.contacts.normals, np.tile(-normal, (len(hit), 1)), atol=1e-14)
    deepest = er.collide(space, body, place, pose, depth=True)
    assert deepest.contacts.depths[0] == pytest.approx(-high.min(), abs=slack)
    np.testing.assert_allclose(deepest.contacts.normals[0], normal, atol=1e-14)
    below = (deepest.contacts.points[0] - place[:3, 3]) @ normal - space.offset
    assert below == pytest.approx(0.5 * high.min(), abs=2 * slack)


@pytest.mark.parametrize("scale", SCALES)
def test_what_touches(scale: float) -> None:
    """A flat mesh in the plane, a box that stands on it, a ball that rests on it: to the last bit."""
    flat = er.Mesh(scale * np.array([[0, 0, 0], [3, 0, 0], [3, 1, 0], [0, 1, 0.0]]), [[0, 1, 2], [0, 2, 3]])
    floor = er.HalfSpace([0, 0, scale], 0.0)
    on_top = er.Pose(translation=[1e3 * scale, -70 * scale, 0.5 * scale])
    for body, pose in [(flat, None), (er.Box(scale), on_top), (er.Sphere(0.5 * scale), on_top)]:
        assert er.collide(body, floor, pose)
        assert er.distance(body, floor, pose).value == 0
        assert len(er.collide(body, floor, pose, every=True).pairs) == len(body)
        contact = er.collide(floor, body, None, pose, depth=True).contacts
        assert contact.depths[0] == 0 and contact.normals[0].tolist() == [0, 0, 1]
        above = (pose or er.Pose()) @ er.Pose(translation=[0, 0, 1e-9 * scale])
        assert not er.collide(body, floor, above)
        assert er.distance(body, floor, above).value == pytest.approx(1e-9 * scale, rel=1e-4)


def test_far_along_the_plane_nothing_is_lost() -> None:
    """The plane passes there as it does at the origin: no box stands for it."""
    floor = er.HalfSpace([0, 0, 1], 0.25)
    spring = er.Mesh(*scenes.spring(segments=8))
    low = float(spring.bounds[0, 2])
    for away in [0.0, 1e3, 1e6, 1e9, 1e12]:
        for gap in [-0.5, 0.0078125, 3.0]:
            pose = er.Pose(translation=[away, -3 * away, 0.25 + gap])
            found = er.distance(spring, floor, pose)
            assert found.value == pytest.approx(max(0.0, gap + low), abs=1e-14 * (1 + away))


def test_culling_needs_few_tests() -> None:
    """Only what is nearest to the plane is looked at."""
    spring = er.Mesh(*scenes.spring())
    found = er.distance(spring, er.HalfSpace([1, 2, 3], -100.0))
    assert found.counters.leaf_tests < 60 < len(spring)
    assert er.collide(spring, er.HalfSpace([1, 2, 3], -100.0)).counters.leaf_tests == 0


def test_two_half_spaces_overlap_or_are_parallel() -> None:
    floor, ceiling = er.HalfSpace([0, 0, 1], -1), er.HalfSpace([0, 0, -1], -2)  # z <= -1 and z >= 2
    found = er.distance(floor, ceiling)
    assert not er.collide(floor, ceiling) and found.value == found.upper == 3
    assert found.points[:, 2].tolist() == [-1, 2]
    turned = er.Pose.from_matrix(matrices(np.random.default_rng(0), 1, 5.0)[0])
    assert er.distance(floor, ceiling, turned, turned).value == pytest.approx(3, abs=1e-13)
    lower = er.Pose(translation=[0, 0, -5])
    contacts = er.collide(floor, ceiling, pose_b=lower, depth=True).contacts
    assert contacts.depths[0] == 2 and contacts.normals[0].tolist() == [0, 0, 1]
    for other in (
        er.HalfSpace([0, 1e-6, -1], -2),
        er.HalfSpace([1, 0, 0], 0),
        floor,
        er.HalfSpace([0, 0, 1], 7),
    ):
        assert er.collide(floor, other) and er.distance(floor, other).value == 0
        x, y = er.distance(floor, other).points
        assert x.tolist() == y.tolist() and x[2] <= -1 + 1e-8 and other.normal @ x <= other.offset + 1e-8
        assert er.collide(floor, other, depth=True).contacts.depths[0] == np.inf


def test_mapped_distances() -> None:
    rng = np.random.default_rng(5)
    for body in bodies(rng, 1.0):
        space, pose, linear = half_space(rng, 1.0), matrices(rng, 1, 4.0)[0], rng.normal(size=(3, 3))
        low = float(heights(body, pose, space, np.eye(4)).min())
        shrunk = float(np.linalg.norm(np.linalg.inv(linear).T @ space.normal))
        found = er.distance(body, space, pose, linear=linear)
        assert found.value == pytest.approx(max(0.0, low / shrunk), abs=1e-10)
        apart = linear @ (found.points[1] - found.points[0])
        assert np.linalg.norm(apart) == pytest.approx(found.value, abs=1e-10)


def room() -> tuple[er.Group, list[er.HalfSpace]]:
    """Six walls about a cube of side 4, with a ball in it."""
    walls = [er.HalfSpace(s * axis, -2.0) for axis in np.eye(3) for s in (-1, 1)]
    return er.Group([*walls, (er.Sphere(0.5), er.Pose(translation=[1, 1, 1]))]), walls


def test_in_groups_with_poses_of_their_own() -> None:
    rng = np.random.default_rng(6)
    inside, walls = room()
    inside.validate()
    spring = er.Mesh(*scenes.spring())
    for many in (1, 4):  # under a tree of its own, and over the trees of its members
        where = matrices(rng, many, 30.0)
        group = er.Group([*zip([spring] * many, where, strict=True), (inside, matrices(rng, 1, 100.0)[0])])
        group.validate()
        assert np.isinf(group.bounds).all()
        outer = [pose for _, pose in group.members][-1]
        for pose in matrices(rng, 10, 60.0):
            ball = er.Sphere(rng.uniform(0.1, 30))
            parts = [er.distance(spring, ball, at, pose).value for at in where]
            parts += [er.distance(body, ball, outer, pose).value for body in (inside, *walls)]
            assert er.distance(ball, group, pose).value == pytest.approx(min(parts), abs=1e-11)
            hit = er.collide(group, ball, pose_b=pose, every=True).pairs[:, 0]
            alone = er.collide(inside, ball, outer, pose, every=True).pairs[:, 0] + many * len(spring)
            assert set(hit) >= set(alone)


def test_budgets_enclose_and_memories_agree() -> None:
    rng = np.random.default_rng(7)
    spring, (inside, _) = er.Mesh(*scenes.spring()), room()
    group, memory = er.Group([inside, (spring, er.Pose(translation=[50, 0, 0]))]), er.Memory()
    pose = matrices(rng, 1, 1.0)[0]
    for _ in range(20):
        pose = (
            pose @ er.Pose(Rotation.from_rotvec(0.05 * rng.normal(size=3)), 0.1 * rng.normal(size=3)).matrix
        )
        plain = er.distance(group, spring, pose_b=pose)
        assert er.distance(group, spring, pose_b=pose, memory=memory).value == pytest.approx(plain.value)
        assert bool(er.collide(group, spring, pose_b=pose, memory=memory)) == (plain.value == 0)
        for tests in (1, 20, 200):
            some = er.distance(group, spring, pose_b=pose, budget=er.Budget(tests=tests))
            assert some.lower <= plain.value + 1e-12 and some.upper >= plain.value - 1e-12


def test_chains_necklaces_and_articulated_bodies() -> None:
    rng = np.random.default_rng(8)
    links = [er.Link(f"bone {i}", er.Capsule(0.1, 0.8)) for i in range(4)]
    turn = ([1, 0, 0, 0], [0, 0, 1])
    joints = [er.Joint(f"joint {i}", "revolute", f"bone {i}", f"bone {i + 1}", turn, axis=(0, 1, 0))
              for i in range(3)]  # fmt: skip
    for refit in ("auto", "cab", "aabb", "none"):
        finger = er.Articulated(links, joints, refit=refit)
        configurations = rng.uniform(-2, 2, (5, 3))
        space = half_space(rng, 2.0)
        hits = er.collide(finger, space, configurations=configurations)
        for one, hit in zip(configurations, hits, strict=True):
            finger.move(one)
            low = [heights(er.Capsule(0.1, 0.8), p, space, np.eye(4))[0] for p in finger.link_poses()]
            assert bool(hit) == (min(low) <= 0)
            check_many(finger, space, np.array(low))
    places = np.cumsum(rng.normal(size=(300, 3)), axis=0)
    for body in (er.Chain(places, 0.4), er.Necklace(places, 0.4), er.Chain(places, 0.4, volume="obb")):
        for _ in range(6):
            space = half_space(rng, 12.0)
            low = places @ space.normal - 0.4 - space.offset
            check_many(body, space, low)
            some = er.distance(body, space, budget=er.Budget(tests=20))
            assert some.lower - 1e-11 <= max(0.0, low.min()) <= some.upper + 1e-11
    walls, _ = room()
    assert er.within(er.Chain(places, 0.4), walls, 0.5).indices[:, 1].max() <= 6


def check_many(body: Any, space: er.HalfSpace, low: np.ndarray) -> None:
    assert bool(er.collide(body, space)) == (low.min() <= 0)
    assert er.collide(body, space, every=True).pairs[:, 0].tolist() == np.flatnonzero(low <= 0).tolist()
    assert er.distance(space, body).value == pytest.approx(max(0.0, low.min()), abs=1e-11)
    pairs = er.within(body, space, 1.0)
    assert pairs.indices[:, 0].tolist() == np.flatnonzero(low <= 1.0).tolist()
    np.testing.assert_allclose(pairs.distances, np.maximum(low[low <= 1.0], 0), atol=1e-11)


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_rays(radius: float) -> None:
    rng = np.random.default_rng(9)
    for scale in SCALES:
        space, pose = half_space(rng, scale), matrices(rng, 1, scale)[0]
        origins, directions = scale * rng.normal(size=(100, 3)), rng.normal(size=(100, 3))
        found = er.cast(space, origins, directions, pose, radius=radius * scale)
        normal = pose[:3, :3] @ space.normal
        high = (origins - pose[:3, 3]) @ normal - space.offset - radius * scale
        with np.errstate(divide="ignore"):
            way = -high * np.linalg.norm(directions, axis=1) / (directions @ normal)
        wanted = np.where(high <= 0, 0.0, np.where(way > 0, way, np.inf))
        np.testing.assert_allclose(found.distances, wanted, rtol=1e-9, atol=1e-9 * scale)
        down = (high > 0) & (way > 0)
        np.testing.assert_allclose(found.normals[down], np.tile(normal, (down.sum(), 1)), atol=1e-12)
    walls, _ = room()
    every = er.cast(walls, [[0, 0, 0]], [[1, 1, 1]], every=True)
    assert every.primitives.tolist() == [6, 0, 2, 4]
    assert er.cast(walls, [0, 0, 0], [1, 1, 1]).primitives[0] == 6


def test_constructor_copies_pickles_and_repr() -> None:
    space = er.HalfSpace([0, 3, 4], 10)
    assert space.normal.tolist() == [0, 0.6, 0.8] and space.offset == 2
    assert repr(space) == "HalfSpace(normal=[0.0, 0.6, 0.8], offset=2)"
    assert np.isinf(space.bounds).all()
    assert er.HalfSpace([0, 0, -2], 6).bounds.tolist() == [[-np.inf, -np.inf, -3], [np.inf] * 3]
    for made in (pickle.loads(pickle.dumps(space)), copy.deepcopy(space), er.HalfSpace(space.normal, 2.0)):
        assert made.fingerprint == space.fingerprint and repr(made) == repr(space)
    group = er.Group([space, er.Sphere(1)])
    assert pickle.loads(pickle.dumps(group)).fingerprint == group.fingerprint
    space.validate()
    with pytest.raises(ValueError, match="normal must not be zero"):
        er.HalfSpace([0, 0, 0], 1)
    with pytest.raises(ValueError, match="offset"):
        er.HalfSpace([1e-6, 0, 0], 1e12)
    with pytest.raises(ValueError, match="link 'base' must be bounded"):
        er.Link("base", [space])

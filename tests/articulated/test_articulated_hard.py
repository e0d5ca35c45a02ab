"""Articulated bodies at their limits: sizes, angles, contacts by a hair, kept arrays, threads that meddle."""

from __future__ import annotations

import gc
import itertools
import threading
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from articulated_makers import MAKERS, REFITS, arm, scaled, skins, tree
from articulated_oracle import SlowBody, Twin
from chain_makers import rng_of
from query_checks import rows_of

import elbowroom as er

EDGES = (1e-33, 1e-28, 1e-23, 3e-22, 1e-21, 1e-20, 1e-19, 1e-12, 1e7, 1e11)
KINDS_AT_THE_EDGE = ("tree", "skins", "straight", "arm")


@pytest.mark.parametrize("factor", EDGES)
@pytest.mark.parametrize("maker", KINDS_AT_THE_EDGE)
def test_sizes_at_the_edge_of_single_precision(maker: str, factor: float) -> None:
    """A body and the same one scaled by a power of two are alike in everything."""
    factor = 2.0 ** round(np.log2(factor))
    plain, other = (
        made(rng_of("edge", maker), 12) for made in (MAKERS[maker], scaled(MAKERS[maker], factor))
    )
    one, two = Twin.of(plain), Twin.of(other)
    rng = rng_of("edge moves", maker)
    lengths = length_rows(one.slow)
    for _ in range(4):
        q = one.slow.random(rng)
        one.move(q)
        two.move(np.where(lengths, q * factor, q))
        assert rows_of(er.self_collide(two.body, every=True).pairs) == rows_of(
            er.self_collide(one.body, every=True).pairs
        )
        assert bool(er.self_collide(two.body)) == bool(er.self_collide(one.body))
        assert er.self_distance(two.body).value == pytest.approx(
            er.self_distance(one.body).value * factor, rel=1e-9
        )
        two.body.validate()


def length_rows(slow: SlowBody) -> np.ndarray:
    """Which numbers of a configuration are lengths."""
    out = np.zeros(slow.dof, dtype=bool)
    for joint in slow.recipe.joints:
        if joint.name in slow.slices and joint.kind in ("prismatic", "free"):
            first = slow.slices[joint.name].start
            out[first : first + (1 if joint.kind == "prismatic" else 3)] = True
    return out


def test_points_in_one_place() -> None:
    for refit in REFITS:
        for thing in (er.Sphere(0), er.Box(0), er.Capsule(0, 0), er.Convex([[0, 0, 0]])):
            one = er.Articulated([er.Link("a", thing)], refit=refit)
            assert er.self_distance(one).value == np.inf and not er.self_collide(one)
            made = [er.Link("a", thing), er.Link("b", thing)]
            two = er.Articulated(made, [er.Joint("j", "prismatic", "a", "b")], refit=refit)
            assert er.self_distance(two).value == np.inf and not er.self_collide(two)
            two.include([("a", "b")])
            assert er.self_distance(two).value == 0.0 and er.self_collide(two)
            assert er.collide(one, thing) and er.distance(one, thing).value == 0.0
            two.move([1e-30])
            assert not er.self_collide(two) and er.self_distance(two).value == 1e-30


@pytest.mark.parametrize(
    "angle", [0.0, np.pi, -np.pi, 2.0 * np.pi, 1e-300, 1e5, 1e5 + 1.0, -1e8, 1e12, 0.75 * np.pi]
)
def test_angles_of_any_size(angle: float) -> None:
    rng = rng_of("angles")
    twin = Twin.of(arm(rng, 9))
    for k in range(8):
        q = np.zeros(8)
        q[k:] = angle
        twin.move(q)
        twin.check_poses()
        twin.check_verdict()
        twin.body.validate()


# Contacts by a hair, judged by the oracle of rigid bodies, which shares nothing with the library.


def all_but(links: int, pair: tuple[int, int]) -> list[tuple[int, int]]:
    pairs = [(i, j) for i in range(links) for j in range(i + 1, links)]
    return [other for other in pairs if other != pair]


def crowd(rng: np.random.Generator, case: nasty.Case, others: int, refit: Any) -> tuple[Any, np.ndarray]:
    """The two bodies as the first and the last of many links, of which no other pair counts."""
    size, count = case.a.reach, len(case.pose_a)
    small = [er.Link(f"x{i}", er.Sphere(0.01 * size)) for i in range(others)]
    links = [er.Link("a", case.a.body), *small, er.Link("b", case.b.body)]
    body = er.Articulated(links, refit=refit, exclude=all_but(others + 2, (0, others + 1)))
    poses = np.tile(np.eye(4), (count, others + 2, 1, 1))
    poses[:, :, :3, 3] = case.pose_a[:, None, :3, 3] + rng.normal(size=(count, others + 2, 3)) * size
    poses[:, 0], poses[:, -1] = case.pose_a, case.pose_b
    return body, poses


@pytest.mark.parametrize("refit", REFITS)
def test_contacts_by_a_hair(refit: str) -> None:
    """Gaps and overlaps of 1e-15 to 1e-2 of the size; those below 1e-12 of the scale may go either way."""
    rng, seen = rng_of("hair", refit), {"free": 0, "hit": 0}
    for kinds in nasty.KIND_PAIRS:
        case = nasty.case(rng, kinds, 8, "near")
        true = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b).signed
        body, poses = crowd(rng, case, int(rng.integers(0, 34)), refit)
        body.place(poses)
        many = er.self_collide(body).hits
        for k, pose in enumerate(poses):
            body.place(pose)
            assert bool(er.self_collide(body)) == many[k]
        sure = np.abs(true) > 1e-12 * case.scale
        assert np.array_equal(many[sure], true[sure] < 0.0), case.code(0)
        seen["free"] += int((sure & ~many).sum())
        seen["hit"] += int((sure & many).sum())
    assert min(seen.values()) > 20


@pytest.mark.parametrize("refit", REFITS)
def test_what_is_inside_a_hollow_shape_is_free(refit: Any) -> None:
    """Boxes and hulls of the two overlap deeply; a mesh is its surface."""
    ring = er.Mesh(*er.scenes.torus(radius=1.0, tube=0.2, segments=24, sides=8))
    made = [er.Link("ring", ring), er.Link("ball", er.Sphere(0.3)), er.Link("box", er.Box(0.4))]
    slides = [er.Joint(name, "prismatic", "ring", name, axis=(1, 0, 0)) for name in ("ball", "box")]
    body: Any = er.Articulated(made, slides, refit=refit, exclude=[("ball", "box")])
    cases: list[tuple[list[float], list[tuple[int, int]]]] = [
        ([0.0, 0.1], []), ([0.8, 0.0], [(0, 1)]), ([0.0, -0.9], [(0, 2)]), ([-1.0, 1.0], [(0, 1), (0, 2)]),
        ([1.6, 1.5], []),
    ]  # fmt: skip
    for q, expected in cases:
        body.move(q)
        assert rows_of(er.self_collide(body, every=True).pairs) == expected
        assert bool(er.self_collide(body)) == bool(expected)
        assert (er.self_distance(body).value == 0.0) == bool(expected)
    body.move(np.array([q for q, _ in cases]))
    assert er.self_collide(body).hits.tolist() == [bool(expected) for _, expected in cases]


# Arrays that are kept, and threads.


def test_poses_of_many_configurations_are_kept_as_long_as_they_are_needed() -> None:
    rng = rng_of("kept")
    recipe = skins(rng, 7)
    slow, body, single = SlowBody(recipe), recipe.body(), recipe.body()
    poses = np.array([slow.poses(slow.random(rng)) for _ in range(30)])
    expected = []
    for pose in poses:
        single.place(pose)
        expected.append(bool(er.self_collide(single)))
    layouts: list[Any] = [
        poses.copy(),
        np.asfortranarray(poses),
        poses[::-1].copy()[::-1],
        poses.tolist(),
        [*poses],
    ]
    for k in range(len(layouts)):
        body.place(layouts[k])
        layouts[k] = None
        gc.collect()
        rubbish = [np.full(poses.shape, np.nan) for _ in range(3)]  # takes the place of what was freed
        assert er.self_collide(body).hits.tolist() == expected
        assert body.link_poses() == pytest.approx(poses, abs=1e-12)
        del rubbish


def test_one_set_of_poses_is_copied() -> None:
    body = arm(rng_of("copied"), 4).body()
    poses = body.link_poses()
    body.place(poses)
    poses[:] = np.nan
    assert np.isfinite(body.link_poses()).all() and not er.self_collide(body)
    body.validate()


@pytest.mark.parametrize("refit", ["auto", "cab"])
def test_threads_may_ask_but_not_move_at_once(refit: str) -> None:
    rng = rng_of("meddle")
    recipe = tree(rng, 30)
    slow, body = SlowBody(recipe), recipe.body(refit=refit)
    q = np.array([slow.random(rng) for _ in range(200)])
    body.move(q)
    expected = er.self_collide(body, every=True).pairs.tolist()
    refused = sum(meddle(body, q, expected) for _ in range(5))
    assert refused > 0
    body.move(q[0])
    body.validate()


def meddle(body: Any, q: np.ndarray, expected: list[Any]) -> int:
    """Moves the body while it is asked; how often that was refused."""
    answers: list[Any] = []
    asking = threading.Thread(target=lambda: answers.append(er.self_collide(body, every=True).pairs.tolist()))
    asking.start()
    refused = 0
    while asking.is_alive():
        try:
            body.move(q)
        except RuntimeError as error:
            refused += "another thread" in str(error)
    asking.join()
    assert answers == [expected]
    return refused


def far_arm(refit: str) -> tuple[er.Articulated, np.ndarray, np.ndarray]:
    """A box at the root and two beyond 1,500 sliding joints; close together, and as far as numbers go."""
    names = [f"slide {i}" for i in range(1_500)]
    shaped = [er.Link(name, er.Box(1)) for name in ("root", "end", "tip")]
    links = [shaped[0], *map(er.Link, names), *shaped[1:]]
    path = [link.name for link in links]
    joints = [
        er.Joint(f"to {child}", "prismatic", parent, child, axis=(1, 0, 0))
        for parent, child in itertools.pairwise(path)
    ]
    near, far = np.zeros(len(joints)), np.full(len(joints), 1e15)
    near[[0, -2, -1]], far[-1] = 5.0, 0.0  # free; and the last two in one place
    return er.Articulated(links, joints, refit=refit, exclude=None), near, far


def test_links_too_far_apart_for_boxes_are_refused_and_not_called_free() -> None:
    body, near, far = far_arm("auto")
    body.move(near)
    with pytest.raises(ValueError, match="configuration puts links farther apart"):
        body.move(far)
    assert body.configuration is not None and (body.configuration == near).all()
    body.validate()
    assert not er.self_collide(body)
    body.move(np.stack([near, far]))
    with pytest.raises(ValueError, match="configuration puts links farther apart"):
        er.self_collide(body)


@pytest.mark.parametrize("refit", ["cab", "obb", "aabb", "none"])
def test_links_far_apart_are_right_where_they_are_taken(refit: str) -> None:
    body, near, far = far_arm(refit)
    body.move(near)
    assert not er.self_collide(body)
    body.move(far)
    assert er.self_collide(body)

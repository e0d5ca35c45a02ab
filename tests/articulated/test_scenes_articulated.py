"""Articulated scenes: links, chains, motions, the hand, and how often boxes and links meet in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

import elbowroom as er
from elbowroom import scenes
from elbowroom.scenes import articulated, hand

Array = NDArray[np.float64]
CHAINS: dict[str, Callable[..., scenes.Limbs]] = {
    "swinging": scenes.swinging_chains,
    "braided": scenes.braided_chains,
}


def body_of(limbs: scenes.Limbs, refit: str = "auto") -> er.Articulated:
    body = er.Articulated(limbs.links, limbs.joints, refit=refit, exclude=None)
    body.move(limbs.motion)
    return body


def volume(vertices: Array, faces: NDArray[np.int64]) -> float:
    """Enclosed volume; positive if the faces are turned outwards."""
    return float(np.linalg.det(vertices[faces]).sum() / 6)


# Links.


@pytest.mark.parametrize("make", [scenes.spindle, scenes.boat])
@pytest.mark.parametrize("ratio", [1.5, 3.0, 6.0])
def test_links_are_closed_and_fill_their_box(make: Callable[..., scenes.Surface], ratio: float) -> None:
    vertices, faces = make(ratio)
    assert (vertices.shape, faces.shape) == ((58, 3), (112, 3))
    edges = Counter((int(a), int(b)) for face in faces for a, b in zip(face, np.roll(face, -1), strict=True))
    assert set(edges.values()) == {1} and all((b, a) in edges for a, b in edges)
    assert volume(vertices, faces) > 0
    extents = np.ptp(vertices, axis=0)
    assert extents[:2] == pytest.approx([ratio, 1.0])
    assert extents[2] == pytest.approx(0.85 if make is scenes.spindle else 0.425)


def test_a_spindle_is_convex_and_a_boat_is_dented() -> None:
    for make, share in ((scenes.spindle, 1.0), (scenes.boat, 0.7)):
        vertices, faces = make()
        filled = volume(vertices, faces) / ConvexHull(vertices).volume
        assert filled == pytest.approx(1.0) if share == 1.0 else filled < share
    hollow = er.Sphere(0.05)
    inside = er.Pose(translation=[0.0, 0.0, -0.15])  # below the boat's rim, above its floor
    assert not er.collide(er.Mesh(*scenes.boat()), hollow, pose_b=inside)
    assert er.collide(er.Convex(scenes.boat()[0]), hollow, pose_b=inside)


# Chains.


@pytest.mark.parametrize("dented", [False, True])
def test_straight_chains_do_not_touch(dented: bool) -> None:
    limbs = scenes.swinging_chains(1, dented=dented)
    body = er.Articulated(limbs.links, limbs.joints, exclude=None)
    assert (len(body), len(body.shapes), body.dof) == (16, 16, 2 * (7 + 7 * 4))
    straight = body.zero()
    straight[body.index("root b")][1] = 20.0
    body.move(straight)
    assert er.self_distance(body).value == pytest.approx(articulated.GAP)
    ends = body.link_poses()[[7, 15], 0, 3]
    assert ends == pytest.approx([7 * 6.3, 7 * 6.3])


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_motions_are_smooth_and_fewer_frames_are_the_same_motion(make: Callable[..., scenes.Limbs]) -> None:
    fine, coarse = make(2001), make(1001)
    assert fine.motion[::2] == pytest.approx(coarse.motion, abs=1e-9)
    places = body_of(make(10_000)).link_poses()[:, :, :3, 3]
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() < 2.0
    quaternions = np.delete(fine.motion, [0, 1, 2, 35, 36, 37], axis=1).reshape(len(fine.motion), 16, 4)
    assert np.linalg.norm(quaternions, axis=2) == pytest.approx(np.ones((2001, 16)))


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_seeds_make_the_difference(make: Callable[..., scenes.Limbs]) -> None:
    assert np.array_equal(make(20, seed=1).motion, make(20, seed=1).motion)
    assert not np.array_equal(make(20, seed=1).motion, make(20, seed=2).motion)


def test_a_braid_begins_side_by_side_and_ends_in_contact() -> None:
    limbs = scenes.braided_chains(1000)
    body = body_of(limbs)
    hits = er.self_collide(body).hits
    assert not hits[:50].any() and hits[200:].mean() > 0.3
    across = body.link_poses()[:, :, 1:3, 3]
    # The joints of a loose braid are far from those of the other chain, those of a tight one near.
    apart = np.linalg.norm(across[:, :8] - across[:, 8:], axis=2)
    assert apart[0].min() > 2.5 and apart[200:].max() < 2.0


def test_a_braid_winds_about_itself() -> None:
    places = body_of(scenes.braided_chains(100)).link_poses()[-1, :, :3, 3]
    first, second = places[:8], places[8:]
    turned = np.unwrap(np.arctan2(*(second - first)[:, :0:-1].T))
    assert abs(turned[-1] - turned[0]) > 5.0


#: Exact queries with oriented boxes, and collisions, in the paper's tables for 10,000 frames.
PAPER = {
    "3:1": (5_740, 214, lambda n: scenes.swinging_chains(n, 3.0, lean=0.0, swing=0.15, apart=10.0)),
    "6:1": (7_194, 354, scenes.swinging_chains),
    "dented": (3_405, 73, lambda n: scenes.swinging_chains(n, dented=True)),
    "braided": (24_731, 9_528, scenes.braided_chains),
}


@pytest.mark.parametrize(("exact", "hits", "make"), PAPER.values(), ids=PAPER)
def test_boxes_and_links_meet_about_as_often_as_in_the_paper(
    exact: int, hits: int, make: Callable[[int], scenes.Limbs]
) -> None:
    found = body_of(make(2000), "obb").measure()
    assert 0.75 < 5 * found["exact"] / exact < 4 / 3
    assert 1 / 3 < 5 * found["hits"] / hits < 3


# The hand.


def test_the_hand_has_18_links_and_stays_within_its_limits() -> None:
    flicked = scenes.hand_and_ball(401)
    body, table = body_of(flicked.hand), body_of(flicked.table)
    assert (len(body), len(table)) == (18, 4)
    assert len(body) * len(table) * hand.FRAMES == 288_072  # the paper's number of pairs
    low, high = body.limits.T
    assert ((flicked.hand.motion >= low) & (flicked.hand.motion <= high)).all()
    bends = body.link_poses()[:, body.link_number("index 3"), :3, 0]
    assert np.ptp(bends[:, 2]) > 0.5  # the index finger stretches and curls


def test_the_ball_lies_on_the_table_and_is_hit_in_every_flick() -> None:
    flicked = scenes.hand_and_ball()
    table, body = body_of(flicked.table), body_of(flicked.hand)
    places = table.link_poses()[:, table.link_number("ball")]
    top = er.distance(
        er.Sphere(hand.BALL), er.Box([200.0, 200.0, 1.0]), places, er.Pose(translation=[0, 0, -0.5])
    )
    assert top.values.min() > 0 and top.values.max() < 1e-4
    hits = er.collide(body, er.Sphere(hand.BALL), pose_b=places).hits
    begins = int((np.diff(hits.astype(int)) == 1).sum())
    assert hand.FLICKS <= begins <= 4 * hand.FLICKS


def test_the_hand_is_always_near_and_seldom_in_contact() -> None:
    flicked = scenes.hand_and_ball(1001)
    found = body_of(flicked.hand, "obb").measure(body_of(flicked.table, "obb"))
    assert found["exact"] == pytest.approx(11_031 / 4, rel=1 / 3)
    assert 1 / 3 < 4 * found["hits"] / 764 < 3

"""What the independent check of motion certificates is made of: kinematics, bounds, distances, trees."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from articulated_makers import MAKERS
from articulated_oracle import SlowBody
from chain_makers import MAKERS as CHAINS
from chain_makers import rng_of
from chain_oracle import SlowChain
from motion_bending import LinkPath, TorsionPath
from motion_bending_makers import BODIES, some_path

import elbowroom as er
from elbowroom._proof.contact import hull_distance
from elbowroom._proof.frames import Frames, Moves
from elbowroom._proof.moves import add_links, add_torsions, rigid_moves, torsions_of
from elbowroom._proof.pieces import WIDTH, Flock, Hulls, Names, Pieces, ranges
from elbowroom._proof.scene import as_it_stands, obstacle_list

TIMES = np.array([0.0, 0.07, 0.25, 0.5, 0.61, 0.93, 1.0])


def poses_at(frames: Frames, times: np.ndarray) -> np.ndarray:
    """(frames, times, 4, 4)."""
    stretch = np.array([frames.stretch_at(t) for t in times])
    turned, placed = frames.poses(stretch, times)
    out = np.tile(np.eye(4), (*placed.shape[:2], 1, 1))
    out[..., :3, :3], out[..., :3, 3] = turned, placed
    return out


# Where everything is.


def test_rigid_motions_are_where_the_motion_says() -> None:
    rng = rng_of("rigid")
    for angle in (0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi):
        start = nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)))[0]
        axis = nasty.directions(rng, 1)
        goal = start.copy()
        goal[:3, :3] = turn(axis[0], angle) @ start[:3, :3]
        goal[:3, 3] += rng.normal(size=3)
        motion, frames = er.Motion(start, goal), Frames()
        frames.add(0, rigid_moves(motion))
        assert np.abs(poses_at(frames, TIMES)[1] - motion.at(TIMES)).max() < 1e-12


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * skew @ skew)


@pytest.mark.parametrize("maker", BODIES)
def test_links_are_where_the_body_has_them(maker: str) -> None:
    for seed in range(3):
        rng = rng_of(maker, seed)
        recipe = BODIES[maker](rng, 5)
        links = LinkPath(recipe, some_path(rng, SlowBody(recipe)))
        frames = Frames()
        made = add_links(frames, links.body, links.path)
        here, there = poses_at(frames, TIMES)[made], links.poses(TIMES)
        assert np.abs(here.transpose(1, 0, 2, 3) - there).max() < 1e-9 * max(1.0, np.abs(there).max())


@pytest.mark.parametrize("maker", ["coil", "protein", "branched", "bonded", "huge"])
def test_balls_are_where_torsions_take_them(maker: str) -> None:
    rng = rng_of("balls", maker)
    recipe = CHAINS[maker](rng, 30)
    torsions = {3: 0.5, 20: -2.0, 11: 7.0, 28: 0.1}
    chain, frames = recipe.chain(), Frames()
    joints, angles = torsions_of(torsions)
    made, origin = add_torsions(frames, chain, joints, angles)
    slow = SlowChain(recipe)
    part = np.searchsorted(joints, slow.owner)
    poses = poses_at(frames, TIMES)[made][part]
    inside = slow.balls - origin[part]
    here = np.einsum("btij,bj->tbi", poses[..., :3, :3], inside) + poses[..., :3, 3].transpose(1, 0, 2)
    assert np.abs(here - TorsionPath(slow, torsions).positions(TIMES)).max() < 1e-9 * slow.size
    chain.change(torsions)
    assert np.abs(here[-1] - chain.positions(side=True)).max() < 1e-9 * slow.size


def test_a_joint_that_is_named_twice_turns_by_the_sum() -> None:
    joints, angles = torsions_of(([5, 2, 5], [0.25, 1.0, 0.5]))
    assert joints.tolist() == [2, 5] and angles.tolist() == [1.0, 0.75]
    assert torsions_of({5: 0.75, 2: 1.0})[1].tolist() == [1.0, 0.75]


def test_a_motion_whose_axis_does_not_lead_to_its_goal_is_refused() -> None:
    motion = er.Motion(er.Pose(), er.Pose([np.cos(0.5), 0, 0, np.sin(0.5)]))

    class Lie:
        start, goal, angle, axis = motion.start, motion.goal, motion.angle, np.array([0.0, 1.0, 0.0])

    with pytest.raises(ValueError, match="does not lead to its goal"):
        rigid_moves(Lie())


# How sharply paths bend.


def random_frames(rng: np.random.Generator, count: int) -> Frames:
    """A tree of frames that turn and shift, with one to three shares of the time."""
    frames = Frames()
    for f in range(1, count):
        k = int(rng.integers(1, 4))
        rate = rng.normal(size=k) * 3.0 * (rng.random(k) < 0.8)
        parts = rng.normal(size=(k, 3)), rng.normal(size=(k, 3)) * (rng.random() < 0.7)
        frames.add(
            int(rng.integers(0, f)), Moves(*parts, nasty.rotations(rng, k), nasty.directions(rng, k), rate)
        )
    return frames


def test_no_path_bends_more_than_its_bound_in_any_view() -> None:
    """Second differences of paths, from every frame to every other; the bound is not idle either."""
    rng, sharpest = rng_of("bends"), 0.0
    for _ in range(10):
        frames = random_frames(rng, 6)
        knots = frames.knots
        for s in range(len(knots) - 1):
            times = np.linspace(knots[s], knots[s + 1], 41)
            turned, placed = frames.poses(np.full(len(times), s), times)
            h = times[1] - times[0]
            for f, view in np.ndindex(len(frames), len(frames)):
                point = rng.normal(size=3)
                x = turned[f] @ point + placed[f] - placed[view]
                seen = np.einsum("tij,ti->tj", turned[view], x)
                bend, reach = frames.bend(f, view), float(np.linalg.norm(point))
                most = float(bend.bend[s] * reach + bend.drift[s])
                found = np.linalg.norm(np.diff(seen, 2, axis=0), axis=1).max() / h**2
                assert found <= most * (1.0 + 1e-6) + 1e-6, (f, view)
                assert np.linalg.norm(seen, axis=1).max() <= reach + bend.offset[s] + 1e-9
                sharpest = max(sharpest, found / most if most > 0 else 0.0)
    assert sharpest > 0.8


def test_frames_that_do_not_move_against_each_other_see_no_bend() -> None:
    frames = random_frames(rng_of("rest"), 3)
    fixed = frames.add(
        2, Moves(np.ones((1, 3)), np.zeros((1, 3)), np.eye(3)[None], np.eye(3)[:1], np.zeros(1))
    )
    assert frames.meets[fixed, 2] == 2
    for pair in ((fixed, 2), (2, fixed), (fixed, fixed)):
        bend = frames.bend(*pair)
        assert not bend.bend.any() and not bend.drift.any()


# Distances, trees, and what is given.


def test_hull_distance_is_the_oracles() -> None:
    rng, apart = rng_of("hulls"), 0
    for _ in range(300):
        a = rng.normal(size=(int(rng.integers(1, 9)), 3)) * 10.0 ** rng.uniform(-3.0, 1.0)
        b = rng.normal(size=(int(rng.integers(1, 9)), 3)) + rng.normal(size=3) * rng.uniform(0.0, 3.0)
        solids = oracle.pack([oracle.hull(a)]), oracle.pack([oracle.hull(b)])
        truth = max(0.0, float(oracle.signed_matrix(*solids)[0, 0]))
        assert abs(hull_distance(a, b) - truth) < 1e-9
        assert abs(hull_distance(a + 1e5, b + 1e5) - truth) < 1e-8
        apart += truth > 0.0
    assert 50 < apart < 290


@pytest.mark.parametrize("narrow", [1.0, 1e-3, 1e-6, 1e-8])
def test_small_hull_distances_are_right_to_rounding(narrow: float) -> None:
    """A corner over a sliver, and two edges that cross, at a known distance along z, turned at random."""
    rng = rng_of("small distances", narrow)
    for _ in range(100):
        gap = 10.0 ** rng.uniform(-13.0, -8.0)
        flat = np.column_stack([rng.normal(size=(4, 2)), np.zeros(4)])
        sliver = (flat - flat.mean(axis=0)) * [1.0, narrow, 1.0]
        above = np.vstack([np.zeros(3), np.abs(rng.normal(size=(3, 3))) + np.array([0.0, 0.0, 0.1])])
        ridge = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.2, 1.0]]) * rng.uniform(0.1, 1.0, (3, 1))
        below = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.1, 0.3, -1.0]]) * [1.0, narrow, 1.0]
        turn, shift = np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.normal(size=3)
        for upper, lower in ((above, sliver), (ridge, below)):
            a, b = (upper + np.array([0.0, 0.0, gap])) @ turn.T + shift, lower @ turn.T + shift
            assert abs(hull_distance(a, b) - gap) < 1e-14


@pytest.mark.parametrize("count", [1, 2, WIDTH, WIDTH + 1, 1000])
def test_every_node_holds_its_pieces(count: int) -> None:
    rng = rng_of("tree", count)
    points = rng.normal(size=(3 * count, 3)) + np.repeat(rng.normal(size=(count, 3)) * 10.0, 3, axis=0)
    radius, zeros = rng.random(count), np.zeros(count, np.int64)
    hulls, names = Hulls(points, 3 * np.arange(count + 1), radius), Names(zeros, np.arange(count), zeros)
    pieces = Pieces([Flock(0, hulls, names)])
    root = pieces.flocks[0].root
    seen = []
    for node in range(root + 1):
        below = leaves(pieces, node)
        corners, owner = ranges(hulls.first[below], hulls.first[below + 1])
        away = np.linalg.norm(points[corners] - pieces.centre[node], axis=1) + radius[below][owner]
        assert away.max() <= pieces.size[node] * (1.0 + 1e-12)
        seen = sorted(below.tolist()) if node == root else seen
    assert seen == list(range(count))


def leaves(pieces: Pieces, node: int) -> np.ndarray:
    if pieces.piece[node] >= 0:
        return pieces.piece[node : node + 1]
    return np.concatenate([leaves(pieces, k) for k in range(pieces.begin[node], pieces.end[node])])


def test_obstacles_are_read_as_they_may_be_given() -> None:
    box, ball, where = er.Box(1), er.Sphere(1), er.Pose(translation=[3, 0, 0])
    motion = er.Motion(er.Pose(), where)
    arm = er.Articulated([er.Link("a", box)])
    given: list[tuple[Any, list[tuple[Any, Any]]]] = [
        (None, []), (box, [(box, None)]), ((box, where), [(box, where)]), ((box, motion), [(box, motion)]),
        ((box, ball), [(box, None), (ball, None)]), ([box, (ball, where)], [(box, None), (ball, where)]),
        (arm, [(arm, None)]),
    ]  # fmt: skip
    for value, wanted in given:
        assert obstacle_list(value) == wanted
    with pytest.raises(ValueError, match="obstacles"):
        obstacle_list(3)


def test_bodies_stand_where_they_are() -> None:
    rng = rng_of("stand")
    recipe = MAKERS["hand"](rng, 5)
    body = recipe.body()
    body.move(SlowBody(recipe).random(rng))
    hulls, numbers, _ = as_it_stands(body)
    assert len(hulls.radius) == len(numbers) == sum(len(shape) for _, shape, _ in body.shapes)
    poses, first = SlowBody(recipe).poses(body.configuration), 0
    for link, shape, pose in body.shapes:
        corner = poses[link] @ pose.matrix @ np.append(shape._points[0], 1.0)
        assert numbers[first] == link
        assert np.abs(corner[:3] - hulls.points[hulls.first[first]]).max() < 1e-9
        first += len(shape)
    flat = er.Necklace(np.stack([np.arange(5.0), np.ones(5)], axis=1), 0.25)
    assert as_it_stands(flat)[0].points.tolist()[4] == [4.0, 1.0, 0.0]
    with pytest.raises(ValueError, match="body"):
        as_it_stands("no body")

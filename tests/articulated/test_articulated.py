"""Articulated bodies: what they are made of, where their links are, and which pairs of links count."""

from __future__ import annotations

import copy
import pickle

import nasty
import numpy as np
import pytest
from articulated_makers import MAKERS, REFITS, Part, Recipe, arm, at, forest, hand, hinge, recipes, tree
from articulated_oracle import SlowBody, Twin, of_quaternion
from chain_makers import rng_of
from hypothesis import given, settings
from query_checks import rows_of
from scipy.spatial.transform import Rotation
from test_articulated_pairs import BALL, CUBE, joints, links

import elbowroom as er

SQRT_HALF = 0.5**0.5


# The oracle, by hand.


def test_the_oracle_places_links_as_worked_out_by_hand() -> None:
    """A quarter turn about z at (1, 0, 0), then a slide of 2 along x, then a half turn about y."""
    chain = [
        er.Joint("turn", "revolute", "a", "b", at(1, 0, 0), (0, 0, 3)),
        er.Joint("slide", "prismatic", "b", "c", at(0, 0, 1), (0.5, 0, 0)),
        er.Joint("ball", "spherical", "c", "d", at(1, 0, 0)),
        er.Joint("fly", "free", None, "e", at(0, 0, 5)),
    ]
    slow = SlowBody(Recipe(tuple(map(Part, "abcde")), tuple(chain)))
    q = np.array([np.pi / 2, 2.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0, SQRT_HALF, SQRT_HALF, 0.0, 0.0])
    a, b, c, d, e = slow.poses(q)
    quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert slow.dof == 13 and a.tolist() == np.eye(4).tolist()
    assert b[:3, 3].tolist() == [1, 0, 0] and b[:3, :3] == pytest.approx(np.array(quarter))
    assert c[:3, 3] == pytest.approx([1, 2, 1]) and c[:3, :3] == pytest.approx(np.array(quarter))
    assert d[:3, 3] == pytest.approx([1, 3, 1])
    assert d[:3, :3] == pytest.approx(np.array([[0, -1, 0], [-1, 0, 0], [0, 0, -1]]))
    assert e[:3, 3].tolist() == [1, 2, 8]
    assert e[:3, :3] == pytest.approx(np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]))


def test_the_oracles_quaternions_are_those_of_scipy() -> None:
    for q in np.random.default_rng(1).normal(size=(20, 4)):
        assert of_quaternion(q) == pytest.approx(Rotation.from_quat(q[[1, 2, 3, 0]]).as_matrix(), abs=1e-14)


# Kinematics.


@pytest.mark.parametrize("maker", MAKERS)
def test_links_are_where_the_joints_put_them(maker: str) -> None:
    for n in (1, 2, 25):
        rng = rng_of("where", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n))
        assert twin.body.link_names == tuple(twin.slow.names) and len(twin.body) == n
        assert twin.body.joint_names == tuple(twin.slow.slices) and twin.body.dof == twin.slow.dof
        for _ in range(6):
            twin.check_poses()
            twin.body.validate()
            twin.wander(rng)
        twin.check_poses()


@given(recipes())
@settings(max_examples=40)
def test_any_small_body_stands_where_the_matrices_say(recipe: Recipe) -> None:
    twin, rng = Twin.of(recipe), np.random.default_rng(0)
    for _ in range(3):
        twin.check_poses()
        twin.body.validate()
        twin.check_verdict()
        twin.wander(rng)


def test_a_new_body_stands_at_zero() -> None:
    for maker in ("arm", "tree", "hand"):
        recipe = MAKERS[maker](rng_of("zero", maker), 12)
        body, slow = recipe.body(), SlowBody(recipe)
        assert body.zero().tolist() == slow.zero().tolist() == body.configuration.tolist()
        assert body.link_poses() == pytest.approx(slow.poses(slow.zero()), abs=1e-12)
        assert body.many is False


def test_zero_lies_within_the_limits() -> None:
    limits = [(0.5, 1.0), (-2.0, -1.0), (-1.0, 1.0), None]
    made = [hinge(k, k - 1, None, (0, 0, 1), limits=limits[k - 1]) for k in range(1, 5)]
    made.append(er.Joint("j5", "spherical", "l4", "l5"))
    body = er.Articulated(links(*(f"l{k}" for k in range(6))), made)
    assert body.zero().tolist() == [0.5, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert body.limits.tolist()[:4] == [[0.5, 1.0], [-2.0, -1.0], [-1.0, 1.0], [-np.inf, np.inf]]
    assert body.limits[4:].tolist() == [[-1.0, 1.0]] * 4


def test_limits_of_a_free_joint() -> None:
    body = er.Articulated(links("a"), joints("- a", kind="free"))
    assert body.limits.tolist() == [[-np.inf, np.inf]] * 3 + [[-1.0, 1.0]] * 4
    assert body.zero().tolist() == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]


def test_joints_are_found_by_name() -> None:
    told = joints("a b", "b c fixed", "c d spherical", "d e free", "e f prismatic")
    body = er.Articulated(links(*"abcdef"), told)
    assert body.joint_names == ("a b", "c d spherical", "d e free", "e f prismatic")
    slices = [body.index(name) for name in body.joint_names]
    assert slices == [slice(0, 1), slice(1, 5), slice(5, 12), slice(12, 13)]
    assert [body.link_number(name) for name in "abcdef"] == list(range(6)) and body.dof == 13


def test_joints_follow_others() -> None:
    told = [
        hinge(1, 0, at(1, 0, 0), (0, 0, 1)),
        hinge(2, 1, at(1, 0, 0), (0, 0, 1), mimic=er.Mimic("j1", -2.0, 0.5)),
        hinge(3, 2, at(1, 0, 0), (0, 0, 1), mimic=er.Mimic("j4")),
        hinge(4, 3, at(1, 0, 0), (0, 0, 1)),
    ]
    body = er.Articulated(links("l0", "l1", "l2", "l3", "l4"), told)
    assert body.joint_names == ("j1", "j4") and body.dof == 2
    body.move([0.25, 0.5])
    angles = [np.arctan2(pose[1, 0], pose[0, 0]) for pose in body.link_poses()]
    assert np.diff(angles) == pytest.approx([0.25, 0.0, 0.5, 0.5])


def test_followers_are_followed_too_and_lengths_follow_angles() -> None:
    told = [
        hinge(1, 0, None, (0, 0, 1), mimic=er.Mimic("j2", 2.0, 0.25)),
        hinge(2, 1, None, (0, 0, 1), mimic=er.Mimic("j3", -0.5, 1.0)),
        hinge(3, 2, None, (0, 0, 1)),
        er.Joint("j4", "prismatic", "l3", "l4", axis=(0, 0, 2), mimic=er.Mimic("j1", 10.0, 1.0)),
    ]
    body = er.Articulated(links("l0", "l1", "l2", "l3", "l4"), told)
    body.move([0.5])
    second = -0.5 * 0.5 + 1.0
    first = 2.0 * second + 0.25
    angles = [np.arctan2(pose[1, 0], pose[0, 0]) for pose in body.link_poses()[1:4]]
    assert angles == pytest.approx([first, first + second, first + second + 0.5])
    assert body.link_poses()[4, :3, 3] == pytest.approx([0.0, 0.0, 10.0 * first + 1.0])


def test_limits_are_not_enforced() -> None:
    body = arm(rng_of("limits"), 3).body()
    body.move([5.0, -7.0])
    assert body.configuration.tolist() == [5.0, -7.0]


def test_moves_by_name_leave_the_other_joints() -> None:
    rng = rng_of("names")
    recipe = tree(rng, 20)
    body, slow = recipe.body(), SlowBody(recipe)
    q = slow.random(rng)
    body.move(q)
    for joint in recipe.joints:
        if joint.name in slow.slices:
            part, value = slow.slices[joint.name], slow.random_value(rng, joint)
            q[part] = value
            body.move({joint.name: value if len(value) > 1 else float(value[0])})
            assert body.configuration == pytest.approx(q, abs=1e-12)
    assert body.link_poses() == pytest.approx(slow.poses(q), abs=1e-9)
    body.move({})
    assert body.configuration == pytest.approx(q, abs=1e-12)


@pytest.mark.parametrize("maker", ["arm", "tree", "forest", "hand", "frames"])
def test_many_configurations_stand_where_single_ones_do(maker: str) -> None:
    rng = rng_of("many", maker)
    recipe = MAKERS[maker](rng, 15)
    body, single, slow = recipe.body(), recipe.body(), SlowBody(recipe)
    for count in (1, 2, 21):
        q = np.array([slow.random(rng) for _ in range(count)])
        body.move(q)
        assert body.many and body.link_poses().shape == (count, 15, 4, 4)
        assert body.configuration == pytest.approx(q, abs=1e-12)
        for k in range(count):
            single.move(q[k])
            assert np.array_equal(body.link_poses()[k], single.link_poses())
    body.move(q[0])
    assert not body.many and body.link_poses().shape == (15, 4, 4)


def test_the_configuration_is_a_copy() -> None:
    body = arm(rng_of("copy"), 4).body()
    given = np.array([0.1, 0.2, 0.3])
    body.move(given)
    given[:] = 9.0
    body.configuration[:] = 9.0
    body.zero()[:] = 9.0
    body.link_poses()[:] = 9.0
    assert body.configuration.tolist() == [0.1, 0.2, 0.3]
    assert body.zero().tolist() == [0.0, 0.0, 0.0] and body.link_poses().max() < 9.0


def test_placed_links_stand_where_they_were_put() -> None:
    rng = rng_of("placed")
    recipe = tree(rng, 12)
    body, slow = recipe.body(), SlowBody(recipe)
    poses = nasty.matrices(nasty.rotations(rng, 12), rng.normal(size=(12, 3)) * 3.0)
    body.place(poses)
    assert body.configuration is None and not body.many
    assert body.link_poses() == pytest.approx(poses, abs=1e-12)
    body.validate()
    clearance = slow.gaps(poses).min()
    assert bool(er.self_collide(body)) == (clearance < 0.0) and abs(clearance) > 1e-6
    q = slow.random(rng)
    body.move(q)
    assert body.link_poses() == pytest.approx(slow.poses(q), abs=1e-9)
    many = nasty.matrices(nasty.rotations(rng, 60), rng.normal(size=(60, 3)) * 3.0).reshape(5, 12, 4, 4)
    body.place(many)
    assert body.many and body.configuration is None and body.link_poses() == pytest.approx(many, abs=1e-12)


def test_quaternions_are_taken_for_rotations() -> None:
    body = er.Articulated(links("a", "b"), joints("a b", kind="spherical"))
    for q in ([SQRT_HALF, 0.0, 0.0, SQRT_HALF], [-SQRT_HALF, 0.0, 0.0, -SQRT_HALF]):
        body.move(q)
        assert body.link_poses()[1, :3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))


# Random configurations.


def test_random_configurations_keep_the_limits() -> None:
    rng = rng_of("random")
    for recipe in (arm(rng, 6), hand(rng, 10)):
        body = recipe.body()
        q = body.random(500, seed=3)
        assert q.shape == (500, body.dof)
        assert (q >= body.limits[:, 0]).all() and (q <= body.limits[:, 1]).all()
        width = np.ptp(body.limits, axis=1)
        assert (np.ptp(q, axis=0) > 0.95 * width).all(), "the whole range"
        assert (np.abs(q.mean(axis=0) - body.limits.mean(axis=1)) < 0.1 * width).all(), "evenly"
        assert np.array_equal(q, body.random(500, seed=3)) and not np.array_equal(q, body.random(500, seed=4))
        assert body.random(seed=3).shape == (body.dof,)


def test_random_angles_and_quaternions_without_limits() -> None:
    body = er.Articulated(links(*"abc"), joints("a b", "b c spherical"))
    q = body.random(2000, seed=1)
    assert np.abs(q[:, 0]).max() <= np.pi and np.ptp(q[:, 0]) > 6.0
    assert np.linalg.norm(q[:, 1:], axis=1) == pytest.approx(np.ones(2000), abs=1e-12)
    turned = np.array([of_quaternion(p) for p in q[:, 1:]])
    assert np.abs(turned.mean(axis=0)).max() < 0.06, "uniform rotations cancel out"


def test_random_lengths_need_limits() -> None:
    body = er.Articulated(links(*"ab"), joints("a b", kind="prismatic"))
    with pytest.raises(ValueError, match=r"a b.*limits"):
        body.random(5, seed=0)


def test_free_joints_turn_at_random_and_stay_where_they_are() -> None:
    body = er.Articulated(links(*"ab"), joints("a b", kind="free"))
    q = body.random(300, seed=2)
    assert (q[:, :3] == 0.0).all() and np.linalg.norm(q[:, 3:], axis=1) == pytest.approx(np.ones(300))
    assert np.abs(q[:, 3:].mean(axis=0)).max() < 0.1


# Copies.


@pytest.mark.parametrize("refit", REFITS)
def test_copies_go_their_own_way(refit: str) -> None:
    rng = rng_of("copies", refit)
    recipe = tree(rng, 14)
    body, slow = recipe.body(refit=refit), SlowBody(recipe)
    first = slow.random(rng)
    body.move(first)
    pickles = [pickle.loads(pickle.dumps(body, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (copy.copy(body), copy.deepcopy(body), *pickles):
        assert (
            twin.link_names == body.link_names
            and twin.joint_names == body.joint_names
            and twin.refit == refit
        )
        assert np.array_equal(twin.excluded, body.excluded) and np.array_equal(twin.limits, body.limits)
        assert np.array_equal(twin.configuration, body.configuration)
        assert np.array_equal(twin.link_poses(), body.link_poses())
        assert rows_of(er.self_collide(twin, every=True).pairs) == rows_of(
            er.self_collide(body, every=True).pairs
        )
        twin.move(slow.random(rng))
        twin.exclude([(0, 13)])
        twin.validate()
        assert np.array_equal(body.configuration, first) or body.configuration == pytest.approx(first)
        assert twin.excluded.tolist() != body.excluded.tolist() or [0, 13] in body.excluded.tolist()


def test_copies_of_many_and_of_placed_bodies() -> None:
    rng = rng_of("copies of many")
    recipe = arm(rng, 6)
    body = recipe.body()
    body.move(body.random(9, seed=0))
    for twin in (copy.copy(body), copy.deepcopy(body), pickle.loads(pickle.dumps(body))):
        assert twin.many and np.array_equal(twin.link_poses(), body.link_poses())
        assert er.self_collide(twin).hits.tolist() == er.self_collide(body).hits.tolist()
    body.place(nasty.matrices(nasty.rotations(rng, 6), rng.normal(size=(6, 3))))
    for twin in (copy.copy(body), copy.deepcopy(body), pickle.loads(pickle.dumps(body))):
        assert twin.configuration is None and np.array_equal(twin.link_poses(), body.link_poses())
        assert bool(er.self_collide(twin)) == bool(er.self_collide(body))


def test_a_body_says_what_it_is() -> None:
    body = hand(rng_of("repr"), 7).body()
    told = repr(body)
    assert told == "Articulated(7 links, 7 shapes, 4 joints, refit='auto', 6 pairs excluded)"
    body.move(body.random(3, seed=0))
    assert "3 configurations" in repr(body)
    assert repr(er.Link("a", CUBE)) == "Link('a', 1 shape)" and repr(er.Link("b")) == "Link('b', 0 shapes)"


def test_shapes_are_listed_link_by_link() -> None:
    pose = er.Pose(translation=[1, 2, 3])
    made = [er.Link("a", [CUBE, (BALL, pose)]), er.Link("b"), er.Link("c", BALL)]
    body = er.Articulated(made, joints("a b", "b c"))
    assert [(link, shape) for link, shape, _ in body.shapes] == [(0, CUBE), (0, BALL), (2, BALL)]
    assert [where for _, _, where in body.shapes] == [er.Pose(), pose, er.Pose()]
    assert made[0].shapes == ((CUBE, er.Pose()), (BALL, pose))


def test_a_body_of_one_link_and_one_without_shapes() -> None:
    for body in (
        er.Articulated([er.Link("only", CUBE)]),
        er.Articulated([er.Link("a"), er.Link("b")], joints("a b")),
    ):
        assert not er.self_collide(body) and er.self_distance(body).value == np.inf
        assert len(er.self_within(body, 1e6)) == 0 and body.candidates().shape == (0, 2)
        body.move(np.zeros(body.dof))
        body.validate()
    bare = er.Articulated([er.Link("a"), er.Link("b")], joints("a b"))
    assert not er.collide(bare, CUBE) and er.distance(bare, CUBE).value == np.inf
    assert bare.link_poses().tolist() == np.tile(np.eye(4), (2, 1, 1)).tolist()


def test_a_forest_moves_tree_by_tree() -> None:
    rng = rng_of("forest")
    twin = Twin.of(forest(rng, 30))
    roots = [name for name in twin.slow.names if name not in twin.slow.joint_to]
    assert len(roots) > 1
    for _ in range(5):
        twin.wander(rng)
        twin.check_poses()
        for name in roots:
            assert twin.body.link_poses()[twin.body.link_number(name)].tolist() == np.eye(4).tolist()

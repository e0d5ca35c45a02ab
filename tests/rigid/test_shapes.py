"""Rigid shapes: closed forms by hand, and a slice of the fuzz through the same checks."""

from __future__ import annotations

import itertools
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from fuzz_shapes import DISTANCE_TOLERANCE, Tally, check_case
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial import ConvexHull

import elbowroom as er

UNIT_BOX = er.Box(1.0)
SEEDS = st.integers(0, 2**32 - 1)


def at(*translation: float) -> Any:
    return (np.eye(3), np.array(translation))


# The oracle itself: against the hull of the Minkowski difference, which shares no code with it.


@pytest.mark.parametrize("seed", range(40))
def test_oracle_depth_is_that_of_the_minkowski_difference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(6, 3)), rng.normal(size=(7, 3)) + rng.normal(size=3)
    planes = ConvexHull((b[:, None] - a[None]).reshape(-1, 3)).equations
    signed = oracle.signed_matrix(oracle.pack([oracle.hull(a)]), oracle.pack([oracle.hull(b)]))[0, 0]
    if planes[:, 3].max() < 0.0:
        assert signed == pytest.approx(planes[:, 3].max(), abs=1e-13)
    else:
        assert signed >= planes[:, 3].max() - 1e-13


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(nasty.KIND_PAIRS), st.sampled_from(nasty.FAMILIES))
def test_oracle_proves_its_distances(seed: int, kinds: tuple[str, str], family: str) -> None:
    case = nasty.case(np.random.default_rng(seed), kinds, 8, family)
    truth = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)
    assert (truth.slack <= 1e-12 * case.scale).all()
    if case.touching:
        assert (truth.signed <= 1e-14 * case.scale).all()


# The fuzz.


@settings(max_examples=600, deadline=None, derandomize=True)
@given(SEEDS, st.sampled_from(nasty.KIND_PAIRS), st.sampled_from(nasty.FAMILIES))
def test_every_pair_of_kinds_against_the_oracle(seed: int, kinds: tuple[str, str], family: str) -> None:
    rng, tally = np.random.default_rng(seed), Tally()
    check_case(nasty.case(rng, kinds, 8, family), tally, rng, singles=1)
    assert tally.wrong == 0, "\n".join(tally.failures.values())


@pytest.mark.parametrize("corners", [250, 4000])
def test_the_depth_of_a_ball_amid_a_hull_of_many_corners(corners: int) -> None:
    """All faces are about as near, so the search for the nearest has to look at nearly every one."""
    points = np.random.default_rng(corners).normal(size=(corners, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    centre = np.array([1e-3, -5e-4, 2e-4])
    planes = ConvexHull(points).equations
    depth = 0.3 - (planes[:, :3] @ centre + planes[:, 3]).max()
    found = er.collide(er.Convex(points), er.Sphere(0.3), pose_b=at(*centre), depth=True)
    assert found.contacts.depths[0] == pytest.approx(depth, rel=1e-12)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from(("box", "convex", "mesh")), st.sampled_from(("box", "convex", "mesh")))
def test_linear_distance_against_the_oracle(seed: int, kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(seed)
    case, matrix = nasty.case(rng, (kind_a, kind_b), 1), rng.normal(size=(3, 3)) + 2.0 * np.eye(3)
    found = er.distance(case.a.body, case.b.body, case.pose_a[0], case.pose_b[0], linear=matrix)
    mapped = np.eye(4)
    mapped[:3, :3] = matrix
    truth = oracle.nearest(case.a.solid, case.b.solid, mapped @ case.pose_a, mapped @ case.pose_b)
    slop = DISTANCE_TOLERANCE * float(case.scale[0] * np.linalg.norm(matrix))
    assert found.value == pytest.approx(max(truth.signed[0], 0.0), abs=slop)
    span = np.linalg.norm(matrix @ (found.points[1] - found.points[0]))
    assert span == pytest.approx(found.value, abs=slop)
    assert found.lower <= found.value <= found.upper


@pytest.mark.parametrize("kinds", nasty.KIND_PAIRS)
def test_linear_similarity_scales_the_distance(kinds: tuple[str, str]) -> None:
    rng = np.random.default_rng(3)
    case, turn = nasty.case(rng, kinds, 1, "far"), nasty.rotations(rng, 1)[0]
    plain = er.distance(case.a.body, case.b.body, case.pose_a[0], case.pose_b[0])
    scaled = er.distance(case.a.body, case.b.body, case.pose_a[0], case.pose_b[0], linear=3.0 * turn)
    assert scaled.value == pytest.approx(3.0 * plain.value, rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_linear_distance_of_a_ball_to_a_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, offset, radius = rng.normal(size=(3, 3)) + 2.0 * np.eye(3), rng.normal(size=3) * 4.0, 0.5
    inside = {"type": "ineq", "fun": lambda x: radius**2 - x @ x}
    mapped = lambda x: np.sum((matrix @ (offset - x)) ** 2)  # noqa: E731
    best = minimize(mapped, np.zeros(3), constraints=[inside], tol=1e-14)
    found = er.distance(er.Sphere(radius), er.Sphere(0.0), None, at(*offset), linear=matrix)
    assert found.value == pytest.approx(np.sqrt(best.fun), rel=1e-5)
    assert np.linalg.norm(found.points[0]) <= radius * (1.0 + 1e-9)


# Closed forms.


@pytest.mark.parametrize(("r", "s", "apart"), [(1, 2, 5), (1, 1, 2), (0.5, 0.25, 0.5), (0, 0, 3), (3, 1, 0)])
def test_spheres(r: float, s: float, apart: float) -> None:
    place, true = at(0.0, apart, 0.0), max(apart - r - s, 0.0)
    assert er.distance(er.Sphere(r), er.Sphere(s), None, place).value == pytest.approx(true)
    hit = er.collide(er.Sphere(r), er.Sphere(s), None, place, depth=True)
    assert bool(hit) == (apart <= r + s)
    if hit:
        assert hit.contacts.depths == pytest.approx([r + s - apart])


@pytest.mark.parametrize(
    ("where", "true"),
    [((2, 0.25, 0.25), 1.25), ((2, 2, 0.25), 1.5 * 2**0.5 - 0.25), ((2, 2, 2), 1.5 * 3**0.5 - 0.25)],
)
def test_sphere_off_a_face_an_edge_and_a_corner_of_a_box(where: tuple[float, ...], true: float) -> None:
    for signs in itertools.product((-1.0, 1.0), repeat=3):
        found = er.distance(er.Sphere(0.25), UNIT_BOX, at(*np.multiply(where, signs)), None)
        assert found.value == pytest.approx(true, rel=1e-14)
        corner = np.clip(np.multiply(where, signs), -0.5, 0.5)
        assert found.points[1] == pytest.approx(corner, abs=1e-14)


def test_capsules_that_cross_lie_parallel_or_in_line() -> None:
    a, b = er.Capsule(0.25, 2.0), er.Capsule(0.5, 4.0)
    turned = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    assert er.distance(a, b, None, (turned, [3.0, 0.5, 0.5])).value == pytest.approx(2.25, rel=1e-14)
    assert er.distance(a, b, None, at(0.0, 3.0, 1.0)).value == pytest.approx(2.25, rel=1e-14)
    assert er.distance(a, b, None, at(0.0, 0.0, 5.0)).value == pytest.approx(1.25, rel=1e-14)
    assert er.distance(a, b, None, at(3.0, 0.0, 7.0)).value == pytest.approx(5.0 - 0.75, rel=1e-14)


@pytest.mark.parametrize("kind", ["capsules", "segments", "triangles"])
def test_edges_that_cross_at_a_small_angle(kind: str) -> None:
    """Far from where they cross they are apart by much more than the gap."""
    rng, radius = np.random.default_rng(7), 1e-9 if kind == "capsules" else 0.0
    ends, wing = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]), np.array([[1.0, 0.2, 0.1]])
    pairs: dict[str, Any] = {
        "capsules": (er.Capsule(radius, 2.0), er.Capsule(radius, 2.0)),
        "segments": (er.Convex(ends), er.Convex(ends)),
        "triangles": tuple(er.Mesh(np.vstack([ends, side * wing]), [[0, 1, 2]]) for side in (-1, 1)),
    }
    world = nasty.matrices(nasty.rotations(rng, 300), np.zeros((300, 3)))
    for k, angle in enumerate(10.0 ** rng.uniform(-9.0, -1.0, 300)):
        gap, turn = 10.0 ** rng.uniform(-11.0, -2.0), np.eye(4)
        turn[1:3, 1:3] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        turn[:3, 3] = 2 * radius + gap, 0.0, 0.9 * rng.random()
        found = er.distance(*pairs[kind], world[k], world[k] @ turn)
        assert found.value < gap + 2e-14
        if kind != "triangles":  # they may count as touching where their edges are nearly parallel
            assert found.value > gap - 2e-14 and not er.collide(*pairs[kind], world[k], world[k] @ turn)
        turn[0, 3] = 2 * radius - min(gap, radius)
        assert kind != "capsules" or er.collide(*pairs[kind], world[k], world[k] @ turn)


@pytest.mark.parametrize("offset", [(1, 0.25, 0.5), (1, 0, 0), (1, 1, 0.25), (1, 1, 0), (1, 1, 1)])
def test_unit_boxes_touch_at_face_edge_and_corner(offset: tuple[float, ...]) -> None:
    for signs in itertools.product((-1.0, 1.0), repeat=3):
        place = np.multiply(offset, signs)
        hit = er.collide(UNIT_BOX, UNIT_BOX, None, at(*place), depth=True)
        assert hit and hit.contacts.depths == pytest.approx([0.0], abs=1e-12)
        assert er.distance(UNIT_BOX, UNIT_BOX, None, at(*place)).value == 0.0
        wider = place * (1.0 + 1e-9)
        assert not er.collide(UNIT_BOX, UNIT_BOX, None, at(*wider))
        gap = np.linalg.norm(np.maximum(np.abs(wider) - 1.0, 0.0))
        assert er.distance(UNIT_BOX, UNIT_BOX, None, at(*wider)).value == pytest.approx(gap, rel=1e-6)


def test_depth_of_nested_boxes_is_the_way_out() -> None:
    hit = er.collide(er.Box([4.0, 6.0, 8.0]), UNIT_BOX, None, at(0.5, 0.0, 0.0), depth=True)
    assert hit.contacts.depths == pytest.approx([2.0])
    assert hit.contacts.normals[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)


def test_inside_of_a_closed_mesh_is_free() -> None:
    cube = nasty.Thing("box", (np.array([2.0, 2.0, 2.0]),)).primitives[0]
    found = er.distance(er.Mesh(cube.vertices, cube.faces), er.Sphere(0.25))
    assert found.value == pytest.approx(0.75)
    assert not er.collide(er.Mesh(cube.vertices, cube.faces), er.Sphere(0.25))


# Zero size.

POINTS = [er.Sphere(0.0), er.Capsule(0.0, 0.0), er.Box(0.0), er.Convex([[0.0, 0.0, 0.0]]),
          er.Mesh(np.zeros((3, 3)), [[0, 1, 2]]), er.Group([(er.Sphere(0.0), None)])]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), list(itertools.product(POINTS, repeat=2)))
def test_points_of_every_kind(a: Any, b: Any) -> None:
    assert er.collide(a, b)
    assert er.distance(a, b).value == 0.0
    assert er.distance(a, b, None, at(2.0, 3.0, 6.0)).value == pytest.approx(7.0, rel=1e-15)
    assert not er.collide(a, b, None, at(0.0, 0.0, 1e-9))
    assert er.collide(a, b, depth=True).contacts.depths == pytest.approx([0.0])


@pytest.mark.parametrize("point", POINTS)
def test_point_on_and_in_a_box(point: Any) -> None:
    assert er.collide(point, UNIT_BOX, at(0.5, 0.25, 0.0), None)
    assert er.collide(point, UNIT_BOX, at(0.0, 0.0, 0.25), None)
    assert not er.collide(point, UNIT_BOX, at(0.5 + 1e-9, 0.0, 0.0), None)
    depth = er.collide(point, UNIT_BOX, at(0.0, 0.0, 0.25), None, depth=True).contacts.depths
    assert depth == pytest.approx([0.25], rel=1e-12)


def test_flat_and_straight_bodies_cross() -> None:
    sheet, needle = er.Box([1.0, 1.0, 0.0]), er.Capsule(0.0, 2.0)
    triangle = er.Mesh([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])
    line = er.Convex([[0.0, 0.0, -1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for flat, straight in itertools.product((sheet, triangle), (needle, line)):
        assert er.collide(flat, straight, None, at(0.25, 0.25, 0.5))
        assert er.collide(flat, straight, None, at(0.25, 0.25, 1.0))
        assert er.distance(flat, straight, None, at(0.25, 0.25, 1.5)).value == pytest.approx(0.5)


# What comes with the answers.


def test_enough_settles_far_and_near() -> None:
    far = er.distance(UNIT_BOX, UNIT_BOX, None, at(5.0, 0.0, 0.0), enough=1.0)
    assert far.lower >= 1.0 and far.lower <= 4.0 <= far.upper and far.status == "settled"
    near = er.distance(UNIT_BOX, UNIT_BOX, None, at(5.0, 0.0, 0.0), enough=10.0)
    assert near.upper <= 10.0 and near.lower <= 4.0 <= near.upper and near.status == "settled"


@pytest.mark.parametrize("kind", nasty.KINDS)
@pytest.mark.parametrize("style", nasty.STYLES)
def test_bounds_hold_the_body_and_its_tree_is_sound(kind: str, style: str) -> None:
    for seed in range(20):
        thing = nasty.thing(np.random.default_rng(seed), kind, style, 10.0 ** (seed % 7 - 3))
        low = np.min([p.vertices.min(axis=0) - p.radius for p in thing.primitives], axis=0)
        high = np.max([p.vertices.max(axis=0) + p.radius for p in thing.primitives], axis=0)
        slop = 1e-5 * thing.reach
        assert (thing.body.bounds[0] <= low + 1e-14 * thing.reach).all()
        assert (thing.body.bounds[1] >= high - 1e-14 * thing.reach).all()
        assert np.abs(thing.body.bounds - [low, high]).max() <= slop
        thing.body.validate()
        assert len(thing.body) == len(thing.primitives)


def test_every_form_of_a_pose_is_the_same() -> None:
    half = np.sqrt(0.5)
    turn, shift = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.array([3.0, 2.0, 1.0])
    forms = [er.Pose(turn, shift), er.Pose(turn, shift).matrix, (turn, shift)]
    body = er.Box([1.0, 2.0, 3.0])
    values = {er.distance(UNIT_BOX, body, None, form).value for form in forms}
    assert len(values) == 1
    by_quaternion = er.distance(UNIT_BOX, body, None, er.Pose([half, 0.0, 0.0, half], shift)).value
    assert by_quaternion == pytest.approx(values.pop(), rel=1e-14)
    inverse = er.Pose(turn, shift).inverse() @ er.Pose(turn, shift)
    assert inverse.matrix == pytest.approx(np.eye(4), abs=1e-15)


def test_many_poses_answer_like_arrays() -> None:
    poses = np.tile(np.eye(4), (4, 1, 1))
    poses[:, 0, 3] = [0.0, 0.5, 1.0, 3.0]
    hits = er.collide(UNIT_BOX, UNIT_BOX, None, poses)
    assert np.asarray(hits).tolist() == np.asarray(hits, dtype=bool).tolist() == [True, True, True, False]
    assert len(hits) == 4 and hits[2] and not hits[3]
    distances = er.distance(UNIT_BOX, UNIT_BOX, poses, None)
    assert np.asarray(distances) == pytest.approx([0.0, 0.0, 0.0, 2.0])
    assert hits.frames is hits.pairs is hits.contacts is None
    every = er.collide(UNIT_BOX, UNIT_BOX, None, poses, every=True, depth=True)
    assert every.frames.tolist() == [0, 1, 2] and every.pairs.tolist() == [[0, 0]] * 3
    assert every.contacts.depths == pytest.approx([1.0, 0.5, 0.0])


def test_group_numbers_primitives_member_by_member() -> None:
    triangles = er.Mesh(np.eye(3), [[0, 1, 2], [2, 1, 0]])
    body = er.Group([(er.Sphere(1.0), None), (triangles, at(9.0, 0.0, 0.0)), (UNIT_BOX, at(0.0, 9.0, 0.0))])
    assert [tuple(body.locate(i)) for i in range(len(body))] == [(0, 0), (1, 0), (1, 1), (2, 0)]
    found = er.distance(body, er.Sphere(0.5), None, at(0.0, 20.0, 0.0))
    assert tuple(found.pair) == (3, 0)

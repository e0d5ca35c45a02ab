"""A necklace and others: rigid bodies, chains, articulated bodies, necklaces; both ways round, any poses."""

from __future__ import annotations

from typing import Any

import articulated_makers
import chain_makers
import nasty
import numpy as np
import pytest
from articulated_oracle import SlowBody
from chain_makers import rng_of
from necklace_makers import CAGES, MAKERS, coil, compact, spiral
from necklace_motions import MOTIONS
from necklace_oracle import SlowNecklace, Twin, gaps_to_balls
from necklace_others import Other, any_pose, pose_near, rigid
from query_checks import TESTS, check_depths, check_distances, check_verdicts, rows_of

import elbowroom as er

OTHERS = (*nasty.KINDS, "chain", "articulated", "necklace", "flat necklace")
SHAPES = (
    "coil",
    "uneven",
    "cospherical",
    "compact",
    "nested",
    "points",
    "flat-coil",
    "spiral",
    "grill",
    "ring",
)
ROUNDING = 1e-10  # of the scene: sizes and shifts


def of_balls(body: Any, points: np.ndarray, radii: np.ndarray) -> Other:
    def gaps(slow: SlowNecklace, pose_a: np.ndarray, pose_b: np.ndarray) -> np.ndarray:
        return gaps_to_balls(slow, pose_a, points @ pose_b[:3, :3].T + pose_b[:3, 3], radii)

    return Other(body, float(np.linalg.norm(points, axis=1).max() + radii.max()), gaps)


def of_links(recipe: articulated_makers.Recipe, rng: np.random.Generator) -> Other:
    """Links against a group of spheres, which the tests of articulated bodies know already."""
    body, slow_body = recipe.body(), SlowBody(recipe)
    q = slow_body.random(rng)
    body.move(q)

    def gaps(slow: SlowNecklace, pose_a: np.ndarray, pose_b: np.ndarray) -> np.ndarray:
        members = zip(slow.points, slow.radii, strict=True)
        beads = er.Group([(er.Sphere(float(r)), er.Pose(translation=x)) for x, r in members])
        poses = pose_b @ slow_body.poses(q)
        return slow_body.gaps_to(beads, poses, pose_a, 1e6 * (1.0 + np.abs(poses).max() + slow.extent)).T

    return Other(body, recipe.reach + float(np.abs(slow_body.poses(q)[:, :3, 3]).max()), gaps)


def some_other(rng: np.random.Generator, kind: str, size: float) -> Other:
    if kind == "chain":
        chain = chain_makers.coil(rng, 14)
        scale = size / 5.0
        return of_balls(er.Chain(chain.positions * scale, chain.radii * scale), chain.positions * scale,
                        chain.radii * scale)  # fmt: skip
    if kind == "articulated":
        return of_links(articulated_makers.scaled(articulated_makers.tree, size / 3.0)(rng, 5), rng)
    if kind.endswith("necklace"):
        recipe = MAKERS["flat-coil" if kind.startswith("flat") else "knot"](rng, 20)
        slow, scale = SlowNecklace(recipe), size / recipe.size
        body = er.Necklace(recipe.positions * scale, recipe.radii * scale, cages=str(rng.choice(CAGES)))
        return of_balls(body, slow.points * scale, slow.radii * scale)
    return rigid(nasty.thing(rng, kind, "plain", size))


def check_other(twin: Twin, other: Other, pose_a: np.ndarray, pose_b: np.ndarray) -> bool:
    gaps = other.gaps(twin.slow, pose_a, pose_b)
    shifts = sum(float(np.linalg.norm(pose[:3, 3])) for pose in (pose_a, pose_b))
    doubt = ROUNDING * (np.abs(twin.slow.positions).max() + twin.slow.extent + other.reach + shifts)
    asked = (twin.necklace, other.body, pose_a, pose_b)
    check_depths(asked, gaps, 10.0 * doubt)
    finite = gaps[np.isfinite(gaps)]
    check_distances(asked, gaps, doubt, max(float(finite.min(initial=1.0)), 0.0) + 0.2 * twin.slow.extent)
    return check_verdicts(asked, gaps, doubt)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_necklace_and_another(shape: str, kind: str) -> None:
    rng = rng_of("other", shape, kind)
    verdicts = set()
    for n in (1, 18):
        twin = Twin.of(MAKERS[shape](rng, n), cages=str(rng.choice(CAGES)))
        other = some_other(rng, kind, 0.4 * twin.recipe.size)
        for motion in ("still", "jiggle", "fold"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            pose_a = any_pose(rng, twin.recipe.size)
            verdicts.add(check_other(twin, other, pose_a, pose_near(rng, twin, other, pose_a)))
    assert verdicts


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("cages", CAGES)
def test_every_kind_of_cages_meets_every_kind_of_body(cages: str, kind: str) -> None:
    rng, verdicts = rng_of("meets", kind), set()
    twin = Twin.of(coil(rng, 40), cages=cages)
    other = some_other(rng, kind, 0.3 * twin.recipe.size)
    for k, motion in enumerate(("still", "slow", "jump", "teleport", "drift", "jiggle")):
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        verdicts.add(check_other(twin, other, np.eye(4), pose_near(rng, twin, other, np.eye(4), 0.4 * k)))
    assert verdicts == {True, False}


@pytest.mark.parametrize("cages", CAGES)
def test_a_necklace_and_itself_elsewhere(cages: str) -> None:
    rng = rng_of("elsewhere")
    for make in (coil, spiral):
        twin = Twin.of(make(rng, 30), cages=cages)
        for motion in ("still", "jiggle", "jump"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            other = of_balls(twin.necklace, twin.slow.points, twin.slow.radii)
            check_other(twin, other, np.eye(4), pose_near(rng, twin, other, np.eye(4)))
        met = er.collide(twin.necklace, twin.necklace, every=True).pairs
        assert {(k, k) for k in range(30)} <= set(rows_of(met)), "every bead meets itself"
        assert er.distance(twin.necklace, twin.necklace).value == 0.0


@pytest.mark.parametrize("cages", CAGES)
def test_what_moves_is_asked_where_it_is_now(cages: str) -> None:
    """Answers with others before a move must not be remembered after it, of either necklace."""
    rng = rng_of("now")
    a, b = Twin.of(compact(rng, 64), cages=cages), Twin.of(MAKERS["ring"](rng, 40), cages=cages)
    for _ in range(6):
        for twin in (a, b):
            twin.move(MOTIONS["drift"](rng, twin.slow.positions, twin.recipe.size))
            check_other(a, of_balls(b.necklace, b.slow.points, b.slow.radii), np.eye(4), np.eye(4))


def test_a_flat_necklace_lies_at_height_zero() -> None:
    flat = er.Necklace([[0.0, 0.0], [3.0, 0.0], [6.0, 4.0]], 0.5)
    ball = er.Sphere(1.0)
    found = er.distance(flat, ball, None, er.Pose(translation=[3.0, 0.0, 2.0]))
    assert found.value == 0.5 and found.pair.tolist() == [1, 0]
    assert found.points == pytest.approx(np.array([[3.0, 0.0, 0.5], [3.0, 0.0, 1.0]]), abs=1e-15)
    assert er.collide(flat, ball, None, er.Pose(translation=[3.0, 0.0, 1.5]))
    upright = er.Pose([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # turned about x: y becomes z
    assert er.distance(flat, ball, upright, er.Pose(translation=[6.0, 0.0, 4.0])).value == 0.0
    solid = er.Necklace([[3.0, 0.0, 1.0], [3.0, 0.0, 9.0]], 0.5)
    assert rows_of(er.collide(flat, solid, every=True).pairs) == [(1, 0)]


@pytest.mark.parametrize("cages", CAGES)
def test_touching_another_is_a_collision(cages: str) -> None:
    beads = MAKERS["grill"](None, 16).necklace(cages=cages)
    for place, met in (([0, 0, 1], [0]), ([1.5, 1.5, 0.75], []), ([4, 0, 0], [15]), ([-1, 3, 0], [3])):
        pose = er.Pose(translation=place)
        assert rows_of(er.collide(beads, er.Sphere(0.5), None, pose, every=True).pairs) == [
            (k, 0) for k in met
        ]
        assert (er.distance(er.Sphere(0.5), beads, pose).value == 0.0) is bool(met)
    above = er.Pose(translation=[1.5, 1.5, 2.0])
    assert len(er.collide(beads, er.Box([9, 9, 3]), None, above, every=True).pairs) == 16
    other = er.Necklace([[0, 0, 1], [0, 0, 2]], 0.5, cages=cages)
    assert rows_of(er.collide(beads, other, every=True).pairs) == [(0, 0)]
    assert rows_of(er.within(other, beads, 0.0).indices) == [(0, 0)]


@pytest.mark.parametrize("kind", ["sphere", "mesh", "group", "necklace", "chain"])
@pytest.mark.parametrize("cages", CAGES)
def test_many_poses_are_the_same_as_single_ones(cages: str, kind: str) -> None:
    rng = rng_of("many", kind)
    twin = Twin.of(coil(rng, 70), cages=cages)
    other = some_other(rng, kind, 0.3 * twin.recipe.size)
    poses = np.array([pose_near(rng, twin, other, np.eye(4)) for _ in range(20)])
    for threads in (1, 2):
        hits = er.collide(twin.necklace, other.body, None, poses, threads=threads).hits
        found = er.distance(twin.necklace, other.body, None, poses, threads=threads)
        back = er.distance(other.body, twin.necklace, poses, None, threads=threads)
        for k, pose in enumerate(poses):
            assert hits[k] == bool(er.collide(twin.necklace, other.body, None, pose))
            one = er.distance(twin.necklace, other.body, None, pose)
            assert found.values[k] == one.value == back.values[k]
    assert hits.any() and not hits.all()
    both = er.collide(twin.necklace, other.body, poses, poses[::-1].copy()).hits
    single = [
        bool(er.collide(twin.necklace, other.body, p, q)) for p, q in zip(poses, poses[::-1], strict=True)
    ]
    assert both.tolist() == single


@pytest.mark.parametrize("cages", CAGES)
def test_on_a_budget_nothing_wrong_is_said_of_others(cages: str) -> None:
    rng = rng_of("budget of others")
    twin, cut = Twin.of(compact(rng, 200), cages=cages), 0
    bodies = [er.Mesh(*er.scenes.torus()), er.Box(3.0), chain_makers.coil(rng, 30).chain(),
              coil(rng, 40).necklace(cages=cages), articulated_makers.arm(rng, 6).body()]  # fmt: skip
    for body in bodies:
        near_by = of_balls(body, np.zeros((1, 3)), np.ones(1))
        for pose in (pose_near(rng, twin, near_by, np.eye(4)) for _ in range(3)):
            hits = set(rows_of(er.collide(twin.necklace, body, None, pose, every=True).pairs))
            near = set(rows_of(er.within(twin.necklace, body, 1.0, None, pose).indices))
            true = er.distance(twin.necklace, body, None, pose).value
            for tests in TESTS:
                budget = er.Budget(tests=tests)
                one = er.collide(twin.necklace, body, None, pose, budget=budget)
                every = er.collide(body, twin.necklace, pose, every=True, depth=True, budget=budget)
                found = er.distance(twin.necklace, body, None, pose, budget=budget)
                some = er.within(body, twin.necklace, 1.0, pose, budget=budget)
                assert one.status == "out of budget" or bool(one) == bool(hits)
                assert set(rows_of(one.pairs)) | set(rows_of(every.pairs[:, ::-1])) <= hits
                assert every.status == "out of budget" or len(np.unique(every.pairs, axis=0)) == len(hits)
                assert found.lower <= true + 1e-12 and true <= found.upper + 1e-12
                assert set(rows_of(some.indices[:, ::-1])) <= near
                assert some.status == "out of budget" or len(some) == len(near)
                answers = (one, every, found, some)
                cut += sum(answer.status == "out of budget" for answer in answers)
                assert tests < 10**8 or all(answer.status != "out of budget" for answer in answers)
    assert cut > 20


def test_many_configurations_of_an_articulated_body_beside_a_necklace() -> None:
    rng = rng_of("configurations")
    recipe = articulated_makers.arm(rng, 6)
    body, slow = recipe.body(), SlowBody(recipe)
    beads = coil(rng, 30).necklace()
    q = np.array([slow.random(rng) for _ in range(12)])
    body.move(q)
    hits, values = er.collide(body, beads).hits, er.distance(beads, body).values
    for k, row in enumerate(q):
        body.move(row)
        assert hits[k] == bool(er.collide(body, beads))
        assert values[k] == er.distance(beads, body).value

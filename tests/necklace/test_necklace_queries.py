"""What can be asked of a necklace about itself, with every kind of cages, against all pairs of beads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from hypothesis import given, settings
from hypothesis import strategies as st
from necklace_makers import CAGES, MAKERS, Recipe, bonds, coil, compact, recipes, tangle
from necklace_motions import GENTLE, MOTIONS
from necklace_oracle import Twin
from query_checks import TESTS, rows_of

import elbowroom as er

every_kind = pytest.mark.parametrize("cages", CAGES)


def check_pairs(pairs: np.ndarray, twin: Twin, limit: float) -> None:
    """Exactly the pairs up to the limit, but for those in doubt; sorted, none twice."""
    gaps, doubts = twin.slow.gaps(), twin.slow.doubts()
    listed = np.zeros(gaps.shape, dtype=bool)
    listed[pairs[:, 0], pairs[:, 1]] = True
    assert listed[gaps <= (limit - doubts if limit else 0.0)].all(), "a pair is missing"
    assert (gaps - doubts <= limit)[listed].all(), "a pair too many"
    assert rows_of(pairs) == rows_of(np.argwhere(listed)), "not sorted, or a pair twice"


def slack_of(twin: Twin, i: int, j: int) -> float:
    """How exact a distance of two beads is, and how exact points in the world can be."""
    return float(twin.slow.doubts()[i, j] + 1e-15 * np.abs(twin.slow.positions).max())


def aside(twin: Twin) -> float:
    """By what a power diagram's bounds are wider: its beads are a little aside of where they are."""
    return 1e-12 * twin.slow.extent if twin.necklace.cages in ("power", "hybrid") else 0.0


def check_self_within(twin: Twin, reach: float) -> None:
    found, gaps = er.self_within(twin.necklace, reach), twin.slow.gaps()
    check_pairs(found.indices, twin, reach)
    i, j = found.indices.T
    assert found.distances.shape == i.shape and found.status == "exhausted"
    assert (np.abs(found.distances - np.maximum(gaps[i, j], 0.0)) <= twin.slow.doubts()[i, j]).all()


def check_self_distance(twin: Twin) -> None:
    found, true = er.self_distance(twin.necklace), twin.slow.self_distance()
    if np.isinf(true):
        assert found.value == np.inf, "no pair is tested"
        return
    i, j = found.pair.tolist()
    gaps, slack = twin.slow.gaps(), slack_of(twin, i, j)
    assert i < j and max(gaps[i, j], 0.0) - true <= twin.slow.doubts()[i, j], "another pair is nearer"
    assert abs(found.value - true) <= twin.slow.doubts()[i, j]
    assert found.lower <= found.value <= found.upper
    assert found.lower >= found.value * (1.0 - 1e-9) - slack - aside(twin)
    assert found.points.shape == (2, 3)
    for point, bead in zip(found.points, (i, j), strict=True):
        assert np.linalg.norm(point - twin.slow.points[bead]) <= twin.slow.radii[bead] + slack
    assert abs(np.linalg.norm(found.points[1] - found.points[0]) - found.value) <= 4.0 * slack


def check_self_collide(twin: Twin) -> bool:
    found, first = er.self_collide(twin.necklace, every=True), er.self_collide(twin.necklace)
    check_pairs(found.pairs, twin, 0.0)
    assert bool(found) == bool(first) == (len(found.pairs) > 0) == twin.check_verdict()
    assert len(first.pairs) == (1 if first else 0)
    assert set(rows_of(first.pairs)) <= set(rows_of(found.pairs))
    assert found.contacts is None and first.contacts is None
    return bool(found)


def check_self_depth(twin: Twin) -> None:
    slow = twin.slow
    found = er.self_collide(twin.necklace, every=True, depth=True)
    deepest = er.self_collide(twin.necklace, depth=True)
    assert bool(deepest) == bool(found)
    check_pairs(found.pairs, twin, 0.0)
    if not found:
        return
    assert deepest.contacts.depths == pytest.approx([found.contacts.depths.max()], rel=1e-12)
    assert abs(deepest.contacts.depths[0] + min(slow.clearance(), 0.0)) <= slack_of(twin, *deepest.pairs[0])
    assert rows_of(deepest.pairs)[0] in rows_of(found.pairs)
    (i, j), contacts = found.pairs.T, found.contacts
    assert contacts.points.shape == contacts.normals.shape == (len(i), 3)
    apart = slow.points[j] - slow.points[i]
    lengths = np.linalg.norm(apart, axis=1)
    slack = slow.doubts()[i, j] + 1e-15 * np.abs(slow.positions).max()
    assert (np.abs(contacts.depths - np.maximum(slow.radii[i] + slow.radii[j] - lengths, 0.0)) <= slack).all()
    assert np.linalg.norm(contacts.normals, axis=1) == pytest.approx(np.ones(len(i)), abs=1e-12)
    told = lengths > 1e-3 * (slow.radii[i] + slow.radii[j])  # else the direction hangs on rounding
    assert np.abs(contacts.normals[told] - apart[told] / lengths[told, None]).max(initial=0.0) <= 1e-9
    for beads in (i, j):
        off = np.linalg.norm(contacts.points - slow.points[beads], axis=1) - slow.radii[beads]
        assert (off <= contacts.depths + slack).all()


def check_everything(twin: Twin, rng: np.random.Generator) -> bool:
    check_self_distance(twin)
    check_self_depth(twin)
    check_self_within(twin, float(rng.choice([0.0, 0.05, 0.3])) * twin.slow.extent)
    twin.check_positions()
    return check_self_collide(twin)


@every_kind
@pytest.mark.parametrize("maker", MAKERS)
def test_every_answer_about_itself(maker: str, cages: str) -> None:
    for n in (1, 4, 35):
        rng = rng_of("itself", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n), cages=cages)
        check_everything(twin, rng)
        for motion in rng.choice([*MOTIONS], 3):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            check_everything(twin, rng)


@every_kind
@pytest.mark.parametrize("n", [3, 15, 16, 18, 127, 128, 129, 130])
def test_any_number_of_beads_will_do(n: int, cages: str) -> None:
    for make in (coil, MAKERS["flat-coil"]):
        rng = rng_of("sizes", n)
        twin = Twin.of(make(rng, n), cages=cages)
        for motion in ("still", "jiggle", "fold"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            check_everything(twin, rng)


@every_kind
def test_a_thousand_beads(cages: str) -> None:
    rng = rng_of("thousand")
    for make in (compact, MAKERS["spiral"]):
        twin = Twin.of(make(rng, 1000), cages=cages)
        for motion in ("still", "crawl", "slow", "teleport"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            check_self_collide(twin)
            check_self_distance(twin)


@every_kind
@pytest.mark.parametrize("motion", MOTIONS)
def test_one_motion_again_and_again(motion: str, cages: str) -> None:
    """What is kept from frame to frame must not go stale: gentle motion, this one, gentle motion again."""
    rng = rng_of("again", motion)
    seen = set()
    for make in (coil, MAKERS["flat-cloud"], MAKERS["uneven"]):
        twin = Twin.of(make(rng, 60), cages=cages)
        for name in ("slow", motion, "still", "crawl", motion, motion, "slow"):
            twin.move(MOTIONS[name](rng, twin.slow.positions, twin.recipe.size))
            seen.add(check_self_collide(twin))
            check_self_distance(twin)
    assert seen == {True, False} or motion in ("collapse", "shrink", "expand", "snap")


@every_kind
@settings(max_examples=40)
@given(recipes(), st.lists(st.sampled_from(["teleport", "fold", "shuffle", "snap", "still"]), max_size=3))
def test_beads_on_a_grid(cages: str, recipe: Recipe, motions: list[str]) -> None:
    rng = rng_of("grid", motions)
    twin = Twin.of(recipe, cages=cages)
    check_everything(twin, rng)
    for motion in motions:
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        check_everything(twin, rng)


# Touching, exactly.


@every_kind
@pytest.mark.parametrize("maker", ["hairpin", "blocks", "grill", "far-lattice"])
def test_touching_is_a_collision_and_a_distance_of_zero(maker: str, cages: str) -> None:
    recipe = MAKERS[maker](rng_of(maker), 64)
    twin = Twin.of(recipe, cages=cages)
    touching = np.argwhere(twin.slow.gaps() == 0.0)
    assert len(touching) > 20 and twin.slow.clearance() == 0.0
    assert rows_of(er.self_collide(twin.necklace, every=True).pairs) == rows_of(touching)
    assert rows_of(er.self_within(twin.necklace, 0.0).indices) == rows_of(touching)
    assert er.self_collide(twin.necklace) and er.self_distance(twin.necklace).value == 0.0
    depths = er.self_collide(twin.necklace, every=True, depth=True).contacts.depths
    assert depths.tolist() == [0.0] * len(touching)


@every_kind
@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-9, 1e-12, 1e-13])
def test_a_hair_apart_is_free_and_a_hair_deep_is_not(step: float, cages: str) -> None:
    recipe = MAKERS["grill"](None, 25)
    wide, narrow = recipe.positions * (1.0 + step), recipe.positions * (1.0 - step)
    twin = Twin.of(recipe, cages=cages)
    for positions, collides in ((wide, False), (narrow, True), (recipe.positions, True), (wide, False)):
        twin.move(positions)
        assert bool(er.self_collide(twin.necklace)) is collides
        assert (er.self_distance(twin.necklace).value > 0.0) is not collides


@every_kind
def test_two_beads_and_no_pair_to_compare(cages: str) -> None:
    for exclude in (1, 5, [[0, 1]]):
        twin = Twin.of(Recipe(np.zeros((2, 3)), np.ones(2), exclude), cages=cages)
        assert not er.self_collide(twin.necklace)
        assert er.self_distance(twin.necklace).value == np.inf
        assert len(er.self_within(twin.necklace, 100.0)) == 0
    one = er.Necklace(np.zeros((1, 2)), 1.0, cages=cages)
    assert not er.self_collide(one) and er.self_distance(one).value == np.inf
    assert er.self_collide(er.Necklace(np.zeros((2, 3)), 1.0, exclude=0, cages=cages))


@every_kind
@pytest.mark.parametrize("radius", [1.05, 0.9])
@pytest.mark.parametrize("dimension", [2, 3])
def test_beads_on_both_sides_of_one_that_both_may_touch(dimension: int, radius: float, cages: str) -> None:
    """The one in the middle keeps their cells apart in a power diagram, though no others are nearer."""
    along = np.array([-30.0, -10.0, -1.0, 0.0, 1.0, 10.0, 30.0])
    positions = np.pad(along[:, None], ((0, 0), (0, dimension - 1)))
    radii = np.array([1.0, 1.0, radius, 1.3, radius, 1.0, 1.0])
    twin = Twin.of(Recipe(positions, radii, np.array([[2, 3], [3, 4]])), cages=cages)
    assert check_everything(twin, rng_of("sides")) is (radius > 1.0)
    assert er.self_distance(twin.necklace).pair.tolist() == [2, 4]


# Which pairs may touch.


@every_kind
def test_a_closed_necklace_is_closed(cages: str) -> None:
    ring = MAKERS["ring"](None, 30)
    assert not er.self_collide(ring.necklace(cages=cages))
    opened = er.self_collide(ring.necklace(closed=False, cages=cages), every=True)
    assert rows_of(opened.pairs) == [(0, 29)]
    wide = ring.necklace(exclude=2, cages=cages)
    assert [0, 28] in wide.excluded.tolist() and [1, 29] in wide.excluded.tolist()
    none = er.self_collide(ring.necklace(exclude=0, cages=cages), every=True)
    assert len(none.pairs) == 30


@every_kind
def test_only_the_pairs_of_the_list_may_touch(cages: str) -> None:
    rng = rng_of("list")
    recipe = bonds(rng, 50)
    twin = Twin.of(recipe, cages=cages)
    assert not er.self_collide(twin.necklace), "all pairs that overlap are on the list"
    twin.move(np.zeros((50, 3)))
    expected = set(rows_of(np.argwhere(np.triu(np.ones((50, 50)), 1)))) - set(rows_of(twin.slow.excluded))
    assert set(rows_of(er.self_collide(twin.necklace, every=True).pairs)) == expected


# Budgets and enough.


@every_kind
def test_enough_settles_the_question_of_a_clearance(cages: str) -> None:
    rng = rng_of("enough")
    twin = Twin.of(coil(rng, 80), cages=cages)
    for motion in GENTLE:
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        true, doubt = twin.slow.self_distance(), 1e-14 * twin.slow.extent
        for enough in (0.0, 0.5 * true, 0.999 * true, 1.001 * true, 2.0 * true):
            found = er.self_distance(twin.necklace, enough=enough)
            assert found.lower - doubt <= true <= found.upper + doubt
            assert found.lower >= enough - doubt - aside(twin) or found.upper <= enough + doubt


@every_kind
@pytest.mark.parametrize("make", [compact, tangle, coil, MAKERS["flat-cloud"]])
def test_on_a_budget_nothing_wrong_is_said(make: Any, cages: str) -> None:
    rng = rng_of("budget")
    twin = Twin.of(make(rng, 120), cages=cages)
    twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
    hits = set(rows_of(er.self_collide(twin.necklace, every=True).pairs))
    true, doubt, reach = twin.slow.self_distance(), 1e-14 * twin.slow.extent, 0.1 * twin.slow.extent
    near = set(rows_of(er.self_within(twin.necklace, reach).indices))
    cut = set()
    for tests in TESTS:
        budget = er.Budget(tests=tests)
        one, every = (er.self_collide(twin.necklace, every=e, depth=e, budget=budget) for e in (False, True))
        assert one.status == "out of budget" or bool(one) == bool(hits)
        assert every.status == "out of budget" or set(rows_of(every.pairs)) == hits
        assert set(rows_of(one.pairs)) | set(rows_of(every.pairs)) <= hits
        some = er.self_within(twin.necklace, reach, budget=budget)
        assert set(rows_of(some.indices)) <= near
        assert some.status == "out of budget" or len(some.indices) == len(near)
        found = er.self_distance(twin.necklace, budget=budget)
        assert found.lower <= true + doubt and true <= found.upper + doubt
        assert found.status == "out of budget" or found.value == pytest.approx(true, abs=doubt)
        cut |= {answer.status for answer in (one, every, some, found) if tests < 3}
        cut |= {f"enough {answer.status}" for answer in (one, every, some, found) if tests == 10**8}
    assert "out of budget" in cut and "enough out of budget" not in cut


@every_kind
def test_a_question_on_a_budget_leaves_the_next_one_right(cages: str) -> None:
    rng = rng_of("cut short")
    twin = Twin.of(compact(rng, 200), cages=cages)
    for step in range(12):
        twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
        hurry = er.Budget(tests=int(rng.integers(0, 30)))
        er.self_collide(twin.necklace, budget=hurry)
        er.self_within(twin.necklace, 1.0, budget=hurry)
        if step % 2:
            er.self_distance(twin.necklace, budget=er.Budget(seconds=0))
        check_everything(twin, rng)


@every_kind
def test_questions_change_nothing_and_are_answered_alike_twice(cages: str) -> None:
    rng = rng_of("twice")
    twin = Twin.of(tangle(rng, 90), cages=cages)
    for motion in GENTLE:
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        first, again = (er.self_collide(twin.necklace, every=True, depth=True) for _ in range(2))
        assert first.pairs.tolist() == again.pairs.tolist()
        assert first.contacts.depths.tolist() == again.contacts.depths.tolist()
        one, two = (er.self_distance(twin.necklace) for _ in range(2))
        assert (one.value, one.pair.tolist()) == (two.value, two.pair.tolist())
        twin.check_positions()
        twin.necklace.validate()

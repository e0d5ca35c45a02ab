"""Cages of necklaces: each is the least ball about its beads, or about its two children, after every move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from hypothesis import given, settings
from hypothesis import strategies as st
from necklace_makers import MAKERS, SIZES, SPHERES, Recipe, coil, recipes
from necklace_motions import GENTLE, MOTIONS
from necklace_oracle import (
    Ball,
    Twin,
    cage_ranges,
    excess,
    layered_cages,
    proved_least,
    smallest_ball,
    smallest_of_few,
    wrapped_cages,
)

import elbowroom as er

VERIFIES = ("naive", "cascade", "auto")
EXACT = 1e-12  # of the radius: how much larger than the least a cage may be
LADDERS = (2, 4, 8, 16, 64, 512)


# The oracle itself.


@settings(max_examples=150)
@given(recipes(most=7))
def test_the_least_ball_grown_bead_by_bead_is_that_of_all_subsets(recipe: Recipe) -> None:
    centres, radii = recipe.positions.astype(np.longdouble), recipe.radii.astype(np.longdouble)
    grown, (best, _) = smallest_ball(recipe.positions, recipe.radii), smallest_of_few(centres, radii)
    assert abs(grown.radius - best.radius) <= 1e-15 * best.radius
    assert excess(grown, centres, radii).max() <= 1e-15 * grown.radius
    assert proved_least(grown.centre, recipe.positions, recipe.radii) >= float(grown.radius) * (1.0 - 1e-14)


@pytest.mark.parametrize("maker", MAKERS)
def test_the_least_ball_is_proved_for_every_maker(maker: str) -> None:
    for n in (2, 5, 40):
        recipe = MAKERS[maker](rng_of("least", maker), n)
        ball = smallest_ball(recipe.positions, recipe.radii)
        slack = 1e-14 * float(ball.radius) + 1e-18 * float(np.abs(recipe.positions).max())
        assert proved_least(ball.centre, recipe.positions, recipe.radii) >= float(ball.radius) - slack
        assert excess(ball, recipe.positions, recipe.radii).max() <= slack


def test_a_proof_of_a_ball_that_is_too_large_fails() -> None:
    recipe = MAKERS["cloud"](rng_of("too large"), 30)
    ball = smallest_ball(recipe.positions, recipe.radii)
    off = ball.centre + float(ball.radius) * np.array([1e-3, 0.0, 0.0])
    needed = float(excess(Ball(off, 0.0), recipe.positions, recipe.radii).max())
    assert proved_least(off, recipe.positions, recipe.radii) < needed * (1.0 - 1e-6)


# Cages.


def rounding_at(twin: Twin) -> float:
    """What the last digits of a coordinate are worth."""
    return 4e-15 * float(np.abs(twin.slow.positions).max())


def check_ranges(twin: Twin) -> None:
    n = len(twin.slow.radii)
    assert [tuple(row) for row in twin.necklace.cage_ranges().tolist()] == list(cage_ranges(0, n))


def check_holds(twin: Twin, balls: np.ndarray) -> None:
    for (low, high), ball in zip(cage_ranges(0, len(twin.slow.radii)), balls, strict=True):
        held = Ball(ball[:-1].astype(np.longdouble), ball[-1])
        sticks = excess(held, twin.slow.positions[low:high], twin.slow.radii[low:high]).max()
        assert sticks <= 1e-15 * ball[-1], f"a bead sticks out of cage {low} to {high} by {sticks}"


def check_wrapped(twin: Twin) -> None:
    """Every cage proved to be the least, and its basis enough."""
    balls, bases = twin.necklace.cage_balls(), twin.necklace.cage_bases()
    check_ranges(twin)
    check_holds(twin, balls)
    slow, slack = twin.slow, rounding_at(twin)
    assert len(bases) == len(balls)
    for (low, high), ball, basis in zip(cage_ranges(0, len(slow.radii)), balls, bases, strict=True):
        inside = slice(low, high)
        least = proved_least(ball[:-1], slow.positions[inside], slow.radii[inside])
        assert ball[-1] <= least * (1.0 + EXACT) + slack, f"cage {low} to {high}: {ball[-1]}, least {least}"
        assert 1 <= len(basis) <= slow.positions.shape[1] + 1 and len(set(basis.tolist())) == len(basis)
        assert low <= basis.min() and basis.max() < high
        alone = proved_least(ball[:-1], slow.positions[basis], slow.radii[basis])
        assert ball[-1] <= alone * (1.0 + EXACT) + slack, "the basis alone would have a smaller ball"


def check_layered(twin: Twin) -> None:
    balls = twin.necklace.cage_balls()
    check_ranges(twin)
    check_holds(twin, balls)
    true = layered_cages(twin.slow.positions, twin.slow.radii)
    for ball, expected in zip(balls, true, strict=True):
        assert ball[-1] == pytest.approx(float(expected.radius), rel=1e-11, abs=10.0 * rounding_at(twin))


CHECKS: dict[str, Any] = {"wrapped": check_wrapped, "layered": check_layered}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("cages", SPHERES)
def test_cages_are_right_after_every_move(cages: str, maker: str) -> None:
    for n in (1, 3, 4, 35):
        rng = rng_of("cages", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n), cages=cages)
        CHECKS[cages](twin)
        for motion in rng.choice([*MOTIONS], 3):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            CHECKS[cages](twin)
            twin.necklace.validate()


@pytest.mark.parametrize("verify", VERIFIES)
@pytest.mark.parametrize("motion", MOTIONS)
def test_one_motion_again_and_again(motion: str, verify: str) -> None:
    rng = rng_of("again", motion)
    for make in (coil, MAKERS["flat-coil"], MAKERS["swallowed"]):
        twin = Twin.of(make(rng, 30), cages="wrapped", verify=verify)
        for name in ("slow", motion, "crawl", motion, motion):
            twin.move(MOTIONS[name](rng, twin.slow.positions, twin.recipe.size))
            check_wrapped(twin)
            twin.necklace.validate()


@settings(max_examples=80)
@given(recipes(most=12), st.lists(st.sampled_from([*MOTIONS]), max_size=3), st.sampled_from(VERIFIES))
def test_cages_of_beads_on_a_grid(recipe: Recipe, motions: list[str], verify: str) -> None:
    rng = rng_of("grid", motions)
    wrapped, layered = Twin.of(recipe, cages="wrapped", verify=verify), Twin.of(recipe, cages="layered")
    for motion in ("still", *motions):
        positions = MOTIONS[motion](rng, wrapped.slow.positions, recipe.size)
        for twin in (wrapped, layered):
            twin.move(positions)
        check_wrapped(wrapped)
        check_layered(layered)


@pytest.mark.parametrize("n", [*SIZES, 1000])
def test_any_number_of_beads_will_do(n: int) -> None:
    rng = rng_of("sizes", n)
    for cages in SPHERES:
        twin = Twin.of(coil(rng, n), cages=cages)
        for motion in ("slow", "fold"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            CHECKS[cages](twin)
            twin.necklace.validate()


@pytest.mark.parametrize("maker", ["coil", "helix", "spiral", "uneven", "cospherical", "blocks", "far"])
def test_every_way_to_verify_has_the_same_cages(maker: str) -> None:
    rng = rng_of("verify", maker)
    recipe = MAKERS[maker](rng, 100)
    necklaces = [recipe.necklace(cages="wrapped", verify=verify) for verify in VERIFIES]
    positions = recipe.positions
    for motion in (*GENTLE, "jump", "teleport", "snap", "crawl", "slow"):
        positions = MOTIONS[motion](rng, positions, recipe.size)
        for necklace in necklaces:
            necklace.move(positions)
        radii = [necklace.cage_balls()[:, -1] for necklace in necklaces]
        assert radii[1] == pytest.approx(radii[0], rel=1e-12) and radii[2] == pytest.approx(
            radii[0], rel=1e-12
        )


def test_verify_can_be_changed_on_the_way() -> None:
    rng = rng_of("changed")
    twin = Twin.of(coil(rng, 60), cages="wrapped")
    assert twin.necklace.verify == "auto"
    for k in range(12):
        twin.necklace.verify = VERIFIES[k % 3]
        assert twin.necklace.verify == VERIFIES[k % 3]
        twin.move(MOTIONS["jiggle"](rng, twin.slow.positions, twin.recipe.size))
        check_wrapped(twin)


# What the paper says of them.


def test_the_number_of_cages_is_the_papers() -> None:
    for n, cages in ((51, 37), (500, 487), (1, 1), (3, 1), (4, 3)):
        necklace = er.Necklace(np.zeros((n, 3)), 1.0, cages="wrapped")
        assert len(necklace.cage_ranges()) == len(necklace.cage_balls()) == cages


@pytest.mark.parametrize("cages", SPHERES)
def test_levels_are_the_depths_of_the_tree(cages: str) -> None:
    necklace = coil(rng_of("levels"), 100).necklace(cages=cages)
    balls, ranges = necklace.cage_balls(), necklace.cage_ranges()
    parts = [(0, 100)]
    for level in range(10):
        rows = [k for part in parts for k in np.flatnonzero((ranges == part).all(axis=1))]
        assert necklace.cage_balls(level).tolist() == balls[rows].tolist()
        split = [(low, (low + high) // 2, high) for low, high in parts if high - low > 3]
        parts = [half for low, middle, high in split for half in ((low, middle), (middle, high))]
    assert not parts and necklace.cage_balls(9).shape == (0, 4)


@pytest.mark.parametrize(
    "maker", ["coil", "tangle", "cloud", "uneven", "spiral", "helix", "cospherical", "points"]
)
def test_a_layered_cage_is_hardly_larger_than_the_wrapped_one(maker: str) -> None:
    for n in (5, 30, 128):
        recipe = MAKERS[maker](rng_of("ratio", maker), n)
        wrapped, layered = (recipe.necklace(cages=cages).cage_balls()[:, -1] for cages in SPHERES)
        sizes = np.array([high - low for low, high in cage_ranges(0, n)])
        assert (layered >= wrapped * (1.0 - 1e-12)).all()
        assert (layered <= wrapped * np.sqrt(np.ceil(np.log2(np.maximum(sizes, 2)))) * (1.0 + 1e-12)).all()


@pytest.mark.parametrize("n", LADDERS)
def test_the_papers_construction_reaches_the_bound(n: int) -> None:
    recipe = MAKERS["ladder"](None, n)
    wrapped, layered = (recipe.necklace(cages=cages).cage_balls(0)[0, -1] for cages in SPHERES)
    assert wrapped == pytest.approx(1.0, rel=1e-9)
    assert layered == pytest.approx(np.sqrt(np.log2(n)), rel=1e-9)
    slow = wrapped_cages(recipe.positions[:16], recipe.radii[:16])[0].radius
    assert float(slow) <= 1.0 + 1e-12


# Counters.


def test_naive_verification_looks_at_every_bead_of_every_cage() -> None:
    """7.2 tests a cage for 51 beads and 9.1 for 500, as in the paper's table."""
    for n, told in ((51, 7.2), (500, 9.1)):
        recipe = coil(rng_of("naive"), n)
        necklace = recipe.necklace(cages="wrapped", verify="naive")
        before = necklace.counters
        necklace.move(recipe.positions)
        spent = necklace.counters - before
        tests = sum(high - low for low, high in cage_ranges(0, n))
        assert spent.naive_tests == tests and int(10.0 * tests / spent.cages) / 10.0 == told
        assert (spent.moves, spent.naive_moves, spent.cascade_moves, spent.cascade_tests) == (1, 1, 0, 0)
        assert spent.basis_changes == spent.escaped == spent.cages_rebuilt == 0

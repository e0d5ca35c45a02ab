"""Bounding volumes: what is fitted is held, what is merged is held, and separation is a lower bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import nasty
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from elbowroom import _core, volumes

NAMES = ("sphere", "capsule", "aabb", "obb", "rss")
KINDS: dict[str, Any] = {name: getattr(volumes, name.capitalize()) for name in NAMES}
STYLES = ("random", "grid", "coincident", "collinear", "planar", "nearly flat", "offset", "huge", "tiny")
check_tree: Any = vars(_core)["check_tree"]
ROUNDING = 2e-14  # of the coordinates and radii: what containment and bounds may be off by


class Balls(NamedTuple):
    centres: np.ndarray
    radii: np.ndarray


def centres_of(rng: np.random.Generator, style: str, count: int) -> np.ndarray:
    points = rng.normal(size=(count, 3))
    turn = nasty.rotations(rng, 1)[0]
    made: dict[str, Callable[[], Any]] = {
        "grid": lambda: rng.integers(-2, 3, (count, 3)).astype(float),
        "coincident": lambda: np.repeat(points[:1], count, axis=0),
        "collinear": lambda: points[:, :1] * turn[0] + turn[1],
        "planar": lambda: points * [1.0, 1.0, 0.0] @ turn.T,
        "nearly flat": lambda: points * [1.0, 1e-4, 10.0 ** rng.uniform(-17, -6)] @ turn.T,
        "offset": lambda: points + 1e6 * turn[0],
        "huge": lambda: points * 1e13,
        "tiny": lambda: points * 1e-30,
    }
    return np.asarray(made[style]() if style in made else points)


def balls_of(rng: np.random.Generator, style: str, where: np.ndarray | float = 0.0) -> Balls:
    """One to twelve balls: points, equal balls, or balls of very different sizes."""
    centres = centres_of(rng, style, int(rng.integers(1, 13))) + where
    size = float(np.ptp(centres, axis=0).max()) or float(np.abs(centres).max())
    radii = [np.zeros(len(centres)), np.full(len(centres), 0.3), 10.0 ** rng.uniform(-6, 0.3, len(centres))]
    return Balls(centres, radii[rng.integers(3)] * size)


def two_sets(seed: int, style: str) -> tuple[Balls, Balls, float]:
    """Two sets of balls near each other, and the size that rounding is relative to."""
    rng = np.random.default_rng(seed)
    first = balls_of(rng, style)
    size = float(np.ptp(first.centres, axis=0).max()) or float(np.abs(first.centres).max())
    second = balls_of(rng, style, nasty.directions(rng, 1) * size * rng.choice([0.0, 0.5, 2.0, 5.0]))
    reach = max(float(np.abs(b.centres).max() + b.radii.max()) for b in (first, second))
    return first, second, reach


def true_distance(a: Balls, b: Balls) -> float:
    apart = np.linalg.norm(a.centres[:, None] - b.centres[None], axis=2) - a.radii[:, None] - b.radii[None]
    return max(float(apart.min()), 0.0)


SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(STYLES), st.sampled_from(list(KINDS)))
def test_a_fitted_volume_holds_its_balls(seed: int, style: str, kind: str) -> None:
    balls, _, reach = two_sets(seed, style)
    volume = volumes.fit(KINDS[kind], *balls)
    assert volumes.contains(volume, *balls, tolerance=ROUNDING * reach).all()
    shuffled = np.random.default_rng(seed).permutation(len(balls.centres))
    again = volumes.fit(KINDS[kind], balls.centres[shuffled], balls.radii[shuffled])
    assert volumes.contains(again, *balls, tolerance=ROUNDING * reach).all()


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(STYLES), st.sampled_from(list(KINDS)))
def test_a_merged_volume_holds_both(seed: int, style: str, kind: str) -> None:
    a, b, reach = two_sets(seed, style)
    one, other = (volumes.fit(KINDS[kind], *balls) for balls in (a, b))
    for merged in (one.merge(other), other.merge(one)):
        assert type(merged) is KINDS[kind]
        for balls in (a, b):
            assert volumes.contains(merged, *balls, tolerance=ROUNDING * reach).all()


@settings(max_examples=300, deadline=None)
@given(SEEDS, st.sampled_from(STYLES), st.sampled_from(list(KINDS)))
def test_separation_is_a_symmetric_lower_bound(seed: int, style: str, kind: str) -> None:
    a, b, reach = two_sets(seed, style)
    one, other = (volumes.fit(KINDS[kind], *balls) for balls in (a, b))
    gap = one.separation(other)
    assert 0.0 <= gap <= true_distance(a, b) + ROUNDING * reach
    assert other.separation(one) == pytest.approx(gap, abs=ROUNDING * reach)
    assert one.separation(one) == 0.0


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(STYLES), st.sampled_from(list(KINDS)))
def test_containment_agrees_with_separation(seed: int, style: str, kind: str) -> None:
    """A ball in the volume is not apart from it, and one that is apart from it is not in it."""
    a, b, reach = two_sets(seed, style)
    volume = volumes.fit(KINDS[kind], *a)
    inside = volumes.contains(volume, *b)
    for centre, radius, held in zip(*b, inside, strict=True):
        single = volumes.fit(KINDS[kind], centre[None], [radius])
        assert not (held and volume.separation(single) > ROUNDING * reach)


@pytest.mark.parametrize("kind", KINDS)
def test_sheets_that_cross_have_no_gap(kind: str) -> None:
    """Far from the edges of both; the origin lies in both."""
    x, y = (side.ravel() for side in np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 5)))
    wide, narrow = np.stack([5 * x, 5 * y, 0 * x], axis=1), np.stack([0 * x, 2 * x, 2 * y], axis=1)
    for turn in (np.eye(3), nasty.rotations(np.random.default_rng(0), 1)[0]):
        one, other = (volumes.fit(KINDS[kind], sheet @ turn.T) for sheet in (wide, narrow))
        assert one.separation(other) == other.separation(one) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_bound_is_not_trivial(kind: str) -> None:
    """Far sets are told apart, and by most of their distance."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        a, b = balls_of(rng, "random"), balls_of(rng, "random", 40.0 * nasty.directions(rng, 1))
        gap = volumes.fit(KINDS[kind], *a).separation(volumes.fit(KINDS[kind], *b))
        assert gap >= 0.5 * true_distance(a, b) > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_containment_has_an_edge(kind: str) -> None:
    volume = volumes.fit(KINDS[kind], [[-1, 0, 0], [1, 0, 0]], [0.5, 0.5])
    inside = np.array([[0, 0, 0], [1.4, 0, 0], [-1.4, 0, 0], [0, 0.3, 0.3]])
    outside = np.array([[2.3, 0, 0], [0, 1.6, 0], [0, 0, -1.6], [9, 9, 9]])
    assert volumes.contains(volume, inside).all() and not volumes.contains(volume, outside).any()
    assert not volumes.contains(volume, inside, 3.0).any()
    assert volumes.contains(volume, outside, tolerance=20.0).all()


def test_volumes_of_one_box_shaped_set_by_hand() -> None:
    corners = np.array([[x, y, z] for x in (0, 4) for y in (0, 2) for z in (0, 1)], float)
    fitted: dict[str, Any] = {name: volumes.fit(kind, corners) for name, kind in KINDS.items()}
    assert fitted["aabb"].low.tolist() == [0, 0, 0] and fitted["aabb"].high.tolist() == [4, 2, 1]
    assert sorted(fitted["obb"].half) == pytest.approx([0.5, 1.0, 2.0])
    assert fitted["sphere"].radius == pytest.approx(np.sqrt(21) / 2, rel=0.03)
    assert fitted["rss"].radius >= 0.5 and fitted["capsule"].radius >= np.sqrt(5) / 2 - 1e-12
    shifted = {name: volumes.fit(kind, corners + np.array([10, 0, 0])) for name, kind in KINDS.items()}
    assert fitted["aabb"].separation(shifted["aabb"]) == 6.0
    assert fitted["obb"].separation(shifted["obb"]) == pytest.approx(6.0)


# Trees of every volume.


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(STYLES), st.integers(1, 150), st.sampled_from([1, 2, 4]))
@example(0, "coincident", 150, 1)
@example(1, "collinear", 150, 2)
def test_trees_of_every_volume_are_sound(seed: int, style: str, count: int, leaf_items: int) -> None:
    rng = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(rng.integers(1, 5, count))]).astype(np.int32)
    points = np.ascontiguousarray(centres_of(rng, style, int(first[-1])))
    radii = rng.uniform(0.0, 0.1, count) * np.abs(points).max() * rng.integers(2)
    for kind in KINDS:
        for children in (2, 8):
            assert check_tree(kind, points, first, radii, children, leaf_items) == ""

"""er.sampling.polymer: chains that are free, have the bonds they should, and are near equilibrium."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

import elbowroom as er
from elbowroom.sampling import polymer

Array = np.ndarray


def overlaps(points: Array, radius: float) -> int:
    """Pairs of balls that overlap and are not the two of a bond, by a k-d tree."""
    pairs = cKDTree(points).query_pairs(2.0 * radius, output_type="ndarray")
    return int((np.abs(pairs[:, 1] - pairs[:, 0]) > 1).sum())


def end_to_end(points: Array) -> float:
    """Squared."""
    return float(((points[-1] - points[0]) ** 2).sum())


def gyration(points: Array) -> float:
    """The squared radius."""
    return float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())


def mean(values: Array) -> tuple[float, float]:
    """Of independent values, with its error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How many of their errors two means are apart."""
    return abs(one[0] - other[0]) / math.hypot(one[1], other[1])


# Sizes on both sides of one block, of two and of four, and some that are no power of two.
SIZES = [2, 3, 4, 5, 17, 256, 257, 258, 259, 512, 513, 514, 1000, 1025, 1026, 5001]


@pytest.mark.parametrize("links", SIZES)
def test_any_size_is_free_and_has_its_bonds(links: int) -> None:
    chain = polymer(links, seed=links)
    points = chain.positions()
    assert len(chain) == len(points) == links
    assert np.abs(np.linalg.norm(np.diff(points, axis=0), axis=1) - 1.0).max() < 1e-13
    assert overlaps(points, 0.5) == 0 and not chain.collides()
    assert points[0].tolist() == [0.0, 0.0, 0.0]
    assert np.all(chain.radii == 0.5) and chain.excluded_gap == 1
    chain.validate()


@pytest.mark.parametrize("radius", [0.0, 0.1, 0.45, 0.5, 0.6, 0.75, 0.95, 0.999, 0.999999])
@pytest.mark.parametrize("spacing", [1.0, 3.8, 1e-3])
def test_any_radius_below_the_spacing(radius: float, spacing: float) -> None:
    points = polymer(600, spacing=spacing, radius=radius * spacing, seed=4).positions()
    bonds = np.diff(points, axis=0) / spacing
    assert np.abs(np.linalg.norm(bonds, axis=1) - 1.0).max() < 1e-11
    assert overlaps(points, radius * spacing) == 0
    sharpest = np.arccos(np.clip((bonds[1:] * bonds[:-1]).sum(axis=1), -1, 1)).max()
    assert sharpest < 2.0 * math.acos(radius) + 1e-7
    assert sharpest > 1.5 * math.acos(radius), "the bonds use the freedom that they have"


def test_a_long_one() -> None:
    points = polymer(60_001, seed=2).positions()
    assert np.abs(np.linalg.norm(np.diff(points, axis=0), axis=1) - 1.0).max() < 1e-12
    assert overlaps(points, 0.5) == 0
    assert 0.02 < end_to_end(points) / 60_001**1.1752 < 8


@pytest.mark.parametrize("links", [2, 100, 2000])
def test_the_seed_decides(links: int) -> None:
    first, again, other = (polymer(links, seed=seed).positions() for seed in (7, 7, 8))
    assert first.tobytes() == again.tobytes()
    assert np.abs(first - other).max() > 0.01


def test_sampling_goes_on_from_it() -> None:
    run = er.sampling.sample(polymer(300, seed=3), {"pivot": 1.0}, steps=2000, seed=1)
    assert 0.3 < run.acceptance["pivot"] < 0.6 and not run.chain.collides()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "one link": ({"links": 1}, "links must be at least 2"),
    "half a link": ({"links": 2.5}, "links must be a whole number"),
    "true": ({"links": True}, "links must be a whole number"),
    "no spacing": ({"spacing": 0.0}, "spacing must be larger than 0"),
    "negative spacing": ({"spacing": -1.0}, "spacing must be finite, not negative"),
    "NaN": ({"spacing": math.nan}, "spacing must be finite"),
    "text": ({"radius": "wide"}, "radius must be a number"),
    "negative radius": ({"radius": -0.1}, "radius must be finite, not negative"),
    "balls too wide": ({"radius": 1.0}, "radius must be less than spacing"),
    "a hair too wide": ({"spacing": 2.0, "radius": 2.0 - 1e-9}, "radius must be less than spacing"),
    "tiny": ({"spacing": 1e-40}, "spacing is smaller than"),
    "negative seed": ({"seed": -1}, "seed must be at least 0"),
    "no seed": ({"seed": None}, "seed must be a whole number"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_named(case: str) -> None:
    given, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        polymer(**{"links": 10, **given})


def test_three_links_bend_as_they_should() -> None:
    """The cosine of the only angle is uniform from -1/2 to 1."""
    points = np.array([polymer(3, seed=seed).positions() for seed in range(3000)])
    bonds = np.diff(points, axis=1)
    cosines = np.sort((bonds[:, 0] * bonds[:, 1]).sum(axis=1))
    expected = (cosines + 0.5) / 1.5
    gap = np.abs(expected - (np.arange(3000) + 0.5) / 3000).max()
    assert gap * math.sqrt(3000) < 1.95, "Kolmogorov and Smirnov: one in a thousand"
    directions = bonds[:, 0].mean(axis=0) * math.sqrt(3 * 3000)
    assert np.abs(directions).max() < 4.5, "and the first bond points anywhere"


@pytest.mark.statistics
def test_ten_links_are_in_equilibrium() -> None:
    """Beside bonds drawn at random until nothing collides."""
    rng = np.random.default_rng(6)
    bonds = rng.normal(size=(200_000, 9, 3))
    bonds /= np.linalg.norm(bonds, axis=2, keepdims=True)
    drawn = np.concatenate([np.zeros((len(bonds), 1, 3)), np.cumsum(bonds, axis=1)], axis=1)
    pairs = [(i, j) for i in range(10) for j in range(i + 2, 10)]
    free = np.all([((drawn[:, i] - drawn[:, j]) ** 2).sum(axis=1) > 1.0 for i, j in pairs], axis=0)
    made = [polymer(10, seed=seed).positions() for seed in range(3000)]
    for size in (end_to_end, gyration):
        exact, seen = (mean(np.array([size(points) for points in some])) for some in (drawn[free], made))
        assert apart(exact, seen) < 4


@pytest.mark.statistics
def test_joined_pieces_are_near_equilibrium() -> None:
    """Eight pieces joined, beside pivots from a rod: too small, were there no pivots after each join."""
    rod = er.Chain(er.scenes.rod(1030, 1.0), 0.5)
    run = er.sampling.sample(rod, {"pivot": 1.0}, steps=400_000, burn_in=50_000, every=20, seed=5)
    known = run.estimate("radius_of_gyration", power=2)
    seen = mean(np.array([gyration(polymer(1030, seed=seed).positions()) for seed in range(300)]))
    assert seen[1] < 0.04 * seen[0]
    assert apart((known.mean, known.error), seen) < 3.5

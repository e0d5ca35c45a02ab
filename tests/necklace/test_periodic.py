"""Periodic boxes: every question against all images of all balls."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from support.periodic_oracle import as_pairs, nearest_gaps, random_box

import elbowroom as er

CUBE = [10.0, 10.0, 10.0]


def limit(body: er.Necklace | er.Chain) -> float:
    """The largest reach, as the refusal of a larger one says."""
    with pytest.raises(ValueError, match=r"^reach may be at most \S+ in this periodic box, got") as refused:
        er.self_within(body, 1e6)
    return float(str(refused.value).split("at most ")[1].split(" in ")[0]) * (1 - 1e-5)


def scattered(rng: np.random.Generator, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Balls in several cells, some of them on faces and corners, some at the same place; radii of one size or many."""
    n = int(rng.integers(2, 60))
    cells = rng.uniform(-2, 3, (n, 3))
    if rng.random() < 0.4:
        cells = np.round(4 * cells) / 4
    cells[0] += rng.integers(-1000, 1000, 3)
    widths = 1 / np.linalg.norm(np.linalg.inv(edges), axis=0)
    largest = 0.1 * widths.min()
    return cells @ edges, rng.uniform(0, largest, n) if rng.random() < 0.5 else np.full(n, largest)


@pytest.mark.parametrize("seed", range(60))
def test_self_questions_are_those_of_all_images(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges, cells = random_box(rng)
    x, radii = scattered(rng, edges)
    gaps = nearest_gaps(edges, x, radii, cells=cells)
    upper = gaps[np.triu_indices(len(x), 1)]
    balls = er.Necklace(x, radii, exclude=0, box=edges)

    nearest = er.self_distance(balls)
    assert nearest.value == pytest.approx(upper.min(), abs=1e-9)
    assert nearest.lower <= upper.min() + 1e-9
    assert np.linalg.norm(nearest.points[1] - nearest.points[0]) == pytest.approx(nearest.value, abs=1e-9)
    if abs(upper.min()) > 1e-9 or upper.min() == 0:
        assert bool(er.self_collide(balls)) == (upper.min() == 0)
    overlaps = as_pairs(er.self_collide(balls, every=True).pairs)
    assert as_pairs(np.argwhere(np.triu(gaps <= 0, 1))) <= overlaps
    assert all(gaps[i, j] < 1e-9 for i, j in overlaps)

    reach = limit(balls) * rng.choice([0.3, 0.7, 1.0])
    found = er.self_within(balls, reach)
    expected = as_pairs(np.argwhere(np.triu(gaps <= reach, 1)))
    for i, j in as_pairs(found.indices) ^ expected:
        assert gaps[i, j] == pytest.approx(reach, abs=1e-8)
    np.testing.assert_allclose(found.distances, gaps[tuple(found.indices.T)], atol=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_two_bodies_are_compared_with_all_images(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    edges, cells = random_box(rng)
    (x, rx), (y, ry) = scattered(rng, edges), scattered(rng, edges)
    gaps = nearest_gaps(edges, x, rx, y, ry, cells=cells)
    a, b = er.Necklace(x, rx, box=edges), er.Chain(y, ry, box=edges)
    assert er.distance(a, b).value == pytest.approx(gaps.min(), abs=1e-8)
    if abs(gaps.min()) > 1e-8:
        assert not er.collide(a, b)
    reach = min(limit(a), limit(b)) * 0.9
    found, turned = er.within(a, b, reach, points=True), er.within(b, a, reach)
    for i, j in as_pairs(found.indices) ^ as_pairs(np.argwhere(gaps <= reach)):
        assert gaps[i, j] == pytest.approx(reach, abs=1e-8)
    assert as_pairs(found.indices) == as_pairs(turned.indices[:, ::-1])
    assert sorted(found.distances) == sorted(turned.distances)
    apart = np.linalg.norm(found.points[:, 1] - found.points[:, 0], axis=1)
    np.testing.assert_allclose(apart[found.distances > 0], found.distances[found.distances > 0], atol=1e-7)

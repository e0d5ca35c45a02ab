"""Necklaces whose order says nothing about space, as in a file of many molecules."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree
from support.periodic_oracle import as_pairs

import elbowroom as er

COUNT = 1200  # enough for beads to be sorted in space


def compared(exclude: object) -> np.ndarray:
    """(n, n): which pairs i < j are compared."""
    gap, named = exclude if isinstance(exclude, tuple) else (exclude, [])
    i, j = np.indices((COUNT, COUNT))
    out = j - i > gap
    for a, b in named:
        out[min(a, b), max(a, b)] = False
    return out


@pytest.mark.parametrize("exclude", [0, 3, (1, [(0, 700), (1199, 5), (40, 50)])])
@pytest.mark.parametrize("sizes", ["one", "many"])
def test_questions_are_those_of_all_pairs(exclude: object, sizes: str) -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 20, (COUNT, 3))
    x[700] = x[0] + 0.1  # one that is named
    radii = rng.uniform(0.05, 0.3, COUNT) if sizes == "many" else np.full(COUNT, 0.2)
    gaps = np.linalg.norm(x[:, None] - x, axis=2) - radii[:, None] - radii
    wanted = compared(exclude)
    balls = er.Necklace(x, radii, exclude=exclude)
    assert as_pairs(er.self_within(balls, 0.7).indices) == as_pairs(np.argwhere((gaps <= 0.7) & wanted))
    assert as_pairs(er.self_collide(balls, every=True).pairs) == as_pairs(np.argwhere((gaps <= 0) & wanted))
    thin = er.Necklace(x, radii * 0.01, exclude=exclude)
    least = (gaps + 0.99 * (radii[:, None] + radii))[wanted].min()
    nearest = er.self_distance(thin)
    assert nearest.value == pytest.approx(least, abs=1e-12)
    assert np.linalg.norm(np.diff(nearest.points, axis=0)) == pytest.approx(least, abs=1e-12)
    balls.validate()


def test_an_order_that_is_lost_on_the_way() -> None:
    """A line whose beads scatter, and come back: answers hold, however beads are kept."""
    line = np.arange(COUNT)[:, None] * [0.5, 0, 0]
    spread = np.random.default_rng(2).uniform(0, 20, (COUNT, 3))
    beads = er.Necklace(line, 0.1, exclude=0)
    for k in range(150):
        x = line if k < 2 or k > 100 else spread + 0.01 * k
        beads.move(x)
        if k % 25 == 0 or k < 4 or k > 145:
            expected = as_pairs(cKDTree(x).query_pairs(0.8 + 0.2))
            assert as_pairs(er.self_within(beads, 0.8).indices) == expected
            assert bool(er.self_collide(beads)) == bool(cKDTree(x).query_pairs(0.2))


def test_answers_do_not_depend_on_how_beads_are_kept() -> None:
    """With a memory the order along the necklace is used."""
    x = np.random.default_rng(4).uniform(0, 20, (COUNT, 3))
    beads = er.Necklace(x, 0.1)
    sorted_, plain = er.self_within(beads, 1.0), er.self_within(beads, 1.0, memory=er.Memory())
    assert np.array_equal(sorted_.indices, plain.indices)
    assert np.array_equal(sorted_.distances, plain.distances)
    assert er.self_distance(beads).value == er.self_distance(beads, memory=er.Memory()).value


def test_many_pairs_come_in_order_with_their_distances() -> None:
    """A few beads with hundreds of neighbours each, and many with few."""
    rng = np.random.default_rng(6)
    x = np.concatenate([rng.uniform(0, 3, (420, 3)), rng.uniform(0, 40, (4000, 3))])
    order = rng.permutation(len(x))
    beads = er.Necklace(x[order], 0.0, exclude=0)
    found = er.self_within(beads, 6.0)
    pairs = cKDTree(x[order]).query_pairs(6.0, output_type="ndarray")
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    assert np.bincount(pairs[:, 0]).max() > 300
    assert np.array_equal(found.indices, pairs)
    apart = np.linalg.norm(x[order][pairs[:, 0]] - x[order][pairs[:, 1]], axis=1)
    assert np.allclose(found.distances, apart, rtol=1e-12, atol=0)

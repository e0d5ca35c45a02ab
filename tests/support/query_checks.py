"""Checks of answers about two bodies against the true gaps between their parts, for every kind of body."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import elbowroom as er

#: Budgets, from none to more than is needed.
TESTS = (0, 1, 2, 5, 9, 20, 50, 200, 1000, 10_000, 10**8)


def rows_of(pairs: np.ndarray) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in pairs]


def check_pairs(pairs: np.ndarray, gaps: np.ndarray, limit: float, doubt: float) -> None:
    """Exactly the pairs up to the limit, but for those in doubt; sorted, none twice."""
    listed = np.zeros(gaps.shape, dtype=bool)
    listed[pairs[:, 0], pairs[:, 1]] = True
    assert listed[gaps < limit - doubt].all(), "a pair is missing"
    assert (gaps[listed] <= limit + doubt).all(), "a pair too many"
    assert rows_of(pairs) == rows_of(np.argwhere(listed)), "not sorted, or a pair twice"


def check_verdicts(asked: tuple[Any, ...], gaps: np.ndarray, doubt: float) -> bool:
    """Every pair once; both ways round the same."""
    a, b, pose_a, pose_b = asked
    one, every, back = (
        er.collide(*asked),
        er.collide(*asked, every=True),
        er.collide(b, a, pose_b, pose_a, every=True),
    )
    check_pairs(every.pairs, gaps, 0.0, doubt)
    assert bool(one) == bool(every) == bool(back) == bool(er.collide(b, a, pose_b, pose_a))
    assert set(rows_of(one.pairs)) <= set(rows_of(every.pairs)) and len(one.pairs) == int(bool(one))
    assert sorted(rows_of(back.pairs[:, ::-1])) == rows_of(every.pairs)
    return bool(every)


def contact_facts(found: Any, side: int) -> list[list[float]]:
    """Pairs, points, normals and depths in one order, told from the side of a."""
    if found.contacts is None:
        return []
    normals = found.contacts.normals * side + 0.0
    rows = np.column_stack([found.pairs[:, ::side], found.contacts.depths, found.contacts.points, normals])
    return sorted(np.asarray(rows, dtype=float).tolist())


def check_depths(asked: tuple[Any, ...], gaps: np.ndarray, doubt: float) -> None:
    a, b, pose_a, pose_b = asked
    found, back = (
        er.collide(*asked, every=True, depth=True),
        er.collide(b, a, pose_b, pose_a, every=True, depth=True),
    )
    deepest = er.collide(*asked, depth=True)
    check_pairs(np.unique(found.pairs, axis=0).reshape(-1, 2), gaps, 0.0, doubt)
    assert contact_facts(found, 1) == contact_facts(back, -1), "the normals turn, all else is the same"
    assert bool(found) == bool(deepest)
    if found:
        assert deepest.contacts.depths[0] == pytest.approx(found.contacts.depths.max(), abs=doubt)
        depths = np.full(gaps.shape, -np.inf)
        np.maximum.at(depths, tuple(found.pairs.T), found.contacts.depths)
        hit = np.isfinite(depths)
        assert (np.abs(depths[hit] - np.maximum(-gaps[hit], 0.0)) <= doubt).all()


def check_distances(asked: tuple[Any, ...], gaps: np.ndarray, doubt: float, reach: float) -> None:
    a, b, pose_a, pose_b = asked
    found, back, true = er.distance(*asked), er.distance(b, a, pose_b, pose_a), max(float(gaps.min()), 0.0)
    assert (back.value, back.lower, back.upper) == (found.value, found.lower, found.upper)
    near, near_back = er.within(a, b, reach, pose_a, pose_b), er.within(b, a, reach, pose_b, pose_a)
    check_pairs(near.indices, gaps, reach, doubt)
    assert sorted(rows_of(near_back.indices[:, ::-1])) == rows_of(near.indices)
    distances = np.maximum(gaps[near.indices[:, 0], near.indices[:, 1]], 0.0)
    assert (np.abs(near.distances - distances) <= doubt).all()
    if np.isinf(true):
        assert found.value == np.inf
        return
    assert abs(found.value - true) <= doubt and found.lower <= found.value <= found.upper
    assert found.lower <= true + doubt and true <= found.upper + doubt
    assert abs(max(gaps[tuple(found.pair)], 0.0) - true) <= doubt
    assert abs(np.linalg.norm(found.points[1] - found.points[0]) - found.value) <= doubt

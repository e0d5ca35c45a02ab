"""What a binary ChainTree says of itself: its volumes, contacts, distances, close pairs; within a budget."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from slow_chain import (
    NONE,
    SCENES,
    SIZES,
    VOLUMES,
    SlowChain,
    binary_chain,
    random_change,
    serpentine,
    straight,
    walk,
)

from elbowroom import _core

FREELY = _core.Allowance(None, None)


# The volumes of a level


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("n", [2, 5, 16, 37])
def test_the_volumes_of_every_level_hold_the_links_below(volume: str, n: int) -> None:
    rng = np.random.default_rng(n)
    fast, slow = binary_chain(walk(n), 0.6, volume=volume), SlowChain(walk(n), 0.6)
    random_change(rng, fast, slow, 1.0)
    top = int(np.ceil(np.log2(n)))
    for level in range(top + 3):
        boxes: list[Any] = list(fast.boxes(level))
        width = 2 ** max(0, top - level)
        assert len(boxes) == -(-n // width)
        for k, box in enumerate(boxes):
            links = fast.positions()[k * width : (k + 1) * width]
            assert (box._excess(np.ascontiguousarray(links), np.full(len(links), 0.6)) < 1e-11).all()


# Questions about the whole chain


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("n", SIZES)
def test_self_queries_are_those_of_all_pairs(volume: str, n: int) -> None:
    rng = np.random.default_rng(n)
    for scene in ("walk", "serpentine", "crossing hulls"):
        radii = rng.uniform(0.3, 1.4, n)
        fast, slow = binary_chain(SCENES[scene](n), radii, volume=volume), SlowChain(SCENES[scene](n), radii)
        for _ in range(3):
            random_change(rng, fast, slow, 0.3)
        gaps = slow.gaps()
        hits = fast.self_collide(True, True, FREELY)
        assert hits.pairs.tolist() == np.argwhere(gaps <= 0).tolist()
        assert np.allclose(hits.contacts.depths, -gaps[gaps <= 0], atol=1e-10)
        assert bool(fast.self_collide(False, False, FREELY)) == bool((gaps <= 0).any())
        for reach in (0.0, 1.0, 5.0):
            near = fast.self_within(reach, FREELY)
            assert near.indices.tolist() == np.argwhere(gaps <= reach).tolist()
            assert np.allclose(near.distances, np.maximum(gaps[gaps <= reach], 0), atol=1e-10)
        distance = fast.self_distance(-1.0, FREELY)
        assert distance.value == pytest.approx(max(gaps.min(), 0), abs=1e-10)
        if np.isfinite(gaps.min()):
            assert distance.lower <= max(gaps.min(), 0) + 1e-10
            assert distance.upper - distance.lower < 1e-9


def test_contacts_stand_where_the_balls_meet() -> None:
    chain = binary_chain(np.array([[1.0, 1, 1], [6, 1, 1], [2.5, 1, 1]]), [1.0, 0.1, 1.0])
    answer = chain.self_collide(False, True, FREELY)
    assert answer.pairs.tolist() == [[0, 2]]
    assert answer.contacts.depths == pytest.approx([0.5])
    assert answer.contacts.normals[0] == pytest.approx([1, 0, 0])
    assert answer.contacts.points[0] == pytest.approx([1.75, 1, 1])
    free = binary_chain(np.array([[1.0, 1, 1], [6, 1, 1], [4, 1, 1]]), [1.0, 0.1, 0.5])
    apart = free.self_distance(-1.0, FREELY)
    assert apart.pair.tolist() == [0, 2]
    assert apart.points.tolist() == [[2, 1, 1], [3.5, 1, 1]]


def test_the_deepest_contact_is_named() -> None:
    chain = binary_chain(np.array([[0.0, 0, 0], [9, 0, 0], [1.8, 0, 0], [9, 9, 0], [0, 1, 0]]))
    assert len(chain.self_collide(True, True, FREELY).pairs) == 2
    assert chain.self_collide(False, True, FREELY).pairs.tolist() == [[0, 4]]


def test_enough_settles_a_distance() -> None:
    chain = binary_chain(serpentine(200))
    far = chain.self_distance(1.5, FREELY)
    assert far.status == "settled"
    assert far.lower == 1.5 <= 2.0 <= far.upper
    near = chain.self_distance(3.0, FREELY)
    assert near.status == "settled"
    assert near.upper <= 3.0
    assert far.counters.volume_tests < chain.self_distance(-1.0, FREELY).counters.volume_tests


def test_a_chain_without_pairs_is_infinitely_far_from_itself() -> None:
    answer = binary_chain(straight(2)).self_distance(-1.0, FREELY)
    assert answer.value == np.inf
    assert answer.pair.tolist() == [-1, -1]


@pytest.mark.parametrize("tests", [0, 10, 100, 1000])
def test_a_budget_ends_a_query_and_its_bounds_hold(tests: int) -> None:
    chain = binary_chain(serpentine(500))
    allowance = _core.Allowance(tests, None)
    distance = chain.self_distance(-1.0, allowance)
    assert distance.status == "out of budget"
    assert distance.lower <= 2.0 <= distance.upper
    assert distance.counters.volume_tests <= tests + 3
    assert chain.self_collide(False, False, allowance).status in ("out of budget", "exhausted")
    assert chain.self_within(3.0, allowance).status == "out of budget"


def test_wrong_settings_are_refused() -> None:
    one = np.ones(3)
    with pytest.raises(ValueError, match="volume must be"):
        _core.BinaryChain(straight(3), one, 1, NONE, "ball", False, "pieces")
    with pytest.raises(ValueError, match="skip must be"):
        _core.BinaryChain(straight(3), one, 1, NONE, "obb", False, "all")
    with pytest.raises(ValueError, match="two positions"):
        _core.BinaryChain(straight(1), one[:1], 1, NONE, "obb", False, "paper")

"""What only a binary ChainTree is asked: its volumes, exact points, statuses, counts."""

from __future__ import annotations

import numpy as np
import pytest
from chain_makers import FAST, VOLUMES, Recipe, coil, rng_of, rod, serpentine
from chain_oracle import Twin, random_move

import elbowroom as er

every_kind = pytest.mark.parametrize("volume", ["obb", "rss", "capsule", "sphere"])


@pytest.mark.parametrize("tree", [name for name in VOLUMES if name not in FAST])
@pytest.mark.parametrize("n", [2, 5, 16, 37])
def test_the_volumes_of_every_level_hold_the_links_below(tree: str, n: int) -> None:
    rng = rng_of("levels", n)
    twin = Twin.of(Recipe(coil(rng, n).positions, rng.uniform(0.1, 0.9, n)), **VOLUMES[tree])
    twin.make(random_move(rng, twin.slow))
    top = int(np.ceil(np.log2(n)))
    for level in range(top + 3):
        volumes, width = twin.chain.boxes(level), 2 ** max(0, top - level)
        assert len(volumes) == -(-n // width)
        for k, volume in enumerate(volumes):
            below = slice(k * width, (k + 1) * width)
            excess = volume._excess(twin.slow.balls[below], twin.slow.radii[below])
            assert (excess < 1e-11).all() and type(volume).__name__.lower() == f"{twin.chain.volume}volume"


@every_kind
def test_contacts_stand_midway_in_the_overlap(volume: str) -> None:
    chain = er.Chain([[1, 1, 1], [6, 1, 1], [2.5, 1, 1]], [1.0, 0.1, 1.0], volume=volume)
    answer = er.self_collide(chain, depth=True)
    assert answer.pairs.tolist() == [[0, 2]]
    assert answer.contacts.depths == pytest.approx([0.5])
    assert answer.contacts.normals[0] == pytest.approx([1, 0, 0])
    assert answer.contacts.points[0] == pytest.approx([1.75, 1, 1])


@every_kind
def test_the_nearest_points_lie_on_the_balls(volume: str) -> None:
    chain = er.Chain([[1, 1, 1], [6, 1, 1], [4, 1, 1]], [1.0, 0.1, 0.5], volume=volume)
    apart = er.self_distance(chain)
    assert apart.pair.tolist() == [0, 2]
    assert apart.points.tolist() == [[2, 1, 1], [3.5, 1, 1]]


@every_kind
def test_a_chain_without_pairs_is_infinitely_far_from_itself(volume: str) -> None:
    answer = er.self_distance(rod(None, 2).chain(volume=volume))
    assert answer.value == np.inf
    assert answer.pair.tolist() == [-1, -1]


@every_kind
def test_enough_settles_a_distance_and_saves_work(volume: str) -> None:
    chain = serpentine(None, 200).chain(volume=volume)  # 2 from itself
    far, near = er.self_distance(chain, enough=1.5), er.self_distance(chain, enough=3.0)
    assert far.status == near.status == "settled"
    assert far.lower == 1.5 and far.upper >= 2.0
    assert near.upper <= 3.0
    assert far.counters.volume_tests < er.self_distance(chain).counters.volume_tests


@every_kind
@pytest.mark.parametrize("tests", [0, 10, 100, 1000])
def test_a_budget_is_kept_to_within_one_step(volume: str, tests: int) -> None:
    chain, budget = serpentine(None, 500).chain(volume=volume), er.Budget(tests=tests)
    distance, near = er.self_distance(chain, budget=budget), er.self_within(chain, 3.0, budget=budget)
    assert distance.status == near.status == "out of budget"
    assert distance.lower <= 2.0 <= distance.upper
    for answer in (distance, near, er.self_collide(chain, budget=budget)):
        assert answer.counters.volume_tests <= tests + 3

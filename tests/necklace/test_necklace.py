"""Necklaces: made, moved, copied and kept; what they say of themselves and count."""

from __future__ import annotations

import copy
import dataclasses
import threading
from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from necklace_makers import CAGES, MAKERS, Recipe, coil, compact, recipes, tangle
from necklace_motions import GENTLE, MOTIONS
from necklace_oracle import SlowNecklace, Twin, holds, pickled
from query_checks import rows_of
from test_necklace_queries import check_everything, check_self_collide, check_self_distance

import elbowroom as er

every_kind = pytest.mark.parametrize("cages", CAGES)


# Making.


@every_kind
@pytest.mark.parametrize("maker", MAKERS)
def test_a_necklace_is_what_was_asked_for(maker: str, cages: str) -> None:
    recipe = MAKERS[maker](rng_of("made", maker), 20)
    necklace, slow = recipe.necklace(cages=cages), SlowNecklace(recipe)
    assert len(necklace) == 20 and necklace.cages == cages and necklace.closed is recipe.closed
    assert necklace.dimension == recipe.positions.shape[1]
    assert necklace.positions().tobytes() == np.ascontiguousarray(recipe.positions, dtype=float).tobytes()
    assert necklace.radii.tolist() == recipe.radii.tolist()
    assert necklace.excluded.dtype == np.int32 and rows_of(necklace.excluded) == rows_of(slow.excluded)
    necklace.validate()


def test_boxes_are_what_one_gets() -> None:
    necklace = er.Necklace([[0, 0, 0], [1, 0, 0]], 0.5)
    assert necklace.cages == "boxes" and necklace.closed is False and necklace.verify == "auto"


def test_neighbours_may_touch_and_how_far_apart_they_may_be() -> None:
    places = np.zeros((5, 2))
    assert er.Necklace(places, 1.0).excluded.tolist() == [[0, 1], [1, 2], [2, 3], [3, 4]]
    ring = er.Necklace(places, 1.0, closed=True)
    assert ring.excluded.tolist() == [[0, 1], [0, 4], [1, 2], [2, 3], [3, 4]]
    assert er.Necklace(places, 1.0, exclude=0, closed=True).excluded.shape == (0, 2)
    assert len(er.Necklace(places, 1.0, exclude=2).excluded) == 7
    assert len(er.Necklace(places, 1.0, exclude=2, closed=True).excluded) == 10
    assert er.Necklace(places, 1.0, exclude=[[3, 1]]).excluded.tolist() == [[1, 3]], "and no neighbours"
    for n in (1, 2, 3):
        assert len(er.Necklace(np.zeros((n, 3)), 1.0, closed=True).excluded) == (0, 1, 3)[n - 1]


# Moving.


@every_kind
def test_arrays_that_come_and_go_are_copies(cages: str) -> None:
    places = coil(rng_of("copies"), 30).positions
    radii = np.full(30, 0.3)
    necklace = er.Necklace(places, radii, cages=cages)
    first = necklace.positions()
    places += 1.0
    radii += 1.0
    assert necklace.positions().tobytes() == first.tobytes() and necklace.radii.tolist() == [0.3] * 30
    next_places = first * 2.0
    necklace.move(next_places)
    next_places += 1.0
    out = necklace.positions()
    out += 5.0
    assert necklace.positions().tobytes() == (first * 2.0).tobytes()
    assert not er.self_collide(necklace)


@every_kind
def test_moving_returns_nothing_and_positions_are_exact(cages: str) -> None:
    rng = rng_of("exact")
    twin = Twin.of(MAKERS["far"](rng, 33), cages=cages)
    for motion in MOTIONS:
        positions = MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size)
        assert twin.necklace.move(positions) is None
        twin.slow.positions = positions
        twin.check_positions()
        twin.necklace.validate()


@every_kind
def test_a_moved_necklace_answers_like_a_new_one(cages: str) -> None:
    rng = rng_of("new")
    for make in (coil, tangle, MAKERS["flat-cloud"]):
        recipe = make(rng, 50)
        moved, positions = recipe.necklace(cages=cages), recipe.positions
        for motion in ("slow", "jump", "fold", "crawl", "snap", "jiggle"):
            positions = MOTIONS[motion](rng, positions, recipe.size)
            moved.move(positions)
            fresh = dataclasses.replace(recipe, positions=positions).necklace(cages=cages)
            assert bool(er.self_collide(moved)) == bool(er.self_collide(fresh))
            told, anew = (er.self_collide(x, every=True).pairs.tolist() for x in (moved, fresh))
            assert told == anew
            assert er.self_distance(moved).value == pytest.approx(er.self_distance(fresh).value, rel=1e-12)


# Copies.


COPIES: dict[str, Any] = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickled}


@every_kind
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_the_same_and_goes_its_own_way(how: str, cages: str) -> None:
    rng = rng_of("copy", how)
    for make in (coil, MAKERS["flat-bonds"], MAKERS["ring"]):
        verify = {"verify": "cascade"} if cages == "wrapped" else {}
        twin = Twin.of(make(rng, 40), cages=cages, **verify)
        twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
        twin.check_verdict()
        other = Twin(COPIES[how](twin.necklace), SlowNecklace(twin.recipe), twin.recipe)
        other.slow.positions = twin.slow.positions.copy()
        assert type(other.necklace) is er.Necklace and other.necklace.cages == cages
        assert other.necklace.verify == twin.necklace.verify and other.necklace.closed == twin.necklace.closed
        assert other.necklace.excluded.tolist() == twin.necklace.excluded.tolist()
        for motion in ("jiggle", "fold"):
            other.move(MOTIONS[motion](rng, other.slow.positions, twin.recipe.size))
            for one in (twin, other):
                one.check_positions()
                check_everything(one, rng)
                one.necklace.validate()


@every_kind
def test_subclasses_and_attributes_of_ones_own_survive(cages: str) -> None:
    necklace = coil(rng_of("own"), 20).necklace(cages=cages)
    assert er.collide(pickled(necklace), necklace)
    assert repr(pickled(necklace)) == repr(necklace)


# What it says.


@every_kind
def test_repr_tells_the_story(cages: str) -> None:
    told = repr(er.Necklace(np.zeros((7, 2)), 1.0, cages=cages, closed=True))
    assert told.startswith("<Necklace") and told.endswith(">")
    for word in ("7 beads", cages, "closed"):
        assert word in told
    assert "closed" not in repr(er.Necklace(np.zeros((7, 2)), 1.0, cages=cages))


# Counters.


@every_kind
def test_counters_only_grow_and_count_moves(cages: str) -> None:
    rng = rng_of("counters")
    twin = Twin.of(coil(rng, 60), cages=cages)
    before = start = twin.necklace.counters
    assert isinstance(start, er.NecklaceCounters) and start.moves == 0
    names = [f.name for f in dataclasses.fields(start)]
    for k, motion in enumerate([*GENTLE, "jump", "teleport"], 1):
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        twin.check_verdict()
        now = twin.necklace.counters
        growing = [name for name in names if name not in ("frontier", "cages")]
        assert now.moves == k and all(getattr(now, name) >= getattr(before, name) for name in growing)
        assert (now - before).moves == 1
        before = now
    with pytest.raises(dataclasses.FrozenInstanceError):
        before.moves = 0


def test_what_each_kind_of_cages_counts() -> None:
    rng = rng_of("kinds")
    spent = {}
    for cages in CAGES:
        twin = Twin.of(compact(rng, 64), cages=cages)
        for _ in range(10):
            twin.move(MOTIONS["slow"](rng, twin.slow.positions, twin.recipe.size))
            twin.check_verdict()
        spent[cages] = twin.necklace.counters
    boxes, wrapped, power, hybrid = (spent[name] for name in ("boxes", "wrapped", "power", "hybrid"))
    assert boxes.tree_frames + boxes.list_frames > 0 and boxes.naive_tests == boxes.cascade_tests == 0
    assert wrapped.naive_moves + wrapped.cascade_moves == 10 and wrapped.tree_frames == 0
    assert wrapped.naive_tests + wrapped.cascade_tests > 0
    assert power.diagram_flips + power.diagram_rebuilds > 0
    assert hybrid.cage_steps + hybrid.diagram_steps == 10


def test_escaped_beads_change_bases() -> None:
    """A bead thrown out of its cages becomes a basis bead of every cage above it."""
    recipe = coil(rng_of("escaped"), 40)
    for verify in ("naive", "cascade"):
        necklace = recipe.necklace(cages="wrapped", verify=verify)
        necklace.move(recipe.positions)
        quiet = necklace.counters
        assert quiet.basis_changes == quiet.escaped == 0
        thrown = recipe.positions.copy()
        thrown[13] += 100.0
        necklace.move(thrown)
        spent = necklace.counters - quiet
        above = [k for k, (low, high) in enumerate(necklace.cage_ranges()) if low <= 13 < high]
        assert all(13 in necklace.cage_bases()[k] for k in above)
        assert 1 <= spent.escaped <= len(above) <= 6 and spent.basis_changes >= 1


def test_tests_of_cages_are_counted_with_the_answer() -> None:
    for cages in ("wrapped", "layered"):
        line = er.Necklace(np.c_[np.arange(500.0), np.zeros(500)], 0.4, cages=cages)
        assert er.self_collide(line).counters.volume_tests == 255, "a family of 255 pairs, each tested once"


# Threads.


@every_kind
def test_threads_may_ask_at_once(cages: str) -> None:
    necklace = compact(rng_of("threads"), 300).necklace(cages=cages)
    value, answers, begun = er.self_distance(necklace).value, [], threading.Barrier(4)

    def work() -> None:
        begun.wait()
        for _ in range(5):
            answers.append((er.self_distance(necklace).value, bool(er.self_collide(necklace))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(value, False)] * 20


# Anything, in any order.


class AnyOrder(RuleBasedStateMachine):
    """Moves, questions, copies and refusals, one after another, with one necklace of every kind of cages."""

    @initialize(recipe=recipes(most=20), verify=st.sampled_from(["auto", "naive", "cascade"]))
    def make(self, recipe: Recipe, verify: str) -> None:
        self.rng, self.recipe = rng_of("any order"), recipe
        settings_of = {cages: {"verify": verify} if cages in ("wrapped", "hybrid") else {} for cages in CAGES}
        self.twins = [Twin.of(recipe, cages=cages, **settings_of[cages]) for cages in CAGES]

    @rule(motion=st.sampled_from([*MOTIONS]))
    def move(self, motion: str) -> None:
        positions = MOTIONS[motion](self.rng, self.twins[0].slow.positions, self.recipe.size)
        for twin in self.twins:
            twin.move(positions)

    @rule()
    def ask(self) -> None:
        for twin in self.twins:
            check_self_collide(twin)

    @rule()
    def measure(self) -> None:
        for twin in self.twins:
            check_self_distance(twin)

    @rule()
    def prove(self) -> None:
        for twin in self.twins:
            family = twin.necklace.separating_pairs()
            assert holds(family) is family.free is not bool(er.self_collide(twin.necklace))

    @rule()
    def refuse(self) -> None:
        for twin in self.twins:
            with pytest.raises(ValueError, match="positions"):
                twin.necklace.move(np.full(twin.slow.positions.shape, np.nan))

    @rule(how=st.sampled_from([*COPIES]))
    def copy(self, how: str) -> None:
        for twin in self.twins:
            twin.necklace = COPIES[how](twin.necklace)

    @invariant()
    def sound(self) -> None:
        for twin in getattr(self, "twins", []):
            twin.check_positions()
            twin.necklace.validate()


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)

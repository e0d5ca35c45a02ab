"""Separating pairs: a proof that no beads collide, checked by brute force; tampered with, it is none."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chain_makers import rng_of
from hypothesis import given, settings
from hypothesis import strategies as st
from necklace_makers import CAGES, MAKERS, SPHERES, Recipe, coil, compact, recipes, tangle
from necklace_motions import GENTLE, MOTIONS
from necklace_oracle import Twin, cage_ranges, family_problems, holds, pickled
from query_checks import rows_of

import elbowroom as er


def check_family(twin: Twin, family: Any) -> bool:
    """A proof if and only if nothing collides; it covers what it must and lists what collides."""
    slow, n = twin.slow, len(twin.slow.radii)
    gaps, doubts = slow.gaps(), slow.doubts()
    assert family.free or (gaps <= doubts).any(), "nothing collides, but there is no proof"
    assert not family.free or not (gaps <= 0.0).any(), "a proof of what is not so"
    listed = np.zeros((n, n), dtype=bool)
    listed[tuple(family.colliding.T)] = True
    assert listed[gaps <= 0.0].all() and (gaps <= doubts)[listed].all()
    beads = family.pairs[(family.pairs >= len(family.cages)).all(axis=1)] - len(family.cages)
    assert not (listed | listed.T)[tuple(beads.T)].any(), "a pair that collides is among those proved apart"
    assert family.free == (len(family.colliding) == 0) == holds(family)
    assert family.positions.tobytes() == slow.positions.tobytes()
    assert family.radii.tolist() == slow.radii.tolist()
    assert rows_of(family.excluded) == rows_of(slow.excluded)
    assert rows_of(family.ranges) == list(cage_ranges(0, n)) and family.cages.shape[0] == len(family.ranges)
    assert len(family) == len(family.pairs) <= family.tests
    assert (family.problems() == []) == family.free
    if family.free:
        assert family_problems(family, n) == []
    return bool(family.free)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_family_proves_what_is_free_and_nothing_else(maker: str) -> None:
    for n in (1, 2, 5, 20, 33):
        rng = rng_of("family", maker, n)
        twin = Twin.of(MAKERS[maker](rng, n), cages=str(rng.choice(CAGES)))
        check_family(twin, twin.necklace.separating_pairs())
        for motion in rng.choice([*MOTIONS], 3):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            check_family(twin, twin.necklace.separating_pairs())


@pytest.mark.parametrize("cages", CAGES)
def test_every_kind_of_cages_has_a_family(cages: str) -> None:
    rng, seen = rng_of("kinds"), set()
    for make in (coil, tangle, MAKERS["spiral"], MAKERS["ring"], MAKERS["bonds"]):
        twin = Twin.of(make(rng, 60), cages=cages)
        for motion in ("still", "slow", "jiggle"):
            twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
            seen.add(check_family(twin, twin.necklace.separating_pairs()))
    assert seen == {True, False}


@settings(max_examples=60)
@given(recipes(), st.sampled_from(CAGES))
def test_families_of_beads_on_a_grid(recipe: Recipe, cages: str) -> None:
    twin = Twin.of(recipe, cages=cages)
    check_family(twin, twin.necklace.separating_pairs())


def test_a_straight_line_has_the_papers_pairs() -> None:
    """255 pairs, of which 243 are pairs of sibling cages: the paper's number."""
    line = er.Necklace(np.c_[np.arange(500.0), np.zeros(500)], 0.4, cages="wrapped")
    family = line.separating_pairs()
    assert family.free and family.verify()
    cages = family.pairs[(family.pairs < len(family.cages)).all(axis=1)]
    assert len(family) == 255 and len(cages) == 243


@pytest.mark.parametrize("n", [8, 27, 64, 125])
def test_the_pairs_of_a_packed_cube_are_fewer_than_all(n: int) -> None:
    twin = Twin.of(compact(rng_of("cube"), n), cages="wrapped")
    family = twin.necklace.separating_pairs()
    assert check_family(twin, family)
    assert len(family) < n * (n - 1) // 2


# From an earlier family.


@pytest.mark.parametrize("cages", CAGES)
@pytest.mark.parametrize("maker", ["coil", "compact", "flat-coil", "tangle", "uneven"])
def test_a_family_begun_with_the_last_one(maker: str, cages: str) -> None:
    rng = rng_of("start", maker)
    twin = Twin.of(MAKERS[maker](rng, 36), cages=cages)
    family = twin.necklace.separating_pairs()
    for motion in (*GENTLE, "jump", "fold", "shrink", "expand", "teleport", "crawl"):
        twin.move(MOTIONS[motion](rng, twin.slow.positions, twin.recipe.size))
        family = twin.necklace.separating_pairs(start=family)
        check_family(twin, family)


def test_a_family_of_another_necklace_is_no_start() -> None:
    a, b = (coil(rng_of("another", n), n).necklace() for n in (30, 40))
    with pytest.raises(ValueError, match="start"):
        a.separating_pairs(start=b.separating_pairs())


def begun_with(necklace: Any, start: Any) -> Any:
    """The family made from this start, or from nothing if the start is refused."""
    try:
        return necklace.separating_pairs(start=start)
    except ValueError as error:
        if "start" not in str(error):
            raise
        return necklace.separating_pairs()


@pytest.mark.parametrize("cages", SPHERES)
def test_a_start_that_was_tampered_with_is_refused_or_repaired(cages: str) -> None:
    """Above all it is no way to a proof of what is not so, whatever pairs the start lacks."""
    twin = Twin.of(coil(rng_of("bad start"), 40), cages=cages)
    sound = twin.necklace.separating_pairs()
    less = [changed(sound, pairs=sound.pairs[k:]) for k in (1, 5, len(sound) - 1, len(sound))]
    spoilt = [spoil(sound) for spoil in TAMPERED.values()]
    x = twin.slow.positions.copy()
    x[[3, 11]] = x[[30, 25]]
    for positions in (twin.slow.positions, x):
        twin.move(positions)
        for bad in (*less, *spoilt):
            check_family(twin, begun_with(twin.necklace, bad))


# Tampering.


changed: Callable[..., Any] = dataclasses.replace  # a copy with other arrays


def used_cage(family: Any) -> int:
    """A cage that stands in a pair, and has beads on its surface."""
    return int(family.pairs[family.pairs < len(family.cages)].min())


def with_row(array: np.ndarray, row: int, by: Any) -> np.ndarray:
    out = np.array(array)
    out[row] = out[row] + by
    return out


def cage_shrunk(family: Any) -> Any:
    k = used_cage(family)
    by = np.zeros(family.cages.shape[1])
    by[-1] = -1e-6 * family.cages[k, -1]
    return changed(family, cages=with_row(family.cages, k, by))


def cage_shifted(family: Any) -> Any:
    k = used_cage(family)
    by = np.zeros(family.cages.shape[1])
    by[0] = 1e-6 * family.cages[k, -1]
    return changed(family, cages=with_row(family.cages, k, by))


def cage_grown(family: Any) -> Any:
    k = used_cage(family)
    by = np.zeros(family.cages.shape[1])
    by[-1] = 10.0 * np.ptp(family.positions)
    return changed(family, cages=with_row(family.cages, k, by))


def bead_moved(family: Any) -> Any:
    return changed(family, positions=with_row(family.positions, 7, 10.0 * np.ptp(family.positions)))


def bead_grown(family: Any) -> Any:
    return changed(family, radii=with_row(family.radii, 7, np.ptp(family.positions)))


def range_cut(family: Any) -> Any:
    """A cage that says it holds one bead fewer."""
    return changed(family, ranges=with_row(family.ranges, used_cage(family), [0, -1]))


def may_touch_less(family: Any) -> Any:
    return changed(family, excluded=family.excluded[1:])


def pair_of_one(family: Any) -> Any:
    return changed(family, pairs=np.concatenate([family.pairs, [[3, 3]]]).astype(family.pairs.dtype))


def not_a_number(family: Any) -> Any:
    return changed(family, cages=with_row(family.cages, used_cage(family), np.nan))


TAMPERED: dict[str, Callable[[Any], Any]] = {
    "cage shrunk": cage_shrunk, "cage shifted": cage_shifted, "cage grown": cage_grown,
    "bead moved": bead_moved, "bead grown": bead_grown, "range cut": range_cut,
    "may touch less": may_touch_less, "pair of one": pair_of_one, "nan": not_a_number,
}  # fmt: skip


@pytest.mark.parametrize("cages", SPHERES)
@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_no_proof(what: str, cages: str) -> None:
    for make in (coil, MAKERS["flat-coil"]):
        family = make(rng_of("tamper"), 30).necklace(cages=cages).separating_pairs()
        assert family.verify()
        bad = TAMPERED[what](family)
        proof = family_problems(bad, 30) == []  # a layered cage may have room to spare
        assert holds(bad) is proof is (bad.problems() == []) and not (proof and cages == "wrapped")
        assert family.verify(), "the copy was spoilt, not this one"


@pytest.mark.parametrize("cages", SPHERES)
def test_no_pair_can_be_left_out_unless_others_cover_it(cages: str) -> None:
    twin = Twin.of(coil(rng_of("left out"), 24), cages=cages)
    family = twin.necklace.separating_pairs()
    for k in range(len(family)):
        less = changed(family, pairs=np.delete(family.pairs, k, axis=0))
        assert holds(less) == (family_problems(less, 24) == [])
    assert not holds(changed(family, pairs=family.pairs[1:]))
    assert not holds(changed(family, pairs=family.pairs[:0]))


def test_a_pair_that_is_out_of_range_is_no_proof() -> None:
    family = coil(rng_of("range"), 24).necklace().separating_pairs()
    for wrong in (-1, len(family.cages) + 24, 10**6):
        bad = changed(family, pairs=np.concatenate([family.pairs, [[0, wrong]]]).astype(family.pairs.dtype))
        assert not holds(bad) and bad.problems()


@pytest.mark.parametrize("wrong", [(0, 10**6), (-3, 4), (9, 2), (24, 30)])
def test_a_cage_about_beads_that_there_are_not_is_no_proof(wrong: tuple[int, int]) -> None:
    family = coil(rng_of("range"), 24).necklace().separating_pairs()
    for cage in (0, 5, len(family.cages) - 1):
        ranges = family.ranges.copy()
        ranges[cage] = wrong
        for pairs in (family.pairs, family.pairs[3:]):
            bad = changed(family, ranges=ranges, pairs=pairs)
            assert not holds(bad) and bad.problems()


def test_ranges_that_reach_beyond_the_beads_cover_nothing() -> None:
    """Three beads in one place, of which the last two may not touch, and cages about nothing, far apart."""
    family = er.SeparatingPairs(
        pairs=np.array([[0, 1], [2, 3]], np.int32),
        colliding=np.zeros((0, 2), np.int32),
        cages=np.array([[0, 0, 0, 9.0], [100, 0, 0, 1], [0, 50, 0, 1], [0, 0, 0, 9]]),
        ranges=np.array([[0, 4], [3, 7], [3, 4], [1, 5]], np.int32),
        positions=np.zeros((3, 3)),
        radii=np.ones(3),
        excluded=np.array([[0, 1], [0, 2]], np.int32),
    )
    assert not holds(family) and family.problems()


MISFITS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "nan position": lambda f: {"positions": with_row(f.positions, 3, np.nan)},
    "infinite position": lambda f: {"positions": with_row(f.positions, 3, np.inf)},
    "nan radius": lambda f: {"radii": with_row(f.radii, 3, np.nan)},
    "negative radius": lambda f: {"radii": with_row(f.radii, 3, -9.0)},
    "a radius short": lambda f: {"radii": f.radii[:-1]},
    "a bead short": lambda f: {"positions": f.positions[:-1]},
    "a cage short": lambda f: {"cages": f.cages[:-1]},
    "a range short": lambda f: {"ranges": f.ranges[:-1]},
    "another dimension": lambda f: {"positions": f.positions[:, :2]},
    "triples": lambda f: {"pairs": np.concatenate([f.pairs, f.pairs[:, :1]], axis=1)},
    "floats": lambda f: {"pairs": f.pairs.astype(float)},
}


@pytest.mark.parametrize("what", MISFITS)
def test_arrays_that_do_not_fit_are_no_proof(what: str) -> None:
    family = coil(rng_of("misfits"), 24).necklace().separating_pairs()
    bad = changed(family, **MISFITS[what](family))
    assert not holds(bad) and bad.problems()


def test_a_colliding_pair_is_never_covered() -> None:
    """However a family is put together: with beads that overlap there is no proof."""
    twin = Twin.of(tangle(rng_of("never"), 60), cages="wrapped")
    family = twin.necklace.separating_pairs()
    assert not family.free and not holds(family) and len(family.colliding) > 0
    assert not holds(changed(family, colliding=family.colliding[:0]))


# Other positions.


def test_a_family_may_prove_other_positions_too() -> None:
    rng = rng_of("positions")
    recipe = coil(rng, 40)
    family = recipe.necklace().separating_pairs()
    inside = er.Necklace(recipe.positions, recipe.radii * 0.9)
    assert family.verify(recipe.positions) and family.verify(radii=inside.radii)
    for factor, radius in ((1.0, 0.5), (1.0, 1.0 + 1e-6), (1.01, 1.0), (0.5, 1.0)):
        moved, radii = recipe.positions * factor, recipe.radii * radius
        other = changed(family, positions=moved, radii=radii)
        assert holds(family, moved, radii) == (family_problems(other, 40) == [])
    with pytest.raises(ValueError, match="positions"):
        family.verify(recipe.positions[:-1])
    with pytest.raises(ValueError, match="radii"):
        family.verify(radii=np.ones(3))


def test_families_are_saved_and_loaded(tmp_path: Path) -> None:
    for maker in ("coil", "flat-coil", "tangle", "bonds"):
        family = MAKERS[maker](rng_of("save", maker), 40).necklace().separating_pairs()
        family.save(tmp_path / "family.npz")
        for again in (
            er.SeparatingPairs.load(tmp_path / "family.npz"),
            pickled(family),
            copy.deepcopy(family),
        ):
            assert again.free == family.free and holds(again) == family.free
            for name in ("pairs", "cages", "ranges", "positions", "radii", "excluded", "colliding"):
                mine, its = getattr(family, name), getattr(again, name)
                assert its.tobytes() == mine.tobytes() and its.dtype == mine.dtype and its.shape == mine.shape


def test_a_saved_family_is_a_start_and_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    twin = Twin.of(coil(rng_of("start"), 40))
    twin.necklace.separating_pairs().save(tmp_path / "family.npz")
    again = er.SeparatingPairs.load(tmp_path / "family.npz")
    check_family(twin, twin.necklace.separating_pairs(start=again))
    np.savez(tmp_path / "other.npz", pairs=np.zeros((3, 2)))
    (tmp_path / "text.npz").write_text("no family")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(ValueError, match=name):
            er.SeparatingPairs.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        er.SeparatingPairs.load(tmp_path / "missing.npz")


def test_a_family_is_a_copy_that_stays_as_it_was() -> None:
    twin = Twin.of(coil(rng_of("copy"), 30))
    family = twin.necklace.separating_pairs()
    before = family.positions.copy()
    twin.move(twin.slow.positions * 3.0)
    assert family.positions.tobytes() == before.tobytes() and family.verify()
    with pytest.raises((AttributeError, TypeError)):
        family.free = False

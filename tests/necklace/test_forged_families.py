"""Separating families that were forged or damaged: the caller says which beads, and which may touch."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _bead_proof
from elbowroom.verification import FROM_PROOF

FIELDS = ("pairs", "colliding", "cages", "ranges", "positions", "radii", "excluded")

LINE = np.stack([np.arange(6.0), np.zeros(6)], axis=1)
PILE = np.zeros((6, 2))
ALL_PAIRS = np.stack(np.triu_indices(6, 1), axis=1)


def family(positions: Any = LINE, radius: float = 0.4, **more: Any) -> er.SeparatingPairs:
    return er.Necklace(positions, radius, **more).separating_pairs()


def forged_family(sound: Any = None, **changed: Any) -> er.SeparatingPairs:
    """A family, or that of a straight line, with other arrays."""
    sound = sound or family()
    return er.SeparatingPairs(**{name: getattr(sound, name) for name in FIELDS} | changed)


def everything_allowed() -> er.SeparatingPairs:
    """Says of six beads in one place that they do not collide, for all of them may touch."""
    none = np.empty((0, 2), np.int32)
    return forged_family(positions=PILE, pairs=none, cages=np.empty((0, 3)), ranges=none,
                         excluded=ALL_PAIRS.astype(np.int32))  # fmt: skip


@pytest.mark.parametrize("exclude", [0, 1, 4, np.empty((0, 2), int), ALL_PAIRS[:-1]])
def test_the_caller_says_which_beads_may_touch(exclude: Any) -> None:
    forged = everything_allowed()
    with pytest.raises(er.ProofError, match="lie below no pair"):
        forged.verify(PILE, 0.4, exclude=exclude)
    assert forged.problems(PILE, 0.4, exclude=exclude)


def test_what_was_not_given_is_listed() -> None:
    forged = everything_allowed()
    assert forged.verify().assumed == ("positions", "radii", "exclude")
    assert repr(forged.verify(PILE, 0.4)) == (
        "<verified: 6 beads do not collide, 15 pairs excepted; assumed from the proof: exclude>"
    )
    for exclude in (5, 10**6, ALL_PAIRS):
        assert forged.verify(PILE, 0.4, exclude) and forged.verify(PILE, 0.4, exclude).assumed == ()


@pytest.mark.parametrize("exclude", [0, 1, 3, [[0, 2], [3, 1]], [], (1, [[0, 2]])])
def test_exclude_means_the_same_of_a_necklace_and_of_its_proof(exclude: Any) -> None:
    """A family proves the beads free under the rule that it was made for, and under no stricter one."""
    close = LINE * [0.5, 1]
    made = family(close, 0.2, exclude=exclude)
    assert made.verify(close, 0.2, exclude)
    assert made.verify(close, 0.2, er.Necklace(close, 0.2, exclude=exclude).excluded)
    loose = family(close, 0.4, exclude=2)
    assert loose.verify(close, 0.4, exclude=2)
    with pytest.raises(er.ProofError):
        loose.verify(close, 0.4, exclude=1)


def test_a_closed_necklace_is_verified_by_its_pairs() -> None:
    ring = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)])
    rope = er.Necklace(ring, 0.4, closed=True)
    proof = rope.separating_pairs()
    assert proof.verify(ring, 0.4, rope.excluded)
    with pytest.raises(er.ProofError):
        proof.verify(ring, 0.4, 1)


@pytest.mark.parametrize("exclude", [-1, 1.5, "all", [[0, 6]], [[1, 1]], [[0, 1, 2]]])
def test_an_exclude_that_is_none_is_refused_by_name(exclude: Any) -> None:
    with pytest.raises(ValueError, match="exclude"):
        family().verify(LINE, 0.4, exclude)


def odd_arrays(array: np.ndarray) -> list[np.ndarray]:
    """Other numbers, types and shapes in place of an array."""
    numbers = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 1e-320, 5e15]
    integers = [-1, 0, 2**31 - 1, -(2**31), 2**62, -(2**63)]
    filled = [np.full(array.shape, x) for x in numbers] + [
        np.full(array.shape, k, np.int64) for k in integers
    ]
    kinds = [
        array.astype(kind) for kind in ("f4", "f2", "i1", "u1", "u8", "i8", "f8", "c16", "?", "S3", "U3")
    ]
    shapes = [array[:0], array[:-1], array[..., None], array.ravel(), array[None], array[..., :1],
              np.array(3.0), np.concatenate([array] * 3), np.zeros(3, "f8,i4"), array.T]  # fmt: skip
    return [*filled, *kinds, *shapes]


@pytest.mark.parametrize("field", FIELDS)
def test_a_damaged_file_never_proves_beads_free_that_collide(field: str, tmp_path: Path) -> None:
    file, crowded = tmp_path / "forged.npz", LINE * 0.3
    arrays = {name: getattr(family(), name) for name in (*FIELDS, "tests")}
    loaded = []
    for odd in odd_arrays(arrays[field]):
        np.savez(file, **arrays | {field: odd})
        try:
            loaded.append(er.SeparatingPairs.load(file))
        except ValueError:
            assert odd.ndim == 0
    for forged in loaded:
        repr(forged)
        for positions in (crowded, PILE):
            assert not verified(forged, positions)
        verified(forged, None, FROM_PROOF)
        with pytest.raises(ValueError, match="start"):
            er.Necklace(crowded[:5], 0.4).separating_pairs(start=forged)


def verified(forged: Any, positions: Any, exclude: Any = 1) -> bool:
    try:
        return bool(forged.verify(positions, 0.4, exclude))
    except ValueError:  # no proof, or the positions do not fit
        return False


def test_random_bytes_in_the_arrays_prove_nothing_that_is_not_so() -> None:
    rng, sound, seen = np.random.default_rng(5), family(), set()
    for _ in range(300):
        field = str(rng.choice(FIELDS))
        array = getattr(sound, field).copy()
        if array.size:
            raw = array.view(np.uint8).reshape(-1)
            raw[rng.integers(len(raw), size=rng.integers(1, 4))] = rng.integers(256)
        forged = forged_family(**{field: array})
        assert not verified(forged, LINE * 0.3) and not verified(forged, PILE)
        seen.add(verified(forged, LINE))
    assert seen == {True, False}


def test_a_start_of_other_beads_is_refused() -> None:
    rope = er.Necklace(LINE[:3] * 0.1, 0.4, exclude=0)
    start = er.Necklace(LINE[:2], 0.4, exclude=0).separating_pairs()
    start = forged_family(start, ranges=rope.cage_ranges())
    with pytest.raises(ValueError, match="start"):
        rope.separating_pairs(start=start)


def test_pairs_that_overlap_without_end_are_refused() -> None:
    """Few numbers in a file that would take n times as much work to check."""
    many = np.stack([np.arange(3000.0), np.zeros(3000)], axis=1)
    sound = family(many)
    for field, part in (("pairs", sound.pairs[:1]), ("ranges", sound.ranges[:1])):
        arrays = {field: np.repeat(part, 9000, axis=0)}
        if field == "ranges":
            arrays |= {"cages": np.repeat(sound.cages[:1], 9000, axis=0), "pairs": sound.pairs[:0]}
        forged = forged_family(sound, **arrays)
        found = forged.problems()
        assert len(found) == 1 and field in found[0] and "not checked" in found[0]


def test_the_cover_is_the_same_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = 0.4 * np.arange(60)
    spiral = np.stack([np.cos(turn) * 3, np.sin(turn) * 3, 0.3 * turn], axis=1)
    rope = er.Necklace(spiral, 0.4)
    sound = rope.separating_pairs()
    for pairs in (sound.pairs, sound.pairs[1:], sound.pairs[:-1], sound.pairs[::2]):
        less = copy.copy(sound)
        object.__setattr__(less, "pairs", pairs)
        monkeypatch.setattr(_bead_proof, "AT_ONCE", 1 << 22)
        whole = less.problems(spiral, 0.4, 1)
        for size in (1, 7, 100):
            monkeypatch.setattr(_bead_proof, "AT_ONCE", size)
            assert sorted(less.problems(spiral, 0.4, 1)) == sorted(whole)
        assert (whole == []) == (pairs is sound.pairs)

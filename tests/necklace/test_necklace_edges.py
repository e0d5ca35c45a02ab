"""Necklaces where digits, files and threads once were not looked at closely enough."""

from __future__ import annotations

import dataclasses
import threading
from contextlib import suppress

import numpy as np
import pytest
from necklace_oracle import holds
from numpy.typing import NDArray

import elbowroom as er

KINDS = ("boxes", "wrapped", "layered", "power", "hybrid")


def coil(n: int, seed: int = 3) -> NDArray[np.float64]:
    """Beads a unit apart from each other along a line that wanders, and never back."""
    steps = np.random.default_rng(seed).normal([1.0, 0.0, 0.0], 0.3, (n, 3))
    return np.cumsum(steps, axis=0)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_beyond_single_precision_are_refused_wherever_they_stand(kind: str) -> None:
    positions = coil(128)
    rope = er.Necklace(positions, 0.1, cages=kind)
    for first in (0, 16, 112):
        wild = positions.copy()
        wild[first : first + 16] = [1e300, 0.0, 0.0]
        with pytest.raises(ValueError, match="positions"):
            rope.move(wild)
    np.testing.assert_array_equal(rope.positions(), positions)
    assert not er.self_collide(rope)


@pytest.mark.parametrize("scale", [1e-20, 1e-24, 1e-28])
def test_motion_whose_squares_are_lost_wears_a_list_out(scale: float) -> None:
    positions = scale * coil(6)
    rope = er.Necklace(positions, 0.1 * scale)
    for _ in range(40):
        rope.move(positions)
        assert not er.self_collide(rope)
        assert er.self_distance(rope).value > 0
    positions[0] = positions[5]
    rope.move(positions)
    assert er.self_collide(rope)


def test_a_pair_that_may_touch_counts_once_however_often_it_is_named() -> None:
    beads = [[-0.9, 0.0, 0.0], [0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]
    for pairs in ([[0, 1], [1, 2]], [[0, 1], [1, 0], [1, 2]], [[0, 1], [1, 2], [2, 1]]):
        diagram = er.PowerDiagram.of(beads, [1.0, 1.05, 1.0], exclude=pairs)
        assert diagram.collides() and diagram.colliding() == (0, 2)


def test_power_diagrams_of_wide_necklaces_see_shallow_overlaps() -> None:
    """The diagram is that of beads a little aside, by more than these overlap.

    Beads 0 and 1 do, by 1e-9. Bead 2 may touch 1, and a ring of small ones about their contact owns what is
    around it.
    """
    rng, wide = np.random.default_rng(8), 1e6
    angles = np.linspace(0.0, 2 * np.pi, 9)[:-1]
    ring = 0.3 * np.stack([0 * angles, np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(40):
        far = rng.uniform(-wide, wide, (int(rng.integers(4, 50)), 3))
        beads = np.concatenate([[[-1.0, 0, 0], [1.0, 0, 0], [0.5, 0, 0]], ring, far])
        radii = np.full(len(beads), 1e-3)
        radii[:3] = 1.0, 1.0 + 1e-9, 0.5 - 1e-9
        assert er.PowerDiagram.of(beads, radii, exclude=[[1, 2]]).collides()
        for kind in ("boxes", "power", "hybrid"):
            assert er.self_collide(er.Necklace(beads, radii, exclude=[[1, 2]], cages=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 3, 0, 1]])
def test_large_beads_that_touch_are_not_hidden_by_small_ones_a_hair_apart(
    kind: str, order: list[int]
) -> None:
    beads = np.array([[0, 0, 0], [2e-6 + 1e-15, 0, 0], [0, 10, 0], [2 + 6e-15, 10, 0.0]])[order]
    rope = er.Necklace(beads, np.array([1e-6, 1e-6, 1, 1])[order], exclude=0, cages=kind)
    assert er.self_collide(rope)
    assert er.self_distance(rope).value == 0.0


def test_a_family_of_balls_too_large_for_doubles_proves_nothing() -> None:
    proof = er.Necklace(coil(20), 0.1).separating_pairs()
    assert proof.verify()
    wide = dataclasses.replace(proof, positions=proof.positions * 1e160, radii=proof.radii * 1e170)
    assert not holds(wide) and wide.problems()


def test_a_family_for_a_stricter_rule_is_a_good_start() -> None:
    beads = coil(20)
    beads[1] = beads[0] + [0.15, 0.0, 0.0]
    strict = er.Necklace(beads, 0.1, exclude=0).separating_pairs()
    assert strict.colliding.tolist() == [[0, 1]]
    family = er.Necklace(beads, 0.1).separating_pairs(start=strict)
    assert family.free and family.verify()


def test_what_a_necklace_was_made_of_cannot_be_assigned() -> None:
    rope = er.Necklace(coil(5), 0.1)
    for name, value in {"radii": np.ones(5), "cages": "power", "closed": True, "excluded": [[0, 1]]}.items():
        with pytest.raises(AttributeError):
            setattr(rope, name, value)


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_is_of_two_frames(kind: str) -> None:
    """One thread moves, which is refused while another asks; each answer is that of one frame."""
    frames = [coil(60, 1), 1.5 * coil(60, 2)]
    truth = {er.self_distance(er.Necklace(f, 0.1, cages=kind)).value for f in frames}
    rope, found, done = er.Necklace(frames[0], 0.1, cages=kind), set(), threading.Event()

    def keep_moving() -> None:
        k = 0
        while not done.is_set():
            k += 1
            with suppress(RuntimeError):
                rope.move(frames[k % 2])

    mover = threading.Thread(target=keep_moving)
    mover.start()
    try:
        found = {er.self_distance(rope).value for _ in range(300)}
    finally:
        done.set()
        mover.join()
    assert found <= truth

"""er.check of beads that move each on their own: beads, bonds, obstacles, periodic boxes, and the proof."""

from __future__ import annotations

import dataclasses
import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from support.moving_oracle import at, distance, hard_segments, least
from support.periodic_oracle import random_box

import elbowroom as er

#: Two bonds, the second of which comes down through the first.
GATE = np.array([[-1.0, 0, 0], [1, 0, 0], [0, 1, 1], [0, -1, 1]])
THROUGH = GATE * [1, 1, -1]
BONDS = [(0, 1), (2, 3)]


def gate(radius: float = 0.1, **how: Any) -> er.Necklace:
    return er.Necklace(GATE, radius, **how)


def check_hard(seed: int, count: int, verified: int) -> None:
    """Two bonds, or two beads, of no width or of nearly as much as they come near."""
    rng = np.random.default_rng(seed)
    start, end = hard_segments(rng, count)
    balls = rng.random(count) < 0.4
    for corners in (start, end):
        corners[balls, 1], corners[balls, 3] = corners[balls, 0], corners[balls, 2]
    nearest = least(start, end)
    for k in range(count):
        wide = 0.0
        if rng.random() < 0.5 and nearest[k] > 1e-6:
            wide = nearest[k] / 2 * (1 + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-12, -1))
        if balls[k]:
            beads = er.Necklace(start[k, ::2], wide, exclude=0)
            found = er.check(beads, end[k, ::2])
        else:
            every_pair = [(i, j) for i in range(4) for j in range(i)]
            beads = er.Necklace(start[k], 0, exclude=0 if wide else every_pair)
            found = er.check(beads, end[k], bonds=BONDS, bond_radius=wide)
            if found.kind == "beads":
                continue
        told = f"{found!r} {nearest[k]!r} {2 * wide!r}\n{start[k].tolist()!r}\n{end[k].tolist()!r}"
        size = np.abs(start[k] - start[k, 0]).max() + np.abs(end[k] - end[k, 0]).max()
        doubt = 1e-12 * size + 4e-16 * np.abs(start[k]).max()
        if found.free:
            assert nearest[k] >= 2 * wide - doubt, told
        elif found.free is False:
            before, then = found.first_contact
            here = distance(at(start[k : k + 1], end[k : k + 1], np.array([[then]])))[0, 0]
            assert here <= 2 * wide + doubt, told
            early = distance(at(start[k : k + 1], end[k : k + 1], np.linspace(0, before, 50)[None]))
            assert before == 0 or early.min() >= 2 * wide - doubt, told
        else:  # at the level of rounding, and nowhere else
            assert abs(nearest[k] - 2 * wide) < 1e-9 * size, told
        if k < verified:
            found.verify()


def test_hard_segments_and_balls() -> None:
    check_hard(1, 700, 40)


@pytest.mark.fuzz
def test_many_hard_segments_and_balls() -> None:
    for seed in range(2, 12):
        check_hard(seed, 5000, 300)


def slow_first(frames: np.ndarray, radii: np.ndarray) -> tuple[float, bool]:
    """The first time at which any two beads but neighbours are in contact, by samples; else 1 and False."""
    n, pieces = len(radii), len(frames) - 1
    for k in range(400 * pieces + 1):
        t = k / 400
        step = min(int(t), pieces - 1)
        x = frames[step] * (1 - t + step) + frames[step + 1] * (t - step)
        apart = np.linalg.norm(x[:, None] - x[None], axis=2) - radii[:, None] - radii[None]
        if (apart[np.triu_indices(n, 2)] < 0).any():
            return t / pieces, True
    return 1.0, False


def walk(rng: np.random.Generator, n: int, frames: int) -> np.ndarray:
    """Beads of a chain, shaken from frame to frame."""
    steps = rng.normal(size=(n, 3))
    first = np.cumsum(steps / np.linalg.norm(steps, axis=1)[:, None], axis=0)
    return np.stack([first, *(first + 0.3 * rng.normal(size=(frames - 1, n, 3)))])


def test_walks_of_many_beads() -> None:
    """All pairs of bonds and of beads, by the oracle, against one tree."""
    rng, verdicts = np.random.default_rng(5), []
    for _ in range(5):
        n = int(rng.integers(8, 30))
        frames = walk(rng, n, 2)
        radius = float(rng.choice([0.0, 0.02, 0.1]))
        rope = er.Necklace(frames[0], radius)
        found = er.check(rope, frames[1], bonds="chain")
        i, j = np.triu_indices(n - 1, 2)
        bonds = [np.stack([f[i], f[i + 1], f[j], f[j + 1]], axis=1) for f in frames]
        p, q = np.triu_indices(n, 2)
        beads = [np.stack([f[p], f[p], f[q], f[q]], axis=1) for f in frames]
        gaps = least(*bonds), least(*beads) - 2 * radius
        verdicts.append(found.free)
        assert found.free == (gaps[0].min() > 1e-9 and gaps[1].min() > 0)
        found.verify(rope, frames[1], None, clearance=0, self_too=True, bonds="chain", bond_radius=0)
    assert True in verdicts and False in verdicts


def test_a_path_says_between_which_frames() -> None:
    rng = np.random.default_rng(7)
    frames = walk(rng, 30, 6)
    rope = er.Necklace(frames[0], 0.12)
    found = er.check(rope, frames)
    time, hit = slow_first(frames, np.full(30, 0.12))
    assert found.free is not hit
    if hit:
        assert found.contact_time == pytest.approx(time, abs=1e-3)
        assert found.first_contact[1] - found.first_contact[0] < 1e-6
    found.verify()
    # What is before the contact is free, as a path of its own.
    step = int(found.first_contact[0] * 5)
    assert step == 0 or er.check(rope, frames[: step + 1]).free


def test_a_crossing_is_named() -> None:
    found = er.check(gate(0.0, exclude=0), THROUGH, bonds=BONDS)
    assert (found.free, found.kind, found.pair, found.beads) == (False, "bonds", (0, 1), ((0, 1), (2, 3)))
    assert found.first_contact == pytest.approx((0.5, 0.5), abs=1e-6)
    assert found.contact_time == pytest.approx(0.5, abs=1e-12)
    assert found.points == pytest.approx(np.zeros((2, 3)), abs=1e-9)
    assert "bond 0-1" in repr(found)
    assert er.check(gate(0.0, exclude=0), THROUGH).free
    assert er.check(gate(0.0, exclude=0), GATE * [1, 1, 0.001], bonds=BONDS).free


def test_width_and_clearance_of_bonds() -> None:
    """A bond may come near another of which a bead may touch one of its own, but not through it."""
    near = GATE * [1, 1, 0.3]
    assert er.check(gate(0, exclude=0), near, bonds=BONDS).free
    thick = er.check(gate(0, exclude=0), near, bonds=BONDS, bond_radius=0.2)
    assert thick.kind == "bonds" and thick.first_contact == pytest.approx((6 / 7, 6 / 7), abs=1e-5)
    assert er.check(gate(0, exclude=0), near, bonds=BONDS, clearance=0.4).contact_time == pytest.approx(6 / 7)
    assert er.check(gate(0, exclude=[(1, 2)]), near, bonds=BONDS, bond_radius=0.2).free
    assert er.check(gate(0, exclude=[(1, 2)]), THROUGH, bonds=BONDS, bond_radius=0.2).free is False


def test_beads_that_touch_at_the_beginning() -> None:
    found = er.check(er.Necklace([[0, 0, 0], [1, 0, 0]], 0.5, exclude=0), [[0, 0, 0], [2, 0, 0]])
    assert found.first_contact == (0.0, 0.0) and found.pair == (0, 1)
    found.verify()


def test_in_the_plane_and_closed() -> None:
    square = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4]])
    crossed = square.copy()
    crossed[2, 1] = -1.0  # the bond from 2 to 3 comes through the one from 0 to 1
    rope = er.Necklace(square, 0.1, closed=True)
    found = er.check(rope, crossed, bonds="chain")
    assert found.kind == "bonds" and found.free is False and len(found.bonds) == 4
    found.verify()


def test_obstacles() -> None:
    rope = er.Necklace([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.25)
    end = np.array([[0, 0, 0], [2, 0, 0], [4, 3, 0]])
    wall = [(er.Box(1), er.Pose(translation=[4, 2, 0])), er.HalfSpace([0, 0, 1], -1)]
    found = er.check(rope, end, wall)
    assert (found.kind, found.beads, found.obstacle) == ("obstacle", ((2,),), 0)
    assert found.contact_time == pytest.approx(1.25 / 3, abs=1e-5)
    found.verify(rope, end, wall, clearance=0)
    free = er.check(rope, end * [1, 0.4, 1], wall)
    assert free.free and free.verify()
    assert er.check(rope, end * [1, 0.4, 1], wall, clearance=0.1).obstacle == 0
    through = er.check(rope, np.array([rope.positions(), end]), wall, self_too=False)
    assert through.obstacle == 0
    with pytest.raises(ValueError, match=r"obstacles\[0\] moves"):
        er.check(rope, end, [(er.Box(1), er.Motion(None, er.Pose(translation=[1, 0, 0])))])


def periodic_gap(edges: np.ndarray, cells: int, start: np.ndarray, end: np.ndarray) -> float:
    """The least distance of two beads over all images and many times."""
    i, j = np.triu_indices(len(start), 1)
    images = np.array(list(product(range(-cells, cells + 1), repeat=3))) @ edges
    gap = np.inf
    for t in np.linspace(0, 1, 200):
        x = start + t * (end - start)
        gap = min(gap, np.linalg.norm(x[j][:, None] - x[i][:, None] + images, axis=2).min())
    return gap


def test_periodic_boxes() -> None:
    rng, verdicts = np.random.default_rng(11), []
    for _ in range(8):
        edges, cells = random_box(rng)
        width = float((1 / np.linalg.norm(np.linalg.inv(edges), axis=0)).min())
        x = rng.uniform(0, 1, (7, 3)) @ edges
        radius, shake = 0.06 * width, 0.05 * width
        aside = rng.normal(size=(3, 3))
        aside *= 2.3 * radius / np.linalg.norm(aside, axis=1)[:, None]
        x[3:6] = x[:3] + aside + rng.integers(-1, 2, (3, 3)) @ edges  # near, as images
        y = x + shake * rng.normal(size=x.shape).clip(-1, 1) / np.sqrt(3)
        jumped = y + rng.integers(-1, 2, x.shape) @ edges
        found = er.check(er.Necklace(x, radius, exclude=0, box=edges), jumped)
        gap = periodic_gap(edges, cells, x, y) - 2 * radius
        assert abs(gap) < 1e-4 * width or found.free == (gap > 0), (found, gap)
        found.verify()
        verdicts.append(found.free)
    assert True in verdicts and False in verdicts


def test_bonds_across_the_faces_of_a_box() -> None:
    """The gate, cut by a face: its beads are wrapped one by one."""
    where = np.array([9.9, 0.1, 5.0])
    for bonds, free in ((BONDS, False), (None, True)):
        rope = er.Necklace((GATE + where) % 12, 0.0, exclude=0, box=[12, 12, 12])
        found = er.check(rope, (THROUGH + where) % 12, bonds=bonds)
        assert found.free is free
        found.verify()
    with pytest.raises(ValueError, match=r"^bead 0 moves too far between two frames: .* periodic box"):
        er.check(er.Necklace([[0, 0, 0], [5, 0, 0]], 1, exclude=0, box=[9, 9, 9]), [[4, 0, 0], [5, 0, 0]])


def test_a_budget_and_any_contact() -> None:
    rng = np.random.default_rng(3)
    frames = walk(rng, 400, 3)
    rope = er.Necklace(frames[0], 0.01)
    short = er.check(rope, frames, budget=er.Budget(tests=10))
    assert (short.free, short.status, short.covered) == (None, "out of budget", 0.0)
    some = er.check(rope, frames, first=False, bonds="chain")
    first = er.check(rope, frames, bonds="chain")
    assert some.free is False and first.free is False and first.contact_time <= some.contact_time
    assert first.verify(tolerance=1e-6)


def test_certificates_are_kept_and_not_forged() -> None:
    rope, end = gate(0.05, exclude=0), THROUGH
    free = er.check(rope, end)
    again = pickle.loads(pickle.dumps(free))
    assert repr(again) == repr(free)
    assert again.verify(rope, end, None, clearance=0, self_too=True, bonds=None, bond_radius=0).assumed == ()
    for about in ({"bonds": BONDS}, {"motion": GATE * 0}, {"clearance": 5.0}):
        with pytest.raises(er.ProofError, match="not shown to be apart"):
            again.verify(**about)
    assert set(again.verify().assumed) >= {"body", "motion", "bonds"}
    crossing = pickle.loads(pickle.dumps(er.check(rope, end, bonds=BONDS)))
    assert bool(crossing.verify(tolerance=1e-6))
    answer = crossing._answer
    crossing._answer = dataclasses.replace(answer, at=0.8)
    with pytest.raises(er.ProofError, match="this is no contact"):
        crossing.verify()
    crossing._answer = dataclasses.replace(answer, before=0.6, at=0.7, intervals=np.array([[0, 0.6, 0.3]]))
    with pytest.raises(er.ProofError, match="not shown to be apart"):
        crossing.verify()


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"motion": [[0, 0, 0]]}, r"^motion must have shape \(4, 3\), or \(k, 4, 3\) .* got \(1, 3\)"),
        ({"motion": [GATE]}, "at least two frames"),
        ({"motion": GATE * np.nan}, "^motion"),
        ({"bonds": "ring"}, '^bonds must be "chain", pairs'),
        ({"bonds": [(0, 4)]}, r"^bonds\[0, 1\] is 4"),
        ({"bonds": [(1, 1)]}, r"^bonds\[0\] joins bead 1 with itself"),
        ({"bond_radius": 1}, "bond_radius is given, but no bonds"),
        ({"bonds": "chain", "bond_radius": -1}, "^bond_radius"),
        ({"method": "swept"}, '^method must be "auto"'),
        ({"self_too": False}, "obstacles is missing"),
        ({"clearance": -1}, "^clearance"),
        ({"tolerance": 0}, "^tolerance"),
    ],
)
def test_bad_input(about: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        er.check(gate(), **{"motion": GATE, **about})
    with pytest.raises(ValueError, match="bonds are for a necklace"):
        er.check(er.Sphere(1), er.Motion(None, None), er.Box(1), bonds="chain")

"""Necklaces that are folded or coiled, and how they move: proteins, long coils, Brownian steps.

The paper on necklaces has a beta hairpin of 51 backbone atoms from a simulation that it does not give, and
the backbones of a ribonuclease inhibitor, which is a horseshoe, and of an endoglucanase, which is a ball of
twelve helices. Like those, the proteins here have bonds of about 1.45, strands, helices and their overall
shape; the rest is made up. Lengths are in angstrom, but those of coils.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Of the hairpin: bonds that end at N, CA and C with the angles before them; torsions of strands and turn.
RESIDUES, TURN = 17, 7
BONDS = (1.33, 1.46, 1.525)
ANGLES = np.radians((116.6, 121.7, 111.0))
STRAND = (-153.3, 133.5)
CORNERS = ((-52.6, 125.1), (88.0, -28.7))
TREMBLE = math.radians(12.0)  # root mean square
RHYTHM = (1.0, 6.0)  # cycles in 300 frames

# How far atoms are from the last along the axis of a strand or helix, and how far from that axis.
EXTENDED, WOUND = (1.15, 0.44), (0.5, 2.37)
WINDING = math.radians(100.0 / 3.0)


class _Repeat(NamedTuple):
    """A piece up, a loop outward, a helix down, a loop inward: numbers of atoms, and where they are.

    `inner` and `outer` are distances from the axis about which repeats follow each other by an angle of
    `sweep`; loops are half ellipses that bulge out above and below by `bulge`. The piece up is a helix too,
    or a strand.
    """

    atoms: tuple[int, int, int, int]
    two_helices: bool
    inner: float
    outer: float
    bulge: float
    sweep: float


HORSESHOE = _Repeat((14, 17, 38, 17), False, 15.0, 28.0, 6.0, math.radians(19.0))
BARREL = _Repeat((67, 24, 67, 24), True, 9.5, 19.5, 10.0, math.radians(56.0))


def hairpin(frames: int = 300, seed: int = 1) -> Array:
    """A beta hairpin of 17 residues, 51 atoms, that trembles: frames (frames, 51, 3).

    Two strands and a turn of two residues. Each peptide bond swings by some degrees to a rhythm of its own,
    that is, the torsions before and after it do so against each other: the strands stay where they are.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.scenes.hairpin(frames=10).shape
    (10, 51, 3)
    """
    rng = np.random.default_rng(seed)
    time = np.arange(frames)[:, None, None] / 300.0
    pace = rng.uniform(*RHYTHM, (3, RESIDUES - 1))
    phase = rng.uniform(0.0, 2 * np.pi, pace.shape)
    swing = TREMBLE * math.sqrt(2 / 3) * np.sin(2 * np.pi * time * pace + phase).sum(axis=1)
    torsions = _hairpin_torsions() + swing[..., None] * np.array([1.0, 0.0, -1.0])
    atoms = _grown(torsions.reshape(frames, -1))
    return np.asarray(atoms - atoms.mean(axis=1, keepdims=True))


def horseshoe(n: int = 1380) -> Array:
    """A made-up backbone of n atoms like that of a ribonuclease inhibitor.

    Repeats of 86 atoms, each a strand, a loop, a helix and a loop back, follow each other about an axis: 16
    of them, 1380 atoms, go most of the way around. The strands are inside, side by side.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace(er.scenes.horseshoe(), 0.6)
    >>> len(rope)
    1380
    """
    return _solenoid(n, HORSESHOE)


def barrel(n: int = 1089) -> Array:
    """A made-up globular backbone of n atoms like that of an endoglucanase.

    Six helices stand about an axis and six others about them; repeats of 182 atoms are one of each.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace(er.scenes.barrel(), 0.6)
    >>> len(rope)
    1089
    """
    return _solenoid(n, BARREL)


def long_coil(n: int, bond: float = 1.0, diameter: float = 1.0, seed: int = 3) -> Array:
    """A coil that avoids itself, somewhat stiff, of a million beads in seconds.

    It begins as a string that goes in one direction at random angles, where beads that are no neighbours are
    more than `diameter` apart; then stretches of it are turned about their first bond, n/16 times, wherever
    that leaves it free. Of up to 100,000 beads `coil` is closer to a sample of all such coils.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace(er.scenes.long_coil(10_000), 0.5)
    >>> bool(er.self_collide(rope))
    False
    """
    from elbowroom.chain import Chain

    if not 0.5 * diameter < bond:
        raise ValueError(f"bond must be above half the diameter, got {bond} for diameter {diameter}")
    rng = np.random.default_rng(seed)
    forward = rng.uniform(min(0.5 * diameter / bond + 1e-6, 1.0), 1.0, max(n - 1, 0))
    angle = rng.uniform(-np.pi, np.pi, len(forward))
    sideways = np.sqrt(1.0 - forward**2)
    steps = bond * np.stack([forward, sideways * np.cos(angle), sideways * np.sin(angle)], axis=1)
    string = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])[:n]
    if n < 4:
        return string
    chain = Chain(string, 0.5 * diameter)
    turns = n // 16 + 16
    chain.try_torsions(rng.integers(1, n - 2, turns), rng.uniform(-np.pi, np.pi, turns))
    return np.asarray(chain.positions())


def brownian(
    positions: Array, frames: int, step: float, seed: int = 11, *, diameter: float = 1.0, longest: float = 1.3
) -> Iterator[Array]:
    """Frames of a necklace whose beads all move at random, by `step` along each axis on average.

    Beads that would come within `diameter` of another that is no neighbour, or would stretch a bond beyond
    `longest`, stay where they are for this frame, and so do others that they are then in the way of. The
    necklace to begin with must be free in this sense; so are all frames then.

    Examples
    --------
    >>> import elbowroom as er
    >>> start = er.scenes.long_coil(1000)
    >>> frames = list(er.scenes.brownian(start, frames=3, step=0.01))
    >>> len(frames), frames[0].shape
    (3, (1000, 3))
    """
    rng, here = np.random.default_rng(seed), np.array(positions, dtype=np.float64)
    near = _Near(diameter, 0.3 * diameter + 10.0 * step)
    for _ in range(frames):
        there = here + rng.normal(0.0, step, here.shape)
        stay = np.zeros(len(here), dtype=np.bool_)
        while len(caught := _caught(there, near.pairs(there), diameter, longest)):
            if stay[caught].all():
                raise ValueError("positions: beads that are no neighbours overlap, or a bond is too long")
            stay[caught] = True
            there[stay] = here[stay]
        here = there
        yield here.copy()


class _Near:
    """Indices of beads that are near and no neighbours, found again when a bead has gone far enough."""

    def __init__(self, reach: float, slack: float) -> None:
        self._reach, self._slack = reach, slack
        self._then: Array | None = None
        self._found: Indices = np.empty((0, 2), dtype=np.int64)

    def pairs(self, points: Array) -> Indices:
        if self._then is None or np.square(points - self._then).sum(axis=1).max() > (0.49 * self._slack) ** 2:
            from scipy.spatial import cKDTree  # takes longer to import than the whole package

            found = cKDTree(points).query_pairs(self._reach + self._slack, output_type="ndarray")
            self._found, self._then = found[np.abs(found[:, 1] - found[:, 0]) > 1], points.copy()
        return self._found


def _caught(points: Array, pairs: Indices, diameter: float, longest: float) -> Indices:
    """Beads of pairs that are too near, and of bonds that are too long."""
    gaps = np.square(points[pairs[:, 0]] - points[pairs[:, 1]]).sum(axis=1)
    torn = np.flatnonzero(np.square(np.diff(points, axis=0)).sum(axis=1) > longest**2)
    return np.unique(np.concatenate([pairs[gaps <= diameter**2].ravel(), torn, torn + 1]))


def _hairpin_torsions() -> Array:
    """Psi, omega and the next phi of all residues but the last, in the order in which atoms are placed."""
    residues = [STRAND] * TURN + list(CORNERS) + [STRAND] * (RESIDUES - TURN - len(CORNERS))
    return np.radians([(psi, 180.0, phi) for (_, psi), (phi, _) in pairwise(residues)])


def _grown(torsions: Array) -> Array:
    """Backbones (frames, m + 3, 3) of torsions (frames, m), atom by atom."""
    frames, m = torsions.shape
    atoms = np.zeros((frames, m + 3, 3))
    atoms[:, 1:, 0] = BONDS[1]
    atoms[:, 2, :2] += [-BONDS[2] * math.cos(ANGLES[2]), BONDS[2] * math.sin(ANGLES[2])]
    for k in range(3, m + 3):
        a, b, c = atoms[:, k - 3], atoms[:, k - 2], atoms[:, k - 1]
        along = (c - b) / np.linalg.norm(c - b, axis=1, keepdims=True)
        side = np.cross(b - a, along)
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        turn = torsions[:, k - 3, None]
        ring = np.cos(turn) * np.cross(side, along) + np.sin(turn) * side
        atoms[:, k] = c + BONDS[k % 3] * (math.sin(ANGLES[k % 3]) * ring - math.cos(ANGLES[k % 3]) * along)
    return atoms


def _solenoid(n: int, repeat: _Repeat) -> Array:
    """Atoms about the axis of strands, loops and helices."""
    part, within = _parts(n, repeat)
    wound = (part == 2) | (repeat.two_helices & (part == 0))
    axis = _axis(np.arange(n), part, (within + 0.5) / np.array(repeat.atoms)[part], repeat)
    along = np.gradient(axis, axis=0) if n > 1 else np.array([[0.0, 0.0, 1.0]])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    turn = repeat.sweep * np.arange(n) / sum(repeat.atoms)
    first = np.cross(np.stack([-np.sin(turn), np.cos(turn), np.zeros(n)], axis=1), along)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    # Where a helix begins or ends, two atoms lead from one distance from the axis to the other.
    out = np.convolve(np.pad(np.where(wound, WOUND[1], EXTENDED[1]), 1, "edge"), np.ones(3) / 3, "valid")
    phase = np.cumsum(np.where(out > 1.01 * EXTENDED[1], WINDING, np.pi))[:, None]
    ring = np.cos(phase) * first + np.sin(phase) * np.cross(along, first)
    return np.asarray(axis + out[:, None] * ring)


def _parts(n: int, repeat: _Repeat) -> tuple[Indices, Indices]:
    """Of each atom, which part of its repeat it is in, and its number there."""
    within = np.arange(n) % sum(repeat.atoms)
    starts = np.concatenate([[0], np.cumsum(repeat.atoms)[:-1]])
    part = np.searchsorted(starts, within, side="right") - 1
    return part, within - starts[part]


def _axis(atom: Indices, part: Indices, share: Array, repeat: _Repeat) -> Array:
    """Where the axis of a strand, loop or helix is, `share` of the way along it."""
    first = 0.5 * repeat.atoms[0] * (WOUND if repeat.two_helices else EXTENDED)[0]
    second = 0.5 * repeat.atoms[2] * WOUND[0]
    inner, outer = repeat.inner, repeat.outer
    bow, bulge = 0.5 * (outer - inner) * np.cos(np.pi * share), repeat.bulge * np.sin(np.pi * share)
    radius = np.choose(part, [inner, 0.5 * (inner + outer) - bow, outer, 0.5 * (inner + outer) + bow])
    over, under = first + (second - first) * share + bulge, -second + (second - first) * share - bulge
    height = np.choose(part, [first * (2 * share - 1), over, second * (1 - 2 * share), under])
    angle = repeat.sweep * atom / sum(repeat.atoms)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)

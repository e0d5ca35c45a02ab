"""A start for sampling: a chain that collides with itself, turned until it does not."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, energies
from elbowroom._progress import Progress
from elbowroom.chain import Chain
from elbowroom.questions import self_collide

from ._walk.checks import check_chain
from ._walk.surroundings import ball_name
from .proteins import default_joints, default_torsions

#: Radii beyond this many are rounded up to as many kinds: the energy has a table for each pair of kinds.
KINDS = 24
BINS = 200
#: What any overlap costs, however shallow, beside the square of its share of the radii.
TOUCH = 0.02
#: Temperatures at the begin and at the end, in the same units.
HOT, COLD = 0.05, 0.002


def relax(chain: Chain, *, steps: int = 100_000, seed: int = 0, progress: bool | None = None) -> Chain:
    """A copy of a chain without collisions, by torsions as small as possible.

    Overlaps cost an energy that grows with their depth. Joints and side torsions that move the balls of an
    overlap are turned by random angles, mostly small ones, while the temperature falls, until no overlap is
    left.
    Bond lengths and bond angles stay as they are.

    Parameters
    ----------
    chain
        What collides. It stays as it is.
    steps
        Turns to try at most.
    seed
        Of all random numbers.
    progress
        Show a bar on a terminal. None: once it takes longer than two seconds.

    Raises
    ------
    ValueError
        If overlaps are left after all steps; it says how many, and names one.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.coil(30), 0.45)
    >>> for joint in (5, 12, 20):
    ...     chain.rotate(joint, 2.0)
    >>> relaxed = er.sampling.relax(chain, seed=1)
    >>> bool(er.self_collide(relaxed))
    False
    """
    walking = copy.copy(check_chain(chain))
    most = _arrays.count(steps, "steps", 1)
    rng = np.random.default_rng(_arrays.count(seed, "seed", 0))
    if not self_collide(walking):
        return walking
    with Progress(progress, "turns", most) as bar:
        _turn(walking, most, rng, bar)
    left = self_collide(walking, every=True).pairs
    if len(left):
        a, b = (ball_name(chain, ball) for ball in left[0].tolist())
        raise ValueError(
            f"chain still collides with itself after {most:,} turns: {len(left)} pairs overlap, such as {a}"
            f" and {b}; try more steps, another seed, or smaller radii"
        )
    walking.set_energy(*(chain._energy_of or (None,)))
    return walking


def _turn(chain: Chain, steps: int, rng: np.random.Generator, bar: Progress) -> None:
    """Metropolis with a falling temperature, at the torsions that move overlapping balls."""
    torsions = _Torsions(chain)
    radii = torsions.radii
    energy, kinds = _softened(radii)
    chain.set_energy(energy, kinds)
    now = chain.energy()
    pairs = self_collide(chain, every=True).pairs
    for step in range(steps):
        bar(step)
        temperature = HOT * (COLD / HOT) ** (step / steps)
        a, b = pairs[rng.integers(len(pairs))].tolist()
        turn = torsions.one_between(a, b, rng)
        if turn is None:
            continue
        turn(float(rng.standard_normal() * 10 ** rng.uniform(-2.5, 0)))
        then = chain.energy()
        if then > now and rng.random() >= math.exp((now - then) / temperature):
            chain.undo()
            continue
        now = then
        pairs = self_collide(chain, every=True).pairs
        if len(pairs) == 0:
            return


class _Torsions:
    """What can turn in a chain, and which of it moves two balls against each other."""

    def __init__(self, chain: Chain) -> None:
        self._chain, self._joints = chain, default_joints(chain)
        side, self._sides = chain.side, []
        links = np.arange(len(chain))
        self._link = links if side is None else np.concatenate([links, side.owner])
        self.radii: NDArray[np.float64] = np.asarray(chain.radii, float)
        if side is not None:
            self.radii = np.concatenate([self.radii, side.radii])
            self._sides = [(k, frozenset(side.torsions[k][2])) for k in default_torsions(chain).tolist()]

    def one_between(self, a: int, b: int, rng: np.random.Generator) -> Any:
        """A function that turns one of the torsions between two balls; None if there is none."""
        low, high = sorted((int(self._link[a]), int(self._link[b])))
        begin, end = np.searchsorted(self._joints, [low, high])
        sides = [k for k, moving in self._sides if (a in moving) != (b in moving)]
        chosen = int(rng.integers(max(1, len(sides) + end - begin)))
        if chosen < len(sides):
            return lambda angle: self._chain.rotate_side(sides[chosen], angle)
        if begin + chosen - len(sides) >= end:
            return None
        joint = int(self._joints[begin + chosen - len(sides)])
        return lambda angle: self._chain.rotate(joint, angle)


def _softened(radii: NDArray[np.float64]) -> tuple[energies.Energy, NDArray[np.int64]]:
    """The energy of overlaps by kind, which is the radius; and the kinds of the balls."""
    known = np.unique(radii)
    if len(known) > KINDS:
        known = np.unique(np.quantile(known, np.linspace(0, 1, KINDS), method="higher"))
    kinds = np.searchsorted(known, radii)
    sums = known[:, None] + known[None]
    cutoff = float(sums.max()) * (1 + 1e-9)
    distance = np.sqrt(np.linspace(0, cutoff**2, BINS))
    overlap = np.maximum(0.0, 1 - distance / np.where(sums > 0, sums, 1)[:, :, None])
    return energies.Table(np.where(overlap > 0, overlap**2 + TOUCH, 0.0), cutoff), kinds.astype(np.int64)

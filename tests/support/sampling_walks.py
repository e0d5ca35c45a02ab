"""Chains for the fuzz of sampling, mixes of moves for each of them, and energies with their slow forms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import chain_makers
import numpy as np
from chain_makers import Recipe, Side
from chain_oracle import PairEnergy, SlowChain
from numba import cfunc, types
from peptide import SIDE_CHAINS, pdb_text, peptide
from slow_sampler import Rule

import elbowroom as er

Maker = Callable[[np.random.Generator, int], Recipe]
ALIKE = 1e-9  # of the size of a chain: bonds shorter than this have no direction


def ring(rng: np.random.Generator, n: int) -> Recipe:
    """The same polygon again and again, but for a hair: crankshafts of its length have next to no axis."""
    corners, hair = int(rng.integers(3, 12)), 10.0 ** rng.uniform(-9.0, -1.0)
    angle = 2.0 * np.pi * np.arange(corners) / corners
    corner = np.stack([np.cos(angle), np.sin(angle), 0.4 * rng.normal(size=corners)], axis=1)
    shift = np.cumsum(hair * rng.normal(size=(n, 3)), axis=0)
    return Recipe(corner[np.arange(n) % corners] + shift, np.full(n, float(rng.choice([0.0, 0.0, 0.1, 0.3]))))


def bushy(rng: np.random.Generator, n: int) -> Recipe:
    """Up to forty side balls on a link, so that leaves end within links; torsions of some of them."""
    base = chain_makers.walk(rng, n, 0.7) * 3.0
    owner: list[int] = []
    positions: list[np.ndarray] = []
    torsions: list[tuple[int, int, list[int]]] = []
    for link in np.flatnonzero(rng.random(n) < 0.5):
        count, first = int(rng.integers(1, rng.choice([3, 8, 41]))), n + len(owner)
        owner += [int(link)] * count
        positions += list(base[link] + rng.normal(size=(count, 3)) * 0.6)
        if count > 1:
            torsions.append((int(link), first, list(range(first + 1, first + count))))
        if 0 < link < n - 1:  # about a bond
            torsions.append((int(link), int(link) + 1, [first]))
    side = Side(np.array(owner), np.reshape(positions, (-1, 3)), rng.uniform(0.0, 0.4, len(owner)), torsions)
    return Recipe(base, np.full(n, 0.4), side=side if owner else None)


def protein_of(atoms: str) -> Maker:
    """A peptide of any residues, stretched or coiled, read as the library reads it."""

    def made(rng: np.random.Generator, n: int) -> Recipe:
        residues = rng.choice([name for name in SIDE_CHAINS if name not in ("MSE", "SEP")], max(2, n // 3))
        shape = (-120.0, 130.0) if rng.random() < 0.5 else (-60.0, -45.0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "made.pdb"
            path.write_text(pdb_text(peptide(list(residues), shape)))
            chain = er.Chain.from_pdb(path, atoms=atoms, scale=float(rng.uniform(0.5, 0.8)))
        more = chain.side
        side = Side(more.owner, more.positions, more.radii, more.torsions) if more else None
        return Recipe(
            chain.positions(), chain.radii, chain.excluded_gap, list(map(tuple, chain._rule.named)), side
        )

    return made


MAKERS: dict[str, Maker] = {
    name: chain_makers.MAKERS[name]
    for name in ("coil", "serpentine", "protein", "rows", "rod", "zigzag", "kinked", "stacked", "unequal",
                 "points", "branched", "tolerant", "layers", "bonded")
} | {
    "ring": ring, "bushy": bushy, "backbone": protein_of("backbone"), "atoms": protein_of("all"),
}  # fmt: skip


def varied(rng: np.random.Generator, recipe: Recipe) -> Recipe:
    """Other radii and exclusions, another scale, far away: each now and then."""
    if rng.random() < 0.3:
        recipe = replace(recipe, exclude=int(rng.integers(0, 6)))
    if rng.random() < 0.3:
        shrunk = rng.choice([0.0, 0.5, 0.9, 1.0], len(recipe.radii))
        recipe = replace(recipe, radii=recipe.radii * shrunk)
    scale = float(rng.choice([1.0, 1.0, 1.0, 1e-9, 1e9]))
    size = scale * float(np.ptp(recipe.positions, axis=0).max() + 1.0)
    away = rng.normal(size=3) * size * 10.0 ** rng.uniform(-1.0, 4.0) * (rng.random() < 0.3)
    side = recipe.side
    if side is not None:
        side = side._replace(positions=side.positions * scale + away, radii=side.radii * scale)
    recipe = replace(recipe, positions=recipe.positions * scale + away, radii=recipe.radii * scale, side=side)
    return made_free(recipe)


def made_free(recipe: Recipe) -> Recipe:
    """Pairs of balls that collide, or all but, may."""
    slow = SlowChain(recipe)
    i, j = np.nonzero(slow.gaps() <= 1e-6 * float(np.ptp(slow.balls, axis=0).max()))
    more = list(zip(i.tolist(), j.tolist(), strict=True))
    return replace(recipe, allowed=[*recipe.allowed, *more]) if more else recipe


def mix(rng: np.random.Generator, recipe: Recipe) -> list[Rule]:
    """One to five kinds of moves, as far as the chain has them."""
    n, extent = len(recipe.positions), float(np.ptp(recipe.positions, axis=0).max())
    joints = np.flatnonzero(np.linalg.norm(np.diff(recipe.positions, axis=0), axis=1) > ALIKE * extent)
    chosen = np.sort(rng.permutation(joints)[: int(rng.integers(1, n))])
    side = recipe.side or Side(*(np.empty((0, 3)),) * 3)
    balls = np.concatenate([recipe.positions, side.positions])
    axes = [balls[b] - balls[a] for a, b, _ in side.torsions]
    turns = [k for k, axis in enumerate(axes) if np.linalg.norm(axis) > ALIKE * extent]
    size = {kind: float(10.0 ** rng.uniform(-3.0, 0.49)) for kind in "tpcrs"}
    longest = int(rng.integers(2, min(n, rng.choice([12, 60, n + 1])))) if n > 3 else n - 1
    few = chosen if len(chosen) >= 7 else joints
    out = [
        Rule("torsion", 1.0, size["t"], chosen.tolist()),
        Rule(
            "pivot", 1.0, float(rng.choice([-1.0, size["p"]])), sorted(rng.permutation(n - 1)[:50].tolist())
        ),
        Rule(
            "crankshaft", 1.0, size["c"], (), int(rng.integers(2, longest + 1)) if longest > 1 else 0, longest
        ),
        Rule("rebridge", 1.0, size["r"], few.tolist()),
        Rule("side", 1.0, size["s"], turns),
    ]
    can = [n > 1 and len(joints) > 0, True, n > 2, len(joints) >= 7, len(turns) > 0]
    wanted = rng.random(5) < rng.choice([0.25, 0.6])
    picked = [rule for rule, yes, asked in zip(out, can, wanted, strict=True) if yes and asked]
    if not picked:
        picked = [rng.choice(np.array([rule for rule, yes in zip(out, can, strict=True) if yes], object))]
    return [replace(rule, weight=float(rng.uniform(0.1, 1.0))) for rule in picked]


# Energies.


@dataclass(frozen=True)
class Force:
    """An energy, and its slow form; `of` gives one number for each pair."""

    energy: Any
    of: PairEnergy
    cutoff: float
    kinds: np.ndarray | None = None


@cfunc(types.float64(types.float64, types.int32, types.int32))
def attraction(squared: float, kind_a: int, kind_b: int) -> float:
    return -(1.0 + kind_a + kind_b) / (1.0 + squared)


def lennard_jones(unit: float, rng: np.random.Generator, balls: int) -> Force:
    count = int(rng.integers(1, 5))
    e, s = rng.uniform(0.0, 1.0, (count, count)), unit * rng.uniform(0.3, 1.2, (count, count))
    e, s, cutoff, shift = e + e.T, 0.5 * (s + s.T), unit * float(rng.uniform(1.0, 4.0)), rng.random() < 0.5

    def of(squared: np.ndarray, a: np.ndarray, b: np.ndarray, _: Any) -> np.ndarray:
        def at(square: Any) -> Any:
            sixth = (s[a, b] ** 2 / square) ** 3
            return 4.0 * e[a, b] * (sixth * sixth - sixth)

        return np.asarray(at(squared) - (at(cutoff**2) if shift else 0.0))

    energy = er.energies.LennardJones(e, s, cutoff, shift=bool(shift))
    return Force(energy, of, cutoff, rng.integers(0, count, balls))


def uncut(unit: float, rng: np.random.Generator, balls: int) -> Force:
    """Of all pairs, so that bounds decide where they can."""
    epsilon, sigma = float(rng.uniform(0.0, 1.0)), unit * float(rng.uniform(0.3, 1.2))

    def of(squared: np.ndarray, *_: Any) -> np.ndarray:
        sixth = (sigma**2 / squared) ** 3
        return np.asarray(4.0 * epsilon * (sixth * sixth - sixth))

    return Force(er.energies.LennardJones(epsilon, sigma, np.inf), of, np.inf, None)


def clashes(unit: float, rng: np.random.Generator, balls: int) -> Force:
    return Force(er.energies.Clashes(), lambda squared, *_: np.sqrt(squared) <= _[2], np.inf)


def table(unit: float, rng: np.random.Generator, balls: int) -> Force:
    count, bins = int(rng.integers(1, 4)), int(rng.integers(2, 40))
    values, cutoff = rng.normal(size=(count, count, bins)), unit * float(rng.uniform(1.0, 5.0))
    values += values.transpose(1, 0, 2)

    def of(squared: np.ndarray, a: np.ndarray, b: np.ndarray, _: Any) -> np.ndarray:
        step = squared / cutoff**2 * (bins - 1)
        low = np.minimum(step.astype(int), bins - 2)
        return np.asarray(values[a, b, low] + (step - low) * (values[a, b, low + 1] - values[a, b, low]))

    return Force(er.energies.Table(values, cutoff), of, cutoff, rng.integers(0, count, balls))


def called(unit: float, rng: np.random.Generator, balls: int) -> Force:
    cutoff = unit * float(rng.uniform(1.0, 5.0))
    kinds = rng.integers(0, 3, balls)
    return Force(
        er.energies.Callback(attraction, cutoff),
        lambda d2, a, b, _: -(1.0 + a + b) / (1.0 + d2),
        cutoff,
        kinds,
    )


FORCES = (lennard_jones, lennard_jones, uncut, clashes, table, called)

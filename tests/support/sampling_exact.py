"""What short chains must be distributed like, with no Monte Carlo chain in sight.

A `Known` is a distribution given by weighted points: a fine grid over the angles where there are few of them,
else independent draws. Weights are 1 where no balls collide and 0 where some do, times exp(-E / T).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from chain_makers import Recipe
from chain_oracle import SlowChain
from scipy.spatial.transform import Rotation

Features = Callable[[np.ndarray], np.ndarray]  # balls (k, b, 3) to numbers (k, c)
PairEnergy = Callable[[np.ndarray], np.ndarray]  # squared distances to energies


@dataclass(frozen=True)
class Known:
    """Weighted points. The first columns, one for each of `cells`, are also looked at jointly.

    Attributes
    ----------
    features, weights
        (k, c) and (k,).
    cells
        (low, high, count) for each of the first columns.
    draws
        How many independent draws the points are worth; infinite for a grid.
    """

    features: np.ndarray
    weights: np.ndarray
    cells: Sequence[tuple[float, float, int]] = ()
    draws: float = np.inf


# Geometry.


def dihedral(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The torsion angle about b -> c, from -pi to pi; 0 is cis [IUPAC1970]_."""
    first, axis, last = b - a, c - b, d - c
    normal = np.cross(axis, last)
    sine = (first * normal).sum(-1) * np.linalg.norm(axis, axis=-1)
    return np.asarray(np.arctan2(sine, (np.cross(first, axis) * normal).sum(-1)))


def torsions_of(balls: np.ndarray) -> np.ndarray:
    """(k, n - 3), of links in a row."""
    return dihedral(*(balls[:, i : balls.shape[1] - 3 + i] for i in range(4)))


def cosines_of(balls: np.ndarray) -> np.ndarray:
    """(k, n - 2): of the angles between bonds, -1 where the chain goes straight on."""
    bonds = np.diff(balls, axis=1)
    bonds = bonds / np.linalg.norm(bonds, axis=2, keepdims=True)
    return np.asarray(-(bonds[:, :-1] * bonds[:, 1:]).sum(axis=2))


def placed(bonds: np.ndarray, cosines: np.ndarray, torsions: np.ndarray) -> np.ndarray:
    """(k, n, 3): chains by bonds (n - 1,), cosines of bond angles (k, n - 2) and torsions (k, n - 3)."""
    count, n = len(torsions), len(bonds) + 1
    out, sines = np.zeros((count, n, 3)), np.sqrt(1.0 - cosines**2)
    out[:, 1, 0] = bonds[0]
    turn = np.stack([-cosines[:, 0], sines[:, 0], np.zeros(len(cosines))], axis=1)
    out[:, 2] = out[:, 1] + bonds[1] * turn
    for k in range(3, n):
        a, b, c = out[:, k - 3], out[:, k - 2], out[:, k - 1]
        forward = (c - b) / bonds[k - 2]
        across = np.cross(b - a, forward)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        angle = torsions[:, k - 3, None]
        ring = np.cos(angle) * np.cross(across, forward) + np.sin(angle) * across
        out[:, k] = c + bonds[k - 1] * (-cosines[:, k - 2, None] * forward + sines[:, k - 2, None] * ring)
    return out


def bent_chain(links: int, angle: float, radius: float, exclude: int, torsions: np.ndarray) -> Recipe:
    """Unit bonds at the same angle throughout, with these torsions."""
    cosines = np.full((1, links - 2), np.cos(angle))
    return Recipe(placed(np.ones(links - 1), cosines, torsions[None])[0], np.full(links, radius), exclude)


# Weights.


def gaps(balls: np.ndarray, recipe: Recipe) -> np.ndarray:
    """(k, pairs): surface distances of all pairs that may not touch."""
    sums = SlowChain(recipe).sums
    i, j = np.nonzero(np.isfinite(sums))
    between = balls[:, i] - balls[:, j]
    return np.asarray(np.sqrt(np.einsum("kpx,kpx->kp", between, between)) - sums[i, j])


def weights_of(
    balls: np.ndarray, recipe: Recipe, energy: PairEnergy | None = None, temperature: float = np.inf
) -> np.ndarray:
    apart = gaps(balls, recipe)
    free = (apart > 0.0).all(axis=1)
    if energy is None:
        return free.astype(float)
    sums = SlowChain(recipe).sums
    total = np.where(free, energy((apart + sums[np.isfinite(sums)]) ** 2).sum(axis=1), 0.0)
    return np.where(free, np.exp((total[free].min() - total) / temperature), 0.0)


def seen_from(recipe: Recipe, *coordinates: Features) -> Features:
    """The coordinates, then what does not depend on them: distances along the chain, size, nearest balls."""

    def features(balls: np.ndarray) -> np.ndarray:
        links = balls[:, : len(recipe.positions)]
        i, j = np.triu_indices(links.shape[1], 3)
        spread = links - links.mean(axis=1, keepdims=True)
        columns = [of(balls) for of in coordinates]
        columns.append(np.linalg.norm(links[:, i] - links[:, j], axis=2))
        columns.append(np.sqrt((spread**2).sum(axis=2).mean(axis=1))[:, None])
        columns.append(gaps(balls, recipe).min(axis=1)[:, None])
        return np.concatenate([column.reshape(len(balls), -1) for column in columns], axis=1)

    return features


# Distributions.


def grid(ranges: Sequence[tuple[float, float]], count: int, seed: int) -> np.ndarray:
    """A point in every cell of a grid, (count^d, d), at random within it, lest cells and balls beat."""
    d = len(ranges)
    corner = np.stack(np.meshgrid(*[np.arange(count)] * d, indexing="ij"), axis=-1).reshape(-1, d)
    low, high = np.array(ranges).T
    return low + (high - low) * (corner + np.random.default_rng(seed).random(corner.shape)) / count


def known(
    features: Features,
    balls: np.ndarray,
    weights: np.ndarray,
    cells: Sequence[tuple[float, float, int]] = (),
    draws: bool = False,
) -> Known:
    """Points without weight are left out; draws: the points are independent draws, not a grid."""
    kept = weights > 0.0
    worth = weights.sum() ** 2 / (weights**2).sum() if draws else np.inf
    return Known(features(balls[kept]), weights[kept], cells, float(worth))


TURN = (-np.pi, np.pi)


def bent_known(
    recipe: Recipe,
    points: int,
    cells: int = 0,
    energy: PairEnergy | None = None,
    temperature: float = np.inf,
) -> Known:
    """Fixed bond angles, uniform torsions. With cells: a grid of so many points a torsion, else draws."""
    n, row = len(recipe.positions), recipe.positions[None]
    bonds, cosines = np.linalg.norm(np.diff(row[0], axis=0), axis=1), cosines_of(row)
    if cells:
        torsions = grid([TURN] * (n - 3), points, seed=1)
    else:
        torsions = np.random.default_rng(1).uniform(-np.pi, np.pi, (points, n - 3))
    balls = placed(bonds, np.repeat(cosines, len(torsions), axis=0), torsions)
    weights = weights_of(balls, recipe, energy, temperature)
    binned = [(*TURN, cells)] * (n - 3) if cells else []
    return known(seen_from(recipe, torsions_of), balls, weights, binned, draws=not cells)


def free_known(recipe: Recipe, points: int, cells: int = 0, energy: PairEnergy | None = None) -> Known:
    """Free joints: uniform cosines of bond angles and uniform torsions, temperature 1. As `bent_known`."""
    n = len(recipe.positions)
    bonds = np.linalg.norm(np.diff(recipe.positions, axis=0), axis=1)
    ranges = [(-1.0, 1.0)] * (n - 2) + [TURN] * (n - 3)
    if cells:
        state = grid(ranges, points, seed=1)
    else:
        state = np.random.default_rng(1).uniform(*np.array(ranges).T, (points, 2 * n - 5))
    balls = placed(bonds, state[:, : n - 2], state[:, n - 2 :])
    binned = [(low, high, cells) for low, high in ranges] if cells else []
    weights = weights_of(balls, recipe, energy, 1.0)
    return known(seen_from(recipe, cosines_of, torsions_of), balls, weights, binned, draws=not cells)


def crank_features(balls: np.ndarray) -> np.ndarray:
    """Of four links: how far link 2 is from link 0, where link 1 is on its circle about them, link 1 to 3."""
    one, two, three = (balls[:, k] - balls[:, 0] for k in (1, 2, 3))
    turn = dihedral(one, np.zeros(3), two, three)
    return np.stack([np.linalg.norm(two, axis=1), turn, np.linalg.norm(three - one, axis=1)], axis=1)


def crank_known(recipe: Recipe, points: int, cells: int) -> Known:
    """Four links, free joints, unit bonds, the ends held.

    The density of two unit bonds at a sum of length x is 1 / x in space; link 2 lies on the unit sphere about
    link 3, where area is x dx: so x is uniform. Given link 2, link 1 is uniform on its circle.
    """
    ends = float(np.linalg.norm(recipe.positions[3] - recipe.positions[0]))
    span = (abs(ends - 1.0), min(ends + 1.0, 2.0))
    x, turn = grid([span, TURN], points, seed=1).T
    to_third = np.arccos((x**2 + ends**2 - 1.0) / (2.0 * x * ends))  # at link 0, from link 3 to link 2
    balls = np.zeros((len(x), 4, 3))
    balls[:, 3, 0] = ends
    balls[:, 2] = x[:, None] * np.stack([np.cos(to_third), np.sin(to_third), 0.0 * x], axis=1)
    along, up = balls[:, 2] / x[:, None], np.stack([-np.sin(to_third), np.cos(to_third), 0.0 * x], axis=1)
    ring = np.cos(turn)[:, None] * up + np.sin(turn)[:, None] * np.array([0.0, 0.0, 1.0])
    balls[:, 1] = 0.5 * x[:, None] * along + np.sqrt(1.0 - 0.25 * x**2)[:, None] * ring
    binned = [(*span, cells), (*TURN, cells)]
    return known(crank_features, balls, weights_of(balls, recipe), binned)


def swung_known(recipe: Recipe, joints: Sequence[int], points: int, cells: int) -> Known:
    """Side balls: a grid over the torsions at `joints` and over all side torsions."""
    assert recipe.side is not None
    start = SlowChain(recipe)
    angles = grid([TURN] * (len(joints) + len(start.torsions)), points, seed=1).T
    balls = np.repeat(start.balls[None], len(angles[0]), axis=0)
    axes = [(j, j + 1, np.flatnonzero(start.owner > j)) for j in joints] + list(start.torsions)
    for (a, b, moving), angle in zip(axes, angles, strict=True):
        axis = balls[:, b] - balls[:, a]
        turn = Rotation.from_rotvec(axis * (angle / np.linalg.norm(axis, axis=1))[:, None]).as_matrix()
        arms = balls[:, moving] - balls[:, a, None]
        balls[:, moving] = balls[:, a, None] + np.einsum("kij,kmj->kmi", turn, arms)
    binned = [(*TURN, cells)] * len(angles)
    return known(swung_features(recipe, joints), balls, weights_of(balls, recipe), binned)


def swung_features(recipe: Recipe, joints: Sequence[int]) -> Features:
    """The torsions at `joints`, every side torsion, and distances between balls that different ones move."""
    assert recipe.side is not None
    links, side = len(recipe.positions), recipe.side
    fours = [(j - 1, j, j + 1, j + 2) for j in joints]
    for a, b, moving in side.torsions:
        seen_by = (a - 1 if a else a + 1) if a < links else int(side.owner[a - links])
        fours.append((seen_by, a, b, moving[0]))
    p, q, r, s = np.array(fours).T
    last = [moving[-1] for _, _, moving in side.torsions]
    i, j = np.array([(x, y) for x in last for y in last if side.owner[x - links] < side.owner[y - links]]).T

    def features(balls: np.ndarray) -> np.ndarray:
        angles = dihedral(balls[:, p], balls[:, q], balls[:, r], balls[:, s])
        return np.concatenate([angles, np.linalg.norm(balls[:, i] - balls[:, j], axis=2)], axis=1)

    return features


# Chains without thickness, in closed form.


def ideal_end_to_end(bonds: int) -> float:
    """Mean squared, free joints, unit bonds."""
    return float(bonds)


def ideal_gyration(bonds: int) -> float:
    """Mean squared radius of gyration, free joints, unit bonds."""
    return bonds * (bonds + 2.0) / (6.0 * (bonds + 1.0))


def rotating_end_to_end(bonds: int, angle: float) -> float:
    """Mean squared end-to-end distance, unit bonds at a fixed angle, uniform torsions."""
    c = -np.cos(angle)
    return float(bonds * (1.0 + c) / (1.0 - c) - 2.0 * c * (1.0 - c**bonds) / (1.0 - c) ** 2)

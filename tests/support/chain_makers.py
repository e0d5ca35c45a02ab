"""Chains to begin with, and the trees to try them in; a maker takes a random generator and the links."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

import elbowroom as er

VOLUMES: dict[str, dict[str, Any]] = {
    "auto": {},
    "sphere of eight": {"volume": "sphere", "children": 8},
    "obb of eight": {"volume": "obb", "children": 8},
    "obb": {"volume": "obb"},
    "rss": {"volume": "rss"},
    "capsule": {"volume": "capsule"},
    "sphere": {"volume": "sphere"},
    "obb shrunk": {"volume": "obb", "shrink": True},
    "obb of the paper": {"volume": "obb", "skip": "paper"},
}
FAST = ("auto", "sphere of eight", "obb of eight")  # the binary tree has neither side balls nor energies


class Side(NamedTuple):
    """What er.SideBalls takes."""

    owner: np.ndarray
    positions: np.ndarray
    radii: np.ndarray
    torsions: Sequence[tuple[int, int, Sequence[int]]] = ()


@dataclass(frozen=True)
class Recipe:
    """The arguments of a chain. `exclude`: of links; -1: none but the pairs of balls in `allowed`."""

    positions: np.ndarray
    radii: np.ndarray
    exclude: int = 1
    allowed: Sequence[tuple[int, int]] = ()
    side: Side | None = None

    def chain(self, **settings: Any) -> Any:
        allowed = np.array(self.allowed, dtype=np.int64).reshape(-1, 2) if len(self.allowed) else None
        side = None
        if self.side is not None:
            owner, positions, radii, torsions = self.side
            side = er.SideBalls(owner, positions, radii, torsions=list(torsions))
        exclude = self.exclude if allowed is None else (self.exclude, allowed)
        if self.exclude < 0:
            exclude = [] if allowed is None else allowed
        given = {"exclude": exclude, "side": side}
        return er.Chain(self.positions, self.radii, **given | settings)


def rng_of(*what: object) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(repr(what).encode()))


def walk(rng: np.random.Generator, n: int, avoid: float) -> np.ndarray:
    """Unit bonds in random directions, centres no nearer than `avoid` where fifty tries find such a place."""
    points = np.zeros((n, 3))
    for k in range(1, n):
        steps = rng.normal(size=(50, 3))
        tries = points[k - 1] + steps / np.linalg.norm(steps, axis=1)[:, None]
        far = cdist(tries, points[: max(k - 1, 1)]).min(axis=1) > avoid
        points[k] = tries[np.argmax(far)]
    return points


def coil(rng: np.random.Generator, n: int) -> Recipe:
    return Recipe(walk(rng, n, 0.7), np.full(n, 0.34))


def tangle(rng: np.random.Generator, n: int) -> Recipe:
    """A plain random walk: in collision from the start unless it is very short."""
    return Recipe(walk(rng, n, 0.0), np.full(n, 0.3))


def serpentine(_: Any, n: int) -> Recipe:
    """Row by row and layer by layer through a cube: unit balls spaced 4."""
    side = int(np.ceil(n ** (1.0 / 3.0) - 1e-9))
    k = np.arange(n)
    x, y, z = k % side, k // side % side, k // side**2
    y = np.where(z % 2, side - 1 - y, y)
    x = np.where((k // side) % 2, side - 1 - x, x)
    return Recipe(4.0 * np.stack([x, y, z], axis=1).astype(float), np.ones(n))


def next_atom(before: np.ndarray, bond: float, angle: float, torsion: float) -> np.ndarray:
    """The fourth of four atoms from its distance, its bond angle and its torsion."""
    a, b, c = before
    forward = (c - b) / np.linalg.norm(c - b)
    across = np.cross(b - a, forward)
    across /= np.linalg.norm(across)
    up = np.cross(across, forward)
    ring = np.cos(torsion) * up + np.sin(torsion) * across
    return np.asarray(c + bond * (-np.cos(angle) * forward + np.sin(angle) * ring))


# The bond to each atom, the angle before it and its torsion, where that is fixed: N, CA, C.
BACKBONE = ((1.33, 117.0, np.nan), (1.46, 122.0, np.pi), (1.52, 111.0, np.nan))


def protein(rng: np.random.Generator, n: int) -> Recipe:
    """N, CA, C, N, ...: true bonds and angles, omega flat, phi and psi random but apart if tries find it."""
    atoms = np.zeros((n + 3, 3))
    atoms[:3] = [[0.0, 0.0, 0.0], [1.46, 0.0, 0.0], [2.005, 1.419, 0.0]]
    for k in range(3, n):
        bond, angle, fixed = BACKBONE[k % 3]
        for _ in range(20):
            torsion = fixed if np.isfinite(fixed) else float(rng.uniform(-np.pi, np.pi))
            atoms[k] = next_atom(atoms[k - 3 : k], bond, np.radians(angle), torsion)
            if cdist(atoms[k : k + 1], atoms[: k - 2]).min() > 2.6:
                break
    return Recipe(atoms[:n], np.tile([0.9, 1.0, 1.0], n)[:n], exclude=3)


def rows(_: Any, n: int) -> Recipe:
    """Two rows side by side, every ball all but tangent to its neighbours in both."""
    half = (n + 1) // 2
    k = np.arange(n)
    back = k >= half
    x = np.where(back, 2.0 * (2 * half - 1 - k) - 1.0, 2.0 * k)
    return Recipe(np.stack([x, np.sqrt(3.0) * back, np.zeros(n)], axis=1), np.full(n, 0.999))


def hairpin(_: Any, n: int) -> Recipe:
    """Two rows side by side, every ball tangent to its neighbours in both to the last bit."""
    k = np.arange(n)
    along = 2.0 * np.minimum(k, n - 1 - k)
    return Recipe(np.stack([along, np.where(k < (n + 1) // 2, 0.0, 2.0), np.zeros(n)], axis=1), np.ones(n))


def layers(_: Any, n: int) -> Recipe:
    """Units of three straight arms, shifted so that the hulls of all units meet: nothing prunes them."""
    d = 8 * int(np.ceil((n / 24.0) ** (1.0 / 3.0) - 1e-9))
    step = 2.0 * np.arange(d)[:, None]
    corner = 2.0 * (d - 1)
    x = step * [1, 0, 0]
    y = step * [0, 1, 0] + [corner, 2.0, 0.0]
    z = step * [0, 0, 1] + [corner, corner + 2.0, 2.0]
    unit, parts = np.concatenate([x, y, z]), []
    for k in range((d // 8) ** 2):
        layer, place = divmod(k, d // 8)
        place = d // 8 - 1 - place if layer % 2 else place
        moved = unit + place * np.array([2.0, -2.0, 0.0]) + layer * np.array([0.0, -2.0, 2.0])
        parts.append(moved[::-1] if k % 2 else moved)
    return Recipe(np.concatenate(parts)[:n], np.full(n, 0.99))


def rod(_: Any, n: int) -> Recipe:
    """All links in line: no torsion moves anything but the axes of the links."""
    return Recipe(np.arange(n)[:, None] * np.array([0.6, 0.8, 0.0]), np.full(n, 0.8))


def zigzag(_: Any, n: int) -> Recipe:
    k = np.arange(n)
    return Recipe(np.stack([k * 1.0, (k % 2) * 1.5, np.zeros(n)], axis=1), np.full(n, 0.8))


def kinked(rng: np.random.Generator, n: int) -> Recipe:
    """Straight runs of random length with a corner between them: most torsions do nothing, some do much."""
    step, points = np.array([1.0, 0.0, 0.0]), np.zeros((n, 3))
    for k in range(1, n):
        if rng.random() < 0.2:
            step = rng.permutation(step)
        points[k] = points[k - 1] + step
    return Recipe(points, np.full(n, 0.45))


def stacked(rng: np.random.Generator, n: int) -> Recipe:
    """Links in one place, three at a time; the balls of a place may overlap, the places are apart."""
    points = 2.0 * walk(rng, (n + 2) // 3, 0.7).repeat(3, axis=0)[:n]
    return Recipe(points, np.full(n, 0.65), exclude=5)


def unequal(rng: np.random.Generator, n: int) -> Recipe:
    """Radii from 1e-3 to 10; each ball goes as far in its direction as it must to be free."""
    radii, points = 10.0 ** rng.uniform(-3.0, 1.0, n), np.zeros((n, 3))
    for k in range(1, n):
        step = rng.normal(size=3) + np.array([1.0, 0.0, 0.0])
        step *= 0.9 * (radii[k] + radii[k - 1]) / np.linalg.norm(step)
        points[k] = points[k - 1] + step
        earlier, reach = points[: k - 1], radii[: k - 1] + radii[k]
        while (np.linalg.norm(earlier - points[k], axis=1) <= reach).any():
            points[k] += 0.3 * step
            step *= 1.3
    return Recipe(points, radii)


def points_only(rng: np.random.Generator, n: int) -> Recipe:
    """No radius at all, and nothing excluded."""
    return Recipe(walk(rng, n, 0.2), np.zeros(n), exclude=0)


def scaled(make: Callable[[Any, int], Recipe], scale: float) -> Callable[[Any, int], Recipe]:
    def made(rng: np.random.Generator, n: int) -> Recipe:
        recipe = make(rng, n)
        return replace(recipe, positions=recipe.positions * scale, radii=recipe.radii * scale)

    return made


def branched(rng: np.random.Generator, n: int) -> Recipe:
    """A serpentine with two or three side balls on every other link, the last of them on torsions."""
    base = serpentine(rng, n)
    owner: list[int] = []
    positions: list[np.ndarray] = []
    torsions: list[tuple[int, int, list[int]]] = []
    for link in range(0, n, 2):
        count = int(rng.integers(2, 4))
        first = n + len(owner)
        hanging = base.positions[link] + np.cumsum(rng.normal(size=(count, 3)) * 0.5, axis=0)
        owner += [link] * count
        positions += list(hanging)
        torsions.append((link, first, list(range(first + 1, first + count))))
        if count == 3:
            torsions.append((first, first + 1, [first + 2]))
    side = Side(np.array(owner), np.array(positions), rng.uniform(0.2, 0.6, len(owner)), torsions)
    return replace(base, radii=np.full(n, 0.7), side=side)


def tolerant(rng: np.random.Generator, n: int) -> Recipe:
    """A random walk whose overlapping pairs may all overlap, so that it begins free."""
    base = replace(tangle(rng, n), exclude=2)
    near = cdist(base.positions, base.positions) - 2.0 * 0.3 <= 0.05
    i, j = np.nonzero(np.triu(near, base.exclude + 1))
    return replace(base, allowed=[(int(q), int(p)) for p, q in zip(i, j, strict=True)])


def bonded(rng: np.random.Generator, n: int) -> Recipe:
    """A branched coil: bonds along it, in side chains of up to 40 balls, and across; few bonds exclude."""
    base, owner, positions, torsions = coil(rng, n), [], [], []
    bonds = [(k, k + 1) for k in range(n - 1)]
    for link in np.flatnonzero(rng.random(n) < 0.6).tolist():
        count, first = int(rng.choice([1, 2, 5, 40], p=[0.3, 0.3, 0.3, 0.1])), n + len(owner)
        mine = [link, *range(first, first + count)]
        places = [base.positions[link]]
        for k in range(1, count + 1):
            parent = int(rng.integers(max(0, k - 3), k))
            bonds.append((mine[parent], mine[k]))
            step = rng.normal(size=3)
            places.append(places[parent] + 0.9 * step / np.linalg.norm(step))
        owner += [link] * count
        positions += places[1:]
        if count > 1:
            torsions.append((link, first, mine[2:]))
    balls = n + len(owner)
    bonds += [tuple(pair) for pair in rng.integers(0, balls, (n // 8, 2)).tolist() if pair[0] != pair[1]]
    side = Side(np.array(owner, np.int64), np.reshape(positions, (-1, 3)), np.full(len(owner), 0.1), torsions)
    near = within_bonds(bonds, balls, int(rng.integers(1, 5)))
    return Recipe(base.positions, np.full(n, 0.15), -1, near, side if owner else None)


def within_bonds(bonds: Sequence[tuple[int, int]], count: int, most: int) -> list[tuple[int, int]]:
    """Pairs that at most so many bonds join, each ball's by a walk of its own."""
    near: list[set[int]] = [set() for _ in range(count)]
    for i, j in bonds:
        near[i].add(j)
        near[j].add(i)
    found = []
    for start in range(count):
        seen = edge = {start}
        for _ in range(most):
            edge = set().union(*(near[k] for k in edge)) - seen
            seen = seen | edge
        found += [(start, k) for k in sorted(seen) if k > start]
    return found


MAKERS: dict[str, Callable[[Any, int], Recipe]] = {
    "coil": coil, "tangle": tangle, "serpentine": serpentine, "protein": protein, "rows": rows,
    "layers": layers, "rod": rod, "zigzag": zigzag, "kinked": kinked, "stacked": stacked,
    "unequal": unequal, "points": points_only, "branched": branched, "tolerant": tolerant,
    "bonded": bonded,
    "tiny": scaled(coil, 1e-12), "huge": scaled(protein, 1e9),
}  # fmt: skip
WITH_SIDES = ("branched", "bonded")
COMBINATIONS = [(m, v) for v in VOLUMES for m in MAKERS if m not in WITH_SIDES or v in FAST]

"""A necklace kept the slow and obvious way: what every answer of er.Necklace is judged by.

`SlowNecklace` holds the beads and looks at every pair. Minimum enclosing balls are found among the balls that
touch one to d + 1 beads from within, in extended precision, and `proved_least` proves them by itself:
beads that touch the ball, weighted so that their directions cancel, bound the radius from below. `Twin` moves
an er.Necklace and a SlowNecklace alike and compares the two.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from necklace_makers import Recipe
from scipy.optimize import nnls
from scipy.spatial.distance import cdist

import elbowroom as er

ROUNDING = 1e-14  # of the distance and the radii of two beads: so near they may be said to touch
FINE = np.longdouble(1e-17)  # of the size of a ball: nearer to its surface a bead is inside


class Ball(NamedTuple):
    centre: np.ndarray
    radius: Any


# Minimum enclosing balls of balls.


def solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Gauss, with the largest pivot, in extended precision; None if there is no pivot."""
    work = np.concatenate([matrix, right], axis=1).astype(np.longdouble)
    size, scale = len(matrix), np.abs(matrix).max(initial=0.0)
    for k in range(size):
        pivot = k + int(np.abs(work[k:, k]).argmax())
        if abs(work[pivot, k]) <= 1e-17 * scale:
            return None
        work[[k, pivot]] = work[[pivot, k]]
        work[k] /= work[k, k]
        others = np.arange(size) != k
        work[others] -= work[others, k : k + 1] * work[k]
    return work[:, size:]


def tangent_ball(centres: np.ndarray, radii: np.ndarray) -> Ball | None:
    """The least ball that all these balls touch from within, its centre among theirs; None if there is none.

    |x - c_i| = R - r_i for all i. With y and s measured from the largest ball, y = x - c_0 and s = R - r_0,
    the differences of these equations are linear in y and s, which leaves one quadratic in s.
    """
    largest = int(radii.argmax())
    others = np.delete(np.arange(len(radii)), largest)
    q, less = centres[others] - centres[largest], radii[others] - radii[largest]
    weights = solved(q @ q.T, np.stack([((q * q).sum(axis=1) - less**2) / 2.0, less], axis=1))
    if weights is None:
        return None
    a, b = q.T @ weights[:, 0], q.T @ weights[:, 1]  # y = a + b s
    for s in roots(b @ b - 1.0, a @ b, a @ a):
        if s >= 0.0:
            return Ball(centres[largest] + a + b * s, radii[largest] + s)
    return None


def roots(a: Any, half_b: Any, c: Any) -> list[Any]:
    """Of a x^2 + 2 half_b x + c, the smaller first."""
    if a == 0.0:
        return [] if half_b == 0.0 else [-c / (2.0 * half_b)]
    inside = half_b**2 - a * c
    if inside < 0.0:
        return []
    q = -(half_b + np.copysign(np.sqrt(inside), half_b))
    return sorted([q / a, c / q if q != 0.0 else q])


def excess(ball: Ball, centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """By how much each ball sticks out."""
    away = centres - ball.centre
    return np.asarray(np.sqrt((away * away).sum(axis=1)) + radii - ball.radius)


def smallest_of_few(centres: np.ndarray, radii: np.ndarray) -> tuple[Ball, tuple[int, ...]]:
    """Among the tangent balls of all subsets the least that holds everything, and its subset."""
    best: tuple[Ball, tuple[int, ...]] | None = None
    scale = np.ptp(centres, axis=0).max(initial=0.0) + radii.max()
    for size in range(1, centres.shape[1] + 2):
        for chosen in itertools.combinations(range(len(radii)), size):
            ball = tangent_ball(centres[list(chosen)], radii[list(chosen)])
            if ball is None or excess(ball, centres, radii).max() > 100.0 * FINE * scale:
                continue
            if best is None or ball.radius < best[0].radius:
                best = ball, chosen
    assert best is not None, "some subset is a basis"
    return best


def smallest_ball(centres: np.ndarray, radii: np.ndarray) -> Ball:
    """Begun with the largest bead; the one that sticks out most is added as long as one does.

    The radius grows at every step, so no set of beads comes twice.
    """
    origin = centres[0].astype(np.longdouble)
    points, sizes = centres.astype(np.longdouble) - origin, np.asarray(radii, dtype=np.longdouble)
    basis = [int(sizes.argmax())]
    while True:
        ball, chosen = smallest_of_few(points[basis], sizes[basis])
        sticks = excess(ball, points, sizes)
        worst = int(sticks.argmax())
        if sticks[worst] <= 1e3 * FINE * ball.radius or worst in basis:
            return Ball(ball.centre + origin, ball.radius)
        basis = [basis[k] for k in chosen] + [worst]


def proved_least(centre: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> float:
    """A radius that every ball about all these must have at least, proved from a centre that is nearly right.

    For weights w >= 0 with sum 1, the largest of |x - c_i| + r_i is at least their weighted mean, which is
    convex in x: elsewhere it is no less than at the centre, less |gradient| |x - centre|. And the best centre
    is no farther than sqrt(r^2 - least^2) from one with which r is enough. What all radii have in common
    changes nothing but the radius of the ball, and is set aside.
    """
    away, common = np.asarray(centre - centres, dtype=float), float(radii.min())
    lengths = np.linalg.norm(away, axis=1)
    reach = lengths + (radii - common)
    most = float(reach.max())
    if most == 0.0:
        return common
    last_digit = 1e-15 * float(np.abs(centres).max())
    touching = np.flatnonzero(reach >= most * (1.0 - 1e-6) - 4.0 * last_digit)
    directions = away[touching] / np.maximum(lengths[touching], 1e-300)[:, None]
    gaps = (most - reach[touching]) / most
    system = np.vstack([directions.T, 10.0 * gaps, np.full(len(touching), 10.0)])
    weights = nnls(system, np.append(np.zeros(len(system) - 1), 10.0))[0]
    weights /= weights.sum()
    open_gap, slope = float(weights @ gaps), float(np.linalg.norm(weights @ directions))
    root = slope * np.sqrt(2.0) + np.sqrt(2.0 * slope**2 + 4.0 * open_gap)
    return max(common + most * float(1.0 - 0.25 * root**2), float(radii.max()))


# The hierarchies.


def cage_ranges(low: int, high: int) -> Iterator[tuple[int, int]]:
    """Preorder; nodes of at most three beads have the beads as children."""
    yield low, high
    if high - low > 3:
        middle = (low + high) // 2
        yield from cage_ranges(low, middle)
        yield from cage_ranges(middle, high)


def wrapped_cages(positions: np.ndarray, radii: np.ndarray) -> list[Ball]:
    ranges = cage_ranges(0, len(radii))
    return [smallest_ball(positions[low:high], radii[low:high]) for low, high in ranges]


def layered_cages(positions: np.ndarray, radii: np.ndarray) -> list[Ball]:
    """Each the least ball about its two children, in preorder."""

    def below(low: int, high: int) -> list[Ball]:
        if high - low <= 3:
            return [smallest_ball(positions[low:high], radii[low:high])]
        middle = (low + high) // 2
        left, right = below(low, middle), below(middle, high)
        centres = np.stack([left[0].centre, right[0].centre])
        return [smallest_ball(centres, np.array([left[0].radius, right[0].radius])), *left, *right]

    return below(0, len(radii))


# A family of separating pairs.


def family_problems(family: Any, n: int) -> list[str]:
    """Cages hold their beads, the two of a pair are apart, and all pairs that may not touch are covered."""
    cages = family.cages
    centres = np.concatenate([cages[:, :-1], family.positions]).astype(np.longdouble)
    radii = np.concatenate([cages[:, -1], family.radii]).astype(np.longdouble)
    ranges = [*map(tuple, family.ranges.tolist()), *((k, k + 1) for k in range(n))]
    wrong, covered = [], np.zeros((n, n), dtype=bool)
    for k, (low, high) in enumerate(ranges[: len(cages)]):
        sticks = excess(Ball(centres[k], radii[k]), family.positions[low:high], family.radii[low:high])
        if not sticks.max() <= 0.1 * FINE * radii[k]:
            wrong.append(f"cage {k} does not hold its beads")
    for a, b in family.pairs.tolist():
        apart = np.sqrt(((centres[a] - centres[b]) ** 2).sum()) - radii[a] - radii[b]
        if not apart > 0.0:
            wrong.append(f"{a} and {b} are not apart")
        covered[slice(*ranges[a]), slice(*ranges[b])] = True
    covered |= covered.T
    covered[tuple(family.excluded.T)] = True
    missing = np.argwhere(np.triu(~covered, 1))
    return wrong + [f"beads {i} and {j} are not covered" for i, j in missing.tolist()]


def holds(family: Any, *given: Any) -> bool:
    """Does `verify` accept it?"""
    try:
        return bool(family.verify(*given))
    except er.ProofError:
        return False


# The beads.


def excluded_pairs(recipe: Recipe) -> np.ndarray:
    """(m, 2), sorted, i < j."""
    n, touch = len(recipe.radii), recipe.exclude
    if np.ndim(touch) == 0:
        reach = int(touch)
        apart = np.abs(np.arange(n)[:, None] - np.arange(n)[None, :])
        if recipe.closed:
            apart = np.minimum(apart, n - apart)
        return np.argwhere(np.triu(apart <= reach, 1))
    pairs = np.sort(np.asarray(touch, dtype=np.int64).reshape(-1, 2), axis=1)
    return np.unique(pairs, axis=0).reshape(-1, 2)


class SlowNecklace:
    def __init__(self, recipe: Recipe) -> None:
        self.positions, self.radii = np.array(recipe.positions, dtype=float), recipe.radii
        self.excluded = excluded_pairs(recipe)
        self.sums = self.radii[:, None] + self.radii[None, :]
        tested = np.triu(np.ones(self.sums.shape, dtype=bool), 1)
        tested[tuple(self.excluded.T)] = False
        self.tested = tested

    @property
    def points(self) -> np.ndarray:
        """(n, 3): a necklace of the plane lies at z = 0."""
        flat = 3 - self.positions.shape[1]
        return np.pad(self.positions, ((0, 0), (0, flat)))

    @property
    def extent(self) -> float:
        """How wide all beads together are."""
        low, high = self.positions - self.radii[:, None], self.positions + self.radii[:, None]
        return float((high.max(axis=0) - low.min(axis=0)).max())

    def gaps(self) -> np.ndarray:
        """(n, n): surface distances, negative where beads overlap; infinite for pairs that may touch."""
        return np.where(self.tested, cdist(self.positions, self.positions) - self.sums, np.inf)

    def doubts(self) -> np.ndarray:
        """(n, n): how far a gap hangs on rounding."""
        return np.asarray(ROUNDING * (cdist(self.positions, self.positions) + self.sums))

    def clearance(self) -> float:
        return float(self.gaps().min())

    def self_distance(self) -> float:
        return max(self.clearance(), 0.0)


def gaps_to_balls(slow: SlowNecklace, pose: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(n, m): the beads in a pose against balls that stand in the world."""
    points = slow.points @ pose[:3, :3].T + pose[:3, 3]
    return np.asarray(cdist(points, centres) - slow.radii[:, None] - radii[None, :])


@dataclass
class Twin:
    """An er.Necklace and its slow twin, with a count of the verdicts that were compared."""

    necklace: Any
    slow: SlowNecklace
    recipe: Recipe
    seen: dict[str, int] = field(default_factory=lambda: {"free": 0, "collision": 0, "in doubt": 0})

    @staticmethod
    def of(recipe: Recipe, **settings: Any) -> Twin:
        return Twin(recipe.necklace(**settings), SlowNecklace(recipe), recipe)

    def move(self, positions: np.ndarray) -> None:
        self.slow.positions = np.array(positions, dtype=float)
        self.necklace.move(positions)

    def check_positions(self) -> None:
        assert self.necklace.positions().tobytes() == self.slow.positions.tobytes()

    def check_verdict(self) -> bool:
        """The necklace's verdict, compared unless the slow one hangs on rounding."""
        verdict, gaps = bool(er.self_collide(self.necklace)), self.slow.gaps()
        hits, near = (gaps <= 0.0).any(), (gaps <= self.slow.doubts()).any()
        assert verdict or not hits, f"free, but a gap is {gaps.min()}"
        assert not verdict or near, f"collision, but the clearance is {gaps.min()}"
        self.seen["in doubt" if near and not hits else "collision" if verdict else "free"] += 1
        return verdict


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))

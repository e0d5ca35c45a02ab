"""A chain kept the slow and obvious way: what every answer of er.Chain is judged by.

`SlowChain` holds the centre of every ball and the axes of every link in the world. A change moves all that
lies beyond its joint, undo takes back a copy, and every question looks at every pair. `Twin` makes the same
changes to an er.Chain and to a SlowChain and compares the two.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

import elbowroom as er

ROUNDING = 1e-9  # positions agree, and verdicts are sure, to this part of the size of the chain
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
SPECIAL_ANGLES = (0.0, np.pi, -np.pi, 2.0 * np.pi, 1e-12, 1e6)

Move = tuple[str, tuple[Any, ...]]
PairEnergy = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class Side(NamedTuple):
    """What er.SideBalls takes."""

    owner: np.ndarray
    positions: np.ndarray
    radii: np.ndarray
    torsions: Sequence[tuple[int, int, Sequence[int]]] = ()


@dataclass(frozen=True)
class Recipe:
    """The arguments of a chain."""

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
        given = {"exclude": self.exclude, "allowed": allowed, "side": side}
        return er.Chain(self.positions, self.radii, **given | settings)


class NoAxisError(Exception):
    """A torsion about two balls in one place."""


def rng_of(*what: object) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(repr(what).encode()))


def about_axis(axis: np.ndarray, angle: float, rounding: float = 0.0) -> np.ndarray:
    """The rotation by the right-hand rule (Rodrigues); an axis made of rounding errors is none."""
    length = np.linalg.norm(axis)
    if length <= rounding:
        raise NoAxisError
    x, y, z = axis / length
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * (skew @ skew))


class SlowChain:
    def __init__(self, recipe: Recipe) -> None:
        n, side = len(recipe.positions), recipe.side or Side(*(np.zeros((0, 3)),) * 3)
        self.links = n
        self.owner = np.concatenate([np.arange(n), np.asarray(side.owner, dtype=np.int64).reshape(-1)])
        self.balls = np.concatenate([recipe.positions, np.reshape(side.positions, (-1, 3))]).astype(float)
        own = np.broadcast_to(np.asarray(recipe.radii, dtype=float), (n,))
        self.radii = np.concatenate([own, np.reshape(side.radii, -1)])
        self.torsions = side.torsions
        self.frames = np.tile(np.eye(3), (n, 1, 1))
        self.history: list[tuple[np.ndarray, np.ndarray]] = []
        self.sums = self._sums_of_radii(recipe)

    def _sums_of_radii(self, recipe: Recipe) -> np.ndarray:
        """For the pairs i < j that are tested; minus infinity for all others, which are never close."""
        apart = np.abs(self.owner[:, None] - self.owner[None, :])
        tested = np.triu((apart > recipe.exclude) & (apart > 0), 1)
        for p, q in recipe.allowed:
            tested[np.ix_(self.owner == p, self.owner == q)] = False
            tested[np.ix_(self.owner == q, self.owner == p)] = False
        return np.where(tested, self.radii[:, None] + self.radii[None, :], -np.inf)

    # Changes.

    def _keep(self) -> None:
        self.history.append((self.balls.copy(), self.frames.copy()))

    def _carry(self, joint: int, rotation: np.ndarray, centre: np.ndarray, shift: Any = 0.0) -> None:
        """All links beyond the joint, with their side balls."""
        beyond = self.owner > joint
        self.balls[beyond] = (self.balls[beyond] - centre) @ rotation.T + centre + shift
        self.frames[joint + 1 :] = rotation @ self.frames[joint + 1 :]

    def rotate(self, joint: int, angle: float) -> None:
        self.change({joint: angle})

    def change(self, angles: dict[int, float]) -> None:
        self._keep()
        for joint, angle in angles.items():
            centre = self.balls[joint].copy()
            axis = self.balls[joint + 1] - centre
            self._carry(joint, about_axis(axis, angle, 1e-12 * self.size), centre)

    def turn(self, joint: int, rotation: np.ndarray) -> None:
        self._keep()
        self._carry(joint, rotation, self.balls[joint].copy())

    def move(self, joint: int, pose: np.ndarray) -> None:
        self._keep()
        self._carry(joint, pose[:3, :3], np.zeros(3), pose[:3, 3])

    def rotate_side(self, torsion: int, angle: float) -> None:
        self._keep()
        a, b, moving = self.torsions[torsion]
        rotation, centre = about_axis(self.balls[b] - self.balls[a], angle), self.balls[a].copy()
        self.balls[list(moving)] = (self.balls[list(moving)] - centre) @ rotation.T + centre

    def undo(self) -> None:
        self.balls, self.frames = self.history.pop()

    # Questions.

    @property
    def size(self) -> float:
        return float(np.abs(self.balls).max() + self.radii.max())

    @property
    def doubt(self) -> float:
        return ROUNDING * self.size

    def positions(self, side: bool = False) -> np.ndarray:
        return self.balls[: None if side else self.links].copy()

    def pose(self, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
        to_link = self.frames[i].T
        return to_link @ self.frames[j], to_link @ (self.balls[j] - self.balls[i])

    def gaps(self) -> np.ndarray:
        """Surface distances of all tested pairs, negative where balls overlap, infinite for the others."""
        return np.asarray(cdist(self.balls, self.balls) - self.sums)

    def clearance(self) -> float:
        return float(self.gaps().min())

    def collides(self) -> bool:
        return self.clearance() <= 0.0

    def self_distance(self) -> float:
        return max(self.clearance(), 0.0)

    def energy(self, of: PairEnergy, cutoff: float, kinds: np.ndarray | None = None) -> float:
        """The sum of of(squared distance, kind, kind, sum of radii) over tested pairs within the cutoff."""
        kinds = np.zeros(len(self.balls), dtype=np.int64) if kinds is None else kinds
        i, j = np.nonzero(np.isfinite(self.sums))
        squared = ((self.balls[i] - self.balls[j]) ** 2).sum(axis=1)
        near = squared <= cutoff**2
        i, j, squared = i[near], j[near], squared[near]
        return float(of(squared, kinds[i], kinds[j], self.sums[i, j]).sum())


@dataclass
class Twin:
    """An er.Chain and its slow twin, with a count of the verdicts that were compared."""

    chain: Any
    slow: SlowChain
    seen: dict[str, int] = field(default_factory=lambda: {"free": 0, "collision": 0, "in doubt": 0})

    @staticmethod
    def of(recipe: Recipe, **settings: Any) -> Twin:
        return Twin(recipe.chain(**settings), SlowChain(recipe))

    def make(self, move: Move) -> None:
        """The change in both; a torsion without an axis is refused and changes nothing."""
        name, arguments = move
        try:
            getattr(self.slow, name)(*arguments)
        except NoAxisError:
            self.slow.undo()
            assert self._refuses(name, arguments), "a torsion without an axis was taken"
        else:
            getattr(self.chain, name)(*arguments)

    def _refuses(self, name: str, arguments: tuple[Any, ...]) -> bool:
        try:
            getattr(self.chain, name)(*arguments)
        except ValueError as error:
            return "axis" in str(error)
        return False

    def undo(self, times: int = 1) -> None:
        for _ in range(times):
            self.make(("undo", ()))

    def check_verdict(self) -> bool:
        """The chain's verdict, compared unless the slow one hangs on rounding."""
        verdict, clearance = self.chain.collides(), self.slow.clearance()
        sure = abs(clearance) > self.slow.doubt
        assert not sure or verdict == (clearance < 0.0), f"{verdict}, but the clearance is {clearance}"
        self.seen["in doubt" if not sure else "collision" if verdict else "free"] += 1
        assert type(verdict) is bool
        return verdict

    def check_positions(self) -> None:
        for side in (False, True):
            there = self.chain.positions(side=side)
            assert there.shape == self.slow.positions(side).shape
            assert np.abs(there - self.slow.positions(side)).max() <= self.slow.doubt
        assert np.array_equal(there[0], self.slow.balls[0]), "link 0 never moves"

    def check_pose(self, i: int, j: int) -> None:
        pose, (rotation, translation) = self.chain.pose(i, j), self.slow.pose(i, j)
        assert np.abs(pose.rotation - rotation).max() <= ROUNDING
        assert np.abs(pose.translation - translation).max() <= self.slow.doubt


def random_rotation(rng: np.random.Generator, largest: float) -> np.ndarray:
    return about_axis(rng.normal(size=3), float(rng.uniform(-largest, largest)))


def random_move(rng: np.random.Generator, slow: SlowChain, gentle: bool = False) -> Move:
    """Any change of any joint, also the first and the last; a gentle one keeps most chains free."""
    last = slow.links - 2
    joint = int(rng.choice([0, last, *rng.integers(0, last + 1, 4)]))
    largest = 10.0 ** rng.uniform(-3.0, -1.0) if gentle else np.pi
    angle = float(rng.uniform(-largest, largest))
    if rng.random() < 0.2:
        angle = float(rng.choice(SPECIAL_ANGLES))
    kind = rng.choice(["rotate", "turn", "move", "change", "rotate_side"], p=[0.4, 0.2, 0.1, 0.2, 0.1])
    if kind == "turn":
        return "turn", (joint, random_rotation(rng, largest))
    if kind == "move":
        return "move", (joint, nudge(rng, slow, joint, largest))
    if kind == "change":
        joints = rng.integers(0, last + 1, int(rng.integers(1, 6)))
        return "change", ({int(j): float(rng.uniform(-largest, largest)) for j in joints},)
    if kind == "rotate_side" and slow.torsions:
        return "rotate_side", (int(rng.integers(len(slow.torsions))), angle)
    return "rotate", (joint, angle)


def nudge(rng: np.random.Generator, slow: SlowChain, joint: int, largest: float) -> np.ndarray:
    """A turn about the link and a small shift, so that the chain neither flies apart nor closes up."""
    rotation, centre = random_rotation(rng, largest), slow.balls[joint]
    bond = np.linalg.norm(slow.balls[joint + 1] - centre)
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = centre - rotation @ centre + rng.normal(size=3) * 0.02 * bond
    return pose


def touching_angle(slow: SlowChain, joint: int, hit: float, clearance: Callable[[], float]) -> float:
    """The torsion between 0, where the chain is free, and `hit`, where it is not, at which balls touch."""
    free = 0.0
    for _ in range(50):
        middle = 0.5 * (free + hit)
        slow.rotate(joint, middle)
        free, hit = (middle, hit) if clearance() > 0.0 else (free, middle)
        slow.undo()
    return hit


def wander(twin: Twin, rng: np.random.Generator, steps: int, gentle: bool = False) -> None:
    """Changes, one or a few at a time, with everything compared after each; most collisions are undone."""
    for _ in range(steps):
        before = len(twin.slow.history)
        for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
            twin.make(random_move(rng, twin.slow, gentle))
            if rng.random() < 0.5:
                twin.chain.validate()
        verdict = twin.check_verdict()
        twin.chain.validate()
        if rng.random() < 0.3:
            assert twin.chain.collides() == verdict, "asked twice"
        if rng.random() < (0.8 if verdict else 0.2):
            twin.undo(int(rng.integers(0, len(twin.slow.history) - before + 1)))
            twin.chain.validate()
            if rng.random() < 0.5:
                twin.check_verdict()
        twin.check_positions()
        twin.check_pose(*rng.integers(0, twin.slow.links, 2).tolist())


# Chains to begin with: each maker takes a random generator and the number of links.


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
    i, j = np.nonzero(SlowChain(base).gaps() <= 0.05)
    return replace(base, allowed=[(int(q), int(p)) for p, q in zip(i, j, strict=True)])


MAKERS: dict[str, Callable[[Any, int], Recipe]] = {
    "coil": coil, "tangle": tangle, "serpentine": serpentine, "protein": protein, "rows": rows,
    "layers": layers, "rod": rod, "zigzag": zigzag, "kinked": kinked, "stacked": stacked,
    "unequal": unequal, "points": points_only, "branched": branched, "tolerant": tolerant,
    "tiny": scaled(coil, 1e-12), "huge": scaled(protein, 1e9),
}  # fmt: skip
COMBINATIONS = [(m, v) for v in VOLUMES for m in MAKERS if m != "branched" or v in FAST]

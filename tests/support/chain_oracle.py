"""A chain kept the slow and obvious way: what every answer of er.Chain is judged by.

`SlowChain` holds the centre of every ball and the axes of every link in the world. A change moves all that
lies beyond its joint, undo takes back a copy, and every question looks at every pair. `Twin` makes the same
changes to an er.Chain and to a SlowChain and compares the two.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from chain_makers import Recipe, Side
from scipy.spatial.distance import cdist

ROUNDING = 1e-9  # positions agree, and verdicts are sure, to this part of the size of the chain
SPECIAL_ANGLES = (0.0, np.pi, -np.pi, 2.0 * np.pi, 1e-12, 1e6)

Move = tuple[str, tuple[Any, ...]]
PairEnergy = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class NoAxisError(Exception):
    """A torsion about two balls in one place."""


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
        tested = np.triu(apart > recipe.exclude, 1)
        for p, q in recipe.allowed:
            tested[min(p, q), max(p, q)] = False
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


def pickled(chain: Any) -> Any:
    return pickle.loads(pickle.dumps(chain))

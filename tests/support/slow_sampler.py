"""Monte Carlo of chains, the slow and obvious way: what the library's sampler is judged by.

A `SlowSampler` holds a crowd, many copies of one chain that know nothing of each other. A step proposes one
move in every copy, turns its balls in plain NumPy and looks at all pairs of them. After enough steps the
copies are independent samples of the measure, so that no correlation has to be reckoned with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from chain_makers import Recipe
from chain_oracle import SlowChain
from scipy.spatial.transform import Rotation

NEWTON_STEPS = 7
CLOSED = 1e-9  # what may be left open after Newton


@dataclass(frozen=True)
class Rule:
    """A kind of move, as the core takes it; a pivot with a size below zero takes any rotation."""

    kind: str
    weight: float = 1.0
    size: float = np.pi
    at: Sequence[int] = ()
    shortest: int = 0
    longest: int = 0


@dataclass(frozen=True)
class Attraction:
    """Lennard-Jones, cut off and not shifted."""

    epsilon: float
    sigma: float
    cutoff: float

    def __call__(self, squared: np.ndarray) -> np.ndarray:
        sixth = (self.sigma**2 / np.maximum(squared, 1e-9)) ** 3
        return np.where(squared <= self.cutoff**2, 4.0 * self.epsilon * (sixth**2 - sixth), 0.0)


def turned(points: np.ndarray, centre: np.ndarray, axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Rodrigues for a crowd: points (m, k, 3), turned about the line through centre (m, 3) along axis."""
    unit = (axis / np.linalg.norm(axis, axis=1, keepdims=True))[:, None]
    arm, cos, sin = points - centre[:, None], np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    along = np.einsum("mkx,mjx->mk", arm, unit)[:, :, None] * unit
    return np.asarray(centre[:, None] + along + cos * (arm - along) + sin * np.cross(unit, arm))


def twisted(balls: np.ndarray, owner: np.ndarray, joint: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """All links beyond the bond from `joint` to the next turn about it; joint and angle (m,)."""
    everyone = np.arange(len(balls))
    centre = balls[everyone, joint]
    swung = turned(balls, centre, balls[everyone, joint + 1] - centre, angle)
    return np.where((owner > joint[:, None])[:, :, None], swung, balls)


class SlowSampler:
    """`crowd` copies of a chain, all in the same state at first. Temperature infinity: hard core alone."""

    def __init__(
        self,
        recipe: Recipe,
        rules: Sequence[Rule],
        *,
        crowd: int,
        seed: int,
        energy: Attraction | None = None,
        temperature: float = np.inf,
    ) -> None:
        start = SlowChain(recipe)
        self.owner, self.side, self.links = start.owner, start.torsions, start.links
        self.pairs = np.nonzero(np.isfinite(start.sums))
        self.sums = start.sums[self.pairs]
        self.rules, self.energy, self.temperature = list(rules), energy, temperature
        self.rng = np.random.default_rng(seed)
        self.balls = np.repeat(start.balls[None], crowd, axis=0)
        self.all = np.arange(crowd)

    def run(self, steps: int) -> np.ndarray:
        """The balls of the crowd after so many steps more, (crowd, balls, 3)."""
        for _ in range(steps):
            self.step()
        return self.balls

    def step(self) -> None:
        proposed, ratio = self.propose()
        taken = self.accepts(proposed, ratio)
        self.balls[taken] = proposed[taken]

    def propose(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the balls would be, and a factor of the odds; the whole crowd makes one kind of move."""
        weights = np.array([rule.weight for rule in self.rules])
        rule = self.rules[self.rng.choice(len(weights), p=weights / weights.sum())]
        made = self.side_torsion(rule) if rule.kind == "side" else getattr(self, rule.kind)(rule)
        return made if isinstance(made, tuple) else (made, np.ones(len(self.all)))

    def accepts(self, proposed: np.ndarray, ratio: np.ndarray) -> np.ndarray:
        """Metropolis: no collision, and min(1, ratio exp(-change of energy / temperature))."""
        odds = ratio * np.exp(-np.clip(self.rise(proposed) / self.temperature, -700.0, 700.0))
        return ~self.collides(proposed) & (self.rng.random(len(odds)) < odds)

    def rise(self, proposed: np.ndarray) -> np.ndarray:
        return self.energies(proposed) - self.energies(self.balls)

    def energies(self, balls: np.ndarray) -> np.ndarray:
        if self.energy is None:
            return np.zeros(len(balls))
        return np.asarray(self.energy(self.squared_distances(balls)).sum(axis=1))

    def squared_distances(self, balls: np.ndarray) -> np.ndarray:
        between = balls[:, self.pairs[0]] - balls[:, self.pairs[1]]
        return np.einsum("mkx,mkx->mk", between, between)

    def collides(self, balls: np.ndarray) -> np.ndarray:
        return np.asarray((self.squared_distances(balls) <= self.sums**2).any(axis=1))

    # Proposals.

    def angles(self, rule: Rule) -> np.ndarray:
        return self.rng.uniform(-rule.size, rule.size, len(self.all))

    def torsion(self, rule: Rule) -> np.ndarray:
        return twisted(self.balls, self.owner, self.rng.choice(rule.at, len(self.all)), self.angles(rule))

    def pivot(self, rule: Rule) -> np.ndarray:
        joint = self.rng.choice(rule.at, len(self.all))
        axis, angle = self.rotations(rule)
        swung = turned(self.balls, self.balls[self.all, joint], axis, angle)
        return np.where((self.owner > joint[:, None])[:, :, None], swung, self.balls)

    def rotations(self, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
        """Axes and angles; any rotation is a unit quaternion, uniform on the sphere in four dimensions."""
        if rule.size >= 0.0:
            return self.rng.normal(size=(len(self.all), 3)), self.angles(rule)
        quaternion = self.rng.normal(size=(len(self.all), 4))
        return quaternion[:, 1:], 2.0 * np.arctan2(
            np.linalg.norm(quaternion[:, 1:], axis=1), quaternion[:, 0]
        )

    def crankshaft(self, rule: Rule) -> np.ndarray:
        apart = self.rng.integers(rule.shortest, rule.longest + 1, len(self.all))
        first = self.rng.integers(0, self.links - apart)
        start, end = self.balls[self.all, first], self.balls[self.all, first + apart]
        swung = turned(self.balls, start, end - start, self.angles(rule))
        between = (self.owner > first[:, None]) & (self.owner < (first + apart)[:, None])
        return np.where(between[:, :, None], swung, self.balls)

    def side_torsion(self, rule: Rule) -> np.ndarray:
        number, out = self.rng.choice(rule.at, len(self.all)), self.balls.copy()
        angle = self.angles(rule)
        for k, (a, b, moving) in enumerate(self.side):
            which = np.ix_(np.flatnonzero(number == k), moving)
            start, end = self.balls[which[0][:, 0], a], self.balls[which[0][:, 0], b]
            out[which] = turned(self.balls[which], start, end - start, angle[number == k])
        return out

    # Concerted rotations: seven torsions, the first at random, the others so that nothing beyond them moves.

    def rebridge(self, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
        first = self.rng.integers(0, len(rule.at) - 6, len(self.all))
        joints = np.asarray(rule.at)[first[:, None] + np.arange(7)]
        angle = self.angles(rule)
        proposed, closed = self.bridged(self.balls, joints, angle)
        ratio = self.jacobian(self.balls, joints) / self.jacobian(proposed, joints)
        returns = self.returns(self.bridged(proposed, joints, -angle)[0])
        return proposed, np.where(closed & returns, ratio, 0.0)

    def returns(self, back: np.ndarray) -> np.ndarray:
        """Where the reverse of a concerted rotation leads to the state it began in."""
        return np.asarray(np.abs(back - self.balls).max(axis=(1, 2)) < 1e3 * CLOSED)

    def jacobian(self, balls: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """|det|: how much of the space of rigid motions six torsions sweep; its inverse is the density."""
        return np.abs(np.linalg.det(screws(*self.lines(balls, joints))[:, :, 1:]))

    def lines(self, balls: np.ndarray, joints: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(crowd, 7, 3) each: a point on the bond of each joint, and its direction."""
        base, end = balls[self.all[:, None], joints], balls[self.all[:, None], joints + 1]
        return base, (end - base) / np.linalg.norm(end - base, axis=2, keepdims=True)

    def bridged(
        self, balls: np.ndarray, joints: np.ndarray, first: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The chains with the first torsion changed by `first`, and where Newton found the other six."""
        base, axis = self.lines(balls, joints)
        angles = np.zeros((len(self.all), 7))
        angles[:, 0] = first
        for _ in range(NEWTON_STEPS):
            left, *moved = carried(base, axis, angles)
            angles[:, 1:] -= np.linalg.solve(screws(*moved)[:, :, 1:], left[:, :, None])[:, :, 0]
        closed, out = np.abs(carried(base, axis, angles)[0]).max(axis=1) < CLOSED, balls
        for joint, angle in zip(joints.T, angles.T, strict=True):
            out = twisted(out, self.owner, joint, angle)
        return np.where((self.owner > joints[:, 6:])[:, :, None], balls, out), closed


def screws(base: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """(m, 6, 7): what turning about each line does to all beyond it: speed at the origin, turn."""
    return np.concatenate([np.cross(base, axis), axis], axis=2).transpose(0, 2, 1)


def carried(
    base: np.ndarray, axis: np.ndarray, angles: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turns about seven lines, each carrying those after it: what it does to all beyond them, to first order
    (m, 6), and the lines where they are then.
    """
    turn, shift = np.tile(np.eye(3), (len(base), 1, 1)), np.zeros((len(base), 3, 1))
    own = Rotation.from_rotvec((axis * angles[:, :, None]).reshape(-1, 3)).as_matrix().reshape(-1, 7, 3, 3)
    bases, axes = [], []
    for k in range(7):
        bases.append(turn @ base[:, k, :, None] + shift)
        axes.append(turn @ axis[:, k, :, None])
        turn = turn @ own[:, k]
        shift = bases[k] - turn @ base[:, k, :, None]
    skew = 0.5 * (turn - turn.transpose(0, 2, 1))
    left = np.stack([*shift[:, :, 0].T, skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    return left, np.stack(bases, axis=1)[..., 0], np.stack(axes, axis=1)[..., 0]


def swap(a: SlowSampler, b: SlowSampler) -> None:
    """Two crowds at neighbouring temperatures exchange copies, by Metropolis."""
    gain = (1.0 / a.temperature - 1.0 / b.temperature) * (a.energies(a.balls) - b.energies(b.balls))
    taken = a.rng.random(len(gain)) < np.exp(np.minimum(gain, 0.0))
    a.balls[taken], b.balls[taken] = b.balls[taken], a.balls[taken]

"""A sampler's slow twin: the same random numbers, every proposal in plain NumPy, every pair looked at.

The twin knows how the core draws (xoshiro256++, one draw ahead of the step), and that the rotation of a pivot
is told in the frame of the leaf, sixteen balls, that holds the last ball that stays. So it can say of every
step what was proposed, whether it collides, and whether it is to be accepted.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from chain_oracle import SlowChain, about_axis
from slow_sampler import Rule

LEAF = 16  # balls
WORD = 2**64
HINGES = 7
SURE_ROUNDS = 12  # of Newton; what takes more hangs on rounding


def mixed(z: int) -> int:
    """splitmix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def turned(x: int, k: int) -> int:
    return (x << k | x >> (64 - k)) % WORD


class Random:
    """The core's random numbers."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        golden, x = 0x9E3779B97F4A7C15, mixed(stream ^ 0xD1B54A32D192ED03)
        words = [mixed((seed + (k + 1) * golden) % WORD) for k in range(4)]
        self.s = [mixed(word ^ (x + (k + 1) * golden) % WORD) for k, word in enumerate(words)]

    def next(self) -> int:
        s = self.s
        out, t = (turned((s[0] + s[3]) % WORD, 23) + s[0]) % WORD, s[1] << 17 & WORD - 1
        s[2], s[3] = s[2] ^ s[0], s[3] ^ s[1]
        s[1], s[0] = s[1] ^ s[2], s[0] ^ s[3]
        s[2], s[3] = s[2] ^ t, turned(s[3], 45)
        return out

    def uniform(self) -> float:
        return float((self.next() >> 11) * 2.0**-53)

    def symmetric(self) -> float:
        return float(((self.next() >> 11) + 0.5) * 2.0**-52 - 1.0)

    def below(self, n: int) -> int:
        m = self.next() * n
        while m % WORD < WORD % n:
            m = self.next() * n
        return m >> 64

    def disc(self) -> tuple[float, float, float]:
        """A point in the unit disc, and its squared radius."""
        while True:
            a, b = self.symmetric(), self.symmetric()
            if a * a + b * b < 1.0:
                return a, b, a * a + b * b

    def direction(self) -> np.ndarray:
        a, b, square = self.disc()
        return np.array([*(2.0 * np.sqrt(1.0 - square) * np.array([a, b])), 1.0 - 2.0 * square])

    def rotation(self) -> np.ndarray:
        a, b, s2 = self.disc()
        c, d, t2 = self.disc()
        f = np.sqrt((1.0 - s2) / t2)
        axis = np.array([b, c * f, d * f])
        return about_axis(axis, 2.0 * np.arctan2(np.linalg.norm(axis), a))


@dataclass(frozen=True)
class Draw:
    move: int
    at: int
    length: int = 0


@dataclass
class Proposal:
    """A new state; `ratio` is what its probability is to be multiplied by."""

    balls: np.ndarray
    frames: np.ndarray
    ratio: float = 1.0
    sure: bool = True  # else it hangs on rounding whether there is one


class SlowTwin:
    """The state of a chain and of its sampler; balls with the links' own first."""

    def __init__(self, slow: SlowChain, rules: Sequence[Rule], seed: int, stream: int = 0) -> None:
        self.slow, self.rules, self.random = slow, list(rules), Random(seed, stream)
        self.sizes = [rule.size for rule in rules]
        self.weights = np.cumsum([rule.weight for rule in rules])
        order = np.argsort(slow.owner, kind="stable")  # of the tree: a link's own ball, then its side balls
        self.link, self.first = slow.owner[order], np.flatnonzero(order < slow.links)
        self.ahead: Draw | None = None

    def draw(self) -> Draw:
        move = 0
        if len(self.rules) > 1:
            u = self.random.uniform() * self.weights[-1]
            move = min(int(np.searchsorted(self.weights, u, side="right")), len(self.rules) - 1)
        rule = self.rules[move]
        if rule.kind == "crankshaft":
            length = rule.shortest + self.random.below(rule.longest - rule.shortest + 1)
            return Draw(move, self.random.below(self.slow.links - length), length)
        if rule.kind == "rebridge":
            return Draw(move, self.random.below(len(rule.at) - HINGES + 1))
        return Draw(move, int(rule.at[self.random.below(len(rule.at))]))

    def step(self) -> tuple[int, Proposal | None]:
        """Which move is tried, and what it proposes."""
        now = self.ahead or self.draw()
        self.ahead = self.draw()
        return now.move, getattr(self, self.rules[now.move].kind)(now)

    def resume(self, saved: bytes) -> None:
        """The random numbers and the draw ahead, from the bytes of a sampler."""
        words = struct.unpack_from("<q4Qq3q", saved)
        self.random.s, self.ahead = list(words[1:5]), Draw(*words[6:9])

    def angle(self, now: Draw) -> float:
        return self.sizes[now.move] * self.random.symmetric()

    def carried(self, joints: Sequence[int], rotations: Sequence[Any], end: int = -1) -> Proposal:
        """All links beyond each joint turn about its link, the last joint first; from `end` on they stay."""
        balls, frames = self.slow.balls.copy(), self.slow.frames.copy()
        for joint, rotation in sorted(zip(joints, rotations, strict=True), key=lambda each: -each[0]):
            beyond, centre = self.slow.owner > joint, self.slow.balls[joint]
            balls[beyond] = (balls[beyond] - centre) @ rotation.T + centre
            frames[joint + 1 :] = rotation @ frames[joint + 1 :]
        if end >= 0:
            balls[self.slow.owner >= end] = self.slow.balls[self.slow.owner >= end]
            frames[end:] = self.slow.frames[end:]
        return Proposal(balls, frames)

    def bond(self, joint: int) -> np.ndarray:
        return np.asarray(self.slow.balls[joint + 1] - self.slow.balls[joint])

    # Moves.

    def torsion(self, now: Draw) -> Proposal:
        return self.carried([now.at], [about_axis(self.bond(now.at), self.angle(now))])

    def pivot(self, now: Draw) -> Proposal:
        leaf = self.slow.frames[self.link[(self.first[now.at + 1] - 1) // LEAF * LEAF]]
        any_turn = self.sizes[now.move] < 0.0
        turn = self.random.rotation() if any_turn else about_axis(self.random.direction(), self.angle(now))
        return self.carried([now.at], [leaf @ turn @ leaf.T])

    def crankshaft(self, now: Draw) -> Proposal | None:
        angle, end = self.angle(now), now.at + now.length
        axis, reach = self.slow.balls[end] - self.slow.balls[now.at], self.slow.size
        if np.linalg.norm(axis) <= 1e-12 * reach:
            return None
        made = self.carried([now.at], [about_axis(axis, angle)], end)
        made.sure = bool(np.linalg.norm(axis) > 1e-6 * reach)  # nearer, the axis itself is rounding
        return made

    def side(self, now: Draw) -> Proposal:
        a, b, moving = self.slow.torsions[now.at]
        centre, angle = self.slow.balls[a], self.angle(now)
        rotation = about_axis(self.slow.balls[b] - centre, angle)
        balls = self.slow.balls.copy()
        balls[list(moving)] = (balls[list(moving)] - centre) @ rotation.T + centre
        return Proposal(balls, self.slow.frames)

    def rebridge(self, now: Draw) -> Proposal | None:
        joints = list(self.rules[now.move].at[now.at : now.at + HINGES])
        first = self.angle(now)
        base = self.slow.balls[joints] - self.slow.balls[joints[0]]
        axes = np.array([self.bond(joint) for joint in joints])
        axes /= np.linalg.norm(axes, axis=1)[:, None]
        there, sure = closed(base, axes, first)
        moved_base, moved_axes, _, _ = placed(base, axes, there)
        back, sure_back = closed(moved_base, moved_axes, -first)
        off = float(np.abs(there + back).max())
        if not (sure and sure_back) or 1e-7 < off < 1e-2:
            return self.unsure()
        if off > 1e-7:
            return None  # it does not lead back
        turns = [about_axis(axis, angle) for axis, angle in zip(axes, there, strict=True)]
        made = self.carried(joints, turns, joints[-1] + 1)
        made.ratio = volume(base, axes) / volume(moved_base, moved_axes)
        return made

    def unsure(self) -> Proposal:
        return Proposal(self.slow.balls, self.slow.frames, sure=False)


# Concerted rotations: seven hinges, the turn of the first given, the others by Newton's method.


def placed(
    base: np.ndarray, axes: np.ndarray, turns: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The hinges once the turns are made, and the map x -> turn x + shift of all that follows."""
    turn, shift, at, along = np.eye(3), np.zeros(3), np.empty_like(base), np.empty_like(axes)
    for k, angle in enumerate(turns):
        at[k], along[k] = turn @ base[k] + shift, turn @ axes[k]
        own = about_axis(axes[k], float(angle))
        turn, shift = turn @ own, at[k] - turn @ own @ base[k]
    return at, along, turn, shift


def screws(base: np.ndarray, axes: np.ndarray, scale: float) -> np.ndarray:
    """(6, 6): what the last six turns do to all beyond them."""
    return np.concatenate([axes, np.cross(axes, -base) / scale], axis=1)[1:].T


def volume(base: np.ndarray, axes: np.ndarray) -> float:
    return float(abs(np.linalg.det(screws(base, axes, 1.0))))


def twist(turn: np.ndarray, shift: np.ndarray, scale: float) -> np.ndarray:
    """The rotation vector of a map, and where it takes the origin."""
    spin = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine = float(np.linalg.norm(spin))
    angle = np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0))
    return np.concatenate([spin * (angle / sine if sine > 1e-150 else 1.0), shift / scale])


def closed(base: np.ndarray, axes: np.ndarray, first: float) -> tuple[np.ndarray, bool]:
    """The seven turns, and whether they are sure: Newton came to rest soon, and far from where it stalls."""
    scale, turns = float(np.linalg.norm(base, axis=1).max()), np.zeros(HINGES)
    turns[0] = first
    for _ in range(SURE_ROUNDS):
        at, along, turn, shift = placed(base, axes, turns)
        left, hinges = twist(turn, shift, scale), screws(at, along, scale)
        size = abs(float(np.linalg.det(hinges)))
        if max(np.linalg.norm(left[:3]), np.linalg.norm(left[3:])) <= 1e-12:
            return turns, size > 1e-5
        if size <= 1e-12:
            break
        turns[1:] -= np.clip(np.linalg.solve(hinges, left), -0.5, 0.5)
    return turns, False

"""Bodies on their way, and the question that is asked of them at every step.

A walk goes to the end of its path and back again, for ever, so that any number of calls can be made on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import cycle
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks.common import Array
from elbowroom import scenes

Question = Callable[..., Any]
Options = dict[str, Any]
ACROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # one ring through the other
FINE = {"segments": 200, "sides": 50}  # a torus of 20,000 triangles
COARSE = {"segments": 45, "sides": 36}  # of 3240
SPRING_RISE = 1.2  # of one turn of the springs
SLACK = 0.45  # radius of balls that are 1 apart along a chain: room for small torsions


@dataclass
class Walk:
    """One question about the same bodies, step by step.

    `go` makes a move and returns what the question wants besides the bodies: nothing, or the poses.
    """

    name: str
    question: Question
    bodies: tuple[Any, ...]
    moves: Iterator[Any]
    go: Callable[[Any], tuple[Any, ...]]
    options: Options = field(default_factory=dict)
    rest: tuple[Any, ...] = ()

    def advance(self) -> None:
        self.rest = self.go(next(self.moves))

    def call(self, **how: Any) -> Callable[[], Any]:
        """The question at this step, ready to be asked: what is timed is the library and nothing else."""
        return partial(self.question, *self.bodies, *self.rest, **self.options, **how)


def rigid(name: str, question: Question, bodies: tuple[Any, ...], poses: Array, **options: Any) -> Walk:
    """The second body goes along the poses."""
    return Walk(name, question, bodies, to_and_fro(list(poses)), lambda pose: (None, pose), options)


def moving(
    name: str, question: Question, body: Any, values: Sequence[Any], rest: tuple[Any, ...] = ()
) -> Walk:
    """A copy of a body that is told all its values at every step: an articulated body or a necklace."""
    own = copy(body)

    def go(value: Any) -> tuple[Any, ...]:
        own.move(value)
        return ()

    return Walk(name, question, (own, *rest), to_and_fro(values), go)


def bending(name: str, question: Question, chain: er.Chain, turns: Sequence[tuple[int, float]]) -> Walk:
    """A copy of a chain under torsions, which are taken back in the opposite order."""
    own = copy(chain)

    def go(turn: tuple[int, float]) -> tuple[Any, ...]:
        own.rotate(*turn)
        return ()

    back = [(joint, -angle) for joint, angle in reversed(turns)]
    return Walk(name, question, (own,), cycle([*turns, *back]), go)


def to_and_fro(values: Sequence[Any]) -> Iterator[Any]:
    return cycle([*values, *reversed(values)])


@lru_cache(maxsize=4)
def spring(children: int = 8) -> er.Mesh:
    return er.Mesh(*scenes.spring(), children=children)


def falling(count: int, low: float, high: float) -> Array:
    """Poses of a ring that goes sideways through another one, at a right angle and turning a little."""
    along = np.linspace(low, high, count)
    poses = np.tile(np.eye(4), (count, 1, 1))
    cosine, sine = np.cos(0.2 * along), np.sin(0.2 * along)
    turned = np.tile(np.eye(3), (count, 1, 1))
    turned[:, 0, 0], turned[:, 0, 1], turned[:, 1, 0], turned[:, 1, 1] = cosine, -sine, sine, cosine
    poses[:, :3, :3] = turned @ ACROSS
    poses[:, 0, 3], poses[:, 1, 3] = along, 0.013
    return poses


def interleaved(count: int) -> Array:
    """Poses of a spring screwed into another one, close everywhere: it touches when it rises or tilts."""
    time = np.linspace(0, 2 * np.pi, count)
    screwed, tilted = 0.3 * np.sin(2 * time), 0.02 * np.sin(3 * time)
    poses = np.tile(np.eye(4), (count, 1, 1))
    turns = Rotation.from_euler("zx", np.stack([screwed, tilted], axis=1))
    poses[:, :3, :3] = turns.as_matrix()
    poses[:, 2, 3] = SPRING_RISE * (0.5 + screwed / (2 * np.pi)) + 0.13 * np.sin(time)
    return poses


@lru_cache(maxsize=4)
def coiled(links: int) -> Array:
    """A self-avoiding coil, which takes seconds to grow when it is long."""
    return scenes.coil(links, 1.0, 1.0 + 1e-9)


@lru_cache(maxsize=4)
def loose_chain(links: int, count: int, seed: int = 4) -> tuple[er.Chain, list[tuple[int, float]]]:
    """A coil of balls that do not quite fill it, and small torsions after none of which it collides."""
    chain, rng = er.Chain(coiled(links), SLACK), np.random.default_rng(seed)
    turns: list[tuple[int, float]] = []
    while len(turns) < count:
        turn = int(rng.integers(1, links - 2)), float(rng.uniform(-2e-3, 2e-3))
        chain.rotate(*turn)
        if er.self_collide(chain):
            chain.undo()
        else:
            turns.append(turn)
    return er.Chain(coiled(links), SLACK), turns


def shift(translation: Array) -> Array:
    """What to add to poses to move them all."""
    added = np.zeros((4, 4))
    added[:3, 3] = translation
    return added

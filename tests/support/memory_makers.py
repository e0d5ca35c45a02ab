"""Bodies that move, for memories: a stage knows what is asked, how the bodies go on, and all true gaps.

An `Actor` is a body that moves by itself (a chain bends, a necklace wobbles); its pose goes by one of the
walks. `Two` asks about two actors, `Alone` about one and itself. Both tell the gaps of all that an answer
can name and, primitive by primitive, those that a proof is made of.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Protocol

import nasty
import numpy as np
import oracle
from memory_walks import WALKS

import elbowroom as er

METHODS = ("auto", "best-first", "depth-first")
BUDGETS = (0, 1, 5, 20, 60, 200, 1000, None)  # tests; None: as many as it takes
Part = tuple[int, int]  # two solids of two actors, or of one
Tables = dict[Part, np.ndarray]  # gaps of all pairs of primitives


# Actors.


class Actor(Protocol):
    """A body in some shape, with all that is rigid in it as the oracle sees it, in the body's frame."""

    body: Any

    def step(self, rng: np.random.Generator) -> None: ...
    def solids(self) -> list[oracle.Solid]: ...
    def names(self) -> Sequence[np.ndarray]: ...  # of each primitive of each solid: what an answer calls it
    def below(self, solid: int, record: int) -> np.ndarray: ...  # primitives below a node of its tree
    def count(self) -> int: ...  # how many things an answer can name
    def reach(self) -> float: ...


class SelfActor(Actor, Protocol):
    """One that can be asked about itself."""

    def self_tables(self) -> Tables: ...  # i <= j; infinite for pairs that are never compared
    def self_gaps(self) -> np.ndarray: ...
    def self_whole(self) -> int: ...
    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray: ...


class Rigid:
    """It stays as it is."""

    def __init__(self, thing: nasty.Thing) -> None:
        self.thing, self.body = thing, thing.body

    def step(self, _: np.random.Generator) -> None: ...

    def solids(self) -> list[oracle.Solid]:
        return [self.thing.solid]

    def names(self) -> Sequence[np.ndarray]:
        return [np.arange(len(self.thing.solid.radii))]

    def below(self, solid: int, record: int) -> np.ndarray:
        return np.array(self.body._below(record))

    def count(self) -> int:
        return len(self.thing.solid.radii)

    def reach(self) -> float:
        return self.thing.reach


def all_pairs(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    return np.stack([np.repeat(i, len(j)), np.tile(j, len(i))], axis=1)


def balls(centres: np.ndarray, radii: np.ndarray) -> oracle.Solid:
    """Spheres for the oracle: points with a radius, without faces or edges."""
    starts = np.zeros((len(radii) + 1, 3), dtype=np.int64)
    starts[:, 0] = np.arange(len(radii) + 1)
    no_faces, no_edges = np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
    return oracle.Solid(np.array(centres, dtype=float), no_faces, no_edges, starts, np.array(radii, float))


# Stages.


class Stage(Protocol):
    @property
    def doubt(self) -> float: ...  # what hangs on rounding
    def step(self) -> None: ...
    def ask(self, question: str, *reach: float, swapped: bool = False, **how: Any) -> Any: ...
    def gaps(self) -> np.ndarray: ...  # (n, m) of all that an answer can name, infinite if never compared
    def tables(self) -> Tables: ...
    def whole(self) -> int: ...  # how many pairs of primitives there are
    def bends(self) -> bool: ...  # are there two bodies that are not both rigid
    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray: ...  # (k, 2), of two nodes of a part


class Two:
    """Two actors; the second walks, and both may be carried along together."""

    def __init__(
        self, rng: np.random.Generator, one: Actor, other: Actor, walk: str = "any", carried: str = "still"
    ) -> None:
        self.rng, self.one, self.other = rng, one, other
        self.walk, self.carried, self.grazing = WALKS[walk], WALKS[carried], 0.3 if walk == "any" else 0.0
        self.frame, self.away, self.steps = np.eye(4), np.eye(4), 0
        self.known: tuple[Any, Tables] | None = None
        self.away[:3, 3] = nasty.directions(rng, 1)[0] * 0.5 * self.size

    @property
    def size(self) -> float:
        return self.one.reach() + self.other.reach()

    @property
    def doubt(self) -> float:
        return 1e-13 * (self.size + float(np.abs(self.frame).max() + np.abs(self.pose_b).max()))

    @property
    def pose_b(self) -> np.ndarray:
        return np.asarray(self.frame @ self.away)

    def part(self) -> None:
        """Away from each other until they are apart."""
        while self.ask("collide"):
            self.away[:3, 3] *= 1.2

    def step(self) -> None:
        for actor in (self.one, self.other):
            actor.step(self.rng)
        self.steps += 1
        self.away = self.walk(self.rng, self.away, self.size)
        self.frame = self.carried(self.rng, self.frame, self.size)
        if self.rng.random() < self.grazing:
            self.graze()

    def graze(self) -> None:
        """Up to the other, but for a hair, where proofs have next to nothing to spare."""
        found = self.ask("distance")
        if not 0.0 < found.value < np.inf:
            return
        hair = self.size * 10.0 ** self.rng.uniform(-9.0, -1.5)
        shift = (found.points[0] - found.points[1]) * (1.0 - hair / found.value)
        self.away[:3, 3] += self.frame[:3, :3].T @ shift

    def ask(self, question: str, *reach: float, swapped: bool = False, **how: Any) -> Any:
        bodies, poses = (self.one.body, self.other.body), (self.frame, self.pose_b)
        if swapped:
            bodies, poses = bodies[::-1], poses[::-1]
        return getattr(er, question)(*bodies, *reach, *poses, **how)

    def tables(self) -> Tables:
        """Worked out once for every place where the two stand."""
        now = self.steps, self.away.tobytes(), self.frame.tobytes()
        if self.known is None or self.known[0] != now:
            self.known = now, self.tables_now()
        return self.known[1]

    def tables_now(self) -> Tables:
        placed = []
        for actor, pose in ((self.one, self.frame), (self.other, self.pose_b)):
            placed.append([oracle.moved(solid, pose[:3, :3], pose[:3, 3]) for solid in actor.solids()])
        pairs = itertools.product(*(range(len(solids)) for solids in placed))
        return {(i, j): np.asarray(oracle.signed_matrix(placed[0][i], placed[1][j])) for i, j in pairs}

    def gaps(self) -> np.ndarray:
        names = self.one.names(), self.other.names()
        out = np.full([actor.count() for actor in (self.one, self.other)], np.inf)
        for (i, j), table in self.tables().items():
            np.minimum.at(out, (names[0][i][:, None], names[1][j][None, :]), table)
        return out

    def whole(self) -> int:
        return sum(table.size for table in self.tables().values())

    def bends(self) -> bool:
        return not (isinstance(self.one, Rigid) and isinstance(self.other, Rigid))

    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray:
        return all_pairs(self.one.below(part[0], a), self.other.below(part[1], b))


class Alone:
    """One actor and itself."""

    def __init__(self, rng: np.random.Generator, actor: SelfActor) -> None:
        self.rng, self.actor = rng, actor

    @property
    def size(self) -> float:
        return self.actor.reach()

    @property
    def doubt(self) -> float:
        return 1e-12 * self.size

    def step(self) -> None:
        self.actor.step(self.rng)

    def ask(self, question: str, *reach: float, swapped: bool = False, **how: Any) -> Any:
        assert not swapped, "there is one body"
        return getattr(er, f"self_{question}")(self.actor.body, *reach, **how)

    def tables(self) -> Tables:
        return self.actor.self_tables()

    def gaps(self) -> np.ndarray:
        return self.actor.self_gaps()

    def whole(self) -> int:
        return self.actor.self_whole()

    def bends(self) -> bool:
        return False

    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray:
        return self.actor.pairs_below(part, a, b)

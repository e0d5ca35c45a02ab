"""Chains, necklaces and articulated bodies on the stage of a memory; each moves with its slow twin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import articulated_oracle
import chain_oracle
import necklace_oracle
import numpy as np
import oracle
from articulated_makers import Recipe as LinksRecipe
from chain_makers import Recipe as ChainRecipe
from chain_oracle import random_move
from memory_makers import Part, Tables, all_pairs, balls
from memory_walks import crawl
from necklace_makers import Recipe as NecklaceRecipe
from necklace_motions import GENTLE, MOTIONS

LEAF, CHILDREN, LEVEL_AT = 16, 8, 27  # balls of a leaf, children of a node, where a number keeps its level


def run_of(record: int, balls: int) -> np.ndarray:
    """The balls below a node of a tree over balls in a row; its number holds its level and its place."""
    width = LEAF * CHILDREN ** (record >> LEVEL_AT)
    first = (record & ((1 << LEVEL_AT) - 1)) * width
    return np.arange(first, min(first + width, balls))


def pairs_of_runs(a: int, b: int, balls: int) -> np.ndarray:
    """Pairs i < j of two nodes of one tree; a child and its parent are the child and what follows it."""
    i, j = run_of(a, balls), run_of(b, balls)
    pairs = all_pairs(i, j)
    if i[0] >= j[0] and i[-1] <= j[-1]:  # one holds the other
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    return pairs


class Bending:
    """A chain that is bent, side balls too, and bent back; `gentle` is the share of small changes."""

    def __init__(self, recipe: ChainRecipe, gentle: float = 0.8, **settings: Any) -> None:
        self.twin, self.gentle = chain_oracle.Twin.of(recipe, **settings), gentle
        self.body = self.twin.chain

    def step(self, rng: np.random.Generator) -> None:
        """Often nothing; seldom undone, or asked in between, which applies a pending change."""
        slow, kind = self.twin.slow, rng.random()
        if kind < 0.1 and slow.history:
            self.twin.undo(len(slow.history) if kind < 0.07 else 1)
        elif kind < 0.9:
            for _ in range(int(rng.choice([1, 1, 3]))):
                self.twin.make(random_move(rng, slow, bool(rng.random() < self.gentle)))
        if rng.random() < 0.2:
            self.body.collides()

    def solids(self) -> list[oracle.Solid]:
        return [balls(self.twin.slow.balls, self.twin.slow.radii)]

    def names(self) -> Sequence[np.ndarray]:
        return [np.arange(len(self.twin.slow.radii))]

    def below(self, solid: int, record: int) -> np.ndarray:
        return np.asarray(self.order()[run_of(record, self.count())])

    def order(self) -> np.ndarray:
        """Balls as they lie in the tree, each link's together."""
        return np.argsort(self.twin.slow.owner, kind="stable")

    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray:
        return np.sort(self.order()[pairs_of_runs(a, b, self.count())], axis=1)

    def count(self) -> int:
        return len(self.twin.slow.radii)

    def reach(self) -> float:
        return self.twin.slow.size

    def self_gaps(self) -> np.ndarray:
        return self.twin.slow.gaps()

    def self_tables(self) -> Tables:
        return {(0, 0): self.self_gaps()}

    def self_whole(self) -> int:
        return self.count() * (self.count() - 1) // 2


class Wobbling:
    """A necklace of which every bead moves."""

    def __init__(self, recipe: NecklaceRecipe, gentle: float = 0.8, **settings: Any) -> None:
        self.twin, self.gentle = necklace_oracle.Twin.of(recipe, **settings), gentle
        self.body, self.size = self.twin.necklace, recipe.size

    def step(self, rng: np.random.Generator) -> None:
        """Seldom back to where it began: most motions end in a collision sooner or later."""
        if rng.random() < 0.15:
            self.twin.move(self.twin.recipe.positions)
            return
        motion = MOTIONS[str(rng.choice(GENTLE if rng.random() < self.gentle else [*MOTIONS]))]
        self.twin.move(motion(rng, self.twin.slow.positions, self.size))

    def solids(self) -> list[oracle.Solid]:
        return [balls(self.twin.slow.points, self.twin.slow.radii)]

    def names(self) -> Sequence[np.ndarray]:
        return [np.arange(len(self.twin.slow.radii))]

    def below(self, solid: int, record: int) -> np.ndarray:
        return run_of(record, self.count())

    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray:
        return pairs_of_runs(a, b, self.count())

    def count(self) -> int:
        return len(self.twin.slow.radii)

    def reach(self) -> float:
        return float(np.abs(self.twin.slow.positions).max()) + self.twin.slow.extent

    def self_gaps(self) -> np.ndarray:
        return self.twin.slow.gaps()

    def self_tables(self) -> Tables:
        return {(0, 0): self.self_gaps()}

    def self_whole(self) -> int:
        return self.count() * (self.count() - 1) // 2


class Jointed:
    """An articulated body: all joints by a little, some by much, or links placed one by one."""

    def __init__(self, recipe: LinksRecipe, **settings: Any) -> None:
        self.twin = articulated_oracle.Twin.of(recipe, **settings)
        self.body, self.slow = self.twin.body, self.twin.slow
        self.known: tuple[np.ndarray, Tables] | None = None

    def step(self, rng: np.random.Generator) -> None:
        kind = rng.random()
        if kind < 0.6:
            self.twin.move(self.near(rng, float(rng.choice([1e-6, 1e-3, 0.03]))))
        elif kind < 0.7 and self.body.configuration is not None:
            self.twin.wander(rng)
        elif kind < 0.8:
            self.twin.move(self.slow.zero())
        elif kind < 0.9:
            self.place(rng, float(rng.choice([1e-6, 1e-3, 0.3])))

    def place(self, rng: np.random.Generator, part: float) -> None:
        """Every link for itself, a little off where it was."""
        poses = [crawl(part)(rng, pose, self.slow.recipe.reach) for pose in self.twin.poses]
        self.twin.poses, self.twin._shape_gaps = np.array(poses), None
        self.body.place(self.twin.poses)

    def near(self, rng: np.random.Generator, part: float) -> np.ndarray:
        """Every value changed by about that much, within its limits; turns stay turns."""
        q = self.twin.q + part * rng.normal(size=len(self.twin.q))
        for joint in self.slow.recipe.joints:
            if (where := self.slow.slices.get(joint.name)) is None:
                continue
            if joint.limits is not None and where.stop - where.start == 1:
                q[where] = np.clip(q[where], *joint.limits)
            if where.stop - where.start > 1:
                q[where.stop - 4 : where.stop] /= np.linalg.norm(q[where.stop - 4 : where.stop])
        return np.asarray(q)

    def solids(self) -> list[oracle.Solid]:
        places = zip(self.slow.shapes, self.slow.shape_poses(self.twin.poses), strict=True)
        return [oracle.moved(thing.solid, pose[:3, :3], pose[:3, 3]) for (_, thing, _), pose in places]

    def names(self) -> Sequence[np.ndarray]:
        return [np.full(len(thing.solid.radii), link) for link, thing, _ in self.slow.shapes]

    def below(self, solid: int, record: int) -> np.ndarray:
        return np.array(self.slow.shapes[solid][1].body._below(record))

    def pairs_below(self, part: Part, a: int, b: int) -> np.ndarray:
        return all_pairs(self.below(part[0], a), self.below(part[1], b))

    def count(self) -> int:
        return len(self.slow.names)

    def reach(self) -> float:
        return self.slow.size(self.twin.poses)

    def self_tables(self) -> Tables:
        """Worked out once for every place where the links stand."""
        if self.known is None or self.known[0] is not self.twin.poses:
            self.known = self.twin.poses, self.tables_now()
        return self.known[1]

    def tables_now(self) -> Tables:
        solids, out = self.solids(), {}
        for i, (p, _, _) in enumerate(self.slow.shapes):
            for j, (q, _, _) in enumerate(self.slow.shapes[:i]):
                if self.slow.counted[min(p, q), max(p, q)]:
                    out[j, i] = np.asarray(oracle.signed_matrix(solids[j], solids[i]))
        return out

    def self_whole(self) -> int:
        return sum(table.size for table in self.self_tables().values())

    def self_gaps(self) -> np.ndarray:
        out = np.full((self.count(),) * 2, np.inf)
        owner = [link for link, _, _ in self.slow.shapes]
        for (i, j), table in self.self_tables().items():
            p, q = sorted((owner[i], owner[j]))
            out[p, q] = min(out[p, q], table.min())
        return out

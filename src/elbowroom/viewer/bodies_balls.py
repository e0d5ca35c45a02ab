"""Chains and necklaces as they are shown: balls, coloured from one end to the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .bodies import Actor, Numbers
from .layers import GREY, PURPLE, RED, Array, Balls, Bytes, Layer, Paint, Segments, in_space
from .layers_volumes import MOST_BOXES, box_columns, count_levels, placed_boxes

#: Colours from the first ball to the last: those between two of them are mixed.
ENDS = np.array([(58, 110, 196), (64, 160, 190), (96, 184, 120), (226, 180, 60), (232, 128, 60)], float)
#: Takes the y axis of a plane upwards.
UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
#: How much larger a ball in red is than the one it hides.
PROUD = 1.04
#: Bonds are drawn where balls leave more of them to be seen than this part of their radii, and are not many.
SEEN, MOST_BONDS = 0.05, 2_000


def graded(count: int, owner: Numbers | None = None, colour: Paint | None = None) -> Bytes:
    """(count, 3): colours along a chain; balls that belong to a link have its colour, but lighter.

    With a colour all are of it, darker at the beginning and lighter at the end.
    """
    shades = ENDS if colour is None else np.outer([0.75, 1.0], colour) + np.array([[0.0], [40.0]])
    along = np.linspace(0, len(shades) - 1, count)
    colours = np.stack([np.interp(along, np.arange(len(shades)), shades[:, k]) for k in range(3)], axis=1)
    every = colours if owner is None else np.concatenate([colours, colours[owner] * 0.75 + 255 * 0.25])
    return np.asarray(every.clip(0, 255).round().astype(np.uint8))


class BallActor(Actor):
    """What all bodies of balls share."""

    parts = "balls"
    in_a_row = True  # is each ball bonded to the next?

    def __init__(
        self,
        name: str,
        body: er.Chain | er.Necklace,
        pose: Array | None,
        radii: Array,
        colour: Paint | None = None,
    ) -> None:
        super().__init__(name, body, pose)
        self.radii, self._links = radii, len(body)
        self.reach = float(np.median(radii)) or None
        side = body.side if isinstance(body, er.Chain) else None
        self._colours = graded(len(body), None if side is None else np.asarray(side.owner), colour)

    def centres(self) -> Array:
        """(n, 3): where the balls are in the world."""
        raise NotImplementedError

    def layers(self, marked: Numbers) -> list[Layer]:
        """The balls, bonds where one can see them, and larger ones in red about those that are marked."""
        centres = self.centres()
        out: list[Layer] = [Balls(self._named("body"), centres, self.radii, colour=self._colours)]
        out += self._bonds(centres)
        if len(marked):
            red = np.unique(marked)
            out.append(Balls(self._named("collisions"), centres[red], PROUD * self.radii[red], colour=RED))
        return out

    def middles(self, numbers: Numbers) -> Array:
        """The centres of balls."""
        return self.centres()[numbers]

    def _bonds(self, centres: Array) -> list[Layer]:
        if not 2 <= self._links <= MOST_BONDS or not self.in_a_row:
            return []
        ends = np.stack([centres[: self._links - 1], centres[1 : self._links]], axis=1)
        radii = self.radii[: self._links - 1] + self.radii[1 : self._links]
        bare = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > (1 + SEEN) * radii
        if bare.mean() < 0.5:
            return []
        return [Segments(f"body/bonds of {self.name}", ends, 3.0, colour=GREY)]


class ChainActor(BallActor):
    """A chain, with its side balls."""

    def __init__(
        self, name: str, chain: er.Chain, pose: Array | None = None, colour: Paint | None = None
    ) -> None:
        side = chain.side
        radii = chain.radii if side is None else np.concatenate([chain.radii, side.radii])
        super().__init__(name, chain, pose, np.asarray(radii), colour)
        self.levels = count_levels(chain.boxes)

    def centres(self) -> Array:
        """The links' balls first."""
        return self.placed(self.body.positions(side=True))

    def hierarchy(self, level: int) -> list[Layer]:
        """The boxes of the fast tree, or of the paper's if the chain has that."""
        level = min(level, self.levels - 1)
        columns = box_columns(self.body.boxes(level))
        return [placed_boxes(f"hierarchy/{level}/{self.name}", columns, self.pose)]


class NecklaceActor(BallActor):
    """A necklace, in space or in the plane, which then stands upright like a drawing on a board."""

    parts = "beads"

    def __init__(
        self, name: str, necklace: er.Necklace, pose: Array | None = None, colour: Paint | None = None
    ) -> None:
        upright = UPRIGHT if necklace.dimension == 2 and pose is None else pose
        super().__init__(name, necklace, upright, np.asarray(necklace.radii), colour)
        self.in_a_row = necklace._rule[0] >= 0  # otherwise pairs that may touch were named, as of molecules
        self._shown = _cage_levels(necklace.cage_ranges())
        self.levels = sum(len(cages) <= MOST_BOXES for cages in self._shown)

    def centres(self) -> Array:
        """Those in the plane in their place on the board."""
        return self.placed(in_space(self.body.positions()))

    def hierarchy(self, level: int) -> list[Layer]:
        """The paper's cages: balls, each held in place by a few beads."""
        level = min(level, self.levels - 1)
        cages = self.body.cage_balls()[self._shown[level]]
        centres = self.placed(in_space(cages[:, :-1]))
        name = f"hierarchy/{level}/{self.name}"
        return [Balls(name, centres, np.ascontiguousarray(cages[:, -1]), colour=PURPLE, opacity=0.15)]


def _cage_levels(ranges: NDArray[np.int32]) -> list[Numbers]:
    """Numbers of the cages of each level, from their beads in preorder; with the lowest that lie higher."""
    depths, ends, lowest = np.zeros(len(ranges), np.int64), list[int](), np.ones(len(ranges), bool)
    for k, (begin, end) in enumerate(ranges.tolist()):
        while ends and begin >= ends[-1]:
            ends.pop()
        depths[k] = len(ends)
        ends.append(end)
    lowest[:-1] = depths[:-1] >= depths[1:]
    deepest = int(depths.max(initial=-1))
    return [np.flatnonzero((depths == k) | (lowest & (depths < k))) for k in range(deepest + 1)]

"""The cut of a search on show: the volumes at which it ended, about what lies below them.

A pair on the cut is proved apart, left open, or a hit. A volume is in many pairs, and is shown as the worst
of them. Its box is fitted again about the parts below it, as the tree's own was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom.bvtt import BVTT, HIT, OPEN

from .bodies import Actor, Numbers, RigidActor
from .bodies_balls import BallActor
from .exhibit_meetings import Meeting
from .layers import GOLD, GREEN, RED, Array, Boxes, Colour, Layer
from .layers_volumes import box_columns, placed_boxes

#: So many boxes of a state are shown, the lowest in the tree.
MOST_SHOWN = 240
LOOKS: dict[str, tuple[Colour, float]] = {"apart": (GREEN, 0.1), "open": (GOLD, 0.3), "hit": (RED, 0.4)}
#: In a tree over balls in a row a number holds the level above this bit, leaves have sixteen balls, nodes
#: eight children.
LEVEL_AT, LEAF, CHILDREN = 27, 16, 8
Fit = Callable[[int], Any]


def has_cut(meeting: Meeting) -> bool:
    """Can it be told which volumes the numbers in a traversal tree stand for?

    Two rigid bodies are put in order by their fingerprints, so these must differ.
    """
    first, second = meeting.first, meeting.second
    if second is None:
        return isinstance(first, BallActor)
    both = isinstance(first, RigidActor) and isinstance(second, RigidActor)
    return both and bool(first.body.fingerprint != second.body.fingerprint)


class CutBoxes:
    """Boxes about what lies below nodes of the trees of those who meet."""

    def __init__(self, meeting: Meeting) -> None:
        if not has_cut(meeting):
            raise ValueError(f"the cut of {meeting.title} cannot be shown")
        other = meeting.second or meeting.first
        sides = sorted([meeting.first, other], key=_place_in_order)
        self._sides: list[Actor] = sides
        self._known: list[dict[int, Any]] = [{}, {}]

    def layers(self, tree: BVTT) -> list[Layer]:
        """The boxes on the cut, by who they are of and what became of them."""
        states, depths = tree.state[tree.cut], tree.depths
        out: list[Layer] = []
        numbers = [tree.a[tree.cut], tree.b[tree.cut]]
        if self._sides[0] is self._sides[1]:
            both = np.concatenate(numbers)
            return self._of(0, both, np.tile(states, 2), np.tile(depths, 2))
        for side in (0, 1):
            out += self._of(side, numbers[side], states, depths)
        return out

    def _of(self, side: int, numbers: Any, states: Any, depths: Any) -> list[Layer]:
        actor, fit = self._sides[side], self._fit(side)
        worst, depth = _worst(numbers, states, depths)
        out: list[Layer] = []
        for name, records in worst.items():
            shown = sorted(records, key=lambda record: -depth[record])[:MOST_SHOWN]
            columns = box_columns([fit(record) for record in shown])
            colour, opacity = LOOKS[name]
            pose = actor.pose if isinstance(actor, RigidActor) else None
            layer: Boxes = placed_boxes(f"cut/{name}/{actor.name}", columns, pose, colour, opacity)
            out.append(layer)
        return out

    def _fit(self, side: int) -> Fit:
        actor = self._sides[side]
        if isinstance(actor, BallActor):
            return _fit_in_row(actor)
        known = self._known[side]

        def fit(record: int) -> Any:
            if record not in known:
                known[record] = er.volumes.fit(er.volumes.Obb, *_points_below(actor.body, record))
            return known[record]

        return fit


def _place_in_order(actor: Actor) -> int:
    return int(actor.body.fingerprint) if isinstance(actor, RigidActor) else 0


def _worst(numbers: Any, states: Any, depths: Any) -> tuple[dict[str, list[int]], dict[int, int]]:
    """Nodes by the worst state of the pairs that they are in, and how deep they are found at most."""
    rank = np.where(states == HIT, 2, np.where(states == OPEN, 1, 0))
    nodes, where = np.unique(numbers, return_inverse=True)
    worst, deepest = np.zeros(len(nodes), int), np.zeros(len(nodes), int)
    np.maximum.at(worst, where, rank)
    np.maximum.at(deepest, where, depths)
    named = {name: nodes[worst == k].tolist() for k, name in enumerate(LOOKS)}
    return named, dict(zip(nodes.tolist(), deepest.tolist(), strict=True))


def _points_below(body: er.Body, record: int) -> tuple[Array, Array]:
    """Points and radii of the primitives below a node of a rigid body's tree."""
    below, first = np.asarray(body._below(record)), np.asarray(body._first)
    counts = first[below + 1] - first[below]
    starts = np.repeat(first[below] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    return np.asarray(body._points)[starts + np.arange(counts.sum())], np.repeat(body._radius[below], counts)


def _fit_in_row(actor: BallActor) -> Fit:
    """Of a tree over balls in a row, whose nodes are runs of them; a link's side balls come after its own."""
    centres, radii, order = actor.centres(), actor.radii, _row(actor.body)

    def fit(number: int) -> Any:
        level, index = number >> LEVEL_AT, number & ((1 << LEVEL_AT) - 1)
        size = LEAF * CHILDREN**level
        run = order[index * size : (index + 1) * size]
        return er.volumes.fit(er.volumes.Obb, centres[run], radii[run])

    return fit


def _row(body: er.Chain | er.Necklace) -> Numbers:
    side = body.side if isinstance(body, er.Chain) else None
    if side is None:
        return np.arange(len(body))
    return np.argsort(np.concatenate([np.arange(len(body)), side.owner]), kind="stable")

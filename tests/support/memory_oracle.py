"""What a memory and an answer on a budget may say: counted and proved again, the slow and obvious way.

The tree of a run comes as the arrays of `memory._bvtt()`. Its form, the share that is covered and the paper's
confidence are worked out from these arrays alone; that pairs said to be apart are apart is looked up in
tables of the true gaps of all pairs of primitives.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from memory_makers import Part, Stage

OPENED, APART, APART_PRIMITIVES, HIT, OPEN = range(5)
PROVED = (APART, APART_PRIMITIVES)
FALSE = "false proof: node"
Dump = dict[str, np.ndarray]
Held = dict[Part, np.ndarray]  # pairs of primitives (k, 2)


# The form of a tree.


def cut_of(dump: Dump) -> np.ndarray:
    """The nodes without children, from left to right."""
    inner = np.zeros(len(dump["parent"]), dtype=bool)
    inner[dump["parent"][1:]] = True
    return np.flatnonzero(~inner)


def proved_in(dump: Dump) -> np.ndarray:
    return np.asarray(np.isin(dump["state"], PROVED))


def covered_by(dump: Dump, whole: int) -> float:
    """Of all pairs of primitives, those that are neither open nor a hit."""
    cut = cut_of(dump)
    left = dump["pairs"][cut][~proved_in(dump)[cut]].sum()
    return float(1.0 - left / whole) if left else 1.0


def deepest_below(dump: Dump) -> np.ndarray:
    out = dump["depth"].copy()
    for k in range(len(out) - 1, 0, -1):
        out[dump["parent"][k]] = max(out[dump["parent"][k]], out[k])
    return out


def form_problems(dump: Dump) -> list[str]:
    """A tree in preorder, whose cut holds every pair of primitives once."""
    parent, depth, state, pairs = (dump[name] for name in ("parent", "depth", "state", "pairs"))
    cut, rows = cut_of(dump), np.arange(len(parent))
    inner = np.setdiff1d(rows, cut)
    below = np.zeros(len(pairs))
    np.add.at(below, parent[1:], pairs[1:])
    sound = {
        "the root comes first": parent[0] == -1 and depth[0] == 1 and (parent[1:] >= 0).all(),
        "parents come before children": (parent < rows).all(),
        "depths go by one": np.array_equal(depth[1:], depth[parent[1:]] + 1),
        "preorder": in_preorder(parent.tolist()),
        "what is opened is not on the cut": (state[inner] == OPENED).all() and (state[cut] != OPENED).all(),
        "the children hold the pairs of their parent": np.array_equal(below[inner], pairs[inner]),
        "the deepest below": np.array_equal(dump["deepest"], deepest_below(dump)),
        "gaps are of what is proved": (dump["gap"] >= 0.0).all(),
        "no pair comes twice": len({key for key in keys_of(dump) if key[1] >= 0}) == (dump["a"] >= 0).sum(),
    }
    return [what for what, good in sound.items() if not good]


def in_preorder(parent: list[int]) -> bool:
    """Every node but the root hangs on the one before it, or on one that that one hangs below."""
    above = [0]  # from the root down to the last node
    for node, upper in enumerate(parent[1:], 1):
        while above and above[-1] != upper:
            above.pop()
        if not above:
            return False
        above.append(node)
    return True


# The paper's confidence.


def dangerous(depths: np.ndarray, group: int, threshold: float) -> np.ndarray:
    """Consecutive groups whose depths have a standard deviation beyond the threshold."""
    out = np.zeros(len(depths), dtype=bool)
    for first in range(0, len(depths), group):
        some = slice(first, first + group)
        out[some] = np.std(depths[some].astype(float)) > threshold
    return out


def keys_of(dump: Dump) -> list[tuple[int, int, int]]:
    return [*zip(*(dump[name].tolist() for name in ("part", "a", "b")), strict=True)]


def wholly_proved(dump: Dump) -> np.ndarray:
    """Nodes of which every pair below is proved apart."""
    out = np.where(dump["state"] == OPENED, True, proved_in(dump))
    for k in range(len(out) - 1, 0, -1):
        out[dump["parent"][k]] &= out[k]
    return out


def checked_share(last: Dump, now: Dump, group: int, threshold: float) -> float:
    """Of the nodes in dangerous regions of the last cut list, the share that this run proved apart."""
    cut = cut_of(last)
    chosen = cut[dangerous(last["depth"][cut], group, threshold)]
    proved, place = wholly_proved(now), {key: k for k, key in enumerate(keys_of(now))}
    keys, good = keys_of(last), 0
    nodes = chosen if len(chosen) else cut
    for node in nodes.tolist():
        while node >= 0 and keys[node] not in place:
            node = int(last["parent"][node])  # what came apart higher up has nothing below it now
        good += bool(node >= 0 and proved[place[keys[node]]])
    return good / len(nodes)


@dataclass
class Paper:
    """The confidence of run after run, from their trees alone (Fig. 9 of the paper)."""

    group: int
    threshold: float
    last: Dump | None = None
    confidence: float = 0.0

    def after(self, now: Dump, finished: bool) -> float:
        if finished:
            self.confidence = 1.0
        elif self.last is None:
            self.confidence = 0.0
        else:
            self.confidence *= checked_share(self.last, now, self.group, self.threshold)
        self.last = now
        return self.confidence


# Best-first.


def visiting_order(dump: Dump, last: Dump | None) -> list[int]:
    """Nodes as the paper takes them up: of the children first the one that went deeper the last time."""
    deeper = {} if last is None else dict(zip(keys_of(last), deepest_below(last).tolist(), strict=True))
    keys = keys_of(dump)
    children: list[list[int]] = [[] for _ in keys]
    for k, parent in enumerate(dump["parent"].tolist()):
        if parent >= 0:
            children[parent].append(k)
    order, stack = [], [0]
    while stack:
        order.append(node := stack.pop())
        stack += sorted(children[node], key=lambda k: deeper.get(keys[k], 0), reverse=True)[::-1]
    return order


def taken_in_order(dump: Dump, last: Dump | None) -> bool:
    """No pair was taken up before one that should have come first. Pairs of volumes that are found apart when
    their parent is opened are never taken up at all.
    """
    states = dump["state"][visiting_order(dump, last)]
    states = states[states != APART]
    left = np.flatnonzero(states == OPEN)
    return bool(not len(left) or (states[left[0] :] == OPEN).all())


# Proofs.

Reading = list[tuple[int, int, bool]]  # of each part: the two shapes, and are its nodes turned


def readings(memory: Any, stage: Stage) -> list[Reading]:
    """Which shapes the parts are about. Bodies that bend may have been taken the other way round: which way
    it was is not told, but it was the same for all.
    """
    told = [(a, b, bool(turned)) for a, b, turned in memory._parts()]
    if not stage.bends():
        return [told]
    ways = itertools.product((False, True), (False, True))
    return [[(b, a, t != turn) if other else (a, b, t != turn) for a, b, t in told] for other, turn in ways]


def held_by(reading: Reading, stage: Stage, dump: Dump, node: int) -> Held:
    """All pairs of primitives that a node stands for. One node may stand for all shapes that have no part."""
    if dump["a"][node] < 0:
        told = {(a, b) for a, b, _ in reading} if dump["part"][node] == len(reading) else set()
        tables = stage.tables()
        return {part: np.argwhere(np.isfinite(tables[part])) for part in tables.keys() - told}
    a, b, turned = reading[dump["part"][node]]
    nodes = int(dump["a"][node]), int(dump["b"][node])
    return {(a, b): stage.pairs_below((a, b), *(nodes[::-1] if turned else nodes))}


def false_proofs(reading: Reading, stage: Stage, dump: Dump) -> list[str]:
    """Nodes that are said to be apart by a gap, and are not, at the present configuration."""
    tables, wrong = stage.tables(), []
    for k in np.flatnonzero(proved_in(dump)).tolist():
        for part, pairs in held_by(reading, stage, dump, k).items():
            least = float(tables[part][tuple(pairs.T)].min(initial=np.inf))
            if not least >= dump["gap"][k] - stage.doubt:
                wrong.append(f"{FALSE} {k} is said to be {dump['gap'][k]:.17g} apart, but it is {least:.17g}")
    return wrong


def cut_problems(reading: Reading, stage: Stage, dump: Dump) -> list[str]:
    """Every pair of primitives lies under exactly one node of the cut, and `pairs` counts them."""
    tables, wrong = stage.tables(), []
    seen = {part: np.zeros(table.shape, dtype=int) for part, table in tables.items()}
    for k in cut_of(dump).tolist():
        held = held_by(reading, stage, dump, k)
        for part, pairs in held.items():
            np.add.at(seen[part], tuple(pairs.T), 1)
        if sum(map(len, held.values())) != dump["pairs"][k]:
            wrong.append(f"node {k} holds {sum(map(len, held.values()))} pairs, not {dump['pairs'][k]}")
    for part, count in seen.items():
        if (count > 1).any() or (np.isfinite(tables[part]) & (count == 0)).any():
            wrong.append(f"of {part}, a pair lies under no node of the cut, or under several")
    return wrong


def proof_problems(memory: Any, stage: Stage) -> list[str]:
    """What is wrong with the tree as a proof for the present configuration, read the best way."""
    dump, best = memory._bvtt(), ["no way to read the parts"]
    for number, reading in enumerate(readings(memory, stage)):
        try:
            wrong = cut_problems(reading, stage, dump) + false_proofs(reading, stage, dump)
        except (IndexError, KeyError, ValueError):  # numbers of another body
            continue
        if number == 0 or len(wrong) < len(best):
            best = wrong
    return best

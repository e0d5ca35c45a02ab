"""Traversal trees made by hand and at random, and a slow and obvious way to compare their cuts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from elbowroom.bvtt import BVTT


@dataclass
class Node:
    """A pair of volumes and the pairs below it; without any it is on the cut."""

    pair: tuple[int, int] = (0, 0)
    below: list[Node] = field(default_factory=list)
    state: int = 1
    part: int = 0


def tree(root: Node) -> BVTT:
    """The tree as the core would tell it. Every cut node stands for one pair of primitives."""
    rows: list[dict[str, Any]] = []

    def tell(node: Node, parent: int, depth: int) -> float:
        at = len(rows)
        state = 0 if node.below else node.state
        rows.append({"parent": parent, "depth": depth, "state": state, "part": node.part, "gap": 0.0})
        rows[at] |= {"a": node.pair[0], "b": node.pair[1]}
        rows[at]["pairs"] = sum(tell(kid, at, depth + 1) for kid in node.below) or 1.0
        rows[at]["deepest"] = max(row["depth"] for row in rows[at:])
        return float(rows[at]["pairs"])

    tell(root, -1, 1)
    return BVTT({name: np.array([row[name] for row in rows]) for name in rows[0]})


def nodes(bvtt: BVTT) -> Node:
    """The other way round."""
    told = zip(bvtt.a.tolist(), bvtt.b.tolist(), bvtt.state.tolist(), bvtt.part.tolist(), strict=True)
    made = [Node((a, b), [], state, part) for a, b, state, part in told]
    for node, parent in zip(made[1:], bvtt.parent[1:], strict=True):
        made[parent].below.append(node)
    return made[0]


def shaped(shape: Any, number: int = 0) -> Node:
    """A tree from nested lists, [] for a cut node; children are numbered from left to right."""
    return Node((number, 0), [shaped(kid, k) for k, kid in enumerate(shape)])


def grown(rng: np.random.Generator, depth: int, share: float, flips: float = 0.0) -> Node:
    """A random tree over two binary trees. With `flips`, which of the volumes is opened is random too."""

    def grow(pair: tuple[int, int], level: int, part: int) -> Node:
        if level == depth or rng.random() > share:
            return Node(pair, [], int(rng.choice([1, 2, 3, 4])), part)
        first = (level % 2 == 0) != (rng.random() < flips)
        a, b = pair
        kids = [(2 * a + k, b) if first else (a, 2 * b + k) for k in (1, 2)]
        return Node(pair, [grow(kid, level + 1, part) for kid in kids], part=part)

    parts = sorted(rng.choice(9, rng.integers(1, 5), replace=False).tolist())
    return Node((0, 0), [grow((0, 0), 2, part) for part in parts])


def cut_depths(node: Node, depth: int = 1) -> list[int]:
    """Depths of the cut, from left to right."""
    return [d for kid in node.below for d in cut_depths(kid, depth + 1)] or [depth]


def differences(one: Node, two: Node, depth: int = 1) -> list[int]:
    """The two cuts side by side, from the roots downwards."""
    if not one.below or not two.below:
        return [d - depth for d in cut_depths(one, depth)] if one.below else [
            depth - d for d in cut_depths(two, depth)
        ]  # fmt: skip
    left, out = list(two.below), []
    for kid in one.below:
        same = [other for other in left if (other.pair, other.part) == (kid.pair, kid.part)]
        if same:
            left.remove(same[0])
            out += differences(kid, same[0], depth + 1)
        else:
            out += [d - depth for d in cut_depths(kid, depth + 1)]
    return out + [depth - d for kid in left for d in cut_depths(kid, depth + 1)]


def large(cut: int, seed: int = 0) -> BVTT:
    """A binary tree with a cut of so many nodes, split at random; a part of them are left open."""
    rng = np.random.default_rng(seed)
    parent, depth, spans, waiting = [], [], [], [(-1, 1, 0, cut)]
    while waiting:
        above, level, start, stop = waiting.pop()
        node = len(parent)
        parent.append(above)
        depth.append(level)
        spans.append(stop - start)
        if stop - start > 1:
            middle = start + 1 + int((stop - start - 1) * rng.beta(2, 2))
            waiting += [(node, level + 1, middle, stop), (node, level + 1, start, middle)]
    pairs = np.array(spans)
    state = np.where(pairs > 1, 0, rng.choice([1, 2, 4], len(pairs), p=[0.7, 0.2, 0.1]))
    state[np.flatnonzero(pairs == 1)[cut // 3]] = 3
    zero = np.zeros(len(pairs))
    # Siblings are told apart by their sizes and by which is the second.
    second = np.diff(depth, prepend=0) != 1
    lowest = np.array(depth)
    for node in range(len(parent) - 1, 0, -1):
        lowest[parent[node]] = max(lowest[parent[node]], lowest[node])
    shape = {"parent": parent, "depth": depth, "deepest": lowest}
    names = {"a": pairs, "b": second, "part": zero}
    return BVTT(shape | names | {"state": state, "gap": zero, "pairs": pairs})

"""The bounding volume traversal tree of a query: what was tested, where that ended, what is left open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _writing
from elbowroom._bvtt_match import depth_differences

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

OPENED, APART, LEAF_APART, HIT, OPEN = range(5)
#: What each state of a node means.
STATES = ("opened", "apart by its volumes", "apart by its primitives", "hit", "left open")


class BVTT:
    """The tree of the pairs of volumes that a query looked at; `er.Memory.bvtt` has that of the last query.

    It is the bounding volume traversal tree of [Lin2006]_. A node is a pair of volumes. The root, the pair of
    both whole bodies, has depth 1; a pair whose volumes overlap is opened into the pairs below it. The lowest
    nodes, from left to right, are the *cut list*, and the line below them the *profile cut*. Where that hangs
    deep, in its *troughs*, the bodies are close.

    Attributes
    ----------
    parent, depth, lowest
        (n,): the number of each node's parent, -1 for the root; its depth; and the depth of the deepest node
        below it, or its own. Nodes are numbered in preorder, children from left to right.
    a, b, part
        (n,): the two volumes, as numbers of nodes of the bodies' own trees, and for articulated bodies the
        number of the pair of shapes that these trees are of.
    state
        (n,): 0 opened, 1 apart by its volumes, 2 apart by its primitives, 3 a hit, 4 left open: the query
        ended before its turn.
    gap
        (n,): at least so far apart are the two now; 0 if that is unknown.
    pairs
        (n,): how many pairs of primitives the node stands for.

    Examples
    --------
    >>> import elbowroom as er
    >>> spring = er.Mesh(*er.scenes.spring(), children=2)
    >>> memory, path = er.Memory("depth-first"), er.scenes.spring_path(100)
    >>> bool(er.collide(spring, spring, pose_b=path[10], memory=memory))
    False
    >>> whole = memory.bvtt
    >>> whole.covered, len(whole) == 2 * len(whole.cut) - 1
    (1.0, True)
    >>> answer = er.collide(spring, spring, pose_b=path[11], memory=memory, budget=er.Budget(tests=40))
    >>> answer.status, memory.bvtt.covered == answer.covered, memory.bvtt.count(4) > 0
    ('out of budget', True, True)
    >>> 0 < memory.bvtt.zero_share(whole) < 1
    True
    """

    def __init__(self, nodes: Mapping[str, ArrayLike]) -> None:
        """Arrays by their names, as the core tells them; `lowest` is called deepest there."""
        self.parent, self.depth = (_column(nodes, name, np.int32) for name in ("parent", "depth"))
        self.a, self.b, self.part = (_column(nodes, name, np.int32) for name in ("a", "b", "part"))
        self.lowest = _column(nodes, "deepest", np.int32)
        self.state = _column(nodes, "state", np.uint8)
        self.gap, self.pairs = (_column(nodes, name, np.float64) for name in ("gap", "pairs"))
        _refuse_other_orders(self)

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def ends(self) -> Numbers:
        """(n,): nodes i to ends[i] - 1 are node i and what lies below it."""
        sizes = np.ones(len(self), np.int64)
        by_depth = np.argsort(self.depth, kind="stable")
        levels = np.split(by_depth, np.flatnonzero(np.diff(self.depth[by_depth])) + 1)
        for level in levels[:0:-1]:
            np.add.at(sizes, self.parent[level], sizes[level])
        return np.arange(len(self)) + sizes

    @cached_property
    def cut(self) -> Numbers:
        """The cut list: numbers of the lowest nodes, from left to right."""
        return np.flatnonzero(self.ends == np.arange(1, len(self) + 1))

    @property
    def depths(self) -> Integers:
        """Depths of the cut list."""
        return self.depth[self.cut]

    @property
    def mean_depth(self) -> float:
        """The paper's average depth: over all nodes but those left open; 0 if that is none."""
        looked_at = self.depth[self.state != OPEN]
        return float(looked_at.mean()) if len(looked_at) else 0.0

    @property
    def cut_mean_depth(self) -> float:
        """The average depth of the cut list."""
        return float(self.depths.mean())

    @property
    def deepest(self) -> int:
        """The depth of the deepest node."""
        return int(self.lowest[0])

    @property
    def covered(self) -> float:
        """The share of all pairs of primitives that are neither below a node left open nor below a hit."""
        whole, rest = float(self.pairs[0]), float(self.pairs[self.state >= HIT].sum())
        return (whole - rest) / whole if rest else 1.0

    def count(self, state: int) -> int:
        """How many nodes are in a state."""
        return int(np.count_nonzero(self.state == state))

    def dangerous(self, group: int = 8, threshold: float = 1.0) -> Flags:
        """For each node of the cut list: is it in a dangerous region?

        The list is cut into groups of so many nodes, the last of what is left over. Where the standard
        deviation of the depths exceeds the threshold the cut falls into a trough, and a collision is likely.
        """
        size = min(_arrays.count(group, "group", 1), len(self.cut))
        limit = _arrays.length(threshold, "threshold")
        depths = self.depths.astype(np.int64)
        starts = np.arange(0, len(depths), size)
        counts = np.minimum(size, len(depths) - starts)
        sums, squares = (np.add.reduceat(values, starts) for values in (depths, depths**2))
        # All but the root is in whole numbers: a deviation just at the threshold does not exceed it.
        deviations = np.sqrt(counts * squares - sums**2) / counts
        return np.repeat(deviations > limit, counts)

    def difference(self, other: BVTT) -> Numbers:
        """How much deeper than another's the cut of this tree hangs, from left to right.

        Nodes correspond if their parents do and they are the same pair of volumes. Where one tree ends and
        the other goes on, the end is compared with every cut node of the other below it: cuts at depths
        (3, 3, 3, 3) and (3, 3, 2) differ by (0, 0, 1, 1). Where both go on but with other pairs (as a body
        bends, another of two volumes may be opened), they are compared with the node they have in common.
        """
        if not isinstance(other, BVTT):
            raise ValueError(f"other must be a BVTT, got {_arrays.shown(other)}")
        return depth_differences(self, other)

    def zero_share(self, other: BVTT) -> float:
        """The share of the differences that are zero: how much alike the two cuts are."""
        return float(np.mean(self.difference(other) == 0))

    def picture(
        self,
        path: str | os.PathLike[str],
        *,
        group: int = 8,
        threshold: float = 1.0,
        title: str | None = None,
    ) -> None:
        """Draws the whole profile cut, and the tree about its deepest trough, and writes that as PNG.

        Dangerous regions, as `dangerous` finds them, are shaded.
        """
        from elbowroom.pictures.bvtt_pictures import picture_figure
        from elbowroom.pictures.drawing import png

        figure = picture_figure(self, group=group, threshold=threshold, title=title)
        _writing.write_bytes(path, png(figure))

    def html(
        self,
        path: str | os.PathLike[str],
        *,
        group: int = 8,
        threshold: float = 1.0,
        title: str | None = None,
    ) -> None:
        """Writes a page that needs nothing but itself: the tree to zoom and to ask about each node."""
        from elbowroom.pictures.bvtt_page import page

        text = page(self, group=group, threshold=threshold, title=title)
        _writing.write_text(path, text)

    def __repr__(self) -> str:
        nodes = f"{len(self):,} node{'' if len(self) == 1 else 's'}"
        depths = sorted({int(self.depths.min()), self.deepest})
        cut = f"a cut of {len(self.cut):,} at depth{'s' * (len(depths) - 1)} {' to '.join(map(str, depths))}"
        ends = [(HIT, "hit" if self.count(HIT) == 1 else "hits"), (OPEN, "left open")]
        told = "".join(f", {self.count(state):,} {word}" for state, word in ends if self.count(state))
        return f"<BVTT: {nodes}, {cut}, {_percent(self.covered)} of the pairs apart{told}>"


def _column(nodes: Any, name: str, kind: Any) -> NDArray[Any]:
    """One of the arrays; numbers of nodes are whole and fit."""
    if not isinstance(nodes, Mapping) or name not in nodes:
        raise ValueError(f"nodes must have an array '{name}'")
    values = _arrays.any_array(nodes[name], f"nodes['{name}']")
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        raise ValueError(
            f"nodes['{name}'] must hold numbers (n,), got {values.dtype} of shape {values.shape}"
        )
    with np.errstate(invalid="ignore"):
        return values.astype(kind, copy=False)


def _percent(share: float) -> str:
    """In whole percent, but 100 % only if it is all."""
    return f"{int(100 * share)} %"


def _refuse_other_orders(tree: BVTT) -> None:
    """A parent must be the last node before its child that lies one level above it."""
    n = len(tree.parent)
    if n == 0 or any(values.shape != (n,) for values in vars(tree).values()):
        raise ValueError("nodes must be arrays of one length, at least 1")
    if tree.parent[0] != -1 or tree.depth[0] != 1 or (tree.depth[1:] < 2).any():
        raise ValueError("nodes must begin with the only root, of depth 1 and with the parent -1")
    keys = tree.depth.astype(np.int64) * n + np.arange(n)
    levels = np.sort(keys)
    above = levels[np.searchsorted(levels, keys[1:] - n) - 1]
    if (above % n != tree.parent[1:]).any() or (above // n != tree.depth[1:] - 1).any():
        raise ValueError("nodes must be in preorder, and depths count from the root")

"""Which nodes of two traversal trees correspond, and how the depths of their cuts differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from elbowroom.bvtt import BVTT

Numbers = NDArray[np.int64]


def depth_differences(tree: BVTT, other: BVTT) -> Numbers:
    """How much deeper than the other's the cut of a tree hangs; see `BVTT.difference`."""
    own, foreign = _ends_that_meet(tree, other)
    # What ends in the other tree, or in both, is read off this tree's cut; the rest off the other's.
    nodes, of = _cut_below(tree, own[:, 0])
    deeper = tree.depth[nodes] - own[of, 1]
    others, of = _cut_below(other, foreign[:, 0])
    shallower = foreign[of, 1] - other.depth[others]
    # In the order of this tree. Of what comes at one place, what lies below the deepest node comes first.
    places = np.concatenate([nodes, foreign[of, 2]])
    levels = np.concatenate([tree.depth[nodes], foreign[of, 1]])
    order = np.lexsort((np.concatenate([nodes, others]), -levels, places))
    return np.asarray(np.concatenate([deeper, shallower])[order])


def _ends_that_meet(tree: BVTT, other: BVTT) -> tuple[Numbers, Numbers]:
    """Where one tree ends, or both, from the roots downwards.

    The first (k, 2): nodes of `tree`, and the depth at which the other tree ended there. The second (k, 3):
    nodes of `other`, the depth at which `tree` ended, and the place among its nodes.
    """
    own, foreign = [np.zeros((0, 2), np.int64)], [np.zeros((0, 3), np.int64)]
    family, other_family = _Family(tree), _Family(other)
    i = j = np.zeros(1, np.int64)
    while len(i):
        on, other_on = tree.ends[i] > i + 1, other.ends[j] > j + 1
        both, less = on & other_on, ~on & other_on
        own.append(_columns(i[~other_on], other.depth[j[~other_on]]))
        foreign.append(_columns(j[less], tree.depth[i[less]], i[less]))
        i, j = i[both], j[both]
        (kids, of), (others, others_of) = family.children(i), other_family.children(j)
        same, others_same = _matches(family.names(kids, of), other_family.names(others, others_of))
        alone, others_alone = _all_but(same, len(kids)), _all_but(others_same, len(others))
        own.append(_columns(kids[alone], other.depth[j[of[alone]]]))
        above = i[others_of[others_alone]]
        foreign.append(_columns(others[others_alone], tree.depth[above], tree.ends[above] - 1))
        i, j = kids[same], others[others_same]
    return np.concatenate(own), np.concatenate(foreign)


class _Family:
    """The children of nodes, many at once."""

    def __init__(self, tree: BVTT) -> None:
        self._tree = tree
        self._by_parent = np.argsort(tree.parent, kind="stable")
        counts = np.bincount(tree.parent + 1, minlength=len(tree) + 1)
        self._firsts = np.cumsum(counts)

    def children(self, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """Children of the nodes, and which of the nodes each is a child of."""
        at, of = _ranges(self._firsts[nodes], self._firsts[nodes + 1])
        return self._by_parent[at], of

    def names(self, nodes: Numbers, of: Numbers) -> Numbers:
        """(k, 4): what a child is known by among those of all parents."""
        return _columns(of, self._tree.part[nodes], self._tree.a[nodes], self._tree.b[nodes])


def _cut_below(tree: BVTT, nodes: Numbers) -> tuple[Numbers, Numbers]:
    """The cut nodes at or below the nodes, and which of the nodes each lies below."""
    at, of = _ranges(np.searchsorted(tree.cut, nodes), np.searchsorted(tree.cut, tree.ends[nodes]))
    return tree.cut[at], of


def _ranges(firsts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers from firsts[k] to ends[k] - 1, one range after the other, and k for each of them."""
    counts = ends - firsts
    of = np.repeat(np.arange(len(counts)), counts)
    return np.arange(len(of)) + (firsts - (np.cumsum(counts) - counts))[of], of


def _columns(*values: NDArray[Any]) -> Numbers:
    return np.stack(values, axis=1).astype(np.int64)


def _all_but(chosen: Numbers, count: int) -> Numbers:
    rest = np.ones(count, bool)
    rest[chosen] = False
    return np.flatnonzero(rest)


def _matches(names: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Rows of the two that are equal, as numbers of rows; of several that are, the first with the first."""
    both = np.concatenate([names, others])
    order = np.lexsort(both.T[::-1])
    changes = (np.diff(both[order], axis=0) != 0).any(axis=1)
    kinds = np.empty(len(both), np.int64)
    kinds[order] = np.cumsum(np.concatenate([[False], changes]))[: len(both)]
    one, two = (kind * len(both) + _nth(kind) for kind in (kinds[: len(names)], kinds[len(names) :]))
    _, rows, other_rows = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    return rows, other_rows


def _nth(kinds: Numbers) -> Numbers:
    """For each number, how many before it are the same."""
    order = np.argsort(kinds, kind="stable")
    ordered = kinds[order]
    out = np.empty(len(kinds), np.int64)
    out[order] = np.arange(len(kinds)) - np.searchsorted(ordered, ordered)
    return out

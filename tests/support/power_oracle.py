"""Power diagrams the slow and obvious way: what er.PowerDiagram is judged by.

Whether two cells share a face is a linear programme: among the points of equal power to both beads, the one
that is farthest from belonging to a third. Qhull finds the whole of a large diagram at once, if there are no
ties. Gaps come from a look at every pair.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull
from scipy.spatial.distance import cdist

SURE = 1e-9  # of the squared extent: a smaller margin may be a tie
FAR = 100.0  # extents: beyond, a hair's difference decides which cells meet


def unit(positions: np.ndarray, radii: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The beads about their middle, scaled to an extent of 1."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    size = float((high - low).max()) or 1.0
    return (positions - (low + high) / 2.0) / size, radii / size


def largest_margin(x: np.ndarray, weights: np.ndarray, owners: tuple[int, ...]) -> float:
    """By how much less power to the owners, the same to each, than to all others there is at some point.

    At most 1. Negative: the cells have no point in common. 0 if that would be beyond all that is looked at.
    """
    heights = (x * x).sum(axis=1) - weights  # power(p, k) = |p|^2 - 2 x_k . p + heights[k]
    first, same = owners[0], list(owners[1:])
    others = [k for k in range(len(x)) if k not in owners]
    found = linprog(
        np.append(np.zeros(x.shape[1]), -1.0),
        A_ub=np.column_stack([2.0 * (x[others] - x[first]), np.ones(len(others))]) if others else None,
        b_ub=heights[others] - heights[first] if others else None,
        A_eq=np.column_stack([2.0 * (x[same] - x[first]), np.zeros(len(same))]) if same else None,
        b_eq=heights[same] - heights[first] if same else None,
        bounds=[(-FAR, FAR)] * x.shape[1] + [(None, 1.0)],
    )
    if found.status != 0:
        return 0.0
    at_the_end = np.abs(found.x[:-1]).max() >= 0.999 * FAR
    if found.fun > 0.0 and (at_the_end or may_meet_far_away(x, owners)):
        return 0.0
    return float(-found.fun)


def may_meet_far_away(x: np.ndarray, owners: tuple[int, ...]) -> bool:
    """Are they on one flat side of the convex hull of all centres? Then a hair may make their cells meet."""
    away = x[owners[0]] - x
    found = linprog(
        -away.sum(axis=0), A_ub=-away, b_ub=np.zeros(len(x)), A_eq=away[list(owners)],
        b_eq=np.zeros(len(owners)), bounds=[(-1.0, 1.0)] * x.shape[1],
    )  # fmt: skip
    return found.status == 0 and found.fun < -SURE


def owners(positions: np.ndarray, radii: np.ndarray) -> list[int]:
    """Of beads with one centre the largest, of equals the first."""
    best: dict[tuple[float, ...], int] = {}
    for i, place in enumerate(map(tuple, (positions + 0.0).tolist())):
        if place not in best or radii[i] > radii[best[place]]:
            best[place] = i
    return sorted(best.values())


def check_small(diagram: Any) -> None:
    """Edges and hidden beads, except where a tie decides."""
    own = owners(diagram.positions, diagram.radii)
    x, r = unit(diagram.positions[own], diagram.radii[own])
    edges, hidden = set(map(tuple, diagram.edges.tolist())), set(diagram.hidden.tolist())
    for i, j in itertools.combinations(range(len(own)), 2):
        margin, pair = largest_margin(x, r**2, (i, j)), (own[i], own[j])
        assert abs(margin) <= SURE or (pair in edges) == (margin > 0.0), f"{pair}: margin {margin}"
    for i, bead in enumerate(own):
        margin = largest_margin(x, r**2, (i,))
        assert abs(margin) <= SURE or (bead in hidden) == (margin < 0.0), f"bead {bead}: margin {margin}"
    assert hidden >= set(range(len(diagram.radii))) - set(own)
    assert {bead for edge in edges for bead in edge} <= set(own) - hidden


def lifted_hull(positions: np.ndarray, radii: np.ndarray) -> ConvexHull:
    """For beads in general position, all with centres of their own."""
    x, r = unit(positions, radii)
    return ConvexHull(np.column_stack([x, (x * x).sum(axis=1) - r**2]))


def hull_edges(positions: np.ndarray, radii: np.ndarray) -> set[tuple[int, int]]:
    """The edges of the lower part of the lifted hull."""
    hull = lifted_hull(positions, radii)
    lower = np.sort(hull.simplices[hull.equations[:, -2] < 0.0], axis=1)
    columns = itertools.combinations(range(lower.shape[1]), 2)
    return {tuple(pair) for i, j in columns for pair in lower[:, [i, j]].tolist()}


# All pairs.


def gaps(positions: np.ndarray, radii: np.ndarray, may_touch: np.ndarray) -> np.ndarray:
    """(n, n), infinite for i >= j and for pairs that may touch."""
    out = np.asarray(cdist(positions, positions) - radii[:, None] - radii[None, :])
    out[np.tril_indices(len(radii))] = np.inf
    out[may_touch[:, 0], may_touch[:, 1]] = out[may_touch[:, 1], may_touch[:, 0]] = np.inf
    return out


def check_pairs(diagram: Any) -> bool | None:
    """Verdict and closest pair against all pairs; the verdict, or None where touching is in doubt."""
    all_gaps = gaps(diagram.positions, diagram.radii, diagram.excluded)
    least = float(all_gaps.min(initial=np.inf))
    doubt = 1e-13 * float(np.ptp(diagram.positions, axis=0).max() + diagram.radii.max())
    collides, (gap, pair) = diagram.collides(), diagram.closest()
    candidates = diagram.candidates()
    assert np.isfinite(all_gaps[tuple(candidates.T)]).all(), "a candidate may touch"
    if abs(least) <= doubt:
        return None
    assert collides == (least < 0.0), f"{collides}, but the least gap is {least}"
    if least < 0.0:
        assert gap <= 0.0 and abs(all_gaps[pair] - gap) <= doubt
        assert (all_gaps[tuple(candidates.T)] <= doubt).any()
    elif np.isfinite(least):
        assert abs(gap - least) <= doubt and abs(all_gaps[pair] - gap) <= doubt
        assert list(pair) in candidates.tolist()
    else:
        assert (gap, pair) == (np.inf, (-1, -1)) and len(candidates) == 0
    return collides

"""What a chain is made of, checked: side balls, and the choice of its tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

#: Side balls as a tuple: owner, positions, radii, and torsions if there are any.
SideArrays: TypeAlias = (
    tuple[ArrayLike, ArrayLike, ArrayLike]
    | tuple[ArrayLike, ArrayLike, ArrayLike, Sequence[tuple[int, int, Sequence[int]]]]
)

#: How the trees are searched: names of `volume` for each number of children.
FAST, BINARY = ("auto", "sphere", "obb"), ("obb", "rss", "capsule", "sphere")


@dataclass(frozen=True, eq=False)
class SideBalls:
    """Further balls that belong to links: side chains.

    Attributes
    ----------
    owner
        (m,): the link of each ball.
    positions, radii
        (m, 3) and (m,).
    torsions
        (a, b, moving) each: the balls `moving`, all of one link, turn about the axis from ball a to ball b.
        Balls are numbered with the links' own first: 0 to n - 1, then the side balls as given.

    Examples
    --------
    >>> import elbowroom as er
    >>> torsion = (1, 3, [4])  # ball 4 turns about the axis from link 1 to ball 3
    >>> side = er.SideBalls([1, 1], [[2, 1, 0], [3, 1, 0]], [0.3, 0.3], [torsion])
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5, side=side)
    >>> chain.rotate_side(0, 3.141592653589793)
    >>> chain.positions(side=True)[4][:2].round(6).tolist()
    [1.0, 1.0]
    """

    owner: NDArray[np.int32]
    positions: NDArray[np.float64]
    radii: NDArray[np.float64]
    torsions: Sequence[tuple[int, int, Sequence[int]]] = field(default_factory=list)


def chosen_tree(volume: str, children: int | None, shrink: bool, skip: str) -> tuple[str, int, bool, str]:
    """The choice of tree, checked: (volume, children, shrink, skip)."""
    names = sorted({*FAST, *BINARY})
    if not isinstance(volume, str) or volume not in names:
        raise ValueError(f"volume must be one of {', '.join(names)}, got {_arrays.shown(volume)}")
    width = (8 if volume == "auto" else 2) if children is None else _arrays.children(children, "children")
    if volume == "auto" and width == 2:
        volume = "obb"
    if width == 8 and volume not in FAST:
        raise ValueError(f'volume="{volume}" is for the binary tree; with children=8 it is {", ".join(FAST)}')
    if not isinstance(skip, str) or skip not in ("pieces", "paper"):
        raise ValueError(f'skip must be "pieces" or "paper", got {_arrays.shown(skip)}')
    if _arrays.flag(shrink, "shrink") and (width == 8 or volume != "obb"):
        raise ValueError('shrink is for the binary tree of boxes: volume="obb"')
    return volume, width, bool(shrink), skip


def tree_order(
    n: int, side: SideBalls | None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Balls in the order of the tree, the place of each link's own ball there, and the link of each ball."""
    nothing = np.empty(0, np.int32)
    if side is None:
        return nothing, nothing, nothing
    link = np.concatenate([np.arange(n), side.owner])
    order = np.argsort(link, kind="stable").astype(np.int32)  # a link's own ball comes before its side balls
    first = np.flatnonzero(order < n).astype(np.int32)
    return order, first, link[order].astype(np.int32)


def checked_side(side: SideBalls | tuple[Any, ...], n: int) -> SideBalls:
    if not isinstance(side, SideBalls):
        if not isinstance(side, (tuple, list)) or len(side) not in (3, 4):
            raise ValueError(
                f"side must be a SideBalls or (owner, positions, radii, torsions), got {_arrays.shown(side)}"
            )
        side = SideBalls(*side)
    positions = _arrays.points(side.positions, "side.positions")
    m = len(positions)
    owner = _arrays.indices(side.owner, m, n, "side.owner")
    radii = _arrays.radii(side.radii, m, "side.radii")
    return SideBalls(owner, positions, radii, _checked_torsions(side.torsions, owner, n))


def _checked_torsions(torsions: Any, owner: NDArray[np.int32], n: int) -> list[tuple[int, int, list[int]]]:
    """Each (a, b, moving), where `moving` are side balls of one link."""
    link = np.concatenate([np.arange(n), owner])
    if not isinstance(torsions, (list, tuple)):
        raise ValueError(f"side.torsions must be a list of (a, b, moving), got {_arrays.shown(torsions)}")
    out = []
    for k, torsion in enumerate(torsions):
        name = f"side.torsions[{k}]"
        if not isinstance(torsion, (list, tuple)) or len(torsion) != 3:
            raise ValueError(f"{name} must be (a, b, moving), got {_arrays.shown(torsion)}")
        balls = [*torsion[:2], *_arrays.listed(torsion[2], f"{name}[2]")]
        a, b, *moving = _arrays.indices(balls, None, len(link), name).tolist()
        if not moving or min(moving) < n or len(set(link[moving])) > 1:
            raise ValueError(f"{name} must move side balls of one link, got {_arrays.shown(torsion[2])}")
        out.append((a, b, list(dict.fromkeys(moving))))
    return out

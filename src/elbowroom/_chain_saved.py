"""Chains from what was saved of them: copies and pickles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._chain_parts import SideBalls, checked_side, chosen_tree
from elbowroom._exclusion import Exclusion, named_pairs

if TYPE_CHECKING:
    from elbowroom._bare_chain import BareChain
    from elbowroom.energies import Energy

C = TypeVar("C", bound="BareChain")


def restored(
    cls: type[C],
    balls: NDArray[np.float64],
    radii: NDArray[np.float64],
    tree: tuple[str, int, bool, str],
    exclude: int,
    allowed: NDArray[np.int32],
    side: SideBalls | None,
    carried: NDArray[np.float64],
    named: tuple[list[str] | None, tuple[int, ...]],
    energy: tuple[Energy, ArrayLike | None] | None,
    nearest_first: bool,
    by_balls: bool = False,
    bonds: NDArray[np.int32] | None = None,
    box: NDArray[np.float64] | None = None,
) -> C:
    """A chain as it was when it was copied or saved, but for what could be undone.

    A pickle may come from anywhere: everything is checked as by the constructor. Without `by_balls` it is
    of a release whose pairs were of links, with all of their balls.
    """
    out = cls.__new__(cls)
    centres = _arrays.points(balls, "positions")
    n = len(_arrays.any_array(radii, "radii"))
    if not 2 <= n <= len(centres):
        raise ValueError(f"positions and radii of a saved chain must go together, got {len(centres)} and {n}")
    if side is not None:
        side = checked_side(SideBalls(side.owner, centres[n:], side.radii, side.torsions), n)
    elif n != len(centres):
        raise ValueError(f"radii must be as many as positions, got {n} and {len(centres)}")
    choice = chosen_tree(*tree)
    out._set(
        centres[:n],
        _arrays.radii(radii, n, "radii"),
        choice,
        _rule(exclude, allowed, side, n, len(centres) if by_balls else n),
        side,
        None if bonds is None else named_pairs(bonds, len(centres), "bonds"),
        _checked_frames(carried, len(centres) if choice[1] == 8 else n - 1, choice[1]),
        box,
    )
    (out.labels, out.breaks), out.nearest_first = named, nearest_first
    if energy is not None:
        out.set_energy(*energy)
    return out


def _rule(exclude: Any, allowed: Any, side: SideBalls | None, n: int, below: int) -> Exclusion:
    """With side balls, pairs of numbers below n are of links; of numbers below more they are of balls."""
    rule = Exclusion(_arrays.count(exclude, "exclude", -1), _arrays.index_pairs(allowed, below, "exclude"))
    if side is None or below > n:
        return rule
    link = np.concatenate([np.arange(n), side.owner])
    balls = {k: np.flatnonzero(link == k).astype(np.int32) for k in np.unique(rule.named).tolist()}
    pairs = [np.stack(np.meshgrid(balls[i], balls[j]), -1).reshape(-1, 2) for i, j in rule.named.tolist()]
    return Exclusion(rule.gap, np.concatenate([np.empty((0, 2), np.int32), *pairs]))


def _checked_frames(carried: Any, count: int, children: int) -> NDArray[np.float64]:
    """How balls are turned, (count, 4) quaternions, or joints of the binary tree, (count, 3, 4) matrices."""
    frames = _arrays.numbers(carried, "frames")
    wanted = (count, 4) if children == 8 else (count, 3, 4)
    if frames.shape != wanted:
        raise ValueError(f"frames of a saved chain must have shape {wanted}, got {frames.shape}")
    if children == 8:
        _arrays.unit_quaternions(frames, "frames")
        return frames
    turns = frames[:, :, :3]
    if (
        np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max() > _core.limits.saved_rotation_tolerance
        or np.linalg.det(turns).min() < 0
    ):
        raise ValueError("frames of a saved chain must be rotations")
    return frames

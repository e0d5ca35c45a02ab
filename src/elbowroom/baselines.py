"""The methods that the ChainTree was measured against, to be measured beside it. [Lotan2002]_, section 5.

All three keep the place of every link: a change moves all links beyond its joint, and every test makes its
structure again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays, _core

if TYPE_CHECKING:
    from elbowroom._types import RotationLike

__all__ = ["Grid", "KObbTree", "OneObbTree"]


class _Baseline(_core.BaselineChain):
    """A chain of balls, changed and asked as a Chain is."""

    _method = ""

    def __init__(self, positions: ArrayLike, radii: ArrayLike, *, exclude: int = 1) -> None:
        centres = _arrays.points(positions, "positions")
        if len(centres) < 2:
            raise ValueError(f"positions must have at least 2 links, got {len(centres)}")
        super().__init__(
            centres,
            _arrays.radii(radii, len(centres), "radii"),
            _arrays.count(exclude, "exclude", 0, _core.limits.largest_int),
            self._method,
        )

    def _joint(self, joint: Any) -> int:
        return _arrays.count(joint, "joint", 0, len(self) - 2)

    def rotate(self, joint: int, angle: float) -> None:
        """Turns the links beyond a joint about the axis from its first link to its second."""
        self._rotate(self._joint(joint), _arrays.number(angle, "angle"))

    def turn(self, joint: int, rotation: RotationLike) -> None:
        """Turns the links beyond a joint about the centre of its first link; the rotation is in the world."""
        self._turn(self._joint(joint), _arrays.rotation(rotation, "rotation"))

    def change(self, angles: Mapping[int, float]) -> None:
        """Several joints turn about their axes at once: {joint: angle}."""
        if not isinstance(angles, Mapping):
            raise TypeError(f"angles must map joints to angles, got {type(angles).__name__}")
        joints = np.array([self._joint(joint) for joint in angles], np.int32)
        self._change(joints, np.array([_arrays.number(angle, "angle") for angle in angles.values()], float))

    def undo(self) -> None:
        """Back to before the last change; can be repeated."""
        if not self._undo():
            raise RuntimeError("there is no change to undo")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} links)"


class Grid(_Baseline):
    """Every link goes into a grid of cells, found by a hash table, and meets those in the cells around it.

    Cells are as wide as the largest ball. Update and test take O(n).

    Parameters
    ----------
    positions
        (n, 3) centres of the links.
    radii
        One radius for all or one each.
    exclude
        Links so near along the chain are never tested.

    Examples
    --------
    >>> from elbowroom import baselines
    >>> chain = baselines.Grid([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], 1.0)
    >>> chain.collides()
    False
    >>> chain.turn(1, [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    >>> chain.positions().tolist()
    [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 4.0, 0.0]]
    >>> chain.undo()
    """

    _method = "grid"


class OneObbTree(_Baseline):
    """One tree of oriented boxes over all links, built for each test and tested against a copy of itself.

    Each link meets itself and its neighbours there, so the work is never less than O(n); building the tree
    takes O(n log n).

    Parameters
    ----------
    positions, radii, exclude
        As in Grid.

    Examples
    --------
    >>> from elbowroom import baselines
    >>> chain = baselines.OneObbTree([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1.0)
    >>> chain.collides()
    False
    >>> chain.counters.leaf_tests
    3
    """

    _method = "one tree"


class KObbTree(_Baseline):
    """A tree of oriented boxes for each piece that stayed rigid since the chain was last free.

    The trees are built for each test, in O(n log n), and tested against each other. Before the chain was
    found free for the first time, it is tested as by OneObbTree.

    Parameters
    ----------
    positions, radii, exclude
        As in Grid.

    Examples
    --------
    >>> from elbowroom import baselines
    >>> chain = baselines.KObbTree([[3.0 * i, 0, 0] for i in range(20)], 1.0)
    >>> chain.collides()
    False
    >>> chain.change({4: 0.5, 11: -0.5})
    >>> chain.collides(), chain.counters.leaf_tests
    (False, 0)
    """

    _method = "k trees"

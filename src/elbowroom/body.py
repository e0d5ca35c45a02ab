"""What all rigid bodies share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core

#: The radius that marks a half-space in the core. Its points are one on its plane, and its normal.
UNBOUNDED = 1e18
#: How the tree of a body is cut: the order of its primitives, the form of the tree, the axes of its boxes.
Plan = tuple[NDArray[np.int32], NDArray[np.uint16], NDArray[np.float32]]


def usable_plan(plan: Any) -> Plan | None:
    """The plan of a pickled body, if it has one.

    It replaces the search for a good tree. The core checks it.
    """
    if plan is None or len(plan) != 3 or len(plan[1]) == 0:
        return None
    found: Plan = tuple(plan)
    return found


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that cannot be written to: bodies do not change behind their own back."""
    out = np.array(array)
    out.flags.writeable = False
    return out


def box_text(edges: NDArray[np.float64]) -> str:
    """The lengths of the edges of a periodic box, in words."""
    right = np.count_nonzero(edges - np.diag(np.diag(edges))) == 0
    lengths = " x ".join(f"{length:.6g}" for length in np.linalg.norm(edges, axis=1))
    return lengths if right else f"{lengths}, not rectangular"


def refuse_box(body: Any, name: str, what: str) -> None:
    """Raises if a chain or a necklace is in a periodic box, which `what` would not take into account."""
    if getattr(body, "box", None) is not None:
        raise ValueError(f"{name} is in a periodic box, which {what} does not take into account")


class Body(_core.RigidBody):
    """A rigid body: convex primitives under a tree of oriented boxes.

    Each primitive is the hull of a few points rounded by a radius.
    But for a mesh that is moved, bodies never change: two threads may query the same one, and a copy is the
    body itself.

    Examples
    --------
    >>> import elbowroom as er
    >>> spring = er.Mesh(*er.scenes.spring())
    >>> isinstance(spring, er.Body), len(spring.boxes(1))
    (True, 8)
    >>> spring.validate()  # says nothing: every box holds what is below it
    """

    @property
    def bounds(self) -> NDArray[np.float64]:
        """The axis-aligned box in the body's frame: [[low], [high]]; infinite with a half-space."""
        if self._is_bounded:
            return np.stack([self._low, self._high])
        return np.array([[-np.inf] * 3, [np.inf] * 3])

    @property
    def _is_bounded(self) -> bool:
        return bool((self._radius < UNBOUNDED).all())

    def _placed_points(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The points at a pose; normals of half-spaces are only turned."""
        points: NDArray[np.float64] = self._points
        placed: NDArray[np.float64] = points @ matrix[:3, :3].T + matrix[:3, 3]
        if not self._is_bounded:
            normals = self._first[:-1][self._radius == UNBOUNDED] + 1
            placed[normals] = points[normals] @ matrix[:3, :3].T
        return placed

    def boxes(self, level: int) -> list[_core.ObbVolume]:
        """The boxes at a level of the tree (0: the root), in the body's frame.

        Leaves that lie higher up are included, so that the boxes of every level hold the whole body.
        """
        return self._boxes(_arrays.count(level, "level", 0, _core.limits.largest_level))

    def validate(self) -> None:
        """Checks the tree; raises AssertionError that says what is wrong with it."""
        fault = self._fault()
        if fault:
            raise AssertionError(fault)

    def _as_it_is(self) -> Body:
        """The body for whoever keeps it: does not change, and is the same object until this one does."""
        return self

    def __copy__(self) -> Body:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Body:
        return self

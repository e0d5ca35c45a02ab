"""Poses: where a body is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core

if TYPE_CHECKING:
    from elbowroom._types import RotationLike


class Pose(_core.Pose):
    """A rigid transform from body to world: x -> rotation x + translation.

    Parameters
    ----------
    rotation
        A (3, 3) matrix, a unit quaternion (w, x, y, z) or a scipy Rotation; none: no rotation.
        Rounded matrices are replaced by the nearest rotation; what is farther off than 1e-3 is refused.
        Or a whole pose, without a translation: a (4, 4) matrix, or a Pose.
    translation
        Three numbers; none: zero.

    Examples
    --------
    >>> import elbowroom as er
    >>> quarter = er.Pose([0.5**0.5, 0, 0, 0.5**0.5], [1, 0, 0])
    >>> quarter.apply([[1.0, 0, 0]]).round(12).tolist()
    [[1.0, 1.0, 0.0]]
    >>> quarter.inverse().apply(quarter.apply([[1.0, 2.0, 3.0]])).round(12).tolist()
    [[1.0, 2.0, 3.0]]
    """

    def __init__(
        self, rotation: RotationLike | _core.Pose | None = None, translation: ArrayLike | None = None
    ) -> None:
        super().__init__(rotation, translation)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """The pose of a (4, 4) matrix."""
        return cls(_core.Pose._read(matrix, "matrix"))

    def __matmul__(self, other: Pose) -> Pose:
        """First `other`, then this."""
        if not isinstance(other, Pose):
            return NotImplemented
        return Pose(self._compose(other))

    def inverse(self) -> Pose:
        """The pose that undoes this one."""
        return Pose(self._inverse())

    def apply(self, points: ArrayLike) -> NDArray[np.float64]:
        """Body points (n, 3) in the world."""
        return _arrays.points(points, "points") @ self.rotation.T + self.translation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and bool((self.matrix == other.matrix).all())

    def __hash__(self) -> int:
        return hash((self.matrix + 0.0).tobytes())  # -0.0 equals 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Pose, (self.rotation, self.translation)

    def __repr__(self) -> str:
        return f"Pose(rotation={self.rotation.tolist()}, translation={self.translation.tolist()})"

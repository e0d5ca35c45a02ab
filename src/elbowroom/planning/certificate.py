"""What proves a path of several motions of a rigid body free, taken together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .spaces import Floats

if TYPE_CHECKING:
    from elbowroom.certificate import Certificate


@dataclass(frozen=True, eq=False, repr=False)
class PathCertificate:
    """The certificates of all motions of a path, one after the other, as one.

    The path takes the time from 0 to 1, in equal shares for its motions; what is said in times has the same
    meaning as in an `er.Certificate`.

    Attributes
    ----------
    parts
        An `er.Certificate` for each motion, of which those after a collision are missing.
    motions
        How many motions the path has.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(1), er.Box([2, 8, 8]))
    >>> around = [er.Pose(translation=p) for p in ([-4, 0, 0], [-4, 6, 0], [4, 6, 0], [4, 0, 0])]
    >>> proof = er.planning.Path(around, checker).certificate
    >>> proof.free, proof.motions, proof.verify()
    (True, 3, None)
    """

    parts: tuple[Certificate, ...]
    motions: int

    @property
    def free(self) -> bool | None:
        """True: proved free; False: there is a collision; None: neither could be shown."""
        told = [part.free for part in self.parts]
        if False in told:
            return False
        return True if len(told) == self.motions and all(told) else None

    def __bool__(self) -> bool:
        return self.free is True

    @property
    def first_contact(self) -> tuple[float, float] | None:
        """Free before the first of these times, as far as was decided, and in contact at the second."""
        for number, part in enumerate(self.parts):
            if part.first_contact is not None:
                before, at = part.first_contact
                return (number + before) / self.motions, (number + at) / self.motions
        return None

    @property
    def intervals(self) -> Floats:
        """(k, 2): times that are proved free."""
        rows = [(part.intervals + number) / self.motions for number, part in enumerate(self.parts)]
        return np.concatenate(rows) if rows else np.empty((0, 2))

    @property
    def covered(self) -> float:
        """Share of the path that is proved free."""
        return float(sum(part.covered for part in self.parts)) / self.motions

    @property
    def distance_calls(self) -> int:
        """Of all parts together."""
        return int(sum(part.distance_calls for part in self.parts))

    def verify(self) -> None:
        """Raises a ValueError where a part does not prove what it says."""
        for number, part in enumerate(self.parts):
            try:
                part.verify()
            except ValueError as error:
                raise ValueError(f"motion {number} of the path: {error}") from None

    def __repr__(self) -> str:
        told = {True: "free", False: "in collision", None: "undecided"}[self.free]
        motions = f"{self.motions:,} motion{'' if self.motions == 1 else 's'}"
        calls = f"{self.distance_calls:,} distance call{'' if self.distance_calls == 1 else 's'}"
        return f"<PathCertificate: {motions}, {told}, {calls}>"

"""What proves a path of several motions of a rigid body free, taken together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom import _arrays
from elbowroom.motion import Motion
from elbowroom.verification import FROM_PROOF, ProofError, Verification

from .spaces import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elbowroom._types import Obstacles, PoseLike
    from elbowroom.body import Body
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
    >>> proof.free, proof.motions
    (True, 3)
    >>> proof.verify(er.Sphere(1), around, er.Box([2, 8, 8]), clearance=0)
    <verified: 3 motions are free>
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
    def proved(self) -> bool:
        """True: proved free, or in contact and the first contact is within the tolerance."""
        return self.free is not None and all(part.proved for part in self.parts)

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

    def verify(
        self,
        body: Body = FROM_PROOF,
        motion: Sequence[PoseLike] | Floats = FROM_PROOF,
        obstacles: Obstacles = FROM_PROOF,
        *,
        clearance: float = FROM_PROOF,
    ) -> Verification:
        """Checks every part as `Certificate.verify` does; raises ProofError if one does not hold.

        What is not given is taken from the certificates, and the result lists it in `assumed`.

        Parameters
        ----------
        body, obstacles, clearance
            As in `er.check`.
        motion
            The states of the path, poses (k, 4, 4).
        """
        ways = self._motions(motion)
        assumed: dict[str, None] = {}
        for number, (part, way) in enumerate(zip(self.parts, ways, strict=False)):
            try:
                found = part.verify(body, way, obstacles, clearance=clearance)
            except ProofError as error:
                raise ProofError(f"motion {number} of the path: {error}", error.assumed) from None
            assumed |= dict.fromkeys(found.assumed)
        return Verification(self._claim(), tuple(assumed))

    def _motions(self, given: Any) -> list[Any]:
        """The motions that the parts are about, at least as many as there are parts."""
        _arrays.count(self.motions, "motions", 1)
        stops = bool(self.parts) and self.parts[-1].free is False
        if len(self.parts) != self.motions and not (stops and len(self.parts) < self.motions):
            raise ProofError(f"parts: there are {len(self.parts)} certificates for {self.motions} motions")
        if given is FROM_PROOF:
            own: list[Any] = [part.motion for part in self.parts]
            for number, (one, other) in enumerate(pairwise(own)):
                if not np.allclose(one.goal.matrix, other.start.matrix, rtol=1e-9, atol=1e-9):
                    raise ProofError(f"motion {number + 1} does not begin where motion {number} ends")
            return [FROM_PROOF] * len(self.parts)
        states = _arrays.listed(given, "motion")
        poses = [_arrays.pose(state, f"motion[{i}]") for i, state in enumerate(states)]
        if max(len(poses) - 1, 1) != self.motions:
            raise ValueError(f"motion: {len(poses)} states are not a path of {self.motions} motions")
        return [Motion(a, b) for a, b in pairwise(poses if len(poses) > 1 else poses * 2)]

    def _claim(self) -> str:
        count = f"{self.motions} motion{'' if self.motions == 1 else 's'}"
        if self.first_contact is not None:
            return f"the path of {count} is in contact at {self.first_contact[1]:.9g}"
        verb = "is" if self.motions == 1 else "are"
        return f"{count} {verb} free" if self.free else f"{count}, not all of them decided"

    def __repr__(self) -> str:
        told = {True: "free", False: "in collision", None: "undecided"}[self.free]
        motions = f"{self.motions:,} motion{'' if self.motions == 1 else 's'}"
        calls = f"{self.distance_calls:,} distance call{'' if self.distance_calls == 1 else 's'}"
        return f"<PathCertificate: {motions}, {told}, {calls}>"

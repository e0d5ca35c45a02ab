"""The answer of `er.check` about beads that move each on their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._at_rest import moving_body, named_at_rest
from elbowroom.bead_motion import BEADS, BONDS, BeadChecker, frames_of
from elbowroom.certificate import Certificate, Floats
from elbowroom.verification import FROM_PROOF, Verification

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from elbowroom._types import AnyBody, MotionLike, Obstacles
    from elbowroom.budget import Budget
    from elbowroom.motion_checker import How
    from elbowroom.necklace import Necklace


class NecklaceCertificate(Certificate):
    """The answer to whether beads that move each on their own are free. True is a proof.

    It has all that a `Certificate` has. `pair` names two beads, two bonds by their rows, or a bead and a part
    of an obstacle; `kind` says which of these, and `beads` names the beads.

    Attributes
    ----------
    kind
        "beads", "bonds" or "obstacle": what touches, or comes nearest where it was not decided; else None.
    beads
        The same by its beads: ((i,), (j,)) for two beads, ((i, j), (k, l)) for two bonds, ((i,),) for a bead
        and an obstacle; else None.
    bonds, bond_radius
        As asked; the bonds as pairs (m, 2).

    Examples
    --------
    >>> import elbowroom as er
    >>> pair = er.Necklace([[0, 0, 0], [4, 0, 0]], 0.5, exclude=0)
    >>> passing = er.check(pair, [[2, 0, 0], [2, 1.5, 0]])
    >>> passing.free, passing.covered, bool(passing.verify())
    (True, 1.0, True)
    >>> meeting = er.check(pair, [[4, 0, 0], [0, 0.1, 0]])
    >>> meeting.kind, meeting.beads, round(meeting.contact_time, 6)
    ('beads', ((0,), (1,)), 0.375088)
    """

    _checker: Any
    motion: Floats

    @property
    def kind(self) -> str | None:
        """What touches: "beads", "bonds" or "obstacle"."""
        if self._nothing():
            return None
        return {BEADS: "beads", BONDS: "bonds"}.get(self._answer.piece_b, "obstacle")

    @property
    def beads(self) -> tuple[tuple[int, ...], ...] | None:
        """The beads of what touches."""
        if self._nothing():
            return None
        i, j = self._answer.pair
        if self.kind == "beads":
            return (i,), (j,)
        if self.kind == "obstacle":
            return ((i,),)
        assert self.bonds is not None
        return tuple(self.bonds[i].tolist()), tuple(self.bonds[j].tolist())

    @property
    def bonds(self) -> NDArray[np.int32] | None:
        """(m, 2): the bonds that were compared, or None."""
        bonds: NDArray[np.int32] | None = self._checker.bonds
        return bonds

    @property
    def bond_radius(self) -> float:
        """How thick they are."""
        radius: float = self._checker.bond_radius
        return radius

    def verify(
        self,
        body: AnyBody = FROM_PROOF,
        motion: MotionLike = FROM_PROOF,
        obstacles: Obstacles = FROM_PROOF,
        *,
        clearance: float = FROM_PROOF,
        self_too: bool = FROM_PROOF,
        tolerance: float | None = None,
        bonds: ArrayLike | str | None = FROM_PROOF,
        bond_radius: float = FROM_PROOF,
    ) -> Verification:
        """Checks the proof without the core that made it; raises ProofError if it does not hold.

        As `Certificate.verify`. Beads are compared in closed form, and bonds by planes that turn, in NumPy;
        where that is too close to rounding, in fractions. `body` is the necklace as it was at the beginning.
        In a periodic box all images that could be near are compared.

        Examples
        --------
        >>> import elbowroom as er
        >>> rope = er.Necklace([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], 0.4)
        >>> end = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]]
        >>> found = er.check(rope, end, bonds="chain")
        >>> found.verify(rope, end, None, clearance=0, self_too=True, bonds="chain", bond_radius=0)
        <verified: the motion is free>
        """
        from elbowroom._proof import beads

        if obstacles is not FROM_PROOF:
            obstacles = named_at_rest(obstacles, body, True)
        given = {"body": moving_body(body), "motion": motion, "obstacles": obstacles, "clearance": clearance}
        given |= {"self_too": self_too, "bonds": bonds, "bond_radius": bond_radius}
        return beads.verified(self, given, tolerance)

    def _pair_in_words(self) -> str:
        if self.kind == "obstacle":
            return f"(bead {self._answer.pair[0]}, {self._answer.pair[1]})"
        one, other = ("-".join(map(str, part)) for part in self.beads or ())
        name = "bond" if self.kind == "bonds" else "bead"
        return f"({name} {one}, {name} {other})"


def certified(
    body: Necklace,
    motion: Any,
    obstacles: Obstacles,
    how: How,
    budget: Budget | None,
    first: bool,
    bonds: Any,
    bond_radius: Any,
) -> NecklaceCertificate:
    """Checks a motion of beads."""
    checker = BeadChecker(body, obstacles, bonds, bond_radius, how)
    answer: Any = checker.check(motion, budget, _arrays.flag(first, "first"))
    frames = frames_of(checker.body, motion)[..., : body.dimension]
    return NecklaceCertificate(answer, checker, np.ascontiguousarray(frames))  # type: ignore[arg-type]

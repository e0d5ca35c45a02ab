"""An independent check of motion certificates: slow, obvious, in NumPy alone. It is `Certificate.verify`.

What is proved. A certificate for a body on a motion among obstacles lists intervals of the time [0, 1] that it
says are free. `verify` proves three things anew, and believes nothing of what the core found out:

1. *The cover.* If the certificate says free, the intervals cover [0, 1]; if it says that contact begins within
   (before, at], they cover [0, before]. Ends are compared as they are, without tolerance.
2. *The intervals.* At no time of any of them are two convex pieces that may not touch within the clearance.
   Every pair of pieces is shown apart by planes: n . a_i(t) + r_a < m(t) < n . b_j(t) - r_b for all corners a_i
   and b_j, at three times and, since paths bend only so sharply, between them (`_motion_proof_planes`). How
   sharply is bounded from the rates of all joints between the two pieces (`_motion_proof_frames`). Where no
   plane is found the time is halved; what is not proved down to spans of 2^-40 is refused. The proof is made
   anew over all that the intervals cover, so it does not matter how the certificate's own were found.
3. *The contact.* At the time `at` the two parts that it names are within rounding of touching, by a distance
   computed here (`_motion_proof_contact`).

Pieces are hulls of points rounded by radii: the primitives of rigid bodies and links, the balls of chains and
necklaces, and, on torsions of a chain, its bonds as segments (`_motion_proof_scene`, `_motion_proof_pieces`).
Where everything is at a time is computed from the certificate's body and motion (`_motion_proof_moves`): linear
translations and turns about fixed axes at constant rates, one for each rigid motion, joint or torsion.

All numbers are floats: gaps must exceed what rounding may take from them, a few parts in 10^15 of the coordinates
for each joint. From the core come only directions to try, witness points of `er.distance`, and any will do:
a wrong one proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elbowroom._motion_proof_contact import check_contact
from elbowroom._motion_proof_frames import Floats
from elbowroom._motion_proof_search import Prover
from elbowroom._motion_proof_scene import Claim, Scene
from elbowroom._motion_proof_spans import Unproved


def verify(certificate: Claim) -> None:
    """Raises ValueError, which says which interval or contact does not hold."""
    intervals = _sound_intervals(certificate.intervals)
    _check_verdict(certificate)
    _check_cover(certificate, intervals)
    scene = Scene.of(certificate)
    _check_intervals(scene, certificate, intervals)
    if certificate.first_contact is not None:
        check_contact(scene, certificate)


def _sound_intervals(given: Floats) -> Floats:
    """(k, 2), sorted by where they begin, each within [0, 1]."""
    intervals = np.asarray(given, np.float64).reshape(-1, 2)
    for low, high in intervals.tolist():
        if not 0 <= low <= high <= 1:
            raise ValueError(f"intervals: [{low:.9g}, {high:.9g}] is no part of [0, 1]")
    return intervals[np.lexsort((intervals[:, 1], intervals[:, 0]))]


def _check_verdict(claim: Claim) -> None:
    """A contact is named if and only if there is one."""
    if (claim.first_contact is not None) != (claim.free is False):
        raise ValueError(f"free is {claim.free}, but first_contact is {claim.first_contact}")
    if claim.first_contact is not None:
        before, at = claim.first_contact
        if not 0 <= before <= at <= 1:
            raise ValueError(f"first_contact: ({before:.9g}, {at:.9g}) are no times in order")


def _check_cover(claim: Claim, intervals: Floats) -> None:
    """The intervals reach as far as the verdict needs them to."""
    if claim.free is None:
        return
    needed = 1.0 if claim.first_contact is None else float(claim.first_contact[0])
    runs = [(low, high) for low, high in _runs(intervals) if low <= 0]
    reached = runs[0][1] if runs else 0.0
    if reached < needed or (claim.free and not runs):
        later = intervals[intervals[:, 0] > reached, 0]
        until = min(float(later.min()) if len(later) else needed, needed)
        raise ValueError(f"intervals: nothing is said of the times from {reached:.9g} to {until:.9g}")


def _runs(intervals: Floats) -> Iterator[tuple[float, float]]:
    """Intervals that touch or overlap as one."""
    begin = end = None
    for low, high in intervals.tolist():
        if end is not None and low <= end:
            end = max(end, high)
            continue
        if begin is not None and end is not None:
            yield begin, end
        begin, end = low, high
    if begin is not None and end is not None:
        yield begin, end


def _check_intervals(scene: Scene, claim: Claim, intervals: Floats) -> None:
    """Everything that the intervals cover is free; what is not is told with the interval that says so."""
    try:
        Prover(scene, float(claim.clearance_asked)).prove(_runs(intervals))
    except Unproved as fault:
        low, high = intervals[(intervals[:, 0] <= fault.time) & (fault.time <= intervals[:, 1])][0]
        raise ValueError(f"interval [{low:.9g}, {high:.9g}] does not hold: {fault}") from None

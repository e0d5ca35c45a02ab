"""An independent check of motion certificates, slow and obvious, in NumPy: what `Certificate.verify` does.

A certificate for a body on a motion among obstacles lists intervals of the time [0, 1] that it says are
free. Three things are proved again, and nothing is believed that the core found out:

1. *The cover.* If the certificate says free, its intervals cover [0, 1]; if it says that a contact begins
   after `before` and is there at `at`, they cover [0, before]. Times are compared as they are, without
   tolerance.
2. *The intervals.* At no time of any of them are two convex pieces that may not touch within the clearance.
   Each pair of pieces is shown apart by planes: n . a_i(t) + r_a < m(t) < n . b_j(t) - r_b for all corners
   a_i and b_j, at three times and, since paths bend only so sharply, between them (`planes`).
   How sharply is bounded from the rates of all joints between the two pieces (`frames`). Where
   no plane is found the time is halved, and what is not proved down to spans of 2^-40 is refused
   (`search`). The proof is rebuilt over all that the intervals cover together, so it does
   not matter by which method they were found, or how many there are.
3. *The contact.* At the time `at` the two parts that are named are within rounding of touching, by a
   distance that is computed here (`contact`), not by `er.collide`.

Pieces are hulls of points rounded by radii: the primitives of rigid bodies and links, the balls of chains
and necklaces, and, on torsions of a chain, its bonds as segments (`scene`,
`pieces`). Where they are at a time is computed from the body and the motion
(`moves`): a linear translation and a turn about a fixed axis at a constant rate for each rigid
motion, joint or torsion.

All numbers are floats: gaps must exceed what rounding may have added to them, about 1e-15 of the coordinates
for each joint. The core gives only directions to try, the witness points of `er.distance`, of which any will
do: a wrong one proves nothing (`hints`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from elbowroom import _arrays
from elbowroom._proof.claim import stated
from elbowroom._proof.contact import check_contact
from elbowroom._proof.frames import Floats
from elbowroom._proof.scene import Claim, Scene
from elbowroom._proof.search import Prover
from elbowroom._proof.spans import Unproved
from elbowroom.verification import ProofError, Verification

#: If there are more separate runs of intervals, all the time from the first to the last is tried before.
MANY_RUNS = 16


def verified(certificate: Claim, given: Mapping[str, Any], tolerance: float | None) -> Verification:
    """What a certificate proves about what was given; raises ProofError if it does not hold."""
    widest = None if tolerance is None else _arrays.positive_share(tolerance, "tolerance")
    claim = stated(certificate, given)
    try:
        verify(claim)
    except ValueError as error:
        raise ProofError(str(error), claim.assumed) from None
    if widest is not None and claim.first_contact is not None:
        check_width(claim.first_contact, widest, claim.assumed)
    return Verification(str(claim), claim.assumed)


def check_width(contact: tuple[float, float], widest: float, assumed: tuple[str, ...]) -> None:
    """Raises ProofError if a contact is not bracketed within so much of the time."""
    before, at = contact
    if at - before > widest * (1 + 1e-9):
        width = f"the contact is bracketed within {at - before:.6g}"
        raise ProofError(f"first_contact: {width}, not within the tolerance of {widest:g}", assumed)


def covered_runs(certificate: Any) -> list[tuple[float, float]]:
    """What the intervals of a certificate cover together, if that is what its verdict needs."""
    intervals = _sound_intervals(certificate.intervals)
    _check_verdict(certificate)
    _check_cover(certificate, intervals)
    return _runs(intervals)


def verify(certificate: Claim) -> None:
    """Raises ValueError, which says which interval or contact does not hold."""
    covered_runs(certificate)
    intervals = _sound_intervals(certificate.intervals)
    scene = Scene.of(certificate)
    if not scene.pairs and certificate.free is False:
        raise ValueError("first_contact: there is nothing that could touch anything")
    if scene.pairs:
        _check_intervals(scene, certificate, intervals)
    if certificate.first_contact is not None:
        check_contact(scene, certificate)


def _sound_intervals(given: Floats) -> Floats:
    """(k, 2), sorted by where they begin, each within [0, 1]."""
    intervals = np.asarray(given)
    if intervals.ndim != 2 or intervals.shape[1] != 2 or intervals.dtype != np.float64:
        raise ValueError(f"intervals are {intervals.dtype} of shape {intervals.shape}, not times (k, 2)")
    low, high = intervals.T
    for i in np.flatnonzero(~((low >= 0) & (low <= high) & (high <= 1)))[:1]:
        raise ValueError(f"intervals: [{low[i]:.9g}, {high[i]:.9g}] is no part of [0, 1]")
    return intervals[np.lexsort((high, low))]


def _check_verdict(claim: Claim) -> None:
    """A contact is named if and only if there is one."""
    if claim.free is not None and not isinstance(claim.free, bool):
        raise ValueError(f"free is {_arrays.shown(claim.free)}, not True, False or None")
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
    runs = _runs(intervals)
    reached = runs[0][1] if runs and runs[0][0] <= 0 else 0.0
    if reached < needed:
        until = min([needed, *(low for low, _ in runs if low > reached)])
        raise ValueError(f"intervals: nothing is said of the times from {reached:.9g} to {until:.9g}")


def _runs(intervals: Floats) -> list[tuple[float, float]]:
    """Intervals, sorted, that touch or overlap as one."""
    if not len(intervals):
        return []
    low, reached = intervals[:, 0], np.maximum.accumulate(intervals[:, 1])
    first = np.concatenate([[0], np.flatnonzero(low[1:] > reached[:-1]) + 1])
    last = np.append(first[1:], len(low)) - 1
    return list(zip(low[first].tolist(), reached[last].tolist(), strict=True))


def _check_intervals(scene: Scene, claim: Claim, intervals: Floats) -> None:
    """Everything that the intervals cover is free; what is not is told with the interval that says so."""
    runs = _runs(intervals)
    try:
        for part, clearance in scene.rounds(float(claim.clearance_asked)):
            prover = Prover(part, clearance)
            if len(runs) <= MANY_RUNS or not _is_proved(prover, runs[0][0], runs[-1][1]):
                prover.prove(runs)
    except Unproved as fault:
        low, high = intervals[(intervals[:, 0] <= fault.time) & (fault.time <= intervals[:, 1])][0]
        raise ValueError(f"interval [{low:.9g}, {high:.9g}] does not hold: {fault}") from None


def _is_proved(prover: Prover, low: float, high: float) -> bool:
    try:
        prover.prove([(low, high)])
    except Unproved:
        return False
    return True

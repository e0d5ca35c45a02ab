"""An independent check of certificates about beads that move each on their own.

As for all certificates, three things are proved again: that the intervals cover the time, that nothing
touches in any of them, and that a contact is one. Positions of beads are straight between two frames. Beads
are compared by the least of a polynomial of degree two, bonds as in `bonds`; what a bead passes through is a
capsule, which is compared with obstacles as other bodies are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _proof
from elbowroom._motion_pieces import obstacle_list
from elbowroom._pair_set import PairSet
from elbowroom._proof.bonds import BondPairs, unproved
from elbowroom._proof.claim import CLAIMED, OWN, Stated, read
from elbowroom._proof.contact import ROUNDED_CONTACT, check_contact, hull_distance
from elbowroom._proof.scene import Scene
from elbowroom._proof.ways import ROUNDED, Floats, Integers, Ways, near, to_shortest
from elbowroom.bead_motion import bonds_of, frames_of, swept_beads
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace
from elbowroom.pose import Pose
from elbowroom.shapes import Sphere
from elbowroom.verification import FROM_PROOF, ProofError, Verification


@dataclass(frozen=True)
class BeadClaim:
    """What is claimed, with all parts checked."""

    body: Necklace
    frames: Floats
    obstacles: Any
    clearance_asked: float
    self_too: bool
    bonds: NDArray[np.int32] | None
    bond_radius: float
    intervals: Floats
    free: bool | None
    first_contact: tuple[float, float] | None
    pair: tuple[int, int] | None
    obstacle: int | None
    kind: str | None
    assumed: tuple[str, ...]

    @property
    def steps(self) -> int:
        """From frame to frame."""
        return len(self.frames) - 1

    def excluded(self, pairs: Integers) -> Any:
        """(k,) of bool: which pairs of beads are not compared."""
        n = len(self.body)
        some = np.sort(pairs, axis=1).astype(np.int64)
        codes = PairSet.of(n, self.body.excluded.astype(np.int64)).codes
        return np.isin(some[:, 0] * n + some[:, 1], codes)

    __str__ = Stated.__str__


def verified(certificate: Any, given: Mapping[str, Any], tolerance: float | None) -> Verification:
    """What a certificate proves about what was given; raises ProofError if it does not hold."""
    widest = None if tolerance is None else _arrays.positive_share(tolerance, "tolerance")
    claim = _stated(certificate, given)
    try:
        _verify(claim)
    except ValueError as error:
        raise ProofError(str(error), claim.assumed) from None
    if widest is not None and claim.first_contact is not None:
        _proof.check_width(claim.first_contact, widest, claim.assumed)
    return Verification(str(claim), claim.assumed)


def _stated(certificate: Any, given: Mapping[str, Any]) -> BeadClaim:
    missing = [name for name in given if given[name] is FROM_PROOF]
    own = {**OWN, "bonds": "bonds", "bond_radius": "bond_radius"}
    about = {**given, **{name: read(certificate, own[name]) for name in missing}}
    try:
        body = about["body"]
        if not isinstance(body, Necklace):
            raise ValueError(f"body must be a Necklace, got {type(body).__name__}")
        frames, bonds = frames_of(body, about["motion"]), bonds_of(about["bonds"], body)
        obstacle_list(about["obstacles"])  # raises for what is no obstacle
    except ValueError as error:
        if {"body", "motion", "obstacles", "bonds"} <= {*missing}:  # no argument of the caller is at fault
            raise ProofError(str(error), tuple(missing)) from error
        raise
    return BeadClaim(
        body,
        frames,
        about["obstacles"],
        _arrays.length(about["clearance"], "clearance"),
        _arrays.flag(about["self_too"], "self_too"),
        bonds,
        _arrays.length(about["bond_radius"], "bond_radius"),
        kind=read(certificate, "kind"),
        assumed=tuple(missing),
        **{name: read(certificate, name) for name in CLAIMED},
    )


def _verify(claim: BeadClaim) -> None:
    """Raises ValueError, which says what does not hold."""
    for low, high in _proof.covered_runs(claim):
        for step in range(claim.steps):
            begin, end = (
                min(max(Fraction(t) * claim.steps - step, Fraction(0)), Fraction(1)) for t in (low, high)
            )
            if begin < end or (low == high and begin == end):
                _verify_step(claim, step, begin, end)
    if claim.first_contact is not None:
        _check_contact(claim)


def _verify_step(claim: BeadClaim, step: int, low: Fraction, high: Fraction) -> None:
    ways = Ways.of(claim.frames[step], claim.frames[step + 1], claim.body.box)
    where = f"between frames {step} and {step + 1}"
    if claim.self_too:
        _verify_beads(claim, ways, low, high, where)
        if claim.bonds is not None and len(claim.bonds) > 1:
            _verify_bonds(claim, ways, low, high, where)
    if claim.obstacles is not None:
        swept = swept_beads(ways.at(float(low)), ways.at(float(high)), np.asarray(claim.body.radii, float))
        whole = np.array([[0.0, 1.0]])
        _proof.verify(_at_rest(claim, swept, Motion(None, None), whole, True, None, None, None))


def _verify_beads(claim: BeadClaim, ways: Ways, low: Fraction, high: Fraction, where: str) -> None:
    """The least distance of two centres is at a time in closed form."""
    radii = np.asarray(claim.body.radii, float)
    start, end = ways.at(float(low)), ways.at(float(high))
    room = 0.5 * np.linalg.norm(end - start, axis=1) + radii + 0.5 * claim.clearance_asked
    for i, j, shift in near(0.5 * (start + end), room, ways.edges):
        pairs = np.stack([i, j], axis=1)
        kept = ~claim.excluded(pairs)
        i, j, shift = i[kept], j[kept], shift[kept]
        d0, d1 = (ways.apart(i, j, shift, np.full(len(i), float(t))) for t in (low, high))
        way = d1 - d0
        square = np.einsum("ki,ki->k", way, way)
        share = np.clip(-np.einsum("ki,ki->k", d0, way) / np.where(square > 0, square, 1), 0, 1)
        nearest = np.linalg.norm(d0 + share[:, None] * way, axis=1)
        reach = radii[i] + radii[j] + claim.clearance_asked
        size = np.linalg.norm(d0, axis=1) + np.linalg.norm(d1, axis=1) + reach + 0.01 * ways.farthest
        for k in np.flatnonzero(nearest <= reach + ROUNDED * size).tolist():
            limit = (
                Fraction(float(radii[i[k]])) + Fraction(float(radii[j[k]])) + Fraction(claim.clearance_asked)
            )
            begin, after = (ways.exactly(int(i[k]), int(j[k]), shift[k], t) for t in (low, high))
            if not _least_square(begin, after) > limit * limit:
                raise ValueError(f"intervals: {where} beads {i[k]} and {j[k]} are not shown to be apart")


def _least_square(start: list[Fraction], end: list[Fraction]) -> Fraction:
    """Of the distance from zero, in fractions."""
    way = [b - a for a, b in zip(start, end, strict=True)]
    square = sum((x * x for x in way), Fraction(0))
    along = -sum((a * x for a, x in zip(start, way, strict=True)), Fraction(0))
    share = min(max(along / square, Fraction(0)), Fraction(1)) if square else Fraction(0)
    return sum(((a + share * x) ** 2 for a, x in zip(start, way, strict=True)), Fraction(0))


def _verify_bonds(claim: BeadClaim, ways: Ways, low: Fraction, high: Fraction, where: str) -> None:
    assert claim.bonds is not None
    bonds = claim.bonds.astype(np.int64)
    along = _along_bonds(ways, bonds)
    ends = [
        ways.at(float(t))[bonds[:, 0], None] + np.stack([np.zeros_like(apart), apart], axis=1)
        for t in (low, high)
        for apart in [ways.apart(bonds[:, 0], bonds[:, 1], along, np.full(len(bonds), float(t)))]
    ]
    corners = np.concatenate(ends, axis=1)
    centres = corners.mean(axis=1)
    room = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
    room = room + claim.bond_radius + 0.5 * claim.clearance_asked
    for a, b, shift in near(centres, room, ways.edges):
        kept = ~(bonds[a][:, :, None] == bonds[b][:, None, :]).any(axis=(1, 2))
        a, b, shift = a[kept], b[kept], shift[kept]
        both = np.stack(np.broadcast_arrays(bonds[a][:, :, None], bonds[b][:, None, :]), axis=-1)
        may = claim.excluded(both.reshape(-1, 2)).reshape(-1, 4).any(axis=1)
        reach = np.where(may, 0.0, 2 * claim.bond_radius + claim.clearance_asked)
        left = unproved(BondPairs(ways, bonds[a], bonds[b], along[a], along[b], shift, reach), low, high)
        if left is not None:
            raise ValueError(f"intervals: {where} bonds {a[left]} and {b[left]} are not shown to be apart")


def _along_bonds(ways: Ways, bonds: Integers) -> Integers:
    """The edges that take the second bead of each bond to its image that is nearest to the first, midway."""
    if not ways.edges.any():
        return np.zeros((len(bonds), 3), np.int64)
    half = np.full(len(bonds), 0.5)
    none = np.zeros((len(bonds), 3), np.int64)
    return to_shortest(ways.apart(bonds[:, 0], bonds[:, 1], none, half), ways.edges)


def _check_contact(claim: BeadClaim) -> None:
    """Raises ValueError unless the parts that are named touch at the time of contact."""
    assert claim.first_contact is not None
    at = float(claim.first_contact[1])
    told = f"first_contact: at the time {at:.9g}"
    kinds = {"beads": len(claim.body), "bonds": 0 if claim.bonds is None else len(claim.bonds)}
    if claim.pair is None or claim.kind not in (*kinds, "obstacle"):
        raise ValueError(f"{told} no parts are named that touch")
    i, j = (int(number) for number in claim.pair)
    step = min(int(at * claim.steps), claim.steps - 1)
    local = min(max(at * claim.steps - step, 0.0), 1.0)
    ways = Ways.of(claim.frames[step], claim.frames[step + 1], claim.body.box)
    if claim.kind == "obstacle":
        return _check_obstacle(claim, ways, i, j, local)
    below = kinds[claim.kind]
    if not (0 <= i < below and 0 <= j < below) or i == j or not claim.self_too:
        raise ValueError(f"{told} {claim.kind} {i} and {j} are never compared")
    if claim.kind == "beads":
        radii = float(claim.body.radii[i]) + float(claim.body.radii[j])
        one, other, reach = np.zeros((1, 3)), np.zeros((1, 3)), radii + claim.clearance_asked
        compared = not claim.excluded(np.array([[i, j]]))[0]
        first, second, middles = i, j, np.zeros(3)
    else:
        assert claim.bonds is not None
        bonds = claim.bonds.astype(np.int64)[[i, j]]
        compared = not np.isin(bonds[0], bonds[1]).any()
        pairs = np.array([(p, q) for p in bonds[0] for q in bonds[1]])
        reach = 0.0 if claim.excluded(pairs).any() else 2 * claim.bond_radius + claim.clearance_asked
        along = _along_bonds(ways, bonds)
        ends = ways.apart(bonds[:, 0], bonds[:, 1], along, np.full(2, local))
        one, other = (np.stack([np.zeros(3), end]) for end in ends)
        first, second, middles = int(bonds[0, 0]), int(bonds[1, 0]), 0.5 * (ends[1] - ends[0])
    if not compared:
        raise ValueError(f"{told} {claim.kind} {i} and {j} are never compared")
    pair, none = (np.array([first]), np.array([second])), np.zeros((1, 3), np.int64)
    apart = ways.apart(*pair, none, np.array([local]))
    if ways.edges.any():
        apart = apart + to_shortest(apart + middles, ways.edges) @ ways.edges
    distance = hull_distance(one, other + apart)
    lengths = [np.abs(x).max() for x in (apart, one, other)]
    lengths += [np.abs(ways.apart(*pair, none, np.array([t]))).max() for t in (0.0, 1.0)]
    size = ways.farthest if ways.edges.any() else float(max(lengths))
    if distance > reach + ROUNDED_CONTACT * (size + reach):
        far = f"{distance:.9g} apart" if math.isfinite(distance) else "far apart"
        raise ValueError(f"{told} {claim.kind} {i} and {j} are {far}: this is no contact")


def _check_obstacle(claim: BeadClaim, ways: Ways, bead: int, part: int, local: float) -> None:
    if not 0 <= bead < len(claim.body) or claim.obstacle is None:
        raise ValueError(f"first_contact: there is no bead {bead} or no obstacle")
    ends = [Pose(translation=ways.at(t)[bead]) for t in (0.0, 1.0)]
    ball = Sphere(float(claim.body.radii[bead]))
    contact = _at_rest(
        claim, ball, Motion(*ends), np.empty((0, 2)), False, (0.0, local), (0, part), claim.obstacle
    )
    check_contact(Scene.of(contact), contact)


def _at_rest(
    claim: BeadClaim,
    body: Any,
    motion: Motion,
    intervals: Floats,
    free: bool,
    first_contact: tuple[float, float] | None,
    pair: tuple[int, int] | None,
    obstacle: int | None,
) -> Stated:
    """A claim about one body among the obstacles."""
    about = (body, motion, claim.obstacles, claim.clearance_asked, False)
    return Stated(*about, intervals, free, first_contact, pair, obstacle, ())

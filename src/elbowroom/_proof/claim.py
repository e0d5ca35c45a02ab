"""What a certificate claims, about which bodies and motion: those that the caller gave, or its own.

Part of the independent check of motion certificates. A certificate may come from a damaged or forged
pickle, so everything that is read from it is checked as if a user had given it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from elbowroom import _arrays
from elbowroom._motion_pieces import obstacle_list
from elbowroom._proof.frames import Floats
from elbowroom._proof.scene import Claim
from elbowroom.articulated import Articulated
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.verification import FROM_PROOF, ProofError

#: Where a certificate keeps what `Certificate.verify` may be given instead.
OWN = {"body": "body", "motion": "motion", "obstacles": "obstacles", "clearance": "clearance_asked",
       "self_too": "self_too"}  # fmt: skip
#: What it claims about these.
CLAIMED = ("intervals", "free", "first_contact", "pair", "obstacle")


@dataclass(frozen=True)
class Stated:
    """A claim whose parts have been checked; `assumed` names those that the caller did not give."""

    body: Any
    motion: Any
    obstacles: Any
    clearance_asked: float
    self_too: bool
    intervals: Floats
    free: bool | None
    first_contact: tuple[float, float] | None
    pair: tuple[int, int] | None
    obstacle: int | None
    assumed: tuple[str, ...]

    def __str__(self) -> str:
        if self.first_contact is not None:
            before, at = self.first_contact
            return f"the motion is free until {before:.9g} and in contact at {at:.9g}"
        if self.free is None:
            return f"the motion is free in {len(self.intervals)} intervals, and otherwise undecided"
        near = f" with a clearance of {self.clearance_asked:g}" if self.clearance_asked else ""
        return f"the motion is free{near}"


def stated(certificate: Claim, given: Mapping[str, Any]) -> Stated:
    """The claim of a certificate about what was given; raises ProofError for what cannot be checked."""
    missing = [name for name in given if given[name] is FROM_PROOF]
    about = {**given, **{name: read(certificate, OWN[name]) for name in missing}}
    try:
        motion = _one_motion(about["body"], about["motion"])
        obstacle_list(about["obstacles"])  # raises for what is no obstacle
    except ValueError as error:
        if {"body", "motion", "obstacles"} <= {*missing}:  # no argument of the caller is at fault
            raise ProofError(str(error), tuple(missing)) from error
        raise
    by_joints = isinstance(about["body"], Articulated) and not isinstance(motion, Motion)
    return Stated(
        body=about["body"],
        motion=motion,
        obstacles=about["obstacles"],
        clearance_asked=_arrays.length(about["clearance"], "clearance"),
        self_too=_arrays.flag(about["self_too"], "self_too"),
        assumed=tuple(name for name in missing if name != "self_too" or by_joints),
        **{name: read(certificate, name) for name in CLAIMED},
    )


def read(certificate: Claim, name: str) -> Any:
    """An attribute; raises ProofError if a damaged state keeps it from being read."""
    try:
        return getattr(certificate, name)
    except Exception as error:  # whatever a damaged state makes its properties raise
        raise ProofError(f"the certificate is damaged: {name}: {type(error).__name__}: {error}") from error


def _one_motion(body: Any, motion: Any) -> Any:
    """The motion in the form that the scene is made from."""
    if isinstance(motion, Motion):
        if motion._many:
            raise ValueError(f"motion must be one motion, got {len(motion)}")
        return motion
    if isinstance(body, Articulated) and not isinstance(motion, Mapping):
        path = _arrays.joint_paths(motion, body.dof, "motion")
        if path.ndim != 2:
            raise ValueError(f"motion must be one path (k, {body.dof}), got {len(path)} paths")
        body._skeleton.configurations(path, "motion")  # raises for what is no configuration
        return path
    if isinstance(body, Chain):
        turns = (list(motion), list(motion.values())) if isinstance(motion, Mapping) else motion
        return _arrays.torsions(turns, len(body), "motion")
    raise ValueError(f"motion must be an er.Motion for this body, got {type(motion).__name__}")

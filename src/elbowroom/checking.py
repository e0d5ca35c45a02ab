"""Whole motions proved free: er.check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from elbowroom import _arrays
from elbowroom._at_rest import at_rest, moving_body
from elbowroom._chain_turn import OneTorsion, summed
from elbowroom._motion_pieces import as_it_is, obstacle_list
from elbowroom.articulated import Articulated
from elbowroom.certificate import Certificate, Certificates
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.motion_checker import How, MotionChecker
from elbowroom.necklace import Necklace
from elbowroom.necklace_certificate import certified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from elbowroom._types import AnyBody, Floats, MotionLike, Obstacles
    from elbowroom.budget import Budget
    from elbowroom.world import Member


# An er.Motion is taken to hold one motion, and a list one path: of many no type checker can know.
@overload
def check(
    body: AnyBody | Member,
    motion: Motion | Mapping[int, float] | Sequence[ArrayLike] | tuple[ArrayLike, ArrayLike],
    obstacles: Obstacles = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-6,
    budget: Budget | None = None,
    clearance: float = 0.0,
    first: bool = True,
    self_too: bool = True,
    threads: int | None = None,
    bonds: ArrayLike | str | None = None,
    bond_radius: float = 0.0,
) -> Certificate: ...
@overload
def check(
    body: AnyBody | Member,
    motion: Floats,
    obstacles: Obstacles = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-6,
    budget: Budget | None = None,
    clearance: float = 0.0,
    first: bool = True,
    self_too: bool = True,
    threads: int | None = None,
    bonds: ArrayLike | str | None = None,
    bond_radius: float = 0.0,
) -> Certificate | Certificates: ...
def check(
    body: AnyBody | Member,
    motion: MotionLike,
    obstacles: Obstacles = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-6,
    budget: Budget | None = None,
    clearance: float = 0.0,
    first: bool = True,
    self_too: bool = True,
    threads: int | None = None,
    bonds: ArrayLike | str | None = None,
    bond_radius: float = 0.0,
) -> Certificate | Certificates:
    """Is a whole motion free of contact? Proves that it is, or says where it is not.

    Parameters
    ----------
    body
        Any body.
    motion
        An er.Motion (of many poses: many answers, on all cores), which moves the body rigidly as it is now.
        For an articulated body also a path (k, dof) through configurations, straight between them and in
        equal shares of time, or many of them (n, k, dof); the body is then compared with itself too. For a
        chain also torsions, {joint: angle} as in `Chain.change`, which are turned together, continuously and
        from where the chain is; the chain itself is not changed. No ball may touch another, and no bond may
        pass through another or touch it. Bonds are segments from link to link; two that share a link are not
        compared.
        For a necklace also positions (n, 3) or (n, 2), where each bead goes to from where it is, straight
        and on its own, or a path (k, n, 3) through frames, in equal shares of time; the beads are then
        compared with each other too. In a periodic box each goes to the nearest image.
    obstacles
        A body, (body, pose), (body, motion), (articulated body, (2, dof) configurations), or a list of these;
        or a World, whose bodies stand where they are. `body` may be one of them, `world["arm"]`: it is then
        compared with the others, but for those that it is excluded from.
    method
        "auto", "swept", "isotropic", "hourglass", "isotropic-axis" or "hourglass-axis": see MotionChecker.
    tolerance
        A share of the motion's time: the first contact is bracketed within it, and what cannot be decided in
        so short an interval stays undecided.
    budget
        An er.Budget for each motion.
    clearance
        Nearer than this counts as contact. Of a chain, two bonds keep the clearance if the chain compares
        both links of the one with both of the other; all others must only not touch.
    first
        False: any contact will do, not the first. Cheaper.
    self_too
        False: an articulated body, or a necklace whose beads move, is not compared with itself.
    threads
        For many motions: how many cores to use; None: all.
    bonds
        For a necklace whose beads move: bonds that may not pass through each other. "chain": each bead with
        the next, and the last with the first of a closed necklace; (m, 2): pairs of beads. Bonds that share
        a bead are not compared, and obstacles are compared with beads only.
    bond_radius
        Bonds are so thick, and keep the clearance. Those of which a bead of one is excluded from a
        comparison with a bead of the other may overlap, but not pass through each other.

    Returns
    -------
    Certificate, or Certificates for many motions; a NecklaceCertificate for beads that move on their own.

    Examples
    --------
    >>> import elbowroom as er
    >>> hook = er.Group([er.Box([2, 0.2, 0.2]), (er.Box([0.2, 2, 0.2]), er.Pose(translation=[-1, 1, 0]))])
    >>> post = (er.Capsule(0.2, 10), er.Pose(translation=[3, 0, 0]))
    >>> certificate = er.check(hook, er.Motion(er.Pose(), er.Pose([0, 0, 0, 1], [6, 4, 0])), post)
    >>> certificate.free, certificate.intervals.tolist(), certificate.distance_calls
    (True, [[0.0, 0.5], [0.5, 1.0]], 2)
    >>> certificate.verify()
    <verified: the motion is free; assumed from the proof: body, motion, obstacles, clearance>
    >>> straight = er.check(hook, er.Motion(er.Pose(), er.Pose(translation=[6, 0, 0])), post)
    >>> straight.free, straight.obstacle, round(straight.contact_time, 5)
    (False, 0, 0.3)

    Two bonds of a necklace pass through each other between two frames:

    >>> start = [[-1, 0, 0], [1, 0, 0], [2, 2, 1], [0, 1, 1], [0, -1, 1]]
    >>> end = [[-1, 0, 0], [1, 0, 0], [2, 2, -1], [0, 1, -1], [0, -1, -1]]
    >>> rope = er.Necklace(start, 0.1)
    >>> er.check(rope, end).free
    True
    >>> crossing = er.check(rope, end, bonds="chain")
    >>> crossing.beads, round(crossing.contact_time, 9), crossing.points[0].round(9).tolist()
    (((0, 1), (3, 4)), 0.5, [0.0, 0.0, 0.0])

    References
    ----------
    [He2014]_; for articulated bodies [Schwarzer2002]_.
    """
    how = How(method, tolerance, clearance, self_too)
    given: Any = body
    body = moving_body(given)
    if isinstance(body, Necklace) and not isinstance(motion, Motion):
        return certified(
            body, motion, at_rest(obstacles, given, True), how, budget, first, bonds, bond_radius
        )
    if bonds is not None or bond_radius:
        raise ValueError("bonds are for a necklace whose beads move on their own")
    asked: dict[str, Any] = {"budget": budget, "first": first, "threads": threads}
    if isinstance(motion, Motion) and isinstance(body, Articulated):
        return MotionChecker._rigidly(given, obstacles, how).check(motion, **asked)
    by_joints = isinstance(body, Articulated) and not isinstance(motion, Mapping)
    if isinstance(motion, Motion) or by_joints:
        path: Any = motion
        return MotionChecker(given, obstacles, **vars(how)).check(path, **asked)
    if isinstance(body, Chain):
        wants_first = _arrays.flag(first, "first")
        if budget is None and (alone := _one_torsion(body, motion, at_rest(obstacles, given, True), how)):
            return Certificate(alone.answer, alone, motion)
        turning = MotionChecker._turning(given, motion, obstacles, how)
        return Certificate(turning._check_as_added(budget, wants_first), turning, motion)
    next(as_it_is(body, "body"))  # raises for what is no body
    raise ValueError(f"motion must be an er.Motion for this body, got {type(motion).__name__}")


def _one_torsion(chain: Chain, motion: Any, obstacles: Obstacles, how: How) -> OneTorsion | None:
    """The answer of the chain's own tree, if a single joint turns and nothing else is there."""
    if how.method != "auto" or obstacle_list(obstacles):
        return None
    torsions = (list(motion), list(motion.values())) if isinstance(motion, Mapping) else motion
    joints, angles = summed(*_arrays.torsions(torsions, len(chain), "motion"))
    if len(joints) != 1:
        return None
    return OneTorsion(
        chain,
        int(joints[0]),
        float(angles[0]),
        tolerance=_arrays.positive_share(how.tolerance, "tolerance"),
        clearance=_arrays.length(how.clearance, "clearance"),
        self_too=_arrays.flag(how.self_too, "self_too"),
    )

"""What `er.check` answers: a proof that a motion is free, or where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core
from elbowroom._at_rest import AtRest, moving_body, named_at_rest
from elbowroom._deprecated import renamed
from elbowroom._motion_pieces import obstacle_list
from elbowroom._names import called
from elbowroom.motion import Motion
from elbowroom.verification import FROM_PROOF, Verification

if TYPE_CHECKING:
    from elbowroom._chain_turn import OneTorsion
    from elbowroom._types import AnyBody, MotionLike, Obstacles
    from elbowroom.motion_checker import MotionChecker

Floats = NDArray[np.float64]
_VERDICTS = {0: True, 1: False, 2: None}


@dataclass(frozen=True)
class MotionCounters:
    """The work of a MotionChecker so far.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(1), er.Box(2))
    >>> checker.free(er.Pose(translation=[0, 0, 5]), er.Pose(translation=[5, 0, 5]))
    True
    >>> checker.counters.motions
    1
    """

    motions: int
    distance_calls: int
    volume_tests: int
    leaf_tests: int


class Certificate:
    """The answer to whether a motion is free. True is a proof.

    Attributes
    ----------
    free
        True: proved free. False: there is a contact. None: not decided, within the tolerance or the budget.
    first_contact
        (before, at): free until `before`, in contact at `at`; None unless `free` is False. With first=False
        `at` is any contact that was found.
    pair, obstacle, obstacle_name, points
        Of a contact, or of where it could not be decided: what touches, as `er.collide` names it (the body
        first); which of the obstacles, None for a contact of the body with itself; its name, if it is a body
        of a World; the witness points (2, 3)
        in the world, at `contact_time` or `closest_time`. A bond of a chain is called by its first link.
    intervals, times
        (k, 2) and (k,): the proof. From intervals[i, 0] to intervals[i, 1] nothing touches; that was found by
        looking at the bodies at times[i]. `verify` looks at each interval on its own.
    covered
        The share of the motion's time that is proved free.
    closest
        If not decided: they come at least so near. Else None.
    clearance_asked
        What counts as contact.
    distance_calls, counters
        How many times the bodies were compared, and the work it took.
    status
        "settled"; "within tolerance": not decided, or an earlier contact is not ruled out; "out of budget".
    proved
        True: proved free, or in contact and the first contact is within the tolerance.
    method, tolerance
        As asked.

    Examples
    --------
    >>> import elbowroom as er
    >>> motion = er.Motion(er.Pose(translation=[-4, 0, 0]), er.Pose(translation=[4, 0, 0]))
    >>> found = er.check(er.Sphere(1), motion, er.Box(2))
    >>> found.free, round(found.contact_time, 5), found.pair
    (False, 0.25, (0, 0))
    >>> past = er.check(er.Sphere(1), motion, er.Group([(er.Box(2), er.Pose(translation=[0, 3, 0]))]))
    >>> past.free, past.covered, bool(past.verify())
    (True, 1.0, True)
    """

    def __init__(
        self, answer: _core.MotionAnswer, checker: MotionChecker | OneTorsion, motion: MotionLike
    ) -> None:
        self._answer = answer
        self._checker = checker
        self.motion = motion
        self.free: bool | None = _VERDICTS[answer.verdict]
        self.method: str = checker.method
        self.tolerance: float = checker.tolerance

    def __bool__(self) -> bool:
        return self.free is True

    @property
    def body(self) -> AnyBody:
        """The body that was moved."""
        body: AnyBody = self._checker.body
        return body

    @property
    def obstacles(self) -> Obstacles:
        """The obstacles, as they were given."""
        obstacles: Obstacles = self._checker.obstacles
        return obstacles

    @property
    def self_too(self) -> bool:
        """Was the body compared with itself?"""
        return self._checker.self_too

    @property
    def clearance_asked(self) -> float:
        """What counts as contact."""
        return self._checker.clearance

    @property
    def first_contact(self) -> tuple[float, float] | None:
        """(before, at): free until `before`, in contact at `at`; None unless `free` is False."""
        return (self._answer.before, self._answer.at) if self.free is False else None

    @property
    def contact_time(self) -> float | None:
        """When the contact is: first_contact[1]."""
        return self._answer.at if self.free is False else None

    @property
    def closest_time(self) -> float | None:
        """When they come as near as `closest`, if it was not decided."""
        return self._answer.at if self._undecided() else None

    @property
    def closest(self) -> float | None:
        """If not decided: they come at least so near. Else None."""
        return self._answer.closest if self._undecided() else None

    @property
    def clearance(self) -> float | None:
        """Deprecated: `closest`; what was asked is `clearance_asked`."""
        renamed("Certificate.clearance", "closest, or clearance_asked for what was asked")
        return self.closest

    @property
    def pair(self) -> tuple[int, int] | None:
        """What touches, or comes nearest where it was not decided: of the body, and of the obstacle."""
        return None if self._nothing() else self._place()[0]

    @property
    def obstacle(self) -> int | None:
        """Which of the obstacles; None: the body itself."""
        return None if self._nothing() else self._place()[1]

    @property
    def obstacle_name(self) -> str | None:
        """Its name, of a body of a World; else None."""
        names = getattr(self.obstacles, "names", ())
        return names[self.obstacle] if names and self.obstacle is not None else None

    @property
    def points(self) -> Floats | None:
        """(2, 3): the witness points in the world, of the body and of the obstacle."""
        if self._nothing():
            return None
        points = self._answer.points[::-1].copy() if self._place()[2] else self._answer.points
        seen: Floats = self.obstacles.seen(points) if isinstance(self.obstacles, AtRest) else points
        return seen

    @property
    def intervals(self) -> Floats:
        """(k, 2), sorted: what is proved free."""
        return self._answer.intervals[:, :2].copy()

    @property
    def times(self) -> Floats:
        """(k,): when the bodies were looked at for each interval."""
        return self._answer.intervals[:, 2].copy()

    @property
    def covered(self) -> float:
        """The share of the motion's time that is proved free."""
        spans = self._answer.intervals
        return 1.0 if self.free else float((spans[:, 1] - spans[:, 0]).sum())

    @property
    def distance_calls(self) -> int:
        """How many times the bodies were compared."""
        return self._answer.distance_calls

    @property
    def counters(self) -> _core.Counters:
        """The work it took."""
        return self._answer.counters

    @property
    def status(self) -> str:
        """How it ended: settled, within tolerance, or out of budget."""
        if self._answer.out_of_budget:
            return "out of budget"
        return "within tolerance" if self.free is None or self._answer.loose else "settled"

    @property
    def proved(self) -> bool:
        """True: proved free, or in contact and the first contact is within the tolerance."""
        return self.status == "settled"

    def verify(
        self,
        body: AnyBody = FROM_PROOF,
        motion: MotionLike = FROM_PROOF,
        obstacles: Obstacles = FROM_PROOF,
        *,
        clearance: float = FROM_PROOF,
        self_too: bool = FROM_PROOF,
        tolerance: float | None = None,
    ) -> Verification:
        """Checks the proof without the core that made it; raises ProofError if it does not hold.

        For every two primitives a plane is sought that separates them throughout each interval, in NumPy,
        slowly and simply. A contact must be one: the two parts that are named touch at that time.

        Give everything that defines the claim if you do not trust where the certificate comes from: it may
        be about another body or motion than you think. What is not given is taken from the certificate, and
        the result lists it in `assumed`. Not part of the claim, and not checked: `method`, `status`,
        `counters`, and, if it was not decided, how near the bodies come.

        Parameters
        ----------
        body, motion, obstacles, clearance, self_too
            As in `er.check`. The pairs of links or balls that may touch are those of this body.
        tolerance
            If there is a contact: the proof must rule out any contact earlier than this share of the time
            before it. None: the bracket `first_contact` may have any width.

        Returns
        -------
        Verification
            Always true; its repr says what was verified.

        Examples
        --------
        >>> import elbowroom as er
        >>> ball, box = er.Sphere(1), er.Box(2)
        >>> motion = er.Motion(er.Pose(translation=[-4, 3, 0]), er.Pose(translation=[4, 3, 0]))
        >>> found = er.check(ball, motion, box)
        >>> found.verify(ball, motion, box, clearance=0)
        <verified: the motion is free>
        >>> found.verify()
        <verified: the motion is free; assumed from the proof: body, motion, obstacles, clearance>
        """
        from elbowroom import _proof

        if obstacles is not FROM_PROOF:
            obstacles = named_at_rest(obstacles, body, not isinstance(self.motion, Motion))
        given = {"body": moving_body(body), "motion": motion, "obstacles": obstacles}
        return _proof.verified(self, given | {"clearance": clearance, "self_too": self_too}, tolerance)

    def _undecided(self) -> bool:
        return self.free is None and self._answer.piece_a >= 0

    def _nothing(self) -> bool:
        return self._answer.piece_a < 0

    def _place(self) -> tuple[tuple[int, int], int | None, bool]:
        """The pair, the obstacle, and whether the core had them the other way round."""
        a = self._checker._whose(self._answer.piece_a, self._answer.pair[0])
        b = self._checker._whose(self._answer.piece_b, self._answer.pair[1])
        turned = a[0] >= 0 or (b[0] < 0 and a[1] > b[1])
        if turned:
            a, b = b, a
        return (a[1], b[1]), (b[0] if b[0] >= 0 else None), turned

    def __repr__(self) -> str:
        return f"<Certificate: {self._story()}; {self.status}; {self._work()}>"

    def _story(self) -> str:
        if self.free:
            count = len(self._answer.intervals)
            return f"free, proved by {count} interval{'' if count == 1 else 's'}"
        if self.free is False:
            before, at = self._answer.before, self._answer.at
            name = f"obstacle {self.obstacle}" if self.obstacle_name is None else repr(self.obstacle_name)
            other = "itself" if self.obstacle is None else name
            pair = self._pair_in_words()
            return f"in contact with {other} at t = {at:.9g}, pair {pair}, free before {before:.9g}"
        if not self._undecided():
            return f"not decided, {self.covered:.1%} proved free"
        return f"not decided: within {self.closest:.3g} of contact at t = {self.closest_time:.9g}"

    def _pair_in_words(self) -> str:
        """By the names of links and atoms, where there are some."""
        (i, j), obstacle, _ = self._place()
        other = self.body if obstacle is None else obstacle_list(self.obstacles)[obstacle].body
        return f"({called(self.body, i)}, {called(other, j)})"

    def _work(self) -> str:
        c = self.counters
        return f"{self.distance_calls} distance calls, {c.volume_tests} volume and {c.leaf_tests} leaf tests"


class Certificates:
    """The answers about many motions, as arrays.

    Attributes
    ----------
    free, colliding, undecided
        (n,) of bool: proved free, seen to have a contact, neither.
    first_contact
        (n, 2): (before, at) of those that have one, NaN elsewhere.
    distance_calls
        (n,)

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(1), er.Box(2))
    >>> starts = [er.Pose(translation=[-4, y, 0]).matrix for y in (0.0, 3.0)]
    >>> goals = [er.Pose(translation=[4, y, 0]).matrix for y in (0.0, 3.0)]
    >>> found = checker.check(er.Motion(starts, goals))
    >>> found.free.tolist(), found.first_contact[0].round(5).tolist()
    ([False, True], [0.25, 0.25])
    """

    def __init__(
        self, answers: list[_core.MotionAnswer], checker: MotionChecker, motion: Motion | Floats
    ) -> None:
        self._answers = answers
        self._checker = checker
        self.motion = motion
        verdicts = np.array([a.verdict for a in answers])
        self.free: NDArray[np.bool_] = verdicts == 0
        self.colliding: NDArray[np.bool_] = verdicts == 1
        self.undecided: NDArray[np.bool_] = verdicts == 2
        self.distance_calls: NDArray[np.int64] = np.array([a.distance_calls for a in answers], np.int64)
        contacts = np.array([(a.before, a.at) for a in answers]).reshape(-1, 2)
        self.first_contact: Floats = np.where(self.colliding[:, None], contacts, np.nan)

    @property
    def counters(self) -> MotionCounters:
        """The work of all together."""
        work = [a.counters for a in self._answers]
        volumes, leaves = sum(c.volume_tests for c in work), sum(c.leaf_tests for c in work)
        return MotionCounters(len(work), int(self.distance_calls.sum()), volumes, leaves)

    @property
    def status(self) -> str:
        """The worst of all: "out of budget", "within tolerance" or "settled"."""
        if any(a.out_of_budget for a in self._answers):
            return "out of budget"
        loose = self.undecided.any() or any(a.loose for a in self._answers)
        return "within tolerance" if loose else "settled"

    @property
    def proved(self) -> bool:
        """True if all are: see `Certificate.proved`."""
        return self.status == "settled"

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, i: int) -> Certificate:
        k = range(len(self))[i]
        return Certificate(self._answers[k], self._checker, self.motion[k])

    def __repr__(self) -> str:
        counts = (
            f"{self.free.sum()} free, {self.colliding.sum()} in contact, {self.undecided.sum()} not decided"
        )
        return f"<Certificates: {len(self)} motions, {counts}; {self.status}>"

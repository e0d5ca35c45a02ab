"""A body among obstacles, prepared for questions about whole motions."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._arrays import shown
from elbowroom._chain_turn import add_chain_turn
from elbowroom._motion_pieces import Obstacle, Piece, as_it_is, link_pieces, obstacle_list, standing_pieces
from elbowroom.articulated import Articulated
from elbowroom.certificate import Certificate, Certificates, MotionCounters
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace

if TYPE_CHECKING:
    from elbowroom._types import AnyBody, Obstacles, StateLike
    from elbowroom.budget import Budget


@dataclass(frozen=True)
class How:
    """How motions are checked."""

    method: str
    tolerance: float
    clearance: float
    self_too: bool


#: In the order of the core's enumeration.
METHODS = ("auto", "isotropic", "isotropic-axis", "hourglass", "hourglass-axis", "swept")


class MotionChecker(_core.MotionChecker):
    """A body among obstacles, prepared once and asked about many motions: what planners use.

    Parameters
    ----------
    body
        Any body. An articulated one is moved by its joints, all others by poses, as they are now; the checker
        does not see later changes of bodies that can change.
    obstacles
        A body, (body, pose), (body, motion), for an articulated body (body, (2, dof) configurations), or a
        list of these; None: an articulated body is compared with itself alone.
    method
        "auto": chooses between swept hulls and distances for each interval. "swept": swept hulls alone.
        "isotropic": the standard method, one distance for each interval and a ball that no point leaves.
        "hourglass": the ellipsoid of [He2014]_, for one rigid body among fixed obstacles.
        "isotropic-axis" and "hourglass-axis": the same with the radius about the axis of rotation instead of
        the enclosing one.
    tolerance
        A share of the motion's time: what cannot be decided within so short an interval stays undecided.
    clearance
        Nearer than this counts as contact.
    self_too
        Also compare an articulated body with itself, as `er.self_collide` does.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Box([2, 0.2, 0.2]), (er.Sphere(1), er.Pose(translation=[0, 3, 0])))
    >>> checker.free(er.Pose(), er.Pose(translation=[4, 0, 0]))
    True
    >>> checker.free(er.Pose(), er.Pose(translation=[0, 6, 0]))
    False
    >>> checker.check(er.Motion(er.Pose(), er.Pose(translation=[0, 6, 0]))).first_contact[1].__round__(6)
    0.316667
    """

    def __init__(
        self,
        body: AnyBody,
        obstacles: Obstacles = None,
        *,
        method: str = "auto",
        tolerance: float = 1e-6,
        clearance: float = 0.0,
        self_too: bool = True,
    ) -> None:
        self._prepare(body, obstacles, How(method, tolerance, clearance, self_too))
        self._by_joints = isinstance(body, Articulated)
        mover = self._add_joints(body) if isinstance(body, Articulated) else self._add_rigid(body)
        self._add_obstacles(mover)

    @classmethod
    def _rigidly(cls, body: Any, obstacles: Any, how: How) -> MotionChecker:
        """Moves an articulated body as it is, by poses."""
        out = cls.__new__(cls)
        out._prepare(body, obstacles, how)
        out._by_joints = False
        out._add_obstacles(out._add_rigid(body))
        return out

    @classmethod
    def _turning(cls, chain: Chain, torsions: Any, obstacles: Any, how: How) -> MotionChecker:
        """Turns torsions of a chain; it knows that one motion alone."""
        if how.method != "auto":
            raise ValueError(f'method must be "auto" for torsions of a chain, got {shown(how.method)}')
        out = cls.__new__(cls)
        out._prepare(chain, obstacles, how)
        out._by_joints, out._torsions = False, torsions
        if isinstance(torsions, Mapping):
            torsions = list(torsions.keys()), list(torsions.values())
        joints, angles = _arrays.torsions(torsions, len(chain), "motion")
        out._add_obstacles(add_chain_turn(out, chain, joints, angles))
        return out

    def _prepare(self, body: Any, obstacles: Any, how: How) -> None:
        number = _arrays.choice(how.method, "method", METHODS)
        tolerance = _arrays.positive_share(how.tolerance, "tolerance")
        clearance = _arrays.length(how.clearance, "clearance")
        if clearance > 0 and how.method.startswith("hourglass"):
            raise ValueError("clearance must be 0 with the hourglass, whose distances are not lengths")
        if "body" in vars(self):
            raise RuntimeError("a MotionChecker is made once: make another for another body")
        super().__init__(number, max(tolerance, _core.limits.smallest_motion_tolerance), clearance)
        self.body, self.method = _kept(body), how.method
        self.self_too = _arrays.flag(how.self_too, "self_too")
        self.tolerance, self.clearance = tolerance, clearance
        self._pieces: list[Piece] = []
        self._torsions: Any = None
        self._obstacle_list = obstacle_list(obstacles)
        self.obstacles = _kept(obstacles)

    def _add(self, piece: Piece, frame: int) -> int:
        self._pieces.append(piece)
        return self._add_piece(piece.body, frame, piece.pose)

    def _add_rigid(self, body: Any) -> list[int]:
        pieces = list(as_it_is(body, "body"))
        if not self._obstacle_list:
            raise ValueError("obstacles is missing: a body that is moved rigidly can touch nothing else")
        frame = self._add_frame(-1, Motion(None, None), True)
        return [self._add(piece, frame) for piece in pieces]

    def _add_joints(self, body: Articulated) -> list[int]:
        start = body.zero()
        first = self._add_links(body, -1, start, start, True)
        pieces = [self._add(piece, first + link) for link, piece in link_pieces(body)]
        if self.self_too:
            try:
                self._compare_all(np.array(pieces, np.int32), body.excluded, first)
            except MemoryError:
                count = len(pieces) * (len(pieces) - 1) // 2
                raise MemoryError(
                    f"body has {len(pieces):,} links with shapes, which make {count:,} pairs, more than "
                    "there is memory for: use self_too=False, or fewer links"
                ) from None
        return pieces

    def _add_obstacles(self, movers: list[int]) -> None:
        moving = [o for o in self._obstacle_list if o.motion is not None or o.path is not None]
        if moving and self.method.startswith("hourglass"):
            raise ValueError(f"method {self.method!r} is for obstacles that stand still, and obstacles move")
        if self._by_joints and self.method.startswith("hourglass"):
            raise ValueError(f"method {self.method!r} is for rigid bodies, and body is articulated")
        standing = [
            self._add(p, -1) for p in standing_pieces(o for o in self._obstacle_list if o not in moving)
        ]
        for other in standing + [number for o in moving for number in self._add_moving(o)]:
            for mover in movers:
                self._compare(mover, other)

    def _add_moving(self, obstacle: Obstacle) -> list[int]:
        def of(piece: Piece) -> Piece:
            return Piece(piece.body, piece.pose, piece.numbers, obstacle.number)

        if obstacle.path is not None:
            first = self._add_links(obstacle.body, -1, obstacle.path[0], obstacle.path[1], False)
            return [self._add(of(piece), first + link) for link, piece in link_pieces(obstacle.body)]
        assert obstacle.motion is not None
        frame = self._add_frame(-1, obstacle.motion, False)
        return [
            self._add(of(piece), frame) for piece in as_it_is(obstacle.body, f"obstacles[{obstacle.number}]")
        ]

    def _whose(self, piece: int, primitive: int) -> tuple[int, int]:
        return self._pieces[piece].called(primitive)

    def _checked_state(self, value: Any, name: str) -> NDArray[np.float64]:
        checked: NDArray[np.float64] = self.body._skeleton.configurations(value, name)
        return checked

    def check(
        self,
        motion: Motion | ArrayLike,
        *,
        budget: Budget | None = None,
        first: bool = True,
        threads: int | None = None,
    ) -> Certificate | Certificates:
        """Proves a motion free, or finds a contact.

        An er.Motion; for a body that is moved by its joints a path (k, dof), or many (n, k, dof).
        """
        if not self._by_joints:
            if not isinstance(motion, Motion):
                raise ValueError(f"motion must be an er.Motion, got {type(motion).__name__}")
            answers = self._check_motions(motion, budget, _arrays.flag(first, "first"), threads)
            return self._certified(answers, motion, motion._many)
        if isinstance(motion, Motion):
            raise ValueError("motion must be a path through configurations: this body is moved by its joints")
        paths = _arrays.joint_paths(motion, self.body.dof, "motion")
        flat = self.body._skeleton.configurations(
            paths.reshape(math.prod(paths.shape[:-1]), -1 if paths.size else 0), "motion"
        )
        grouped = np.ascontiguousarray(flat.reshape(1 if paths.ndim == 2 else len(paths), *paths.shape[-2:]))
        answers = self._check_paths(grouped, budget, _arrays.flag(first, "first"), threads)
        return self._certified(answers, paths, paths.ndim == 3)

    def _certified(
        self, answers: list[_core.MotionAnswer], motion: Any, many: bool
    ) -> Certificate | Certificates:
        if many:
            return Certificates(answers, self, motion)
        return Certificate(answers[0], self, motion)

    def free_many(self, starts: StateLike, goals: StateLike, threads: int | None = None) -> NDArray[np.bool_]:
        """Are the straight motions between starts and goals proved free? On all cores."""
        return self._free_many(starts, goals, threads)

    @property
    def counters(self) -> MotionCounters:
        """The work so far."""
        return MotionCounters(*self._work)

    def __reduce__(self) -> tuple[Any, ...]:
        how = How(self.method, self.tolerance, self.clearance, self.self_too)
        return _restored, (self.body, self.obstacles, self._by_joints, self._torsions, how)

    def __repr__(self) -> str:
        return f"<MotionChecker: {self.body!r} among {len(self._obstacle_list)} obstacles; {self.method}>"


def _kept(value: Any, depth: int = 0) -> Any:
    """Bodies as they are now, should they change later; obstacles are lists of pairs at most."""
    if isinstance(value, (Chain, Necklace)) or (isinstance(value, Articulated) and not value.many):
        return copy.copy(value)
    if type(value) not in (list, tuple) or depth > 2:
        return value
    return type(value)(_kept(item, depth + 1) for item in value)


def _restored(body: Any, obstacles: Any, by_joints: bool, torsions: Any, how: How) -> MotionChecker:
    if torsions is not None:
        return MotionChecker._turning(body, torsions, obstacles, how)
    if isinstance(body, Articulated) and not by_joints:
        return MotionChecker._rigidly(body, obstacles, how)
    return MotionChecker(body, obstacles, **vars(how))

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
from elbowroom._at_rest import at_rest, moving_body
from elbowroom._chain_turn import add_chain_turn
from elbowroom._motion_pieces import Obstacle, as_it_is, link_pieces, obstacle_list
from elbowroom._motion_scene import MotionScene, scene_of
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.certificate import Certificate, Certificates, MotionCounters
from elbowroom.chain import Chain
from elbowroom.motion import Motion
from elbowroom.necklace import Necklace

if TYPE_CHECKING:
    from elbowroom._types import AnyBody, Obstacles, StateLike
    from elbowroom.budget import Budget
    from elbowroom.world import Member


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
        list of these; or a World, whose bodies stand where they are. None: an articulated body is compared
        with itself alone.
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
        body: AnyBody | Member,
        obstacles: Obstacles = None,
        *,
        method: str = "auto",
        tolerance: float = 1e-6,
        clearance: float = 0.0,
        self_too: bool = True,
    ) -> None:
        how = How(method, tolerance, clearance, self_too)
        self._make(body, obstacles, how, isinstance(moving_body(body), Articulated))

    @classmethod
    def _rigidly(cls, body: Any, obstacles: Any, how: How) -> MotionChecker:
        """Moves an articulated body as it is, by poses."""
        out = cls.__new__(cls)
        out._make(body, obstacles, how, by_joints=False)
        return out

    @classmethod
    def _turning(cls, chain: Chain, torsions: Any, obstacles: Any, how: How) -> MotionChecker:
        """Turns torsions of a chain; it knows that one motion alone."""
        if how.method != "auto":
            raise ValueError(f'method must be "auto" for torsions of a chain, got {shown(how.method)}')
        out = cls.__new__(cls)
        out._make(chain, obstacles, how, by_joints=False, torsions=(torsions,))
        return out

    def _make(
        self, body: Any, obstacles: Any, how: How, by_joints: bool, torsions: tuple[Any] | None = None
    ) -> None:
        number = _arrays.choice(how.method, "method", METHODS)
        tolerance = _arrays.positive_share(how.tolerance, "tolerance")
        clearance = _arrays.length(how.clearance, "clearance")
        if clearance > 0 and how.method.startswith("hourglass"):
            raise ValueError("clearance must be 0 with the hourglass, whose distances are not lengths")
        if "body" in vars(self):
            raise RuntimeError("a MotionChecker is made once: make another for another body")
        self_too = _arrays.flag(how.self_too, "self_too")
        obstacles = at_rest(obstacles, body, by_joints or torsions is not None)
        body = moving_body(body)
        mine, others = as_they_are(body), as_they_are(obstacles)
        listed = obstacle_list(others)
        if torsions is not None:
            scene = _turning_scene(mine, torsions[0], listed, clearance)
        else:
            _refuse_hourglass(how.method, listed, by_joints)
            if not by_joints and not listed:
                next(as_it_is(mine, "body"))  # raises for what is no body
                raise ValueError("obstacles is missing: a body that is moved rigidly can touch nothing else")
            scene = scene_of(mine, listed, body, by_joints=by_joints, self_too=self_too)
        super().__init__(
            scene.core, number, max(tolerance, _core.limits.smallest_motion_tolerance), clearance
        )
        self.body, self.obstacles = mine, others
        self.method, self.tolerance, self.clearance = how.method, tolerance, clearance
        self.self_too = self_too
        self._scene, self._by_joints = scene, by_joints
        self._torsions = None if torsions is None else torsions[0]
        self._obstacle_list = listed

    def _whose(self, piece: int, primitive: int) -> tuple[int, int]:
        return self._scene.called(piece, primitive)

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


def _turning_scene(chain: Chain, torsions: Any, obstacles: list[Obstacle], clearance: float) -> MotionScene:
    if isinstance(torsions, Mapping):
        torsions = list(torsions.keys()), list(torsions.values())
    joints, angles = _arrays.torsions(torsions, len(chain), "motion")
    scene = MotionScene()
    scene.add_obstacles(add_chain_turn(scene, chain, joints, angles, clearance), obstacles)
    return scene


def _refuse_hourglass(method: str, obstacles: list[Obstacle], by_joints: bool) -> None:
    if not method.startswith("hourglass"):
        return
    if any(obstacle.moves for obstacle in obstacles):
        raise ValueError(f"method {method!r} is for obstacles that stand still, and obstacles move")
    if by_joints:
        raise ValueError(f"method {method!r} is for rigid bodies, and body is articulated")


def as_they_are(value: Any, depth: int = 0) -> Any:
    """Bodies as they are now, should they change later; obstacles are lists of pairs at most."""
    if isinstance(value, Articulated):
        link_pieces(value)  # which copies share
        return value if value.many else copy.copy(value)
    if isinstance(value, (Chain, Necklace)):
        return copy.copy(value)
    if isinstance(value, Body):
        return value._as_it_is()
    if type(value) not in (list, tuple) or depth > 2:
        return value
    return type(value)(as_they_are(item, depth + 1) for item in value)


def _restored(body: Any, obstacles: Any, by_joints: bool, torsions: Any, how: How) -> MotionChecker:
    if torsions is not None:
        return MotionChecker._turning(body, torsions, obstacles, how)
    if isinstance(body, Articulated) and not by_joints:
        return MotionChecker._rigidly(body, obstacles, how)
    return MotionChecker(body, obstacles, **vars(how))

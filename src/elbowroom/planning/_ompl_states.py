"""States of OMPL and ours, to and fro, and its spaces made from ours. This is where OMPL is imported."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom.articulated import Articulated

from .joint_space import JointSpace
from .rigid_space import RigidSpace
from .spaces import Floats, Space

if TYPE_CHECKING:
    from elbowroom._types import StateLike

try:
    from ompl import base, geometric, util
except ImportError as missing:
    raise ImportError(
        'elbowroom.planning.ompl needs OMPL, which is not installed: pip install "elbowroom[plan]"'
    ) from missing

__all__ = ["base", "geometric", "util"]

#: Objects of OMPL, which tells no types.
State = Any
StateSpace = Any

#: Quaternions this near to a right angle are half a turn apart. Their rotation matrices do not say which way
#: round OMPL goes, so such motions are looked at in two halves.
HALF_TURN = 1e-4


def to_ompl(space: StateSpace, value: StateLike) -> State:
    """A state of OMPL from a pose (SE3StateSpace) or a configuration (RealVectorStateSpace).

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> space = ompl.setup(checker, [-5, -5, -5], [5, 5, 5]).getStateSpace()
    >>> ompl.to_ompl(space, er.Pose(translation=[1, 2, 3])).getX()
    1.0
    """
    state = space.allocState()
    if isinstance(space, base.SE3StateSpace):
        _write_pose(state, _arrays.pose(value, "value"))
        return state
    count = _dimension(space)
    numbers = _arrays.configurations(value, count, "value")
    if numbers.ndim != 1:
        raise ValueError(f"value must be one configuration of {count} numbers, got {numbers.shape}")
    for k, one in enumerate(numbers.tolist()):
        state[k] = one
    return state


def from_ompl(space: StateSpace, state: State) -> Floats:
    """The pose (4, 4) or the configuration (n,) of a state of OMPL.

    Examples
    --------
    >>> import elbowroom as er
    >>> from elbowroom.planning import ompl
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> space = ompl.setup(checker, [-5, -5, -5], [5, 5, 5]).getStateSpace()
    >>> ompl.from_ompl(space, ompl.to_ompl(space, er.Pose(translation=[1, 2, 3])))[:3, 3].tolist()
    [1.0, 2.0, 3.0]
    """
    return _pose(state) if isinstance(space, base.SE3StateSpace) else _numbers(state, _dimension(space))


def _dimension(space: StateSpace) -> int:
    if not isinstance(space, base.RealVectorStateSpace):
        known = "SE3StateSpace and RealVectorStateSpace"
        raise ValueError(f"the state space must be one of {known}, got {type(space).__name__}")
    return int(space.getDimension())


def reader(space: StateSpace, body: Any) -> Callable[[State], Floats]:
    """What turns a state into what a checker of this body takes; a ValueError where the two do not fit."""
    if not isinstance(body, Articulated):
        if not isinstance(space, base.SE3StateSpace):
            raise ValueError(f"a rigid body needs SE3StateSpace, got {type(space).__name__}")
        return _pose
    dof = _dimension(space)
    if dof != body.dof:
        raise ValueError(f"the body has {body.dof} values in a configuration, the state space has {dof}")
    return lambda state: _numbers(state, dof)


def _numbers(state: State, count: int) -> Floats:
    return np.array([state[k] for k in range(count)])


def _pose(state: State) -> Floats:
    """The matrix of a state of SE3StateSpace. Its quaternion is one to OMPL's 1e-9 only: it is normalised."""
    turn = state.rotation()
    w, x, y, z = turn.w, turn.x, turn.y, turn.z
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        (
            (1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), state.getX()),
            (s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x), state.getY()),
            (s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y), state.getZ()),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def _write_pose(state: State, pose: Floats) -> None:
    from scipy.spatial.transform import Rotation

    turn = state.rotation()
    turn.x, turn.y, turn.z, turn.w = Rotation.from_matrix(pose[:3, :3]).as_quat().tolist()
    state.setXYZ(*pose[:3, 3].tolist())


def half_a_turn(first: State, second: State) -> bool:
    a, b = first.rotation(), second.rotation()
    return bool(abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z) < HALF_TURN)


def along(found: Any, space: StateSpace) -> Floats:
    """The states of a path of OMPL; where two are half a turn apart, the one between them as well."""
    states, middle = found.getStates(), space.allocState()
    out = [from_ompl(space, states[0])]
    for first, second in pairwise(states):
        if isinstance(space, base.SE3StateSpace) and half_a_turn(first, second):
            space.interpolate(first, second, 0.5, middle)
            out.append(from_ompl(space, middle))
        out.append(from_ompl(space, second))
    return np.array(out)


def space_of(body: Any, low: ArrayLike | None, high: ArrayLike | None) -> Space:
    """Our space of states; limits that are left out are those of an articulated body."""
    if not isinstance(body, Articulated):
        if low is None or high is None:
            raise ValueError("low and high must be given: where the position may be, three numbers each")
        return RigidSpace(low, high)
    space = JointSpace.of(body, low=low, high=high)
    if space.turns:
        turning = ", ".join(sorted({space.names[k] for k in space.turns}))
        raise ValueError(f"joints that turn by quaternions cannot be planned for with OMPL: {turning}")
    return space


def ompl_space(space: Space) -> StateSpace:
    """OMPL's space with the same bounds."""
    count = len(space.low)
    made = base.SE3StateSpace() if isinstance(space, RigidSpace) else base.RealVectorStateSpace(count)
    bounds = base.RealVectorBounds(count)
    for k, (least, most) in enumerate(zip(space.low.tolist(), space.high.tolist(), strict=True)):
        bounds.setLow(k, least)
        bounds.setHigh(k, most)
    made.setBounds(bounds)
    return made

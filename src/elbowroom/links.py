"""What an articulated body is made of: links and joints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from elbowroom import _arrays, _core
from elbowroom.body import Body
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from elbowroom._types import PoseLike

JointKind = Literal["fixed", "revolute", "prismatic", "spherical", "free"]
#: How many numbers of a configuration belong to a joint of a kind.
VALUES: dict[str, int] = {"fixed": 0, "revolute": 1, "prismatic": 1, "spherical": 4, "free": 7}


@dataclass(frozen=True)
class Link:
    """A rigid link: a frame with shapes in it.

    `shapes` is a body, a list of (body, pose) pairs, or nothing for a frame without geometry; it is kept as
    a tuple of pairs.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.Link("forearm", er.Capsule(0.04, 0.25))
    Link('forearm', 1 shape)
    """

    name: str
    shapes: tuple[tuple[Body, Pose], ...] = ()

    def __init__(
        self, name: str, shapes: Body | Iterable[Body | tuple[Body, PoseLike | None]] | None = None
    ) -> None:
        object.__setattr__(self, "name", _name(name, "name"))
        object.__setattr__(self, "shapes", _shapes(shapes, f"shapes of link '{name}'"))

    def __repr__(self) -> str:
        count = len(self.shapes)
        return f"Link({self.name!r}, {count} shape{'' if count == 1 else 's'})"


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another: value = multiplier * value of the other + offset.

    Examples
    --------
    >>> import elbowroom as er
    >>> links = [er.Link(name) for name in ("palm", "left", "right")]
    >>> left = er.Joint("close", "revolute", "palm", "left")
    >>> right = er.Joint("follow", "revolute", "palm", "right", mimic=er.Mimic("close", -1.0))
    >>> er.Articulated(links, [left, right]).joint_names
    ('close',)
    """

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        _name(self.joint, "joint of a Mimic")
        object.__setattr__(self, "multiplier", _arrays.number(self.multiplier, "multiplier"))
        object.__setattr__(self, "offset", _arrays.number(self.offset, "offset"))


@dataclass(frozen=True)
class Joint:
    """How a link moves against its parent: pose in the parent = origin * motion(value).

    Parameters
    ----------
    name
        Joints are moved by name, or by their place in a configuration.
    kind
        "fixed"; "revolute": an angle about the axis; "prismatic": a length along it; "spherical": a unit
        quaternion (w, x, y, z); "free": a position and a quaternion (x, y, z, w, qx, qy, qz).
    parent, child
        Names of links; the parent may be None, the world.
    origin
        Pose of the joint's frame in the parent; none: the same frame.
    axis
        In the joint's frame, of any length but zero.
    limits
        (low, high) of the value, or None.
    mimic
        A `Mimic`, if the joint follows another.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.Joint("elbow", "revolute", "upper arm", "forearm", axis=(0, 1, 0), limits=(0, 2.6)).kind
    'revolute'
    """

    name: str
    kind: JointKind
    parent: str | None
    child: str
    origin: Pose
    axis: tuple[float, float, float]
    limits: tuple[float, float] | None
    mimic: Mimic | None

    def __init__(
        self,
        name: str,
        kind: JointKind,
        parent: str | None,
        child: str,
        origin: PoseLike | None = None,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
        limits: Sequence[float] | None = None,
        mimic: Mimic | None = None,
    ) -> None:
        where = f"of joint '{name}'"
        if not isinstance(kind, str) or kind not in get_args(JointKind):
            hint = ": make it revolute, without limits" if str(kind) == "continuous" else ""
            kinds = ", ".join(get_args(JointKind))
            raise ValueError(f"kind {where} must be one of {kinds}, got {_arrays.shown(kind)}{hint}")
        if mimic is not None and (not isinstance(mimic, Mimic) or VALUES[kind] != 1):
            raise ValueError(f"mimic {where} must be a Mimic, and the joint one of one value")
        values: dict[str, Any] = {
            "name": _name(name, "name"),
            "kind": kind,
            "parent": None if parent is None else _name(parent, f"parent {where}"),
            "child": _name(child, f"child {where}"),
            "origin": _pose(origin, f"origin {where}"),
            "axis": _arrays.direction(axis, f"axis {where}"),
            "limits": None if limits is None else _arrays.interval(limits, f"limits {where}"),
            "mimic": mimic,
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)


def _name(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{what} must be a name, got {_arrays.shown(value)}")
    return value


def _pose(value: Any, what: str) -> Pose:
    if isinstance(value, Pose):
        return value
    return Pose() if value is None else Pose(_core.Pose._read(value, what))


def _shapes(value: Any, what: str) -> tuple[tuple[Body, Pose], ...]:
    if value is None:
        return ()
    given = [value] if isinstance(value, Body) else _arrays.listed(value, what)
    shapes = tuple(_shape(item, f"{what}: item {i}") for i, item in enumerate(given))
    if not all(body._is_bounded for body, _ in shapes):
        raise ValueError(f"{what} must be bounded: a half-space can be an obstacle, but no part of a link")
    return shapes


def _shape(value: Any, what: str) -> tuple[Body, Pose]:
    if isinstance(value, Body):
        return value._as_it_is(), Pose()
    if not isinstance(value, tuple | list) or len(value) != 2 or not isinstance(value[0], Body):
        raise ValueError(f"{what} must be a body or a (body, pose) pair, got {_arrays.shown(value)}")
    return value[0]._as_it_is(), _pose(value[1], what)

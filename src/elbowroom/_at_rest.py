"""A world at rest: the obstacles of a body that moves among its bodies."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom import _core
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.pose import Pose
from elbowroom.verification import FROM_PROOF

if TYPE_CHECKING:
    from elbowroom.world import Member, World


class AtRest(list[tuple[Any, Pose]]):
    """Bodies and where they are, as obstacles are given, and their names.

    `frame`: where the body stands that its joints move; everything is seen from there.
    """

    names: tuple[str, ...] = ()
    frame: Pose | None = None

    def seen(self, points: Any) -> Any:
        """Points in the world."""
        return points if self.frame is None else self.frame.apply(points)


def moving_body(body: Any) -> Any:
    """The body itself of one that is given as `world["name"]`."""
    if not isinstance(body, _core.WorldMember):
        return body
    member: Any = body
    return member.body


def at_rest(obstacles: Any, body: Any, by_joints: bool = False) -> Any:
    """What is no World, as it is; a World as its bodies, without the one that moves and what it excludes."""
    given: Any = body
    where: Pose | None = given.pose if isinstance(body, _core.WorldMember) else None
    if not isinstance(obstacles, _core.World):
        if by_joints and obstacles is not None and where is not None and _is_moved(where):
            raise ValueError("body stands elsewhere in its World: give that World as obstacles, or body.body")
        return obstacles
    world: Any = obstacles
    mine = _name_in(world, body)
    out = AtRest()
    if mine is not None:
        where = world[mine].pose
    if by_joints and where is not None and _is_moved(where):
        out.frame = where
    left_out = () if mine is None else _left_out(world, mine)
    names = [name for name in world if name != mine and name not in left_out]
    back = None if out.frame is None else out.frame.inverse()
    for name in names:
        other, pose = world[name].body, world[name].pose
        now = other._as_it_is() if isinstance(other, Body) else copy.copy(other)
        out.append((now, back @ pose if back else pose))
    out.names = tuple(names)
    if not out:
        raise ValueError("obstacles is a World without any body that the moving one is compared with")
    return out


def named_at_rest(obstacles: Any, body: Any, by_joints: bool) -> Any:
    """The same for a claim that is verified, whose body must be stated where a World is."""
    if isinstance(obstacles, _core.World) and body is FROM_PROOF:
        raise ValueError("body is missing: it says which body of the World moves")
    return at_rest(obstacles, body, by_joints)


def _is_moved(pose: Pose) -> bool:
    return not np.array_equal(pose.matrix, np.eye(4))


def _name_in(world: World, body: Any) -> str | None:
    """The name of a body that moves among others of its own world."""
    if isinstance(body, _core.WorldMember):
        member: Member = body  # type: ignore[assignment]
        return member.name if member._world is world else None
    if isinstance(body, Body):  # which may be there many times
        return None
    return next((name for name in world if world[name].body is body), None)


def _left_out(world: World, mine: str) -> set[str]:
    """The bodies that are never compared with this one."""
    carried = [name for name in world if _hangs_on(world, name, mine)]
    if carried:
        raise ValueError(
            f"{mine!r} carries {carried[0]!r}, which would have to move with it: give the body with what it "
            "carries as its own shapes, and remove that from the World"
        )
    counts: dict[str, int] = {}
    for a, b in world.excluded:
        names = [one if isinstance(one, str) else one[0] for one in (a, b)]
        if mine in names and names[0] != names[1]:
            other = names[0] if names[1] == mine else names[1]
            counts[other] = counts.get(other, 0) + 1
    for name, count in counts.items():
        units = np.prod([_units(world[one].body) for one in (mine, name)])
        if count < units:
            raise ValueError(
                f"the World excludes some links alone between {mine!r} and {name!r}, and a motion is checked "
                "against whole bodies: exclude all of it, or nothing"
            )
    return set(counts)


def _units(body: Any) -> int:
    return len(body) if isinstance(body, Articulated) else 1


def _hangs_on(world: World, name: str, other: str) -> bool:
    link = world[name].attached_to
    return link is not None and (link[0] == other or _hangs_on(world, link[0], other))

"""What robots in an assembly hold: objects that MoveIt scenes attach to links, and values of joints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from elbowroom.articulated import Articulated
from elbowroom.pose import Pose

if TYPE_CHECKING:
    from elbowroom.files.assembly import Part


def held(
    parts: Iterable[Part], joints: Mapping[str, float]
) -> tuple[list[Part], list[tuple[str, str]], list[str]]:
    """Parts in their places, pairs that may touch, and notes.

    Robots take the values of joints that a scene states. The pose of an attached part is that in its link,
    and becomes that in the assembly.
    """
    parts = list(parts)
    robots = {part.name: part for part in parts if isinstance(part.shape, Articulated)}
    for part in robots.values():
        _move(part, joints)
    placed: list[Part] = []
    allowed: list[tuple[str, str]] = []
    lost: list[str] = []
    for part in parts:
        if part.attached is None:
            placed.append(part)
            continue
        holder = next((each for each in robots.values() if part.attached.link in _links(each)), None)
        if holder is None:
            lost.append(
                f"'{part.name}' is left out: no robot among the files has the link '{part.attached.link}'"
            )
            continue
        placed.append(_placed(part, holder))
        touching = {part.attached.link, *part.attached.touching}
        allowed += [(part.name, f"{holder.name}/{link}") for link in touching]
    return placed, sorted(allowed), lost


def _robot(part: Part) -> Articulated:
    assert isinstance(part.shape, Articulated)
    return part.shape


def _links(part: Part) -> tuple[str, ...]:
    return _robot(part).link_names


def _move(part: Part, joints: Mapping[str, float]) -> None:
    robot = _robot(part)
    own = {name: value for name, value in joints.items() if name in robot.joint_names}
    robot.move(own if own else robot.zero())


def _placed(part: Part, holder: Part) -> Part:
    assert part.attached is not None
    robot = _robot(holder)
    link = Pose.from_matrix(robot.link_poses()[robot.link_number(part.attached.link)])
    attached = replace(part.attached, robot=holder.name)
    return replace(part, pose=holder.pose @ link @ part.pose, attached=attached)

"""Joints that take their values from other joints, which may do so themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elbowroom.links import VALUES, Joint

#: The name of a joint with a value of its own, and by what multiplier and offset another one follows it.
Leader = tuple[str, float, float]


def leaders(joints: Sequence[Joint]) -> dict[str, Leader]:
    """For each joint with values, by name: the joint whose value it takes in the end."""
    named = {joint.name: joint for joint in joints}
    found: dict[str, Leader] = {}
    for joint in joints:
        if not VALUES[joint.kind]:
            continue
        way: dict[str, Joint] = {}
        while joint.name not in found and joint.mimic is not None:
            way[joint.name] = joint
            joint = _mimicked(joint, named)
            if joint.name in way:
                raise ValueError(f"joints mimic each other in a loop: {_shown([*way, joint.name])}")
        leader = found.setdefault(joint.name, (joint.name, 1.0, 0.0))
        for name, each in reversed(way.items()):
            assert each.mimic is not None
            multiplier, offset = each.mimic.multiplier, each.mimic.offset
            leader = found[name] = (leader[0], multiplier * leader[1], multiplier * leader[2] + offset)
    return found


def _mimicked(joint: Joint, named: Mapping[str, Joint]) -> Joint:
    """The joint that this one names."""
    assert joint.mimic is not None
    followed = named.get(joint.mimic.joint)
    if followed is None:
        raise ValueError(f"joint '{joint.name}' mimics '{joint.mimic.joint}', which is not among joints")
    if VALUES[followed.kind] != 1:
        raise ValueError(f"joint '{joint.name}' mimics '{followed.name}', which has not one value")
    return followed


def _shown(names: Sequence[str]) -> str:
    return " -> ".join(names if len(names) <= 12 else [*names[:6], "...", *names[-5:]])

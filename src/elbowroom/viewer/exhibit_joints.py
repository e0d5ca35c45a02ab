"""Sliders for the joints of an articulated body."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import elbowroom as er
from elbowroom.links import Joint

from .bodies_links import LinksActor
from .exhibit import Control, Value
from .exhibit_movers import Mover, _step
from .layers import Array

#: What the three or six sliders of a joint with several values are called.
TURNS, PLACES = ("turn x", "turn y", "turn z"), ("x", "y", "z")


class Joints(Mover):
    """A slider for a joint of one value; three for a ball joint, a rotation vector; six for a free one."""

    def __init__(self, actor: LinksActor, prefix: str = "", seed: int = 1) -> None:
        self._actor, self._rng = actor, np.random.default_rng(seed)
        body: er.Articulated = actor.body
        self._room = float(np.ptp(_corners(body), axis=0).max()) or 1.0
        self._prefix = prefix
        self._owners: dict[str, tuple[Joint, int]] = {}
        self.controls = [control for joint in body._skeleton.moving for control in self._sliders(joint)]
        self._held = self._read()
        self.controls = [replace(control, initial=self._held[control.name]) for control in self.controls]
        self._buttons = [prefix + "random pose"] * _has_random(body) + [prefix + "zero pose"]
        self.controls += [Control(name, "button", group=f"joints of {actor.name}") for name in self._buttons]

    def set(self, name: str, value: Value) -> None:
        """Moves a joint, or all of them."""
        body: er.Articulated = self._actor.body
        if name in self._buttons:
            random = name == self._prefix + "random pose"
            body.move(body.random(seed=int(self._rng.integers(2**31))) if random else body.zero())
            self._held = self._read()
            return
        self._held[name] = float(value)
        joint, _ = self._owners[name]
        body.move({joint.name: self._values_of(joint)})

    def values(self) -> dict[str, Value]:
        """Where the joints are."""
        return dict(self._held)

    def _sliders(self, joint: Joint) -> Iterator[Control]:
        group = f"joints of {self._actor.name}"
        for part, (name, low, high, step) in enumerate(_ranges(joint, self._room)):
            if not low < high:  # limits that hold it fast
                continue
            self._owners[self._prefix + name] = joint, part
            yield Control(self._prefix + name, "slider", low, high, step, group=group)

    def _values_of(self, joint: Joint) -> float | list[float]:
        given = [self._held[name] for name, (owner, _) in self._owners.items() if owner is joint]
        if len(given) == 1:
            return given[0]
        return [*given[:-3], *_quaternion(np.array(given[-3:]))]

    def _read(self) -> dict[str, float]:
        """What the sliders must stand at for the configuration that the body has."""
        body: er.Articulated = self._actor.body
        configuration = body.configuration
        assert configuration is not None  # bodies on show are moved, never placed
        out = {}
        for name, (joint, part) in self._owners.items():
            values = configuration[body.index(joint.name)]
            flat = values if len(values) == 1 else np.concatenate([values[:-4], _vector(values[-4:])])
            out[name] = float(flat[part])
        return out


def _has_random(body: er.Articulated) -> bool:
    """Can configurations be drawn at random? A joint that slides must have limits for that."""
    try:
        body.random(seed=0)
    except ValueError:
        return False
    return True


def _ranges(joint: Joint, room: float) -> Iterator[tuple[str, float, float, float]]:
    """Name, least and greatest value and step of each slider of a joint."""
    if joint.kind in ("revolute", "prismatic"):
        far = math.pi if joint.kind == "revolute" else room
        low, high = joint.limits or (-far, far)
        low, high = max(low, -4 * far), min(high, 4 * far)
        yield joint.name, low, high, 0.01 if joint.kind == "revolute" else _step(high - low)
        return
    if joint.kind == "free":
        yield from ((f"{joint.name} {axis}", -room, room, _step(2 * room)) for axis in PLACES)
    yield from ((f"{joint.name} {turn}", -math.pi, math.pi, 0.01) for turn in TURNS)


def _corners(body: er.Articulated) -> Array:
    """The corners of the boxes about all shapes, in the world."""
    poses = body.link_poses()
    out = [np.zeros((1, 3))]
    for link, shape, pose in body.shapes:
        matrix = poses[link] @ pose.matrix
        out.append(shape.bounds @ matrix[:3, :3].T + matrix[:3, 3])
    return np.concatenate(out)


def _quaternion(vector: Array) -> list[float]:
    """(w, x, y, z) of a rotation vector."""
    angle = float(np.linalg.norm(vector))
    along = vector * (math.sin(angle / 2) / angle if angle > 0 else 0.5)
    return [math.cos(angle / 2), *along.tolist()]


def _vector(quaternion: Array) -> Array:
    """The rotation vector of (w, x, y, z), no longer than pi."""
    w, along = float(quaternion[0]), np.asarray(quaternion[1:])
    sine = float(np.linalg.norm(along))
    if sine < 1e-12:
        return np.zeros(3)
    angle = 2 * math.atan2(sine, w)
    return along / sine * (angle if angle <= math.pi else angle - 2 * math.pi)

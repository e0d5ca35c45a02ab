"""What can be set: joints of a body, torsions of a chain, where a body stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import elbowroom as er

from .bodies import Actor
from .bodies_balls import ChainActor
from .bodies_links import TREES, LinksActor
from .exhibit import Control, Facts, Value
from .exhibit_meetings import duration, timed
from .layers import Array, Layer


class Mover:
    """Some controls and what they do; it may also have something to show and to tell.

    Where there are several of a kind, the names of their controls begin with a `prefix`.
    """

    controls: Sequence[Control] = ()

    def set(self, name: str, value: Value) -> None:
        """Does what a control of this name asks for; the value has been checked."""
        raise NotImplementedError

    def values(self) -> dict[str, Value]:
        """What its controls are set to, but for buttons."""
        return {}

    def layers(self) -> list[Layer]:
        """What it has to show."""
        return []

    def facts(self) -> Facts:
        """What it has to tell."""
        return []


class Placing(Mover):
    """Moves and turns an actor, about where it stood at first."""

    def __init__(self, actor: Actor, room: float, prefix: str = "") -> None:
        self._actor, self._at_first = actor, actor.pose.copy()
        step, group = _step(2 * room), f"place of {actor.name}"
        self._names = [prefix + what for what in ("x", "y", "z", "turn x", "turn y", "turn z")]
        shifts = [Control(name, "slider", -room, room, step, group=group) for name in self._names[:3]]
        turns = [Control(name, "slider", -180, 180, 1, group=group) for name in self._names[3:]]
        self.controls = [*shifts, *turns]
        self._held = dict.fromkeys(self._names, 0.0)

    def set(self, name: str, value: Value) -> None:
        """A shift, or a turn in degrees; turns about x come first, then y, then z."""
        self._held[name] = float(value)
        shift, turns = np.array([self._held[n] for n in self._names]).reshape(2, 3)
        pose = self._at_first.copy()
        for axis, turn in enumerate(np.radians(turns)):
            pose[:3, :3] = rotation(np.eye(3)[axis] * turn) @ pose[:3, :3]
        pose[:3, 3] += shift
        self._actor.pose = pose

    def values(self) -> dict[str, Value]:
        """Shifts and turns."""
        return dict(self._held)


class Torsions(Mover):
    """Turns a chain at its joints; every joint remembers how far it has been turned."""

    def __init__(self, actor: ChainActor, prefix: str = "", seed: int = 1) -> None:
        self._actor, self._first = actor, actor.body.__copy__()
        actor.body.collides()  # from now on it is known to be free, and only changes are tested
        self._rng = np.random.default_rng(seed)
        last = len(actor.body) - 2
        self._joint = last // 2
        self._turned: dict[int, float] = {}
        self._told: Facts = []
        group = f"torsions of {actor.name}"
        self._names = [prefix + what for what in ("joint", "torsion")]
        self._buttons = [prefix + what for what in ("random torsion", "undo", "as at first")]
        self.controls = [
            Control(self._names[0], "slider", 0, last, 1, self._joint, group=group),
            Control(self._names[1], "slider", -180, 180, 0.5, group=group, hint="degrees, from where it was"),
            *(Control(name, "button", group=group) for name in self._buttons),
        ]

    def set(self, name: str, value: Value) -> None:
        """Chooses a joint, turns it, or does what a button says."""
        if name == self._names[0]:
            self._joint = round(float(value))
        elif name == self._names[1]:
            self._turn(self._joint, math.radians(float(value)) - self._turned.get(self._joint, 0.0))
        elif name == self._buttons[0]:
            self._turn(int(self._rng.integers(len(self._actor.body) - 1)), self._rng.uniform(-0.5, 0.5))
        elif name == self._buttons[1]:
            self._undo()
        else:
            self._actor.body, self._first = self._first, self._first.__copy__()
            self._turned, self._told = {}, []
            self._actor.body.collides()

    def values(self) -> dict[str, Value]:
        """The joint, and how far it is turned, in degrees."""
        degrees = math.degrees(self._turned.get(self._joint, 0.0))
        return {self._names[0]: self._joint, self._names[1]: (degrees + 180) % 360 - 180}

    def facts(self) -> Facts:
        """The last change, and what the question that follows a change has cost."""
        return self._told

    def _turn(self, joint: int, angle: float) -> None:
        if angle == 0:
            return
        chain: er.Chain = self._actor.body
        self._joint = joint
        chain.rotate(joint, angle)
        self._turned[joint] = self._turned.get(joint, 0.0) + angle
        hit, seconds = timed(chain.collides)
        told = f"joint {joint:,} by {math.degrees(angle):.3g} degrees: {'collides' if hit else 'free'}"
        self._told = [("last change", told), ("collides()", f"{duration(seconds)} for {len(chain):,} links")]
        self._last = joint, angle

    def _undo(self) -> None:
        if not self._told:
            return
        joint, angle = self._last
        self._actor.body.undo()
        self._turned[joint] -= angle
        self._told = []


class Trees(Mover):
    """Chooses whose boxes are shown of an articulated body."""

    def __init__(self, actors: Sequence[LinksActor]) -> None:
        self._actors = actors
        self.controls = [Control("boxes", "choice", initial=actors[0].tree, choices=tuple(TREES))]

    def set(self, name: str, value: Value) -> None:
        """One of `TREES`."""
        for actor in self._actors:
            actor.show_tree(str(value))

    def values(self) -> dict[str, Value]:
        """The tree that is shown."""
        return {"boxes": self._actors[0].tree}


def rotation(vector: Array) -> Array:
    """The matrix that turns about a vector by its length."""
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * across + (1 - math.cos(angle)) * across @ across)


def _step(span: float) -> float:
    """A round number, about a five hundredth."""
    if not span > 0:
        return 0.01
    return float(10 ** math.floor(math.log10(span / 200)))

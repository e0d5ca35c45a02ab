"""An exhibit made of actors: who is asked about whom, what moves them, and what is seen of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

import elbowroom as er
from elbowroom.bvtt import OPEN

from .bodies import NOTHING, Actor
from .exhibit import Control, Exhibit, Facts, Show, Value
from .exhibit_cut import CutBoxes, has_cut
from .exhibit_meetings import Answers, Meeting, ask, cost, timed
from .exhibit_movers import Mover
from .layers import Array, Layer, extent

#: Frames that are looked at to find out how much room the whole takes, and the share that may take more.
LOOKS, MOSTLY = 9, 0.2
#: A search that is to leave its cut mostly ends within so many tests; a molecule in water does not.
ENOUGH = er.Budget(tests=2_000_000)


@dataclass(frozen=True)
class Timeline:
    """Frames, the seconds between them, and what puts all actors where they are in one."""

    frames: int
    go: Callable[[int], None]
    frame_time: float = 1 / 30


class Scene(Exhibit):
    """Actors on a stage. By default who can be asked about itself is, and each with each other."""

    def __init__(
        self,
        title: str,
        actors: Sequence[Actor],
        *,
        movers: Sequence[Mover] = (),
        timeline: Timeline | None = None,
        meetings: Sequence[Meeting] | None = None,
        hint: str = "",
        up: Literal["y", "z"] = "z",
        start: Show | None = None,
    ) -> None:
        self.title, self.hint, self.up = title, hint, up
        self._actors, self._movers, self._timeline = list(actors), list(movers), timeline
        self._meetings = everybody(self._actors) if meetings is None else list(meetings)
        self.controls = [control for mover in self._movers for control in mover.controls]
        self.start = start or Show()
        self._seen = [] if timeline is None else self._look_through(timeline)
        self.has_closest = self.has_within = bool(self._meetings)
        self._cuts = [(meeting, CutBoxes(meeting)) for meeting in self._meetings if has_cut(meeting)]
        self.has_cut = bool(self._cuts)
        self._answers, self.levels = Answers(), self._most_levels()
        span: Array = np.ptp(self.bounds(), axis=0)
        self._size = float(np.linalg.norm(span)) or 1.0
        told = [actor.reach for actor in self._actors if actor.reach is not None]
        self.reach = _round_down(max(told, default=0.03 * self._size))

    def set(self, name: str, value: Value) -> None:
        """Sets a control of one of the movers."""
        for mover in self._movers:
            for control in mover.controls:
                if control.name == name:
                    mover.set(name, checked(control, value))
                    self.levels = self._most_levels()
                    return
        known = ", ".join(control.name for control in self.controls) or "none"
        raise ValueError(f"name: {self.title} has no control {name!r:.80}; there are {known}")

    def values(self) -> dict[str, Value]:
        """What all movers say."""
        return {name: value for mover in self._movers for name, value in mover.values().items()}

    def set_frame(self, frame: int) -> None:
        """Everybody goes where they are in this frame."""
        if self._timeline is None:
            raise ValueError(f"{self.title} has no frames")
        if not 0 <= frame < self.frames:
            raise ValueError(f"frame must be from 0 to {self.frames - 1}, got {frame}")
        self._timeline.go(int(frame))
        self.frame = int(frame)

    def layers(self, show: Show) -> list[Layer]:
        """The answers are asked for first, because they say what is red."""
        found = self._answers = ask(self._meetings, show, getattr(self, "_size", 1.0))
        out: list[Layer] = []
        if show.body:
            for actor in self._actors:
                out += actor.layers(found.marked.get(actor.name, NOTHING))
            out += [layer for mover in self._movers for layer in mover.layers()]
        out += found.layers
        if show.level is not None and self.levels:
            out += self._hierarchy(show.level)
        if show.cut:
            out += self._cut_layers()
        return out

    def counters(self) -> Facts:
        """What was asked for the last picture, and what movers tell."""
        told = [fact for mover in self._movers for fact in mover.facts()]
        return [*self._answers.facts, *told]

    def bounds(self) -> Array:
        """About the bodies as they are or, if they move by themselves, as they mostly will be."""
        if not self._seen:
            return self._around()
        boxes = np.stack(self._seen)
        low, high = np.quantile(boxes[:, 0], MOSTLY, axis=0), np.quantile(boxes[:, 1], 1 - MOSTLY, axis=0)
        return np.stack([low, high])

    def _around(self) -> Array:
        layers = [layer for actor in self._actors for layer in actor.layers(NOTHING)]
        return extent(layers + [layer for mover in self._movers for layer in mover.layers()])

    def _look_through(self, timeline: Timeline) -> list[Array]:
        """Boxes about the bodies in a few frames; ends in the first."""
        self.frames, self.frame_time = timeline.frames, timeline.frame_time
        boxes = []
        for frame in np.unique(np.linspace(0, timeline.frames - 1, LOOKS).astype(int))[::-1]:
            self.set_frame(int(frame))
            boxes.append(self._around())
        return boxes

    def _most_levels(self) -> int:
        return max((actor.levels for actor in self._actors), default=0)

    def _hierarchy(self, level: int) -> list[Layer]:
        layers = [layer for actor in self._actors if actor.levels for layer in actor.hierarchy(level)]
        count = sum(len(getattr(layer, "centres", ())) for layer in layers)
        self._answers.facts.append((f"level {level}", f"{count:,} volume{'s' * (count != 1)}"))
        return layers

    def _cut_layers(self) -> list[Layer]:
        out: list[Layer] = []
        for meeting, boxes in self._cuts:
            memory = er.Memory()
            answer, seconds = timed(partial(meeting.collide, budget=ENOUGH, memory=memory))
            tree = memory.bvtt
            if tree is None:
                continue
            out += boxes.layers(tree)
            name = "cut" if len(self._cuts) == 1 else f"cut of {meeting.title}"
            left = f", {tree.count(OPEN):,} left open" if tree.count(OPEN) else ""
            told = f"{len(tree.cut):,} pairs, down to depth {tree.deepest}{left}"
            self._answers.facts += [(name, told), (f"{name}, cost", cost([answer.counters], seconds))]
        return out


def everybody(actors: Sequence[Actor]) -> list[Meeting]:
    """Who can be asked about itself is; and each is asked about each other."""
    selves = [Meeting(actor) for actor in actors if actor.alone]
    return selves + [Meeting(a, b) for i, a in enumerate(actors) for b in actors[i + 1 :]]


def checked(control: Control, value: Value) -> Value:
    """The value, if the control can have it."""
    if control.kind == "button":
        return value
    if control.kind == "check":
        return bool(value)
    if control.kind == "choice":
        if value not in control.choices:
            raise ValueError(f"{control.name} must be one of {', '.join(control.choices)}, got {value!r:.80}")
        return value
    number = float(value) if isinstance(value, int | float) else math.nan
    slack = 1e-6 * max(1.0, abs(control.low), abs(control.high))
    if not control.low - slack <= number <= control.high + slack:
        raise ValueError(
            f"{control.name} must be from {control.low:g} to {control.high:g}, got {value!r:.80}"
        )
    return number


def _round_down(length: float) -> float:
    """To 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(length))
    return float(max(step for step in (1, 2, 5) if step * power <= length * (1 + 1e-9)) * power)

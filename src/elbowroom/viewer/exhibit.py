"""One thing on show: what can be set, what is to be seen of it, and what the answers cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .layers import Array, Layer, extent

Value = float | int | str | bool
Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Control:
    """Something to set: a slider (low, high, step), a choice (of `choices`), a check box or a button.

    `set(name, value)` of the exhibit takes a number, one of the choices, True or False; of a button the value
    is not looked at. Controls of one `group` belong together, such as the joints of an arm.

    Examples
    --------
    >>> from elbowroom.viewer import open_exhibit
    >>> arm = open_exhibit("arm")
    >>> first = arm.controls[0]
    >>> first.name, first.kind, first.low, first.high
    ('joint 1', 'slider', -2.9, 2.9)
    >>> arm.set(first.name, 1.5)
    """

    name: str
    kind: Literal["slider", "choice", "check", "button"]
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    initial: Value = 0.0
    choices: tuple[str, ...] = ()
    group: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Show:
    """What is asked for: each part costs the question that it shows the answer to, and only if it is shown.

    Attributes
    ----------
    body
        The bodies themselves.
    level
        The boxes or balls at a level of the hierarchy, 0 being the root; None: none.
    collisions, closest
        What collides, in red; the nearest two points.
    within
        Pairs at most this far apart; None: none.
    cut
        The lowest pairs of volumes that the last search on a budget looked at, where the exhibit has them.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> ring = open_exhibit("ring")
    >>> {layer.name.split("/")[0] for layer in ring.layers(Show(closest=True, within=0.8))} == {
    ...     "body", "closest", "within"}
    True
    """

    body: bool = True
    level: int | None = None
    collisions: bool = True
    closest: bool = False
    within: float | None = None
    cut: bool = False


class Exhibit(ABC):
    """One thing on show. It belongs to one thread at a time.

    Attributes
    ----------
    title, hint
        What it is, in a few words; what to see or to try, in a sentence or two.
    controls
        What can be set.
    levels
        How many levels the hierarchy has; 0 if none can be shown.
    frames, frame_time
        How many frames it has, 0 if it has no time, and the seconds from one to the next.
    frame
        The present frame.
    live
        Does `advance` compute something new, so that there is no last frame and none to go back to?
    reach
        A length that suits `Show.within`: small against the whole, large enough to find something.
    up
        Which way is up: "z" or "y".
    has_cut, has_within, has_closest
        Which parts of `Show` it has an answer for.
    start
        What is worth showing at first.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> polymer = open_exhibit("polymer")
    >>> polymer.advance()  # one step of play: a few steps of Monte Carlo
    >>> dict(polymer.counters())["steps"]
    '5'
    """

    title: str = ""
    hint: str = ""
    controls: Sequence[Control] = ()
    levels: int = 0
    frames: int = 0
    frame_time: float = 1 / 30
    frame: int = 0
    live: bool = False
    reach: float = 1.0
    up: Literal["y", "z"] = "z"
    has_cut: bool = False
    has_within: bool = True
    has_closest: bool = True
    start: Show = Show()

    @property
    def plays(self) -> bool:
        """Is there anything to play?"""
        return self.live or self.frames > 1

    @abstractmethod
    def set(self, name: str, value: Value) -> None:
        """Sets a control; a ValueError if there is none of this name, or it cannot have this value."""

    @abstractmethod
    def layers(self, show: Show) -> list[Layer]:
        """What is to be seen, under names that differ."""

    @abstractmethod
    def counters(self) -> Facts:
        """What the last `layers` found and what that cost: names and values, to be read."""

    def values(self) -> dict[str, Value]:
        """What the controls are set to now, but for buttons; a button may have set others."""
        return {control.name: control.initial for control in self.controls if control.kind != "button"}

    def set_frame(self, frame: int) -> None:
        """Goes to a frame, 0 to frames - 1."""
        raise ValueError(f"{self.title} has no frames")

    def advance(self) -> None:
        """One step of play: the next frame, after the last the first; or of what is computed live."""
        if self.frames:
            self.set_frame((self.frame + 1) % self.frames)

    def bounds(self) -> Array:
        """The box [[low], [high]] about what is shown, for the first look."""
        return extent(self.layers(Show(collisions=False)))

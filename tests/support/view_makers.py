"""A small exhibit for tests of the viewer: balls on a line, of which one moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elbowroom.viewer import Balls, Boxes, Control, Exhibit, Layer, Segments, Show, Triangulated

GREY, BLUE, RED = (170, 178, 189), (79, 143, 208), (224, 36, 94)


class Row(Exhibit):
    """Balls of radius 1 at x = 0, 3, 6, ..., and a mesh; the first ball is moved by a slider."""

    title = "A row <of balls>"
    hint = "Move the *first* ball."
    levels = 3
    frames = 10
    frame_time = 0.1
    reach = 2.0
    has_cut = True

    def __init__(self, count: int = 4) -> None:
        self.controls: Sequence[Control] = (
            Control("place", "slider", -9.0, 9.0, 0.5, -3.0),
            Control("colour", "choice", initial="blue", choices=("blue", "grey")),
            Control("wireless", "check", initial=False),
            Control("home", "button", hint="Back to where it was"),
        )
        self.place, self.colour, self.asked = -3.0, "blue", list[tuple[str, object]]()
        self._rest = np.arange(count)[:, None] * np.array([3.0, 0.0, 0.0])
        self._radii = np.ones(count)

    def set(self, name: str, value: float | int | str | bool) -> None:
        self.asked.append((name, value))
        if name == "place" and float(value) == 9.0:
            raise ValueError("place: 9 is one too far")
        if name == "place":
            self.place = float(value)
        elif name == "colour":
            self.colour = str(value)
        elif name == "home":
            self.place = -3.0

    def values(self) -> dict[str, float | int | str | bool]:
        return {"place": self.place, "colour": self.colour, "wireless": False}

    def set_frame(self, frame: int) -> None:
        self.frame, self.place = frame, -3.0 + 0.5 * frame

    def layers(self, show: Show) -> list[Layer]:
        first = np.array([[self.place, 0.0, 0.0]])
        colour = BLUE if self.colour == "blue" else GREY
        found: list[Layer] = []
        if show.body:
            found += [
                Balls("body/row", self._rest, self._radii, colour=GREY),
                Balls("body/first", first, np.ones(1), colour=colour),
            ]
            flat = np.array([[-4.0, -2, -2], [4, -2, -2], [0, 2, -2]])
            found.append(Triangulated("body/floor", flat, np.array([[0, 1, 2]], np.int32), np.eye(4)))
        if show.collisions:
            hit = np.abs(self._rest[:, 0] - self.place) <= 2.0
            found.append(Balls("collisions/row", self._rest[hit], self._radii[hit] * 1.01, colour=RED))
        if show.closest:
            found.append(Segments("closest", np.array([[first[0], self._rest[0]]]), 3.0, colour=RED))
        if show.within is not None:
            found.append(Segments("within", np.stack([self._rest, self._rest + show.within], 1)))
        if show.level is not None:
            halves = np.full((2**show.level, 3), 1.0 + show.level)
            turns = np.tile(np.eye(3), (len(halves), 1, 1))
            found.append(Boxes(f"hierarchy/{show.level}", halves * 0.5, halves, turns, opacity=0.2))
        return found

    def counters(self) -> list[tuple[str, str]]:
        hits = int((np.abs(self._rest[:, 0] - self.place) <= 2.0).sum())
        return [("verdict", "collision" if hits else "free"), ("leaf tests", str(len(self._rest)))]


class Busy(Row):
    """The same, computed live: it has no frames."""

    title, frames, live = "Live", 0, True

    def advance(self) -> None:
        self.place += 0.25

"""The clock of what plays: when the next step is due, and how many frames it goes on."""

from __future__ import annotations

from .exhibit import Exhibit

#: Shortest time between two pictures, in seconds; a clip of more frames a second skips some.
TICK = 1 / 30


class Clock:
    """Times are in seconds, from any beginning; `now` never goes back."""

    def __init__(self, exhibit: Exhibit) -> None:
        self._exhibit = exhibit
        self._due = 0.0
        self._owed = 0.0  # parts of a frame that were not played yet
        self.playing = False
        self.speed = 1.0

    def start(self, now: float) -> None:
        """The first step is due at once."""
        self.playing, self._due, self._owed = True, now, 0.0

    def stop(self) -> None:
        """No step is due any more."""
        self.playing = False

    def wait(self, now: float) -> float | None:
        """Seconds until the next step; None if nothing plays."""
        return max(self._due - now, 0.0) if self.playing else None

    def step(self, now: float) -> bool:
        """Take the step if it is due: was it? What is late is not made up for."""
        if not self.playing or now < self._due:
            return False
        tick = max(self._exhibit.frame_time / self.speed, TICK)
        self._due = max(self._due + tick, now)
        if self._exhibit.live:
            self._exhibit.advance()
            return True
        self._owed += tick * self.speed / self._exhibit.frame_time
        onward = int(self._owed + 1e-9)
        self._owed = max(self._owed - onward, 0.0)
        if onward:
            self._exhibit.set_frame((self._exhibit.frame + onward) % self._exhibit.frames)
        return onward > 0

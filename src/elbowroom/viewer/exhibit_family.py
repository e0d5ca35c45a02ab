"""The proof that a necklace is free, on show: its separating family as lines between cages and beads."""

from __future__ import annotations

import numpy as np

from .bodies_balls import NecklaceActor
from .exhibit import Control, Facts, Value
from .exhibit_meetings import MOST_LINES, duration, timed
from .exhibit_movers import Mover
from .layers import GREEN, Array, Layer, Segments, in_space


class Family(Mover):
    """A check box; while it is set, the family is rebuilt for every picture."""

    def __init__(self, actor: NecklaceActor, prefix: str = "") -> None:
        self._actor, self._shown, self._name = actor, False, f"{prefix}proof"
        self._told: Facts = []
        hint = "lines between balls that are proved apart: together they cover all pairs of beads"
        self.controls = [Control(self._name, "check", initial=False, hint=hint)]

    def set(self, name: str, value: Value) -> None:
        """Shown or not."""
        self._shown, self._told = bool(value), []

    def values(self) -> dict[str, Value]:
        """Shown or not."""
        return {self._name: self._shown}

    def layers(self) -> list[Layer]:
        """A line for each pair, from centre to centre; of very many the first."""
        if not self._shown:
            return []
        family, seconds = timed(self._actor.body.separating_pairs)
        pairs, beads = len(family.pairs), len(family.positions)
        verdict = f"prove {beads:,} beads free" if family.free else "leave out beads that collide"
        self._told = [(self._name, f"{pairs:,} pairs {verdict}"), (f"{self._name}, cost", duration(seconds))]
        centres: Array = np.concatenate([family.cages[:, :-1], family.positions])
        ends = self._actor.placed(in_space(centres))[np.asarray(family.pairs[:MOST_LINES], np.int64)]
        return [Segments(f"body/{self._name}", ends, 1.0, colour=GREEN, opacity=0.5)]

    def facts(self) -> Facts:
        """How many pairs, and what they cost."""
        return self._told

"""Our necklace as a contestant: `move` and a question from Python for every frame."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import elbowroom as er
from benchmarks.necklace.data import Motion
from benchmarks.necklace.seekers import Answer


class Own:
    """`move` is the necklace's own: nothing of ours stands between the clock and the library."""

    def __init__(self, motion: Motion, cages: str = "boxes", verify: str = "auto") -> None:
        start = motion.frames[0]
        made: Any = er.Necklace  # names of cages are plain words here
        self.body = made(start, motion.radius, cages=cages, exclude=motion.bonded, verify=verify)
        self.move = self.body.move

    def collides(self) -> bool:
        return bool(er.self_collide(self.body))

    def closest(self) -> Answer:
        answer = er.self_distance(self.body)
        return answer.value, answer.pair

    def counters(self) -> dict[str, int]:
        """Frames by the tree and by the list among them."""
        return asdict(self.body.counters)

"""The stops of the tour, in order. A new one is a module with a `STOP`, and a name in this list."""

from __future__ import annotations

from . import articulated, budget, chain, hook, motion, necklace, sampling, shapes, springs, tree
from .stop import Progress, Stop

STOPS: tuple[Stop, ...] = (
    springs.STOP,
    hook.STOP,
    shapes.STOP,
    tree.STOP,
    chain.STOP,
    sampling.STOP,
    articulated.STOP,
    necklace.STOP,
    motion.STOP,
    budget.STOP,
)

__all__ = ["STOPS", "Progress", "Stop"]

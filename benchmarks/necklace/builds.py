"""How long a necklace takes to be made."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array
from benchmarks.necklace.data import spiral
from elbowroom import scenes

PROTEIN, LARGE = 1380, 1_000_000  # beads: of the paper's protein 1a4yA0, and of a long spiral
PAPER, TIMES = 0.042, 40.0  # seconds in which the paper makes its wrapped hierarchy, and our target over that
WRAPPED = "elbowroom wrapped"
CAGES = ("boxes", "wrapped", "layered")


def shapes() -> dict[int, tuple[Array, float]]:
    """Positions and radius: a backbone of as many atoms as the paper's, and a rolled-up line."""
    rolled = spiral(LARGE, 2, tight=True)
    return {PROTEIN: (scenes.backbone(PROTEIN), 1.0), LARGE: (rolled.frames[-1], rolled.radius)}


def run(repetitions: int) -> list[dict[str, Any]]:
    """Milliseconds for each hierarchy, and for a k-d tree of the same points."""
    lines: list[dict[str, Any]] = []
    for beads, (positions, radius) in shapes().items():
        times = repetitions if beads == LARGE else 20 * repetitions
        timings = common.measure(_makers(beads, positions, radius), times)
        lines += [line(name, beads, timing.seconds) for name, timing in timings.items()]
    common.show(tabulate(f"making a necklace; target: {TIMES:g} times as fast as the paper", lines))
    return lines


def line(name: str, beads: int, seconds: float) -> dict[str, Any]:
    """One necklace made, and what the paper took for the same kind and number of beads."""
    known = beads == PROTEIN and name == WRAPPED
    over = PAPER / seconds if known else math.nan
    reached = Target(name, over, at_least=TIMES).shown()["reached"] if known else None
    return {"name": name, "beads": beads, "ms": 1e3 * seconds, "paper over ours": over, "reached": reached}


def _makers(beads: int, positions: Array, radius: float) -> dict[str, Callable[[], Array]]:
    """A power diagram of a million beads is left out; a necklace makes its own when it is first asked for."""
    made: dict[str, Callable[[], Any]] = {
        f"elbowroom {cages}": partial(er.Necklace, positions, radius, cages=cages) for cages in CAGES
    }
    if beads == PROTEIN:
        made["elbowroom power"] = lambda: er.Necklace(positions, radius, cages="power").power_diagram()
    made["scipy, cKDTree"] = partial(cKDTree, positions, balanced_tree=False, compact_nodes=False)
    return {name: partial(_nothing, make) for name, make in made.items()}


def _nothing(make: Callable[[], Any]) -> Array:
    """Make it and throw it away: there is no answer to compare."""
    make()
    return np.zeros(0)

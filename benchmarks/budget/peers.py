"""The libraries beside us know no budget: their unlimited query stands beside ours, tick by tick."""

from __future__ import annotations

from importlib import import_module
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks.articulated.files import Robot
from benchmarks.articulated.pinocchios import Managed, Model, Plain
from benchmarks.articulated.robots import compared
from benchmarks.common import Array

WAYS = {"pinocchio (coal), all pairs": Plain, "pinocchio (coal), tree": Managed}


def rows(
    robot: Robot, body: er.Articulated, configurations: Array, truth: NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """Pinocchio, which asks Coal, over the same configurations; no line if it is not installed."""
    try:
        import_module("pinocchio")
    except ImportError as missing:
        print(f"  peers are left out: {missing}")
        return []
    model = Model(robot, hulls=False)
    same = sorted(model.pairs()) == sorted(compared(body))
    theirs = model.configurations(body.joint_names, configurations)
    print(f"  Pinocchio compares {'the same' if same else 'OTHER'} pairs of shapes")
    return [_row(name, make(model, theirs), truth) for name, make in WAYS.items()]


def _row(name: str, way: Plain, truth: NDArray[np.bool_]) -> dict[str, Any]:
    """Every configuration in a call of its own: one row at a time is what the way is given."""
    spent, hits = np.empty(len(truth)), np.empty(len(truth), dtype=np.bool_)
    everything = way.rows
    for k, configuration in enumerate(everything):
        way.rows = [configuration]
        start = perf_counter_ns()
        (hits[k],) = way.run()
        spent[k] = 1e-3 * (perf_counter_ns() - start)
    if unlike := int(np.sum(hits != truth)):
        print(f"  {name}: {unlike} verdicts of {len(truth)} differ from ours")
    return {
        "name": name,
        "us, median": float(np.median(spent)),
        "99%": float(np.percentile(spent, 99.0)),
        "99.9%": float(np.percentile(spent, 99.9)),
        "worst": float(spent.max()),
        "of a tick, % (99.9%)": 0.1 * float(np.percentile(spent, 99.9)),
    }

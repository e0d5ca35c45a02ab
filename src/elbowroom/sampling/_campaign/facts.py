"""What a campaign keeps of a run beside its files: tallies of the moves, and a mean of each observable."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .._angles import scalars
from ..series import estimate_floats

if TYPE_CHECKING:
    from ..run import Run


def facts_of(run: Run) -> dict[str, Any]:
    """A run in numbers that JSON can hold."""
    return {
        "steps": run.steps,
        "seconds": run.seconds,
        "moves": [_move(name, tally) for name, tally in run.tallies.items()],
        "estimates": [
            row
            for name in scalars(run.observables)
            for row in _estimates(name, run.observables[name], run.every)
        ],
    }


def _move(name: str, tally: Any) -> dict[str, Any]:
    """With several temperatures, all of them together."""
    tried, collided, accepted = np.asarray(tally).reshape(-1, 3).sum(axis=0).tolist()
    return {"move": name, "tried": tried, "collided": collided, "accepted": accepted}


def _estimates(name: str, series: Any, every: int) -> list[dict[str, Any]]:
    """One for each temperature, numbered; or one, without a number."""
    rows = np.asarray(series, np.float64)
    if rows.ndim == 1:
        return [_estimate(name, None, rows, every)] if rows.size else []
    return [_estimate(name, number, row, every) for number, row in enumerate(rows) if row.size]


def _estimate(name: str, temperature: int | None, series: Any, every: int) -> dict[str, Any]:
    found = estimate_floats(series, every)
    return {
        "observable": name,
        "temperature": temperature,
        "mean": finite(found.mean),
        "error": finite(found.error),
        "time": finite(found.time),
        "samples": found.samples,
        "converged": found.converged,
    }


def finite(value: float) -> float | None:
    """JSON has neither infinities nor NaN."""
    return float(value) if math.isfinite(value) else None

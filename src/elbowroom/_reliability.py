"""How far stated probabilities can be believed: what was said beside what came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

BINS, BARS = 10, 20


@dataclass(frozen=True, eq=False)
class Curve:
    """A reliability curve, one entry for every bin that holds anything.

    Attributes
    ----------
    predicted, observed
        (k,): the mean probability that was stated, and the share that came true.
    count
        (k,): how many statements there were.
    """

    predicted: Floats
    observed: Floats
    count: NDArray[np.int64]

    @property
    def error(self) -> float:
        """How far the two are apart, on average over all statements."""
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.count))


@dataclass(frozen=True, eq=False, repr=False)
class Reliability:
    """Stated probabilities of being free, judged by what came true.

    Attributes
    ----------
    runs
        How many statements were judged.
    base_rate
        The share of them that were free.
    curve
        Predicted, observed and count of ten bins with as many statements each; equal ones share a bin.
    error
        The expected calibration error: the mean distance of predicted from observed over that curve.
    error_by_width
        The same over ten bins of equal width.
    brier
        The mean square of probability less truth: lower is better. Stating `base_rate` always would make
        `base_brier`.
    histogram
        (20,): how many statements there were from 0 to 0.05, from 0.05 to 0.1, and so on.
    auc
        The chance that of a free run and a colliding one the free one had the higher probability; NaN if
        there is only one kind.
    """

    runs: int
    base_rate: float
    curve: Curve
    error: float
    error_by_width: float
    brier: float
    auc: float
    histogram: NDArray[np.int64]

    @property
    def base_brier(self) -> float:
        """The Brier score of somebody who knows the base rate and nothing else."""
        return self.base_rate * (1 - self.base_rate)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reliability) and self.plain() == other.plain()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Reliability: {self.told()}; {self.runs:,} runs, {self.base_rate:.1%} free>"

    def told(self) -> str:
        """In words."""
        auc = "" if np.isnan(self.auc) else f", AUC {self.auc:.3f}"
        return f"error {self.error:.3f}, Brier {self.brier:.3f}{auc}"

    def plain(self) -> dict[str, Any]:
        """As numbers, lists and None: what a file holds."""
        curve = {name: getattr(self.curve, name).tolist() for name in ("predicted", "observed", "count")}
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        auc = None if np.isnan(self.auc) else self.auc
        return numbers | {"auc": auc, "curve": curve, "histogram": self.histogram.tolist()}

    @classmethod
    def from_plain(cls, found: dict[str, Any]) -> Reliability:
        """From what a file holds; KeyError, TypeError or ValueError if something is missing or is wrong."""
        lists = found["curve"]
        said, true = (np.array(lists[name], float) for name in ("predicted", "observed"))
        curve = Curve(said, true, np.array(lists["count"], np.int64))
        if not len(curve.predicted) == len(curve.observed) == len(curve.count) > 0 or curve.count.min() < 1:
            raise ValueError("curve")
        numbers = {name: float(found[name]) for name in _NUMBERS if name != "runs"}
        auc = float("nan") if found["auc"] is None else float(found["auc"])
        histogram = np.array(found["histogram"], np.int64)
        return cls(runs=int(found["runs"]), curve=curve, auc=auc, histogram=histogram, **numbers)


_NUMBERS = ("runs", "base_rate", "error", "error_by_width", "brier")


def judged(predicted: Floats, free: Flags) -> Reliability:
    """How these probabilities (n,) did, where free (n,) is what came true; at least one."""
    by_mass = _binned(predicted, free, np.quantile(predicted, np.arange(1, BINS) / BINS))
    return Reliability(
        runs=len(free),
        base_rate=float(free.mean()),
        curve=by_mass,
        error=by_mass.error,
        error_by_width=_binned(predicted, free, np.arange(1, BINS) / BINS).error,
        brier=float(np.mean((predicted - free) ** 2)),
        auc=_auc(predicted, free),
        histogram=np.histogram(predicted, BARS, (0, 1))[0],
    )


def _binned(predicted: Floats, free: Flags, edges: Floats) -> Curve:
    place = np.searchsorted(edges, predicted, side="right")
    count = np.bincount(place, minlength=BINS)
    held = count > 0
    said, true = (np.bincount(place, weights, BINS)[held] / count[held] for weights in (predicted, free))
    return Curve(said, true, count[held])


def _auc(predicted: Floats, free: Flags) -> float:
    """By ranks; equal probabilities share theirs."""
    ones, zeros = int(free.sum()), int((~free).sum())
    if ones == 0 or zeros == 0:
        return float("nan")
    place, count = np.unique(predicted, return_inverse=True, return_counts=True)[1:]
    rank = np.cumsum(count) - (count - 1) / 2
    return float((rank[place][free].sum() - ones * (ones + 1) / 2) / (ones * zeros))

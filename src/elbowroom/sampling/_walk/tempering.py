"""Parallel tempering: walkers at neighbouring temperatures exchange these now and then [Earl2005]_."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .walkers import Walkers

#: Sets the random numbers of exchanges apart from those of the walkers.
STREAM = 0x65786368


class Exchanges:
    """Which exchanges are tried, and which happen.

    In turns, those between temperatures 0 and 1, 2 and 3, ... and those between 1 and 2, 3 and 4, ... They
    are decided here, one after the other, so the number of threads makes no difference.
    """

    def __init__(self, temperatures: Sequence[float], seed: int) -> None:
        self._inverse = [1.0 / temperature for temperature in temperatures]  # of an infinite one: 0
        self._random = np.random.Generator(np.random.PCG64([seed, STREAM]))
        self.rounds = 0
        self.tried = np.zeros(max(0, len(self._inverse) - 1), np.int64)
        self.accepted = np.zeros_like(self.tried)

    def attempt(self, walkers: Walkers) -> None:
        """One round of them."""
        pairs = range(self.rounds % 2, len(self._inverse) - 1, 2)
        self.rounds += 1
        energies = walkers.energies()
        for t, drawn in zip(pairs, self._random.random(len(pairs)), strict=True):
            self.tried[t] += 1
            if drawn < self._chance(t, energies):
                self.accepted[t] += 1
                walkers.exchange(t)

    def _chance(self, t: int, energies: list[float]) -> float:
        """min(1, exp((1 / T - 1 / T') (E - E'))): what keeps the weights of both temperatures."""
        gain = (self._inverse[t] - self._inverse[t + 1]) * (energies[t] - energies[t + 1])
        return 1.0 if gain >= 0 else math.exp(gain)  # NaN, of two infinite energies, is never drawn

    def forget(self) -> None:
        """The tallies of a burn-in do not count."""
        self.tried[:] = self.accepted[:] = 0

    def shares(self) -> NDArray[np.float64]:
        """(temperatures - 1,): the accepted share for each two neighbours; NaN where none was tried."""
        with np.errstate(invalid="ignore"):
            return self.accepted / self.tried

    def state(self) -> dict[str, Any]:
        """All of it, as plain data."""
        tallies = {"tried": self.tried.tolist(), "accepted": self.accepted.tolist()}
        return {"random": self._random.bit_generator.state, "rounds": self.rounds, **tallies}

    def restore(self, state: dict[str, Any]) -> None:
        """As it was when `state` was taken."""
        tried, accepted = (np.array(state[name], np.int64) for name in ("tried", "accepted"))
        if not (tried.shape == accepted.shape == self.tried.shape and (accepted <= tried).all()):
            raise ValueError("its tallies of exchanges are wrong")
        self._random.bit_generator.state = state["random"]
        self.rounds, self.tried, self.accepted = int(state["rounds"]), tried, accepted

"""The chains that walk: one, with tempering one for each temperature, or several in turn."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core
from elbowroom.chain import Chain

from .._angles import balls_of, is_angle
from .request import Request

Floats = NDArray[np.float64]

#: Streams of random numbers from here on belong to burn-ins: walker w runs with stream w.
BURN_IN_STREAMS = 2**20
TARGET = 0.4  # accepted moves that a burn-in aims at
WORTH_THREADS = 2e-3  # seconds of work below which starting threads costs more than they save


class Walkers:
    """Samplers, each on its own chain, and which of them is at which temperature.

    Everything is told by temperature: walkers exchange temperatures, and nobody outside needs to know.
    Several chains that move in turn, each with the others for obstacles, do not.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        copies = request.walkers - len(request.chains)
        self._chains = [*request.chains, *(copy.copy(request.chains[0]) for _ in range(copies))]
        kinds, names = request.kinds, request.observables
        every = range(request.walkers)  # the moves and the observables that each walker has, by their places
        moves = [[kinds.index(p.kind) for p in request.proposals[request.of(w)]] for w in every]
        self._moves = [np.array(places, np.int64) for places in moves]
        columns = [[names.index(name) for name in request.observed[request.of(w)]] for w in every]
        self._columns = [np.array(places, np.int64) for places in columns]
        self._pace = 0.0  # seconds that a step of all walkers took on one thread, the last time
        self.order = list(range(request.walkers))  # the walker at each temperature
        self._begin(self._sizes_asked(), 0)

    def _by_kind(self, rows: Sequence[Any], nothing: float) -> NDArray[Any]:
        """(temperatures, moves, ...): a row for each temperature, of the moves that its walker has."""
        made = [np.asarray(row) for row in rows]
        out = np.full((len(made), len(self._request.kinds), *made[0].shape[1:]), nothing, made[0].dtype)
        for t, row in enumerate(made):
            out[t, self._moves[self.order[t]]] = row
        return out

    def _sizes_asked(self) -> Floats:
        asked = [self._request.proposals[self._request.of(walker)] for walker in self.order]
        return self._by_kind([[proposal.size for proposal in each] for each in asked], np.nan)

    def _begin(self, sizes: Floats, first_stream: int) -> None:
        """New samplers, at step 0 with nothing counted, on the chains as they are; sizes by temperature."""
        self._samplers: list[_core.Sampler] = []  # no chain has two at a time
        self._samplers = [
            self._sampler(walker, sizes[self.order.index(walker)], first_stream + walker)
            for walker in range(len(self._chains))
        ]
        self._set_temperatures(range(len(self.order)))
        shape = (len(self.order), len(self._request.kinds), 4)
        self._tallies = np.zeros(shape, np.int64)
        self._counted = np.zeros(shape, np.int64)  # by walker: what is in the tallies already

    def _sampler(self, walker: int, sizes: Floats, stream: int) -> _core.Sampler:
        request, chain, number = self._request, self._chains[walker], self._request.of(walker)
        out = _core.Sampler(chain, request.seed, stream)
        for a, b, moving in [] if chain.side is None else chain.side.torsions:
            out.add_side(a, b, np.asarray(moving, np.int64))
        for p, size in zip(request.proposals[number], sizes[self._moves[walker]], strict=True):
            out.add_move(p.kind, p.weight, float(size), p.at, p.shortest, p.longest)
        request.surroundings.add_to(out)
        if request.uncrossable:
            out.forbid_crossing(np.sort(np.asarray(chain.breaks, np.int32)))
        for other in self._chains if request.several else []:
            if other is not chain:
                out.add_neighbour(other)
        names = ["torsion" if is_angle(name) else name for name in request.observed[number]]
        out.observe(names, request.contact_reach, balls_of(request.observed[number], chain))
        return out

    def _set_temperatures(self, numbers: Sequence[int]) -> None:
        """Tells the walkers at these temperatures where they are."""
        if self._request.temperatures:
            for t in numbers:
                temperature = self._request.temperatures[t if self._request.tempered else 0]
                self._samplers[self.order[t]].set_temperature(temperature)

    # The burn-in.

    def begin_burn_in(self) -> None:
        """From now on sizes follow the acceptance."""
        self._begin(self._sizes_asked(), BURN_IN_STREAMS)
        for sampler in self._samplers:
            sampler.adapt(TARGET)

    def end_burn_in(self) -> None:
        """The sizes stay."""
        self._begin(self._sizes(), 0)

    # Walking.

    def advance(self, steps: int, every: int) -> None:
        """So many steps of each."""
        begin = perf_counter()
        if len(self._samplers) == 1:
            self._samplers[0].run(steps, every)
        elif self._request.several:
            _core.run_in_turn(self._samplers, steps, every)
        else:
            short = self._pace * steps < WORTH_THREADS
            threads = 1 if short else self._request.threads
            _core.run_samplers(self._samplers, steps, every, threads)
            self._pace = (perf_counter() - begin) * threads / max(1, steps)

    def take(self) -> Floats:
        """(temperatures, k, observables): what was recorded since it was last taken."""
        rows = [np.asarray(self._samplers[walker].take(), np.float64) for walker in self.order]
        out = np.full((len(rows), max(map(len, rows)), len(self._request.observables)), np.nan)
        for row, walker, values in zip(out, self.order, rows, strict=True):
            if len(self._columns[walker]):  # one without any has recorded nothing
                row[:, self._columns[walker]] = values
        return out

    def energies(self) -> list[float]:
        """Of each temperature."""
        return [float(self._samplers[walker].energy) for walker in self.order]

    def exchange(self, t: int) -> None:
        """The walkers at temperatures t and t + 1 exchange these, and the sizes that belong to them."""
        self.tallies()  # what was tried so far was tried at the old temperatures
        sizes = self._sizes()
        self.order[t], self.order[t + 1] = self.order[t + 1], self.order[t]
        self._set_temperatures((t, t + 1))
        for now in (t, t + 1):
            self._samplers[self.order[now]].set_sizes(sizes[now])  # copies of one chain have the same moves

    # Measurements.

    @property
    def chains(self) -> list[Chain]:
        """The chains, by temperature."""
        return [self._chains[walker] for walker in self.order]

    def tallies(self) -> NDArray[np.int64]:
        """(temperatures, moves, 3): tried, collided, accepted."""
        now = self._counts()
        self._tallies += now - self._counted[self.order]
        self._counted[self.order] = now
        return self._tallies[..., :3]

    def crossings(self) -> NDArray[np.int64]:
        """(temperatures, moves): refused since a bond would have passed through another."""
        self.tallies()
        return self._tallies[..., 3]

    def _counts(self) -> NDArray[np.int64]:
        samplers = [self._samplers[walker] for walker in self.order]
        return self._by_kind([np.column_stack([s.tallies, s.crossings]) for s in samplers], 0)

    def sizes(self) -> Floats:
        """(temperatures, moves): NaN for any rotation, and for moves that a chain has not."""
        return np.where(self._sizes_asked() > 0, self._sizes(), np.nan)

    def _sizes(self) -> Floats:
        return self._by_kind([self._samplers[walker].sizes for walker in self.order], np.nan)

    # To and from checkpoints.

    def save(self) -> list[bytes]:
        """The state of each walker. Part of the run: sums that were kept are rebuilt."""
        self.tallies()
        return [sampler.save() for sampler in self._samplers]

    def restore(
        self,
        states: Sequence[bytes],
        order: Sequence[int],
        tallies: NDArray[np.int64],
        crossings: NDArray[np.int64] | None,
    ) -> None:
        """As it was when `states` were saved."""
        if sorted(order) != list(range(len(self.order))):
            raise ValueError(f"the walkers are in the order {order!r:.80}")
        shape = self._tallies.shape[:2]
        crossings = np.zeros(shape, np.int64) if crossings is None else crossings
        if tallies.shape != (*shape, 3) or crossings.shape != shape:
            raise ValueError("its tallies are wrong")
        if min(tallies.min(initial=0), crossings.min(initial=0)) < 0:
            raise ValueError("its tallies are wrong")
        self.order = list(order)
        self._set_temperatures(range(len(self.order)))
        for sampler, state in zip(self._samplers, states, strict=True):
            sampler.restore(state)
        self._tallies = np.concatenate([tallies, crossings[..., None]], axis=2)
        self._counted[self.order] = self._counts()

    def refuse_other_steps(self, step: int) -> None:
        """ValueError if a walker has made another number of steps."""
        for sampler in self._samplers:
            if sampler.step != step:
                raise ValueError(f"a walker has made {sampler.step} steps, not {step}")

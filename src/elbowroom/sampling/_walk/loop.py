"""The loop of a run: the core walks from one stop to the next, and what is to be done there is done here.

Where the core stops makes no difference to what it does, but for checkpoints: these are made at the same
steps however a run is cut up, with a folder or without one.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..run import Run
from .progress import Bar
from .request import Request, by_move, shares
from .rows import Rows
from .state import State
from .tempering import Exchanges
from .walkers import Walkers

if TYPE_CHECKING:
    from ..folder import Folder, Saved

#: The core is let run for about so many seconds at a time, so that it can be interrupted.
STRIDE = 0.1


class Stride:
    """How many steps the core makes at a time: what takes it about a tenth of a second."""

    def __init__(self) -> None:
        self.steps = 16

    def took(self, steps: int, seconds: float) -> None:
        """The last ones took so long."""
        if seconds > 2 * STRIDE:
            self.steps = max(1, int(steps * STRIDE / seconds))
        elif steps == self.steps and seconds < STRIDE / 2:
            self.steps *= 2


class Loop:
    """One run, from where it begins or goes on to its end."""

    def __init__(self, request: Request, folder: Folder | None, saved: Saved | None) -> None:
        self._request, self._folder, self._saved = request, folder, saved
        self._asked = request.asked()  # of the chain as it is before anything moves
        self._walkers = Walkers(request)
        self._exchanges = Exchanges(request.temperatures, request.seed)
        self._rows = Rows(request.observables, request.pace.every, request.walkers, request.deep)
        self._stride = Stride()
        self.step, self._stopped = 0, False
        self._before, self._began = 0.0, perf_counter()

    def run(self, progress: bool | None) -> Run:
        """Goes on with what was saved, or burns in; then all steps."""
        if self._saved is not None:
            self._restore(self._saved)
        elif self._request.burn_in:
            self._burn_in(progress)
        self._began = perf_counter()
        pace = self._request.pace
        with Bar(progress, "steps", pace.steps, self.step) as bar:
            while self.step < pace.steps and not self._stopped:
                self._walk(pace.next_stop(self.step), pace.every, bar)
                self._rows.add(self._walkers.take())
                self._at_stop()
        if self._folder is not None:
            self._folder.finish(self.step, *self._rows.since_mark(), self._summary())
        return self._results()

    def _burn_in(self, progress: bool | None) -> None:
        steps, swap = self._request.burn_in, self._request.pace.swap
        self._walkers.begin_burn_in()
        with Bar(progress, "steps of burn-in", steps) as bar:
            while self.step < steps:
                next_swap = self.step - self.step % swap + swap if swap else steps
                self._walk(min(steps, next_swap), steps + 1, bar)
                if self._is_due(swap):
                    self._exchanges.attempt(self._walkers)
        self._walkers.end_burn_in()
        self._exchanges.forget()
        self.step, self._began = 0, perf_counter()
        if self._request.pace.checkpoint:  # so that it need not be repeated
            self._checkpoint()

    def _walk(self, stop: int, every: int, bar: Bar) -> None:
        while self.step < stop:
            steps = min(stop - self.step, self._stride.steps)
            began = perf_counter()
            self._walkers.advance(steps, every)
            self._stride.took(steps, perf_counter() - began)
            self.step += steps
            bar.show(self.step, self._walkers.tallies)

    def _at_stop(self) -> None:
        """What is due at this step. Rows and frames are those before walkers exchange temperatures."""
        pace = self._request.pace
        if self._is_due(pace.frames):
            self._add_frames()
        if self._is_due(pace.callback):
            self._call()
        if self._is_due(pace.swap):
            self._exchanges.attempt(self._walkers)
        if self._is_due(pace.checkpoint):
            self._checkpoint()

    def _is_due(self, period: int) -> bool:
        return period > 0 and self.step % period == 0

    def _add_frames(self) -> None:
        assert self._folder is not None
        for number, chain in enumerate(self._walkers.chains):
            self._folder.add_frame(number, chain.positions(side=True))

    def _call(self) -> None:
        assert self._request.callback is not None
        acceptance = shares(self._request, self._walkers.tallies())
        chains, temperatures = tuple(self._walkers.chains), self._request.temperatures
        state = State(self.step, chains, self._rows.latest(), acceptance, temperatures)
        self._stopped = self._request.callback(state) is True

    def _checkpoint(self) -> None:
        """Made without a folder too where it is part of the walk: energies are then summed again."""
        if self._folder is None and not self._request.temperatures:
            return
        states = self._walkers.save()
        if self._folder is None:
            return
        extra = {
            "order": list(self._walkers.order),
            "tallies": self._walkers.tallies().tolist(),
            **({"crossings": self._walkers.crossings().tolist()} if self._request.uncrossable else {}),
            "exchanges": self._exchanges.state(),
            "summary": self._summary(),
        }
        self._folder.checkpoint(self.step, states, *self._rows.since_mark(), extra)
        self._rows.mark()

    def _restore(self, saved: Saved) -> None:
        """Go on from a checkpoint; ValueError if it could not have been made by this run."""
        try:
            tallies = np.array(saved.extra["tallies"], np.int64)
            crossings = np.array(saved.extra["crossings"], np.int64) if self._request.uncrossable else None
            self._walkers.restore(saved.states, saved.extra["order"], tallies, crossings)
            self._exchanges.restore(saved.extra["exchanges"])
            self._before = float(saved.extra["summary"]["seconds"])
            self._walkers.refuse_other_steps(saved.step)
            if saved.values.shape[1] != saved.step // self._request.pace.every:
                raise ValueError(
                    f"it has {saved.values.shape[1]} rows of observables after {saved.step} steps"
                )
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise ValueError(f"out: the checkpoint is damaged: {error}") from None
        self._rows.add(saved.values)
        self._rows.mark()
        self.step = saved.step

    def _summary(self) -> dict[str, Any]:
        """How it went so far, as plain data."""
        request = self._request
        return {
            "steps": self.step,
            "asked": request.pace.steps,
            "every": request.pace.every,
            "seed": request.seed,
            "burn_in": request.burn_in,
            "tallies": by_move(request, self._walkers.tallies()),
            "sizes": by_move(request, self._walkers.sizes()),
            "seconds": self._before + perf_counter() - self._began,
            "temperatures": list(request.temperatures),
            "swaps": self._exchanges.shares().tolist() if request.tempered else None,
            **({"crossings": by_move(request, self._walkers.crossings())} if request.uncrossable else {}),
            **request.sizes(),
        }

    def _results(self) -> Run:
        return Run(
            **self._summary(),
            observables=self._rows.observables(),
            steps_at=self._rows.steps_at(),
            chains=tuple(self._walkers.chains),
            folder=None if self._folder is None else self._folder.path,
            about={"asked": self._asked},
        )

"""What a run of `er.sampling.sample` has found, and what it is worth."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom.body import read_only

from . import _run_text
from ._angles import is_angle, pairs, scalars
from ._disk.parts import pyarrow
from .series import Estimate, estimate_floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pyarrow import Table as ArrowTable

    from elbowroom.chain import Chain

Floats = NDArray[np.float64]
Tally = tuple[int, int, int]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Samples of a chain, how they came about, and estimates from them.

    Made by `er.sampling.sample`, or read from its folder by `Run.load`. With parallel tempering every
    observable has a first axis of temperatures, and whatever belongs to a move is a tuple of as many; of
    several chains it is an axis of chains. An observable that a chain has not is NaN.

    Attributes
    ----------
    observables
        {name: (samples,)}, or {name: (temperatures, samples)}, or {name: (chains, samples)}.
    steps_at
        (samples,): the step at which each was taken.
    steps, asked
        Steps taken, and asked for: more, if the run was stopped or its folder is unfinished. Of several
        chains each makes a move in each of them.
    every, seed, burn_in
        Steps between samples, the seed, and steps before step 0.
    tallies
        {move: (tried, collided, accepted)}, without the burn-in. Moves that did not collide and were not
        accepted were refused for their energy or for a crossing, or had no solution.
    crossings
        {move: count}: with `uncrossable`, how many of the moves that were not accepted would have taken a
        bond through another, or might have. Else {}.
    sizes
        {move: size}, None for a move that has none.
    seconds
        Time that the steps took, without the burn-in.
    temperatures, swaps
        () for hard cores alone; (temperatures - 1,): the share of exchanges between neighbouring
        temperatures that were accepted, None without tempering.
    chains
        The chain as the run left it, or one for each temperature, or all that moved in turn. () if the run
        was read from a folder.
    links, balls
        Of the chain; of several chains tuples.
    folder
        Where the run was written to, or None.
    about
        What the folder says besides: what was asked, versions.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.sampling.polymer(100, seed=1)
    >>> run = er.sampling.sample(chain, {"pivot": 1.0}, steps=20_000, every=10, seed=1)
    >>> run.observables["end_to_end"].shape
    (2000,)
    >>> squared = run.estimate("end_to_end", 2)
    >>> squared.converged, 250 < squared.mean < 500
    (True, True)
    >>> 0.2 < run.acceptance["pivot"] < 0.9
    True
    """

    observables: Mapping[str, Floats]
    steps_at: NDArray[np.int64]
    steps: int
    every: int
    seed: int
    tallies: Mapping[str, ArrayLike]
    sizes: Mapping[str, ArrayLike | None]
    seconds: float
    asked: int | None = None
    temperatures: Sequence[float] = ()
    swaps: Floats | None = field(default_factory=lambda: None)
    chains: Sequence[Chain] = ()
    links: int | tuple[int, ...] = 0
    balls: int | tuple[int, ...] = 0
    burn_in: int = 0
    folder: Path | None = field(default_factory=lambda: None)
    about: Mapping[str, object] = field(default_factory=dict)
    crossings: Mapping[str, ArrayLike] = field(default_factory=dict)

    def __post_init__(self) -> None:
        arrays = {str(name): np.array(values, np.float64) for name, values in self.observables.items()}
        made: dict[str, Any] = {
            "observables": {name: read_only(values) for name, values in arrays.items()},
            "steps_at": read_only(np.array(self.steps_at, np.int64)),
            "asked": self.steps if self.asked is None else self.asked,
            "temperatures": tuple(float(t) for t in self.temperatures),
            "swaps": None if self.swaps is None else read_only(np.array(self.swaps, np.float64)),
            "tallies": {move: _plain(np.asarray(counts).tolist()) for move, counts in self.tallies.items()},
            "crossings": {move: _plain(np.asarray(n).tolist()) for move, n in self.crossings.items()},
            "sizes": {move: _sizes(sizes) for move, sizes in self.sizes.items()},
            "chains": tuple(self.chains),
            "links": _plain(self.links),
            "balls": _plain(self.balls),
            "folder": None if self.folder is None else Path(self.folder),
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_estimates", {})
        self._refuse_wrong_shapes()

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Run:
        """The run in a folder that `sample` wrote to with `out`, finished or not; without its chain."""
        from .folder import read_folder

        return cls(**read_folder(folder), folder=Path(folder))

    @property
    def samples(self) -> int:
        """How many were taken, at each temperature."""
        return len(self.steps_at)

    @property
    def tempered(self) -> bool:
        """Do observables have an axis of temperatures?"""
        return not self.several and any(values.ndim == 2 for values in self.observables.values())

    @property
    def several(self) -> bool:
        """Do observables have an axis of chains?"""
        return isinstance(self.links, tuple)

    @property
    def chain(self) -> Chain:
        """The chain as the run left it; at the first temperature, or the first of several."""
        if not self.chains:
            raise ValueError("chain: a run that was read from a folder has none; see its trajectory")
        return self.chains[0]

    @property
    def acceptance(self) -> dict[str, float | tuple[float, ...]]:
        """{move: accepted share of those tried}; NaN for a move that was never tried."""
        counts = {move: np.asarray(tally) for move, tally in self.tallies.items()}
        return {
            move: _plain((one[..., 2] / np.where(one[..., 0] > 0, one[..., 0], np.nan)).tolist())
            for move, one in counts.items()
        }

    @property
    def rate(self) -> float:
        """Steps a second, those of all temperatures or chains together."""
        return self.steps * self._copies / self.seconds if self.seconds > 0 else math.nan

    @property
    def _copies(self) -> int:
        """Temperatures or chains: the length of the first axis, if there is one."""
        if isinstance(self.links, tuple):
            return len(self.links)
        return len(self.temperatures) if self.tempered else 1

    def estimate(
        self, name: str, power: float = 1, temperature: int | None = None, *, chain: int | None = None
    ) -> Estimate:
        """The mean of an observable, or of a power of it, with its error.

        Parameters
        ----------
        name
            Of an observable.
        power
            2 for the mean square.
        temperature
            With tempering, the number of a temperature, from 0.
        chain
            Of several chains, the number of one, from 0.
        """
        if is_angle(name):
            raise ValueError(
                f"name: {name!r:.80} is an angle, which has no mean; see observables and plot_ramachandran"
            )
        values, exponent = self.series(name, temperature, chain=chain), _arrays.number(power, "power")
        known: dict[Any, Estimate] = self.__dict__["_estimates"]
        key = name, exponent, temperature, chain
        if key not in known:
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                raised = values if exponent == 1 else values**exponent
            known[key] = estimate_floats(raised, self.every)
        return known[key]

    def series(self, name: str, temperature: int | None = None, *, chain: int | None = None) -> Floats:
        """The samples of one observable, at one temperature, or of one of several chains: (samples,)."""
        _arrays.choice(name, "name", list(self.observables))
        values = self.observables[name]
        if self.samples == 0:
            raise ValueError(f"name: {name!r} has no samples: {self.steps:,} steps, one every {self.every:,}")
        for given, what, there, why in (
            (temperature, "temperature", self.tempered, "it was not tempered"),
            (chain, "chain", self.several, "it is of one chain"),
        ):
            if given is not None and not there:
                raise ValueError(f"{what}: the run has none to choose from, as {why}")
            if given is None and there:
                raise ValueError(f"{what}: the run has {len(values)}, say which by its number, from 0")
            if given is not None:
                values = values[_arrays.count(given, what, 0, len(values) - 1)]
        return values

    def _numbers(self) -> list[dict[str, int]]:
        """What `series` is asked for beside a name: for each temperature or chain, or nothing."""
        what = "chain" if self.several else "temperature"
        return [{what: k} for k in range(self._copies)] if self.several or self.tempered else [{}]

    def summary(self) -> str:
        """Estimates of all observables and what became of the moves, as a table in text."""
        return _run_text.summary(self)

    def to_table(self) -> ArrowTable:
        """The samples as a pyarrow Table: step, the number of the temperature or chain, observables."""
        return _table(self)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Traces, running means, distributions, autocorrelations, acceptance; to a file if one is named.

        Of a run that has recorded nothing but torsions, the Ramachandran plot.
        """
        if not scalars(self.observables):
            return self.plot_ramachandran(path)
        from elbowroom.pictures.sampling import run_figure
        from elbowroom.pictures.saving import saved

        return saved(run_figure(self), path)

    def plot_ramachandran(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        residue: str | None = None,
        temperature: int | None = None,
        chain: int | None = None,
    ) -> Figure:
        """Phi against psi of all samples, for runs with both among their observables.

        Parameters
        ----------
        path
            File for the picture; its suffix is the format.
        residue
            One residue, such as "A/31"; None: all together.
        temperature
            With tempering, the number of a temperature, from 0.
        chain
            Of several chains, the number of one, from 0.
        """
        from elbowroom.pictures.ramachandran import ramachandran

        found = pairs(self.observables, residue)
        if chain is not None:  # residues of other chains have no numbers here
            known = {one for one in found if not np.isnan(self.series(f"phi:{one}", chain=chain)).all()}
            found = {one: names for one, names in found.items() if one in known}
        phi, psi = (
            [self.series(f"{name}:{one}", temperature, chain=chain) for one in found]
            for name in ("phi", "psi")
        )
        title = f"{residue or f'{len(found)} residues'}, {self.samples:,} samples each"
        return ramachandran(np.concatenate(phi), np.concatenate(psi), path, title=title)

    def __repr__(self) -> str:
        return f"<Run: {_run_text.story(self)}>"

    def _refuse_wrong_shapes(self) -> None:
        """All observables alike: as many samples as steps, and as many rows as temperatures or chains."""
        copies = len(self.links) if isinstance(self.links, tuple) else len(self.temperatures)
        flat, deep = (self.samples,), (copies, self.samples)
        shapes = {values.shape for values in self.observables.values()}
        if not (shapes <= {flat} or shapes <= {deep}):
            raise ValueError(f"observables must all have shape {flat} or all {deep}, got {sorted(shapes)}")


def _table(run: Run) -> Any:
    """By step, then by temperature or chain: the order in which they are written to a folder."""
    arrow = pyarrow()
    columns = {"step": arrow.array(run.steps_at)}
    if run.tempered or run.several:
        count = run._copies
        columns["step"] = arrow.array(np.repeat(run.steps_at, count))
        numbers = np.tile(np.arange(count, dtype=np.int64), run.samples)
        columns["chain" if run.several else "temperature"] = arrow.array(numbers)
    return arrow.table(columns | {name: arrow.array(np.ravel(v.T)) for name, v in run.observables.items()})


def _plain(value: Any) -> Any:
    """Lists as tuples, however deep."""
    return tuple(map(_plain, value)) if isinstance(value, list) else value


def _sizes(value: ArrayLike | None) -> Any:
    """A number or as many as there are temperatures; None for none."""
    if value is None or np.ndim(value) == 0:
        return None if value is None or np.isnan(float(value)) else float(value)  # type: ignore[arg-type]
    return tuple(_sizes(one) for one in np.asarray(value, object))

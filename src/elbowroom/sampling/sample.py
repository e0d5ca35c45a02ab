"""Monte Carlo sampling of chains: the public function."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom._types import Obstacles
from elbowroom.chain import Chain
from elbowroom.energies import Energy

from ._angles import of_several
from ._walk import checks as _checks
from ._walk.loop import Loop
from ._walk.request import Request, balls_of
from ._walk.state import State
from ._walk.surroundings import Surroundings
from .moves import Moves, Proposal, proposals
from .relax import relax as relaxed
from .run import Run

if TYPE_CHECKING:
    from .folder import Folder, Saved


def sample(
    chain: Chain | Sequence[Chain],
    moves: Moves | Sequence[Moves] | None = None,
    energy: Energy | None = None,
    *,
    steps: int,
    seed: int = 0,
    every: int | None = None,
    out: str | os.PathLike[str] | None = None,
    temperature: float | Sequence[float] | None = None,
    kinds: ArrayLike | None = None,
    burn_in: int = 0,
    observables: Sequence[str] = ("end_to_end", "radius_of_gyration"),
    contact_reach: float | None = None,
    frames: int | None = None,
    checkpoint: int | None = None,
    resume: bool = False,
    callback: Callable[[State], object] | None = None,
    callback_every: int | None = None,
    swap_every: int = 1000,
    threads: int | None = None,
    progress: bool | None = None,
    obstacles: Obstacles = None,
    relax: bool = False,
    uncrossable: bool = False,
) -> Run:
    """Samples the states of a chain that are free of collisions, by Markov-chain Monte Carlo.

    In each step one of the moves is tried, and taken back if the chain then collides with itself, or by the
    rule of [Metropolis1953]_ if there is an energy. Every free state is as likely as any other, or with an
    energy E and a temperature T, has the weight exp(-E / T). States are counted by what the moves change:
    with torsion, rebridge and side, uniformly in the torsion angles, while bond angles stay as they are; with
    pivot or crankshaft, uniformly in the directions of all bonds, so that the chain is freely jointed.

    The same arguments give the same numbers, bit for bit, with and without `out`, and for any number of
    threads. The chain that is given stays as it is: a copy walks.

    Parameters
    ----------
    chain
        Where it begins: with the fast tree (`volume="auto"`), and free of collisions, or with `relax=True`.
        Several chains move in turn: a step is one move of each, from the first to the last, and no state is
        accepted in which two of them collide. Observables, tallies and sizes get a first axis of chains.
        Their energies are those of each chain alone, at one temperature.
    moves
        {name: weight or Move}, of "torsion", "pivot" [Lal1969]_, "crankshaft", "rebridge", a concerted
        rotation [Dodd1993]_, "side", and "translation" and "rotation" of the whole chain. None: pivots; of
        proteins torsion, rebridge and side; among obstacles also translation and rotation. Without these the
        first link stays where it is. Several chains all have these moves, or each those of a list.
    energy
        One of er.energies. None: what the chain was given by set_energy, if anything.
    steps
        Moves to try.
    seed
        Of all random numbers.
    every
        Steps between two rows of observables; the first is after that many. None: a thousand rows.
    out
        Folder for the results: see Run.load, which reads it. Needs the extra `campaign`.
    temperature
        In units of the energy. Several, rising: parallel tempering, each on a copy of the chain; observables
        get a first axis of temperatures.
    kinds
        Of the balls, as for Chain.set_energy.
    burn_in
        Steps before the first, of which nothing is kept but the state they lead to and the sizes of the
        moves, which follow the acceptance meanwhile.
    observables
        Of "end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts" and "energy", which is there
        whenever there is an energy. Of proteins also torsions in radians: "phi", "psi", "omega" and "chi1" to
        "chi5" of all residues, or "phi:A/31" of one. Columns are named "phi:A/31"; see Run.plot_ramachandran.
    contact_reach
        Balls nearer than this, from surface to surface, are in contact.
    frames
        Steps between two frames of the trajectory in `out`. None: as `every`. 0: no trajectory.
    checkpoint
        Steps between two checkpoints, from which a run can go on. None: a hundred of them, ten of chains of
        100,000 balls or more. Sums that were kept up to date are rebuilt there, `out` or not.
    resume
        Go on with the run in `out`; if there is none, begin. `steps` may be larger than it was; all else must
        be the same, and what is None is taken from there.
    callback, callback_every
        Called with a State after every so many steps (None: as `every`); the run ends if it returns True.
    swap_every
        Of tempering: steps between two attempts to exchange temperatures.
    threads
        Of tempering. None: as many as there are cores.
    progress
        Show a bar on a terminal. None: once it takes longer than two seconds.
    obstacles
        A body, (body, pose), or a list of these: walls, a pore, a ligand, another chain. They stand still.
        States in which the chain collides with one of them are refused.
    relax
        Free a chain that collides with itself first, as `er.sampling.relax` does.
    uncrossable
        Refuse moves on whose way a bond would pass through another, so that knots and entanglements stay as
        they are. Bonds are segments from link to link; torsions, pivots and crankshafts turn evenly from one
        state to the next. Rebridge moves cannot be used. See Run.crossings.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.coil(100), radii=0.45)
    >>> run = er.sampling.sample(chain, {"pivot": 1.0, "crankshaft": 1.0}, steps=2000, seed=7)
    >>> run.observables["end_to_end"].shape, run.chain.collides()
    ((1000,), False)

    Three temperatures at once:

    >>> attraction = er.energies.LennardJones(1.0, 0.9, cutoff=2.25)
    >>> run = er.sampling.sample(chain, energy=attraction, temperature=[1.0, 2.0, 4.0], steps=2000)
    >>> run.observables["energy"].shape, run.swaps.shape
    ((3, 1000), (2,))

    Two chains, each an obstacle for the other:

    >>> other = er.Chain(chain.positions() + [0, 0, 60], radii=0.45)
    >>> run = er.sampling.sample([chain, other], steps=2000)
    >>> run.observables["end_to_end"].shape, bool(er.collide(*run.chains))
    ((2, 1000), False)

    Between two plates:

    >>> plates = [(er.Box([1000, 1000, 1]), er.Pose(translation=[0, 0, z])) for z in (-60, 60)]
    >>> run = er.sampling.sample(chain, steps=2000, obstacles=plates)
    >>> bool(er.collide(run.chain, plates[0][0], pose_b=plates[0][1])), run.acceptance["translation"] > 0
    (False, True)
    """
    walking = [copy.copy(each) for each in _checks.check_chains(chain)]
    if _arrays.flag(relax, "relax"):
        walking = [relaxed(each, seed=seed, progress=progress) for each in walking]
    path = _checks.check_folder(out, resume)
    _checks.check_energy(walking, energy, kinds)
    temperatures, tempered = _checks.check_temperature(temperature, walking)
    names, reach = _checks.check_observables(observables, contact_reach, bool(temperatures))
    periods = _checks.Periods(steps, every, frames, checkpoint, callback_every, swap_every)
    balls = sum(map(balls_of, walking))
    around, kept = Surroundings(obstacles), _arrays.flag(uncrossable, "uncrossable")
    if kept:
        _checks.refuse_crossings_unseen(walking)
    request = Request(
        chains=tuple(walking),
        proposals=_proposals(moves, walking, bool(around), kept),
        temperatures=temperatures,
        tempered=tempered,
        seed=_arrays.count(seed, "seed", 0),
        burn_in=_arrays.count(burn_in, "burn_in", 0),
        observed=of_several(names, walking),
        contact_reach=reach,
        pace=periods.checked(_asked_before(path, resume), balls, path is not None, callback, tempered),
        threads=_checks.check_threads(threads),
        callback=callback,
        surroundings=around,
        uncrossable=kept,
    )
    _checks.refuse_collisions(walking)
    for k, each in enumerate(walking):
        around.refuse_collision(each, f"chain[{k}]" if request.several else "chain")
    folder, saved = _opened(request, path, resume)
    with nullcontext() if folder is None else folder:
        return Loop(request, folder, saved).run(progress)


def _proposals(
    moves: Moves | Sequence[Moves] | None, chains: Sequence[Chain], among: bool, uncrossable: bool
) -> list[list[Proposal]]:
    """Of each chain."""
    several = len(chains) > 1 and isinstance(moves, (list, tuple))
    listed: Sequence[Any] = moves if several else [moves] * len(chains)  # type: ignore[assignment]
    if len(listed) != len(chains):
        raise ValueError(f"moves must be as many as there are chains, {len(chains)}, got {len(listed)}")
    confined = among or len(chains) > 1
    return [
        proposals(each, chain, confined=confined, uncrossable=uncrossable)
        for each, chain in zip(listed, chains, strict=True)
    ]


def _asked_before(path: Path | None, resume: bool) -> dict[str, Any]:
    """What was asked of the run that is to go on."""
    if path is None or not resume:
        return {}
    from .folder import Folder

    return Folder.asked_in(path) or {}


def _opened(request: Request, path: Path | None, resume: bool) -> tuple[Folder | None, Saved | None]:
    if path is None:
        return None, None
    from .folder import Folder

    if resume:
        return Folder.resume(path, request.asked(), request.chains)
    return Folder.begin(path, request.asked(), request.chains), None

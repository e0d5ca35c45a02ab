"""The arguments of `sample`, checked: what is wrong is an error that names it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays, _core
from elbowroom.body import refuse_box
from elbowroom.chain import Chain
from elbowroom.energies import Energy
from elbowroom.questions import collide, self_collide
from elbowroom.torsions import NAMES

from .._angles import is_angle
from ..proteins import is_ring
from .request import Pace
from .surroundings import ball_name

#: What can be measured of a chain, and of a protein also torsions.
OBSERVABLES = ("end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts", "energy")
#: Checkpoints of a run; of a large chain, of which each takes a while.
CHECKPOINTS, OF_LARGE, LARGE = 100, 10, 100_000


@dataclass(frozen=True)
class Periods:
    """Steps, and how often something is done, as given; None is what suits the steps."""

    steps: Any
    every: Any
    frames: Any
    checkpoint: Any
    callback_every: Any
    swap_every: Any

    def checked(
        self, before: Mapping[str, Any], balls: int, to_file: bool, callback: Any, tempered: bool
    ) -> Pace:
        """What is None is as it was `before`, if the run goes on."""
        steps = _arrays.count(self.steps, "steps", 1)
        every = self._period("every", before, max(1, steps // 1000), least=1, most=steps)
        frames = self._period("frames", before, every if to_file else 0)
        if frames and not to_file:
            raise ValueError("frames needs out, the folder of the trajectory")
        share = steps // (OF_LARGE if balls >= LARGE else CHECKPOINTS)
        checkpoint = self._period("checkpoint", before, every * max(1, math.ceil(share / every)))
        called = self._called(every, callback)
        swap = _arrays.count(self.swap_every, "swap_every", 1)
        return Pace(steps, every, frames, checkpoint, called, swap if tempered else 0)

    def _period(
        self,
        name: str,
        before: Mapping[str, Any],
        usual: int,
        least: int = 0,
        most: int = _core.limits.largest_count,
    ) -> int:
        value = getattr(self, name)
        return int(before.get(name, usual)) if value is None else _arrays.count(value, name, least, most)

    def _called(self, every: int, callback: Any) -> int:
        if callback is None:
            if self.callback_every is not None:
                raise ValueError("callback_every needs a callback")
            return 0
        if not callable(callback):
            raise TypeError(f"callback must be a function, got {type(callback).__name__}")
        return self._period("callback_every", {}, every, least=1)


def check_chain(chain: Any, name: str = "chain") -> Chain:
    """A chain that can be sampled, as it stands."""
    if not isinstance(chain, Chain):
        raise TypeError(f"{name} must be an er.Chain, got {type(chain).__name__}")
    if chain.children != 8:
        raise ValueError(f'{name} must have the fast tree: make it with volume="auto", or children=8')
    refuse_box(chain, name, "sampling")
    return chain


def check_chains(chain: Any) -> list[Chain]:
    """One, or several that are not the same."""
    if not isinstance(chain, (list, tuple)):
        return [check_chain(chain)]
    if len(chain) < 2:
        raise ValueError(f"chain must be an er.Chain or a list of at least two, got a list of {len(chain)}")
    return [check_chain(each, f"chain[{k}]") for k, each in enumerate(chain)]


def refuse_crossings_unseen(chains: Sequence[Chain]) -> None:
    """Only bonds from link to link of one chain are watched."""
    if len(chains) > 1:
        raise ValueError("uncrossable=True is for one chain: bonds of several are not compared")
    if is_ring(chains[0]):
        raise ValueError("uncrossable=True is for open chains: the bond that closes a ring is not watched")


def refuse_collisions(chains: Sequence[Chain]) -> None:
    """Sampling begins with chains that may be as they are."""
    names = [f"chain[{k}]" if len(chains) > 1 else "chain" for k in range(len(chains))]
    for chain, name in zip(chains, names, strict=True):
        found = self_collide(chain)
        if found:
            a, b = (ball_name(chain, int(ball)) for ball in found.pairs[0])
            raise ValueError(
                f"{name} collides with itself before the first step: {a} and {b} overlap; relax=True frees it"
            )
    for (one, name), (other, its_name) in combinations(zip(chains, names, strict=True), 2):
        found = collide(one, other)
        if found:
            a, b = (ball_name(c, int(ball)) for c, ball in zip((one, other), found.pairs[0], strict=True))
            raise ValueError(f"{name} collides with {its_name} before the first step: {a} and {b} overlap")


def check_energy(chains: Sequence[Chain], energy: Energy | None, kinds: ArrayLike | None) -> None:
    """Gives the chains the energy; without one they keep their own."""
    if kinds is not None and energy is None:
        raise ValueError("kinds needs an energy: it says which balls are of which of its kinds")
    if kinds is not None and len(chains) > 1:
        raise ValueError("kinds is for one chain; give each of several chains its energy by set_energy")
    for chain in chains:
        if energy is not None:
            chain.set_energy(energy, kinds)
        if chain._energy_of is not None and math.isnan(chain.energy()):
            raise ValueError("energy is not a number before the first step: no move could be judged by it")
    if len({chain._energy_of is None for chain in chains}) > 1:
        raise ValueError("chain: some have an energy and some have none; give all of them one, or none")


def check_temperature(value: Any, chains: Sequence[Chain]) -> tuple[tuple[float, ...], bool]:
    """The temperatures, and whether they are tempered: many, or no, or one."""
    energetic = chains[0]._energy_of is not None
    if value is None:
        if energetic:
            raise ValueError(
                "temperature must be given, as there is an energy (infinite: as if there were none)"
            )
        return (), False
    if not energetic:
        raise ValueError(
            "temperature needs an energy: without one every free state is as likely as any other"
        )
    if not isinstance(value, (list, tuple)) and _arrays.any_array(value, "temperature").ndim == 0:
        return (_one_temperature(value, "temperature"),), False
    listed = _arrays.listed(value, "temperature")
    if len(chains) > 1:
        raise ValueError("temperature must be a number: several chains that move in turn have no tempering")
    many = tuple(_one_temperature(each, f"temperature[{i}]") for i, each in enumerate(listed))
    if len(many) < 2:
        raise ValueError("temperature must be a number, or at least two of them for tempering")
    if any(low >= high for low, high in pairwise(many)):
        raise ValueError(f"temperature must rise from one to the next, got {list(many)}")
    return many, True


def _one_temperature(value: Any, name: str) -> float:
    array = np.asarray(value)
    if array.ndim or array.dtype.kind not in "iuf" or not array > 0:  # NaN is not above 0
        raise ValueError(f"{name} must be a number larger than 0, got {_arrays.shown(value)}")
    return float(array)


def check_observables(value: Any, reach: Any, energetic: bool) -> tuple[tuple[str, ...], float]:
    """Names, with the energy if there is one, and the reach of contacts."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"observables must be a list of names, got {_arrays.shown(value)}")
    for i, name in enumerate(value):
        if not isinstance(name, str) or not is_angle(name):
            _arrays.choice(name, f"observables[{i}]", (*OBSERVABLES, *NAMES))
        if name in value[:i]:
            raise ValueError(f"observables has {name!r} more than once")
    if "energy" in value and not energetic:
        raise ValueError("observables has 'energy', but there is no energy")
    if ("contacts" in value) != (reach is not None):
        raise ValueError("contact_reach must be given with the observable 'contacts', and only then")
    names = (*value, "energy") if energetic and "energy" not in value else tuple(value)
    return names, 0.0 if reach is None else _arrays.length(reach, "contact_reach")


def check_threads(value: Any) -> int:
    """As many as there are cores, unless it is said."""
    if value is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _arrays.count(value, "threads", 1)


def check_folder(out: Any, resume: Any) -> Path | None:
    """The folder, if there is one."""
    if out is None:
        if resume:
            raise ValueError("resume needs out, the folder of the run to continue")
        return None
    if not isinstance(out, (str, os.PathLike)):
        raise TypeError(f"out must be the path of a folder, got {type(out).__name__}")
    return Path(out)

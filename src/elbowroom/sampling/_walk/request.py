"""What is asked of a run, and what a folder keeps of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom.chain import Chain
from elbowroom.energies.energy import Energy, Settings

from ..moves import Proposal
from .surroundings import Surroundings

#: Joints beyond this many are kept as a fingerprint.
LISTED = 1000
FORMS = (
    *("LennardJones", "Clashes", "Table", "Callback"),
    *("LennardJones of balls", "Coulomb", "Pairs", "Torsions", "Sum"),
)


@dataclass(frozen=True, eq=False)
class Pace:
    """Steps between one and the next of what happens during a run; 0 is never."""

    steps: int
    every: int
    frames: int
    checkpoint: int
    callback: int
    swap: int

    def next_stop(self, step: int) -> int:
        """The first step after this one at which something is done but recording."""
        periods = (self.frames, self.checkpoint, self.callback, self.swap)
        return min([self.steps, *(step - step % period + period for period in periods if period)])


@dataclass(frozen=True, eq=False)
class Request:
    """A run that can be made. Chains carry their energies, if there are any.

    What belongs to several chains that move in turn is listed chain by chain: moves, and the observables that
    each has.
    """

    chains: tuple[Chain, ...]
    proposals: Sequence[Sequence[Proposal]]
    temperatures: tuple[float, ...]
    tempered: bool
    seed: int
    burn_in: int
    observed: Sequence[Sequence[str]]
    contact_reach: float
    pace: Pace
    threads: int
    callback: Callable[[Any], Any] | None
    surroundings: Surroundings
    uncrossable: bool = False

    @property
    def several(self) -> bool:
        """Do several chains move in turn?"""
        return len(self.chains) > 1

    @property
    def deep(self) -> bool:
        """Do results have a first axis, of temperatures or chains?"""
        return self.tempered or self.several

    @property
    def walkers(self) -> int:
        """Chains that walk at the same time."""
        return max(len(self.chains), len(self.temperatures))

    def of(self, walker: int) -> int:
        """The number of the chain that a walker is, or is a copy of."""
        return walker if self.several else 0

    @property
    def kinds(self) -> list[str]:
        """The names of the moves."""
        return list(dict.fromkeys(proposal.kind for each in self.proposals for proposal in each))

    @property
    def observables(self) -> tuple[str, ...]:
        """The names of what is recorded."""
        return tuple(dict.fromkeys(name for each in self.observed for name in each))

    def asked(self) -> dict[str, Any]:
        """All that decides what comes out, as plain data: what a run in a folder is known by."""
        pace = self.pace
        around: dict[str, Any] = {}
        if self.surroundings:
            around["obstacles"] = self.surroundings.description()
        if self.uncrossable:
            around["uncrossable"] = True
        return around | {
            "steps": pace.steps,
            "seed": self.seed,
            "every": pace.every,
            "frames": pace.frames,
            "checkpoint": pace.checkpoint,
            "burn_in": self.burn_in,
            "temperatures": list(self.temperatures),
            "energy": self._by_chain([_description_of_energy(chain._energy_of) for chain in self.chains]),
            "observables": list(self.observables),
            "contact_reach": self.contact_reach if "contacts" in self.observables else None,
            "swap_every": pace.swap,
            "moves": self._by_chain([[_told(proposal) for proposal in each] for each in self.proposals]),
            "chain": self._by_chain([_description_of_chain(chain) for chain in self.chains]),
        }

    def _by_chain(self, listed: list[Any]) -> Any:
        """A list for several chains; of a single one what is in it."""
        return listed if self.several else listed[0]

    def sizes(self) -> dict[str, Any]:
        """Links and balls of the chain, or lists of them."""
        return {
            "links": self._by_chain([len(chain) for chain in self.chains]),
            "balls": self._by_chain([balls_of(chain) for chain in self.chains]),
        }


def balls_of(chain: Chain) -> int:
    """Links and side balls."""
    return len(chain) + (0 if chain.side is None else len(chain.side.owner))


def by_move(request: Request, table: NDArray[Any]) -> dict[str, Any]:
    """By the name of the move, as plain data: a row (moves,) or (moves, 3), or a table with a first axis."""
    table = table.swapaxes(0, 1) if request.deep else table[0]
    return dict(zip(request.kinds, table.tolist(), strict=True))


def shares(request: Request, tallies: NDArray[np.int64]) -> dict[str, float]:
    """The accepted share of each move, at all temperatures together; NaN where none was tried."""
    tried, _, accepted = tallies.sum(axis=0).T
    with np.errstate(invalid="ignore"):
        return dict(zip(request.kinds, (accepted / tried).tolist(), strict=True))


def _told(proposal: Proposal) -> dict[str, Any]:
    short = len(proposal.at) <= LISTED
    at = proposal.at.tolist() if short else {"count": len(proposal.at), "sha256": _hash(proposal.at)}
    return {
        "kind": proposal.kind,
        "weight": proposal.weight,
        "size": proposal.size if proposal.size > 0 else None,
        "at": at,
        "shortest": proposal.shortest,
        "longest": proposal.longest,
    }


def _description_of_energy(of: tuple[Energy, ArrayLike | None] | None) -> dict[str, Any] | None:
    """A compiled function is known by its cutoff alone: its address means nothing in another process."""
    if of is None:
        return None
    energy, kinds = of
    arrays = (energy.epsilon, energy.sigma, energy.offset, energy.values)
    ids = np.empty(0, np.int64) if kinds is None else np.asarray(kinds, np.int64)
    out: dict[str, Any] = {"form": FORMS[energy.form], "cutoff": energy.cutoff, "sha256": _hash(*arrays, ids)}
    if energy.settings != Settings():
        out["settings"] = asdict(energy.settings)
    if energy.exclude is not None:
        out["exclude"] = _hash(energy.exclude)
    if energy.balls is not None:
        out["balls"] = _hash(energy.balls, energy.numbers)
    if energy.parts:
        out["parts"] = [_description_of_energy((part, kinds)) for part in energy.parts]
    return out


def _description_of_chain(chain: Chain) -> dict[str, Any]:
    """Where it is, in numbers that other processors would only round otherwise; and what never changes."""
    side: list[Any] = []
    if chain.side is not None:
        turns = [x for a, b, moving in chain.side.torsions for x in (a, b, len(moving), *moving)]
        side = [chain.side.owner, chain.side.radii, np.array(turns, np.int64)]
    balls = chain.positions(side=True)
    centre = balls.mean(axis=0)
    return {
        "links": len(chain),
        "balls": len(balls),
        "volume": chain.volume,
        "exclude": chain.excluded_gap,
        "first": balls[0].tolist(),
        "last": balls[-1].tolist(),
        "centre": centre.tolist(),
        "spread": float(np.sqrt(((balls - centre) ** 2).sum(axis=1).mean())),
        "sha256": _hash(chain.radii, *side, chain._rule.named),
    }


def _hash(*arrays: Any) -> str:
    out = hashlib.sha256()
    for array in arrays:
        out.update(np.ascontiguousarray(array).tobytes())
    return out.hexdigest()

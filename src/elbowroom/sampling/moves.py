"""The moves of a sampling run: what is tried, how often, and how far."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom.chain import Chain

from ._walk.surroundings import ball_name
from .proteins import (
    Pair,
    default_joints,
    default_moves,
    default_torsions,
    is_ring,
    torn_by_crankshafts,
    torn_by_joints,
    torn_by_torsions,
)

#: The moves of the whole chain, which change nothing but where it is.
WHOLE = ("translation", "rotation")
#: The moves that there are.
KINDS = ("torsion", "pivot", "crankshaft", "rebridge", "side", *WHOLE)
#: Links of a crankshaft at most, unless it is said: longer ones seldom stay free.
LONGEST = 30
#: Joints that a rebridging takes: one is turned, six close the gap.
BRIDGE = 7

#: What `moves` may be: the weight of each kind of move, or all about it.
Moves: TypeAlias = "Mapping[str, float | Move]"


@dataclass(frozen=True)
class Move:
    """How a kind of move is made. What is None is chosen for the chain.

    Parameters
    ----------
    weight
        How often it is tried, beside the weights of the other moves; 0 is never.
    size
        Angles are uniform in [-size, size], at most pi. None: of a pivot, any rotation alike; of torsions,
        pi, but 0.1 in proteins; of rebridging, 0.1; else pi. Of a translation, the largest shift along each
        axis; None: the mean length of a bond. A burn-in changes sizes (but never that of any rotation) until
        40 % of the moves are accepted.
    joints
        Of torsion, pivot and rebridge: the joints it is made at, each as likely. None: all that change the
        shape; of proteins phi and psi alone, but no phi of proline, nor joints across a break.
    torsions
        Of side: numbers of chain.side.torsions. None: all; of proteins those in no ring.
    shortest, longest
        Of crankshaft: how many bonds turn. None: up to 30, or all; of a ring all.

    Examples
    --------
    >>> import elbowroom as er
    >>> moves = {"pivot": 1.0, "torsion": er.sampling.Move(weight=2.0, size=0.2, joints=range(10, 20))}
    >>> chain = er.Chain(er.scenes.coil(50), radii=0.4)
    >>> run = er.sampling.sample(chain, moves, steps=600)
    >>> sum(tried for tried, collided, accepted in run.tallies.values())
    600
    """

    weight: float = 1.0
    size: float | None = None
    joints: Sequence[int] | None = None
    torsions: Sequence[int] | None = None
    shortest: int = 2
    longest: int | None = None

    def __post_init__(self) -> None:
        _set(self, "weight", _weight(self.weight, "weight"))
        if self.size is not None:
            _set(self, "size", _size(self.size, "size"))
        for name in ("joints", "torsions"):
            if getattr(self, name) is not None:
                _set(self, name, _numbers_of(getattr(self, name), name))
        _set(self, "shortest", _arrays.count(self.shortest, "shortest", 2))
        if self.longest is not None:
            _set(self, "longest", _arrays.count(self.longest, "longest", self.shortest))


@dataclass(frozen=True, eq=False)
class Proposal:
    """A move as the core is told of it; `size` < 0 is any rotation."""

    kind: str
    weight: float
    size: float
    at: NDArray[np.int64]
    shortest: int = 0
    longest: int = 0


def proposals(
    moves: Moves | None, chain: Chain, *, confined: bool = False, uncrossable: bool = False
) -> list[Proposal]:
    """What is asked for, checked; None: what suits the chain, alone or among obstacles."""
    if moves is None:
        moves = default_moves(chain) | (dict.fromkeys(WHOLE, 0.5) if confined else {})
        if uncrossable:
            moves.pop("rebridge", None)
        if not moves:
            raise ValueError("moves must be given: no torsion of this chain is free to turn")
    if not isinstance(moves, Mapping):
        raise TypeError(f"moves must map names to weights or Moves, got {type(moves).__name__}")
    if not moves:
        raise ValueError(f"moves is empty: give at least one of {', '.join(KINDS)}")
    asked = [_proposal(kind, move, chain) for kind, move in moves.items()]
    made = [proposal for proposal in asked if proposal.weight > 0]
    if not made:
        raise ValueError("moves must have at least one weight larger than 0")
    if uncrossable and "rebridge" in [proposal.kind for proposal in made]:
        raise ValueError(
            "moves['rebridge'] is not supported with uncrossable=True: whether bonds pass through each other"
            " on its way is not known"
        )
    return made


def _proposal(kind: str, given: float | Move, chain: Chain) -> Proposal:
    if kind not in KINDS:
        raise ValueError(f"moves has no {_arrays.shown(kind)}: there are {', '.join(KINDS)}")
    name = f"moves[{kind!r}]"
    move = given if isinstance(given, Move) else Move(_weight(given, name))
    _refuse_what_it_has_not(kind, move, name)
    size = _default_size(kind, chain) if move.size is None else move.size
    refuse_large_angle(kind, size, f"{name}.size")
    if kind in WHOLE:
        return Proposal(kind, move.weight, size, np.empty(0, np.int64))
    if kind == "crankshaft":
        shortest, longest = _lengths(move, chain, name)
        return Proposal(kind, move.weight, size, np.empty(0, np.int64), shortest, longest)
    at = _side_torsions(move, chain, name) if kind == "side" else _joints(kind, move, chain, name)
    return Proposal(kind, move.weight, size, at)


def refuse_large_angle(kind: str, size: float, name: str) -> None:
    """Sizes are angles, but that of a translation."""
    if kind != "translation" and size > math.pi:
        raise ValueError(f"{name} must be larger than 0 and at most pi, got {size}")


def _default_size(kind: str, chain: Chain) -> float:
    if kind == "pivot":
        return -1.0
    if kind == "translation":
        bonds = np.linalg.norm(np.diff(chain.positions(), axis=0), axis=1)
        return float(bonds.mean()) or 1.0
    small = kind == "rebridge" or (kind == "torsion" and chain.labels is not None)
    return 0.1 if small else math.pi


def _refuse_what_it_has_not(kind: str, move: Move, name: str) -> None:
    """An option that would change nothing was meant for another move."""
    if move.joints is not None and kind in ("crankshaft", "side", *WHOLE):
        raise ValueError(f"{name}.joints: a {kind} move has no joints")
    if move.torsions is not None and kind != "side":
        raise ValueError(f"{name}.torsions: these are of side balls, and a {kind} turns none")
    if (move.shortest, move.longest) != (2, None) and kind != "crankshaft":
        what = "longest" if move.longest is not None else "shortest"
        raise ValueError(f"{name}.{what}: only a crankshaft has a length")


def _lengths(move: Move, chain: Chain, name: str) -> tuple[int, int]:
    most, torn = len(chain) - 1, torn_by_crankshafts(chain)
    if torn is not None:
        a, b = (ball_name(chain, ball) for ball in torn)
        raise ValueError(f"{name}: a crankshaft would tear the bond from {a} to {b}")
    if move.shortest > most:
        raise ValueError(f"{name}.shortest is {move.shortest}, but the chain has {most} bonds")
    if move.longest is not None and move.longest > most:
        raise ValueError(f"{name}.longest is {move.longest}, but the chain has {most} bonds")
    usual = most if is_ring(chain) else min(LONGEST, most)
    return move.shortest, max(move.shortest, usual) if move.longest is None else move.longest


def _side_torsions(move: Move, chain: Chain, name: str) -> NDArray[np.int64]:
    count = 0 if chain.side is None else len(chain.side.torsions)
    if count == 0:
        raise ValueError(f"{name}: the chain has no side torsions")
    if move.torsions is not None:
        at = _chosen(move.torsions, count, name, "torsions")
        _refuse_torn(torn_by_torsions(chain), at, chain, f"{name}.torsions: torsion")
        return at
    at = default_torsions(chain)
    if len(at) == 0:
        raise ValueError(f"{name}: no side torsion of the chain is free to turn; choose some by torsions")
    return at


def _joints(kind: str, move: Move, chain: Chain, name: str) -> NDArray[np.int64]:
    if move.joints is None:
        at = _default_joints(kind, chain)
    else:
        at = _chosen(move.joints, len(chain) - 1, name, "joints")
        if kind != "pivot":
            _refuse_no_axis(at, chain, name)
        if kind != "rebridge":
            _refuse_torn(torn_by_joints(chain), at, chain, f"{name}.joints: joint")
    least = BRIDGE if kind == "rebridge" else 1
    if len(at) < least:
        why = "; a ring has crankshaft and rebridge moves" if is_ring(chain) else ""
        raise ValueError(
            f"{name}: needs at least {least} joints, and the chain has {len(at)} free to turn{why}"
        )
    return at


def _default_joints(kind: str, chain: Chain) -> NDArray[np.int64]:
    """Those of a protein; of other chains all, but for torsions that turn nothing against the rest."""
    if chain.labels is not None:
        return default_joints(chain, kind)
    if kind == "pivot":
        at = np.arange(len(chain) - 1)
        return at[~np.isin(at, list(torn_by_joints(chain)))]
    ends = 0 if chain.side is not None else 1
    at = default_joints(chain, kind)
    return at[(at >= ends) & (at <= len(chain) - 2 - ends)]


def _chosen(given: Sequence[int], below: int, name: str, what: str) -> NDArray[np.int64]:
    """Sorted, each once, from 0 to below - 1."""
    at = _arrays.indices(np.asarray(given), None, below, f"{name}.{what}").astype(np.int64)
    if len(at) == 0:
        raise ValueError(f"{name}.{what} is empty")
    once, times = np.unique(at, return_counts=True)
    if (times > 1).any():
        raise ValueError(f"{name}.{what} has {once[times > 1][0]} more than once")
    return once


def _refuse_no_axis(at: NDArray[np.int64], chain: Chain, name: str) -> None:
    places = chain.positions()
    lengths = np.linalg.norm(places[at + 1] - places[at], axis=1)
    if (lengths == 0).any():
        raise ValueError(f"{name}.joints: joint {at[lengths.argmin()]} has no axis, its bond has no length")


def _refuse_torn(torn: Mapping[int, Pair], at: NDArray[np.int64], chain: Chain, what: str) -> None:
    """The lengths of bonds stay as they are."""
    for number in at.tolist():
        if number in torn:
            a, b = (ball_name(chain, ball) for ball in torn[number])
            raise ValueError(f"{what} {number} would tear the bond from {a} to {b}")


def _weight(value: Any, name: str) -> float:
    if isinstance(value, bool):
        raise ValueError(f"{name} must be a number, got {value}")
    return _arrays.length(value, name)


def _size(value: Any, name: str) -> float:
    out = _arrays.length(value, name)
    if out == 0:
        raise ValueError(f"{name} must be larger than 0")
    return out


def _numbers_of(value: Any, name: str) -> tuple[int, ...]:
    array = _arrays.indices(_arrays.listed(value, name), None, _core.limits.largest_int, name)
    return tuple(array.tolist())


def _set(move: Move, name: str, value: Any) -> None:
    """A frozen dataclass can be tidied up while it is made."""
    object.__setattr__(move, name, value)

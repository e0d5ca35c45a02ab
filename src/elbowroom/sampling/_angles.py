"""Torsions of proteins as observables: "phi" is that of every residue, "phi:A/31" that of one.

Angles have no mean that does not depend on where the circle is cut, so they have no estimates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.chain import Chain
from elbowroom.torsions import NAMES, Found, named, residues_of, side_axes, torsion

#: Of "phi:A/31": the torsion, the chain, and the number of the residue.
ONE = re.compile(rf"({'|'.join(NAMES)}):(.+)/([^/]+)")


def is_angle(name: str) -> bool:
    """Whether an observable is a torsion."""
    return name.partition(":")[0] in NAMES


def scalars(names: Iterable[str]) -> list[str]:
    """The observables that have estimates."""
    return [name for name in names if not is_angle(name)]


def spelled_out(names: Sequence[str], chain: Chain) -> tuple[str, ...]:
    """With "phi" as the torsions of the residues that have it; a ValueError names what is wrong."""
    out: list[str] = []
    for i in range(len(names)):
        found = _those_of(names, i, chain)
        if isinstance(found, ValueError):
            raise found
        out += found
    twice = next((name for name in out if out.count(name) > 1), None) if len(set(out)) < len(out) else None
    if twice is not None:
        raise ValueError(f"observables has {twice!r} more than once")
    return tuple(out)


def of_several(names: Sequence[str], chains: Sequence[Chain]) -> list[tuple[str, ...]]:
    """Those of each chain: every chain has the scalars, and at least one each of the torsions."""
    found = [[_those_of(names, i, chain) for i in range(len(names))] for chain in chains]
    for errors in zip(*found, strict=True):
        if all(isinstance(error, ValueError) for error in errors):
            raise errors[0]
    kept = [[one for each in own if isinstance(each, tuple) for one in each] for own in found]
    return [spelled_out(own, chain) for own, chain in zip(kept, chains, strict=True)]


def _those_of(names: Sequence[str], i: int, chain: Chain) -> tuple[str, ...] | ValueError:
    try:
        return tuple(_ones(names[i], chain)) if is_angle(names[i]) else (names[i],)
    except ValueError as error:
        return ValueError(f"observables[{i}]: {error}")


def _ones(name: str, chain: Chain) -> list[str]:
    if name not in NAMES:
        parts = ONE.fullmatch(name)
        if parts is None:
            raise ValueError(f"{name!r:.80} is no torsion: write 'phi', or 'phi:A/31' for one residue")
        named(chain, parts[2], parts[3], parts[1])
        return [name]
    residues, axes = residues_of(chain), side_axes(chain)
    there = [k for k in range(len(residues.labels)) if type(torsion(chain, k, name, axes)) is Found]
    if not there:
        raise ValueError(f"no residue of the chain has {name}")
    return [f"{name}:{residues.chain(k)}/{residues.number(k)}" for k in there]


def balls_of(names: Sequence[str], chain: Chain) -> NDArray[np.int64]:
    """Four balls for each torsion among the observables, one after the other."""
    found = [ONE.fullmatch(name) for name in names if is_angle(name)]
    balls = [named(chain, one[2], one[3], one[1]).balls for one in found if one is not None]
    return np.array(balls, np.int64).ravel()


def pairs(columns: Mapping[str, Any], residue: str | None) -> dict[str, tuple[Any, Any]]:
    """{residue: (phi, psi)} of those with both among the observables; of one residue, if it is named."""
    ends = [name.partition(":")[2] for name in columns if name.startswith("phi:")]
    both = {end: (columns[f"phi:{end}"], columns[f"psi:{end}"]) for end in ends if f"psi:{end}" in columns}
    if not both:
        raise ValueError("residue: none has samples of phi and psi; add both to the observables of the run")
    if residue is None:
        return both
    if residue not in both:
        names = list(both)
        raise ValueError(
            f"residue: {residue!r:.80} has no samples of phi and psi; "
            f"{len(names)} have, {names[0]} to {names[-1]}"
        )
    return {residue: both[residue]}

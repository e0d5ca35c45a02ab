"""`elbowroom check --between` of a protein complex: clashes between chains of one file."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

import elbowroom as er

from .check import counted
from .check_protein import (
    Clashes,
    Score,
    atoms_of,
    count_of,
    depths_of,
    facts_of,
    gaps_of,
    read,
    report,
    score_within,
    serious_pairs,
)
from .complaint import Complaint, write_json
from .options import ProteinOptions

Pairs = set[tuple[int, int]]
#: How much farther to look, in angstrom, if the closest pair is one that bonds join.
FARTHER = 5.0


def check_complex(file: Path, options: ProteinOptions, distance: bool, json_file: Path | None) -> int:
    """Print the clashes between the groups; 0 when there are none, 1 when there are."""
    assert options.between is not None
    if options.chain is not None:
        raise Complaint("--chain: not supported with --between; remove it")
    groups = [_names(text) for text in options.between]
    twice = [name for name, times in Counter(groups[0] + groups[1]).items() if times > 1]
    if twice:
        raise Complaint(f"--between: chain {twice[0]!r} occurs twice; give two different chains")
    chains = {name: _read(file, options, name) for name in groups[0] + groups[1]}
    excluded = _excluded(file, chains, groups)
    clashes = _between(chains, groups, excluded, distance)
    score = _score(file, options, groups, excluded) if options.atoms == "all" else None
    what = (
        f"{atoms_of(list(chains.values()))} of {file.name}, between {_told(groups[0])} and {_told(groups[1])}"
    )
    report(clashes, what + gaps_of(list(chains.values())), score)
    facts = {"between": [*groups], "breaks": {name: list(chain.breaks) for name, chain in chains.items()}}
    write_json(json_file, facts_of(file, clashes, score) | facts)
    return int(bool(clashes.found))


def _names(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise Complaint(f"--between: '{text}' names no chain")
    return found


def _told(names: list[str]) -> str:
    return " and ".join(names) if len(names) < 3 else ", ".join(names)


def _read(file: Path, options: ProteinOptions, name: str) -> er.Chain:
    try:
        return read(file, options, name)
    except Complaint as error:
        if str(error).startswith("A: chain "):
            raise Complaint(f"--between: {str(error).removeprefix('A: ')}") from error
        raise


def _excluded(
    file: Path, chains: dict[str, er.Chain], groups: list[list[str]]
) -> dict[tuple[str, str], Pairs]:
    """Atoms that bonds between the chains bring near: sulfurs of a bridge do not clash."""
    from elbowroom.files.bonds_between import near_by_bonds
    from elbowroom.files.structures import read_structure

    structure = read_structure(file)
    return {(a, b): near_by_bonds(structure, chains[a], chains[b]) for a, b in product(groups[0], groups[1])}


def _between(
    chains: dict[str, er.Chain],
    groups: list[list[str]],
    excluded: dict[tuple[str, str], Pairs],
    distance: bool,
) -> Clashes:
    found, counters = [], Counter[str]()
    for names in product(groups[0], groups[1]):
        a, b = chains[names[0]], chains[names[1]]
        met = er.collide(a, b, every=True, depth=True)
        counters.update(counted(met))
        found += [
            {"atoms": [(a.labels or [])[i], (b.labels or [])[j]], "depth": depth}
            for (i, j), depth in zip(met.pairs.tolist(), depths_of(met), strict=True)
            if (i, j) not in excluded[names]
        ]
    nearest = None
    if distance and not found:
        each = [_nearest(chains[a], chains[b], excluded[a, b]) for a, b in product(groups[0], groups[1])]
        nearest = min(each, key=lambda pair: pair[1])
    return Clashes(found, nearest, dict(counters))


def _nearest(a: er.Chain, b: er.Chain, excluded: Pairs) -> tuple[tuple[str, str], float]:
    near = er.distance(a, b)
    i, j = (int(k) for k in near.pair)
    value, reach = near.value, max(near.value, 0.0)
    while excluded and (near.value <= 0 or (i, j) in excluded):
        reach += FARTHER
        pairs = er.within(a, b, reach)
        kept = np.array([tuple(pair) not in excluded for pair in pairs.indices.tolist()], bool)
        if kept.any():
            k = int(np.argmin(np.where(kept, pairs.distances, np.inf)))
            (i, j), value = pairs.indices[k].tolist(), float(pairs.distances[k])
            break
    return ((a.labels or [])[i], (b.labels or [])[j]), value


def _score(
    file: Path, options: ProteinOptions, groups: list[list[str]], excluded: dict[tuple[str, str], Pairs]
) -> Score:
    """Of all the chains together, within and between them."""
    full = {name: read(file, options, name, unscaled=True) for name in groups[0] + groups[1]}
    clashes = sum(score_within(chain).clashes for chain in full.values())
    names = list(full)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            a, b = full[one], full[other]
            serious = serious_pairs(er.collide(a, b, every=True, depth=True), a, b)
            clashes += len(set(serious) - _near(file, a, b, excluded, (one, other), options))
    return Score(clashes, sum(map(count_of, full.values())))


def _near(
    file: Path,
    a: er.Chain,
    b: er.Chain,
    excluded: dict[tuple[str, str], Pairs],
    names: tuple[str, str],
    options: ProteinOptions,
) -> Pairs:
    """As excluded, where the atoms are the same ones; found again for two chains of one group."""
    from elbowroom.files.bonds_between import near_by_bonds
    from elbowroom.files.structures import read_structure

    if names in excluded and not options.hydrogens:
        return excluded[names]
    return near_by_bonds(read_structure(file), a, b)

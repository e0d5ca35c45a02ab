"""Protein chains from PDB and mmCIF files, as the links and side balls of a chain."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.body import read_only
from elbowroom.files.cross_links import Ball, allowed_pairs
from elbowroom.files.radii import RADIUS_SCALE, radius_of
from elbowroom.files.residues import Residue, apart, bonded_in_sequence, choose_chain
from elbowroom.files.side_chains import BACKBONE, bonds_of, owners, torsions
from elbowroom.files.structures import choose_model, read_structure

Torsion = tuple[int, int, list[int]]

LINKS = {"backbone": BACKBONE, "ca": ("CA",), "all": BACKBONE}
#: Neighbouring links nearer than a file can tell give a joint no axis.
SAME_PLACE = 1e-3


class SideAtoms(NamedTuple):
    """The atoms that are no links, in the order and with the ball numbers of the arguments of a chain.

    owner (m,), positions (m, 3), radii (m,); torsions (a, b, moving) turn the balls `moving` about the axis
    from ball a to ball b. Balls 0 to n - 1 are the links, n to n + m - 1 these atoms.
    """

    owner: NDArray[np.int32]
    positions: NDArray[np.float64]
    radii: NDArray[np.float64]
    torsions: list[Torsion]


@dataclass(frozen=True, eq=False)
class ChainAtoms:
    """A protein chain as a chain takes it.

    Attributes
    ----------
    positions, radii
        (n, 3) and (n,): the links, in angstrom.
    exclude
        Links so far apart along the chain, or less, are never tested.
    allowed
        (m, 2) further pairs of links that may overlap, because bonds join them: disulfide bridges and such.
    side
        The atoms that are no links, or None if there are none.
    labels
        One for each ball, links first: "A/LEU 12A/CD1" is chain, residue name, number with insertion code,
        and atom.
    breaks
        The joints that bridge a gap in the chain, where there is no bond.
    """

    positions: NDArray[np.float64]
    radii: NDArray[np.float64]
    exclude: int
    allowed: NDArray[np.int32]
    side: SideAtoms | None
    labels: tuple[str, ...]
    breaks: tuple[int, ...]


def read_chain(
    path: str | os.PathLike[str],
    *,
    chain: str | None = None,
    model: int | None = None,
    atoms: str = "backbone",
    scale: float = RADIUS_SCALE,
    breaks: str = "error",
    missing: str = "error",
) -> ChainAtoms:
    """Reads a protein chain from a PDB or mmCIF file, compressed by gzip or not.

    Amino acids are read in the order of the file: standard, modified (selenomethionine and others) and D
    ones. Water, ligands, caps such as ACE and NH2, and hydrogens are left out. Of alternate locations a
    residue gets those of one letter, that of the highest mean occupancy, the first letter if equal.

    Radii are van der Waals radii [Bondi1964]_ times `scale`. Bonded atoms, and those two or three bonds
    apart, never count as a clash: such links are within `exclude` along the chain, or in `allowed` if a
    disulfide bridge, a bond listed in the file, or the closing bond of a cyclic peptide joins them.

    Parameters
    ----------
    path
        Name of the file; its content tells the format.
    chain
        Name of the chain, in mmCIF the author's. It may be left out if there is only one protein chain.
    model
        Number of the model as it stands in the file; the first if left out.
    atoms
        "backbone": the links are N, CA and C of each residue, so that the joints 3i, 3i + 1 and 3i + 2 are
        phi, psi and omega. "ca": one link a residue. "all": the links of the backbone and the other heavy
        atoms as side balls: O with C, the side chain with CA, with its torsions chi1, chi2, ... in order.
        Modified residues have the torsions of the residue they come from [IUPAC1970]_.
    scale
        Share of the van der Waals radii. Folded proteins are free of clashes at the default of 0.7; atoms
        that share a hydrogen bond come as near as 0.75 of the sum of their radii.
    breaks
        Where residues are missing: "error", or "bridge" to go on as one chain across the gap. A gap is a
        distance from C to N above 2 angstrom, or from CA to CA above 4.5 where those are not given.
    missing
        Residues without an atom that is to be a link: "error", or "drop" to leave them out, which leaves a
        gap in the chain.

    Raises
    ------
    ValueError
        If the file is no PDB or mmCIF file, has no such chain or model, or not what was asked for; it names
        file, chain, residue and atom.

    Examples
    --------
    >>> atoms = read_chain("1ubq.pdb", atoms="all")  # doctest: +SKIP
    >>> er.Chain(atoms.positions, atoms.radii, exclude=atoms.exclude, allowed=atoms.allowed)  # doctest: +SKIP
    """
    _check_choice(atoms, "atoms", tuple(LINKS))
    _check_choice(breaks, "breaks", ("error", "bridge"))
    _check_choice(missing, "missing", ("error", "drop"))
    factor = _arrays.length(scale, "scale")
    structure, file = read_structure(path), os.fspath(path)
    residues = choose_chain(choose_model(structure, model, file), chain, file)
    residues = _complete(residues, LINKS[atoms], missing)
    gaps = _gaps(residues, len(LINKS[atoms]), breaks)
    links = _links(residues, LINKS[atoms])
    sides, turns = _sides(residues) if atoms == "all" else ([], [])
    exclude = _exclude(atoms, factor)
    allowed = read_only(allowed_pairs([*links, *sides], structure, exclude))
    return _assembled(links, sides, turns, factor, exclude=exclude, allowed=allowed, breaks=gaps)


def _check_choice(value: Any, name: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r:.80}")


def _exclude(atoms: str, factor: float) -> int:
    """How far apart along the chain links can be that three bonds or fewer join.

    Three links, of which one is one residue from CA to CA. With side chains this would pass over those of
    neighbouring residues, so only two are excluded as long as the pairs with a third bond between them
    (N-N, C-C, CA-CA, and CA with the CD of proline) are too small to touch however their bonds turn.
    """
    if atoms == "ca":
        return 1
    return 2 if atoms == "all" and factor <= RADIUS_SCALE else 3


def _complete(residues: list[Residue], needed: tuple[str, ...], missing: str) -> list[Residue]:
    """The residues that have all the atoms of their links."""
    lacking = {r.number: [name for name in needed if name not in r.atoms] for r in residues}
    kept = [r for r in residues if not lacking[r.number]]
    first = residues[0]
    if not kept and all("CA" in r.atoms for r in residues):
        raise ValueError(f"{first.file}: chain {first.chain!r} has CA atoms and no backbone; use atoms='ca'")
    broken = next((r for r in residues if lacking[r.number]), None)
    if broken and missing == "error":
        absent = " and no ".join(lacking[broken.number])
        raise ValueError(f"{broken.where}: no atom {absent} (missing='drop' leaves such residues out)")
    if len(kept) * len(needed) < 2:
        raise ValueError(
            f"{first.file}: chain {first.chain!r} has {len(kept)} whole residues: a chain needs two links"
        )
    return kept


def _gaps(residues: Sequence[Residue], links: int, breaks: str) -> tuple[int, ...]:
    """The joints where the chain is broken."""
    found = [k for k, (a, b) in enumerate(pairwise(residues)) if not bonded_in_sequence(a, b)]
    if found and breaks == "error":
        a, b = residues[found[0]], residues[found[0] + 1]
        raise ValueError(
            f"{a.where}: the chain is broken between it and the next, {b.name} {b.number}; there are "
            f"{len(found)} such gaps (breaks='bridge' goes on as one chain across them)"
        )
    return tuple((k + 1) * links - 1 for k in found)


def _links(residues: Sequence[Residue], names: tuple[str, ...]) -> list[Ball]:
    chosen = [(residue, residue.atoms[name]) for residue in residues for name in names]
    links = [Ball(atom, residue, k, True) for k, (residue, atom) in enumerate(chosen)]
    for a, b in pairwise(links):
        if apart(a.atom, b.atom) < SAME_PLACE:
            raise ValueError(f"{a.where} is in the same place as {b.label}, so that their bond has no axis")
    return links


def _sides(residues: Sequence[Residue]) -> tuple[list[Ball], list[Torsion]]:
    """The atoms beside the backbone, and the torsions by ball numbers."""
    sides: list[Ball] = []
    turns: list[Torsion] = []
    links = len(BACKBONE) * len(residues)
    for k, residue in enumerate(residues):
        bonds = bonds_of(residue)
        ball = {name: len(BACKBONE) * k + i for i, name in enumerate(BACKBONE)}
        for name, owner in owners(residue, bonds).items():
            sides.append(Ball(residue.atoms[name], residue, ball[owner], False))
            ball[name] = links + len(sides) - 1
        for a, b, moving in torsions(residue, bonds):
            turns.append((ball[a], ball[b], [ball[name] for name in moving]))
    return sides, turns


def _assembled(
    links: list[Ball], sides: list[Ball], turns: list[Torsion], factor: float, **rest: Any
) -> ChainAtoms:
    balls = [*links, *sides]
    positions = np.array([ball.atom.position for ball in balls])
    radii = factor * np.array([radius_of(ball.atom.element, ball.where) for ball in balls])
    owner = np.array([ball.link for ball in sides], dtype=np.int32)
    n = len(links)
    side = SideAtoms(read_only(owner), read_only(positions[n:]), read_only(radii[n:]), turns)
    return ChainAtoms(
        positions=read_only(positions[:n]),
        radii=read_only(radii[:n]),
        side=side if sides else None,
        labels=tuple(ball.label for ball in balls),
        **rest,
    )

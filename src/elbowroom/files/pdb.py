"""Proteins and strands of nucleic acid from PDB and mmCIF files, as the links and side balls of a chain."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._deprecated import renamed
from elbowroom._exclusion import most_bonds
from elbowroom.body import read_only
from elbowroom.files.boxes import made_whole
from elbowroom.files.chain_bonds import BondGraph
from elbowroom.files.nucleotides import STRAND
from elbowroom.files.opening import blaming
from elbowroom.files.radii import RADIUS_SCALE, radius_of
from elbowroom.files.residue_bonds import BACKBONE, Bonds, bonds_of
from elbowroom.files.residues import Atom, Residue, apart, bonded_in_sequence, choose_chain
from elbowroom.files.side_chains import owners, torsions
from elbowroom.files.structures import choose_model, read_structure

Torsion = tuple[int, int, list[int]]

LINKS = {"backbone": BACKBONE, "ca": ("CA",), "all": BACKBONE}
STRANDS = {"backbone": STRAND, "all": STRAND}
#: Neighbouring links nearer than a file can tell give a joint no axis.
SAME_PLACE = 1e-3


class Ball(NamedTuple):
    """An atom of the chain: its residue, the place of that in the chain, and the link it turns with."""

    atom: Atom
    residue: Residue
    place: int
    link: int

    @property
    def label(self) -> str:
        """What names it in results."""
        return f"{self.residue.label}/{self.atom.name}"

    @property
    def where(self) -> str:
        """What names it in messages."""
        return f"{self.residue.where}, atom {self.atom.name}"


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
    excluded
        (m, 2), sorted: the pairs of balls that are never compared, because few bonds join them. `exclude` of
        a chain takes it as it is.
    bonds
        (k, 2), sorted: the pairs of balls with a bond between them.
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
    excluded: NDArray[np.int32]
    bonds: NDArray[np.int32]
    side: SideAtoms | None
    labels: tuple[str, ...]
    breaks: tuple[int, ...]

    @property
    def allowed(self) -> NDArray[np.int32]:
        """Deprecated: `excluded`."""
        renamed("ChainAtoms.allowed", "excluded")
        return self.excluded


def read_chain(
    path: str | os.PathLike[str],
    *,
    chain: str | None = None,
    model: int | None = None,
    atoms: str = "backbone",
    scale: float = RADIUS_SCALE,
    exclude: str | tuple[str, int] = "bonds",
    breaks: str = "error",
    missing: str = "error",
    hydrogens: bool = False,
) -> ChainAtoms:
    """Reads a protein chain, or a strand of DNA or RNA, from a PDB or mmCIF file, compressed by gzip or not.

    Amino acids are read in the order of the file: standard, modified (selenomethionine and others) and D
    ones. Water, ligands, caps such as ACE and NH2, and hydrogens are left out. Of alternate locations a
    residue gets those of one letter: that of the highest mean occupancy, the first letter if equal.

    Files need not be tidy. A chain without a name is taken apart at TER and where numbers begin again; its
    proteins are called 1, 2, ..., and those of a chain A that has numbers twice A-1, A-2, .... Atoms that are
    there twice in one place are dropped, with a warning. Elements that no amino acid has, such as a calcium
    CA, go by the name. GRO, PQR and other files with names of atoms are read by MDAnalysis.

    Radii are van der Waals radii [Bondi1964]_ times `scale`. Atoms that at most three bonds join are never
    compared; all others are, whatever the residue. Bonds are those of the templates of the standard residues,
    peptide bonds, also that which closes a cyclic peptide, disulfide bridges (sulfurs within 2.5 angstrom),
    and the covalent bonds that the file lists (SSBOND, LINK and CONECT, or struct_conn). Other atoms, such as
    those of modified residues, are bonded within their residue if they are nearer than 1.25 times the sum of
    their covalent radii.

    Parameters
    ----------
    path
        Name of the file; its content tells the format.
    chain
        Name of the chain, in mmCIF the author's. It may be left out if there is only one protein chain, or
        none and one strand of nucleic acid.
    model
        Number of the model as it stands in the file; the first if left out.
    atoms
        "backbone": the links are N, CA and C of each residue, so that joints 3i, 3i + 1 and 3i + 2 are the
        torsions phi, psi and omega; of a nucleic acid P, O5', C5', C4', C3' and O3', with the torsions alpha
        to zeta. "ca": one link a residue. "all": the links of the backbone, and the other
        heavy atoms as side balls, O with C and the side chain with CA, with its torsions chi1, chi2, ...
        A modified residue has the torsions of the one it comes from [IUPAC1970]_. Of nucleotides, sugar and
        base go with C4', and the base turns by chi.
    scale
        Share of the van der Waals radii. At the default, 0.6, folded proteins are free of clashes: in the 28
        chains that were tried, atoms more than three bonds apart are at least 0.616 of the sum of their radii
        from each other. Atoms in a hydrogen bond can be as near as 0.74, so larger scales need care.
    exclude
        "bonds": atoms more than three bonds apart are compared, no others. ("bonds", k): those more than k
        bonds apart. From CA to CA it is three bonds.
    breaks
        Where residues are missing: "error", or "bridge" to go on as one chain across the gap. A gap is a
        distance from C to N above 2 angstrom, or from CA to CA above 4.5 where those are not given.
    missing
        Residues without an atom that is to be a link: "error", or "drop" to leave them out, which leaves a
        gap in the chain.
    hydrogens
        With atoms="all": also read the hydrogens that the file has, with a radius of 1.2 angstrom times
        `scale`.

    Raises
    ------
    ValueError
        If the file is neither PDB nor mmCIF, or has no such chain or model, or not the atoms that were asked
        for. The message names file, chain, residue and atom.
    """
    _check_choice(atoms, "atoms", tuple(LINKS))
    _check_choice(breaks, "breaks", ("error", "bridge"))
    _check_choice(missing, "missing", ("error", "drop"))
    factor, most = _arrays.length(scale, "scale"), most_bonds(exclude, "exclude")
    if _arrays.flag(hydrogens, "hydrogens") and atoms != "all":
        raise ValueError("hydrogens are side balls, which there are with atoms='all' alone")
    structure, file = read_structure(path), os.fspath(path)
    with blaming(file, "chain", "model"):
        residues = choose_chain(choose_model(structure, model, file), chain, file, hydrogens)
        residues = made_whole(residues, structure)
        names = _names_of_links(residues, atoms)
        residues = _complete(residues, names, missing)
        links = _links(residues, names)
        gaps = _gaps(residues, links, breaks)
        bonds = [bonds_of(residue) for residue in residues]
        sides, turns = _sides(residues, links, bonds) if atoms == "all" else ([], [])
        graph = BondGraph(residues, bonds, structure)
        return _assembled(links, sides, turns, factor, most, graph, gaps)


def _check_choice(value: Any, name: str, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {_arrays.shown(value)}")


def _names_of_links(residues: Sequence[Residue], atoms: str) -> tuple[str, ...]:
    strand = residues[0].is_nucleotide
    if strand and atoms not in STRANDS:
        raise ValueError(
            f"{residues[0].file}: chain {residues[0].chain!r} is a nucleic acid, which has no CA;"
            " read it with atoms='backbone' or atoms='all'"
        )
    return STRANDS[atoms] if strand else LINKS[atoms]


def _complete(residues: list[Residue], needed: tuple[str, ...], missing: str) -> list[Residue]:
    """The residues that have all the atoms of their links; a strand may begin with O5'."""
    lacking = [
        [name for name in needed if name not in residue.atoms and (k > 0 or name != "P")]
        for k, residue in enumerate(residues)
    ]
    kept = [residue for residue, names in zip(residues, lacking, strict=True) if not names]
    chain = f"{residues[0].file}: chain {residues[0].chain!r}"
    if not kept and all("CA" in residue.atoms for residue in residues):
        raise ValueError(f"{chain} has CA atoms but no backbone (atoms='ca' reads those)")
    if missing == "error" and len(kept) < len(residues):
        broken, names = next(pair for pair in zip(residues, lacking, strict=True) if pair[1])
        absent = " and no ".join(names)
        raise ValueError(f"{broken.where}: no atom {absent} (missing='drop' removes such residues)")
    if len(kept) * len(needed) < 2:
        raise ValueError(f"{chain} has too few residues, {len(kept)}: at least two links are needed")
    return kept


def _gaps(residues: Sequence[Residue], links: Sequence[Ball], breaks: str) -> tuple[int, ...]:
    """The joints where the chain is broken."""
    found = [k for k, (a, b) in enumerate(pairwise(residues)) if not bonded_in_sequence(a, b)]
    if found and breaks == "error":
        a, b = residues[found[0]], residues[found[0] + 1]
        raise ValueError(
            f"{a.where}: the chain is broken after it, with no bond to {b.name} {b.number} "
            f"(gaps in all: {len(found)}; breaks='bridge' joins them into one chain)"
        )
    last = {ball.place: ball.link for ball in links}
    return tuple(last[k] for k in found)


def _links(residues: Sequence[Residue], names: tuple[str, ...]) -> list[Ball]:
    chosen = [
        (k, residue.atoms[name])
        for k, residue in enumerate(residues)
        for name in names
        if name in residue.atoms
    ]
    links = [Ball(atom, residues[k], k, link) for link, (k, atom) in enumerate(chosen)]
    for a, b in pairwise(links):
        if apart(a.atom, b.atom) < SAME_PLACE:
            raise ValueError(f"{a.where} is in the same place as {b.label}, so that their bond has no axis")
    return links


def _sides(
    residues: Sequence[Residue], links: Sequence[Ball], within: Sequence[Bonds]
) -> tuple[list[Ball], list[Torsion]]:
    """The atoms beside the backbone, and the torsions by ball numbers."""
    sides: list[Ball] = []
    turns: list[Torsion] = []
    own: list[dict[str, int]] = [{} for _ in residues]
    for link in links:
        own[link.place][link.atom.name] = link.link
    for k, (residue, bonds, ball) in enumerate(zip(residues, within, own, strict=True)):
        for name, owner in owners(residue, bonds).items():
            sides.append(Ball(residue.atoms[name], residue, k, ball[owner]))
            ball[name] = len(links) + len(sides) - 1
        for a, b, moving in torsions(residue, bonds):
            turns.append((ball[a], ball[b], [ball[name] for name in moving]))
    return sides, turns


def _assembled(
    links: list[Ball],
    sides: list[Ball],
    turns: list[Torsion],
    factor: float,
    most: int,
    graph: BondGraph,
    gaps: tuple[int, ...],
) -> ChainAtoms:
    balls, n = [*links, *sides], len(links)
    positions = read_only(np.array([ball.atom.position for ball in balls]))
    radii = read_only(factor * np.array([radius_of(ball.atom.element, ball.where) for ball in balls]))
    owner = read_only(np.array([ball.link for ball in sides], dtype=np.int32))
    names = [(ball.place, ball.atom.name) for ball in balls]
    return ChainAtoms(
        positions=positions[:n],
        radii=radii[:n],
        excluded=read_only(graph.pairs_within(names, most)),
        bonds=read_only(graph.pairs_within(names, 1)),
        side=SideAtoms(owner, positions[n:], radii[n:], turns) if sides else None,
        labels=tuple(ball.label for ball in balls),
        breaks=gaps,
    )

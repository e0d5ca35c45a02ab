"""The bonds of a protein chain: within its residues, along the chain, and across it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from elbowroom._bonds import pairs_within
from elbowroom.files.residue_bonds import BOND_STRETCH, Bonds, bonded_names
from elbowroom.files.residues import PEPTIDE_BOND, Atom, Residue, apart, bonded_in_sequence
from elbowroom.files.structures import Structure, gemmi

#: Sulfurs of two cysteines nearer than this are a disulfide bridge, which has 2.05 angstrom.
BRIDGE = 2.5
#: Sulfurs that one sulfur may be bridged to: one in nature, some more in models that are not refined.
MOST_BRIDGES = 4

#: An atom: the place of its residue in the chain, and its name.
Name = tuple[int, str]
Bond = tuple[Name, Name]


class BondGraph:
    """All bonds of a chain, by numbers of its atoms; atoms that the file leaves out have numbers too.

    Attributes
    ----------
    bonds
        (k, 2): pairs of numbers.
    """

    def __init__(self, residues: Sequence[Residue], within: Sequence[Bonds], structure: Structure) -> None:
        """`within`: the bonds of each residue."""
        self._number: dict[Name, int] = {}
        for k, residue in enumerate(residues):
            for name in residue.atoms:
                self.number(k, name)
        bonds = [*_inside(residues, within), *_along(residues), *_across(residues, structure)]
        numbers = [(self.number(*a), self.number(*b)) for a, b in bonds]
        self.bonds = np.array(numbers, np.int32).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._number)

    def number(self, residue: int, name: str) -> int:
        """The number of an atom."""
        return self._number.setdefault((residue, name), len(self._number))

    def pairs_within(self, atoms: Sequence[Name], most: int) -> NDArray[np.int32]:
        """Pairs (k, 2), sorted, of these atoms that at most so many bonds join, by their places here."""
        chosen = np.array([self.number(*atom) for atom in atoms])
        return pairs_within(self.bonds, len(self), most, chosen)


def _inside(residues: Sequence[Residue], within: Sequence[Bonds]) -> Iterator[Bond]:
    for k, (residue, bonds) in enumerate(zip(residues, within, strict=True)):
        yield from (((k, a), (k, b)) for a, b in bonded_names(residue, bonds))


def _along(residues: Sequence[Residue]) -> Iterator[Bond]:
    """Peptide bonds or phosphates, but for gaps in the chain; one more closes a ring."""
    for k, (a, b) in enumerate(pairwise(residues)):
        if bonded_in_sequence(a, b):
            yield (k, a.ends[1]), (k + 1, b.ends[0])
    (start, end), first, last = residues[0].ends, residues[0].atoms, residues[-1].atoms
    ring = len(residues) > 2 and start in first and end in last
    if ring and apart(first[start], last[end]) <= PEPTIDE_BOND:
        yield (len(residues) - 1, end), (0, start)


def _across(residues: Sequence[Residue], structure: Structure) -> Iterator[Bond]:
    yield from _bridges(residues)
    atoms = {(r.chain, r.number, name): (k, name) for k, r in enumerate(residues) for name in r.atoms}
    yield from _declared(residues, atoms, structure)
    serials = {a.serial: (k, name) for k, r in enumerate(residues) for name, a in r.atoms.items()}
    yield from _listed(residues, serials, structure)


def _bridges(residues: Sequence[Residue]) -> Iterator[Bond]:
    sulfurs = [k for k, residue in enumerate(residues) if "SG" in residue.atoms]
    if sulfurs:
        places = np.array([residues[k].atoms["SG"].position for k in sulfurs])
        found = cKDTree(places).query(places, k=MOST_BRIDGES + 1, distance_upper_bound=BRIDGE)[1]
        near = ((min(i, j), max(i, j)) for i, row in enumerate(found.tolist()) for j in row)
        pairs = {(i, j) for i, j in near if i != j and j < len(sulfurs)}
        # Of sulfurs that are heaped up in one place, each has a few bridges and not one to every other.
        bridges = dict.fromkeys(range(len(sulfurs)), 0)
        for i, j in sorted(pairs, key=lambda p: (float(np.linalg.norm(places[p[0]] - places[p[1]])), p)):
            if max(bridges[i], bridges[j]) < MOST_BRIDGES:
                bridges[i], bridges[j] = bridges[i] + 1, bridges[j] + 1
                yield (sulfurs[i], "SG"), (sulfurs[j], "SG")


def _declared(
    residues: Sequence[Residue], atoms: dict[tuple[str, str, str], Name], structure: Structure
) -> Iterator[Bond]:
    """Covalent bonds that the file lists (SSBOND and LINK, or struct_conn), less those to symmetry mates."""
    kinds = (gemmi().ConnectionType.Covale, gemmi().ConnectionType.Disulf)
    for connection in structure.connections:
        ends = [
            atoms.get((end.chain_name, str(end.res_id.seqid), end.atom_name))
            for end in (connection.partner1, connection.partner2)
        ]
        if connection.type not in kinds or not ends[0] or not ends[1] or ends[0] == ends[1]:
            continue
        if apart(_atom(residues, ends[0]), _atom(residues, ends[1])) < BRIDGE:
            yield ends[0], ends[1]


def _listed(residues: Sequence[Residue], serials: dict[int, Name], structure: Structure) -> Iterator[Bond]:
    """Bonds of CONECT records, as far as they are so short: some files list hydrogen bonds and metals too."""
    for serial, others in structure.conect_map.items():
        for other in others:
            ends = serials.get(serial), serials.get(other)
            if ends[0] and ends[1] and ends[0] != ends[1]:
                a, b = _atom(residues, ends[0]), _atom(residues, ends[1])
                if apart(a, b) < BOND_STRETCH * (a.covalent + b.covalent):
                    yield ends[0], ends[1]


def _atom(residues: Sequence[Residue], name: Name) -> Atom:
    return residues[name[0]].atoms[name[1]]

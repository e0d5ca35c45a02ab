"""Bonds between atoms where a file lists none: from distances, and from templates of residues."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from elbowroom.files.residue_bonds import BOND_STRETCH, template

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: Atoms in a cube as long as the longest bond, a few angstrom: in matter there are ten at most.
MOST_IN_A_CUBE = 100
#: A grid is used for periodic boxes of at most so many cells for each atom.
CELLS_AN_ATOM = 50
#: Cubes are counted modulo this number, so that three fit into one integer.
MANY_CUBES = 2**20
#: Covalent radii in angstrom, from table 2 of Cordero and others (Dalton Transactions, 2008, page 2832).
COVALENT = {
    "H": 0.31,
    "B": 0.84,
    "C": 0.76,
    "N": 0.71,
    "O": 0.66,
    "F": 0.57,
    "Si": 1.11,
    "P": 1.07,
    "S": 1.05,
    "Cl": 1.02,
    "As": 1.19,
    "Se": 1.20,
    "Br": 1.20,
    "Te": 1.38,
    "I": 1.39,
}


def guessed_bonds(positions: Floats, elements: NDArray[Any], box: Any) -> Integers:
    """Bonds (k, 2) among atoms near enough for their covalent radii, across the faces of a periodic box too.

    From frames of simulations of adenylate kinase and of cobrotoxin, which has four disulfide bridges, come
    the bonds that their topologies list. The guesser of MDAnalysis goes by van der Waals radii, and takes the
    sulfurs of such a bridge for apart. Atoms of elements that are not in the table have no bonds.
    """
    radii = np.array([COVALENT.get(element, np.nan) for element in elements.tolist()])
    known = np.flatnonzero(~np.isnan(radii))
    if len(known) < 2:
        return np.empty((0, 2), np.int32)
    longest = 2 * BOND_STRETCH * float(radii[known].max())
    known = known[~_heaped(positions[known], longest)]
    if len(known) < 2:
        return np.empty((0, 2), np.int32)
    pairs, lengths = _near(positions[known], longest, box)
    bonds = known[pairs].astype(np.int32)
    return np.asarray(bonds[lengths <= BOND_STRETCH * radii[bonds].sum(axis=1)])


def _near(positions: Floats, reach: float, box: Any) -> tuple[NDArray[np.int64], Floats]:
    """Pairs (k, 2) of positions within reach of each other, and their distances."""
    if box is None or not np.any(box[:3]):
        pairs = cKDTree(positions).query_pairs(reach, output_type="ndarray")
        return pairs, np.linalg.norm(positions[pairs[:, 0]] - positions[pairs[:, 1]], axis=1)
    from MDAnalysis.lib.distances import self_capped_distance

    # A grid takes time by the volume of the box, of which most may be empty.
    cells = float(np.prod(np.asarray(box[:3], np.float64) / reach))
    method = "nsgrid" if cells < CELLS_AN_ATOM * len(positions) else "pkdtree"
    found: tuple[NDArray[np.int64], Floats] = self_capped_distance(
        positions.astype(np.float32), reach, box=box, method=method
    )
    return found


def _heaped(positions: Floats, side: float) -> NDArray[np.bool_]:
    """Which atoms have more others in their cube of space than matter has room for.

    Such as those of a file that puts all of them at the origin: distances tell nothing about their bonds, and
    all of them would be bonded to all.
    """
    cubes = np.floor(positions / side).astype(np.int64) % MANY_CUBES
    numbers = (cubes[:, 0] * MANY_CUBES + cubes[:, 1]) * MANY_CUBES + cubes[:, 2]
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] > MOST_IN_A_CUBE)


class Named(NamedTuple):
    """Of each atom its name, the name of its residue, and the numbers of its residue and of its segment."""

    names: NDArray[Any]
    residues: NDArray[Any]
    residue: NDArray[Any]
    segment: NDArray[Any]


def with_templates(guessed: Integers, atoms: Named) -> Integers:
    """Guessed bonds, but for those of standard amino acids: there they are those of their templates.

    So atoms that are too near each other are not taken for bonded ones. Between standard residues there are
    peptide bonds from one to the next, or from the last of a segment to the first, and disulfide bridges.
    Residues with two atoms of one name, which are in two places, keep the bonds guessed within them.
    """
    standard = np.isin(atoms.residues, [name for name in np.unique(atoms.residues) if template(name)])
    inside, once = _inside(atoms, standard)
    a, b = guessed.T
    same = atoms.residue[a] == atoms.residue[b]
    known = np.array([n in template(r) for n, r in zip(atoms.names, atoms.residues, strict=True)], bool)
    told = same & known[a] & known[b] & once[a]
    between = ~same & standard[a] & standard[b]
    keep = ~told & (~between | _joins(a, b, atoms))
    return np.concatenate([guessed[keep], inside])


def _inside(atoms: Named, standard: NDArray[np.bool_]) -> tuple[Integers, NDArray[np.bool_]]:
    """The bonds of templates within residues, and whether each atom's residue has every name once."""
    bonds: list[tuple[int, int]] = []
    once = np.zeros(len(standard), bool)
    chosen = np.flatnonzero(standard)
    for members in np.split(chosen, np.flatnonzero(np.diff(atoms.residue[chosen])) + 1):
        number = {str(atoms.names[k]): int(k) for k in members}
        if len(members) and len(number) == len(members):
            once[members] = True
            known = template(str(atoms.residues[members[0]]))
            bonds += [
                (number[x], number[y]) for x in known for y in known[x] if x < y and {x, y} <= number.keys()
            ]
    return np.array(bonds, np.int32).reshape(-1, 2), once


def _joins(a: NDArray[Any], b: NDArray[Any], atoms: Named) -> NDArray[np.bool_]:
    """Can these pairs of atoms of two standard residues be bonded?"""
    names, residue, segment = atoms.names, atoms.residue, atoms.segment
    first, last = (np.full(int(segment.max(initial=0)) + 1, bad) for bad in (residue.max(initial=0), 0))
    np.minimum.at(first, segment, residue)
    np.maximum.at(last, segment, residue)
    out = (names[a] == "SG") & (names[b] == "SG")
    for c, n in ((a, b), (b, a)):
        ring = (
            (segment[c] == segment[n]) & (residue[c] == last[segment[c]]) & (residue[n] == first[segment[n]])
        )
        out |= (names[c] == "C") & (names[n] == "N") & ((residue[n] - residue[c] == 1) | ring)
    return np.asarray(out)

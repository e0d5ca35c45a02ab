"""Atoms of MDAnalysis as the structures that proteins are read from."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from elbowroom._arrays import LARGEST
from elbowroom.files.amino_acids import is_water
from elbowroom.files.molecules_apart import is_doubtful, take_apart
from elbowroom.files.structures import InMemory, Structure, gemmi
from elbowroom.files.topology import chains_of, elements_of, open_universe

#: Objects of MDAnalysis.
Atoms = Any


def checked_atoms(given: Any) -> Atoms:
    """An AtomGroup with positions; of a Universe, all atoms."""
    atoms = getattr(given, "atoms", given)
    if not all(hasattr(type(atoms), name) for name in ("universe", "positions", "indices")):
        raise TypeError(f"atomgroup must be an AtomGroup of MDAnalysis, got {type(given).__name__}")
    if not len(atoms):
        raise ValueError("atomgroup has no atoms")
    if not hasattr(atoms.universe, "trajectory"):
        raise ValueError("atomgroup has no coordinates: its universe has no trajectory")
    return atoms


def name_of(atoms: Atoms) -> str:
    """The file that they come from, for messages."""
    return str(getattr(atoms.universe, "filename", None) or "atomgroup")


def in_memory(atoms: Atoms) -> InMemory:
    """The atoms where they are in the present frame, in place of a file."""
    return InMemory(structure_of(atoms), name_of(atoms))


def structure_of_file(file: str) -> Structure:
    """Of a file that MDAnalysis reads."""
    universe = open_universe(file, None)
    if not hasattr(universe, "trajectory"):
        raise ValueError("it has atoms, but no coordinates")
    return structure_of(universe.atoms)


def structure_of(atoms: Atoms) -> Structure:
    """Residue by residue in the order of the group; water is left out."""
    for needed in ("names", "resnames", "resids"):
        if not hasattr(atoms, needed):
            raise ValueError(f"atomgroup: its topology has no {needed}")
    library = gemmi()
    waters = {name for name in np.unique(atoms.resnames).tolist() if is_water(str(name))}
    atoms = atoms[~np.isin(atoms.resnames, list(waters))] if waters else atoms
    if not len(atoms):
        raise ValueError("has no protein chain, but water alone")
    structure = library.Structure()
    sides = atoms.dimensions
    if sides is not None and np.all(sides[:3] > 0):
        structure.cell.set(*map(float, sides))
    model = library.Model(1)
    rows = zip(*_columns(atoms), strict=True)
    for chain, of_chain in groupby(rows, key=lambda row: row[0]):
        added = library.Chain(chain)
        for (number, insertion, name, record), of_residue in groupby(of_chain, key=lambda row: row[1:5]):
            added.add_residue(_residue(library, number, insertion, name, record, of_residue))
        model.add_chain(added)
    structure.add_model(model)
    if is_doubtful(structure):
        take_apart(library, structure)
    structure.merge_chain_parts()
    structure.setup_entities()
    return structure


def _columns(atoms: Atoms) -> list[Any]:
    """Chain, number, insertion code, residue, record, atom, element, place, alternate location, occupancy."""

    def listed(name: str) -> list[str]:
        return [str(text).strip() for text in getattr(atoms, name, [""] * len(atoms))]

    chains = [name if name != "SYSTEM" else "" for name in chains_of(atoms)]
    occupancy = atoms.occupancies.tolist() if hasattr(atoms, "occupancies") else [1.0] * len(atoms)
    places = np.asarray(atoms.positions, np.float64)
    columns = [chains, atoms.resids.tolist(), listed("icodes"), listed("resnames"), listed("record_types")]
    return [
        *columns,
        listed("names"),
        elements_of(atoms).tolist(),
        places.tolist(),
        listed("altLocs"),
        occupancy,
        (atoms.indices + 1).tolist(),
    ]


def _residue(library: Any, number: int, insertion: str, name: str, record: str, rows: Any) -> Any:
    out = library.Residue()
    out.name, out.seqid = name, library.SeqId(int(number), insertion or " ")
    out.het_flag = "H" if record == "HETATM" else "A"
    for *_, atom_name, element, place, altloc, occupancy, serial in rows:
        atom = library.Atom()
        atom.name, atom.element, atom.occ = atom_name, library.Element(element or "X"), float(occupancy)
        atom.serial = serial
        if altloc:
            atom.altloc = altloc[0]
        inside = np.abs(place).max() <= LARGEST  # not so for NaN
        atom.pos = library.Position(*(place if inside else [np.nan] * 3))
        out.add_atom(atom)
    return out

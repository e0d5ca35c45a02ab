"""Ligands and nucleic acids as rigid bodies: which residues they are, and a ball for each of their atoms."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.files.amino_acids import is_amino_acid, is_water
from elbowroom.files.opening import blaming
from elbowroom.files.radii import RADIUS_SCALE, VAN_DER_WAALS
from elbowroom.files.residues import Residue, resolved
from elbowroom.files.structures import Model, choose_model, read_structure

Floats = NDArray[np.float64]
#: Positions, radii, and a label for each ball.
Balls = tuple[Floats, Floats, tuple[str, ...]]
MOST_NAMED = 6  # in a message


def read_ligand(
    path: str | os.PathLike[str],
    residue: str | int | None,
    *,
    chain: str | None,
    model: int | None,
    scale: float | None,
    radii: Mapping[str, float] | None,
    hydrogens: bool,
) -> Balls:
    """What `Group.from_pdb` is made of."""
    known = _radii(scale, radii)
    structure, file = read_structure(path), os.fspath(path)
    with blaming(file, "residue", "chain", "model", "scale", "radii"):
        held = _held(choose_model(structure, model, file), chain, file, _arrays.flag(hydrogens, "hydrogens"))
        chosen = held if residue is None else _chosen(held, residue, file)
        atoms = [(one, atom) for one in chosen for atom in one.atoms.values()]
        labels = tuple(f"{one.label}/{atom.name}" for one, atom in atoms)
        elements = [atom.element for _, atom in atoms]
        return np.array([atom.position for _, atom in atoms]), _of(elements, labels, known), labels


def of_atoms(atomgroup: object, scale: float | None, radii: Mapping[str, float] | None) -> Balls:
    """What `Group.from_atoms` is made of."""
    from elbowroom.files.atom_groups import checked_atoms, name_of
    from elbowroom.files.frames import finite
    from elbowroom.files.topology import elements_of, labels_of

    atoms, known = checked_atoms(atomgroup), _radii(scale, radii)
    labels, frame = labels_of(atoms), int(atoms.universe.trajectory.ts.frame)
    places = finite(np.array(atoms.positions, np.float64), frame, name_of(atoms), labels)
    return places, _of(elements_of(atoms).tolist(), labels, known), labels


def _radii(scale: float | None, radii: Mapping[str, float] | None) -> dict[str, float]:
    """By element: Bondi's, scaled, and those that are given."""
    factor = RADIUS_SCALE if scale is None else _arrays.length(scale, "scale")
    if not isinstance(radii, Mapping | None):
        raise ValueError(
            f'radii must map elements to radii, such as {{"Zn": 0.74}}, got {_arrays.shown(radii)}'
        )
    own = {str(key): _arrays.size(each, f"radii[{key!r:.20}]") for key, each in (radii or {}).items()}
    return {element: factor * radius for element, radius in VAN_DER_WAALS.items()} | own


def _of(elements: Sequence[str], labels: Sequence[str], known: Mapping[str, float]) -> Floats:
    for element, label in zip(elements, labels, strict=True):
        if element not in known:
            what = f"element {element!r}" if element not in ("", "X") else "of no known element"
            raise ValueError(
                f'radii: none is known for {label} ({what}); give one, such as {{"{element or "X"}": 0.74}}'
            )
    return np.array([known[element] for element in elements])


def _held(model: Model, chain: str | None, file: str, hydrogens: bool) -> list[Residue]:
    """All residues that are neither amino acids of a protein nor water."""
    names = [each.name for each in model]
    if chain is not None and chain not in names:
        raise ValueError(
            f"chain {_arrays.shown(chain)} is not in {file}, which has {', '.join(map(repr, names))}"
        )
    out = []
    for each in model:
        if chain is not None and each.name != chain:
            continue
        residues = [
            residue
            for residue in each
            if not is_water(residue.name) and (not is_amino_acid(residue) or residue.het_flag == "H")
        ]
        for _, group in groupby(residues, key=lambda residue: (str(residue.seqid), residue.name)):
            out.append(resolved(list(group), each.name, file, hydrogens, lambda atom: str(atom.element.name)))
    found = [one for one in out if one.atoms]
    if not found:
        raise ValueError(f"{file}: has no atoms but those of amino acids and water")
    return found


def _chosen(held: Sequence[Residue], residue: Any, file: str) -> list[Residue]:
    """The one of that name or number."""
    if isinstance(residue, bool) or not isinstance(residue, (str, int, np.integer)):
        raise ValueError(
            f"residue must be a name or a number, such as 'HEM' or 155, got {_arrays.shown(residue)}"
        )
    found = [one for one in held if str(residue) in (one.name, one.number)]
    if len(found) == 1:
        return found
    told = ", ".join(one.label for one in (found or held)[:MOST_NAMED])
    more = ", ..." if len(found or held) > MOST_NAMED else ""
    if found:
        raise ValueError(
            f"residue: {file} has {residue} several times: {told}{more}; choose by chain and number"
        )
    raise ValueError(f"residue: {_arrays.shown(residue)} is no ligand of {file}, which has {told}{more}")

"""The residues of a chain: amino acids, or nucleotides, and one place for each of their heavy atoms.

A file may give an atom several places (alternate locations) and a residue several names at one number; here
every residue comes out with one of each.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom._arrays import LARGEST
from elbowroom.files.amino_acids import PEPTIDE_BOND as PEPTIDE_BOND
from elbowroom.files.amino_acids import element_of, is_amino_acid, is_nucleotide, is_water
from elbowroom.files.structures import Model, gemmi

#: Tells the element of an atom.
ElementOf = Callable[[Any], str]
#: Longest distance of CA atoms across a peptide bond, where C or N is not given: 3.8 angstrom, if cis 2.9.
CA_STEP = 4.5


@dataclass(frozen=True, slots=True)
class Atom:
    """A heavy atom. `covalent`: its covalent radius; `serial`: its number in the file."""

    name: str
    element: str
    position: NDArray[np.float64]
    covalent: float
    serial: int


@dataclass(frozen=True, slots=True)
class Residue:
    """An amino acid or a nucleotide.

    `number` has the insertion code, `polymer` is False if it may be a ligand.
    """

    file: str
    chain: str
    name: str
    number: str
    polymer: bool
    atoms: dict[str, Atom]

    @property
    def is_nucleotide(self) -> bool:
        """Of a strand of DNA or RNA."""
        return "CA" not in self.atoms and ("C4'" in self.atoms or is_nucleotide(self.name))

    @property
    def ends(self) -> tuple[str, str]:
        """The atoms that are bonded to the residue before, and to the next one."""
        return ("P", "O3'") if self.is_nucleotide else ("N", "C")

    @property
    def label(self) -> str:
        """What names it in results."""
        return f"{self.chain}/{self.name} {self.number}"

    @property
    def where(self) -> str:
        """What names it in messages."""
        return _where(self.file, self.chain, self.name, self.number)


def _where(file: str, chain: str, name: str, number: str) -> str:
    return f"{file}: chain {chain!r}, residue {name} {number}"


def choose_chain(model: Model, name: str | None, file: str, hydrogens: bool = False) -> list[Residue]:
    """The residues of the chain of that name, or of the only protein chain."""
    if name is not None and not isinstance(name, str):
        raise ValueError(f"chain must be the name of a chain, got {name!r:.80}")
    if name is None:
        return _only_protein(model, file, hydrogens)
    names = [chain.name for chain in model]
    if name not in names:
        raise ValueError(f"chain {name!r} is not in {file}, which has {_quoted(names)}")
    chain = model[name]
    found = _residues(chain, file, hydrogens) or _nucleotides(chain, file, hydrogens)
    if not found:
        raise ValueError(f"{file}: chain {name!r} is neither protein nor nucleic acid: {_contents(chain)}")
    return found


def _only_strand(model: Model, file: str, hydrogens: bool) -> list[Residue]:
    """The only nucleic acid; an empty list if there is none."""
    read = {chain.name: _nucleotides(chain, file, hydrogens) for chain in model}
    found = {name: residues for name, residues in read.items() if residues}
    if len(found) > 1:
        raise ValueError(
            f"{file}: has several chains of nucleic acid, choose one with the option chain: {_quoted(found)}"
        )
    return next(iter(found.values()), [])


def _only_protein(model: Model, file: str, hydrogens: bool) -> list[Residue]:
    found = {chain.name: chain for chain in model if any(map(is_amino_acid, chain))}
    if len(found) != 1:  # free amino acids may be all that a chain has
        read = {name: _residues(chain, file, hydrogens) for name, chain in found.items()}
        found = {name: chain for name, chain in found.items() if read[name]}
    if len(found) > 1:
        raise ValueError(
            f"{file}: has several protein chains, choose one with the option chain: {_quoted(found)}"
        )
    if not found and (strand := _only_strand(model, file, hydrogens)):
        return strand
    if not found:
        held = "; ".join(f"chain {chain.name!r}: {_contents(chain)}" for chain in model)
        raise ValueError(f"{file}: has no chain of a protein or a nucleic acid ({held or 'it is empty'})")
    residues = _residues(next(iter(found.values())), file, hydrogens)
    if not residues:
        raise ValueError(f"{file}: has no protein chain, but free amino acids alone")
    return residues


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in dict.fromkeys(names))


def _contents(chain: Any) -> str:
    """What a chain that is no protein holds, in words."""
    names = list(dict.fromkeys("water" if is_water(each.name) else each.name for each in chain))
    return "only " + ", ".join(names[:4]) + (", ..." if len(names) > 4 else "") if names else "empty"


def _residues(chain: Any, file: str, hydrogens: bool) -> list[Residue]:
    """The amino acids of the chain in the order of the file, less those that are ligands."""
    candidates = [residue for residue in chain if is_amino_acid(residue)]
    groups = groupby(candidates, key=lambda residue: str(residue.seqid))
    found = [resolved(list(group), chain.name, file, hydrogens) for _, group in groups]
    bonded = [bonded_in_sequence(a, b) for a, b in pairwise(found)]
    beside = zip([False, *bonded], [*bonded, False], strict=True)
    # A free amino acid may be a ligand of its own chain: it is no part of the polymer and bonded to none.
    return [residue for residue, sides in zip(found, beside, strict=False) if residue.polymer or any(sides)]


def _nucleotides(chain: Any, file: str, hydrogens: bool) -> list[Residue]:
    """The nucleotides of a chain, less those that are ligands."""
    from elbowroom.files.nucleotides import with_present_names

    candidates = [residue for residue in chain if is_nucleotide(residue.name)]
    groups = groupby(candidates, key=lambda residue: str(residue.seqid))
    found = [resolved(list(group), chain.name, file, hydrogens) for _, group in groups]
    return [with_present_names(residue) for residue in found if residue.polymer]


def bonded_in_sequence(a: Residue, b: Residue) -> bool:
    """Is there a peptide bond from a to b, or a phosphate? Told by its length, or by that from CA to CA."""
    start, end = b.ends[0], a.ends[1]
    if end in a.atoms and start in b.atoms:
        return apart(a.atoms[end], b.atoms[start]) <= PEPTIDE_BOND
    if "CA" in a.atoms and "CA" in b.atoms:
        return apart(a.atoms["CA"], b.atoms["CA"]) <= CA_STEP
    return False


def apart(a: Atom, b: Atom) -> float:
    """The distance of two atoms."""
    return float(np.linalg.norm(a.position - b.position))


def resolved(
    group: Sequence[Any], chain: str, file: str, hydrogens: bool, element: ElementOf = element_of
) -> Residue:
    """One residue from all that the file has under one number."""
    letter = _conformer(group)
    if letter is None and len(group) > 1:
        names = " and ".join(residue.name for residue in group)
        raise ValueError(f"{file}: chain {chain!r} has residue number {group[0].seqid} twice, as {names}")
    chosen = next((r for r in group if any(atom.altloc == letter for atom in r)), group[0])
    number = str(chosen.seqid)
    atoms = _places(chosen, letter, _where(file, chain, chosen.name, number), hydrogens, element)
    polymer = chosen.het_flag != "H" or chosen.entity_type == gemmi().EntityType.Polymer
    return Residue(file, chain, chosen.name, number, polymer, atoms)


def _conformer(group: Sequence[Any]) -> str | None:
    """The letter of the alternate location with the highest mean occupancy, the first of equal ones."""
    occupancies: dict[str, list[float]] = {}
    for atom in (atom for residue in group for atom in residue if atom.has_altloc()):
        occupancies.setdefault(atom.altloc, []).append(atom.occ)
    means = {letter: round(float(np.mean(values)), 4) for letter, values in occupancies.items()}
    return min(means, key=lambda letter: (-means[letter], letter)) if means else None


def _places(
    residue: Any, letter: str | None, where: str, hydrogens: bool, element: ElementOf
) -> dict[str, Atom]:
    """Every heavy atom once: at the letter's place, or its only one, or else its most occupied one.

    An atom that the file has twice in one place is one atom.
    """
    best: dict[str, tuple[tuple[bool, bool, float, str], Any]] = {}
    seen: dict[tuple[str, str], list[float]] = {}
    again: dict[str, None] = {}
    for atom in residue:
        if not hydrogens and element(atom) in ("H", "D"):
            continue
        place = atom.pos.tolist()
        if seen.setdefault((atom.name, atom.altloc), place) is not place:
            if seen[atom.name, atom.altloc] != place:
                raise ValueError(
                    f"{where}: atom {atom.name} occurs twice, in two places; do two molecules share the name?"
                )
            again[atom.name] = None
            continue
        rank = (atom.altloc != letter, atom.has_altloc(), -atom.occ, atom.altloc)
        if atom.name not in best or rank < best[atom.name][0]:
            best[atom.name] = rank, atom
    if again:
        warnings.warn(
            f"{where}: dropped what is there twice: atom {', '.join(again)}", UserWarning, stacklevel=2
        )
    return {name: _plain(atom, where, element) for name, (_, atom) in best.items()}


def _plain(atom: Any, where: str, element: ElementOf) -> Atom:
    position = np.array(atom.pos.tolist(), dtype=np.float64)
    if not np.isfinite(position).all():
        raise ValueError(f"{where}: atom {atom.name} has coordinates that are not numbers")
    if np.abs(position).max() > LARGEST:
        raise ValueError(f"{where}: atom {atom.name} has a coordinate beyond {LARGEST:g}")
    kind = gemmi().Element(element(atom))
    return Atom(atom.name, kind.name, position, float(kind.covalent_r), atom.serial)

"""Which molecule is which, where the names in a file do not tell: blank chains, and names that occur twice.

A chain without a name, or one in which residue numbers occur again, is taken apart at TER records, and where
the numbers of amino acids go back without a peptide bond. Parts of a blank chain are called 1, 2, ... and
those of chain A are called A-1, A-2, ...
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from elbowroom.files.amino_acids import PEPTIDE_BOND, SYNONYMS, is_amino_acid, is_nucleotide, is_water


def is_doubtful(structure: Any) -> bool:
    """Whether a chain of protein or nucleic acid has no name, or a residue number twice."""
    return any(_doubtful_names(model) for model in structure)


def _doubtful_names(model: Any) -> set[str]:
    """Names of chains, each of which may be in several parts."""
    numbers: dict[str, list[str]] = {}
    out = set()
    for chain in model:
        residues = _polymer(chain)
        if residues:  # between parts there is a place without a number
            numbers.setdefault(chain.name, []).extend(["", *(str(residue.seqid) for residue in residues)])
        if any(map(_holds_two, residues)):
            out.add(chain.name)
    for name, listed in numbers.items():
        runs = [a for a, b in pairwise([*listed, ""]) if a != b and a]
        if not name.strip() or len(runs) > len(set(runs)):
            out.add(name)
    return out


def _holds_two(residue: Any) -> bool:
    """Whether an atom is there twice, in two places: gemmi joins residues of the same number."""
    places: dict[tuple[str, str], list[float]] = {}
    return any(
        places.setdefault((atom.name, atom.altloc), place) != place
        for atom in residue
        for place in [atom.pos.tolist()]
    )


def take_apart(library: Any, structure: Any) -> None:
    """Gives every protein of a doubtful chain a name of its own, in place."""
    for model in structure:
        doubtful = _doubtful_names(model)
        parts = [
            part
            for chain in model
            for part in (_pieces(library, chain) if chain.name in doubtful else [chain.clone()])
        ]
        proteins = [bool(_polymer(part)) for part in parts]
        count = Counter(part.name for part, protein in zip(parts, proteins, strict=True) if protein)
        taken = {part.name for part in parts}
        number: Counter[str] = Counter()
        for part, protein in zip(parts, proteins, strict=True):
            if protein and count[part.name] > 1 and part.name in doubtful:
                part.name = _fresh(part.name.strip(), number, taken)
        for chain in list(model):
            model.remove_chain(chain.name)
        for part in parts:
            model.add_chain(part)


def _fresh(name: str, number: Counter[str], taken: set[str]) -> str:
    """The next name that no chain has."""
    while True:
        number[name] += 1
        found = f"{name}-{number[name]}" if name else str(number[name])
        if found not in taken:
            return found


def _pieces(library: Any, chain: Any) -> list[Any]:
    """A chain cut where its amino acids begin again."""
    out = [library.Chain(chain.name)]
    before, belongs = None, {str(residue) for residue in _polymer(chain)}
    for residue in chain:
        if str(residue) in belongs:
            if before is not None and _begins_again(before, residue):
                out.append(library.Chain(chain.name))
            before = residue
        out[-1].add_residue(residue)
    return out


def _polymer(chain: Any) -> list[Any]:
    """The amino acids, or if there are none the nucleotides."""
    found = [residue for residue in chain if is_amino_acid(residue)]
    return found or [residue for residue in chain if is_nucleotide(residue.name)]


def _begins_again(a: Any, b: Any) -> bool:
    if b.seqid.num > a.seqid.num or (str(a.seqid) == str(b.seqid) and a.name != b.name):
        return False
    end, start = ("C", "N") if is_amino_acid(b) else ("O3'", "P")
    ends, starts = a.find_atom(end, "*"), b.find_atom(start, "*")
    if a.seqid.num == b.seqid.num and str(a.seqid) != str(b.seqid) and ends is None:
        return False
    if ends is None or starts is None:
        return True
    return bool(np.linalg.norm(np.subtract(ends.pos.tolist(), starts.pos.tolist())) > PEPTIDE_BOND)


def with_ends(text: str) -> str:
    """A PDB file with TER also where residue numbers of a chain go back."""
    lines: list[str] = []
    before: tuple[str, str] | None = None
    for line in text.splitlines(keepends=True):
        if line.startswith("ATOM  "):
            now = line[21:22], line[22:26]
            if before is not None and now[0] == before[0] and _goes_back(before[1], now[1]):
                lines.append("TER\n")
            before = now
        lines.append(line)
    return "".join(lines)


def _goes_back(before: str, now: str) -> bool:
    return before.strip().isdigit() and now.strip().isdigit() and int(now) < int(before)


def with_short_names(text: str) -> str:
    """A PDB file whose residues have three letters: of four, the last would be taken for a part of the chain.

    A chain whose name has two letters is one in which other residues have that letter before its name, too.
    """
    lines = text.splitlines(keepends=True)
    atoms = [
        k for k, line in enumerate(lines) if line.startswith(("ATOM  ", "HETATM")) and line[20:21].strip()
    ]
    short = {k: _short(lines[k][17:21]) for k in atoms}
    named = {lines[k][20:22] for k in atoms if short[k] is None}
    for k in atoms:
        if lines[k][20:22] not in named:
            lines[k] = f"{lines[k][:17]}{short[k]} {lines[k][21:]}"
    return "".join(lines)


def _short(name: str) -> str | None:
    return SYNONYMS.get(name, name[:3] if is_water(name) else None)


def with_models_in_order(text: str) -> str:
    """A PDB file whose MODEL records have numbers that repeat, or no end, with the models 1, 2, ..."""
    lines, number, inside = [], 0, False
    for line in text.splitlines(keepends=True):
        if re.match(r"MODEL\b", line):
            lines += ["ENDMDL\n"] if inside else []
            number, inside = number + 1, True
            line = f"MODEL     {number:4d}\n"
        elif line.startswith("ENDMDL"):
            inside = False
        lines.append(line)
    return "".join(lines)

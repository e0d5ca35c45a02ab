"""PDB and mmCIF files: opening them, and choosing a model. The parsing is gemmi's."""

from __future__ import annotations

import os
import re
from typing import Any

from elbowroom import _arrays
from elbowroom.files.opening import read_bytes, shortened

#: Objects of gemmi, which is imported when a file is read: it is an optional dependency.
Structure = Any
Model = Any

COORDINATES = ((30, 38), (38, 46), (46, 54))


def gemmi() -> Any:
    """The package gemmi, or an ImportError that says how to get it."""
    try:
        import gemmi
    except ImportError as error:
        raise ImportError(
            "reading PDB and mmCIF files needs gemmi, which is not installed: pip install elbowroom[protein]"
        ) from error
    return gemmi


def read_structure(path: str | os.PathLike[str]) -> Structure:
    """What gemmi makes of a PDB or mmCIF file, compressed by gzip or not.

    The format is told by the content and not by the name.
    """
    content, library = read_bytes(path), gemmi()
    try:
        structure = _parse(library, content.decode("utf-8-sig", errors="replace"))
    except (RuntimeError, ValueError) as error:
        why = " ".join(str(error).split())
        raise ValueError(shortened(f"{os.fspath(path)}: cannot be read: {why}")) from error
    structure.merge_chain_parts()
    structure.setup_entities()
    return structure


def _parse(library: Any, text: str) -> Structure:
    if re.match(r"(\s|#.*\n)*data_", text, re.IGNORECASE):
        return _parse_mmcif(library, text)
    _check_coordinates(text.splitlines())
    return library.read_pdb_string(text)


def _parse_mmcif(library: Any, text: str) -> Structure:
    for block in library.cif.read_string(text):
        if block.find_loop("_atom_site.Cartn_x"):
            return library.make_structure_from_block(block)
    raise ValueError("it is mmCIF without atoms: no loop has _atom_site.Cartn_x")


def _check_coordinates(lines: list[str]) -> None:
    """Refuse atoms whose coordinates are not numbers, which gemmi would read as 0."""
    atoms = 0
    for number, line in enumerate(lines, 1):
        if not line.startswith(("ATOM  ", "HETATM")):
            continue
        atoms += 1
        for start, end in COORDINATES:
            try:
                float(line[start:end])
            except ValueError:
                raise ValueError(
                    f"line {number} has {line[start:end].strip()!r} for a coordinate "
                    f"(columns {start + 1} to {end})"
                ) from None
    if atoms == 0:
        raise ValueError("neither PDB nor mmCIF: it has no ATOM record and does not begin with data_")


def choose_model(structure: Structure, number: int | None, file: str) -> Model:
    """The model of that number in the file, or the first."""
    if len(structure) == 0:
        raise ValueError(f"{file}: contains no atoms")
    if number is None:
        return structure[0]
    wanted = _arrays.count(number, "model", 0)
    numbers = [int(model.num) for model in structure]
    if wanted not in numbers:
        raise ValueError(f"model {wanted} is not in {file}, which has {_listed(numbers)}")
    return structure[numbers.index(wanted)]


def _listed(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"model {numbers[0]} alone"
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"models {numbers[0]} to {numbers[-1]}"
    return "models " + ", ".join(map(str, numbers))

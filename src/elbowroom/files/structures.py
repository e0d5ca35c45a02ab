"""PDB and mmCIF files: opening them, and choosing a model. The parsing is gemmi's."""

from __future__ import annotations

import os
import re
import warnings
from typing import Any

from elbowroom import _arrays
from elbowroom.files.molecules_apart import (
    is_doubtful,
    take_apart,
    with_ends,
    with_models_in_order,
    with_short_names,
)
from elbowroom.files.opening import read_bytes, shortened

#: Objects of gemmi, which is imported when a file is read: it is an optional dependency.
Structure = Any
Model = Any

#: Formats that MDAnalysis reads and that hold names of atoms.
OF_MDANALYSIS = (".gro", ".pqr", ".mmtf", ".pdbqt", ".crd", ".mol2", ".tpr")
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


class InMemory(os.PathLike[str]):
    """A structure that was read already, with a name for messages, in place of the path of a file."""

    def __init__(self, structure: Structure, name: str) -> None:
        self.structure, self._name = structure, name

    def __fspath__(self) -> str:
        return self._name


def read_structure(path: str | os.PathLike[str]) -> Structure:
    """What gemmi makes of a PDB or mmCIF file, compressed by gzip or not.

    The format is told by the content and not by the name.
    """
    if isinstance(path, InMemory):
        return path.structure
    content, library = read_bytes(path), gemmi()
    try:
        structure = _parse(library, content.decode("utf-8-sig", errors="replace"), os.fspath(path))
    except (RuntimeError, ValueError) as error:
        if str(error).startswith(f"{os.fspath(path)}: "):
            raise
        why = " ".join(str(error).split())
        why = "it contains bytes that are not text" if isinstance(error, UnicodeError) else why
        raise ValueError(shortened(f"{os.fspath(path)}: cannot be read: {why}")) from error
    structure.merge_chain_parts()
    structure.setup_entities()
    return structure


def _parse(library: Any, text: str, file: str) -> Structure:
    if re.match(r"(\s|#.*\n)*data_", text, re.IGNORECASE):
        return _parse_mmcif(library, text)
    if file.lower().removesuffix(".gz").removesuffix(".bz2").endswith(OF_MDANALYSIS):
        from elbowroom.files.atom_groups import structure_of_file

        return structure_of_file(file)
    _check_coordinates(text.splitlines())
    text = with_short_names(text)
    try:
        structure = library.read_pdb_string(text)
    except RuntimeError as error:
        if "MODEL" not in str(error):
            raise
        text = with_models_in_order(text)
        structure = library.read_pdb_string(text)
        warnings.warn(
            f"{file}: its models are numbered 1 to {len(structure)} ({error})", UserWarning, stacklevel=2
        )
    if is_doubtful(structure):
        structure = library.read_pdb_string(with_ends(text), split_chain_on_ter=True)
        take_apart(library, structure)
    return structure


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

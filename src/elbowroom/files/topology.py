"""The atoms of a trajectory: which they are, their elements, radii and names. The parsing is MDAnalysis's."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.files.binary_frames import refuse_damaged
from elbowroom.files.quiet import quietly, reason
from elbowroom.files.radii import VAN_DER_WAALS
from elbowroom.files.stated_counts import refuse_overstated
from elbowroom.files.unpacking import refuse_large

#: Objects of MDAnalysis, which is imported when a file is read: it is an optional dependency.
Universe = Any
Atoms = Any
Floats = NDArray[np.float64]

#: Hydrogens are left out unless they are selected; the radius is Bondi's [Bondi1964]_ as well.
RADII = VAN_DER_WAALS | {"H": 1.20}
#: Their ions stand nearer to other atoms than van der Waals radii would have it.
METALS = frozenset(
    ("Li", "Be", "Na", "Mg", "Al", "K", "Ca", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Rb", "Sr",
     "Zr", "Mo", "Ru", "Rh", "Pd", "Ag", "Cd", "Sn", "Cs", "Ba", "Gd", "W", "Pt", "Au", "Hg", "Pb")
)  # fmt: skip
#: Hydrogen, deuterium, and what MDAnalysis calls a site without a mass.
LIGHT = ("H", "D", "Du")
#: Masses of one element differ by less from force field to force field, or by less than that part of them;
#: those of two elements by more. An atom that gave mass to its hydrogens is not taken for another, nor the
#: unit of mass for hydrogen.
SAME_MASS, SAME_PART = 0.0075, 0.0005
#: Files of coordinates alone, which tell neither names nor elements.
NAMELESS = (".dcd", ".xtc", ".trr", ".nc", ".ncdf", ".h5md", ".trj", ".mdcrd", ".crdbox", ".trz", ".tng")
LAMMPS_DUMPS = (".lammpsdump", ".lammpstrj", ".dump")
#: Packages that MDAnalysis needs for some formats, and does not bring along.
NEEDED = {".h5md": "h5py", ".tng": "pytng", ".gsd": "gsd"}


def mdanalysis() -> Any:
    """The package MDAnalysis, or an ImportError that says how to get it."""
    try:
        with quietly():
            import MDAnalysis
    except ImportError as error:
        raise ImportError(
            "reading trajectories needs MDAnalysis, which is not installed: pip install elbowroom[trajectory]"
        ) from error
    return MDAnalysis


def open_universe(file: str, topology: str | None, array: NDArray[Any] | None = None) -> Universe:
    """The atoms of the topology with the frames of the file, or with those of an array (frames, n, 3)."""
    library = mdanalysis()
    _refuse_without_package(file)
    for name in (file, topology):
        if name is not None:
            refuse_overstated(name, refuse_large(name))
    refuse_damaged(file)
    if topology is None:
        return _opened(lambda: library.Universe(file, to_guess=(), **_formats(file)), file)
    universe = _opened(
        lambda: library.Universe(topology, to_guess=(), **_formats(topology)), f"topology: {topology}"
    )
    if array is not None and array.shape[1] != len(universe.atoms):
        raise _mismatch(file, str(array.shape[1]), topology, universe)
    frames = file if array is None else np.asarray(array, np.float32)
    try:
        return _opened(lambda: universe.load_new(frames, **_formats(file)), file)
    except ValueError as error:
        counted = re.search(r"Number of atoms (\d+)", " ".join(error.__notes__))
        if counted is None:
            raise
        raise _mismatch(file, counted[1], topology, universe) from None


def _mismatch(file: str, count: str, topology: str, universe: Universe) -> ValueError:
    return ValueError(
        f"topology: {topology} has {len(universe.atoms)} atoms, but {file} has {count}; "
        "give the topology that the trajectory was written with"
    )


def _refuse_without_package(file: str) -> None:
    needed = NEEDED.get(os.path.splitext(file)[1].lower())
    if needed is not None and find_spec(needed) is None:
        raise ValueError(f"{file}: to read it MDAnalysis needs {needed}: pip install {needed}")


def _formats(file: str) -> dict[str, str]:
    """What MDAnalysis does not tell from the names that dumps of LAMMPS have."""
    if not file.lower().removesuffix(".gz").removesuffix(".bz2").endswith(LAMMPS_DUMPS):
        return {}
    return {"format": "LAMMPSDUMP", "topology_format": "LAMMPSDUMP"}


def _opened(opening: Callable[[], Universe], where: str) -> Universe:
    """What the opening returns. The error it raises is let go: it holds on to readers that are half made."""
    with quietly():
        try:
            return opening()
        except Exception as error:  # readers raise whatever the broken file made them stumble over
            fault, whole = reason(error), str(error)
    refused = ValueError(f"{where}: cannot be read ({fault})")
    refused.add_note(whole)
    raise refused


def elements_of(atoms: Atoms) -> NDArray[Any]:
    """Symbols such as "C" and "Cl", or "" where nothing tells: as the topology says, by mass, or by name."""
    out = np.full(len(atoms), "", dtype="U2")
    if hasattr(atoms, "elements"):
        out[:] = [str(element).capitalize() for element in atoms.elements]
    masses = atoms.masses if hasattr(atoms, "masses") else np.full(len(atoms), np.nan)
    blank = np.flatnonzero((out == "") & (masses > 0))
    out[blank] = _by_mass(masses[blank])
    if hasattr(atoms, "names"):
        blank = np.flatnonzero((out == "") & (masses != 0))  # without a mass it is no atom
        out[blank] = _by_name(atoms.names[blank])
    return out


def _by_mass(masses: NDArray[Any]) -> list[str]:
    from MDAnalysis.guesser.tables import masses as known

    symbols = [symbol for symbol in known if symbol.isalpha() and len(symbol) <= 2 and known[symbol] > 0]
    weights = np.array([known[symbol] for symbol in symbols])
    values, places = np.unique(np.asarray(masses, float), return_inverse=True)
    nearest = [int(np.abs(weights - value).argmin()) for value in values]
    found = [
        symbols[k].capitalize() if abs(weights[k] - value) <= max(SAME_MASS, SAME_PART * value) else ""
        for k, value in zip(nearest, values, strict=True)
    ]
    return [found[k] for k in places]


def _by_name(names: NDArray[Any]) -> list[str]:
    from MDAnalysis.guesser.default_guesser import DefaultGuesser
    from MDAnalysis.guesser.tables import masses as known

    guesser = DefaultGuesser(None)
    found = {name: str(guesser.guess_atom_element(name)) for name in set(names.tolist())}
    return [found[name].capitalize() if found[name] in known else "" for name in names.tolist()]


def choose(universe: Universe, select: str | None, elements: NDArray[Any], metals: bool) -> NDArray[np.int64]:
    """Numbers of the atoms that are selected where they are now, or of the heavy ones."""
    if select is None:
        return _heavy(universe.atoms, elements, metals)
    try:
        with quietly():
            found = np.asarray(universe.select_atoms(select).indices, np.int64)
    except Exception as error:  # a selection stumbles over what the topology does not have, too
        raise ValueError(f"select: MDAnalysis rejects {select!r:.80} ({reason(error)})") from error
    if not len(found):
        raise ValueError(f"select: {select!r:.80} matches none of {len(universe.atoms)} atoms")
    return found


def _heavy(atoms: Atoms, elements: NDArray[Any], metals: bool) -> NDArray[np.int64]:
    masses = atoms.masses if hasattr(atoms, "masses") else np.ones(len(atoms))
    heavy = ~np.isin(elements, LIGHT) & (masses != 0)
    if not metals:
        heavy &= ~np.isin(elements, list(METALS))
    if not heavy.any():
        raise ValueError(
            f"select: none of {len(atoms)} atoms is heavy; select atoms explicitly, or use 'all'"
        )
    return np.flatnonzero(heavy)


def van_der_waals(elements: NDArray[Any], labels: tuple[str, ...]) -> Floats:
    """Radii by element, or a ValueError that names the first atom that has none."""
    radii = np.array([RADII.get(element, np.nan) for element in elements.tolist()])
    unknown = np.flatnonzero(np.isnan(radii))
    if len(unknown):
        first, others = labels[unknown[0]], f", nor for {len(unknown) - 1} others" if len(unknown) > 1 else ""
        element = f"element {str(elements[unknown[0]])!r}" if elements[unknown[0]] else "of no known element"
        raise ValueError(
            f"radius: no van der Waals radius is known for {first} ({element}){others}; "
            "give one radius for all, or select other atoms"
        )
    return radii


def labels_of(atoms: Atoms) -> tuple[str, ...]:
    """What names them in results: "A/LEU 12/CD1" is chain or segment, residue and atom."""
    if not hasattr(atoms, "names") or not hasattr(atoms, "resnames"):
        names = atoms.names if hasattr(atoms, "names") else [""] * len(atoms)
        return tuple(f"atom {i} {name}".rstrip() for i, name in zip(atoms.indices, names, strict=True))
    chains = [f"{chain}/" if chain not in ("", "SYSTEM") else "" for chain in chains_of(atoms)]
    columns = (chains, atoms.resnames, atoms.resids, atoms.names)
    return tuple(f"{chain}{res} {number}/{name}" for chain, res, number, name in zip(*columns, strict=True))


def chains_of(atoms: Atoms) -> list[str]:
    for attribute in ("chainIDs", "segids"):
        names = [str(name) for name in getattr(atoms, attribute, [])]
        if any(names):
            return names
    return [""] * len(atoms)

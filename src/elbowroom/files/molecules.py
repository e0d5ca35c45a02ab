"""Trajectories of molecules: their atoms as beads, and which of them bonds bring near."""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._bonds import pairs_within
from elbowroom._exclusion import MOST_BONDS
from elbowroom.body import read_only
from elbowroom.files.bonds import COVALENT, Named, guessed_bonds, with_templates
from elbowroom.files.frames import Asked, Floats, Integers, Trajectory, box_sides, finite, next_frame
from elbowroom.files.quiet import quietly, reason
from elbowroom.files.radii import RADIUS_SCALE
from elbowroom.files.topology import METALS, Universe, choose, elements_of, labels_of, van_der_waals

#: Files that list some bonds only, those within ligands.
SOME_BONDS = (".pdb", ".ent", ".pdbqt", ".xpdb", ".cif", ".mmcif")


def of_universe(file: str, topology: str | None, universe: Universe, asked: Asked) -> Trajectory:
    """The atoms selected, with radii by their elements, or one for all."""
    if not hasattr(universe, "trajectory"):
        raise ValueError(
            f"{file}: contains no coordinates; give the trajectory as path, and this as topology"
        )
    frames = asked.frames(_whole_frames(universe, file, asked), file)
    every = np.arange(len(universe.atoms))
    places, box = next_frame(_positions(universe, every, frames), frames[0], file)
    elements = elements_of(universe.atoms)
    chosen = choose(universe, asked.select, elements, metals=asked.radius is not None)
    labels = labels_of(universe.atoms[chosen])
    radii = _radii(elements[chosen], labels, asked)
    first = finite(places[chosen], frames[0], file, labels)
    bonds, told = _bonds(universe, places, elements, topology or file, f"frame {frames[0]}")
    exclude = MOST_BONDS if asked.exclude is None else asked.exclude
    return Trajectory(
        file=file,
        frames=frames,
        first=read_only(first),
        radii=radii,
        labels=labels,
        excluded=read_only(pairs_within(bonds, len(every), exclude, chosen)),
        exclude=exclude,
        bonds=told,
        box=box,
        periodic=box is not None and bool(asked.box),
        bonded=read_only(pairs_within(bonds, len(every), 1, chosen)),
        notes=_notes(box, elements, asked),
        read=lambda frames: _positions(universe, chosen, frames),
    )


def _whole_frames(universe: Universe, file: str, asked: Asked) -> int:
    """How many frames there are. A DCD file that was cut off says in its header that there were more."""
    with quietly():
        try:
            count = len(universe.trajectory)
        except Exception as error:  # some readers go through the file only now
            raise ValueError(f"{file}: its frames cannot be counted ({reason(error)})") from error
    if file.lower().endswith(".dcd") and asked.stop is None:
        with open(file, "rb") as header:
            head = header.read(12)
        order = "<" if head[:4] == struct.pack("<i", 84) else ">"
        promised = struct.unpack(f"{order}i", head[8:])[0] if head[4:8] == b"CORD" else 0
        if promised > count:
            raise ValueError(
                f"{file}: ends after {count} of {promised} frames; give stop={count} to take those"
            )
    return count


def _positions(universe: Universe, chosen: NDArray[Any], frames: range) -> Iterator[tuple[NDArray[Any], Any]]:
    """By iterating where that is possible: some readers cannot go to a frame, or are slow to."""
    whole = len(frames) == len(universe.trajectory)
    steps = universe.trajectory if whole else universe.trajectory[frames.start : frames.stop : frames.step]
    for step in steps:
        yield step.positions[chosen], step.dimensions


def _radii(elements: NDArray[Any], labels: tuple[str, ...], asked: Asked) -> Floats:
    if asked.radius is None:
        return asked.scaled(van_der_waals(elements, labels), RADIUS_SCALE)
    return asked.scaled(np.full(len(labels), float(asked.radius)))


def _bonds(
    universe: Universe, places: Floats, elements: NDArray[Any], file: str, frame: str
) -> tuple[Integers, str]:
    """Pairs of atoms, and where they come from."""
    listed = universe.bonds.indices if hasattr(universe, "bonds") else np.empty((0, 2), np.int32)
    name = os.path.basename(file)
    partial = name.lower().removesuffix(".gz").removesuffix(".bz2").endswith(SOME_BONDS)
    if len(listed) and not partial:
        return listed, f"bonds of {name}"
    if not np.isin(elements, list(COVALENT)).any():
        numbers = np.arange(len(elements), dtype=np.int32)
        return np.column_stack(
            [numbers[:-1], numbers[1:]]
        ), f"neighbours in {name}, which has neither bonds nor elements"
    known = np.where(np.isfinite(places).all(axis=1), elements, "")
    guessed = guessed_bonds(places, known, universe.trajectory.ts.dimensions)
    atoms = universe.atoms
    if hasattr(atoms, "names") and hasattr(atoms, "resnames"):
        named = Named(atoms.names, atoms.resnames, atoms.resindices, atoms.segindices)
        guessed = with_templates(guessed, named)
    if not len(listed):
        return guessed, f"bonds by distance in {frame}"
    return np.concatenate([listed, guessed]), f"bonds of {name} and by distance in {frame}"


def _notes(box: tuple[float, ...] | None, elements: NDArray[Any], asked: Asked) -> tuple[str, ...]:
    notes = []
    if box is not None and not asked.box:
        sides = " x ".join(f"{side:.4g}" for side in box[:3])
        notes.append(f"the periodic box, {sides}, is not taken into account: images are not compared")
    metals = Counter(element for element in elements.tolist() if element in METALS)
    if metals and asked.select is None and asked.radius is None:
        told = ", ".join(f"{count} {element}" for element, count in sorted(metals.items()))
        notes.append(f"metals are left out ({told}): they are closer to other atoms than their radii allow")
    return tuple(notes)


class Beads(NamedTuple):
    """Atoms of a group where they are in the present frame, as the beads of a necklace."""

    positions: Floats
    radii: Floats
    labels: tuple[str, ...]
    excluded: Integers
    box: Floats | None


def box_of(universe: Universe) -> Floats | None:
    """The edges of the periodic box of the present frame, if it has one."""
    sides = box_sides(universe.dimensions)
    frame = int(universe.trajectory.ts.frame)
    return None if sides is None else _arrays.box(sides, f"box of frame {frame}")


def beads_of(atoms: Any, asked: Asked) -> Beads:
    """All atoms of the group, with radii by their elements, or one for all; bonds as for trajectories."""
    universe, chosen = atoms.universe, np.asarray(atoms.indices, np.int64)
    once, times = np.unique(chosen, return_counts=True)
    if len(once) < len(chosen):
        label = labels_of(universe.atoms[once[times > 1][:1]])[0]
        raise ValueError(f"atomgroup has {label} more than once")
    places, elements = np.array(universe.atoms.positions, np.float64), elements_of(universe.atoms)
    labels, frame = labels_of(universe.atoms[chosen]), int(universe.trajectory.ts.frame)
    file = str(universe.filename or "atomgroup")
    bonds, _ = _bonds(universe, places, elements, file, f"frame {frame}")
    apart = MOST_BONDS if asked.exclude is None else asked.exclude
    return Beads(
        finite(places[chosen], frame, file, labels),
        _radii(elements[chosen], labels, asked),
        labels,
        pairs_within(bonds, len(places), apart, chosen),
        box_of(universe) if asked.box else None,
    )

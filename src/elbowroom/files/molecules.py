"""Trajectories of molecules: their atoms as beads, and which of them bonds bring near."""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom._bonds import pairs_within
from elbowroom._exclusion import MOST_BONDS
from elbowroom.body import read_only
from elbowroom.files.bonds import COVALENT, Named, guessed_bonds, with_templates
from elbowroom.files.frames import Asked, Floats, Integers, Trajectory, finite, next_frame
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
    places = next_frame(_positions(universe, every, frames), frames[0], file)
    elements = elements_of(universe.atoms)
    chosen = choose(universe, asked.select, elements, metals=asked.radius is not None)
    labels = labels_of(universe.atoms[chosen])
    radii = _radii(elements[chosen], labels, asked)
    first = finite(places[chosen], frames[0], file, labels)
    box = _box(universe)
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


def _positions(universe: Universe, chosen: NDArray[Any], frames: range) -> Iterator[NDArray[Any]]:
    """By iterating where that is possible: some readers cannot go to a frame, or are slow to."""
    whole = len(frames) == len(universe.trajectory)
    steps = universe.trajectory if whole else universe.trajectory[frames.start : frames.stop : frames.step]
    for step in steps:
        yield step.positions[chosen]


def _radii(elements: NDArray[Any], labels: tuple[str, ...], asked: Asked) -> Floats:
    if asked.radius is None:
        return asked.scaled(van_der_waals(elements, labels), RADIUS_SCALE)
    return asked.scaled(np.full(len(labels), float(asked.radius)))


def _box(universe: Universe) -> tuple[float, ...] | None:
    """Of the first frame, which is the one at hand."""
    sides = universe.trajectory.ts.dimensions
    return None if sides is None or not np.any(sides[:3]) else tuple(float(side) for side in sides)


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
    if box is not None:
        sides = " x ".join(f"{side:.4g}" for side in box[:3])
        notes.append(f"the periodic box, {sides}, is not taken into account: images are not compared")
    metals = Counter(element for element in elements.tolist() if element in METALS)
    if metals and asked.select is None and asked.radius is None:
        told = ", ".join(f"{count} {element}" for element, count in sorted(metals.items()))
        notes.append(f"metals are left out ({told}): they are closer to other atoms than their radii allow")
    return tuple(notes)

"""Trajectories: many frames of the same balls, from simulations of molecules or from arrays.

Five beads in three frames, saved by NumPy. The first two frames are free, in the third the ends overlap:

>>> import pathlib, tempfile
>>> import numpy as np
>>> from elbowroom.files.trajectory import read_trajectory
>>> straight = np.column_stack([np.arange(5.0), np.zeros(5), np.zeros(5)])
>>> ring = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0.5, 1, 0], [0, 0.5, 0]])
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "beads.npy")
...     np.save(path, [straight, 0.9 * straight, ring])
...     beads = read_trajectory(path, radius=0.4, step=2)
>>> beads.frames, beads.dimension, beads.excluded, beads.labels[-1]
(range(0, 3, 2), 3, 1, 'bead 4')
>>> [bool(np.linalg.norm(xyz[0] - xyz[4]) < 0.8) for xyz in beads]
[False, True]
"""

from __future__ import annotations

import os
from typing import Any

from elbowroom.files.frames import Asked, Trajectory
from elbowroom.files.molecules import of_universe
from elbowroom.files.topology import NAMELESS, open_universe
from elbowroom.files.trajectory_arrays import ARRAYS, of_array, read_array

__all__ = ["Trajectory", "read_trajectory"]

Name = str | os.PathLike[str]


def read_trajectory(
    path: Name,
    *,
    topology: Name | None = None,
    select: str | None = None,
    exclude: int | None = None,
    radius: float | None = None,
    scale: float | None = None,
    start: int = 0,
    stop: int | None = None,
    step: int = 1,
) -> Trajectory:
    """Reads beads that move: atoms of a simulation, or points in an array.

    Every format of MDAnalysis is read (DCD, XTC, TRR, PDB with many models, and more), and `.npy` and `.npz`
    files without it. An array has the shape (frames, n, 3), (frames, n, 2), (n, 3) or (n, 2); an `.npz`
    file holds one, or one named `xyz`, and may hold `radii` (n,). Beside XTC and TRR files MDAnalysis leaves
    an index of their frames, by which they open faster the next time.

    Periodic boxes are not taken into account: no atom is compared with an image of another.

    Parameters
    ----------
    path
        Name of the file with the frames.
    topology
        Name of the file with the atoms and, best, their bonds: PSF, TPR, PRMTOP, PDB, GRO, ... Not needed if
        the frames are in a file that names the atoms itself. Where bonds are not listed, or some only as in
        PDB files, atoms of the first frame near enough for their covalent radii are bonded; where elements
        are not known either, neighbours in the file.
    select
        Which atoms, in MDAnalysis's language, chosen where they are in the first frame. By default the heavy
        ones: no hydrogens and, if radii go by the elements, no metals, whose ions stand nearer to other
        atoms than these radii let them.
    exclude
        Atoms at most so many bonds apart, 3 by default, may touch; in an array without a topology, beads
        at most so many places apart along the sequence, 1 by default.
    radius
        One for all beads, instead of van der Waals radii [Bondi1964]_ or those in the file.
    scale
        Factor on the radii; by default 0.6 for van der Waals radii and 1 for others. At 0.6 the heavy atoms
        of simulated proteins are free: in 313 frames of five simulations no two more than three bonds apart
        were nearer than 0.75 times the sum of their radii.
    start, stop, step
        Which frames, counted from 0, as in a slice.

    Raises
    ------
    ValueError
        If a file cannot be read, the two do not belong together, the selection is none or empty, radii are
        not known, or coordinates of the first frame are not finite; the same for other frames when they are
        read. The message begins with the name of the argument or of the file.
    """
    file, asked = _name(path, "path"), Asked(select, exclude, radius, scale, start, stop, step)
    array, radii, notes = read_array(file) if file.lower().endswith(ARRAYS) else (None, None, ())
    if array is not None and topology is None:
        return of_array(file, array, radii, notes, asked)
    atoms = None if topology is None else _name(topology, "topology")
    if (atoms or file).lower().endswith(NAMELESS):
        raise ValueError(
            f"topology: {atoms or file} contains coordinates only; give a file with the atoms "
            "(PSF, PDB, GRO, TPR, ...)"
        )
    if array is not None and array.shape[2] != 3:
        raise ValueError(f"topology: cannot be used with the 2D points of {file}; remove it")
    return of_universe(file, atoms, open_universe(file, atoms, array), asked)


def _name(path: Any, argument: str) -> str:
    """A file that is there."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{argument} must be a file name, got {type(path).__name__}")
    name = os.fspath(path)
    if not os.path.isfile(name):
        what = "it is a folder" if os.path.isdir(name) else "no such file"
        raise FileNotFoundError(f"{'topology: ' if argument == 'topology' else ''}{name}: {what}")
    return name

"""Chains as files of other programs: PDB and mmCIF as they stand, DCD and XTC frame by frame.

Atoms come residue by residue in all of them, so that a trajectory goes with a PDB or mmCIF file of its chain.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _writing
from elbowroom.files.dcd import DcdWriter
from elbowroom.files.pdb_writer import file_order, pdb_lines, write_pdb

if TYPE_CHECKING:
    from elbowroom.chain import Chain

STRUCTURES, FRAMES = (".pdb", ".ent", ".cif", ".mmcif"), (".dcd", ".xtc")
#: XTC files hold nanometres, PDB files angstrom; and thousandths of the former.
ANGSTROM, THOUSANDTHS = 0.1, 1000.0
CHUNK = 1 << 20


def write_chain(path: str | os.PathLike[str], chain: Chain, frames: ArrayLike | None = None) -> None:
    """A chain as a file in the format that its suffix says.

    Parameters
    ----------
    path
        .pdb, .ent, .cif or .mmcif: the chain as it stands. .dcd or .xtc: its positions, or `frames`.
    chain
        A protein, with the names of its atoms, or any other chain as beads.
    frames
        (k, balls, 3): positions in many frames, each as `chain.positions(side=True)` gives them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import elbowroom as er
    >>> from elbowroom.files.writing import write_chain
    >>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0]], radii=0.45)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_chain(pathlib.Path(folder, "chain.pdb"), chain)
    ...     write_chain(pathlib.Path(folder, "chain.dcd"), chain, [chain.positions()] * 3)
    ...     sorted(path.name for path in pathlib.Path(folder).iterdir())
    ['chain.dcd', 'chain.pdb']
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file name, got {type(path).__name__}")
    suffix = Path(path).suffix.lower()
    if suffix in STRUCTURES:
        if frames is not None:
            raise ValueError(f"frames go into .dcd or .xtc files, not into {os.fspath(path)}")
        (write_pdb if suffix in (".pdb", ".ent") else _write_cif)(path, chain)
    elif suffix in FRAMES:
        places = _checked(frames, chain)[:, file_order(chain)]
        _writing.refuse_unwritable(path)
        with TemporaryDirectory(prefix="elbowroom-") as folder:
            made = Path(folder, f"frames{suffix}")
            try:
                (_write_dcd if suffix == ".dcd" else _write_xtc)(made, places)
            except OSError as error:  # a full disk, of which the file that was asked for is named
                why = error.strerror or str(error)
                raise OSError(error.errno or errno.EIO, why, os.fspath(path)) from error
            with made.open("rb") as content, _writing.replacing(path) as file:
                while part := content.read(CHUNK):
                    file.write(part)
    else:
        raise ValueError(
            f"path must end in one of {', '.join((*STRUCTURES, *FRAMES))}, got {os.fspath(path)!r:.80}"
        )


def _checked(frames: ArrayLike | None, chain: Chain) -> NDArray[np.float64]:
    now = chain.positions(side=True)
    if frames is None:
        return now[None]
    given = _arrays.numbers(frames, "frames")
    if given.ndim != 3 or given.shape[1:] != now.shape:
        raise ValueError(f"frames must have shape (k, {len(now)}, 3), got {given.shape}")
    return given


def _write_cif(path: str | os.PathLike[str], chain: Chain) -> None:
    from elbowroom.files.structures import gemmi

    structure = gemmi().read_pdb_string("".join(pdb_lines(chain)))
    structure.name = "elbowroom"
    structure.setup_entities()
    _writing.write_text(path, structure.make_mmcif_document().as_string())


def _write_dcd(path: Path, places: NDArray[np.float64]) -> None:
    with DcdWriter.create(path, atoms=places.shape[1]) as writer:
        for frame in places:
            writer.append(frame)


def _write_xtc(path: Path, places: NDArray[np.float64]) -> None:
    from elbowroom.files.topology import mdanalysis

    mdanalysis()  # says how to get it
    from MDAnalysis.lib.formats.libmdaxdr import XTCFile

    if np.abs(places).max() * ANGSTROM * THOUSANDTHS >= 2**31:
        raise ValueError("frames: XTC files hold no coordinates beyond 2,147,483 nanometres")
    with XTCFile(str(path), "w") as file:
        for step, frame in enumerate(places, 1):
            scaled = np.ascontiguousarray(frame * ANGSTROM, np.float32)
            file.write(scaled, np.zeros((3, 3), np.float32), step, float(step), THOUSANDTHS)

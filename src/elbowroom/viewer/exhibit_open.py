"""Opens an exhibit: a built-in scene by its name, or files."""

from __future__ import annotations

import os

from .built_in import SCENES, open_built_in
from .exhibit import Exhibit
from .exhibit_files import open_files


def open_exhibit(
    path_or_name: str | os.PathLike[str], *more: str | os.PathLike[str], **options: object
) -> Exhibit:
    """A built-in scene by its name, or what files hold, by their endings; `exhibit_of` is for bodies.

    Parameters
    ----------
    path_or_name
        One of `built_in()`, or a file: a mesh (STL, OBJ, PLY, OFF, ...), a protein (PDB, mmCIF), a robot
        (URDF), motion capture (BVH) or a trajectory (DCD, XTC, NPY, ...). A file in the way of a scene's
        name is opened as "./name".
    more
        Further files, of any kinds: all are asked about each other. With a trajectory, its topology alone.
    options
        Go to the readers of the first file's kind: `srdf` and `packages` to that of robots, `atoms` and
        `chain` to that of proteins, `radii` to that of motion capture, `topology`, `select`, `radius`,
        `start`, `stop` and `step` to that of trajectories.

    Examples
    --------
    >>> from elbowroom.viewer import Show, open_exhibit
    >>> chain = open_exhibit("chain")
    >>> chain.title, chain.levels
    ('A chain of ten thousand', 5)
    >>> chain.set("torsion", 30)
    >>> [layer.name for layer in chain.layers(Show())]
    ['body/chain', 'collisions/chain']
    """
    if isinstance(path_or_name, str) and path_or_name in SCENES:
        if more or options:
            raise ValueError(f"the built-in scene '{path_or_name}' takes no files and no options")
        return open_built_in(path_or_name)
    return open_files([path_or_name, *more], **options)

"""Exhibits of files: proteins, robots, motion capture, meshes and trajectories, by their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import elbowroom as er

from .exhibit import Exhibit
from .exhibit_bodies import Member, numbered, stage

if TYPE_CHECKING:
    from elbowroom.files.assembly import Assembly

Name = str | os.PathLike[str]

PROTEINS = (".pdb", ".ent", ".cif", ".mmcif")
ARRAYS = (".npy", ".npz")
FRAMES = (*ARRAYS, ".dcd", ".xtc", ".trr", ".nc", ".ncdf", ".h5md", ".xyz", ".lammpstrj", ".gsd")
TOPOLOGIES = (".psf", ".gro", ".tpr", ".prmtop", ".parm7", ".top", ".itp")
#: Files that may hold many parts.
ASSEMBLIES = (".glb", ".gltf", ".3mf", ".obj", ".dae", ".step", ".stp", ".ifc")
SURFACES = (".stl", ".ply", ".off")
#: A trajectory with more coordinates than this is shown in fewer frames.
MOST_NUMBERS = 30_000_000
#: Of a protein with more chains than this the first are shown.
MOST_CHAINS = 6


def open_files(files: Sequence[Name], **options: Any) -> Exhibit:
    """What the files hold, as one exhibit; options go to the readers of the first file's kind."""
    paths = [Path(file) for file in files]
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        what = "it is a folder" if missing.is_dir() else "no such file, and no built-in scene of this name"
        raise FileNotFoundError(f"'{missing}': {what}")
    title = " and ".join(path.name for path in paths)
    if any(_ends(path, FRAMES + TOPOLOGIES) for path in paths):
        _refuse_options(TRAJECTORY, options)
        member, hint = _trajectory(paths, options)
        return stage([member], title=title, hint=hint)
    _refuse_options(_kind(paths[0]), options)
    assembly = None if options else _assembly(paths)
    if assembly is not None:
        from .exhibit_assembly import AssemblyExhibit

        return AssemblyExhibit(title, assembly)
    cast = [
        member
        for path, name in zip(paths, _names(paths), strict=True)
        for member in _read(path, name, paths, options)
    ]
    return stage(cast, title=title, up="y" if _ends(paths[0], (".bvh",)) else "z")


def _read(path: Path, name: str, paths: Sequence[Path], options: dict[str, Any]) -> Iterator[Member]:
    """What one file holds; options are for those of the first one's kind."""
    kind = _kind(path)
    return kind.read(path, name, options if kind is _kind(paths[0]) else {})


def _assembly(paths: Sequence[Path]) -> Assembly | None:
    """What mesh files hold, if these are assemblies of several parts."""
    known = all(_ends(path, (*ASSEMBLIES, *SURFACES)) for path in paths)
    if not known or not any(_ends(path, ASSEMBLIES) for path in paths):
        return None
    from elbowroom.files.assembly import read_assembly

    assembly = read_assembly(paths)
    return assembly if len(assembly.parts) > len(paths) else None


def _ends(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().removesuffix(".gz").removesuffix(".bz2").endswith(endings)


def _names(paths: Sequence[Path]) -> list[str]:
    """Names of files without their endings."""
    return numbered([path.name.removesuffix(".gz").rpartition(".")[0] or path.name for path in paths])


def _mesh(path: Path, name: str, options: dict[str, Any]) -> Iterator[Member]:
    if _ends(path, (".srdf", ".html", ".json", ".toml", ".csv")):
        raise ValueError(f"'{path}': unknown file type; pass an SRDF file with the option srdf")
    yield Member(name, er.Mesh.load(path, **options))


def _robot(path: Path, name: str, options: dict[str, Any]) -> Iterator[Member]:
    body = er.Articulated.from_urdf(path, **options)
    if not body.shapes:
        raise ValueError(f"{path}: has no collision shapes")
    yield Member(name, body)


def _clip(path: Path, name: str, options: dict[str, Any]) -> Iterator[Member]:
    yield Member(name, er.Articulated.from_bvh(path, **options))


def _protein(path: Path, name: str, options: dict[str, Any]) -> Iterator[Member]:
    """Every chain of the protein, with all its heavy atoms unless others are asked for."""
    given = {"atoms": "all", "breaks": "bridge"} | options
    chains = [] if given.get("chain") is not None else _protein_chains(path, given.get("model"))
    if len(chains) < 2:
        yield Member(name, er.Chain.from_pdb(path, **given))
        return
    for chain in chains[:MOST_CHAINS]:
        yield Member(f"{name} {chain}", er.Chain.from_pdb(path, **given | {"chain": chain}))


def _protein_chains(path: Path, model: int | None) -> list[str]:
    from elbowroom.files.residues import choose_chain
    from elbowroom.files.structures import choose_model, read_structure

    chosen = choose_model(read_structure(path), model, str(path))
    found = []
    for name in [chain.name for chain in chosen]:
        with suppress(ValueError):  # no protein
            choose_chain(chosen, name, str(path))
            found.append(name)
    return found


def _trajectory(paths: Sequence[Path], options: dict[str, Any]) -> tuple[Member, str]:
    """Beads that all move, and what is to be known about them; a second file is the topology."""
    from elbowroom.files.trajectory import read_trajectory

    if len(paths) > 2:
        raise ValueError(f"a trajectory takes one topology, got {len(paths)} files")
    moving = next((path for path in paths if _ends(path, FRAMES)), paths[0])
    atoms = [path for path in paths if path is not moving]
    options, hint = (({"topology": atoms[0]} if atoms else {}) | options), ""
    if _ends(moving, ARRAYS) and not {"topology", "radius"} & set(options):
        options, hint = _with_radius(moving, options)
    read = read_trajectory(moving, **options)
    if "step" not in options and read.n_frames * read.first.size > MOST_NUMBERS:
        step = -(-read.n_frames * read.first.size // MOST_NUMBERS)
        read = read_trajectory(moving, **options, step=step)
    frames = np.stack(list(read))
    necklace = er.Necklace(frames[0], read.radii, exclude=read.excluded)
    hint = " ".join([hint, *read.notes]).strip().replace(str(moving), moving.name)
    return Member(_names([moving])[0], necklace, frames=frames), hint


def _with_radius(file: Path, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """For points without radii one at which nothing overlaps in the first frame."""
    from elbowroom.files.trajectory_arrays import read_array

    array, radii, _ = read_array(str(file))
    if radii is not None:
        return options, ""
    first = np.array(array[0], dtype=float)
    gap = er.self_distance(er.Necklace(first, 0.0)).value
    if not 0 < gap < np.inf:
        gap = float(np.median(np.linalg.norm(np.diff(first, axis=0), axis=1))) or 1.0
    radius = float(f"{0.49 * gap:.2g}")
    hint = f"The file has no radii: {radius:g} is used, so that nothing overlaps in the first frame."
    return options | {"radius": radius}, hint


class Kind(NamedTuple):
    """What is read from names with these endings, how, and with which options."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[Path, str, dict[str, Any]], Iterator[Member]]
    options: tuple[str, ...]


MESH = Kind("a mesh", (), _mesh, ("children",))
KINDS = (
    Kind("a protein", PROTEINS, _protein, ("chain", "atoms", "model", "scale", "breaks")),
    Kind("a robot", (".urdf",), _robot, ("srdf", "packages", "exclude", "refit")),
    Kind("motion capture", (".bvh",), _clip, ("radii", "radius_scale", "refit")),
)
TRAJECTORY = ("topology", "select", "exclude", "radius", "scale", "start", "stop", "step")


def _kind(path: Path) -> Kind:
    return next((kind for kind in KINDS if _ends(path, kind.endings)), MESH)


def _refuse_options(kind: Kind | tuple[str, ...], options: dict[str, Any]) -> None:
    name, known = (kind.name, kind.options) if isinstance(kind, Kind) else ("a trajectory", kind)
    for option in options:
        if option not in known:
            raise ValueError(f"{option}: not supported for {name}; supported: {', '.join(known)}")

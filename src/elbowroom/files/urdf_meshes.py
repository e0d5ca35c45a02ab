"""The mesh files that a URDF names: where they are, and what they hold."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.files.opening import etree
from elbowroom.mesh import Mesh

Folder: TypeAlias = str | os.PathLike[str]
Packages: TypeAlias = Mapping[str, Folder] | Sequence[Folder] | Folder | None


def package_folders(value: Packages) -> Mapping[str, Path] | list[Path]:
    """The argument `packages`, checked: folders by name of package, or folders to search."""
    if isinstance(value, Mapping):
        return {str(name): _folder(folder, f"packages[{name!r}]") for name, folder in value.items()}
    single = isinstance(value, (str, os.PathLike))
    folders = [value] if single else [] if value is None else _arrays.listed(value, "packages")
    return [_folder(folder, "packages") for folder in folders]


def _folder(value: object, what: str) -> Path:
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what} must be a folder, got {type(value).__name__}")
    folder = Path(os.fspath(value))
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{what}: '{folder}': no such folder")
    return folder


class MeshFiles:
    """Loads the meshes of one URDF; a file with a scale is loaded once, however often it is named."""

    def __init__(self, urdf: Path, packages: Mapping[str, Path] | list[Path]) -> None:
        self._urdf = urdf
        self._packages = packages
        self._loaded: dict[tuple[Path, tuple[float, ...]], Mesh] = {}

    def load(self, written: str, scale: NDArray[np.float64]) -> Mesh:
        """The mesh of a name as it is written in the URDF."""
        return self._scaled(self._find(written).resolve(), tuple(scale.tolist()))

    def _scaled(self, file: Path, scale: tuple[float, ...]) -> Mesh:
        key = file, scale
        if key not in self._loaded:
            as_it_is = scale == (1, 1, 1)
            self._loaded[key] = _load(file) if as_it_is else _stretched(self._scaled(file, (1, 1, 1)), scale)
        return self._loaded[key]

    def _find(self, written: str) -> Path:
        looked = list(self._places(written))
        for place in looked:
            if place.is_file():
                return place
        places = ", ".join(f"'{place}'" for place in looked)
        where = f"searched {places}" if looked else self._no_package()
        raise FileNotFoundError(f"mesh '{written}' not found: {where}")

    def _no_package(self) -> str:
        hint = "" if self._packages else "; packages was not given"
        given = "packages, " if self._packages else ""
        return (
            f"no folder with the name of its package is in {given}ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, "
            f"or '{self._urdf.absolute().parent}' and the folders above it{hint}"
        )

    def _places(self, written: str) -> Iterator[Path]:
        """Where the file may be, the likeliest first."""
        scheme, rest = _split_scheme(written)
        if scheme in ("package", "model"):
            package, _, inside = unquote(rest).lstrip("/").partition("/")
            yield from dict.fromkeys(folder / inside for folder in self._package(package))
        elif scheme in ("", "file"):
            yield self._urdf.parent / (unquote(rest) if scheme else rest)
        else:
            raise ValueError(f"mesh '{written}' is not a file: '{scheme}://' is not read")

    def _package(self, name: str) -> Iterator[Path]:
        """Folders that may be the package."""
        if isinstance(self._packages, Mapping) and name in self._packages:
            yield self._packages[name]
            return
        if not isinstance(self._packages, Mapping):
            for folder in self._packages:
                yield from _below(folder, name)
        for parent in self._urdf.absolute().parents:
            yield from _at(parent, name)
        for folder in _listed("ROS_PACKAGE_PATH"):
            yield from _below(folder, name)
        for prefix in _listed("AMENT_PREFIX_PATH"):
            yield from _at(prefix / "share", name)


def _split_scheme(written: str) -> tuple[str, str]:
    scheme, found, rest = written.partition("://")
    return (scheme.lower(), rest) if found else ("", written)


def _listed(variable: str) -> list[Path]:
    return [Path(folder) for folder in os.environ.get(variable, "").split(os.pathsep) if folder]


def _at(folder: Path, name: str) -> Iterator[Path]:
    """The folder itself, if it has the name of the package, and the one of that name in it."""
    if folder.name == name:
        yield folder
    if (folder / name).is_dir():
        yield folder / name


def _below(folder: Path, name: str) -> Iterator[Path]:
    """And one level deeper, where a package is one of several in a repository."""
    yield from _at(folder, name)
    if folder.is_dir():
        yield from (found for child in sorted(folder.iterdir()) if (found := child / name).is_dir())


def _load(file: Path) -> Mesh:
    if file.suffix.lower() != ".dae":
        return Mesh.load(file)
    need_collada()
    mesh, unit = Mesh.load(file), metres(file)
    return mesh if unit == 1 else _stretched(mesh, (unit, unit, unit))


def need_collada() -> None:
    if importlib.util.find_spec("collada") is None:
        raise ImportError(
            "reading COLLADA meshes (.dae) needs pycollada, which is not installed: "
            "pip install elbowroom[robots]"
        )


def metres(file: Path) -> float:
    """The unit of a COLLADA file, which trimesh leaves to its caller."""
    for _, element in etree().iterparse(str(file), tag="{*}unit"):
        return float(element.get("meter", "1"))
    return 1.0


def _stretched(mesh: Mesh, scale: tuple[float, ...]) -> Mesh:
    """Triangles keep their outer side when they are mirrored."""
    faces = mesh.faces[:, ::-1] if np.prod(np.sign(scale)) < 0 else mesh.faces
    with np.errstate(over="ignore"):  # the mesh refuses what is not finite
        vertices = mesh.vertices * scale
    return Mesh(vertices, faces)

"""Assemblies: files of many named parts in their places, read into one list.

`read_assembly` takes glTF, OBJ with groups, 3MF, robots (URDF), MoveIt scenes, folders of meshes, and what
else trimesh reads. Parts that are placed several times share their triangles. Scale is applied to the
triangles, also where it differs by direction or mirrors; what is left is a rigid pose.

>>> import pathlib, tempfile
>>> from elbowroom.files.assembly import read_assembly
>>> text = '''o plate
... v 0 0 0
... v 1 0 0
... v 0 1 0
... f 1 2 3
... o lid
... f 3 2 1'''
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "box.obj")
...     _ = path.write_text(text)
...     assembly = read_assembly(path)
>>> assembly
Assembly of 2 parts, 2 triangles, no unit: box.obj
>>> assembly.names
('plate', 'lid')
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.files.assembly_holding import held
from elbowroom.files.assembly_parts import (
    UNITS,
    Attachment,
    Found,
    Geometry,
    Reading,
    Stretching,
    unit_named,
)
from elbowroom.files.opening import blaming
from elbowroom.files.urdf_meshes import Packages
from elbowroom.group import Group
from elbowroom.mesh import Mesh
from elbowroom.pose import Pose

File: TypeAlias = str | os.PathLike[str]
#: Called with what is being read, and how many files of how many are done.
Say: TypeAlias = Callable[[str, int, int], None]

#: Endings of meshes that are looked for in a folder.
MESHES = (".stl", ".ply", ".obj", ".off", ".glb", ".gltf", ".3mf", ".dae")
#: What each ending is read by: a function of this name in this module.
READERS = {
    ".glb": "gltf",
    ".gltf": "gltf",
    ".obj": "obj",
    ".3mf": "3mf",
    ".urdf": "robots",
    ".yaml": "robots",
    ".yml": "robots",
    ".step": "step",
    ".stp": "step",
    ".ifc": "ifc",
}


@dataclass(frozen=True, eq=False)
class Part:
    """One part: a unique name, what it is made of, and its pose in the assembly.

    Attributes
    ----------
    name
        Unique in the assembly.
    shape
        Triangles that several parts may share, a rigid body, or an articulated one (a robot).
    pose
        From the part to the assembly.
    parents
        Names of the nodes above it, the outermost first.
    file
        Where it was read from.
    attached
        The robot and its link that hold the part, and the links that it may touch.
    """

    name: str
    shape: Geometry | Body | Articulated
    pose: Pose
    parents: tuple[str, ...] = ()
    file: str = ""
    attached: Attachment | None = None

    @property
    def body(self) -> Body | Articulated:
        """What questions take; the tree of triangles is built when it is first asked for."""
        return self.shape.mesh if isinstance(self.shape, Geometry) else self.shape

    @property
    def triangles(self) -> int:
        """How many triangles it has; 0 if it is made of shapes."""
        return _triangles(self.shape)


def _triangles(shape: Geometry | Body | Articulated) -> int:
    if isinstance(shape, Geometry | Mesh):
        return len(shape.faces)
    if isinstance(shape, Group):
        return sum(_triangles(member) for member, _ in shape.members)
    if isinstance(shape, Articulated):
        return sum(_triangles(body) for _, body, _ in shape.shapes)
    return 0


@dataclass(frozen=True, eq=False)
class Assembly:
    """What `read_assembly` has read.

    Attributes
    ----------
    parts
        In the order of the files.
    unit
        The unit of all lengths, or None if no file states one.
    notes
        What a reader should know: names that were numbered, units that were converted, what was left out.
    allowed
        Pairs of names of parts and links that are never compared, because the files say so.
    """

    parts: tuple[Part, ...]
    unit: str | None
    notes: tuple[str, ...]
    files: tuple[str, ...]
    allowed: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parts."""
        return tuple(part.name for part in self.parts)

    @cached_property
    def triangles(self) -> int:
        """Triangles of all parts, those that are shared as often as they are placed."""
        return sum(part.triangles for part in self.parts)

    def __repr__(self) -> str:
        many = f"{len(self.parts):,} part{'s' * (len(self.parts) != 1)}"
        unit = f"in {self.unit}" if self.unit else "no unit"
        files = ", ".join(os.path.basename(file) for file in self.files[:3])
        more = f" and {len(self.files) - 3} more" if len(self.files) > 3 else ""
        return f"Assembly of {many}, {self.triangles:,} triangles, {unit}: {files}{more}"


def read_assembly(
    paths: File | Sequence[File],
    *,
    units: str | None = None,
    assume: str | None = None,
    packages: Packages = None,
    said: Say | None = None,
) -> Assembly:
    """Reads the parts of one file, of several, or of a folder.

    Coordinates are those of the file: axes are not changed, and glTF has y up.

    Parameters
    ----------
    paths
        File or folder, or a list of them. Of a folder, all mesh files in it and below are read.
    units
        Unit of the result: "mm", "cm", "m", "in", "ft" or "um". Files that state a unit are converted.
        Without it, the unit of the first file that states one is taken. Files that state none are taken to
        be in it.
    assume
        The unit that the numbers in the files have, whatever the files state.
    packages
        Where meshes of `package://name/...` are, of robots.
    said
        Called with what is being read, and how many files of how many are done.

    Raises
    ------
    ValueError
        If a file cannot be read; the message names it, and the node.
    """
    wanted, stated = unit_named(units, "units"), unit_named(assume, "assume")
    listed = _listed(paths)
    readings = []
    for k, (file, name) in enumerate(listed):
        if said is not None:
            said(f"reading {os.path.basename(file)}", k, len(listed))
        readings.append(_read(file, name, packages, said))
    if stated is not None:
        for reading in readings:
            reading.unit = stated
    return _joined(readings, wanted)


def _listed(paths: File | Sequence[File]) -> list[tuple[str, str]]:
    """All files, and the name of a part that has none of its own."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Sequence) or any(not isinstance(one, (str, os.PathLike)) for one in paths):
        raise TypeError(f"paths must be a file name, or a list of them, got {type(paths).__name__}")
    if not paths:
        raise ValueError("paths is empty: at least one file is needed")
    listed = []
    for each in [os.fspath(path) for path in paths]:
        if os.path.isdir(each):
            listed += _in_folder(each)
        elif os.path.isfile(each):
            listed.append((each, Path(each).stem))
        else:
            raise FileNotFoundError(f"'{each}': no such file or folder")
    return listed


def _in_folder(folder: str) -> list[tuple[str, str]]:
    found = sorted(
        path for path in Path(folder).rglob("*") if path.suffix.lower() in MESHES and path.is_file()
    )
    if not found:
        raise ValueError(f"{folder}: contains no mesh files ({', '.join(MESHES)})")
    return [(str(path), path.relative_to(folder).with_suffix("").as_posix()) for path in found]


def _read(file: str, name: str, packages: Packages, said: Say | None) -> Reading:
    """What one file holds."""
    from importlib import import_module

    kind = READERS.get(os.path.splitext(file)[1].lower(), "other")
    reader = import_module(f"elbowroom.files.assembly_{kind}")
    with blaming(file):
        reading = Reading(file, name, packages, said)
        reader.read(reading)
        if not reading.found:
            why = f" ({'; '.join(reading.notes)})" if reading.notes else ""
            raise ValueError(f"{file}: contains no triangles{why}")
    return reading


def _joined(readings: list[Reading], wanted: str | None) -> Assembly:
    """One list with one unit and unique names."""
    stated = [reading for reading in readings if reading.unit is not None]
    rigid = any(not isinstance(found.shape, Geometry) for each in readings for found in each.found)
    unit = wanted or ("m" if rigid else stated[0].unit if stated else None)
    notes = [f"{os.path.basename(each.file)}: {note}" for each in readings for note in each.notes]
    notes += _about_units(readings, unit, converted=wanted is None)
    parts: list[Part] = []
    for reading in readings:
        factor = 1.0 if unit is None or reading.unit is None else UNITS[reading.unit] / UNITS[unit]
        parts += _placed(reading, factor)
    parts, renamed = _named_once(parts)
    notes += renamed
    joints = {name: value for reading in readings for name, value in reading.joints.items()}
    parts, touching, lost = held(parts, joints)
    allowed = [pair for reading in readings for pair in reading.allowed] + touching
    files = tuple(each.file for each in readings)
    return Assembly(tuple(parts), unit, tuple(notes + lost), files, tuple(allowed))


def _about_units(readings: list[Reading], unit: str | None, *, converted: bool) -> list[str]:
    """What to say about files in other units than the first, and about those that state none."""
    if unit is None:
        return []
    others = [each for each in readings if each.unit not in (None, unit)]
    silent = [each for each in readings if each.unit is None]
    notes = []
    if others and converted:
        notes.append(f"units differ: {_some(others)} converted from {others[0].unit} to {unit}")
    if silent:
        notes.append(f"{_some(silent)} without a unit, taken to be in {unit}")
    return notes


def _some(readings: list[Reading]) -> str:
    first = os.path.basename(readings[0].file)
    return first if len(readings) == 1 else f"{first} and {len(readings) - 1} more"


def _placed(reading: Reading, factor: float) -> list[Part]:
    """The parts of one file, with scale and unit in their triangles."""
    stretching = Stretching(reading)
    grown = np.diag([factor, factor, factor, 1.0])
    return [_part(each, grown @ each.matrix, stretching, reading) for each in reading.found]


def _part(found: Found, matrix: NDArray[np.float64], stretching: Stretching, reading: Reading) -> Part:
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in found.name or reading.name)
    if isinstance(found.shape, Geometry):
        shape: Geometry | Body | Articulated
        shape, pose = stretching.applied(found.shape, matrix, name)
    else:
        if not np.allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3)):
            raise ValueError(f"'{name}' has shapes in metres, which cannot be converted: units must be 'm'")
        shape, pose = found.shape, Pose.from_matrix(matrix)
    return Part(name, shape, pose, found.parents, reading.file, found.attached)


def _named_once(parts: list[Part]) -> tuple[list[Part], list[str]]:
    """Names that occur more than once get numbers."""
    count = Counter(part.name for part in parts)
    taken, seen = set(count), Counter[str]()
    out, numbered = [], dict.fromkeys(name for name, many in count.items() if many > 1)
    for part in parts:
        name = part.name
        if name in numbered:
            seen[name] += 1
            while f"{name} #{seen[name]}" in taken:
                seen[name] += 1
            name = f"{name} #{seen[name]}"
            taken.add(name)
        out.append(replace(part, name=name))
    if not numbered:
        return out, []
    first = next(iter(numbered))
    many = f"{len(numbered)} names occur" if len(numbered) > 1 else "one name occurs"
    return out, [f"{many} more than once; parts got numbers: '{first}' is '{first} #1', '{first} #2'"]

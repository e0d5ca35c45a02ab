"""What the readers of assemblies find: triangles that several parts share, and their places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.files.mesh_limits import INDEX, VERTEX
from elbowroom.files.unpacking import Allowance, TooLarge
from elbowroom.files.urdf_meshes import Packages
from elbowroom.mesh import Mesh
from elbowroom.pose import Pose

Floats = NDArray[np.float64]

#: Metres in a unit, by the names that are used.
UNITS = {"m": 1.0, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}
OTHER_NAMES = {
    "meter": "m",
    "metre": "m",
    "centimeter": "cm",
    "centimetre": "cm",
    "millimeter": "mm",
    "millimetre": "mm",
    "micron": "um",
    "inch": "in",
    "foot": "ft",
}
#: A scale that differs less than this from 1 is rounding of single precision.
ROUNDING = 1e-6
#: An assembly has at most so many parts.
MOST_PARTS = 1_000_000
#: Nodes are nested no deeper than this.
DEEPEST = 1000


def unit_named(name: str | None, argument: str) -> str | None:
    """The name of a unit as it is used here."""
    if name is None:
        return None
    found = OTHER_NAMES.get(name, name) if isinstance(name, str) else name
    if found not in UNITS:
        raise ValueError(f"{argument} must be one of {', '.join(UNITS)}, got {_arrays.shown(name)}")
    return found


class Geometry:
    """Triangles that one part or several are made of.

    Arrays are checked when it is made; the tree over the triangles is built when it is first needed.
    """

    def __init__(self, vertices: object, faces: object, name: str) -> None:
        try:
            self.vertices: Floats = _arrays.points(vertices, "vertices")  # type: ignore[arg-type]
            self.faces: NDArray[np.int32] = _arrays.faces(faces, len(self.vertices), "faces")  # type: ignore[arg-type]
        except ValueError as error:
            raise ValueError(f"'{name}': {error}") from error

    @cached_property
    def mesh(self) -> Mesh:
        """The body."""
        return Mesh(self.vertices, self.faces)


@dataclass(frozen=True, eq=False)
class Attachment:
    """What holds a part: a link of a robot; and the links that the part may touch."""

    link: str
    touching: tuple[str, ...] = ()
    robot: str = ""


@dataclass(frozen=True, eq=False)
class Found:
    """One part as it stands in a file: its matrix (4, 4) may scale, shear and mirror."""

    name: str
    shape: Geometry | Body | Articulated
    matrix: Floats
    parents: tuple[str, ...] = ()
    attached: Attachment | None = None


@dataclass
class Reading:
    """One file, and what was found in it."""

    file: str
    name: str
    packages: Packages = None
    said: Callable[[str, int, int], None] | None = None
    unit: str | None = None
    found: list[Found] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    allowed: list[tuple[str, str]] = field(default_factory=list)
    joints: dict[str, float] = field(default_factory=dict)

    @cached_property
    def allowance(self) -> Allowance:
        """How much the file may still unpack to."""
        return Allowance(self.file)

    def add(self, found: Found) -> None:
        """One more part."""
        if len(self.found) == MOST_PARTS:
            raise TooLarge(f"{self.file}: has more than {MOST_PARTS:,} parts")
        self.found.append(found)

    def note(self, text: str) -> None:
        """Say it once."""
        if text not in self.notes:
            self.notes.append(text)


class Stretching:
    """Takes scale, shear and mirroring out of matrices, and applies them to the triangles."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._made: dict[tuple[Geometry, bytes], Geometry] = {}

    def applied(self, geometry: Geometry, matrix: Floats, name: str) -> tuple[Geometry, Pose]:
        """The stretched triangles, which parts with the same stretch share, and the rigid pose."""
        if not np.isfinite(matrix).all():
            raise ValueError(f"'{name}': its pose has numbers that are not finite")
        rotation, stretch = _polar(matrix[:3, :3])
        try:
            pose = Pose(rotation, matrix[:3, 3])
        except ValueError as error:
            raise ValueError(f"'{name}': {error}") from error
        if np.abs(stretch - np.eye(3)).max() <= ROUNDING:
            return geometry, pose
        key = geometry, np.round(stretch / np.abs(stretch).max(), 7).tobytes() + _digits(stretch)
        if key not in self._made:
            self._reading.allowance.take(VERTEX * len(geometry.vertices) + 3 * INDEX * len(geometry.faces))
            self._made[key] = _stretched(geometry, stretch, name)
        return self._made[key], pose


def _digits(stretch: Floats) -> bytes:
    return f"{np.abs(stretch).max():.6e}".encode()


def _polar(linear: Floats) -> tuple[Floats, Floats]:
    """A rotation, and the symmetric map that comes before it; the map mirrors if the whole does."""
    left, sizes, right = np.linalg.svd(linear)
    rotation, stretch = left @ right, (right.T * sizes) @ right
    if np.linalg.det(rotation) < 0:
        return -rotation, -stretch
    return rotation, stretch


def _stretched(geometry: Geometry, stretch: Floats, name: str) -> Geometry:
    """Triangles keep their outer side when they are mirrored."""
    mirrored = np.linalg.det(stretch) < 0
    faces = geometry.faces[:, ::-1] if mirrored else geometry.faces
    with np.errstate(over="ignore"):  # vertices that are not finite are refused
        return Geometry(geometry.vertices @ stretch.T, faces, name)

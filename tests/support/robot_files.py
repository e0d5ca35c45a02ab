"""Small URDF, SRDF and BVH files, written for the tests that read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elbowroom.files.bvh import BvhParts, read_bvh
from elbowroom.files.urdf import RobotParts, read_urdf

Read = Callable[..., BvhParts]
ReadRobot = Callable[..., RobotParts]

ROOT = ("Xposition", "Yposition", "Zposition", "Zrotation", "Yrotation", "Xrotation")
NONE = (0.0, 0.0, 0.0)

#: A tetrahedron, as the text of mesh files.
CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])

COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified>
<unit name="unit" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_geometries><geometry id="g" name="g"><mesh>
<source id="p"><float_array id="a" count="12">{points}</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{faces}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">
<node id="outer"><matrix>0 -1 0 10  1 0 0 0  0 0 1 0  0 0 0 1</matrix>
<node id="inner"><translate>0 0 5</translate><instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def write_obj(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"f {a} {b} {c}" for a, b, c in FACES + 1]
    path.write_text("\n".join(rows) + "\n")
    return path


def write_dae(path: Path, unit: float = 1.0, up: str = "Z_UP") -> Path:
    """The tetrahedron, within two nodes that move it."""
    points, faces = (" ".join(map(str, values.ravel())) for values in (CORNERS, FACES))
    path.write_text(COLLADA.format(unit=unit, up=up, points=points, faces=faces))
    return path


def in_dae() -> np.ndarray:
    """Its corners as those nodes move them."""
    x, y, z = CORNERS.T
    return np.column_stack([10 - y, x, z + 5])


def collision(geometry: str, xyz: str = "0 0 0", rpy: str = "0 0 0") -> str:
    return f'<collision><origin xyz="{xyz}" rpy="{rpy}"/><geometry>{geometry}</geometry></collision>'


def mesh(filename: object, more: str = "") -> str:
    return collision(f'<mesh filename="{filename}" {more}/>')


def link(name: str, *parts: str) -> str:
    return f'<link name="{name}">{"".join(parts)}</link>'


def joint(name: str, kind: str, parent: str, child: str, *parts: str) -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{"".join(parts)}</joint>'


def robot(*parts: str, name: str = "robot") -> str:
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>\n"


def urdf_reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ReadRobot:
    """Writes a robot of some parts to robot.urdf and reads that, as if there were no ROS."""
    for name in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)

    def read(*parts: str, **options: Any) -> RobotParts:
        path = folder / "robot.urdf"
        path.write_text(robot(*parts))
        return read_urdf(path, **options)

    return read


@dataclass
class Bvh:
    """A joint of a skeleton to be written: offset, channels, children and end sites."""

    name: str
    offset: Sequence[float]
    channels: Sequence[str] = ("Zrotation", "Yrotation", "Xrotation")
    children: list[Bvh] = field(default_factory=list)
    ends: list[Sequence[float]] = field(default_factory=list)

    def lines(self, word: str = "JOINT") -> list[str]:
        place = "OFFSET " + " ".join(map(repr, map(float, self.offset)))
        own = [f"{word} {self.name}", "{", place, f"CHANNELS {len(self.channels)} {' '.join(self.channels)}"]
        for child in self.children:
            own += child.lines()
        for end in self.ends:
            own += ["End Site", "{", "OFFSET " + " ".join(map(repr, map(float, end))), "}"]
        return [*own, "}"]

    def all(self) -> list[Bvh]:
        """Itself and the joints below it, depth first: the order of the file."""
        return [self, *(joint for child in self.children for joint in child.all())]


def bvh_text(root: Bvh, values: np.ndarray, frame_time: float = 0.01) -> str:
    rows = [" ".join(map(repr, row)) for row in values.tolist()]
    head = ["HIERARCHY", *root.lines("ROOT"), "MOTION", f"Frames: {len(values)}", f"Frame Time: {frame_time}"]
    return "\n".join([*head, *rows]) + "\n"


def bvh_reader(folder: Path) -> Read:
    """Writes a text to motion.bvh and reads that."""

    def read(text: str, **options: Any) -> BvhParts:
        path = folder / "motion.bvh"
        path.write_text(text)
        return read_bvh(path, **options)

    return read


def figure() -> Bvh:
    """A person 1.8 high, with bones that have no length, as in the files of the CMU."""
    parts: list[Bvh] = []
    for name, side in (("left", 1), ("right", -1)):
        foot = Bvh(f"{name} foot", (0, -0.42, 0), ends=[(0, -0.06, 0.15)])
        thigh = Bvh(
            f"{name} thigh",
            (0.1 * side, -0.08, 0),
            children=[Bvh(f"{name} shin", (0, -0.43, 0), children=[foot])],
        )
        parts.append(Bvh(f"{name} hip", NONE, children=[thigh]))
    arms = []
    for name, side in (("left", 1), ("right", -1)):
        thumb = Bvh(f"{name} thumb", NONE, ends=[(0.05 * side, 0, 0.05)])
        hand = Bvh(f"{name} hand", (0.25 * side, 0, 0), children=[thumb], ends=[(0.15 * side, 0, 0)])
        elbow = Bvh(f"{name} elbow", (0.3 * side, 0, 0), children=[hand])
        arms.append(
            Bvh(
                f"{name} arm",
                NONE,
                children=[Bvh(f"{name} shoulder", (0.2 * side, 0.05, 0), children=[elbow])],
            )
        )
    neck = Bvh("neck", NONE, ends=[(0, 0.3, 0)])
    chest = Bvh("chest", (0, 0.25, 0), children=[neck, *arms])
    return Bvh("hips", NONE, ROOT, children=[*parts, Bvh("spine", (0, 0.2, 0), children=[chest])])


#: The figure at rest.
STILL = np.zeros((1, sum(len(joint.channels) for joint in figure().all())))


def random_values(root: Bvh, frames: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform(-180, 180, (frames, sum(len(joint.channels) for joint in root.all())))

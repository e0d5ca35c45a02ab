"""Small scenes and requests of MoveIt, written for the tests that read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from elbowroom.files.moveit import Scene, read_scene

Read = Callable[..., Scene]

#: A corner of the unit cube, as an OBJ file.
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#: A quarter turn about z.
TURNED = "[0, 0, 0.7071067811865476, 0.7071067811865476]"
REQUEST = """group_name: arm
start_state:
  joint_state: {name: [to a, to b, finger], position: [1, -2e-0, 9]}
goal_constraints:
  - joint_constraints:
      - {joint_name: to a, position: 1e-3}
      - {position: 2.5, joint_name: to c}
"""


def scene_text(*objects: str, more: str = "") -> str:
    return "world:\n  collision_objects:\n" + "".join(f"    - {each}\n" for each in objects) + more


def one(shape: str, more: str = "", name: str = "thing") -> str:
    return f"{{id: {name}, primitives: [{{{shape}}}]{', ' if more else ''}{more}}}"


def scene_reader(folder: Path) -> Read:
    """Writes a scene to a file and reads that."""

    def written(*objects: str, more: str = "", **options: Any) -> Scene:
        file = folder / "scene.yaml"
        file.write_text(scene_text(*objects, more=more))
        return read_scene(file, **options)

    return written

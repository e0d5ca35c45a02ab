"""Parts of robots and of MoveIt scenes: a robot is one part, and so is every collision object."""

from __future__ import annotations

import os

import numpy as np

from elbowroom.articulated import Articulated
from elbowroom.files.assembly_parts import Attachment, Found, Reading


def read(reading: Reading) -> None:
    """A URDF file, or a planning scene in YAML; both are in metres."""
    reading.unit = "m"
    if os.path.splitext(reading.file)[1].lower() == ".urdf":
        robot = Articulated.from_urdf(reading.file, packages=reading.packages)
        reading.add(Found(reading.name, robot, np.eye(4)))
        return
    from elbowroom.files.moveit import read_scene

    scene = read_scene(reading.file, packages=reading.packages)
    for name, (body, pose) in zip(scene.names, scene.obstacles, strict=True):
        reading.add(Found(name, body, pose.matrix))
    for held in scene.attached:
        attached = Attachment(held.link, held.touching)
        reading.add(Found(held.name, held.body, held.pose.matrix, attached=attached))
    reading.allowed += scene.allowed
    reading.joints |= scene.joints or {}

"""What a body may run into, from files: meshes and scenes of MoveIt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import elbowroom as er
from elbowroom.files.moveit import Request, Scene, read_request, read_scene
from elbowroom.files.moveit_robot import furnished, standing_frames

from .check import load_mesh
from .complaint import Complaint


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Obstacles, each a body and its pose, and their names."""

    names: tuple[str, ...] = ()
    obstacles: tuple[tuple[er.Body, er.Pose], ...] = ()

    def __add__(self, other: Surroundings) -> Surroundings:
        return Surroundings(self.names + other.names, self.obstacles + other.obstacles)


def mesh_obstacles(files: Sequence[Path], argument: str = "--obstacles") -> Surroundings:
    """Meshes as they stand in their files; two of one name are told apart by numbers."""
    bodies = tuple((load_mesh(argument, file), er.Pose()) for file in files)
    names = [file.name for file in files]
    told = [name if names.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(names)]
    return Surroundings(tuple(told), bodies)


def load_scene(file: Path, robot: er.Articulated | None = None, packages: Path | None = None) -> Scene:
    """The scene in the file, or a complaint; its objects may be in frames of the robot that stand still."""
    try:
        return read_scene(file, packages=packages, frames={} if robot is None else standing_frames(robot))
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(f"--scene: {error}") from error


def load_request(file: Path) -> Request:
    """The request in the file, or a complaint."""
    try:
        return read_request(file)
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(f"--request: {error}") from error


def scene_obstacles(file: Path | None) -> Surroundings:
    """The objects of a scene, for a rigid body, which holds nothing."""
    if file is None:
        return Surroundings()
    scene = load_scene(file)
    return Surroundings(scene.names, scene.obstacles)


def surround(robot: er.Articulated, scene: Scene | None, meshes: Sequence[Path]) -> er.Articulated:
    """The robot with a scene and meshes about it, as links that do not move."""
    if scene is None and not meshes:
        return robot
    more = mesh_obstacles(meshes)
    whole = Scene("--obstacles", more.names, more.obstacles)
    if scene is not None:
        clash = set(scene.names) & set(more.names)
        if clash:
            raise Complaint(f"--obstacles: the scene has an object '{min(clash)}' already; rename the file")
        names, obstacles = scene.names + more.names, scene.obstacles + more.obstacles
        whole = replace(scene, names=names, obstacles=obstacles)
    try:
        return furnished(robot, whole)
    except ValueError as error:
        raise Complaint(f"--scene: {error}") from error

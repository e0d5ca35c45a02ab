"""What a body may run into, from files: meshes and scenes of MoveIt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import elbowroom as er
from elbowroom.files.moveit import Request, Scene, read_request, read_scene
from elbowroom.files.moveit_files import is_archive
from elbowroom.files.moveit_robot import among, furnished, standing_frames

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
    _refuse_archive("--scene", file)
    try:
        return read_scene(file, packages=packages, frames={} if robot is None else standing_frames(robot))
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(f"--scene: {error}") from error


def load_request(file: Path) -> Request:
    """The request in the file, or a complaint."""
    _refuse_archive("--request", file)
    try:
        return read_request(file)
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(f"--request: {error}") from error


def _refuse_archive(argument: str, file: Path) -> None:
    """Complain about an archive itself, which holds many."""
    if is_archive(file):
        raise Complaint(f"{argument}: '{file}' is an archive; give a file in it, '{file}/folder/name.yaml'")


def scene_obstacles(file: Path | None) -> Surroundings:
    """The objects of a scene, for a rigid body, which holds nothing."""
    if file is None:
        return Surroundings()
    scene = load_scene(file)
    return Surroundings(scene.names, scene.obstacles)


@dataclass(frozen=True, eq=False)
class Furnished:
    """A robot with the obstacles: as one body, and apart, which is faster where motions are proved."""

    whole: er.Articulated
    robot: er.Articulated
    around: Surroundings
    standing: frozenset[str]


def surround(robot: er.Articulated, scene: Scene | None, meshes: Sequence[Path]) -> Furnished:
    """The robot with a scene and meshes about it, which in the whole are links that do not move."""
    more = mesh_obstacles(meshes)
    whole = Scene("--obstacles", more.names, more.obstacles)
    if scene is not None:
        clash = set(scene.names) & set(more.names)
        if clash:
            raise Complaint(f"--obstacles: the scene already has an object '{min(clash)}'; rename the file")
        names, obstacles = scene.names + more.names, scene.obstacles + more.obstacles
        whole = replace(scene, names=names, obstacles=obstacles)
    try:
        body, (alone, rest) = furnished(robot, whole), among(robot, whole)
    except ValueError as error:
        raise Complaint(f"--scene: {error}") from error
    return Furnished(body, alone, Surroundings(rest.names, rest.obstacles), frozenset(whole.names))

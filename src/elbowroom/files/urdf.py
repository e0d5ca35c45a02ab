"""Robots from URDF files, as the links and joints of an articulated body. The parsing is yourdfpy's."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom.files.opening import blaming, etree, hush, read_robot_element
from elbowroom.files.urdf_meshes import MeshFiles, Packages, package_folders
from elbowroom.files.urdf_shapes import Parsed, body_of, pose_of
from elbowroom.links import Joint, JointKind, Link, Mimic

#: An element of lxml, which is imported when a file is read.
Element = Any

KINDS: dict[str, JointKind] = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "floating": "free",
    "spherical": "spherical",
}


@dataclass(frozen=True, eq=False)
class RobotParts:
    """A robot as an articulated body takes it: its name, and links and joints in the order of the file."""

    name: str
    links: list[Link]
    joints: list[Joint]


def read_urdf(path: str | os.PathLike[str], *, packages: Packages = None) -> RobotParts:
    """Reads the links, joints and collision geometry of a URDF file, compressed by gzip or not.

    Every collision element becomes one shape, at its origin; visual geometry is not read. Boxes, spheres
    and capsules (`length` is that between the centres of the caps) are what they are. A cylinder becomes the
    prism of 32 sides about it, which is as long and at its edges 0.49 % farther out: what is free of the
    prism is free of the cylinder. A mesh has its scale applied, which may mirror it; meshes that are named
    several times are shared. COLLADA files count in their own unit, and their up axis is passed over, as the
    tools of ROS do.

    Joints are fixed, revolute, continuous (revolute without limits), prismatic, floating (free) or, as some
    simulators write, spherical. A limit with a lower or upper bound alone has 0 for the other; one with
    neither, or none at all, is no limit.

    Parameters
    ----------
    path
        Name of the file. Macros of xacro must have been expanded.
    packages
        Where the meshes of `package://name/...` are: folders by name of the package, or a folder, or several,
        that have the packages in them, at most one level deeper. What is not found there is looked for among
        the parents of the file, and in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.

    Raises
    ------
    FileNotFoundError
        If the file or a mesh is missing. The message names the link, the mesh as it is written, and the
        places where it was looked for.
    ValueError
        If the file is no URDF, or has what cannot be read: the message names the link or joint.
    """
    folders, library = package_folders(packages), yourdfpy()
    root, file = read_robot_element(path, "URDF"), os.fspath(path)
    with blaming(file):
        capsules = _bare(root)
        root.set("name", root.get("name") or Path(file).stem)
        robot, meshes = _parse(library, root, file), MeshFiles(Path(file), folders)
        if not robot.links:
            raise ValueError(f"{file}: the robot has no links")
        links = [_link(link, i, capsules, meshes, file) for i, link in enumerate(robot.links)]
        return RobotParts(robot.name, links, [_joint(joint, file) for joint in robot.joints])


def yourdfpy() -> Any:
    """The package yourdfpy, or an ImportError that says how to get it."""
    try:
        import yourdfpy
    except ImportError as error:
        raise ImportError(
            "reading URDF files needs yourdfpy, which is not installed: pip install elbowroom[robots]"
        ) from error
    hush("yourdfpy")
    return yourdfpy


def _bare(root: Element) -> set[tuple[int, int]]:
    """Takes out what is not read, and turns capsules, which yourdfpy does not know, into cylinders.

    Returns which ones they were: number of the link, number of its collision element.
    """
    _keep(root, ("link", "joint"))
    capsules = set()
    for i, link in enumerate(root.findall("link")):
        _keep(link, ("collision",))
        for k, collision in enumerate(link):
            _keep(collision, ("origin", "geometry"))
            for capsule in collision.iterfind("geometry/capsule"):
                capsule.tag = "cylinder"
                capsules.add((i, k))
    return capsules


def _keep(parent: Element, tags: tuple[str, ...]) -> None:
    for child in list(parent):
        if child.tag not in tags:
            parent.remove(child)


def _parse(library: Any, root: Element, file: str) -> Parsed:
    try:
        return _robot(library, root)
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        where, why = _culprit(library, root) or ("the robot", error)
        raise ValueError(f"{file}: {where} cannot be read: {_reason(why)}") from error


def _robot(library: Any, root: Element) -> Parsed:
    text = io.BytesIO(etree().tostring(root))
    with np.errstate(invalid="ignore"):  # of infinite origins, which are refused later, by name
        return library.URDF.load(text, build_scene_graph=False, load_meshes=False).robot


def _culprit(library: Any, root: Element) -> tuple[str, Exception] | None:
    """The first link or joint that cannot be read on its own, and why."""
    for element in list(root):
        alone = etree().Element("robot", name="alone")
        alone.append(element)
        try:
            _robot(library, alone)
        except (ValueError, LookupError, AttributeError, TypeError) as error:
            return f"line {element.sourceline}: {element.tag} '{element.get('name', '')}'", error
    return None


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the attribute {error} is missing"
    if isinstance(error, (AttributeError, IndexError, TypeError)):
        return "an element is missing in it"
    return str(error)


def _link(link: Parsed, number: int, capsules: set[tuple[int, int]], meshes: MeshFiles, file: str) -> Link:
    shapes = []
    for k, collision in enumerate(link.collisions):
        try:
            body = body_of(collision.geometry, (number, k) in capsules, meshes)
            shapes.append((body, pose_of(collision.origin)))
        except (ValueError, FileNotFoundError, ImportError) as error:
            raise type(error)(f"{file}: link '{link.name}': {error}") from error
    return Link(link.name, shapes)


def _joint(joint: Parsed, file: str) -> Joint:
    if joint.type not in KINDS:
        fault = f"is of type {joint.type}, which is not supported" if joint.type else "has no type"
        raise ValueError(f"{file}: joint '{joint.name}' {fault}; supported types: {', '.join(KINDS)}")
    kind = KINDS[joint.type]
    more: dict[str, Any] = {"axis": joint.axis} if kind in ("revolute", "prismatic") else {}
    if joint.mimic is not None and kind != "fixed":
        more["mimic"] = _mimic(joint)
    try:
        origin = pose_of(joint.origin)
        return Joint(joint.name, kind, joint.parent, joint.child, origin, limits=_limits(joint), **more)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _mimic(joint: Parsed) -> Mimic:
    return Mimic(joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset)


def _limits(joint: Parsed) -> tuple[float, float] | None:
    limit = joint.limit
    bounded = joint.type in ("revolute", "prismatic") and limit is not None
    if not bounded or (limit.lower is None and limit.upper is None):
        return None
    return limit.lower or 0.0, limit.upper or 0.0

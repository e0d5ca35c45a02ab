"""Robots as `elbowroom check` takes them: from URDF, in configurations from the command line or a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .check import load_mesh, read_pose
from .complaint import Complaint
from .options import MoveOptions, RobotOptions, Wanted, check_input
from .overlaps import compared
from .paths import read_path

if TYPE_CHECKING:
    from .plot import Timeline
    from .surroundings import Furnished

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """A robot, what it may run into (none: itself), and the configurations to look at."""

    name: str
    robot: er.Articulated
    configurations: Floats
    obstacle: er.Mesh | None = None
    obstacle_name: str = "itself"
    pose: er.Pose | None = None
    furnished: Furnished | None = None
    motion: bool = False  # from one configuration to another, and not a path of rows

    @property
    def standing(self) -> frozenset[int]:
        """Numbers of the links that are obstacles in truth."""
        names = frozenset[str]() if self.furnished is None else self.furnished.standing
        return frozenset(k for k, name in enumerate(self.robot.link_names) if name in names)

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of what the two numbers of a pair are: links, or the obstacle as a whole."""
        links = self.robot.link_names
        return links, links if self.obstacle is None else (self.obstacle_name,)

    @property
    def reserve(self) -> str:
        """What an answer says that may be taken for more than it is."""
        return "" if self.obstacle is None else "  note: the robot was not checked against itself"

    def compared(self) -> list[tuple[int, int]]:
        """Pairs of numbers into `names` that are compared."""
        if self.obstacle is None:
            return [(i, j) for i, j in compared(self.robot).tolist()]
        return [(link, 0) for link in sorted({link for link, _, _ in self.robot.shapes})]

    def contacts(self, part: slice | int) -> Any:
        """All contacts with their depths, in some of the configurations."""
        return self._collide(part, depth=True)

    def pairs(self, part: slice | int) -> Any:
        """All that overlaps, in some of the configurations."""
        return self._collide(part, depth=False)

    def distances(self, part: slice | int) -> Any:
        """The least distances in some of the configurations."""
        self.robot.move(self.configurations[part])
        if self.obstacle is None:
            return er.self_distance(self.robot)
        return er.distance(self.robot, self.obstacle, pose_b=self.pose)

    def _collide(self, part: slice | int, depth: bool) -> Any:
        self.robot.move(self.configurations[part])
        if self.obstacle is None:
            return er.self_collide(self.robot, every=True, depth=depth)
        return er.collide(self.robot, self.obstacle, pose_b=self.pose, every=True, depth=depth)


def read_task(a: Path, b: Path | None, options: RobotOptions, wanted: Wanted, moves: MoveOptions) -> Task:
    """What the files and options ask for."""
    pose = read_pose("--pose-b", wanted.pose_b)
    robot = read_robot(a, options)
    states = _configurations(robot, options, moves.motion)
    motion = moves.motion is not None
    if b is not None:
        return Task(a.name, robot, states, load_mesh("B", b), b.name, pose, motion=motion)
    if moves.scene is None and not moves.obstacles:
        return Task(a.name, robot, states, motion=motion)
    whole = _surrounded(robot, options, moves)
    who = "itself or the obstacles"
    return Task(a.name, whole.whole, states, obstacle_name=who, furnished=whole, motion=motion)


def _surrounded(robot: er.Articulated, options: RobotOptions, moves: MoveOptions) -> Furnished:
    """The robot with the obstacles."""
    from .surroundings import load_scene, surround

    scene = None if moves.scene is None else load_scene(moves.scene, robot, options.packages)
    return surround(robot, scene, moves.obstacles)


def _configurations(
    robot: er.Articulated, options: RobotOptions, motion: tuple[str, str] | None = None
) -> Floats:
    """(n, dof); one where neither a path nor a motion nor random ones are asked for."""
    if motion is not None:
        return np.stack([one_configuration(robot, text, "--motion") for text in motion])
    if options.path is not None:
        return read_path(robot, options.path)
    if options.random is None:
        return one_configuration(robot, options.configuration)[None]
    try:
        return robot.random(options.random, seed=options.seed)
    except ValueError as error:
        raise Complaint(f"--random: {error}") from error


def read_robot(file: Path, options: RobotOptions, argument: str = "A") -> er.Articulated:
    """The robot in the file, or a complaint that names what is missing or wrong."""
    check_input(argument, file)
    if options.srdf is not None:
        check_input("--srdf", options.srdf)
    if options.packages is not None and not options.packages.is_dir():
        raise Complaint(f"--packages: no such folder '{options.packages}'")
    try:
        robot = er.Articulated.from_urdf(file, srdf=options.srdf, packages=options.packages)
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(_fault(argument, str(error), file, options.srdf)) from error
    if not robot.shapes:
        raise Complaint(f"{argument}: '{file}' has no collision shapes")
    _allow(robot, options.allow)
    return robot


def _allow(robot: er.Articulated, pairs: Sequence[str]) -> None:
    """Leave out the pairs of links that may touch, each given as "link,link"."""
    try:
        robot.exclude([[name.strip() for name in pair.split(",")] for pair in pairs])
    except ValueError as error:
        raise Complaint(f'--allow: {error}; expected pairs of links, "link,link"') from error


def _fault(argument: str, text: str, urdf: Path, srdf: Path | None) -> str:
    """The fault with its argument; what is wrong between the two files names them without their folders."""
    if srdf is None or str(srdf) not in text:
        return f"{argument}: {text}"
    text = text.removeprefix("srdf ").replace(str(srdf), srdf.name).replace(str(urdf), urdf.name)
    return f"--srdf: {text}"


def one_configuration(robot: er.Articulated, text: str | None, argument: str = "--configuration") -> Floats:
    """Zero, changed by "joint=value,..."; or all values."""
    if text is None:
        return robot.zero()
    try:
        if "=" in text:
            robot.move(robot.zero())
            robot.move(_by_name(text))
        else:
            robot.move([float(word) for word in text.replace(",", " ").split()])
    except ValueError as error:
        known = ", ".join(robot.joint_names) or "none"
        joints = "" if known in str(error) else f"; the joints are {known}"
        raise Complaint(f"{argument}: '{text}': {error}{joints}") from error
    held = robot.configuration
    assert held is not None  # `move` was the last to be called
    return held


def _by_name(text: str) -> dict[str, float | list[float]]:
    """Values by name; a spherical or free joint has several, with spaces between them."""
    values: dict[str, float | list[float]] = {}
    for part in text.split(","):
        name, equals, value = part.rpartition("=")
        if not equals:
            raise ValueError(f"'{part.strip()}' is not joint=value")
        numbers = [float(word) for word in value.split()]
        values[name.strip()] = numbers[0] if len(numbers) == 1 else numbers
    return values


def beyond_limits(robot: er.Articulated, configurations: Floats) -> list[str]:
    """Names of the joints that some of the configurations take beyond their limits."""
    low, high = robot.limits.T
    slack = 1e-9 * np.maximum(1.0, np.abs(configurations))
    beyond = ((configurations < low - slack) | (configurations > high + slack)).any(axis=0)
    return [name for name in robot.joint_names if beyond[robot.index(name)].any()]


def paint(
    file: Path,
    task: Task,
    row: int,
    title: str,
    timeline: Timeline | None = None,
    nearest: Floats | None = None,
) -> None:
    """The robot in one of its configurations, and the obstacle if there is one."""
    from .plot import Scene, write_picture  # brings matplotlib with it

    contacts = task.contacts(row)  # also moves the robot there
    obstacle = None if task.obstacle is None else (task.obstacle, task.pose)
    scene = Scene([task.robot], contacts, title, np.eye(4), obstacle, nearest, task.standing)
    write_picture(file, scene, timeline)

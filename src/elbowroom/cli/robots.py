"""Robots as `elbowroom check` takes them: from URDF, in configurations from the command line or a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .check import load_mesh, read_pose
from .complaint import Complaint
from .options import RobotOptions, Wanted

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

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of what the two numbers of a pair are: links, or the obstacle as a whole."""
        links = self.robot.links
        return links, links if self.obstacle is None else (self.obstacle_name,)

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


def read_task(a: Path, b: Path | None, options: RobotOptions, wanted: Wanted) -> Task:
    """What the files and options ask for."""
    pose = read_pose("--pose-b", wanted.pose_b)
    robot = read_robot(a, options)
    if b is None:
        return Task(a.name, robot, _configurations(robot, options))
    return Task(a.name, robot, _configurations(robot, options), load_mesh("B", b), b.name, pose)


def _configurations(robot: er.Articulated, options: RobotOptions) -> Floats:
    """(n, dof); one where neither a path nor random ones are asked for."""
    if options.path is not None:
        return read_path(robot, options.path)
    if options.random is None:
        return one_configuration(robot, options.configuration)[None]
    try:
        return robot.random(options.random, seed=options.seed)
    except ValueError as error:
        raise Complaint(f"--random: {error}") from error


def read_robot(file: Path, options: RobotOptions) -> er.Articulated:
    """The robot in the file, or a complaint that names what is missing or wrong."""
    for argument, named in (("A", file), ("--srdf", options.srdf)):
        if named is not None and not named.is_file():
            raise Complaint(f"{argument}: no file '{named}'")
    if options.packages is not None and not options.packages.is_dir():
        raise Complaint(f"--packages: no folder '{options.packages}'")
    try:
        return er.Articulated.from_urdf(file, srdf=options.srdf, packages=options.packages)
    except (ValueError, OSError, ImportError) as error:
        about_srdf = options.srdf is not None and str(options.srdf) in str(error)
        raise Complaint(f"{'--srdf' if about_srdf else 'A'}: {error}") from error


def one_configuration(robot: er.Articulated, text: str | None) -> Floats:
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
        joints = f"'{text}': {error}; the joints are {', '.join(robot.joints) or 'none'}"
        raise Complaint(f"--configuration: {joints}") from error
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


def read_path(robot: er.Articulated, file: Path) -> Floats:
    """Configurations (n, dof) from a file, one a row."""
    if not file.is_file():
        raise Complaint(f"--path: no file '{file}'; give a .npy, .csv or .txt file")
    if file.suffix.lower() not in (".npy", ".csv", ".txt"):
        raise Complaint(f"--path: '{file}' is neither a .npy nor a .csv nor a .txt file")
    try:
        rows = _rows(file)
    except (OSError, ValueError, EOFError) as error:
        raise Complaint(f"--path: cannot read configurations from '{file}' ({error})") from error
    if rows.ndim != 2 or rows.shape[1] != robot.dof or not len(rows):
        raise Complaint(
            f"--path: '{file}' must hold rows of {robot.dof} values ({', '.join(robot.joints)}), "
            f"but holds an array of shape {rows.shape}"
        )
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise Complaint(f"--path: row {row} of '{file}' has a value that is not finite")
    return rows


def _rows(file: Path) -> Floats:
    if file.suffix.lower() == ".npy":
        return np.asarray(np.load(file), dtype=np.float64)
    lines = [line.replace(",", " ") for line in file.read_text(encoding="utf-8").splitlines()]
    written = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return np.array([[float(word) for word in line.split()] for line in written], dtype=np.float64)


def beyond_limits(robot: er.Articulated, configurations: Floats) -> list[str]:
    """Names of the joints that some of the configurations take beyond their limits."""
    low, high = robot.limits.T
    slack = 1e-9 * np.maximum(1.0, np.abs(configurations))
    beyond = ((configurations < low - slack) | (configurations > high + slack)).any(axis=0)
    return [name for name in robot.joints if beyond[robot.index(name)].any()]

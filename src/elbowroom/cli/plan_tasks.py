"""What `elbowroom plan` is to solve, from files: a body or a robot, the obstacles, start and goal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.files.moveit import Scene
from elbowroom.files.moveit_robot import among, ends

from .certified import Cast
from .check import load_mesh, read_pose
from .complaint import Complaint
from .options import RobotOptions, refuse
from .paths import read_path, read_pose_path
from .plan_options import ArmOptions, Asked, BoxOptions
from .robots import one_configuration, read_robot
from .surroundings import Surroundings, load_request, load_scene, mesh_obstacles, scene_obstacles

Floats = NDArray[np.float64]
TABLES = (".csv", ".npy", ".txt")


@dataclass(frozen=True, eq=False)
class PlanTask:
    """Who moves among what, the space of its states, and two of them."""

    cast: Cast
    space: Any
    start: Floats
    goal: Floats


def rigid_task(asked: Asked, box: BoxOptions, arm: ArmOptions) -> PlanTask:
    """A mesh among meshes and the objects of a scene."""
    assert asked.body is not None  # whoever calls has looked
    refuse(arm, "a rigid body")
    start, goal = (_pose(f"--{name}", getattr(asked, name)) for name in ("start", "goal"))
    around = mesh_obstacles(asked.obstacles) + scene_obstacles(asked.scene)
    body = load_mesh("BODY", asked.body)
    if not around.obstacles:
        raise Complaint("--obstacles: no obstacles; give mesh files, or a --scene with objects")
    cast = Cast(asked.body.name, body, around.names, around.obstacles)
    return PlanTask(cast, rigid_space(cast, start, goal, box), start, goal)


def rigid_space(cast: Cast, start: Floats, goal: Floats, box: BoxOptions) -> Any:
    """Positions in a box and all rotations; far rotations count as far as the body reaches."""
    from elbowroom.planning import RigidSpace

    low, high = _room(cast, start, goal)
    if box.low is not None:
        low = _corner("--low", box.low)
    if box.high is not None:
        high = _corner("--high", box.high)
    if (low > high).any():
        raise Complaint(f"--low: must not exceed --high, got {low.tolist()} and {high.tolist()}")
    return RigidSpace(low, high, metric="weighted", weight=max(reach_of(cast.body), 1e-9))


def reach_of(body: er.Body) -> float:
    """How far the box about a body reaches from the origin of its frame."""
    return float(np.linalg.norm(np.abs(body.bounds).max(axis=0)))


def _room(cast: Cast, start: Floats, goal: Floats) -> tuple[Floats, Floats]:
    """A box about start, goal and all obstacles, with room for the body on every side."""
    spans = [start[:3, 3][None], goal[:3, 3][None]]
    for body, pose in cast.obstacles:
        low, high = body.bounds
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        spans.append(pose.apply(low + corners * (high - low)))
    everything, room = np.concatenate(spans), 2 * reach_of(cast.body)
    return everything.min(axis=0) - room, everything.max(axis=0) + room


def robot_task(asked: Asked, box: BoxOptions, arm: ArmOptions) -> PlanTask:
    """A robot in a scene, among meshes, or alone with itself."""
    assert asked.body is not None  # whoever calls has looked
    refuse(box, "a robot")
    robot = read_robot(asked.body, RobotOptions(arm.srdf, arm.packages, arm.allow), "BODY")
    scene = None if asked.scene is None else load_scene(asked.scene, robot, arm.packages)
    start, goal = _robot_ends(robot, asked, arm, scene)
    around = mesh_obstacles(asked.obstacles)
    if scene is not None:
        robot, around = _in_scene(robot, scene, around)
    cast = Cast(asked.body.name, robot, around.names, around.obstacles)
    return PlanTask(cast, _joint_space(robot), start, goal)


def _in_scene(
    robot: er.Articulated, scene: Scene, around: Surroundings
) -> tuple[er.Articulated, Surroundings]:
    try:
        robot, rest = among(robot, scene)
    except ValueError as error:
        raise Complaint(f"--scene: {error}") from error
    return robot, Surroundings(rest.names, rest.obstacles) + around


def _joint_space(robot: er.Articulated) -> Any:
    from elbowroom.planning import JointSpace

    try:
        return JointSpace.of(robot)
    except ValueError as error:
        raise Complaint(f"BODY: {error}") from error


def _robot_ends(
    robot: er.Articulated, asked: Asked, arm: ArmOptions, scene: Scene | None
) -> tuple[Floats, Floats]:
    """Start and goal from the request, or from --start and --goal, which come before it."""
    found: dict[str, Floats | None] = {"start": None, "goal": None}
    if arm.request is not None:
        request = load_request(arm.request)
        try:
            found["start"], found["goal"] = ends(robot, request, scene)
        except ValueError as error:
            raise Complaint(f"--request: {error}") from error
    for name in found:
        if getattr(asked, name) is not None:
            found[name] = _configuration(robot, f"--{name}", getattr(asked, name))
    start, goal = found["start"], found["goal"]
    if start is None or goal is None:
        missing = "start" if start is None else "goal"
        raise Complaint(
            f"--{missing}: missing; give values of {', '.join(robot.joint_names)}, or a --request"
        )
    return start, goal


def _configuration(robot: er.Articulated, argument: str, text: str) -> Floats:
    """From values, or from a file: its first row for a start, its last for a goal."""
    if Path(text).suffix.lower() in TABLES:
        return np.asarray(read_path(robot, Path(text), argument)[0 if argument == "--start" else -1])
    return one_configuration(robot, text, argument)


def _pose(argument: str, text: str | None) -> Floats:
    """From numbers, or from a file: a matrix, or the first row of a path for a start, its last for a goal."""
    if text is None:
        raise Complaint(f'{argument}: missing; give a pose: "x y z", "x y z qw qx qy qz" or a file')
    if Path(text).suffix.lower() == ".csv":
        return np.asarray(read_pose_path(Path(text), argument)[0 if argument == "--start" else -1])
    pose = read_pose(argument, text)
    assert pose is not None  # there is a text
    return np.asarray(pose.matrix)


def _corner(argument: str, text: str) -> Floats:
    try:
        values = np.array([float(word) for word in text.replace(",", " ").split()])
    except ValueError:
        values = np.zeros(0)
    if values.shape != (3,) or not np.isfinite(values).all():
        raise Complaint(f"{argument}: '{text}' is not three numbers, \"x y z\"")
    return values

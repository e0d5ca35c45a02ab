"""`elbowroom check` of a mesh that moves: is the whole of its motion, or of its path, proved free?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .certified import Cast, Judged, judge
from .check import load_mesh, read_pose
from .complaint import Complaint, check_file, write_json
from .options import MoveOptions, Wanted
from .overlaps import plural
from .paths import read_pose_path
from .patience import patient_display
from .surroundings import Surroundings, mesh_obstacles, scene_obstacles

Floats = NDArray[np.float64]


def check_motions(a: Path, b: Path | None, path: Path | None, moves: MoveOptions, wanted: Wanted) -> int:
    """Print the verdict; 0 when the motion is proved free, 1 when it is not."""
    check_file("--json", wanted.json)
    moves.check()
    if wanted.distance:
        raise Complaint("--distance: not supported for a motion; remove it")
    states = read_poses("--motion", moves.motion, path)
    with patient_display() as say:
        say(f"reading {a.name}", 0, 0)
        around = _surroundings(b, moves, wanted)
        cast = Cast(a.name, load_mesh("A", a), around.names, around.obstacles)
        say("checking", 0, 0)
        judged = check_path(cast, states, moves)
        if moves.verify:
            say("verifying", 0, 0)
            judged.verify(moves.clearance)
    told = _verdict(judged, moves)
    print(told)
    verdict = told.partition(":")[0]
    files = {"a": str(a), "b": None if b is None else str(b), "obstacles": list(around.names)}
    write_json(wanted.json, {"verdict": verdict, **files, **judged.facts(), "verified": moves.verify})
    return int(judged.free is not True)


def read_poses(argument: str, motion: tuple[str, str] | None, path: Path | None) -> Floats:
    """The poses (k, 4, 4), k at least 2, of a motion or a path."""
    if motion is not None and path is not None:
        raise Complaint(f"--path: cannot be combined with {argument}")
    if motion is not None:
        ends = [read_pose(argument, text) for text in motion]
        return np.stack([end.matrix for end in ends if end is not None])
    assert path is not None  # whoever calls has looked
    states = read_pose_path(path)
    if len(states) < 2:
        raise Complaint(f"--path: '{path}' has one row; a path needs at least two")
    return states


def check_path(cast: Cast, states: Floats, moves: MoveOptions) -> Judged:
    """The certificates of a path of poses or configurations."""
    checker = er.MotionChecker(
        cast.body, list(cast.obstacles), tolerance=moves.tolerance, clearance=moves.clearance
    )
    return judge(cast, states, checker, "time" if moves.motion is not None else "row")


def _surroundings(b: Path | None, moves: MoveOptions, wanted: Wanted) -> Surroundings:
    """All that the mesh may run into: B in its place, and the obstacles."""
    around = mesh_obstacles(moves.obstacles) + scene_obstacles(moves.scene)
    if b is not None:
        pose = read_pose("--pose-b", wanted.pose_b) or er.Pose()
        around = Surroundings((b.name,), ((load_mesh("B", b), pose),)) + around
    elif wanted.pose_b is not None:
        raise Complaint("--pose-b: there is no mesh B to place; give one, or remove it")
    if not around.obstacles:
        raise Complaint("B: no obstacles; give a second mesh, --obstacles or --scene")
    return around


def _verdict(judged: Judged, moves: MoveOptions) -> str:
    name, many = judged.cast.name, plural(judged.rows - 1, "motion")
    checked = "\n  certificate verified" if moves.verify else ""
    if judged.free:
        return f"free: {name} touches nothing in {many}\n  proved: {judged.proof()}{checked}"
    if judged.free is False:
        met = "too near" if moves.clearance else "collision"
        return f"{met}: {judged.met(moves.clearance)}{checked}"
    return f"undecided: {name} may touch an obstacle in {many}\n  {judged.doubt()}{checked}"

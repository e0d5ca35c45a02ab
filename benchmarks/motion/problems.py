"""Problems of MotionBenchMaker: a robot, what stands about it, from where and to where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath

import elbowroom as er
from benchmarks.common import Array
from elbowroom.files.moveit import Problem, read_problems
from elbowroom.files.moveit_robot import ends

SAMPLES = 1000  # random configurations in which links that always overlap are looked for


@dataclass(frozen=True)
class Robot:
    """A robot and where its problems are."""

    name: str
    body: er.Articulated
    problems: Path


@dataclass(frozen=True)
class Question:
    """One problem, ready to be planned."""

    family: str
    name: str
    checker: er.MotionChecker
    start: Array
    goal: Array


def find(folder: Path, name: str) -> Robot:
    """A robot of balls (NAME_spherized.urdf, NAME.srdf) and its problems (NAME_problems, or .tar.bz2).

    Links that overlap in each of many random configurations are not compared: their balls are wider than what
    they stand for, and no motion could be free.
    """
    body = er.Articulated.from_urdf(folder / f"{name}_spherized.urdf", srdf=folder / f"{name}.srdf")
    always = body.sample_pairs(SAMPLES).always
    if len(always):
        told = ", ".join(f"{a} and {b}" for a, b in body.names(always))
        print(f"{name}: not compared, as they overlap in every configuration: {told}")
        body.exclude(always.tolist())
    plain = folder / f"{name}_problems"
    return Robot(name, body, plain if plain.is_dir() else folder / f"{name}_problems.tar.bz2")


def questions(robot: Robot, count: int) -> Iterator[Question]:
    """The first so many problems of each family (the name of a folder), sorted by name."""
    for family, some in groupby(read_problems(robot.problems), key=_family):
        for k, problem in enumerate(some):
            if k < count:
                yield _question(robot, family, problem)


def _family(problem: Problem) -> str:
    return PurePosixPath(problem.name).parent.name


def _question(robot: Robot, family: str, problem: Problem) -> Question:
    scene = problem.scene
    touching = [pair for pair in scene.allowed if set(pair) & set(scene.names)]
    if touching or scene.attached:
        raise ValueError(f"{problem.name}: the robot holds or may touch objects: not planned for here")
    start, goal = ends(robot.body, problem.request, scene)
    return Question(family, problem.name, er.MotionChecker(robot.body, list(scene.obstacles)), start, goal)

"""Self-collision of robots: random configurations within limits, kinematics included, to the first hit."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.articulated import disagreements
from benchmarks.articulated.files import FILES, Robot, find
from benchmarks.articulated.pinocchios import WAYS, Model
from benchmarks.chain.run import Target, tabulate
from benchmarks.common import Array, Run
from elbowroom.articulated import Refit
from elbowroom.files.urdf import read_urdf

Hits = NDArray[np.bool_]
CALLS, ARRAY = "elbowroom, calls", "elbowroom, array"
THREADS = f"elbowroom, {common.cores()} threads"
PEERS = tuple(WAYS)
NAMES = (CALLS, ARRAY, THREADS, *PEERS)
SHAPES = {"as it is": False, "hulls": True}
LEAST = 15.0  # how many times as fast as Pinocchio's fastest way
WIDEST = 1e-12  # by which limits of two readers may differ


@dataclass(frozen=True)
class Question:
    """A robot with its meshes or their hulls, and the configurations to ask about."""

    robot: Robot
    shapes: str
    body: er.Articulated
    configurations: Array


def make_body(robot: Robot, hulls: bool, refit: Refit = "auto") -> er.Articulated:
    """As the files say, or with the convex hull in place of each mesh; the same links are compared."""
    body = er.Articulated.from_urdf(robot.urdf, srdf=robot.srdf, packages=robot.packages, refit=refit)
    if not hulls:
        return body
    parts = read_urdf(robot.urdf, packages=robot.packages)
    links = [
        er.Link(link.name, [(_hull(shape), pose) for shape, pose in link.shapes]) for link in parts.links
    ]
    return er.Articulated(
        links, parts.joints, refit=refit, exclude=[(i, j) for i, j in body.excluded.tolist()]
    )


def _hull(shape: er.Body) -> er.Body:
    return er.Convex(shape.vertices) if isinstance(shape, er.Mesh) else shape


def compared(body: er.Articulated) -> list[tuple[str, str]]:
    """The links of every pair of shapes that is compared, names sorted."""
    left_out = {(i, j) for i, j in body.excluded.tolist()}
    owners = [link for link, _, _ in body.shapes]
    kept = [(i, j) for i, j in combinations(owners, 2) if i != j and (min(i, j), max(i, j)) not in left_out]
    return [disagreements.link_names(body, pair) for pair in kept]


def ours(question: Question) -> dict[str, Run]:
    body, configurations = question.body, question.configurations
    rows = list(configurations)

    def calls() -> list[bool]:
        move, collide, hits = body.move, er.self_collide, []
        for row in rows:
            move(row)
            hits.append(bool(collide(body)))
        return hits

    def array(threads: int) -> Callable[[], Any]:
        def run() -> Any:
            body.move(configurations)
            return er.self_collide(body, threads=threads).hits

        return run

    return {CALLS: calls, ARRAY: array(1), THREADS: array(common.cores())}


def ask(question: Question, names: Sequence[str], settings: argparse.Namespace) -> dict[str, Any]:
    """One robot: time everybody in turn, compare the verdicts with ours and explain what differs."""
    runs, model = ours(question), None
    if any(name in PEERS for name in names):
        model, peers = peers_of(question)
        runs |= peers
    timings = common.measure({name: runs[name] for name in names}, settings.repetitions)
    verdicts = {name: timing.answers > 0 for name, timing in timings.items()}
    base = verdicts[names[0]]
    times = {name: 1e6 * timing.seconds / len(base) for name, timing in timings.items()}
    rows = [row(name, times, verdicts[name], base) for name in names]
    title = (
        f"{question.robot.name}, {question.shapes}: {len(base)} configurations, {question.body.dof} joints"
    )
    common.show(tabulate(title, rows))
    told = {"robot": question.robot.name, "shapes": question.shapes, "rows": rows, "best": best(times)}
    if model is not None:
        told |= check(question, model, verdicts, base, settings)
    return told


def peers_of(question: Question) -> tuple[Model, dict[str, Run]]:
    """Pinocchio's model and its ways of asking."""
    model = Model(question.robot, SHAPES[question.shapes])
    theirs = model.configurations(question.body.joint_names, question.configurations)
    return model, {name: make(model, theirs).run for name, make in WAYS.items()}


def row(name: str, times: dict[str, float], hits: Hits, base: Hits) -> dict[str, Any]:
    own, calls, array = times[name], times.get(CALLS, math.nan), times.get(ARRAY, math.nan)
    return {
        "contestant": name,
        "us": own,
        "over calls": own / calls,
        "over array": own / array,
        "hits": int(hits.sum()),
        "differs": int(np.sum(hits != base)),
    }


def best(times: dict[str, float]) -> dict[str, Any]:
    """Pinocchio's fastest way beside ours."""
    way = min((name for name in times if name in PEERS), key=lambda name: times[name], default="")
    own, calls, array = (times.get(name, math.nan) for name in (way, CALLS, ARRAY))
    return {
        "fastest way": way,
        "us": own,
        "calls, us": calls,
        "array, us": array,
        "over calls": own / calls,
        "over array": own / array,
    }


def check(
    question: Question, model: Model, verdicts: dict[str, Hits], base: Hits, settings: argparse.Namespace
) -> dict[str, Any]:
    """The same pairs and limits? And why do verdicts differ, where they do?"""
    body, mine, theirs = question.body, compared(question.body), model.pairs()
    apart = np.abs(model.limits(body.joint_names) - body.limits).max()
    same = "the same" if sorted(mine) == sorted(theirs) and apart <= WIDEST else "NOT THE SAME"
    counts = f"{len(mine)} pairs of shapes of {len(set(mine))} pairs of links"
    print(f"  compared: {counts}; Pinocchio's {len(theirs)} of {len(set(theirs))}: {same}")
    unlike = [(name, int(k)) for name, hits in verdicts.items() for k in np.flatnonzero(hits != base)]
    found = disagreements.explain(question, model, unlike, settings.judge)
    off = disagreements.pairwise(question, model, settings.oracle)
    print(f"  every pair of links in {settings.oracle} configurations: {len(off)} verdicts differ")
    reasons = disagreements.report([*found, *off])
    return {"pairs": len(mine), "link pairs": len(set(mine)), "same": same, "reasons": reasons}


def run(settings: argparse.Namespace) -> dict[str, Any]:
    names = common.chosen(NAMES, settings.only)
    try:
        import_module("pinocchio")
        wanted = [find(name) for name in FILES if name in settings.robots.split(",")]
    except ImportError as missing:
        print(f"robots are left out: {missing}")
        return {"tables": [], "targets": []}
    asked = [question for robot in wanted for question in questions(robot, settings)]
    tables = [ask(question, names, settings) for question in asked]
    lines = [{"name": f"{one['robot']}, {one['shapes']}", **one["best"]} for one in tables]
    common.show(tabulate("robots: microseconds a configuration, Pinocchio's fastest way over ours", lines))
    return {"tables": tables, "targets": targets(tables)}


def questions(robot: Robot, settings: argparse.Namespace) -> list[Question]:
    """The robot as it is and, if it has meshes, with their hulls."""
    body = make_body(robot, hulls=False)
    configurations = body.random(settings.configurations, seed=settings.seed)
    asked = [Question(robot, "as it is", body, configurations)]
    if any(isinstance(shape, er.Mesh) for _, shape, _ in body.shapes):
        asked.append(Question(robot, "hulls", make_body(robot, hulls=True), configurations))
    return asked


def targets(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pinocchio's fastest way over our array of configurations on one thread."""
    lines = []
    for table in tables:
        name = f"{table['robot']}, {table['shapes']}: {table['best']['fastest way']} over our array"
        lines.append(Target(name, table["best"]["over array"], at_least=LEAST).shown())
    return lines

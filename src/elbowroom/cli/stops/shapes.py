"""Third stop: every pair of shapes, and contacts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures.exhibits import Scene, Table

from . import scene_rigid
from .measure import measure, measure_each
from .stop import Progress, Section, Stop

ROUNDS = 100
SLAB = er.Box([11.2, 2.4, 0.5])
CAPTION = "Distance, or minus the depth of overlap: rows stand at the origin, columns at one pose"
POSE = er.Pose(Rotation.from_rotvec([0.3, 0.5, 0.2]), [1.15, 0.25, 0.3])
CODE = """slab, ball = er.Box([11.2, 2.4, 0.5]), er.Sphere(0.7)
pose = er.Pose(translation=[-4.5, 0.0, 0.87])
contacts = er.collide(slab, ball, pose_b=pose, depth=True).contacts"""


def run(progress: Progress) -> Section:
    """A table of all pairs at one pose, and a picture of shapes pressed into a slab."""
    bodies = shapes()
    pairs = list(product(bodies.values(), repeat=2)) * progress.size(ROUNDS)
    progress.step("every pair of shapes: distance or depth")
    _, apart = measure_each(
        "distance, every pair in turn", lambda pair: er.distance(pair[0], pair[1], pose_b=POSE), pairs
    )
    _, deep = measure_each(
        "depth, every pair in turn", lambda pair: er.collide(pair[0], pair[1], pose_b=POSE, depth=True), pairs
    )
    values = {name: [signed(a, b) for b in bodies.values()] for name, a in bodies.items()}
    progress.step("recording contacts")
    row = er.Group(list(zip(bodies.values(), _stands(bodies), strict=True)))
    result, pressed = measure(
        "every contact with the slab", lambda: er.collide(SLAB, row, every=True, depth=True), repeats=20
    )
    return Section(
        [apart, deep, replace(pressed, answer=f"{len(result.pairs)} contacts")],
        (),
        [Table(CAPTION, ["", *bodies], [[name, *map(_printed, line)] for name, line in values.items()])],
        {"signed_distances": values},
        [_scene(bodies, row, result)],
    )


def shapes() -> dict[str, er.Body]:
    """One body of every kind, each about two units across."""
    corners = np.random.default_rng(5).normal(size=(14, 3))
    corners *= 0.8 / np.linalg.norm(corners, axis=1, keepdims=True)
    ball, bar = er.Sphere(0.4), er.Capsule(0.15, 0.8)
    dumbbell = [
        (ball, er.Pose(translation=[-0.5, 0, 0])),
        (ball, er.Pose(translation=[0.5, 0, 0])),
        (bar, er.Pose(Rotation.from_euler("y", np.pi / 2))),
    ]
    return {
        "sphere": er.Sphere(0.7),
        "capsule": er.Capsule(0.4, 1.0),
        "box": er.Box([1.2, 1.0, 0.8]),
        "hull": er.Convex(corners),
        "mesh": er.Mesh(*scenes.torus(0.6, 0.22)),
        "group": er.Group(dumbbell),
    }


def signed(a: er.Body, b: er.Body) -> float:
    """Distance of the pair, or the depth of its deepest contact as a negative number."""
    apart = er.distance(a, b, pose_b=POSE).value
    if apart > 0:
        return float(apart)
    contacts = er.collide(a, b, pose_b=POSE, depth=True).contacts
    assert contacts is not None
    return -float(contacts.depths[0])


def _stands(bodies: dict[str, er.Body]) -> list[er.Pose]:
    """Poses in a row on the slab, each body sunk a little into its top at height 0.25."""
    tilt = Rotation.from_rotvec([0.35, 0.2, 0.0])
    poses = []
    for k, body in enumerate(bodies.values()):
        turned = er.Pose(tilt)
        lowest = _lowest(body, turned)
        poses.append(er.Pose(tilt, [1.8 * k - 4.5, 0.0, 0.25 - 0.08 - lowest]))
    return poses


def _lowest(body: er.Body, pose: er.Pose) -> float:
    """Height of the body's lowest point, by its distance to a floor below it."""
    floor = er.Box([20.0, 20.0, 1.0])
    depth = 10.0
    return float(er.distance(floor, body, er.Pose(translation=[0, 0, -depth - 0.5]), pose).value) - depth


def _scene(bodies: dict[str, er.Body], row: er.Group, result: er.Collision) -> Scene:
    placed = list(zip(bodies.values(), _stands(bodies), strict=True))
    shown, contacts = _deepest(row, result), result.contacts
    assert contacts is not None
    return scene_rigid.shapes(SLAB, placed, contacts.points[shown], contacts.normals[shown])


def _deepest(row: er.Group, result: er.Collision) -> list[int]:
    """Indices of the deepest contact of every member of the group."""
    best: dict[int, int] = {}
    assert result.contacts is not None
    for k in np.argsort(result.contacts.depths):
        best[row.locate(int(result.pairs[k, 1]))[0]] = int(k)
    return list(best.values())


def _printed(value: float) -> str:
    return f"{value:.3f}".replace("-", "\N{MINUS SIGN}")


STOP = Stop(
    "Every pair of shapes",
    "The same queries for spheres, capsules, boxes, hulls, meshes and groups of them, in any pairing. "
    "Where two overlap, contacts give the depth, the point and the normal.",
    CODE,
    run,
)

"""Third stop: every pair of shapes, and contacts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes
from elbowroom.view import PALETTE, Look, draw, png

from .measure import measure, measure_each
from .stop import Picture, Progress, Section, Stop, Table

ROUNDS = 200
POSE = er.Pose(Rotation.from_rotvec([0.3, 0.5, 0.2]), [1.15, 0.25, 0.3])
CODE = """capsule, box = er.Capsule(radius=0.4, length=1.2), er.Box([1.2, 1.0, 0.8])
pose = er.Pose(translation=[0.9, 0.0, 0.1])
contacts = er.collide(capsule, box, pose_b=pose, depth=True).contacts"""


def run(progress: Progress) -> Section:
    """A table of all pairs at one pose, and a picture of shapes pressed into a slab."""
    bodies = shapes()
    progress.step("every pair of shapes: distance or depth")
    rounds = progress.size(ROUNDS)
    _, apart = measure_each("distance, every pair in turn", lambda pair: er.distance(*pair, pose_b=POSE),
                            [(a, b) for _ in range(rounds) for a in bodies.values() for b in bodies.values()])
    _, deep = measure_each("depth, every pair in turn",
                           lambda pair: er.collide(*pair, pose_b=POSE, depth=True),
                           [(a, b) for _ in range(rounds) for a in bodies.values() for b in bodies.values()])
    table = [[name, *(f"{signed(a, b):.3f}".replace("-", "−") for b in bodies.values())] for name, a in bodies.items()]
    progress.step("painting contacts")
    slab, row = er.Box([9.6, 2.4, 0.5]), _row(bodies)
    result, pressed = measure("every contact with the slab",
                              lambda: er.collide(slab, row, every=True, depth=True), repeats=20)
    deepest = f"{len(result.pairs)} contacts, deepest {result.contacts.depths.max():.3f}"
    return Section(
        [apart, deep, replace(pressed, answer=deepest)],
        [_picture(slab, bodies, result, progress.dpi)],
        [Table("Distance, or depth of overlap with a minus sign: rows stand at the origin, columns at one pose",
               ["", *bodies], table)],
        {"signed_distances": {name: cells[1:] for name, cells in zip(bodies, table, strict=True)}},
    )


def shapes() -> dict[str, er.Body]:
    """One body of every kind, each about two units across."""
    corners = np.random.default_rng(5).normal(size=(14, 3))
    corners *= 0.8 / np.linalg.norm(corners, axis=1, keepdims=True)
    dumbbell = [(er.Sphere(0.4), er.Pose(translation=[-0.5, 0, 0])), (er.Sphere(0.4), er.Pose(translation=[0.5, 0, 0])),
                (er.Capsule(0.15, 0.8), er.Pose(Rotation.from_euler("y", np.pi / 2)))]
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
    return -float(er.collide(a, b, pose_b=POSE, depth=True).contacts.depths[0])


def _stands(bodies: dict[str, er.Body]) -> list[er.Pose]:
    """Poses in a row on the slab, each body sunk a little into its top at height 0.25."""
    tilt = Rotation.from_rotvec([0.35, 0.2, 0.0])
    poses = []
    for k, body in enumerate(bodies.values()):
        turned = er.Pose(tilt)
        lowest = _lowest(body, turned)
        poses.append(er.Pose(tilt, [1.5 * k - 3.75, 0.0, 0.25 - 0.08 - lowest]))
    return poses


def _lowest(body: er.Body, pose: er.Pose) -> float:
    """Height of the body's lowest point, by its distance to a floor below it."""
    floor = er.Box([20.0, 20.0, 1.0])
    depth = 10.0
    return float(er.distance(floor, body, er.Pose(translation=[0, 0, -depth - 0.5]), pose).value) - depth


def _row(bodies: dict[str, er.Body]) -> er.Group:
    return er.Group(list(zip(bodies.values(), _stands(bodies), strict=True)))


def _picture(slab: er.Box, bodies: dict[str, er.Body], result: er.Collision, dpi: int) -> Picture:
    placed = [(body, pose, Look(PALETTE[k])) for k, (body, pose) in
              enumerate(zip(bodies.values(), _stands(bodies), strict=True))]
    figure = draw([(slab, None, Look("#8a949e", 0.5)), *placed], points=result.contacts.points,
                  normals=result.contacts.normals, camera=(-75.0, 16.0), size=(9.6, 3.6),
                  title="Contacts with normals: moving a body by depth along its normal frees it")
    alt = "A sphere, capsule, box, hull, torus and dumbbell in a row, sunk a little into a slab; arrows point up."
    return Picture(png(figure, dpi=dpi), alt, "Six bodies pressed 0.08 into a slab: contact points and normals.")


STOP = Stop(
    "Every pair of shapes",
    "The same questions for spheres, capsules, boxes, hulls, meshes and groups of them, in any pairing. Where two "
    "overlap, contacts say how deep, where, and which way out.",
    CODE,
    run,
)

"""Recorded scenes of rigid bodies: springs, a hook among tetrahedra, shapes on a slab, boxes of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import PALETTE
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.moving import Moving, Standing
from elbowroom.pictures.moving_balls import Lines, box_edges, spots
from elbowroom.pictures.player_data import recorded

Array = NDArray[np.float64]

FRAMES = 121
REACH = 4.0
WAY = 24.0  # how far the hook flies before the middle of its way, and after it
AROUND = 11.0  # tetrahedra so near to the way are shown
CONTACTS = "contacts"


def springs(spring: er.Mesh) -> Scene:
    """One spring goes through the other: the nearest points, or the triangles that collide."""
    poses = scenes.spring_path(FRAMES)
    nearest, touching, captions = [], [], []
    for pose in poses:
        apart = er.distance(spring, spring, pose_b=pose)
        pairs = er.collide(spring, spring, pose_b=pose, every=True).pairs
        nearest.append(np.zeros((0, 2, 3)) if len(pairs) else apart.points)
        touching.append(spots(_middles(spring, np.unique(pairs[:, 0]))))
        captions.append(f"{len(pairs)} pairs of triangles collide" if len(pairs) else _away(apart.value))
    data = recorded(
        [Moving([(spring, None)], poses, PALETTE[1])],
        [Standing(spring, None, PALETTE[0])],
        lines=[Lines(nearest, radius=0.03), Lines(touching, radius=0.035, layer=CONTACTS)],
        captions=captions,
        seconds=10.0,
    )
    alt = "Two coil springs, one of which goes sideways through the other; what collides is marked red."
    caption = "A red rod joins the two nearest points; red dots are triangles that collide."
    return Scene(data, alt, caption, {CONTACTS: True})


def hook(body: er.Group, obstacles: er.Group, corners: Array, pose: Array) -> Scene:
    """The hook flies through its neighbourhood, turning: the nearest points, and what it runs into."""
    poses = _flight(pose)
    middles = corners.mean(axis=1)
    gaps = np.linalg.norm(middles[:, None] - poses[None, ::10, :3, 3], axis=2).min(axis=1)
    shown = np.flatnonzero(gaps < AROUND)
    nearest, captions, hits = [], [], np.zeros((len(poses), len(corners)), bool)
    for k, at in enumerate(poses):
        apart = er.distance(body, obstacles, pose_a=at)
        pairs = er.collide(body, obstacles, pose_a=at, every=True).pairs
        near = len(np.unique(er.within(body, obstacles, REACH, pose_a=at).indices[:, 1]))
        hits[k, pairs[:, 1]] = True
        nearest.append(np.zeros((0, 2, 3)) if len(pairs) else apart.points)
        said = "collides" if len(pairs) else _away(apart.value)
        captions.append(f"{said}; {near} tetrahedra within {REACH:g}")
    data = recorded(
        [Moving([(body, None)], poses, PALETTE[1])],
        [Standing(er.Convex(corners[k]), None, PALETTE[0], hits[:, k]) for k in shown],
        lines=[Lines(nearest, radius=0.12)],
        captions=captions,
        seconds=12.0,
    )
    alt = "A hook flies through tetrahedra and turns; a rod joins the nearest points, hit tetrahedra are red."
    caption = f"{len(shown)} of the tetrahedra, those near the way of the hook. Red: what it collides with."
    return Scene(data, alt, caption, {"see through": True})


def _flight(pose: Array) -> Array:
    """To and through a pose along a line, with one turn about an upright axis."""
    shares = np.linspace(-1, 1, FRAMES)
    turned = Rotation.from_euler("z", np.pi * shares[:, None]).as_matrix() @ pose[:3, :3]
    poses = np.tile(np.eye(4), (FRAMES, 1, 1))
    poses[:, :3, :3] = turned
    poses[:, :3, 3] = pose[:3, 3] + WAY * shares[:, None] * np.array([0.8, 0.6, 0.0])
    return poses


def shapes(slab: er.Body, bodies: Sequence[tuple[er.Body, Any]], points: Array, normals: Array) -> Scene:
    """Six bodies pressed into a slab, with arrows that push them out."""
    arrows = np.stack([points, points + 0.9 * normals], axis=1)
    data = recorded(
        standing=[
            Standing(slab, None, alpha=0.35),
            *(Standing(body, pose, PALETTE[k], alpha=0.6) for k, (body, pose) in enumerate(bodies)),
        ],
        lines=[Lines(arrows, radius=0.035, layer=CONTACTS)],
        camera=(-75.0, 16.0),
    )
    alt = "A sphere, capsule, box, hull, torus and dumbbell in a row, sunk into a slab; rods point up."
    caption = (
        "Six bodies pressed 0.08 into a slab, with the deepest contact of each. Moving a body by the "
        "contact's depth along its normal leaves it just touching. The rods are not to scale."
    )
    return Scene(data, alt, caption, {CONTACTS: True})


def tree(spring: er.Mesh, levels: Sequence[Sequence[er.volumes.Obb]]) -> Scene:
    """The boxes of a spring's tree, level by level."""
    data = recorded(
        standing=[Standing(spring, None, PALETTE[0])],
        lines=[Lines([box_edges(boxes) for boxes in levels], PALETTE[1], 0.012, 1.0)],
        captions=[
            f"level {k}: {len(boxes)} box" + ("es" if len(boxes) > 1 else "")
            for k, boxes in enumerate(levels)
        ],
        seconds=1.6 * len(levels),
        blend=False,
    )
    alt = "A coil spring in oriented boxes, which follow its wire ever more closely from level to level."
    return Scene(data, alt, "Each box holds the boxes below it; a query opens only those it must.")


def _middles(mesh: er.Mesh, faces: NDArray[np.int64]) -> Array:
    return np.asarray(np.asarray(mesh.vertices)[np.asarray(mesh.faces)[faces]].mean(axis=1))


def _away(value: float) -> str:
    return f"{value:.3f} apart"

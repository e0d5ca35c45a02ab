"""Recorded scenes of bodies all of which moves: a hand that flicks a ball, a line of beads that rolls up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import PALETTE
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.moving import moving_links
from elbowroom.pictures.moving_balls import Balls, Lines, box_edges
from elbowroom.pictures.player_data import recorded
from elbowroom.reproduce.cab_pictures import link_colours, table_colours
from elbowroom.scenes.hand import BALL

from .scene_chain import along

Array = NDArray[np.float64]

FLICKS, LEVEL = slice(0, 250, 2), 3  # two of them, every other frame; the level of the boxes shown
BEADS, FRAMES, RADIUS, CAGES = 500, 100, 0.45, (3, 5)
BOXES = "boxes of the tree"


def hand(flicked: scenes.Flicked) -> Scene:
    """Two flicks: the nearest points of hand and ball, and links that touch anything in red."""
    fingers, table = (er.Articulated(limbs.links, limbs.joints, refit="cab") for limbs in flicked)
    ball = er.Sphere(BALL)
    rows = [limbs.motion[FLICKS] for limbs in flicked]
    red = np.zeros((len(rows[0]), len(fingers.link_names)), bool)
    nearest, boxes, captions = [], [], []
    for k, (first, second) in enumerate(zip(*rows, strict=True)):
        fingers.move(first)
        table.move(second)
        red[k, er.collide(fingers, table, every=True).pairs[:, 0]] = True
        at = table.link_poses()[table.link_number("ball")]
        apart = er.distance(fingers, ball, pose_b=at)
        nearest.append(apart.points if apart.value > 0 else np.zeros((0, 2, 3)))
        boxes.append(box_edges(fingers.boxes(LEVEL)))
        captions.append(
            f"{apart.value:.2f} cm from hand to ball" if apart.value else "the hand hits the ball"
        )
    links, still = moving_links(fingers, rows[0], colours=link_colours(fingers), red=red)
    things, top = moving_links(table, rows[1], colours=table_colours(table))
    data = recorded(
        [*links, *things],
        [*still, *top],
        lines=[Lines(nearest, radius=0.08), Lines(boxes, PALETTE[2], layer=BOXES)],
        captions=captions,
        seconds=12.0,
        camera=(-45.0, 24.0),
    )
    alt = "A hand over a table flicks a ball, which rolls away; links that touch something are red."
    caption = "A hand of 18 links flicks a ball. Red: what touches, and the two nearest points."
    return Scene(data, alt, caption, {BOXES: False})


def rolling() -> Scene:
    """A line of beads rolls up; its cages, its closest pair, and how many pairs of balls prove it free."""
    frames = scenes.spiral(BEADS, FRAMES)
    rope = er.Necklace(frames[0], RADIUS, cages="wrapped")
    nearest, captions = [], []
    cages: dict[int, list[Array]] = {level: [] for level in CAGES}
    for positions in frames:
        rope.move(positions)
        closest, pairs = er.self_distance(rope), len(rope.separating_pairs())
        nearest.append(closest.points)
        for level, found in cages.items():
            found.append(rope.cage_balls(level))
        captions.append(f"closest pair {closest.value:.2f} apart; {pairs:,} pairs of balls prove it free")
    data = recorded(
        balls=[
            Balls(_lifted(frames), RADIUS, along(BEADS), bonds=0.15),
            *(_caged(np.array(found), level) for level, found in cages.items()),
        ],
        lines=[Lines(nearest, radius=0.3)],
        captions=captions,
        seconds=12.0,
        follow=0.92,
        camera=(-90.0, 62.0),
    )
    alt = "A straight line of beads rolls up into a spiral; translucent balls hold stretches of it."
    caption = f"A line of {BEADS} beads rolls up. Cages: the smallest ball about each stretch of beads."
    return Scene(data, alt, caption, {_layer(level): level == CAGES[-1] for level in CAGES})


def _lifted(points: Array) -> Array:
    """Points of the plane, in space."""
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)


def _caged(balls: Array, level: int) -> Balls:
    return Balls(_lifted(balls[..., :2]), balls[..., 2], PALETTE[2], alpha=0.25, layer=_layer(level))


def _layer(level: int) -> str:
    return f"cages of level {level}"

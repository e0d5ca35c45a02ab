"""Figures of the page on articulated bodies: the rule, boxes as an elbow bends, a hand level by level."""

from __future__ import annotations

import math

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, VIOLET, Array, arrow, bare, boxes_on, legend, panels, soft
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom import scenes
from elbowroom.articulated import Refit
from elbowroom.pictures import INK, PALETTE, draw_on
from elbowroom.pictures.links import placed_boxes, placed_links
from elbowroom.reproduce.cab_boxes import elbow

LENGTHS = (6.0, 5.0)
GAP = 0.7


def bent(degrees: float, refit: Refit = "cab") -> er.Articulated:
    """Two rods in the plane, the second turned by an angle about z at a joint between them; 0 is straight."""
    half = math.radians(degrees) / 2
    return elbow(LENGTHS, refit, np.array([math.cos(half), 0.0, 0.0, math.sin(half)]), gap=GAP)


def rule() -> Figure:
    """Three elbows with the vectors that decide, and the box that comes out."""
    figure, places = panels(3, (9.2, 3.0), width_ratios=(1.35, 1.0, 0.9))
    cases = ((35.0, "E is the longest"), (100.0, "E is still the longest"), (150.0, "a₁ is the longest"))
    for axes, (degrees, title) in zip(places, cases, strict=True):
        _elbow_on(axes, degrees)
        bare(axes, title)
    return figure


def _elbow_on(axes: Axes, degrees: float) -> None:
    body = bent(degrees)
    root, leaves = body.boxes(0), body.boxes(1)
    boxes_on(axes, leaves, [BLUE, ORANGE], fill=0.25, width=0.8)
    boxes_on(axes, root, INK, fill=0.05, width=1.6)
    joint = np.array([LENGTHS[0] + GAP, 0.0])
    angle = math.radians(degrees)
    first = np.array([-LENGTHS[0] / 2, 0.0])
    second = LENGTHS[1] / 2 * np.array([math.cos(angle), math.sin(angle)])
    axes.plot(*joint, "o", color=INK, markersize=4, zorder=6)
    arrow(axes, joint, first, BLUE, "a₁", shift=0.9)
    arrow(axes, joint, second, RED, "a₂", shift=-0.9)
    arrow(axes, joint + second, first - second, GREEN, "E", shift=-0.7)


def sizes() -> Figure:
    """How large the box about two rods is, by the angle between them, for each refit."""
    figure, (axes,) = panels(1, (6.4, 3.4))
    angles = np.linspace(0, 180, 181)
    lines: dict[str, tuple[Refit, str, str]] = {
        "aabb": ("aabb", RED, "-"),
        "obb: principal axes": ("obb", INK, "-"),
        "cab": ("cab", ORANGE, "-"),
        "cab-sum: the reviewer's": ("cab-sum", VIOLET, "--"),
    }
    for name, (refit, colour, style) in lines.items():
        volumes = [_volume(bent(angle, refit)) for angle in angles]
        axes.plot(angles, volumes, style, color=colour, linewidth=1.6, label=name)
    soft(axes, "angle by which the elbow is bent, degrees", "volume of the box about both")
    axes.set_xticks(range(0, 181, 30))
    axes.set_ylim(bottom=0)
    legend(axes)
    return figure


def _volume(body: er.Articulated) -> float:
    """The mean over directions in which the whole may lie, as boxes along the axes depend on that."""
    found, poses = [], body.link_poses()
    for turn in np.linspace(0, math.pi / 2, 7)[:-1]:
        body.place(_turned(poses, turn))
        (box,) = body.boxes(0)
        half = box.half if hasattr(box, "half") else (box.high - box.low) / 2
        found.append(8.0 * float(np.prod(half)))
    return float(np.mean(found))


def _turned(poses: Array, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    return np.asarray(turn @ poses)


def levels() -> Figure:
    """A hand in the boxes of its tree, level by level."""
    flicked = scenes.hand_and_ball(200)
    limbs = flicked.hand
    body = er.Articulated(limbs.links, limbs.joints, refit="cab", exclude=None)
    body.move(limbs.motion[60])
    figure, places = panels(4, (9.2, 2.6))
    links = placed_links(body, [PALETTE[0]] * len(body.link_names))
    for axes, level in zip(places, (0, 1, 2, 4), strict=True):
        boxes = body.boxes(level)
        draw_on(axes, [*links, *placed_boxes(boxes)], camera=(-45.0, 35.0))
        axes.set_title(f"level {level}: {len(boxes)} box{'es' if level else ''}", color=INK, fontsize=11)
    return figure


FIGURES = {"cab-rule": rule, "cab-sizes": sizes, "cab-levels": levels}

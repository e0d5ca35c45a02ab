"""The hourglass of He and van den Berg and its ellipsoid: Figures 2 to 4, and a slip of section III-C."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.pictures import INK, Look, draw_on, png
from elbowroom.pictures.exhibits import Picture

from .findings import REPRODUCED, Chapter, Comparison, Findings, Settings, Tell
from .motion_paint import BODY, BOUND, OBSTACLE, ellipsoid

Array = NDArray[np.float64]

RATIO = 3 * math.sqrt(3)  # Figure 3: the ellipsoid over the hourglass
NEAR = 1e-3
RADIUS, TURN = 1.0, 0.5
SMALL = 1e-6
OBLIQUE = (0.5, 0.2, 1.2)


def run(settings: Settings, tell: Tell) -> Findings:
    """Volumes, how far points really go, and the case in which a small value is not safe."""
    tell("hourglasses and their ellipsoids")
    motion = motion_of(OBLIQUE, TURN)
    linear = motion.hourglass(RADIUS)
    flat = motion_of((1.0, 0.0, 0.0), TURN)
    naive, safe = farthest(flat, as_printed(flat, SMALL)), farthest(flat, flat.hourglass(RADIUS))
    figures = {"ratio": volume_ratio(motion, linear), "naive": naive, "safe": safe}
    return Findings(
        [
            _near("Figure 3: ellipsoid / hourglass, volume", figures["ratio"], RATIO),
            _near("Figure 3: farthest point of it", _rim(motion, linear), 1.0),
            _at_most("oblique: farthest that a point goes", farthest(motion, linear)),
            _at_most("no shift along the axis, small value", naive),
            _at_most("no shift along the axis, library", safe),
        ],
        plots=[_picture(motion, linear)],
        figures=figures,
    )


def motion_of(shift: tuple[float, float, float], turn: float) -> er.Motion:
    """A motion by a shift, with a turn about z."""
    return er.Motion(er.Pose(), er.Pose([math.cos(turn / 2), 0, 0, math.sin(turn / 2)], shift))


def as_printed(motion: er.Motion, small: float) -> Array:
    """Equations 20 and 21 for a turn about z, with a small value where the shift along the axis is zero.

    The shear then does nothing to displacements, which have no part along the axis and keep the whole shift.
    """
    x, y, z = motion.translation
    along = z if z != 0 else small
    across = math.sqrt(6) / (3 * RADIUS * motion.angle)
    shear = np.array([[1.0, 0.0, -x / along], [0.0, 1.0, -y / along], [0.0, 0.0, 1.0]])
    return np.asarray(np.diag([across, across, math.sqrt(3) / (3 * along)]) @ shear)


def volume_ratio(motion: er.Motion, linear: Array) -> float:
    """How many times larger the ellipsoid is than the hourglass."""
    ball = 4 / 3 * math.pi
    return float(ball / abs(np.linalg.det(linear)) / motion.hourglass_volume(RADIUS))


def farthest(motion: er.Motion, linear: Array) -> float:
    """How far points of a body go in the transformed space, for a unit of time: 1 is what a proof needs.

    Points are on the circle of the body's radius; the shortest time is one in which arcs are straight.
    """
    angles, worst = np.linspace(0, 2 * np.pi, 721), 0.0
    circle = RADIUS * np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    for time in (1e-4, 0.25, 0.5, 1.0):
        moved = motion.at(time).apply(circle) - motion.start.apply(circle)
        worst = max(worst, float(np.linalg.norm(moved @ linear.T, axis=1).max()) / time)
    return worst


def _rim(motion: er.Motion, linear: Array) -> float:
    """How far the rim of the hourglass is from its middle, in the transformed space."""
    return float(np.linalg.norm(_cone(motion)[1:] @ linear.T, axis=1).max())


def _cone(motion: er.Motion, time: float = 1.0) -> Array:
    """The apex and the rim of one half of the hourglass."""
    angles = np.linspace(0, 2 * np.pi, 73)[:-1]
    radius = RADIUS * motion.angle
    rim = radius * np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    return np.concatenate([np.zeros((1, 3)), time * (motion.translation + rim)])


def _near(what: str, ours: float, paper: float) -> Comparison:
    same = abs(ours - paper) <= NEAR * paper
    return Comparison(what, ours, paper, f"{REPRODUCED}: exactly" if same else "differs: another ellipsoid")


def _at_most(what: str, ours: float) -> Comparison:
    holds = ours <= 1.0 + 1e-9
    verdict = f"{REPRODUCED}: the bound holds" if holds else "differs: no proof, points go farther"
    return Comparison(what, ours, 1.0, verdict)


def _picture(motion: er.Motion, linear: Array) -> Picture:
    """The hourglass in its smallest ball and in its ellipsoid, and transformed."""
    halves = [er.Convex(_cone(motion, time)) for time in (-1.0, 1.0)]
    hourglass = [(half, None, Look(BODY, 1.0, False)) for half in halves]
    reach = motion.standard_bound(RADIUS)
    panels: dict[str, list[tuple[er.Body, Any, Look]]] = {
        "smallest ball": [
            *hourglass,
            (ellipsoid(np.eye(3), reach, np.zeros(3)), None, Look(OBSTACLE, 0.16, False)),
        ],
        "ellipsoid": [*hourglass, (ellipsoid(linear, 1.0, np.zeros(3)), None, Look(BOUND, 0.2, False))],
        "transformed": [
            *(
                (er.Convex(np.asarray(half.points) @ linear.T), None, Look(BODY, 1.0, False))
                for half in halves
            ),
            (er.Sphere(1.0), None, Look(BOUND, 0.2, False)),
        ],
    }
    figure = Figure(figsize=(9.6, 3.6), layout="constrained")
    for axes, (title, items) in zip(figure.subplots(1, 3), panels.items(), strict=True):
        draw_on(axes, items, camera=(-70.0, 8.0))
        axes.set_title(title, color=INK, fontsize=11)
    alt = "An oblique double cone in a large ball, in an ellipsoid that fits it, and upright in a ball."
    caption = "Figures 2 to 4: the hourglass, its smallest ball, its ellipsoid, and both transformed."
    return Picture(png(figure), alt, caption, wide=True)


CHAPTER = Chapter(
    "Figures 2 to 4: the hourglass and its ellipsoid",
    "All displacements of the points of a body lie in an oblique double cone. The smallest ellipsoid about "
    "it is 3 sqrt(3) times as large; a linear map makes it a ball. How far a point goes is measured in that "
    "ball, where 1 for a unit of time is what a proof needs. A slip: where nothing moves along the axis the "
    "paper says that a small value can safely be used instead. If that value is used in the map and the "
    "motion stays as it is, points go up to 2.449 times as far as the ball allows (a shift of 1 across the "
    "axis, a turn of 0.5, radius 1), and motions would be proved free that are not. The library takes an "
    "ellipsoid about the stadium that the points reach in this case.",
    run,
)

"""Figures of the page on motions: the hourglass, where its map fails, hulls over time, certificates."""

from __future__ import annotations

import math

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, Array, bare, panels, soft
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from scipy.spatial import ConvexHull

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK
from elbowroom.reproduce.motion_hourglass import as_printed, motion_of

RADIUS = 1.0
CIRCLE = np.linspace(0, 2 * math.pi, 181)


def displacements(motion: er.Motion, radius: float, times: Array) -> Array:
    """How far points of a ring about the axis go before and after the middle: (times, points, 3)."""
    angles = np.linspace(0, 2 * math.pi, 25)[:-1]
    ring = radius * np.stack([np.cos(angles), np.sin(angles), np.zeros(24)], axis=1)
    middle = motion.at(0.5)
    return np.array([motion.at(0.5 + s).apply(ring) - middle.apply(ring) for s in times])


def section(linear: Array, size: float, axes_of: tuple[int, int]) -> Array:
    """The rim (k, 2) of {u: |T u| <= size} in the plane of two coordinates."""
    plane = np.zeros((len(CIRCLE), 3))
    plane[:, axes_of[0]], plane[:, axes_of[1]] = np.cos(CIRCLE), np.sin(CIRCLE)
    reach = np.linalg.norm(plane @ linear.T, axis=1)
    return np.asarray(size * plane[:, axes_of] / reach[:, None])


def hourglass() -> Figure:
    """An oblique motion seen from the side, and one across its axis seen along it."""
    figure, (left, right) = panels(2, (9.2, 3.9))
    oblique = motion_of((1.1, 0.0, 2.4), 0.9)
    _seen(left, oblique, (0, 2), oblique.hourglass(RADIUS))
    tau, tip = 0.5, np.array([1.1, 2.4]) / 2
    for sign in (-1, 1):
        rim = np.array([[-RADIUS * 0.9 * tau, 0.0], [RADIUS * 0.9 * tau, 0.0]])
        cone = np.array([[0.0, 0.0], *(sign * tip + rim)])
        left.add_patch(Polygon(cone, facecolor=ORANGE, alpha=0.25, edgecolor="none"))
    bare(left, "across and along the axis: the paper's ellipsoid")
    flat = motion_of((1.0, 0.0, 0.0), 0.5)
    _seen(right, flat, (0, 1), flat.hourglass(RADIUS))
    right.plot(*section(as_printed(flat, 1e-6), tau, (0, 1)).T, "--", color=RED, linewidth=1.6,
               label="the printed map with a small Δz")  # fmt: skip
    bare(right, "nothing along the axis: seen along it")
    handles = right.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=4, frameon=False, labelcolor=INK, fontsize=9)
    return figure


def _seen(axes: Axes, motion: er.Motion, plane: tuple[int, int], linear: Array) -> None:
    """Displacements as lines, the ball of the standard bound, and the ellipsoid of a map."""
    tau = 0.5
    moved = displacements(motion, RADIUS, np.linspace(-tau, tau, 21))[..., plane]
    for k in range(moved.shape[1]):
        axes.plot(*moved[:, k].T, color=INK, linewidth=0.8, label="" if k else "where points go")
    ball = tau * motion.standard_bound(RADIUS)
    axes.plot(ball * np.cos(CIRCLE), ball * np.sin(CIRCLE), color=BLUE, linewidth=1.4, label="standard ball")
    axes.plot(*section(linear, tau, plane).T, color=GREEN, linewidth=1.8, label="ellipsoid")


def swept() -> Figure:
    """A bar at a few times, the hull of these, rounded by what points bulge, and where it really goes."""
    figure, places = panels(2, (9.2, 3.0))
    motion = motion_of((2.6, 0.5, 0.0), 1.5)
    bar = np.array([[-1.6, -0.12, 0], [1.6, -0.12, 0], [1.6, 0.12, 0], [-1.6, 0.12, 0.0]])
    for axes, count in zip(places, (3, 5), strict=True):
        times = np.linspace(0, 1, count)
        points = np.concatenate([motion.at(t).apply(bar)[:, :2] for t in times])
        bulge = (motion.angle**2 * np.linalg.norm(bar[0])) * (times[1] ** 2) / 8
        hull = points[ConvexHull(points).vertices]
        axes.add_patch(Polygon(rounded(hull, bulge), facecolor=GREEN, alpha=0.16, edgecolor=GREEN))
        axes.add_patch(Polygon(hull, facecolor="none", edgecolor=GREEN, linestyle="--"))
        for t in np.linspace(0, 1, 61):
            axes.add_patch(Polygon(motion.at(t).apply(bar)[:, :2], facecolor=INK, alpha=0.05))
        for t in times:
            place = motion.at(t).apply(bar)[:, :2]
            axes.add_patch(Polygon(place, facecolor="none", edgecolor=ORANGE, linewidth=1.6))
        axes.update_datalim(rounded(hull, bulge))
        bare(axes, f"{count} times: a bulge of {bulge:.3f}")
    return figure


def rounded(hull: Array, radius: float) -> Array:
    """The rim of a convex polygon, rounded."""
    ring = radius * np.stack([np.cos(CIRCLE), np.sin(CIRCLE)], axis=1)
    cloud = (hull[:, None] + ring).reshape(-1, 2)
    return np.asarray(cloud[ConvexHull(cloud).vertices])


def certificates() -> Figure:
    """One motion, proved by three methods: the distance along it, and the intervals of each proof."""
    figure, (upper, lower) = panels(1, (7.6, 4.2), rows=2, sharex=True, height_ratios=(1.0, 1.0))
    passage = scenes.past_a_plate()
    legs = scenes.thin_hook()
    hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in legs])
    plate = (er.Box(passage.extents), er.Pose(translation=passage.centre))
    motion = er.Motion(passage.start, passage.goal)
    times = np.linspace(0, 1, 201)
    gaps = er.distance(hook, plate[0], pose_a=motion.at(times), pose_b=plate[1]).values
    upper.plot(times, gaps, color=INK, linewidth=1.6)
    upper.set_ylim(bottom=0)
    soft(upper, "", "distance")
    for row, (method, colour) in enumerate((("isotropic", BLUE), ("hourglass", GREEN), ("auto", ORANGE))):
        proof = er.check(hook, motion, plate, method=method)
        assert proof.free
        proof.verify()
        _intervals_on(lower, proof, 2 - row, colour)
    lower.set_yticks([2, 1, 0], ["isotropic", "hourglass", "auto"])
    soft(lower, "time", "")
    lower.grid(visible=False)
    lower.set(xlim=(-0.005, 1.16), ylim=(-0.6, 2.6))
    return figure


def _intervals_on(axes: Axes, proof: er.Certificate, row: int, colour: str) -> None:
    """The intervals of a proof as bars in two shades, each with the time at which it was looked at."""
    for k, ((begin, end), time) in enumerate(zip(proof.intervals, proof.times, strict=True)):
        axes.barh(row, end - begin, 0.56, begin, color=colour, alpha=0.35 if k % 2 else 0.65, linewidth=0)
        axes.plot(time, row, "|", color=RED, markersize=10, markeredgewidth=1.6)
    count = len(proof.intervals)
    axes.text(1.02, row, f"{count} interval{'' if count == 1 else 's'}", color=INK, fontsize=9, va="center")


FIGURES = {
    "motion-hourglass": hourglass,
    "motion-swept": swept,
    "motion-certificates": certificates,
}

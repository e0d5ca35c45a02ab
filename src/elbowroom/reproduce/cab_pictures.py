"""Pictures for the CAB paper: a frame of each scene, the tree level by level, times, and costs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import elbowroom as er
from elbowroom.articulated import Refit
from elbowroom.pictures import INK, PALETTE, Look, draw_on, png
from elbowroom.pictures.exhibits import Picture
from elbowroom.pictures.links import Item, placed_boxes, placed_links
from elbowroom.scenes import Limbs

from .cab_measure import Tally
from .cab_tables import Cast, Experiment
from .plots import _legend, _soften, bars

THINGS, RAIL = {"ball": PALETTE[1], "top": "#cdb38b"}, "#9a7b52"  # of the scene with a hand
SHOWN = ("brute", "AABB+", "AABB*", "OBB", "CAB", "auto")


def frame_picture(cast: Cast, *, wide: bool) -> Picture:
    """A frame with a collision, its links in red, if there is one; else the middle of the motion."""
    frame = _telling_frame(cast)
    items, red = _painted(cast, frame)
    figure = Figure(figsize=(9.6, 3.2) if wide else (6.0, 5.0), layout="constrained")
    draw_on(figure.add_subplot(), items, camera=_camera(cast))
    alt = "The links of the scene in one frame; those that collide are red."
    words = "red links collide" if red else "nothing collides"
    return Picture(png(figure), alt, f"Frame {frame:,} of the motion: {words}.", wide)


def link_picture(cast: Cast) -> Picture:
    """A link from near by, as in the paper's figure 3, in its box."""
    _, shape, _ = _still(cast.first, 0).shapes[0]
    figure = Figure(figsize=(6.0, 5.0), layout="constrained")
    above, inside = figure.subplots(2, 1)
    draw_on(above, [(shape, None, Look(PALETTE[0], 1.0, True))], camera=(-70.0, 35.0))
    box = placed_boxes(shape.boxes(0))
    draw_on(inside, [(shape, None, Look(PALETTE[0], 1.0, True)), *box], camera=(-70.0, 35.0))
    alt = "A long link with blunt ends, seen from above, and the same link in the box that fits it."
    return Picture(png(figure), alt, "A link, and the box that all oriented trees keep for it.")


def level_picture(cast: Cast, columns: int) -> Picture:
    """The tree of CAB in one frame, level by level, as in the paper's figure 2(a)."""
    frame = _telling_frame(cast)
    body = _still(cast.first, frame, "cab")
    levels = [body.boxes(0)]
    while len(levels[-1]) < len(body.shapes):
        levels.append(body.boxes(len(levels)))
    rows = -(-len(levels) // columns)
    figure = Figure(figsize=(9.6, rows * (1.7 if columns == 1 else 2.2)), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    links = placed_links(body, link_colours(body))
    for k, (axes, boxes) in enumerate(zip(panels, levels, strict=False)):
        title = f"level {k}: {len(boxes)} box{'es' if k else ''}"
        draw_on(axes, [*links, *placed_boxes(boxes)], camera=_camera(cast), title=title)
    for axes in panels[len(levels) :]:
        axes.set_axis_off()
    alt = "The same frame several times, with one box around all links, then two, and so on to one a link."
    return Picture(png(figure), alt, f"The boxes of CAB in frame {frame:,}, level by level.", wide=True)


def time_plot(experiment: Experiment, tallies: Mapping[str, Tally]) -> Picture:
    """Bars of the parts of each method's time."""
    panels = {
        part: {
            # What brute force takes to refit nothing is noise.
            name: [0.0 if (name, part) == ("brute", "update") else _per_frame(tallies[name], part)]
            for name in SHOWN
        }
        for part in ("update", "test", "query", "total")
    }
    figure = bars(panels, [""], "µs a frame")
    alt = "Bars of the time a frame takes to refit, to test, to query exactly, and in all, for six methods."
    caption = (
        f"Table {experiment.number} on this machine. Brute force has no boxes; its test lists all pairs."
    )
    return Picture(png(figure), alt, caption, wide=True)


def _per_frame(tally: Tally, part: str) -> float:
    """Microseconds of that part of the work."""
    return 1e6 * float(getattr(tally, part)) / tally.frames


def cost_plot(
    tallies: Mapping[Experiment, Mapping[str, Tally]], marks: Mapping[Experiment, Mapping[str, float]]
) -> Picture:
    """Time of a frame against the time of an exact query, for every table; marks are such times by name."""
    figure = Figure(figsize=(9.6, 6.4), layout="constrained")
    panels = figure.subplots(2, 3).ravel()
    for axes, (experiment, by) in zip(panels, tallies.items(), strict=False):
        _draw_costs(axes, by, marks[experiment])
        axes.set_title(f"{experiment.number}. {experiment.name}", color=INK, fontsize=11)
    for axes in panels[len(tallies) :]:
        axes.set_axis_off()
    _legend(figure, *panels[0].get_legend_handles_labels())
    alt = "For each table, the time of a frame against that of an exact query, both on logarithmic scales."
    caption = (
        "The time of a frame if an exact query took so long. Dotted: what one takes here, and what one by "
        "SWIFT++ and DEEP took in the paper, on the machines of its time."
    )
    return Picture(png(figure), alt, caption, wide=True)


def _draw_costs(axes: Axes, tallies: Mapping[str, Tally], marks: Mapping[str, float]) -> None:
    costs = np.logspace(-8.5, -3, 200)
    for k, name in enumerate(SHOWN):
        tally = tallies[name]
        total = (tally.update + tally.test + tally.exact * costs) / tally.frames
        axes.plot(1e6 * costs, 1e6 * total, color=PALETTE[k % len(PALETTE)], label=name)
    axes.set(xscale="log", yscale="log", xlim=(1e6 * costs[0], 1e6 * costs[-1]))
    for word, cost in marks.items():
        if cost < costs[0]:
            continue  # too little to be told from nothing
        axes.axvline(1e6 * cost, color=INK, linestyle=":", linewidth=1.2)
        where = (1e6 * cost, 0.98)
        axes.annotate(word, where, xycoords=axes.get_xaxis_transform(), color=INK, fontsize=8,
                      rotation=90, ha="right", va="top")  # fmt: skip
    axes.set_xlabel("µs of an exact query")
    axes.set_ylabel("µs a frame")
    _soften(axes)
    axes.xaxis.set_major_formatter("{x:g}")


def _painted(cast: Cast, frame: int) -> tuple[list[Item], bool]:
    """What to draw of a frame, and whether there is red in it."""
    first = _still(cast.first, frame)
    if cast.second is None:
        red = set(er.self_collide(first, every=True).pairs.ravel().tolist())
        return placed_links(first, link_colours(first), red), bool(red)
    second = _still(cast.second, frame)
    red = set(er.collide(first, second, every=True).pairs[:, 0].tolist())
    things = placed_links(second, table_colours(second))
    return [*things, *placed_links(first, link_colours(first), red)], bool(red)


def link_colours(body: er.Articulated) -> list[str]:
    """The two chains of links a0 and so on and b0 and so on are told apart; a hand is of one colour."""
    return [PALETTE[1] if name.startswith("b") else PALETTE[0] for name in body.link_names]


def table_colours(body: er.Articulated) -> list[str]:
    """The ball, the top of the table and its rails."""
    return [THINGS.get(name, RAIL) for name in body.link_names]


def _still(limbs: Limbs, frame: int, refit: Refit = "auto") -> er.Articulated:
    body = er.Articulated(limbs.links, limbs.joints, refit=refit, exclude=None)
    body.move(limbs.motion[frame])
    return body


def _telling_frame(cast: Cast) -> int:
    """The middle one of the frames in which links collide, or hit the ball; else the middle of the motion."""
    first = _still(cast.first, 0)
    if cast.second is None:
        found = np.flatnonzero(er.self_collide(first, configurations=cast.first.motion).hits)
    else:
        second = _still(cast.second, 0)
        both = cast.first.motion, cast.second.motion
        contacts = er.collide(first, second, every=True, configurations=both)
        assert contacts.frames is not None and contacts.pairs is not None
        found = contacts.frames[contacts.pairs[:, 1] == second.link_number("ball")]
    return int(found[len(found) // 2]) if len(found) else len(cast.first.motion) // 2


def _camera(cast: Cast) -> tuple[float, float]:
    """The braid lies along x; the hand is turned away from it."""
    return (-62.0, 20.0) if cast.second is None else (-45.0, 20.0)

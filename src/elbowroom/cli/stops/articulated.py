"""Seventh stop: bodies of links and joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.articulated import Refit
from elbowroom.pictures import draw_on, png, trace
from elbowroom.pictures.exhibits import Picture, Table
from elbowroom.pictures.links import placed_links
from elbowroom.reproduce.cab_measure import in_turns
from elbowroom.reproduce.cab_pictures import link_colours
from elbowroom.reproduce.cab_tables import EXPERIMENTS, Cast
from elbowroom.scenes.hand import BALL

from . import scene_bodies
from .measure import measure, measure_each
from .stop import Progress, Row, Section, Stop, short

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FRAMES = 10_000
HAND_FRAMES = 4_001
#: How the boxes are kept true when all links move, in words.
REFITS: dict[Refit, str] = {
    "auto": "blocks of boxes, the default",
    "cab": "CAB: oriented, by long axes",
    "obb": "oriented, by covariance",
    "aabb": "along the axes, about eight corners",
    "none": "none: every pair of links",
}
BRAIDED = EXPERIMENTS[3]  # of the paper's tables the one with braided chains
#: Its rows, by the refits that they stand for here.
PRINTED = {
    "cab": BRAIDED.rows["CAB"],
    "obb": BRAIDED.rows["OBB"],
    "aabb": BRAIDED.rows["AABB*"],
    "none": BRAIDED.rows["brute"],
}
CODE = """chains = scenes.braided_chains(10_000)
body = er.Articulated(chains.links, chains.joints)
body.move(chains.motion)  # 10,000 configurations at once
touching = er.self_collide(body).hits"""


def run(progress: Progress) -> Section:
    """Braided chains against themselves, a hand against a ball and a table; then the pictures."""
    chains = scenes.braided_chains(progress.size(FRAMES))
    progress.step(f"{len(chains.motion):,} frames of two braided chains")
    hits, rows = _braid(chains)
    progress.step("every refit on some of these frames")
    table, exact = _refits(chains._replace(motion=chains.motion[::5]))
    flicked = scenes.hand_and_ball(HAND_FRAMES)
    progress.step(f"{HAND_FRAMES:,} frames of a hand and a ball")
    touching, gaps, hand_rows = _hand(flicked)
    progress.step("painting chains and recording a hand")
    return Section(
        [*rows, *hand_rows],
        [
            _gap_picture(gaps, progress.dpi),
            _braid_picture(chains, hits, progress.dpi),
        ],
        [table],
        {
            "frames": len(hits),
            "colliding": int(hits.sum()),
            "exact_queries": exact,
            "hand_touching": int(touching.sum()),
            "ball_touching": int((gaps == 0).sum()),
        },
        [scene_bodies.hand(flicked)],
    )


def _braid(chains: scenes.Limbs) -> tuple[Flags, list[Row]]:
    body = er.Articulated(chains.links, chains.joints)
    body.move(chains.motion)
    answer, together = measure(
        "self-collision, all cores", lambda: er.self_collide(body), queries=len(chains.motion)
    )
    single = er.Articulated(chains.links, chains.joints)

    def ask(configuration: Array) -> er.Collision:
        single.move(configuration)
        found: er.Collision = er.self_collide(single)
        return found

    _, each = measure_each("self-collision, a call each", ask, chains.motion)
    return answer.hits, [replace(together, answer=f"{answer.hits.mean():.0%} collide"), each]


def _refits(chains: scenes.Limbs) -> tuple[Table, dict[str, int]]:
    """What each way to keep the boxes costs, on one thread."""
    tallies = in_turns(Cast(chains), {refit: refit for refit in REFITS})
    rows = []
    for refit, words in REFITS.items():
        spent = tallies[refit]
        parts = [spent.part(name) for name in ("update", "test", "query", "total")]
        cells = ["noise" if part is None else short(1e6 * part / spent.frames) for part in parts]
        cells[0] = cells[0] if refit != "none" else "none"
        printed = PRINTED.get(refit)
        paper = "" if printed is None else short(printed.exact / BRAIDED.frames)
        rows.append([words, short(spent.exact / spent.frames), paper, *cells])
    headings = [
        "boxes",
        "exact queries",
        "in the paper",
        "µs to refit",
        "µs to test",
        "µs to query",
        "µs in all",
    ]
    caption = f"16 links, every pair and its depth, {len(chains.motion):,} frames; for a frame, one thread"
    return Table(caption, headings, rows), {str(refit): tally.exact for refit, tally in tallies.items()}


def _hand(flicked: scenes.Flicked) -> tuple[Flags, Array, list[Row]]:
    """In which frames the hand touches anything, and how far it is from the ball."""
    hand, table = (er.Articulated(limbs.links, limbs.joints) for limbs in flicked)
    hand.move(flicked.hand.motion)
    table.move(flicked.table.motion)
    ball, places = er.Sphere(BALL), table.link_poses()[:, table.link_number("ball")]
    answer, first = measure(
        "hand against ball and table", lambda: er.collide(hand, table), queries=HAND_FRAMES
    )
    gaps, second = measure(
        "distance of hand and ball", lambda: er.distance(hand, ball, pose_b=places), queries=HAND_FRAMES
    )
    touching = replace(first, answer=f"{answer.hits.mean():.0%} touch")
    return answer.hits, gaps.values, [touching, replace(second, answer=f"0 to {gaps.values.max():.1f} cm")]


def _braid_picture(chains: scenes.Limbs, hits: Flags, dpi: int) -> Picture:
    frames = np.flatnonzero(hits)
    body = er.Articulated(chains.links, chains.joints)
    body.move(chains.motion[frames[len(frames) // 2]])
    red = set(er.self_collide(body, every=True).pairs.ravel().tolist())
    figure = Figure(figsize=(9.6, 2.2), layout="constrained")
    draw_on(figure.add_subplot(), placed_links(body, link_colours(body), red), camera=(-62.0, 20.0))
    alt = f"Two chains of eight rods twisted about each other; {len(red)} rods that collide are red."
    return Picture(png(figure, dpi=dpi), alt, "Two braided chains; in red, links that collide.", wide=True)


def _gap_picture(gaps: Array, dpi: int) -> Picture:
    shown = gaps[:250]  # two flicks
    figure = trace(shown, labels=("frame", "cm to the ball"), size=(9.6, 2.4))
    alt = "Line plot of the distance from the hand to the ball: zero at each flick, then up to many cm."
    return Picture(
        png(figure, dpi=dpi),
        alt,
        "How far the hand is from the ball, frame by frame; 0: it touches the ball.",
        wide=True,
    )


STOP = Stop(
    "Bodies of links and joints",
    "All links may move between two queries. Configurations come as arrays, thousands at once; the boxes "
    "are refitted for each, and the answers name the links. Bodies are checked against themselves, each "
    "other, and shapes.",
    CODE,
    run,
)

"""Figures of the page on chains: shortcuts and boxes, which pairs are looked at, how the work grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from figure_kit import BLUE, GREEN, ORANGE, RED, Array, bare, boxes_on, discs, legend, panels, soft
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Rectangle

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import INK

LINKS, JOINT, TURN = 16, 9, 0.9
RADIUS = 0.42
COMPACT = (1000, 2500, 5000, 10_000, 50_000)


def bent_line() -> Array:
    """Links in the plane, one apart, on a wave."""
    heading = 0.75 * np.sin(0.85 * np.arange(LINKS))
    steps = np.stack([np.cos(heading), np.sin(heading), np.zeros(LINKS)], axis=1)
    return np.asarray(np.cumsum(steps, axis=0) - steps[0])


def about_z(angle: float) -> Array:
    """A rotation matrix."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def hierarchy() -> Figure:
    """Shortcuts above the links, and the boxes of three levels before and after a turn of one joint."""
    figure = Figure(figsize=(9.2, 4.6), layout="constrained")
    places = figure.subplot_mosaic("aa;bc", height_ratios=(1.0, 1.5))
    _shortcuts(places["a"])
    chain = er.Chain(bent_line(), RADIUS, volume="obb", children=2)
    for name, title in (("b", "before"), ("c", "after a turn of joint 9")):
        if name == "c":
            chain.turn(JOINT, about_z(TURN))
        axes = places[name]
        for level, width in ((1, 1.6), (2, 1.3), (3, 1.0)):
            run = LINKS >> level
            fresh = [k * run <= JOINT < (k + 1) * run - 1 for k in range(1 << level)]
            boxes_on(axes, chain.boxes(level), [ORANGE if new and name == "c" else INK for new in fresh],
                     fill=0.06, width=width)  # fmt: skip
        axes.plot(*chain.positions()[:, :2].T, color=INK, linewidth=1.0, zorder=2)
        discs(axes, chain.positions(), RADIUS)
        bare(axes, title)
    return figure


def _shortcuts(axes: Axes) -> None:
    """The links in a row, with an arc for each transform that is kept; what a change rebuilds is orange."""
    axes.plot([0, LINKS - 1], [0, 0], color=INK, linewidth=1.0, zorder=2)
    for level in range(5):
        step = 1 << level
        for first in range(0, LINKS - step, step):
            new = first <= JOINT < first + step
            axes.add_patch(
                Arc((first + step / 2, 0), step, 0.9 * step ** 0.62, theta1=0, theta2=180,
                    color=ORANGE if new else INK, linewidth=2.0 if new else 0.9, zorder=4 if new else 1)
            )  # fmt: skip
    discs(axes, np.column_stack([np.arange(LINKS), np.zeros(LINKS)]), 0.2)
    for k in range(LINKS):
        axes.text(k, -0.5, str(k), color=INK, fontsize=9, ha="center", va="center")
    axes.update_datalim([[-0.5, -0.7], [LINKS - 0.5, 2.6]])
    bare(axes, margin=0.0)


@dataclass(frozen=True)
class Block:
    """A test: the links below one node and below the other, and whether it found them apart."""

    first: tuple[int, int]
    second: tuple[int, int]
    apart: bool


class Looks:
    """The paper's search of a binary tree of 2**k links, told test by test, for a chain that was free.

    The library does the same in its core; here every test leaves a trace.
    """

    def __init__(self, chain: er.Chain, joint: int, pieces: bool) -> None:
        self.levels = [chain.boxes(level) for level in range(len(chain).bit_length())]
        self.balls, self.radius = chain.positions(), float(chain.radii[0])
        self.links, self.joint, self.pieces = len(chain), joint, pieces
        self.blocks = list(self._itself(0, 0))

    def _range(self, level: int, k: int) -> tuple[int, int]:
        run = self.links >> level
        return k * run, (k + 1) * run

    def _itself(self, level: int, k: int) -> Iterator[Block]:
        """A node with itself, if the change lies within it."""
        first, end = self._range(level, k)
        if not first <= self.joint < end - 1 or end - first < 3:
            return
        yield from self._itself(level + 1, 2 * k)
        yield from self._itself(level + 1, 2 * k + 1)
        yield from self._two((level + 1, 2 * k), (level + 1, 2 * k + 1))

    def _two(self, a: tuple[int, int], b: tuple[int, int]) -> Iterator[Block]:
        """Two nodes: one test, and what lies below if they overlap."""
        first, second = self._range(*a), self._range(*b)
        spans = first[0] <= self.joint < second[1] - 1
        if second[1] - 1 - first[0] <= 1 or (self.pieces and not spans):
            return
        apart = self._apart(a, b)
        yield Block(first, second, apart)
        if apart:
            return
        opens = self._opens_first(a, b)
        node = a if opens else b
        for child in ((node[0] + 1, 2 * node[1]), (node[0] + 1, 2 * node[1] + 1)):
            yield from self._two(child, b) if opens else self._two(a, child)

    def _is_link(self, node: tuple[int, int]) -> bool:
        return self.links >> node[0] == 1

    def _apart(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """Two boxes, a box and a ball, or two balls: a link is the ball itself."""
        if self._is_link(a) and self._is_link(b):
            return bool(np.linalg.norm(self.balls[a[1]] - self.balls[b[1]]) > 2 * self.radius)
        if self._is_link(a) or self._is_link(b):
            link, node = (a, b) if self._is_link(a) else (b, a)
            box = self.levels[node[0]][node[1]]
            beyond = np.abs(np.asarray(box.axes) @ (self.balls[link[1]] - box.centre)) - box.half
            return bool(np.linalg.norm(np.maximum(beyond, 0)) > self.radius)
        return bool(self.levels[a[0]][a[1]].separation(self.levels[b[0]][b[1]]) > 0)

    def _opens_first(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """The larger is opened."""
        if self._is_link(a) or self._is_link(b):
            return self._is_link(b)
        return bool(max(self.levels[a[0]][a[1]].half) > max(self.levels[b[0]][b[1]].half))


def pairs() -> Figure:
    """The pairs of links as a square: what the paper's rule looks at, and without rigid pieces."""
    figure, (left, right) = panels(2, (9.2, 4.4))
    chain = er.Chain(scenes.coil(128), 0.5, volume="obb", children=2)
    joint = 44
    chain.collides()
    chain.rotate(joint, 1.5)
    for axes, pieces, title in ((left, False, "the paper's rule"), (right, True, "rigid pieces skipped")):
        looks = Looks(chain, joint, pieces)
        _square(axes, looks, f"{title}: {len(looks.blocks)} tests")
    return figure


def _square(axes: Axes, looks: Looks, title: str) -> None:
    n = looks.links
    done = [block for block in looks.blocks if block.apart]
    patches = [
        Rectangle((b.first[0], b.second[0]), b.first[1] - b.first[0], b.second[1] - b.second[0]) for b in done
    ]
    across = [b.first[0] <= looks.joint < b.second[1] - 1 for b in done]
    colours = [BLUE if is_across else RED for is_across in across]
    axes.add_collection(PatchCollection(patches, facecolors=colours, edgecolors="white", linewidths=0.4))
    axes.plot([0, n, n], [0, n, n], color=INK, linewidth=0.8)
    axes.axhline(looks.joint + 1, color=ORANGE, linewidth=1.0)
    axes.axvline(looks.joint + 1, color=ORANGE, linewidth=1.0)
    soft(axes, "link", "another link further on", title)
    axes.grid(visible=False)
    axes.set(xlim=(0, n), ylim=(0, n), aspect="equal")


def growth() -> Figure:
    """Box tests of one test of self-collision, by the number of links."""
    figure, (axes,) = panels(1, (6.4, 3.6))
    makers: dict[str, tuple[Callable[[int], Any], tuple[int, ...], str]] = {
        "Lemma 7, binary tree of boxes": (_lemma, (32, 64, 128), RED),
        "compact chain, the paper's rule": (_compact("paper"), COMPACT, BLUE),
        "compact chain, rigid pieces skipped": (_compact("pieces"), COMPACT, GREEN),
    }
    for name, (count, sizes, colour) in makers.items():
        points = [count(size) for size in sizes]
        axes.plot(*zip(*points, strict=True), "o-", color=colour, markersize=4, label=name)
    links = np.array([1000.0, 1e5])
    axes.plot(links, 0.02 * links ** (4 / 3), "--", color=INK, linewidth=1.0, label="slope 4/3")
    axes.set(xscale="log", yscale="log")
    soft(axes, "links", "box tests")
    legend(axes)
    return figure


def _lemma(side: int) -> tuple[int, float]:
    fold = scenes.lemma7(side)
    chain = er.Chain(fold.positions, 1.0, volume="obb", children=2)
    chain.collides()
    chain.rotate(fold.joint, fold.angle)
    chain.collides()
    return len(chain), float(chain.counters.volume_tests)


def _compact(skip: str) -> Callable[[int], tuple[int, float]]:
    """The mean over torsions of a cube-like chain, each taken back."""

    def count(links: int) -> tuple[int, float]:
        rng = np.random.default_rng(1)
        chain = er.Chain(scenes.serpentine(links), 1.0, volume="obb", children=2, skip=skip)
        chain.collides()
        tests = []
        for joint in rng.integers(1, links - 2, 400).tolist():
            chain.rotate(joint, float(np.radians(rng.uniform(-10, 10))))
            chain.collides()
            tests.append(chain.counters.volume_tests)
            chain.undo()
        return links, float(np.mean(tests))

    return count


FIGURES = {
    "chaintree-hierarchy": hierarchy,
    "chaintree-pairs": pairs,
    "chaintree-growth": growth,
}

"""The five tables of the CAB paper as printed, and the scene that stands for each of them here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import elbowroom as er
from elbowroom import scenes
from elbowroom.articulated import Refit

from .findings import Settings

#: The paper's name of a method, and the library's name of that refit; the last two are not in the tables.
REFITS: dict[str, Refit] = {
    "brute": "none",
    "AABB+": "aabb-all",
    "AABB*": "aabb",
    "OBB": "obb",
    "CAB": "cab",
    "CAB, sum": "cab-sum",
    "auto": "auto",
}
PAPERS_OWN = ("brute", "AABB+", "AABB*", "OBB", "CAB")


class Row(Protocol):
    """What a table says of a method, ours or the paper's."""

    @property
    def exact(self) -> int: ...
    @property
    def query(self) -> float: ...
    @property
    def update(self) -> float: ...
    @property
    def test(self) -> float: ...
    @property
    def total(self) -> float: ...


class Printed(NamedTuple):
    """A row of a table: exact queries, those of them that found nothing, and seconds."""

    exact: int
    false: int
    query: float
    update: float
    test: float
    total: float


class Cast(NamedTuple):
    """Who is in a scene: one body that is asked about itself, or two that are asked about each other."""

    first: scenes.Limbs
    second: scenes.Limbs | None = None

    def bodies(self, refit: Refit) -> tuple[er.Articulated, er.Articulated | None]:
        """The bodies in all frames of the motion, with nothing excluded."""
        return _body(self.first, refit), None if self.second is None else _body(self.second, refit)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table: its number, a short name, its scene for a number of frames, and what the paper printed."""

    number: int
    name: str
    make: Callable[[int], Cast]
    frames: int
    rows: dict[str, Printed]

    def cast(self, settings: Settings) -> Cast:
        """The scene, in as many frames as the paper has, or in the share of them that was asked for."""
        share = settings.frames / Settings.frames
        return self.make(max(1, round(share * self.frames)))


def _body(limbs: scenes.Limbs, refit: Refit) -> er.Articulated:
    body = er.Articulated(limbs.links, limbs.joints, refit=refit, exclude=None)
    body.move(limbs.motion)
    return body


def _rows(*rows: tuple[int, int, float, float, float, float]) -> dict[str, Printed]:
    return {name: Printed(*row) for name, row in zip(PAPERS_OWN, rows, strict=True)}


EXPERIMENTS = (
    Experiment(
        1,
        "3:1",
        lambda n: Cast(scenes.swinging_chains(n, 3.0, lean=0.0, swing=0.15, apart=10.0)),
        10_000,
        _rows(
            (1_200_000, 1_199_786, 19.34, 0.0, 0.0, 19.34),
            (71_534, 71_320, 1.86, 135.86, 4.94, 142.67),
            (84_148, 83_934, 1.99, 8.08, 5.42, 15.94),
            (5_740, 5_526, 0.16, 14.63, 1.75, 16.54),
            (5_740, 5_526, 0.16, 6.34, 2.06, 8.56),
        ),
    ),
    Experiment(
        2,
        "6:1",
        lambda n: Cast(scenes.swinging_chains(n, 6.0)),
        10_000,
        _rows(
            (1_200_000, 1_199_646, 20.52, 0.0, 0.0, 20.52),
            (130_112, 129_758, 2.97, 136.34, 7.04, 146.34),
            (149_466, 149_112, 3.44, 8.04, 7.45, 18.94),
            (7_194, 6_840, 0.21, 14.62, 1.60, 16.43),
            (7_194, 6_840, 0.21, 6.33, 2.26, 8.80),
        ),
    ),
    Experiment(
        3,
        "dented",
        lambda n: Cast(scenes.swinging_chains(n, 6.0, dented=True)),
        10_000,
        _rows(
            (1_200_000, 1_199_927, 22.24, 0.0, 0.0, 22.24),
            (130_112, 130_039, 3.71, 135.79, 7.13, 146.63),
            (148_784, 148_711, 3.97, 8.06, 7.46, 19.50),
            (3_405, 3_332, 0.34, 14.70, 0.85, 15.88),
            (3_405, 3_332, 0.34, 6.36, 1.38, 8.08),
        ),
    ),
    Experiment(
        4,
        "braided",
        lambda n: Cast(scenes.braided_chains(n, 6.0)),
        10_000,
        _rows(
            (1_200_000, 1_190_472, 21.37, 0.0, 0.0, 21.37),
            (65_936, 56_408, 3.88, 136.34, 4.67, 144.89),
            (93_502, 83_974, 4.55, 8.11, 5.64, 18.29),
            (24_731, 15_203, 2.83, 14.90, 3.01, 20.74),
            (24_731, 15_203, 2.80, 6.35, 4.01, 13.17),
        ),
    ),
    Experiment(
        5,
        "hand",
        lambda n: Cast(*scenes.hand_and_ball(n)),
        4_001,
        _rows(
            (288_072, 287_308, 16.08, 0.0, 0.0, 16.08),
            (25_893, 25_129, 7.92, 68.42, 1.00, 77.35),
            (27_337, 26_573, 8.79, 4.48, 0.88, 14.16),
            (11_031, 10_267, 5.62, 6.65, 0.52, 12.79),
            (11_031, 10_267, 5.65, 3.01, 0.56, 9.22),
        ),
    ),
)

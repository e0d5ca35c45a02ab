"""What overlaps over many frames or configurations, and the intervals that this makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .check import counted

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
#: Called with how many of how many frames are done.
Tick = Callable[[int, int], None]

CHUNK = 2_000  # frames that are asked about together: enough for the threads, and the display moves
LISTED = 50  # intervals that are printed; all go into the JSON file


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Overlapping parts: `frames` (k,), sorted, `pairs` (k, 2) and `depths` (k,); `hits` of all frames."""

    frames: Numbers
    pairs: Numbers
    depths: Floats
    hits: NDArray[np.bool_]
    counters: dict[str, int]


@dataclass(frozen=True)
class Interval:
    """Frames in which the same two parts overlap; in between, a few may be free."""

    first: int
    last: int
    names: tuple[str, str]
    depth: float
    deepest: int


@dataclass(frozen=True)
class Nearest:
    """The least distance over the frames: which two parts, and in which frame."""

    frame: int
    names: tuple[str, str]
    distance: float


def chunks(count: int, tick: Tick) -> Iterator[slice]:
    """Slices of the frames, one after the other; `tick` is told what is done."""
    for begin in range(0, count, CHUNK):
        yield slice(begin, min(begin + CHUNK, count))
        tick(min(begin + CHUNK, count), count)


def gather(ask: Callable[[slice], Any], count: int, tick: Tick) -> Overlaps:
    """All overlaps, from answers (`Collisions` with every contact) to slices of the frames."""
    parts: list[tuple[Any, ...]] = []
    counters: dict[str, int] = {}
    for part in chunks(count, tick):
        found = ask(part)
        parts.append((found.frames + part.start, found.pairs, found.contacts.depths, found.hits))
        counters = {name: counters.get(name, 0) + n for name, n in counted(found).items()}
    frames, pairs, depths, hits = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Overlaps(frames.astype(np.int64), pairs.astype(np.int64), depths, hits, counters)


def nearest(
    ask: Callable[[slice], Any], count: int, tick: Tick, names: tuple[Sequence[str], Sequence[str]]
) -> Nearest | None:
    """The least distance, from answers (`Distances`); None if there is nothing that could be near."""
    best: Nearest | None = None
    for part in chunks(count, tick):
        found = ask(part)
        k = int(np.argmin(found.values))
        value = float(found.values[k])
        if np.isfinite(value) and (best is None or value < best.distance):
            best = Nearest(part.start + k, _named(found.pairs[k], names), value)
    return best


def intervals(
    found: Overlaps, names: tuple[Sequence[str], Sequence[str]], bridge: int, step: int = 1, start: int = 0
) -> list[Interval]:
    """Runs of overlaps of the same two parts, sorted by time; up to `bridge` free frames do not end a run.

    Frame k of those that were looked at is frame `start + step * k` of the file.
    """
    order = np.lexsort((found.frames, found.pairs[:, 1], found.pairs[:, 0]))
    frames, pairs, depths = found.frames[order], found.pairs[order], found.depths[order]
    ends = (np.diff(pairs, axis=0) != 0).any(axis=1) | (np.diff(frames) > bridge + 1)
    runs = np.split(np.arange(len(frames)), np.flatnonzero(ends) + 1) if len(frames) else []
    out = []
    for run in runs:
        deepest = run[int(np.argmax(depths[run]))]
        first, last, peak = (start + step * int(frames[k]) for k in (run[0], run[-1], deepest))
        out.append(Interval(first, last, _named(pairs[deepest], names), float(depths[deepest]), peak))
    return sorted(out, key=lambda interval: (interval.first, interval.last, interval.names))


def compared(body: er.Articulated) -> Numbers:
    """(k, 2), sorted: pairs of links that have shapes and are not excluded."""
    asked = np.zeros((len(body), len(body)), bool)
    bearing = sorted({link for link, _, _ in body.shapes})
    asked[np.ix_(bearing, bearing)] = True
    i, j = body.excluded.T
    asked[i, j] = asked[j, i] = False
    return np.argwhere(np.triu(asked, 1))


def nothing_compared(name: str, body: er.Articulated, link: str, shapes: str) -> str:
    """The answer about a body of which no two links are compared; how links and shapes are called there."""
    bearing = len({number for number, _, _ in body.shapes})
    why = ", and all pairs are excluded" if bearing > 1 else ""
    return f"nothing is compared: {name} has {plural(bearing, link)} with {shapes}{why}"


def deepest_of(found: Sequence[Interval]) -> Interval:
    """The interval with the deepest overlap."""
    return max(found, key=lambda each: each.depth)


def plural(count: int, what: str, ending: str = "s") -> str:
    """1 interval, 2 intervals."""
    return f"{count} {what}{'' if count == 1 else ending}"


def span(first: int, last: int) -> str:
    """Numbers of frames or rows: 3, or 3 to 5."""
    return str(first) if first == last else f"{first} to {last}"


def _named(pair: Any, names: tuple[Sequence[str], Sequence[str]]) -> tuple[str, str]:
    return names[0][int(pair[0])], names[1][int(pair[1])]


def listing(
    rows: Sequence[Sequence[str]], limit: int = LISTED, head: Sequence[str] | None = None
) -> list[str]:
    """Lines of a table in aligned columns under their headings; rows beyond the limit are counted."""
    if not rows:
        return []
    shown = [*([head] if head else []), *rows[:limit]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = ["  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in shown]
    more = [f"  and {len(rows) - limit} more"] if len(rows) > limit else []
    return [*(line.rstrip() for line in lines), *more]

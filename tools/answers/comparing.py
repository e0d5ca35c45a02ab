"""Compares two recordings query by query, and says where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .sheet import CALLS, COUNTERS, ROWS, Recording

Bools = NDArray[np.bool_]
VERDICTS, PAIRS, VALUES = ("verdict",), ("first", "second", "exact"), ("value", "lower", "upper", "rest")


@dataclass
class Part:
    """How the answers of one part differ."""

    queries: int = 0
    verdicts: int = 0
    pairs: int = 0
    values: int = 0
    largest: float = 0.0  # difference of values, relative to the scale
    counters: int = 0
    lost: int = 0  # queries of rounds that went another way

    @property
    def differs(self) -> bool:
        """Beside counters."""
        return bool(self.verdicts or self.pairs or self.values or self.lost)


@dataclass
class Comparison:
    """All parts, and some of the queries that differ, each in a line."""

    parts: dict[str, Part] = field(default_factory=dict)
    cases: list[str] = field(default_factory=list)


def obstacle(a: Recording, b: Recording) -> str:
    """Why two recordings cannot be compared, or nothing."""
    mine, other = a.about["asked"], b.about["asked"]
    unlike = [f"{name} {mine[name]!r} and {other[name]!r}" for name in mine if mine[name] != other[name]]
    return f"they were recorded with {', '.join(unlike)}" if unlike else ""


def compare(a: Recording, b: Recording, tolerance: float, *, counters: bool, listed: int) -> Comparison:
    """Looks at all queries of both; lists the first few that differ in each part."""
    out, alike = Comparison(), {}
    rounds_a, rounds_b = _rounds(a), _rounds(b)
    for name in sorted(rounds_a.keys() | rounds_b.keys()):
        part = out.parts.setdefault(name.partition("/")[0], Part())
        if _shape(a, rounds_a.get(name)) == _shape(b, rounds_b.get(name)):
            alike[name] = rounds_a[name], rounds_b[name]
        else:
            part.lost += 1
            _list(out, name, listed, f"{name}: one recording has other queries than the other")
    _compare_alike(a, b, alike, tolerance, counters, listed, out)
    return out


def _rounds(recording: Recording) -> dict[str, tuple[slice, slice]]:
    """The calls and the rows of each round; a round is in one piece."""
    number, rows = recording.columns["round"], np.concatenate([[0], np.cumsum(recording.columns["count"])])
    edges = np.flatnonzero(np.diff(number, prepend=-1, append=-1))
    names = recording.names["rounds"]
    pieces = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    return {names[number[i]]: (slice(i, j), slice(int(rows[i]), int(rows[j]))) for i, j in pieces}


def _shape(recording: Recording, where: tuple[slice, slice] | None) -> tuple[Any, ...]:
    """What was asked in a round."""
    if where is None:
        return ("nothing",)
    labels = recording.names["labels"]
    return (
        tuple(labels[k] for k in recording.columns["label"][where[0]]),
        recording.columns["count"][where[0]].tolist(),
    )


class _Aligned:
    """The columns of the rounds that both have, one after the other."""

    def __init__(self, recording: Recording, rounds: list[tuple[slice, slice]]) -> None:
        self.names = recording.names
        for kind, columns in enumerate((CALLS, ROWS)):
            for name in columns:
                pieces = [recording.columns[name][where[kind]] for where in rounds]
                setattr(self, name, np.concatenate(pieces) if pieces else recording.columns[name][:0])
        self.status = np.array([*self.names["statuses"], ""])[self.status]
        self.call = np.repeat(np.arange(len(self.count)), self.count)
        self.row = np.arange(len(self.call)) - np.repeat(np.cumsum(self.count) - self.count, self.count)


def _compare_alike(
    a: Recording,
    b: Recording,
    alike: dict[str, tuple[Any, Any]],
    tolerance: float,
    counters: bool,
    listed: int,
    out: Comparison,
) -> None:
    x, y = (_Aligned(r, [both[k] for both in alike.values()]) for k, r in enumerate((a, b)))
    verdicts = (x.verdict != y.verdict) | (x.status != y.status)[x.call]
    pairs = _unlike(x, y, PAIRS)
    apart = _apart(x, y)
    work = _unlike(x, y, COUNTERS) if counters else np.zeros(len(x.count), bool)
    lengths = [rows.stop - rows.start for (_, rows), _ in alike.values()]
    calls = [calls.stop - calls.start for (calls, _), _ in alike.values()]
    of_row = np.repeat(np.arange(len(alike)), lengths)
    of_call = np.repeat(np.arange(len(alike)), calls)
    names = list(alike)
    for k, name in enumerate(names):
        out.parts[name.partition("/")[0]].queries += lengths[k]
    for what, found, of in (
        ("verdicts", verdicts, of_row),
        ("pairs", pairs, of_row),
        ("values", apart > tolerance, of_row),
        ("counters", work, of_call),
    ):
        for k, count in zip(*np.unique(of[found], return_counts=True), strict=True):
            part = out.parts[names[k].partition("/")[0]]
            setattr(part, what, getattr(part, what) + int(count))
    for k in np.unique(of_row[apart > 0]):
        part = out.parts[names[k].partition("/")[0]]
        part.largest = max(part.largest, float(apart[of_row == k].max()))
    rows = np.flatnonzero(verdicts | pairs | (apart > tolerance) | _first_rows(x, work))
    for row, line in _lines(x, y, rows, names, of_row):
        _list(out, names[of_row[row]], listed, line)


def _unlike(x: _Aligned, y: _Aligned, columns: tuple[str, ...]) -> Bools:
    return np.any([getattr(x, name) != getattr(y, name) for name in columns], axis=0)


def _apart(x: _Aligned, y: _Aligned) -> NDArray[np.float64]:
    """Of each row the largest difference of values, relative to its scale; infinite if one is no number."""
    out = np.zeros(len(x.verdict))
    for name in VALUES:
        p, q = getattr(x, name), getattr(y, name)
        scale = 1.0 if name == "rest" else x.scale[x.call]
        with np.errstate(invalid="ignore"):
            gap = np.abs(p - q) / scale
        same = (p == q) | (np.isnan(p) & np.isnan(q))
        out = np.maximum(out, np.where(same, 0.0, np.where(np.isnan(gap), np.inf, gap)))
    return out


def _first_rows(x: _Aligned, work: Bools) -> Bools:
    return work[x.call] & (x.row == 0) if len(x.call) else np.zeros(0, bool)


def _lines(
    x: _Aligned, y: _Aligned, rows: NDArray[np.int64], names: list[str], of_row: NDArray[np.int64]
) -> Iterator[tuple[int, str]]:
    """The queries that differ: which they are, and both answers."""
    firsts = {int(k): int(x.call[i]) for k, i in zip(*np.unique(of_row, return_index=True), strict=True)}
    for row in rows.tolist():
        call, k = int(x.call[row]), int(of_row[row])
        label = x.names["labels"][x.label[call]]
        where = f"{names[k]}, call {call - firsts[k]} ({label}), query {x.row[row]}"
        told = [
            f"{name} {getattr(x, name)[row]!s} -> {getattr(y, name)[row]!s}"
            for name in ROWS
            if _differ(x, y, name, row)
        ]
        told += [
            f"{name} {getattr(x, name)[call]!s} -> {getattr(y, name)[call]!s}"
            for name in ("status", *COUNTERS)
            if getattr(x, name)[call] != getattr(y, name)[call]
        ]
        yield row, f"{where}: {', '.join(told)}"


def _differ(x: _Aligned, y: _Aligned, name: str, row: int) -> bool:
    p, q = getattr(x, name)[row], getattr(y, name)[row]
    return bool(p != q and not (p != p and q != q))


def _list(out: Comparison, name: str, listed: int, line: str) -> None:
    part = name.partition("/")[0] + "/"
    if sum(each.startswith(part) for each in out.cases) < listed:
        out.cases.append(line)

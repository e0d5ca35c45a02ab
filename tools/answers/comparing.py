"""Compares two recordings query by query, and says where they differ."""

from __future__ import annotations

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
    _look(_Both(a, b, alike), tolerance, counters, listed, out)
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


class _Both:
    """The rounds that two recordings have in common, query by query."""

    def __init__(self, a: Recording, b: Recording, alike: dict[str, tuple[Any, Any]]) -> None:
        self.x, self.y = (_Aligned(r, [both[k] for both in alike.values()]) for k, r in enumerate((a, b)))
        self.rounds = list(alike)
        self.parts = [name.partition("/")[0] for name in alike]
        self.queries = [rows.stop - rows.start for (_, rows), _ in alike.values()]
        calls = [calls.stop - calls.start for (calls, _), _ in alike.values()]
        self.of_call = np.repeat(np.arange(len(alike)), calls)
        self.of_row = np.repeat(np.arange(len(alike)), self.queries)

    def unlike(self, columns: tuple[str, ...]) -> Bools:
        """Where any of the columns differs."""
        return np.any([getattr(self.x, name) != getattr(self.y, name) for name in columns], axis=0)

    def apart(self) -> NDArray[np.float64]:
        """Of each row the largest difference of values, relative to its scale; infinite if one is NaN."""
        out = np.zeros(len(self.x.verdict))
        for name in VALUES:
            p, q = getattr(self.x, name), getattr(self.y, name)
            with np.errstate(invalid="ignore"):
                gap = np.abs(p - q) / (1.0 if name == "rest" else self.x.scale[self.x.call])
            same = (p == q) | (np.isnan(p) & np.isnan(q))
            out = np.maximum(out, np.where(same, 0.0, np.where(np.isnan(gap), np.inf, gap)))
        return out

    def line(self, row: int) -> str:
        """A query that differs: which it is, and both answers."""
        x, y, call, k = self.x, self.y, int(self.x.call[row]), int(self.of_row[row])
        first = int(np.searchsorted(self.of_call, k))
        where = (
            f"{self.rounds[k]}, call {call - first} ({x.names['labels'][x.label[call]]}), query {x.row[row]}"
        )
        named = [*((name, row) for name in ROWS), *((name, call) for name in ("status", *COUNTERS))]
        pairs = ((name, getattr(x, name)[at], getattr(y, name)[at]) for name, at in named)
        told = (f"{name} {p} -> {q}" for name, p, q in pairs if p != q and not (p != p and q != q))
        return f"{where}: {', '.join(told)}"


def _look(both: _Both, tolerance: float, counters: bool, listed: int, out: Comparison) -> None:
    apart, first = both.apart(), both.x.row == 0
    work = both.unlike(COUNTERS)[both.x.call] & first if counters else np.zeros(len(first), bool)
    found = {
        "verdicts": (both.x.verdict != both.y.verdict) | (both.unlike(("status",))[both.x.call] & first),
        "pairs": both.unlike(PAIRS),
        "values": apart > tolerance,
        "counters": work,
    }
    part_of = np.array([*both.parts, ""])
    for k, name in enumerate(both.parts):
        out.parts[name].queries += both.queries[k]
    for name, part in out.parts.items():
        here = part_of[both.of_row] == name
        part.largest = float(apart[here].max(initial=0.0))
        for what, where in found.items():
            setattr(part, what, int((where & here).sum()))
        for row in np.flatnonzero(np.any(list(found.values()), axis=0) & here)[:listed].tolist():
            _list(out, name, listed, both.line(row))


def _list(out: Comparison, name: str, listed: int, line: str) -> None:
    part = name.partition("/")[0] + "/"
    if sum(each.startswith(part) for each in out.cases) < listed:
        out.cases.append(line)

"""What the library answers, as rows of a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

import elbowroom as er

from .sheet import FAILED, NO_COUNTERS, NONE, Sheet, checksum, finite, mean_of, weights

Pick = TypeVar("Pick")

NAN = float("nan")
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Notes:
    """Takes answers down. `scale` is the length that differences of lengths are compared with."""

    def __init__(self, sheet: Sheet, rng: np.random.Generator, number: int) -> None:
        self.sheet, self._rng, self._left = sheet, rng, number

    def pick(self, options: Sequence[Pick]) -> Pick:
        """One of the options, by the number of the round, so that few rounds go through all of them.

        The digits of the number choose, those of the first calls change fastest; then it is chance.
        """
        if self._left == 0:
            return options[int(self._rng.integers(len(options)))]
        self._left, k = divmod(self._left, len(options))
        return options[k]

    def __call__(self, label: str, answer: Any, scale: float = 1.0, *, counted: bool = True) -> Any:
        """Any answer of a question; it is returned. Not `counted`: its counters depend on the clock."""
        if isinstance(answer, er.Certificates):
            for k in range(len(answer)):
                self(label, answer[k], scale, counted=counted)
            return answer
        kind = next(each for each in type(answer).__mro__ if each in _READERS)
        row, status, counters = _READERS[kind](answer, scale)
        unit = 1.0 if isinstance(answer, er.Certificate) else scale
        self.sheet.add(label, row, unit, status, counters if counted else NO_COUNTERS)
        return answer

    def verdicts(self, label: str, found: Any, counters: Any = None) -> Any:
        """True or False, one or many; and what they took."""
        work = NO_COUNTERS if counters is None else _work(counters)
        self.sheet.add(
            label, _row(verdict=np.asarray(found, np.int8) if np.ndim(found) else int(found)), 1.0, "", work
        )
        return found

    def numbers(self, label: str, *found: ArrayLike, scale: float = 1.0, whole: ArrayLike = ()) -> None:
        """One query that is answered by numbers, and by whole ones, which must be the same."""
        flat = np.concatenate([finite(each) for each in found]) if found else np.empty(0)
        value = float(flat[0]) if len(flat) else NAN
        row = _row(value=value, exact=checksum(whole, [len(flat)]), rest=mean_of(flat / scale))
        self.sheet.add(label, row, scale, "", NO_COUNTERS)

    def totals(self, label: str, *counts: ArrayLike) -> None:
        """Counters that belong to no answer: those of a body."""
        self.sheet.add(label, _row(), 1.0, "", (-1, -1, -1, checksum(*counts)))

    def failure(self, error: Exception) -> None:
        """A round that ended by an error: its kind is what there is to compare."""
        self.sheet.add("error", _row(verdict=FAILED), 1.0, type(error).__name__, NO_COUNTERS)


def _row(**given: Any) -> dict[str, Any]:
    empty = {"verdict": NONE, "value": NAN, "lower": NAN, "upper": NAN, "first": -1, "second": -1}
    return {**empty, "exact": 0, "rest": 0.0, **given}


def _work(counters: er.Counters, further: int = 0) -> tuple[int, int, int, int]:
    return counters.volume_tests, counters.leaf_tests, counters.pairs_visited, further


def _worth(answer: Any) -> list[float]:
    return [NAN if each is None else each for each in (answer.covered, answer.confidence)]


def _contact_numbers(contacts: er.Contacts, scale: float) -> np.ndarray:
    parts = (contacts.points / scale, contacts.normals, contacts.depths[:, None] / scale)
    return np.concatenate(parts, axis=1)


def _collision(answer: er.Collision, scale: float) -> tuple[Any, ...]:
    pairs, contacts = answer.pairs, answer.contacts
    numbers = [*_worth(answer)]
    if contacts is not None:
        numbers.extend(_contact_numbers(contacts, scale).ravel().tolist())
    first, second = pairs[0].tolist() if len(pairs) else (-1, -1)
    row = _row(verdict=int(bool(answer)), lower=answer.lower, upper=answer.upper, first=first, second=second)
    row |= {"exact": checksum(pairs), "rest": mean_of(numbers)}
    return row, answer.status, _work(answer.counters)


def _distance(answer: er.Distance, scale: float) -> tuple[Any, ...]:
    first, second = answer.pair.tolist()
    numbers = [*_worth(answer), *(answer.points.ravel() / scale).tolist()]
    row = _row(verdict=int(answer.value == 0), value=answer.value, lower=answer.lower, upper=answer.upper)
    row |= {"first": first, "second": second, "rest": mean_of(numbers)}
    return row, answer.status, _work(answer.counters)


def _pairs(answer: er.Pairs, scale: float) -> tuple[Any, ...]:
    indices = answer.indices
    first, second = indices[0].tolist() if len(indices) else (-1, -1)
    numbers = np.concatenate([finite(_worth(answer)), answer.distances / scale])
    if getattr(answer, "points", None) is not None:
        numbers = np.concatenate([numbers, answer.points.ravel() / scale, answer.normals.ravel()])
    row = _row(first=first, second=second, exact=checksum(indices), rest=mean_of(numbers))
    return row, answer.status, _work(answer.counters)


def _collisions(answer: er.Collisions, scale: float) -> tuple[Any, ...]:
    hits, n = answer.hits, len(answer)
    row = _row(verdict=hits.astype(np.int8), exact=answer.finished.astype(np.uint32))
    if answer.pairs is not None:
        frames = answer.frames
        place = np.arange(len(frames)) - np.searchsorted(frames, frames)
        mixed = np.column_stack([answer.pairs, place]).astype(np.uint64) * _MIX
        mixed = np.bitwise_xor.reduce(mixed ^ (mixed >> np.uint64(29)), axis=1) >> np.uint64(16)
        sums = np.bincount(frames, (mixed & np.uint64(0xFFFFFF)).astype(float), minlength=n)
        row["exact"] = row["exact"] + 2 * (sums.astype(np.int64) % 2**30).astype(np.uint32)
    if answer.contacts is not None:
        numbers = _contact_numbers(answer.contacts, scale)
        each = (finite(numbers).reshape(numbers.shape) * weights(7)).sum(axis=1) * (1 + place % 64 / 64)
        row["rest"] = np.bincount(answer.frames, each, minlength=n) / np.maximum(
            1, np.bincount(answer.frames, minlength=n)
        )
    return row, answer.status, _work(answer.counters)


def _distances(answer: er.Distances, scale: float) -> tuple[Any, ...]:
    points = finite(answer.points).reshape(-1, 6) / scale
    row = _row(verdict=(answer.values == 0).astype(np.int8), value=answer.values, lower=answer.lower)
    row |= {"upper": answer.upper, "first": answer.pairs[:, 0], "second": answer.pairs[:, 1]}
    row |= {"exact": answer.finished.astype(np.uint32), "rest": (points * weights(6)).sum(axis=1) / 6}
    return row, answer.status, _work(answer.counters)


def _cast(answer: Any, scale: float) -> tuple[Any, ...]:
    row = _row(verdict=(answer.primitives >= 0).astype(np.int8), value=finite(answer.distances))
    row |= {"first": answer.rays, "second": answer.primitives}
    numbers = np.concatenate([answer.points / scale, answer.normals], axis=1)
    row |= {"rest": (finite(numbers).reshape(numbers.shape) * weights(6)).sum(axis=1) / 6}
    return row, "", _work(answer.counters)


_MOTION = {True: 1, False: 0, None: 2}


def _certificate(answer: er.Certificate, scale: float) -> tuple[Any, ...]:
    at = answer.contact_time if answer.free is False else answer.closest_time
    pair, whom = answer.pair or (-1, -1), -2 if answer.obstacle is None else answer.obstacle
    parts = [
        answer.intervals.ravel(),
        answer.times,
        [NAN if answer.closest is None else answer.closest / scale],
    ]
    if answer.points is not None:
        parts.append(answer.points.ravel() / scale)
    row = _row(verdict=_MOTION[answer.free], value=NAN if at is None else at, upper=answer.covered)
    row |= {
        "lower": answer.first_contact[0] if answer.first_contact else NAN,
        "first": pair[0],
        "second": pair[1],
    }
    row |= {"exact": checksum([whom, len(answer.times)])}
    row |= {"rest": mean_of(np.concatenate([finite(part) for part in parts]))}
    return row, answer.status, _work(answer.counters, answer.distance_calls)


_READERS: dict[type, Callable[[Any, float], tuple[Any, ...]]] = {
    er.Collision: _collision,
    er.Distance: _distance,
    er.Pairs: _pairs,
    er.Collisions: _collisions,
    er.Distances: _distances,
    er.Certificate: _certificate,
}
if hasattr(er, "Cast"):  # a build from before it has none
    _READERS[er.Cast] = _cast


def counts_of(counters: Any) -> list[int]:
    """The counters of a necklace or of a motion checker."""
    return [int(each) for each in astuple(counters)]

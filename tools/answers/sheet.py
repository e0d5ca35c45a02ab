"""Answers as columns: one row for each query, one call for each time that the library was asked."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Columns with one entry a query: `exact` is a checksum of whole numbers, `rest` a mean of further numbers.
ROWS = {
    "verdict": "b",
    "value": "d",
    "lower": "d",
    "upper": "d",
    "first": "i",
    "second": "i",
    "exact": "I",
    "rest": "d",
}
#: Columns with one entry for each call; counters are -1 where none are promised.
CALLS = {
    "round": "i",
    "label": "i",
    "status": "i",
    "count": "i",
    "scale": "d",
    "volume_tests": "q",
    "leaf_tests": "q",
    "pairs_visited": "q",
    "further": "q",
}
COUNTERS = ("volume_tests", "leaf_tests", "pairs_visited", "further")
NO_COUNTERS = (-1, -1, -1, -1)
NONE, FAILED = -1, 3  # verdicts beside False, True and undecided (2)

_WEIGHTS = 0.5 + 0.5 * np.modf(0.6180339887498949 * np.arange(1, 4097))[0]


def weights(count: int) -> NDArray[np.float64]:
    """What the numbers of a row are multiplied by, so that two that change places are noticed."""
    return _WEIGHTS[:count] if count <= len(_WEIGHTS) else np.resize(_WEIGHTS, count)


def finite(numbers: ArrayLike) -> NDArray[np.float64]:
    """Flat, with numbers that stand for NaN and infinities."""
    flat = np.asarray(numbers, np.float64).ravel()
    return flat if np.isfinite(flat).all() else np.nan_to_num(flat, nan=7.0, posinf=11.0, neginf=-11.0)


def mean_of(numbers: ArrayLike) -> float:
    """A weighted mean, which differs if any number does."""
    flat = finite(numbers)
    return float((flat * weights(len(flat))).sum() / len(flat)) if len(flat) else 0.0


def checksum(*numbers: ArrayLike) -> int:
    """Of arrays of whole numbers, and of their lengths."""
    out = 0
    for each in numbers:
        flat = np.ascontiguousarray(each, np.int64)
        out = zlib.crc32(flat.tobytes(), zlib.crc32(flat.shape.__repr__().encode(), out))
    return out


class Names:
    """Texts by number."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._numbers = {name: i for i, name in enumerate(known)}

    def number(self, name: str) -> int:
        """The number of a text, a new one if it is new."""
        return self._numbers.setdefault(name, len(self._numbers))

    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return list(self._numbers)


class Sheet:
    """The columns of a recording while it is made."""

    def __init__(self) -> None:
        self.rows = {name: array(kind) for name, kind in ROWS.items()}
        self.calls = {name: array(kind) for name, kind in CALLS.items()}
        self.rounds, self.labels, self.statuses = Names(), Names(), Names()
        self._round = -1

    @property
    def queries(self) -> int:
        """How many there are so far."""
        return len(self.rows["verdict"])

    def begin(self, name: str) -> None:
        """All that follows belongs to this round, as `part/scenario#number`."""
        self._round = self.rounds.number(name)

    def add(
        self, label: str, rows: dict[str, Any], scale: float, status: str, counters: Iterable[int]
    ) -> None:
        """One call and its rows: for each column a number, or an array of equally many."""
        many = np.ndim(rows["verdict"]) > 0
        count = len(rows["verdict"]) if many else 1
        for name, column in self.rows.items():
            if many:
                full = np.broadcast_to(rows[name], count).astype(np.dtype(ROWS[name]))
                column.frombytes(full.tobytes())
            else:
                column.append(rows[name])
        given = (self._round, self.labels.number(label), self.statuses.number(status), count, scale)
        for column, value in zip(self.calls.values(), (*given, *counters), strict=True):
            column.append(value)


class Recording:
    """A recording as it is in a file: columns, names, and what it was made of."""

    def __init__(
        self, columns: dict[str, NDArray[Any]], names: dict[str, list[str]], about: dict[str, Any]
    ) -> None:
        self.columns, self.names, self.about = columns, names, about

    @classmethod
    def of(cls, sheet: Sheet, about: dict[str, Any]) -> Recording:
        """What a sheet holds."""
        columns = {name: np.array(column) for name, column in (sheet.rows | sheet.calls).items()}
        named = {"rounds": sheet.rounds, "labels": sheet.labels, "statuses": sheet.statuses}
        return cls(columns, {name: each.all() for name, each in named.items()}, about)

    def save(self, path: Path) -> None:
        """Writes a compressed .npz file; of bounds the bits in which they differ from the value."""
        packed = dict(self.columns)
        for name in ("lower", "upper"):
            packed[name] = packed[name].view(np.uint64) ^ packed["value"].view(np.uint64)
        text = json.dumps({"names": self.names, "about": self.about})
        with open(path, "wb") as file:
            np.savez_compressed(file, text=np.frombuffer(text.encode(), np.uint8), **packed)

    @classmethod
    def load(cls, path: Path) -> Recording:
        """Reads a file; raises ValueError if it is none of these."""
        try:
            with np.load(path, allow_pickle=False) as file:
                columns = {name: file[name] for name in (*ROWS, *CALLS)}
                text = json.loads(file["text"].tobytes())
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path} is no recording of answers: {error}") from None
        for name in ("lower", "upper"):
            columns[name] = (columns[name] ^ columns["value"].view(np.uint64)).view(np.float64)
        return cls(columns, text["names"], text["about"])

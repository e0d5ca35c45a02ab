"""Tables of numbers, one state a row, in text with or without a header or as NumPy has saved them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from elbowroom._arrays import LARGEST

Floats = NDArray[np.float64]
File: TypeAlias = str | os.PathLike[str]
#: Number of the line, from 1, and what is in it.
Line = tuple[int, str]


@dataclass(frozen=True)
class Columns:
    """What a table has: names, of which some may be there several times, and values of columns left out.

    `what` is how messages call a column, and `owner` what has them; rows without a header may be as narrow as
    one of `narrower`.
    """

    names: tuple[str, ...]
    zero: tuple[float, ...] | None
    what: str
    owner: str
    narrower: tuple[int, ...] = ()

    def wanted(self) -> str:
        """How many values, and which."""
        return f"{_plural(len(self.names), 'value')} ({', '.join(dict.fromkeys(self.names)) or 'none'})"


def read_table(file: File, columns: Columns) -> tuple[Floats, tuple[str, ...]]:
    """Rows in the order of the columns, and the names of those that the file has.

    A ValueError names the file and the row, which count from 0, and the line.
    """
    path = Path(os.fspath(file))
    if path.suffix.lower() not in (".npy", ".csv", ".txt"):
        raise ValueError(f"'{path}' is not a .npy, .csv or .txt file")
    rows, names = _array(path, columns) if path.suffix.lower() == ".npy" else _text(path, columns)
    if not len(rows):
        raise ValueError(f"'{path}' has no rows")
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ValueError(f"row {row} of '{path}' has a value that is not finite")
    if np.abs(rows).max(initial=0.0) > LARGEST:
        row = int(np.flatnonzero((np.abs(rows) > LARGEST).any(axis=1))[0])
        raise ValueError(f"row {row} of '{path}' has a value beyond {LARGEST:g}")
    return rows, names


def saved_array(path: Path) -> NDArray[Any]:
    """The array that NumPy has saved; a file that says it holds more than it does is not believed."""
    try:
        held = np.load(path, mmap_mode="r")
        if not isinstance(held, np.ndarray) or held.dtype.kind not in "biuf":
            raise ValueError("it contains other data")
        return np.array(held)
    except FileNotFoundError:
        raise
    except Exception as error:  # what a broken file makes NumPy raise is not listed
        raise ValueError(f"'{path}' does not contain a numeric array saved by NumPy") from error


def _array(path: Path, columns: Columns) -> tuple[Floats, tuple[str, ...]]:
    rows = saved_array(path).astype(np.float64)
    if rows.ndim != 2 or rows.shape[1] not in (len(columns.names), *columns.narrower):
        held = f"but holds an array of shape {rows.shape}"
        raise ValueError(f"'{path}' must hold rows of {columns.wanted()}, {held}")
    return _widened(rows, columns), columns.names


def _text(path: Path, columns: Columns) -> tuple[Floats, tuple[str, ...]]:
    try:
        lines = enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read '{path}' as text ({error})") from error
    written = [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not written or not _is_header(written[0][1]):
        return _widened(_bare(written, columns, path), columns), columns.names
    names = _header(columns, written[0][1])
    places = _places(columns, names, path)
    values = _numbers(written[1:], len(names), f"the header has {_plural(len(names), 'name')}", path)
    rows = np.tile(np.array(columns.zero or [np.nan] * len(columns.names)), (len(values), 1))
    rows[:, places] = values
    return rows, tuple(names)


def _bare(lines: Sequence[Line], columns: Columns, path: Path) -> Floats:
    """Rows without a header, of which the first says how wide they are, if there is a choice."""
    width = len(_cells(lines[0][1])) if lines else 0
    if width not in columns.narrower:
        width = len(columns.names)
    return _numbers(lines, width, f"{columns.owner} has {columns.wanted()}", path)


def _widened(rows: Floats, columns: Columns) -> Floats:
    """The columns that narrow rows leave out, as they are in zero."""
    count = rows.shape[1]
    if count == len(columns.names) or columns.zero is None:
        return rows
    return np.hstack([rows, np.tile(columns.zero[count:], (len(rows), 1))])


def _is_header(line: str) -> bool:
    """Whether anything in it is a word, rather than a number or nothing."""
    return any(cell and _number(cell) is None for cell in _cells(line))


def _header(columns: Columns, line: str) -> list[str]:
    """The names in the first line; without commas, one name may have spaces in it."""
    alone = line.strip().strip("\"'")
    cells = [alone] if alone in columns.names else _cells(line)
    return [cell.strip("\"'") for cell in cells]


def _places(columns: Columns, names: Sequence[str], path: Path) -> list[int]:
    """Where in a row each column of the file belongs."""
    wanted, held = Counter(columns.names), Counter(names)
    unknown = [name for name in held if name not in wanted]
    if unknown:
        fault = f"the header of '{path}' names '{unknown[0]:.80}', which is not a {columns.what}"
        known = ", ".join(dict.fromkeys(columns.names)) or "none"
        raise ValueError(f"{fault}; the {columns.what.split()[0]}s are {known}")
    for name, count in held.items():
        if count != wanted[name]:
            needed = f"{columns.what.split()[0]} '{name}' has {_plural(wanted[name], 'value')}"
            found = _plural(count, "column")
            raise ValueError(f"{needed}, but the header of '{path}' has {found} of that name")
    missing = [name for name in columns.names if name not in held]
    if missing and columns.zero is None:
        raise ValueError(f"the header of '{path}' lacks the column {missing[0]}")
    places: dict[str, list[int]] = {}
    for k, name in reversed(list(enumerate(columns.names))):
        places.setdefault(name, []).append(k)
    return [places[name].pop() for name in names]


def _numbers(lines: Iterable[Line], width: int, wanted: str, path: Path) -> Floats:
    """(n, width) values; the first row that is wrong is complained about."""
    rows = []
    for row, (line, text) in enumerate(lines):
        cells = _cells(text)
        where = f"row {row} of '{path}' (line {line})"
        if len(cells) != width:
            raise ValueError(f"{where} has {_plural(len(cells), 'value')}, but {wanted}")
        values = [_number(cell) for cell in cells]
        if None in values:
            cell = cells[values.index(None)]
            fault = f"'{cell:.80}', which is not a number" if cell else "an empty cell"
            raise ValueError(f"{where} has {fault}")
        rows.append(values)
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def _cells(line: str) -> list[str]:
    """Between commas or, where there are none, between spaces; a comma at the end is let pass."""
    if "," not in line:
        return line.split()
    return [cell.strip() for cell in line.strip().removesuffix(",").split(",")]


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

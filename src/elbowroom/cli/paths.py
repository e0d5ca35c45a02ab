"""The files of `elbowroom check --path`: configurations of a robot, one a row, with or without a header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .complaint import Complaint
from .options import check_input
from .overlaps import plural

Floats = NDArray[np.float64]
#: Number of the line, from 1, and what is in it.
Line = tuple[int, str]


def read_path(robot: er.Articulated, file: Path) -> Floats:
    """Configurations (n, dof) from a file, one a row.

    A text file may begin with a header of joint names; a joint of several values has as many columns of its
    name. Joints without a column are at zero, as they are with --configuration.
    """
    check_input("--path", file, "; give a .npy, .csv or .txt file")
    if file.suffix.lower() not in (".npy", ".csv", ".txt"):
        raise Complaint(f"--path: '{file}' is neither a .npy nor a .csv nor a .txt file")
    rows = _array(robot, file) if file.suffix.lower() == ".npy" else _text(robot, file)
    if not len(rows):
        raise Complaint(f"--path: '{file}' has no rows")
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise Complaint(f"--path: row {row} of '{file}' has a value that is not finite")
    return rows


def _array(robot: er.Articulated, file: Path) -> Floats:
    try:
        rows = np.asarray(np.load(file), dtype=np.float64)
    except (OSError, ValueError, TypeError, EOFError):  # with long texts about how to load pickles
        raise Complaint(f"--path: '{file}' holds no array of numbers that NumPy has saved") from None
    if rows.ndim != 2 or rows.shape[1] != robot.dof:
        held = f"but holds an array of shape {rows.shape}"
        raise Complaint(f"--path: '{file}' must hold rows of {_wanted(robot)}, {held}")
    return rows


def _text(robot: er.Articulated, file: Path) -> Floats:
    try:
        lines = enumerate(file.read_text(encoding="utf-8-sig").splitlines(), 1)
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(f"--path: cannot read '{file}' as text ({error})") from error
    written = [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not written or not _is_header(written[0][1]):
        return _numbers(written, robot.dof, f"the robot has {_wanted(robot)}", file)
    names = _header(robot, written[0][1])
    columns = _columns(robot, names, file)
    values = _numbers(written[1:], len(names), f"the header has {plural(len(names), 'name')}", file)
    rows = np.tile(robot.zero(), (len(values), 1))
    rows[:, columns] = values
    return rows


def _is_header(line: str) -> bool:
    """Whether anything in it is a word, rather than a number or nothing."""
    return any(cell and _number(cell) is None for cell in _cells(line))


def _header(robot: er.Articulated, line: str) -> list[str]:
    """The names in the first line; without commas, one name may have spaces in it."""
    alone = line.strip().strip("\"'")
    cells = [alone] if alone in robot.joints else _cells(line)
    return [cell.strip("\"'") for cell in cells]


def _columns(robot: er.Articulated, names: Sequence[str], file: Path) -> list[int]:
    """Where in a configuration each column belongs."""
    unknown = [name for name in names if name not in robot.joints]
    if unknown:
        fault = f"the header of '{file}' names '{unknown[0]:.80}', which is no joint that takes values"
        raise Complaint(f"--path: {fault}; the joints are {', '.join(robot.joints) or 'none'}")
    places = {name: range(*robot.index(name).indices(robot.dof)) for name in names}
    for name, count in Counter(names).items():
        if count != len(places[name]):
            needed = f"joint '{name}' has {plural(len(places[name]), 'value')}"
            held = plural(count, "column")
            raise Complaint(f"--path: {needed}, but the header of '{file}' has {held} of that name")
    following = {name: iter(place) for name, place in places.items()}
    return [next(following[name]) for name in names]


def _numbers(lines: Iterable[Line], width: int, wanted: str, file: Path) -> Floats:
    """(n, width) values; the first row that is wrong is complained about."""
    rows = []
    for row, (line, text) in enumerate(lines):
        cells = _cells(text)
        where = f"--path: row {row} of '{file}' (line {line})"
        if len(cells) != width:
            raise Complaint(f"{where} has {plural(len(cells), 'value')}, but {wanted}")
        values = [_number(cell) for cell in cells]
        if None in values:
            cell = cells[values.index(None)]
            fault = f"'{cell:.80}', which is no number" if cell else "an empty cell"
            raise Complaint(f"{where} has {fault}")
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


def _wanted(robot: er.Articulated) -> str:
    return f"{plural(robot.dof, 'value')} ({', '.join(robot.joints)})"

"""What a key of a run's file may hold: one check for each kind of value, and the errors that name the key."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom import _arrays

#: Takes a value and the name of its key; gives the value as it is kept, or raises a ValueError.
Check = Callable[[Any, str], Any]

MOST = 10**15  # steps, beads and the like: more would not end


#: Of what a message says where the fault is, and what it is: a broken file may hold names without end.
LONGEST_WHERE, LONGEST_REASON = 120, 400


class SpecError(ValueError):
    """A run that is described wrongly. The message names the file, the table and the key.

    Attributes
    ----------
    file, table, key
        Where: the name of the file (or "spec"), the table without brackets, the key or "".
    reason
        What is wrong with it.

    Examples
    --------
    >>> import elbowroom as er
    >>> try:
    ...     er.sampling.Spec.from_dict({"chain": {"beads": -3}, "run": {"steps": 10}})
    ... except er.sampling.SpecError as error:
    ...     print(error.table, error.key)
    chain beads
    """

    def __init__(self, file: str, table: str, key: str, reason: str) -> None:
        self.file, self.table, self.key, self.reason = file, table, key, reason
        where = " ".join(word for word in (f"[{table}]" if table else "", key) if word)
        parts = (file, where[:LONGEST_WHERE], reason[:LONGEST_REASON])
        super().__init__(": ".join(part for part in parts if part))

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, str, str, str]]:
        """Errors come back from other processes; the message alone would not recreate one."""
        return type(self), (self.file, self.table, self.key, self.reason)


def nearest(name: str, known: Iterable[str]) -> str:
    """Which of the known names was meant, or all of them, as the end of a sentence."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1, 0.55)
    return f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(names)}"


def whole(least: int, most: int = MOST) -> Check:
    """A whole number; 1e6 is one, as TOML has no other way to write it short."""

    def check(value: Any, name: str) -> int:
        given = int(value) if isinstance(value, float) and value.is_integer() else value
        return _arrays.count(given, name, least, most)

    return check


def above_zero(value: Any, name: str) -> float:
    """A finite number above 0."""
    given = _arrays.length(_plain(value, name), name)
    if given == 0:
        raise ValueError(f"{name} must be larger than 0, got {_arrays.shown(value)}")
    return given


def not_negative(value: Any, name: str) -> float:
    """A finite number, 0 or more."""
    return _arrays.length(_plain(value, name), name)


def one_of(*names: str) -> Check:
    """One of the names."""

    def check(value: Any, name: str) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{name} must be one of {', '.join(names)}, got {_arrays.shown(value)}")
        if value not in names:
            raise ValueError(
                f"{name} must be one of {', '.join(names)}, got '{value}'; {nearest(value, names)}"
            )
        return value

    return check


def names_of(*names: str, also: Callable[[str], bool] = lambda _: False) -> Check:
    """A list of some of the names, or of those that a function knows, none twice."""
    known = one_of(*names)

    def one(value: Any, name: str) -> Any:
        return value if isinstance(value, str) and also(value) else known(value, name)

    def check(value: Any, name: str) -> tuple[str, ...]:
        found = tuple(one(each, f"{name}[{k}]") for k, each in enumerate(_list(value, name)))
        if len(set(found)) < len(found):
            raise ValueError(f"{name} must not hold a name twice, got {list(found)}")
        return found

    return check


def a_text(value: Any, name: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a text, got {_arrays.shown(value)}")
    return value


def a_path(value: Any, name: str) -> Path:
    """The name of a file or folder."""
    return Path(value) if isinstance(value, Path) else Path(a_text(value, name)).expanduser()


def paths(value: Any, name: str) -> tuple[Path, ...]:
    """Names of files."""
    return tuple(a_path(each, f"{name}[{k}]") for k, each in enumerate(_list(value, name)))


def a_flag(value: Any, name: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false, got {_arrays.shown(value)}")
    return value


def pairs(value: Any, name: str) -> tuple[tuple[int, int], ...]:
    """Pairs of whole numbers, or none."""
    rows = [] if isinstance(value, list | tuple) and not value else _list(value, name)
    found = tuple(whole_list(row, f"{name}[{k}]") for k, row in enumerate(rows))
    for k, row in enumerate(found):
        if len(row) != 2:
            raise ValueError(f"{name}[{k}] must be a pair, got {_arrays.shown(list(row))}")
    return tuple((row[0], row[1]) for row in found)


def whole_list(value: Any, name: str) -> tuple[int, ...]:
    """Whole numbers, 0 or more."""
    one = whole(0)
    return tuple(one(each, f"{name}[{k}]") for k, each in enumerate(_list(value, name)))


def number_or_array(value: Any, name: str) -> Any:
    """A number, or numbers in lists of lists."""
    if not isinstance(value, list | tuple):
        return _arrays.number(_plain(value, name), name)
    return as_tuples(_arrays.numbers(np.asarray(value), name).tolist())


def temperatures(value: Any, name: str) -> float | tuple[float, ...]:
    """A number above 0, which may be infinite, or a rising list of at least two for parallel tempering."""
    if not isinstance(value, list | tuple):
        return above_zero_or_inf(value, name)
    if len(value) < 2:
        raise ValueError(f"{name} must be a number, or a list of at least two, got {_arrays.shown(value)}")
    found = tuple(above_zero_or_inf(each, f"{name}[{k}]") for k, each in enumerate(value))
    if any(low >= high for low, high in pairwise(found)):
        raise ValueError(f"{name} must rise from one to the next, got {list(value)}")
    return found


def as_tuples(value: Any) -> Any:
    """Lists of lists as tuples, which cannot be changed behind a table's back."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value


def above_zero_or_inf(value: Any, name: str) -> float:
    """A number above 0, or infinity, for which "inf" stands where a file cannot say it, as in JSON."""
    given = math.inf if value == "inf" else _plain(value, name)
    return math.inf if given == math.inf else above_zero(given, name)


def _plain(value: Any, name: str) -> Any:
    """No bool is a number here, though Python has it so."""
    if isinstance(value, bool):
        raise ValueError(f"{name} must be a number, got {value!r}")
    return value


def _list(value: Any, name: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"{name} must be a list that is not empty, got {_arrays.shown(value)}")
    return value

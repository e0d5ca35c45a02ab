"""Options of `elbowroom sample` that are small languages: moves, temperatures, names, grids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .complaint import Complaint


def read_moves(text: str) -> dict[str, dict[str, float]]:
    """Weights, and sizes in radians, from such as "pivot=1,torsion=2:0.1"; "pivot" alone has the weight 1."""
    found: dict[str, dict[str, float]] = {}
    for part in _parts(text):
        name, _, numbers = (word.strip() for word in part.partition("="))
        if name in found:
            raise Complaint(f"--moves: '{name}' is given twice")
        weight, _, size = numbers.partition(":")
        found[name] = {"weight": _number("--moves", weight or "1", part)}
        if size:
            found[name]["size"] = _number("--moves", size, part)
    return found


def read_temperature(text: str) -> float | list[float]:
    """One, or many with commas or spaces between them."""
    found = [_number("--temperature", word, word) for word in _parts(text.replace(" ", ","))]
    return found[0] if len(found) == 1 else found


def read_names(text: str) -> list[str]:
    """Names with commas or spaces between them."""
    return _parts(text.replace(" ", ","))


def read_grid(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Each "table.key=value,value"; values that are not numbers are texts."""
    found = {}
    for text in texts:
        name, equals, values = (word.strip() for word in text.partition("="))
        if not equals:
            raise Complaint(f"--grid: '{text}' has no values; expected table.key=value,value")
        found[name] = [_value(word) for word in _parts(values)]
    return found


#: How the values of these keys are read.
READERS: Mapping[str, Callable[[Any], Any]] = {
    "moves": read_moves,
    "run.temperature": read_temperature,
    "run.observables": read_names,
    "campaign.grid": read_grid,
}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _number(option: str, word: str, part: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise Complaint(f"{option}: '{word.strip()}' in '{part}' is not a number") from None


def _value(word: str) -> Any:
    try:
        return float(word)
    except ValueError:
        return word

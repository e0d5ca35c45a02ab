"""Calibrations in files: JSON with a version, so that a table is never read for what it is not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom import _writing
from elbowroom._recording import SIGNS
from elbowroom._reliability import Reliability
from elbowroom.budget import Budget

if TYPE_CHECKING:
    from elbowroom.calibration import Calibration

FORMAT, VERSION = "elbowroom calibration", 1
ARRAYS = ("weights", "knots", "values")
SETTINGS = ("method", "group", "threshold", "learned")
JUDGED = ("held_out", "paper")


def plain(table: Calibration) -> dict[str, Any]:
    """A table as numbers, texts, lists and None."""
    arrays = {name: getattr(table, name).tolist() for name in ARRAYS}
    settings = {name: getattr(table, name) for name in SETTINGS}
    budgets = [{"tests": one.tests, "seconds": one.seconds} for one in table.budgets]
    parts = {name: getattr(table, name) for name in JUDGED}
    judged = {name: None if it is None else it.plain() for name, it in parts.items()}
    head = {"format": FORMAT, "version": VERSION, "signs": list(SIGNS)}
    return head | settings | {"budgets": budgets} | arrays | judged


def write(table: Calibration, path: str | os.PathLike[str]) -> None:
    """A table to a file."""
    _writing.write_text(path, json.dumps(plain(table), indent=1, allow_nan=False) + "\n")


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The arguments of the table in a file, or a ValueError that says what is wrong with the file."""
    found = _of_our_version(_json(path), path)
    try:
        return _arguments(found)
    except KeyError as error:
        raise ValueError(f"path: {path} contains no complete calibration: it lacks {error}") from None
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise ValueError(f"path: {path} contains a damaged calibration: {error}") from None


def _json(path: str | os.PathLike[str]) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"path: {path} contains no calibration: it is not JSON: {error}") from None


def _of_our_version(found: Any, path: str | os.PathLike[str]) -> dict[str, Any]:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"path: {path} contains no calibration: its format is not {FORMAT!r}")
    if found.get("version") != VERSION:
        raise ValueError(
            f"path: {path} holds a calibration of version {found.get('version')!r:.40}; "
            f"this elbowroom reads version {VERSION}"
        )
    if found.get("signs") != list(SIGNS):
        raise ValueError(f"path: {path} holds a calibration by other signs: {found.get('signs')!r:.200}")
    return found


def _arguments(found: dict[str, Any]) -> dict[str, Any]:
    arrays = {name: np.array(found[name], float) for name in ARRAYS}
    budgets = tuple(Budget(tests=one["tests"], seconds=one["seconds"]) for one in found["budgets"])
    kinds = zip(SETTINGS, (str, int, float, int), strict=True)
    settings = {name: kind(found[name]) for name, kind in kinds}
    parts = {name: found[name] for name in JUDGED}
    judged = {name: None if it is None else Reliability.from_plain(it) for name, it in parts.items()}
    return arrays | settings | {"budgets": budgets} | judged

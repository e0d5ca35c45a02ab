"""What was asked of a run, in the file run.json of its folder; and whether that is asked again."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from elbowroom import _core

from .json_file import plain, write_json
from .layout import RUN

FORMAT, VERSION = "elbowroom run", 1
#: Arguments of `sample` by another name than the key.
ARGUMENTS = {"temperatures": "temperature"}
#: Positions that were computed on another processor may differ in their last digits.
SAME = 1e-9

Facts = dict[str, Any]


def write(folder: Path, asked: Mapping[str, Any]) -> None:
    """What is asked, and who is at it."""
    from importlib.metadata import version

    names = ("elbowroom", "numpy", "pyarrow")
    versions = {"python": platform.python_version(), **{name: version(name) for name in names}}
    head = {"format": FORMAT, "version": VERSION, "isa": _core.isa, "versions": versions}
    write_json(folder / RUN, head | {"asked": asked})


def read(folder: Path, argument: str) -> Facts | None:
    """What the file says; None if there is none. `argument`: how errors call the folder."""
    path = folder / RUN
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{argument}: {path} is damaged: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or "asked" not in found:
        raise ValueError(f"{argument}: {path} is not a file of a run: its format is not {FORMAT!r}")
    if found.get("version") != VERSION:
        told = f"version {found.get('version')!r:.40}; this elbowroom reads version {VERSION}"
        raise ValueError(f"{argument}: {path} is of {told}")
    return found


def refuse_changes(folder: Path, before: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """ValueError that names the argument by which a run would not be the one it was; steps may grow."""
    now, where = plain(asked), f"the run in out = '{folder}' was begun with"
    if now["steps"] < before["steps"]:
        raise ValueError(f"steps must not be less than before: {where} {before['steps']}, not {now['steps']}")
    if not _same_chain(before["chain"], now["chain"]):
        raise ValueError(f"chain: {where} another chain, or with this one where it stood then")
    for key in [key for key in {**before, **now} if key not in ("steps", "chain")]:
        if before.get(key) != now.get(key):
            name = ARGUMENTS.get(key, key)
            raise ValueError(f"{name}: {where} {before.get(key)!r:.200}, not {now.get(key)!r:.200}")


def _same_chain(before: Any, now: Any) -> bool:
    """Are these facts of one chain, or several, in one place? Lengths are compared as parts of its size."""
    if isinstance(before, list) or isinstance(now, list):
        alike = isinstance(before, list) and isinstance(now, list) and len(before) == len(now)
        return alike and all(map(_same_chain, before, now))
    if before.keys() != now.keys():
        return False
    size = abs(float(before["spread"])) or 1.0
    return all(_same(before[name], now[name], size) for name in before)


def _same(a: Any, b: Any, size: float) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y, size) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=SAME, abs_tol=SAME * size)
    return bool(a == b)


def fingerprint(asked: Mapping[str, Any]) -> str:
    """Of all that was asked but the steps, which may grow, and the chain, which may differ by rounding."""
    rest = {key: value for key, value in plain(asked).items() if key not in ("steps", "chain")}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()

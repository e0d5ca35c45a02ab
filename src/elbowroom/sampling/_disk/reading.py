"""What the folder of a run holds, as the arguments of a Run: of one that has ended, or has not yet."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import checkpoint as _checkpoint
from . import run_file as _run_file
from .layout import CHECKPOINT, PARTS, RUN, SUMMARY, TABLE, copies
from .parts import Parts, Rows, pyarrow


def read_folder(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The arguments of Run, but for folder and chains; of an unfinished run up to its last checkpoint.

    Raises
    ------
    ValueError
        If there is no run in the folder, or its files are damaged; it names `folder`.
    """
    pyarrow()
    folder = Path(path)
    about = _run_file.read(folder, "folder")
    if about is None:
        raise ValueError(f"folder: '{folder}' contains no run: there is no {RUN} in it")
    asked = about["asked"]
    try:
        summary, (steps_at, values) = _held(folder, asked)
    except (KeyError, ValueError, OSError, RecursionError) as error:
        raise ValueError(f"folder: '{folder}' is damaged: {error}") from None
    columns = values if len(values) > 1 else values[0]
    observables = {name: columns[..., i] for i, name in enumerate(asked["observables"])}
    rows = {"observables": observables, "steps_at": steps_at}
    return summary | rows | {"asked": asked["steps"], "about": about}


def _held(folder: Path, asked: Mapping[str, Any]) -> tuple[dict[str, Any], Rows]:
    """How it went, and the rows that go with that."""
    axis, many = copies(asked)
    parts = Parts(folder / PARTS, asked["observables"], many, axis)
    if (folder / SUMMARY).exists():
        summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        if not isinstance(summary, dict) or not summary.keys() >= _nothing_yet(asked).keys():
            raise ValueError(f"{SUMMARY} is not that of a run")
        return summary, parts.read_whole(folder / TABLE)
    if not (folder / CHECKPOINT).exists():
        return _nothing_yet(asked), parts.rows()
    checkpoint = _checkpoint.read(folder / CHECKPOINT)
    parts.count = checkpoint.parts
    return checkpoint.extra["summary"], parts.rows()


def _nothing_yet(asked: Mapping[str, Any]) -> dict[str, Any]:
    """How a run went that has no checkpoint."""
    (axis, many), chains = copies(asked), asked["chain"]
    listed = [one for each in asked["moves"] for one in (each if isinstance(each, list) else [each])]
    moves = dict.fromkeys(move["kind"] for move in listed)
    tally, size = ([[0, 0, 0]] * many, [None] * many) if many > 1 else ([0, 0, 0], None)
    swaps = [float("nan")] * (many - 1) if many > 1 and axis == "temperature" else None
    made = {"tallies": dict.fromkeys(moves, tally), "sizes": dict.fromkeys(moves, size), "swaps": swaps}
    kept = {name: asked[name] for name in ("every", "seed", "burn_in", "temperatures")}
    of_chain = {
        name: [chain[name] for chain in chains] if axis == "chain" else chains[name]
        for name in ("links", "balls")
    }
    return {"steps": 0, "seconds": 0.0, **made, **kept, **of_chain}

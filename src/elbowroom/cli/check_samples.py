"""`elbowroom check --random`: how many configurations of a robot collide, and which links most often."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .overlaps import chunks, listing
from .patience import Say
from .robots import Task

PAIRS = 20  # pairs of links that are printed; all go into the JSON file


def check_samples(task: Task, seed: int, say: Say) -> tuple[list[str], dict[str, Any]]:
    """What to print, and what to write: a statement about the samples, and no proof."""
    total = len(task.configurations)
    hits, counts = 0, np.zeros([len(names) for names in task.names], np.int64)
    for part in chunks(total, partial(say, "samples")):
        found = task.pairs(part)
        hits += int(found.hits.sum())
        counts += _counted(task, found)
    often = [
        {"links": [task.names[0][i], task.names[1][j]], "samples": int(counts[i, j])}
        for i, j in sorted(np.argwhere(counts).tolist(), key=lambda ij: (-counts[ij[0], ij[1]], ij))
    ]
    facts = {"samples": total, "seed": seed, "colliding": hits, "share": hits / total, "overlaps": often}
    return _told(task, facts), facts


def _counted(task: Task, found: Any) -> NDArray[np.int64]:
    """In how many of these samples each pair overlaps; however many triangles of an obstacle, it is once."""
    rows = np.column_stack([found.frames, found.pairs]).astype(np.int64)
    if task.obstacle is not None:
        rows[:, 2] = 0
    rows = np.unique(rows, axis=0)
    counts = np.zeros([len(names) for names in task.names], np.int64)
    np.add.at(counts, (rows[:, 1], rows[:, 2]), 1)
    return counts


def _told(task: Task, facts: dict[str, Any]) -> list[str]:
    total, hits, seed = facts["samples"], facts["colliding"], facts["seed"]
    sampled = f"{total} random configurations (seed {seed}; a sample is no proof)"
    if not hits:
        return [f"free: {task.name} does not touch {task.obstacle_name} in {sampled}"]
    share = f"{hits} of {sampled}, {hits / total:.1%}"
    rows = [
        (f"{each['links'][0]} and {each['links'][1]}", f"in {each['samples']}, {each['samples'] / total:.1%}")
        for each in facts["overlaps"]
    ]
    return [f"collision: {task.name} collides with {task.obstacle_name} in {share}", *listing(rows, PAIRS)]

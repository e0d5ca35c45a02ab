"""`elbowroom check --random`: how many configurations of a robot collide, and which links most often."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .options import Wanted
from .overlaps import chunks, listing, plural
from .patience import Say
from .robots import Task, paint

PAIRS = 20  # pairs of links that are printed; all go into the JSON file


@dataclass(frozen=True)
class Deepest:
    """The sample with the deepest overlap: its number, the two parts, and how deep."""

    sample: int
    links: tuple[str, str]
    depth: float


def check_samples(task: Task, seed: int, wanted: Wanted, say: Say) -> tuple[list[str], dict[str, Any]]:
    """What to print, and what to write: a statement about the samples, not a proof."""
    hits, counts, deepest = _look(task, wanted.plot is not None or wanted.json is not None, say)
    facts = _facts(task, seed, hits, counts, deepest)
    lines = _told(task, facts)
    if wanted.plot is not None:
        say("drawing", 0, 0)
        sample = 0 if deepest is None else deepest.sample
        paint(wanted.plot, task, sample, f"{task.name}, sample {sample}")
        facts["painted"] = {"sample": sample, "configuration": task.configurations[sample].tolist()}
        lines.append(_report_painted(sample, deepest))
    return lines, facts


def _look(task: Task, deep: bool, say: Say) -> tuple[int, NDArray[np.int64], Deepest | None]:
    """How many samples collide, in how many each pair does, and the deepest, if asked: that takes longer."""
    hits, counts, deepest = 0, np.zeros([len(names) for names in task.names], np.int64), None
    for part in chunks(len(task.configurations), partial(say, "samples")):
        found = task.contacts(part) if deep else task.pairs(part)
        hits += int(found.hits.sum())
        counts += _counted(task, found)
        if deep and len(found.pairs):
            deepest = _deeper(deepest, task, found, part.start)
    return hits, counts, deepest


def _counted(task: Task, found: Any) -> NDArray[np.int64]:
    """In how many of these samples each pair overlaps; however many triangles of an obstacle, it is once."""
    rows = np.column_stack([found.frames, found.pairs]).astype(np.int64)
    if task.obstacle is not None:
        rows[:, 2] = 0
    rows = np.unique(rows, axis=0)
    counts = np.zeros([len(names) for names in task.names], np.int64)
    np.add.at(counts, (rows[:, 1], rows[:, 2]), 1)
    return counts


def _deeper(best: Deepest | None, task: Task, found: Any, start: int) -> Deepest:
    """The deepest of these samples, or the best before them."""
    k = int(np.argmax(found.contacts.depths))
    depth = float(found.contacts.depths[k])
    if best is not None and best.depth >= depth:
        return best
    i, j = (int(number) for number in found.pairs[k])
    names = task.names[0][i], task.names[1][j if task.obstacle is None else 0]
    return Deepest(start + int(found.frames[k]), names, depth)


def _facts(
    task: Task, seed: int, hits: int, counts: NDArray[np.int64], deepest: Deepest | None
) -> dict[str, Any]:
    total, compared = len(task.configurations), task.compared()
    often = sorted(np.argwhere(counts).tolist(), key=lambda ij: (-counts[ij[0], ij[1]], ij))
    named = None
    if deepest is not None:
        named = asdict(deepest) | {"configuration": task.configurations[deepest.sample].tolist()}
    return {
        "joints": list(task.robot.joint_names),
        "samples": total,
        "seed": seed,
        "colliding": hits,
        "share": hits / total,
        "overlaps": [{"links": _names(task, i, j), "samples": int(counts[i, j])} for i, j in often],
        "compared": len(compared),
        "never": [_names(task, i, j) for i, j in compared if not counts[i, j]],
        "deepest": named,
    }


def _names(task: Task, i: int, j: int) -> list[str]:
    return [task.names[0][i], task.names[1][j]]


def _told(task: Task, facts: dict[str, Any]) -> list[str]:
    total, hits, seed = facts["samples"], facts["colliding"], facts["seed"]
    sampled = plural(total, "random configuration")
    if not hits:
        head = f"free: {task.name} does not touch {task.obstacle_name} in {sampled}"
    else:
        head = f"collision: {task.name} collides with {task.obstacle_name}"
    rows = [
        (", ".join(each["links"]), str(each["samples"]), f"{each['samples'] / total:.1%}")
        for each in facts["overlaps"]
    ]
    lines = [head, f"  {hits} of {sampled} collide ({hits / total:.1%}); seed {seed}; not a proof"]
    lines += [task.reserve] if task.reserve else []
    return [*lines, *listing(rows, PAIRS, ("links", "samples", "share")), _report_never(task, facts)]


def _report_never(task: Task, facts: dict[str, Any]) -> str:
    never, compared = len(facts["never"]), facts["compared"]
    what = plural(compared, "pair") + " of links" if task.obstacle is None else plural(compared, "link")
    return f"  {never} of {what} compared never collided"


def _report_painted(sample: int, deepest: Deepest | None) -> str:
    if deepest is None:
        return f"  plot: sample {sample}; no sample collides"
    return f"  plot: sample {sample}, the deepest: {', '.join(deepest.links)}, depth {deepest.depth:.4g}"

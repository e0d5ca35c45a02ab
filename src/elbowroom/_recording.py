"""Runs on a budget along paths, and what they missed: the records that a calibration is learned from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _core

if TYPE_CHECKING:
    from elbowroom.budget import Budget, Memory

#: What an unfinished run tells about itself, in this order.
SIGNS = ("covered", "checked", "paper", "open nodes", "deepest", "mean depth", "hit before", "expired")
BLOCKS = 20  # that a single path is cut into
KINDS = {True: "path", False: "configuration"}

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Paths = list[list[Any]]
Ask = Callable[..., Any]
Truth = Callable[[Any], Any] | Iterable[Any] | None


@dataclass
class Records:
    """The runs that spent their budget and had found nothing, in order."""

    signs: list[Floats] = field(default_factory=list)
    free: list[bool] = field(default_factory=list)
    block: list[int] = field(default_factory=list)  # the path of each, or the stretch of a single one
    runs: int = 0  # all that were made, finished or not

    def add(self, signs: Floats, free: bool, block: int) -> None:
        """One more."""
        self.signs.append(signs)
        self.free.append(free)
        self.block.append(block)

    def parts(self, held_out: float, seed: int) -> tuple[Flags, Flags]:
        """Which to learn from and which to judge by: whole blocks, and at least one to learn from."""
        block = np.array(self.block)
        names = np.random.default_rng(seed).permutation(np.unique(block))
        wanted = round(held_out * len(names)) or (held_out > 0)
        held = np.isin(block, names[: min(wanted, len(names) - 1)])
        return ~held, held


def record(
    ask: Ask,
    paths: Paths,
    budgets: Sequence[Budget],
    memory: Callable[[], Memory],
    truth: Truth,
    tell: Callable[[int], None],
) -> Records:
    """Asks about every configuration on every budget, with a memory for each budget on each path.

    The truth is asked for after that, once, and only where a run was left unfinished.
    """
    records, collides, done = Records(), _verdict(ask, truth, paths), 0
    for number, path in enumerate(paths):
        memories = [memory() for _ in budgets]
        for place, it in enumerate(path):
            runs = [ask(it, budget=given, memory=own) for given, own in zip(budgets, memories, strict=True)]
            left = [signs for run in runs if (signs := _unfinished(run)) is not None]
            free = bool(left) and not collides(done, it)
            block = number if len(paths) > 1 else place * BLOCKS // len(path)
            for signs in left:
                records.add(signs, free, block)
            records.runs += len(runs)
            done += 1
            tell(done)
    return records


def _unfinished(answer: Any) -> Floats | None:
    """The signs of a run that was cut short before it found anything; None for any other."""
    if not isinstance(answer, _core.Collision):
        raise TypeError(
            "ask must return the answer of er.collide or er.self_collide to one configuration, "
            f"got {type(answer).__name__}"
        )
    if answer.status != "out of budget" or answer:
        return None
    signs = answer._signs
    if signs is None:
        raise ValueError("ask must hand its memory on to the question: an answer on a budget has no signs")
    if not np.isfinite(signs).all():
        named = ", ".join(name for name, sign in zip(SIGNS, signs, strict=True) if not np.isfinite(sign))
        raise ValueError(f"ask gave an answer whose signs are not finite: {named}")
    return np.array(signs, float)


def _verdict(ask: Ask, truth: Truth, paths: Paths) -> Callable[[int, Any], bool]:
    """Is this configuration, the n-th of all, in collision?"""
    if truth is None:
        return lambda _, it: bool(ask(it, budget=None, memory=None))
    if callable(truth):
        return lambda _, it: bool(truth(it))
    known = [bool(one) for row in truth for one in (row if _holds(row) else [row])]
    total = sum(map(len, paths))
    if len(known) != total:
        raise ValueError(f"truth must have one entry for each of {total} configurations, got {len(known)}")
    return lambda number, _: known[number]


def split(configurations: Iterable[Any]) -> Paths:
    """Several paths, each a list of configurations; what is not made of paths is a single one."""
    things = list(configurations)
    if not things:
        raise ValueError("configurations is empty: at least one is needed")
    kinds = [_is_path(thing) for thing in things]
    if any(kinds) != all(kinds):
        odd = kinds.index(not kinds[0])
        raise ValueError(
            f"configurations must be all paths or all of one path: the first is a {KINDS[kinds[0]]}, "
            f"configurations[{odd}] is a {KINDS[kinds[odd]]}"
        )
    paths = [list(thing) for thing in things] if kinds[0] else [things]
    for i, path in enumerate(paths):
        if not path:
            raise ValueError(f"configurations[{i}] is empty: a path has at least one configuration")
    return paths


def _is_path(thing: Any) -> bool:
    """Does it hold configurations? A pose in any form, numbers in a row and a mapping are configurations."""
    if isinstance(thing, np.ndarray):
        return thing.ndim > 2 or (thing.ndim == 2 and thing.shape != (4, 4))
    if not _holds(thing):
        return False
    if len(thing) == 0 or isinstance(thing[0], Mapping) or hasattr(thing[0], "matrix"):
        return True
    if isinstance(thing, tuple) and len(thing) == 2:  # (rotation, translation), or (joint, angle)
        return False
    return _holds(thing[0]) and not _is_matrix(thing)


def _holds(thing: Any) -> bool:
    return isinstance(thing, list | tuple) or (isinstance(thing, np.ndarray) and thing.ndim > 0)


def _is_matrix(rows: Sequence[Any]) -> bool:
    """Four rows of four numbers."""
    return len(rows) == 4 and all(_holds(row) and len(row) == 4 and not _holds(row[0]) for row in rows)

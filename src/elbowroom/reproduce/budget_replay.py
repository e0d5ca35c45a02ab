"""Checks on a budget along paths, one after the other through one memory, and what they answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom.calibration import Calibration

from .budget_scene import spring

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

BEST, DEPTH, AUTO = "best-first", "depth-first", "auto"
METHODS = (BEST, DEPTH, AUTO)
GROUP, THRESHOLD = 8, 2.0  # of dangerous regions; the paper gives neither
UNFINISHED = "out of budget"
IN_FULL = er.Budget(tests=2**62)  # a memory must see the run, and a question without a budget may not show it


@dataclass(frozen=True)
class Answers:
    """What each check (n,) found: a hit, or unfinished without one; what that is worth, and what it took.

    `limited`: it was asked on the budget, and not in full. `checked` is the share of the nodes in dangerous
    regions of the last cut list that were found apart, and `paper` the confidence without a calibration.
    """

    limited: Flags
    hit: Flags
    unfinished: Flags
    confidence: Array
    checked: Array
    paper: Array
    covered: Array
    lower: Array
    tests: Array

    def __len__(self) -> int:
        return len(self.hit)

    def mean(self, which: Flags | None = None) -> float:
        """The mean confidence in percent, of all checks on the budget or of some; 0 if there are none."""
        chosen = self.confidence[self.limited if which is None else self.limited & which]
        return 100 * float(chosen.mean()) if len(chosen) else 0.0


def replay(
    paths: Sequence[Array],
    method: str,
    tests: int,
    *,
    group: int = GROUP,
    threshold: float = THRESHOLD,
    calibration: Calibration | None = None,
    in_full: bool = True,
    forget: bool = False,
) -> Answers:
    """Check every pose (4, 4) of every path on a budget of so many tests.

    `in_full`: the first of each path without a limit, as it follows no other; else a path begins with what
    the memory has of the last one, or, with `forget`, with an empty memory.
    """
    memory = er.Memory(method, group=group, threshold=threshold, calibration=calibration)
    budget, rows, body = er.Budget(tests=tests), [], spring()
    for path in paths:
        if forget:
            memory.forget()
        for number, pose in enumerate(path):
            limited = number > 0 or not in_full
            given = budget if limited else IN_FULL
            answer = er.collide(body, body, pose_b=pose, budget=given, memory=memory)
            rows.append((limited, *_row(answer)))
    return answers(rows)


def _row(answer: er.Collision) -> tuple[float, ...]:
    counters, hit = answer.counters, bool(answer)
    assert answer.confidence is not None and answer.covered is not None and answer._signs is not None
    return (
        hit,
        not hit and answer.status == UNFINISHED,
        answer.confidence,
        *answer._signs[1:3],
        answer.covered,
        answer.lower,
        counters.volume_tests + counters.leaf_tests,
    )


def answers(rows: Sequence[tuple[float, ...]]) -> Answers:
    """The rows as columns."""
    limited, hit, unfinished, *rest = np.array(rows, dtype=float).reshape(len(rows), 9).T
    return Answers(limited > 0, hit > 0, unfinished > 0, *rest)

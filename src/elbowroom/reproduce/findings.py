"""What a reproduction is made of: a paper has chapters, and a chapter brings back findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elbowroom.pictures.exhibits import Picture, Table

REPRODUCED = "reproduced"
#: What a verdict may begin with. One that begins otherwise judges nothing, as where the paper has no number.
KINDS = (REPRODUCED, "better", "differs")
UNJUDGED = "unjudged"


@dataclass(frozen=True)
class Settings:
    """How to run: `full` for the paper's own sizes.

    Of chains, a walk has `steps` random torsions of up to `step` degrees, and `pdb` are files of proteins.
    Of articulated bodies, a motion has `frames`. Of motions, a tree has `nodes`. Of budgets, a roadmap makes
    about so many `checks`.
    """

    full: bool = False
    steps: int = 20_000
    step: float = 10.0
    pdb: tuple[Path, ...] = ()
    frames: int = 10_000
    nodes: int = 10_000
    checks: int = 30_000


@dataclass(frozen=True)
class Comparison:
    """One number of ours beside the paper's, which is None where the paper gives none."""

    what: str
    ours: float
    paper: float | None
    verdict: str


@dataclass(frozen=True)
class Findings:
    """What a chapter brings back. `figures` go into the JSON file only."""

    comparisons: Sequence[Comparison] = ()
    tables: Sequence[Table] = ()
    plots: Sequence[Picture] = ()
    figures: Mapping[str, object] = field(default_factory=dict)


Tell = Callable[[str], None]  # hears what comes next


@dataclass(frozen=True)
class Chapter:
    """One table or figure of a paper, measured again."""

    title: str
    shows: str
    run: Callable[[Settings, Tell], Findings]


@dataclass(frozen=True)
class Paper:
    """A paper that can be reproduced. `takes` names the settings besides `full` that it listens to.

    `reads` tries a file of a protein, and raises an error that says why it cannot be used.
    """

    name: str
    title: str
    lead: str
    chapters: Sequence[Chapter]
    takes: frozenset[str] = frozenset()
    reads: Callable[[Path], object] | None = None


def judge(ours: float, paper: float, fewer: str, more: str, *, within: float = 4 / 3) -> str:
    """The verdict on a cost: reproduced if the two agree within a third, else better or different."""
    if paper / within <= ours <= paper * within:
        return REPRODUCED
    return f"better: {fewer}" if ours < paper else f"differs: {more}"


def judge_exponent(ours: float, paper: float, lower: str, higher: str, *, within: float = 0.1) -> str:
    """The verdict on a growth exponent: reproduced when the two differ by no more than `within`."""
    if abs(ours - paper) <= within:
        return REPRODUCED
    return f"differs: {lower}" if ours < paper else f"differs: {higher}"


def verdict_kind(verdict: str) -> str:
    """What a verdict amounts to: "reproduced", "better", "differs", or "unjudged" if it is none of these.

    Examples
    --------
    >>> verdict_kind("better: tighter trees"), verdict_kind("not in the paper")
    ('better', 'unjudged')
    """
    return next((kind for kind in KINDS if verdict.startswith(kind)), UNJUDGED)

"""Confidence that means what it says: a table learned from runs of one's own scene.

The confidence of [Lin2006]_ rises with the chance that nothing was missed, but is no probability; its authors
propose to look the value up in "a statistical table constructed in an off-line manner". This is the table.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _calibration_file, _core, _fitting, _recording, _reliability
from elbowroom._reliability import Curve, Reliability
from elbowroom.body import read_only
from elbowroom.budget import Budget, Memory

if TYPE_CHECKING:
    from elbowroom._core import Collision

Floats = NDArray[np.float64]

FEW, RARE = 500, 20  # runs in a part, and of the rarer kind: with fewer the table is told to be rough


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """What the signs of an unfinished run say about the chance that there is no collision.

    Made by `er.Memory.calibrate`, used by `er.Memory(calibration=table)`. It holds for runs like those that
    it was learned from: the same bodies, method and budget, and paths of the same kind.

    Attributes
    ----------
    weights, knots, values
        (9,), (k,) and (k,): the table. The score of a run is weights[:8] @ signs + weights[8]; its confidence
        lies on the line through the values at the knots, which rise, and stays at the ends beyond them.
    method, group, threshold, budgets
        Of the memories and runs that it was learned from.
    learned
        From how many unfinished runs.
    held_out
        How it did on runs that it was not learned from: error, Brier score, AUC, base rate and curve. None if
        there were none.
    paper
        How the paper's confidence would have done on the same runs.

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> spring = er.Mesh(*er.scenes.spring())
    >>> def path(aside):
    ...     poses = er.scenes.spring_path(60)
    ...     poses[:, 1, 3] += aside
    ...     return poses
    >>> def ask(pose, **how):
    ...     return er.collide(spring, spring, pose_b=pose, **how)
    >>> paths = [path(aside) for aside in np.linspace(-4, 4, 60)]
    >>> table = er.Memory.calibrate(ask, paths, budget=er.Budget(tests=50))
    >>> table.error < 0.05 and table.held_out.brier < table.paper.brier
    True
    >>> memory = er.Memory(calibration=table)
    >>> answers = [ask(pose, budget=er.Budget(tests=50), memory=memory) for pose in path(0.3)]
    >>> all(0 < answer.confidence <= 1 for answer in answers)
    True
    """

    weights: Floats
    knots: Floats
    values: Floats
    method: str = "auto"
    group: int = 8
    threshold: float = 1.0
    budgets: tuple[Budget, ...] = ()
    learned: int = 0
    held_out: Reliability | None = field(default_factory=lambda: None)
    paper: Reliability | None = field(default_factory=lambda: None)

    def __post_init__(self) -> None:
        for name in ("weights", "knots", "values"):
            array = _arrays.numbers(getattr(self, name), name)
            if array.ndim != 1:
                raise ValueError(f"{name} must have one dimension, got shape {array.shape}")
            object.__setattr__(self, name, read_only(array))
        _arrays.choice(self.method, "method", Memory.METHODS)
        _arrays.count(self.group, "group", 1, _core.limits.largest_group)
        _arrays.length(self.threshold, "threshold")
        _arrays.count(self.learned, "learned", 0)
        if not isinstance(self.budgets, tuple) or not all(isinstance(one, Budget) for one in self.budgets):
            raise ValueError(f"budgets must be a tuple of Budgets, got {_arrays.shown(self.budgets)}")
        if len(self.weights) != len(_recording.SIGNS) + 1:
            raise ValueError(
                f"weights must have shape ({len(_recording.SIGNS) + 1},), got {self.weights.shape}"
            )
        if self.knots.shape != self.values.shape:
            raise ValueError(f"values must be as many as knots, {len(self.knots)}, got {len(self.values)}")
        if (np.diff(self.knots) <= 0).any():
            raise ValueError("knots must rise")
        if (np.diff(self.values) < 0).any() or self.values[0] < 0 or self.values[-1] > 1:
            raise ValueError("values must be from 0 to 1 and must not fall")

    def confidence(self, signs: ArrayLike) -> Floats:
        """The probability of free (n,) for runs with these signs (n, 8)."""
        array = _arrays.numbers(signs, "signs")
        if array.ndim != 2 or array.shape[1] != len(_recording.SIGNS):
            raise ValueError(f"signs must have shape (n, {len(_recording.SIGNS)}), got {array.shape}")
        return _fitting.Table(self.weights, self.knots, self.values).probability(array)

    @property
    def error(self) -> float:
        """The expected calibration error on the held-out runs, over ten bins of equal size; NaN if none."""
        return math.nan if self.held_out is None else self.held_out.error

    @property
    def curve(self) -> Curve:
        """The reliability curve of the held-out runs: predicted, observed and count of each bin."""
        if self.held_out is None:
            raise ValueError("held_out: no runs were held out, so there is no curve")
        return self.held_out.curve

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a JSON file."""
        _calibration_file.write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Reads a table that was saved."""
        arguments = _calibration_file.read(path)
        try:
            return cls(**arguments)
        except ValueError as error:
            raise ValueError(f"path: {path} contains a damaged calibration: {error}") from None

    def picture(self, path: str | os.PathLike[str]) -> None:
        """Writes the reliability curve, beside that of the paper's confidence, to a PNG file."""
        from elbowroom.pictures.reliability import reliability_figure
        from elbowroom.pictures.saving import saved

        if self.held_out is None:
            raise ValueError("held_out: no runs were held out, so there is no curve")
        saved(reliability_figure(self), path, format="png", facecolor="none")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Calibration):
            return NotImplemented
        return _calibration_file.plain(self) == _calibration_file.plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Calibration: {self._story()}; learned from {self.learned:,} unfinished runs>"

    def _story(self) -> str:
        if self.held_out is None or self.paper is None:
            return "not judged"
        ours, theirs = self.held_out.told(), self.paper.told()
        return f"{ours} on {self.held_out.runs:,} held-out runs (the paper's confidence: {theirs})"


def calibrate(
    ask: Callable[..., Collision],
    configurations: Iterable[object],
    *,
    budget: Budget | Sequence[Budget],
    method: str = "auto",
    group: int = 8,
    threshold: float = 1.0,
    truth: Callable[..., object] | Iterable[object] | None = None,
    held_out: float = 0.5,
    seed: int = 0,
    progress: bool | None = None,
) -> Calibration:
    """Learn from runs along paths how likely an unfinished one is to have missed a collision.

    Every configuration is asked about on the budget, with a memory that follows the path, and where the run
    was cut short also without a budget. The runs of one path are much alike, so many paths count for more
    than many configurations: with a hundred paths the error is about 0.03, with two thousand about 0.01.

    Parameters
    ----------
    ask
        ask(configuration, budget=..., memory=...) puts the bodies where they belong and returns what
        `er.collide` or `er.self_collide` answers.
    configurations
        Paths, each a sequence of configurations in the order in which they are visited; each begins with a
        fresh memory. Or a single path. A configuration is a pose in any form (an array (4, 4) is one), an
        array of numbers, a mapping.
    budget
        What a run may spend; several budgets make one table that serves them all.
    method, group, threshold
        Of the memories, as for `er.Memory`.
    truth
        Is a configuration in collision? A function of it, or a value for each. None: `ask` without a budget
        and a memory. It is asked right after the run, so it may look at bodies that stay where they were.
    held_out
        The share of the paths, or of twenty stretches of a single one, that the table is not learned from
        but judged by.
    seed
        Of the choice of those.
    progress
        Show a bar; None: if it takes longer than two seconds on a terminal.
    """
    from elbowroom._progress import Progress

    share, kept = _share(held_out), _arrays.count(seed, "seed", 0)
    budgets, paths = _budgets(budget), _recording.split(configurations)
    made = partial(Memory, method, group=group, threshold=threshold)
    made()  # refuses wrong settings before any work
    with Progress(progress, "configurations", sum(map(len, paths))) as tell:
        records = _recording.record(ask, paths, budgets, made, truth, tell)
    if not records.free:
        raise ValueError(
            f"budget: all {records.runs:,} runs finished, so there is nothing to learn: "
            "lower the budget (and see that ask hands it on)"
        )
    learned, judged = records.parts(share, kept)
    return _fitted(records, learned, judged, method=method, group=group, threshold=threshold, budgets=budgets)


def _budgets(budget: Any) -> tuple[Budget, ...]:
    given = tuple(budget) if isinstance(budget, list | tuple) else (budget,)
    if not given or not all(isinstance(one, Budget) for one in given):
        raise ValueError(f"budget must be an er.Budget, or a list of some, got {_arrays.shown(budget)}")
    return given


def _share(held_out: float) -> float:
    share = _arrays.share(held_out, "held_out")
    if share == 1:
        raise ValueError("held_out must be less than 1: something must be left to learn from")
    return share


def _fitted(
    records: _recording.Records, learned: _recording.Flags, judged: _recording.Flags, **settings: Any
) -> Calibration:
    signs, free = np.array(records.signs), np.array(records.free)
    _warn_of_few(free[learned], free[judged])
    table = _fitting.fit(signs[learned], free[learned])
    parts: list[Reliability | None] = [None, None]
    if judged.any():
        stated = table.probability(signs[judged]), signs[judged][:, _recording.SIGNS.index("paper")]
        parts = [_reliability.judged(said, free[judged]) for said in stated]
    return Calibration(*table, learned=int(learned.sum()), held_out=parts[0], paper=parts[1], **settings)


def _warn_of_few(learned: _recording.Flags, judged: _recording.Flags) -> None:
    rare = min(int(learned.sum()), int((~learned).sum()))
    if len(learned) >= FEW and rare >= RARE and (len(judged) == 0 or len(judged) >= FEW):
        return
    warnings.warn(
        f"the table is rough: it was learned from {len(learned)} unfinished runs, {rare} of the rarer kind, "
        f"and judged by {len(judged)}; give it more paths, or a smaller budget",
        stacklevel=5,  # of who asked er.Memory.calibrate
    )

"""What a query may spend, and what it may remember."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from elbowroom import _arrays, _core

if TYPE_CHECKING:
    from typing import Unpack

    from elbowroom._core import Collision
    from elbowroom._types import CalibrationOptions
    from elbowroom.bvtt import BVTT
    from elbowroom.calibration import Calibration


class Budget(_core.Allowance):
    """About so many tests (of volumes and of leaves), or so many seconds, for one query.

    The query stops at the first step after the limit; one step takes a few tests, of all children of a node.
    The boxes about the links of an articulated body are looked at in one step, some tests for each link;
    with a memory they are not charged.

    A query that runs out says so in its status, and what it states is still true: a distance keeps proven
    bounds, and `covered` is the share of pairs of primitives that are proved apart. `confidence` needs a
    :class:`Memory`; without one it is 0 for whatever was not finished.

    Examples
    --------
    >>> import elbowroom as er
    >>> wall = er.Group([(er.Box(1), er.Pose(translation=[0, i, j])) for i in range(40) for j in range(40)])
    >>> beside = er.Pose(translation=[7, 20, 20])
    >>> answer = er.distance(wall, er.Sphere(1), pose_b=beside, budget=er.Budget(tests=20))
    >>> answer.status, answer.lower <= 5.5 <= answer.upper
    ('out of budget', True)
    """

    def __init__(self, *, tests: int | None = None, seconds: float | None = None) -> None:
        if tests is None and seconds is None:
            raise ValueError("tests or seconds must be given")
        super().__init__(
            None if tests is None else _arrays.count(tests, "tests", 0),
            None if seconds is None else _arrays.length(seconds, "seconds"),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.tests, self.seconds)

    def __repr__(self) -> str:
        parts = [f"{k}={v}" for k, v in (("tests", self.tests), ("seconds", self.seconds)) if v is not None]
        return f"Budget({', '.join(parts)})"


def _rebuild(tests: int | None, seconds: float | None) -> Budget:
    return Budget(tests=tests, seconds=seconds)


class Memory(_core.QueryMemory):
    """Carries what one query found to the next query about the same bodies.

    Along a path the same primitives often decide, and the same volumes are apart. Without a budget, a memory
    keeps the primitives that decided the last query and tries them first. On a budget it keeps the *cut* of
    the bounding volume traversal tree (BVTT): the pairs of volumes at which the search ended. Verdicts never
    depend on it, and distances agree to the last digits; of several pairs of primitives at one distance
    another may be named. A memory asked about other bodies forgets. One memory serves one thread at a time,
    and one configuration at a time.

    Parameters
    ----------
    method
        ``"auto"``: every pair on the cut was proved apart by some gap, and the motion of the bodies since
        then takes from it; only what is used up is tested again. So a check can be spread over several
        calls, and when nothing is left the answer is a proof for where the bodies are now.
        ``"best-first"``: from the root each time, of two children first the one below which the last run
        went deeper [Lin2006]_. ``"depth-first"``: from the root, children in the order of the tree.
    group, threshold
        A *dangerous region* is a group of so many successive pairs of the cut whose depths have a standard
        deviation above the threshold. The paper gives no figures.
    calibration
        A table from :meth:`calibrate`; `confidence` is then the probability that a query which found nothing
        within its budget would have found nothing at all.

    Copies and pickles have the settings and are empty: what a memory found is about the bodies of this
    process.

    Without a calibration `confidence` is the paper's: the share of the nodes in dangerous regions of the last
    cut that this run proved apart, times the confidence of the last run; 1 when a run finishes. With
    ``"auto"`` it is the share of the pairs of the present cut that are proved apart, and no product, since
    proofs are carried over.

    Examples
    --------
    >>> import elbowroom as er
    >>> memory = er.Memory()
    >>> path = [er.Pose(translation=[x, 0, 0]) for x in (3, 2, 1)]
    >>> [er.distance(er.Box(1), er.Box(1), pose_b=pose, memory=memory).value for pose in path]
    [2.0, 1.0, 0.0]

    A check that is spread over several calls:

    >>> spring, memory = er.Mesh(*er.scenes.spring()), er.Memory()
    >>> pose = er.scenes.spring_path(100)[11]
    >>> calls = [er.collide(spring, spring, pose_b=pose, budget=er.Budget(tests=100), memory=memory)]
    >>> while calls[-1].status == "out of budget":
    ...     calls.append(er.collide(spring, spring, pose_b=pose, budget=er.Budget(tests=100), memory=memory))
    >>> len(calls) > 1, bool(calls[-1]), calls[-1].covered, memory.age
    (True, False, 1.0, 0)
    """

    METHODS = ("auto", "best-first", "depth-first")

    def __init__(
        self,
        method: str = "auto",
        *,
        group: int = 8,
        threshold: float = 1.0,
        calibration: Calibration | None = None,
    ) -> None:
        super().__init__(
            _arrays.choice(method, "method", self.METHODS),
            _arrays.count(group, "group", 1, _core.limits.largest_group),
            _arrays.length(threshold, "threshold"),
        )
        self._method = method
        self.calibration = calibration

    @property
    def method(self) -> str:
        """How it goes on from the last query."""
        return self._method

    @property
    def calibration(self) -> Calibration | None:
        """The table by which `confidence` is looked up, or None."""
        return self._calibration

    @calibration.setter
    def calibration(self, table: Calibration | None) -> None:
        if table is not None and not all(hasattr(table, name) for name in ("weights", "knots", "values")):
            raise TypeError(
                f"calibration must be an elbowroom.Calibration or None, got {type(table).__name__}"
            )
        self._calibration = table
        learned = getattr(table, "method", self._method)
        if learned != self._method:
            warnings.warn(
                f"the calibration was learned with method {learned!r}, not {self._method!r}", stacklevel=2
            )
        if table is None:
            self._clear_table()
        else:
            self._set_table(table.weights, table.knots, table.values)

    @property
    def bvtt(self) -> BVTT | None:
        """The traversal tree of the last run that was recorded: on a budget, or by a method of the paper."""
        from elbowroom.bvtt import BVTT

        columns = self._bvtt()
        return None if columns is None else BVTT(columns)

    @staticmethod
    def calibrate(
        ask: Callable[..., Collision],
        configurations: Iterable[object],
        *,
        budget: Budget | Sequence[Budget],
        **options: Unpack[CalibrationOptions],
    ) -> Calibration:
        """Learn from recorded runs of a scene how far unfinished answers can be trusted.

        `ask(configuration, budget=..., memory=...)` puts the bodies where they belong and returns what
        :func:`collide` or :func:`self_collide` answers; `configurations` are paths, each a sequence, and many
        are better than long ones. Options: `method`, `group` and `threshold` as for a memory, `truth`,
        `held_out`, `seed` and `progress`; :func:`elbowroom.calibration.calibrate` explains them, and
        :class:`Calibration` what comes back, with an example.
        """
        from elbowroom.calibration import calibrate

        return calibrate(ask, configurations, budget=budget, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_memory, (type(self), self._method, self.group, self.threshold, self._calibration)

    def __repr__(self) -> str:
        if self.empty:
            return f"Memory({self._method}, empty)"
        age = "a part was never proved" if self.age is None else f"age of the proof {self.age}"
        learned = ", calibrated" if self._calibration is not None else ""
        return f"Memory({self._method}{learned}, {self.calls} call{'s' * (self.calls != 1)}, {age})"


def _rebuild_memory(
    kind: type[Memory], method: str, group: int, threshold: float, calibration: Calibration | None
) -> Memory:
    return kind(method, group=group, threshold=threshold, calibration=calibration)

"""What a query may spend, and what it may remember."""

from __future__ import annotations

from typing import Any

from elbowroom import _arrays, _core


class Budget(_core.Allowance):
    """About so many tests (of volumes and of leaves), or so many seconds, for one query.

    The query stops at the first step after the limit; one step takes a few tests, of all children of a node.

    A query that runs out says so in its status, and what it states is still true: a distance keeps proven
    bounds.

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
    """Carries the primitives that decided one query to the next query between the same two bodies.

    Along a path they often decide again, and the work shrinks. Verdicts never depend on it, and distances
    agree to the last digits; of several pairs of primitives at that distance another may be named. A memory
    of other bodies is passed over. One memory serves one thread at a time.

    Examples
    --------
    >>> import elbowroom as er
    >>> memory = er.Memory()
    >>> path = [er.Pose(translation=[x, 0, 0]) for x in (3, 2, 1)]
    >>> [er.distance(er.Box(1), er.Box(1), pose_b=pose, memory=memory).value for pose in path]
    [2.0, 1.0, 0.0]
    """

    def __repr__(self) -> str:
        return "Memory(empty)" if self.empty else "Memory(holds a pair of primitives)"

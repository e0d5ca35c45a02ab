"""What a probe answers, and what a library is to the questions: bodies in pairs, or points."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Any, ClassVar

from benchmarks.compare.scenes import Array, Shape

YES, PARTLY, NO, ELSEWHERE, NOT_RUN = "yes", "partly", "no", "-", "not run"


@dataclass(frozen=True)
class Seen:
    """yes, partly, no, - (not what the library is for), or not run; and what was seen."""

    answer: str
    what: str = ""


class Pair:
    """Two bodies; of the pose of the second against the first, what a library cannot be asked is None."""

    hit: Any = None
    distance: Any = None
    depth: Any = None
    free: Any = None


class Library:
    """One of those compared: `groups` says what it is for, `lacks` why it cannot be asked something."""

    name: ClassVar[str]
    package: ClassVar[str]
    about: ClassVar[str]
    groups: ClassVar[frozenset[str]]
    lacks: ClassVar[dict[str, str]] = {}

    def pair(self, a: Shape, b: Shape) -> Pair:
        """The two as the library has them."""
        raise NotImplementedError

    def near(self, points: Array, reach: float, box: float | None = None) -> set[tuple[int, int]]:
        """Pairs of points at most so far apart; `box`: the side of a periodic box."""
        raise NotImplementedError

    @classmethod
    def version(cls) -> str | None:
        """As installed, or None."""
        return metadata.version(cls.package) if any(metadata.distributions(name=cls.package)) else None

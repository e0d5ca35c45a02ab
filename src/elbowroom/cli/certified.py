"""Certificates of paths in words: proved free, undecided, or the first contact: what, when and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .check import two_points
from .complaint import Complaint

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cast:
    """Who may meet: a body that moves, by its name, and obstacles with theirs."""

    name: str
    body: Any
    names: Sequence[str] = ()
    obstacles: Sequence[Any] = ()

    def pair(self, certificate: Any) -> tuple[str, str]:
        """The two parts of a contact, by name."""
        i, j = (int(number) for number in certificate.pair)
        first = self._part(self.name, self.body, i)
        if certificate.obstacle is None:
            return first, self._part(self.name, self.body, j)
        which = int(certificate.obstacle)
        return first, self._part(self.names[which], self.obstacles[which][0], j)

    @staticmethod
    def _part(name: str, body: Any, number: int) -> str:
        if isinstance(body, er.Articulated):
            return body.link_names[number]
        if isinstance(body, er.Mesh):
            return f"triangle {number} of {name}"
        return name if len(body) == 1 else f"part {number} of {name}"


@dataclass(frozen=True, eq=False)
class Judged:
    """The states of a path, and its certificates: one for the whole, or one for each motion in turn."""

    cast: Cast
    states: Floats
    parts: tuple[Any, ...]
    whole: bool
    unit: str = "row"

    @property
    def rows(self) -> int:
        """How many states the path has."""
        return len(self.states)

    @property
    def free(self) -> bool | None:
        """As a certificate says it."""
        told: bool | None = self._last.free
        return told

    @property
    def _last(self) -> Any:
        """The one that decides: a contact, or else what is undecided, or else any."""
        order = {False: 0, None: 1, True: 2}
        return min(self.parts, key=lambda part: order[part.free])

    def place(self, time: float) -> float:
        """Where on the path a time of the decisive certificate is: 3.25 is a quarter after row 3."""
        span = self.rows - 1 if self.whole else 1
        return self.parts.index(self._last) + span * time

    def met(self, clearance: float = 0.0) -> str:
        """The first contact, or where the clearance is first violated: the parts, the time and the points."""
        certificate = self._last
        before, at = certificate.first_contact
        first, second = self.cast.pair(certificate)
        here, since = (f"{self.place(time):.8g}" for time in (at, before))
        free = f", free before {since}" if before < at and since != here else ""
        what = f"comes closer than {clearance:g} to" if clearance else "touches"
        head = f"{first} {what} {second}"
        when = f"  at {self.unit} {here}{free}"
        return "\n".join([head, when, two_points("points", certificate.points)])

    def contact(self) -> tuple[float, Floats]:
        """Where on the path the first contact is, as a share of the whole, and its two points."""
        return self.place(self._last.first_contact[1]) / (self.rows - 1), np.asarray(self._last.points)

    def doubt(self) -> str:
        """Why it is undecided, and the closest approach that is known."""
        certificate = self._last
        when = f"{self.unit} {self.place(certificate.closest_time):.8g}"
        near = f"closest approach {certificate.closest:.4g} at {when}"
        return f"{near}; {certificate.covered:.3%} proved free ({certificate.status})"

    def proof(self) -> str:
        """What a proof consists of."""
        intervals = sum(len(each.intervals) for each in self.parts)
        calls = sum(int(each.distance_calls) for each in self.parts)
        return f"{_some(intervals, 'interval')}, {_some(calls, 'distance quer', 'y', 'ies')}"

    def verify(self, clearance: float = 0.0, *, self_too: bool = True) -> None:
        """Check every certificate by the slow, independent checker, against what was asked for."""
        obstacles = list(self.cast.obstacles) or None
        for number, part in enumerate(self.parts):
            way = self.states if self.whole else er.Motion(*self.states[number : number + 2])
            try:
                part.verify(self.cast.body, way, obstacles, clearance=clearance, self_too=self_too)
            except ValueError as error:
                motion = "" if self.whole else f" of motion {number}"
                raise Complaint(f"--verify: the certificate{motion} does not hold: {error}") from error

    def facts(self) -> dict[str, Any]:
        """All that the certificates say, for the JSON file."""
        facts: dict[str, Any] = {"free": self.free, "rows": self.rows, "first_contact": None}
        if self.free is False:
            facts["first_contact"] = {
                "rows": [self.place(time) for time in self._last.first_contact],
                "parts": list(self.cast.pair(self._last)),
                "points": np.asarray(self._last.points).tolist(),
            }
        return facts | {"certificates": [_facts(part) for part in self.parts]}


def judge(cast: Cast, states: Floats, checker: Any, unit: str = "row") -> Judged:
    """Check a path (k, ...), k at least 2, of poses or configurations; its places are counted in a unit."""
    from elbowroom.planning import Path

    certificate = Path(states, checker).certificate
    parts = getattr(certificate, "parts", None)  # a rigid body has one for each motion, up to a contact
    if parts is None:
        return Judged(cast, states, (certificate,), True, unit)
    return Judged(cast, states, tuple(parts), False, unit)


def _facts(certificate: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "free": certificate.free,
        "status": certificate.status,
        "method": certificate.method,
        "tolerance": certificate.tolerance,
        "covered": float(certificate.covered),
        "intervals": np.asarray(certificate.intervals).tolist(),
        "distance_calls": int(certificate.distance_calls),
    }
    if certificate.free is None:
        facts["closest"] = float(certificate.closest)
        facts["closest_time"] = float(certificate.closest_time)
    return facts


def _some(count: int, what: str, one: str = "", many: str = "s") -> str:
    return f"{count:,} {what}{one if count == 1 else many}"

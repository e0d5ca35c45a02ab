"""A path that was found on a roadmap, or why none was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .path import Path
from .roadmap import Roadmap, RoadmapWork, counted, size_told
from .spaces import Floats

if TYPE_CHECKING:
    from .branches import Checker


class RoadmapPath(Path):
    """What `PRM.query` and `PRM.solve` answer: a `Path` that also tells how it was found, or why not.

    Every motion of it is proved free, if the PRM has an exact checker; `certificate` proves them again.

    Attributes
    ----------
    roadmap
        The `Roadmap` as it was when the search ended.
    proved
        Is every motion of the path proved free?
    reason
        Why no path was found; empty if one was.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(1), er.Box([2, 8, 8]))
    >>> space = er.planning.RigidSpace([-9, -9, -9], [9, 9, 9])
    >>> left, right = er.Pose(translation=[-4, 0, 0]), er.Pose(translation=[4, 0, 0])
    >>> prm = er.planning.PRM(space, checker, seed=1)
    >>> path = prm.query(left, right)
    >>> path.found, path.reason
    (False, 'the straight motion is not free, and the roadmap has no nodes')
    >>> path = prm.solve(left, right)
    >>> path.found, path.proved, path.certificate.free
    (True, True, True)
    """

    def __init__(
        self,
        states: list[Floats],
        checker: Checker | None,
        roadmap: Roadmap,
        *,
        proved: bool,
        reason: str = "",
    ) -> None:
        work = roadmap.work
        super().__init__(
            np.array(states).reshape(-1, *roadmap.space.shape),
            checker,
            found=bool(states),
            space=roadmap.space,
            attempts=work.attempts,
            seconds=work.seconds,
        )
        self.roadmap, self.proved, self.reason = roadmap, proved and self.found, reason

    @property
    def work(self) -> RoadmapWork:
        """What the PRM has done since it was made."""
        return self.roadmap.work

    def shortened(self, attempts: int = 200, *, seed: int = 0) -> RoadmapPath:
        """A path that is no longer, by cutting corners where that is proved free: see `Path.shortened`."""
        shorter = super().shortened(attempts, seed=seed)
        return RoadmapPath(list(shorter.states), self.checker, self.roadmap, proved=self.proved)

    def __repr__(self) -> str:
        on = f"{size_told(self.roadmap)}; {self.work.told()}"
        if not self.found:
            return f"<RoadmapPath: none found, {self.reason}; {on}>"
        proved = "proved free" if self.proved else "not proved"
        return f"<RoadmapPath: {counted(len(self), 'state')}, length {self.length:.6g}, {proved}; {on}>"

"""What a PRM has learned: states, and the motions between them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .prm_local import Known
from .prm_net import Net
from .spaces import Floats, Space
from .tree import motions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from elbowroom.certificate import Certificates
    from elbowroom.motion_checker import MotionChecker

    from .path import Path


@dataclass(frozen=True)
class RoadmapWork:
    """What a PRM has done since it was made.

    Attributes
    ----------
    attempts
        States that were drawn.
    motions
        Motions that were tested by the checker.
    checks, unfinished
        Configurations that a `Discrete` or `Budgeted` checker asked about, and those that ran out of budget.
    removed
        Edges that had been assumed free (lazy=True) and were found to collide.
    proofs
        Motions of paths that were checked again, exactly.
    repaired
        Those of them that were not proved free: such edges are taken out.
    seconds
        How long it took.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(0.5), er.Box([1, 4, 4]))
    >>> space = er.planning.RigidSpace([-5, -5, -5], [5, 5, 5], metric="weighted", weight=1.0)
    >>> prm = er.planning.PRM(space, checker, seed=1)
    >>> work = prm.grow(nodes=30).work
    >>> work.attempts >= 30, work.motions > 0
    (True, True)
    """

    attempts: int = 0
    motions: int = 0
    checks: int = 0
    unfinished: int = 0
    removed: int = 0
    proofs: int = 0
    repaired: int = 0
    seconds: float = 0.0

    def told(self) -> str:
        """The same in words; what did not happen is left out."""
        said = [f"{counted(self.motions, 'motion')} tested"]
        if self.checks:
            said[0] += f" in {counted(self.checks, 'check')}, {self.unfinished:,} unfinished"
        said += [f"{counted(self.removed, 'assumed edge')} removed"] * (self.removed > 0)
        said += [f"{counted(self.proofs, 'motion')} checked exactly"] * (self.proofs > 0)
        said += [f"{counted(self.repaired, 'edge')} repaired"] * (self.repaired > 0)
        return "; ".join([*said, f"{self.seconds:.2f} s"])


@dataclass(frozen=True, eq=False, repr=False)
class Roadmap:
    """States, and motions between them that were tested, proved, or only assumed free.

    Attributes
    ----------
    space
        Where the states are.
    states
        (n, ...), in the order in which they were drawn.
    edges
        (m, 2): the numbers of the two states of each motion, the smaller one first.
    tested
        (m,): did the motion pass the checker? All do but those that a lazy PRM assumes.
    proved
        (m,): is it proved free as a whole, and not only by samples?
    work
        What it cost: a `RoadmapWork`.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Box([4, 1, 1]), er.Box([10, 10, 1]))
    >>> space = er.planning.RigidSpace([-9, -9, -9], [9, 9, 9])
    >>> roadmap = er.planning.PRM(space, checker, seed=1).grow(nodes=100)
    >>> len(roadmap), roadmap.states.shape, bool(roadmap.proved.all())
    (100, (100, 4, 4), True)
    >>> bool(roadmap.certificates(checker).free.all())
    True
    """

    space: Space
    states: Floats
    edges: NDArray[np.int32]
    tested: NDArray[np.bool_]
    proved: NDArray[np.bool_]
    work: RoadmapWork = field(default_factory=RoadmapWork)

    @classmethod
    def _of(cls, net: Net) -> Roadmap:
        """What has grown so far."""
        rows = sorted((a, b, edge.known) for a, b, edge in net.edges())
        table = np.array(rows, np.int32).reshape(-1, 3)
        known = table[:, 2]
        edges = np.ascontiguousarray(table[:, :2])
        return cls(net.space, net.rows(), edges, known >= Known.TESTED, known == Known.PROVED)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def lengths(self) -> Floats:
        """(m,): how far apart the two states of each edge are."""
        return self.space.distances(*(self.states[self.edges[:, side]] for side in (0, 1)))

    @property
    def parts(self) -> NDArray[np.int32]:
        """(n,): the number of the part that each state is in; states of one part hang together."""
        if not len(self):
            return np.empty(0, np.int32)
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        size = len(self), len(self)
        graph = coo_array((np.ones(len(self.edges)), (self.edges[:, 0], self.edges[:, 1])), size)
        parts: NDArray[np.int32] = connected_components(graph, directed=False)[1]
        return parts

    def certificates(self, checker: MotionChecker, *, threads: int | None = None) -> Certificates:
        """All motions checked exactly: `er.Certificates` in the order of `edges`."""
        if not len(self.edges):
            raise ValueError("the roadmap has no edges, and no motion to check")
        from elbowroom.certificate import Certificates

        starts, goals = (self.states[self.edges[:, side]] for side in (0, 1))
        found = checker.check(motions(starts, goals), threads=threads)
        assert isinstance(found, Certificates)
        return found

    def plot(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        path: Path | None = None,
        camera: tuple[float, float] = (-60.0, 22.0),
    ) -> Figure:
        """Draws the roadmap: positions of poses as seen from `camera`, or two values of configurations.

        Motions that are only assumed free are dashed. `path` is drawn upon it, from the green dot to the
        orange one.
        """
        from elbowroom.pictures.saving import saved

        from .roadmap_pictures import roadmap_figure

        if not len(self):
            raise ValueError("the roadmap has no nodes to be drawn")
        return saved(roadmap_figure(self, path, camera), file)

    def __repr__(self) -> str:
        return f"<Roadmap: {size_told(self)}; {self.work.told()}>"


def size_told(roadmap: Roadmap) -> str:
    """How many nodes and edges there are, and how many parts."""
    nodes, edges = counted(len(roadmap), "node"), counted(len(roadmap.edges), "edge")
    count = int(roadmap.parts.max(initial=-1)) + 1
    return f"{nodes}, {edges}, {counted(count, 'part')}"


def counted(number: int, what: str) -> str:
    """So many things."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"

"""What a planner has explored: states, and how they hang together."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .records import Attempts, Numbers
from .spaces import Floats, Space, checked_space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from elbowroom.certificate import Certificates
    from elbowroom.motion import Motion
    from elbowroom.motion_checker import MotionChecker


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A tree of states, each reached from its parent by a motion that was proved free.

    Attributes
    ----------
    space
        Where the states are.
    states
        (n, ...): the root first, parents before their children.
    parents
        (n,): the number of each state's parent; -1 for the root.
    attempts
        How many motions were tried.
    seconds
        How long that took.
    tried
        What was tried, if the tree was grown with record=True.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Box([4, 1, 1]), er.Box([10, 10, 1]))
    >>> space = er.planning.RigidSpace([-9, -9, -9], [9, 9, 9])
    >>> rrt = er.planning.RRT(space, checker, start=er.Pose(translation=[0, 0, 5]), seed=1)
    >>> tree = rrt.grow(nodes=200)
    >>> len(tree), bool(tree.certificates(checker).free.all())
    (200, True)
    """

    space: Space
    states: Floats
    parents: NDArray[np.int32]
    attempts: int = 0
    seconds: float = 0.0
    tried: Attempts | None = field(default_factory=lambda: None)  # None would be a member of the class

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def lengths(self) -> Floats:
        """(n,): how far each state is from its parent by the metric of the space; 0 for the root."""
        out = np.zeros(len(self))
        out[1:] = self.space.distances(self.states[self.parents[1:]], self.states[1:])
        return out

    @property
    def depths(self) -> Numbers:
        """(n,): how many motions lead from the root to each state."""
        out = np.zeros(len(self), np.int64)
        for i, parent in enumerate(self.parents.tolist()):
            out[i] = out[parent] + 1 if parent >= 0 else 0
        return out

    @property
    def distance_calls(self) -> Numbers:
        """(attempts,): distances that each attempt took; record=True keeps them."""
        if self.tried is None:
            raise ValueError("attempts were not recorded: grow the tree with record=True")
        return self.tried.distance_calls

    def way(self, number: int) -> Floats:
        """The states (k, ...) from the root to one of the tree."""
        back = []
        while number >= 0:
            back.append(number)
            number = int(self.parents[number])
        return np.ascontiguousarray(self.states[back[::-1]])

    def certificates(self, checker: MotionChecker, *, threads: int | None = None) -> Certificates:
        """All motions of the tree checked again: `er.Certificates` of those to nodes 1, 2, and so on."""
        if len(self) == 1:
            raise ValueError("the tree has one state, and no motion to check")
        from elbowroom.certificate import Certificates

        starts, goals = self.states[self.parents[1:]], self.states[1:]
        found = checker.check(motions(starts, goals), threads=threads)
        assert isinstance(found, Certificates)
        return found

    def to_csv(self, file: str | os.PathLike[str]) -> None:
        """Writes one line a state: its parent, then the state as `Path.to_csv` writes it."""
        from .tables import write_tree

        write_tree(file, self.space, self.states, self.parents)

    @classmethod
    def from_csv(cls, file: str | os.PathLike[str], space: Space) -> Tree:
        """Reads what `to_csv` wrote: states of this space. What the tree cost is not in the file."""
        from .tables import read_tree

        return cls(space, *read_tree(file, checked_space(space)))

    def plot(
        self, file: str | os.PathLike[str] | None = None, *, camera: tuple[float, float] = (-60.0, 22.0)
    ) -> Figure:
        """Draws the tree: positions of poses as seen from `camera`, or two values of configurations.

        Every motion is a line, from yellow for the first to violet for the last; the dot is the root.
        """
        from elbowroom.pictures.saving import saved

        from .pictures import tree_figure

        return saved(tree_figure(self, camera), file)

    def __repr__(self) -> str:
        states = f"{len(self):,} state{'' if len(self) == 1 else 's'}"
        spent = f", {self.attempts:,} attempts in {self.seconds:.2f} s" if self.attempts else ""
        return f"<Tree: {states}{spent}>"


def motions(starts: Floats, goals: Floats) -> Motion | Floats:
    """Motions from states (n, ...) to states (n, ...), as `er.check` takes many."""
    if starts.ndim == 3:
        from elbowroom.motion import Motion

        return Motion(starts, goals)
    return np.stack([starts, goals], axis=1)

"""Paths: states in a row, each reached from the one before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom.articulated import Articulated

from .certificate import PathCertificate
from .joint_space import JointSpace
from .rigid_space import RigidSpace
from .spaces import Floats, Space, checked_space
from .tree import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from elbowroom._types import StateLike
    from elbowroom.certificate import Certificate

    from .branches import Checker


class Path:
    """States from a start to a goal, with a motion from each to the next.

    It takes the time from 0 to 1, in equal shares for its motions.

    Parameters
    ----------
    states
        (k, ...): poses or configurations; none if no path was found.
    checker
        The `er.MotionChecker` that says whether its motions are free.
    found
        Does it lead to the goal?
    space
        Where the states are; none: what fits the states, with the distance of positions or of values.
    trees, attempts, seconds
        What the planner explored, and what it spent.

    Examples
    --------
    >>> import elbowroom as er
    >>> checker = er.MotionChecker(er.Sphere(1), er.Box([2, 8, 8]))
    >>> around = [er.Pose(translation=p) for p in ([-4, 0, 0], [-4, 6, 0], [4, 6, 0], [4, 0, 0])]
    >>> path = er.planning.Path(around, checker)
    >>> path
    <Path: 4 states, length 20>
    >>> path.certificate.free
    True
    >>> path.at(0.5)[:3, 3].tolist()
    [0.0, 6.0, 0.0]
    """

    def __init__(
        self,
        states: ArrayLike | Sequence[StateLike],
        checker: Checker | None = None,
        *,
        found: bool = True,
        space: Space | None = None,
        trees: tuple[Tree, ...] = (),
        attempts: int = 0,
        seconds: float = 0.0,
    ) -> None:
        given = _arrays.listed(states, "states")
        self.space = _space_of(given, checker) if space is None else checked_space(space)
        rows = [self.space.checked(state, f"states[{i}]") for i, state in enumerate(given)]
        if found and not rows:
            raise ValueError("states is empty: a path that was found has at least one")
        self.states: Floats = np.array(rows).reshape(-1, *self.space.shape)
        self.checker: Any = checker
        self.found = _arrays.flag(found, "found")
        self.trees = tuple(_arrays.listed(trees, "trees"))
        self.attempts, self.seconds = attempts, seconds

    def __len__(self) -> int:
        return len(self.states)

    def __bool__(self) -> bool:
        return self.found

    @property
    def length(self) -> float:
        """The sum of the distances from each state to the next."""
        return float(self.space.distances(self.states[:-1], self.states[1:]).sum())

    @cached_property
    def certificate(self) -> Certificate | PathCertificate:
        """Whether the whole path is free, checked again.

        An `er.Certificate`, or for the motions of a rigid body a `PathCertificate` of them all.
        """
        self._need_checker("checked")
        states = self.states if len(self) > 1 else np.concatenate([self.states, self.states])
        if not isinstance(self.space, RigidSpace):
            found: Certificate = self.checker.check(states)
            return found
        parts = []
        for a, b in pairwise(states):
            parts.append(self.checker.check(self.space.motion(a, b)))
            if parts[-1].free is False:
                break
        return PathCertificate(tuple(parts), len(states) - 1)

    def at(self, t: ArrayLike) -> Floats:
        """The state at time t from 0 to 1, or states at times (n,)."""
        self._refuse_nothing("followed")
        times = _arrays.numbers(t, "t")
        if (times < 0).any() or (times > 1).any():
            outside = times[(times < 0) | (times > 1)] if times.ndim else times
            raise ValueError(f"t must be from 0 to 1, got {outside.reshape(-1)[0]:.6g}")
        found = self._between(times.reshape(-1) * max(len(self) - 1, 1))
        return found[0] if times.ndim == 0 else found

    def spaced(self, n: int) -> Floats:
        """So many states from the first to the last, at equal distances along the path."""
        self._refuse_nothing("followed")
        _arrays.count(n, "n", 2)
        steps = self.space.distances(self.states[:-1], self.states[1:])
        along = np.concatenate([[0.0], np.cumsum(steps)])
        if along[-1] == 0:
            return self.at(np.linspace(0.0, 1.0, n))
        kept = np.concatenate([[True], np.diff(along) > 0])
        return self._between(np.interp(np.linspace(0, along[-1], n), along[kept], np.flatnonzero(kept)))

    def shortened(self, attempts: int = 200, *, seed: int = 0) -> Path:
        """A path that is no longer, by cutting corners where that is proved free.

        So many times two points on the path are drawn at random; where the motion between them is free and
        shorter than the path, it takes its place. Needless states are left out before and after.
        """
        from .shortening import Shortening

        self._need_checker("shortened")
        work = Shortening(self.space, self.checker, list(self.states))
        work.run(
            _arrays.count(attempts, "attempts", 0), np.random.default_rng(_arrays.count(seed, "seed", 0))
        )
        return Path(
            np.array(work.states),
            self.checker,
            found=self.found,
            space=self.space,
            trees=self.trees,
            attempts=self.attempts,
            seconds=self.seconds,
        )

    def to_csv(self, file: str | os.PathLike[str]) -> None:
        """Writes one line a state under a header: x, y, z, qw, qx, qy, qz, or the names of the joints."""
        from .tables import write_states

        self._refuse_nothing("written")
        write_states(file, self.space, self.states)

    @classmethod
    def from_csv(
        cls, file: str | os.PathLike[str], space: Space | None = None, checker: Checker | None = None
    ) -> Path:
        """Reads what `to_csv` wrote.

        Parameters
        ----------
        file
            Its name.
        space
            Where the states are: it knows the names of the joints. None: what fits the body of `checker`.
        checker
            The `er.MotionChecker` that says whether the motions are free.
        """
        from .tables import read_states

        if space is None and checker is None:
            raise ValueError("space must be given, or else checker, whose body says what the states are")
        found = _space_of([], checker) if space is None else checked_space(space)
        return cls(read_states(file, found), checker, space=found)

    def plot(
        self, file: str | os.PathLike[str] | None = None, *, camera: tuple[float, float] = (-60.0, 22.0)
    ) -> Figure:
        """Draws the path: a rigid body on its way among the obstacles, or the values of configurations.

        The body is green at the start and orange at the goal.
        """
        from elbowroom.pictures.saving import saved

        from .pictures import path_figure

        self._refuse_nothing("drawn")
        return saved(path_figure(self, camera), file)

    def _between(self, places: Floats) -> Floats:
        """States at places (n,) counted in motions."""
        out = np.empty((len(places), *self.space.shape))
        numbers = np.clip(places.astype(int), 0, max(len(self) - 2, 0))
        for number in np.unique(numbers).tolist():
            mine = numbers == number
            a, b = self.states[number], self.states[min(number + 1, len(self) - 1)]
            out[mine] = self.space.between(a, b, places[mine] - number)
        return out

    def _need_checker(self, what: str) -> None:
        self._refuse_nothing(what)
        if self.checker is None:
            raise ValueError(f"checker must be given to Path before it can be {what}")

    def _refuse_nothing(self, what: str) -> None:
        if not len(self):
            raise ValueError(f"there is no path to be {what}: none was found")

    def __repr__(self) -> str:
        spent = f" in {self.attempts:,} attempts and {self.seconds:.2f} s" if self.attempts else ""
        if not self.found:
            return f"<Path: none found{spent}>"
        found = f", found{spent}" if spent else ""
        states = f"{len(self):,} state{'' if len(self) == 1 else 's'}"
        return f"<Path: {states}, length {self.length:.6g}{found}>"


def _space_of(states: Any, checker: Any) -> Space:
    """What fits a checker's body or, without a checker, the states."""
    body = getattr(checker, "body", None)
    if isinstance(body, Articulated):
        values = np.full(body.dof, _arrays.LARGEST)
        return JointSpace.of(body, low=-values, high=values)
    first = None if body is not None or not len(states) else states[0]
    if first is not None and not hasattr(first, "matrix") and np.ndim(first) == 1:
        values = np.full(len(first), _arrays.LARGEST)
        return JointSpace(-values, values)
    values = np.full(3, _arrays.LARGEST)
    return RigidSpace(-values, values)

"""Necklaces: ropes, polymers and molecules in which every bead moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._deprecated import old_argument, renamed
from elbowroom._exclusion import Exclusion, exclusion, named_pairs
from elbowroom._turns import Turns
from elbowroom.body import read_only

if TYPE_CHECKING:
    from elbowroom._types import ExcludeLike
    from elbowroom.power import KeptDiagram, PowerDiagram
    from elbowroom.separating import SeparatingPairs

#: By what self-collisions are found, and how moved cages are verified.
CAGES = ("boxes", "wrapped", "layered", "power", "hybrid")
VERIFY = ("auto", "naive", "cascade")
#: Pairs with a common neighbour, for each bead, up to which a power diagram is worth its while.
MANY_COMMON = 1000


@dataclass(frozen=True)
class NecklaceCounters:
    """What a necklace has done since it was made; the difference of two is what was done in between.

    But for `cages` and `frontier`, of which a difference keeps the later.

    Attributes
    ----------
    moves, cages
        Moves so far; cages that there are (0 until they are needed).
    naive_tests, cascade_tests
        Tests of containment by either way of verification.
    frontier
        Of the last verification: cages and beads that were found inside, over all cages.
    basis_changes, escaped, cages_rebuilt
        Cages whose basis changed; from which a bead had escaped; that had to be made from scratch.
    naive_moves, cascade_moves
        Moves that were verified either way.
    tree_frames, list_frames, list_builds
        Of boxes: questions answered by the tree, by the list of near pairs, and lists made.
    diagram_flips, diagram_rebuilds
        Of the power diagram.
    cage_steps, diagram_steps
        Of a hybrid: questions answered either way.

    Examples
    --------
    >>> import elbowroom as er
    >>> frames = er.scenes.spiral(100, frames=20)
    >>> rope = er.Necklace(frames[0], 0.4)
    >>> for positions in frames[1:]:
    ...     rope.move(positions)
    ...     _ = er.self_distance(rope)
    >>> rope.counters.moves
    19
    """

    moves: int = 0
    cages: int = 0
    naive_tests: int = 0
    cascade_tests: int = 0
    frontier: int = 0
    basis_changes: int = 0
    escaped: int = 0
    cages_rebuilt: int = 0
    naive_moves: int = 0
    cascade_moves: int = 0
    tree_frames: int = 0
    list_frames: int = 0
    list_builds: int = 0
    diagram_flips: int = 0
    diagram_rebuilds: int = 0
    cage_steps: int = 0
    diagram_steps: int = 0

    def __sub__(self, other: NecklaceCounters) -> NecklaceCounters:
        states = {"cages": self.cages, "frontier": self.frontier}
        sums = [f.name for f in fields(self) if f.name not in states]
        return NecklaceCounters(**{n: getattr(self, n) - getattr(other, n) for n in sums}, **states)


class Necklace(_core.Necklace):
    """A sequence of balls, the beads, all of which move in every frame.

    Neighbours along the necklace may overlap, others should not: `er.self_collide` and `er.self_distance`
    tell. Nothing is assumed about the motion, but a small one is cheaper. The methods are those of
    [Guibas2002]_, and a tree of boxes that is faster than they are.

    Parameters
    ----------
    positions
        (n, 3), or (n, 2) for beads in the plane: the centres.
    radii
        One radius for all beads, or (n,).
    cages
        By what self-collisions are found. "boxes": a tree of boxes, eight children a node, rebuilt for
        every frame, and, while motion is slow, a list of near pairs that lasts many frames. "wrapped": the
        paper's cages, each the smallest ball about the beads below it, verified and repaired as they move.
        "layered": each the smallest ball about its two children. "power": the edges of the power diagram.
        "hybrid": wrapped cages or the power diagram, whichever took less time of late.
    exclude
        Which pairs are never compared, and may overlap: a whole number k for beads at most k apart along the
        necklace; (m, 2) for exactly these pairs, such as the bonds of a molecule; (k, pairs) for both.
    closed
        Is the last bead a neighbour of the first? Pairs in `exclude` are all that may overlap, closed or not.
    verify
        How wrapped cages are verified after a move: "naive" looks at every bead below a cage, "cascade" at
        cages below it and only where one sticks out at what it holds, beginning where the last verification
        ended; "auto" takes the cheaper, by time.

    Attributes
    ----------
    radii, cages, closed, dimension
        As given; the radii as an array (n,).
    verify
        Can be set.
    counters
        What was done so far: a NecklaceCounters.

    Examples
    --------
    >>> import numpy as np, elbowroom as er
    >>> line = np.stack([np.arange(500.0), np.zeros(500)], axis=1)
    >>> rope = er.Necklace(line, radii=0.5, cages="wrapped")
    >>> rope
    <Necklace: 500 beads in the plane, wrapped: 487 cages>
    >>> er.self_distance(rope).value
    1.0
    >>> line[250:] = line[249] + 0.9 * np.array([np.cos(2.3), np.sin(2.3)]) * np.arange(1, 251)[:, None]
    >>> rope.move(line)
    >>> er.self_collide(rope).pairs[0].tolist()
    [248, 250]
    """

    @old_argument("may_touch", "exclude", lambda may_touch, _: 1 if may_touch is None else may_touch)
    def __init__(
        self,
        positions: ArrayLike,
        radii: ArrayLike,
        *,
        cages: str = "boxes",
        exclude: ExcludeLike = 1,
        closed: bool = False,
        verify: str = "auto",
    ) -> None:
        centres = _arrays.beads(positions, "positions")
        n = len(centres)
        from threading import RLock

        if not isinstance(closed, (bool, np.bool_)):
            raise ValueError(f"closed must be True or False, got {_arrays.shown(closed)}")
        if radii is None:
            raise ValueError("radii must be a number or an array, got None")
        ring = _arrays.flag(closed, "closed")
        rule = _excluded(exclude, n, ring)
        sizes = _arrays.radii(radii, n, "radii")
        kind, how = _arrays.choice(cages, "cages", CAGES), _arrays.choice(verify, "verify", VERIFY)
        super().__init__(centres, sizes, *rule, kind, how)
        self._radii, self._cages, self._closed = read_only(sizes), cages, ring
        self._rule = Exclusion(rule.gap, read_only(rule.named))
        self._kept: KeptDiagram | None = None
        self._turns = Turns()
        self._one_at_a_time = RLock()

    @property
    def radii(self) -> NDArray[np.float64]:
        """(n,): of the beads."""
        return self._radii

    @property
    def cages(self) -> str:
        """By what self-collisions are found."""
        return self._cages

    @property
    def closed(self) -> bool:
        """Is the last bead a neighbour of the first?"""
        return self._closed

    @property
    def verify(self) -> str:
        """How wrapped cages are verified after a move."""
        return VERIFY[self._verify]

    @verify.setter
    def verify(self, how: str) -> None:
        self._verify = _arrays.choice(how, "verify", VERIFY)

    @property
    def excluded(self) -> NDArray[np.int32]:
        """(m, 2): the pairs that are never compared, the smaller number first, in order."""
        return self._excluded_pairs()

    @property
    def excluded_gap(self) -> int:
        """Beads at most so far apart along the necklace are never compared; named pairs may be so too."""
        return max(self._rule.gap, 0)

    @property
    def may_touch(self) -> NDArray[np.int32]:
        """Deprecated: `excluded`."""
        renamed("Necklace.may_touch", "excluded")
        return self.excluded

    def exclude(self, pairs: ArrayLike) -> None:
        """Also leaves out these pairs of beads (m, 2). Counters, lists and memories start again.

        Examples
        --------
        >>> import elbowroom as er
        >>> rope = er.Necklace([[0, 0, 0], [1, 0, 0], [0, 0.5, 0]], 0.4)
        >>> rope.exclude([(0, 2)])
        >>> bool(er.self_collide(rope)), rope.excluded.tolist()
        (False, [[0, 1], [0, 2], [1, 2]])
        """
        self._follow(self._rule.plus(named_pairs(pairs, len(self), "pairs"), np.arange(len(self))))

    def include(self, pairs: ArrayLike) -> None:
        """Compares these pairs of beads (m, 2) again."""
        self._follow(self._rule.minus(named_pairs(pairs, len(self), "pairs"), np.arange(len(self))))

    def _follow(self, rule: Exclusion) -> None:
        """Takes over all of a necklace like this one with another rule."""
        state = (self.positions(), self.radii, self.cages, self.closed, self.verify)
        other = _restored(type(self), *state, rule.gap, rule.named)
        with self._one_at_a_time:
            self._become(other)  # refused while another thread uses the necklace
            self._rule, self._kept, self._turns = other._rule, None, other._turns

    @property
    def counters(self) -> NecklaceCounters:
        """What was done so far."""
        kept = self._kept
        return NecklaceCounters(
            **self._work(),
            diagram_flips=kept.flips if kept else 0,
            diagram_rebuilds=kept.rebuilds if kept else 0,
            cage_steps=self._turns.taken[0],
            diagram_steps=self._turns.taken[1],
        )

    def positions(self) -> NDArray[np.float64]:
        """(n, 3) or (n, 2): where the beads are."""
        return self._positions()

    def cage_balls(self, level: int | None = None) -> NDArray[np.float64]:
        """(m, d + 1): centre and radius of the cages at a depth of the tree, the root's being 0, or of all.

        A necklace that keeps no cages makes wrapped ones for this, and keeps them up to date when they are
        asked for.
        """
        return self._cage_balls(-1 if level is None else _arrays.count(level, "level", 0, 64))

    def cage_ranges(self) -> NDArray[np.int32]:
        """(m, 2): of each cage the first bead below it and one past the last, in preorder.

        The beads below a cage are halved as long as there are more than three, which is the tree whose
        counts the paper gives.
        """
        return self._cage_ranges()

    def cage_bases(self) -> list[NDArray[np.int32]]:
        """The beads that hold each wrapped cage in place, in preorder."""
        if self.cages == "layered":
            raise ValueError("cages are layered: they are held by other cages, and have no basis of beads")
        return self._cage_bases()

    def separating_pairs(self, start: SeparatingPairs | None = None) -> SeparatingPairs:
        """Pairs of cages and beads, each proved apart, that together prove the necklace free of collisions.

        Parameters
        ----------
        start
            An earlier family of this necklace: its pairs are tested first, and opened where they no longer
            hold. That is cheaper after a small motion, but a family made this way never gets smaller.

        Examples
        --------
        >>> import numpy as np, elbowroom as er
        >>> rope = er.Necklace(np.stack([np.arange(100.0), np.zeros(100)], axis=1), 0.4)
        >>> proof = rope.separating_pairs()
        >>> proof.free, bool(proof.verify())
        (True, True)
        """
        with self._asking():
            return self._separated(start)

    def _separated(self, start: SeparatingPairs | None) -> SeparatingPairs:
        from elbowroom.separating import SeparatingPairs

        balls, ranges = self._cage_balls(-1), self._cage_ranges()
        touch = read_only(self.excluded)
        first = np.empty((0, 2), np.int32) if start is None else self._start_from(start, ranges, touch)
        pairs, colliding, counters = self._separate(first, start is not None)
        family = SeparatingPairs(
            pairs=read_only(pairs),
            colliding=read_only(colliding),
            cages=read_only(balls),
            ranges=read_only(ranges),
            positions=read_only(self.positions()),
            radii=self.radii,
            excluded=touch,
            tests=counters.volume_tests,
        )
        object.__setattr__(family, "_made_for", self._rule)
        return family

    def _start_from(
        self, start: SeparatingPairs, ranges: NDArray[np.int32], touch: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """The pairs of an earlier family, if together they cover what this necklace has to prove."""
        from elbowroom.separating import SeparatingPairs

        if not isinstance(start, SeparatingPairs):
            raise TypeError(f"start must be a SeparatingPairs, got {type(start).__name__}")
        if start._made_for is self._rule:
            return start.pairs_to_start_from()
        if len(start.positions) != len(self):
            raise ValueError(
                f"start is of another necklace: of {len(start.positions)} beads, not {len(self)}"
            )
        if not start.covers(touch):
            raise ValueError("start leaves out pairs of beads that may not touch in this necklace")
        if not np.array_equal(start.ranges, ranges):
            raise ValueError("start is of another necklace, with other cages")
        first = start.pairs_to_start_from()
        beads = first.astype(np.int64) - len(ranges)
        low, high = beads.min(axis=1), beads.max(axis=1)
        allowed = np.isin(low * len(self) + high, touch[:, 0].astype(np.int64) * len(self) + touch[:, 1])
        needed = (low < 0) | ((low < high) & ~allowed)
        return np.ascontiguousarray(first[needed])

    def power_diagram(self) -> PowerDiagram:
        """The power diagram of the beads where they are now.

        It is kept from one call to the next: repaired by flips after a small motion, or rebuilt.
        """
        with self._asking():
            return self._diagram().update(self.positions())

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """While it lasts nobody moves the beads, and no other thread is here."""
        with self._one_at_a_time:
            self._begin_question()
            try:
                yield
            finally:
                self._end_question()

    def _diagram(self) -> KeptDiagram:
        if self._kept is None:
            from elbowroom.power import KeptDiagram

            self._kept = KeptDiagram(self.radii, self.excluded)
        return self._kept

    def _candidates(self) -> NDArray[np.int32] | None:
        """The pairs that decide the next question; None if cages are to be used instead.

        That is so when it is the turn of cages in a hybrid, and where so many beads may touch that the pairs
        with a common neighbour, all of which the power diagram needs, are far more than the beads.
        """
        if self.cages == "hybrid":
            if self._cage_seconds:
                self._turns.note(0, self._cage_seconds)
            if self._turns.take() == 0:
                return None
        if self._common_neighbours() > MANY_COMMON * len(self):
            return None
        with self._asking():
            pairs = self.power_diagram().candidates()
            self._turns.note(1, self._diagram().seconds)
        return pairs

    def _common_neighbours(self) -> int:
        """At most so many pairs of beads may both touch a third one."""
        gap, named = self._rule
        gap = max(gap, 0)
        along = len(self) * gap * gap  # beads at most 2 gap apart, each pair by at most gap beads between
        degrees = np.bincount(named.ravel(), minlength=1).astype(np.int64) + 2 * gap
        return along + int((degrees * degrees).sum()) if len(named) else along

    def validate(self) -> None:
        """Checks the hierarchies; raises AssertionError that says what is wrong with them."""
        fault = self._fault()
        if fault:
            raise AssertionError(fault)

    def __repr__(self) -> str:
        where = "in the plane" if self.dimension == 2 else "in space"
        cages = self._work()["cages"]
        how = f"{self.cages}: {cages} cages" if cages and self.cages in ("wrapped", "layered") else self.cages
        return f"<Necklace: {len(self)} beads {where}, {how}{', closed' if self.closed else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), *self._state())

    def _state(self) -> tuple[Any, ...]:
        return (self.positions(), self.radii, self.cages, self.closed, self.verify, *self._rule)

    def __copy__(self) -> Necklace:
        make, state = self.__reduce__()
        copied: Necklace = make(*state)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Necklace:
        return self.__copy__()


def _excluded(exclude: Any, n: int, closed: bool) -> Exclusion:
    """The rule; of a closed necklace it also names the neighbours around the end."""
    gap, named = exclusion(exclude, n, "exclude")
    rule = Exclusion(min(gap, n), named)
    if closed and rule.gap < 0:
        raise ValueError("closed is for neighbours along the necklace: name all pairs in exclude, or none")
    if not closed or rule.gap == 0:
        return rule
    last = np.arange(max(0, n - rule.gap), n, dtype=np.int32)
    around = [(j, i) for j in last for i in range(int(j) + rule.gap - n + 1)]
    return rule.plus(np.array(around, np.int32).reshape(-1, 2), np.arange(n))


def _restored(
    kind: type[Necklace],
    positions: NDArray[np.float64],
    radii: NDArray[np.float64],
    cages: str,
    closed: bool,
    verify: str,
    gap: int,
    named: NDArray[np.int32],
) -> Necklace:
    """A necklace as it was saved: `gap` and `named` are its rule, with the neighbours around the end."""
    out = kind(positions, radii, cages=cages, verify=verify, exclude=named if gap == -1 else (gap, named))
    out._closed = _arrays.flag(closed, "closed")
    return out

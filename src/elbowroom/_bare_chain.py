"""Chains as they are held: how one is made, what it leaves out, its energy, its copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._chain_parts import FAST, SideArrays, SideBalls, checked_side, chosen_tree, tree_order
from elbowroom._chain_saved import restored
from elbowroom._deprecated import old_argument, once_a_number
from elbowroom._exclusion import (
    Exclusion,
    by_bonds,
    exclusion,
    named_pairs,
    names_bonds,
    without_itself,
)
from elbowroom.body import box_text, read_only

if TYPE_CHECKING:
    from typing import Self

    from elbowroom._types import ExcludeInChain
    from elbowroom.energies import Energy


def _with_allowed(allowed: Any, exclude: Any) -> Any:
    """What was given as `allowed` beside a number, as `exclude`."""
    return 1 if exclude is None else exclude, without_itself(allowed, "allowed")


class BareChain(_core.Chain):
    """All of a chain but its changes; `Chain` says what the arguments are."""

    @old_argument("allowed", "exclude", _with_allowed)
    def __init__(
        self,
        positions: ArrayLike,
        radii: ArrayLike,
        *,
        volume: str = "auto",
        exclude: ExcludeInChain = 1,
        side: SideBalls | SideArrays | None = None,
        bonds: ArrayLike | None = None,
        box: ArrayLike | None = None,
        children: int | None = None,
        shrink: bool = False,
        skip: str = "pieces",
    ) -> None:
        centres = _arrays.points(positions, "positions")
        if len(centres) < 2:
            raise ValueError("positions must hold at least two links, got one")
        n = len(centres)
        around = None if side is None else checked_side(side, n)
        count = n + (0 if around is None else len(around.owner))
        joined = None if bonds is None else named_pairs(bonds, count, "bonds")
        if names_bonds(exclude):
            rule = by_bonds(exclude, joined, count, "exclude")
            rule = rule.folded(n) if around is None else rule
        else:
            rule = exclusion(exclude, count, "exclude")
        self._set(
            centres,
            _arrays.radii(radii, n, "radii"),
            chosen_tree(volume, children, shrink, skip),
            rule,
            around,
            joined,
            np.empty((0, 4)),
            box,
        )
        self.labels: list[str] | None = None
        self.breaks: tuple[int, ...] = ()

    def _set(
        self,
        centres: NDArray[np.float64],
        radii: NDArray[np.float64],
        tree: tuple[str, int, bool, str],
        rule: Exclusion,
        side: SideBalls | None,
        bonds: NDArray[np.int32] | None,
        carried: NDArray[np.float64],
        box: ArrayLike | None,
    ) -> None:
        """`carried`: how the links' frames are turned, or a binary tree's joints; nothing if all is new."""
        self.volume, self.children, self.shrink, self.skip = tree
        # Without side balls, no two balls are of one link.
        self.side, self._rule = side, rule if side is not None else Exclusion(max(rule.gap, 0), rule.named)
        self.bonds = None if bonds is None else read_only(bonds)
        self.radii = read_only(radii)
        self._energy_of: tuple[Energy, ArrayLike | None] | None = None
        nearest = min(self._rule.gap, len(centres))  # more makes no difference, and a sum may be too large
        if side is not None and self.children == 2:
            raise ValueError('side needs the fast tree: volume="auto", or children=8')
        if box is not None and self.children == 2:
            raise ValueError('box needs the fast tree: volume="auto", or children=8')
        edges = None if box is None else _arrays.box(box, "box")
        if self.children == 2:
            pieces = self.skip == "pieces"
            super().__init__(centres, radii, nearest, rule.named, self.volume, self.shrink, pieces, carried)
            return
        order, first, link = tree_order(len(centres), side)
        if side is not None:
            centres, radii = np.vstack([centres, side.positions]), np.concatenate([radii, side.radii])
        super().__init__(
            centres[order] if len(order) else centres,
            radii[order] if len(order) else radii,
            carried,
            first,
            link,
            order,
            nearest,
            rule.named,
            FAST.index(self.volume),
        )
        if edges is not None:
            self._set_box(edges)

    def positions(self, *, side: bool = False) -> NDArray[np.float64]:
        """(n, 3): the centres of the links; with `side`, of the side balls after them."""
        all_balls: NDArray[np.float64] = self._positions()
        return all_balls if side else all_balls[: len(self)]

    @property
    def box(self) -> NDArray[np.float64] | None:
        """(3, 3): the edges of the periodic box, one a row; None without one."""
        return self._box()

    @property
    def excluded(self) -> NDArray[np.int32]:
        """(k, 2), sorted: the pairs of balls that are never compared, the smaller number first."""
        return self._rule.pairs(self._link)

    @property
    def excluded_gap(self) -> int:
        """Balls of links at most so far apart along the chain are never compared; -1: none for that reason.

        Named pairs may be excluded too.
        """
        return self._rule.gap

    @property
    def _link(self) -> NDArray[np.int32]:
        """Of each ball."""
        own = np.arange(len(self), dtype=np.int32)
        return own if self.side is None else np.concatenate([own, self.side.owner])

    @once_a_number("Chain.exclude as a number", "excluded_gap")
    def exclude(self, pairs: ArrayLike) -> None:
        """Also leaves out these pairs of balls (k, 2). The chain cannot undo what was before.

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [0.5, 0, 0]], 0.5)
        >>> chain.exclude([(0, 2)])
        >>> chain.collides(), chain.excluded.tolist()
        (False, [[0, 1], [0, 2], [1, 2]])
        """
        self._follow(self._rule.plus(named_pairs(pairs, len(self._link), "pairs"), self._link))

    def include(self, pairs: ArrayLike) -> None:
        """Compares these pairs of balls (k, 2) again. The chain cannot undo what was before."""
        self._follow(self._rule.minus(named_pairs(pairs, len(self._link), "pairs"), self._link))

    def _follow(self, rule: Exclusion) -> None:
        """Takes over all of a chain like this one with another rule."""
        kind, balls, radii, tree, _, _, *rest = self._state_of()
        other = restored(kind, balls, radii, tree, *rule, *rest)
        self._become(other)  # refused while another thread uses the chain
        self._rule = other._rule

    def set_energy(self, energy: Energy | None, kinds: ArrayLike | None = None) -> None:
        """Gives the chain an energy, which it then keeps up to date; None takes it away.

        Parameters
        ----------
        energy
            One of er.energies. Those over pairs are summed over all pairs of balls whose centres are within
            the cutoff, without those that the energy excludes; by default, those that the chain excludes.
        kinds
            (n,) or with side balls (n + m,): the kind of each ball, from 0; none: all are of kind 0.
        """
        if energy is None:
            self._forget_energy()
            self._energy_of = None
            return
        from elbowroom.energies.energy import Energy
        from elbowroom.energies.in_core import in_core

        if not isinstance(energy, Energy):
            raise TypeError(f"energy must be one of elbowroom.energies, got {type(energy).__name__}")
        balls = len(self) + (0 if self.side is None else len(self.side.owner))
        self._set_energy(in_core(energy, kinds, balls))
        self._energy_of = energy, kinds

    def energy(self) -> float:
        """The energy given by set_energy, with the last change; only what changed is summed again.

        After undo() it is again what it was before.
        """
        if self._energy_of is None:
            raise RuntimeError("the chain has no energy: give it one by set_energy")
        return self._energy()

    def energy_bounds(self) -> tuple[float, float]:
        """Numbers between which `energy` lies after the last change, where these cost less than the energy.

        That is so for Lennard-Jones and charges of all pairs, without a cutoff. For any other energy both
        numbers are the energy.

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain(er.scenes.coil(100), 0.3)
        >>> chain.set_energy(er.energies.LennardJones(1.0, 1.0, float("inf")))
        >>> chain.rotate(50, 0.2)
        >>> low, high = chain.energy_bounds()
        >>> low <= chain.energy() <= high, high - low < 0.1
        (True, True)
        """
        if self._energy_of is None:
            raise RuntimeError("the chain has no energy: give it one by set_energy")
        low, high = self._energy_bounds()
        return float(low), float(high)

    def __copy__(self) -> Self:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        again: Self = restored(*self._state_of())
        return again

    def __reduce__(self) -> tuple[Any, ...]:
        if self._energy_of is not None:
            from elbowroom.energies.energy import refuse_callback

            refuse_callback(self._energy_of[0])
        return restored, self._state_of()

    def _state_of(self) -> tuple[Any, ...]:
        """What makes a chain like this one."""
        tree = (self.volume, self.children, self.shrink, self.skip)
        state = (self.positions(side=True), self.radii, tree, *self._rule, self.side)
        carried = self._turned() if self.children == 8 else self._joints()
        named = (self.labels, self.breaks)
        return (
            type(self),
            *state,
            carried,
            named,
            self._energy_of,
            self.nearest_first,
            True,
            self.bonds,
            self.box,
        )

    def __repr__(self) -> str:
        side = f" with {len(self.side.owner)} side balls" if self.side is not None else ""
        tree = "fast tree" if self.children == 8 else f"binary tree, {self.volume}"
        size = f"{self.nbytes / len(self):.0f} bytes a link"
        boxed = "" if self.box is None else f" in a periodic box of {box_text(self.box)}"
        return f"<Chain: {len(self)} links{side}{boxed}, {self._state}; {tree}, {size}>"

"""Separating families: proofs that the beads of a necklace do not collide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays, _core, _writing
from elbowroom._bead_proof import Floats, Integers, Touching, not_covered, problems, unsound_arrays
from elbowroom.verification import FROM_PROOF, Verification


@dataclass(frozen=True, eq=False, repr=False)
class SeparatingPairs:
    """Pairs of cages and beads, the two of each pair apart, that cover every two beads that may not touch.

    Such a family proves that nothing collides [Guibas2002]_: the two beads lie below a pair of balls that are
    apart. Where beads collide there is none; `free` is then False and `colliding` names them.

    Attributes
    ----------
    pairs
        (k, 2): numbers below len(cages) are cages, len(cages) + i is bead i.
    colliding
        (c, 2): pairs of beads that overlap though they may not.
    cages, ranges
        (m, d + 1) centre and radius of each cage; (m, 2) the first bead below it and one past the last.
    positions, radii, may_touch
        What the family was made for.
    tests
        How many pairs were tested to find it.

    Examples
    --------
    >>> import numpy as np, elbowroom as er
    >>> rope = er.Necklace(np.stack([np.arange(100.0), np.zeros(100)], axis=1), 0.4)
    >>> proof = rope.separating_pairs()
    >>> proof
    <SeparatingPairs: 63 pairs prove 100 beads free, 63 tests>
    >>> moved = rope.positions()
    >>> moved[50] = moved[20]
    >>> proof.verify(moved, rope.radii, rope.may_touch)
    <not verified: bead 50 sticks out of cage 36>
    """

    pairs: Integers
    colliding: Integers
    cages: Floats
    ranges: Integers
    positions: Floats
    radii: Floats
    may_touch: Integers
    tests: int = 0
    #: Set by the necklace that made the family: what it covers need not be checked again.
    _made_for: object = field(default=None, init=False)

    def __post_init__(self) -> None:
        for name in (each.name for each in fields(self) if each.init and each.name != "tests"):
            value = getattr(self, name)
            if not isinstance(value, np.ndarray) or value.ndim == 0:
                raise ValueError(f"{name} must be an array, got {_arrays.shown(value)}")
            object.__setattr__(self, name, np.asarray(value))  # nothing masked, nor of another kind
        _arrays.count(self.tests, "tests", 0)

    @property
    def free(self) -> bool:
        """Were no beads found to collide? The pairs then are a proof, which `verify` checks."""
        return len(self.colliding) == 0

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return self.free

    def __repr__(self) -> str:
        tests = f", {self.tests} tests" if self.tests else ""
        if self.free:
            return f"<SeparatingPairs: {len(self)} pairs prove {len(self.radii)} beads free{tests}>"
        collide = f"{len(self.colliding)} pairs of {len(self.radii)} beads collide"
        return f"<SeparatingPairs: no proof, {collide}{tests}>"

    def pairs_to_start_from(self) -> Integers:
        """What the next family may begin with: these pairs, and those that collided."""
        return np.ascontiguousarray(np.concatenate([self.pairs, self.colliding + len(self.cages)]), np.int32)

    def verify(
        self,
        positions: ArrayLike | None = None,
        radii: ArrayLike | None = None,
        exclude: Any = FROM_PROOF,
    ) -> Verification:
        """Checks that the cages and pairs prove that no two beads collide. Slow, and independent of the core.

        Give everything that defines the claim if the family comes from a file that you do not trust: a file
        in which all pairs may touch proves nothing. What is not given is taken from the family, and the
        result lists it in `assumed`.

        Parameters
        ----------
        positions, radii
            Where the beads are, and their sizes. None: those of the family.
        exclude
            Which pairs may touch, as the `may_touch` of a `Necklace`: None for neighbours along the necklace,
            a whole number k for beads at most k apart, (m, 2) for exactly these pairs. For a closed necklace
            give its `may_touch`. If not given: `may_touch` of the family.

        Returns
        -------
        Verification
            True if the proof holds; otherwise False, with the first problem in its repr.

        Examples
        --------
        >>> import numpy as np, elbowroom as er
        >>> rope = er.Necklace(np.stack([np.arange(100.0), np.zeros(100)], axis=1), 0.4)
        >>> proof = rope.separating_pairs()
        >>> proof.verify(rope.positions(), rope.radii, exclude=None)
        <verified: 100 beads do not collide, neighbours excepted>
        >>> proof.verify(rope.positions(), rope.radii)
        <verified: 100 beads do not collide, 99 pairs excepted; assumed from the proof: may_touch>
        >>> proof.verify(radii=0.5)
        <not verified: bead 0 sticks out of cage 0>
        """
        given = {"positions": positions is not None, "radii": radii is not None}
        given["may_touch"] = exclude is not FROM_PROOF
        problem = next(self._each_problem(positions, radii, exclude), "")
        assumed = tuple(name for name, was in given.items() if not was)
        if problem:
            return Verification("", assumed, problem)
        return Verification(f"{len(self.positions)} beads do not collide{self._touching(exclude)}", assumed)

    def problems(
        self,
        positions: ArrayLike | None = None,
        radii: ArrayLike | None = None,
        exclude: Any = FROM_PROOF,
    ) -> list[str]:
        """Everything that keeps this from being a proof, as `verify` finds it; empty if it is one."""
        return list(self._each_problem(positions, radii, exclude))

    def _each_problem(
        self, positions: ArrayLike | None, radii: ArrayLike | None, exclude: Any
    ) -> Iterator[str]:
        unsound = next(unsound_arrays(self), None)
        if unsound is not None:
            yield unsound
            return
        n, d = self.positions.shape
        centres = self.positions if positions is None else _arrays.beads(positions, "positions", n, d)
        sizes = self.radii if radii is None else _arrays.radii(radii, n, "radii")
        yield from problems(self, centres, sizes, self._touching(exclude))

    def _touching(self, exclude: Any) -> Touching:
        if exclude is FROM_PROOF:
            return Touching(-1, self.may_touch)
        return touching(exclude, len(self.positions), "exclude")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the family to an .npz file."""
        with _writing.replacing(path) as file:
            np.savez_compressed(file, **{f.name: getattr(self, f.name) for f in fields(self) if f.init})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SeparatingPairs:
        """Reads a family that was saved."""
        from elbowroom.files.unpacking import TooLarge, refuse_large_zip

        names = [f.name for f in fields(cls) if f.init]
        try:
            refuse_large_zip(os.fspath(path))
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
                values = {n: arrays[n] for n in names}
            return cls(**values | {"tests": int(values["tests"])})
        except (FileNotFoundError, PermissionError, IsADirectoryError, TooLarge):
            raise
        except KeyError as error:
            raise ValueError(f"path: {path} contains no separating family: it lacks {error}") from None
        except Exception as error:  # what a broken zip or array makes NumPy raise is not listed
            what = "it is not an .npz file of arrays"
            raise ValueError(f"path: {path} contains no separating family: {what}") from error

    def covers(self, may_touch: Integers) -> bool:
        """Does every two beads that may not touch lie below one of the pairs, or collide?"""
        if next(unsound_arrays(self), None) is not None:
            return False
        return next(not_covered(self, self.pairs_to_start_from(), Touching(-1, may_touch)), None) is None


def touching(may_touch: Any, n: int, name: str) -> Touching:
    """Which of n beads may touch: None for neighbours, a largest distance along the necklace, or pairs."""
    if may_touch is not None and not np.isscalar(may_touch):
        pairs = _arrays.index_pairs(may_touch, n, name)
        itself = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
        if len(itself):
            raise ValueError(f"{name}[{itself[0]}] names bead {pairs[itself[0], 0]} with itself")
        return Touching(-1, pairs)
    gap = 1 if may_touch is None else _arrays.count(may_touch, name, 0, _core.limits.largest_int)
    return Touching(min(gap, n), np.empty((0, 2), np.int32))

"""Separating families: proofs that the beads of a necklace do not collide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays, _writing
from elbowroom._bead_proof import Floats, Integers, not_covered, problems, unsound_arrays
from elbowroom._deprecated import old_argument, renamed, with_renamed
from elbowroom._exclusion import Exclusion, exclusion, none_for_neighbours
from elbowroom.verification import FROM_PROOF, ProofError, Verification

if TYPE_CHECKING:
    from elbowroom._types import ExcludeLike


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
    positions, radii, excluded
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
    >>> proof.problems(moved, rope.radii, rope.excluded)[0]
    'bead 50 sticks out of cage 36'
    """

    pairs: Integers
    colliding: Integers
    cages: Floats
    ranges: Integers
    positions: Floats
    radii: Floats
    excluded: Integers
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

    @property
    def proved(self) -> bool:
        """The same as `free`: where beads collide there is no such proof."""
        return self.free

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
        exclude: ExcludeLike = FROM_PROOF,
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
            Which pairs are not compared, as the `exclude` of a `Necklace`: a whole number k for beads at
            most k apart along the necklace, (m, 2) for exactly these pairs, or (k, pairs). For a closed
            necklace give its `excluded`. If not given: `excluded` of the family.

        Returns
        -------
        Verification
            Always true; its repr says what was verified.

        Raises
        ------
        ProofError
            If the proof does not hold, with the first problem; `problems` lists them all.

        Examples
        --------
        >>> import numpy as np, elbowroom as er
        >>> rope = er.Necklace(np.stack([np.arange(100.0), np.zeros(100)], axis=1), 0.4)
        >>> proof = rope.separating_pairs()
        >>> proof.verify(rope.positions(), rope.radii, exclude=1)
        <verified: 100 beads do not collide, neighbours excepted>
        >>> proof.verify(rope.positions(), rope.radii)
        <verified: 100 beads do not collide, 99 pairs excepted; assumed from the proof: exclude>
        >>> proof.verify(radii=0.5)
        Traceback (most recent call last):
            ...
        elbowroom.verification.ProofError: bead 0 sticks out of cage 0
        """
        exclude = none_for_neighbours(exclude)
        given = {"positions": positions is not None, "radii": radii is not None}
        given["exclude"] = exclude is not FROM_PROOF
        problem = next(self._each_problem(positions, radii, exclude), "")
        assumed = tuple(name for name, was in given.items() if not was)
        if problem:
            raise ProofError(problem, assumed)
        return Verification(f"{len(self.positions)} beads do not collide{self._excluded(exclude)}", assumed)

    def problems(
        self,
        positions: ArrayLike | None = None,
        radii: ArrayLike | None = None,
        exclude: ExcludeLike = FROM_PROOF,
    ) -> list[str]:
        """Everything that keeps this from being a proof, as `verify` finds it; empty if it is one."""
        return list(self._each_problem(positions, radii, none_for_neighbours(exclude)))

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
        yield from problems(self, centres, sizes, self._excluded(exclude))

    def _excluded(self, exclude: Any) -> Exclusion:
        if exclude is FROM_PROOF:
            return Exclusion(-1, self.excluded)
        return exclusion(exclude, len(self.positions), "exclude")

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
                old = {"excluded": "may_touch"} if "may_touch" in arrays else {}
                values = {n: arrays[old.get(n, n)] for n in names}
            return cls(**values | {"tests": int(values["tests"])})
        except (FileNotFoundError, PermissionError, IsADirectoryError, TooLarge):
            raise
        except KeyError as error:
            raise ValueError(f"path: {path} contains no separating family: it lacks {error}") from None
        except Exception as error:  # what a broken zip or array makes NumPy raise is not listed
            what = "it is not an .npz file of arrays"
            raise ValueError(f"path: {path} contains no separating family: {what}") from error

    @property
    def may_touch(self) -> Integers:
        """Deprecated: `excluded`."""
        renamed("SeparatingPairs.may_touch", "excluded")
        return self.excluded

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(with_renamed(state, "may_touch", "excluded"))

    def covers(self, excluded: Integers) -> bool:
        """Does every two beads that may not touch lie below one of the pairs, or collide?"""
        if next(unsound_arrays(self), None) is not None:
            return False
        return next(not_covered(self, self.pairs_to_start_from(), Exclusion(-1, excluded)), None) is None


SeparatingPairs.__init__ = old_argument("may_touch", "excluded")(SeparatingPairs.__init__)  # type: ignore[method-assign]

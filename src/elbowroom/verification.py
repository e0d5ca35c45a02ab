"""What checking a proof returns or raises, and what the check took from the proof itself."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class _Source(enum.Enum):
    PROOF = "the proof's own"

    def __repr__(self) -> str:
        return f"<{self.value}>"


#: The default of an argument of `verify` for which None has a meaning.
FROM_PROOF: Any = _Source.PROOF


@dataclass(frozen=True, repr=False)
class Verification:
    """What `verify` returns if the proof holds; it is true. A proof that does not hold raises a `ProofError`.

    Attributes
    ----------
    claim
        What was verified, in words.
    assumed
        What was not given to `verify` and was taken from the proof itself, by name. Empty: nothing was
        assumed, and the proof holds for what the caller gave, whoever made it.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.4)
    >>> found = rope.separating_pairs().verify(rope.positions(), rope.radii)
    >>> bool(found), found.claim, found.assumed
    (True, '3 beads do not collide, 2 pairs excepted', ('exclude',))
    """

    claim: str
    assumed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        assumed = f"; assumed from the proof: {', '.join(self.assumed)}" if self.assumed else ""
        return f"<verified: {self.claim}{assumed}>"


class ProofError(ValueError):
    """A proof does not hold: raised by every `verify`. The text says what is wrong with it.

    Attributes
    ----------
    problem
        Why the proof does not hold.
    assumed
        As of a `Verification`: what was taken from the proof itself.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.4)
    >>> try:
    ...     rope.separating_pairs().verify(radii=0.6, exclude=0)
    ... except er.ProofError as error:
    ...     error.problem, error.assumed
    ('bead 0 sticks out of cage 0', ('positions',))
    """

    def __init__(self, problem: str, assumed: tuple[str, ...] = ()) -> None:
        super().__init__(problem, assumed)
        self.problem, self.assumed = problem, assumed

    def __str__(self) -> str:
        return self.problem

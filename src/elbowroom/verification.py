"""The result of checking a proof, and what the check took from the proof itself."""

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
    """What `verify` returns: true if the proof holds.

    Attributes
    ----------
    claim
        What was verified, in words; empty if the proof does not hold.
    assumed
        What was not given to `verify` and was taken from the proof itself, by name. Empty: nothing was
        assumed, and the proof holds for what the caller gave, whoever made it.
    problem
        Why the proof does not hold; empty if it does. A `Certificate` that does not hold raises instead.

    Examples
    --------
    >>> import elbowroom as er
    >>> rope = er.Necklace([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.4)
    >>> found = rope.separating_pairs().verify(rope.positions(), rope.radii)
    >>> bool(found), found.claim, found.assumed
    (True, '3 beads do not collide, 2 pairs excepted', ('may_touch',))
    """

    claim: str
    assumed: tuple[str, ...] = ()
    problem: str = ""

    def __bool__(self) -> bool:
        return not self.problem

    def __repr__(self) -> str:
        if self.problem:
            return f"<not verified: {self.problem}>"
        assumed = f"; assumed from the proof: {', '.join(self.assumed)}" if self.assumed else ""
        return f"<verified: {self.claim}{assumed}>"

"""How a search ended, for people: `status` itself keeps its values, since programs compare them."""

from __future__ import annotations

from elbowroom._core import Collision, Distance, Pairs


def in_words(answer: Collision | Distance | Pairs) -> str:
    """The status, but "exact", or "proved free", where it is "exhausted"."""
    if answer.status != "exhausted":
        return answer.status
    return "proved free" if isinstance(answer, Collision) and not answer else "exact"

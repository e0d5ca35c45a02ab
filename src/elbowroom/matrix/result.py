"""What is known about the pairs of links of a robot, and what can be done with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays

VERDICTS = ("never", "always", "sometimes", "undecided")
#: In place of a verdict: links that cannot move against each other, have no shape, or are the same.
NOT_COMPARED = -1


class Undecided(NamedTuple):
    """An undecided pair: which share of its configurations is proved free, and the least gap seen."""

    covered: float
    gap: float


@dataclass(frozen=True, eq=False, repr=False)
class CollisionMatrix:
    """Which pairs of links can collide, as `collision_matrix` found it.

    Attributes
    ----------
    verdicts
        (links, links): the place of the verdict in ("never", "always", "sometimes", "undecided"); -1 for
        links that cannot move against each other, have no shape, or are the same.
    link_names, joint_names
        The names of the links, and of the joints as a configuration has them.
    witnesses
        For each pair (i, j) that collides sometimes or always, i < j: a configuration in which it does.
    adjacent
        (k, 2): links next to each other, which may collide at their joint by design.
    left
        For each pair that is undecided, `covered` and `gap`: the share of its configurations that is proved
        free, and the least distance that was seen.
    samples, seed, boxes
        Random configurations and what they came from; boxes of joint values that were looked at.

    Examples
    --------
    >>> import elbowroom as er
    >>> blade = [(er.Box([1, 0.2, 0.1]), er.Pose(translation=[0.6, 0, 0]))]
    >>> post, ball = er.Box([0.1, 0.1, 2]), er.Sphere(0.1)
    >>> links = [er.Link("post", post), er.Link("blade", blade), er.Link("peg", ball)]
    >>> axle = er.Joint("axle", "revolute", "post", "blade")
    >>> peg = er.Joint("peg", "fixed", "post", "peg", er.Pose(translation=[0, 1, 0]))
    >>> matrix = er.collision_matrix(er.Articulated(links, [axle, peg]))
    >>> matrix.names(matrix.never), matrix.names(matrix.sometimes)
    ([('post', 'blade')], [('blade', 'peg')])
    >>> matrix.witness("blade", "peg").shape
    (1,)
    """

    verdicts: NDArray[np.int8]
    link_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    witnesses: dict[tuple[int, int], NDArray[np.float64]]
    adjacent: NDArray[np.int32]
    left: dict[tuple[int, int], Undecided]
    samples: int
    seed: int
    boxes: int

    @property
    def never(self) -> NDArray[np.int32]:
        """(k, 2): pairs that are proved not to collide in any configuration."""
        return self._where("never")

    @property
    def always(self) -> NDArray[np.int32]:
        """(k, 2): pairs that are proved to overlap in every configuration."""
        return self._where("always")

    @property
    def sometimes(self) -> NDArray[np.int32]:
        """(k, 2): pairs with a witness of a collision."""
        return self._where("sometimes")

    @property
    def undecided(self) -> NDArray[np.int32]:
        """(k, 2): pairs of which neither was found in time."""
        return self._where("undecided")

    def _where(self, verdict: str) -> NDArray[np.int32]:
        return np.argwhere(np.triu(self.verdicts == VERDICTS.index(verdict), 1)).astype(np.int32)

    def names(self, pairs: NDArray[np.int32]) -> list[tuple[str, str]]:
        """Pairs of link numbers as names."""
        return [self.names_of((i, j)) for i, j in pairs.tolist()]

    def names_of(self, pair: tuple[int, int]) -> tuple[str, str]:
        """The names of two links."""
        return self.link_names[pair[0]], self.link_names[pair[1]]

    def witness(self, a: str | int, b: str | int) -> NDArray[np.float64]:
        """A configuration in which two links, by name or number, collide."""
        i, j = sorted((self._link(a, "a"), self._link(b, "b")))
        if (i, j) not in self.witnesses:
            verdict = "not compared" if self.verdicts[i, j] < 0 else VERDICTS[self.verdicts[i, j]]
            raise ValueError(
                f"a, b: no collision of '{self.link_names[i]}' and '{self.link_names[j]}' is known: {verdict}"
            )
        return self.witnesses[i, j]

    def _link(self, link: str | int, name: str) -> int:
        if isinstance(link, str):
            if link not in self.link_names:
                raise ValueError(f"{name}: link '{link}' is not among the links")
            return self.link_names.index(link)
        return _arrays.count(link, name, 0, len(self.link_names) - 1)

    def write_srdf(self, path: str | os.PathLike[str], *, robot: str = "robot") -> None:
        """Writes an SRDF file that disables the pairs that never or always collide, and no others.

        Links that cannot move against each other are left to whoever reads the file: MoveIt and
        `Articulated.from_urdf` leave them out in any case.
        """
        from xml.sax.saxutils import quoteattr

        from elbowroom import _writing

        lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(robot)}>"]
        for reason, pairs in (("Never", self.never), ("Always", self.always)):
            for a, b in self.names(pairs):
                lines.append(
                    f'  <disable_collisions link1={quoteattr(a)} link2={quoteattr(b)} reason="{reason}"/>'
                )
        _writing.write_text(path, "\n".join([*lines, "</robot>", ""]))

    def wrong_in_srdf(self, path: str | os.PathLike[str]) -> NDArray[np.int32]:
        """(k, 2): pairs that an SRDF file disables although they collide sometimes, but for adjacent links.

        Each has a witness.
        """
        found = self._in_srdf(path, "sometimes", disabled=True)
        adjacent = set(map(tuple, self.adjacent.tolist()))
        return found[[pair not in adjacent for pair in map(tuple, found.tolist())]]

    def missing_in_srdf(self, path: str | os.PathLike[str]) -> NDArray[np.int32]:
        """(k, 2): pairs that an SRDF file leaves to be compared although they never collide."""
        return self._in_srdf(path, "never", disabled=False)

    def _in_srdf(self, path: str | os.PathLike[str], verdict: str, *, disabled: bool) -> NDArray[np.int32]:
        from elbowroom.files.srdf import read_srdf

        known = {frozenset(pair) for pair in read_srdf(path, links=self.link_names)}
        pairs = self._where(verdict)
        keep = [(frozenset(pair) in known) == disabled for pair in self.names(pairs)]
        return np.asarray(pairs[np.array(keep, bool)])

    def __repr__(self) -> str:
        counts = [len(self._where(verdict)) for verdict in VERDICTS]
        parts = ", ".join(f"{count} {verdict}" for count, verdict in zip(counts, VERDICTS, strict=True))
        return f"<CollisionMatrix: {sum(counts)} pairs of {len(self.link_names)} links: {parts}>"

"""Which links of an articulated body were seen to collide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom._deprecated import old_argument, renamed, with_renamed

if TYPE_CHECKING:
    from elbowroom._core import Collisions
    from elbowroom.articulated import Articulated


@dataclass(frozen=True, eq=False, repr=False)
class LinkPairs:
    """What random configurations showed about the pairs of links; a statement about these, and no proof.

    Attributes
    ----------
    counts
        (links, links): in how many samples the two collided; -1 for pairs that were not compared.
    link_names
        The names of the links.
    samples, seed
        How many configurations there were, and what they came from.

    Examples
    --------
    >>> import elbowroom as er
    >>> fan = er.Articulated(
    ...     [er.Link("hub", er.Sphere(0.5)), er.Link("blade", er.Box(1))],
    ...     [er.Joint("axle", "revolute", "hub", "blade", er.Pose(translation=[3, 0, 0]))],
    ...     exclude=None,
    ... )
    >>> found = fan.sample_pairs(100)
    >>> fan.names(found.never)
    [('hub', 'blade')]
    >>> fan.exclude(found)
    """

    counts: NDArray[np.int64]
    link_names: tuple[str, ...]
    samples: int
    seed: int

    @property
    def links(self) -> tuple[str, ...]:
        """Deprecated: `link_names`."""
        renamed("LinkPairs.links", "link_names")
        return self.link_names

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(with_renamed(state, "links", "link_names"))

    @classmethod
    def start(cls, body: Articulated, samples: int, seed: int) -> LinkPairs:
        """No sample counted yet."""
        counts = np.full((len(body), len(body)), -1)
        bearing = sorted({link for link, _, _ in body.shapes})
        counts[np.ix_(bearing, bearing)] = 0
        np.fill_diagonal(counts, -1)
        for i, j in body.excluded.tolist():
            counts[i, j] = counts[j, i] = -1
        return cls(counts, body.link_names, samples, seed)

    def add(self, collisions: Collisions) -> None:
        """Counts the pairs of some samples."""
        i, j = np.asarray(collisions.pairs).T
        np.add.at(self.counts, (i, j), 1)
        np.add.at(self.counts, (j, i), 1)

    @property
    def never(self) -> NDArray[np.int32]:
        """(k, 2): pairs that were compared and never collided in the samples."""
        return self._where(self.counts == 0)

    @property
    def sometimes(self) -> NDArray[np.int32]:
        """(k, 2): pairs that collided in some samples, not in all."""
        return self._where((self.counts > 0) & (self.counts < self.samples))

    @property
    def always(self) -> NDArray[np.int32]:
        """(k, 2): pairs that collided in every sample."""
        return self._where(self.counts == self.samples)

    def _where(self, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        return np.argwhere(np.triu(mask, 1)).astype(np.int32)

    def __repr__(self) -> str:
        compared = len(self._where(self.counts >= 0))
        never, always, at_times = len(self.never), len(self.always), len(self.sometimes)
        return (
            f"<LinkPairs: {compared} compared in {self.samples} samples: {at_times} collided at times, "
            f"{always} always, {never} never; no proof>"
        )


LinkPairs.__init__ = old_argument("links", "link_names")(LinkPairs.__init__)  # type: ignore[method-assign]

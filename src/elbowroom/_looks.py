"""One look at a frame of a necklace: the two beads that are closest, and all that overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom.necklace import Necklace
from elbowroom.questions import self_collide, self_distance

if TYPE_CHECKING:
    from elbowroom.files.trajectory import Trajectory

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
#: What is counted.
COUNTERS = ("volume_tests", "leaf_tests", "pairs_visited")


class Look(NamedTuple):
    """The closest gap, negative if there is an overlap; between which beads; all overlaps; the work."""

    gap: float
    pair: tuple[int, int]
    overlaps: Numbers
    depths: Floats
    counters: tuple[int, ...]


def look_at(necklace: Necklace) -> Look:
    """Overlaps are asked for only where there are any: the distance is then 0."""
    nearest = self_distance(necklace)
    counters = tuple(int(getattr(nearest.counters, name)) for name in COUNTERS)
    i, j = (int(k) for k in nearest.pair)
    if nearest.value > 0:
        return Look(nearest.value, (i, j), np.empty((0, 2), np.int64), np.empty(0), counters)
    found = self_collide(necklace, every=True, depth=True)
    assert found.contacts is not None
    depths = found.contacts.depths
    i, j = (int(k) for k in found.pairs[int(np.argmax(depths))])
    more = (int(getattr(found.counters, name)) for name in COUNTERS)
    both = tuple(a + b for a, b in zip(counters, more, strict=True))
    return Look(-float(depths.max()), (i, j), np.asarray(found.pairs, np.int64), np.asarray(depths), both)


def necklace_of(trajectory: Trajectory) -> Necklace:
    """The beads of a trajectory as they are in its first frame, in its periodic box if that counts."""
    box = trajectory.box if trajectory.periodic else None
    return Necklace(trajectory.first, trajectory.radii, exclude=trajectory.excluded, box=box)


def looks_of(trajectory: Trajectory, necklace: Necklace) -> Iterator[Look]:
    """A look at each frame, in the box of that frame."""
    for positions, edges in trajectory.with_boxes():
        necklace.move(positions, box=edges)
        yield look_at(necklace)


class Looks(NamedTuple):
    """What many frames have shown: (k,) gaps, (k, 2) closest pairs, (k,) counts, and all overlaps.

    `where` (m,) is the place of the frame of each overlap, `overlaps` (m, 2), `depths` (m,).
    """

    gaps: Floats
    pairs: Numbers
    counts: Numbers
    where: Numbers
    overlaps: Numbers
    depths: Floats
    counters: Numbers

    @classmethod
    def of(cls, looks: list[Look]) -> Looks:
        """All of them, one after the other."""
        counts = np.array([len(look.overlaps) for look in looks], np.int64)
        return cls(
            np.array([look.gap for look in looks], np.float64),
            np.array([look.pair for look in looks], np.int64).reshape(-1, 2),
            counts,
            np.repeat(np.arange(len(looks)), counts),
            np.concatenate([np.empty((0, 2), np.int64), *(look.overlaps for look in looks)]),
            np.concatenate([np.empty(0), *(look.depths for look in looks)]),
            np.array([look.counters for look in looks], np.int64).reshape(-1, len(COUNTERS)).sum(axis=0),
        )

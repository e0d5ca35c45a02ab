"""Proximity as an analysis of MDAnalysis: closest atoms, clashes and near pairs in every frame.

>>> import MDAnalysis, numpy as np
>>> from elbowroom.analysis import Proximity
>>> universe = MDAnalysis.Universe.empty(3, trajectory=True)
>>> universe.add_TopologyAttr("elements", ["C", "C", "C"])
>>> frames = np.zeros((2, 3, 3))
>>> frames[:, 1, 0], frames[:, 2, 0] = 4.0, [8.0, 5.0]
>>> _ = universe.load_new(frames)
>>> found = Proximity(universe.atoms, exclude=0, radius=1.0).run().results
>>> found.gap.tolist(), found.closest.tolist(), found.clashes.tolist()
([2.0, -1.0], [[0, 1], [1, 2]], [0, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from elbowroom import _arrays
from elbowroom.files.atom_groups import checked_atoms
from elbowroom.files.frames import Asked
from elbowroom.files.molecules import beads_of, box_of
from elbowroom.files.topology import labels_of, mdanalysis
from elbowroom.necklace import Necklace
from elbowroom.questions import collide, distance, self_collide, self_distance, self_within, within

mdanalysis()  # an ImportError that says how to get it
from MDAnalysis.analysis.base import AnalysisBase  # noqa: E402
from MDAnalysis.analysis.results import ResultsGroup  # noqa: E402

__all__ = ["Proximity"]

ALONE, TWO = (self_distance, self_collide, self_within), (distance, collide, within)
#: What is kept of each frame, as lists that are joined in the end.
KEPT = ("frames", "gap", "closest", "overlaps", "depths", "pairs", "distances")


class Proximity(AnalysisBase):  # type: ignore[misc]
    """Closest atoms, clashes and pairs within a cutoff, in every frame that `run` is given.

    All of MDAnalysis's own backends work: `run(backend="multiprocessing", n_workers=4)`, or "dask". Atoms are
    balls with van der Waals radii times `scale`; atoms at most `exclude` bonds apart are not compared. Bonds
    come from the topology, or from distances in the frame in which the analysis was made. Images are
    compared in the periodic box of each frame, if it has one.

    Parameters
    ----------
    atomgroup
        The atoms; hydrogens are compared if they are in it.
    other
        Another group: compare its atoms with those of the first, and no group with itself. No atom may be in
        both, and no bond of the topology may join them.
    reach
        Also collect all pairs whose surfaces are at most so far apart.
    exclude, radius, scale
        As for Necklace.from_atoms.
    box
        Whether to compare images in the periodic box of each frame, if it has one.
    verbose
        Show MDAnalysis's progress bar.

    Attributes
    ----------
    results.gap
        (frames,): between the two closest surfaces; negative for the deepest overlap.
    results.closest
        (frames, 2): numbers of these two atoms in the group, or in `atomgroup` and `other`.
    results.clashes
        (frames,): how many pairs overlap.
    results.overlaps, results.depths
        (k, 3) and (k,): frame, and the two atoms, of each overlap; and how deep it is.
    results.pairs, results.distances
        (k, 3) and (k,): the same of the pairs within reach; empty without one.

    Examples
    --------
    >>> import MDAnalysis
    >>> from elbowroom.analysis import Proximity
    >>> universe = MDAnalysis.Universe.empty(2, trajectory=True)
    >>> universe.add_TopologyAttr("elements", ["C", "O"])
    >>> universe.atoms.positions = [[0, 0, 0], [0, 0, 5]]
    >>> run = Proximity(universe.atoms[:1], universe.atoms[1:], scale=1.0, reach=2.0).run()
    >>> run.results.gap.round(2).tolist(), run.results.pairs.tolist()
    ([1.78], [[0, 0, 0]])
    """

    _analysis_algorithm_is_parallelizable = True

    @classmethod
    def get_supported_backends(cls) -> tuple[str, ...]:
        """Those of MDAnalysis."""
        return ("serial", "multiprocessing", "dask")

    def __init__(
        self,
        atomgroup: object,
        other: object = None,
        *,
        reach: float | None = None,
        exclude: int | None = None,
        radius: float | None = None,
        scale: float | None = None,
        box: bool = True,
        verbose: bool = False,
    ) -> None:
        group = checked_atoms(atomgroup)
        super().__init__(group.universe.trajectory, verbose=verbose)
        asked = Asked(None, exclude, radius, scale, 0, None, 1, box)
        self._box = bool(box)
        self._reach = None if reach is None else _arrays.length(reach, "reach")
        self._groups, self._apart = [group], []
        if other is not None:
            self._groups.append(_separate(group, checked_atoms(other)))
        for each in self._groups:
            found = beads_of(each, asked)
            self._apart.append((found.positions, found.radii, found.excluded, found.box))
        if other is None and len(group) * (len(group) - 1) // 2 == len(self._apart[0][2]):
            raise ValueError("atomgroup: all pairs of its atoms are excluded, so that nothing is compared")

    def _prepare(self) -> None:
        self._bodies = [Necklace(at, radii, exclude=pairs, box=box) for at, radii, pairs, box in self._apart]
        for name in KEPT:
            self.results[name] = []

    def _single_frame(self) -> None:
        frame = int(self._ts.frame)
        for body, group in zip(self._bodies, self._groups, strict=True):
            edges = box_of(group.universe) if self._box else None
            if (edges is None) != (body.box is None):
                has = "no" if edges is None else "a"
                raise ValueError(
                    f"frame {frame} has {has} periodic box, unlike the frame in which the analysis was made"
                    " (box=False leaves boxes out of account)"
                )
            body.move(np.asarray(group.positions, np.float64), box=edges)
        ask: Any = ALONE if len(self._bodies) == 1 else TWO
        nearest = ask[0](*self._bodies)
        gap, pair = nearest.value, np.asarray(nearest.pair, np.int64)
        if not gap > 0:
            found = ask[1](*self._bodies, every=True, depth=True)
            depths = np.asarray(found.contacts.depths)
            deepest = int(np.argmax(depths))
            gap, pair = -float(depths[deepest]), np.asarray(found.pairs[deepest], np.int64)
            self._keep("overlaps", "depths", frame, found.pairs, depths)
        if self._reach is not None:
            near = ask[2](*self._bodies, self._reach)
            self._keep("pairs", "distances", frame, near.indices, near.distances)
        self.results.frames.append(frame)
        self.results.gap.append(gap)
        self.results.closest.append(pair)

    def _keep(self, pairs: str, values: str, frame: int, found: Any, measured: Any) -> None:
        found = np.asarray(found, np.int64).reshape(-1, 2)
        self.results[pairs].append(np.column_stack([np.full(len(found), frame, np.int64), found]))
        self.results[values].append(np.asarray(measured, np.float64))

    def _get_aggregator(self) -> Any:
        return ResultsGroup(lookup=dict.fromkeys(KEPT, ResultsGroup.flatten_sequence))

    def _conclude(self) -> None:
        found = self.results
        frames = np.array(found.frames, np.int64)
        found.gap = np.array(found.gap, np.float64)
        found.closest = np.array(found.closest, np.int64).reshape(-1, 2)
        for pairs, values in (("overlaps", "depths"), ("pairs", "distances")):
            found[pairs] = np.concatenate([np.empty((0, 3), np.int64), *found[pairs]])
            found[values] = np.concatenate([np.empty(0), *found[values]])
        order = np.searchsorted(frames, found.overlaps[:, 0])
        found.clashes = np.bincount(order, minlength=len(frames))
        found.frames = frames


def _separate(group: Any, other: Any) -> Any:
    """The other group, unless it shares atoms with the first, or bonds of the topology join them."""
    if other.universe is not group.universe:
        raise ValueError("other: it is of another universe")
    shared = len(np.intersect1d(group.indices, other.indices))
    if shared:
        raise ValueError(f"other: {shared} of its atoms are in both groups")
    bonds = group.universe.bonds.indices if hasattr(group.universe, "bonds") else np.empty((0, 2), np.int64)
    across = np.isin(bonds, group.indices).any(axis=1) & np.isin(bonds, other.indices).any(axis=1)
    if across.any():
        names = labels_of(group.universe.atoms[bonds[int(np.argmax(across))]])
        raise ValueError(f"other: a bond joins {' and '.join(names)}; select whole molecules")
    return other

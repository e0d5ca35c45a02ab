"""Kinematic chains: proteins, polymers, snake robots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
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
from elbowroom.pose import Pose

if TYPE_CHECKING:
    import os
    from pathlib import Path
    from typing import Unpack

    from elbowroom._rotamers import Rotamer
    from elbowroom._types import AnyVolume, ExcludeInChain, ExcludeLike, PoseLike, ReadingOptions
    from elbowroom.energies import Energy
    from elbowroom.files.pdb import ChainAtoms
    from elbowroom.torsions import Torsion

#: Side balls as a tuple: owner, positions, radii, and torsions if there are any.
SideArrays: TypeAlias = (
    tuple[ArrayLike, ArrayLike, ArrayLike]
    | tuple[ArrayLike, ArrayLike, ArrayLike, Sequence[tuple[int, int, Sequence[int]]]]
)

#: How the trees are searched: names of `volume` for each number of children.
FAST, BINARY = ("auto", "sphere", "obb"), ("obb", "rss", "capsule", "sphere")


@dataclass(frozen=True, eq=False)
class SideBalls:
    """Further balls that belong to links: side chains.

    Attributes
    ----------
    owner
        (m,): the link of each ball.
    positions, radii
        (m, 3) and (m,).
    torsions
        (a, b, moving) each: the balls `moving`, all of one link, turn about the axis from ball a to ball b.
        Balls are numbered with the links' own first: 0 to n - 1, then the side balls as given.

    Examples
    --------
    >>> import elbowroom as er
    >>> torsion = (1, 3, [4])  # ball 4 turns about the axis from link 1 to ball 3
    >>> side = er.SideBalls([1, 1], [[2, 1, 0], [3, 1, 0]], [0.3, 0.3], [torsion])
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5, side=side)
    >>> chain.rotate_side(0, 3.141592653589793)
    >>> chain.positions(side=True)[4][:2].round(6).tolist()
    [1.0, 1.0]
    """

    owner: NDArray[np.int32]
    positions: NDArray[np.float64]
    radii: NDArray[np.float64]
    torsions: Sequence[tuple[int, int, Sequence[int]]] = field(default_factory=list)


def _with_allowed(allowed: Any, exclude: Any) -> Any:
    """What was given as `allowed` beside a number, as `exclude`."""
    return 1 if exclude is None else exclude, without_itself(allowed, "allowed")


class Chain(_core.Chain):
    """A chain of links, each a ball or a ball with side balls; joint j is the bond from link j to link j + 1.

    Changing a joint takes O(log n), and so does asking whether the chain still is free of collisions with
    itself: the ChainTree of [Lotan2002]_. Links before a changed joint stay where they are, so link 0 never
    moves.

    Parameters
    ----------
    positions
        (n, 3): the centres of the links, at least two.
    radii
        One radius for all links, or (n,).
    volume
        "auto" is the fast tree, eight children a node, which takes balls or boxes, whichever costs less.
        "obb", "rss", "capsule" and "sphere" are the paper's binary tree of these volumes.
    exclude
        Which balls are never compared, and may overlap: a whole number k for those of links at most k apart
        along the chain, 0 for the balls of one link; (m, 2) for exactly these pairs of balls; (k, pairs) for
        both; "bonds" for balls that at most three of the `bonds` join, and ("bonds", k) for at most k. Balls
        are numbered as in answers: links first, then side balls.
    side
        Side balls, as a SideBalls or a tuple (owner, positions, radii, torsions).
    bonds
        (k, 2): the pairs of balls that have a bond between them.
    box
        Edges of a periodic box, as in er.Necklace. Two balls are then compared by those of their images that
        are nearest; the chain itself stays whole. Needs the fast tree. See :doc:`/howto/periodic`.
    children
        8 with "sphere" or "obb" is the fast tree with balls alone, or always with boxes.
    shrink
        For the binary tree of boxes: draw each box in until it touches the chain (section 6.1 of the paper).
    skip
        For the binary tree: "pieces" skips pairs within a rigid piece, "paper" what the paper says.

    Attributes
    ----------
    radii, side, bonds, volume, children, shrink, skip
        As given; the radii as an array (n,).
    labels
        Of a protein: the name of each ball, links first, such as "A/LEU 12/CD1"; else None.
    breaks
        Of a protein: the joints that bridge a gap in the chain.
    counters
        The work of the last collides().

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain(er.scenes.serpentine(1000), radii=1.0)
    >>> chain.rotate(700, 0.1)
    >>> chain.collides()
    True
    >>> chain.undo()
    >>> er.self_distance(chain).value
    2.0
    >>> chain
    <Chain: 1000 links, free; fast tree, 60 bytes a link>
    """

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
        around = None if side is None else _checked_side(side, n)
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
            _tree(volume, children, shrink, skip),
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
        order, first, link = _tree_order(len(centres), side)
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

    @classmethod
    def from_pdb(
        cls,
        path: str | os.PathLike[str],
        *,
        chain: str | None = None,
        atoms: str = "backbone",
        volume: str = "auto",
        box: ArrayLike | None = None,
        children: int | None = None,
        shrink: bool = False,
        skip: str = "pieces",
        **reading: Unpack[ReadingOptions],
    ) -> Chain:
        """A protein from a PDB or mmCIF file, also gzipped; needs the extra `protein`.

        Atoms more than three bonds apart are compared, all others are not: see `exclude` of
        `elbowroom.files.pdb.read_chain`, which also says where the bonds come from.

        Parameters
        ----------
        path
            The file.
        chain
            Name of the chain, if there are several.
        atoms
            "backbone": N, CA and C are links, three a residue. "ca": one link a residue. "all": as
            "backbone", and the other heavy atoms are side balls of the link that carries them, with their
            torsions. Joints 3 i, 3 i + 1 and 3 i + 2 are then phi, psi and omega of residue i.
        volume, box, children, shrink, skip
            As for Chain. The unit cell of the file is not used.
        **reading
            Further options of `elbowroom.files.pdb.read_chain`: model, scale of the radii, exclude, and what
            to do with breaks and missing atoms.
        """
        from elbowroom.files.opening import blaming
        from elbowroom.files.pdb import read_chain

        found = read_chain(path, chain=chain, atoms=atoms, **reading)
        with blaming(path, "volume", "box", "children", "shrink", "skip"):
            out = cls(
                found.positions,
                found.radii,
                exclude=_shortest(found),
                side=found.side,
                bonds=found.bonds,
                volume=volume,
                box=box,
                children=children,
                shrink=shrink,
                skip=skip,
            )
        out.labels, out.breaks = list(found.labels), tuple(int(joint) for joint in found.breaks)
        return out

    @classmethod
    def from_atoms(
        cls,
        atomgroup: object,
        *,
        chain: str | None = None,
        atoms: str = "backbone",
        volume: str = "auto",
        children: int | None = None,
        shrink: bool = False,
        skip: str = "pieces",
        **reading: Unpack[ReadingOptions],
    ) -> Chain:
        """A protein from atoms of MDAnalysis, where they are in the present frame.

        Parameters
        ----------
        atomgroup
            An AtomGroup, or a Universe; what is no protein in it is left out.
        chain
            Name of the chain or the segment, if there are several.
        atoms, volume, children, shrink, skip, **reading
            As for Chain.from_pdb.

        Examples
        --------
        >>> import elbowroom as er
        >>> import MDAnalysis
        >>> universe = MDAnalysis.Universe.empty(
        ...     6, 2, atom_resindex=[0, 0, 0, 1, 1, 1], trajectory=True
        ... )
        >>> universe.add_TopologyAttr("names", ["N", "CA", "C"] * 2)
        >>> universe.add_TopologyAttr("resnames", ["GLY", "GLY"])
        >>> universe.add_TopologyAttr("resids", [1, 2])
        >>> universe.atoms.positions = er.scenes.backbone(6)
        >>> er.Chain.from_atoms(universe).residues
        ['/GLY 1', '/GLY 2']
        """
        from elbowroom.files.atom_groups import checked_atoms, in_memory

        held = in_memory(checked_atoms(atomgroup))
        choices: dict[str, Any] = {"volume": volume, "children": children, "shrink": shrink, "skip": skip}
        return cls.from_pdb(held, chain=chain, atoms=atoms, **choices, **reading)

    def write(self, path: str | Path, frames: ArrayLike | None = None) -> None:
        """Writes the chain as it stands to a PDB or mmCIF file, or positions to a DCD or XTC file.

        Parameters
        ----------
        path
            Its suffix is the format: .pdb, .cif, .dcd or .xtc.
        frames
            For .dcd and .xtc: (k, balls, 3), positions as `positions(side=True)` gives them; None: the
            present ones. Atoms are written residue by residue, in the order of the PDB file.
        """
        from elbowroom.files.writing import write_chain

        write_chain(path, self, frames)

    def move(self, joint: int, pose: PoseLike) -> None:
        """General change: all links beyond `joint` are moved by `pose`, a map of the world to itself.

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.3)
        >>> chain.move(1, er.Pose(translation=[0, 0, 0.5]))
        >>> chain.positions()[2].tolist()
        [2.0, 0.0, 0.5]
        """
        moved = _core.Pose._read(pose, "pose")
        self._move(_arrays.joint(joint, "joint", len(self)), moved)

    def change(self, torsions: Mapping[int, float] | tuple[ArrayLike, ArrayLike]) -> None:
        """Several torsions in one update: {joint: angle, ...}, or arrays (joints, angles).

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain(er.scenes.serpentine(100), radii=1.0)
        >>> chain.change({10: 0.01, 50: -0.02})
        """
        if isinstance(torsions, Mapping):
            torsions = list(torsions.keys()), list(torsions.values())
        self._change(*_arrays.torsions(torsions, len(self), "torsions"))

    def try_torsions(self, joints: ArrayLike, angles: ArrayLike, *, stay: bool = False) -> NDArray[np.bool_]:
        """One torsion after the other, each undone if it collides (with `stay`, always): True where free.

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain(er.scenes.serpentine(1000), radii=1.0)
        >>> chain.try_torsions([10, 500, 990], [0.01, 0.2, 0.01])
        array([ True, False,  True])
        """
        given = _arrays.torsions((joints, angles), len(self), "joints, angles")
        return self._try_torsions(*given, bool(stay))

    def rotate_side(self, torsion: int, angle: float) -> None:
        """Turns side balls: number `torsion` of side.torsions, by `angle`. No other ball moves."""
        if self.side is None or not len(self.side.torsions):
            raise ValueError("torsion: the chain has no side torsions")
        k = _arrays.count(torsion, "torsion", 0, len(self.side.torsions) - 1)
        a, b, moving = self.side.torsions[k]
        self._rotate_side(a, b, np.asarray(moving, np.int64), _arrays.number(angle, "angle"))

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
        other = _restored(kind, balls, radii, tree, *rule, *rest)
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

    def positions(self, *, side: bool = False) -> NDArray[np.float64]:
        """(n, 3): the centres of the links; with `side`, of the side balls after them."""
        all_balls: NDArray[np.float64] = self._positions()
        return all_balls if side else all_balls[: len(self)]

    @property
    def residues(self) -> list[str]:
        """Of a protein with its backbone: the residues in order, such as "A/LEU 31"."""
        from elbowroom.torsions import residues_of

        return list(residues_of(self).labels)

    def torsion(self, chain: str, residue: int | str, name: str) -> Torsion:
        """A torsion of a protein by name: its joint and its angle, which can be set.

        Parameters
        ----------
        chain
            Name of the chain in the file.
        residue
            Number of the residue in the file: 31, or "31A" with an insertion code.
        name
            "phi", "psi", "omega", or "chi1" to "chi5" if all atoms were read. Omega is that of the bond to
            the next residue.
        """
        from elbowroom.torsions import named

        return named(self, chain, residue, name)

    def torsion_angles(self, *names: str) -> NDArray[np.float64]:
        """(residues, names): angles of all residues in radians, NaN where there is no such torsion.

        `chain.torsion_angles("phi", "psi")` is what a Ramachandran plot shows; `chain.residues` names the
        rows.
        """
        from elbowroom.torsions import angles

        return angles(self, names)

    def joints(self, chain: str, first: int | str, last: int | str) -> NDArray[np.int64]:
        """The joints of phi and psi from one residue to another, for the moves of `er.sampling`.

        Those that cannot turn are left out: phi of proline, joints across gaps, and joints within a ring that
        a disulfide bridge closes. `Move(joints=chain.joints("A", 31, 40))` as a "rebridge" move samples this
        loop alone.
        """
        from elbowroom.torsions import joints

        return joints(self, chain, first, last)

    def turn_loop(
        self, chain: str, first: int | str, last: int | str, torsions: Mapping[tuple[int | str, str], float]
    ) -> None:
        """Sets torsions of a loop, and closes it by its other phi and psi: nothing beyond the loop moves.

        It is one change, which undo() takes back; whether the chain then is free is for collides() to say. A
        ValueError, for a loop that cannot be closed, leaves the chain as it is.

        Parameters
        ----------
        chain, first, last
            The residues whose phi and psi may turn.
        torsions
            {(residue, name): angle}, such as {(33, "phi"): -1.2}, in radians.
        """
        from elbowroom._loop_closure import turn_loop

        turn_loop(self, chain, first, last, torsions)

    def rotamers(self, chain: str, residue: int | str) -> tuple[Rotamer, ...]:
        """Common rotamers of a residue [Lovell2000]_: names such as "mt", and angles of chi1, chi2, ..."""
        from elbowroom.torsions import rotamers

        return rotamers(self, chain, residue)

    def set_rotamer(self, chain: str, residue: int | str, rotamer: str | Rotamer | ArrayLike) -> None:
        """Turns a side chain to a rotamer, by name, or to angles of chi1, chi2, ... in radians.

        Each chi is a change of its own, so undo() takes back the last alone: to come back, keep
        `chain.torsion_angles` or a copy.
        """
        from elbowroom.torsions import set_rotamer

        set_rotamer(self, chain, residue, rotamer)

    def pose(self, i: int, j: int) -> Pose:
        """The frame of link j seen from link i, in O(log n).

        The frame of a link has its origin at the link's centre; its axes were those of the world when the
        chain was made, and go with the link.

        Examples
        --------
        >>> import elbowroom as er
        >>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]], 0.3)
        >>> chain.pose(1, 3).translation.tolist()
        [1.0, 1.0, 0.0]
        """
        n = len(self)
        seen = self._pose(_arrays.count(i, "i", 0, n - 1), _arrays.count(j, "j", 0, n - 1))
        return Pose(seen)

    def boxes(self, level: int) -> Sequence[AnyVolume]:
        """The volumes at a level of the tree (0: the root), in the world."""
        return list(self._boxes(_arrays.count(level, "level", 0, _core.limits.largest_level)))

    def validate(self) -> None:
        """Checks the tree; raises AssertionError that says what is wrong with it."""
        fault = self._fault()
        if fault:
            raise AssertionError(fault)

    def __copy__(self) -> Chain:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Chain:
        return _restored(*self._state_of())

    def __reduce__(self) -> tuple[Any, ...]:
        if self._energy_of is not None:
            from elbowroom.energies.energy import refuse_callback

            refuse_callback(self._energy_of[0])
        return _restored, self._state_of()

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


def _restored(
    cls: type[Chain],
    balls: NDArray[np.float64],
    radii: NDArray[np.float64],
    tree: tuple[str, int, bool, str],
    exclude: int,
    allowed: NDArray[np.int32],
    side: SideBalls | None,
    carried: NDArray[np.float64],
    named: tuple[list[str] | None, tuple[int, ...]],
    energy: tuple[Energy, ArrayLike | None] | None,
    nearest_first: bool,
    by_balls: bool = False,
    bonds: NDArray[np.int32] | None = None,
    box: NDArray[np.float64] | None = None,
) -> Chain:
    """A chain as it was when it was copied or saved, but for what could be undone.

    A pickle may come from anywhere: everything is checked as by the constructor. Without `by_balls` it is
    of a release whose pairs were of links, with all of their balls.
    """
    out = cls.__new__(cls)
    centres = _arrays.points(balls, "positions")
    n = len(_arrays.any_array(radii, "radii"))
    if not 2 <= n <= len(centres):
        raise ValueError(f"positions and radii of a saved chain must go together, got {len(centres)} and {n}")
    if side is not None:
        side = _checked_side(SideBalls(side.owner, centres[n:], side.radii, side.torsions), n)
    elif n != len(centres):
        raise ValueError(f"radii must be as many as positions, got {n} and {len(centres)}")
    choice = _tree(*tree)
    out._set(
        centres[:n],
        _arrays.radii(radii, n, "radii"),
        choice,
        _restored_rule(exclude, allowed, side, n, len(centres) if by_balls else n),
        side,
        None if bonds is None else named_pairs(bonds, len(centres), "bonds"),
        _checked_frames(carried, len(centres) if choice[1] == 8 else n - 1, choice[1]),
        box,
    )
    (out.labels, out.breaks), out.nearest_first = named, nearest_first
    if energy is not None:
        out.set_energy(*energy)
    return out


def _restored_rule(exclude: Any, allowed: Any, side: SideBalls | None, n: int, below: int) -> Exclusion:
    """With side balls, pairs of numbers below n are of links; of numbers below more they are of balls."""
    rule = Exclusion(_arrays.count(exclude, "exclude", -1), _arrays.index_pairs(allowed, below, "exclude"))
    if side is None or below > n:
        return rule
    link = np.concatenate([np.arange(n), side.owner])
    balls = {k: np.flatnonzero(link == k).astype(np.int32) for k in np.unique(rule.named).tolist()}
    pairs = [np.stack(np.meshgrid(balls[i], balls[j]), -1).reshape(-1, 2) for i, j in rule.named.tolist()]
    return Exclusion(rule.gap, np.concatenate([np.empty((0, 2), np.int32), *pairs]))


def _checked_frames(carried: Any, count: int, children: int) -> NDArray[np.float64]:
    """How balls are turned, (count, 4) quaternions, or joints of the binary tree, (count, 3, 4) matrices."""
    frames = _arrays.numbers(carried, "frames")
    wanted = (count, 4) if children == 8 else (count, 3, 4)
    if frames.shape != wanted:
        raise ValueError(f"frames of a saved chain must have shape {wanted}, got {frames.shape}")
    if children == 8:
        _arrays.unit_quaternions(frames, "frames")
        return frames
    turns = frames[:, :, :3]
    if (
        np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max() > _core.limits.saved_rotation_tolerance
        or np.linalg.det(turns).min() < 0
    ):
        raise ValueError("frames of a saved chain must be rotations")
    return frames


def _shortest(found: ChainAtoms) -> ExcludeLike:
    """What is excluded, told by how far apart links are as far as possible, which takes less time."""
    if found.side is not None:
        return found.excluded
    rule = Exclusion(-1, found.excluded).folded(len(found.positions))
    return rule.gap, rule.named


def _tree(volume: str, children: int | None, shrink: bool, skip: str) -> tuple[str, int, bool, str]:
    """The choice of tree, checked: (volume, children, shrink, skip)."""
    names = sorted({*FAST, *BINARY})
    if not isinstance(volume, str) or volume not in names:
        raise ValueError(f"volume must be one of {', '.join(names)}, got {_arrays.shown(volume)}")
    width = (8 if volume == "auto" else 2) if children is None else _arrays.children(children, "children")
    if volume == "auto" and width == 2:
        volume = "obb"
    if width == 8 and volume not in FAST:
        raise ValueError(f'volume="{volume}" is for the binary tree; with children=8 it is {", ".join(FAST)}')
    if not isinstance(skip, str) or skip not in ("pieces", "paper"):
        raise ValueError(f'skip must be "pieces" or "paper", got {_arrays.shown(skip)}')
    if _arrays.flag(shrink, "shrink") and (width == 8 or volume != "obb"):
        raise ValueError('shrink is for the binary tree of boxes: volume="obb"')
    return volume, width, bool(shrink), skip


def _tree_order(
    n: int, side: SideBalls | None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Balls in the order of the tree, the place of each link's own ball there, and the link of each ball."""
    nothing = np.empty(0, np.int32)
    if side is None:
        return nothing, nothing, nothing
    link = np.concatenate([np.arange(n), side.owner])
    order = np.argsort(link, kind="stable").astype(np.int32)  # a link's own ball comes before its side balls
    first = np.flatnonzero(order < n).astype(np.int32)
    return order, first, link[order].astype(np.int32)


def _checked_side(side: SideBalls | tuple[Any, ...], n: int) -> SideBalls:
    if not isinstance(side, SideBalls):
        if not isinstance(side, (tuple, list)) or len(side) not in (3, 4):
            raise ValueError(
                f"side must be a SideBalls or (owner, positions, radii, torsions), got {_arrays.shown(side)}"
            )
        side = SideBalls(*side)
    positions = _arrays.points(side.positions, "side.positions")
    m = len(positions)
    owner = _arrays.indices(side.owner, m, n, "side.owner")
    radii = _arrays.radii(side.radii, m, "side.radii")
    return SideBalls(owner, positions, radii, _checked_torsions(side.torsions, owner, n))


def _checked_torsions(torsions: Any, owner: NDArray[np.int32], n: int) -> list[tuple[int, int, list[int]]]:
    """Each (a, b, moving), where `moving` are side balls of one link."""
    link = np.concatenate([np.arange(n), owner])
    if not isinstance(torsions, (list, tuple)):
        raise ValueError(f"side.torsions must be a list of (a, b, moving), got {_arrays.shown(torsions)}")
    out = []
    for k, torsion in enumerate(torsions):
        name = f"side.torsions[{k}]"
        if not isinstance(torsion, (list, tuple)) or len(torsion) != 3:
            raise ValueError(f"{name} must be (a, b, moving), got {_arrays.shown(torsion)}")
        balls = [*torsion[:2], *_arrays.listed(torsion[2], f"{name}[2]")]
        a, b, *moving = _arrays.indices(balls, None, len(link), name).tolist()
        if not moving or min(moving) < n or len(set(link[moving])) > 1:
            raise ValueError(f"{name} must move side balls of one link, got {_arrays.shown(torsion[2])}")
        out.append((a, b, moving))
    return out

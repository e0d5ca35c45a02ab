"""Kinematic chains: proteins, polymers, snake robots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom._bare_chain import BareChain
from elbowroom._chain_parts import SideArrays as SideArrays
from elbowroom._chain_parts import SideBalls as SideBalls
from elbowroom._chain_saved import restored as _restored  # noqa: F401  pickles of former releases name it
from elbowroom._exclusion import Exclusion
from elbowroom.pose import Pose

if TYPE_CHECKING:
    import os
    from pathlib import Path
    from typing import Unpack

    from elbowroom._rotamers import Rotamer
    from elbowroom._types import AnyVolume, ExcludeLike, PoseLike, ReadingOptions
    from elbowroom.files.pdb import ChainAtoms
    from elbowroom.torsions import Torsion


class Chain(BareChain):
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
        """A protein, or a strand of DNA or RNA, from a PDB or mmCIF file; needs the extra `protein`.

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
            torsions. Joints 3 i, 3 i + 1 and 3 i + 2 are then phi, psi and omega of residue i. The backbone
            of a nucleic acid is P, O5', C5', C4', C3' and O3'.
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

    def rotate_side(self, torsion: int | Sequence[int], angle: ArrayLike) -> None:
        """Turns side balls: number `torsion` of side.torsions, by `angle`. No other ball moves.

        Several numbers, with as many angles, are turned one after the other, as one change; all must be of
        one link.
        """
        if self.side is None or not len(self.side.torsions):
            raise ValueError("torsion: the chain has no side torsions")
        alone = not isinstance(torsion, (list, tuple, np.ndarray))
        listed = [torsion] if alone else _arrays.listed(torsion, "torsion")
        chosen = [
            self.side.torsions[_arrays.count(k, "torsion", 0, len(self.side.torsions) - 1)] for k in listed
        ]
        angles = np.atleast_1d(_arrays.number(angle, "angle") if alone else _arrays.numbers(angle, "angle"))
        if angles.shape != (len(chosen),):
            raise ValueError(f"angle must be one for each torsion, {len(chosen)}, got shape {angles.shape}")
        axes = np.array([each[:2] for each in chosen], np.int64)
        ends = np.cumsum([len(moving) for _, _, moving in chosen])
        self._rotate_side(axes, np.concatenate([each[2] for each in chosen]).astype(np.int64), ends, angles)

    @property
    def residues(self) -> list[str]:
        """Of a protein with its backbone: the residues in order, such as "A/LEU 31"."""
        from elbowroom.torsions import residues_of

        return list(residues_of(self).labels)

    def torsion(self, chain: str, residue: int | str, name: str) -> Torsion:
        """A torsion of a protein or a nucleic acid by name: its joint and its angle, which can be set.

        Parameters
        ----------
        chain
            Name of the chain in the file.
        residue
            Number of the residue in the file: 31, or "31A" with an insertion code.
        name
            "phi", "psi", "omega", or "chi1" to "chi5" if all atoms were read. Omega is that of the bond to
            the next residue. Of nucleotides "alpha" to "zeta", and "chi" if all atoms were read.
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

        Those that cannot turn are left out: phi of proline, delta of nucleotides (of which the others are
        alpha to zeta), joints across gaps, and joints within a ring that
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
        """Turns a side chain to a rotamer, by name, or to angles of chi1, chi2, ..., as one change."""
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


def _shortest(found: ChainAtoms) -> ExcludeLike:
    """What is excluded, told by how far apart links are as far as possible, which takes less time."""
    if found.side is not None:
        return found.excluded
    rule = Exclusion(-1, found.excluded).folded(len(found.positions))
    return rule.gap, rule.named

"""Bonds between parts of a chain that are far apart along it, and the links that may overlap for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from elbowroom.files.residues import PEPTIDE_BOND, Atom, Residue, apart
from elbowroom.files.side_chains import CARBONYL
from elbowroom.files.structures import Structure, gemmi

#: Sulfurs of two cysteines nearer than this are a disulfide bridge, which has 2.05 angstrom.
BRIDGE = 2.5
#: Sulfurs that one sulfur may be bridged to: one in nature, some more in models that are not refined.
MOST_BRIDGES = 4
#: Room for the rounding of many turns.
TOUCHING = 1e-6


class Ball(NamedTuple):
    """An atom of the chain: its residue, the link it turns with, and whether it is that link."""

    atom: Atom
    residue: Residue
    link: int
    is_link: bool

    @property
    def label(self) -> str:
        """What names it in results."""
        return f"{self.residue.label}/{self.atom.name}"

    @property
    def where(self) -> str:
        """What names it in messages."""
        return f"{self.residue.where}, atom {self.atom.name}"


Bond = tuple[Ball, Ball]
Pair = tuple[int, int]
Floats = NDArray[np.float64]


def cross_linked(balls: Sequence[Ball], structure: Structure) -> set[Pair]:
    """Pairs of links with balls that a cross link brings within three bonds of each other."""
    links = 1 + max(ball.link for ball in balls)
    bonds = (*_bridges(balls), *_declared(balls, structure), *_closing(balls))
    return {
        (min(i, j), max(i, j))
        for a, b in bonds
        if abs(a.link - b.link) > 1  # files also list the peptide bonds of modified residues
        for i, steps in _around(a, links)
        for j, more in _around(b, links)
        if steps + more <= 2
    }


def turned_together(positions: Floats, radii: Floats) -> set[Pair]:
    """Links three apart that touch when the bond between the two in the middle turns them together.

    The bond angles must be sharp for that: at a scale of 0.7, ten of 25,446 pairs in folded proteins can.
    """
    steps = np.diff(positions, axis=0)
    before, bond, after = steps[:-2], steps[1:-1], steps[2:]
    length = np.linalg.norm(bond, axis=1)
    first, last = (np.einsum("ij,ij->i", step, bond) / length for step in (before, after))
    out, back = (
        np.sqrt(np.maximum(np.einsum("ij,ij->i", step, step) - along**2, 0.0))
        for step, along in ((before, first), (after, last))
    )
    nearest = np.hypot(first + length + last, out - back)
    touching = np.flatnonzero(nearest <= (radii[:-3] + radii[3:]) * (1 + TOUCHING))
    return {(int(i), int(i) + 3) for i in touching}


def _bridges(balls: Sequence[Ball]) -> Iterator[Bond]:
    sulfurs = [ball for ball in balls if ball.atom.name == "SG"]
    if sulfurs:
        places = np.array([ball.atom.position for ball in sulfurs])
        # Of sulfurs that are heaped up in one place, each has a few bridges and not one to every other.
        found = cKDTree(places).query(places, k=MOST_BRIDGES + 1, distance_upper_bound=BRIDGE)[1]
        near = ((min(i, j), max(i, j)) for i, row in enumerate(found.tolist()) for j in row)
        pairs = {(i, j) for i, j in near if i != j and j < len(sulfurs)}
        yield from ((sulfurs[i], sulfurs[j]) for i, j in sorted(pairs))


def _declared(balls: Sequence[Ball], structure: Structure) -> Iterator[Bond]:
    """Covalent bonds that the file lists (SSBOND and LINK, or struct_conn), less those to symmetry mates."""
    kinds = (gemmi().ConnectionType.Covale, gemmi().ConnectionType.Disulf)
    known = {(ball.residue.chain, ball.residue.number, ball.atom.name): ball for ball in balls}
    for connection in structure.connections:
        ends = [
            known.get((end.chain_name, str(end.res_id.seqid), end.atom_name))
            for end in (connection.partner1, connection.partner2)
        ]
        if connection.type in kinds and ends[0] and ends[1] and apart(ends[0].atom, ends[1].atom) < BRIDGE:
            yield ends[0], ends[1]


def _closing(balls: Sequence[Ball]) -> Iterator[Bond]:
    """The peptide bond from the last residue of a cyclic peptide to the first."""
    links = [ball for ball in balls if ball.is_link]
    first, last = links[0], links[-1]
    ring = len(links) > 6 and (first.atom.name, last.atom.name) == ("N", "C")
    if ring and apart(first.atom, last.atom) <= PEPTIDE_BOND:
        yield first, last


def _around(ball: Ball, links: int) -> Iterator[tuple[int, int]]:
    """The link of a ball, with its side, and the links at most two bonds from the ball, with that number."""
    near = ball.atom.name in (*CARBONYL, "CB")
    depth = 0 if ball.is_link else 1 if near else 2
    yield ball.link, 0
    for step in (-2, -1, 1, 2):
        if depth + abs(step) <= 2 and 0 <= ball.link + step < links:
            yield ball.link + step, depth + abs(step)

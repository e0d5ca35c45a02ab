"""Bonds between two chains of one file, such as disulfide bridges, and the atoms that they bring near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from elbowroom.files.bonds import guessed_bonds
from elbowroom.files.cross_links import BRIDGE
from elbowroom.files.pdb_writer import element_of
from elbowroom.files.structures import Structure, gemmi

if TYPE_CHECKING:
    from elbowroom.chain import Chain

#: Atoms at most so many bonds apart are not compared.
BONDS_APART = 3


def near_by_bonds(structure: Structure, a: Chain, b: Chain) -> set[tuple[int, int]]:
    """Pairs of balls of a and b that at most three bonds join: sulfurs, and bonds that the file lists."""
    bonds = _bonds(structure, a, b)
    if not bonds:
        return set()
    steps = [_steps(chain, [bond[k] for bond in bonds]) for k, chain in enumerate((a, b))]
    return {
        (i, j)
        for s, t in bonds
        for i, before in steps[0][s].items()
        for j, after in steps[1][t].items()
        if before + 1 + after <= BONDS_APART
    }


def _bonds(structure: Structure, a: Chain, b: Chain) -> list[tuple[int, int]]:
    labels = [{label: ball for ball, label in enumerate(chain.labels or [])} for chain in (a, b)]
    places = [chain.positions(side=True) for chain in (a, b)]
    sulfurs = [[ball for label, ball in names.items() if label.endswith("/SG")] for names in labels]
    found = set()
    if all(sulfurs):
        near = cdist(places[0][sulfurs[0]], places[1][sulfurs[1]]) < BRIDGE
        found = {(sulfurs[0][i], sulfurs[1][j]) for i, j in np.argwhere(near).tolist()}
    covalent = (gemmi().ConnectionType.Covale, gemmi().ConnectionType.Disulf)
    for connection in structure.connections:
        ends = [_label(end) for end in (connection.partner1, connection.partner2)]
        for one, other in (ends, ends[::-1]):
            if connection.type in covalent and one in labels[0] and other in labels[1]:
                i, j = labels[0][one], labels[1][other]
                if np.linalg.norm(places[0][i] - places[1][j]) < BRIDGE:  # not one to a symmetry mate
                    found.add((i, j))
    return sorted(found)


def _label(end: Any) -> str:
    return f"{end.chain_name}/{end.res_id.name} {end.res_id.seqid}/{end.atom_name}"


def _steps(chain: Chain, starts: list[int]) -> dict[int, dict[int, int]]:
    """Of each start: how many bonds lead to the balls at most two bonds away."""
    elements = np.array([element_of(label.rpartition("/")[2]) for label in chain.labels or []])
    bonds: NDArray[np.int32] = guessed_bonds(chain.positions(side=True), elements, None)
    out = {}
    for start in starts:
        steps, ends = {start: 0}, {start}
        for step in (1, 2):
            hit = np.isin(bonds, list(ends))
            ends = set(bonds[hit.any(axis=1)].ravel().tolist()) - steps.keys()
            steps |= dict.fromkeys(ends, step)
        out[start] = steps
    return out

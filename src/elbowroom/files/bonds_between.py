"""Bonds between two chains of one file, such as disulfide bridges, and the atoms that they bring near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.distance import cdist

from elbowroom._bonds import pairs_within
from elbowroom._exclusion import MOST_BONDS
from elbowroom.files.chain_bonds import BRIDGE
from elbowroom.files.structures import Structure, gemmi

if TYPE_CHECKING:
    from elbowroom.chain import Chain


def near_by_bonds(structure: Structure, a: Chain, b: Chain) -> set[tuple[int, int]]:
    """Pairs of balls of a and b that at most three bonds join: sulfurs, and bonds that the file lists."""
    between = _bonds(structure, a, b)
    if not between or a.bonds is None or b.bonds is None:
        return set()
    count = len(a.positions(side=True))
    across = [(i, j + count) for i, j in between]
    bonds = np.concatenate([a.bonds, b.bonds + count, across]).astype(np.int32)
    pairs = pairs_within(bonds, count + len(b.positions(side=True)), MOST_BONDS)
    return {(i, j - count) for i, j in pairs.tolist() if i < count <= j}


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

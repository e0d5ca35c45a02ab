"""What may turn in a chain without tearing its bonds: joints, side torsions and moves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from elbowroom.chain import Chain
from elbowroom.files.amino_acids import SYNONYMS
from elbowroom.files.structures import gemmi

Joints = NDArray[np.int64]
Pair = tuple[int, int]

#: Bonds along the chain that do not turn: omega of a peptide, and delta, which is in the ring of the sugar.
STIFF = {("C", "N"), ("C4'", "C3'")}
#: Joints that a rebridging takes: one is turned, six close the gap.
REBRIDGED = 7
#: Atoms across the chain that are nearer than this are bonded.
BRIDGE = 2.5


def default_moves(chain: Chain) -> dict[str, float]:
    """The weights of the moves of a chain for which none are given; {} if nothing in it may turn.

    Chains without labels are polymers, and have pivots, or crankshafts if they are rings. Proteins have
    torsions, rebridging and, with side chains, side torsions.
    """
    if chain.labels is None:
        return {"crankshaft" if is_ring(chain) else "pivot": 1.0}
    possible = {
        "torsion": (1.0, len(default_joints(chain)) >= 1),
        "rebridge": (0.5, len(default_joints(chain, "rebridge")) >= REBRIDGED),
        "side": (1.0, len(default_torsions(chain)) >= 1),
    }
    return {name: weight for name, (weight, can) in possible.items() if can}


def default_joints(chain: Chain, kind: str = "torsion") -> Joints:
    """The joints that may turn, in order: of a protein phi and psi, else all that have an axis.

    Joints between the ends of a bond across the chain are left out, because it would tear; but a rebridging
    leaves both ends of a ring where they are. In proteins these are left out too: omega, about which peptide
    bonds do not turn; phi of proline and its kin; joints across a break; and those about which nothing turns
    against the rest, as about the first phi. (Sulfurs of disulfide bridges are known if the chain has all
    atoms.) Chains of CA atoms have no phi nor psi: there all joints may turn that are none of these. Of
    nucleic acids it is delta that is left out, as its bond is one of the sugar ring.
    """
    joints = np.flatnonzero(_lengths(chain) > 0)
    fixed = {*chain.breaks, *torn_by_joints(chain, kind)}
    if chain.labels is None:
        return joints[~np.isin(joints, list(fixed))]
    atoms = [_atom(label) for label in chain.labels[: len(chain)]]
    fixed |= {joint for joint, axis in enumerate(pairwise(atoms)) if axis in STIFF}
    fixed |= {
        k
        for k, label in enumerate(chain.labels[: len(chain)])
        if atoms[k] == "N" and _is_proline(_residue(label))
    }
    first, last = _ends(chain)
    free = [joint for joint in joints.tolist() if first <= joint <= last and joint not in fixed]
    return np.array(free, np.int64)


def default_torsions(chain: Chain) -> Joints:
    """The numbers of the side torsions that may turn: all that tear no bond across the chain."""
    if chain.side is None:
        return np.empty(0, np.int64)
    torn = torn_by_torsions(chain)
    return np.array([k for k in range(len(chain.side.torsions)) if k not in torn], np.int64)


def _lengths(chain: Chain) -> NDArray[np.float64]:
    """Of the bonds from link to link."""
    lengths: NDArray[np.float64] = np.linalg.norm(np.diff(chain.positions(), axis=0), axis=1)
    return lengths


def _atom(label: str) -> str:
    return label.rsplit("/", 1)[-1]


def _residue(label: str) -> str:
    """The three letters: "LEU" of "A/LEU 12/CD1"."""
    return label.rsplit("/", 2)[-2].split()[0]


def _is_proline(name: str) -> bool:
    """Proline, or a residue that is a form of it."""
    name = SYNONYMS.get(name, name)
    return name == "PRO" or gemmi().find_tabulated_residue(name).one_letter_code.upper() == "P"


def _ends(chain: Chain) -> tuple[int, int]:
    """The first and the last joint with balls beside its axis on both sides."""
    carrying = np.zeros(len(chain), bool)
    if chain.side is not None:
        carrying[chain.side.owner] = True
    return (0 if carrying[0] else 1), len(chain) - (2 if carrying[-1] else 3)


def is_ring(chain: Chain) -> bool:
    """Does a bond join the last link to the first?"""
    return _closing(chain) in bonds_across(chain)


def _closing(chain: Chain) -> Pair:
    return 0, len(chain) - 1


def torn_by_joints(chain: Chain, kind: str = "torsion") -> dict[int, Pair]:
    """The joints along the chain from one end of a bond across it to the other, and such a bond."""
    link = _link_of_each_ball(chain)
    return {
        joint: (a, b)
        for a, b in bonds_across(chain)
        if kind != "rebridge" or (a, b) != _closing(chain)
        for joint in range(min(link[a], link[b]), max(link[a], link[b]))
    }


def torn_by_torsions(chain: Chain) -> dict[int, Pair]:
    """The side torsions that turn one end of a bond across the chain, and such a bond."""
    torsions = [] if chain.side is None else chain.side.torsions
    turned = {k: set(moving) for k, (_, _, moving) in enumerate(torsions)}
    return {k: (a, b) for a, b in bonds_across(chain) for k in turned if turned[k] & {a, b}}


def _link_of_each_ball(chain: Chain) -> NDArray[np.int64]:
    own = np.arange(len(chain))
    return own if chain.side is None else np.concatenate([own, chain.side.owner])


def torn_by_crankshafts(chain: Chain) -> Pair | None:
    """A bond across the chain that some crankshaft would tear: any but one that closes a ring."""
    return next((bond for bond in bonds_across(chain, beside=True) if bond != _closing(chain)), None)


def bonds_across(chain: Chain, *, beside: bool = False) -> list[Pair]:
    """Pairs of balls that a bond joins across the chain, which a torsion between their links would tear.

    An end on the axis, of a joint between neighbours, stays where it is; with `beside` it counts too, as for
    moves that are not about the bond between the links. In chains that are no proteins lengths tell nothing.
    """
    if chain.labels is None and chain.bonds is None:
        return []
    bonds = np.sort(_bonds_by_length(chain) if chain.bonds is None else chain.bonds, axis=1)
    link = _link_of_each_ball(chain)
    apart = np.abs(link[bonds[:, 0]] - link[bonds[:, 1]])
    sides = bonds >= len(chain)
    across = (apart > 1) | ((apart == 1) & (sides.any(axis=1) if beside else sides.all(axis=1)))
    return [(int(a), int(b)) for a, b in bonds[across].tolist()]


def _bonds_by_length(chain: Chain) -> NDArray[np.int32]:
    """Of a chain saved by a release that kept no bonds: some of the pairs that may overlap are bonded."""
    named, places = chain._rule.named, chain.positions(side=True)
    lengths = np.linalg.norm(places[named[:, 0]] - places[named[:, 1]], axis=1)
    return np.asarray(named[lengths < BRIDGE])

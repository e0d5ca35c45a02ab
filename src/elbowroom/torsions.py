"""Torsions by name: phi, psi, omega and chi1 to chi5 of proteins, alpha to zeta and chi of nucleic acids.

Names and signs are those of IUPAC-IUB [IUPAC1970]_ [IUPAC1983]_: phi is C-N-CA-C, psi N-CA-C-N, omega
CA-C-N-CA with the residue that follows, alpha O3'-P-O5'-C5' with the residue before, and so on along a strand
to zeta; an angle is positive if the atom at the far end is clockwise from the near one.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom._rotamers import Rotamer, rotamers_of
from elbowroom.files.nucleotides import CHI_ENDS, STRAND
from elbowroom.files.residue_bonds import BACKBONE
from elbowroom.files.side_chains import CHI_AXES, parent

if TYPE_CHECKING:
    from elbowroom.chain import Chain

Floats = NDArray[np.float64]
Four = tuple[int, int, int, int]

ALONG, CHI = ("phi", "psi", "omega"), ("chi1", "chi2", "chi3", "chi4", "chi5")
#: The four atoms of torsions along a strand; -1 and +1: of the residue before, and of the next one.
STRAND_TORSIONS = {
    "alpha": "O3'-1 P O5' C5'",
    "beta": "P O5' C5' C4'",
    "gamma": "O5' C5' C4' C3'",
    "delta": "C5' C4' C3' O3'",
    "epsilon": "C4' C3' O3' P+1",
    "zeta": "C3' O3' P+1 O5'+1",
}
NAMES = (*ALONG, *CHI, *STRAND_TORSIONS, "chi")
#: The atom behind the last axis of a side chain; the first of these that the residue has.
ENDS = {
    **dict.fromkeys(("ASP", "ASN"), "OD1"),
    **dict.fromkeys(("GLU", "GLN"), "OE1"),
    **dict.fromkeys(("PHE", "TYR", "TRP", "LEU"), "CD1"),
    **dict.fromkeys(("MET", "MSE"), "CE"),
    **dict.fromkeys(("LYS", "PYL"), "NZ"),
    **{"ARG": "CZ", "CYS": "SG", "HIS": "ND1", "ILE": "CD1 CD", "SEC": "SE", "SER": "OG", "THR": "OG1"},
    "VAL": "CG1",
}


class Residues:
    """The residues of a chain in its order: their names, and the ball of each atom.

    `strand`: whether they are nucleotides.
    """

    def __init__(self, labels: Sequence[str], links: int) -> None:
        self.labels: list[str] = []
        self.atoms: list[dict[str, int]] = []
        place: dict[str, int] = {}
        for ball, label in enumerate(labels):
            residue, slash, atom = label.rpartition("/")
            if not slash or " " not in residue:
                raise ValueError(f"chain: its label {label!r:.80} names no atom of a residue")
            if residue not in place:
                place[residue] = len(self.labels)
                self.labels.append(residue)
                self.atoms.append({})
            self.atoms[place[residue]][atom] = ball
        self.strand = bool(self.atoms) and "C4'" in self.atoms[0]
        along = [[atoms[name] for name in self._links if name in atoms] for atoms in self.atoms]
        whole = [
            len(balls) + (self.strand and "P" not in self.atoms[0] and k == 0)
            for k, balls in enumerate(along)
        ]
        self.is_backbone = [ball for balls in along for ball in balls] == list(range(links)) and set(
            whole
        ) == {len(self._links)}
        self._along = along
        self._places: dict[tuple[str, str], list[int]] = {}
        for k in range(len(self.labels)):
            self._places.setdefault((self.chain(k), self.number(k)), []).append(k)

    @property
    def _links(self) -> tuple[str, ...]:
        return STRAND if self.strand else BACKBONE

    def links(self, k: int) -> tuple[int, int]:
        """The first and the last link of a residue."""
        return self._along[k][0], self._along[k][-1]

    def chain(self, k: int) -> str:
        """Its chain: "A" of "A/LEU 12B"."""
        return self.labels[k].rpartition("/")[0]

    def name(self, k: int) -> str:
        """Its three letters."""
        return self.labels[k].rpartition("/")[2].partition(" ")[0]

    def number(self, k: int) -> str:
        """Its number with the insertion code: "12B"."""
        return self.labels[k].rpartition(" ")[2]

    def find(self, chain: str, residue: int | str) -> int:
        """The place of a residue; a ValueError says which there are."""
        chains = list(dict.fromkeys(self.chain(k) for k in range(len(self.labels))))
        if not isinstance(chain, str) or chain not in chains:
            raise ValueError(
                f"chain: must be {' or '.join(map(repr, chains))}, the name of a chain that was read,"
                f" got {_arrays.shown(chain)}"
            )
        if isinstance(residue, bool) or not isinstance(residue, (int, np.integer, str)):
            raise ValueError(
                f"residue must be a number such as 31, or a text such as '31A', got {_arrays.shown(residue)}"
            )
        found = self._places.get((chain, str(residue)), [])
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(f"residue: {len(found)} residues of chain {chain!r} have the number {residue}")
        own = [k for k in range(len(self.labels)) if self.chain(k) == chain]
        has = f"{self._told(own[0])} to {self._told(own[-1])}"
        raise ValueError(f"residue: {_arrays.shown(residue)} is not in chain {chain!r}, which has {has}")

    def _told(self, k: int) -> str:
        return f"{self.name(k)} {self.number(k)}"


_known: weakref.WeakKeyDictionary[Chain, tuple[list[str], Residues]] = weakref.WeakKeyDictionary()


def residues_of(chain: Chain) -> Residues:
    """Of a chain whose links are N, CA and C; a ValueError for others."""
    labels = chain.labels
    if labels is None:
        raise ValueError("chain: it is no protein that was read from a file: its balls have no names")
    found = _known.get(chain)
    if found is None or found[0] != labels:
        found = _known[chain] = (list(labels), Residues(labels, len(chain)))
    if not found[1].is_backbone:
        raise ValueError(
            "chain: its links are not N, CA and C of each residue, nor P to O3' of nucleotides, so that it"
            " has no torsions by name: read it with atoms='backbone' or atoms='all'"
        )
    return found[1]


class Torsion:
    r"""One torsion of a protein, by name; made by `Chain.torsion`.

    Attributes
    ----------
    chain
        The chain that it belongs to.
    residue, name
        "A/LEU 31" and "phi".
    joint
        The joint of the chain, of phi, psi and omega; of chi None.
    side
        The number of the side torsion, `chain.side.torsions`, of chi; of the others None.
    balls
        The numbers of the four atoms.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import elbowroom as er
    >>> lines = []
    >>> for k, (x, y, z) in enumerate(er.scenes.backbone(9)):
    ...     name = ("N", "CA", "C")[k % 3]
    ...     where = f"{x:8.3f}{y:8.3f}{z:8.3f}"
    ...     lines.append(f"ATOM  {k + 1:5d}  {name:<3} GLY A{k // 3 + 1:4d}    {where}{name[0]:>24}")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "glycines.pdb")
    ...     _ = path.write_text("\n".join(lines))
    ...     chain = er.Chain.from_pdb(path)
    >>> psi = chain.torsion("A", 2, "psi")
    >>> psi.angle = -0.8
    >>> psi
    <Torsion: psi of A/GLY 2, -45.8 degrees, joint 4>
    """

    def __init__(
        self, chain: Chain, residue: str, name: str, balls: Four, joint: int | None, side: int | None
    ) -> None:
        self.chain, self.residue, self.name, self.balls = chain, residue, name, balls
        self.joint, self.side = joint, side

    @property
    def atoms(self) -> tuple[str, ...]:
        """The labels of the four atoms."""
        labels = self.chain.labels or []
        return tuple(labels[ball] for ball in self.balls)

    @property
    def angle(self) -> float:
        """In radians, from -pi to pi. Setting it turns the chain, as one change that undo() takes back."""
        return float(dihedrals(self.chain.positions(side=True), [self.balls])[0])

    @angle.setter
    def angle(self, value: float) -> None:
        self.rotate(_arrays.number(value, "angle") - self.angle)

    @property
    def degrees(self) -> float:
        """The angle in degrees; can be set."""
        return math.degrees(self.angle)

    @degrees.setter
    def degrees(self, value: float) -> None:
        self.angle = math.radians(_arrays.number(value, "degrees"))

    def rotate(self, angle: float) -> None:
        """Turns by so many radians."""
        if self.joint is not None:
            self.chain.rotate(self.joint, angle)
        else:
            assert self.side is not None
            self.chain.rotate_side(self.side, angle)

    def __repr__(self) -> str:
        which = f"joint {self.joint}" if self.joint is not None else f"side torsion {self.side}"
        return f"<Torsion: {self.name} of {self.residue}, {self.degrees:.1f} degrees, {which}>"


@dataclass(frozen=True)
class Found:
    """Where a torsion is: its atoms, and the joint or the side torsion that turns it."""

    balls: Four
    joint: int | None
    side: int | None


def torsion(chain: Chain, k: int, name: str, axes: dict[tuple[int, int], int]) -> Found | str:
    """Of the residue at place k, or why there is none. `axes`: the side torsions by their axes."""
    residues = residues_of(chain)
    if residues.strand != (name in STRAND_TORSIONS or name == "chi"):
        return f"it is of {'a nucleotide' if residues.strand else 'an amino acid'}"
    if residues.strand:
        return _of_base(residues, k, axes) if name == "chi" else _of_strand(residues, k, name, chain.breaks)
    if name in CHI:
        return _chi(residues, k, int(name[3:]) - 1, axes)
    first, breaks = 3 * k, set(chain.breaks)
    if name == "phi":
        if first == 0 or first - 1 in breaks:
            return "no residue is bound to its N"
        return Found((first - 1, first, first + 1, first + 2), first, None)
    if k + 1 == len(residues.labels) or first + 2 in breaks:
        return "no residue is bound to its C"
    start = first if name == "psi" else first + 1
    return Found((start, start + 1, start + 2, start + 3), start + 1, None)


def _of_strand(residues: Residues, k: int, name: str, breaks: Sequence[int]) -> Found | str:
    balls = []
    for atom in STRAND_TORSIONS[name].split():
        step = -1 if atom.endswith("-1") else 1 if atom.endswith("+1") else 0
        there = k + step
        gap = 0 <= there < len(residues.labels) and residues.links(min(k, there))[1] in breaks
        if step and (gap or not 0 <= there < len(residues.labels)):
            return f"no residue is bound to its {STRAND[-1] if step > 0 else STRAND[0]}"
        of, short = residues.atoms[there], atom[:-2] if step else atom
        if short not in of:
            return f"atom {short} was not read"
        balls.append(of[short])
    a, b, c, d = balls
    return Found((a, b, c, d), b, None)


def _of_base(residues: Residues, k: int, axes: dict[tuple[int, int], int]) -> Found | str:
    atoms = residues.atoms[k]
    base = next((name for name in CHI_ENDS if name in atoms), "N9")
    names = ("O4'", "C1'", base, CHI_ENDS[base])
    missing = [name for name in names if name not in atoms]
    if missing:
        return f"atom {missing[0]} was not read"
    a, b, c, d = (atoms[name] for name in names)
    return Found((a, b, c, d), None, axes[b, c]) if (b, c) in axes else "it is in a ring"


def _chi(residues: Residues, k: int, number: int, axes: dict[tuple[int, int], int]) -> Found | str:
    atoms, kind = residues.atoms[k], parent(residues.name(k))
    path = ["N", *CHI_AXES.get(kind, "").split()]
    if number + 2 >= len(path):
        return f"its side chain has {_count(len(path) - 2)}"
    ends = path[number + 3 : number + 4] or ENDS[kind].split()
    names = [*path[number : number + 3], next((end for end in ends if end in atoms), ends[0])]
    missing = [atom for atom in names if atom not in atoms]
    if missing:
        return f"atom {missing[0]} was not read"
    a, b, c, d = (atoms[atom] for atom in names)
    if (b, c) not in axes:
        return "it is in a ring"
    return Found((a, b, c, d), None, axes[b, c])


def _count(torsions: int) -> str:
    return f"only chi1 to chi{torsions}" if torsions > 1 else "only chi1" if torsions == 1 else "none"


def side_axes(chain: Chain) -> dict[tuple[int, int], int]:
    """The numbers of the side torsions by the two balls of their axes."""
    return {} if chain.side is None else {(a, b): k for k, (a, b, _) in enumerate(chain.side.torsions)}


def named(chain: Chain, name: str, residue: int | str, torsion_name: str) -> Torsion:
    """What `Chain.torsion` returns."""
    residues = residues_of(chain)
    _arrays.choice(torsion_name, "name", NAMES)
    k = residues.find(name, residue)
    found = torsion(chain, k, torsion_name, side_axes(chain))
    if isinstance(found, str):
        raise ValueError(f"name: {residues.labels[k]} has no {torsion_name}: {found}")
    return Torsion(chain, residues.labels[k], torsion_name, found.balls, found.joint, found.side)


def angles(chain: Chain, names: Sequence[str]) -> Floats:
    """(residues, names): what `Chain.torsion_angles` returns."""
    residues, axes = residues_of(chain), side_axes(chain)
    if not names:
        raise ValueError("names is empty: give at least one, such as 'phi'")
    for name in names:
        _arrays.choice(name, "names", NAMES)
    found = [[torsion(chain, k, name, axes) for name in names] for k in range(len(residues.labels))]
    out = np.full((len(found), len(names)), np.nan)
    there = [
        (k, j, one.balls) for k, row in enumerate(found) for j, one in enumerate(row) if type(one) is Found
    ]
    if there:
        rows, columns, balls = zip(*there, strict=True)
        out[list(rows), list(columns)] = dihedrals(chain.positions(side=True), balls)
    return out


def dihedrals(positions: Floats, balls: ArrayLike) -> Floats:
    """(k,): the angles of k times four balls, in (-pi, pi]."""
    a, b, c, d = positions[np.asarray(balls, np.int64).reshape(-1, 4)].transpose(1, 0, 2)
    axis = c - b
    first, last = np.cross(b - a, axis), np.cross(axis, d - c)
    along = np.linalg.norm(axis, axis=1) * np.einsum("ij,ij->i", b - a, last)
    found: Floats = np.arctan2(along, np.einsum("ij,ij->i", first, last))
    return found


def rotamers(chain: Chain, name: str, residue: int | str) -> tuple[Rotamer, ...]:
    """What `Chain.rotamers` returns."""
    residues = residues_of(chain)
    return rotamers_of(parent(residues.name(residues.find(name, residue))))


def set_rotamer(chain: Chain, name: str, residue: int | str, rotamer: str | Rotamer | ArrayLike) -> None:
    """What `Chain.set_rotamer` does: all are found before any is turned."""
    known = {each.name: each for each in rotamers(chain, name, residue)}
    if isinstance(rotamer, str):
        if rotamer not in known:
            residues = residues_of(chain)
            label = residues.labels[residues.find(name, residue)]
            has = ", ".join(known) or "none"
            raise ValueError(f"rotamer: {label} has no {rotamer!r:.80}; it has {has}")
        wanted = np.array(known[rotamer].angles)
    else:
        given = rotamer.angles if isinstance(rotamer, Rotamer) else rotamer
        wanted = np.atleast_1d(_arrays.numbers(given, "rotamer"))
    if wanted.ndim != 1 or len(wanted) > len(CHI):
        raise ValueError(f"rotamer must have one angle for each chi, at most {len(CHI)}, got {wanted.shape}")
    turning = [named(chain, name, residue, chi) for chi in CHI[: len(wanted)]]
    sides = [each.side for each in turning if each.side is not None]
    chain.rotate_side(sides, wanted - [each.angle for each in turning])


def joints(chain: Chain, name: str, first: int | str, last: int | str) -> NDArray[np.int64]:
    """What `Chain.joints` returns."""
    from elbowroom.sampling.proteins import default_joints

    begin, end = stretch(residues_of(chain), name, first, last)
    free, residues = default_joints(chain), residues_of(chain)
    return free[(free >= residues.links(begin)[0]) & (free < residues.links(end)[1])]


def stretch(residues: Residues, name: str, first: int | str, last: int | str) -> tuple[int, int]:
    """The places of the first and the last residue."""
    begin, end = residues.find(name, first), residues.find(name, last)
    if begin > end:
        raise ValueError(f"first: {residues.labels[begin]} comes after {residues.labels[end]} in the chain")
    return begin, end

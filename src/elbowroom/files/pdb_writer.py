"""Chains as PDB files: what goes with a trajectory, so that other programs know what its frames show.

A protein keeps the names of its atoms and residues, and has CONECT records for bonds across the chain. Other
chains are beads: one residue BEA for each link, its side balls with it, and CONECT records for all bonds.
Radii stand in the column of the B factor. Atoms come residue by residue, as other programs want them:
`file_order` tells which ball stands where.

>>> import elbowroom as er
>>> from elbowroom.files.pdb_writer import pdb_lines
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0]], radii=0.45)
>>> for line in [line for line in pdb_lines(chain) if not line.startswith("REMARK")]:
...     print(line.rstrip())
HETATM    1  C   BEA A   1       0.000   0.000   0.000  1.00 0.450           C
HETATM    2  C   BEA A   2       1.000   0.000   0.000  1.00 0.450           C
HETATM    3  C   BEA A   3       1.000   1.000   0.000  1.00 0.450           C
CONECT    1    2
CONECT    2    1    3
CONECT    3    2
END
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain as joined
from itertools import groupby, islice, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elbowroom import _writing
from elbowroom.files.radii import VAN_DER_WAALS

if TYPE_CHECKING:
    from elbowroom.chain import Chain

#: Of "A/LEU 12A/CD1": chain, residue, number, insertion code, atom.
LABEL = re.compile(r"(.*)/([^/ ]+) (-?\d+)([^\d/]?)/([^/]+)")
#: CONECT records name atoms by their numbers, and readers take no letters there.
MOST_WITH_BONDS = 99_999
REMARKS = (
    "Written by elbowroom. The column of the B factor holds the radius of each ball.",
    "PyMOL: set connect_mode, 1 before loading beads; alter all, vdw=b; rebuild.",
)


class Columns(NamedTuple):
    """The columns of an atom that hold no numbers of its own: 1 to 6, 13 to 30, and 73 to 78."""

    record: str
    named: str
    end: str


def write_pdb(path: str | os.PathLike[str], chain: Chain) -> None:
    """A chain as it stands, with the names of its balls.

    From 100,000 balls on the numbers of atoms have letters (hybrid-36), which MDAnalysis and PyMOL read, and
    there are no CONECT records: a reader of the trajectory has to be told that bead i is bound to bead i + 1.
    """
    _writing.write_text(path, pdb_lines(chain))


def pdb_lines(chain: Chain) -> Iterator[str]:
    """The lines of a PDB file of a chain."""
    named, order = _named(chain), file_order(chain)
    yield from (f"REMARK   6 {text}\n" for text in REMARKS)
    if named is not None:
        yield from _atom_lines(chain, (_of_label(*named[ball]) for ball in order), order)
        yield from _bond_lines(_across(chain, named), order)
    else:
        yield from _atom_lines(chain, _of_beads(chain, order), order)
        yield from _bond_lines(_between_beads(chain), order)
    yield "END\n"


def file_order(chain: Chain) -> NDArray[np.int64]:
    """The number of the ball at each place in a file: of each residue its links, then its side balls.

    Balls are numbered as in `chain.positions(side=True)`.

    >>> import elbowroom as er
    >>> side = er.SideBalls([0, 1], [[0, 1, 0], [3, 1, 0]], [0.1, 0.1])
    >>> file_order(er.Chain([[0, 0, 0], [3, 0, 0]], 0.5, side=side)).tolist()
    [0, 2, 1, 3]
    """
    links = np.arange(len(chain), dtype=np.int64)
    if chain.side is None:
        return links
    residue: Sequence[int] | NDArray[np.int64] = np.concatenate([links, chain.side.owner])
    if (named := _named(chain)) is not None:
        numbers: dict[tuple[str, ...], int] = {}
        residue = [numbers.setdefault(names[:4], len(numbers)) for names in named]
    return np.argsort(residue, kind="stable").astype(np.int64)


def _named(chain: Chain) -> list[tuple[str, ...]] | None:
    """The parts of the labels of a protein; None if there are none, or they name no atoms."""
    found = [LABEL.fullmatch(label) for label in chain.labels or ()]
    return [match.groups() for match in found if match is not None] if found and all(found) else None


def _of_label(chain: str, residue: str, number: str, insertion: str, atom: str) -> Columns:
    """Names of chains in mmCIF files may be longer than their column; they fit where the segment stands."""
    element, short = element_of(atom), residue if len(residue) <= 4 else residue[:3]
    # Elements of one letter stand in the second column of the name.
    name = atom[:4] if len(element) == 2 or len(atom) > 3 else " " + atom
    segment = chain[:4] if len(chain) > 1 else ""
    of_residue = f"{short:>3} "[:4] + f"{chain[:1] or 'A'}{_wrapped(int(number)):4d}{insertion or ' '}"
    return Columns("ATOM  ", f"{name:<4} {of_residue}   ", f"{segment:<4}{element.upper():>2}")


def element_of(atom: str) -> str:
    """The element of a heavy atom of an amino acid by its name: "CD1" is C, "SE" is Se."""
    letters = re.sub("[^A-Za-z]", "", atom).capitalize()
    known = [letters[:k] for k in (2, 1) if letters[:k] in VAN_DER_WAALS]
    return known[0] if known else "C"


def _of_beads(chain: Chain, order: NDArray[np.int64]) -> Iterator[Columns]:
    """Side balls of one link have names of their own: C1, C2, ..."""
    if chain.side is None:
        return (_bead("C", link) for link in range(len(chain)))
    link = np.concatenate([np.arange(len(chain)), chain.side.owner])[order]
    residues = ((residue, enumerate(balls)) for residue, balls in groupby(link.tolist()))
    return (_bead(f"C{count or ''}", residue) for residue, balls in residues for count, _ in balls)


def _bead(name: str, link: int) -> Columns:
    return Columns("HETATM", f" {name:<3.3} BEA A{(link + 1) % 10_000:4d}    ", "     C")


def _atom_lines(chain: Chain, atoms: Iterable[Columns], order: NDArray[np.int64]) -> Iterator[str]:
    places = chain.positions(side=True)[order]
    side = [] if chain.side is None else [chain.side.radii]
    radii = np.concatenate([chain.radii, *side])[order]
    line = f"%s%s %s{3 * _fitting(places, 8)}  1.00{_fitting(radii, 6)}      %s\n"
    rows = zip(_serials(len(radii)), atoms, places.tolist(), radii.tolist(), strict=True)
    for serial, atom, (x, y, z), radius in rows:
        yield line % (atom.record, serial, atom.named, x, y, z, radius, atom.end)


def _wrapped(number: int) -> int:
    """Residue numbers have four columns and begin again at 0; MDAnalysis counts on."""
    return number if -999 <= number <= 9999 else number % 10_000


def _fitting(values: NDArray[np.float64], width: int) -> str:
    """The form of a number that leaves as many decimals as the columns have room for, at most three."""
    ends = (float(values.min()), float(values.max()))
    forms = [f"%{width}.{decimals}f" for decimals in (3, 2, 1, 0)]
    fits = (form for form in forms if all(len(form % end) <= width for end in ends))
    return next(fits, f"%{width}.{max(width - 7, 0)}e")


def _serials(count: int) -> Iterator[str]:
    """Numbers of atoms from 1 on in five columns: decimal, then hybrid-36, which begins with a letter."""
    digits = "0123456789"
    upper, lower = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
    lettered = (product(letters, *[digits + letters] * 4) for letters in (upper, lower))
    decimal = (f"{number:5d}" for number in range(1, 100_000))
    return islice(joined(decimal, *(map("".join, some) for some in lettered)), count)


def _between_beads(chain: Chain) -> list[tuple[int, int]]:
    """Those that the chain has; else a link with the next one, and a side ball with its link."""
    if chain.bonds is not None:
        return [(int(a), int(b)) for a, b in chain.bonds]
    owner, links = [] if chain.side is None else chain.side.owner.tolist(), len(chain)
    return [(link, link + 1) for link in range(links - 1)] + [
        (link, ball) for ball, link in enumerate(owner, links)
    ]


def _across(chain: Chain, named: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Bonds from residue to residue, but for peptide bonds along the chain."""
    bonds = [] if chain.bonds is None else [(min(pair), max(pair)) for pair in chain.bonds.tolist()]
    along = {(link, link + 1) for link in range(len(chain) - 1)}
    return [(a, b) for a, b in bonds if named[a][:4] != named[b][:4] and (a, b) not in along]


def _bond_lines(bonds: Iterable[tuple[int, int]], order: NDArray[np.int64]) -> Iterator[str]:
    if len(order) > MOST_WITH_BONDS:
        return
    bound: dict[int, set[int]] = {}
    for a, b in bonds:
        bound.setdefault(a, set()).add(b)
        bound.setdefault(b, set()).add(a)
    serial = np.argsort(order) + 1
    for ball in order.tolist():
        ends = sorted(bound.get(ball, ()))
        for first in range(0, len(ends), 4):  # a record has room for four
            numbers = "".join(f"{serial[other]:5d}" for other in ends[first : first + 4])
            yield f"CONECT{serial[ball]:5d}{numbers}\n"

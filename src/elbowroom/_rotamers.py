"""Common rotamers of the amino acids: angles about which side chains are found most of the time.

The angles, in degrees, are the common-atom values of the backbone-independent library of Lovell and others
[Lovell2000]_, in which related rotamers have as many atoms as possible in the same places; all rotamers of
the library are here. A name has a letter for each chi of tetrahedral atoms, p (+60), t (180) or m (-60), and
the angle itself where the next atom is flat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


def _rows(text: str) -> dict[str, tuple[int, ...]]:
    """Each "name angle angle ...", separated by commas."""
    rows = (row.split() for row in text.split(","))
    return {name: tuple(map(int, angles)) for name, *angles in rows}


_PHENYL = _rows("m-85 -65 -85, t80 -177 80, p90 62 90, m-30 -65 -30")

#: In degrees, by residue and name.
DEGREES: dict[str, dict[str, tuple[int, ...]]] = {
    "ARG": _rows(
        "ptp85 62 180 65 85, ptp180 62 180 65 -175, ptt85 62 180 180 85, ptt180 62 180 180 180,"
        "ptt-85 62 180 180 -85, ptm180 62 180 -65 175, ptm-85 62 180 -65 -85, tpp85 -177 65 65 85,"
        "tpp180 -177 65 65 -175, tpt85 -177 65 180 85, tpt180 -177 65 180 180, ttp85 -177 180 65 85,"
        "ttp180 -177 180 65 -175, ttp-105 -177 180 65 -105, ttt85 -177 180 180 85, ttt180 -177 180 180 180,"
        "ttt-85 -177 180 180 -85, ttm105 -177 180 -65 105, ttm180 -177 180 -65 175,"
        "ttm-85 -177 180 -65 -85, mtp85 -67 180 65 85, mtp180 -67 180 65 -175, mtp-105 -67 180 65 -105,"
        "mtt85 -67 180 180 85, mtt180 -67 180 180 180, mtt-85 -67 180 180 -85, mtm105 -67 180 -65 105,"
        "mtm180 -67 180 -65 175, mtm-85 -67 180 -65 -85, mmt85 -62 -68 180 85, mmt180 -62 -68 180 180,"
        "mmt-85 -62 -68 180 -85, mmm180 -62 -68 -65 175, mmm-85 -62 -68 -65 -85"
    ),
    "ASN": _rows(
        "m-20 -65 -20, t30 -177 30, t-20 -174 -20, p30 62 30, m-80 -65 -75, p-10 62 -10, m120 -65 120"
    ),
    "ASP": _rows("m-20 -70 -15, t0 -177 0, p-10 62 -10, p30 62 30, t70 -177 65"),
    "CYS": _rows("m -65, t -177, p 62"),
    "GLN": _rows(
        "mt-30 -67 180 -25, tt0 -177 180 0, mm-40 -65 -65 -40, tp60 -177 65 60, pt20 62 180 20,"
        "mp0 -65 85 0, mm100 -65 -65 100, pm0 70 -75 0, tp-100 -177 65 -100"
    ),
    "GLU": _rows(
        "mt-10 -67 180 -10, tt0 -177 180 0, mm-40 -65 -65 -40, tp10 -177 65 10, mp0 -65 85 0,"
        "pt-20 62 180 -20, pm0 70 -80 0, tm-20 -177 -80 -25"
    ),
    "HIS": _rows(
        "m-70 -65 -70, t60 -177 60, m80 -65 80, m165 -65 165, t-80 -177 -80, p-80 62 -75, t-160 -177 -165,"
        "p80 62 80"
    ),
    "ILE": _rows("mt -65 170, mm -57 -60, pt 62 170, tt -177 165, tp -177 66, pp 62 100, mp -65 100"),
    "LEU": _rows("mt -65 175, tp -177 65, mp -85 65, tt -172 145, pp 62 80"),
    "LYS": _rows(
        "ptpt 62 180 68 180, pttp 62 180 180 65, pttt 62 180 180 180, pttm 62 180 180 -65,"
        "ptmt 62 180 -68 180, tptp -177 68 180 65, tptt -177 68 180 180, tptm -177 68 180 -65,"
        "ttpp -177 180 68 65, ttpt -177 180 68 180, tttp -177 180 180 65, tttt -177 180 180 180,"
        "tttm -177 180 180 -65, ttmt -177 180 -68 180, ttmm -177 180 -68 -65, mptt -90 68 180 180,"
        "mtpp -67 180 68 65, mtpt -67 180 68 180, mttp -67 180 180 65, mttt -67 180 180 180,"
        "mttm -67 180 180 -65, mtmt -67 180 -68 180, mtmm -67 180 -68 -65, mmtp -62 -68 180 65,"
        "mmtt -62 -68 180 180, mmtm -62 -68 180 -65, mmmt -62 -68 -68 180"
    ),
    "MET": _rows(
        "mmm -65 -65 -70, mtp -67 180 75, mtm -67 180 -75, mtt -67 180 180, ttp -177 180 75,"
        "ttm -177 180 -75, tpp -177 65 75, ttt -177 180 180, mmp -65 -65 103, ptm 62 180 -75,"
        "ptp 62 180 75, mmt -65 -65 180, tpt -177 65 180"
    ),
    "PHE": _PHENYL,
    "SER": _rows("p 62, m -65, t -177"),
    "THR": _rows("p 62, m -65, t -175"),
    "TRP": _rows("m95 -65 95, t90 -177 90, t-105 -177 -105, p-90 62 -90, m0 -65 -5, p90 62 90, m-90 -65 -90"),
    "TYR": _PHENYL,
    "VAL": _rows("t 175, m -60, p 63"),
}


DEGREES["MSE"] = DEGREES["MET"]


@dataclass(frozen=True)
class Rotamer:
    """One shape of a side chain: chi1, chi2, ... in radians.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.Rotamer("t", (3.05,))
    Rotamer(name='t', angles=(3.05,))
    """

    name: str
    angles: tuple[float, ...]


def rotamers_of(residue: str) -> tuple[Rotamer, ...]:
    """Those of a residue by its three letters; none of those without a side chain that turns."""
    return tuple(
        Rotamer(name, tuple(math.radians(angle) for angle in angles))
        for name, angles in DEGREES.get(residue, {}).items()
    )

"""Text files that state how many atoms they have, read by MDAnalysis, which makes room for as many first."""

from __future__ import annotations

import os
import re

from elbowroom.files.unpacking import opened, read_limit

#: Where the number is, by how the name of the file ends. \A: a search anywhere else would be slow.
COUNTS: dict[tuple[str, ...], re.Pattern[bytes]] = {
    (".xyz", ".txyz", ".arc"): re.compile(rb"\A[ \t]*(\d+)"),
    (".gro", ".inpcrd", ".restrt", ".rst7"): re.compile(rb"\A[^\n]*\n[ \t]*(\d+)"),
    (".history",): re.compile(rb"\A[^\n]*\n[ \t]*\d+[ \t]+\d+[ \t]+(\d+)"),
    (".psf",): re.compile(rb"(?<!\d)(\d+)[ \t]+!NATOM"),
    (".lammpsdump", ".lammpstrj", ".dump"): re.compile(rb"NUMBER OF ATOMS[ \t\r]*\n[ \t]*(\d+)"),
}
#: How far into a file the number is looked for.
REACH = 1 << 20
#: Topologies of GROMACS state how many copies of a molecule there are, which may be far more than their size.
COPIES = re.compile(rb"^[ \t]*[\w+-]+[ \t]+(\d{6,})[ \t\r]*$", re.MULTILINE)
BYTES_A_COPY = 100


def refuse_overstated(file: str, size: int) -> None:
    """Raises a ValueError if a file, of so many bytes when unpacked, states more atoms than it has bytes."""
    name = os.fspath(file).lower().removesuffix(".gz").removesuffix(".bz2")
    with opened(file) as stream:
        start = stream.read(REACH)
    for endings, pattern in COUNTS.items():
        found = pattern.search(start) if name.endswith(endings) else None
        count = int(found[1][:20]) if found else 0
        if count > size:
            raise ValueError(f"{file}: cannot be read (it states {count:,} atoms, but has {size:,} bytes)")
    if name.endswith((".top", ".itp")):
        copies = sum(int(count[:20]) for count in COPIES.findall(start))
        if copies * BYTES_A_COPY > read_limit():
            raise ValueError(f"{file}: cannot be read (it states {copies:,} copies of its molecules)")

"""Binary trajectories looked over before MDAnalysis opens them: its readers believe the sizes in a file.

A damaged XTC, TRR or DCD file can make them write beyond what they have room for, which ends the process. So
every frame is visited here, by its header alone, and must be as long and as large as its header says.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import BinaryIO

#: What begins a frame of XTC, up to 2 GiB of coordinates and beyond, and a frame of TRR.
XTC_MAGIC, XTC_LARGE, TRR_MAGIC = 1995, 2023, 1993
#: Frames of at most so many atoms are not compressed in XTC.
XTC_PLAIN = 9
#: The numbers of the steps in which XTC counts small differences.
XTC_STEPS = range(9, 73)


def refuse_damaged(file: str) -> None:
    """Raises a ValueError that names the file and the frame, if the frames do not fit."""
    look = {".xtc": _xtc_frame, ".trr": _trr_frame}.get(os.path.splitext(file)[1].lower())
    with open(file, "rb") as held:
        if look is not None:
            _visit(held, file, look)
        elif file.lower().endswith(".dcd"):
            _dcd(held, file)


def _visit(held: BinaryIO, file: str, look: Callable[[BinaryIO], tuple[int, int]]) -> None:
    """Frame after frame. The last may be cut off: what is missing is missed when it is read."""
    size = os.fstat(held.fileno()).st_size
    at, frame, atoms = 0, 0, 0
    while at < size:
        held.seek(at)
        try:
            count, length = look(held)
            if count < 1 or (atoms and count != atoms):
                raise ValueError(f"it has {count} atoms")
        except struct.error:
            return
        except ValueError as error:
            raise ValueError(f"{file}: cannot be read (frame {frame} is damaged: {error})") from None
        at, frame, atoms = held.tell() + length, frame + 1, count


def _integers(held: BinaryIO, count: int, order: str = ">") -> tuple[int, ...]:
    return struct.unpack(f"{order}{count}i", held.read(4 * count))


def _xtc_frame(held: BinaryIO) -> tuple[int, int]:
    """Atoms of the frame that begins here, and bytes from where the file is left to its end."""
    magic, atoms, _ = _integers(held, 3)
    if magic not in (XTC_MAGIC, XTC_LARGE):
        raise ValueError(f"it does not start with the header of XTC: {magic}")
    held.seek(40, os.SEEK_CUR)  # time and box
    again = _integers(held, 1)[0]
    if again != atoms:
        raise ValueError(f"it says {atoms} atoms, then {again}")
    return (atoms, 12 * atoms) if atoms <= XTC_PLAIN else (atoms, _xtc_packed(held, atoms, magic))


def _xtc_packed(held: BinaryIO, atoms: int, magic: int) -> int:
    """Length of what is compressed; the reader has 1.2 times the room of the numbers, less three of them."""
    held.seek(4, os.SEEK_CUR)  # precision
    low, high = _integers(held, 3), _integers(held, 3)
    step = _integers(held, 1)[0]
    length = struct.unpack(">q", held.read(8))[0] if magic == XTC_LARGE else _integers(held, 1)[0]
    if any(a > b for a, b in zip(low, high, strict=True)) or step not in XTC_STEPS:
        raise ValueError("its coordinates have no range")
    if not 0 < length <= 4 * (int(3.6 * atoms) - 3):
        raise ValueError(f"it says that {atoms} atoms take {length} bytes")
    return int(length + 3) // 4 * 4


def _trr_frame(held: BinaryIO) -> tuple[int, int]:
    magic, length = _integers(held, 2)
    if magic != TRR_MAGIC or length != 13 or _integers(held, 1)[0] != 12 or held.read(12) != b"GMX_trn_file":
        raise ValueError("it does not start with the header of TRR")
    sizes = _integers(held, 13)
    *others, box, virial, pressure, topology, symmetry, places, speeds, forces = sizes[:10]
    atoms = sizes[10]
    if any(others) or topology or symmetry or box not in (0, 36, 72):
        raise ValueError("it has unsupported parts")
    wide = 8 if 72 in (box, virial, pressure) or 24 * atoms in (places, speeds, forces) else 4
    if any(part not in (0, 9 * wide) for part in (box, virial, pressure)):
        raise ValueError("its box is of another size")
    if any(part not in (0, 3 * wide * atoms) for part in (places, speeds, forces)):
        raise ValueError(f"it says that {atoms} atoms take {places} bytes")
    return atoms, 2 * wide + box + virial + pressure + places + speeds + forces


def _dcd(held: BinaryIO, file: str) -> None:
    """The header alone: frames all have one length, and MDAnalysis counts those that are whole."""
    try:
        fault = _dcd_fault(held)
    except struct.error:
        fault = "the file ends within its header"
    if fault:
        raise ValueError(f"{file}: cannot be read ({fault})")


def _dcd_fault(held: BinaryIO) -> str:
    size, order = os.fstat(held.fileno()).st_size, "<"
    head = held.read(8)
    if head[:4] == struct.pack(">i", 84):
        order = ">"
    if head != struct.pack(f"{order}i", 84) + b"CORD":
        return "it does not start with the header of DCD"
    numbers = _integers(held, 21, order)
    title = _integers(held, 1, order)[0]
    if numbers[20] != 84 or not 4 <= title <= size or title % 80 != 4:
        return "its header has another length"
    held.seek(title, os.SEEK_CUR)
    end, before, atoms, after = _integers(held, 4, order)
    if (end, before, after) != (title, 4, 4):
        return "its title has another length"
    fixed = numbers[8]
    if not 0 <= fixed < atoms or 12 * (atoms - fixed) > size:
        return f"it says {atoms} atoms, of which {fixed} stand still"
    return ""

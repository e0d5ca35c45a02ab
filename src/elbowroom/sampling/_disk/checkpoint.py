"""Checkpoints: all that a run needs to go on, in one file that is there whole or not at all.

The file holds a magic text, the length of the head, the head in JSON, the states of the samplers, and the
SHA-256 of all that, so that damage is noticed and not sampled from.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elbowroom import _core, _writing

MAGIC = b"elbowroom checkpoint\n"
#: Counts up whenever a file of today could not be read by the program of tomorrow.
LAYOUT = 1
LENGTH = struct.Struct("<Q")
DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True)
class Checkpoint:
    """A moment of a run.

    Attributes
    ----------
    run
        A fingerprint of what was asked.
    step
        Steps that were made.
    frames
        Of each trajectory.
    parts
        Files of observables.
    extra
        What the loop wants to know again: plain data.
    states
        Of each sampler.
    isa, layout
        By which build of the core, and in which form, it was written.
    """

    run: str
    step: int
    frames: list[int]
    parts: int
    extra: dict[str, Any]
    states: list[bytes] = field(repr=False)
    isa: str = _core.isa
    layout: int = LAYOUT


def write(path: Path, checkpoint: Checkpoint) -> None:
    """In place of the one before."""
    head = vars(checkpoint) | {"states": [len(state) for state in checkpoint.states]}
    text = json.dumps(head).encode()  # NaN and infinities come back as they were
    check = hashlib.sha256()
    with _writing.replacing(path) as file:
        for piece in (MAGIC, LENGTH.pack(len(text)), text, *checkpoint.states):
            check.update(piece)
            file.write(piece)
        file.write(check.digest())


def read(path: Path) -> Checkpoint:
    """What was written, or a ValueError that says what is wrong with the file."""
    content = path.read_bytes()
    body, check = content[:-DIGEST], content[-DIGEST:]
    if not content.startswith(MAGIC) or hashlib.sha256(body).digest() != check:
        raise ValueError(f"{path} is damaged: its checksum is wrong")
    start = len(MAGIC) + LENGTH.size
    try:
        end = start + int(LENGTH.unpack(body[len(MAGIC) : start])[0])
        head = json.loads(body[start:end])
        layout = head["layout"]
    except (struct.error, ValueError, TypeError, LookupError, RecursionError):
        raise ValueError(f"{path} is damaged: its header cannot be read") from None
    if layout != LAYOUT:
        raise ValueError(f"{path} has layout {layout!r:.20}; this elbowroom reads layout {LAYOUT} alone")
    if not _is_sound(head, len(body) - end):
        raise ValueError(f"{path} is damaged: its header is wrong")
    return Checkpoint(**head | {"states": _cut(body[end:], head["states"])})


def _is_sound(head: dict[str, Any], rest: int) -> bool:
    """Whether the head has the fields of a checkpoint, each of its type, and fits what follows it."""

    def is_count(value: Any) -> bool:
        return type(value) is int and value >= 0

    def are_counts(value: Any) -> bool:
        return isinstance(value, list) and all(map(is_count, value))

    kinds = {
        "run": lambda value: isinstance(value, str),
        "step": is_count,
        "frames": are_counts,
        "parts": is_count,
        "extra": lambda value: isinstance(value, dict),
        "states": lambda value: are_counts(value) and sum(value) == rest,
        "isa": lambda value: isinstance(value, str),
        "layout": is_count,
    }
    return head.keys() == kinds.keys() and all(right(head[name]) for name, right in kinds.items())


def _cut(content: bytes, lengths: Sequence[int]) -> list[bytes]:
    out, first = [], 0
    for length in lengths:
        out.append(content[first : first + length])
        first += length
    return out


def refuse_other_builds(path: Path, checkpoint: Checkpoint) -> None:
    """Rounding differs between the builds of the core, so that a run goes on with the one it began with."""
    if checkpoint.isa != _core.isa:
        raise ValueError(
            f"{path} was written by the build of the core for {checkpoint.isa}, and this is the one for "
            f"{_core.isa}: set ELBOWROOM_ISA={checkpoint.isa}, or continue where the run began"
        )

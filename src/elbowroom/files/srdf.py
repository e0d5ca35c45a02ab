"""SRDF files: the pairs of links of a robot that need not be compared."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any

from elbowroom.files.opening import read_robot_element

Pair = tuple[str, str]

#: Pairs that `disable_default_collisions` may stand for.
MOST_PAIRS = 1_000_000


def read_srdf(path: str | os.PathLike[str], *, links: Iterable[str] | None = None) -> list[Pair]:
    """Reads the pairs of links that an SRDF file disables, each once, in the order of the file.

    Links of `disable_default_collisions` are disabled against all others, less the pairs of
    `enable_collisions`; the pairs of `disable_collisions` are disabled in any case, as in MoveIt.

    Parameters
    ----------
    path
        Name of the file, compressed by gzip or not.
    links
        Names of all links, which are needed if the file has `disable_default_collisions`.

    Raises
    ------
    ValueError
        If the file is no SRDF, or is a URDF, or a pair lacks a name, or links are needed and were not given.
        Whether the robot has links of these names is not known here.
    """
    root, file = read_robot_element(path, "SRDF"), os.fspath(path)
    if root.find("link") is not None or root.find("joint") is not None:  # an SRDF has them in groups only
        raise ValueError(f"{file}: is a URDF, not an SRDF")
    disabled = _pairs(root, "disable_collisions", file)
    alone = dict.fromkeys(
        _name(element, "link", file) for element in root.iterfind("disable_default_collisions")
    )
    others = dict.fromkeys(links or ())
    if len(alone) * len(others) > MOST_PAIRS:
        raise ValueError(
            f"{file}: disable_default_collisions of {len(alone):,} among {len(others):,} links disables more"
            f" than {MOST_PAIRS:,} pairs"
        )
    if alone and links is None:
        raise ValueError(f"{file}: disable_default_collisions needs links, the names of all links")
    enabled = {frozenset(pair) for pair in _pairs(root, "enable_collisions", file)}
    default = [pair for pair in product(alone, others) if frozenset(pair) not in enabled]
    return _once([*disabled, *default])


def _pairs(root: Any, tag: str, file: str) -> list[Pair]:
    return [(_name(item, "link1", file), _name(item, "link2", file)) for item in root.iterfind(tag)]


def _name(element: Any, attribute: str, file: str) -> str:
    name: str | None = element.get(attribute)
    if not name:
        raise ValueError(f"{file}: line {element.sourceline}: {element.tag} has no {attribute}")
    return name


def _once(pairs: list[Pair]) -> list[Pair]:
    """Without repetitions, whichever way round, and links with themselves, which are never compared."""
    kept: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        if pair[0] != pair[1]:
            kept.setdefault(frozenset(pair), pair)
    return list(kept.values())

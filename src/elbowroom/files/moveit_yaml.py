"""What the YAML files of MoveIt are made of: numbers, vectors, poses; faults name the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom.pose import Pose

Floats = NDArray[np.float64]
Fields = Mapping[str, Any]

#: Nesting of YAML that is read; digits of a number; and how many nodes aliases may add.
DEEPEST, LONGEST_NUMBER, MOST_BY_ALIASES = 100, 400, 100_000


def parse(content: bytes, file: str) -> Fields:
    """The mapping that a YAML file holds."""
    library = yaml()
    loader = getattr(library, "CSafeLoader", library.SafeLoader)  # the one in C is ten times faster
    try:
        _refuse_bombs(library, content, loader)
        held = library.load(content, loader)
    except (library.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ValueError(f"{file}: not YAML: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(held, Mapping):
        found = "nothing" if held is None else f"a {type(held).__name__}"
        raise ValueError(f"{file}: must hold a mapping, but holds {found}")
    return held


def _refuse_bombs(library: Any, content: bytes, loader: Any) -> None:
    """Raises a ValueError for a file that would grow, or go too deep, when it is made into objects.

    The loader in C overflows the stack on deep nesting. Aliases name what was written before, so that a few
    may stand for more than memory holds; so may merge keys. Numbers in base 60 take time by their square.
    """
    depth, sizes = [1], dict[str, int]()  # nodes so far within each collection that is open; of each anchor
    anchors: list[str] = []
    for event in library.parse(content, loader):
        kind, anchor = type(event), getattr(event, "anchor", None) or ""
        if kind is library.AliasEvent:
            depth[-1] += sizes.get(anchor, 1)
        elif kind is library.ScalarEvent:
            depth[-1] += 1
            sizes[anchor] = 1
            plain = event.implicit[0]
            if plain and event.value == "<<":
                raise ValueError("merge keys, <<, are not supported")
            if plain and len(event.value) > LONGEST_NUMBER and event.value[0] in "+-.0123456789":
                raise ValueError(f"a number has more than {LONGEST_NUMBER} digits")
        elif isinstance(event, library.CollectionStartEvent):
            depth.append(1)
            anchors.append(anchor)
            if len(depth) > DEEPEST:
                raise ValueError(f"lists and mappings are nested more than {DEEPEST} deep")
        elif isinstance(event, library.CollectionEndEvent):
            size = depth.pop()
            depth[-1] += size
            sizes[anchors.pop()] = size
        if depth[-1] > len(content) + MOST_BY_ALIASES:
            raise ValueError("its aliases expand to too much data")


def yaml() -> Any:
    """The package PyYAML, or an ImportError that says how to get it."""
    try:
        import yaml
    except ImportError as error:
        raise ImportError(
            "reading scenes and requests needs PyYAML, which is not installed: pip install elbowroom[plan]"
        ) from error
    return yaml


def fields(value: Any, what: str) -> Fields:
    """A mapping; nothing is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a mapping, got {_arrays.shown(value)}")
    return value


def items(value: Any, what: str) -> Sequence[Any]:
    """A list; nothing is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{what} must be a list, got {_arrays.shown(value)}")
    return value


def text(value: Any, what: str) -> str:
    """A name; YAML takes some for numbers."""
    if value is None or isinstance(value, (Mapping, list)) or str(value) == "":
        raise ValueError(f"{what} must be a name, got {_arrays.shown(value)}")
    return str(value)


def number(value: Any, what: str) -> float:
    """A number, also where YAML sees a text: 1e-5 is one, as it has no dot."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise ValueError(f"{what} must be a number, got {_arrays.shown(value)}") from None
    if isinstance(value, bool):
        raise ValueError(f"{what} must be a number, got {value!r}")
    return _arrays.number(value, what)


def numbers(value: Any, what: str, names: str | None = None) -> Floats:
    """Several numbers, as a list or, if they have names, as a mapping; as many as there are names."""
    if isinstance(value, Mapping) and names is not None:
        missing = [name for name in names if name not in value]
        if missing:
            raise ValueError(f"{what} lacks {missing[0]}")
        value = [value[name] for name in names]
    listed = items(value, what)
    if names is not None and len(listed) != len(names):
        raise ValueError(f"{what} must have {len(names)} numbers ({', '.join(names)}), got {len(listed)}")
    return np.array([number(each, f"{what}[{k}]") for k, each in enumerate(listed)], np.float64)


def pose(value: Any, what: str, place: str = "position", turn: str = "orientation") -> Pose:
    """A pose from a position and a quaternion (x, y, z, w); what is left out does not move or turn.

    A quaternion of zeros, which messages have where nobody has set them, does not turn, as in MoveIt.
    """
    held = fields(value, what)
    shift = held.get(place)
    spun = held.get(turn)
    quaternion = np.zeros(4) if spun is None else numbers(spun, f"{what}: {turn}", "xyzw")
    if not quaternion.any():
        quaternion = np.array([0.0, 0.0, 0.0, 1.0])
    _arrays.unit_quaternions(quaternion, f"{what}: {turn}")
    translation = np.zeros(3) if shift is None else numbers(shift, f"{what}: {place}", "xyz")
    return Pose(quaternion[[3, 0, 1, 2]], translation)

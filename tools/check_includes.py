#!/usr/bin/env python3
"""Fails when an include of the C++ code points the wrong way, or when two files define a type of one name.

Prints file:line and the reason, and exits with 1. Run as ``tools/check_includes.py [ROOT]``; ROOT holds core/
and bindings/, and is this checkout if it is not given.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from type_definitions import Unbalanced, definitions

ROOT = Path(__file__).resolve().parent.parent
HEADERS, SOURCES, BINDINGS = "core/include/elbowroom", "core/src", "bindings"
PORTABLE = "portable.hpp"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
#: Headers of the bindings that CMake writes.
GENERATED = {"docs.hpp"}
#: What only the bindings may include.
PYTHON = {"Python.h", "pyconfig.h", "nanobind", "numpy"}

INTERRUPTION, CANCELLATION, LIMITS = "interruption.hpp", "cancellation.hpp", "limits.hpp"
IN_USE, ALL = "in_use.hpp", "elbowroom.hpp"
#: The lowest folders first; each may include those that it names, and the headers beside the folders.
BELOW_QUERIES = {PORTABLE, INTERRUPTION, LIMITS, "math", "volumes", "narrow", "traversal"}
BELOW_MOTION = BELOW_QUERIES | {"trees", "pairings", "queries", "questions", "reference", "bodies"}

#: What a folder may include beside itself. Bodies see each other never, which `_wrong_body` looks after.
SEES: dict[str, set[str]] = {
    PORTABLE: set(),
    LIMITS: set(),
    IN_USE: set(),
    CANCELLATION: set(),
    INTERRUPTION: {PORTABLE, CANCELLATION, IN_USE},
    "math": {PORTABLE},
    "volumes": {PORTABLE, "math"},
    "narrow": {PORTABLE, "math", "volumes"},
    "traversal": {INTERRUPTION},
    "trees": {PORTABLE, INTERRUPTION, LIMITS, "math", "volumes"},
    "pairings": {PORTABLE, INTERRUPTION, "math", "volumes", "trees", "traversal"},
    "queries": BELOW_QUERIES,
    "questions": BELOW_QUERIES | {"queries"},
    "batch": BELOW_QUERIES | {"queries"},
    "reference": BELOW_QUERIES | {"trees", "pairings", "queries", "questions"},
    "bodies": BELOW_MOTION - {"bodies"} | {"batch"},
    "motion": BELOW_MOTION | {"batch"},
    "sampling": BELOW_MOTION,
    "world": BELOW_MOTION | {"batch"},
    ALL: BELOW_MOTION | {"batch", "motion", "sampling", "world"},
}
#: Headers that a GPU compiler must be able to take as they are: standard headers only through portable.hpp.
FOR_THE_GPU = {"math", "volumes", "narrow"}

#: Files of core/src, by the first words of their names: the folder whose rules they keep, and the other words
#: whose bodies and private headers they may include. No two words see each other.
WORDS: dict[str, tuple[str, set[str]]] = {
    "interruption": (INTERRUPTION, set()),
    "precompiled": (PORTABLE, set()),
    "has_avx2": (PORTABLE, set()),
    "bead_tree": ("trees", set()),
    "chain_tree": ("trees", set()),
    "link": ("trees", set()),
    "point_tree": ("trees", set()),
    "memory": ("queries", set()),
    "question": ("questions", set()),
    "result": ("batch", set()),
    "rigid": ("bodies", set()),
    "crowd": ("bodies", set()),
    "chain": ("bodies", {"rigid", "crowd"}),
    "articulated": ("bodies", {"rigid", "chain", "crowd"}),
    "reference": ("reference", {"necklace"}),
    "necklace": ("bodies", {"crowd"}),
    "motion": ("motion", {"rigid", "crowd"}),
    "sampler": ("sampling", {"chain"}),
    "tree": ("trees", set()),
    "world": ("world", {"rigid", "chain"}),
}


def files(root: Path, folder: str) -> list[Path]:
    return sorted(file for file in (root / folder).rglob("*") if file.suffix in (".hpp", ".cpp"))


def violations(root: Path) -> Iterator[str]:
    """One line for each violation: of the includes, in the order of the files, then of the types."""
    for folder, rule in (
        (HEADERS, _wrong_in_header),
        (SOURCES, _wrong_in_source),
        (BINDINGS, _wrong_in_bindings),
    ):
        for file in files(root, folder):
            here = PurePosixPath(file.relative_to(root / folder).as_posix())
            if without := _without_rule(folder, here):
                yield f"{file}:1: {without}"
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                reason = found and rule(root, here, found[2], found[1] == '"' or found[2].endswith(".hpp"))
                if reason:
                    yield f"{file}:{number}: {reason}"
    yield from _defined_twice(root)


def _without_rule(folder: str, here: PurePosixPath) -> str:
    if folder == HEADERS and here.parts[0] not in SEES:
        return f"{here.parts[0]} is not a part of the core that has a rule"
    if folder == SOURCES and not _word(here):
        return f"{here.stem} does not begin with a word that has a rule"
    return ""


def _word(path: PurePosixPath) -> str:
    """The longest of WORDS that the name of a file of core/src begins with, or nothing."""
    return max((word for word in WORDS if f"{path.stem}_".startswith(f"{word}_")), key=len, default="")


def _wrong_in_header(root: Path, here: PurePosixPath, included: str, ours: bool) -> str:
    """What is wrong with an include of a public header of the core, or nothing."""
    there, part = PurePosixPath(included), here.parts[0]
    if there.parts[0] == "elbowroom":
        return _wrong_direction(part, here, PurePosixPath(*there.parts[1:]), set())
    if there.parts[0] in PYTHON:
        return f"the core must not see {included}"
    if ours:
        return f'"{included}" must be named from the root, as "elbowroom/..."'
    if part in FOR_THE_GPU:
        return f"{part} includes <{included}>: standard headers come through {PORTABLE} alone"
    return ""


def _wrong_in_source(root: Path, here: PurePosixPath, included: str, ours: bool) -> str:
    """What is wrong with an include of a file of core/src: public headers, private ones, standard ones."""
    there, word = PurePosixPath(included), _word(here)
    part, others = WORDS[word]
    if there.parts[0] == "elbowroom":
        return _wrong_direction(part, here, PurePosixPath(*there.parts[1:]), others)
    if there.parts[0] in PYTHON:
        return f"the core must not see {included}"
    if not ours:
        return ""
    if there.suffix != ".hpp" or not (root / SOURCES / there.name).is_file() or len(there.parts) > 1:
        return f"{included} is not a header of core/src, nor of elbowroom/..."
    if (other := _word(there)) == word or other in others:
        return ""
    return f"{word} must not see {other} (it sees {', '.join(sorted(others)) or 'nothing else'})"


def _wrong_in_bindings(root: Path, here: PurePosixPath, included: str, ours: bool) -> str:
    """The bindings see all of the core, and each other's headers; what exports a thing is not included."""
    there = PurePosixPath(included)
    if not ours or there.parts[0] in ("elbowroom", *PYTHON, *GENERATED):
        return ""
    if there.suffix != ".hpp" or there.stem.startswith("export_"):
        return f"{included} must not be included: exports.hpp names what it exports"
    if not any((root / folder / included).is_file() for folder in (BINDINGS, SOURCES)):
        return f"{included} is not a header of bindings or core/src, nor of elbowroom/..."
    return ""


def _wrong_direction(source: str, here: PurePosixPath, there: PurePosixPath, others: set[str]) -> str:
    """What is wrong with an include of a public header, by the rules of the folder `source`."""
    target = there.parts[0]
    if source == target == "bodies":
        return _wrong_body(here, there, others)
    if source == target or target in SEES[source]:
        return ""
    if target == "bodies" and there.stem.split("_")[0] in others:
        return ""
    seen = ", ".join(sorted(SEES[source])) or "nothing else"
    return f"{source} must not see {target} (it sees {seen})"


def _wrong_body(here: PurePosixPath, there: PurePosixPath, others: set[str]) -> str:
    """Files of one body share the first word of their names: rigid_body.hpp, rigid_leaves.hpp."""
    own, other = (path.stem.split("_")[0] for path in (here, there))
    return "" if own == other or other in others else f"the body {own} must not see the body {other}"


def _defined_twice(root: Path) -> Iterator[str]:
    """Types of one name and scope in two files: undefined behaviour, as all files are linked into one module.

    A namespace without a name keeps the types of a .cpp file apart.
    """
    first: dict[str, Path] = {}
    for file in (file for folder in (HEADERS, SOURCES, BINDINGS) for file in files(root, folder)):
        try:
            found = definitions(file.read_text(encoding="utf-8"))
        except Unbalanced as error:
            yield f"{file}:{error}"
            continue
        for name, line, unnamed in found:
            other = file if unnamed and file.suffix == ".cpp" else first.setdefault(name, file)
            if other != file:
                yield f"{file}:{line}: {name} is defined in {other.relative_to(root)} as well"


def main(arguments: list[str]) -> int:
    """Print the violations; 1 if there are any, 2 if there is nothing to check."""
    root = Path(arguments[0]) if arguments else ROOT
    for folder in (HEADERS, SOURCES, BINDINGS):
        if not files(root, folder):
            print(f"check_includes: no C++ files in {root / folder}", file=sys.stderr)
            return 2
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

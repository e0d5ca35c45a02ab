#!/usr/bin/env python3
"""Fails when an include in the core points the wrong way: prints file:line and the reason, and exits with 1.

Run as ``tools/check_includes.py [FOLDER]``; FOLDER holds math/, volumes/ and the rest, and is
core/include/elbowroom of this checkout if it is not given.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

CORE = Path(__file__).resolve().parent.parent / "core" / "include" / "elbowroom"
PORTABLE = "portable.hpp"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')

INTERRUPTION = "interruption.hpp"
#: The lowest folders first; each may include those that it names, and the headers beside the folders.
BELOW_QUERIES = {PORTABLE, INTERRUPTION, "math", "volumes", "narrow", "traversal"}
BELOW_MOTION = BELOW_QUERIES | {"trees", "pairings", "queries", "bodies"}

#: What a folder may include beside itself. Bodies see each other never, which `_wrong_body` looks after.
SEES: dict[str, set[str]] = {
    PORTABLE: set(),
    INTERRUPTION: {PORTABLE},
    "math": {PORTABLE},
    "volumes": {PORTABLE, "math"},
    "narrow": {PORTABLE, "math", "volumes"},
    "traversal": {INTERRUPTION},
    "trees": {PORTABLE, INTERRUPTION, "math", "volumes"},
    "pairings": {PORTABLE, INTERRUPTION, "math", "volumes", "trees", "traversal"},
    "queries": BELOW_QUERIES,
    "bodies": BELOW_MOTION - {"bodies"},
    "motion": BELOW_MOTION,
    "sampling": BELOW_MOTION,
}
#: Headers that a GPU compiler must be able to take as they are: standard headers only through portable.hpp.
FOR_THE_GPU = {"math", "volumes", "narrow"}


def violations(core: Path) -> Iterator[str]:
    """One line for each include that points the wrong way, in the order of the files."""
    for file in sorted(core.rglob("*.hpp")):
        here = PurePosixPath(file.relative_to(core).as_posix())
        if here.parts[0] not in SEES:
            yield f"{file}:1: {here.parts[0]} is not a part of the core that has a rule"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            reason = _wrong(here, found[2], quoted=found[1] == '"') if found else ""
            if reason:
                yield f"{file}:{number}: {reason}"


def _wrong(here: PurePosixPath, included: str, *, quoted: bool) -> str:
    """What is wrong with an include, or nothing."""
    there, part = PurePosixPath(included), here.parts[0]
    if there.parts[0] == "elbowroom":
        return _wrong_direction(here, PurePosixPath(*there.parts[1:]))
    if quoted:
        return f'"{included}" must be named from the root, as "elbowroom/..."'
    if part in FOR_THE_GPU:
        return f"{part} includes <{included}>: standard headers come through {PORTABLE} alone"
    return ""


def _wrong_direction(here: PurePosixPath, there: PurePosixPath) -> str:
    source, target = here.parts[0], there.parts[0]
    if source == target == "bodies":
        return _wrong_body(here, there)
    if source == target or target in SEES[source]:
        return ""
    seen = ", ".join(sorted(SEES[source])) or "nothing else"
    return f"{source} must not see {target} (it sees {seen})"


def _wrong_body(here: PurePosixPath, there: PurePosixPath) -> str:
    """Files of one body share the first word of their names: rigid_body.hpp, rigid_leaves.hpp."""
    own, other = (path.stem.split("_")[0] for path in (here, there))
    return "" if own == other else f"the body {own} must not see the body {other}"


def main(arguments: list[str]) -> int:
    """Print the violations; 1 if there are any, 2 if there is nothing to check."""
    core = Path(arguments[0]) if arguments else CORE
    if not any(core.rglob("*.hpp")):
        print(f"check_includes: no headers in {core}", file=sys.stderr)
        return 2
    found = list(violations(core))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

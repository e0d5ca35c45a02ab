"""`elbowroom doctor`: what is installed, what is missing, and whether answers agree with brute force."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import Any

from elbowroom.doctor import CHECKS, Check, Extra, Installation, Package, look_around, self_test

from .complaint import check_file, write_json

SOUND, NOT_SOUND = 0, 1
INDENT = 30 * " "


def examine(json_file: Path | None = None) -> int:
    """Print what was found; 0 if all that is needed is there and every check passes."""
    check_file("--json", json_file)
    found = look_around()
    print("\n".join(_told(found)))
    print("\nself-test against brute force", flush=True)
    checks = []
    for check in self_test():
        checks.append(check)
        print(_row("ok" if check.passed else "WRONG", check.name, check.seen), flush=True)
    verdict = _verdict(found, checks)
    print(f"\n{verdict}")
    write_json(json_file, _facts(found, checks, verdict))
    return SOUND if verdict.startswith("sound") else NOT_SOUND


def _told(found: Installation) -> list[str]:
    """The installation in lines."""
    asked = os.environ.get("ELBOWROOM_ISA")
    chosen = "set by ELBOWROOM_ISA" if asked else "the fastest one here that the processor supports"
    lines = [
        f"elbowroom {found.version}, Python {found.python}, {found.system}",
        f"processor: {found.cores} cores, {'with' if found.has_avx2 else 'without'} AVX2",
        f"core: build '{found.build}', {chosen}",
        "",
        "required packages",
        *(_row(_state(package), package.name, _there(package)) for package in found.needed),
        "",
        "extras",
    ]
    return lines + [_extra(extra) for extra in found.extras]


def _extra(extra: Extra) -> str:
    if extra.complete:
        return _row("ok", extra.name, extra.purpose)
    lacking = [package.name for package in extra.packages if not package.fits]
    rest = fill(f"missing: {', '.join(lacking)}", 80, initial_indent=INDENT, subsequent_indent=INDENT)
    return "\n".join([_row("-", extra.name, extra.purpose), rest, f"{INDENT}{extra.install}"])


def _state(package: Package) -> str:
    if package.found is None:
        return "MISSING"
    return "ok" if package.fits else "OLD"


def _there(package: Package) -> str:
    least = f", needs {package.least} or newer" if package.least and not package.fits else ""
    cure = "" if package.fits else f": pip install --upgrade {package.name}"
    return f"{package.found or 'not installed'}{least}{cure}"


def _row(state: str, name: str, text: str) -> str:
    return f"  {state:<8}{name:<20}{text}".rstrip()


def _verdict(found: Installation, checks: list[Check]) -> str:
    missing = [package.name for package in found.missing]
    wrong = [check.name for check in checks if not check.passed]
    if missing:
        return (
            f"not sound: {', '.join(missing)} missing or too old; pip install --upgrade {' '.join(missing)}"
        )
    if wrong:
        cure = "reinstall elbowroom, and report this if it persists"
        return f"not sound: wrong results for {', '.join(wrong)}; {cure}"
    seconds = sum(check.seconds for check in checks)
    return f"sound: {len(checks)} of {len(CHECKS)} checks agree with brute force, in {seconds:.1f} s"


def _facts(found: Installation, checks: list[Check], verdict: str) -> dict[str, Any]:
    head = verdict.partition(":")[0]
    extras = [
        asdict(extra) | {"complete": extra.complete, "install": extra.install} for extra in found.extras
    ]
    return {"verdict": head, **asdict(found), "extras": extras, "checks": [asdict(each) for each in checks]}

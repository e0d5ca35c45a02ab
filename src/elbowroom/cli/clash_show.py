"""The work of `elbowroom clash`: an assembly in, its clashes out."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path
from typing import Any

from elbowroom.clashes import Clash, Clashes, Filter, find_clashes
from elbowroom.files.assembly import Assembly, read_assembly
from elbowroom.files.assembly_parts import UNITS, unit_named

from .check import near
from .clash import AssemblyOptions, PairOptions, ReportOptions
from .clash_files import as_named, write_issues, write_rows
from .complaint import Complaint, check_file, write_json
from .options import check_input
from .overlaps import plural
from .overwriting import overwriting, write_page
from .patience import Say, patient_display

LISTED = 10  # clashes that are printed; all go into the files
COLUMNS = 80
LENGTH = re.compile(r"\s*([0-9.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z]*)\s*")


def show(
    files: tuple[Path, ...],
    lengths: tuple[str, str | None],
    pairs: PairOptions,
    reading: AssemblyOptions,
    reports: ReportOptions,
) -> int:
    """Print and write what clashes; 0 when nothing does, 1 when anything does."""
    _check(files, lengths, reading, reports)
    only = Filter(pairs.between, [] if pairs.ignore is None else read_pairs(pairs.ignore))
    with patient_display() as say:
        assembly = _read(files, reading, say)
        clearance = _length("--clearance", lengths[0], assembly.unit)
        tolerance = None if lengths[1] is None else _length("--tolerance", lengths[1], assembly.unit)
        found = find_clashes(
            assembly,
            clearance=clearance,
            tolerance=tolerance,
            only=only,
            touching=not pairs.allow_touching,
            said=say,
        )
        _check_patterns(found, pairs)
        _write(assembly, found, reports, say)
    for note in assembly.notes:
        print(f"elbowroom: note: {note}", file=sys.stderr)
    for pattern in found.unused:
        print(f"elbowroom: note: --ignore: no part matches '{pattern}'", file=sys.stderr)
    print("\n".join(lines(assembly, found)))
    write_json(reports.json, facts(assembly, found))
    return int(bool(found))


def _check(
    files: tuple[Path, ...],
    lengths: tuple[str, str | None],
    reading: AssemblyOptions,
    reports: ReportOptions,
) -> None:
    """Complain before the work about what cannot be read or written."""
    if not files:
        raise Complaint("FILES: missing; give an assembly, such as assembly.glb, or a folder of meshes")
    for file in files:
        if not file.is_dir():
            check_input("FILES", file)
    for option, text in zip(("--clearance", "--tolerance"), lengths, strict=True):
        if text is not None:
            _parsed(option, text)
    for option in ("units", "assume"):
        try:
            unit_named(getattr(reading, option), f"--{option}:")
        except ValueError as error:
            raise Complaint(str(error)) from error
    for option in ("html", "csv", "bcf", "json"):
        check_file(f"--{option}", getattr(reports, option))


def _read(files: tuple[Path, ...], reading: AssemblyOptions, say: Say) -> Assembly:
    try:
        return read_assembly(
            list(files), units=reading.units, assume=reading.assume, packages=reading.packages, said=say
        )
    except (ValueError, OSError, ImportError) as error:
        raise Complaint(f"FILES: {error}") from error


def _parsed(option: str, text: str) -> tuple[float, str | None]:
    found = LENGTH.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        value, unit = float(found[1]), unit_named(found[2], option) if found[2] else None
    except ValueError:
        raise Complaint(f"{option}: must be a length such as 0.5, 1mm or 0.2in, got '{text}'") from None
    return value, unit


def _length(option: str, text: str, unit: str | None) -> float:
    """In the unit of the assembly."""
    value, own = _parsed(option, text)
    if own is None:
        return value
    if unit is None:
        raise Complaint(f"{option}: the files state no unit; say with --units what they are in")
    return value * UNITS[own] / UNITS[unit]


def read_pairs(file: Path) -> list[tuple[str, str]]:
    """Pairs of names from a CSV file: its columns a and b if it has a header with these, or its first two."""
    check_input("--ignore", file)
    try:
        with open(file, encoding="utf-8-sig", newline="") as text:
            rows = [row for row in csv.reader(text) if any(cell.strip() for cell in row)]
    except (OSError, ValueError, csv.Error) as error:
        raise Complaint(f"--ignore: cannot read '{file}' ({error})") from error
    first, second = 0, 1
    if rows and {"a", "b"} <= set(rows[0]):
        first, second = rows[0].index("a"), rows[0].index("b")
        rows = rows[1:]
    for row in rows:
        if len(row) <= max(first, second):
            raise Complaint(f"--ignore: '{file}' must have two names in each row, got {row}")
    return [(as_named(row[first]), as_named(row[second])) for row in rows]


def _check_patterns(found: Clashes, pairs: PairOptions) -> None:
    for pattern in pairs.between or ():
        if pattern in found.unused:
            some = ", ".join(found.parts[:5]) + (", ..." if len(found.parts) > 5 else "")
            raise Complaint(f"--between: no part matches '{pattern}'; parts are {some}")


def lines(assembly: Assembly, found: Clashes) -> list[str]:
    """The verdict, the worst clashes, and what to know about them."""
    unit = f" {assembly.unit}" if assembly.unit else ""
    if found:
        out = ["clash: " + ", ".join(f"{many:,} {kind}" for kind, many in found.counts().items())]
    else:
        wish = f" or come nearer than {found.clearance:g}{unit}" if found.clearance else ""
        out = [f"free: no parts overlap, enclose each other{wish}"]
    out += listed(found, unit)
    if len(found.clashes) > LISTED:
        out.append(f"  and {len(found.clashes) - LISTED:,} more; --html, --csv and --json have all")
    if found.open:
        out.append(f"  surfaces: {plural(len(found.open), 'part')} not closed; what is inside is not found")
    left = f", {found.ignored:,} ignored" if found.ignored else ""
    held = f"{plural(len(found.parts), 'part')}, {plural(assembly.triangles, 'triangle')}"
    counted = f"{plural(found.pairs, 'pair')} measured{left}"
    return [*out, f"  {held}; {counted}; tolerance {found.tolerance:.2g}{unit}"]


def listed(found: Clashes, unit: str) -> list[str]:
    """A line for each of the worst clashes, or two if they do not fit into 80 columns."""
    rows = [
        (f"  {clash.kind:8}{clash.a} - {clash.b}", measure(clash, unit), near(found.place(clash)))
        for clash in found.clashes[:LISTED]
    ]
    wide, long = (max((len(row[k]) for row in rows), default=0) for k in (0, 1))
    one = [f"{parts:{wide}}  {length:{long}}  {place}" for parts, length, place in rows]
    if max(map(len, one), default=0) <= COLUMNS:
        return one
    two = [(parts, f"{'':10}{length} {place}".replace("  near", " near")) for parts, length, place in rows]
    return [line for pair in two for line in pair]


def measure(clash: Clash, unit: str) -> str:
    """The gap or the depth, in words."""
    if clash.kind in ("overlap", "inside"):
        return "the same twice" if clash.duplicate else f">= {clash.depth:.4g}{unit} deep"
    return "" if clash.kind == "touch" else f"{clash.gap:.4g}{unit} apart"


def _write(assembly: Assembly, found: Clashes, reports: ReportOptions, say: Say) -> None:
    """The files that were asked for, but for JSON."""
    if reports.csv is not None:
        with overwriting(reports.csv):
            write_rows(reports.csv, found, assembly.unit)
    if reports.bcf is not None:
        say(f"writing {reports.bcf.name}", 0, 0)
        with overwriting(reports.bcf):
            write_issues(reports.bcf, found, assembly)
    if reports.html is not None:
        from elbowroom.pictures.clash_page import clash_page

        say(f"writing {reports.html.name}", 0, 0)
        write_page(
            reports.html,
            clash_page(_title(assembly), found, unit=assembly.unit, facts=_known(assembly, found)),
        )


def _title(assembly: Assembly) -> str:
    files = [Path(file).name for file in assembly.files]
    return f"Clashes in {files[0]}" + (f" and {len(files) - 1} more" if len(files) > 1 else "")


def _known(assembly: Assembly, found: Clashes) -> list[tuple[str, str]]:
    unit = f" {assembly.unit}" if assembly.unit else ""
    known = [("parts", f"{len(found.parts):,}"), ("triangles", f"{assembly.triangles:,}")]
    known += [(kind, f"{many:,}") for kind, many in found.counts().items()] or [("clashes", "none")]
    known += [("clearance", f"{found.clearance:g}{unit}"), ("tolerance", f"{found.tolerance:.2g}{unit}")]
    return known + ([("not closed", f"{len(found.open):,} parts")] if found.open else [])


def facts(assembly: Assembly, found: Clashes) -> dict[str, Any]:
    """The full result."""
    return {
        "verdict": "clash" if found else "free",
        "files": list(assembly.files),
        "unit": assembly.unit,
        "parts": len(found.parts),
        "triangles": assembly.triangles,
        "clearance": found.clearance,
        "tolerance": found.tolerance,
        "pairs": found.pairs,
        "ignored": found.ignored,
        "counts": found.counts(),
        "by_part": found.by_part(),
        "open": list(found.open),
        "notes": list(assembly.notes),
        "clashes": [_fact(clash) for clash in found.clashes],
    }


def _fact(clash: Clash) -> dict[str, Any]:
    return {
        "kind": clash.kind,
        "a": clash.a,
        "b": clash.b,
        "gap": clash.gap,
        "depth": clash.depth,
        "point": clash.point.tolist(),
        "points": None if clash.points is None else clash.points.tolist(),
        "box": clash.box.tolist(),
        "duplicate": clash.duplicate,
    }

"""`elbowroom clash`: its options. The work is in `clash_show`, imported when the command runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

CLASH_EXAMPLE = """Examples:

- `elbowroom clash assembly.glb`
- `elbowroom clash assembly.glb --clearance 1mm --html clashes.html`
- `elbowroom clash plant.3mf --between "pipe*" "beam*" --ignore known.csv --csv found.csv`
- `elbowroom clash parts/ --units mm --clearance 0.5 --json -`"""
SELECTION = Group.create_ordered("Which pairs are compared")
READING = Group.create_ordered("Reading")
REPORTS = Group.create_ordered("Reports")
flag = Parameter(negative=())


@Parameter(name="*", group=SELECTION)
@dataclass(frozen=True)
class PairOptions:
    """Which pairs are compared.

    Parameters
    ----------
    between
        Two patterns, "pipe*" "beam*": compare only parts that match the first with parts that match the
        second. Patterns match names of parts, or of groups above them in the file.
    ignore
        CSV file with pairs that are not compared: two names or patterns in each row. A file from --csv can
        be used.
    allow_touching
        Parts that touch do not clash.
    """

    between: Annotated[tuple[str, str] | None, Parameter(negative=())] = None
    ignore: Path | None = None
    allow_touching: Annotated[bool, flag] = False


@Parameter(name="*", group=READING)
@dataclass(frozen=True)
class AssemblyOptions:
    """How the files are read.

    Parameters
    ----------
    units
        Unit of the report: mm, cm, m, in, ft or um. Files that state a unit are converted, others are taken
        to be in it. Default: the unit of the first file that states one.
    assume
        Unit of the numbers in the files, whatever the files state.
    packages
        Folder of the ROS packages that contain the meshes of robots.
    """

    units: str | None = None
    assume: str | None = None
    packages: Path | None = None


@Parameter(name="*", group=REPORTS)
@dataclass(frozen=True)
class ReportOptions:
    """Where the result goes.

    Parameters
    ----------
    html
        HTML file with a table and a view of each clash, which works offline.
    csv
        CSV file with all clashes.
    bcf
        BCF 2.1 file, for CAD and BIM programs: an issue and a viewpoint for each clash.
    json
        File for the full result; - is stdout.
    """

    html: Path | None = None
    csv: Path | None = None
    bcf: Path | None = None
    json: Path | None = None


def clash(
    *files: Path,
    clearance: str = "0",
    tolerance: str | None = None,
    pairs: PairOptions | None = None,
    reading: AssemblyOptions | None = None,
    reports: ReportOptions | None = None,
) -> int:
    """Find parts of an assembly that overlap, touch, enclose each other, or come too near.

    Exit status: 0 if there are none, 1 if there are, 2 for an error. The depth of an overlap is a lower
    bound: a translation that separates the parts is at least as long. Parts that enclose others are found
    where their surface is closed.

    Parameters
    ----------
    files
        Assembly (GLB, glTF, 3MF, OBJ, STEP, IFC), other meshes, robot (URDF), MoveIt scene (YAML), or folder
        of meshes.
    clearance
        Required gap, with or without a unit: 0.5, 1mm, 0.2in. Parts that are nearer clash.
    tolerance
        Parts touch if their gap or depth is at most this. Default: 1e-6 of the diagonal of the assembly.
    pairs, reading, reports
        Options of the selection, the files and the reports.
    """
    from .clash_show import show

    return show(
        files,
        (clearance, tolerance),
        pairs or PairOptions(),
        reading or AssemblyOptions(),
        reports or ReportOptions(),
    )

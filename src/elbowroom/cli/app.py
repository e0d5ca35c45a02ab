"""Commands and options. Each command's work is in a module of its own, imported when the command runs."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter

from .complaint import Complaint

TOUR_EXAMPLE = """Example: `elbowroom tour --out reports --json figures.json`"""
REPRODUCE_EXAMPLE = """Example: `elbowroom reproduce chaintree --out reports --json figures.json`"""
CHECK_EXAMPLE = """Example: `elbowroom check gripper.stl part.obj --pose-b "0.1 0 0.25" --distance`,
or `elbowroom check 1ubq.pdb --distance`"""

app = App(
    name="elbowroom",
    help="Proximity questions about bodies in space: do they collide, how far apart, how deep.",
    version=lambda: f"elbowroom {version('elbowroom')}",
    help_format="markdown",
    help_epilogue="Example: `elbowroom tour`. Exit status: 0, or 1 for a collision found, or 2 for an error.",
    print_error=False,
    exit_on_error=False,
    result_action="return_value",
)
flag = Parameter(negative=())


def run(arguments: list[str]) -> int:
    """Exit status of the command line; every error is one line on stderr.

    Status 1 says "collision", so no error at all may end in Python's own status 1 for a traceback.
    """
    try:
        return int(app(arguments) or 0)
    except (Complaint, CycloptsError) as error:
        return _complain(str(error))
    except Exception as error:
        return _complain(f"unexpected {type(error).__name__}: {error}")


@app.command(help_epilogue=TOUR_EXAMPLE)
def tour(
    *,
    out: Path = Path("."),
    quick: Annotated[bool, flag] = False,
    json: Path | None = None,
) -> int:
    """Show what this release does on built-in scenes, and write an HTML report with pictures.

    Parameters
    ----------
    out
        Folder of the report, elbowroom-tour.html; made if it is missing.
    quick
        Fewer queries and smaller pictures.
    json
        File for the measured figures.
    """
    from .tour import take_tour

    return take_tour(out, quick=quick, json_file=json)


@app.command(help_epilogue=CHECK_EXAMPLE)
def check(
    a: Path,
    b: Path | None = None,
    /,
    *,
    pose_b: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    distance: Annotated[bool, flag] = False,
    atoms: Literal["all", "backbone", "ca"] = "all",
    chain: str | None = None,
    json: Path | None = None,
) -> int:
    """Say whether two meshes collide, or a protein with itself: status 0 free, 1 collision, 2 an error.

    A mesh is its surface: one that lies wholly inside another without touching it is free. Of a protein,
    van der Waals radii are scaled by 0.7, gaps are bridged, and atoms that hang on the same or on nearby
    backbone atoms are not compared, so a side chain is not held against its own backbone.

    Parameters
    ----------
    a
        Mesh file: OBJ, STL, PLY, OFF or GLB; or a protein: PDB or mmCIF, also gzipped.
    b
        Mesh file of the second body; none for a protein.
    pose_b
        Where b stands: "x y z", or a .npy or .txt file with a 4x4 matrix that maps b to the world.
    distance
        Also measure how far apart they are, and where; of a protein, its two nearest atoms.
    atoms
        Of a protein: all heavy atoms, N, CA and C of the backbone, or CA alone.
    chain
        Of a protein: the name of the chain, if there are several.
    json
        File for the verdict with its witness points and counters.
    """
    from .check import check_files
    from .check_protein import check_protein, is_protein

    if is_protein(a):
        if b is not None or pose_b is not None:
            raise Complaint(f"B: a protein is checked by itself; leave out '{b or '--pose-b'}'")
        return check_protein(a, chain=chain, atoms=atoms, distance=distance, json_file=json)
    if b is None:
        raise Complaint(f"B: give a second mesh file to check '{a}' against")
    return check_files(a, b, pose_b=pose_b, distance=distance, json_file=json)


@app.command(help_epilogue=REPRODUCE_EXAMPLE)
def reproduce(
    paper: str,
    /,
    *,
    full: Annotated[bool, flag] = False,
    out: Path = Path("."),
    json: Path | None = None,
    pdb: Annotated[list[Path] | None, Parameter(consume_multiple=True, negative=())] = None,
    steps: int = 20_000,
    step: float = 10.0,
) -> int:
    """Measure a paper's tables and figures again, and set ours beside the paper's own numbers.

    Parameters
    ----------
    paper
        Which paper: chaintree.
    full
        Every structure takes all of the paper's 20,000 steps, which takes an hour or more.
    out
        Folder of the report, elbowroom-PAPER.html; made if it is missing.
    json
        File for every number.
    pdb
        Protein files (PDB or mmCIF) whose names begin with the paper's four letters, 1SHG, 1B4E or 1LOX, or
        further ones. Proteins without a file are made up.
    steps
        Random steps of each walk; the paper has 20,000.
    step
        Largest torsion of a random step, in degrees; the paper does not say.
    """
    from elbowroom.reproduce import Settings

    from .reproduce import reproduce as measure

    return measure(paper, Settings(full, steps, step, tuple(pdb or ())), out, json)


def _complain(message: str) -> int:
    print("elbowroom: " + " ".join(message.split()), file=sys.stderr)
    return 2

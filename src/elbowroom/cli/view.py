"""`elbowroom view`: its options. The work is in `view_show`, imported when the command runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

VIEW_EXAMPLE = """Example: `elbowroom view`, `elbowroom view --scene arm`, `elbowroom view 1ubq.pdb`,
`elbowroom view folding.dcd protein.psf`, or `elbowroom view arm.urdf --srdf arm.srdf --record arm.html`"""
SERVING = Group.create_ordered("Options of the server")
READING = Group.create_ordered("Options of files")
flag = Parameter(negative=())


@Parameter(name="*", group=SERVING)
@dataclass(frozen=True)
class ServeOptions:
    """Where the server listens.

    Parameters
    ----------
    port
        Port to listen on. If it is taken, the next free port is used; 0 stands for any free port.
    host
        Address or name to listen on. Any that other machines can reach needs --allow-remote.
    allow_remote
        Let other machines connect. They need the printed address too, but what is sent is not encrypted; an
        ssh tunnel is safer and does not need this option.
    """

    port: int = 8080
    host: str = "127.0.0.1"
    allow_remote: Annotated[bool, flag] = False


@Parameter(name="*", group=READING)
@dataclass(frozen=True)
class FileOptions:
    """What some kinds of files take.

    Parameters
    ----------
    srdf
        Of robots: SRDF file with the pairs of links that need not be compared.
    packages
        Of robots: folder with the packages that the meshes are in.
    atoms
        Of proteins: all heavy atoms, N, CA and C of the backbone, or CA alone.
    chain
        Of proteins: the name of the chain, if there are several.
    model
        Of proteins: which model of the file.
    select
        Of trajectories: which atoms, in the words of MDAnalysis, such as "name CA".
    radius
        Of trajectories: one radius for all.
    start
        Of trajectories: the first frame, counted from 0.
    stop
        Of trajectories: the frame before which to end.
    step
        Of trajectories: take every so many frames only.
    """

    srdf: Path | None = None
    packages: Path | None = None
    atoms: Literal["all", "backbone", "ca"] | None = None
    chain: str | None = None
    model: int | None = None
    select: str | None = None
    radius: float | None = None
    start: int | None = None
    stop: int | None = None
    step: int | None = None


def view(
    *files: Path,
    scene: str | None = None,
    record: Path | None = None,
    list_: Annotated[bool, Parameter(name="--list", negative=())] = False,
    json: Path | None = None,
    serving: ServeOptions | None = None,
    reading: FileOptions | None = None,
) -> int:
    """Show bodies in the browser: what collides, what is near, their hierarchies, and what answers cost.

    Sliders set joints, torsions and places, and each change is a new question; what has frames can be played.
    The page is served on this machine only, and only at the printed address, which contains a secret token.
    Whoever has the address can see and change the scene. Nothing is loaded from other machines. Ctrl-C or
    SIGTERM ends the server.

    Parameters
    ----------
    files
        What to show: a protein (PDB, mmCIF), a robot (URDF) and meshes about it, motion capture (BVH), meshes
        alone, or a trajectory (DCD, XTC, NPY, ...) and its topology.
    scene
        A built-in scene instead; --list names them. By default the first.
    record
        Write an HTML file that any browser plays, without a network, and show nothing.
    list_
        Name the built-in scenes, and show nothing.
    json
        File for what is shown, and where; of --list for the scenes; - is stdout.
    serving, reading
        Where it is shown, and how files are read.
    """
    from .view_show import Wanted, show

    return show(
        Wanted(files, scene, record, list_, json), serving or ServeOptions(), reading or FileOptions()
    )

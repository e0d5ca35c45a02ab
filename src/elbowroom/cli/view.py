"""`elbowroom view`: its options. The work is in `view_show`, imported when the command runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

VIEW_EXAMPLE = """Examples:

- `elbowroom view --scene arm`
- `elbowroom view 1ubq.pdb`
- `elbowroom view folding.dcd protein.psf`
- `elbowroom view arm.urdf --srdf arm.srdf --record arm.html`"""
SERVING = Group.create_ordered("Server options")
READING = Group.create_ordered("File options")
flag = Parameter(negative=())


@Parameter(name="*", group=SERVING)
@dataclass(frozen=True)
class ServeOptions:
    """Where the server listens.

    Parameters
    ----------
    port
        Port to listen on. If it is in use, the next free port is used; 0 means any free port.
    host
        Address or name to listen on. One that other machines can reach requires --allow-remote.
    allow_remote
        Allow connections from other machines. They also need the printed address. The connection is not
        encrypted; an ssh tunnel is safer and does not need this option.
    """

    port: int = 8080
    host: str = "127.0.0.1"
    allow_remote: Annotated[bool, flag] = False


@Parameter(name="*", group=READING)
@dataclass(frozen=True)
class FileOptions:
    """Options of single kinds of files.

    Parameters
    ----------
    srdf
        Robots: SRDF file with the pairs of links that are not compared.
    packages
        Robots: folder of the ROS packages that contain the meshes.
    atoms
        Proteins: all heavy atoms; N, CA and C of the backbone; or CA only.
    chain
        Proteins: name of the chain. Required if there are several.
    model
        Proteins: model of the file.
    select
        Trajectories: atom selection in the syntax of MDAnalysis, such as "name CA".
    radius
        Trajectories: radius of all atoms or beads.
    start
        Trajectories: first frame, counted from 0.
    stop
        Trajectories: frame to stop before.
    step
        Trajectories: show every Nth frame only.
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
    """Show bodies in the browser: collisions, close pairs, bounding volumes and the cost of queries.

    Sliders set joints, torsions and positions, and each change runs a new query. Frames can be played. The
    page is served on this machine only, at the printed address, which contains a secret token. Anyone with
    the address can see and change the scene. Nothing is loaded from other machines. Ctrl-C or SIGTERM stops
    the server.

    Parameters
    ----------
    files
        Protein (PDB, mmCIF); robot (URDF) and meshes around it; motion capture (BVH); meshes; or trajectory
        (DCD, XTC, NPY, ...) and its topology.
    scene
        Built-in scene to show instead of files; see --list. Default: the first.
    record
        Write an HTML file that plays in any browser, offline, instead of starting a server.
    list_
        List the built-in scenes and exit.
    json
        File for the title, the address and the results, or the list of scenes; - is stdout.
    serving, reading
        Options of the server and of files.
    """
    from .view_show import Wanted, show

    return show(
        Wanted(files, scene, record, list_, json), serving or ServeOptions(), reading or FileOptions()
    )

"""The options of `elbowroom check` that some kinds of files take and others do not."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file

PROTEINS = Group.create_ordered("Options of proteins")
CLIPS = Group.create_ordered("Options of motion capture")
ROBOTS = Group.create_ordered("Options of robots")
TRAJECTORIES = Group.create_ordered("Options of trajectories")
MOVES = Group.create_ordered("Options of motions and paths of meshes and robots")


@dataclass(frozen=True)
class Wanted:
    """What every kind may be asked for."""

    pose_b: str | None = None
    distance: bool = False
    json: Path | None = None
    plot: Path | None = None


@Parameter(name="*", group=PROTEINS)
@dataclass(frozen=True)
class ProteinOptions:
    """What a protein takes.

    Parameters
    ----------
    atoms
        All heavy atoms, N, CA and C of the backbone, or CA alone.
    chain
        The name of the chain, if there are several.
    """

    atoms: Literal["all", "backbone", "ca"] = "all"
    chain: str | None = None


@Parameter(name="*", group=CLIPS)
@dataclass(frozen=True)
class ClipOptions:
    """What clips take.

    Parameters
    ----------
    begin
        Seconds at which to begin.
    end
        Seconds at which to end.
    stride
        Look at every so many frames only.
    bridge
        So many free frames do not end an interval; also of trajectories, and of the rows of --path.
    radii
        One radius for all bones, or "name=value,name=value" by the joints at which the bones begin.
    radius_scale
        Factor on the radii of all bones, those of --radii too. Also of trajectories, there 0.7 by default if
        radii are van der Waals radii.
    """

    begin: Annotated[float | None, Parameter(name="--from")] = None
    end: Annotated[float | None, Parameter(name="--to")] = None
    stride: Annotated[int, Parameter(name="--every")] = 1
    bridge: int = 3
    radii: str | None = None
    radius_scale: float | None = None


@Parameter(name="*", group=ROBOTS)
@dataclass(frozen=True)
class RobotOptions:
    """What robots take.

    Parameters
    ----------
    srdf
        SRDF file with the pairs of links that need not be compared.
    packages
        Folder with the packages that the meshes are in.
    allow
        Pairs of links that may touch, each as "link,link", besides those of --srdf.
    configuration
        Values of the joints: "joint=0.1,other=0.2", the others at zero, or all of them, "0 0.2 ...".
    path
        .npy, .csv or .txt file of configurations, one a row: tells which rows collide, and what happens
        between them. Text may begin with a row of joint names; joints without a column are at zero. Rows
        count from 0, after that. Of a mesh, poses: x, y, z, qw, qx, qy, qz.
    random
        So many configurations at random within the limits: tells how many collide, which links, and how
        many pairs of links never do. With --plot, the deepest is painted.
    seed
        Seed of --random.
    """

    srdf: Path | None = None
    packages: Path | None = None
    allow: Annotated[tuple[str, ...], Parameter(consume_multiple=True, negative=())] = ()
    configuration: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    path: Path | None = None
    random: int | None = None
    seed: int = 0


@Parameter(name="*", group=TRAJECTORIES)
@dataclass(frozen=True)
class TrajectoryOptions:
    """What trajectories take.

    Parameters
    ----------
    topology
        File with the atoms and their bonds: PSF, TPR, PRMTOP, PDB, GRO, ... Bonds that are not in it are
        guessed from distances in the first frame.
    select
        Which atoms, as MDAnalysis selects them: "protein and not name H*". By default the heavy atoms but
        metals.
    exclude
        Atoms so many bonds apart or less are not compared, by default 3; of an array, beads so many places
        apart along the sequence, by default 1.
    radius
        One radius for all, instead of van der Waals radii. An array needs it, unless it is in an .npz file
        with an array "radii".
    start
        The first frame to look at.
    stop
        The frame to stop before.
    step
        Look at every so many frames only.
    """

    topology: Path | None = None
    select: str | None = None
    exclude: int | None = None
    radius: float | None = None
    start: int | None = None
    stop: int | None = None
    step: int | None = None


@Parameter(name="*", group=MOVES)
@dataclass(frozen=True)
class MoveOptions:
    """What goes with motions and paths.

    Parameters
    ----------
    motion
        From where to where: two poses, "x y z", "x y z qw qx qy qz" or a file, or two configurations of a
        robot. A body goes straight and turns about one axis; the joints of a robot each at its own rate.
    obstacles
        Mesh files of what stands about.
    scene
        YAML file of a planning scene of MoveIt, with what stands about; also in a tar archive, as
        archive.tar.bz2/folder/scene.yaml.
    clearance
        What is nearer than this counts as contact, and the verdict is "too near"; so do links of a robot that
        are compared with each other.
    tolerance
        Share of a motion within which its first contact is told, and what is nearer to one is undecided.
    verify
        Look at every interval of the proof again, by a slow and independent checker.
    rows
        Of a robot: look at the rows of --path alone, not at what is between them.
    """

    motion: Annotated[tuple[str, str] | None, Parameter(allow_leading_hyphen=True, negative=())] = None
    obstacles: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative=())] = ()
    scene: Path | None = None
    clearance: float = 0.0
    tolerance: float = 1e-6
    verify: Annotated[bool, Parameter(negative=())] = False
    rows: Annotated[bool, Parameter(negative=())] = False

    def check(self) -> None:
        """Complain about numbers that make no sense."""
        if not 0 <= self.clearance < float("inf"):
            raise Complaint(f"--clearance: must be a length, 0 or more, got {self.clearance:g}")
        if not 0 < self.tolerance <= 1:
            raise Complaint(f"--tolerance: must be above 0 and at most 1, got {self.tolerance:g}")


def given(options: Any) -> bool:
    """Whether any of these options was."""
    return any(getattr(options, field.name) != field.default for field in fields(options))


def refuse(options: Any, what: str, allowed: tuple[str, ...] = ()) -> None:
    """Complain if any of the options was given: this kind of file does not take them."""
    names = {"begin": "from", "end": "to", "stride": "every"}
    for field in fields(options):
        if field.name not in allowed and getattr(options, field.name) != field.default:
            option = names.get(field.name, field.name).replace("_", "-")
            raise Complaint(f"--{option}: {what} does not take it; leave it out")


def check_input(argument: str, file: Path, hint: str = "") -> None:
    """Complain unless there is such a file."""
    if file.is_dir():
        raise Complaint(f"{argument}: '{file}' is a folder{hint}")
    if not file.is_file():
        raise Complaint(f"{argument}: no such file '{file}'{hint}")


def check_plot(file: Path | None) -> None:
    """Complain unless the picture can be written, before it is made."""
    check_file("--plot", file)
    if file is not None and file.suffix.lower() != ".png":
        raise Complaint(f"--plot: '{file}' must end in .png")

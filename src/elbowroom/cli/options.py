"""The options of `elbowroom check` that some kinds of files take and others do not."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file

PROTEINS = Group.create_ordered("Protein options")
CLIPS = Group.create_ordered("Motion capture options")
ROBOTS = Group.create_ordered("Robot options")
TRAJECTORIES = Group.create_ordered("Trajectory options")
SPREAD = Group.create_ordered("Options for trajectories on many cores or a cluster")
MOVES = Group.create_ordered("Options for motions and paths of meshes and robots")


@dataclass(frozen=True)
class Wanted:
    """Options that every kind of file accepts."""

    pose_b: str | None = None
    distance: bool = False
    json: Path | None = None
    plot: Path | None = None
    html: Path | None = None
    more: tuple[Path, ...] = ()


@Parameter(name="*", group=PROTEINS)
@dataclass(frozen=True)
class ProteinOptions:
    """Options of proteins.

    Parameters
    ----------
    atoms
        All heavy atoms; N, CA and C of the backbone; or CA only.
    chain
        Name of the chain. Required if there are several.
    between
        Two chains, "A B", or groups of chains, "H,L A": check one against the other instead.
    model
        Number of the model in the file; default the first.
    scale
        Factor on the van der Waals radii. At the default, folded proteins are free.
    hydrogens
        Also check the hydrogens that the file has.
    """

    atoms: Literal["all", "backbone", "ca"] = "all"
    chain: str | None = None
    between: Annotated[tuple[str, str] | None, Parameter(negative=())] = None
    model: int | None = None
    scale: float | None = None
    hydrogens: Annotated[bool, Parameter(negative=())] = False


@Parameter(name="*", group=CLIPS)
@dataclass(frozen=True)
class ClipOptions:
    """Options of clips.

    Parameters
    ----------
    begin
        Start time in seconds.
    end
        End time in seconds.
    stride
        Check every Nth frame only.
    bridge
        Contacts separated by at most this many free frames form one interval. Also for trajectories and the
        rows of --path.
    radii
        Radius of all bones, or "name=value,name=value" with the names of the joints where bones begin.
    radius_scale
        Factor on the radii of all bones, including --radii. Also for trajectories; there the default is 0.6
        for van der Waals radii.
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
    """Options of robots.

    Parameters
    ----------
    srdf
        SRDF file with the pairs of links that are not compared.
    packages
        Folder of the ROS packages that contain the meshes.
    allow
        Further pairs of links that are not compared, each as "link,link".
    configuration
        Joint values: "joint=0.1,other=0.2" with all others at zero, or all values, "0 0.2 ...".
    path
        Path as a .npy, .csv or .txt file with one configuration per row. Rows and the motions between them
        are checked. A text file may have a header of joint names; joints without a column are at zero. Rows
        count from 0, without the header. For a mesh, rows are poses: x, y, z, qw, qx, qy, qz.
    random
        Check this many random configurations within the joint limits: how many collide, which links, and how
        many pairs of links never collide. --plot draws the deepest.
    seed
        Seed for --random.
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
    """Options of trajectories.

    Parameters
    ----------
    topology
        Topology file with atoms and bonds: PSF, TPR, PRMTOP, PDB, GRO, ... Missing bonds are those of
        standard amino acids, and are guessed from distances in the first frame for other atoms.
    select
        Atom selection in the syntax of MDAnalysis: "protein and not name H*". Default: heavy atoms without
        metals.
    exclude
        Atoms at most this many bonds apart are not compared; default 3. For an array: beads at most this many
        positions apart in the sequence; default 1.
    radius
        Radius of all atoms or beads, instead of van der Waals radii. Required for an array, unless an .npz
        file has an array "radii".
    start
        First frame to check.
    stop
        Frame to stop before.
    step
        Check every Nth frame only.
    box
        Whether to compare images across the faces of the periodic box of each frame; default: where frames
        have a box.
    between_frames
        Check what happens between the frames instead, with atoms that move linearly from each frame to the
        next: which atoms overlap, and which bonds pass through each other. In a periodic box each atom moves
        to the nearest image.
    """

    topology: Path | None = None
    select: str | None = None
    exclude: int | None = None
    radius: float | None = None
    start: int | None = None
    stop: int | None = None
    step: int | None = None
    box: bool | None = None
    between_frames: Annotated[bool, Parameter(negative=())] = False


@Parameter(name="*", group=SPREAD)
@dataclass(frozen=True)
class SpreadOptions:
    """Options of checks that many processes share.

    Parameters
    ----------
    cluster
        Split the frames over processes: local, or the address of a dask scheduler, tls://host:port or
        tcp://host:port, whose workers see the files under the same paths. A worker reads one part at a time,
        whatever its number of threads.
    out
        Folder for the results as Parquet files: frames, overlaps and atoms. The same command again continues
        after Ctrl-C or a crash.
    workers
        Number of local processes; default one per core.
    tls_ca_file
        CA certificate of a cluster at a tls:// address (PEM).
    tls_cert
        Client certificate for that cluster (PEM).
    tls_key
        Private key of the client certificate (PEM, without a password).
    """

    cluster: str | None = None
    out: Path | None = None
    workers: int | None = None
    tls_ca_file: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None


@Parameter(name="*", group=MOVES)
@dataclass(frozen=True)
class MoveOptions:
    """Options of motions and paths.

    Parameters
    ----------
    motion
        Start and goal: two poses, "x y z", "x y z qw qx qy qz" or a file, or two configurations of a robot. A
        body moves linearly and rotates about a fixed axis; robot joints move linearly.
    obstacles
        Mesh files of obstacles.
    scene
        MoveIt planning scene (YAML) with obstacles. It may be in a tar archive:
        archive.tar.bz2/folder/scene.yaml.
    clearance
        Required distance from obstacles, between meshes, and between links of a robot that are compared. If
        it is violated, the verdict is "too near".
    tolerance
        Accuracy of the time of first contact, as a fraction of the motion. Near contacts that cannot be
        resolved are "undecided".
    verify
        Verify the proof with a slow, independent checker.
    rows
        For robots: check the rows of --path only, not the motions between them.
    """

    motion: Annotated[tuple[str, str] | None, Parameter(allow_leading_hyphen=True, negative=())] = None
    obstacles: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative=())] = ()
    scene: Path | None = None
    clearance: float = 0.0
    tolerance: float = 1e-6
    verify: Annotated[bool, Parameter(negative=())] = False
    rows: Annotated[bool, Parameter(negative=())] = False

    def check(self) -> None:
        """Raise a Complaint for values out of range."""
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
            raise Complaint(f"--{option}: not supported for {what}; remove it")


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

"""`elbowroom check` of a trajectory: in each frame the two beads that are nearest, and all that overlap."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom._looks import Look, Looks, looks_of, necklace_of
from elbowroom.files.trajectory import Trajectory, read_trajectory

from .complaint import Complaint, check_file, write_json
from .options import TrajectoryOptions, Wanted, check_input, check_plot
from .overlaps import Interval, Nearest, Overlaps, intervals
from .overwriting import overwriting
from .patience import Say, patient_display

SUFFIXES = (
    *(".dcd", ".xtc", ".trr", ".nc", ".ncdf", ".h5md", ".trj", ".mdcrd", ".crdbox", ".trz", ".tng", ".gsd"),
    *(".xyz", ".gro", ".arc", ".txyz", ".lammpsdump", ".lammpstrj", ".dump", ".npy", ".npz"),
)
#: Arguments of `read_trajectory` by which its messages begin, and what they are called here.
OPTIONS = {name: f"--{name}" for name in ("topology", "select", "exclude", "radius", "start", "stop", "step")}
OPTIONS["scale"] = "--radius-scale"
OFTEN = 20  # frames after which the display moves


def is_trajectory(file: Path) -> bool:
    """By its name: what MDAnalysis reads and is nothing else, or an array."""
    return _plain(file).endswith(SUFFIXES)


def has_models(file: Path) -> bool:
    """By its name: PDB, which may be a trajectory as well as a protein."""
    return _plain(file).endswith((".pdb", ".ent"))


def _plain(file: Path) -> str:
    return file.name.lower().removesuffix(".gz").removesuffix(".bz2")


@dataclass(frozen=True, eq=False)
class Seen:
    """What all frames have shown."""

    trajectory: Trajectory
    looks: Looks
    intervals: list[Interval]
    compared: int

    def closest(self) -> Nearest:
        """The least gap over all frames."""
        k = int(np.argmin(self.looks.gaps))
        return Nearest(self.trajectory.frames[k], self.names(k), float(self.looks.gaps[k]))

    def names(self, k: int) -> tuple[str, str]:
        """Of the two beads that are closest in frame number k of those that were looked at."""
        i, j = self.looks.pairs[k].tolist()
        return self.trajectory.labels[i], self.trajectory.labels[j]

    @property
    def colliding(self) -> int:
        """In how many frames something overlaps."""
        return int((self.looks.counts > 0).sum())


def check_trajectory(
    file: Path, options: TrajectoryOptions, wanted: Wanted, bridge: int, scale: float | None
) -> int:
    """Print what overlaps; 0 when all frames are free, 1 when any is not."""
    check_outputs(wanted, bridge)
    with overwriting(wanted.plot), patient_display() as say:
        say(f"reading {file.name}", 0, 0)
        seen = _look(read(reading(file, options, scale)), bridge, say)
        if wanted.plot is not None and seen.compared:
            draw(wanted.plot, seen)
    return told(file, options, wanted, seen)


def check_outputs(wanted: Wanted, bridge: int) -> None:
    """Complain before the work about what cannot be written."""
    check_file("--json", wanted.json)
    check_plot(wanted.plot)
    if bridge < 0:
        raise Complaint(f"--bridge: must be at least 0, got {bridge}")


def draw(plot: Path, seen: Seen) -> None:
    """The picture."""
    from .plot_trajectory import write_curves  # brings matplotlib with it

    write_curves(plot, seen)


def told(file: Path, options: TrajectoryOptions, wanted: Wanted, seen: Seen) -> int:
    """Print and write what was seen; the exit status."""
    from .report_trajectory import facts_of, report

    print("\n".join(report(file.name, seen, wanted.distance)))
    write_json(wanted.json, facts_of(file, options, seen))
    return int(seen.colliding > 0)


def reading(file: Path, options: TrajectoryOptions, scale: float | None) -> dict[str, Any]:
    """The arguments of `read_trajectory`, after a look at the files."""
    check_input("A", file)
    if options.topology is not None:
        check_input("--topology", options.topology)
    given = {name: value for name, value in asdict(options).items() if value is not None}
    del given["between_frames"]
    return {"path": file, "scale": scale, **given}


def read(arguments: dict[str, Any]) -> Trajectory:
    """The trajectory, or a complaint that names the option."""
    try:
        return read_trajectory(**arguments)
    except (ValueError, ImportError) as error:
        raise complaint_of(error) from error


def complaint_of(error: Exception) -> Complaint:
    """Names the option by which the argument came."""
    argument, _, rest = str(error).partition(" ")
    option = OPTIONS.get(argument.rstrip(":"))
    return Complaint(f"A: {error}" if option is None else f"{option}: {rest}")


def _look(trajectory: Trajectory, bridge: int, say: Say) -> Seen:
    looks: list[Look] = []
    try:
        necklace = necklace_of(trajectory)
        compared = compared_pairs(necklace)
        for look in looks_of(trajectory, necklace) if compared else ():
            looks.append(look)
            if len(looks) % OFTEN == 0:
                say("frames", len(looks), trajectory.n_frames)
    except ValueError as error:
        raise Complaint(f"A: {where(error, trajectory, len(looks))}") from error
    return seen_of(trajectory, Looks.of(looks), compared, bridge)


def compared_pairs(necklace: er.Necklace) -> int:
    """How many pairs of beads are not excluded."""
    count = len(necklace)
    return count * (count - 1) // 2 - len(necklace.excluded)


def where(error: ValueError, trajectory: Trajectory, done: int) -> str:
    """What the file says of itself begins with its name; what the necklace says is about a frame."""
    told = str(error)
    if not told.startswith(trajectory.file):
        told = f"{trajectory.file}: frame {trajectory.frames[done]}: {told}"
    return f"{told} (--no-box leaves boxes out of account)" if trajectory.periodic and "box" in told else told


def seen_of(trajectory: Trajectory, looks: Looks, compared: int, bridge: int) -> Seen:
    """With the intervals that the overlaps make."""
    found = Overlaps(looks.where, looks.overlaps, looks.depths, looks.counts > 0, {})
    names, frames = (trajectory.labels, trajectory.labels), trajectory.frames
    made = intervals(found, names, bridge, frames.step, frames.start) if len(looks.gaps) else []
    return Seen(trajectory, looks, made, compared)

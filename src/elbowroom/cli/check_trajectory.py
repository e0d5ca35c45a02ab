"""`elbowroom check` of a trajectory: in each frame the two beads that are nearest, and all that overlap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

import elbowroom as er
from elbowroom.files.trajectory import Trajectory, read_trajectory

from .check import counted
from .complaint import Complaint, check_file, write_json
from .options import TrajectoryOptions, Wanted, check_input, check_plot
from .overlaps import Floats, Interval, Nearest, Numbers, Overlaps, intervals
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


class Look(NamedTuple):
    """One frame: the closest gap, negative if there is an overlap; between which beads; all overlaps."""

    gap: float
    pair: tuple[int, int]
    overlaps: Numbers
    depths: Floats
    counters: Counter[str]


@dataclass(frozen=True, eq=False)
class Seen:
    """What all frames have shown."""

    trajectory: Trajectory
    looks: Sequence[Look]
    intervals: list[Interval]
    compared: int

    def closest(self) -> Nearest:
        """The least gap over all frames."""
        k = int(np.argmin([look.gap for look in self.looks]))
        return Nearest(self.trajectory.frames[k], self.names(self.looks[k]), self.looks[k].gap)

    def names(self, look: Look) -> tuple[str, str]:
        """Of the two beads that are closest."""
        i, j = look.pair
        return self.trajectory.labels[i], self.trajectory.labels[j]

    @property
    def colliding(self) -> int:
        """In how many frames something overlaps."""
        return sum(len(look.overlaps) > 0 for look in self.looks)


def check_trajectory(
    file: Path, options: TrajectoryOptions, wanted: Wanted, bridge: int, scale: float | None
) -> int:
    """Print what overlaps; 0 when all frames are free, 1 when any is not."""
    from .report_trajectory import facts_of, report

    check_file("--json", wanted.json)
    check_plot(wanted.plot)
    if bridge < 0:
        raise Complaint(f"--bridge: must be at least 0, got {bridge}")
    with overwriting(wanted.plot), patient_display() as say:
        say(f"reading {file.name}", 0, 0)
        seen = _look(_read(file, options, scale), bridge, say)
        if wanted.plot is not None and seen.compared:
            from .plot_trajectory import write_curves  # brings matplotlib with it

            write_curves(wanted.plot, seen)
    print("\n".join(report(file.name, seen, wanted.distance)))
    write_json(wanted.json, facts_of(file, options, seen))
    return int(seen.colliding > 0)


def _read(file: Path, options: TrajectoryOptions, scale: float | None) -> Trajectory:
    check_input("A", file)
    if options.topology is not None:
        check_input("--topology", options.topology)
    given = {name: value for name, value in asdict(options).items() if value is not None}
    try:
        return read_trajectory(file, scale=scale, **given)
    except (ValueError, ImportError) as error:
        raise _complaint(error) from error


def _complaint(error: Exception) -> Complaint:
    """Names the option by which the argument came."""
    argument, _, rest = str(error).partition(" ")
    option = OPTIONS.get(argument.rstrip(":"))
    return Complaint(f"A: {error}" if option is None else f"{option}: {rest}")


def _look(trajectory: Trajectory, bridge: int, say: Say) -> Seen:
    looks: list[Look] = []
    try:
        box = trajectory.box if trajectory.periodic else None
        necklace = er.Necklace(trajectory.first, trajectory.radii, exclude=trajectory.excluded, box=box)
        count = len(necklace)
        compared = count * (count - 1) // 2 - len(necklace.excluded)
        for positions, edges in trajectory.with_boxes() if compared else ():
            necklace.move(positions, box=edges)
            looks.append(_ask(necklace))
            if len(looks) % OFTEN == 0:
                say("frames", len(looks), trajectory.n_frames)
    except ValueError as error:
        raise Complaint(f"A: {_where(error, trajectory, len(looks))}") from error
    return Seen(trajectory, looks, _intervals(trajectory, looks, bridge), compared)


def _where(error: ValueError, trajectory: Trajectory, done: int) -> str:
    """What the file says of itself begins with its name; what the necklace says is about a frame."""
    told = str(error)
    if not told.startswith(trajectory.file):
        told = f"{trajectory.file}: frame {trajectory.frames[done]}: {told}"
    return f"{told} (--no-box leaves boxes out of account)" if trajectory.periodic and "box" in told else told


def _ask(necklace: er.Necklace) -> Look:
    """Overlaps are asked for only where there are any: the distance is then 0."""
    nearest = er.self_distance(necklace)
    counters = Counter(counted(nearest))
    i, j = (int(k) for k in nearest.pair)
    if nearest.value > 0:
        return Look(nearest.value, (i, j), np.empty((0, 2), np.int64), np.empty(0), counters)
    found = er.self_collide(necklace, every=True, depth=True)
    assert found.contacts is not None
    depths = found.contacts.depths
    i, j = (int(k) for k in found.pairs[int(np.argmax(depths))])
    pairs = np.asarray(found.pairs, np.int64)
    return Look(-float(depths.max()), (i, j), pairs, depths, counters + Counter(counted(found)))


def _intervals(trajectory: Trajectory, looks: Sequence[Look], bridge: int) -> list[Interval]:
    if not looks:
        return []
    hits = np.array([len(look.overlaps) for look in looks])
    found = Overlaps(
        frames=np.repeat(np.arange(len(looks)), hits),
        pairs=np.concatenate([look.overlaps for look in looks]),
        depths=np.concatenate([look.depths for look in looks]),
        hits=hits > 0,
        counters={},
    )
    names, frames = (trajectory.labels, trajectory.labels), trajectory.frames
    return intervals(found, names, bridge, frames.step, frames.start)

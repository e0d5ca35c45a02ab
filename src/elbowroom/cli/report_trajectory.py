"""What `elbowroom check` says about a trajectory: lines to print, and facts to write."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import Any

from elbowroom._looks import COUNTERS

from .check_trajectory import Seen
from .options import TrajectoryOptions
from .overlaps import Interval, deepest_of, listing, plural, span


def report(name: str, seen: Seen, frames: bool) -> list[str]:
    """The verdict, the overlaps, every frame if that was asked for, and what was compared with what."""
    shown = sorted(seen.intervals, key=lambda each: (each.first, -each.depth))
    kinds = f"{_kind(seen)}s"
    head = ("frames", kinds, "depth", "at frame")
    lines = [_verdict(name, seen), *listing([_row(each) for each in shown], head=head)]
    if frames and len(seen.looks.gaps):
        rows = [_frame(seen, k) for k in range(len(seen.looks.gaps))]
        lines += listing(rows, len(rows), ("frame", f"closest {kinds}", "gap", "overlaps"))
    if seen.compared:
        lines.append(f"compared: {_compared(seen)}")
    return [*lines, *(fill(f"note: {note}", 80, subsequent_indent="  ") for note in seen.trajectory.notes)]


def _verdict(name: str, seen: Seen) -> str:
    if not seen.compared:
        return f"nothing is compared: all pairs of {_beads(seen)} of {name} are excluded"
    where, kind = _frames(seen), _kind(seen)
    if not seen.intervals:
        near = seen.closest()
        closest = f"closest: {_two(near.names)}, {near.distance:.4g} apart in frame {near.frame}"
        return f"free: no two {kind}s of {name} overlap in {where}\n  {closest}"
    deepest = deepest_of(seen.intervals)
    many = plural(len(seen.intervals), "interval")
    return (
        f"collision: {kind}s of {name} overlap in {seen.colliding} of {where}\n"
        f"  {many}, deepest: {_two(deepest.names)}, {deepest.depth:.4g} in frame {deepest.deepest}"
    )


def _frames(seen: Seen) -> str:
    frames = seen.trajectory.frames
    sparse = f", every {frames.step}" if frames.step > 1 and len(frames) > 1 else ""
    part = f" ({frames[0]} to {frames[-1]}{sparse})" if frames[0] or sparse else ""
    return plural(len(frames), "frame") + part


def _row(each: Interval) -> tuple[str, ...]:
    return span(each.first, each.last), ", ".join(each.names), f"{each.depth:.4g}", str(each.deepest)


def _frame(seen: Seen, k: int) -> tuple[str, ...]:
    """A gap below 0 is the depth of the deepest overlap."""
    number, gap, count = seen.trajectory.frames[k], seen.looks.gaps[k], seen.looks.counts[k]
    return str(number), ", ".join(seen.names(k)), f"{gap:.4g}", str(count)


def _compared(seen: Seen) -> str:
    """Which beads, their radii, and which pairs are excluded."""
    trajectory = seen.trajectory
    thin, thick = float(trajectory.radii.min()), float(trajectory.radii.max())
    radii = f"of radius {thick:.4g}" if thin == thick else f"of radii {thin:.4g} to {thick:.4g}"
    boxed = ""
    if trajectory.periodic and trajectory.box is not None:
        sides = " x ".join(f"{side:.4g}" for side in trajectory.box[:3])
        boxed = f",\n  in a periodic box, {sides} in frame {trajectory.frames[0]}"
    if not trajectory.exclude:
        return f"all pairs of {_beads(seen)} {radii}{boxed}"
    if isinstance(trajectory.excluded, int):
        apart = f"{plural(trajectory.exclude, 'position')} apart in the sequence"
    else:
        apart = f"{plural(trajectory.exclude, 'bond')} apart\n  ({trajectory.bonds})"
    return f"{_beads(seen)} {radii},\n  pairs more than {apart}{boxed}"


def _kind(seen: Seen) -> str:
    return "bead" if isinstance(seen.trajectory.excluded, int) else "atom"


def _beads(seen: Seen) -> str:
    return plural(len(seen.trajectory.radii), _kind(seen))


def _two(names: tuple[str, str]) -> str:
    return f"{names[0]} and {names[1]}"


def facts_of(file: Path, options: TrajectoryOptions, seen: Seen) -> dict[str, Any]:
    """All that was found, frame by frame."""
    trajectory, frames = seen.trajectory, seen.trajectory.frames
    return {
        "verdict": _verdict(file.name, seen).partition(":")[0],
        "file": str(file),
        "topology": None if options.topology is None else str(options.topology),
        "select": options.select,
        "beads": len(trajectory.radii),
        "dimension": trajectory.dimension,
        "radii": {"least": float(trajectory.radii.min()), "largest": float(trajectory.radii.max())},
        "exclude": trajectory.exclude,
        "bonds": trajectory.bonds,
        "pairs_compared": seen.compared,
        "box": trajectory.box,
        "periodic": trajectory.periodic,
        "notes": list(trajectory.notes),
        "frames": {"first": frames[0], "last": frames[-1], "step": frames.step},
        "frames_looked_at": len(seen.looks.gaps),
        "frames_colliding": seen.colliding,
        "closest": asdict(seen.closest()) if len(seen.looks.gaps) else None,
        "intervals": [_told(each) for each in seen.intervals],
        "by_frame": [_look(seen, k) for k in range(len(seen.looks.gaps))],
        "counters": dict(zip(COUNTERS, seen.looks.counters.tolist(), strict=True)),
    }


def _told(each: Interval) -> dict[str, Any]:
    return {
        "beads": list(each.names),
        "first_frame": each.first,
        "last_frame": each.last,
        "deepest_frame": each.deepest,
        "depth": each.depth,
    }


def _look(seen: Seen, k: int) -> dict[str, Any]:
    """A gap below 0 is the depth of the deepest overlap."""
    return {
        "frame": seen.trajectory.frames[k],
        "gap": float(seen.looks.gaps[k]),
        "closest": list(seen.names(k)),
        "overlaps": int(seen.looks.counts[k]),
    }

"""`elbowroom check` of motion capture: when a figure runs into itself, or two into each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import elbowroom as er

from .clips import Clip, common_frames, read_clip
from .complaint import check_file, write_json
from .options import ClipOptions, Wanted, check_plot
from .overlaps import (
    Interval,
    Nearest,
    Overlaps,
    compared,
    deepest_of,
    gather,
    intervals,
    listing,
    nearest,
    nothing_compared,
    plural,
    span,
)
from .overwriting import overwriting
from .patience import Say, patient_display


def is_clip(file: Path) -> bool:
    """By its name: BVH, also gzipped."""
    return file.name.lower().removesuffix(".gz").endswith(".bvh")


@dataclass(frozen=True, eq=False)
class Seen:
    """What one or two clips have shown in the frames that were looked at."""

    clips: Sequence[Clip]
    frames: range
    overlaps: Overlaps
    intervals: list[Interval]
    nearest: Nearest | None

    def time(self, frame: int) -> float:
        """Seconds from the start of the file."""
        return frame * self.clips[0].frame_time

    def worst(self) -> int:
        """The frame of the deepest overlap or, if there is none, of the least distance that is known."""
        if self.intervals:
            return deepest_of(self.intervals).deepest
        return self.frames[0] if self.nearest is None else self.nearest.frame

    @property
    def asked(self) -> bool:
        """Whether any two bones are compared, as those of two figures always are."""
        return len(self.clips) == 2 or len(compared(self.clips[0].body)) > 0

    @property
    def colliding(self) -> int:
        """In how many frames something overlaps."""
        return int(self.overlaps.hits.sum())


def check_clips(a: Path, b: Path | None, options: ClipOptions, wanted: Wanted) -> int:
    """Print the intervals; 0 when the figures are free throughout, 1 when they are not."""
    check_file("--json", wanted.json)
    check_plot(wanted.plot)
    with overwriting(wanted.plot), patient_display() as say:
        seen = _look(a, b, options, wanted.distance or b is not None, say)
        if wanted.plot is not None:
            say("drawing", 0, 0)
            _paint(wanted.plot, seen)
    head = ("time (s)", "frames", "bones" if b is None else "bones of A, B", "depth", "at frame")
    print("\n".join([_verdict(seen), *listing([_row(seen, each) for each in seen.intervals], head=head)]))
    write_json(wanted.json, _facts(seen))
    return int(bool(seen.intervals))


def _look(a: Path, b: Path | None, options: ClipOptions, distance: bool, say: Say) -> Seen:
    """Read the clips and ask about all frames."""
    clips = []
    for argument, file in zip("AB", [a] if b is None else [a, b], strict=False):
        say(f"reading {file.name}", 0, 0)
        clips.append(read_clip(argument, file, options))
    frames = common_frames(clips, options)
    names = clips[0].body.link_names, clips[-1].body.link_names
    found = gather(lambda part: _overlaps(clips, frames[part]), len(frames), partial(say, "overlaps"))
    runs = intervals(found, names, options.bridge, frames.step, frames.start)
    near = None
    if distance and not runs:
        tick = partial(say, "distance")
        near = nearest(lambda part: _distances(clips, frames[part]), len(frames), tick, names)
        near = near and Nearest(frames[near.frame], near.names, near.distance)
    return Seen(clips, frames, found, runs, near)


def _overlaps(clips: Sequence[Clip], frames: range) -> Any:
    bodies = _moved(clips, frames)
    if len(bodies) == 1:
        return er.self_collide(bodies[0], every=True, depth=True)
    return er.collide(bodies[0], bodies[1], every=True, depth=True)


def _distances(clips: Sequence[Clip], frames: range) -> Any:
    bodies = _moved(clips, frames)
    return er.self_distance(bodies[0]) if len(bodies) == 1 else er.distance(bodies[0], bodies[1])


def _moved(clips: Sequence[Clip], frames: range) -> list[er.Articulated]:
    for clip in clips:
        clip.body.move(clip.motion[frames.start : frames.stop : frames.step])
    return [clip.body for clip in clips]


def _paint(file: Path, seen: Seen) -> None:
    """The figures when they are deepest in each other or, if never, nearest."""
    from .plot import Y_UP, Scene, Timeline, write_picture  # brings matplotlib with it

    frame = seen.worst()
    only = range(frame, frame + 1)
    found, near = _overlaps(seen.clips, only), None
    if seen.nearest is not None:
        near = _distances(seen.clips, only).points[0]
    bodies = [clip.body for clip in seen.clips]
    for clip in seen.clips:
        clip.body.move(clip.motion[frame])
    names = " (blue, named first) and ".join(clip.name for clip in seen.clips)
    span = (seen.time(seen.frames[0]), seen.time(seen.frames[-1]))
    timeline = Timeline(seen.intervals, span, seen.time(frame), "time in s", seen.clips[0].frame_time)
    scene = Scene(bodies, found, f"{names} at {seen.time(frame):.2f} s", Y_UP, nearest=near)
    write_picture(file, scene, timeline)


def _verdict(seen: Seen) -> str:
    """The number of intervals and frames, or the closest approach."""
    names = " and ".join(clip.name for clip in seen.clips)
    two = len(seen.clips) == 2
    if not seen.asked:
        return nothing_compared(names, seen.clips[0].body, "joint", "bones")
    looked = f"{plural(len(seen.frames), 'frame')}, {_span(seen)}{_shortened(seen)}"
    if seen.intervals:
        deepest = deepest_of(seen.intervals)
        many = plural(len(seen.intervals), "interval")
        what = f"{names} touch in {many}" if two else f"{names} penetrates itself in {many}"
        return (
            f"collision: {what}\n  {seen.colliding} of {looked}\n"
            f"  deepest: {deepest.depth:.4g} at {seen.time(deepest.deepest):.3f} s"
        )
    what = f"{names} do not touch" if two else f"{names} does not penetrate itself"
    return f"free: {what}\n  {looked}{_approach(seen)}"


def _span(seen: Seen) -> str:
    """From when to when, and what was left out."""
    first, last = seen.frames[0], seen.frames[-1]
    sparse = f", every {seen.frames.step}" if seen.frames.step > 1 else ""
    return f"{seen.time(first):.3f} to {seen.time(last):.3f} s{sparse}"


def _shortened(seen: Seen) -> str:
    """Says so if one clip is longer than the other."""
    counts = [len(clip.motion) for clip in seen.clips]
    if counts[0] == counts[-1]:
        return ""
    return f"\n  clips of {counts[0]} and {counts[-1]} frames: only the common {min(counts)} are checked"


def _approach(seen: Seen) -> str:
    near = seen.nearest
    if near is None:
        return ""
    when = f"{seen.time(near.frame):.3f} s (frame {near.frame})"
    return f"\n  closest: {_of(seen, near.names)}\n  {near.distance:.4g} apart at {when}"


def _of(seen: Seen, names: tuple[str, str]) -> str:
    if len(seen.clips) == 1:
        return f"{names[0]} and {names[1]}"
    return f"{names[0]} of {seen.clips[0].name} and {names[1]} of {seen.clips[1].name}"


def _row(seen: Seen, each: Interval) -> tuple[str, ...]:
    return (
        f"{seen.time(each.first):.3f} to {seen.time(each.last):.3f}",
        span(each.first, each.last),
        ", ".join(each.names),
        f"{each.depth:.4g}",
        str(each.deepest),
    )


def _facts(seen: Seen) -> dict[str, Any]:
    def told(each: Interval) -> dict[str, Any]:
        times = {"start": each.first, "end": each.last, "deepest_time": each.deepest}
        return {
            "bones": list(each.names),
            "first_frame": each.first,
            "last_frame": each.last,
            "deepest_frame": each.deepest,
            "depth": each.depth,
            **{name: seen.time(frame) for name, frame in times.items()},
        }

    near = seen.nearest
    return {
        "verdict": _verdict(seen).partition(":")[0],
        "files": [str(clip.file) for clip in seen.clips],
        "frame_time": seen.clips[0].frame_time,
        "frames": {"first": seen.frames[0], "last": seen.frames[-1], "step": seen.frames.step},
        "frames_looked_at": len(seen.frames),
        "frames_colliding": seen.colliding,
        "intervals": [told(each) for each in seen.intervals],
        "nearest": None if near is None else asdict(near) | {"time": seen.time(near.frame)},
        "counters": seen.overlaps.counters,
    }

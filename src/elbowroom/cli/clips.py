"""Clips of motion capture as `elbowroom check` takes them: thickness of the bones, and which frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .complaint import Complaint
from .options import ClipOptions, check_input

SAME_PACE = 0.01  # frame times that differ by no more are the same


@dataclass(frozen=True, eq=False)
class Clip:
    """A figure and its motion."""

    file: Path
    body: er.Articulated
    motion: NDArray[np.float64]
    frame_time: float

    @property
    def name(self) -> str:
        """The file without its folder."""
        return self.file.name


def read_clip(argument: str, file: Path, options: ClipOptions) -> Clip:
    """The clip in the file, or a complaint that names it."""
    radii = read_radii(options.radii)
    scale = 1.0 if options.radius_scale is None else options.radius_scale
    _check(options, scale)
    check_input(argument, file, "; expected a BVH file")
    try:
        body = er.Articulated.from_bvh(file, radii=radii, radius_scale=scale)
    except (ValueError, OSError) as error:
        about_radii = str(error).startswith("radii")
        raise Complaint(f"{'--radii: ' + str(file) if about_radii else argument}: {error}") from error
    if not body.shapes:
        raise Complaint(f"{argument}: '{file}' has only bones of zero length")
    motion, frame_time = body.motion, body.frame_time
    if motion is None or not frame_time or not math.isfinite(frame_time):
        raise Complaint(f"{argument}: '{file}' has no frame time")
    return Clip(file, body, motion, frame_time)


def _check(options: ClipOptions, scale: float) -> None:
    if not 0 < scale < math.inf:
        raise Complaint(f"--radius-scale: must be a number above 0, got {scale:g}")
    if options.stride < 1:
        raise Complaint(f"--every: must be at least 1, got {options.stride}")
    if options.bridge < 0:
        raise Complaint(f"--bridge: must be at least 0, got {options.bridge}")


def read_radii(text: str | None) -> float | Mapping[str, float] | None:
    """One radius, or radii by name, from "1.5" or "name=1.5,name=2"."""
    if text is None:
        return None
    try:
        if "=" not in text:
            return float(text)
        pairs = [part.rsplit("=", 1) for part in text.split(",") if part.strip()]
        return {name.strip(): float(value) for name, value in pairs}
    except ValueError:
        raise Complaint(f"--radii: '{text}' is not a radius or name=radius,name=radius") from None


def common_frames(clips: Sequence[Clip], options: ClipOptions) -> range:
    """The frames to look at, which all clips have."""
    times = [clip.frame_time for clip in clips]
    if max(times) > (1 + SAME_PACE) * min(times):
        raise Complaint(
            f"B: the frame time is {times[1]:g} s, but A has {times[0]:g} s; resample one of the clips"
        )
    count = min(len(clip.motion) for clip in clips)
    first = 0 if options.begin is None else _frame("--from", options.begin, times[0], up=True)
    last = count - 1 if options.end is None else _frame("--to", options.end, times[0], up=False)
    frames = range(first, min(last + 1, count), options.stride)
    if not frames:
        option = "--to" if options.begin is None else "--from"
        end = (count - 1) * times[0]
        raise Complaint(f"{option}: selects none of the {count} frames, from 0 to {end:.4g} s")
    return frames


def _frame(option: str, seconds: float, frame_time: float, *, up: bool) -> int:
    """The first frame not before, or the last not after, that many seconds."""
    if not 0 <= seconds < math.inf:
        raise Complaint(f"{option}: must be seconds from the start of the clip, got {seconds:g}")
    frame = seconds / frame_time
    # What was printed as the time of a frame, with three digits, leads back to that frame.
    slack = min(0.5e-3 / frame_time, 0.25)
    return math.ceil(frame - slack) if up else math.floor(frame + slack)

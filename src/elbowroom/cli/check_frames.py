"""`elbowroom check --cluster` of a trajectory: its frames split over processes, with results that stay."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from elbowroom._looks import necklace_of

from .check_trajectory import check_outputs, compared_pairs, draw, read, reading, seen_of, told
from .complaint import Complaint
from .endings import stopped
from .options import SpreadOptions, TrajectoryOptions, Wanted
from .overlaps import plural
from .overwriting import overwriting

#: Arguments by which messages begin, and what they are called here.
OPTIONS = {
    name: f"--{name.replace('_', '-')}"
    for name in ("cluster", "workers", "out", "tls_ca_file", "tls_cert", "tls_key")
}
OPTIONS["security"] = "--tls-cert"


def check_spread(
    file: Path,
    options: TrajectoryOptions,
    spread: SpreadOptions,
    wanted: Wanted,
    bridge: int,
    scale: float | None,
) -> int:
    """Print what overlaps; 0 when all frames are free, 1 when any is not."""
    if spread.cluster is None:
        raise Complaint("--cluster: missing; give local, or the address of a dask scheduler")
    if spread.out is None:
        raise Complaint("--out: missing; give a folder for the results")
    check_outputs(wanted, bridge)
    arguments = reading(file, options, scale)
    try:
        return _checked(file, arguments, options, spread, wanted, bridge)
    except KeyboardInterrupt as stop:
        return stopped(stop, "continue with the same command")
    except (ValueError, RuntimeError, ImportError) as error:
        raise _complaint(error) from error


def _checked(
    file: Path,
    arguments: dict[str, Any],
    options: TrajectoryOptions,
    spread: SpreadOptions,
    wanted: Wanted,
    bridge: int,
) -> int:
    from elbowroom.sampling._campaign import cluster as _cluster
    from elbowroom.sampling._campaign.carry_out import carry_out
    from elbowroom.sampling._campaign.frames import FramePlan, check_frames

    assert spread.out is not None
    _cluster.require()  # before any folder is made
    if spread.workers is not None and spread.workers < 1:
        raise Complaint(f"--workers: must be at least 1, got {spread.workers}")
    security = _security(spread)
    _cluster.check(spread.cluster, spread.workers, security)
    trajectory = read(arguments)
    compared = compared_pairs(necklace_of(trajectory))
    if not compared:
        raise Complaint("--exclude: leaves no pair of atoms to compare; give a smaller one")
    for name in ("path", "topology"):
        if arguments.get(name) is not None:
            arguments[name] = os.path.abspath(arguments[name])
    plan, folder = FramePlan(arguments, trajectory.frames), Path(os.path.abspath(spread.out))
    carry_out(
        plan,
        folder,
        cluster=spread.cluster,
        workers=spread.workers,
        progress=None,
        security=security,
        work=check_frames,
    )
    if failed := plan.failed(folder):
        name, reason = next(iter(failed.items()))
        raise Complaint(f"A: {plural(len(failed), 'part')} failed; the first is {name}: {reason}")
    seen = seen_of(trajectory, plan.looks(folder), compared, bridge)
    if wanted.plot is not None:
        with overwriting(wanted.plot):
            draw(wanted.plot, seen)
    status = told(file, options, wanted, seen)
    print(f"results: {spread.out}")
    return status


def _security(spread: SpreadOptions) -> Any:
    """What the options name, by the rules of campaigns."""
    from elbowroom.sampling._campaign.tls import security_of
    from elbowroom.sampling._spec.base import Where
    from elbowroom.sampling._spec.campaign import CampaignTable
    from elbowroom.sampling._spec.checks import SpecError

    files = (spread.tls_ca_file, spread.tls_cert, spread.tls_key)
    table = CampaignTable(None, None, None, spread.cluster, *files)
    try:
        table.check(Where("", "", Path(), {}))
    except SpecError as error:
        raise ValueError(f"{error.key}: {error.reason}") from error
    return security_of(table)


def _complaint(error: Exception) -> Complaint:
    """Names the option by which the argument came."""
    if isinstance(error, ImportError):
        return Complaint(str(error))
    argument, _, rest = str(error).partition(":")
    word, _, more = str(error).partition(" ")
    if argument in OPTIONS:
        return Complaint(f"{OPTIONS[argument]}:{rest}")
    return Complaint(f"{OPTIONS[word]}: {more}" if word in OPTIONS else f"A: {error}")

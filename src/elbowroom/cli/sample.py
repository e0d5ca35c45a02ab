"""`elbowroom sample`: Monte Carlo of a chain, from a file or options to averages with errors."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .complaint import Complaint, write_json
from .endings import stopped
from .overlaps import plural
from .overwriting import overwriting
from .sample_asked import Asked, understand
from .sample_options import ResultOptions

if TYPE_CHECKING:
    from elbowroom.sampling.run import Run


def sample(file: Path | None, results: ResultOptions, groups: Sequence[Any]) -> int:
    """Print averages with their errors; 0, or the status for Ctrl-C or SIGTERM."""
    results.check()
    asked = understand(file, results, groups)
    many = asked.spec.campaign is not None
    if many and results.plot is not None:
        raise Complaint("--plot: not supported for a campaign; remove it")
    try:
        return (_campaign if many else _run)(asked, results)
    except KeyboardInterrupt as stop:
        return stopped(stop, _how_to_go_on(asked.folder))
    except (ValueError, RuntimeError, ImportError, OSError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise  # it names a file, not an argument
        raise asked.complaint(error) from error


def _run(asked: Asked, results: ResultOptions) -> int:
    """One run."""
    folder = asked.folder
    if not asked.resume and folder is not None and (folder / "run.json").exists():
        again = f"continue it with `{_resuming(folder)}`"
        raise Complaint(f"--out: '{folder}' already contains a run; {again}, or choose another folder")
    run = asked.spec.run(folder, resume=asked.resume)
    print(run.summary())
    if results.plot is not None:
        with overwriting(results.plot):
            run.plot(results.plot)
        print(f"\nplot: {results.plot}")
    write_json(results.json, {"spec": asked.spec.to_dict(), **facts(run)})
    return 0


def _campaign(asked: Asked, results: ResultOptions) -> int:
    """Many runs; to start a campaign again is to go on with it, with --resume or without."""
    from elbowroom.sampling._spec.folder import kept_in
    from elbowroom.sampling.campaign import campaign

    assert asked.folder is not None
    with kept_in(asked.folder, asked.spec, resume=True):
        done = campaign(asked.spec, out=asked.folder)
    print(done.report())
    if results.json is not None:
        found = {
            "spec": asked.spec.to_dict(),
            "folder": os.path.abspath(asked.folder),
            "seconds": done.seconds,
        }
        found |= {"summary": done.summary().to_pylist(), "failed": dict(done.failed)}
        write_json(results.json, found)
    if done.failed:
        name, reason = next(iter(done.failed.items()))
        raise Complaint(f"{plural(len(done.failed), 'run')} failed; the first is {name}: {reason}")
    return 0


def facts(run: Run) -> dict[str, Any]:
    """What a run has found; with tempering, lists by temperature; of several chains, by chain."""
    from elbowroom.sampling._angles import scalars

    return {
        "folder": None if run.folder is None else os.path.abspath(run.folder),
        "links": run.links,
        "steps": run.steps,
        "every": run.every,
        "samples": run.samples,
        "seconds": run.seconds,
        "rate": run.rate,
        "temperatures": run.temperatures,
        "swaps": None if run.swaps is None else run.swaps.tolist(),
        "acceptance": run.acceptance,
        "sizes": run.sizes,
        "tallies": run.tallies,
        "crossings": run.crossings,
        "observables": {name: _estimates(run, name) for name in scalars(run.observables)}
        if run.samples
        else {},
    }


def _estimates(run: Run, name: str) -> Any:
    """One, or one a temperature or chain."""
    found = [_estimate(run, name, which) for which in run._numbers()]
    return found if run.tempered or run.several else found[0]


def _estimate(run: Run, name: str, which: dict[str, int]) -> dict[str, Any]:
    found = run.estimate(name, **which)
    return {key: getattr(found, key) for key in ("mean", "error", "time", "samples", "converged")}


def _how_to_go_on(folder: Path | None) -> str:
    if folder is None:
        return "without --out, nothing is saved"
    return f"continue from the last checkpoint with: {_resuming(folder)}"


def _resuming(folder: Path) -> str:
    """The command that resumes a run; a folder with a leading dash would be read as an option."""
    name = shlex.quote(str(folder))
    return f"elbowroom sample --resume{'=' if name.startswith('-') else ' '}{name}"

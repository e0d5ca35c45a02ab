"""Runs in folders, and what is in these."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
import pytest
from sampling_makers import ATTRACTION, beads

import elbowroom as er
from elbowroom.sampling import Run

PACE: dict[str, Any] = {"steps": 700, "every": 20, "frames": 50, "checkpoint": 200, "seed": 3}
TEMPERED: dict[str, Any] = {"energy": ATTRACTION, "temperature": [1.0, 3.0, np.inf], "swap_every": 50}


def sample(out: Path | None, chain: er.Chain | None = None, **more: Any) -> Run:
    return er.sampling.sample(chain or beads(20), {"pivot": 1.0, "torsion": 1.0}, out=out, **PACE | more)


def content(path: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


def read(topology: Path, trajectory: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return MDAnalysis.Universe(str(topology), str(trajectory))


class Stop(Exception):
    """Raised by a callback."""


def stopped_at(step: int) -> dict[str, Any]:
    """Arguments by which a run breaks off at a step."""

    def stop(state: Any) -> None:
        if state.step == step:
            raise Stop

    return {"callback": stop, "callback_every": 1}


def broken_off(out: Path, step: int = 450, **more: Any) -> None:
    with pytest.raises(Stop):
        sample(out, **more, **stopped_at(step))

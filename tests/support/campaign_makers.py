"""Campaigns for tests: a cluster within this process, and campaigns of stand-ins for runs on it."""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from typing import Any

import campaign_work

from elbowroom.sampling import Campaign
from elbowroom.sampling._campaign import carry_out as _carry_out
from elbowroom.sampling._campaign import plan as _plan
from elbowroom.sampling._campaign.tasks import Task
from elbowroom.sampling._campaign.work import Home, Work
from elbowroom.sampling.spec import Spec

BEADS: dict[str, Any] = {
    "chain": {"beads": 20, "radius": 0.4},
    "run": {"steps": 2000, "every": 10, "seed": 5},
}
WALK: dict[str, Any] = {"chain": {"beads": 10}, "run": {"steps": 40, "seed": 1}}
GRID = {"chain.beads": [12, 13]}

#: Where no scheduler is: who comes by with this has nothing to run.
NOWHERE = "tcp://127.0.0.1:1"
#: Of schedulers: no pages in the browser, and a port that is free.
QUIET = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}


@cache
def nearby() -> str:
    """The address of a scheduler within this process, with two workers that are threads."""
    from distributed import LocalCluster

    made = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, scheduler_kwargs=QUIET)
    atexit.register(made.close)
    return str(made.scheduler_address)


def tasks_of(grid: Any = GRID, replicas: int = 2) -> list[Task]:
    """Of a campaign of stand-ins."""
    return _plan.planned(Spec.from_dict(WALK), grid, replicas).tasks


def home_of(folder: Path) -> Home:
    """A campaign of stand-ins of which nothing is run yet."""
    folder.mkdir(exist_ok=True)
    return _plan.begin(folder, _plan.planned(Spec.from_dict(WALK), GRID, 2))


def walked(
    out: Path,
    work: Work = campaign_work.walk,
    *,
    cluster: Any = None,
    grid: Any = GRID,
    replicas: int = 2,
    **run: Any,
) -> Campaign:
    """A campaign of stand-ins, run."""
    spec = Spec.from_dict(WALK | {"run": WALK["run"] | run})
    plan, where = _plan.planned(spec, grid, replicas), cluster or nearby()
    _carry_out.carry_out(plan, out, cluster=where, workers=None, progress=False, work=work)
    return Campaign(out, plan)


def attempts(campaign: Campaign) -> list[int | None]:
    """How often each task was taken up."""
    found: list[int | None] = campaign.tasks["attempts"].to_pylist()
    return found

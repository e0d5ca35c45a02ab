"""Campaigns: many runs, by processes of this machine or by a cluster, that survive whatever is killed.

A campaign samples every parameter set of a grid so many times. Each such task is a run of `sample` in a
folder of its own, with a seed of its own and its own checkpoints; it can be taken up by any worker. Killing a
worker, or the whole campaign, and starting again loses nothing and repeats nothing but the steps since the
last checkpoint, which come out the same bit for bit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom import _arrays

from ._angles import pairs
from ._campaign import cluster as _cluster
from ._campaign import collect as _collect
from ._campaign import ledger as _ledger
from ._campaign import plan as _plan
from ._campaign import summary as _summary
from ._campaign import tls as _tls
from ._campaign.carry_out import carry_out
from ._campaign.cluster import CampaignError
from ._campaign.plan import Plan
from ._campaign.tasks import Grid, Parameters, Task
from ._disk.tables import read_table
from .spec import Spec, read_spec

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure

__all__ = ["Campaign", "CampaignError", "campaign"]


class Campaign:
    """The tasks of a campaign and what came of them. Made by `campaign`, or from a folder by `Campaign.load`.

    Attributes
    ----------
    folder
        Where it lies: campaign.json, results.parquet, tasks.parquet, and a folder for each task in tasks/.
    parameter_sets
        What is varied: a dictionary for each set.
    replicas
        How often each set is run.

    Examples
    --------
    >>> import elbowroom as er
    >>> from tempfile import TemporaryDirectory
    >>> spec = {"chain": {"beads": 20}, "run": {"steps": 1000, "every": 10}}
    >>> with TemporaryDirectory() as folder:
    ...     _ = er.sampling.campaign(spec, out=folder, replicas=2)
    ...     found = er.sampling.Campaign.load(folder)
    ...     found.replicas, len(found.summary())
    (2, 2)
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self._plan = folder, plan

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Campaign:
        """A campaign that was begun in this folder, at work or not; results are of the tasks done so far."""
        _cluster.require()
        path = Path(os.path.abspath(folder))
        found = cls(path, _plan.kept(path))
        with suppress(PermissionError):  # somebody else's: as it was collected last
            _collect.collect(path, found._plan.tasks)
        return found

    @property
    def parameter_sets(self) -> list[Parameters]:
        """What is varied: a dictionary for each set."""
        return [dict(one) for one in self._plan.sets]

    @property
    def replicas(self) -> int:
        """How often each set is run."""
        return self._plan.replicas

    @property
    def tasks(self) -> pa.Table:
        """Every task: its parameters, replica, seed, status, steps, seconds, attempts, error and folder.

        The status is "done", "failed" (error says why), "begun" or "waiting". Attempts counts how often a
        worker took it up: more than once if one was lost on the way.
        """
        import pyarrow as pa

        tasks = self._plan.tasks
        known = [_ledger.status(self.folder_of(task), task.steps) for task in tasks]
        columns: dict[str, Any] = {"task": pa.array([task.name for task in tasks], pa.string())}
        columns |= {key: _collect.parameter_array(tasks, key) for key in _collect.columns_of(tasks)}
        columns["replica"] = pa.array([task.replica for task in tasks], pa.int32())
        columns["seed"] = pa.array([task.seed for task in tasks], pa.int64())
        columns["status"] = pa.array([status for status, _ in known], pa.string())
        kinds = {"steps": pa.int64(), "seconds": pa.float64(), "attempts": pa.int64(), "error": pa.string()}
        columns |= {
            name: pa.array([facts.get(name) for _, facts in known], kind) for name, kind in kinds.items()
        }
        columns["folder"] = pa.array([str(self.folder_of(task)) for task in tasks], pa.string())
        return pa.table(columns)

    @property
    def failed(self) -> dict[str, str]:
        """The tasks that failed, and why; starting the campaign again tries them again."""
        table = self.tasks
        rows = zip(*(table[name].to_pylist() for name in ("task", "status", "error")), strict=True)
        return {task: error for task, status, error in rows if status == "failed"}

    @property
    def seconds(self) -> float:
        """What the tasks that are done took, all together."""
        return sum(value or 0.0 for value in self.tasks["seconds"].to_pylist())

    def folder_of(self, task: Task | str) -> Path:
        """The folder of a task, by its name; the run itself is in run/ below it."""
        return self.folder / "tasks" / (task if isinstance(task, str) else task.name)

    def table(self) -> pa.Table:
        """All samples: task, parameters, replica, step, and the observables; of the tasks that are done."""
        return read_table(self.folder / _collect.RESULTS)

    def summary(self) -> pa.Table:
        """Mean, error and acceptance of every observable, for each parameter set over its replicas.

        The error is one standard error of the mean: the larger of "spread", which the differences between the
        replicas' means give, and "blocked", which blocking finds within the runs. Of few replicas the spread
        is uncertain, and of one there is none; blocking misses what changes more slowly than a run is long.
        If the spread of many replicas is much the larger, runs are too short. With parallel tempering there
        is a row for each temperature, by number.
        """
        return _summary.summarise(self.folder, _collect.columns_of(self._plan.tasks))

    def sql(self, query: str) -> pa.Table:
        """What DuckDB answers; it sees the samples as `results`, and the tasks that are done as `tasks`.

        Names of parameters have dots, so they need quotes: SELECT max(end_to_end) FROM results GROUP BY
        "chain.beads".
        """
        return _summary.ask(self.folder, query)

    def plot_ramachandran(
        self, path: str | os.PathLike[str] | None = None, *, residue: str | None = None
    ) -> Figure:
        """Phi against psi of all samples of all tasks; of one residue, such as "A/31", or of all together."""
        from elbowroom.pictures.ramachandran import ramachandran

        table = self.table()
        found = pairs({name: name for name in table.column_names}, residue)
        phi, psi = (
            np.concatenate([np.asarray(table[names[k]].to_numpy(), np.float64) for names in found.values()])
            for k in (0, 1)
        )
        title = f"{residue or f'{len(found)} residues'}, {table.num_rows:,} samples each"
        return ramachandran(phi, psi, path, title=title)

    def report(self) -> str:
        """The summary as text, and the failures."""
        lines = [*str(self)[1:-1].split("; "), ""]
        if self.table().num_rows:
            lines += [_summary.shown(self.summary()), ""]
        for error, tasks in _by_message(self.failed).items():
            lines.append(
                f"failed: {tasks[0]}{f' and {len(tasks) - 1} more' if len(tasks) > 1 else ''}: {error}"
            )
        return "\n".join(lines).rstrip()

    def __repr__(self) -> str:
        counts = self._counts()
        told = ", ".join(
            f"{counts[word]:,} {word}" for word in ("done", "failed", "begun", "waiting") if counts[word]
        )
        sets, replicas = len(self._plan.sets), self._plan.replicas
        what = f"{sets:,} parameter set{'s' * (sets != 1)} x {replicas:,} replica{'s' * (replicas != 1)}"
        return f"<Campaign: {what}: {told}; {self.folder}>"

    def _counts(self) -> dict[str, int]:
        counts = dict.fromkeys(("done", "failed", "begun", "waiting"), 0)
        for task in self._plan.tasks:
            counts[_ledger.status(self.folder_of(task), task.steps)[0]] += 1
        return counts


def campaign(
    spec: Spec | Mapping[str, object] | str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    cluster: object = None,
    workers: int | None = None,
    replicas: int | None = None,
    grid: Grid | None = None,
    progress: bool | None = None,
    security: object = None,
) -> Campaign:
    """Sample every parameter set of a grid several times, on all cores or on a cluster.

    If the folder holds the same campaign already, it goes on: tasks that are done are not run again, those
    that were begun resume from their checkpoints, those that failed are tried again. Replicas, grid and steps
    may be other ones then: tasks that were there keep their seeds and results; those no longer asked for stay
    in their folders and are left out of the results. Anything else that differs is refused.

    A task runs on one core. One that fails does not stop the others; `Campaign.failed` tells why. A worker
    that is lost is replaced, and its task resumes from the checkpoint.

    Parameters
    ----------
    spec
        The run: a Spec, the path of its TOML file, or its dictionary.
    out
        Folder of the campaign. All workers must see it under the same path.
    cluster
        "local": processes of this machine, started and ended with the campaign, which nobody else can use; an
        address such as "tls://host:8786", where `dask scheduler` runs; or a distributed.Client or Cluster.
        None: what the spec says, or "local". Whoever can connect to a cluster at a "tcp://" address can
        execute code on its workers.
    workers
        How many processes, with "local"; None: what the spec says, or as many as there are cores or tasks.
    replicas
        How often each parameter set is run, with another seed each time; None: what the spec says, or once.
    grid
        {"run.temperature": [1.0, 2.0], "chain.beads": [100, 200]}, of which all combinations are run, or a
        list of sets, [{"run.temperature": 1.0, "chain.beads": 100}, ...]; None: what the spec says, or the
        spec alone.
    progress
        Show a bar; None: if it takes longer than two seconds on a terminal.
    security
        A distributed.Security with the certificates for a "tls://" address. None: what the spec says
        (tls_ca_file, tls_cert and tls_key), or what dask is configured to use.

    Examples
    --------
    >>> import elbowroom as er
    >>> from tempfile import TemporaryDirectory
    >>> spec = {"chain": {"beads": 20}, "run": {"steps": 2000, "every": 10}}
    >>> with TemporaryDirectory() as folder:
    ...     found = er.sampling.campaign(spec, out=folder, replicas=2, grid={"chain.radius": [0.2, 0.4]})
    ...     rows = found.summary().to_pylist()
    >>> [(row["chain.radius"], row["observable"], row["replicas"], row["samples"]) for row in rows[:2]]
    [(0.2, 'end_to_end', 2, 400), (0.2, 'radius_of_gyration', 2, 400)]
    >>> rows[0]["mean"] < rows[2]["mean"], rows[0]["acceptance"] > rows[2]["acceptance"]
    (True, True)
    """
    _cluster.require()
    whole = _spec_of(spec)
    asked = whole.campaign
    if cluster is None:
        cluster = (asked and asked.cluster) or "local"
    if workers is None and cluster == "local":
        workers = asked.workers if asked else None
    if workers is not None:
        workers = _arrays.count(workers, "workers", 1)
    if security is None and _tls.encrypted(cluster):
        security = _tls.security_of(asked)
    _cluster.check(cluster, workers, security)
    plan = _plan.planned(whole, grid, replicas)
    folder = Path(os.path.abspath(out))
    carry_out(plan, folder, cluster=cluster, workers=workers, progress=progress, security=security)
    return Campaign(folder, plan)


def _spec_of(given: Spec | Mapping[str, object] | str | os.PathLike[str]) -> Spec:
    if isinstance(given, Spec):
        return given
    return Spec.from_dict(given) if isinstance(given, Mapping) else read_spec(given)


def _by_message(failed: Mapping[str, str]) -> dict[str, list[str]]:
    """Tasks that failed alike are told together."""
    found: dict[str, list[str]] = {}
    for task, error in failed.items():
        found.setdefault(error, []).append(task)
    return found

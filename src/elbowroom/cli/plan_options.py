"""The options of `elbowroom plan`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from .complaint import Complaint, check_file

PLANNERS = Group.create_ordered("Planner options")
RIGID = Group.create_ordered("Rigid body options")
ROBOTS = Group.create_ordered("Robot options")
FILES = Group.create_ordered("Output options")
OWN = ("rrt-connect", "rrt", "prm")
DEMO_SHORTEN = 200


@Parameter(name="*", group=PLANNERS)
@dataclass(frozen=True)
class PlannerOptions:
    """Options of the planner.

    Parameters
    ----------
    planner
        rrt-connect (two trees), rrt (one tree), prm (roadmap), or ompl:NAME, a geometric planner of OMPL.
    seed
        Seed of the random numbers. The same seed finds the same path.
    seconds
        Time limit in seconds.
    step
        Longest motion that is tried, in the metric of the space. Default: a tenth of its extent for
        rrt-connect, no limit for rrt and prm, and OMPL's own choice for its planners.
    clearance
        Required distance from obstacles, and between links of a robot that are compared.
    shorten
        Number of attempts to shorten the path. Default: 0, or 200 with --demo.
    """

    planner: str = "rrt-connect"
    seed: int = 0
    seconds: float = 60.0
    step: float | None = None
    clearance: float = 0.0
    shorten: int | None = None

    def check(self) -> None:
        """Raise a Complaint for values out of range."""
        if self.planner not in OWN and not self.planner.startswith("ompl:"):
            known = f"{', '.join(OWN)} or ompl:NAME"
            raise Complaint(f"--planner: unknown planner '{self.planner}'; choose {known}")
        if self.seed < 0:
            raise Complaint(f"--seed: must be at least 0, got {self.seed}")
        if not 0 < self.seconds < math.inf:
            raise Complaint(f"--seconds: must be above 0, got {self.seconds:g}")
        if self.step is not None and not 0 < self.step < math.inf:
            raise Complaint(f"--step: must be above 0, got {self.step:g}")
        if not 0 <= self.clearance < math.inf:
            raise Complaint(f"--clearance: must be a length, 0 or more, got {self.clearance:g}")
        if self.shorten is not None and self.shorten < 0:
            raise Complaint(f"--shorten: must be at least 0, got {self.shorten}")

    def attempts(self, demo: bool) -> int:
        """To shorten the path, for the demonstration or for the user's files."""
        return (DEMO_SHORTEN if demo else 0) if self.shorten is None else self.shorten


@Parameter(name="*", group=RIGID)
@dataclass(frozen=True)
class BoxOptions:
    """Bounds of a rigid body.

    Parameters
    ----------
    low
        Lower bound of the position, "x y z". Default: the body can move around all obstacles.
    high
        Upper bound of the position, "x y z".
    """

    low: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    high: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None


@Parameter(name="*", group=ROBOTS)
@dataclass(frozen=True)
class ArmOptions:
    """Options of robots.

    Parameters
    ----------
    request
        MoveIt request (YAML) with start and goal. It may be in a tar archive:
        archive.tar.bz2/folder/request.yaml.
    srdf
        SRDF file with the pairs of links that are not compared.
    packages
        Folder of the ROS packages that contain the meshes.
    allow
        Further pairs of links that are not compared, each as "link,link".
    """

    request: Path | None = None
    srdf: Path | None = None
    packages: Path | None = None
    allow: Annotated[tuple[str, ...], Parameter(consume_multiple=True, negative=())] = ()


@Parameter(name="*", group=FILES)
@dataclass(frozen=True)
class PlanFiles:
    """Output files.

    Parameters
    ----------
    out
        CSV file for the path, one pose or configuration per row, as read by `elbowroom check --path`.
    html
        HTML file for an animation that plays in any browser, offline.
    json
        File for the full result: the path and its proof.
    """

    out: Path | None = None
    html: Path | None = None
    json: Path | None = None

    def check(self) -> None:
        """Raise a Complaint for files that cannot be written, before planning starts."""
        for name in ("out", "html", "json"):
            check_file(f"--{name}", getattr(self, name))
        if self.out is not None and self.out.suffix.lower() != ".csv":
            raise Complaint(f"--out: '{self.out}' must end in .csv")

    def of_a_path(self) -> list[Path]:
        """Those that are written only if a path is found."""
        return [file for file in (self.out, self.html) if file is not None]


@dataclass(frozen=True)
class Asked:
    """What moves among which obstacles, from where to where."""

    body: Path | None = None
    start: str | None = None
    goal: str | None = None
    obstacles: tuple[Path, ...] = ()
    scene: Path | None = None
    demo: bool = False

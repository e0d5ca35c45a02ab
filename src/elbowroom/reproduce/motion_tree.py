"""The tree of He and van den Berg's experiment, and what each method spends on its connections.

Every method proves or refutes the same motions, so that a tree is grown once and its connections are checked
again by each. That no two of them contradict each other is not assumed: it is an error if they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes
from elbowroom.scenes.rigid import WORLD_SIDE

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Method = Literal["isotropic", "hourglass", "hourglass-axis", "auto"]

METHODS: tuple[Method, ...] = ("isotropic", "hourglass", "hourglass-axis", "auto")
Origin = Literal["corner", "ball"]
WORLD = (np.zeros(3), np.full(3, WORLD_SIDE))
OWN = "0.4, corner"
#: Width of the legs, and about what the hook turns, by name: the paper says neither.
HOOKS: dict[str, tuple[float, Origin]] = {
    OWN: (0.4, "corner"),
    "0.5, corner": (0.5, "corner"),
    "0.2, corner": (0.2, "corner"),
    "segments, corner": (0.0, "corner"),
    "0.4, ball": (0.4, "ball"),
    "0.8, ball": (0.8, "ball"),
}


@dataclass(frozen=True)
class Connections:
    """Motions that were tried, in order: from poses (n, 4, 4) to poses (n, 4, 4), and which were free."""

    starts: Array
    goals: Array
    free: Flags

    def __len__(self) -> int:
        return len(self.free)

    @property
    def lengths(self) -> Array:
        """How far apart the positions are."""
        apart: Array = np.linalg.norm(self.goals[:, :3, 3] - self.starts[:, :3, 3], axis=1)
        return apart

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Nodes in the tree after each connection; the root is one."""
        return 1 + np.cumsum(self.free)

    def which(self, chosen: Flags) -> er.Motion:
        """Those connections, as motions."""
        return er.Motion(self.starts[chosen], self.goals[chosen])


@dataclass(frozen=True)
class Tally:
    """What a method found of connections, the calls (n,) they took, tests and seconds of free and failed.

    `free` is what the tree made of them, `proved` and `refuted` what this method says.
    """

    calls: NDArray[np.int64]
    free: Flags
    proved: Flags
    refuted: Flags
    volume_tests: tuple[int, int]
    leaf_tests: tuple[int, int]
    seconds: tuple[float, float]

    def of(self, what: str) -> tuple[int, int, int]:
        """Distance computations, volume tests or leaf tests: of all connections, the free and the failed."""
        if what == "calls":
            free, failed = int(self.calls[self.free].sum()), int(self.calls[~self.free].sum())
        else:
            free, failed = getattr(self, what)
        return free + failed, free, failed

    @property
    def total_seconds(self) -> float:
        """For all connections."""
        return sum(self.seconds)


def hook(name: str = OWN) -> er.Group:
    """One of the hooks."""
    width, origin = HOOKS[name]
    if width == 0:
        return er.Group([er.Convex(ends) for ends in scenes.hook_segments(origin=origin)])
    legs = scenes.thin_hook(width, origin=origin)
    return er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in legs])


def obstacles(seed: int = 7) -> er.Group:
    """The tetrahedra."""
    return er.Group([er.Convex(corners) for corners in scenes.tetrahedra(seed)])


def grow(checker: er.MotionChecker, nodes: int, seed: int = 11) -> Connections:
    """Connect random configurations to the nearest node by position, until there are so many nodes."""
    tree = planner(checker, seed).grow(nodes, progress=False, record=True)
    tried = tree.tried
    assert tried is not None  # since it was recorded
    return Connections(tree.states[tried.nearest], tried.goals, tried.connected)


def planner(checker: er.MotionChecker, seed: int = 11) -> er.planning.RRT:
    """The paper's: positions uniform in the world, rotations uniform, nearest by position, whole motions."""
    space = er.planning.RigidSpace(*WORLD)
    return er.planning.RRT(space, checker, start=scenes.hook_root(), seed=seed)


def measure(
    body: er.Body, others: er.Body, connections: Connections, method: Method, *, threads: int | None = None
) -> Tally:
    """Check all connections again by one method, stopping at any contact, as a planner does."""
    checker = er.MotionChecker(body, others, method=method)
    calls = np.zeros(len(connections), dtype=np.int64)
    proved, refuted = np.zeros((2, len(connections)), dtype=bool)
    tests, seconds = [(0, 0), (0, 0)], [0.0, 0.0]
    for k, chosen in enumerate((connections.free, ~connections.free)):
        if not chosen.any():
            continue
        start = perf_counter()
        found = checker.check(connections.which(chosen), first=False, threads=threads)
        assert isinstance(found, er.Certificates)  # since these are many motions
        seconds[k] = perf_counter() - start
        calls[chosen], proved[chosen], refuted[chosen] = found.distance_calls, found.free, found.colliding
        tests[k] = (found.counters.volume_tests, found.counters.leaf_tests)
    volume, leaf = zip(*tests, strict=True)
    return Tally(calls, connections.free, proved, refuted, volume, leaf, (seconds[0], seconds[1]))


def compare(tallies: Mapping[str, Tally]) -> None:
    """No connection may be proved free by one method and refuted by another: one of them would be wrong."""
    proved = np.logical_or.reduce([tally.proved for tally in tallies.values()])
    refuted = np.logical_or.reduce([tally.refuted for tally in tallies.values()])
    if (proved & refuted).any():
        raise RuntimeError(f"{', '.join(tallies)} disagree on {int((proved & refuted).sum())} connections")

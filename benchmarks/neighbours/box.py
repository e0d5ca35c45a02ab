"""All pairs of atoms in a periodic box within a reach: a simulation, and points at random.

A frame is moved in and asked about, and the pairs are taken out as an array, by everybody from the same
positions.

    python -m benchmarks.neighbours.box --json box.json
    python -m benchmarks.neighbours.box --quick
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.chain.torsions import no_garbage
from benchmarks.common import Array

OURS = "elbowroom"
QUICK = {"random": 2000, "repetitions": 2, "adk": False, "reaches": "6"}
#: Atoms per cubic angstrom of water.
DENSITY = 0.1


@dataclass(frozen=True)
class Frame:
    """Positions, and lengths and angles of the box; with the edges made of them."""

    name: str
    positions: Array
    sides: Array
    edges: Array


def adk() -> Frame:
    """Adenylate kinase in water, triclinic: the first frame of a test trajectory of MDAnalysis."""
    files: Any = import_module("MDAnalysisTests.datafiles")
    universe: Any = import_module("MDAnalysis").Universe(files.GRO, files.XTC)
    sides = np.array(universe.dimensions, float)
    return Frame("adk_oplsaa", universe.atoms.positions.astype(float), sides, _edges(sides))


def cloud(count: int) -> Frame:
    """Points at random in a cube, as dense as atoms in water."""
    side = (count / DENSITY) ** (1 / 3)
    sides = np.array([side, side, side, 90, 90, 90])
    return Frame("random", np.random.default_rng(0).uniform(0, side, (count, 3)), sides, _edges(sides))


def _edges(sides: Array) -> Array:
    edges = er.Necklace([[0, 0, 0]], 0.0, box=sides).box
    assert edges is not None
    return edges


class Elbowroom:
    def __init__(self, frame: Frame, reach: float) -> None:
        self.frame, self.reach = frame, reach
        self.atoms = er.Necklace(frame.positions, 0.0, exclude=0, box=frame.sides)

    def pairs(self) -> Any:
        self.atoms.move(self.frame.positions, box=self.frame.edges)
        return er.self_within(self.atoms, self.reach).indices


class MDAnalysis:
    """MDAnalysis.lib.distances.self_capped_distance, which chooses its method; it works in float32."""

    def __init__(self, frame: Frame, reach: float) -> None:
        self.find: Any = import_module("MDAnalysis.lib.distances").self_capped_distance
        self.given = frame.positions.astype(np.float32), reach
        self.box = frame.sides.astype(np.float32)

    def pairs(self) -> Any:
        return self.find(*self.given, box=self.box, return_distances=False)


class Freud:
    """freud.locality.AABBQuery and its list of neighbours, one thread; each pair comes twice, in float32."""

    def __init__(self, frame: Frame, reach: float) -> None:
        self.freud: Any = import_module("freud")
        self.freud.parallel.set_num_threads(1)
        self.box, self.reach = self.freud.box.Box.from_matrix(frame.edges.T.copy()), reach
        self.points = self.box.wrap(frame.positions.astype(np.float32))

    def pairs(self) -> Any:
        finder = self.freud.locality.AABBQuery(self.box, self.points)
        found = finder.query(self.points, {"r_max": self.reach, "exclude_ii": True}).toNeighborList()
        return found[:]


class Vesin:
    """vesin.NeighborList: each pair once, one thread, arrays that are views of its own."""

    def __init__(self, frame: Frame, reach: float) -> None:
        made: Any = import_module("vesin").NeighborList
        self.finder = made(cutoff=reach, full_list=False, n_threads=1)
        self.frame = frame

    def pairs(self) -> Any:
        given = {"periodic": True, "quantities": "P", "copy": False}
        return self.finder.compute(self.frame.positions, self.frame.edges, **given)[0]


CONTESTANTS: dict[str, Callable[[Frame, float], Any]] = {
    OURS: Elbowroom,
    "MDAnalysis": MDAnalysis,
    "freud": Freud,
    "vesin": Vesin,
}


def truth(frame: Frame, reach: float) -> Any:
    """Numbers i * n + j of the pairs i < j, by a k-d tree over all images within reach of the box."""
    inverse, n = np.linalg.inv(frame.edges), len(frame.positions)
    cells = frame.positions @ inverse
    cells -= np.floor(cells)
    margin = reach * np.linalg.norm(inverse, axis=0)
    numbers = np.arange(n)
    for axis in range(3):
        low, high = cells[:, axis] < margin[axis], cells[:, axis] > 1 - margin[axis]
        step = np.eye(3)[axis]
        cells = np.concatenate([cells, cells[low] + step, cells[high] - step])
        numbers = np.concatenate([numbers, numbers[low], numbers[high]])
    points = cells @ frame.edges
    pairs = cKDTree(points).query_pairs(reach, output_type="ndarray")
    pairs = numbers[pairs[(pairs < n).any(axis=1)]]
    return np.unique(pairs.min(axis=1) * n + pairs.max(axis=1))


def unlike(found: Any, true: Any, frame: Frame, reach: float) -> tuple[int, int]:
    """Pairs in one list only; and those of them that are not just at the edge of the reach."""
    n = len(frame.positions)
    pairs = np.asarray(found).astype(np.int64)
    numbers = np.unique(pairs.min(axis=1) * n + pairs.max(axis=1))
    i, j = np.divmod(np.setxor1d(numbers, true), n)
    if not len(i):
        return 0, 0
    cells = (frame.positions[j] - frame.positions[i]) @ np.linalg.inv(frame.edges)
    apart = np.linalg.norm((cells - np.round(cells)) @ frame.edges, axis=1)
    return len(i), int((np.abs(apart - reach) > 1e-4).sum())


def ask(frame: Frame, reach: float, names: list[str], repetitions: int) -> dict[str, Any]:
    """Everybody in turn, on one thread, so many times; the fastest counts, in time of the processor."""
    made, seconds, found = {}, dict.fromkeys(names, math.inf), {}
    for name in names:
        try:
            made[name] = CONTESTANTS[name](frame, reach)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    for _ in range(repetitions):
        for name, contestant in made.items():
            with no_garbage():
                start = process_time()
                found[name] = contestant.pairs()
                seconds[name] = min(seconds[name], process_time() - start)
    true, rows = truth(frame, reach), []
    for name in made:
        off, clear = unlike(found[name], true, frame, reach)
        over = seconds[name] / seconds.get(OURS, math.nan)
        row = {"contestant": name, "ms": 1e3 * seconds[name], "over ours": over, "pairs off": off}
        rows.append(row | {"clear": clear})
    title = f"{frame.name}, {len(frame.positions)} atoms, {len(true)} pairs within {reach:g}; ms a frame"
    common.show(tabulate(title, rows))
    return {"scene": frame.name, "atoms": len(frame.positions), "reach": reach, "rows": rows}


def main() -> None:
    made = common.parser(__doc__, repetitions=7)
    made.add_argument("--random", type=int, default=100_000, help="points at random")
    made.add_argument("--reaches", default="3,6", help="reaches, separated by commas")
    made.add_argument("--adk", action=argparse.BooleanOptionalAction, default=True, help="the simulation too")
    settings = common.parsed(made, QUICK)
    names = common.chosen(CONTESTANTS, settings.only)
    frames = ([adk()] if settings.adk else []) + [cloud(settings.random)]
    tables = [
        ask(frame, float(reach), names, settings.repetitions)
        for frame in frames
        for reach in settings.reaches.split(",")
    ]
    common.save(settings.json, "neighbours-box", vars(settings), {"tables": tables})


if __name__ == "__main__":
    main()

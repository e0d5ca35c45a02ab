"""Is a calibrated confidence believable? Tables learned on half of the paths and judged by the other half.

springs: two springs of 1800 triangles, through each other and screwed into each other. meshes: two files, the
second on smooth paths about the first, or a ring among rings. chain: a coil that folds by torsions.

    python -m benchmarks.budget.calibration --json calibration.json
    python -m benchmarks.budget.calibration --quick
    python -m benchmarks.budget.calibration --scenes meshes --meshes ENVIRONMENT ROBOT --pictures FOLDER
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import elbowroom as er
from benchmarks import common
from benchmarks.budget import paths, walks
from benchmarks.chain.run import Target, tabulate
from elbowroom import scenes
from elbowroom.calibration import Calibration

MOST = 0.02  # target: the expected calibration error on held-out runs
MANY, ENOUGH = 1000, 5000  # paths of a scene and held-out runs of a table: with fewer, chance decides
METHODS = ("auto", "best-first", "depth-first")
STEPS = 60  # of a path
LINKS, JOINTS, TURN = 400, 4, 0.25
QUICK = {"paths": 100}


@dataclass(frozen=True)
class Scene:
    """What is asked, on which paths, on which budgets in tests."""

    name: str
    ask: Callable[..., Any]
    paths: Sequence[Any]
    budgets: tuple[int, ...]


def springs(settings: argparse.Namespace) -> Scene:
    spring, half = walks.spring(), settings.paths // 2
    ways = [*paths.through(half, STEPS, 1), *paths.screwed(half, STEPS, 2)]
    return Scene("springs", _rigid(spring, spring), ways, (100, 200, 500, 1000))


def meshes(settings: argparse.Namespace) -> Scene:
    count = settings.paths
    if settings.meshes:
        count *= 4  # files such as FCL's are cheap to ask about, and few runs are left unfinished
        still, moving = map(er.Mesh.load, settings.meshes)
        name = " and ".join(Path(file).stem for file in settings.meshes)
    else:
        still, moving, name = field(), er.Mesh(*scenes.torus(segments=18, sides=12)), "rings"
    low, high = still.bounds
    ways = paths.among(count, STEPS, low, high, seed=3)
    return Scene(name, _rigid(still, moving), ways, (25, 50, 100))


def chain(settings: argparse.Namespace) -> Scene:
    ways = paths.foldings(settings.paths // 2, STEPS, LINKS, JOINTS, TURN, seed=4)
    return Scene("chain", Folding(), ways, (1000, 2000, 4000, 7000))


SCENES: dict[str, Callable[[argparse.Namespace], Scene]] = {
    "springs": springs,
    "meshes": meshes,
    "chain": chain,
}


def _rigid(still: er.Body, moving: er.Body) -> Callable[..., Any]:
    return lambda pose, **how: er.collide(still, moving, None, pose, **how)


def field(side: int = 3, spacing: float = 6.0, seed: int = 5) -> er.Mesh:
    """Rings in a grid, each turned at random, as one mesh."""
    corners, faces = scenes.torus(segments=18, sides=12)
    grid = spacing * np.stack(np.meshgrid(*[np.arange(side)] * 3), axis=-1).reshape(-1, 3)
    turns = Rotation.random(len(grid), rng=np.random.default_rng(seed)).as_matrix()
    everything = np.einsum("kij,nj->kni", turns, corners) + grid[:, None]
    return er.Mesh(
        everything.reshape(-1, 3), np.concatenate([faces + k * len(corners) for k in range(len(grid))])
    )


class Folding:
    """A coil that is told the angles of some joints; all others go back to where they were."""

    def __init__(self) -> None:
        self.chain, self.angles = er.Chain(walks.coiled(LINKS), walks.SLACK), paths.Angles()

    def __call__(self, angles: paths.Angles, **how: Any) -> Any:
        wanted = dict.fromkeys(self.angles, 0.0) | angles
        self.chain.change({joint: value - self.angles.get(joint, 0.0) for joint, value in wanted.items()})
        self.angles = dict(angles)
        return er.self_collide(self.chain, **how)


def judged(scene: Scene, method: str, budgets: Sequence[int]) -> tuple[Calibration | None, dict[str, Any]]:
    """A table for these budgets, if any run is left unfinished, and its line."""
    on = f"{budgets[0]} tests" if len(budgets) == 1 else f"{budgets[0]} to {budgets[-1]} tests"
    line: dict[str, Any] = {"name": f"{scene.name}, {method}, {on}"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the table shows how many runs there were
            allowed = [er.Budget(tests=tests) for tests in budgets]
            table = er.Memory.calibrate(scene.ask, scene.paths, budget=allowed, method=method)
    except ValueError as error:
        if "runs finished" not in str(error):
            raise
        return None, line | {"held out": 0}
    return table, line | figures(table)


def figures(table: Calibration) -> dict[str, Any]:
    ours, theirs = table.held_out, table.paper
    if ours is None or theirs is None:
        return {"held out": 0}
    return {
        "held out": ours.runs,
        "free": round(ours.base_rate, 3),
        "ECE": round(ours.error, 4),
        "ECE, widths": round(ours.error_by_width, 4),
        "ECE, paper": round(theirs.error, 3),
        "Brier": round(ours.brier, 3),
        "Brier, base": round(ours.base_brier, 3),
        "Brier, paper": round(theirs.brier, 3),
        "AUC": round(ours.auc, 3),
        "AUC, paper": round(theirs.auc, 3),
    }


def targets(lines: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Of every table judged by enough runs: its error, the worse of two ways to bin, and what it gains."""
    found = []
    for line in lines:
        if count < MANY or line["held out"] < ENOUGH:
            continue
        error, gain = max(line["ECE"], line["ECE, widths"]), line["Brier"] / line["Brier, base"]
        found.append(Target(f"{line['name']}: calibration error", error, at_most=MOST).shown())
        found.append(Target(f"{line['name']}: Brier score over the base rate's", gain, at_most=1.0).shown())
    return found


def examine(scene: Scene, settings: argparse.Namespace) -> list[dict[str, Any]]:
    """One table for all budgets by each method; by the first one also a table for each budget."""
    lines = []
    for method in METHODS:
        table, line = judged(scene, method, scene.budgets)
        lines.append(line)
        if table is not None and table.held_out is not None and settings.pictures:
            table.picture(settings.pictures / f"{scene.name} {method}.png")
    return lines + [judged(scene, METHODS[0], (tests,))[1] for tests in scene.budgets]


def run(settings: argparse.Namespace) -> dict[str, Any]:
    """The scenes that were asked for."""
    lines = []
    for name in common.chosen(SCENES, settings.scenes):
        scene = SCENES[name](settings)
        found = examine(scene, settings)
        title = f"{scene.name}: {len(scene.paths)} paths of {STEPS} configurations, half held out"
        common.show(tabulate(title, found))
        lines += found
    return {"tables": lines, "targets": targets(lines, settings.paths)}


def add_options(made: argparse.ArgumentParser) -> None:
    made.add_argument("--scenes", default="", help=f"which of {', '.join(SCENES)}, comma-separated")
    made.add_argument(
        "--paths",
        type=int,
        default=2000,
        help="of the springs; half as many of the chain, four times as many of mesh files",
    )
    made.add_argument("--meshes", nargs=2, metavar=("STILL", "MOVING"), help="mesh files")
    made.add_argument("--pictures", type=Path, metavar="FOLDER", help="for the reliability curves")


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(made)
    made.add_argument("--json", type=Path, metavar="FILE", help="also write everything to FILE")
    settings = common.parsed(made, QUICK)
    results = run(settings)
    if results["targets"]:
        common.show(tabulate("targets", results["targets"]))
    common.save(settings.json, "calibration", vars(settings), results)


if __name__ == "__main__":
    main()

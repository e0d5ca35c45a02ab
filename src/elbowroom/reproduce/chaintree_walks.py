"""The benchmark of the ChainTree paper: random torsions, a test after each, and a step back on collision.

Chain trees walk all the paper's 20,000 steps. The other structures build their trees again for every test, so
unless the full run is asked for they are put to the test at steps spread evenly over the same walk: the
chain's shape at that step, the step's torsion, one test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

from .findings import Settings

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Steps at which a slow structure is tested: at most so many, and so many links over all of them.
SAMPLES, SAMPLED_LINKS = 150, 200_000


class Structure(Protocol):
    """What keeps a chain and tests it."""

    @property
    def counters(self) -> Any: ...
    def rotate(self, joint: int, angle: float) -> None: ...
    def collides(self) -> bool: ...
    def undo(self) -> None: ...


@dataclass(frozen=True)
class Scene:
    """Where a walk starts: links that are `exclude` apart or nearer are never tested with each other."""

    name: str
    positions: Array
    radii: float | Array
    exclude: int


@dataclass(frozen=True)
class Moves:
    """One torsion a step."""

    joints: NDArray[np.int64]
    angles: Array


@dataclass(frozen=True)
class Tally:
    """Averages over tests: counted work, and microseconds of the update (with the step back) and the test."""

    tests: int
    colliding: float
    box_tests: float
    leaf_tests: float
    update_us: float
    test_us: float

    @property
    def total_us(self) -> float:
        """Microseconds of one operation."""
        return self.update_us + self.test_us

    def figures(self) -> dict[str, float]:
        """The numbers by name, for the JSON file."""
        return asdict(self)


Make = Callable[[Array, Scene], Structure]


def chain_tree(**options: Any) -> Make:
    """The paper's own tree, with options of `er.Chain`."""
    options = {"volume": "obb", "children": 2, **options}
    return lambda positions, scene: er.Chain(positions, scene.radii, exclude=scene.exclude, **options)


def fast_tree(positions: Array, scene: Scene) -> Structure:
    """The library's default."""
    return er.Chain(positions, scene.radii, exclude=scene.exclude)


def rebuilt(kind: Callable[..., Structure]) -> Make:
    """One of the structures that are rebuilt for every test."""
    return lambda positions, scene: kind(positions, scene.radii, exclude=scene.exclude)


CHAIN_TREES: dict[str, Make] = {
    "ChainTree": chain_tree(skip="paper"),
    "ChainTree, pieces": chain_tree(skip="pieces"),
    "fast tree": fast_tree,
}
REBUILT: dict[str, Make] = {
    "Grid": rebuilt(er.baselines.Grid),
    "1-OBBTree": rebuilt(er.baselines.OneObbTree),
    "K-OBBTree": rebuilt(er.baselines.KObbTree),
}
ALL = (*CHAIN_TREES, *REBUILT)
COUNTED = ("ChainTree", "K-OBBTree")  # in the paper's Table 1


def random_moves(n: int, settings: Settings, seed: int = 1) -> Moves:
    """Torsions of up to a step either way, at joints that have links off their axis on both sides."""
    rng = np.random.default_rng(seed)
    angles = np.radians(rng.uniform(-settings.step, settings.step, settings.steps))
    return Moves(rng.integers(1, n - 2, settings.steps), angles)


def measure(scene: Scene, settings: Settings, names: Sequence[str] = ALL) -> dict[str, Tally]:
    """The structures of these names on the same walk; it is an error if their verdicts differ.

    The first must be a chain tree: its verdicts tell the others where the walk goes.
    """
    moves = random_moves(len(scene.positions), settings)
    every = np.arange(settings.steps)
    tallies, verdicts = {}, None
    for name in names:
        if name in CHAIN_TREES or settings.full:
            tallies[name], hits = walk((CHAIN_TREES | REBUILT)[name](scene.positions, scene), moves)
            verdicts = hits if verdicts is None else verdicts
            _agree(name, scene, every, hits, verdicts)
        elif verdicts is not None:
            sampled = sample_steps(name, len(scene.positions), settings.steps)
            tallies[name], hits = probe(REBUILT[name], scene, moves, verdicts, sampled)
            _agree(name, scene, sampled, hits, verdicts[sampled])
    return tallies


def walk(structure: Structure, moves: Moves) -> tuple[Tally, Flags]:
    """Take every step, and say which of them collided."""
    log = _Log()
    structure.collides()  # so that it knows that it starts free
    for joint, angle in zip(moves.joints.tolist(), moves.angles.tolist(), strict=True):
        log.step(structure, joint, angle)
    return log.tally(), np.array(log.hits)


def probe(
    make: Make, scene: Scene, moves: Moves, verdicts: Flags, steps: NDArray[np.int64]
) -> tuple[Tally, Flags]:
    """A structure at some steps of a walk whose verdicts are known."""
    log = _Log()
    guide = er.Chain(scene.positions, scene.radii, exclude=scene.exclude)
    wanted = set(steps.tolist())
    for k, (joint, angle) in enumerate(zip(moves.joints.tolist(), moves.angles.tolist(), strict=True)):
        if k in wanted:
            structure = make(guide.positions(), scene)
            structure.collides()  # so that it knows that it starts free
            log.step(structure, joint, angle)
        if not verdicts[k]:
            guide.rotate(joint, angle)
    return log.tally(), np.array(log.hits)


def sample_steps(name: str, n: int, steps: int) -> NDArray[np.int64]:
    """Steps, evenly spread, at which a slow structure of n links is tested.

    The box tests of the K-OBBTree are compared with the paper's, of the others only the times.
    """
    share = 1 if name == "K-OBBTree" else 8
    count = min(steps, max(10, min(SAMPLES, SAMPLED_LINKS // n) // share))
    return np.linspace(0, steps - 1, count).astype(np.int64)


class _Log:
    """Takes steps and adds up what they cost."""

    def __init__(self) -> None:
        self.hits: list[bool] = []
        self._work = [0, 0]
        self._seconds = [0.0, 0.0]

    def step(self, structure: Structure, joint: int, angle: float) -> None:
        """A torsion, a test, and back if that found a collision."""
        began = perf_counter()
        structure.rotate(joint, angle)
        updated = perf_counter()
        hit = structure.collides()
        tested = perf_counter()
        counters = structure.counters
        back = perf_counter()
        if hit:
            structure.undo()
        ended = perf_counter()
        self.hits.append(hit)
        self._work[0] += counters.volume_tests
        self._work[1] += counters.leaf_tests
        self._seconds[0] += updated - began + ended - back
        self._seconds[1] += tested - updated

    def tally(self) -> Tally:
        count = len(self.hits)
        return Tally(
            count,
            sum(self.hits) / count,
            self._work[0] / count,
            self._work[1] / count,
            1e6 * self._seconds[0] / count,
            1e6 * self._seconds[1] / count,
        )


def _agree(name: str, scene: Scene, steps: NDArray[np.int64], hits: Flags, verdicts: Flags) -> None:
    different = steps[hits != verdicts]
    if len(different):
        raise RuntimeError(
            f"{scene.name}: {name} and the ChainTree disagree at {len(different)} steps, "
            f"first at step {different[0]}"
        )

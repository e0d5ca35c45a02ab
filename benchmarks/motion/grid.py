"""The default method beside the pure ones, over motions of all lengths, turns and outcomes.

A cell is one kind of body, length of way, turn, outcome and question. A few motions are generated for it
and checked by `auto` and by each pure method, each motion on its own. The figure of a cell is `auto` over the
best pure method, in processor time and in tests.

    python -m benchmarks.motion.grid --json grid.json --picture grid.png
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks.common import Array

WAYS = (0.01, 0.1, 1.0, 10.0)  # in sizes of the body
TURNS = (0.0, 0.1, 1.0, 3.0)
JOINT_WAYS = (0.01, 0.1, 0.5, 2.0)  # radians of every joint
KINDS = ("free", "grazing", "early", "late")
QUESTIONS = ("free", "check", "clearance")
PURE = ("swept", "isotropic", "hourglass")
GRAZING, CLEAR = 0.02, 0.05  # in sizes: nearer than the one, never nearer than the other
TRIES = 60
LOOP, SLOW = (
    2e-5,
    4.0,
)  # short calls are repeated for so many seconds; slower by so much than the best: one pass


@dataclass(frozen=True)
class Scene:
    """A body among obstacles; `size` is half the diagonal of its box, `spread` that of the obstacles."""

    name: str
    body: Any
    world: Any
    size: float
    spread: float


@dataclass(frozen=True)
class Cell:
    """What was measured: seconds and tests of all motions together, by method."""

    scene: str
    question: str
    way: float
    turn: float
    kind: str
    motions: int
    seconds: dict[str, float]
    tests: dict[str, float]

    def ratio(self, of: str) -> float:
        """`auto` over the best of the others."""
        values: dict[str, float] = getattr(self, of)
        return values["auto"] / min(value for name, value in values.items() if name != "auto")


def ball(rings: int) -> tuple[Array, Any]:
    """A bumpy closed surface of about 2 rings^2 triangles."""
    polar, around = np.linspace(0.05, np.pi - 0.05, rings + 1), 2 * np.pi * np.arange(rings) / rings
    p, a = np.meshgrid(polar, around, indexing="ij")
    radius = 1 + 0.1 * np.sin(3 * a) * np.sin(2 * p)
    points = radius[..., None] * np.stack([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)], axis=-1)
    k, i = np.divmod(np.arange(rings * rings), rings)
    here, beside = k * rings + i, k * rings + (i + 1) % rings
    quads = np.stack([here, beside, beside + rings, here + rings], axis=1)
    return points.reshape(-1, 3), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def scattered(surface: tuple[Array, Any], count: int, spread: float, seed: int) -> er.Mesh:
    """Copies of a surface, turned and shifted at random."""
    rng = np.random.default_rng(seed)
    vertices, faces = surface
    turns = [er.Pose(q / np.linalg.norm(q)) for q in rng.normal(size=(count, 4))]
    placed = [vertices @ turn.rotation.T + rng.uniform(-spread, spread, 3) for turn in turns]
    return er.Mesh(np.concatenate(placed), np.concatenate([faces + k * len(vertices) for k in range(count)]))


def boxes(count: int, spread: float, side: float, seed: int) -> er.Group:
    rng = np.random.default_rng(seed)
    turned = [q / np.linalg.norm(q) for q in rng.normal(size=(count, 4))]
    parts = [
        (er.Box(side * rng.uniform(0.3, 1, 3)), er.Pose(q, rng.uniform(-spread, spread, 3))) for q in turned
    ]
    return er.Group(parts)


def tube(segments: int, sides: int) -> tuple[Array, Any]:
    along = np.linspace(-1, 1, segments + 1)
    curve = np.stack([along, 0.3 * np.sin(4 * along), 0.3 * np.cos(4 * along)], axis=1)
    return er.scenes.swept_tube(curve, 0.06, sides)


def rigid_scenes(quick: bool) -> Iterator[Scene]:
    def mesh(name: str, surface: tuple[Array, Any], count: int, spread: float) -> Scene:
        body = er.Mesh(*surface)
        size = 0.5 * float(np.linalg.norm(np.ptp(body.vertices, axis=0)))
        return Scene(name, body, scattered(surface, count, spread, 3), size, spread)

    yield Scene("12 boxes, 40 boxes", boxes(12, 1.0, 0.6, 1), boxes(40, 4.0, 1.0, 2), 1.7, 4.0)
    yield mesh("50 triangles, thin", tube(5, 4), 4, 1.5)
    yield mesh("50 triangles, fat", ball(5), 4, 3.0)
    yield mesh("2,000 triangles, thin", tube(100, 8), 4, 1.5)
    yield mesh("2,000 triangles, fat", ball(32), 4, 3.0)
    if not quick:
        yield mesh("40,000 triangles, thin", tube(1000, 8), 4, 1.5)
        yield mesh("40,000 triangles, fat", ball(100), 3, 3.0)


def robot_scenes() -> Iterator[Scene]:
    """The Panda on a base that drives, among boxes, from the package example-robot-data."""
    from benchmarks.articulated import files

    robot = files.find("panda")
    panda = er.Articulated.from_urdf(robot.urdf, srdf=robot.srdf, packages=robot.packages)
    base, box = er.Link("platform", er.Box([0.7, 0.5, 0.3])), er.Pose(translation=[0, 0, 0.2])
    links, joints = panda._skeleton.links, panda._skeleton.joints
    drive = [
        er.Joint("drive x", "prismatic", "world", "rail", axis=[1, 0, 0], limits=(-2, 2)),
        er.Joint("drive y", "prismatic", "rail", "turntable", axis=[0, 1, 0], limits=(-2, 2)),
        er.Joint("turn", "revolute", "turntable", "platform", axis=[0, 0, 1], limits=(-3, 3)),
        er.Joint("mount", "fixed", "platform", links[0].name, box),
    ]
    mobile = er.Articulated(
        [er.Link("world"), er.Link("rail"), er.Link("turntable"), base, *links], [*drive, *joints]
    )
    mobile.exclude([*panda.names(panda.excluded), ("platform", links[0].name), ("platform", links[1].name)])
    yield Scene("mobile panda", mobile, boxes(40, 2.5, 0.35, 6), 1.0, 2.5)


class Maker:
    """Makes motions of a kind: a contact is looked for, and a motion is laid through or past it."""

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene, self.rng = scene, np.random.default_rng(seed)
        self.judge = er.MotionChecker(scene.body, scene.world, method="isotropic")
        self.contacts = [c for c in (self._contact() for _ in range(40)) if c is not None]

    def _direction(self) -> Array:
        d = self.rng.normal(size=3)
        return np.asarray(d / np.linalg.norm(d))

    def _contact(self) -> tuple[er.Pose, Array] | None:
        """The pose of a first contact, and the direction in which the body went there."""
        scene = self.scene
        at = self.rng.uniform(-scene.spread, scene.spread, 3) * 1.2
        start = er.Pose(er.Pose(_unit(self.rng.normal(size=4))).rotation, at)
        if not self.judge.valid(start):
            return None
        goal = er.Pose(start.rotation, self.rng.uniform(-scene.spread, scene.spread, 3))
        motion = er.Motion(start, goal)
        certificate = self.judge.check(motion)
        if certificate.free is not False:
            return None
        way = goal.translation - start.translation
        pose = er.Pose(start.rotation, start.translation + certificate.first_contact[0] * way)
        return pose, np.asarray(way / np.linalg.norm(way))

    def make(self, way: float, turn: float, kind: str) -> er.Motion | None:
        """One motion, if it came out as it should."""
        scene, rng = self.scene, self.rng
        length = way * scene.size
        if kind == "free" or not self.contacts:
            middle = er.Pose(_unit(rng.normal(size=4)), rng.uniform(-scene.spread, scene.spread, 3) * 1.3)
            direction, share = self._direction(), 0.5
        else:
            middle, direction = self.contacts[rng.integers(len(self.contacts))]
            share = {"early": rng.uniform(0.05, 0.3), "late": rng.uniform(0.7, 0.95)}.get(kind, 0.5)
        at = middle.translation
        if kind == "grazing":
            at = at - direction * scene.size * rng.uniform(0.002, GRAZING)
            direction = np.cross(direction, self._direction())
            direction /= np.linalg.norm(direction)
        axis = self._direction()
        begin, end = (_about(axis, angle) for angle in (-share * turn, (1 - share) * turn))
        start = er.Pose(begin.rotation @ middle.rotation, at - direction * share * length)
        goal = er.Pose(end.rotation @ middle.rotation, at + direction * (1 - share) * length)
        motion = er.Motion(start, goal)
        return motion if self._is(motion, kind) else None

    def _is(self, motion: er.Motion, kind: str) -> bool:
        if not self.judge.valid(motion.start):
            return False
        certificate = self.judge.check(motion)
        if kind in ("early", "late"):
            if certificate.free is not False:
                return False
            first = certificate.first_contact[1]
            return 0 < first < 0.4 if kind == "early" else first > 0.6
        if certificate.free is not True:
            return False
        poses = motion.at(np.linspace(0, 1, 17))
        nearest = er.distance(self.scene.body, self.scene.world, poses).values.min() / self.scene.size
        return bool(nearest < GRAZING if kind == "grazing" else nearest > CLEAR)


def _about(axis: Array, angle: float) -> er.Pose:
    return er.Pose(np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)]))


def _unit(v: Array) -> Array:
    return np.asarray(v / np.linalg.norm(v))


class JointMaker:
    """The same for joints: configurations at random, and a way in a random direction."""

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene, self.rng = scene, np.random.default_rng(seed)
        self.judge = er.MotionChecker(scene.body, scene.world)

    def make(self, way: float, turn: float, kind: str) -> Array | None:
        body, rng = self.scene.body, self.rng
        start = body.random(seed=int(rng.integers(2**31)))
        direction = rng.uniform(-1, 1, len(start))
        motion = np.stack([start, start + way * direction])
        if not self.judge.valid(start):
            return None
        certificate = self.judge.check(motion)
        if kind in ("early", "late"):
            if certificate.free is not False:
                return None
            first = certificate.first_contact[1]
            return motion if (0 < first < 0.4 if kind == "early" else first > 0.6) else None
        if certificate.free is not True:
            return None
        near = er.MotionChecker(body, self.scene.world, clearance=0.005).free(motion[0], motion[1])
        return motion if near == (kind == "free") else None


def asked(
    scene: Scene, question: str, methods: tuple[str, ...], motion: Any
) -> dict[str, tuple[er.MotionChecker, Callable[[], Any]]]:
    """A checker and the call that is timed, by method."""
    out: dict[str, Any] = {}
    ends = (motion.start, motion.goal) if isinstance(motion, er.Motion) else (motion[0], motion[1])
    clearance = 0.01 * scene.size if question == "clearance" else 0.0
    for method in methods:
        if clearance and method == "hourglass":
            continue
        checker = er.MotionChecker(scene.body, scene.world, method=method, clearance=clearance)
        if question == "check":
            out[method] = checker, lambda c=checker: c.check(motion).free
        else:
            out[method] = checker, lambda c=checker: c.free(*ends)
    return out


def seconds_of(run: Callable[[], Any], calls: int) -> float:
    """Processor seconds of a call."""
    begin = process_time()
    for _ in range(calls):
        run()
    return (process_time() - begin) / calls


def measure(
    scene: Scene, question: str, place: tuple[float, float, str], motions: list[Any], passes: int
) -> Cell:
    methods = ("auto", *(PURE if isinstance(motions[0], er.Motion) else ("swept", "isotropic")))
    seconds: dict[str, float] = {}
    tests: dict[str, float] = {}
    for motion in motions:
        contestants = asked(scene, question, methods, motion)
        best, calls, verdicts = dict.fromkeys(contestants, np.inf), dict.fromkeys(contestants, 1), {}
        for name, (checker, run) in contestants.items():
            before = checker.counters
            verdicts[name] = run()
            after = checker.counters
            found = after.volume_tests + after.leaf_tests - before.volume_tests - before.leaf_tests
            tests[name] = tests.get(name, 0.0) + found
            best[name] = seconds_of(run, 1)
            calls[name] = int(np.clip(LOOP / max(best[name], 1e-9), 1, 50))
        assert {True, False} - set(verdicts.values()), (scene.name, question, place, verdicts)
        limit = SLOW * min(best.values())
        live = [name for name in contestants if name == "auto" or best[name] <= limit]
        for turn in range(passes):
            for k in range(len(live)):
                name = live[(turn + k) % len(live)]
                best[name] = min(best[name], seconds_of(contestants[name][1], calls[name]))
        for name, least in best.items():
            seconds[name] = seconds.get(name, 0.0) + least
    return Cell(scene.name, question, *place, len(motions), seconds, tests)


def cells(settings: argparse.Namespace) -> Iterator[Cell]:
    scenes = [s for s in rigid_scenes(settings.quick) if settings.only in s.name]
    for scene in scenes:
        maker: Maker | JointMaker = Maker(scene)
        yield from cells_of(scene, maker, WAYS, TURNS, settings)
    if settings.robots:
        for scene in robot_scenes():
            if settings.only in scene.name:
                yield from cells_of(scene, JointMaker(scene), JOINT_WAYS, (0.0,), settings)


def cells_of(scene: Scene, maker: Any, ways: Any, turns: Any, settings: argparse.Namespace) -> Iterator[Cell]:
    for way in ways:
        for turn in turns:
            for kind in KINDS:
                motions = []
                for _ in range(TRIES):
                    made = maker.make(way, turn, kind)
                    motions += [] if made is None else [made]
                    if len(motions) == settings.motions:
                        break
                if len(motions) < 2:
                    continue
                for question in QUESTIONS:
                    yield measure(scene, question, (way, turn, kind), motions, settings.passes)


def picture(found: list[Cell], path: Path) -> None:
    """Two grids, of time and of tests: a row per scene and question, a column per kind of motion."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot
    from matplotlib.colors import LogNorm

    rows = sorted(
        {(c.scene, c.question) for c in found}, key=lambda r: [(c.scene, c.question) for c in found].index(r)
    )
    columns = sorted({(c.way, c.turn, c.kind) for c in found}, key=lambda c: (c[0], c[1], KINDS.index(c[2])))
    figure, axes = pyplot.subplots(2, 1, figsize=(0.16 * len(columns) + 4, 0.5 * len(rows) + 3), sharex=True)
    for axis, of in zip(axes, ("seconds", "tests"), strict=True):
        values = np.full((len(rows), len(columns)), np.nan)
        for c in found:
            values[rows.index((c.scene, c.question)), columns.index((c.way, c.turn, c.kind))] = c.ratio(of)
        image = axis.imshow(values, norm=LogNorm(0.25, 4), cmap="RdBu_r", aspect="auto")
        axis.set_yticks(range(len(rows)), [f"{scene}: {question}" for scene, question in rows], fontsize=6)
        axis.set_xticks(
            range(len(columns)), [f"{w:g}, {t:g}, {k}" for w, t, k in columns], rotation=90, fontsize=5
        )
        axis.set_title(f"{of}: auto over the best pure method")
        figure.colorbar(image, ax=axis, ticks=[0.25, 0.5, 1, 2, 4], format="%g")
    axes[1].set_xlabel("way in sizes of the body, turn in radians, outcome")
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def summary(found: list[Cell]) -> None:
    for of in ("seconds", "tests"):
        ratios = np.array([c.ratio(of) for c in found])
        limit = 1.1 if of == "seconds" else 1.05
        print(
            f"{of}: {len(ratios)} cells, median {np.median(ratios):.2f}, 90% {np.quantile(ratios, 0.9):.2f}, "
            f"largest {ratios.max():.2f}, above {limit}: {(ratios > limit).sum()}"
        )


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--motions", type=int, default=8, help="in each cell")
    made.add_argument("--passes", type=int, default=3, help="interleaved; minima are kept")
    made.add_argument("--only", default="", help="scenes whose name has this in it")
    made.add_argument("--robots", action="store_true", help="also a robot of the package example-robot-data")
    made.add_argument("--quick", action="store_true", help="leave out meshes of 40,000 triangles")
    made.add_argument("--json", type=Path)
    made.add_argument("--picture", type=Path)
    settings = made.parse_args()
    found = list(cells(settings))
    summary(found)
    if settings.json:
        settings.json.write_text(json.dumps([asdict(c) for c in found]), encoding="utf-8")
    if settings.picture:
        picture(found, settings.picture)


if __name__ == "__main__":
    main()

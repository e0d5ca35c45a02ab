"""Paths of articulated bodies and torsions of chains that are hard to get right, and what is in their way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import articulated_makers
import chain_makers
import nasty
import numpy as np
from articulated_makers import Part, Recipe, at, hinge
from articulated_oracle import SlowBody, made_free
from chain_oracle import SlowChain
from motion_bending import LinkPath, TorsionPath
from motion_oracle import Course, item, item_course
from motion_paths import still
from motion_scenes import Obstacle, plate, post, some_paths, some_thing
from nasty import Thing

import elbowroom as er


@dataclass(frozen=True, eq=False)
class ArmScene:
    """An articulated body on a path, and things with one path each."""

    recipe: Recipe
    path: np.ndarray  # (k, dof)
    obstacles: tuple[Obstacle, ...] = ()

    @cached_property
    def links(self) -> LinkPath:
        return LinkPath(self.recipe, self.path)

    def given(self) -> list[Any] | None:
        return [obstacle.given(0) for obstacle in self.obstacles] or None

    def course(self, self_too: bool = True) -> Course | None:
        """Links against links, then every shape against every obstacle; None where there is no pair."""
        pairs = self.links.self_pairs() if self_too else []
        others = [item(o.thing.solid, o.paths) for o in self.obstacles]
        pairs += [(shape, other) for _, shape in self.links.items() for other in others]
        return item_course(pairs) if pairs else None

    @cached_property
    def size(self) -> float:
        places = np.abs(self.links.poses(np.linspace(0.0, 1.0, 33))[:, :, :3, 3]).max()
        others = [o.thing.reach + float(o.paths.sizes()[0]) for o in self.obstacles]
        return self.recipe.reach + 2.0 * float(places) + max(others, default=0.0)

    def code(self) -> str:
        obstacles = ", ".join(o.code(0) for o in self.obstacles)
        given = f"[{obstacles}]" if obstacles else "None"
        return f"{self.recipe.code()}path = np.array({self.path.tolist()})\nobstacles = {given}\n"


# Bodies; what tests/support/articulated_makers.py has, and some that are fast.


def crane(rng: np.random.Generator, n: int) -> Recipe:
    """Slides and hinges in turn: a link is turned, and drawn along, at once."""
    bone = (Thing("box", (np.array([0.1, 0.1, 0.6]),)), at(0.0, 0.0, 0.4))
    joints = []
    for k in range(1, n):
        kind: Any = "prismatic" if k % 2 else "revolute"
        axis = (0.0, 0.0, 1.0) if k % 2 else nasty.directions(rng, 1)[0]
        joints.append(er.Joint(f"j{k}", kind, f"l{k - 1}", f"l{k}", at(0, 0, 0.8), axis, (-2.0, 2.0)))
    return Recipe(tuple(Part(f"l{k}", (bone,)) for k in range(n)), tuple(joints))


def whip(rng: np.random.Generator, n: int) -> Recipe:
    """Thin bones whose hinges have no limits."""
    bone = (Thing("capsule", (0.02, 0.8)), at(0.5, 0.0, 0.0) @ turned_to_x())
    joints = [hinge(k, k - 1, at(1.0, 0.0, 0.1), np.eye(3)[rng.integers(3)]) for k in range(1, n)]
    return Recipe(tuple(Part(f"l{k}", (bone,)) for k in range(n)), tuple(joints))


def turned_to_x() -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    return pose


BODIES: dict[str, articulated_makers.Maker] = {
    name: articulated_makers.MAKERS[name]
    for name in ("arm", "tree", "forest", "hand", "frames", "thin", "skins", "unequal", "far", "tiny", "huge")
} | {"crane": crane, "whip": whip}


def some_path(rng: np.random.Generator, slow: SlowBody) -> np.ndarray:
    """Two to four configurations: near to each other, far apart, several turns on, or some the same."""
    share = float(rng.choice([1.0, 0.3, 0.03]))
    path = np.array([slow.random(rng, share) for _ in range(rng.integers(2, 5))])
    single = [
        slow.slices[j.name] for j in slow.recipe.joints if j.name in slow.slices and j.kind == "revolute"
    ]
    for part in single:
        if rng.random() < 0.1:
            path[-1, part] += 2.0 * np.pi * rng.integers(-2, 3)
    if len(path) > 2 and rng.random() < 0.3:
        path[1] = path[0]
    return path


def place_in_the_way(rng: np.random.Generator, links: LinkPath) -> np.ndarray:
    """Where a point of the core of some shape is at some time."""
    shapes = links.items()
    _, shape = shapes[rng.integers(len(shapes))]
    pose = shape.poses(rng.random(1))[0]
    core = shape.solid.vertices
    return np.asarray(pose[:3, :3] @ core[rng.integers(len(core))] + pose[:3, 3])


def obstacle_for(rng: np.random.Generator, links: LinkPath, size: float) -> Obstacle:
    """A pole, a plate or anything, at a place that is passed; it may come by itself."""
    kind = rng.choice(3)
    thing = (
        post(rng, size) if kind == 0 else plate(rng, 0.5 * size) if kind == 1 else some_thing(rng, 0.5 * size)
    )
    away = nasty.directions(rng, 1) * size * rng.choice([0.0, 0.1, 1.0])
    where = place_in_the_way(rng, links) + away
    paths = still(nasty.matrices(nasty.rotations(rng, 1), where))
    if rng.random() < 0.6:
        return Obstacle(thing, paths)
    way = some_paths(rng, 1, size)
    starts = way.starts.copy()
    starts[:, :3, 3] += where - way.at(np.zeros(1, dtype=np.int64), rng.random(1))[:, :3, 3]
    return Obstacle(thing, way._replace(starts=starts), True)


def arm_scene(rng: np.random.Generator, maker: str, n: int) -> ArmScene:
    """A body of n links that may overlap where they do at rest; none to two things in its way."""
    recipe = BODIES[maker](rng, n)
    if maker not in ("crane", "whip"):
        recipe = made_free(recipe)
    slow = SlowBody(recipe)
    scene = ArmScene(recipe, some_path(rng, slow))
    count = int(rng.integers(0, 3)) if slow.shapes else 0
    made = [obstacle_for(rng, scene.links, recipe.reach or 1.0) for _ in range(count)]
    return ArmScene(recipe, scene.path, tuple(made))


def mid_path_only(rng: np.random.Generator, maker: str, n: int, tries: int = 200) -> ArmScene | None:
    """A path whose ends are free, while links collide between them; None if no try finds one."""
    recipe = made_free(BODIES[maker](rng, n))
    slow = SlowBody(recipe)
    for _ in range(tries):
        ends = np.array([slow.random(rng) for _ in range(2)])
        scene = ArmScene(recipe, ends)
        course = scene.course()
        if course is None:
            return None
        start, middle, end = (course.at(np.array([t]))[0] for t in (0.0, 0.5, 1.0))
        if min(start, end) > 1e-3 * scene.size and middle < -1e-3 * scene.size:
            return scene
    return None


# Chains.


@dataclass(frozen=True, eq=False)
class TorsionScene:
    recipe: chain_makers.Recipe
    torsions: dict[int, float]

    @cached_property
    def path(self) -> TorsionPath:
        return TorsionPath(SlowChain(self.recipe), self.torsions)

    @property
    def size(self) -> float:
        return self.path.slow.size

    def code(self) -> str:
        r = self.recipe
        given = f"np.array({r.positions.tolist()}), np.array({np.asarray(r.radii).tolist()})"
        exclude = f"({r.exclude}, {[list(p) for p in r.allowed]})" if len(r.allowed) else f"{r.exclude}"
        return f"chain = er.Chain({given}, exclude={exclude})\ntorsions = {self.torsions}\n"


def slimmer(recipe: chain_makers.Recipe, factor: float) -> chain_makers.Recipe:
    return chain_makers.Recipe(
        recipe.positions, recipe.radii * factor, recipe.exclude, recipe.allowed, recipe.side
    )


def gate() -> TorsionScene:
    """The last bond sweeps from one side of the first to the other; no ball comes near another."""
    corner = [np.cos(-0.5) * 3.0, np.sin(-0.5) * 3.0, 1.0]
    positions = np.array([[2.0, 0.0, 2.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], corner])
    return TorsionScene(chain_makers.Recipe(positions, np.full(5, 0.05)), {2: 1.0})


def compact(rng: np.random.Generator, n: int) -> chain_makers.Recipe:
    """Links anywhere in a small cube: hardly a torsion moves no bond through another."""
    return chain_makers.Recipe(rng.uniform(-1.0, 1.0, (n, 3)), np.full(n, 0.05))


TWISTED = {
    name: chain_makers.MAKERS[name]
    for name in (
        "coil",
        "tangle",
        "protein",
        "zigzag",
        "kinked",
        "unequal",
        "points",
        "serpentine",
        "tolerant",
    )
} | {
    "compact": compact,
    "tiny": chain_makers.scaled(compact, 1e-9),
    "huge": chain_makers.scaled(compact, 1e9),
}


def torsion_scene(rng: np.random.Generator, maker: str, n: int) -> TorsionScene:
    """A chain of n links, slimmer than usual so that bonds matter, and one to four torsions."""
    recipe = slimmer(TWISTED[maker](rng, n), float(rng.choice([1.0, 0.3, 0.03])))
    joints = rng.choice(n - 1, min(int(rng.integers(1, 5)), n - 1), replace=False)
    most = float(rng.choice([0.1, 1.0, np.pi, 7.0]))
    return TorsionScene(recipe, {int(j): float(rng.uniform(-most, most)) for j in joints})

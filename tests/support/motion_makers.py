"""Motions that are hard to get right; a maker takes a random generator and how many motions are wanted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import nasty
import numpy as np
import oracle
from motion_oracle import least, rigid_course
from motion_paths import Paths, still, turns
from motion_scenes import (
    Obstacle,
    Scene,
    agreed,
    in_the_way,
    plate,
    post,
    some_angles,
    some_axes,
    some_paths,
    some_thing,
)
from nasty import Thing

import elbowroom as er

METHODS = ("auto", "isotropic", "isotropic-axis", "hourglass", "hourglass-axis", "swept")
CLEARING = (*METHODS[:3], "swept")  # those that know a clearance, and obstacles that move
PUSHES = 4  # each brings the least gap nearer to the one that is wanted

Maker = Callable[[np.random.Generator, int], Scene]


def plain(rng: np.random.Generator, n: int, size: float = 1.0, style: str | None = None) -> Scene:
    """Bodies of all kinds, one to three things in the way."""
    body = some_thing(rng, size, style)
    paths = some_paths(rng, n, 3.0 * (body.reach or size))
    obstacles = []
    for _ in range(rng.integers(1, 4)):
        thing = some_thing(rng, size * float(10.0 ** rng.uniform(-1.0, 0.5)), style)
        obstacles.append(Obstacle(thing, in_the_way(rng, body, paths, thing)))
    return Scene(body, paths, tuple(obstacles))


def sized(factor: float) -> Maker:
    return lambda rng, n: plain(rng, n, factor)


def thin(rng: np.random.Generator, n: int) -> Scene:
    return plain(rng, n, style="thin")


def still_bodies(rng: np.random.Generator, n: int) -> Scene:
    """No motion at all, or next to none."""
    scene = plain(rng, n)
    tiny = rng.choice([0.0, 1e-300, 1e-15, 1e-9], n)
    paths = scene.paths._replace(angles=np.zeros(n), shifts=scene.paths.shifts * tiny[:, None])
    return dataclasses.replace(scene, paths=paths)


def moved(scene: Scene, by: np.ndarray) -> Scene:
    """The whole scene elsewhere."""

    def there(paths: Paths) -> Paths:
        starts = paths.starts.copy()
        starts[:, :3, 3] += by
        return paths._replace(starts=starts)

    others = tuple(dataclasses.replace(o, paths=there(o.paths)) for o in scene.obstacles)
    return Scene(scene.body, there(scene.paths), others)


def far(rng: np.random.Generator, n: int) -> Scene:
    """1e5 from the origin."""
    return moved(grazing(rng, n), nasty.directions(rng, 1)[0] * 1e5)


def pushed(scene: Scene, hair: np.ndarray, when: np.ndarray | None = None) -> Scene:
    """The first obstacle is moved until it is missed by `hair` (or hit so deep), at any time or at `when`."""
    first, motions = scene.obstacles[0], np.arange(len(scene))
    for _ in range(PUSHES):
        course = rigid_course(scene.body.solid, scene.paths, first.thing.solid, first.paths)
        times = least(course).times if when is None else when
        poses = scene.paths.at(motions, times), first.paths.at(motions, times)
        now = oracle.nearest(scene.body.solid, first.thing.solid, *poses)
        starts = first.paths.starts.copy()
        starts[:, :3, 3] += (hair - now.signed)[:, None] * now.normals
        first = dataclasses.replace(first, paths=first.paths._replace(starts=starts))
    return Scene(scene.body, scene.paths, (first,))


def hairs(rng: np.random.Generator, n: int, size: float) -> np.ndarray:
    return size * 10.0 ** rng.uniform(-9.0, -3.0, n) * rng.choice([-1.0, 1.0], n)


def grazing(rng: np.random.Generator, n: int) -> Scene:
    """Missed, or hit, by 1e-9 to 1e-3 of the size."""
    scene = plain(rng, n)
    return pushed(scene, hairs(rng, n, scene.body.reach or 1.0))


def grazing_moving(rng: np.random.Generator, n: int) -> Scene:
    scene = headon(rng, n)
    return pushed(scene, hairs(rng, n, scene.body.reach or 1.0))


def touching_ends(rng: np.random.Generator, n: int) -> Scene:
    """Touching at the start or at the goal, or all but."""
    scene = plain(rng, n)
    hair = np.where(rng.random(n) < 0.3, 0.0, hairs(rng, n, scene.body.reach or 1.0))
    return pushed(scene, hair, rng.integers(0, 2, n).astype(float))


def walls(rng: np.random.Generator, n: int) -> Scene:
    """From one side of a thin wall to the other, or along it."""
    body = some_thing(rng, 0.3)
    wall, length = plate(rng, 1.0 + body.reach), 2.0 * body.reach + 1e-3
    paths = some_paths(rng, n, length)
    poses = nasty.matrices(nasty.rotations(rng, n), np.zeros((n, 3)))
    side = rng.uniform(0.0, 1.5, n) * length
    through = rng.random(n) < 0.7
    starts, shifts = paths.starts.copy(), paths.shifts.copy()
    normal = poses[:, :3, 2]
    starts[:, :3, 3] = -normal * side[:, None]
    shifts[through] = normal[through] * (side + rng.uniform(0.5, 1.5, n) * length)[through, None]
    return Scene(body, agreed(paths._replace(starts=starts, shifts=shifts)), (Obstacle(wall, still(poses)),))


def sliding(rng: np.random.Generator, n: int) -> Scene:
    """Boxes along a face, in exact contact or a hair above it: the gap is the same all the time."""
    body, wall = Thing("box", (np.array([1.0, 0.5, 0.25]),)), Thing("box", (np.array([8.0, 8.0, 1.0]),))
    hair = np.where(rng.random(n) < 0.3, 0.0, hairs(rng, n, 1.0))
    places = np.stack([np.zeros(n), np.zeros(n), 0.625 + hair], axis=1)
    starts = nasty.matrices(np.tile(np.eye(3), (n, 1, 1)), places)
    shifts = np.stack([rng.integers(-2, 3, n), rng.integers(-2, 3, n), np.zeros(n)], axis=1) * 1.0
    up = np.tile([0.0, 0.0, 1.0], (n, 1))
    paths = Paths(starts, up, np.where(rng.random(n) < 0.5, 0.0, some_angles(rng, n)), shifts)
    return Scene(body, agreed(paths), (Obstacle(wall, still(np.tile(np.eye(4), (n, 1, 1)))),))


def posts(rng: np.random.Generator, n: int) -> Scene:
    """Between two posts that are a hair farther apart than a box is wide, or a hair nearer."""
    width = 0.4
    body, rod = Thing("box", (np.array([width, 1.0, 0.3]),)), post(rng, 1.0)
    radius = float(rod.args[0] if rod.kind == "capsule" else rod.args[0][0] / 2.0)
    starts = np.tile(np.eye(4), (n, 1, 1))
    starts[:, 1, 3] = -1.5
    shifts = np.tile([0.0, 3.0, 0.0], (n, 1)) + rng.normal(size=(n, 3)) * 1e-6 * (rng.random((n, 1)) < 0.5)
    spin = np.where(rng.random(n) < 0.5, 0.0, 10.0 ** rng.uniform(-9.0, -1.0, n))
    paths = Paths(starts, some_axes(rng, n), spin, shifts)
    obstacles = []
    for side in (-1.0, 1.0):
        where = np.tile(np.eye(4), (n, 1, 1))
        where[:, 0, 3] = side * (width / 2.0 + radius + hairs(rng, n, 1.0))
        obstacles.append(Obstacle(rod, still(where)))
    return Scene(body, paths, tuple(obstacles))


def shell(rng: np.random.Generator, n: int) -> Scene:
    """Within a closed mesh, which is hollow."""
    body = some_thing(rng, 0.3)
    corners = np.array(nasty.SIGNS) * 1.5
    room, paths = Thing("mesh", (corners, oracle.box(np.ones(3)).faces)), some_paths(rng, n, 1.0)
    poses = nasty.matrices(nasty.rotations(rng, n), np.zeros((n, 3)))
    return Scene(body, paths, (Obstacle(room, still(poses)),))


def cluster(rng: np.random.Generator, count: int, spread: float, size: float) -> Thing:
    """Many small things about the origin, of all kinds that are convex."""
    members = []
    for turn, place in zip(nasty.rotations(rng, count), rng.normal(size=(count, 3)) * spread, strict=True):
        members.append((nasty.thing(rng, str(rng.choice(nasty.KINDS[:4])), "plain", size), turn, place))
    return Thing("group", tuple(members))


def crowds(rng: np.random.Generator, n: int) -> Scene:
    """Bodies and obstacles of many primitives, whose trees have several levels."""
    ring = Thing("mesh", er.scenes.torus(radius=1.0, tube=0.2, segments=int(rng.integers(5, 20)), sides=4))
    body = ring if rng.random() < 0.5 else cluster(rng, int(rng.integers(5, 40)), 0.7, 0.1)
    other = ring if rng.random() < 0.3 else cluster(rng, int(rng.integers(10, 80)), 3.0, 0.15)
    paths = some_paths(rng, n, 6.0)
    return Scene(body, paths, (Obstacle(other, in_the_way(rng, body, paths, other)),))


def crowds_grazing(rng: np.random.Generator, n: int) -> Scene:
    return pushed(crowds(rng, n), hairs(rng, n, 1.0))


def crowds_moving(rng: np.random.Generator, n: int) -> Scene:
    scene = crowds(rng, n)
    way = some_paths(rng, n, 4.0)
    starts = way.starts.copy()
    starts[:, :3, 3] += scene.obstacles[0].paths.starts[:, :3, 3]
    return Scene(
        scene.body, scene.paths, (Obstacle(scene.obstacles[0].thing, way._replace(starts=starts), True),)
    )


def convoy(rng: np.random.Generator, n: int) -> Scene:
    """The obstacle starts beside the body and moves as it does, or almost."""
    scene = plain(rng, n)
    first, paths = scene.obstacles[0], scene.paths
    away = nasty.directions(rng, n) * (scene.body.reach + first.thing.reach) * rng.uniform(0.5, 1.1, (n, 1))
    starts = nasty.matrices(nasty.rotations(rng, n), paths.starts[:, :3, 3] + away)
    loose = 10.0 ** rng.uniform(-12.0, -1.0, (n, 1)) * (rng.random((n, 1)) < 0.7)
    axes = paths.axes + loose * rng.normal(size=(n, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    beside = Paths(starts, axes, paths.angles, paths.shifts * (1.0 + loose))
    return Scene(scene.body, paths, (Obstacle(first.thing, agreed(beside), True),))


def headon(rng: np.random.Generator, n: int) -> Scene:
    """The obstacle comes the other way, and meets the body somewhere on it or passes it by."""
    scene = plain(rng, n)
    made = []
    for obstacle in scene.obstacles:
        meeting = obstacle.paths.starts
        back = some_paths(rng, n, 3.0 * (scene.body.reach or 1.0))
        shifts = np.where(rng.random((n, 1)) < 0.5, -scene.paths.shifts, back.shifts)
        way = agreed(back._replace(shifts=shifts))
        then = way.at(np.arange(n), rng.random(n))
        starts = way.starts.copy()
        starts[:, :3, 3] += meeting[:, :3, 3] - then[:, :3, 3]
        made.append(Obstacle(obstacle.thing, way._replace(starts=starts), bool(rng.random() < 0.8)))
    return Scene(scene.body, scene.paths, tuple(stopped(o) for o in made))


def stopped(obstacle: Obstacle) -> Obstacle:
    """One that does not move stays at its start."""
    return obstacle if obstacle.moving else dataclasses.replace(obstacle, paths=still(obstacle.paths.starts))


def rotors(rng: np.random.Generator, n: int) -> Scene:
    """Two long thin bars that turn side by side, in step or not, as wheels with teeth do."""
    bar, up, zero = (
        Thing("box", (np.array([2.0, 0.02, 0.02]),)),
        np.tile([0.0, 0.0, 1.0], (n, 1)),
        np.zeros(n),
    )
    spin, places = rng.uniform(0.5, np.pi - 1e-3, n), (zero, rng.uniform(1.0, 2.05, n))
    first, second = (
        nasty.matrices(turns(up, rng.uniform(0.0, np.pi, n)), np.stack([x, zero, zero], axis=1))
        for x in places
    )
    shifts = np.zeros((n, 3))
    other = Paths(second, -up, spin * rng.choice([1.0, 0.5, 0.999], n), shifts)
    return Scene(bar, Paths(first, up, spin, shifts), (Obstacle(bar, other, True),))


MAKERS: dict[str, Maker] = {
    "plain": plain, "grazing": grazing, "thin": thin, "walls": walls, "posts": posts, "sliding": sliding,
    "shell": shell, "touching": touching_ends, "still": still_bodies, "tiny": sized(1e-6),
    "huge": sized(1e6), "far": far, "convoy": convoy, "headon": headon, "rotors": rotors,
    "grazing-moving": grazing_moving, "crowds": crowds, "crowds-grazing": crowds_grazing,
    "crowds-moving": crowds_moving,
}  # fmt: skip
MOVING = ("convoy", "headon", "rotors", "grazing-moving", "crowds-moving")

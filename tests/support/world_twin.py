"""A world and its slow twin, which asks about every two bodies."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import elbowroom as er

#: A body as a whole, or a link of one.
Unit = tuple[str, int | None]


def small_arm() -> er.Articulated:
    """Three links in a row, of which the first has two shapes and the last moves along an axis."""
    bone = (er.Capsule(0.1, 0.6), er.Pose(translation=[0, 0, 0.3]))
    links = [er.Link("base", [er.Box(0.3), bone]), er.Link("elbow", [bone]), er.Link("hand", er.Box(0.25))]
    up = er.Pose(translation=[0, 0, 0.7])
    joints = [
        er.Joint("turn", "revolute", "base", "elbow", up, axis=(0, 1, 0)),
        er.Joint("slide", "prismatic", "elbow", "hand", up, axis=(0, 0, 1)),
    ]
    return er.Articulated(links, joints)


def small_mesh() -> er.Mesh:
    """A tetrahedron."""
    points = np.array([[0, 0, 0], [0.6, 0, 0], [0, 0.6, 0], [0, 0, 0.6]])
    return er.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


MAKERS: dict[str, Callable[[np.random.Generator], Any]] = {
    "sphere": lambda rng: er.Sphere(rng.uniform(0.1, 0.5)),
    "box": lambda rng: er.Box(rng.uniform(0.1, 1.0, 3)),
    "capsule": lambda rng: er.Capsule(0.1, rng.uniform(0.2, 1.5)),
    "mesh": lambda rng: small_mesh(),
    "group": lambda rng: er.Group([er.Sphere(0.2), (er.Box(0.3), er.Pose(translation=[0.5, 0, 0]))]),
    "floor": lambda rng: er.HalfSpace([0, 0, 1], -2.5),
    "arm": lambda rng: small_arm(),
    "chain": lambda rng: er.Chain(np.cumsum(rng.normal(size=(12, 3)) * 0.2, axis=0), np.full(12, 0.12)),
    "necklace": lambda rng: er.Necklace(np.cumsum(rng.normal(size=(12, 3)) * 0.2, axis=0), np.full(12, 0.1)),
}
RIGID = ("sphere", "box", "capsule", "mesh", "group", "floor")


def random_pose(rng: np.random.Generator, spread: float = 2.0) -> np.ndarray:
    """Anywhere in a cube; now and then along the axes, where boxes touch exactly."""
    out = np.eye(4)
    out[:3, 3] = rng.uniform(-spread, spread, 3)
    if rng.random() < 0.3:
        out[:3, 3] = np.round(out[:3, 3])
        return out
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    out[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return out


class Twin:
    """What a world should hold, as plain dictionaries; `world` is changed in step with it."""

    def __init__(self) -> None:
        self.world = er.World()
        self.bodies: dict[str, Any] = {}
        self.poses: dict[str, np.ndarray] = {}
        self.parents: dict[str, tuple[str, int | None, np.ndarray]] = {}
        self.excluded: set[frozenset[Unit]] = set()
        self._near: dict[tuple[str, str], dict[tuple[Unit, Unit], float]] = {}
        self._reach = -1.0

    # Changes of both.

    def add(self, name: str, body: Any, pose: np.ndarray) -> None:
        """Adds a body."""
        self.world.add(name, body, pose)
        self.bodies[name], self.poses[name] = body, pose

    def remove(self, name: str) -> None:
        """Removes a body; what hangs on it stays."""
        self.world.remove(name)
        del self.bodies[name], self.poses[name]
        self.parents.pop(name, None)
        self.parents = {child: link for child, link in self.parents.items() if link[0] != name}
        self.excluded = {pair for pair in self.excluded if all(unit[0] != name for unit in pair)}
        self._forget(name)

    def move(self, changes: dict[str, np.ndarray]) -> None:
        """Moves one body or several."""
        if len(changes) == 1:
            self.world.move(*next(iter(changes.items())))
        else:
            self.world.move(changes)
        for name in sorted(changes, key=self._depth):
            self.poses[name] = changes[name]
            if name in self.parents:
                to, link, _ = self.parents[name]
                self.parents[name] = (to, link, np.linalg.inv(self._frame(to, link)) @ changes[name])
            self._carry(name)

    def bend(self, name: str, values: np.ndarray) -> None:
        """Moves a body that changes by itself."""
        body = self.bodies[name]
        if isinstance(body, er.Articulated):
            body.move(values[: body.dof])
        elif isinstance(body, er.Chain):
            body.rotate(3, float(values[0]))
        else:
            body.move(body.positions() + 0.1 * np.sin(values[0] + np.arange(12))[:, None])
        self._carry(name)

    def attach(self, name: str, to: str, link: int | None) -> None:
        """Attaches a body to another."""
        self.world.attach(name, to, link)
        self.parents[name] = (to, link, np.linalg.inv(self._frame(to, link)) @ self.poses[name])

    def detach(self, name: str) -> None:
        """Detaches it."""
        self.world.detach(name)
        del self.parents[name]

    def exclude(self, a: Unit, b: Unit) -> None:
        """Never compares two."""
        self.world.exclude(_given(a), _given(b))
        self.excluded |= set(self._pairs(a, b))

    def include(self, a: Unit, b: Unit) -> None:
        """Compares them again."""
        self.world.include(_given(a), _given(b))
        self.excluded -= set(self._pairs(a, b))

    def hangs_on(self, name: str | None, other: str) -> bool:
        """Does a body move with another?"""
        while name is not None:
            if name == other:
                return True
            name = self.parents[name][0] if name in self.parents else None
        return False

    def copied(self) -> None:
        """Goes on with a copy of the world."""
        self.world = copy.copy(self.world)
        self.bodies = {name: self.world[name].body for name in self.bodies}
        self._near.clear()

    # Answers.

    def near(self, reach: float) -> dict[tuple[Unit, Unit], float]:
        """The distances of all that is compared and within reach, by brute force."""
        if reach != self._reach:
            self._near.clear()
            self._reach = reach
        out: dict[tuple[Unit, Unit], float] = {}
        for a, b in itertools.combinations_with_replacement(self.bodies, 2):
            if (a, b) not in self._near:
                self._near[a, b] = dict(self._measured(a, b, reach))
            out |= {key: d for key, d in self._near[a, b].items() if frozenset(key) not in self.excluded}
        return out

    def check(self, reach: float, asked: tuple[str, ...] = ("within", "every", "free", "distance")) -> None:
        """Compares the answers of the world: those that are asked, one after the other."""
        self.world.validate()
        assert self.world.names == tuple(self.bodies)
        for pose, (name, wanted) in zip(self.world.poses(), self.poses.items(), strict=True):
            assert np.allclose(pose, wanted, atol=1e-9), name
        wanted = self.near(reach)
        for question in asked:
            getattr(self, f"_check_{question}")(wanted, reach)

    def _check_within(self, wanted: dict[tuple[Unit, Unit], float], reach: float) -> None:
        found = er.self_within(self.world, reach)
        got = {
            (self._unit(a, i), self._unit(b, j)): d
            for (a, b), (i, j), d in zip(found.names, found.indices.tolist(), found.distances, strict=True)
        }
        assert len(got) == len(found)
        self._compare(got, wanted, reach)

    def _check_every(self, wanted: dict[tuple[Unit, Unit], float], reach: float) -> None:
        collision = er.self_collide(self.world, every=True)
        hits = [
            (self._unit(a, i), self._unit(b, j))
            for (a, b), (i, j) in zip(collision.names, collision.pairs.tolist(), strict=True)
        ]
        assert sorted(hits, key=repr) == sorted((key for key, d in wanted.items() if d == 0), key=repr)

    def _check_free(self, wanted: dict[tuple[Unit, Unit], float], reach: float) -> None:
        assert bool(er.self_collide(self.world)) == (0 in wanted.values())

    def _check_distance(self, wanted: dict[tuple[Unit, Unit], float], reach: float) -> None:
        nearest = er.self_distance(self.world)
        if wanted:
            assert np.isclose(nearest.value, min(wanted.values()), atol=1e-9)
            assert nearest.lower <= min(wanted.values()) + 1e-9
        else:
            assert nearest.value > reach or np.isinf(nearest.value)

    def check_member(self, name: str, reach: float) -> None:
        """Compares what one body has to do with the others."""
        wanted = {k: d for k, d in self.near(reach).items() if (k[0][0] == name) != (k[1][0] == name)}
        found = er.within(self.world[name], self.world, reach)
        got = {}
        for (a, b), (i, j), d in zip(found.names, found.indices.tolist(), found.distances, strict=True):
            assert a == name
            x, y = self._unit(a, i), self._unit(b, j)
            got[(x, y) if (x, y) in wanted else (y, x)] = d
        self._compare(got, wanted, reach)
        answer = er.distance(self.world, self.world[name])
        if wanted:
            assert np.isclose(answer.value, min(wanted.values()), atol=1e-9)
            assert answer.names[1] == name
        assert bool(er.collide(self.world[name], self.world)) == (0 in wanted.values())

    def check_stranger(self, body: Any, pose: np.ndarray, reach: float) -> None:
        """Compares what a body that is not in the world has to do with it."""
        least: dict[str, float] = {}
        for name in self.bodies:
            for _, x, at in self._parts(name):
                d = float(er.distance(x, body, at, pose).value)
                least[name] = min(d, least.get(name, np.inf))
        found = er.within(self.world, body, reach, None, pose)
        got: dict[str, float] = {}
        for (name, nobody), d in zip(found.names, found.distances, strict=True):
            assert nobody is None
            got[name] = min(d, got.get(name, np.inf))
        wanted = {name: d for name, d in least.items() if d <= reach}
        assert got.keys() == wanted.keys()
        assert all(np.isclose(got[name], wanted[name], atol=1e-9) for name in got)
        answer = er.distance(body, self.world, pose)
        assert np.isclose(answer.value, min(least.values(), default=np.inf), atol=1e-9)

    def _compare(self, got: dict[Any, float], wanted: dict[Any, float], reach: float) -> None:
        for key in got.keys() ^ wanted.keys():
            d = got.get(key, wanted.get(key))
            assert abs(d - reach) < 1e-9, (key, d)
        for key in got.keys() & wanted.keys():
            assert abs(got[key] - wanted[key]) < 1e-9, (key, got[key], wanted[key])

    def _measured(self, a: str, b: str, reach: float) -> Iterator[tuple[tuple[Unit, Unit], float]]:
        if a == b:
            yield from self._with_itself(a, reach)
            return
        least: dict[tuple[Unit, Unit], float] = {}
        for (x, body_x, at_x), (y, body_y, at_y) in itertools.product(self._parts(a), self._parts(b)):
            d = float(er.distance(body_x, body_y, at_x, at_y).value)
            least[x, y] = min(d, least.get((x, y), np.inf))
        yield from ((key, d) for key, d in least.items() if d <= reach)

    def _with_itself(self, name: str, reach: float) -> Iterator[tuple[tuple[Unit, Unit], float]]:
        body = self.bodies[name]
        if isinstance(body, er.Articulated):
            found = er.self_within(body, reach)
            for (i, j), d in zip(found.indices.tolist(), found.distances.tolist(), strict=True):
                yield ((name, i), (name, j)), d
        elif not isinstance(body, er.Body):
            d = float(er.self_distance(body).value)
            if d <= reach:
                yield ((name, None), (name, None)), d

    def _parts(self, name: str) -> Iterator[tuple[Unit, Any, np.ndarray]]:
        body, pose = self.bodies[name], self.poses[name]
        if not isinstance(body, er.Articulated):
            yield (name, None), body, pose
            return
        links = body.link_poses()
        for link, shape, inside in body.shapes:
            yield (name, link), shape, pose @ links[link] @ inside.matrix

    def _unit(self, name: str, part: int) -> Unit:
        return name, part if isinstance(self.bodies[name], er.Articulated) else None

    def _pairs(self, a: Unit, b: Unit) -> list[frozenset[Unit]]:
        def units(unit: Unit) -> list[Unit]:
            body = self.bodies[unit[0]]
            if unit[1] is None and isinstance(body, er.Articulated):
                return [(unit[0], i) for i in range(len(body))]
            return [unit]

        return [frozenset((x, y)) for x in units(a) for y in units(b)]

    def _frame(self, name: str, link: int | None) -> np.ndarray:
        pose = self.poses[name]
        return pose if link is None else pose @ self.bodies[name].link_poses()[link]

    def _depth(self, name: str) -> int:
        return 0 if name not in self.parents else 1 + self._depth(self.parents[name][0])

    def _carry(self, name: str) -> None:
        self._forget(name)
        for child, (to, link, offset) in self.parents.items():
            if to == name:
                self.poses[child] = self._frame(to, link) @ offset
                self._carry(child)

    def _forget(self, name: str) -> None:
        for key in [key for key in self._near if name in key]:
            del self._near[key]


def _given(unit: Unit) -> Any:
    return unit[0] if unit[1] is None else unit

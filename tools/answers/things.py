"""Random bodies and poses for the scenarios."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er

Array = NDArray[np.float64]
Rng = np.random.Generator

KINDS = ("sphere", "capsule", "box", "convex", "mesh", "group")
STYLES = ("plain", "thin", "dyadic")
BUDGETS = (0, 1, 4, 16, 64, 256, 1024, 10_000)


@cache
def quarter_turns() -> Array:
    """The 24 rotations that map axes to axes, without rounding."""
    signs = product((-1.0, 1.0), repeat=3)
    turns = [np.diag(s) @ np.eye(3)[list(p)] for s in signs for p in permutations(range(3))]
    return np.array([turn for turn in turns if np.linalg.det(turn) > 0])


def rotations(rng: Rng, n: int) -> Array:
    """Uniform rotations (n, 3, 3)."""
    w, x, y, z = (q := rng.normal(size=(4, n))) / np.sqrt((q * q).sum(axis=0))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def matrices(turns: Array, places: Array) -> Array:
    """Poses (n, 4, 4)."""
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = turns, places
    return poses


def poses(rng: Rng, n: int, spread: float) -> Array:
    """Any rotation, and places up to `spread` from the origin."""
    return matrices(rotations(rng, n), spread * rng.uniform(-1, 1, (n, 3)))


def small_turns(rng: Rng, n: int, angle: float) -> Array:
    """Rotations by about an angle, about any axis."""
    x, y, z = 0.5 * angle * rng.normal(size=(3, n))
    skew = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]).transpose(2, 0, 1)
    one = np.eye(3)
    return np.asarray(np.linalg.solve(one - skew, one + skew))


def path(rng: Rng, n: int, begin: Array, step: float, angle: float) -> Array:
    """Poses that go on by small steps from the first."""
    out = np.repeat(begin[None], n, axis=0)
    turns, moves = small_turns(rng, n, angle), step * (rng.normal(size=3) + 0.5 * rng.normal(size=(n, 3)))
    for k in range(1, n):
        out[k, :3, :3] = turns[k] @ out[k - 1, :3, :3]
        out[k, :3, 3] = out[k - 1, :3, 3] + moves[k]
    return out


def lengths(rng: Rng, style: str, n: int) -> Array:
    """About 1; thin ones are mostly tiny or zero, dyadic ones multiples of an eighth."""
    if style == "dyadic":
        return rng.integers(0, 9, n) / 8.0
    plain = rng.uniform(0.2, 1.0, n)
    if style == "plain":
        return plain
    return np.choose(rng.integers(0, 3, n), [plain, 10.0 ** rng.uniform(-16, -3, n), np.zeros(n)])


def cloud(rng: Rng, style: str, n: int) -> Array:
    """Points about the origin; thin clouds are nearly flat or straight and have a point twice."""
    if style == "dyadic":
        return rng.integers(-8, 9, (n, 3)) / 8.0
    points = rng.normal(size=(n, 3))
    if style == "thin":
        points = points * lengths(rng, style, 3) @ rotations(rng, 1)[0].T
        points[int(rng.integers(n))] = points[0]
    return points


def body(rng: Rng, kind: str, style: str = "plain", children: int = 8) -> Any:
    """A random rigid body about one large."""
    if kind == "sphere":
        return er.Sphere(float(lengths(rng, style, 1)[0]))
    if kind == "capsule":
        return er.Capsule(*(float(x) for x in lengths(rng, style, 2)))
    if kind == "box":
        return er.Box(2 * lengths(rng, style, 3))
    if kind == "convex":
        return er.Convex(cloud(rng, style, int(rng.integers(4, 40))))
    if kind == "mesh":
        points = cloud(rng, style, int(rng.integers(3, 30)))
        faces = [rng.choice(len(points), 3, replace=style == "thin") for _ in range(rng.integers(1, 60))]
        return er.Mesh(points, np.array(faces), children=children)
    return group(rng, style, children)


def group(rng: Rng, style: str, children: int) -> Any:
    """One to eight members of any other kind."""
    members = []
    for _ in range(rng.integers(1, 9)):
        turn = quarter_turns()[rng.integers(24)] if style == "dyadic" else rotations(rng, 1)[0]
        shift = cloud(rng, "dyadic" if style == "dyadic" else "plain", 1)[0]
        members.append((body(rng, str(rng.choice(KINDS[:5])), style), (turn, shift)))
    return er.Group(members, children=children)


def reach(thing: Any) -> float:
    """How far a rigid body extends from its origin, at most."""
    return float(np.linalg.norm(np.abs(thing.bounds).max(axis=0)))


def as_given(rng: Rng, matrix: Array) -> Any:
    """One pose in one of the forms that are taken."""
    forms = (
        matrix,
        er.Pose.from_matrix(matrix),
        (matrix[:3, :3], matrix[:3, 3]),
        matrix.tolist(),
        np.asfortranarray(matrix),
    )
    return forms[int(rng.integers(len(forms)))]


def budget(rng: Rng) -> er.Budget:
    """So many tests; one in four is limited in time too, but not so that the time could decide."""
    tests = int(rng.choice(BUDGETS))
    return er.Budget(tests=tests, seconds=1e6) if rng.random() < 0.25 else er.Budget(tests=tests)


def options(rng: Rng, **possible: Any) -> dict[str, Any]:
    """Each of the possible options or not, and a budget or not."""
    chosen = {name: value for name, value in possible.items() if rng.random() < 0.5}
    return chosen | ({"budget": budget(rng)} if rng.random() < 0.5 else {})


@cache
def spring(children: int = 8) -> Any:
    """The spring of 1,800 triangles."""
    return er.Mesh(*er.scenes.spring(), children=children)


@cache
def torus(segments: int = 37, sides: int = 18) -> Any:
    """A torus, of 1,332 triangles unless it is said."""
    return er.Mesh(*er.scenes.torus(segments=segments, sides=sides))


@cache
def tetrahedra() -> Any:
    """The 1,330 tetrahedra of a world of side 100."""
    return er.Group([er.Convex(corners) for corners in er.scenes.tetrahedra()])


@cache
def hook() -> Any:
    """The hook of two boxes."""
    return er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in er.scenes.hook()])

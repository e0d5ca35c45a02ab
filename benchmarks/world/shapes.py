"""Parts of an assembly as closed meshes: screws, brackets and pipes."""

from __future__ import annotations

import numpy as np

from benchmarks.common import Array
from benchmarks.mesh.run import Indices, Surface


def _rings(centres: Array, radii: Array, directions: Array, sides: int) -> Surface:
    """A closed skin through circles about the centres, across the directions."""
    angle = 2 * np.pi * np.arange(sides) / sides
    across = np.cross(directions, [0.0, 0.0, 1.0])
    flat = np.linalg.norm(across, axis=1) < 1e-9
    across[flat] = [1.0, 0, 0]
    across /= np.linalg.norm(across, axis=1)[:, None]
    other = np.cross(directions, across)
    circle = np.cos(angle)[None, :, None] * across[:, None] + np.sin(angle)[None, :, None] * other[:, None]
    points = (centres[:, None] + radii[:, None, None] * circle).reshape(-1, 3)
    faces = []
    for ring in range(len(centres) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            faces += [[a, b, a + sides], [b, b + sides, a + sides]]
    last = (len(centres) - 1) * sides
    for k in range(1, sides - 1):
        faces += [[0, k + 1, k], [last, last + k, last + k + 1]]
    return points, np.array(faces)


def screw(sides: int = 24) -> Surface:
    """A head and a shank with grooves, 40 mm long."""
    z = np.array([0, 5, 5, *np.linspace(6, 40, 18)])
    radius = np.array([6, 6, 3, *(3 - 0.4 * (np.arange(18) % 2))])
    centres = np.stack([0 * z, 0 * z, z], axis=1)
    return _rings(centres, radius, np.tile([0, 0, 1.0], (len(z), 1)), sides)


def pipe(sides: int = 16, bends: int = 24) -> Surface:
    """A quarter of a ring, 6 mm thick, with a radius of 40 mm."""
    turn = np.linspace(0, np.pi / 2, bends)
    centres = 40 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    along = np.stack([-np.sin(turn), np.cos(turn), 0 * turn], axis=1)
    return _rings(centres, np.full(bends, 3.0), along, sides)


def bracket(cells: int = 8) -> Surface:
    """A right angle of two plates, 40 mm wide and 4 mm thick."""
    outline = np.array([[0, 0], [40, 0], [40, 4], [4, 4], [4, 40], [0, 40]], float)
    y = np.linspace(-20, 20, cells + 1)
    n = len(outline)
    points = np.concatenate([np.stack([outline[:, 0], np.full(n, at), outline[:, 1]], axis=1) for at in y])
    faces = []
    for layer in range(cells):
        for k in range(n):
            a, b = layer * n + k, layer * n + (k + 1) % n
            faces += [[a, a + n, b], [b, a + n, b + n]]
    cap: Indices = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    faces += [*cap.tolist(), *(cap[:, ::-1] + cells * n).tolist()]
    return points, np.array(faces)


def poses(count: int, side: float, rng: np.random.Generator) -> Array:
    """Anywhere in a cube, turned anyhow."""
    q = rng.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    out = np.tile(np.eye(4), (count, 1, 1))
    out[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1)
    out[:, 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1)
    out[:, 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    out[:, :3, 3] = rng.uniform(0, side, (count, 3))
    return out

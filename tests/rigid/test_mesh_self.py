"""A mesh and itself: judged by exact arithmetic on meshes with integer vertices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from triangle_oracle import overlapping_pairs

import elbowroom as er

Surface = tuple[NDArray[np.float64], NDArray[np.int64]]
#: A unit square of two triangles, and a corner above it.
SQUARE = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [2, 2, 3]], float)


def pairs(vertices: object, faces: object, children: int = 8) -> list[list[int]]:
    mesh = er.Mesh(np.asarray(vertices, float), np.asarray(faces), children=children)
    found: list[list[int]] = er.self_collide(mesh, every=True).pairs.tolist()
    assert bool(er.self_collide(mesh)) == bool(found)
    return found


def random_mesh(rng: np.random.Generator) -> Surface:
    """Few places, so that corners, edges and planes are shared by many."""
    kind = rng.integers(4)
    extent = int(rng.integers(2, 7))
    vertices = rng.integers(0, extent, (int(rng.integers(4, 14)), 3)).astype(float)
    if kind == 0:
        vertices[:, 2] = 0
    elif kind == 1:
        vertices[:, 2] = vertices[:, 0] + 2 * vertices[:, 1]
    faces = rng.integers(0, len(vertices), (int(rng.integers(2, 24)), 3))
    if kind == 2:  # no triangle has a corner twice
        faces = np.array([rng.permutation(len(vertices))[:3] for _ in faces])
    return vertices, faces


def test_random_meshes_as_the_oracle() -> None:
    rng = np.random.default_rng(0)
    overlapping = 0
    for _ in range(8):
        vertices, faces = random_mesh(rng)
        expected = overlapping_pairs(vertices, faces)
        assert pairs(vertices, faces, int(rng.choice([2, 8]))) == expected, (vertices, faces)
        overlapping += len(expected)
    assert overlapping > 100


def test_neighbours_do_not_count_and_folds_do() -> None:
    assert pairs(SQUARE, [[0, 1, 2], [0, 2, 3]]) == []
    assert pairs(SQUARE, [[0, 1, 2], [0, 2, 4]]) == []  # bent
    assert pairs(SQUARE, [[0, 1, 2], [0, 1, 3]]) == [[0, 1]]  # folded onto each other
    assert pairs(SQUARE, [[0, 1, 4], [2, 3, 4]]) == []  # a common corner
    assert pairs([*SQUARE, [1, 1, -1]], [[0, 1, 3], [2, 4, 5]]) == [[0, 1]]
    assert pairs(SQUARE, [[0, 1, 2], [2, 1, 0]]) == [[0, 1]]  # the same twice


def test_corners_at_one_place_are_shared() -> None:
    apart = SQUARE[[0, 1, 2, 0, 2, 3]]
    assert pairs(apart, [[0, 1, 2], [3, 4, 5]]) == []
    apart[3] += [1e-3, -1e-3, 0]
    assert pairs(apart, [[0, 1, 2], [3, 4, 5]]) == [[0, 1]]


def test_a_t_junction_touches() -> None:
    vertices = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [2, 0, 0], [2, -3, 0], [5, -3, 1]]
    assert pairs(vertices, [[0, 1, 2], [3, 4, 5]]) == [[0, 1]]


def subdivided(triangle: NDArray[np.float64], times: int) -> Surface:
    """Every triangle in four; midpoints are rounded, so that what lay in one plane nearly does."""
    vertices, faces = list(triangle), [(0, 1, 2)]
    for _ in range(times):
        middle: dict[tuple[int, int], int] = {}
        parts = []
        for face in faces:
            halves = []
            for i, j in zip(face, (*face[1:], face[0]), strict=True):
                edge = (min(i, j), max(i, j))
                if edge not in middle:
                    middle[edge] = len(vertices)
                    vertices.append((vertices[i] + vertices[j]) / 2)
                halves.append(middle[edge])
            (a, b, c), (p, q, r) = face, halves
            parts += [(a, p, r), (b, q, p), (c, r, q), (p, q, r)]
        faces = parts
    return np.array(vertices), np.array(faces)


def test_flat_parts_are_no_overlap() -> None:
    """What other libraries took for intersections: triangles side by side in a plane."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert pairs(*subdivided(rng.normal(size=(3, 3)), 3)) == []
        vertices, faces = subdivided(rng.normal(size=(3, 3)) * [0, 1, 1], 2)
        shrunk = vertices[faces].mean(axis=1, keepdims=True) * 0.25 + vertices[faces] * 0.75
        assert pairs(shrunk.reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)) == []


def folded_sheet(n: int) -> Surface:
    """A sheet of 2 n^2 triangles whose far end is bent back through its middle."""
    x, y = (a.ravel() for a in np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij"))
    bent = np.where(x > 0.6 * n, 1.2 * n - x, x)
    height = np.where(x > 0.6 * n, 0.9 * (x - 0.6 * n) - 2, 0.003 * x * (n - x))
    i = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    quads = [i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]]
    a, b, c, d = (q.ravel() for q in quads)
    return np.stack([bent, y, height], 1), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


@pytest.mark.parametrize("children", [2, 8])
def test_two_meshes_and_one(children: int) -> None:
    """Parts without common corners are judged as two bodies are, and neighbours as pairs of triangles."""
    vertices, faces = folded_sheet(12)
    mesh = er.Mesh(vertices, faces, children=children)
    shared = (vertices[faces][:, None, :, None] == vertices[faces][None, :, None, :]).all(-1).any((2, 3))
    found = er.collide(mesh, mesh, every=True).pairs
    found = found[(found[:, 0] < found[:, 1]) & ~shared[found[:, 0], found[:, 1]]]
    assert len(found) > 10
    assert er.self_collide(mesh, every=True).pairs.tolist() == found.tolist()
    near = er.within(mesh, mesh, 1.1)
    keep = (near.indices[:, 0] < near.indices[:, 1]) & ~shared[near.indices[:, 0], near.indices[:, 1]]
    own = er.self_within(mesh, 1.1, points=True)
    assert own.indices.tolist() == near.indices[keep].tolist()
    assert own.distances == pytest.approx(near.distances[keep], abs=1e-12)
    assert er.self_distance(mesh).value == 0


def test_distance_of_what_is_no_neighbour() -> None:
    vertices, faces = folded_sheet(12)
    vertices[:, 2] = np.abs(vertices[:, 2]) + np.where(np.arange(len(vertices)) > 8 * 13, 9, 0)
    mesh = er.Mesh(vertices, faces)
    nearest = er.self_distance(mesh)
    assert nearest.value == pytest.approx(er.self_within(mesh, nearest.value + 1e-9).distances.min())
    assert nearest.value > 0 and not er.self_collide(mesh)
    assert nearest.pair[0] < nearest.pair[1]
    assert len(er.self_within(mesh, nearest.value - 1e-9)) == 0
    limited = er.self_distance(mesh, budget=er.Budget(tests=100))
    assert limited.lower <= nearest.value <= limited.upper + 1e-12
    assert er.self_distance(mesh, enough=0.01).lower <= nearest.value


def test_only_neighbours_are_infinitely_far() -> None:
    fan = er.Mesh(SQUARE, [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    assert er.self_distance(fan).value == np.inf
    assert len(er.self_within(fan, 100.0)) == 0
    assert er.self_distance(er.Mesh(SQUARE, [[0, 1, 2]])).value == np.inf


def test_depth_gives_contacts() -> None:
    mesh = er.Mesh(*folded_sheet(12))
    contacts = er.self_collide(mesh, every=True, depth=True).contacts
    assert contacts is not None and len(contacts.depths) == len(er.self_collide(mesh, every=True).pairs)


def test_memories_and_budgets_change_no_verdict() -> None:
    mesh, memory = er.Mesh(*folded_sheet(12)), er.Memory()
    assert er.self_collide(mesh, memory=memory) and er.self_collide(mesh, memory=memory)
    first = er.self_distance(mesh, memory=memory, budget=er.Budget(tests=10**6)).value
    flat = mesh.vertices * [1, 1, 0] + np.arange(len(mesh.vertices))[:, None] // 13 * [0, 0, 2.0]
    mesh.move(flat)
    assert first == 0 and not er.self_collide(mesh, memory=memory)
    assert er.self_distance(mesh, memory=memory).value == pytest.approx(er.self_distance(mesh).value)


def test_other_rigid_bodies_have_nothing_to_collide_with() -> None:
    with pytest.raises(TypeError, match="Box is rigid and has nothing"):
        er.self_collide(er.Box(1))  # type: ignore[call-overload]

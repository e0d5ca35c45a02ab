"""Pictures: every kind of body can be drawn, and what is drawn lies where the body is."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures import Look, draw, png, surface, trace
from elbowroom.pictures.surfaces import creases, divided, is_solid


def test_pictures_of_every_kind_of_body() -> None:
    flat, line, point = er.Convex(np.eye(3)), er.Convex([[0, 0, 0], [1, 1, 1]]), er.Convex([[0, 0, 0]])
    bodies = [
        er.Sphere(1),
        er.Sphere(0),
        er.Capsule(0.3, 1),
        er.Box([1, 2, 3]),
        er.Box([1, 0, 1]),
        flat,
        line,
        point,
    ]
    bodies += [er.Mesh(*scenes.torus()), er.Group([(er.Group([er.Box(1)]), er.Pose(translation=[1, 0, 0]))])]
    for body in bodies:
        for look in (Look(), Look(alpha=0.3, edges=True)):
            figure = draw(
                [(body, None, look), (body, np.eye(4))], points=[[0, 0, 0]], normals=[[0, 0, 1]], title="x"
            )
            assert png(figure, dpi=20).startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="bodies"):
        draw([])
    with pytest.raises(TypeError, match="str"):
        draw([("mesh", None)])


def test_surfaces_lie_on_their_bodies() -> None:
    assert np.linalg.norm(surface(er.Sphere(2)), axis=2) == pytest.approx(2.0)
    pill = surface(er.Capsule(0.5, 3)).reshape(-1, 3)
    axis = np.clip(pill[:, 2], -1.5, 1.5)[:, None] * [0, 0, 1]
    assert np.linalg.norm(pill - axis, axis=1) == pytest.approx(0.5)
    shifted = surface(er.Group([(er.Box(1), er.Pose(translation=[3, 0, 0]))])).reshape(-1, 3)
    assert shifted.min(axis=0) == pytest.approx([2.5, -0.5, -0.5])
    assert shifted.max(axis=0) == pytest.approx([3.5, 0.5, 0.5])


def test_convex_surfaces_are_solid_and_meshes_are_not_assumed_to_be() -> None:
    tetrahedron = er.Convex(np.vstack([np.zeros(3), np.eye(3)]))
    for body in (er.Sphere(1), er.Capsule(1, 2), er.Box([1, 2, 3]), tetrahedron):
        assert is_solid(body, surface(body))
    for flat in (er.Convex(np.eye(3)), er.Mesh(np.eye(3), [[0, 1, 2]])):
        assert not is_solid(flat, surface(flat))


def test_creases_of_a_box_are_its_twelve_edges() -> None:
    edges, _ = creases(surface(er.Box([1, 2, 3])))
    lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    assert sorted(lengths) == pytest.approx([1.0] * 4 + [2.0] * 4 + [3.0] * 4)


def test_divided_triangles_keep_their_area_and_origin() -> None:
    triangles = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 3, 0]], [[0.0, 0, 1], [1, 0, 1], [0, 1, 1]]])
    pieces, origin = divided(triangles, 1.5)
    assert np.linalg.norm(pieces - np.roll(pieces, -1, axis=1), axis=2).max() <= 1.5
    areas = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1) / 2
    assert np.bincount(origin, areas) == pytest.approx([6.0, 0.5])


def test_trace_shades_every_colliding_interval() -> None:
    figure = trace([1, 0, 0, 1, 0, 1], [False, True, True, False, True, False], mark=3)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["colliding", "colliding"]
    assert [text.get_position()[0] for text in axes.texts] == [1.5, 4.0]

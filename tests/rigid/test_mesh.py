"""Meshes: files, degenerate triangles, soups and large surfaces, against the oracle and brute force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
import trimesh

import elbowroom as er

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
    "element face {count}\nproperty list uchar int vertex_indices\nend_header\n{vertices}{faces}"
)
CORNERS = "0 0 0\n1 0 0\n0 1 0\n"


def soup(rng: np.random.Generator, count: int, spread: float) -> nasty.Thing:
    """Triangles that share nothing: no edge has a neighbour, nothing is closed."""
    corners = rng.normal(size=(count, 1, 3)) * spread + rng.normal(size=(count, 3, 3)) * 0.3
    return nasty.Thing("mesh", (corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)))


def poses_about(rng: np.random.Generator, count: int, reach: float) -> np.ndarray:
    away = nasty.directions(rng, count) * rng.uniform(0.0, reach, (count, 1))
    return nasty.matrices(nasty.rotations(rng, count), away)


def check_against_oracle(a: nasty.Thing, b: nasty.Thing, poses: np.ndarray) -> None:
    origin = np.tile(np.eye(4), (len(poses), 1, 1))
    truth = oracle.nearest(a.solid, b.solid, origin, poses)
    scale = a.reach + b.reach + np.linalg.norm(poses[:, :3, 3], axis=1)
    found = er.distance(a.body, b.body, None, poses)
    assert (np.abs(found.values - np.maximum(truth.signed, 0.0)) <= 1e-12 * scale).all()
    assert (found.lower <= np.maximum(truth.signed, 0.0) + 1e-14 * scale).all()
    clear = np.abs(truth.signed) > 1e-13 * scale
    hits = er.collide(a.body, b.body, None, poses).hits
    assert np.array_equal(hits[clear], truth.signed[clear] < 0.0)


# Files.


@pytest.mark.parametrize(
    ("kind", "precision"), [("obj", 1e-8), ("stl", 1e-7), ("stl_ascii", 1e-7), ("ply", 1e-7), ("off", 1e-9)]
)
def test_a_file_gives_its_triangles_in_order(tmp_path: Path, kind: str, precision: float) -> None:
    made = trimesh.creation.icosphere(subdivisions=2, radius=3.0)
    path = tmp_path / f"ball.{kind.split('_')[0]}"
    made.export(path, file_type=kind)
    for loaded in (er.Mesh.load(path), er.Mesh.load(str(path), children=2)):
        assert len(loaded) == len(made.faces)
        assert loaded.vertices[loaded.faces] == pytest.approx(made.vertices[made.faces], abs=3.0 * precision)
        outside = er.Pose(translation=[0.0, 0.0, 5.0])
        assert er.distance(loaded, er.Sphere(1.0), None, outside).value == pytest.approx(1.0, abs=4e-7)
    assert loaded.children == 2


def test_text_formats_keep_every_digit(tmp_path: Path) -> None:
    vertices = np.random.default_rng(1).normal(size=(3, 3)) * [1.0, 1e-9, 1e9]
    path = tmp_path / "digits.obj"
    path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices.tolist()) + "f 1 2 3\n")
    assert np.array_equal(er.Mesh.load(path).vertices, vertices)


def test_faces_of_a_file_with_materials_keep_their_order(tmp_path: Path) -> None:
    """Primitives are numbered like the faces of the file, and unused vertices stay in their place."""
    path = tmp_path / "parts.obj"
    faces = ["usemtl red", "f 1 2 3", "usemtl green", "f 2 3 4", "usemtl red", "f 1 3 4"]
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\n" + "\n".join(faces) + "\n")
    loaded = er.Mesh.load(path)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [9, 9, 9]], float)
    assert np.array_equal(loaded.vertices[loaded.faces], corners[[[0, 1, 2], [1, 2, 3], [0, 2, 3]]])
    assert np.array_equal(loaded.vertices, corners)


FILES = {
    "empty.obj": "", "empty.stl": "", "empty.ply": "", "empty.off": "",
    "text.obj": "once upon a time\n", "text.stl": "once upon a time\n", "text.ply": "once upon a time\n",
    "text.off": "once upon a time\n", "story.txt": "once upon a time\n", "none": "v 0 0 0\n",
    "no_faces.obj": TRIANGLE, "no_faces.off": f"OFF\n3 0 0\n{CORNERS}", "lines.obj": TRIANGLE + "l 1 2\n",
    "no_faces.ply": PLY.format(count=0, vertices=CORNERS, faces=""),
    "beyond.obj": TRIANGLE + "f 1 2 9\n", "beyond.off": f"OFF\n3 1 0\n{CORNERS}3 0 1 9\n",
    "beyond.ply": PLY.format(count=1, vertices=CORNERS, faces="3 0 1 9\n"),
    "zero.obj": TRIANGLE + "f 0 1 2\n",
    "below.off": f"OFF\n3 1 0\n{CORNERS}3 0 1 -1\n",
    "below.ply": PLY.format(count=1, vertices=CORNERS, faces="3 0 1 -1\n"),
    "nan.obj": "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "inf.obj": "v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "nan.off": "OFF\n3 1 0\n0 nan 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    "huge.obj": "v 0 0 1e16\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "cut.ply": "ply\nformat ascii 1.0\nelement vertex 3\n", "cut.off": "OFF\n3 1 0\n0 0 0\n",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_mesh_is_an_error_that_names_it(tmp_path: Path, name: str, capfd: Any) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    with pytest.raises(ValueError, match=name):
        er.Mesh.load(path)
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.stl"):
        er.Mesh.load(tmp_path / "nowhere.stl")
    with pytest.raises((ValueError, OSError), match=tmp_path.name):
        er.Mesh.load(tmp_path)


# Degenerate triangles: points, segments and slivers are what they are.


def degenerate(rng: np.random.Generator, count: int) -> nasty.Thing:
    """A soup in which a third of the triangles are points, a third segments, one way or another."""
    corners = soup(rng, count, 1.0).args[0].reshape(-1, 3, 3)
    corners[0::6] = corners[0::6, :1]
    corners[1::6, 2] = corners[1::6, 1]
    share = rng.uniform(-0.5, 1.5, (len(corners[2::6]), 1))
    corners[2::6, 2] = corners[2::6, 0] * (1.0 - share) + corners[2::6, 1] * share
    corners[3::6, 0] = corners[3::6, 1]
    return nasty.Thing("mesh", (corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)))


@pytest.mark.parametrize("seed", range(6))
def test_degenerate_triangles_against_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = degenerate(rng, 60), degenerate(rng, 30)
    a.body.validate()
    check_against_oracle(a, b, poses_about(rng, 40, 6.0))


def test_triangles_named_by_one_vertex_are_points_and_by_two_are_segments() -> None:
    corners = [[0, 0, 0], [4, 0, 0], [0, 3, 0]]
    point, segment = er.Mesh(corners, [[1, 1, 1]]), er.Mesh(corners, [[1, 2, 1]])
    assert er.distance(point, er.Sphere(1.0)).value == 3.0
    assert er.distance(segment, er.Sphere(1.0)).value == pytest.approx(1.4, rel=1e-15)
    assert er.collide(segment, er.Sphere(1.0), None, er.Pose(translation=[2.0, 1.5, 1.0]))


def test_open_soup_against_the_oracle() -> None:
    rng = np.random.default_rng(11)
    a, b = soup(rng, 150, 1.5), soup(rng, 80, 1.0)
    a.body.validate()
    b.body.validate()
    check_against_oracle(a, b, poses_about(rng, 60, 8.0))


@pytest.mark.parametrize("scale", [1e-30, 1e-9, 1e9, 1e13])
def test_the_answers_scale_with_the_scene(scale: float) -> None:
    rng = np.random.default_rng(12)
    a, b = (
        nasty.Thing("mesh", (t.args[0] * scale, t.args[1])) for t in (soup(rng, 60, 1.0), degenerate(rng, 40))
    )
    poses = poses_about(rng, 30, 6.0)
    poses[:, :3, 3] *= scale
    a.body.validate()
    b.body.validate()
    check_against_oracle(a, b, poses)


@pytest.mark.parametrize("scale", [1e-40, 1e-50, 1e-70, 1e-100, 1e-200])
def test_scenes_too_small_are_right_or_refused(scale: float) -> None:
    """Coordinates whose squares or whose single precision underflow."""
    rng = np.random.default_rng(13)
    a, b, poses = soup(rng, 60, 1.0), soup(rng, 40, 1.0), poses_about(rng, 30, 6.0)
    plain = er.distance(a.body, b.body, None, poses).values
    poses[:, :3, 3] *= scale
    try:
        small = [er.Mesh(t.args[0] * scale, t.args[1]) for t in (a, b)]
    except ValueError:
        return
    for body in small:
        body.validate()
    assert er.distance(small[0], small[1], None, poses).values / scale == pytest.approx(plain, abs=1e-9)


# Large meshes, and trees of two children a node.


def bumpy_ball(subdivisions: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    ball = trimesh.creation.icosphere(subdivisions=subdivisions)
    bumps = 1.0 + 0.05 * np.random.default_rng(seed).random((len(ball.vertices), 1))
    return ball.vertices * bumps, ball.faces


def test_a_mesh_of_fifty_thousand_triangles_against_brute_force() -> None:
    vertices, faces = bumpy_ball(6, 1)
    vertices, faces = np.asarray(vertices), np.asarray(faces)[:50_000]
    large, small = er.Mesh(vertices, faces), nasty.Thing("mesh", bumpy_ball(1, 2))
    large.validate()
    rng = np.random.default_rng(3)
    poses = poses_about(rng, 6, 3.0)
    poses[:, :3, 3] += nasty.directions(rng, 6)
    found = er.distance(large, small.body, None, poses)
    assert 0 < np.count_nonzero(found.values) < len(poses), "some apart, some not"
    for k, pose in enumerate(poses):
        true = brute_force(vertices, faces, small, pose, float(found.values[k]))
        assert found.values[k] == pytest.approx(true, abs=1e-13)
        assert bool(er.collide(large, small.body, None, pose)) == (true == 0.0)


def brute_force(
    vertices: np.ndarray, faces: np.ndarray, small: nasty.Thing, pose: np.ndarray, guess: float
) -> float:
    """The distance by the oracle over all triangles but those whose ball is beyond the guess."""
    corners, world = vertices[faces], small.solid.vertices @ pose[:3, :3].T + pose[:3, 3]
    centre, middle = corners.mean(axis=1), world.mean(axis=0)
    reach = (
        np.linalg.norm(corners - centre[:, None], axis=2).max(axis=1)
        + np.linalg.norm(world - middle, axis=1).max()
    )
    kept = np.linalg.norm(centre - middle, axis=1) - reach <= guess + 1e-9
    near = oracle.pack(oracle.triangles(vertices, faces[kept]))
    return max(float(oracle.nearest(near, small.solid, np.eye(4)[None], pose[None]).signed[0]), 0.0)


def answers(a: er.Mesh, b: er.Mesh, poses: np.ndarray) -> list[Any]:
    """Verdicts, and for a few poses the pairs that collide and that are near."""
    hits = [er.collide(a, b, None, pose, every=True).pairs.tolist() for pose in poses[:5]]
    near = [er.within(a, b, 0.3, None, pose).indices.tolist() for pose in poses[:5]]
    return [er.collide(a, b, None, poses).hits.tolist(), hits, near]


def test_two_children_answer_like_eight() -> None:
    rng = np.random.default_rng(14)
    shapes = [bumpy_ball(3, 4), soup(rng, 300, 1.0).args, degenerate(rng, 120).args]
    for i, j in [(0, 1), (1, 2), (0, 0)]:
        poses, a, b = poses_about(rng, 40, 5.0), er.Mesh(*shapes[i]), er.Mesh(*shapes[j])
        c, d = er.Mesh(*shapes[i], children=2), er.Mesh(*shapes[j], children=2)
        c.validate()
        assert answers(a, b, poses) == answers(c, d, poses)
        wide, two = er.distance(a, b, None, poses).values, er.distance(c, d, None, poses).values
        assert two == pytest.approx(wide, abs=1e-14)


@pytest.mark.parametrize("shift", [0.0, 1e3, 1e9])
def test_a_triangle_of_a_few_ulps_is_not_lost(shift: float) -> None:
    """Its sides vanish when it is carried over: it is a point then, and must still be found."""
    speck = np.array([0.51, 0.451, 2.578]) + 4e-16 * np.array([[0, 0, 0], [-1, -2, 1], [0, -1, 0]])
    large = [[-1.585, -5.692, 0.046], [3.806, -7.829, -0.117], [-0.562, -5.226, -0.737]]
    tiny, other = er.Mesh(speck, [[0, 1, 2]]), er.Mesh(large, [[0, 1, 2]])
    turn = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    pose = (turn, [shift, 0.25, -0.5])
    asked = (tiny, other, pose, None), (tiny, other, None, pose), (other, tiny, pose, None)
    for a, b, pose_a, pose_b in asked:
        hulls = er.Convex(a.vertices), er.Convex(b.vertices)
        found = er.distance(a, b, pose_a, pose_b)
        assert (found.pair >= 0).all()
        assert found.value == pytest.approx(er.distance(*hulls, pose_a, pose_b).value, rel=1e-12)
        assert len(er.within(a, b, 1.001 * found.value, pose_a, pose_b)) == 1


def test_any_object_with_vertices_and_faces() -> None:
    import trimesh

    box = trimesh.creation.box(extents=[1, 2, 3])
    made, own = er.Mesh(box), er.Mesh(er.Mesh(box), children=2)
    assert np.array_equal(made.vertices, box.vertices) and np.array_equal(made.faces, box.faces)
    assert np.array_equal(own.faces, made.faces) and own.children == 2
    assert er.Mesh(box, None).bounds.tolist() == [[-0.5, -1, -1.5], [0.5, 1, 1.5]]


@pytest.mark.parametrize("wrong", [np.zeros((3, 3)), "box", None, er.Box(1)])
def test_vertices_alone_are_no_mesh(wrong: object) -> None:
    with pytest.raises(ValueError, match="faces is missing"):
        er.Mesh(wrong)  # type: ignore[call-overload]


def test_faces_and_an_object_with_faces() -> None:
    mesh = er.Mesh(*er.scenes.spring())
    with pytest.raises(ValueError, match="vertices"):
        er.Mesh(mesh, mesh.faces)  # type: ignore[call-overload]

"""Meshes that are moved: the same as new ones, for whoever asks; what was made of them stays."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import elbowroom as er

VERTICES, FACES = er.scenes.spring(segments=40)


def bent(by: float) -> NDArray[np.float64]:
    angle = by * VERTICES[:, 2:]
    x, y, z = VERTICES.T[:, :, None]
    turned = np.concatenate([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], 1)
    return np.concatenate([turned, z], 1)


def alike(mesh: er.Mesh, other: er.Mesh) -> None:
    mesh.validate()
    assert mesh.fingerprint == other.fingerprint
    assert mesh.bounds.tolist() == other.bounds.tolist()
    for pose in er.scenes.spring_path(6):
        found, expected = (er.distance(one, one, None, pose) for one in (mesh, other))
        assert found.value == pytest.approx(expected.value, rel=1e-9, abs=1e-12)
        hits = [er.collide(one, one, None, pose, every=True).pairs.tolist() for one in (mesh, other)]
        assert hits[0] == hits[1]


@pytest.mark.parametrize("children", [2, 8])
@pytest.mark.parametrize("rebuild", [None, False, True])
def test_a_moved_mesh_is_as_a_new_one(children: int, rebuild: bool | None) -> None:
    mesh = er.Mesh(VERTICES, FACES, children=children)
    for by in (0.1, 0.7, 3.0, 0.0):
        mesh.move(bent(by), rebuild=rebuild)
        assert mesh.vertices.tolist() == bent(by).tolist() and not mesh.vertices.flags.writeable
        alike(mesh, er.Mesh(bent(by), FACES, children=children))


def test_wear_is_counted_and_ends_with_a_new_tree() -> None:
    mesh = er.Mesh(VERTICES, FACES)
    assert mesh.wear == 1
    mesh.move(VERTICES * 7.0, rebuild=False)
    assert mesh.wear == pytest.approx(1, rel=0.05)  # large boxes are measured about small ones
    mesh.move(bent(3.0))
    assert mesh.wear > 1.5
    mesh.move(bent(3.0))
    assert mesh.wear == 1
    mesh.move(VERTICES, rebuild=False)
    mesh.move(VERTICES, rebuild=True)
    assert mesh.wear == 1


def test_copies_of_a_triangle_part() -> None:
    """A leaf may hold many copies of one triangle, which must not be taken for copies when they are none."""
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
    vertices, faces = np.tile(triangle, (20, 1)), np.arange(60).reshape(-1, 3)
    mesh = er.Mesh(vertices, faces)
    moved = vertices + np.repeat(np.arange(20), 3)[:, None] * [0, 0, 2.0]
    mesh.move(moved, rebuild=False)
    alike(mesh, er.Mesh(moved, faces))
    assert len(er.collide(mesh, er.Box([3, 3, 5]), every=True).pairs) == 2


def test_what_was_made_of_a_mesh_keeps_its_shape() -> None:
    mesh = er.Mesh(VERTICES, FACES)
    group = er.Group([(mesh, None), (er.Sphere(0.1), None)])
    arm = er.Articulated([er.Link("spring", shapes=mesh), er.Link("ball", shapes=er.Sphere(0.2))])
    aside = er.Pose(translation=[7, 0, 0])
    checker = er.MotionChecker(mesh, [(er.Sphere(1), aside)])
    twins = copy.copy(mesh), copy.deepcopy(mesh), mesh.copy()
    path = er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0]))
    before = er.distance(mesh, er.Sphere(1), pose_b=aside).value
    free = checker.check(path).free
    mesh.move(VERTICES + np.array([2.0, 0, 0]))
    assert er.distance(mesh, er.Sphere(1), pose_b=aside).value < before - 1.5
    for kept in (group, pickle.loads(pickle.dumps(group)), arm, pickle.loads(pickle.dumps(arm)), *twins):
        assert er.distance(kept, er.Sphere(1), pose_b=aside).value == pytest.approx(before)
    assert checker.check(path).free == free
    with pytest.raises(RuntimeError, match="keeps its shape"):
        group.members[0][0].move(VERTICES)  # type: ignore[attr-defined]
    group.members[0][0].copy().move(VERTICES)  # type: ignore[attr-defined]
    twins[0].move(VERTICES - np.array([2.0, 0, 0]))
    assert twins[2].vertices.tolist() == VERTICES.tolist()


def test_a_prepared_scene_notices() -> None:
    wall, ball = er.Mesh([[3, -9, -9], [3, 9, -9], [3, 0, 9]], [[0, 1, 2]]), er.Sphere(0.5)
    path = er.Motion(er.Pose(), er.Pose(translation=[2, 0, 0]))
    assert er.check(ball, path, wall).free
    proof = er.check(ball, path, wall)
    wall.move(wall.vertices - np.array([2.0, 0, 0]))
    assert not er.check(ball, path, wall).free
    assert proof.verify()
    memory = er.Memory()
    assert er.collide(wall, ball, pose_b=er.Pose(translation=[1, 0, 0]), memory=memory)
    wall.move(wall.vertices + np.array([2.0, 0, 0]))
    assert not er.collide(wall, ball, pose_b=er.Pose(translation=[1, 0, 0]), memory=memory)


@pytest.mark.parametrize(
    "wrong", [VERTICES[:-1], VERTICES[:, :2], np.where(VERTICES > 2.2, np.nan, VERTICES), "x"]
)
def test_wrong_vertices_change_nothing(wrong: object) -> None:
    mesh = er.Mesh(VERTICES, FACES)
    with pytest.raises((ValueError, TypeError), match="vertices"):
        mesh.move(wrong)  # type: ignore[arg-type]
    alike(mesh, er.Mesh(VERTICES, FACES))


def test_saved_meshes_have_their_tree(tmp_path: Path) -> None:
    mesh = er.Mesh(VERTICES, FACES)
    mesh.move(bent(0.2), rebuild=False)
    mesh.save(tmp_path / "spring.npz")
    built = er.Mesh._tree_counts()[0]
    loaded = er.Mesh.load(tmp_path / "spring.npz")
    assert er.Mesh._tree_counts()[0] == built
    alike(loaded, er.Mesh(bent(0.2), FACES))
    assert loaded.faces.tolist() == FACES.tolist() and len(
        er.Mesh.load(tmp_path / "spring.npz", children=2)
    ) == len(mesh)
    with pytest.raises(ValueError, match=r"path must end with \.npz"):
        mesh.save(tmp_path / "spring.stl")


def test_saved_meshes_that_were_changed(tmp_path: Path) -> None:
    """Boxes are measured when a mesh is loaded: whatever a file says, the mesh is refused or sound."""
    rng, path = np.random.default_rng(0), tmp_path / "mesh.npz"
    er.Mesh(VERTICES, FACES).save(path)
    content = dict(np.load(path))
    refused = 0
    for name in content:
        for _ in range(12):
            changed = {k: v.copy() for k, v in content.items()}
            flat = changed[name].reshape(-1)
            flat[rng.integers(flat.size)] = flat.dtype.type(rng.choice([0, 1, 7, 999, 20000]))
            np.savez(path, **changed)
            try:
                er.Mesh.load(path).validate()
            except ValueError:
                refused += 1
    assert refused > 10
    short, other = content["turns"][:-1], content["order"].astype(float)
    for broken in ({}, content | {"turns": short}, content | {"order": other}):
        np.savez(path, **broken)
        with pytest.raises(ValueError, match=r"mesh\.npz|plan"):
            er.Mesh.load(path)
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(ValueError, match=r"mesh\.npz"):
        er.Mesh.load(path)


def test_axes_of_boxes_are_rotations() -> None:
    """Questions carry boxes as rotated frames; the search for axes is in single precision."""
    rng = np.random.default_rng(0)
    meshes = [er.Mesh(rng.normal(size=(8, 3)), [[0, 1, 2]]) for _ in range(30)]
    meshes += [er.Mesh(bent(0.3), FACES), er.Mesh(VERTICES * [1, 1, 1e-4], FACES)]
    for mesh in meshes:
        for level in range(4):
            axes = np.array([box.axes for box in mesh.boxes(level)])
            assert np.abs(axes @ axes.transpose(0, 2, 1) - np.eye(3)).max() < 2e-7
            assert (np.linalg.det(axes) > 0).all()

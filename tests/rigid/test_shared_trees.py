"""Trees that are not built twice: those of pickles, and of groups, made of the trees of their members."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import elbowroom as er


@pytest.fixture(autouse=True)
def join_small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of a few hundred primitives share trees too, so that the tests are quick."""
    monkeypatch.setattr("elbowroom.group.SMALL", 200)


def poses(count: int, seed: int, size: float = 3.0) -> list[er.Pose]:
    rng = np.random.default_rng(seed)
    turns = rng.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return [er.Pose(q, t) for q, t in zip(turns, rng.uniform(-size, size, (count, 3)), strict=True)]


def members(count: int, size: float = 20.0) -> list[Any]:
    bodies = [er.Mesh(*er.scenes.spring(segments=12)), er.Box([1, 2, 3]), er.Sphere(0.3), er.Capsule(0.1, 2)]
    return [(bodies[i % 4], pose) for i, pose in enumerate(poses(count, count, size))]


def built_whole(group: er.Group) -> Any:
    """The same primitives under a tree that was built for them."""
    return er._core.RigidBody(group._points, group._first, group._radius, 8)


@pytest.mark.parametrize("children", [2, 8])
def test_a_pickled_mesh_keeps_the_form_of_its_tree(children: int) -> None:
    mesh = er.Mesh(*er.scenes.spring(segments=30), children=children)
    twin = pickle.loads(pickle.dumps(mesh))
    twin.validate()
    assert twin.fingerprint == mesh.fingerprint
    assert all(np.array_equal(a, b) for a, b in zip(twin._plan()[:2], mesh._plan()[:2], strict=True))
    other = er.Mesh(*er.scenes.spring(segments=20), children=children)
    for pose in poses(50, 0):
        assert er.distance(twin, other, pose_b=pose).value == er.distance(mesh, other, pose_b=pose).value


def test_a_plan_that_does_not_fit_is_refused() -> None:
    mesh = er.Mesh(*er.scenes.spring(segments=30))
    make, (vertices, faces, children, plan) = mesh.__reduce__()
    order, marks, turns = plan
    leaf = int(np.flatnonzero(marks >= 32)[0])
    merged = marks.copy()
    merged[leaf] += 16  # a leaf that takes one of the next one's triangles
    one_too_many = np.append(marks, marks[-1:])
    for bad in (
        (order[:-1], marks, turns),
        (np.zeros_like(order), marks, turns),
        (order, marks[:-1], turns[:-3]),
        (order, merged, turns),
        (order, one_too_many, np.append(turns, turns[-3:])),
        (order, marks, turns[:-3]),
        (order, marks, np.full_like(turns, np.nan)),
        (order, marks, turns + 2),
    ):
        with pytest.raises(ValueError, match="plan"):
            make(vertices, faces, children, bad)
    # Axes that are other than they were make worse boxes, never wrong ones.
    make(vertices, faces, children, (order, marks, np.roll(turns, 9))).validate()


@pytest.mark.parametrize(("count", "size"), [(3, 1e-3), (9, 20), (60, 1e4), (100, 20), (300, 3)])
def test_a_group_of_trees_answers_as_one_built_whole(count: int, size: float) -> None:
    given = [*members(count, size), (er.Mesh(*er.scenes.spring(segments=20)), er.Pose())]
    group = er.Group(given)
    whole = built_whole(group)
    group.validate()
    probe = er.Mesh(*er.scenes.spring(segments=6))
    for pose in poses(40, 1, size):
        assert bool(er.collide(probe, group, pose_a=pose)) == bool(er.collide(probe, whole, pose_a=pose))
        found, wanted = er.distance(probe, group, pose_a=pose), er.distance(probe, whole, pose_a=pose)
        assert found.value == pytest.approx(wanted.value, abs=1e-12 * max(size, 20))
        near = er.within(probe, group, 0.5, pose_a=pose)
        assert np.array_equal(near.indices, er.within(probe, whole, 0.5, pose_a=pose).indices)


def test_groups_of_groups() -> None:
    group: er.Group = er.Group(members(40))
    for k in range(8):
        group = er.Group([(group, pose) for pose in poses(2 if k < 3 else 1, k)])
        group.validate()
    twin = pickle.loads(pickle.dumps(group))
    assert twin.fingerprint == group.fingerprint


def test_a_memory_of_one_tree_is_not_used_for_another() -> None:
    """The same primitives, and so the same fingerprint, under trees of another form."""
    group = er.Group(members(80))
    whole, memory, probe = built_whole(group), er.Memory(), er.Mesh(*er.scenes.spring(segments=12))
    assert group.fingerprint == whole.fingerprint
    for i, pose in enumerate(poses(40, 2, 10)):
        asked = whole if i % 2 else group
        found = er.distance(probe, asked, pose_a=pose, memory=memory)
        assert found.value == pytest.approx(er.distance(probe, whole, pose_a=pose).value, abs=1e-10)


def test_copies_of_articulated_bodies_share_shapes_and_go_their_own_ways() -> None:
    bone = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
    links = [er.Link(f"bone {i}", bone) for i in range(4)]
    up = ([1, 0, 0, 0], [0, 0, 1])
    joints = [
        er.Joint(f"joint {i}", "revolute", f"bone {i}", f"bone {i + 1}", up, axis=(0, 1, 0)) for i in range(3)
    ]
    body = er.Articulated(links, joints)
    body.move([1.6, 1.6, 1.6])
    twin = copy.copy(body)
    assert np.array_equal(twin.link_poses(), body.link_poses())
    twin.exclude([(0, 3)])
    assert er.self_collide(body) and not er.self_collide(twin)
    twin.move([0, 0, 0])
    assert er.self_collide(body) and body.configuration.tolist() == [1.6, 1.6, 1.6]  # type: ignore[union-attr]
    bent = np.array([[0.0, 0, 0], [1.6, 1.6, 1.6]])
    assert er.check(body, bent).free is False
    body.exclude([(0, 3)])
    assert er.check(body, bent).free is True
    body.include([(0, 3)])
    assert er.check(body, bent).free is False
    placed = copy.copy(body)
    placed.place(body.link_poses())
    assert np.array_equal(copy.copy(placed).link_poses(), body.link_poses())
    body.move(np.zeros((5, 3)))
    assert copy.copy(body).many and len(copy.copy(body).link_poses()) == 5

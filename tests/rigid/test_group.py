"""Groups: thousands of members against brute force over them, nesting, meshes as members, numbering."""

from __future__ import annotations

import pickle
from typing import Any

import nasty
import numpy as np
import pytest

import elbowroom as er

Member = tuple[Any, np.ndarray]


def members_of(rng: np.random.Generator, count: int, side: float) -> list[Member]:
    """So many small bodies of every convex kind, scattered in a cube."""
    shapes = [
        er.Sphere(0.1),
        er.Capsule(0.05, 0.4),
        er.Box([0.1, 0.3, 0.2]),
        er.Convex(rng.normal(size=(6, 3)) * 0.15),
    ]
    poses = nasty.matrices(nasty.rotations(rng, count), rng.uniform(-side, side, (count, 3)))
    return [(shapes[i % len(shapes)], pose) for i, pose in enumerate(poses)]


def brute_distances(
    members: list[Member], body: Any, pose: np.ndarray, pose_of_group: np.ndarray
) -> np.ndarray:
    """The distance of every member to the body, one kind of member after another."""
    out = np.empty(len(members))
    for shape in {id(shape): shape for shape, _ in members}.values():
        which = [i for i, (other, _) in enumerate(members) if other is shape]
        where = pose_of_group @ np.array([members[i][1] for i in which])
        out[which] = er.distance(shape, body, where, pose).values
    return out


@pytest.mark.parametrize("children", [2, 8])
def test_thousands_of_members_against_brute_force(children: int) -> None:
    rng = np.random.default_rng(1)
    members = members_of(rng, 3000, 5.0)
    group = er.Group(members, children=children)
    group.validate()
    assert len(group) == 3000
    for kind in ("sphere", "box", "convex"):
        body = nasty.thing(rng, kind, "plain", 0.2).body
        for pose in nasty.matrices(nasty.rotations(rng, 6), rng.uniform(-7.0, 7.0, (6, 3))):
            check_one_body(
                group,
                members,
                body,
                pose,
                nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)))[0],
            )


def check_one_body(
    group: Any, members: list[Member], body: Any, pose: np.ndarray, pose_of_group: np.ndarray
) -> None:
    true = brute_distances(members, body, pose, pose_of_group)
    found = er.distance(group, body, pose_of_group, pose)
    assert found.value == pytest.approx(true.min(), abs=1e-13)
    assert true[found.pair[0]] == pytest.approx(true.min(), abs=1e-13)
    near = er.within(group, body, 1.0, pose_of_group, pose)
    doubtful = np.abs(true - 1.0) < 1e-12
    assert set(np.flatnonzero((true <= 1.0) & ~doubtful)) == {
        i for i in near.indices[:, 0] if not doubtful[i]
    }
    assert near.distances == pytest.approx(true[near.indices[:, 0]], abs=1e-13)
    hits = er.collide(group, body, pose_of_group, pose, every=True)
    assert hits.pairs[:, 0].tolist() == np.flatnonzero(true == 0.0).tolist()
    assert bool(er.collide(group, body, pose_of_group, pose)) == bool(hits) == bool((true == 0.0).any())


def test_two_groups_against_brute_force() -> None:
    rng = np.random.default_rng(2)
    first, second = members_of(rng, 400, 2.0), members_of(rng, 300, 2.0)
    a, b, pose = (
        er.Group(first),
        er.Group(second),
        er.Pose(nasty.rotations(rng, 1)[0], [1.0, 2.0, 0.5]).matrix,
    )
    true = np.array([brute_distances(first, shape, pose @ at, np.eye(4)) for shape, at in second]).T
    hits = er.collide(a, b, None, pose, every=True)
    assert len(hits.pairs) > 10 and np.array_equal(hits.pairs, np.argwhere(true == 0.0))
    near = er.within(a, b, 0.4, None, pose)
    assert np.array_equal(near.indices, np.argwhere(true <= 0.4))
    assert near.distances == pytest.approx(true[true <= 0.4], abs=1e-13)


# Nesting.


def test_nested_groups_are_the_flat_group() -> None:
    rng = np.random.default_rng(3)
    members = members_of(rng, 60, 1.0)
    inner, middle = er.Pose([0.6, 0.8, 0, 0], [1, 0, 0]), er.Pose([0.8, 0, 0, 0.6], [0, 2, 0])
    nested = er.Group([(er.Group([(er.Group(members[:40]), inner), members[40]]), middle), *members[41:]])
    flat = er.Group(
        [(shape, (middle @ inner).matrix @ pose) for shape, pose in members[:40]]
        + [(shape, middle.matrix @ pose) for shape, pose in members[40:41]] + members[41:]
    )  # fmt: skip
    nested.validate()
    assert len(nested) == len(flat) == 60
    assert nested.bounds == pytest.approx(flat.bounds, abs=1e-14)
    for pose in nasty.matrices(nasty.rotations(rng, 20), rng.uniform(-4.0, 4.0, (20, 3))):
        one, other = (er.within(group, er.Box(0.7), 0.5, None, pose) for group in (nested, flat))
        assert one.indices.tolist() == other.indices.tolist()
        assert one.distances == pytest.approx(other.distances, abs=1e-13)


def test_a_group_of_one_is_its_member_moved() -> None:
    rng = np.random.default_rng(4)
    for kind in nasty.KINDS:
        body, other = nasty.thing(rng, kind, "plain").body, er.Box([1, 2, 3])
        pose, apart = (er.Pose(nasty.rotations(rng, 1)[0], rng.normal(size=3) * s) for s in (1.0, 4.0))
        alone, grouped = (
            er.distance(body, other, pose, apart),
            er.distance(er.Group([(body, pose)]), other, None, apart),
        )
        assert grouped.value == pytest.approx(alone.value, abs=1e-13)
        assert grouped.pair.tolist() == alone.pair.tolist()


def test_members_take_every_form_of_pose_and_none() -> None:
    turn, shift = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), [3.0, 0.0, 0.0]
    box = er.Box([1, 2, 3])
    forms = [
        er.Pose(turn, shift),
        er.Pose(turn, shift).matrix,
        (turn, shift),
        er.Pose(turn, shift).matrix.tolist(),
    ]
    assert len({er.Group([(box, form)]).fingerprint for form in forms}) == 1
    assert (
        len({er.Group(m).fingerprint for m in ([box], [(box, None)], [(box, np.eye(4))], iter([box]))}) == 1
    )


# Meshes as members, and numbering.


def test_meshes_as_members_answer_like_themselves() -> None:
    rng = np.random.default_rng(5)
    torus, spring = er.Mesh(*er.scenes.torus(segments=12, sides=8)), er.Mesh(*er.scenes.spring(segments=30))
    poses = nasty.matrices(nasty.rotations(rng, 2), np.array([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))
    members: list[Member] = [(torus, poses[0]), (er.Sphere(0.5), np.eye(4)), (spring, poses[1])]
    group = er.Group(members)
    group.validate()
    assert len(group) == len(torus) + 1 + len(spring)
    for pose in nasty.matrices(nasty.rotations(rng, 30), rng.uniform(-5.0, 5.0, (30, 3))):
        true = brute_distances(members, torus, pose, np.eye(4))
        found = er.distance(group, torus, None, pose)
        assert found.value == pytest.approx(true.min(), abs=1e-13)
        member, primitive = group.locate(int(found.pair[0]))
        assert true[member] == pytest.approx(true.min(), abs=1e-13)
        assert 0 <= primitive < len(members[member][0])


def test_locate_counts_member_by_member() -> None:
    mesh = er.Mesh(np.eye(3), [[0, 1, 2]] * 5)
    group = er.Group([mesh, er.Sphere(1), er.Group([mesh, er.Box(1)]), er.Capsule(1, 1)])
    expected = [(m, k) for m, size in enumerate((5, 1, 6, 1)) for k in range(size)]
    assert [group.locate(i) for i in range(len(group))] == expected
    assert group.locate(np.arange(9)[6]) == (2, 0)
    assert [len(body) for body, _ in group.members] == [5, 1, 6, 1]
    assert "4 members" in repr(group) and "13 primitives" in repr(group)


def test_bodies_do_not_change_with_the_arrays_they_came_from() -> None:
    """Nor do their pickles, which are made from what they remember."""
    pose, vertices, faces = er.Pose(translation=[2.0, 0.0, 0.0]).matrix, np.eye(3), np.array([[0, 1, 2]])
    bodies = (
        er.Group([(er.Sphere(1), pose)]),
        er.Mesh(vertices, faces),
        er.Box(vertices[0]),
        er.Convex(vertices),
    )
    prints = [body.fingerprint for body in bodies]
    pose[:3, 3], vertices[:], faces[:] = 100.0, 50.0, 0
    assert [body.fingerprint for body in bodies] == prints
    assert [pickle.loads(pickle.dumps(body)).fingerprint for body in bodies] == prints


def test_what_a_body_shows_cannot_be_written_to() -> None:
    mesh, group = er.Mesh(np.eye(3), [[0, 1, 2]]), er.Group([(er.Sphere(1), np.eye(4))])
    shown = mesh.vertices, mesh.faces, er.Box(1).extents, er.Convex(np.eye(3)).points, group.members[0][1]
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_a_linear_map_of_triangles_and_balls_together() -> None:
    """A map that scales scales every distance: balls that are near for their radii are not the nearest."""
    square = er.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    beads = [(er.Sphere(0.01), (None, [s * 9.0, s * 9.0, s * 9.0])) for s in (-1.0, 1.0)]
    ball = (er.Sphere(2), (None, [0.0, 0.0, 6.0]))
    mixed = er.Group([square, (square, (None, [3.0, 3.0, 0.1])), ball, *beads])
    apart = er.Pose(translation=[3.0, 3.0, 0.0])  # squares 0.1 apart; balls 0.24, and their boxes overlap
    assert er.distance(mixed, mixed, None, apart).value == pytest.approx(0.1)
    for factor in (0.01, 1.0, 50.0):
        found = er.distance(mixed, mixed, None, apart, linear=factor * np.eye(3))
        assert found.value == pytest.approx(factor * 0.1, rel=1e-9)

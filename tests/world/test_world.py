"""Worlds: what they answer, what they refuse, and that what they refuse leaves them as they were."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from world_twin import RIGID, Twin, random_pose, small_arm, small_mesh

import elbowroom as er


def at(*place: float) -> er.Pose:
    """A place."""
    return er.Pose(translation=place)


def cell() -> er.World:
    """A table, an arm on it, and a cup above."""
    world = er.World({"table": er.Box([4, 4, 0.2]), "cup": (small_mesh(), at(0.5, 0, 2))})
    world.add("arm", small_arm(), at(0, 0, 0.25))
    return world


def state(world: er.World) -> Any:
    """All that a world says about itself."""
    world.validate()
    attached = [world[name].attached_to for name in world]
    return repr(world), world.names, world.poses().tolist(), world.excluded, attached


def test_answers_name_bodies_and_parts() -> None:
    world = cell()
    found = er.self_collide(world, every=True)
    assert found.names == [("table", "arm")]
    assert found.parts == [(0, "base")]
    assert isinstance(found, er.Collision)
    assert "'table' and 'arm'" in repr(found)
    nearest = er.distance(er.Sphere(0.1), world, at(0.5, 0, 3))
    assert (nearest.names, nearest.parts[0]) == ((None, "cup"), 0)
    assert nearest.points[1, 2] == pytest.approx(2.6)
    again = er.distance(world, er.Sphere(0.1), None, at(0.5, 0, 3))
    assert again.names == ("cup", None)
    assert (again.points == nearest.points[::-1]).all()
    within = er.self_within(world, 10.0, points=True)
    assert within.names == [
        ("table", "cup"),
        ("table", "arm"),
        ("table", "arm"),
        ("table", "arm"),
        *3 * [("cup", "arm")],
        ("arm", "arm"),
    ]
    assert [b for _, b in within.parts][1:] == ["base", "elbow", "hand", "base", "elbow", "hand", "hand"]
    assert within.points.shape == (8, 2, 3)
    gaps = np.linalg.norm(within.points[:, 1] - within.points[:, 0], axis=1)
    assert np.allclose(gaps, within.distances, atol=1e-9)
    away = within.distances > 0
    towards = (within.points[:, 1] - within.points[:, 0])[away] / gaps[away, None]
    assert np.allclose(within.normals[away], towards, atol=1e-6)


def test_depth() -> None:
    world = er.World({"a": er.Box(2), "b": (er.Box(2), at(1.75, 0, 0)), "c": (er.Box(2), at(0, 1.5, 0))})
    deepest = er.self_collide(world, depth=True)
    assert deepest.names == [("a", "c")]
    assert deepest.contacts.depths.tolist() == pytest.approx([0.5])
    every = er.self_collide(world, every=True, depth=True)
    assert every.names == [("a", "b"), ("a", "c"), ("b", "c")]
    assert every.contacts.depths[:2].tolist() == pytest.approx([0.25, 0.5])
    turned = er.collide(world, world["b"], depth=True)
    assert turned.names == [("a", "b")]
    assert np.allclose(turned.contacts.normals, every.contacts.normals[:1])


def test_two_worlds() -> None:
    rng = np.random.default_rng(3)
    worlds = [er.World({f"{k}{i}": (er.Box(0.5), random_pose(rng)) for i in range(40)}) for k in "ab"]
    worlds[1].add("floor", er.HalfSpace([0, 0, 1], -1.8))
    wanted = {
        (a, b): er.distance(worlds[0][a].body, worlds[1][b].body, worlds[0][a].pose, worlds[1][b].pose).value
        for a in worlds[0]
        for b in worlds[1]
    }
    found = er.within(*worlds, 0.3)
    assert dict(zip(found.names, found.distances, strict=True)) == pytest.approx(
        {key: d for key, d in wanted.items() if d <= 0.3}
    )
    assert er.distance(*worlds).value == min(wanted.values())
    assert sorted(er.collide(*worlds, every=True).names) == sorted(k for k, d in wanted.items() if d == 0)


def test_enough_and_budgets_bound_the_distance() -> None:
    rng = np.random.default_rng(5)
    spots = np.stack(np.meshgrid(*3 * [np.arange(4) * 2.0]), -1).reshape(-1, 3) + rng.uniform(
        -0.3, 0.3, (64, 3)
    )
    world = er.World({str(i): (er.Box(1), at(*spot)) for i, spot in enumerate(spots)})
    exact = er.self_distance(world).value
    assert exact > 0
    for enough in (0.5 * exact, exact, 1.5 * exact):
        found = er.self_distance(world, enough=enough)
        assert (found.value <= enough) == (exact <= enough)
        assert found.lower <= exact <= found.value + 1e-12
        assert found.status == "settled"
    for tests in (0, 1, 10, 100, 1000, 10**6):
        found = er.self_distance(world, budget=er.Budget(tests=tests))
        assert found.lower <= exact + 1e-12
        assert found.value >= exact - 1e-12
        assert 0 <= found.covered <= 1
        near = er.self_within(world, 1.0, budget=er.Budget(tests=tests))
        assert set(near.names) <= set(er.self_within(world, 1.0).names)
        if near.proved:
            assert len(near) == len(er.self_within(world, 1.0))
    assert found.value == exact
    assert found.covered == 1


def test_empty_worlds() -> None:
    world = er.World()
    assert not er.self_collide(world)
    assert not er.collide(world, er.Sphere(1))
    assert er.self_distance(world).value == np.inf
    assert er.self_distance(world).names is None
    assert len(er.self_within(world, 1)) == 0
    assert (repr(world), len(world), world.names) == ("World(0 bodies)", 0, ())
    with pytest.raises(ValueError, match="obstacles is a World without any body"):
        er.check(er.Sphere(1), er.Motion(at(0, 0, 0), at(1, 0, 0)), world)
    world.add("a", er.Sphere(1))
    assert er.self_distance(world).value == np.inf


MIRROR = np.diag([1.0, 1, -1, 1])
NAN = np.full((4, 4), np.nan)
REFUSED: list[tuple[str, Callable[[er.World], object]]] = [
    ("name 'cup' is there already", lambda w: w.add("cup", er.Sphere(1))),
    ("name 'cup' is there already", lambda w: w.add({"new": er.Sphere(1), "cup": er.Sphere(1)})),
    ("name must be a text", lambda w: w.add("", er.Sphere(1))),
    ("name must be a text", lambda w: w.add(7, er.Sphere(1))),
    ("'b' must be a body", lambda w: w.add("b", "cup.stl")),
    ("'b' must be a body", lambda w: w.add({"a": er.Sphere(1), "b": None})),
    ("pose of 'b'", lambda w: w.add("b", er.Sphere(1), 2 * np.eye(4))),
    ("pose of 'b'", lambda w: w.add("b", er.Sphere(1), MIRROR)),
    ("name 'a' is there twice", lambda w: w.add(["a", "a"], er.Sphere(1), np.stack([np.eye(4)] * 2))),
    ("name, body and pose must be as many", lambda w: w.add(["a", "b"], er.Sphere(1), np.eye(4)[None])),
    ("pose of 'b'", lambda w: w.add(["a", "b"], er.Sphere(1), np.stack([np.eye(4), MIRROR]))),
    ("pose of 'b'", lambda w: w.add({"a": er.Sphere(1), "b": (er.Sphere(1), NAN)})),
    ("children=8", lambda w: w.add("b", er.Mesh(small_mesh().vertices, small_mesh().faces, children=2))),
    ("'b' is in this World already, as 'arm'", lambda w: w.add("b", w["arm"].body)),
    ("is in another World already, as 'arm'", lambda w: er.World({"b": w["arm"].body})),
    ("is a body of a World: add its .body", lambda w: w.add("b", w["cup"])),
    ("name 'cop' is no body of this World", lambda w: w.remove("cop")),
    ("is it 'cup'", lambda w: w["Cup"]),
    ("is no body of this World", lambda w: w[3]),
    ("is no body of this World", lambda w: w.move({"cup": at(1, 0, 0), "cop": at(1, 0, 0)})),
    ("pose of 'cup'", lambda w: w.move("cup", MIRROR)),
    ("pose of 'table'", lambda w: w.move({"cup": at(1, 0, 0), "table": NAN})),
    ("pose of 'cup' is missing", lambda w: w.move("cup")),
    ("poses must have shape", lambda w: w.move(np.eye(4))),
    ("pose of 'arm'", lambda w: w.move(np.stack([np.eye(4), np.eye(4), MIRROR]))),
    ("'cup' cannot be attached to itself", lambda w: w.attach("cup", "cup")),
    ("name 'hand'", lambda w: w.attach("hand", "arm")),
    ("'cup' is a .*without links", lambda w: w.attach("table", "cup", "hand")),
    ("link .*finger", lambda w: w.attach("cup", "arm", "finger")),
    ("'cup' is not attached", lambda w: w.detach("cup")),
    ("b is missing", lambda w: w.exclude("cup")),
    ("rigid and cannot touch itself", lambda w: w.exclude("cup", "cup")),
    ("a is empty", lambda w: w.exclude([], "cup")),
    (r"b\[1\] 'cop' is no body", lambda w: w.exclude("cup", ["table", "cop"])),
    ("pose_a is not for a World", lambda w: er.collide(w, er.Sphere(1), at(0, 0, 0))),
    ("memory is not for a World", lambda w: er.self_collide(w, memory=er.Memory())),
    ("configurations is not for a World", lambda w: er.self_collide(w, configurations=[[0, 0]])),
    ("one pose at a time", lambda w: er.collide(w, er.Sphere(1), None, np.stack([np.eye(4)] * 2))),
    ("a and b are the same World", lambda w: er.distance(w, w)),
]


@pytest.mark.parametrize(("message", "change"), REFUSED)
def test_what_is_refused_leaves_the_world_as_it_was(
    message: str, change: Callable[[er.World], object]
) -> None:
    world = cell()
    world.exclude(("arm", "base"), "table")
    before = state(world)
    with pytest.raises((ValueError, TypeError), match=message):
        change(world)
    assert state(world) == before


def test_attachments_do_not_go_in_circles() -> None:
    world = cell()
    world.attach("cup", "arm", "hand")
    world.attach("arm", "table")
    before = state(world)
    with pytest.raises(ValueError, match="'table' cannot be attached to 'cup', which moves with it"):
        world.attach("table", "cup")
    assert state(world) == before
    world.move("table", at(1, 0, 0))
    assert world["cup"].pose.translation == pytest.approx([1.5, 0, 2])
    world.remove("arm")
    world.move("table", at(0, 0, 0))
    assert world["cup"].pose.translation == pytest.approx([1.5, 0, 2])
    assert world["cup"].attached_to is None


def test_bodies_that_cannot_be_asked_are_named() -> None:
    world = cell()
    arm = world["arm"].body
    arm.move(np.zeros((3, arm.dof)))
    with pytest.raises(ValueError, match="'arm' holds many configurations"):
        er.self_collide(world)
    arm.move(np.zeros(arm.dof))
    assert er.self_collide(world)
    beads = er.Necklace(np.arange(9.0).reshape(3, 3), np.ones(3), box=[30, 30, 30])
    with pytest.raises(ValueError, match="'beads' is in a periodic box"):
        world.add("beads", beads)


def test_links_and_groups() -> None:
    world = cell()
    world.exclude(("arm", "base"), ["table", "cup"])
    assert world.excluded == [("table", ("arm", "base")), ("cup", ("arm", "base"))]
    assert not er.self_collide(world)
    world.exclude("arm", "table")
    world.include(("arm", "hand"), "table")
    assert world.excluded == [
        ("table", ("arm", "base")),
        ("table", ("arm", "elbow")),
        ("cup", ("arm", "base")),
    ]
    world.exclude(["table", "cup"])
    assert ("table", "cup") in world.excluded
    world.remove("table")
    assert world.excluded == [("cup", ("arm", "base"))]
    world.add("hand", er.Sphere(1))
    with pytest.raises(ValueError, match="may be a link or two bodies"):
        world.exclude(("arm", "hand"), "cup")
    world.exclude(["arm", "hand"], "cup")
    assert len(world.excluded) == 4


def test_copies_and_pickles() -> None:
    world = cell()
    world.attach("cup", "arm", "hand")
    world.exclude(("arm", "base"), "table")
    for other in (copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert state(other)[:2] == state(world)[:2]
        assert state(other)[3:] == state(world)[3:]
        assert np.allclose(other.poses(), world.poses())
        other["arm"].body.move([1.0, 0.2])
        other.validate()
        assert not np.allclose(other["cup"].pose.matrix, world["cup"].pose.matrix)
    cup = copy.copy(world)["cup"].body  # a mesh, which can be moved
    assert cup is not world["cup"].body and cup.fingerprint == world["cup"].body.fingerprint
    shared = pickle.loads(pickle.dumps(er.World({str(i): (er.Sphere(1), at(3 * i, 0, 0)) for i in range(2)})))
    assert er.self_distance(shared).value == 1.0
    for answer in (er.self_collide(world, every=True), er.self_distance(world), er.self_within(world, 3.0)):
        again = pickle.loads(pickle.dumps(answer))
        assert (repr(again), again.names, again.parts) == (repr(answer), answer.names, answer.parts)


def test_answers_keep_their_names() -> None:
    world = cell()
    found = er.self_collide(world, every=True)
    member = world["table"]
    world.remove("table")
    world.add("desk", er.Box([4, 4, 0.2]))
    assert found.names == [("table", "arm")]
    assert er.self_collide(world, every=True).names == [("arm", "desk")]
    with pytest.raises(ValueError, match="removed from its World"):
        er.collide(member, world)


def test_motions_among_the_bodies_of_a_world() -> None:
    links = [er.Link("base", er.Box(1)), er.Link("hand", er.Box(1))]
    arm = er.Articulated(links, [er.Joint("slide", "prismatic", "base", "hand", at(0, 0, 2), axis=(0, 0, 1))])
    world = er.World({"table": (er.Box([4, 4, 0.1]), at(10, 0, -0.6)), "arm": (arm, at(10, 0, 0))})
    world.add("lamp", er.Sphere(0.5), at(10, 0, 6))
    world.exclude("arm", "table")
    path = [[0.0], [4.0]]
    for body in (arm, world["arm"]):
        found = er.check(body, path, world)
        assert found.obstacle_name == "lamp"
        assert found.contact_time == pytest.approx(0.75, abs=1e-5)
        assert found.points[0] == pytest.approx([10, 0, 5.5], abs=1e-4)
        assert found.verify(body, path, world, clearance=0)
        assert "with 'lamp'" in repr(pickle.loads(pickle.dumps(found)))
    assert er.check(arm, [[0.0], [2.5]], world).free
    ball = er.check(er.Sphere(0.2), er.Motion(at(10, 0, 9), at(10, 0, 1)), world)
    assert ball.obstacle_name == "lamp"
    world.exclude(("arm", "hand"), "lamp")
    with pytest.raises(ValueError, match="excludes some links alone between 'arm' and 'lamp'"):
        er.check(arm, path, world)
    world.attach("lamp", "arm", "hand")
    with pytest.raises(ValueError, match="'arm' carries 'lamp'"):
        er.check(arm, path, world)


def test_rays_name_the_bodies_that_they_meet() -> None:
    world = cell()
    world.add("floor", er.HalfSpace([0, 0, 1], -3))
    origins = [[1.5, 1.5, 5], [0.6, 0.1, 5], [0, 0, 5], [9, 9, 5], [9, 9, -9]]
    found = er.cast(world, origins, [0, 0, -1])
    assert found.names == ("table", "cup", "arm", "floor", "floor")
    assert found.distances[[0, 3]].tolist() == pytest.approx([4.9, 8])
    assert found.primitives[2] == 2
    up = er.cast(world, origins[:1], [0, 0, 1])
    assert (up.names, up.hits.tolist()) == ((None,), [False])
    assert er.cast(world, [-5, 0, 0], [1, 0, 0], every=True).names[:1] == ("table",)
    assert er.cast(er.World(), [0, 0, 0], [1, 0, 0]).names == (None,)


def test_the_tree_is_rebuilt_when_it_has_become_bad() -> None:
    rng = np.random.default_rng(0)
    spots = rng.uniform(0, 30, (2000, 3))
    world = er.World({str(i): (er.Box(0.5), at(*spot)) for i, spot in enumerate(spots)})
    assert world._counts()["builds"] == 1
    poses = world.poses()
    for _ in range(5):
        poses[:, :3, 3] += rng.normal(size=(2000, 3)) * 0.05
        world.move(poses)
    assert world._counts()["builds"] == 1
    poses[:, :3, 3] = rng.uniform(0, 30, (2000, 3))
    world.move(poses)
    assert world._counts()["builds"] == 2
    for name in [name for i, name in enumerate(world.names) if i % 10]:
        world.remove(name)
    world.validate()
    assert world._counts()["builds"] > 2
    assert len(er.self_within(world, 1.0)) == len(er.self_within(world.copy(), 1.0))


def test_many_bodies_share_threads() -> None:
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (25_000, 1, 1))
    poses[:, :3, 3] = rng.uniform(0, 29, (25_000, 3))
    box = er.Box(0.4)
    world = er.World({str(i): (box, pose) for i, pose in enumerate(poses)})
    one, two = (er.self_collide(world, every=True, threads=n) for n in (1, 2))
    low, high = poses[:, :3, 3] - 0.2, poses[:, :3, 3] + 0.2
    order = np.argsort(low[:, 0])
    wanted = set()
    for k, i in enumerate(order):
        near = order[k + 1 : k + 1 + np.searchsorted(low[order[k + 1 :], 0], high[i, 0], side="right")]
        hit = near[((low[near] <= high[i]) & (high[near] >= low[i])).all(axis=1)]
        wanted |= {tuple(map(str, sorted((i, j)))) for j in hit}
    assert set(one.names) == set(two.names) == wanted


def test_all_kinds_meet() -> None:
    """Every kind of body with every other, near and far, as asked alone."""
    from world_twin import MAKERS

    rng = np.random.default_rng(7)
    twin = Twin()
    for kind, make in MAKERS.items():
        if kind not in RIGID or rng.random() < 0.9:
            twin.add(kind, make(rng), random_pose(rng, 1.0))
    for _ in range(10):
        twin.check(1.5)
        for name in twin.bodies:
            twin.check_member(name, 1.5)
        twin.move({name: random_pose(rng, 1.5) for name in twin.bodies})


def test_a_mesh_that_is_moved_is_followed() -> None:
    """Alone, twice, added with others, and after its removal; a copy of the world has meshes of its own."""
    sheet = er.Mesh([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    world = er.World()
    world.add("sheet", sheet)
    world.add({"again": (sheet, er.Pose(translation=[10, 0, 0])), "ball": er.Sphere(0.5)})
    world.move("ball", er.Pose(translation=[0.2, 0.2, 5]))
    assert not er.self_collide(world)
    sheet.move(sheet.vertices + np.array([0, 0, 5]))
    assert er.self_collide(world).names == [("sheet", "ball")]
    assert world.validate() is None
    assert er.distance(world["again"], world["ball"]).value == pytest.approx(
        er.distance(sheet, er.Sphere(0.5), er.Pose(translation=[10, 0, 0]), world["ball"].pose).value
    )
    world.remove("sheet")
    sheet.move(sheet.vertices + np.array([-10, 0, 0]))
    assert er.self_collide(world).names == [("again", "ball")]
    other = copy.copy(world)
    sheet.move(sheet.vertices + np.array([0, 0, 5]))
    assert not er.self_collide(world)
    assert er.self_collide(other).names == [("again", "ball")]


def test_what_moves_in_itself_is_where_the_world_has_it() -> None:
    """Torsions of a chain, beads of a necklace and joints of an arm, far from the origin."""
    away = er.Pose(translation=[0, 0, 100])
    chain = er.Chain([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0], [2, 2, 0]], 0.1)
    rope = er.Necklace([[float(x), 0, 0] for x in range(4)], 0.1)
    probe = copy.copy(chain)
    probe.rotate(1, 1.0)
    ends = rope.positions() + np.array([0, 4.0, 0])
    for name, body, motion, place in (
        ("chain", chain, {1: 1.0}, probe.positions()[-1]),
        ("rope", rope, ends, [1.0, 2.0, 0.0]),
        ("arm", small_arm(), None, None),
    ):
        if motion is None:
            body.move(body.zero())
            motion = np.stack([body.zero(), body.zero() + 0.5])
            place = body.link_poses()[-1][:3, 3]
        world = er.World(
            {"moving": (body, away), "post": (er.Sphere(0.3), away @ er.Pose(translation=place))}
        )
        assert er.check(world["moving"], motion, world).free is False, name
        world.move("post", er.Pose(translation=place))
        assert er.check(world["moving"], motion, world, self_too=False).free is True, name
        with pytest.raises(ValueError, match="body stands elsewhere in its World"):
            er.check(world["moving"], motion, er.Sphere(0.1))
        found = er.check(world["moving"], motion, world, self_too=False)
        with pytest.raises(ValueError, match="body is missing"):
            found.verify(obstacles=world)

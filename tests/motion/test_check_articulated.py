"""er.check of articulated bodies on paths: obstacles, themselves, several movers."""

from __future__ import annotations

from typing import Any

import articulated_makers
import nasty
import numpy as np
import pytest
from articulated_makers import Part, Recipe, at, hinge
from chain_makers import rng_of
from motion_bending import LinkPath
from motion_bending_makers import (
    BODIES,
    ArmScene,
    arm_scene,
    mid_path_only,
)
from motion_judge import Asked, judged
from motion_oracle import ROUNDING, item, item_course
from motion_paths import Paths, still
from motion_scenes import Obstacle, some_paths
from nasty import Thing

import elbowroom as er


def check_arm(scene: ArmScene, asked: Asked = Asked(), self_too: bool = True, **settings: Any) -> Any:  # noqa: B008
    """The certificate of a path, held against the slow judgement."""
    told = {
        "tolerance": asked.tolerance,
        "clearance": asked.clearance,
        "first": asked.first,
        "self_too": self_too,
    }
    found = er.check(scene.recipe.body(), scene.path, scene.given(), **told | settings)
    course = scene.course(self_too)
    if course is None:
        assert found.free is True
        return found
    problems = judged([found], course, np.array([ROUNDING * scene.size]), asked)
    assert not problems, f"{problems[0].what}\n{scene.code()}"
    return found


@pytest.mark.parametrize("maker", BODIES)
def test_paths_of_articulated_bodies(maker: str) -> None:
    seen = set()
    for seed in range(4):
        rng = rng_of(maker, seed)
        scene = arm_scene(rng, maker, int(rng.integers(2, 6)))
        found = check_arm(scene)
        seen.add(found.free)
        if found.free is False:
            check_names(found, scene)
    assert seen & {True, False}


def check_names(found: Any, scene: ArmScene) -> None:
    """The links (or the link and the primitive) that are named are those that touch."""
    body, t = scene.recipe.body(), np.array([found.contact_time])
    body.move(scene.links.configurations(t)[0])
    i, j = (int(x) for x in found.pair)
    if found.obstacle is None:
        assert sorted((i, j)) in er.self_collide(body, every=True).pairs.tolist()
        return
    obstacle = scene.obstacles[found.obstacle]
    pose = obstacle.paths.at(np.zeros(1, dtype=np.int64), t)[0]
    near = er.within(body, obstacle.thing.body, 1e-9 * scene.size, None, pose)
    assert [i, j] in near.indices.tolist()


@pytest.mark.parametrize("maker", ["whip", "tree"])
def test_links_that_meet_only_on_the_way(maker: str) -> None:
    """Both ends are free; in between links pass through each other."""
    scene = next(s for s in (mid_path_only(rng_of(maker, k), maker, 5) for k in range(20)) if s is not None)
    body = scene.recipe.body()
    body.move(scene.path)
    assert not er.self_collide(body).hits.any()
    assert check_arm(scene).free is False
    assert er.check(scene.recipe.body(), scene.path, self_too=False).free is True


def test_several_turns_of_a_joint() -> None:
    """A hinge may turn by more than half a turn: it goes all the way."""
    spoke = (Thing("box", (np.array([1.0, 0.02, 0.02]),)), at(0.5, 0.0, 0.0))
    recipe = Recipe((Part("l0"), Part("l1", (spoke,))), (hinge(1, 0, None, (0, 0, 1)),))
    pin = Obstacle(Thing("capsule", (0.01, 1.0)), still(at(-0.5, 0.0, 0.0)[None]))
    for goal, hit in ((3.0, False), (4.0, True), (20.0, True), (-4.0, True), (2.0 * np.pi, True)):
        found = check_arm(ArmScene(recipe, np.array([[0.0], [goal]]), (pin,)))
        assert found.free is not hit
        if hit:
            assert found.contact_time == pytest.approx(np.pi / abs(goal), rel=0.05)


def test_a_path_of_many_configurations_goes_through_all_of_them() -> None:
    scene = arm_scene(rng_of("path"), "arm", 4)
    body, q = scene.recipe.body(), scene.links.slow
    path = np.array([q.random(rng_of("knots", k), 0.2) for k in range(6)])
    assert check_arm(ArmScene(scene.recipe, path)).free is not None
    singles = [er.check(body, path[k : k + 2]) for k in range(5)]
    whole = er.check(body, path)
    assert whole.free == all(single.free for single in singles)
    if whole.free is False:
        k = next(k for k in range(5) if singles[k].free is False)
        assert whole.contact_time == pytest.approx((k + singles[k].contact_time) / 5.0, abs=1e-6)


@pytest.mark.parametrize("method", ["auto", "isotropic"])
@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
def test_overlaps_that_rounding_hides_far_from_the_origin_are_not_free(far: float, method: str) -> None:
    """Two balls on one arm overlap by a quarter of the spacing of the numbers out there."""
    ulp = float(np.spacing(far))
    ball = Thing("sphere", (0.25 - 0.1 * ulp,))
    parts = (
        Part("l0"),
        Part("l1", ((ball, np.eye(4)),)),
        Part("l2"),
        Part("l3", ((ball, at(1.0, 0.0, 0.0)),)),
    )
    away = er.Joint("j1", "fixed", "l0", "l1", at(far, 0.0, 0.0))
    last = hinge(3, 2, at(-0.5 - 0.45 * ulp, 0.0, 0.0), (0, 0, 1))
    body = Recipe(parts, (away, hinge(2, 1, None, (0, 0, 1)), last), None).body()
    assert er.check(body, [[0.0, -1.0], [0.0, 1.0]], method=method).free is not True


def test_a_path_that_stays_where_it_is() -> None:
    recipe = articulated_makers.arm(rng_of("stay"), 4)
    q = np.zeros((3, recipe.body().dof))
    assert check_arm(ArmScene(recipe, q)).free is True
    inside = Obstacle(Thing("sphere", (0.1,)), still(at(0.0, 0.0, 0.5)[None]))
    found = check_arm(ArmScene(recipe, q, (inside,)))
    assert found.free is False and tuple(found.first_contact) == (0.0, 0.0)


@pytest.mark.parametrize(
    "asked", [Asked(clearance=0.05), Asked(first=False), Asked(tolerance=1e-3), Asked(tolerance=1e-9)]
)
def test_ways_to_ask_about_paths(asked: Asked) -> None:
    for seed in range(6):
        rng = rng_of("ways", seed)
        check_arm(arm_scene(rng, ("arm", "tree", "crane")[seed % 3], 4), asked)


def test_a_path_and_its_self_are_apart() -> None:
    """Without itself, only the obstacles count; a contact with itself names no obstacle."""
    for seed in range(8):
        scene = arm_scene(rng_of("self", seed), "tree", 5)
        both = check_arm(scene)
        alone = check_arm(scene, self_too=False)
        assert not (alone.free is False and both.free is True)
        if both.free is False and alone.free is True:
            assert both.obstacle is None


def test_links_by_their_numbers_when_the_order_is_another() -> None:
    """Links are numbered so that parents come first, whatever order they were given in."""
    recipe = articulated_makers.arm(rng_of("order"), 4)
    turned = Recipe(recipe.parts[::-1], recipe.joints[::-1], recipe.exclude)
    slow = LinkPath(turned, np.zeros((2, 3))).slow
    pole = Obstacle(Thing("capsule", (0.01, 2.0)), still((at(0.0, 0.0, 2.5) @ sideways())[None]))
    found = check_arm(ArmScene(turned, np.zeros((2, 3)), (pole,)))
    assert found.free is False and slow.names[int(found.pair[0])] == "l2"


def sideways() -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    return pose


def test_an_articulated_body_moved_as_a_whole() -> None:
    """As it stands: an er.Motion carries all links."""
    for seed in range(4):
        rng = rng_of("whole", seed)
        scene = arm_scene(rng, "tree", 4)
        paths = some_paths(rng, 1, 2.0)
        body = scene.recipe.body()
        body.move(scene.path[1])
        obstacle = Obstacle(nasty.thing(rng, "box", "plain", 0.5), still(np.eye(4)[None]))
        found = er.check(body, er.Motion(paths.starts[0], paths.goals[0]), [obstacle.given(0)])
        where = scene.links.slow.poses(scene.path[1])
        pairs = []
        for link, thing, pose in scene.links.slow.shapes:
            placed = carried(paths, where[link] @ pose)
            pairs.append((item(thing.solid, placed)._replace(poses=moving(paths, where[link] @ pose)),
                          item(obstacle.thing.solid, obstacle.paths)))  # fmt: skip
        problems = judged([found], item_course(pairs), np.array([ROUNDING * (scene.size + 5.0)]), Asked())
        assert not problems, problems


def moving(paths: Paths, pose: np.ndarray) -> Any:
    return lambda times: paths.at(np.zeros(len(times), dtype=np.int64), times) @ pose


def carried(paths: Paths, pose: np.ndarray) -> Paths:
    """Fast enough for anything that stands so in the moving frame."""
    return paths._replace(shifts=paths.shifts + np.linalg.norm(pose[:3, 3]) * 4.0)


@pytest.mark.parametrize("seed", range(6))
def test_two_robots_on_their_ways(seed: int) -> None:
    """An articulated obstacle goes from one configuration to another."""
    rng = rng_of("robots", seed)
    mine, theirs = (arm_scene(rng, str(rng.choice(["arm", "tree", "crane"])), 4) for _ in range(2))
    path, way = mine.path[:2], theirs.path[:2]
    body, other = mine.recipe.body(), theirs.recipe.body()
    found = er.check(body, path, (other, way), self_too=False)
    a, b = LinkPath(mine.recipe, path), LinkPath(theirs.recipe, way)
    pairs = [(x, y) for _, x in a.items() for _, y in b.items()]
    if pairs:
        problems = judged(
            [found], item_course(pairs), np.array([ROUNDING * (mine.size + theirs.size)]), Asked()
        )
        assert not problems, problems


@pytest.mark.parametrize("kind", ["spherical", "free"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_obstacles_move_alike_beside_paths_of_any_length(kind: Any, sign: float) -> None:
    """Ball joints turn evenly and the short way, however many parts the path of the body has."""
    stick = (Thing("capsule", (0.01, 1.5)), at(0.0, 0.0, 0.8))
    other = Recipe((Part("l0", (stick,)),), (er.Joint("j0", kind, None, "l0"),))
    ends = np.array([[1.0, 0.0, 0.0, 0.0], [sign * np.cos(1.4), sign * np.sin(1.4), 0.0, 0.0]])
    way = ends if kind == "spherical" else np.hstack([np.zeros((2, 3)), ends])
    for share in (0.1, 0.3, 0.7, 0.9):
        angle = 2.8 * share
        place = at(0.0, -np.sin(angle), np.cos(angle))
        ball = Recipe(
            (Part("l0", ((Thing("sphere", (0.01,)), place),)),), (er.Joint("j0", "prismatic", None, "l0"),)
        )
        times = []
        for knots in (2, 3, 4, 8):
            found = er.check(ball.body(), np.zeros((knots, 1)), (other.body(), way))
            assert found.free is False
            times.append(found.contact_time)
            found.verify()
        assert times == pytest.approx([share - 0.02 / 2.8] * 4, abs=1e-3)
        assert max(times) - min(times) < 2e-6


def test_a_bar_that_turns_over_a_thin_post_keeps_its_clearance() -> None:
    """A plane across the axis is between them at all times, but nearer than the clearance for an instant."""
    bar = er.Link("bar", er.Group([(er.Box([1.0, 0.01, 0.1]), er.Pose(translation=[0.5, 0, 0.055]))]))
    post = (er.Box([0.01, 0.01, 1.0]), er.Pose(translation=[0.8 * np.cos(1.234), 0.8 * np.sin(1.234), -0.5]))
    body = er.Articulated(
        [er.Link("base"), bar], [er.Joint("turn", "revolute", "base", "bar", axis=[0, 0, 1])]
    )
    near, far = (er.check(body, [[0.0], [3.0]], post, clearance=clearance) for clearance in (0.01, 0.001))
    assert near.free is False and far.free is True
    near.verify()
    far.verify()


@pytest.mark.parametrize("method", ["auto", "swept"])
def test_two_joints_that_turn_together_bend_a_path_four_times_as_much_as_one(method: str) -> None:
    """A ball runs along an arc, past posts that reach into it by less than it bulges between samples."""
    ball = er.Group([(er.Sphere(0.01), er.Pose(translation=[1, 0, 0]))])
    links = [er.Link("base"), er.Link("inner"), er.Link("outer", ball)]
    pairs = (("base", "inner"), ("inner", "outer"))
    joints = [er.Joint(child, "revolute", parent, child, axis=[0, 0, 1]) for parent, child in pairs]
    body = er.Articulated(links, joints)
    for angle in np.arange(0.0625, 2, 0.125):
        for depth in (5e-4, -5e-4):
            out = 1.02 - depth
            post = er.Sphere(0.01), er.Pose(translation=[out * np.cos(angle), out * np.sin(angle), 0])
            assert er.check(body, [[0, 0], [1, 1]], post, method=method).free is (depth < 0)


@pytest.mark.parametrize("free", [True, False])
def test_links_that_slide_on_each_other_cost_no_more_than_others(free: bool) -> None:
    """A column turns on its base, 6.4e-9 above it: no bound on how far points move parts the two."""

    def arm(gap: float) -> er.Articulated:
        base, column, reach = er.Box([1.0, 1.0, 0.2]), er.Box([0.3, 0.3, 0.6]), er.Box([1.2, 0.1, 0.1])
        turn = er.Joint("turn", "revolute", "base", "column", at(0, 0, 0.4 + gap), (0, 0, 1), (-3, 3))
        lift = er.Joint("lift", "revolute", "column", "arm", at(0, 0, 0.5), (0, 1, 0), (-3, 3))
        links = [er.Link("base", base), er.Link("column", column), er.Link("arm", [(reach, at(0.9, 0, 0))])]
        return er.Articulated(links, [turn, lift], exclude=[(1, 2)])

    path, ball = np.array([[-1.0, -0.4], [1.5, 0.3]]), (er.Sphere(0.1), at(0.8, 0.9, 1.3 if free else 0.8))
    narrow, wide = (er.check(arm(gap), path, ball) for gap in (6.4e-9, 1e-2))
    assert narrow.free is wide.free is free
    assert narrow.distance_calls <= wide.distance_calls + 50  # thousands, were the two not parted once
    assert narrow.counters.leaf_tests <= wide.counters.leaf_tests + 100
    narrow.verify()

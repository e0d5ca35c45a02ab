"""er.check of bodies that bend, and of several movers: paths of articulated bodies, torsions, lists."""

from __future__ import annotations

from typing import Any

import articulated_makers
import chain_makers
import nasty
import numpy as np
import pytest
from articulated_makers import Part, Recipe, at, hinge
from chain_makers import rng_of
from motion_bending import LinkPath
from motion_bending_makers import (
    BODIES,
    TWISTED,
    ArmScene,
    TorsionScene,
    arm_scene,
    gate,
    mid_path_only,
    slimmer,
    torsion_scene,
)
from motion_judge import Asked, judged, told_time
from motion_makers import Obstacle, some_paths
from motion_oracle import ROUNDING, Paths, item, item_course, least, still
from nasty import Thing
from necklace_makers import coil

import elbowroom as er

BALL = er.Sphere(0.5)


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


# Articulated bodies.


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


# Chains.


def check_torsions(scene: TorsionScene, **settings: Any) -> Any:
    """Balls are judged like all else; bonds must not be said to be free where they cross."""
    chain = scene.recipe.chain()
    before = chain.positions(side=True)
    found = er.check(chain, scene.torsions, **settings)
    assert np.array_equal(chain.positions(side=True), before), "the chain was changed"
    deepest = least(scene.path.course())
    doubt = ROUNDING * scene.size
    crossings = scene.path.crossings(400)
    if found.free is True:
        assert deepest.gaps[0] >= -doubt and not crossings, scene.code()
    else:
        way = scene.path.speed() * found.tolerance
        gap = scene.path.course().at(np.array([told_time(found)]))[0]
        assert gap <= 2.0 * way + doubt, f"{found!r}, gap {gap}\n{scene.code()}"
    return found


@pytest.mark.parametrize("maker", TWISTED)
def test_torsions_of_chains(maker: str) -> None:
    for seed in range(6):
        rng = rng_of(maker, seed)
        found = check_torsions(torsion_scene(rng, maker, int(rng.integers(4, 11))))
        found.verify()


def test_a_bond_cannot_pass_through_another() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    assert not er.self_collide(chain)
    chain.change(scene.torsions)
    assert not er.self_collide(chain), "both ends are free"
    chain.undo()
    found = check_torsions(scene)
    assert found.free is not True
    time = found.contact_time if found.free is False else found.closest_time
    assert time == pytest.approx(0.5, abs=1e-5)
    assert check_torsions(TorsionScene(scene.recipe, {2: 0.4})).free is True
    assert check_torsions(TorsionScene(scene.recipe, {2: -5.0})).free is True


def test_bonds_next_but_one_cannot_pass_through_each_other_either() -> None:
    """Two long arms on a short axis, each leaning over the other end: half a turn makes them cross."""
    positions = np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.1, -2.0]])
    recipe = chain_makers.Recipe(positions, np.full(4, 0.05))
    crossing = [angle for angle in (-0.3, 0.3) if TorsionScene(recipe, {1: angle}).path.crossings()]
    assert len(crossing) == 1
    assert check_torsions(TorsionScene(recipe, {1: crossing[0]})).free is not True
    wide = chain_makers.Recipe(positions, np.full(4, 0.05), exclude=3)
    assert check_torsions(TorsionScene(wide, {1: crossing[0]})).free is not True


def test_two_torsions_that_cancel_at_the_end() -> None:
    """The chain ends where it began, and hits itself on the way."""
    base = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 2, 0], [1.0, 2.0, 0.0]])
    recipe = chain_makers.Recipe(base, np.full(6, 0.3))
    there = TorsionScene(recipe, {0: 2.0, 2: -2.0})
    end = there.path.positions(np.array([1.0]))[0]
    assert np.abs(end - base).max() < 1e-12
    check_torsions(there)


def test_a_torsion_about_nothing_is_refused_or_free() -> None:
    """Two links in one place have no axis."""
    positions = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0]])
    chain = er.Chain(positions, 0.1)
    with pytest.raises(ValueError, match="axis"):
        er.check(chain, {0: 1.0})


def test_a_chain_against_obstacles() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    corner = scene.path.positions(np.array([0.25]))[0][4]
    found = er.check(chain, {2: 0.4}, (er.Sphere(0.1), er.Pose(translation=corner)))
    assert found.free is False and found.obstacle == 0
    assert tuple(int(x) for x in found.pair) == (4, 0)
    assert (
        er.check(chain, {2: 0.4}, (er.Sphere(0.1), er.Pose(translation=corner + np.eye(3)[2]))).free is True
    )


def test_a_chain_with_side_balls() -> None:
    """Side balls go with their links and count as balls."""
    for seed in range(4):
        rng = rng_of("side", seed)
        recipe = slimmer(chain_makers.branched(rng, 8), 0.5)
        torsions = {int(j): float(rng.uniform(-1.5, 1.5)) for j in rng.choice(7, 2, replace=False)}
        check_torsions(TorsionScene(recipe, torsions))


@pytest.mark.parametrize(
    "settings", [{"volume": "obb"}, {"volume": "sphere", "children": 8}, {"volume": "rss"}]
)
def test_chains_in_any_tree(settings: dict[str, Any]) -> None:
    scene = torsion_scene(rng_of("trees"), "coil", 12)
    plain, other = (er.check(scene.recipe.chain(**s), scene.torsions) for s in ({}, settings))
    assert plain.free == other.free and plain.first_contact == other.first_contact


def balls_course(points: np.ndarray, radii: np.ndarray, paths: Paths, other: Obstacle) -> Any:
    """Balls that are carried along as one body."""
    members = [(Thing("sphere", (float(r),)), np.eye(3), x) for x, r in zip(points, radii, strict=True)]
    beads = Thing("group", tuple(members))
    return item_course([(item(beads.solid, paths), item(other.thing.solid, other.paths))])


@pytest.mark.parametrize("kind", ["chain", "necklace"])
def test_chains_and_necklaces_moved_as_a_whole(kind: str) -> None:
    seen = set()
    for seed in range(6):
        rng = rng_of(kind, seed)
        recipe = coil(rng, 20) if kind == "necklace" else chain_makers.coil(rng, 20)
        body = er.Necklace(recipe.positions, recipe.radii) if kind == "necklace" else recipe.chain()
        radii, paths = np.broadcast_to(recipe.radii, (20,)), some_paths(rng, 1, 8.0)
        thing = nasty.thing(rng, str(rng.choice(nasty.KINDS)), "plain", 1.0)
        passed = paths.at(np.zeros(1, dtype=np.int64), rng.random(1)) @ at(*recipe.positions[7])
        passed[:, :3, 3] += nasty.directions(rng, 1) * 6.0 * (seed % 2)
        obstacle = Obstacle(thing, still(passed))
        found = er.check(body, er.Motion(paths.starts[0], paths.goals[0]), [obstacle.given(0)])
        seen.add(found.free)
        course = balls_course(recipe.positions, radii, paths, obstacle)
        problems = judged([found], course, np.array([ROUNDING * 100.0]), Asked())
        assert not problems, problems
        found.verify()
    assert len(seen) > 1


@pytest.mark.parametrize("kind", ["chain", "necklace", "articulated"])
def test_bodies_that_bend_as_obstacles_that_stand_or_move(kind: str) -> None:
    rng = rng_of("obstacles", kind)
    made = {"chain": chain_makers.coil(rng, 12).chain, "articulated": articulated_makers.arm(rng, 4).body,
            "necklace": lambda: er.Necklace(coil(rng, 12).positions, 0.3)}  # fmt: skip
    other = made[kind]()
    across = er.Motion(er.Pose(translation=[-9, 0, 0]), er.Pose(translation=[9, 0, 0]))
    assert er.check(er.Box(8), across, other).free is False
    assert (
        er.check(er.Box(8), across, (other, er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0])))).free
        is False
    )
    aside = er.Motion(er.Pose(translation=[0, 300, 0]), er.Pose(translation=[9, 300, 0]))
    assert er.check(BALL, aside, [other, (other, er.Pose(translation=[0, 200, 0]))]).free is True


# Lists.


def test_obstacles_of_all_kinds_in_one_list() -> None:
    rng = rng_of("list")
    arm = articulated_makers.arm(rng, 3)
    away, rest = er.Pose(translation=[0, 100, 0]), np.zeros((2, 2))
    passing = er.Motion(er.Pose(translation=[4, -3, 0]), er.Pose(translation=[4, 3, 0]))
    given: list[Any] = [
        (BALL, away),
        er.Group([(BALL, away)]),
        (BALL, passing),
        (arm.body(), away),
        (arm.body(), rest),
    ]
    along = er.Motion(er.Pose(translation=[8, 0, 0]), er.Pose(translation=[0, 0, 0]))
    found = er.check(BALL, along, given)
    assert found.free is False and found.obstacle == 2 and found.contact_time == pytest.approx(0.375, abs=0.2)
    assert er.check(BALL, along.part(0.0, 0.1), given).free is True
    found.verify()


@pytest.mark.parametrize("method", ["auto", "isotropic", "hourglass"])
def test_trees_of_two_children_say_the_same(method: str) -> None:
    """Also where the body has eight children a node and the obstacle two, or the other way round."""
    rng = rng_of("children")
    ring, paths = er.scenes.torus(radius=1.0, tube=0.2, segments=12, sides=5), some_paths(rng, 12, 3.0)
    boxes = [(er.Box(0.2), er.Pose(translation=x)) for x in rng.normal(size=(30, 3)) * 2.0]
    motions = er.Motion(paths.starts, paths.goals)
    answers = []
    for mine, theirs in ((8, 8), (2, 2), (2, 8), (8, 2)):
        found = er.check(
            er.Mesh(*ring, children=mine), motions, er.Group(boxes, children=theirs), method=method
        )
        answers.append((found.free.tolist(), found.colliding.tolist()))
    assert answers[0][0] != answers[0][1] and all(answer == answers[0] for answer in answers)


def test_who_moves_does_not_matter() -> None:
    """Only relative motion counts: the body flees from an obstacle at the obstacle's own speed."""
    flight = er.Motion(er.Pose(), er.Pose(translation=[100, 0, 0]))
    chase = er.Motion(er.Pose(translation=[-1.5, 0, 0]), er.Pose(translation=[98.5, 0, 0]))
    faster = er.Motion(er.Pose(translation=[-1.5, 0, 0]), er.Pose(translation=[99.5, 0, 0]))
    assert er.check(BALL, flight, (BALL, chase)).free is True
    found = er.check(BALL, flight, (BALL, faster))
    assert found.free is False and found.contact_time == pytest.approx(0.5, abs=1e-6)

"""er.check of chains and necklaces moved as a whole, of obstacles of all kinds, and of lists of them."""

from __future__ import annotations

from typing import Any

import articulated_makers
import chain_makers
import nasty
import numpy as np
import pytest
from articulated_makers import at
from chain_makers import rng_of
from motion_judge import Asked, judged
from motion_oracle import ROUNDING, item, item_course
from motion_paths import Paths, still
from motion_scenes import Obstacle, some_paths
from nasty import Thing
from necklace_makers import coil

import elbowroom as er

BALL = er.Sphere(0.5)


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

"""`configurations` of a question: the same answers as after `move`, and the body stays where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import elbowroom as er

BOX = (er.Box([0.3, 0.3, 2.0]), er.Pose(translation=[0.7, 0, 0.4]))
OBSTACLE = er.Group([BOX, (er.Sphere(0.3), er.Pose(translation=[-0.8, 0.3, 0.9]))])


def arm(count: int = 5) -> er.Articulated:
    bone = [(er.Capsule(0.1, 0.3), er.Pose(translation=[0, 0, 0.25]))]
    links = [er.Link(f"bone {k}", bone) for k in range(count)]
    joints = [
        er.Joint(f"joint {k}", "revolute", f"bone {k}", f"bone {k + 1}", er.Pose(translation=[0, 0, 0.5]),
                 axis=(k % 2, (k + 1) % 2, 0), limits=(-2.5, 2.5))
        for k in range(count - 1)
    ]  # fmt: skip
    return er.Articulated(links, joints)


def facts(answer: Any) -> list[Any]:
    names = ("hits", "values", "lower", "upper", "pairs", "indices", "distances", "frames", "status")
    out = [np.asarray(getattr(answer, name)).tolist() for name in names if hasattr(answer, name)]
    return [*out, answer.counters]


ASK: dict[str, Any] = {
    "collide": lambda a, b, **options: er.collide(a, b, **options),
    "every": lambda a, b, **options: er.collide(a, b, every=True, **options),
    "distance": lambda a, b, **options: er.distance(a, b, **options),
    "within": lambda a, b, **options: er.within(a, b, 0.2, **options),
}
ASK_ITSELF: dict[str, Any] = {
    "self_collide": lambda a, **options: er.self_collide(a, every=True, **options),
    "self_distance": lambda a, **options: er.self_distance(a, **options),
    "self_within": lambda a, **options: er.self_within(a, 0.2, **options),
}


@pytest.mark.parametrize("name", ASK)
def test_one_articulated_body(name: str) -> None:
    body, values = arm(), arm().random(40, seed=1)
    start = body.random(seed=5)
    body.move(start)
    moved = arm()
    moved.move(values)
    poses = np.stack([er.Pose(translation=[0.01 * k, 0, 0]).matrix for k in range(40)])
    for more in ({}, {"pose_b": poses}):
        assert facts(ASK[name](body, OBSTACLE, configurations=values, **more)) == facts(
            ASK[name](moved, OBSTACLE, **more)
        )
    found = ASK[name](OBSTACLE, body, configurations=values)
    assert facts(found) == facts(ASK[name](OBSTACLE, moved))
    assert not body.many and np.array_equal(body.configuration, start)
    assert facts(ASK[name](body, OBSTACLE, configurations=None)) == facts(ASK[name](body, OBSTACLE))


@pytest.mark.parametrize("name", ASK)
def test_two_articulated_bodies(name: str) -> None:
    a, b = arm(), arm(4)
    values, others = a.random(30, seed=2), b.random(30, seed=3)
    moved, moved_b = arm(), arm(4)
    moved.move(values)
    moved_b.move(others)
    pose = {"pose_b": er.Pose(translation=[0.4, 0, 0])}
    for given, bodies in (((values, others), (moved, moved_b)), ((values, None), (moved, b)),
                          ((None, others), (a, moved_b))):  # fmt: skip
        found = ASK[name](a, b, configurations=given, **pose)
        assert facts(found) == facts(ASK[name](*bodies, **pose))
    assert not a.many and not b.many
    with pytest.raises(ValueError, match=r"configurations must be a pair"):
        ASK[name](a, b, configurations=values)


@pytest.mark.parametrize("name", ASK_ITSELF)
def test_of_itself(name: str) -> None:
    body, moved = arm(), arm()
    values = body.random(50, seed=4)
    moved.move(values)
    assert facts(ASK_ITSELF[name](body, configurations=values)) == facts(ASK_ITSELF[name](moved))
    assert facts(ASK_ITSELF[name](body, configurations=values.tolist())) == facts(ASK_ITSELF[name](moved))
    held = ASK_ITSELF[name](moved, configurations=values[:3])
    assert facts(held)[:-1] != facts(ASK_ITSELF[name](moved))[:-1] and moved.many
    assert not body.many and not body.configuration.any()


def test_answers_do_not_change_their_type() -> None:
    body = arm()
    assert isinstance(er.self_collide(body, configurations=body.random(1, seed=1)), er.Collisions)
    assert isinstance(er.self_collide(body), er.Collision)
    assert isinstance(er.distance(body, OBSTACLE, configurations=body.random(1, seed=1)), er.Distances)
    assert isinstance(er.distance(body, OBSTACLE), er.Distance)


@pytest.mark.parametrize(
    "wrong", [np.zeros(4), np.zeros((3, 5)), [[0, 0, 0, np.nan]], "all", np.zeros((0, 4)), 3]
)
def test_what_are_no_configurations(wrong: Any) -> None:
    body = arm()
    for ask in (
        lambda: er.self_collide(body, configurations=wrong),
        lambda: er.collide(body, OBSTACLE, configurations=wrong),
        lambda: er.distance(OBSTACLE, body, configurations=wrong),
        lambda: er.within(body, arm(3), 1.0, configurations=(wrong, None)),
    ):
        with pytest.raises(ValueError, match="configurations"):
            ask()


def test_bodies_that_have_none() -> None:
    chain = er.Chain(er.scenes.serpentine(50), 1.0)
    for ask in (
        lambda: er.self_collide(chain, configurations=[[0.0]]),
        lambda: er.self_within(er.Necklace(np.eye(3), 0.1), 1.0, configurations=[[0.0]]),
        lambda: er.collide(chain, OBSTACLE, configurations=[[0.0]]),
        lambda: er.distance(OBSTACLE, OBSTACLE, configurations=[[0.0]]),
    ):
        with pytest.raises(ValueError, match="configurations are of an articulated body"):
            ask()
    with pytest.raises(ValueError, match="memory"):
        er.self_collide(arm(), configurations=np.zeros((2, 4)), memory=er.Memory())


def test_a_mapping_after_many_configurations() -> None:
    body = arm()
    body.move(body.random(7, seed=1))
    body.move(dict.fromkeys(body.joint_names, 0.25))
    assert not body.many and body.configuration.tolist() == [0.25] * 4

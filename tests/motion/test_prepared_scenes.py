"""Scenes are made once: er.check and MotionChecker share them, but never one of a body that has changed."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _motion_scene

VERTICES, FACES = er.scenes.spring(segments=10)
SPRING = VERTICES / 10, FACES


def trees() -> tuple[int, int, int]:
    """How many trees were built, made by a plan, and joined so far."""
    return er.Mesh._tree_counts()


def made(action: Callable[[], Any]) -> tuple[int, int, int]:
    """How many trees an action makes."""
    before = trees()
    action()
    return tuple(b - a for a, b in zip(before, trees(), strict=True))  # type: ignore[return-value]


def arm(children: int = 8) -> er.Articulated:
    """An arm with a link of two shapes and a mesh."""
    bone = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
    two = [*bone, (er.Box(0.2), er.Pose(translation=[0.3, 0, 0.5]))]
    mesh = [(er.Mesh(*SPRING, children=children), er.Pose(translation=[0, 0, 0.2]))]
    links = [er.Link("a", bone), er.Link("b", two), er.Link("c", bone), er.Link("d", mesh)]
    up = ([1, 0, 0, 0], [0, 0, 1])
    names = "abcd"
    joints = [
        er.Joint(f"joint {i}", "revolute", names[i], names[i + 1], up, axis=(0, 1, 0)) for i in range(3)
    ]
    return er.Articulated(links, joints)


def obstacles(count: int = 20, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [
        (er.Box([0.2, 0.3, 0.4]), er.Pose(translation=t))
        for t in rng.uniform([-3, -0.4, 0.5], [3, 0.4, 4], (count, 3))
    ]


def paths(count: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).uniform(-1, 1, (count, 2, 3))


def told(answer: Any) -> tuple[Any, ...]:
    """All that an answer says, its counters included."""
    return (answer.free, answer.first_contact, answer.pair, answer.obstacle, answer.intervals.tolist(),
            answer.status, answer.distance_calls, answer.counters)  # fmt: skip


@pytest.fixture
def no_scenes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it, and bodies keep no scenes from then on."""
    return lambda: monkeypatch.setattr(_motion_scene, "_content_of", lambda *_: None)


def test_a_second_check_makes_no_tree() -> None:
    body, others = arm(), obstacles()
    first = made(lambda: er.check(body, paths(1)[0], others))
    assert sum(first) > 0
    for path in paths(5, 1):
        body.move(path[0])
        assert made(lambda path=path: er.check(body, path, others)) == (0, 0, 0)
        assert made(lambda: er.MotionChecker(body, others)) == (0, 0, 0)
    mesh = er.Mesh(*SPRING)
    motion = er.Motion(er.Pose(), er.Pose(translation=[1, 2, 3]))
    er.check(mesh, motion, others)
    assert made(lambda: er.check(mesh, motion.reversed(), others)) == (0, 0, 0)
    assert made(lambda: er.check(mesh, motion.reversed(), list(others))) == (0, 0, 0)


def test_a_copy_makes_no_tree() -> None:
    body = arm()
    er.check(body, paths(1)[0], obstacles())
    assert made(lambda: copy.copy(body)) == (0, 0, 0)
    assert made(lambda: copy.deepcopy(body)) == (0, 0, 0)
    assert made(lambda: er.check(copy.copy(body), paths(1)[0])) == (0, 0, 0)


def test_a_binary_mesh_gets_one_wide_tree() -> None:
    mesh, motion = er.Mesh(*SPRING, children=2), er.Motion(er.Pose(), er.Pose(translation=[0, 0, 1]))
    boxes = [(er.Box(0.1), er.Pose(translation=[5, 0, k])) for k in range(3)]
    assert made(lambda: er.check(mesh, motion, boxes[0])) == (1, 0, 0)
    assert made(lambda: er.check(mesh, motion, boxes[1])) == (0, 0, 0)
    assert made(lambda: er.check(boxes[2][0], motion, mesh)) == (0, 0, 0)


def test_pickles_build_no_tree_of_a_mesh_or_a_group() -> None:
    mesh = er.Mesh(*SPRING)
    group = er.Group([(mesh, er.Pose()), (mesh, er.Pose(translation=[9, 0, 0]))])
    for body, wanted in ((mesh, (0, 1, 0)), (group, (0, 2, 0))):
        saved = pickle.dumps(body)
        assert made(lambda saved=saved: pickle.loads(saved)) == wanted
        assert pickle.loads(saved).fingerprint == body.fingerprint
    body = er.Articulated([er.Link("a", [mesh]), er.Link("b", [mesh]), er.Link("c", [group])])
    saved = pickle.dumps(body)
    assert made(lambda: pickle.loads(saved)) == (0, 2, 0)  # the mesh once
    certificate = er.check(body, np.zeros((2, 0)), (er.Sphere(1), er.Pose(translation=[99, 0, 0])))
    saved = pickle.dumps(certificate)
    built, planned, _ = made(lambda: pickle.loads(saved))
    assert (built, planned) == (1, 2)  # the sphere


@pytest.mark.parametrize("method", ["auto", "swept", "isotropic", "isotropic-axis"])
def test_answers_and_counters_are_those_of_a_new_scene(no_scenes: Callable[[], None], method: str) -> None:
    body, sets = (
        arm(),
        [None, obstacles(3, 1), obstacles(20, 2), (er.Mesh(*SPRING), er.Pose(translation=[3, 0, 1]))],
    )
    rng = np.random.default_rng(0)
    asked = [(path, sets[k]) for path, k in zip(paths(120, 3), rng.integers(4, size=120), strict=True)]
    kept = [told(er.check(body, path, others, method=method)) for path, others in asked]
    no_scenes()
    assert kept == [told(er.check(body, path, others, method=method)) for path, others in asked]
    assert {answer[0] for answer in kept} >= {True, False}


def _shift(body: Any, amount: float) -> Any:
    return (body, er.Pose(translation=[amount, 0, 0]))


def _bent_chain() -> er.Chain:
    return er.Chain(er.scenes.serpentine(40), 0.5)


def _move_necklace(necklace: er.Necklace) -> None:
    necklace.move(necklace.positions() + 3.0)


def _turn(chain: er.Chain) -> None:
    chain.change({10: 1.0, 25: 2.0})


#: (obstacle, what changes it)
CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "necklace": (lambda: er.Necklace(er.scenes.spiral(40, frames=1)[0], 0.3), _move_necklace),
    "chain": (_bent_chain, lambda chain: _turn(chain)),
    "arm": (arm, lambda body: body.move([1.0, 1.0, 1.0])),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("moved", [False, True])
def test_a_body_that_changed_is_looked_at_again(
    no_scenes: Callable[[], None], name: str, moved: bool
) -> None:
    make, change = CHANGES[name]
    thing, ball = make(), er.Sphere(0.3)
    rng = np.random.default_rng(4)
    ends = rng.uniform(-6, 6, (60, 2, 3))
    motions = [er.Motion(er.Pose(translation=a), er.Pose(translation=b)) for a, b in ends]

    def ask() -> list[Any]:
        return [told(er.check(thing, m, ball) if moved else er.check(ball, m, thing)) for m in motions]

    before = ask()
    change(thing)
    after = ask()
    assert before != after
    no_scenes()
    assert after == ask()


def test_every_part_of_a_scene_is_told_apart(no_scenes: Callable[[], None]) -> None:
    body, box, up = arm(), er.Box(0.5), er.Pose(translation=[0, 0, 9.0])
    still = er.Motion(up, up)
    far = er.Motion(er.Pose(translation=[9, 0, 0]), er.Pose(translation=[8, 0, 0]))
    crossing = er.Motion(er.Pose(translation=[-9, 0, 2]), er.Pose(translation=[9, 0, 2]))
    other = arm()
    straight, bent = np.zeros((2, 3)), np.array([np.zeros(3), np.ones(3)])
    sets: list[Any] = [None, box, (box, up), (er.Box(0.5), er.Pose()), (er.Box(0.6), er.Pose()), (box, still)]
    sets += [(box, far), (box, crossing), (other, straight), (other, bent), [box, (box, up)]]
    sets += [[(box, up), box], (other, up), [box, box]]
    asked = [(path, k) for path in paths(10, 5) for k in range(len(sets))]

    def ask() -> list[Any]:
        return [told(er.check(body, path, sets[k])) for path, k in asked]

    kept, again = ask(), ask()
    no_scenes()
    assert kept == again == ask()


def test_excluded_pairs_and_self_too_are_told_apart() -> None:
    body, path = arm(), np.array([[0.0, 0, 0], [2.5, 2.5, 2.5]])
    assert er.check(body, path).free is False
    assert er.check(body, path, er.Sphere(0.01), self_too=False).free is not None
    body.exclude([(i, j) for i in range(4) for j in range(i)])
    assert er.check(body, path).free is True
    body.include([(0, 3), (0, 2), (1, 3)])
    assert er.check(body, path).free is False


def test_a_certificate_keeps_what_it_is_about() -> None:
    body, ball = arm(), er.Sphere(0.1)
    first = er.check(body, paths(1)[0], _shift(ball, 5.0))
    body.move([1.0, 0, 0])
    second = er.check(body, paths(1)[0], _shift(ball, 5.0), clearance=0.01, method="swept")
    assert first.body.configuration.tolist() == [0, 0, 0] and second.body.configuration.tolist() == [1, 0, 0]
    assert (first.method, second.method) == ("auto", "swept")
    assert (first.clearance_asked, second.clearance_asked) == (0.0, 0.01)
    assert first.verify() and second.verify()


def test_obstacles_are_not_kept_alive() -> None:
    body, ball = er.Mesh(*SPRING), er.Sphere(1)
    motion = er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0]))
    er.check(body, motion, _shift(ball, 50.0))
    (kept,) = vars(body)["_scenes"]
    assert kept.scene is not None
    gone = weakref.ref(ball)
    del ball
    gc.collect()
    assert gone() is None and kept.scene is None


def test_few_scenes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    body, balls = er.Box(1), [er.Sphere(1 + k) for k in range(9)]
    motion = er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0]))
    for ball in balls:
        er.check(body, motion, _shift(ball, 50.0))
    assert len(vars(body)["_scenes"]) == _motion_scene.MOST_SCENES
    monkeypatch.setattr(_motion_scene, "MOST_PRIMITIVES", 1)
    er.check(body, motion, _shift(balls[0], 51.0))
    assert len(vars(body)["_scenes"]) == 1


def test_a_pickle_holds_no_scenes() -> None:
    body = arm()
    before = len(pickle.dumps(body))
    er.check(body, paths(1)[0], obstacles())
    assert len(pickle.dumps(body)) == before


def test_threads_share_scenes(no_scenes: Callable[[], None]) -> None:
    body, sets = arm(), [obstacles(5, k) for k in range(6)]
    asked = [(path, k % 6) for k, path in enumerate(paths(60, 6))]
    found: list[list[Any]] = [[] for _ in range(4)]

    def work(out: list[Any]) -> None:
        out += [told(er.check(body, path, sets[k])) for path, k in asked]

    threads = [threading.Thread(target=work, args=(out,)) for out in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    no_scenes()
    wanted = [told(er.check(body, path, sets[k])) for path, k in asked]
    assert all(out == wanted for out in found)

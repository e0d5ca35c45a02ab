"""The rules of correctness that every answer keeps, each held by a test over all kinds of bodies."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from scipy.spatial import ConvexHull

import elbowroom as er

SQUARE = er.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], children=2)
BODIES = [er.Sphere(0.5), er.Capsule(0.25, 2.0), er.Box([1, 2, 3]), er.Convex(np.eye(3)), SQUARE,
          er.Mesh(SQUARE.vertices, SQUARE.faces), er.Group([er.Sphere(0.1), er.Capsule(0.1, 1)], children=2),
          er.Group([er.Box(1), (er.Sphere(1), (np.eye(3), [3, 0, 0]))])]  # fmt: skip


def cases(seed: int, families: tuple[str, ...], count: int) -> list[nasty.Case]:
    """One case for each pair of kinds and each family."""
    rng = np.random.default_rng(seed)
    return [nasty.case(rng, kinds, count, family) for family in families for kinds in nasty.KIND_PAIRS]


def numbers(counters: Any) -> list[int]:
    return [counters.volume_tests, counters.leaf_tests, counters.pairs_visited]


# Symmetry: exact to the last bit, in everything that an answer holds.


def distance_facts(answer: Any, swapped: bool) -> list[Any]:
    step = -1 if swapped else 1
    ends = answer.points[::step].tolist(), answer.pair[::step].tolist()
    return [answer.value, answer.lower, answer.upper, *ends, answer.status, numbers(answer.counters)]


def pair_facts(pairs: np.ndarray, columns: list[np.ndarray], swapped: bool) -> list[Any]:
    """The rows in the order of the first body's primitives, whichever side it stood on."""
    pairs = pairs[:, ::-1] if swapped else pairs
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return [pairs[order].tolist(), *(column[order].tolist() for column in columns)]


def collide_facts(answer: Any, swapped: bool) -> list[Any]:
    columns = []
    if answer.contacts is not None:
        normals = answer.contacts.normals * (-1.0 if swapped else 1.0) + 0.0  # no negative zeros
        columns = [answer.contacts.points, normals, answer.contacts.depths]
    return [bool(answer), pair_facts(answer.pairs, columns, swapped), answer.status, numbers(answer.counters)]


def facts(a: Any, b: Any, pose_a: Any, pose_b: Any, reach: float, swapped: bool = False) -> list[Any]:
    """All that can be asked of two bodies, told from the side of `a` or, swapped, from that of `b`."""
    where = (b, a, pose_b, pose_a) if swapped else (a, b, pose_a, pose_b)
    near = er.within(*where[:2], reach, *where[2:])
    linear = np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.25, 0.0, 0.5]])
    options: list[dict[str, Any]] = [
        {},
        {"linear": linear},
        {"enough": reach},
        {"budget": er.Budget(tests=6)},
    ]
    settings: list[dict[str, Any]] = [
        {},
        {"depth": True},
        {"every": True, "depth": True},
        {"budget": er.Budget(tests=6)},
    ]
    return [
        *(distance_facts(er.distance(*where, **more), swapped) for more in options),
        *(collide_facts(er.collide(*where, **more), swapped) for more in settings),
        [pair_facts(near.indices, [near.distances], swapped), near.status, numbers(near.counters)],
    ]


@pytest.mark.parametrize("family", nasty.FAMILIES)
def test_every_answer_is_exactly_symmetric(family: str) -> None:
    for case in cases(1, (family,), 6):
        for pose_a, pose_b in zip(case.pose_a, case.pose_b, strict=True):
            if case.a is case.b and np.array_equal(pose_a, pose_b):
                continue  # one and the same call: there is nothing to swap
            reach = 0.25 * (case.a.reach + case.b.reach)
            one = facts(case.a.body, case.b.body, pose_a, pose_b, reach)
            other = facts(case.a.body, case.b.body, pose_a, pose_b, reach, swapped=True)
            assert one == other, case.code(0)


def test_a_body_and_its_twin_elsewhere_are_symmetric() -> None:
    rng = np.random.default_rng(2)
    for kind in nasty.KINDS:
        body = nasty.thing(rng, kind, "plain").body
        twin = pickle.loads(pickle.dumps(body))
        poses = nasty.matrices(nasty.rotations(rng, 10), rng.normal(size=(10, 3)) * 0.5)
        for pose_a, pose_b in zip(poses, poses[::-1], strict=True):
            assert facts(body, twin, pose_a, pose_b, 1.0) == facts(
                body, twin, pose_a, pose_b, 1.0, swapped=True
            )


# Bounds: `lower` is never above the truth, and "free" is a proof.


@pytest.mark.parametrize("family", ["general", "near", "touching", "nested", "parallel", "coincident", "far"])
def test_lower_is_never_above_the_truth_nor_upper_below_it(family: str) -> None:
    for case in cases(3, (family,), 60):
        truth = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)
        found = er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b)
        true, slop = np.maximum(truth.signed, 0.0), 1e-14 * case.scale
        assert (found.lower <= true + slop).all()
        assert (found.upper >= true - truth.slack - slop).all()
        assert (found.lower <= found.values).all() and (found.values <= found.upper).all()


@pytest.mark.parametrize("family", ["near", "touching", "parallel", "coincident"])
def test_free_is_a_proof(family: str) -> None:
    for case in cases(4, (family,), 100):
        truth = oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)
        free = ~er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b).hits
        assert (truth.signed[free] > -1e-15 * case.scale[free]).all()


@pytest.mark.parametrize("thickness", [10.0**-e for e in range(3, 18)])
def test_a_hull_keeps_its_corners_however_thin(thickness: float) -> None:
    """Seen from above, the points that were kept cover what the points that were given cover."""
    for seed in range(20):
        given = np.random.default_rng(seed).normal(size=(30, 3)) * [1.0, 1.0, thickness]
        kept = er.Convex(given).points
        assert len(kept) >= 3
        assert ConvexHull(kept[:, :2]).volume == pytest.approx(ConvexHull(given[:, :2]).volume, rel=1e-12)


@pytest.mark.parametrize("condition", [1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e8])
def test_lower_is_never_above_the_truth_under_a_linear_map(condition: float) -> None:
    """A cloud of boxes measured along one direction: boxes that are far aside are the nearest ones."""
    cube = nasty.Thing("box", (np.full(3, 0.01),))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        (turn, after), centres = nasty.rotations(rng, 2), rng.uniform(-5.0, 5.0, (200, 3))
        centres[:, 0] = 10.0 + rng.random(200)
        cloud = nasty.Thing("group", tuple((cube, turn, turn @ c) for c in centres))
        linear = after @ np.diag([1.0, 1.0 / condition, 1.0 / condition]) @ turn.T
        found = er.distance(cloud.body, cube.body, None, (turn, np.zeros(3)), linear=linear)
        origin, mapped = nasty.matrices(turn[None], np.zeros((1, 3)))[0], np.eye(4)
        mapped[:3, :3] = linear
        true = oracle.nearest(cloud.solid, cube.solid, mapped[None], (mapped @ origin)[None]).signed[0]
        assert found.lower <= true + 1e-12 and found.value == pytest.approx(true, rel=1e-9)


# Degenerate input: bounded work, no exception.


@pytest.mark.parametrize("family", ["coincident", "thin", "parallel", "touching", "nested"])
def test_no_query_does_more_than_all_pairs_twice(family: str) -> None:
    for case in cases(5, (family,), 10):
        a, b = case.a.body, case.b.body
        for pose_a, pose_b in zip(case.pose_a, case.pose_b, strict=True):
            near = er.within(a, b, case.a.reach + case.b.reach, pose_a, pose_b)
            for answer in (
                er.distance(a, b, pose_a, pose_b),
                er.collide(a, b, pose_a, pose_b, every=True),
                near,
            ):
                assert answer.counters.leaf_tests <= 2 * len(a) * len(b)
                assert answer.counters.volume_tests <= 2 + 32 * len(a) * len(b)
                assert answer.counters.pairs_visited <= 2 + 8 * len(a) * len(b)


@pytest.mark.parametrize("children", [2, 8])
def test_primitives_without_size_or_in_one_place_make_a_shallow_tree(children: int) -> None:
    """Where no cut is better than another the halves must not be lopsided, or the build takes ages."""
    row = [(er.Sphere(0), (np.eye(3), [float(i), 0.0, 0.0])) for i in range(200)]
    bodies = {
        "row of points": er.Group(row, children=children),
        "triangles": er.Mesh(SQUARE.vertices, [[0, 1, 2]] * 200, children=children),
        "points": er.Mesh(np.zeros((1, 3)), [[0, 0, 0]] * 200, children=children),
        "spheres": er.Group([er.Sphere(1)] * 200, children=children),
        "boxes": er.Group([er.Box(1)] * 200, children=children),
    }
    deep = {name: len(body.boxes(24)) < len(body.boxes(400)) for name, body in bodies.items()}
    assert deep == dict.fromkeys(bodies, False)


def test_nothing_throws_and_all_agree_at_contact() -> None:
    for case in cases(6, ("touching",), 80):
        a, b = case.a.body, case.b.body
        assert er.collide(a, b, case.pose_a, case.pose_b).hits.all()
        for pose_a, pose_b in zip(case.pose_a, case.pose_b, strict=True):
            contacts = er.collide(a, b, pose_a, pose_b, every=True, depth=True).contacts
            assert np.isfinite(contacts.points).all() and (contacts.depths >= 0.0).all()
            assert np.linalg.norm(contacts.normals, axis=1) == pytest.approx(np.ones(len(contacts)))
            assert er.distance(a, b, pose_a, pose_b).value == 0.0, case.code(0)
            assert len(er.within(a, b, 0.0, pose_a, pose_b)) >= 1, case.code(0)


TETRAHEDRA = [
    (
        [[-1, 0, -2], [-3, 4, -1], [-2, -4, 0], [-4, 4, 2]],
        [[-1, 0, -2], [-2, -1, -2], [-3, 5, -7], [-3, -1, -4]],
    ),
    (
        [[4, -3, -3], [-3, 1, 1], [3, -4, -4], [-2, -3, 3]],
        [[4, -3, -3], [3, -4, -8], [5, -8, -4], [3, -7, -10]],
    ),
    ([[3, -1, 2], [2, -2, -2], [-1, -3, -4], [-2, -3, 4]], [[3, -1, 2], [3, -4, 2], [9, 0, 4], [7, 0, 3]]),
]


@pytest.mark.parametrize(("a", "b"), TETRAHEDRA)
def test_within_reach_zero_finds_what_touches(a: list[Any], b: list[Any]) -> None:
    """The two share their first corner, to the last bit."""
    assert er.collide(er.Convex(a), er.Convex(b))
    assert er.distance(er.Convex(a), er.Convex(b)).value == 0.0
    assert er.within(er.Convex(a), er.Convex(b), 0.0).indices.tolist() == [[0, 0]]


# Pickles and copies.


@pytest.mark.parametrize("body", BODIES, ids=repr)
def test_bodies_pickle_and_copy(body: Any) -> None:
    twins = [pickle.loads(pickle.dumps(body, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    pose = er.Pose([0.6, 0.8, 0.0, 0.0], [0.5, 1.0, 0.25])
    for twin in [*twins, copy.copy(body), copy.deepcopy(body)]:
        assert (
            repr(twin) == repr(body)
            and twin.children == body.children
            and twin.fingerprint == body.fingerprint
        )
        assert facts(twin, er.Box(1), None, pose, 1.0) == facts(body, er.Box(1), None, pose, 1.0)


def test_poses_pickle_and_copy() -> None:
    for turn in nasty.rotations(np.random.default_rng(7), 50):
        pose = er.Pose(turn, turn[0] * 1e3)
        for twin in (pickle.loads(pickle.dumps(pose)), copy.copy(pose), copy.deepcopy(pose)):
            assert (
                twin == pose and hash(twin) == hash(pose) and twin.matrix.tobytes() == pose.matrix.tobytes()
            )


def test_equal_poses_have_equal_hashes() -> None:
    assert er.Pose(translation=[-0.0, 0, 0]) == er.Pose()
    assert hash(er.Pose(translation=[-0.0, 0, 0])) == hash(er.Pose())


@pytest.mark.parametrize(
    "limits",
    [
        {"tests": 0},
        {"tests": 40},
        {"seconds": 0.5},
        {"tests": 7, "seconds": 1e-3},
        {"seconds": 1e9},
        {"tests": 2**63 - 1},
    ],
)
def test_budgets_pickle_and_copy(limits: dict[str, Any]) -> None:
    budget = er.Budget(**limits)
    for twin in (pickle.loads(pickle.dumps(budget)), copy.copy(budget), copy.deepcopy(budget)):
        assert (twin.tests, twin.seconds) == (limits.get("tests"), limits.get("seconds"))


# Threads and runs.


def test_two_threads_on_the_same_bodies_answer_like_one() -> None:
    for case in cases(8, ("general",), 20):
        poses, gate = list(zip(case.pose_a, case.pose_b, strict=True)), threading.Barrier(2)

        def ask(gate: Any = None, case: nasty.Case = case, poses: list[Any] = poses) -> list[Any]:
            if gate:
                gate.wait()
            return [facts(case.a.body, case.b.body, p, q, case.a.reach) for p, q in poses]

        with ThreadPoolExecutor(2) as pool:
            together = [pool.submit(ask, gate) for _ in range(2)]
            assert [t.result() for t in together] == [ask(), ask()]


def spoken() -> str:
    """Answers and counters over all kinds, as text that tells every bit."""
    told = []
    for case in cases(9, ("general", "near", "thin"), 3):
        for pose_a, pose_b in zip(case.pose_a, case.pose_b, strict=True):
            told.append(facts(case.a.body, case.b.body, pose_a, pose_b, case.a.reach))
    return json.dumps(told)


def test_counters_are_the_same_on_every_run() -> None:
    environment = os.environ | {"PYTHONHASHSEED": "17"}
    fresh = subprocess.run(
        [sys.executable, __file__], capture_output=True, text=True, env=environment, check=True
    )
    assert spoken() == spoken() == fresh.stdout.strip()


@pytest.mark.parametrize("question", ["within", "collide", "batch"])
def test_a_heavy_query_releases_the_interpreter_lock(question: str) -> None:
    torus = er.Mesh(*er.scenes.torus())
    above = np.tile(er.Pose(translation=[0, 0, 1.2]).matrix, (1000, 1, 1))
    stack = er.Group([(er.Box(10), (np.eye(3), [0.01 * i, 0.0, 0.0])) for i in range(150)])
    ask: Any = {
        "within": lambda: er.within(torus, torus, 100.0),
        "collide": lambda: er.collide(stack, stack, every=True, depth=True),
        "batch": lambda: er.distance(torus, torus, None, above, threads=1),
    }[question]  # fmt: skip
    caller, done = threading.current_thread(), threading.Event()

    def end() -> None:
        while not done.is_set():
            er.cancel(caller)  # reaches only a call that has released the lock
            time.sleep(0.001)

    def ask_often() -> None:
        for _ in range(100):
            ask()

    thread = threading.Thread(target=end)
    thread.start()
    try:
        with pytest.raises(er.Cancelled):
            ask_often()
    finally:
        done.set()
        thread.join()


if __name__ == "__main__":
    print(spoken())


def test_importing_the_package_brings_nothing_heavy_with_it() -> None:
    heavy = ("scipy", "matplotlib", "MDAnalysis", "gemmi", "trimesh", "yourdfpy", "rich")
    code = f"import sys, elbowroom; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

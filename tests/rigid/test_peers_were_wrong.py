"""Questions about rigid shapes that other libraries have answered wrongly, and that are right here."""

from __future__ import annotations

import copy
import itertools
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nasty
import numpy as np
import oracle
import pytest
from nasty import Case, Thing

import elbowroom as er

CUBE = Thing("box", (np.array([1.0, 1.0, 1.0]),)).primitives[0]
CUBE_MESH = er.Mesh(CUBE.vertices, CUBE.faces)


def at(*translation: float) -> Any:
    return (np.eye(3), np.array(translation))


def balls(rng: np.random.Generator, count: int, spread: float, grid: float = 0.0) -> Thing:
    """Spheres about the origin, their centres rounded to multiples of `grid` if there is one."""
    centres = rng.normal(size=(count, 3)) * spread
    centres = np.round(centres / grid) * grid if grid else centres
    return Thing("group", tuple((Thing("sphere", (0.25,)), np.eye(3), centre) for centre in centres))


def truth_of(case: Case) -> oracle.Nearest:
    return oracle.nearest(case.a.solid, case.b.solid, case.pose_a, case.pose_b)


def in_time(seconds: float, work: Any) -> Any:
    """The result of work(), or a failure if it has not come back after that time."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, f"no answer within {seconds} s"
    return results[0]


def test_fcl_493_495_epa_threw_on_touching_boxes() -> None:
    """FCL's signed distance raised an exception for boxes in kissing contact: its GJK and EPA disagreed."""
    box = er.Box([1.0, 2.0, 3.0])
    for turn, offset in itertools.product(nasty.QUARTER_TURNS, ((1, 0, 0), (1, 1, 0), (1, 1, 1))):
        halves = np.array([0.5, 1.0, 1.5]) + np.abs(turn) @ [0.5, 1.0, 1.5]
        for nudge in (0.0, 1e-16, -1e-16, -1e-13):
            hit = er.collide(box, box, None, (turn, halves * offset * (1.0 + nudge)), depth=True)
            assert hit
            assert hit.contacts.depths[0] == pytest.approx(0.0, abs=1e-11)
            assert np.linalg.norm(hit.contacts.normals[0]) == pytest.approx(1.0, rel=1e-12)


def test_fcl_493_the_reported_boxes() -> None:
    """The two half-metre boxes of the first report, turned alike and a rounding error from contact."""
    turn = np.array(
        [
            [0.96193976625564348, 0.15401279915737359, 0.22572537250328920],
            [-0.19134171618254486, 0.96936494951283914, 0.15401279915737359],
            [-0.19509032201612822, -0.19134171618254486, 0.96193976625564348],
        ]
    )
    pose_a = (turn, [2.0770063995786869, 0.48468247475641951, 1.1543291419087276])
    pose_b = (turn, [2.0, 0.0, 1.25])
    hit = er.collide(er.Box(0.5), er.Box(0.5), pose_a, pose_b, depth=True)
    assert er.distance(er.Box(0.5), er.Box(0.5), pose_a, pose_b).value <= 1e-15
    assert hit and hit.contacts.depths[0] == pytest.approx(0.0, abs=1e-14)


def test_fcl_578_signed_distance_of_boxes_could_hang() -> None:
    """FCL's signed distance of two boxes could run for ever in a loop whose end was never reached."""
    rng = np.random.default_rng(578)
    for family in ("parallel", "coincident", "thin", "near"):
        case = nasty.case(rng, ("box", "box"), 2000, family)
        found = in_time(20.0, lambda c=case: er.distance(c.a.body, c.b.body, c.pose_a, c.pose_b))
        assert np.abs(found.values - np.maximum(truth_of(case).signed, 0.0)).max() <= 1e-9 * case.scale.max()
        poses = list(zip(case.pose_a, case.pose_b, strict=True))[:200]
        in_time(20.0, lambda c=case, p=poses: [er.collide(c.a.body, c.b.body, *q, depth=True) for q in p])


def test_fcl_491_penetrating_meshes_had_no_depth() -> None:
    """FCL's signed distance of meshes stayed at 0, however deep one was in the other."""
    turn = nasty.rotations(np.random.default_rng(491), 1)[0]
    hit = er.collide(CUBE_MESH, CUBE_MESH, None, (turn, [0.5, 0.25, 0.125]), every=True, depth=True)
    assert len(hit.pairs) > 3
    assert (hit.contacts.depths > 1e-6).all()
    deepest = er.collide(CUBE_MESH, CUBE_MESH, None, (turn, [0.5, 0.25, 0.125]), depth=True)
    assert deepest.contacts.depths[0] == hit.contacts.depths.max()


def test_coal_823_witness_points_of_penetrating_meshes_were_wrong() -> None:
    """Coal returned wrong witness points for meshes that penetrate each other."""
    rng = np.random.default_rng(823)
    cube, only = nasty.Thing("mesh", (CUBE.vertices, CUBE.faces)), np.eye(4)
    for turn in nasty.rotations(rng, 50):
        pose = nasty.matrices(turn[None], rng.uniform(-0.4, 0.4, (1, 3)))[0]
        found = er.distance(CUBE_MESH, CUBE_MESH, None, pose)
        for side, world in enumerate((only, pose)):
            solid = oracle.moved(cube.solid, world[:3, :3], world[:3, 3])
            point = oracle.pack([oracle.hull(found.points[side])])
            assert oracle.signed_matrix(point, solid)[0, found.pair[side]] <= 1e-12
        assert np.linalg.norm(found.points[1] - found.points[0]) == pytest.approx(found.value, abs=1e-12)


def test_coal_885_group_distance_was_the_last_pair_not_the_closest() -> None:
    """Coal's broad phase returned the distance of the last pair it looked at, not of the closest one."""
    rng = np.random.default_rng(885)
    for _ in range(20):
        a, b = balls(rng, 30, 2.0), balls(rng, 30, 2.0)
        pose = np.eye(4)
        pose[:3, 3] = [12.0, 0.0, 0.0]
        signed = oracle.signed_matrix(a.solid, oracle.moved(b.solid, pose[:3, :3], pose[:3, 3]))
        found = er.distance(a.body, b.body, None, pose)
        assert found.value == pytest.approx(signed.min(), rel=1e-12)
        assert signed[tuple(found.pair)] == pytest.approx(signed.min(), rel=1e-12)


def test_coal_dynamic_tree_missed_collisions_after_an_update() -> None:
    """Coal's array-based dynamic tree lost collisions once the objects in it had moved."""
    rng = np.random.default_rng(3)
    for kinds in nasty.KIND_PAIRS:
        case = nasty.case(rng, kinds, 100, "general")
        many = er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b).hits
        poses = zip(case.pose_a, case.pose_b, strict=True)
        single = [bool(er.collide(case.a.body, case.b.body, *pose)) for pose in poses]
        assert np.array_equal(many, single)
        clear = truth_of(case).signed < -1e-12 * case.scale
        assert many[clear].all()


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-6, 1e-3, 1.0])
def test_mujoco_3383_distance_of_separated_hulls_was_exactly_zero(gap: float) -> None:
    """MuJoCo's mj_geomDistance was exactly 0 for some convex meshes that are clearly apart."""
    rng = np.random.default_rng(3383)
    for _ in range(20):
        case = nasty.case(rng, ("convex", "convex"), 20, "general")
        truth = truth_of(case)
        pose_b = case.pose_b.copy()
        pose_b[:, :3, 3] += (gap * case.scale - truth.signed)[:, None] * truth.normals
        case = Case("general", case.a, case.b, case.pose_a, pose_b, False)
        true = truth_of(case).signed
        clear = true > 0.5 * gap * case.scale
        found = er.distance(case.a.body, case.b.body, case.pose_a, case.pose_b)
        assert (found.values[clear] > 0.0).all() and (found.lower[clear] > 0.0).all()
        assert np.abs(found.values - np.maximum(true, 0.0)).max() <= 1e-13 * case.scale.max()
        assert not er.collide(case.a.body, case.b.body, case.pose_a, case.pose_b).hits[clear].any()


def test_pybullet_contacts_carried_history() -> None:
    """PyBullet kept contacts of earlier frames: the same question after others had another answer."""
    rng = np.random.default_rng(41)
    for kinds in nasty.KIND_PAIRS:
        case, memory = nasty.case(rng, kinds, 60, "general"), er.Memory()
        a, b = case.a.body, case.b.body
        poses = list(zip(case.pose_a, case.pose_b, strict=True))
        first = [everything(a, b, *pose) for pose in poses]
        for (pose_a, pose_b), old in reversed(list(zip(poses, first, strict=True))):
            recalled = er.distance(a, b, pose_a, pose_b, memory=memory).value
            assert recalled == pytest.approx(old[0], rel=1e-12)
            assert bool(er.collide(a, b, pose_a, pose_b, memory=memory)) == old[1]
            assert everything(a, b, pose_a, pose_b) == old


def everything(a: Any, b: Any, pose_a: np.ndarray, pose_b: np.ndarray) -> tuple[Any, ...]:
    """All that can be asked, in a form that can be compared; distance and verdict come first."""
    distance = er.distance(a, b, pose_a, pose_b)
    hit = er.collide(a, b, pose_a, pose_b, every=True, depth=True)
    near = er.within(a, b, 2.0 * distance.value, pose_a, pose_b)
    contacts = [hit.contacts.depths.tolist(), hit.contacts.normals.tolist()] if hit else []
    work = distance.counters.volume_tests, distance.counters.leaf_tests, hit.counters.pairs_visited
    lists = distance.points.tolist(), hit.pairs.tolist(), near.indices.tolist()
    return distance.value, bool(hit), lists, contacts, work


def test_mdanalysis_2919_2229_cutoff_pairs_were_asymmetric() -> None:
    """MDAnalysis found other pairs when the two sets were swapped, and too many, for atoms on grid planes."""
    rng = np.random.default_rng(2919)
    for reach in (0.0, 0.1, 0.5, 2.0):
        a, b = balls(rng, 40, 1.5, grid=0.5), balls(rng, 25, 1.5)
        there, back = er.within(a.body, b.body, reach), er.within(b.body, a.body, reach)
        signed = oracle.signed_matrix(a.solid, b.solid)
        assert np.array_equal(there.indices, np.argwhere(signed <= reach))
        assert {tuple(p) for p in there.indices} == {tuple(p[::-1]) for p in back.indices}
        assert there.distances == pytest.approx(np.maximum(signed[signed <= reach], 0.0), abs=1e-12)
        assert sorted(there.distances) == sorted(back.distances)


def test_fcl_224_253_two_threads_could_not_share_a_body() -> None:
    """FCL promises nothing to two threads on one geometry, and its collide raced on a shared table."""
    rng = np.random.default_rng(224)
    case = nasty.case(rng, ("mesh", "group"), 400, "general")
    poses = list(zip(case.pose_a, case.pose_b, strict=True))

    def ask(pose: tuple[np.ndarray, np.ndarray]) -> tuple[Any, ...]:
        return everything(case.a.body, case.b.body, *pose)

    alone = [ask(pose) for pose in poses]
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(lambda: [ask(pose) for pose in poses]) for _ in range(2)]
        assert all(future.result() == alone for future in futures)


@pytest.mark.parametrize("kind", nasty.KINDS)
def test_pinocchio_2089_geometry_did_not_pickle(kind: str) -> None:
    """Pinocchio's GeometryModel cannot be pickled."""
    rng = np.random.default_rng(2089)
    for style in nasty.STYLES:
        body, other = nasty.thing(rng, kind, style).body, nasty.thing(rng, "box", "plain").body
        pose = nasty.matrices(nasty.rotations(rng, 1), rng.normal(size=(1, 3)))[0]
        old = everything(body, other, np.eye(4), pose)
        for twin in (pickle.loads(pickle.dumps(body)), copy.copy(body), copy.deepcopy(body)):
            assert type(twin) is type(body) and len(twin) == len(body)
            assert np.array_equal(twin.bounds, body.bounds)
            assert everything(twin, other, np.eye(4), pose) == old
            twin.validate()

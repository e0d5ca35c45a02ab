"""A few seconds of questions about every kind of body, answered by the core and by brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom import scenes

from .brute import Array, gaps, moved, own_gaps, triangle_distance

CLOSE = 1e-9
REACH = 0.5


@dataclass(frozen=True)
class Check:
    """What was compared, whether all of it agreed, and what was seen."""

    name: str
    passed: bool
    seen: str
    seconds: float


class Wrong(Exception):
    """An answer that brute force does not agree with."""


def self_test() -> Iterator[Check]:
    """Make every check, one after the other; what is raised on the way is a check that failed."""
    for name, check in CHECKS.items():
        start = perf_counter()
        try:
            passed, seen = True, check()
        except Wrong as wrong:
            passed, seen = False, str(wrong)
        except Exception as error:
            passed, seen = False, f"{type(error).__name__}: {error}"
        yield Check(name, passed, seen, perf_counter() - start)


def rigid_balls() -> str:
    """Do groups of balls collide, how far apart are they, and which pairs are near."""
    rng = np.random.default_rng(1)
    centres, poses = rng.normal(size=(40, 3)), _poses(200, 3.0)
    body = er.Group([(er.Sphere(0.2), er.Pose(translation=centre)) for centre in centres])
    values, hits = _distances(body, poses), _hits(body, poses)
    for pose, value, hit in zip(poses, values, hits, strict=True):
        true = gaps(centres, moved(centres, pose), 0.2, 0.2)
        _same("distance", value, max(float(true.min()), 0.0))
        _same("verdict", hit, true.min() <= 0)
        near = er.within(body, body, REACH, None, pose)
        _same("pairs within reach", len(near), int((true <= REACH).sum()))
    return f"{len(poses)} poses of 40 balls, {int(hits.sum())} collide"


def meshes() -> str:
    """Do meshes meet, and how far apart are they."""
    vertices, faces = scenes.torus(segments=8, sides=4)
    mesh, poses = er.Mesh(vertices, faces), _poses(12, 3.0)
    hits = _hits(mesh, poses)
    for pose, hit in zip(poses, hits, strict=True):
        true = triangle_distance(vertices[faces], moved(vertices, pose)[faces])
        _same("distance", er.distance(mesh, mesh, pose_b=pose).value, true)
        _same("verdict", hit, true == 0)
    return f"{len(poses)} poses of {len(faces)} triangles, {int(hits.sum())} collide"


def chains() -> str:
    """Does a chain that bends collide with itself, where is it nearest to itself, and where are its links."""
    rng, clashes = np.random.default_rng(2), 0
    chain = er.Chain(scenes.coil(200), radii=0.45)
    for joint, angle in zip(rng.integers(1, 198, 200), rng.uniform(-1, 1, 200), strict=True):
        expected = _turned(chain.positions(), int(joint), float(angle))
        chain.rotate(int(joint), float(angle))
        hit = chain.collides()
        true = own_gaps(chain.positions(), 0.45)
        _same("place of a link", float(np.abs(expected - chain.positions()).max()), 0.0)
        _same("verdict", hit, true.min() <= 0)
        _same("distance", er.self_distance(chain).value, max(float(true.min()), 0.0))
        clashes += hit
        if hit:
            chain.undo()
    return f"200 torsions of 200 links, {clashes} collide"


def articulated_bodies() -> str:
    """Does an arm collide with itself in many configurations, and which of its links."""
    count, length, balls = 8, 1.0, np.array([[0.25, 0, 0], [0.5, 0, 0], [0.75, 0, 0]])
    link = er.Group([(er.Sphere(0.2), er.Pose(translation=ball)) for ball in balls])
    links = [er.Link(f"link{k}", [link]) for k in range(count)]
    joints = [_hinge(k, length) for k in range(1, count)]
    arm, angles = er.Articulated(links, joints), np.random.default_rng(3).uniform(-2.5, 2.5, (200, count - 1))
    found = er.self_collide(arm, every=True, configurations=angles)
    assert found.frames is not None and found.pairs is not None
    seen = {(int(frame), *map(int, pair)) for frame, pair in zip(found.frames, found.pairs, strict=True)}
    true = {(k, *pair) for k, row in enumerate(angles) for pair in arm_clashes(row, balls, length)}
    if seen != true:
        raise Wrong(f"pairs of links: {len(seen)}, by brute force {len(true)}; one is {min(seen ^ true)}")
    return f"200 configurations of {count} links, {len(true)} pairs collide"


def necklaces() -> str:
    """Where is a rope of which every bead moves nearest to itself, and is it proved free just if it is."""
    frames, collide = scenes.spiral(200, frames=20), 0
    rope = er.Necklace(frames[0], radii=0.4)
    for positions in frames:
        rope.move(positions)
        true = float(own_gaps(positions, 0.4).min())
        _same("distance", er.self_distance(rope).value, max(true, 0.0))
        _same("verdict", bool(er.self_collide(rope)), true <= 0)
        _same("proof that nothing collides", bool(rope.separating_pairs()), true > 0)
        collide += true <= 0
    rope.move(frames[10])
    verified = rope.separating_pairs().verify(rope.positions(), rope.radii, exclude=1)
    _same("proof, verified", bool(verified), True)
    return f"20 frames of 200 beads, {collide} collide, others proved"


def motions() -> str:
    """Is a whole motion free: proofs are checked without the core, contacts by the distance at that time."""
    hook = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in scenes.thin_hook()])
    world, root = er.Group([er.Convex(corners) for corners in scenes.tetrahedra()]), scenes.hook_root()
    free = 0
    for share in np.linspace(0.02, 0.4, 12):
        motion = er.Motion(root, er.Motion(root, scenes.hook_poses(1)[0]).at(share))
        certificate = er.check(hook, motion, world)
        if certificate.free:
            certificate.verify(hook, motion, world, clearance=0)
            free += 1
        else:
            assert certificate.contact_time is not None
            touching = er.distance(hook, world, pose_a=motion.at(certificate.contact_time)).value
            _same("distance at a contact", touching, 0.0, 1e-3)
    return f"12 motions among 1330 tetrahedra, {free} proved free"


def budgets() -> str:
    """Are the bounds of a distance true when the search was cut short."""
    spring, unfinished = er.Mesh(*scenes.spring()), 0
    for pose in scenes.spring_path(40):
        true = er.distance(spring, spring, pose_b=pose).value
        cut = er.distance(spring, spring, pose_b=pose, budget=er.Budget(tests=100))
        if not cut.lower - CLOSE <= true <= cut.upper + CLOSE:
            raise Wrong(f"distance {true} is not between the bounds {cut.lower} and {cut.upper}")
        unfinished += cut.status == "out of budget"
    return f"40 distances with 100 tests each, {unfinished} unfinished"


def threads() -> str:
    """Does an array of poses on all cores have the answers of one call a pose."""
    spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(300)
    together = _distances(spring, poses)
    alone = [er.distance(spring, spring, pose_b=er.Pose.from_matrix(pose)).value for pose in poses]
    if together.tolist() != alone:
        raise Wrong("answers of an array differ from those of single poses")
    return f"{len(poses)} poses of 1800 triangles in one call and singly"


def samples() -> str:
    """Does the same seed give the same run, and are its shapes free of collisions."""
    runs = []
    for _ in range(2):
        chain = er.sampling.polymer(100, radius=0.45, seed=1)
        er.sampling.sample(chain, {"pivot": 1.0, "crankshaft": 1.0}, steps=1000, seed=1)
        runs.append(chain.positions())
    if not np.array_equal(runs[0], runs[1]):
        raise Wrong("two runs with one seed differ")
    if own_gaps(runs[0], 0.45).min() < -CLOSE:
        raise Wrong("a sampled shape collides with itself")
    return "1000 steps of 100 beads, twice"


CHECKS: dict[str, Callable[[], str]] = {
    "balls": rigid_balls,
    "meshes": meshes,
    "chains": chains,
    "articulated bodies": articulated_bodies,
    "necklaces": necklaces,
    "motions": motions,
    "budgets": budgets,
    "threads": threads,
    "samples": samples,
}


def _hits(body: er.Body, poses: Array) -> NDArray[np.bool_]:
    """Of two of a body, the second of them at many poses."""
    found = er.collide(body, body, pose_b=poses)
    assert isinstance(found, er.Collisions)
    return found.hits


def _distances(body: er.Body, poses: Array) -> Array:
    found = er.distance(body, body, pose_b=poses)
    assert isinstance(found, er.Distances)
    return found.values


def _same(what: str, ours: float, true: float, allowed: float = CLOSE) -> None:
    if abs(float(ours) - float(true)) > allowed:
        raise Wrong(f"{what}: {ours}, by brute force {true}")


def _poses(count: int, spread: float) -> Array:
    """Random rotations and places."""
    rng = np.random.default_rng(4)
    poses = np.tile(np.eye(4), (count, 1, 1))
    turns, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    poses[:, :3, :3] = turns * np.linalg.det(turns)[:, None, None]
    poses[:, :3, 3] = rng.normal(size=(count, 3)) * spread
    return poses


def _turned(points: Array, joint: int, angle: float) -> Array:
    """All links beyond the joint's bond turned about it, by the formula of Rodrigues."""
    start, axis = points[joint], points[joint + 1] - points[joint]
    axis, rest = axis / np.linalg.norm(axis), points[joint + 2 :] - start
    along = np.outer(rest @ axis, axis)
    turned = along + np.cos(angle) * (rest - along) + np.sin(angle) * np.cross(axis, rest)
    return np.concatenate([points[: joint + 2], start + turned])


def _hinge(number: int, length: float) -> er.Joint:
    """At the far end of the link before it, about z and y in turn."""
    axis = (0.0, 0.0, 1.0) if number % 2 else (0.0, 1.0, 0.0)
    origin = er.Pose(translation=[length, 0, 0])
    return er.Joint(f"joint{number}", "revolute", f"link{number - 1}", f"link{number}", origin, axis)


def arm_clashes(angles: Array, balls: Array, length: float) -> list[tuple[int, int]]:
    """Links that collide, those next to each other left out; forward kinematics by hand."""
    turn, end, placed = np.eye(3), np.zeros(3), [balls]
    for number, angle in enumerate(angles, 1):
        end = end + turn @ [length, 0, 0]
        c, s = np.cos(angle), np.sin(angle)
        about_z, about_y = [[c, -s, 0], [s, c, 0], [0, 0, 1]], [[c, 0, s], [0, 1, 0], [-s, 0, c]]
        turn = turn @ np.array(about_z if number % 2 else about_y)
        placed.append(balls @ turn.T + end)
    pairs = [(i, j) for j in range(len(placed)) for i in range(j - 1)]
    return [(i, j) for i, j in pairs if gaps(placed[i], placed[j], 0.2, 0.2).min() <= 0]

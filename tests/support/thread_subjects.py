"""What the thread stress calls: all public methods of classes whose objects change, and the questions."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any

import numpy as np
from public_names import members_of, public_names

import elbowroom as er
from elbowroom import baselines, energies, planning

Rng = np.random.Generator
Call = Callable[[Any, Rng], Any]

N = 300
FEW = er.Budget(tests=300)
WALK = er.scenes.serpentine(N)
SIDE = (np.arange(N), WALK + np.array([0.0, 0.0, 0.6]), np.full(N, 0.1), [(0, 1, [N + 1])])
FRAMES = er.scenes.spiral(N, frames=8)
SHEET = er.scenes.spring(segments=8)


@cache
def spring() -> er.Mesh:
    return er.Mesh(*er.scenes.spring())


SPRINGS = (spring(), spring())


def near_pose(rng: Rng) -> er.Pose:
    return er.Pose(translation=[4.6 + 0.2 * rng.random(), 0.0, 0.5])


def many_poses(rng: Rng) -> dict[str, Any]:
    """Enough for two threads."""
    poses = np.tile(np.eye(4), (100, 1, 1))
    poses[:, :3, 3] = rng.uniform(-6, 6, (100, 3))
    return {"pose_b": poses, "threads": 2}


def arm(refit: str = "auto") -> er.Articulated:
    links = [er.Link(f"l{k}", er.Box([1.0, 0.3, 0.3])) for k in range(30)]
    origin = er.Pose(translation=[0.9, 0, 0])
    joints = [er.Joint(f"j{k}", "revolute", f"l{k - 1}", f"l{k}", origin) for k in range(1, 30)]
    return er.Articulated(links, joints, refit=refit)  # type: ignore[arg-type]


def charged() -> er.Chain:
    chain = er.Chain(WALK, 1.0, side=SIDE)
    chain.set_energy(energies.LennardJones(1.0, 1.0, 4.0))
    return chain


def checker() -> er.MotionChecker:
    return er.MotionChecker(arm(), (er.Sphere(0.5), er.Pose(translation=[3, 3, 0])))


def rigid_checker() -> er.MotionChecker:
    return er.MotionChecker(spring(), spring())


def space() -> planning.RigidSpace:
    return planning.RigidSpace([-3, -3, -3], [3, 3, 3])


def planner(kind: type) -> Any:
    free = er.MotionChecker(er.Box(0.1), (er.Sphere(0.2), er.Pose(translation=[9, 9, 9])))
    if kind is planning.PRM:
        return planning.PRM(space(), free, seed=3)
    return kind(space(), free, start=er.Pose(), goal=er.Pose(translation=[1, 1, 1]), seed=3)


def crowded() -> er.World:
    """An arm, a chain, a necklace, and boxes about them."""
    world = er.World({f"box {i}": (er.Box(1), er.Pose(translation=[i % 20, i // 20, 0])) for i in range(300)})
    world.add({"arm": arm(), "chain": charged(), "necklace": er.Necklace(FRAMES[0], 0.3)})
    return world


def a_box(rng: Rng) -> str:
    return f"box {rng.integers(300)}"


#: How objects of the classes are made that change, several ways where that matters.
MUTABLE: dict[type, list[Callable[[], Any]]] = {
    er.Chain: [charged, lambda: er.Chain(WALK, 1.0, volume="obb")],
    er.Articulated: [arm, lambda: arm("cab")],
    er.Necklace: [
        lambda kind=kind: er.Necklace(FRAMES[0], 0.3, cages=kind)
        for kind in ("boxes", "wrapped", "layered", "power", "hybrid")
    ],
    er.Mesh: [lambda: er.Mesh(*SHEET)],
    er.World: [crowded],
    er.Memory: [er.Memory, lambda: er.Memory("best-first")],
    er.MotionChecker: [checker, rigid_checker],
    er.Pairs: [lambda: er.self_within(charged(), 3.0)],
    baselines.Grid: [lambda: baselines.Grid(WALK, 1.0)],
    baselines.OneObbTree: [lambda: baselines.OneObbTree(WALK, 1.0)],
    baselines.KObbTree: [lambda: baselines.KObbTree(WALK, 1.0)],
    planning.RRT: [lambda: planner(planning.RRT)],
    planning.RRTConnect: [lambda: planner(planning.RRTConnect)],
    planning.PRM: [lambda: planner(planning.PRM)],
}
#: Classes whose objects stay as they were made, or that hold nothing of the core.
FIXED = {
    "BVTT",
    "Body",
    "Box",
    "Budget",
    "Capsule",
    "Certificate",
    "Certificates",
    "Collision",
    "Collisions",
    "Contacts",
    "Convex",
    "Counters",
    "Distance",
    "Distances",
    "Group",
    "HalfSpace",
    "Member",
    "Mesh",
    "NecklaceCertificate",
    "Motion",
    "Pose",
    "Sphere",
    "Aabb",
    "Obb",
    "Rss",
    "Budgeted",
    "Discrete",
    "JointSpace",
    "RigidSpace",
    "Space",
    "Path",
    "RoadmapPath",
    "MotionValidator",
    "StateValidityChecker",
    "Campaign",
    "Exhibit",
    "DcdWriter",
    "Proximity",
    "Rotamer",
    "Torsion",
}
#: Readers of files, what makes other objects, and what takes very long.
LEFT_OUT = {
    "from_pdb",
    "from_atoms",
    "write",
    "from_urdf",
    "from_bvh",
    "calibrate",
    "sample_pairs",
    "METHODS",
    *("load", "save"),  # of meshes; they only read them
} | {
    *("allow", "links", "joints", "may_touch"),  # old spellings
    # Of proteins alone; they rotate and read positions.
    *("residues", "rotamers", "set_rotamer", "torsion", "torsion_angles", "turn_loop"),
}


def joint(rng: Rng) -> int:
    return int(rng.integers(0, N - 2))


def small(rng: Rng) -> float:
    return float(rng.normal() * 1e-3)


def torsions(rng: Rng, count: int = 50) -> tuple[Any, Any]:
    return np.sort(rng.choice(N - 2, count, replace=False)), rng.normal(size=count) * 1e-3


def values(body: Any, rng: Rng, many: int = 0) -> Any:
    return rng.normal(size=(many, 29) if many else 29) * 0.3


def either(rng: Rng, *calls: Callable[[], Any]) -> Any:
    return calls[int(rng.integers(len(calls)))]()


#: Arguments for the methods that need some.
ARGUMENTS: dict[str, Call] = {
    "Mesh.boxes": lambda m, rng: m.boxes(1),
    "Mesh.move": lambda m, rng: m.move(SHEET[0] * rng.uniform(0.9, 1.1, 3), rebuild=rng.random() < 0.2),
    "Chain.boxes": lambda c, rng: c.boxes(1),
    "Chain.change": lambda c, rng: c.change(torsions(rng, 5)),
    "Chain.move": lambda c, rng: c.move(joint(rng), er.Pose()),
    "Chain.pose": lambda c, rng: c.pose(joint(rng), joint(rng)),
    "Chain.rotate": lambda c, rng: c.rotate(joint(rng), small(rng)),
    "Chain.rotate_side": lambda c, rng: c.rotate_side(0, small(rng)),
    "Chain.set_energy": lambda c, rng: c.set_energy(
        None if rng.random() < 0.5 else energies.LennardJones(1.0, 1.0, 4.0)
    ),
    "Chain.try_torsions": lambda c, rng: c.try_torsions(*torsions(rng, 200)),
    "Chain.turn": lambda c, rng: c.turn(joint(rng), np.eye(3)),
    "Articulated.include": lambda b, rng: b.include([(0, 1)]),
    "Articulated.boxes": lambda b, rng: b.boxes(0),
    "Articulated.exclude": lambda b, rng: b.exclude([(0, int(rng.integers(1, 29)))]),
    "Chain.exclude": lambda c, rng: c.exclude([(1, 3)]),
    "Chain.include": lambda c, rng: c.include([(1, 3)]),
    "Necklace.exclude": lambda n, rng: n.exclude([(1, 3)]),
    "Necklace.include": lambda n, rng: n.include([(1, 3)]),
    "Articulated.index": lambda b, rng: b.index("j1"),
    "Articulated.link_number": lambda b, rng: b.link_number("l1"),
    "Articulated.measure": lambda b, rng: b.measure(depth=False),
    "Articulated.move": lambda b, rng: either(
        rng, lambda: b.move(values(b, rng)), lambda: b.move(values(b, rng, 200)), lambda: b.move({"j1": 0.1})
    ),
    "World.add": lambda w, rng: either(
        rng,
        lambda: w.add(f"new {rng.integers(5)}", er.Sphere(1), near_pose(rng)),
        lambda: w.add({f"new {i}": er.Sphere(1) for i in range(3)}),
        lambda: w.add(a_box(rng), er.Box(1), near_pose(rng)),
    ),
    "World.attach": lambda w, rng: w.attach(a_box(rng), "arm", "l3"),
    "World.detach": lambda w, rng: w.detach(a_box(rng)),
    "World.exclude": lambda w, rng: w.exclude(a_box(rng), [("arm", "l2"), "chain"]),
    "World.include": lambda w, rng: w.include(a_box(rng), "arm"),
    "World.move": lambda w, rng: either(
        rng,
        lambda: w.move(a_box(rng), near_pose(rng)),
        lambda: w.move({a_box(rng): near_pose(rng), "arm": near_pose(rng)}),
        lambda: w.move(w.poses()),
    ),
    "World.remove": lambda w, rng: either(
        rng, lambda: w.remove(f"new {rng.integers(5)}"), lambda: w.remove(a_box(rng))
    ),
    "Articulated.names": lambda b, rng: b.names([(0, 1)]),
    "Articulated.place": lambda b, rng: b.place(np.tile(np.eye(4), (30, 1, 1))),
    "Articulated.random": lambda b, rng: b.random(3, seed=1),
    "Necklace.move": lambda r, rng: r.move(FRAMES[int(rng.integers(8))]),
    "MotionChecker.check": lambda c, rng: c.check(motion(c, rng)),
    "MotionChecker.free": lambda c, rng: c.free(*ends(c, rng)),
    "MotionChecker.free_many": lambda c, rng: c.free_many(*ends(c, rng, 50)),
    "MotionChecker.valid": lambda c, rng: c.valid(ends(c, rng)[0]),
    "RRT.grow": lambda p, rng: p.grow(20),
    "RRT.solve": lambda p, rng: p.solve(nodes=30),
    "RRTConnect.solve": lambda p, rng: p.solve(attempts=30),
    "PRM.grow": lambda p, rng: p.grow(20),
    "PRM.query": lambda p, rng: p.query(er.Pose(), er.Pose(translation=[1, 1, 1])),
    "PRM.solve": lambda p, rng: p.solve(er.Pose(), er.Pose(translation=[1, 1, 1]), nodes=30),
} | {
    f"{kind.__name__}.{name}": ARGUMENT
    for kind in (baselines.Grid, baselines.OneObbTree, baselines.KObbTree)
    for name, ARGUMENT in {
        "change": lambda c, rng: c.change(dict(zip(*torsions(rng, 5), strict=True))),
        "rotate": lambda c, rng: c.rotate(joint(rng), small(rng)),
        "turn": lambda c, rng: c.turn(joint(rng), np.eye(3)),
    }.items()
}


def ends(checker: er.MotionChecker, rng: Rng, many: int = 0) -> tuple[Any, Any]:
    if isinstance(checker.body, er.Articulated):
        return values(None, rng, many), values(None, rng, many)
    if not many:
        return near_pose(rng), near_pose(rng)
    poses = np.tile(near_pose(rng).matrix, (many, 1, 1))
    return poses, poses


def motion(checker: er.MotionChecker, rng: Rng) -> Any:
    start, goal = ends(checker, rng)
    return np.stack([start, goal]) if isinstance(checker.body, er.Articulated) else er.Motion(start, goal)


def of_others(kind: type) -> dict[str, Call]:
    """What functions of the library do with an object: questions, copies, pickles, texts."""
    calls: dict[str, Call] = {"repr": lambda x, rng: repr(x)}
    if kind in (er.Chain, er.Articulated, er.Necklace, er.Mesh):
        calls |= {
            "copy": lambda x, rng: copy.copy(x),
            "pickle": lambda x, rng: pickle.loads(pickle.dumps(x)),
            "self_collide": lambda x, rng: er.self_collide(x, every=bool(rng.random() < 0.5)),
            "self_collide, budget": lambda x, rng: er.self_collide(x, budget=FEW),
            "self_distance": lambda x, rng: er.self_distance(x),
            "self_within": lambda x, rng: er.self_within(x, 3.0).indices,
            "self_within, points": lambda x, rng: er.self_within(x, 3.0, points=True).normals,
            "collide": lambda x, rng: er.collide(x, spring(), every=True),
            "distance": lambda x, rng: er.distance(spring(), x),
            "within": lambda x, rng: er.within(x, spring(), 1.0),
            "within, many": lambda x, rng: er.within(x, spring(), 1.0, **many_poses(rng)).frames,
            "collide, many": lambda x, rng: er.collide(x, spring(), **many_poses(rng)).hits,
            "cast": lambda x, rng: er.cast(x, rng.normal(size=(100, 3)) * 9, [1, 0, 0], threads=2).hits,
            "check": lambda x, rng: er.check(x, er.Motion(None, near_pose(rng)), spring()),
        }
    if kind is er.Articulated:
        calls |= {
            "self_collide, configurations": lambda x, rng: (
                er.self_collide(x, configurations=values(x, rng, 40), threads=2).hits
            ),
            "distance, configurations": lambda x, rng: (
                er.distance(x, spring(), configurations=values(x, rng, 40), threads=2).values
            ),
            "within, configurations": lambda x, rng: (
                er.within(x, spring(), 1.0, configurations=values(x, rng, 40), points=True).frames
            ),
            "collide, two": lambda x, rng: er.collide(x, x, configurations=(values(x, rng, 9), None)).hits,
        }
    if kind is er.World:
        calls |= {
            "copy": lambda x, rng: copy.copy(x),
            "pickle": lambda x, rng: pickle.loads(pickle.dumps(x)),
            "bend": lambda x, rng: x["arm"].body.move(values(x, rng)),
            "rotate": lambda x, rng: x["chain"].body.rotate(joint(rng), small(rng)),
            "necklace": lambda x, rng: x["necklace"].body.move(FRAMES[int(rng.integers(8))]),
            "member": lambda x, rng: (repr(x[a_box(rng)]), x["arm"].pose, x["chain"].attached_to),
            "self_collide": lambda x, rng: er.self_collide(x, every=bool(rng.random() < 0.5)).names,
            "self_distance": lambda x, rng: er.self_distance(x).parts,
            "self_within": lambda x, rng: er.self_within(x, 0.5).names,
            "collide": lambda x, rng: er.collide(x, spring(), every=True),
            "distance": lambda x, rng: er.distance(x[a_box(rng)], x),
            "within": lambda x, rng: er.within(x, x["arm"], 1.0),
            "check": lambda x, rng: er.check(er.Box(0.1), er.Motion(None, near_pose(rng)), x),
        }
    if kind is er.Memory:
        calls |= {
            "collide": lambda x, rng: er.collide(*SPRINGS, pose_b=near_pose(rng), memory=x, budget=FEW),
            "within": lambda x, rng: er.within(*SPRINGS, 0.3, pose_b=near_pose(rng), memory=x, budget=FEW),
            "distance": lambda x, rng: er.distance(*SPRINGS, pose_b=near_pose(rng), memory=x),
        }
    return calls


@dataclass(frozen=True)
class Subject:
    """An object that is made by `make`, and all that is called on it."""

    name: str
    make: Callable[[], Any]
    calls: dict[str, Call]


def subjects() -> Iterator[Subject]:
    """All of them."""
    for kind, makers in MUTABLE.items():
        methods = dict(_methods(kind))
        for number, make in enumerate(makers):
            yield Subject(f"{kind.__name__} {number}", make, methods | of_others(kind))


def _methods(kind: type) -> Iterator[tuple[str, Call]]:
    for name, value in members_of(kind):
        if name in LEFT_OUT:
            continue
        full = f"{kind.__name__}.{name}"
        if full in ARGUMENTS:
            yield name, ARGUMENTS[full]
        elif isinstance(value, property):
            yield name, lambda x, rng, name=name: getattr(x, name)
            if value.fset is not None:
                yield f"{name} =", lambda x, rng, name=name: setattr(x, name, getattr(x, name))
        elif _needs_nothing(value):
            yield name, lambda x, rng, name=name: getattr(x, name)()
        else:
            raise AssertionError(f"thread_subjects.ARGUMENTS has nothing for {full}")


def _needs_nothing(method: Any) -> bool:
    try:
        parameters = list(inspect.signature(method).parameters.values())[1:]
    except (TypeError, ValueError):
        return True  # of C++, and those that need arguments are listed
    return all(p.default is not p.empty or p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters)


def unknown_classes() -> list[str]:
    """Public classes of which nobody has said whether their objects change."""
    out = []
    for name, thing in public_names().items():
        if not inspect.isclass(thing) or issubclass(thing, (BaseException, tuple)):
            continue
        frozen = is_dataclass(thing) and thing.__dataclass_params__.frozen  # type: ignore[attr-defined]
        if not frozen and thing not in MUTABLE and name.rsplit(".", 1)[1] not in FIXED:
            out.append(name)
    return out

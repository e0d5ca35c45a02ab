"""Sound arguments of the public constructors and questions, for the fuzzer that replaces them by odd ones."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import reader_seeds

import elbowroom as er
from elbowroom import energies, planning, sampling, volumes

Rng = np.random.Generator
Arguments = dict[str, Any]

FEW = er.Budget(tests=500)
#: The address of a function, which is not called.
NO_ENERGY = 4096


def walk(rng: Rng, size: int) -> np.ndarray:
    steps = rng.normal(size=(size, 3))
    return np.cumsum(steps / np.linalg.norm(steps, axis=1)[:, None], axis=0)


def pairs(rng: Rng, size: int, count: int) -> np.ndarray:
    first = rng.integers(0, size - 1, count)
    return np.column_stack([first, rng.integers(first + 1, size)])


def pose(rng: Rng) -> er.Pose:
    q = rng.normal(size=4)
    return er.Pose(q / np.linalg.norm(q), rng.normal(size=3))


def surface(rng: Rng, size: int) -> Arguments:
    faces = rng.integers(0, size, (2 * size, 3))
    return {"vertices": rng.normal(size=(size, 3)), "faces": faces, "children": int(rng.choice([2, 8]))}


def chain(rng: Rng, size: int) -> Arguments:
    at = walk(rng, size)
    side = (np.arange(size), at + 0.3, np.full(size, 0.1), [(0, 1, [size + 1])])
    fast = rng.random() < 0.6
    volume = str(rng.choice(["auto"] if fast else ["obb", "rss", "capsule", "sphere"]))
    more = {"side": side} if fast and rng.random() < 0.5 else {"shrink": False, "skip": "pieces"}
    return {
        "positions": at,
        "radii": np.full(size, 0.3),
        "volume": volume,
        "exclude": (1, pairs(rng, size, 3)),
        "bonds": pairs(rng, size, 5),
        **more,
    }


def necklace(rng: Rng, size: int) -> Arguments:
    cages = str(rng.choice(["boxes", "wrapped", "layered"]))
    at, ring = walk(rng, size)[:, : int(rng.choice([2, 3]))], bool(rng.random() < 0.3)
    touching = pairs(rng, size, size) if rng.random() < 0.5 and not ring else 2
    return {"positions": at, "radii": rng.uniform(0.1, 0.5, size), "cages": cages, "closed": ring,
            "exclude": touching}  # fmt: skip


def turn_and_shift(rng: Rng, size: int) -> Arguments:
    return {"rotation": pose(rng).rotation, "translation": rng.normal(size=3)}


def side(rng: Rng, size: int) -> Arguments:
    owner = np.sort(rng.integers(0, 20, size))
    return {"owner": owner, "positions": rng.normal(size=(size, 3)), "radii": np.full(size, 0.1),
            "torsions": [(0, 1, [20])]}  # fmt: skip


def chain_with_side(**arguments: Any) -> er.Chain:
    return er.Chain(np.arange(20.0)[:, None] * [1.0, 0, 0], 0.2, side=er.SideBalls(**arguments))


def diagram(rng: Rng, size: int) -> Arguments:
    return {"positions": walk(rng, size), "radii": np.full(size, 0.3), "exclude": pairs(rng, size, 3),
            "build": "auto"}  # fmt: skip


def family(rng: Rng, size: int) -> Arguments:
    made = er.Necklace(walk(rng, size), 0.1).separating_pairs()
    return {each.name: getattr(made, each.name) for each in fields(made) if each.init}


def link(rng: Rng, size: int) -> Arguments:
    return {"name": "a", "shapes": [(er.Sphere(0.3), pose(rng)), er.Box(0.2)]}


def fitted(rng: Rng, size: int) -> Arguments:
    kinds = (volumes.Sphere, volumes.Capsule, volumes.Aabb, volumes.Obb, volumes.Rss)
    return {"kind": kinds[int(rng.integers(5))], "points": walk(rng, size), "radii": np.full(size, 0.1)}


def contained(rng: Rng, size: int) -> Arguments:
    volume = volumes.fit(fitted(rng, 2)["kind"], walk(rng, 5))
    return {"volume": volume, "points": walk(rng, size), "radii": np.full(size, 0.1), "tolerance": 0.1}


def links(rng: Rng, size: int) -> list[er.Link]:
    return [er.Link(f"l{k}", [(er.Sphere(0.3), pose(rng)), er.Box(0.2)]) for k in range(size)]


def joints(rng: Rng, size: int) -> list[er.Joint]:
    kinds = ("fixed", "revolute", "prismatic", "spherical", "free")
    return [er.Joint(f"j{k}", kinds[k % 5], f"l{k - 1}", f"l{k}", pose(rng)) for k in range(1, size)]  # type: ignore[arg-type]


def body(rng: Rng, size: int) -> Arguments:
    refit = str(rng.choice(["auto", "cab", "obb", "aabb", "aabb-all", "none"]))
    return {"links": links(rng, min(size, 8)), "joints": joints(rng, min(size, 8)), "refit": refit,
            "exclude": [("l0", "l1")] if rng.random() < 0.5 else "adjacent"}  # fmt: skip


def joint(rng: Rng, size: int) -> Arguments:
    return {"name": "j", "kind": "revolute", "parent": "a", "child": "b", "origin": pose(rng),
            "axis": [0, 0, 1.0],
            "limits": [-1.0, 2.0], "mimic": er.Mimic("k", 2.0, 0.5)}  # fmt: skip


def arm() -> er.Articulated:
    rng = np.random.default_rng(0)
    return er.Articulated(
        links(rng, 3), [er.Joint(f"j{k}", "revolute", f"l{k - 1}", f"l{k}") for k in (1, 2)]
    )


def checker(rng: Rng, size: int) -> Arguments:
    moved: Any = arm() if rng.random() < 0.5 else er.Box([1, 2, 3])
    return {"body": moved, "obstacles": [(er.Sphere(0.5), pose(rng)), er.Box(1)], "method": "auto",
            "tolerance": 1e-3,
            "clearance": 0.0, "self_too": True}  # fmt: skip


def planner(rng: Rng, size: int) -> Arguments:
    space = planning.RigidSpace([-3, -3, -3], [3, 3, 3])
    among = er.MotionChecker(er.Box(0.1), (er.Sphere(0.2), er.Pose(translation=[9, 9, 9])))
    return {
        "space": space,
        "checker": among,
        "start": er.Pose(),
        "goal": er.Pose(translation=[1, 1, 1]),
        "seed": 3,
    }


def roadmap(rng: Rng, size: int) -> Arguments:
    out = planner(rng, size)
    return {"space": out["space"], "checker": out["checker"], "neighbours": 4, "lazy": True, "seed": 1}


def balls(rng: Rng, size: int) -> Arguments:
    return {"positions": walk(rng, size), "radii": np.full(size, 0.2), "exclude": 1}


def table(rng: Rng, size: int) -> Arguments:
    return {"weights": np.ones(9), "knots": np.arange(4.0), "values": np.linspace(0, 1, 4), "method": "auto",
            "group": 8,
            "threshold": 1.0, "budgets": (er.Budget(tests=5),), "learned": 10}  # fmt: skip


def memory(rng: Rng, size: int) -> Arguments:
    return {"method": "auto", "group": 8, "threshold": 1.0, "calibration": er.Calibration(**table(rng, size))}


def traversal(rng: Rng, size: int) -> Arguments:
    """What a query recorded, by the names of the core."""
    spring, kept = er.Mesh(*er.scenes.spring(segments=20), children=2), er.Memory("depth-first")
    er.collide(spring, spring, pose_b=er.Pose(translation=[4.2, 0, 0]), memory=kept)
    tree = kept.bvtt
    assert tree is not None
    names = ("parent", "depth", "a", "b", "part", "state", "gap", "pairs")
    return {"nodes": {name: getattr(tree, name) for name in names} | {"deepest": tree.lowest}}


def motion(rng: Rng, size: int) -> Arguments:
    given = checker(rng, size)
    moved = given["body"]
    way: Any = (
        np.zeros((2, moved.dof)) if isinstance(moved, er.Articulated) else er.Motion(pose(rng), pose(rng))
    )
    return given | {"motion": way, "budget": FEW, "first": True, "threads": 1}


def path(rng: Rng, size: int) -> Arguments:
    given = planner(rng, size)
    return {
        "states": [pose(rng), pose(rng).matrix],
        "checker": given["checker"],
        "space": given["space"],
        "seconds": 1.0,
    }


def series(rng: Rng, size: int) -> Arguments:
    return {"series": rng.normal(size=size), "every": 1}


def scaling(rng: Rng, size: int) -> Arguments:
    count = np.array([10.0, 20, 40, 80, 160, 320])
    return {"links": count, "values": count**0.6, "errors": 0.01 * count**0.6, "correction": 0.5, "terms": 1}


def rays(rng: Rng, size: int) -> Arguments:
    directions = rng.normal(size=(5, 3))
    body = er.Mesh(**surface(rng, size) | {"children": 8})
    return {"body": body, "origins": rng.normal(size=(5, 3)), "directions": directions, "radius": 0.1}


def two(rng: Rng, size: int) -> Arguments:
    a, b = er.Mesh(**surface(rng, size) | {"children": 8}), er.Group(members(rng, 3)["members"])
    return {
        "a": a,
        "b": b,
        "pose_a": pose(rng),
        "pose_b": pose(rng).matrix,
        "budget": FEW,
        "memory": er.Memory(),
    }


def members(rng: Rng, size: int) -> Arguments:
    return {"members": [(er.Sphere(0.5), pose(rng)), er.Box(1.0),
            (er.Capsule(0.1, 1.0), pose(rng).matrix)] * min(size, 5),
            "children": 8}  # fmt: skip


def bodies_by_name(rng: Rng, size: int) -> Arguments:
    """Of a world."""
    some = {f"part {k}": (er.Box(1.0), pose(rng)) for k in range(min(size, 5))}
    return {"bodies": some | {"arm": er.Articulated(**body(rng, 3)), "ball": er.Sphere(0.5)}}


def oneself(rng: Rng, size: int) -> Arguments:
    kinds = (
        lambda: er.Chain(**chain(rng, size)),
        lambda: er.Necklace(walk(rng, size), 0.3),
        lambda: er.Articulated(**body(rng, size)),
    )
    return {"body": kinds[int(rng.integers(3))](), "budget": FEW, "memory": er.Memory()}


def spec(rng: Rng, size: int) -> Arguments:
    data = {"chain": {"beads": 20, "radius": 0.4}, "moves": {"pivot": {"weight": 1, "size_degrees": 10},
            "torsion": 2},
            "energy": {"form": "lennard-jones", "sigma": [1.0], "cutoff": 2.0},
            "run": {"steps": 10, "temperature": [1, 2]}}  # fmt: skip
    return {"data": data, "source": "data"}


def sampled(rng: Rng, size: int) -> Arguments:
    moves = {"pivot": 1.0, "torsion": sampling.Move(size=0.3)}
    return {"chain": er.Chain(np.arange(12.0)[:, None] * [1.0, 0, 0], 0.3), "moves": moves, "steps": 20,
            "seed": 1, "every": 5,
            "energy": energies.LennardJones(1.0, 0.5, 1.5), "temperature": 2.0}  # fmt: skip


@cache
def folder() -> Path:
    """Where the files of the readers below are, until this process ends."""
    where = Path(tempfile.mkdtemp(prefix="sound-"))
    atexit.register(shutil.rmtree, where, ignore_errors=True)
    contents = (
        reader_seeds.proteins() | reader_seeds.robots() | reader_seeds.motions() | reader_seeds.meshes()
    )
    contents |= {"frames.npy": reader_seeds.npy(np.arange(60.0).reshape(2, 10, 3))} | reader_seeds.beside()
    for name, content in contents.items():
        (where / name).parent.mkdir(exist_ok=True)
        (where / name).write_bytes(content)
    return where


def mesh_file(rng: Rng, size: int) -> Arguments:
    return {"path": folder() / str(rng.choice(["mesh.obj", "mesh.stl", "mesh.ply"])), "children": 8}


def pdb_file(rng: Rng, size: int) -> Arguments:
    return {"path": folder() / "whole.pdb", "chain": "A", "atoms": "all", "volume": "auto", "model": 1,
            "scale": 0.7,
            "breaks": "error", "missing": "drop"}  # fmt: skip


def urdf_file(rng: Rng, size: int) -> Arguments:
    return {"path": folder() / "arm.urdf", "refit": "auto", "packages": [folder()], "exclude": [("l0", "l1")]}


def bvh_file(rng: Rng, size: int) -> Arguments:
    return {"path": folder() / "small.bvh", "radii": {"a": 0.1}, "radius_scale": 1.0, "refit": "auto"}


def npy_file(rng: Rng, size: int) -> Arguments:
    return {
        "path": folder() / "frames.npy",
        "exclude": 1,
        "radius": 0.5,
        "scale": 1.0,
        "start": 0,
        "stop": 2,
        "step": 1,
    }

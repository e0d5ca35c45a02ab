"""Articulated bodies for the scenarios."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .things import Rng, body, matrices, rotations, torus

REFITS = ("auto", "cab", "cab-sum", "obb", "aabb", "aabb-all", "none")
JOINTS = ("fixed", "revolute", "revolute", "revolute", "prismatic", "spherical", "free")


def pose(rng: Rng, spread: float) -> Any:
    """A pose at about a distance."""
    return er.Pose.from_matrix(matrices(rotations(rng, 1), spread * rng.normal(size=(1, 3)))[0])


def shapes(rng: Rng) -> list[Any]:
    """None to three shapes of a link, mostly one; now and then a mesh of 192 triangles."""
    if rng.random() < 0.03:
        return [(torus(12, 8), pose(rng, 0.5))]
    kinds = rng.choice(
        ["sphere", "capsule", "box", "convex", "convex", "mesh", "group"], int(rng.choice([0, 1, 1, 1, 2, 3]))
    )
    return [(body(rng, str(kind)), pose(rng, 0.5)) for kind in kinds]


def joint(rng: Rng, names: list[str], k: int, known: list[str]) -> er.Joint:
    """From an earlier link to link k; one in ten follows another joint."""
    kind: Any = str(rng.choice(JOINTS))
    limits, mimic = ((-1.5, 1.5) if kind in ("revolute", "prismatic") else None), None
    if kind == "revolute" and rng.random() < 0.4:
        limits = None
    if kind in ("revolute", "prismatic") and known and rng.random() < 0.2:
        mimic = er.Mimic(str(rng.choice(known)), float(rng.choice([-1.0, 0.5])), 0.1)
    elif kind in ("revolute", "prismatic"):
        known.append(f"joint {k}")
    parent = names[int(rng.integers(max(0, k - 4), k))]
    return er.Joint(f"joint {k}", kind, parent, names[k], pose(rng, 0.7), rng.normal(size=3), limits, mimic)


def robot(rng: Rng, refit: str, most: int = 40) -> Any:
    """A tree of random links and joints; now and then several trees."""
    n = int(rng.integers(2, most))
    names = [f"link {k}" for k in range(n)]
    links, known = [er.Link(name, shapes(rng)) for name in names], list[str]()
    links[0] = er.Link(names[0], er.Box(0.5))
    joints = [joint(rng, names, k, known) for k in range(1, n) if rng.random() < 0.97]
    exclude: Any = "adjacent" if rng.random() < 0.7 else None
    if rng.random() < 0.2:
        exclude = rng.integers(0, n, (n, 2))
        exclude = exclude[exclude[:, 0] != exclude[:, 1]]
    return er.Articulated(links, joints, refit=refit, exclude=exclude)


def limbs(rng: Rng, frames: int) -> tuple[Any, np.ndarray]:
    """Links, joints and motion of one of the scenes of two chains."""
    kind, seed = int(rng.integers(4)), int(rng.integers(1 << 20))
    if kind == 0:
        made = er.scenes.braided_chains(frames, seed=seed)
    else:
        made = er.scenes.swinging_chains(
            frames, 3.0 if kind == 1 else 6.0, dented=kind == 3, seed=seed, apart=6.0
        )
    return (made.links, made.joints), made.motion

"""Chains for the scenarios, and changes of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import elbowroom as er

from .things import Array, Rng, matrices, rotations, small_turns

#: The fast tree with balls and boxes, with balls or boxes alone, and the binary trees of the paper.
TREES: dict[str, dict[str, Any]] = {
    "auto": {},
    "balls": {"volume": "sphere", "children": 8},
    "boxes": {"volume": "obb", "children": 8},
    "binary obb": {"volume": "obb"},
    "binary rss": {"volume": "rss"},
    "binary capsule": {"volume": "capsule"},
    "binary sphere": {"volume": "sphere"},
    "binary shrunk": {"volume": "obb", "shrink": True},
    "binary paper": {"volume": "obb", "skip": "paper"},
}
FAST = ("auto", "balls", "boxes")
CHANGES = ("rotate", "turn", "change", "move", "undo", "nothing")


@cache
def _places(kind: str, n: int, seed: int) -> Array:
    if kind == "coil":
        return er.scenes.coil(n, seed=seed)
    if kind == "polymer":
        return er.sampling.polymer(n, seed=seed).positions()
    if kind == "backbone":
        return er.scenes.backbone(n, seed=seed)
    return {"serpentine": er.scenes.serpentine, "rod": er.scenes.rod}[kind](n) / er.scenes.rod(2)[1, 0]


def places(rng: Rng, most: int = 700) -> tuple[Array, float]:
    """Links one apart, free of collisions for balls of a radius that is given too."""
    kind = str(rng.choice(["coil", "polymer", "serpentine", "rod", "backbone", "walk"]))
    n = (
        int(rng.integers(2, most))
        if kind in ("rod", "serpentine", "walk")
        else min(most, 40 * int(rng.integers(1, 9)))
    )
    if kind == "walk":  # which is not free
        return np.cumsum(rng.normal(size=(n, 3)) * 0.6, axis=0), 0.3
    free = {"coil": 0.49, "polymer": 0.5, "serpentine": 0.25, "rod": 0.45, "backbone": 1.2}[kind]
    return _places(kind, n, int(rng.integers(2))).copy(), free


def side_balls(rng: Rng, centres: Array) -> er.SideBalls:
    """Up to three balls on some links, in a row from the link, which torsions turn."""
    n, owner, at, torsions = len(centres), [], [], []
    for link in np.flatnonzero(rng.random(n) < 0.4):
        first = n + len(owner)
        for k in range(int(rng.integers(1, 4))):
            owner.append(link)
            at.append(centres[link] + 0.25 * (k + 1) * rng.normal(size=3))
        if len(owner) + n - first > 1:
            torsions.append((int(link), first, list(range(first + 1, n + len(owner)))))
    if not owner:
        owner, at = [0], [centres[0] + 0.1]
    radii = rng.uniform(0.05, 0.2, len(owner))
    return er.SideBalls(np.array(owner, np.int32), np.array(at), radii, torsions)


def chain(rng: Rng, tree: str, most: int = 700, *, side: bool = False) -> tuple[Any, float]:
    """A random chain with a tree, and its size."""
    centres, radius = places(rng, most)
    n = len(centres)
    given: dict[str, Any] = {"exclude": int(rng.choice([0, 1, 1, 1, 2, 3]))}
    if radius > 1:
        given["exclude"] = 3
    if rng.random() < 0.3:
        pairs = rng.integers(0, n, (int(rng.integers(1, 30)), 2))
        given["exclude"] = (given["exclude"], pairs[pairs[:, 0] != pairs[:, 1]])
    if side:
        given["side"] = side_balls(rng, centres)
    radii = radius if rng.random() < 0.6 else radius * rng.uniform(0.3, 1.0, n)
    made = er.Chain(centres, radii, **given, **TREES[tree])
    if tree.startswith("binary"):
        made.nearest_first = bool(rng.integers(2))
    return made, float(np.linalg.norm(np.diff(centres, axis=0), axis=1).sum()) + 4.0


def angle(rng: Rng) -> float:
    """Mostly small, now and then any, exactly zero or a half turn."""
    special = (0.0, np.pi, float(rng.uniform(-np.pi, np.pi)), 1e-9)
    return special[int(rng.integers(4))] if rng.random() < 0.3 else float(0.1 * rng.normal())


def change(rng: Rng, chain: Any, kind: str) -> None:
    """Makes a change of a kind at a random joint."""
    joint, joints = (
        int(rng.integers(len(chain) - 1)),
        rng.integers(0, len(chain) - 1, int(rng.integers(1, 6))),
    )
    turn = rotations(rng, 1)[0] if rng.random() < 0.2 else small_turns(rng, 1, 0.1)[0]
    if kind == "rotate":
        chain.rotate(joint, angle(rng))
    elif kind == "turn":
        chain.turn(joint, turn)
    elif kind == "change":
        chain.change({int(each): angle(rng) for each in joints})
    elif kind == "move":
        chain.move(joint, matrices(turn[None], 0.05 * rng.normal(size=(1, 3)))[0])
    elif kind == "side" and chain.side is not None and len(chain.side.torsions):
        chain.rotate_side(int(rng.integers(len(chain.side.torsions))), angle(rng))
    elif kind == "undo":
        undo(chain)


def undo(chain: Any) -> bool:
    """Takes the last change back, if it is remembered."""
    try:
        chain.undo()
    except RuntimeError:
        return False
    return True

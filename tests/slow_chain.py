"""A chain that moves every link and compares every pair, and the shapes that chains are tried in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from elbowroom import _core

Floats = NDArray[np.float64]
SIZES = (2, 3, 5, 16, 17, 100)
VOLUMES = ("obb", "rss", "capsule", "sphere")
NONE = np.zeros((0, 2), np.int32)


class SlowChain:
    """Every link has a place and a rotation in the world; a change moves all links beyond the joint."""

    def __init__(self, positions: Floats, radii: Floats | float = 1.0, exclude: int = 1, allowed: Any = ()):
        self.places = np.array(positions, float)
        self.turns = np.tile(np.eye(3), (len(self.places), 1, 1))
        self.radii = np.broadcast_to(np.asarray(radii, float), len(self.places))
        self.counts = np.subtract.outer(np.arange(len(self.places)), np.arange(len(self.places))) < -exclude
        for i, j in allowed:
            self.counts[min(i, j), max(i, j)] = False
        self.history: list[tuple[Floats, Floats]] = []

    def _save(self) -> None:
        self.history.append((self.places.copy(), self.turns.copy()))

    def _apply(self, joint: int, turn: Rotation, shift: Floats) -> None:
        beyond = np.arange(len(self.places)) > joint
        self.places[beyond] = turn.apply(self.places[beyond]) + shift
        self.turns[beyond] = turn.as_matrix() @ self.turns[beyond]

    def _about(self, joint: int, turn: Rotation) -> None:
        self._apply(joint, turn, self.places[joint] - turn.apply(self.places[joint]))

    def _torsion(self, joint: int, angle: float) -> None:
        axis = self.places[joint + 1] - self.places[joint]
        self._about(joint, Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle))

    def rotate(self, joint: int, angle: float) -> None:
        self._save()
        self._torsion(joint, angle)

    def change(self, joints: Any, angles: Any) -> None:
        self._save()
        for joint, angle in zip(joints, angles, strict=True):
            self._torsion(int(joint), float(angle))

    def turn(self, joint: int, turn: Rotation) -> None:
        self._save()
        self._about(joint, turn)

    def move(self, joint: int, turn: Rotation, shift: Floats) -> None:
        self._save()
        self._apply(joint, turn, shift)

    def undo(self) -> None:
        self.places, self.turns = self.history.pop()

    def gaps(self) -> Floats:
        """Distances of the surfaces, for i < j that count; infinite elsewhere."""
        apart = np.linalg.norm(self.places[:, None] - self.places[None], axis=2)
        return np.where(self.counts, apart - self.radii[:, None] - self.radii[None], np.inf)

    def collides(self) -> bool:
        return bool(self.gaps().min() <= 1e-12)


def straight(n: int) -> Floats:
    return np.arange(n)[:, None] * np.array([2.5, 0.0, 0.0])


def walk(n: int) -> Floats:
    """Steps of length 2.5 that mostly go forward, so that a few moves run into each other."""
    rng = np.random.default_rng(n)
    steps = rng.normal(loc=(1.0, 0.0, 0.0), size=(n, 3))
    return np.cumsum(2.5 * steps / np.linalg.norm(steps, axis=1, keepdims=True), axis=0)


def serpentine(n: int, spacing: float = 4.0) -> Floats:
    """Rows to and fro in a cube: the compact chain of the paper."""
    side = int(np.ceil(np.cbrt(n) - 1e-9))
    layer, rest = np.divmod(np.arange(n), side * side)
    rest = np.where(layer % 2, side * side - 1 - rest, rest)
    row, column = np.divmod(rest, side)
    column = np.where(row % 2, side - 1 - column, column)
    return spacing * np.stack([column, row, layer], axis=1).astype(float)


def hairpin(n: int) -> Floats:
    """Two rows beside each other, each ball tangent to its neighbours in both: the paper's Figure 5."""
    along = np.minimum(np.arange(n), n - 1 - np.arange(n)) * 2.0
    return np.stack([along, np.where(np.arange(n) < (n + 1) // 2, 0.0, 2.0), np.zeros(n)], axis=1)


def crossing_hulls(n: int) -> Floats:
    """Units of three legs along the axes, shifted diagonally: all their hulls cross (the paper's Lemma 7)."""
    leg = max(2, round((64 * n / 3) ** (1 / 3) / 2))
    steps = np.concatenate([np.repeat(np.eye(3)[k][None], leg, axis=0) for k in range(3)]) * 2.0
    unit = np.cumsum(steps, axis=0)
    shift = np.array([2.0, -2.0, 0.0])
    units = [unit[:: 1 if k % 2 == 0 else -1] + k * shift for k in range(1 + n // len(unit))]
    return np.concatenate(units)[:n] * 1.05


SCENES: dict[str, Callable[[int], Floats]] = {
    "straight": straight,
    "walk": walk,
    "serpentine": serpentine,
    "hairpin": hairpin,
    "crossing hulls": crossing_hulls,
}


def binary_chain(
    positions: Floats,
    radii: Floats | float = 1.0,
    *,
    exclude: int = 1,
    allowed: Any = NONE,
    volume: str = "obb",
    shrink: bool = False,
    skip: str = "pieces",
    nearest_first: bool = False,
) -> _core.BinaryChain:
    centres = np.ascontiguousarray(positions, dtype=float)
    sizes = np.broadcast_to(np.asarray(radii, float), len(centres)).copy()
    pairs = np.asarray(allowed, np.int32).reshape(-1, 2)
    chain = _core.BinaryChain(centres, sizes, exclude, pairs, volume, shrink, skip)
    chain.nearest_first = nearest_first
    return chain


def whole(chain: _core.BinaryChain) -> None:
    assert chain.fault() == ""


def random_change(rng: np.random.Generator, fast: _core.BinaryChain, slow: SlowChain, size: float) -> None:
    """The same change to both: a torsion, a pivot, a general move or several torsions."""
    joint = int(rng.integers(len(fast) - 1))
    kind = rng.integers(4)
    turn = Rotation.from_rotvec(rng.normal(size=3) * size)
    if kind == 0:
        angle = float(rng.normal() * size)
        fast.rotate(joint, angle), slow.rotate(joint, angle)
    elif kind == 1:
        fast.turn(joint, turn.as_matrix()), slow.turn(joint, turn)
    elif kind == 2:
        shift = rng.normal(size=3) * 0.2 * size
        shift += slow.places[joint] - turn.apply(slow.places[joint])
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), shift
        fast.move(joint, _core.Pose(matrix)), slow.move(joint, turn, shift)
    else:
        count = int(rng.integers(1, min(6, len(fast))))
        joints = rng.choice(len(fast) - 1, count, replace=False).astype(np.int32)
        angles = rng.normal(size=count) * size
        fast.change(joints, angles), slow.change(joints, angles)


def settled(slow: SlowChain) -> bool:
    """Is the verdict clear of what the slow chain itself rounds off?"""
    return bool(np.abs(slow.gaps()).min() > 1e-9)

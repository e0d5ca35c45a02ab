"""Closing a loop of a protein: some torsions are set, others follow, and nothing beyond the loop moves.

The map of all that is behind the loop is a product of turns about the axes of its joints as they are at
first. It must be the identity. Newton's method with the least change of the torsions that are free to follow
leads there, from small steps of those that are set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from elbowroom import _arrays
from elbowroom.torsions import joints, named, residues_of, stretch

if TYPE_CHECKING:
    from elbowroom.chain import Chain

Floats = NDArray[np.float64]

LARGEST_STEP = 0.05  # radians that a torsion which is set turns at a time
ROUNDS = 30
#: Radians, and shares of the length of the loop: what may be left open.
CLOSED = 1e-12
#: Joints that close: fewer have no freedom left.
FEWEST = 6


def turn_loop(
    chain: Chain, name: str, first: int | str, last: int | str, torsions: Mapping[Any, float]
) -> None:
    """What `Chain.turn_loop` does; a ValueError leaves the chain as it is."""
    driven = _driven(chain, name, first, last, torsions)
    if not driven:
        return
    free = [joint for joint in joints(chain, name, first, last).tolist() if joint not in driven]
    label = f"the loop {name} {first} to {last}"
    if len(free) < FEWEST:
        raise ValueError(
            f"last: {label} has {len(free)} other torsions that may turn, and {FEWEST} must close it: "
            "take more residues"
        )
    turned = np.array(sorted([*driven, *free]))
    moved = np.isin(turned, list(driven))
    closed = _closed(chain.positions(), turned, moved, np.array([driven[j] for j in turned[moved].tolist()]))
    if closed is None:
        raise ValueError(
            f"torsions: {label} cannot be closed with these; take smaller changes or more residues"
        )
    chain.change((turned, closed))


def _driven(chain: Chain, name: str, first: int | str, last: int | str, torsions: Any) -> dict[int, float]:
    """By how much the joints turn that are to be set."""
    if not isinstance(torsions, Mapping):
        raise ValueError(f"torsions must be {{(31, 'phi'): angle}}, got {_arrays.shown(torsions)}")
    residues = residues_of(chain)
    begin, end = stretch(residues, name, first, last)
    out = {}
    for key, angle in torsions.items():
        if not isinstance(key, tuple) or len(key) != 2:
            raise ValueError(f"torsions must be {{(31, 'phi'): angle}}, got the key {_arrays.shown(key)}")
        torsion = named(chain, name, *key)
        if not begin <= residues.find(name, key[0]) <= end or torsion.joint is None:
            raise ValueError(f"torsions: {torsion.name} of {torsion.residue} is not in the loop's backbone")
        if torsion.joint >= residues.links(end)[1]:
            raise ValueError(f"torsions: {torsion.name} of {torsion.residue} is behind the loop")
        change = _arrays.number(angle, f"torsions[{_arrays.shown(key)}]") - torsion.angle
        out[torsion.joint] = float((change + np.pi) % (2 * np.pi) - np.pi)
    return out


def _closed(
    positions: Floats, turned: NDArray[np.int64], moved: NDArray[np.bool_], goal: Floats
) -> Floats | None:
    """The angles of all joints, those that are `moved` at their goals; None if the loop stays open."""
    at = positions[turned]
    axes = positions[turned + 1] - at
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    at = at - at[0]
    scale = max(float(np.abs(at).max()), 1e-300)
    at = at / scale
    angles = np.zeros(len(turned))
    steps = max(1, int(np.ceil(np.abs(goal).max() / LARGEST_STEP)))
    for step in range(1, steps + 1):
        angles[moved] = goal * step / steps
        if not _follow(at, axes, angles, ~moved):
            return None
    return angles


def _follow(at: Floats, axes: Floats, angles: Floats, free: NDArray[np.bool_]) -> bool:
    """Newton's method for the free angles, in place."""
    for _ in range(ROUNDS):
        residual, columns = _open(at, axes, angles)
        if np.abs(residual).max() <= CLOSED:
            return True
        step = np.linalg.lstsq(columns[:, free], -residual, rcond=1e-10)[0]
        angles[free] += step * min(1.0, 0.3 / max(np.abs(step).max(), 1e-300))
    return False


def _open(at: Floats, axes: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """(6,) how far the map of what is behind is from the identity, and (6, joints) how it changes."""
    rotation, shift = np.eye(3), np.zeros(3)
    columns = np.empty((6, len(angles)))
    for k, (point, axis, turn) in enumerate(
        zip(at, axes, Rotation.from_rotvec(axes * angles[:, None]), strict=True)
    ):
        now, where = rotation @ axis, rotation @ point + shift
        columns[:3, k], columns[3:, k] = now, np.cross(where, now)
        matrix = turn.as_matrix()
        shift = rotation @ (point - matrix @ point) + shift
        rotation = rotation @ matrix
    return np.concatenate([Rotation.from_matrix(rotation).as_rotvec(), shift]), columns

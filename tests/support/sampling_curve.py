"""A window of seven torsions whose two ends are held: its states are curves in the space of torsions.

What a concerted rotation samples when it is the only move, by following such a curve in small steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sampling_exact import Known
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation


@dataclass(frozen=True)
class Curve:
    """A closed curve of states by small steps from the start.

    Attributes
    ----------
    torsions, tangents
        (k, 7): changes of the torsions since the start, and the direction of the curve.
    arc, density
        (k,): length since the start, and how dense uniform torsions are along it.
    """

    torsions: np.ndarray
    arc: np.ndarray
    tangents: np.ndarray
    density: np.ndarray

    @property
    def length(self) -> float:
        return float(self.arc[-1] + np.linalg.norm(wrapped(self.torsions[-1])))

    def stretch(self) -> tuple[float, float]:
        """The arc about the start on which the first torsion, which drives the others, does not turn back."""
        turns = np.flatnonzero(np.diff(np.sign(self.tangents[:, 0])))  # between this step and the next
        return float(self.arc[turns[-1] + 1]) - self.length, float(self.arc[turns[0]])

    def known(self) -> Known:
        """The distribution along the stretch."""
        low, high = self.stretch()
        arc = np.linspace(low, high, 20001)
        return Known(arc[:, None], np.interp(arc, self.arc, self.density, period=self.length))

    def draw(self, count: int, seed: int) -> np.ndarray:
        """(count, 7): changes of the torsions at independent places, by the density along the curve."""
        steps = np.append(np.diff(self.arc), self.length - self.arc[-1])
        share = np.concatenate([[0.0], np.cumsum(steps * 0.5 * (self.density + np.roll(self.density, -1)))])
        there = np.random.default_rng(seed).uniform(0.0, share[-1], count)
        near = np.searchsorted(share, there, side="right") - 1
        ahead = steps[near] * (there - share[near]) / np.diff(share)[near]
        return np.asarray(self.torsions[near] + ahead[:, None] * self.tangents[near])

    def along(self, changes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where states are on the stretch, given changes of their torsions (k, 7), and how far from it."""
        tree = cKDTree(np.concatenate([np.cos(self.torsions), np.sin(self.torsions)], axis=1))
        near = tree.query(np.concatenate([np.cos(changes), np.sin(changes)], axis=1))[1]
        beside = wrapped(changes - self.torsions[near])
        ahead = (beside * self.tangents[near]).sum(axis=1)
        off = np.linalg.norm(beside - ahead[:, None] * self.tangents[near], axis=1)
        arc = self.arc[near] + ahead
        return np.where(arc > self.stretch()[1] + 1e-9, arc - self.length, arc), off


def wrapped(angles: np.ndarray) -> np.ndarray:
    """The same angles from -pi to pi."""
    return (angles + np.pi) % (2.0 * np.pi) - np.pi


def rigid_motion(balls: np.ndarray, joints: Sequence[int], torsions: np.ndarray) -> np.ndarray:
    """(k, 6): shift and rotation vector of all that lies beyond, for changes of the torsions (k, 7)."""
    turn, shift = np.eye(3)[None], np.zeros((1, 3))
    for joint, angle in zip(joints, torsions.T, strict=True):
        axis = balls[joint + 1] - balls[joint]
        one = Rotation.from_rotvec(np.outer(angle, axis / np.linalg.norm(axis))).as_matrix()
        shift = shift + np.einsum("kij,kj->ki", turn, balls[joint] - one @ balls[joint])
        turn = turn @ one
    return np.concatenate([shift, Rotation.from_matrix(turn).as_rotvec()], axis=1)


def closure_curve(balls: np.ndarray, joints: Sequence[int], step: float) -> Curve:
    """Follows the curve through `balls` until it is back where it began.

    Uniform torsions, given that what lies beyond stays, have the density 1 / sqrt(det(J J^T)) along the arc
    of the curve, J (6, 7) being the derivative of the rigid motion. Derivatives by differences.
    """

    def derivative(at: np.ndarray) -> np.ndarray:
        h = 1e-5 * np.eye(7)
        both = rigid_motion(balls, joints, np.concatenate([at + h, at - h]))
        return np.asarray((both[:7] - both[7:]).T / 2e-5)

    at, heading, states, tangents, density = np.zeros(7), None, [], [], []
    while len(states) < 10 or np.linalg.norm(wrapped(at)) > 0.6 * step:
        j = derivative(at)
        sizes, rows = np.linalg.svd(j)[1:]
        heading = rows[6] if heading is None or rows[6] @ heading > 0.0 else -rows[6]
        states.append(at)
        tangents.append(heading)
        density.append(1.0 / np.prod(sizes))
        at = at + step * heading
        for _ in range(3):
            at = at - np.linalg.pinv(derivative(at)) @ rigid_motion(balls, joints, at[None])[0]
        if len(states) > 20000:
            raise RuntimeError("the curve does not close")
    torsions = np.array(states)
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(torsions, axis=0), axis=1))])
    return Curve(torsions, arc, np.array(tangents), np.array(density))

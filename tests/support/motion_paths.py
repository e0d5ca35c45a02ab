"""Linear motions, written out from an axis and an angle and not taken from the library; gaps of solids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import oracle
from numba import njit


def turns(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Rotations (n, 3, 3) about unit axes (n, 3) by the right-hand rule (Rodrigues)."""
    x, y, z = axes.T
    skew = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]).transpose(2, 0, 1)
    sine, versine = np.sin(angles)[:, None, None], 2.0 * np.sin(0.5 * angles)[:, None, None] ** 2
    return np.asarray(np.eye(3) + sine * skew + versine * (skew @ skew))


class Paths(NamedTuple):
    """n motions: a translation by `shifts` while the body turns about `axes` through its own origin."""

    starts: np.ndarray  # (n, 4, 4)
    axes: np.ndarray  # (n, 3)
    angles: np.ndarray  # (n,)
    shifts: np.ndarray  # (n, 3)

    def at(self, which: np.ndarray, times: np.ndarray) -> np.ndarray:
        """(m, 4, 4): motion which[k] at times[k]."""
        poses = self.starts[which].copy()
        poses[:, :3, :3] = turns(self.axes[which], self.angles[which] * times) @ poses[:, :3, :3]
        poses[:, :3, 3] += self.shifts[which] * times[:, None]
        return poses

    @property
    def goals(self) -> np.ndarray:
        return self.at(np.arange(len(self.angles)), np.ones(len(self.angles)))

    def speeds(self, reach: float) -> np.ndarray:
        """No point within `reach` of the origin of its body is faster."""
        return np.asarray(np.linalg.norm(self.shifts, axis=1) + np.abs(self.angles) * reach)

    def sizes(self) -> np.ndarray:
        """(n,): how far from the origin the motions begin and how far they go."""
        return np.asarray(np.linalg.norm(self.starts[:, :3, 3], axis=1) + np.linalg.norm(self.shifts, axis=1))


def still(poses: np.ndarray) -> Paths:
    """Motions that stay at these poses (n, 4, 4)."""
    n = len(poses)
    return Paths(
        np.asarray(poses, dtype=float), np.tile([0.0, 0.0, 1.0], (n, 1)), np.zeros(n), np.zeros((n, 3))
    )


# Gaps of solids.


@njit(cache=True)
def balls_about(solid):  # type: ignore[no-untyped-def]
    """(primitives, 4): a centre and a radius that hold each primitive."""
    out = np.zeros((len(solid.radii), 4))
    for i in range(len(out)):
        first, last = solid.starts[i, 0], solid.starts[i + 1, 0]
        for k in range(first, last):
            out[i, :3] += solid.vertices[k] / (last - first)
        for k in range(first, last):
            out[i, 3] = max(out[i, 3], np.sqrt(((solid.vertices[k] - out[i, :3]) ** 2).sum()))
        out[i, 3] += solid.radii[i]
    return out


@njit(cache=True)
def least_of_pairs(a, va, ca, b, vb, cb):  # type: ignore[no-untyped-def]
    """The smallest signed distance of all pairs of primitives; only those plainly farther are passed over."""
    nearest, i0, j0 = np.inf, 0, 0
    bounds = np.empty((len(ca), len(cb)))
    for i in range(len(ca)):
        for j in range(len(cb)):
            x, y, z = ca[i, 0] - cb[j, 0], ca[i, 1] - cb[j, 1], ca[i, 2] - cb[j, 2]
            bounds[i, j] = 0.999 * np.sqrt(x * x + y * y + z * z) - 1.001 * (ca[i, 3] + cb[j, 3])
            if bounds[i, j] < nearest:
                nearest, i0, j0 = bounds[i, j], i, j
    best = oracle.primitive_pair(a, va, i0, b, vb, j0)[0]
    for i in range(len(ca)):
        for j in range(len(cb)):
            if bounds[i, j] < best and (i, j) != (i0, j0):
                best = min(best, oracle.primitive_pair(a, va, i, b, vb, j)[0])
    return best


@njit(cache=True)
def gaps_loop(a, b, ra, ta, rb, tb):  # type: ignore[no-untyped-def]
    out, balls_a, balls_b = np.empty(len(ra)), balls_about(a), balls_about(b)
    for k in range(len(ra)):
        va, vb = a.vertices @ ra[k].T + ta[k], b.vertices @ rb[k].T + tb[k]
        ca, cb = balls_a.copy(), balls_b.copy()
        ca[:, :3] = np.ascontiguousarray(balls_a[:, :3]) @ ra[k].T + ta[k]
        cb[:, :3] = np.ascontiguousarray(balls_b[:, :3]) @ rb[k].T + tb[k]
        out[k] = least_of_pairs(a, va, ca, b, vb, cb)
    return out


def solid_gaps(a: oracle.Solid, b: oracle.Solid, pose_a: np.ndarray, pose_b: np.ndarray) -> np.ndarray:
    """(n,): the signed distances of two solids in n poses (n, 4, 4) of each."""
    parts = [np.ascontiguousarray(x) for m in (pose_a, pose_b) for x in (m[:, :3, :3], m[:, :3, 3])]
    return np.asarray(gaps_loop(a, b, *parts))

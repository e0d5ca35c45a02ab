"""Bodies that bend on their way, for the slow judgement of motions: articulated bodies and chains.

`LinkPath` has the links where the body itself says they are at each configuration of the path. `TorsionPath`
turns a `SlowChain` by a share of its torsions, and watches balls and bonds.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import oracle
from articulated_makers import Recipe
from articulated_oracle import SlowBody
from chain_oracle import SlowChain
from motion_oracle import Course, Item
from motion_paths import turns
from numba import njit
from scipy.spatial.distance import cdist

STEPS = 200  # of a path, by which speeds are estimated
SAFELY = 1.3


class LinkPath:
    """An articulated body on a path of configurations (k, dof), straight from each to the next."""

    def __init__(self, recipe: Recipe, path: np.ndarray) -> None:
        self.slow, self.body, self.path = SlowBody(recipe), recipe.body(), np.asarray(path, dtype=float)
        self.wide = [s for s in self.slow.slices.values() if s.stop - s.start > 1]

    def configurations(self, times: np.ndarray) -> np.ndarray:
        """Equal shares of time for all segments; quaternions turn evenly, the shorter way round."""
        along = np.clip(times, 0.0, 1.0) * (len(self.path) - 1)
        first = np.minimum(along.astype(np.int64), len(self.path) - 2)
        share = along - first
        a, b = self.path[first], self.path[first + 1]
        q = a + share[:, None] * (b - a)
        for part in self.wide:
            turn = slice(part.stop - 4, part.stop)
            q[:, turn] = slerp(a[:, turn], b[:, turn], share)
        return q

    def poses(self, times: np.ndarray) -> np.ndarray:
        """(m, links, 4, 4)."""
        self.body.move(self.configurations(times))
        return np.asarray(self.body.link_poses())

    def items(self) -> list[tuple[int, Item]]:
        """Every shape with its link."""
        out, here = [], self.poses(np.linspace(0.0, 1.0, STEPS + 1))
        for link, thing, pose in self.slow.shapes:
            poses = functools.partial(self._shape_poses, link, pose)
            out.append((link, Item(thing.solid, poses, speed(here[:, link] @ pose, thing.solid))))
        return out

    def _shape_poses(self, link: int, pose: np.ndarray, times: np.ndarray) -> np.ndarray:
        return np.asarray(self.poses(times)[:, link] @ pose)

    def self_pairs(self) -> list[tuple[Item, Item]]:
        """Of all links that are compared."""
        counted, shapes = self.slow.counted, self.items()
        pairs = itertools.combinations(shapes, 2)
        return [(a, b) for (i, a), (j, b) in pairs if counted[min(i, j), max(i, j)]]


def speed(poses: np.ndarray, solid: oracle.Solid) -> float:
    """How far the fastest point of a solid would go at its fastest, from where it is at even times."""
    points = solid.vertices @ poses[:, :3, :3].transpose(0, 2, 1) + poses[:, None, :3, 3]
    return SAFELY * STEPS * float(np.linalg.norm(np.diff(points, axis=0), axis=2).max())


def slerp(a: np.ndarray, b: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Between unit quaternions (m, 4), at an even rate."""
    a, b = (q / np.linalg.norm(q, axis=1)[:, None] for q in (a, b))
    b = np.where((a * b).sum(axis=1)[:, None] < 0.0, -b, b)
    angle = 2.0 * np.arctan2(np.linalg.norm(b - a, axis=1), np.linalg.norm(b + a, axis=1))
    small = angle < 1e-8
    sine = np.where(small, 1.0, np.sin(angle))
    w = np.where(small, 1.0 - share, np.sin((1.0 - share) * angle) / sine)
    v = np.where(small, share, np.sin(share * angle) / sine)
    q = w[:, None] * a + v[:, None] * b
    return np.asarray(q / np.linalg.norm(q, axis=1)[:, None])


# Torsions of a chain.

BALLS, BONDS = 0, 1  # the pairs of a chain's course


class TorsionPath:
    """A chain whose torsions turn evenly, all at once."""

    def __init__(self, slow: SlowChain, torsions: dict[int, float]) -> None:
        self.slow, self.torsions = slow, torsions
        bonds = np.arange(slow.links - 1)
        first, second = (x.reshape(-1) for x in np.meshgrid(bonds, bonds, indexing="ij"))
        self.bonds = np.stack([first, second], axis=1)[second - first >= 2]

    def positions(self, times: np.ndarray) -> np.ndarray:
        """(m, balls, 3)."""
        balls = np.tile(self.slow.balls, (len(times), 1, 1))
        for joint, angle in self.torsions.items():
            centre = balls[:, joint, None].copy()
            axis = balls[:, joint + 1] - balls[:, joint]
            turn = turns(axis / np.linalg.norm(axis, axis=1)[:, None], angle * times)
            beyond = self.slow.owner > joint
            balls[:, beyond] = (balls[:, beyond] - centre) @ turn.transpose(0, 2, 1) + centre
        return balls

    def speed(self) -> float:
        """How far the fastest ball would go at its fastest; two of them may go apart."""
        balls = self.positions(np.linspace(0.0, 1.0, STEPS + 1))
        return 2.0 * SAFELY * STEPS * float(np.linalg.norm(np.diff(balls, axis=0), axis=2).max())

    def gap(self, which: np.ndarray, times: np.ndarray) -> np.ndarray:
        balls, out = self.positions(times), np.empty(len(times))
        for k in np.flatnonzero(which == BALLS):
            out[k] = (cdist(balls[k], balls[k]) - self.slow.sums).min()
        bonds = which == BONDS
        if bonds.any():
            out[bonds] = nearest_bonds(balls[bonds], self.bonds)
        return out

    def course(self) -> Course:
        return Course(self.gap, np.full(2, self.speed()), np.zeros(2, dtype=np.int64))

    def crossings(self, count: int = 2000) -> list[tuple[int, int, float]]:
        """Bonds that pass through each other: (bond, bond, time), where one changes to the other side."""
        times = np.linspace(0.0, 1.0, count)
        balls, found = self.positions(times), []
        for i, j in self.bonds:
            side = sides(*(balls[:, k] for k in (i, i + 1, j, j + 1)))
            clear = np.minimum(np.abs(side[1:]), np.abs(side[:-1])) > 1e-9 * self.slow.size**3
            for k in np.flatnonzero(clear & (side[1:] * side[:-1] < 0.0)):
                share = times[k] + side[k] / (side[k] - side[k + 1]) * (times[k + 1] - times[k])
                now = self.positions(np.array([share]))[0]
                if meet(now[i], now[i + 1], now[j], now[j + 1]):
                    found.append((int(i), int(j), float(share)))
        return found


def sides(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """(m,): on which side of the line ab the line cd passes, by its sign."""
    return np.asarray(np.einsum("mk,mk->m", np.cross(b - a, d - c), c - a))


def meet(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Do two segments cross, well within both and at a clear angle?"""
    u, v = b - a, d - c
    if np.linalg.norm(np.cross(u, v)) < 1e-3 * np.linalg.norm(u) * np.linalg.norm(v):
        return False
    s, t = np.linalg.lstsq(np.stack([u, -v], axis=1), c - a, rcond=None)[0]
    apart = np.linalg.norm(a + s * u - c - t * v)
    return bool(min(s, t) > 0.01 and max(s, t) < 0.99 and apart < 1e-3 * np.linalg.norm(u))


@njit(cache=True)
def nearest_bonds(balls: np.ndarray, bonds: np.ndarray) -> np.ndarray:
    """The least distance of all pairs of segments, for each of m chains."""
    out = np.full(len(balls), np.inf)
    for m in range(len(balls)):
        x = balls[m]
        for k in range(len(bonds)):
            i, j = bonds[k, 0], bonds[k, 1]
            a, b, c, d = oracle.row(x, i), oracle.row(x, i + 1), oracle.row(x, j), oracle.row(x, j + 1)
            p, q = oracle.crossing(a, b, c, d)
            away = oracle.sub(p, q)
            square = oracle.dot(away, away)
            for end in (a, b):
                away = oracle.sub(end, oracle.on_segment(end, c, d))
                square = min(square, oracle.dot(away, away))
            for end in (c, d):
                away = oracle.sub(end, oracle.on_segment(end, a, b))
                square = min(square, oracle.dot(away, away))
            out[m] = min(out[m], np.sqrt(square))
    return out

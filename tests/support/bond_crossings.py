"""Bonds that pass through each other while a part of a chain turns, by many looks at the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from motion_bending import meet, nearest_bonds, sides
from scipy.spatial.transform import Rotation


class Turned(NamedTuple):
    """Links that turned about a point, by the least rotation that took them from one place to another."""

    before: np.ndarray
    moved: np.ndarray  # of links
    centre: np.ndarray
    rotation: np.ndarray  # vector

    @classmethod
    def between(cls, before: np.ndarray, after: np.ndarray) -> Turned:
        """The move that led from one state to another: the link before those that moved stays."""
        size = np.abs(before).max()
        moved = np.linalg.norm(after - before, axis=1) > 1e-9 * size
        centre = before[np.flatnonzero(moved)[0] - 1]
        rotation, off = Rotation.align_vectors(after[moved] - centre, before[moved] - centre)
        assert off < 1e-6 * size, "this was no rotation about that link"
        return cls(before, moved, centre, rotation.as_rotvec())

    def positions(self, times: np.ndarray) -> np.ndarray:
        """(m, links, 3)."""
        out = np.tile(self.before, (len(times), 1, 1))
        turns = Rotation.from_rotvec(times[:, None] * self.rotation).as_matrix()
        out[:, self.moved] = (self.before[self.moved] - self.centre) @ turns.transpose(0, 2, 1) + self.centre
        return out

    def bonds(self) -> np.ndarray:
        """Pairs of bonds that share no link."""
        i, j = np.triu_indices(len(self.before) - 1, 2)
        return np.stack([i, j], axis=1)

    def crosses(self, count: int = 120) -> bool:
        """Does a bond clearly pass through another?"""
        times = np.linspace(0.0, 1.0, count)
        at = self.positions(times)
        i, j = self.bonds().T
        shape = (count, len(i))
        corners = [at[:, k].reshape(-1, 3) for k in (i, i + 1, j, j + 1)]
        side = sides(*corners).reshape(shape)
        for k, pair in np.argwhere(side[1:] * side[:-1] < 0):
            share = side[k, pair] / (side[k, pair] - side[k + 1, pair])
            now = self.positions(np.array([times[k] + share * (times[k + 1] - times[k])]))[0]
            a, b = i[pair], j[pair]
            if meet(now[a], now[a + 1], now[b], now[b + 1]):
                return True
        return False

    def nearest(self, count: int = 120) -> tuple[float, float]:
        """The least distance of two bonds at many times, and how far any link goes from one to the next."""
        at = self.positions(np.linspace(0.0, 1.0, count))
        way = np.linalg.norm(np.diff(at, axis=0), axis=2).max()
        return float(nearest_bonds(at, self.bonds()).min()), float(way)

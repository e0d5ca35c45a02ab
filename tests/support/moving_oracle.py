"""Segments whose ends go straight: their least distance by dense sampling, and inputs that are hard."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SAMPLES, VALLEYS = 161, 4


def _dot(a: Any, b: Any) -> Any:
    return np.einsum("...i,...i", a, b)


def distance(corners: Floats) -> Any:
    """(...,): the distance of the segments between corners (..., 4, 3) 0 and 1, and 2 and 3."""
    p, a, q, b = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :], corners[..., 3, :]

    def to_segment(x: Any, start: Any, end: Any) -> Any:
        along = end - start
        square = _dot(along, along)
        share = np.where(
            square > 0, np.clip(_dot(x - start, along) / np.where(square > 0, square, 1), 0, 1), 0
        )
        return np.linalg.norm(x - start - share[..., None] * along, axis=-1)

    ends = [to_segment(p, q, b), to_segment(a, q, b), to_segment(q, p, a), to_segment(b, p, a)]
    best = np.minimum.reduce(ends)
    d, e, w = a - p, b - q, q - p
    n = np.cross(d, e)
    square = _dot(n, n)
    crossed = square > 1e-24 * _dot(d, d) * _dot(e, e) + 1e-300
    safe = np.where(crossed, square, 1)
    s, t = _dot(np.cross(w, e), n) / safe, _dot(np.cross(w, d), n) / safe
    inside = crossed & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    return np.where(inside, np.minimum(best, np.abs(_dot(w, n)) / np.sqrt(safe)), best)


def at(start: Floats, end: Floats, t: Floats) -> Floats:
    """(b, k, 4, 3): the corners at times (b, k), seen from the first of them."""
    shares = np.asarray(t)[..., None, None]
    x = start[:, None] * (1 - shares) + end[:, None] * shares
    return np.asarray(x - x[:, :, :1])


def least(start: Floats, end: Floats) -> Floats:
    """(b,): the least distance over time, by samples and a closer look at the lowest of them."""
    every = np.arange(len(start))
    t = np.tile(np.linspace(0, 1, SAMPLES), (len(start), 1))
    found = distance(at(start, end, t))
    best = found.min(1)
    padded = np.pad(found, ((0, 0), (1, 1)), constant_values=np.inf)
    valley = np.where((found <= padded[:, :-2]) & (found <= padded[:, 2:]), found, np.inf)
    for _ in range(VALLEYS):
        k = valley.argmin(1)
        middle, width = t[every, k], 1 / (SAMPLES - 1)
        valley[every, k] = np.inf
        for _ in range(18):
            near = np.clip(middle[:, None] + width * np.linspace(-1, 1, 17), 0, 1)
            tried = distance(at(start, end, near))
            k = tried.argmin(1)
            middle, width = near[every, k], width / 6
            best = np.minimum(best, tried[every, k])
    return np.asarray(best)


def hard_segments(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Corners (count, 4, 3) at the start and at the end.

    Random, near crossings, at rest, in a plane, parallel, without a length, one moved rigidly, on a grid, and
    far from the origin.
    """
    start = rng.normal(size=(count, 4, 3))
    end = start + rng.normal(size=(count, 4, 3)) * 10.0 ** rng.uniform(-3, 1, (count, 1, 1))
    kind = rng.integers(0, 9, count)
    # So far apart at a time, between two points of them, of which many are ends.
    tau, apart = (
        rng.uniform(0, 1, count),
        10.0 ** rng.uniform(-10, 0, count) * rng.choice([0, 1, 1, 1], count),
    )
    then = start * (1 - tau)[:, None, None] + end * tau[:, None, None]
    s, u = rng.choice([0, 0.25, 0.6, 1], (count, 1)), rng.choice([0, 0.3, 0.7, 1], (count, 1))
    a, b = then[:, 1] - then[:, 0], then[:, 3] - then[:, 2]
    n = np.cross(a, b)
    n /= np.linalg.norm(n, axis=1)[:, None]
    shift = then[:, 0] + s * a + apart[:, None] * n - then[:, 2] - u * b
    near = kind >= 3
    start[near, 2:] += shift[near, None]
    end[near, 2:] += shift[near, None]
    end[kind == 4] = start[kind == 4]
    start[kind == 5, :, 2] = end[kind == 5, :, 2] = 0
    for corners in (start, end):
        parallel = kind == 6
        longer = rng.uniform(-2, 2, (int(parallel.sum()), 1))
        corners[parallel, 3] = corners[parallel, 2] + (corners[parallel, 1] - corners[parallel, 0]) * longer
        corners[kind == 7, 1] = corners[kind == 7, 0]
    rigid = kind == 8
    end[rigid, 2:] = start[rigid, 2:] + (end[rigid, 0] - start[rigid, 0])[:, None]
    grid, far = rng.random(count) < 0.1, rng.random(count) < 0.15
    start[grid], end[grid] = np.round(2 * start[grid]) / 2, np.round(2 * end[grid]) / 2
    off = rng.normal(size=(count, 1, 3)) * 10.0 ** rng.uniform(0, 6, (count, 1, 1))
    start[far] += off[far]
    end[far] += off[far]
    return start, end

"""Beads between two frames whose periodic boxes differ, against all images."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.periodic_oracle import random_box

from elbowroom._core import BeadMotion

NONE = np.empty((0, 2), np.int32)
EVERY = 2  # meeting is wanted


def gaps(x: np.ndarray, y: np.ndarray, boxes: np.ndarray, cells: int) -> np.ndarray:
    """(n, n): the least distance of two beads over time and all images; each goes the shortest way."""
    around = np.array(list(product(range(-cells, cells + 1), repeat=3)))
    images = around @ boxes[1]
    way = (y - x)[:, None] + images
    way = way[np.arange(len(x)), np.argmin(np.linalg.norm(way, axis=2), axis=1)]
    start = (x[None] - x[:, None])[:, :, None] + around @ boxes[0]
    end = (x + way)[None] - (x + way)[:, None]
    change = end[:, :, None] + images - start
    square = np.einsum("ijkc,ijkc->ijk", change, change)
    share = -np.einsum("ijkc,ijkc->ijk", start, change) / np.where(square > 0, square, 1)
    nearest = start + np.clip(share, 0, 1)[..., None] * change
    return np.asarray(np.linalg.norm(nearest, axis=3).min(axis=2))


def check_box(seed: int) -> tuple[int, int]:
    rng = np.random.default_rng(seed)
    edges, cells = random_box(rng)
    widths = 1 / np.linalg.norm(np.linalg.inv(edges), axis=0)
    if widths.min() < 3 or cells > 2:  # so skewed that the oracle would need too many images
        return 0, 0
    strain = np.eye(3) + rng.choice([0.0, 0.003, 0.01]) * rng.normal(size=(3, 3)).clip(-1, 1)
    boxes = np.stack([edges, edges @ strain])
    n, width = 20, widths.min()
    cell = rng.uniform(0, 1, (n, 3))
    x = cell @ boxes[0]
    y = cell @ boxes[1] + 0.06 * width * rng.normal(size=(n, 3)).clip(-1, 1) / np.sqrt(3)
    y = y + rng.integers(-1, 2, (n, 3)) @ boxes[1]
    radius = 0.09 * width
    core = BeadMotion(np.full(n, radius), -1, NONE, NONE, 0.0, 0.0)
    found = core.step(x, y, np.ascontiguousarray(boxes), EVERY, 1e-9, None)
    true = gaps(x, y, boxes, cells + 1) - 2 * radius
    met = {(i, j) for _, i, j, _ in found.parts.tolist()}
    for i, j in zip(*np.triu_indices(n, 1), strict=True):
        assert abs(true[i, j]) < 1e-9 or ((i, j) in met) == (true[i, j] < 0), (seed, i, j, true[i, j])
    return len(met), n * (n - 1) // 2 - len(met)


def test_boxes_that_change() -> None:
    counts = np.sum([check_box(seed) for seed in range(40)], axis=0)
    assert counts.min() > 20


@pytest.mark.fuzz
def test_many_boxes_that_change() -> None:
    for seed in range(60, 1000):
        check_box(seed)

"""Files that the library itself has written, for the fuzzer of readers to damage."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from reader_seeds import Seeds

import elbowroom as er
from elbowroom._reliability import judged
from elbowroom.files.dcd import DcdWriter


def own_dcd(atoms: int = 5) -> Seeds:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "own.dcd")
        with DcdWriter.create(file, atoms=atoms, interval=10) as writer:
            for _ in range(3):
                writer.append(np.ones((atoms, 3)))
        return {"own.dcd": file.read_bytes()}


def rope(beads: int) -> NDArray[np.float64]:
    angle = 0.5 * np.arange(beads)
    return np.column_stack([3 * np.cos(angle), 3 * np.sin(angle), angle])


def family(beads: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "family.npz")
        er.Necklace(rope(beads), 0.3).separating_pairs().save(file)
        return file.read_bytes()


def calibration() -> bytes:
    rng = np.random.default_rng(0)
    said = judged(rng.random(200), rng.random(200) < 0.7)
    table = er.Calibration(np.ones(9), np.arange(4.0), np.linspace(0, 1, 4), budgets=(er.Budget(tests=9),),
                           held_out=said, paper=said)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.json")
        table.save(file)
        return file.read_bytes()


def saved() -> Seeds:
    return {"family.npz": family(30), "table.json": calibration()}

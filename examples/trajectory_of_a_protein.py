"""A trajectory as simulations write them: which two atoms are nearest in each frame, and do any overlap?

With files of your own: python trajectory_of_a_protein.py trajectory.dcd topology.psf
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.files.trajectory import Trajectory, read_trajectory


def made_up(file: Path) -> Trajectory:
    """A backbone whose torsions wander, as a PDB file; from model 40 on it does not avoid itself."""
    chain, rng, lines = er.Chain(scenes.backbone(300), radii=1.2, exclude=3), np.random.default_rng(2), []
    for model in range(60):
        lines.append("MODEL")
        for k, (x, y, z) in enumerate(chain.positions()):
            name = ("N", "CA", "C")[k % 3]
            place = f"{x:8.3f}{y:8.3f}{z:8.3f}{name[0]:>24}"
            lines.append(f"ATOM  {k + 1:5d}  {name:<3} GLY A{k // 3 + 1:4d}    {place}")
        lines.append("ENDMDL")
        chain.rotate(int(rng.integers(299)), float(rng.normal(0, 0.3)))
        if model < 40 and chain.collides():
            chain.undo()
    file.write_text("\n".join(lines))
    return read_trajectory(file)


with tempfile.TemporaryDirectory() as folder:
    given = dict(zip(("path", "topology"), sys.argv[1:], strict=False))
    trajectory = read_trajectory(**given) if given else made_up(Path(folder, "protein.pdb"))
    necklace = er.Necklace(trajectory.first, trajectory.radii, exclude=trajectory.excluded)
    print(f"{len(necklace)} atoms in {trajectory.n_frames} frames; {trajectory.bonds}")
    print(f"{len(necklace.excluded)} pairs at most {trajectory.exclude} bonds apart are not compared")
    for frame, positions in zip(trajectory.frames, trajectory, strict=True):
        necklace.move(positions)
        nearest = er.self_distance(necklace)
        i, j = (trajectory.labels[k] for k in nearest.pair)
        if nearest.value == 0:
            pairs = er.self_collide(necklace, every=True).pairs
            print(f"frame {frame}: {len(pairs)} pairs overlap, {i} and {j} for one")
            break
        if frame % 10 == 0:
            print(f"frame {frame}: nearest are {i} and {j}, {nearest.value:.3f} apart")

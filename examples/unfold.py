"""Unfolding a protein without clashes: from a PDB file to a trajectory, its radius of gyration step by step.

With a file of your own: python unfold.py protein.pdb. It may have no gaps (see breaks="bridge").
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.files.trajectory import read_trajectory


def made_up(file: Path) -> Path:
    """A folded backbone as a PDB file: 70 residues of glycine, without their oxygens."""
    lines = []
    for k, (x, y, z) in enumerate(scenes.backbone(210)):
        name = ("N", "CA", "C")[k % 3]
        place = f"{x:8.3f}{y:8.3f}{z:8.3f}{name[0]:>24}"
        lines.append(f"ATOM  {k + 1:5d}  {name:<3} GLY A{k // 3 + 1:4d}    {place}")
    file.write_text("\n".join([*lines, "END\n"]))
    return file


with tempfile.TemporaryDirectory() as folder:
    given = sys.argv[1] if len(sys.argv) > 1 else made_up(Path(folder, "protein.pdb"))
    chain = er.Chain.from_pdb(given)
    out = Path("unfolding")
    moves = {"torsion": er.sampling.Move(size=0.3), "rebridge": 0.5}
    run = er.sampling.sample(chain, moves, steps=50_000, every=500, seed=3, out=out)

size = run.observables["radius_of_gyration"]
for step, radius in list(zip(run.steps_at, size, strict=True))[::20]:
    print(f"step {step:6}: radius of gyration {radius:5.1f} angstrom")
folded = np.sqrt(chain.positions().var(axis=0).sum())
print(f"folded it was {folded:.1f}; it has grown to {size[50:].mean() / folded:.1f} times that")
for move, share in run.acceptance.items():
    print(f"{share:.0%} of the {move} moves were accepted")

frames = read_trajectory(out / "trajectory.dcd", topology=out / "topology.pdb")
clashes = sum(er.Chain(places, chain.radii, exclude=chain.excluded).collides() for places in frames)
print(f"{frames.n_frames} frames, {clashes} of them with a clash")
print(f"to see it: pymol {out}/topology.pdb {out}/trajectory.dcd")

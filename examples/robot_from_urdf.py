"""A robot from a URDF file: which of its links run into each other, and which need not be compared.

With a robot of your own: python robot_from_urdf.py arm.urdf. It needs pip install 'elbowroom[robots]'.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import elbowroom as er


def made_up(file: Path) -> Path:
    """An arm of five links in a row on a foot; each is a cylinder with a joint at its end."""
    rod = '<origin xyz="0 0 {z}"/><geometry><cylinder radius="{r}" length="{l}"/></geometry>'
    shape = f"<collision>{rod.format(z=0.2, r=0.05, l=0.36)}</collision>"
    foot = f"<collision>{rod.format(z=0.05, r=0.25, l=0.1)}</collision>"
    parts = [f'<link name="foot">{foot}</link>', *(f'<link name="link{k}">{shape}</link>' for k in range(5))]
    names = ["foot", *(f"link{k}" for k in range(5))]
    for k in range(5):
        axis, lift, turn = ("0 1 0", 0.4, 2.4) if k else ("0 0 1", 0.12, 3.1)
        parts.append(
            f'<joint name="joint{k}" type="revolute"><origin xyz="0 0 {lift}"/><axis xyz="{axis}"/>'
            f'<parent link="{names[k]}"/><child link="{names[k + 1]}"/>'
            f'<limit lower="-{turn}" upper="{turn}" effort="1" velocity="1"/></joint>'
        )
    file.write_text(f'<robot name="arm">{"".join(parts)}</robot>')
    return file


with tempfile.TemporaryDirectory() as folder:
    arm = er.Articulated.from_urdf(sys.argv[1] if len(sys.argv) > 1 else made_up(Path(folder, "arm.urdf")))
print(arm)
arm.move(arm.random(10_000, seed=1))  # within the limits of the joints
found = er.self_collide(arm, every=True)
print(f"{found.hits.sum()} of 10000 random configurations collide")
names, counts = np.unique(arm.names(found.pairs), axis=0, return_counts=True)
for k in np.argsort(-counts)[:4]:
    print(f"  {names[k][0]} and {names[k][1]} in {counts[k]}")

seen = arm.sample_pairs(10_000)  # what an SRDF file is made from; no proof
print(seen)
arm.exclude(seen)
arm.move(arm.zero())
nearest = er.self_distance(arm)
print(f"at zero: {nearest.value:.3f} between", *arm.names([nearest.pair])[0])

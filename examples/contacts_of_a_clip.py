"""Motion capture: in which frames of a BVH clip do which bones overlap, and how deep?

With a clip of your own: python contacts_of_a_clip.py dance.bvh
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import elbowroom as er

ARMS = [("Left", 1), ("Right", -1)]


def made_up(file: Path) -> Path:
    """A trunk with two arms that swing in front of it, and meet."""
    channels = "CHANNELS 3 Xrotation Yrotation Zrotation"
    lines = ["HIERARCHY", "ROOT Trunk", "{", "OFFSET 0 0 0"]
    lines.append("CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation")
    lines += ["JOINT Head", "{", "OFFSET 0 50 0", channels, "End Site", "{", "OFFSET 0 25 0", "}", "}"]
    for side, x in ARMS:
        lines += [f"JOINT {side}Arm", "{", f"OFFSET {20 * x} 45 0", channels]
        lines += [f"JOINT {side}ForeArm", "{", f"OFFSET {30 * x} 0 0", channels]
        lines += ["End Site", "{", f"OFFSET {40 * x} 0 0", "}", "}", "}"]
    lines += ["}", "MOTION", "Frames: 90", "Frame Time: 0.0333333"]
    for beat in np.sin(np.linspace(0, 6 * np.pi, 90)):
        arms = [angle for _, x in ARMS for angle in (0, -x * (80 + 40 * beat), 0, 0, -10 * x, 0)]
        lines.append(" ".join(f"{value:.3f}" for value in [0, 100, 0, 0, 0, 0, 0, 0, 0, *arms]))
    file.write_text("\n".join(lines))
    return file


with tempfile.TemporaryDirectory() as folder:
    figure = er.Articulated.from_bvh(sys.argv[1] if len(sys.argv) > 1 else made_up(Path(folder, "clap.bvh")))
figure.move(figure.motion)  # all frames at once
found = er.self_collide(figure, every=True, depth=True)
print(f"{found.hits.sum()} of {len(found.hits)} frames have a contact")
for i, j in np.unique(found.pairs, axis=0):
    rows = (found.pairs == (i, j)).all(axis=1)
    frames, depths = found.frames[rows], found.contacts.depths[rows]
    a, b = figure.link_names[i], figure.link_names[j]
    print(f"{a} and {b}: {len(frames)} frames, deepest {depths.max():.1f} in frame {frames[depths.argmax()]}")

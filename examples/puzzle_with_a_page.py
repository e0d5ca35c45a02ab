"""A puzzle solved with proofs: a piano through furnished rooms, and a page that plays the path."""

from pathlib import Path

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.pictures.animation import animation
from elbowroom.pictures.moving import Moving, Standing

puzzle = scenes.furnished_rooms()
piano, rooms = er.Mesh(*puzzle.body), er.Mesh(*puzzle.world)
checker = er.MotionChecker(piano, rooms)
space = er.planning.RigidSpace(puzzle.low, puzzle.high)

planner = er.planning.RRTConnect(space, checker, start=puzzle.start, goal=puzzle.goal, seed=1)
path = planner.solve(attempts=200_000)
print(f"found: {path.found}, {len(path)} poses after {path.attempts:,} attempts")

shorter = path.shortened(300, seed=1)
proof = shorter.certificate
print(f"length {path.length:.1f}, shortened to {shorter.length:.1f}")
print("the whole path:", "proved free" if proof.free else "not free")

poses = shorter.at(np.linspace(0, 1, 300))
mover, fixed = Moving([(piano, None)], poses), Standing(rooms)
page = animation("A piano through furnished rooms", [mover], [fixed], through=True)
Path("piano.html").write_text(page, encoding="utf-8")
print("open piano.html in a browser to play the path")

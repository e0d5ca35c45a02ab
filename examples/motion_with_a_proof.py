"""A whole motion, not some poses of it: proved free, with a certificate, or the time of the first contact."""

import numpy as np

import elbowroom as er

# A bar is to go through a slit in a wall, turning on the way.
bar = er.Box([3.0, 0.3, 0.3])
wall = er.Group([(er.Box([0.1, 4.0, 2.0]), er.Pose(translation=[0, 0, side * 1.4])) for side in (-1, 1)])
lengthwise, upright = np.eye(3), np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])  # as rotation matrices
start = er.Pose(lengthwise, [-3, 0, 0])

through = er.check(bar, er.Motion(start, er.Pose(lengthwise, [3, 0, 0])), wall)
print("straight through:", through)
through.verify()  # independently of what made it; raises a ProofError if an interval does not hold
print(f"{len(through.intervals)} interval(s) cover the motion; each was verified on its own")

turning = er.check(bar, er.Motion(start, er.Pose(upright, [3, 0, 0])), wall)
before, at = turning.first_contact
print(f"turning: free until {before:.6f}, in contact at {at:.6f}, with part {turning.pair[1]} of the wall")
print("witness points:", turning.points.round(3).tolist())

# Sampled at 20 poses, a thin blade seems to pass a thin wire; the exact check finds the contact.
blade, wire = er.Box([0.01, 1, 1]), er.Capsule(0.005, 4)
motion = er.Motion(er.Pose(translation=[-2, 0, 0]), er.Pose(translation=[2.1, 0, 0]))
sampled = er.collide(blade, wire, pose_a=motion.at(np.linspace(0, 1, 20))).hits.any()
exact = er.check(blade, motion, wire)
print(f"20 samples say {'contact' if sampled else 'free'}; the exact check says", exact.free)

# Many motions at once, on all cores; obstacles may move too.
goals = np.tile(np.eye(4), (1_000, 1, 1))
goals[:, :3, 3] = np.random.default_rng(0).uniform(-4, 4, (1_000, 3))
starts = np.tile(start.matrix, (1_000, 1, 1))
print(er.check(bar, er.Motion(starts, goals), wall, first=False))
door = er.Motion(er.Pose(translation=[0, 0, 3]), er.Pose(translation=[0, 0, -1]))
print("a falling door:", er.check(bar, through.motion, (er.Box([0.1, 4, 2]), door)).first_contact)

"""Planning with proofs: RRT-Connect for a rigid body among obstacles, and an arm's path checked exactly."""

import numpy as np

import elbowroom as er
from elbowroom import scenes

# A hook goes from one corner of a world of 1330 tetrahedra to the opposite one.
obstacles = er.Group([er.Convex(corners) for corners in scenes.tetrahedra()])
hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.thin_hook()])
checker = er.MotionChecker(hook, obstacles)
space = er.planning.RigidSpace([0, 0, 0], [100, 100, 100])
free = [pose for pose in scenes.hook_poses(2_000) if checker.valid(pose)]
start = min(free, key=lambda pose: np.linalg.norm(pose[:3, 3]))
goal = max(free, key=lambda pose: np.linalg.norm(pose[:3, 3]))

path = er.planning.RRTConnect(space, checker, start=start, goal=goal, seed=1).solve()
shorter = path.shortened(300, seed=1)
print(f"found: {path.found}, {len(path)} states, length {path.length:.0f}; shortened to {shorter.length:.0f}")
print("the whole path:", "proved free" if shorter.certificate.free else "not free")
shorter.to_csv("hook.csv")

# An arm of four links must reach over a box. The straight way in joint space is not free; the planner's is.
bone = [(er.Capsule(0.08, 1.0), er.Pose(translation=[0, 0, 0.5]))]
links = [er.Link(f"link {i}", bone) for i in range(4)]
end = er.Pose(translation=[0, 0, 1])
joints = [
    er.Joint(f"joint {i}", "revolute", f"link {i}", f"link {i + 1}", end, axis=(0, 1, 0), limits=(-2.5, 2.5))
    for i in range(3)
]
arm = er.Articulated(links, joints)
crate = (er.Box([1.0, 1.0, 1.2]), er.Pose(translation=[0, 0, 3.1]))
left, right = np.array([-1.2, -0.6, -0.4]), np.array([1.2, 0.6, 0.4])
straight = er.check(arm, [left, right], crate)
print(f"straight: in contact at {straight.contact_time:.6f}, link {straight.pair[0]}")

reach = er.MotionChecker(arm, crate)
way = er.planning.RRTConnect(er.planning.JointSpace.of(arm), reach, start=left, goal=right, seed=2).solve()
proof = er.check(arm, way.states, crate)
print(f"around: {len(way)} configurations, {proof.distance_calls} looks, free: {proof.free}")

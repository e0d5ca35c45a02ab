"""A roadmap for many questions, motions looked at in samples or on a budget, and paths proved in the end."""

import numpy as np

import elbowroom as er
from elbowroom import scenes
from elbowroom.planning import PRM, Budgeted, Discrete, JointSpace, RigidSpace

# An arm of three links among posts. The roadmap is learned once; then questions take milliseconds.
bone = [(er.Capsule(0.1, 0.8), er.Pose([0.5**0.5, 0, 0.5**0.5, 0], [0.5, 0, 0]))]
links = [er.Link("base"), *(er.Link(f"bone {i}", bone) for i in range(3))]
ends = [er.Pose(translation=[x, 0, 0]) for x in (0.0, 1.0, 1.0)]
joints = [
    er.Joint(f"joint {i}", "revolute", links[i].name, links[i + 1].name, ends[i], (0, 0, 1), (-2.8, 2.8))
    for i in range(3)
]
arm = er.Articulated(links, joints)
places = [[1.6, 1.0], [1.6, -1.2], [-0.4, 1.7], [2.6, 0.5], [0.6, -1.9]]
posts = er.Group([(er.Capsule(0.3, 1.0), er.Pose(translation=[x, y, 0])) for x, y in places])
checker, space = er.MotionChecker(arm, posts), JointSpace.of(arm)
prm = PRM(space, checker, seed=1)
roadmap = prm.grow(nodes=400)
states = [state for state in space.sample(np.random.default_rng(2), 40) if checker.valid(state)][:11]
paths = [prm.query(states[0], goal) for goal in states[1:]]
print(f"{sum(path.found for path in paths)} of 10 goals reached on {len(roadmap)} nodes")
print("all proved free:", all(path.certificate.free for path in paths if path.found))
roadmap.plot("roadmap.png", path=paths[0])

# A ball and a thin fence with a window in its corner. Samples miss the fence; the exact check repairs that.
bars = [([0.02, 6.2, 4.5], [0, 0, -0.75]), ([0.02, 4.5, 6.2], [0, -0.75, 0])]
fence = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in bars])
ball, box = er.Sphere(0.1), RigidSpace([-3] * 3, [3] * 3)
samples = Discrete(lambda pose: er.collide(ball, fence, pose), resolution=1.0)
left, right = er.Pose(translation=[-2.5, 0, 0]), er.Pose(translation=[2.5, 0, 0])
path = PRM(box, samples, exact=er.MotionChecker(ball, fence), lazy=True, seed=1).solve(left, right)
print(f"by samples: {path.work.repaired} edges repaired, then proved free: {path.certificate.free}")

# Two springs, 100 tests for each configuration: an answer that is not finished but confident counts as free.
spring = er.Mesh(*scenes.spring())
on_a_budget = Budgeted(
    lambda pose, **how: er.collide(spring, spring, pose_b=pose, **how), 0.1, er.Budget(tests=100)
)
turning = RigidSpace([-7] * 3, [7] * 3, metric="weighted", weight=2.0)
prm = PRM(turning, on_a_budget, exact=er.MotionChecker(spring, spring))
prm.grow(nodes=50)
print("on a budget:", prm.query(*scenes.spring_path(2)))

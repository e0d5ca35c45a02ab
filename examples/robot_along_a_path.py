"""An arm of six links along a path of a thousand configurations: asked all at once, when does it hit itself?

From a file, a robot is `er.Articulated.from_urdf("arm.urdf")`, and motion capture
`er.Articulated.from_bvh("dance.bvh")`.
"""

import numpy as np

import elbowroom as er

# Each link is a capsule along z; each joint turns the next one about y, at the end of the last.
LENGTH, REACH = 1.0, 2.6
bone = [(er.Capsule(0.12, LENGTH), er.Pose(translation=[0, 0, LENGTH / 2]))]
links = [er.Link(f"link {i}", bone) for i in range(6)]
end = er.Pose(translation=[0, 0, LENGTH])
joints = [
    er.Joint(
        f"joint {i}", "revolute", f"link {i}", f"link {i + 1}", end, axis=(0, 1, 0), limits=(-REACH, REACH)
    )
    for i in range(5)
]
arm = er.Articulated(links, joints)

start, goal = np.zeros(arm.dof), np.array([0.3, 1.2, 1.3, 1.2, 0.4])
path = np.linspace(start, goal, 1_000)
arm.move(path)
found = er.self_collide(arm, every=True, depth=True)
first = int(np.argmax(found.hits))
i, j = found.pairs[found.frames == first][0]
print(f"{found.hits.sum()} of {len(path)} configurations collide, first number {first}")
deepest = found.contacts.depths.max()
print(f"there {arm.link_names[i]} meets {arm.link_names[j]}; at worst they are {deepest:.3f} deep")
print(f"just before, the nearest links are {er.self_distance(arm).values[first - 1]:.4f} apart")

arm.move(path[-1])
print(
    "at the goal:",
    ", ".join(
        f"{arm.link_names[i]} and {arm.link_names[j]}" for i, j in er.self_collide(arm, every=True).pairs
    ),
)

arm.move(arm.random(10_000, seed=1))  # uniform within the limits
print(f"of random configurations, {er.self_collide(arm).hits.mean():.0%} collide")

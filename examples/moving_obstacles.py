"""Things that move at the same time: an arm on its path while a crate goes by, and two arms that may meet."""

import numpy as np

import elbowroom as er

bone = [(er.Capsule(0.08, 0.8), er.Pose(translation=[0, 0, 0.5]))]
links = [er.Link(f"link {i}", bone) for i in range(4)]
end = er.Pose(translation=[0, 0, 1])
joints = [
    er.Joint(f"joint {i}", "revolute", f"link {i}", f"link {i + 1}", end, axis=(0, 1, 0)) for i in range(3)
]
arm = er.Articulated(links, joints)
start, goal = np.array([0.9, 0.5, 0.3]), np.array([0.2, -0.4, 0.1])

# A crate goes by on a belt: it depends on its speed whether the arm is out of its way in time.
crate = er.Box([0.5, 0.5, 0.5])
for speed in (0.5, 1.0, 2.0):
    belt = er.Motion(er.Pose(translation=[1.5, -2.5, 2.5]), er.Pose(translation=[1.5, -2.5 + 4 * speed, 2.5]))
    answer = er.check(arm, [start, goal], (crate, belt))
    told = "free" if answer.free else f"link {answer.pair[0]} is hit at {answer.contact_time:.3f}"
    print(f"speed {speed}: {told}")

# Two arms with paths of their own, the second one turned about and placed on the other side.
half_turn = er.Pose([0, 0, 0, 1], [3.0, 0.0, 0.0])
base = er.Link("base")
beside = er.Joint("stand", "fixed", "base", "link 0", half_turn)
other = er.Articulated([base, *links], [beside, *joints])
for name, there in [("meets", start), ("keeps away", -start)]:
    answer = er.check(arm, [goal, start], (other, np.array([goal, there])))
    told = "free" if answer.free else f"contact at {answer.contact_time:.3f}"
    print(f"an arm that {name}: {told}")

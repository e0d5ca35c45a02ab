"""How deep do two bodies overlap, and which way out? Contacts tell, and a step along the normal separates."""

import elbowroom as er

crate = er.Box([1.0, 1.0, 1.0])
drum = er.Capsule(radius=0.4, length=0.8)
pose = er.Pose(translation=[0.75, 0.1, 0.0])

collision = er.collide(crate, drum, pose_b=pose, depth=True)
contact = collision.contacts
depth, normal = contact.depths[0], contact.normals[0]
print(f"overlap {depth:.3f} at {contact.points[0].round(3).tolist()}, way out {normal.round(3).tolist()}")

# The normal points from the first body to the second. Moved by the depth the second just touches; any
# farther, and the pair is free.
moved = er.Pose(translation=pose.translation + (depth + 1e-9) * normal)
print("after the step:", "still colliding" if er.collide(crate, drum, pose_b=moved) else "free")

# With every=True all pairs of primitives report: here the two shelves that a ball rests on.
shelves = er.Group(
    [
        (er.Box([1, 1, 0.1]), er.Pose(translation=[-0.7, 0, 0])),
        (er.Box([1, 1, 0.1]), er.Pose(translation=[0.7, 0, 0])),
    ]
)
ball = er.Sphere(0.5)
resting = er.collide(shelves, ball, pose_b=er.Pose(translation=[0, 0, 0.46]), every=True, depth=True)
for k, (shelf, _) in enumerate(resting.pairs):
    point, depth = resting.contacts.points[k], resting.contacts.depths[k]
    print(f"shelf {shelf} touches the ball at {point.round(3).tolist()}, {depth:.3f} deep")

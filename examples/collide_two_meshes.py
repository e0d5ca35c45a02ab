"""Two meshes: do they collide, how far apart are they, and between which points was that measured?"""

import elbowroom as er
from elbowroom import scenes

# Any (n, 3) vertices and (m, 3) faces make a mesh; er.Mesh.load("part.stl") reads a file.
spring = er.Mesh(*scenes.spring())
ring = er.Mesh(*scenes.torus(radius=3.0, tube=0.4))

# A pose says where a body stands in the world: a rotation, here a quaternion (w, x, y, z), and a translation.
beside = er.Pose([0.8, 0.6, 0.0, 0.0], [6.5, 0.0, 1.0])
around = er.Pose(translation=[0.0, 0.0, 0.4])
touching = er.Pose(translation=[1.5, 0.0, 0.4])

for name, pose in [("beside", beside), ("around", around), ("touching", touching)]:
    collision = er.collide(spring, ring, pose_b=pose)
    if collision:
        here, there = collision.pairs[0]
        print(f"{name}: triangle {here} of the spring meets triangle {there} of the ring")
    else:
        clearance = er.distance(spring, ring, pose_b=pose)
        here, there = clearance.points.round(3).tolist()
        print(f"{name}: free, {clearance.value:.4f} apart, between {here} and {there}")

# Every answer carries the work it took and how it ended.
print(er.distance(spring, ring, pose_b=beside))

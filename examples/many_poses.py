"""Many poses in one call: an array of (n, 4, 4) matrices gives n answers, computed on all cores.

Along a path, where each pose is close to the last, a memory saves single calls some of the work.
"""

import numpy as np

import elbowroom as er
from elbowroom import scenes

spring = er.Mesh(*scenes.spring())
poses = scenes.spring_path(2_000)  # sideways through the other spring

hits = er.collide(spring, spring, pose_b=poses).hits
distances = er.distance(spring, spring, pose_b=poses)
first, last = np.flatnonzero(hits)[[0, -1]]
print(f"{hits.sum()} of {len(poses)} poses collide, from {first} to {last}")
print(f"before contact the springs are {distances.values[first - 1]:.4f} apart")

# The same distances one by one: the memory starts each search at the pair that was nearest at the last pose.
memory = er.Memory()
tests = 0
for pose, known in zip(poses[:first], distances.values, strict=False):
    nearest = er.distance(spring, spring, pose_b=pose, memory=memory)
    assert np.isclose(nearest.value, known, rtol=1e-12, atol=0)
    tests += nearest.counters.leaf_tests
without = er.distance(spring, spring, pose_b=poses[:first]).counters.leaf_tests
print(f"leaf tests a pose on the way in: {tests / first:.0f} with a memory, {without / first:.0f} without")

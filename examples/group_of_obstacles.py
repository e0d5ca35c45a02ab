"""Many shapes as one body: the nearest of 1330 obstacles, and all within reach, in one call each."""

import elbowroom as er
from elbowroom import scenes

obstacles = er.Group([(er.Convex(corners), None) for corners in scenes.tetrahedra()])
hook = er.Group([(er.Box(extents), er.Pose(translation=centre)) for extents, centre in scenes.hook()])
print(f"{len(obstacles)} obstacles; the hook has {len(hook)} legs")

for pose in scenes.hook_poses(5):
    nearest = er.distance(hook, obstacles, pose_a=pose)
    if nearest.value == 0:
        print("the hook is in collision")
        continue
    # A primitive of a group is found again by `locate`: the member, and the primitive within that member.
    obstacle, _ = obstacles.locate(int(nearest.pair[1]))
    near = er.within(hook, obstacles, 4.0, pose_a=pose)
    print(f"nearest is obstacle {obstacle} at {nearest.value:.3f}; {len(near.indices)} pairs are within 4")

# Is it farther than 2? The search stops once that is settled, which takes less than the distance itself.
pose = scenes.hook_poses(5)[0]
answer = er.distance(hook, obstacles, pose_a=pose, enough=2.0)
verdict = "farther" if answer.lower > 2.0 else "not farther"
print(f"{verdict} than 2: the distance is between {answer.lower:.3f} and {answer.upper:.3f}, {answer.status}")

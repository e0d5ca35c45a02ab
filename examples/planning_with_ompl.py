"""OMPL's planners with exact checks behind them: every motion that a planner accepts is proved free.

It needs OMPL: pip install 'elbowroom[plan]'.
"""

from ompl import geometric, util

import elbowroom as er
from elbowroom.planning import ompl

util.RNG.setSeed(1)  # before anything else of OMPL, for the same paths each time
util.setLogLevel(util.LogLevel.LOG_WARN)

# A sofa has to go through a door.
sofa = er.Group([er.Box([2.0, 0.8, 0.4]), (er.Box([2.0, 0.2, 0.9]), er.Pose(translation=[0, 0.4, 0.3]))])
sides = [([0.2, 3, 3], [0, -2.0, 0]), ([0.2, 3, 3], [0, 2.0, 0]), ([0.2, 1, 1.0], [0, 0, 1.5])]
wall = er.Group([(er.Box(size), er.Pose(translation=at)) for size, at in sides])
checker = er.MotionChecker(sofa, wall)
inside, outside = er.Pose(translation=[-3, 0, 0]), er.Pose(translation=[3, 0, 0])
print("straight through:", "free" if checker.free(inside, outside) else "a contact")

for planner in (geometric.RRTConnect, geometric.RRT):
    setup = ompl.setup(checker, [-4, -3, -1.5], [4, 3, 1.5], start=inside, goal=outside)
    setup.setPlanner(planner(setup.getSpaceInformation()))
    path = ompl.solve(setup, seconds=20)
    proof = "proved free" if path.found and path.certificate.free else "nothing found"
    print(f"{planner.__name__}: {len(path)} states, {proof}")

"""A check inside a control loop: so much work in a tick and no more; what it left is done in the next.

The loop slows down while less than all is proved, and stops for a contact. It never waits for a long query.
"""

import elbowroom as er
from elbowroom import scenes

spring = er.Mesh(*scenes.spring())  # the tool, and what it works on
motion = er.Motion(er.Pose(translation=[6.0, 0, 0.5]), er.Pose([0.8, 0, 0, 0.6], [4.75, 0, 0.5]))
memory = er.Memory()
time, ticks, slow, worst, oldest = 0.0, 0, 0, 1.0, 0
while time < 1.0:
    pose = motion.at(time)
    answer = er.collide(spring, spring, pose_b=pose, budget=er.Budget(tests=30), memory=memory)
    if answer:
        print(f"contact at {time:.3f}: stop")
        break
    if answer.status == "out of budget":  # go on, but slowly: a part of the proof is of an earlier tick
        slow, worst = slow + 1, min(worst, answer.covered)
        oldest = max(oldest, memory.age or 0)
    time += 0.001 if answer.status == "out of budget" else 0.01
    ticks += 1
print(f"{ticks} ticks of 30 tests, {slow} of them slow; at worst {worst:.1%} of the pairs were proved apart")
print(f"the oldest part of a proof was {oldest} ticks old; now it is complete: {answer.covered == 1.0}")

# The same for distances: whenever the time is up, the bounds hold. Here it is 50 microseconds.
exact = er.distance(spring, spring, pose_b=pose)
soon = er.distance(spring, spring, pose_b=pose, budget=er.Budget(seconds=50e-6))
print(
    f"{exact.value:.4f} apart; in 50 us: between bounds that hold:", soon.lower <= exact.value <= soon.upper
)

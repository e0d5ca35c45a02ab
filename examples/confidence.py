"""What is an answer worth for which there was too little time? A table, learned from one's own scene."""

import numpy as np

import elbowroom as er
from elbowroom import scenes

spring, budget = er.Mesh(*scenes.spring()), er.Budget(tests=50)


def path(aside: float) -> np.ndarray:
    """One spring passes the other, more or less aside; some of these paths collide."""
    poses = scenes.spring_path(60)
    poses[:, 1, 3] += aside
    return poses


def ask(pose: np.ndarray, **how: object) -> er.Collision:
    """The question whose unfinished answers are to be judged."""
    return er.collide(spring, spring, pose_b=pose, **how)


table = er.Memory.calibrate(ask, [path(aside) for aside in np.linspace(-4, 4, 60)], budget=budget)
print(table)
print(f"off by {table.error:.1%} on paths it has not seen; Brier score {table.held_out.brier:.3f}")
print(f"the paper's confidence on these: {table.paper.brier:.3f}")

memory = er.Memory(calibration=table)
for number, pose in enumerate(path(3.1)):
    answer = ask(pose, budget=budget, memory=memory)
    if number % 12 == 0:
        told = "a contact" if answer else f"nothing found, which is right with {answer.confidence:.0%}"
        print(f"pose {number}: {told}; {answer.covered:.0%} covered, {answer.status}")
